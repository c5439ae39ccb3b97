//! Meshes and scenes of other files.

use findings::{Loaded, Severity};
use formats::dgl3::{Dgl3, Document, Entity, External, Header, MAGIC, Mesh, VERSION};
use formats::{FileId, Format, LiftCx, Source};
use testing::Files;
use wire::{Blob, Flag32, Kept, Text};

use crate::support::*;

fn header() -> Kept<Header> {
    Kept::new(Header { magic: MAGIC, version: VERSION, ..Header::default() })
}

fn external(file: &str) -> Option<External> {
    Some(External { external_filename: Text::from(file) })
}

/// A file whose only entity stands for the scene of another.
fn naming(file: &str) -> Vec<u8> {
    let mut entity = Entity { name: "s".into(), is_external: Flag32(1), external: external(file), ..Entity::default() };
    entity.mesh_id = -1;
    entity.transform.position = [1., 0., 0.].map(wire::F32);
    entity.transform.rotation = [0., 0., 0., 1.].map(wire::F32);
    entity.transform.scale = [1.; 3].map(wire::F32);
    let entities = vec![Kept::new(entity)];
    write(&Document { dialect: formats::dgl3::Dialect::Engine, header: header(), entities, ..Document::default() })
}

/// A file whose only mesh is in another.
fn mesh_of(file: &str) -> Vec<u8> {
    let mesh = Mesh { name: "m".into(), is_external: Flag32(1), external: external(file), ..Mesh::default() };
    write(&Document { header: header(), meshes: vec![Kept::new(mesh)], ..Document::default() })
}

fn errors(bytes: &[u8], source: &dyn Source) -> Vec<String> {
    let found = check(bytes, None, source);
    found.into_iter().filter(|f| f.rule.id == "DGL3-027").map(|f| f.message).collect()
}

#[test]
fn an_external_mesh_is_read_and_stays_external() {
    let files = Files::default().with("x.dgl3", corpus::dgl3::one_triangle());
    let doc = read(&mesh_of("x.dgl3"));
    assert!(errors(&mesh_of("x.dgl3"), &files).is_empty());
    let (scene, found) = lift_from(&doc, &files);
    assert!(found.is_empty(), "{found:?}");
    let mesh = scene.meshes.iter().next().expect("one");
    assert_eq!((mesh.name.to_string(), mesh.primitives[0].vertex_count()), ("m".to_owned(), 3));
    let lowered = lower_with(&scene, "spec", &Default::default(), &files);
    assert!(are_alike(&lowered.doc, &doc), "the file still says the same");
    let inline = lower(&scene, "spec").doc;
    assert!(inline.meshes[0].body.is_some(), "where the file is not, the mesh itself is written");
}

#[test]
fn a_changed_external_mesh_is_written_inline() {
    let files = Files::default().with("x.dgl3", corpus::dgl3::one_triangle());
    let (mut scene, _) = lift_from(&read(&mesh_of("x.dgl3")), &files);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let uv = primitive.get(&scene::Semantic::TexCoord(0)).expect("texture coordinates").flipped();
        primitive.set(scene::Semantic::TexCoord(0), uv);
    }
    let lowered = lower_with(&scene, "spec", &Default::default(), &files);
    assert!(lowered.doc.meshes[0].external.is_none());
}

#[test]
fn an_external_mesh_file_holds_one_mesh() {
    let two = corpus::dgl3::model(true);
    let files = Files::default().with("x.dgl3", two);
    assert_eq!(errors(&mesh_of("x.dgl3"), &files), ["it holds 5 meshes, expected one"]);
    let (scene, found) = lift_from(&read(&mesh_of("x.dgl3")), &files);
    assert_eq!((found.len(), found[0].severity), (1, Severity::Error));
    assert!(scene.meshes.iter().all(|mesh| mesh.primitives.is_empty()));
}

#[test]
fn an_external_scene_stands_below_its_entity() {
    let files = Files::default().with("x.dgl3", naming("y.dgl3")).with("y.dgl3", corpus::dgl3::one_triangle());
    let bytes = naming("x.dgl3");
    assert!(errors(&bytes, &files).is_empty());
    let doc = read(&bytes);
    let (scene, found) = lift_from(&doc, &files);
    assert!(found.is_empty(), "{found:?}");
    let bounds = scene.bounds().expect("a triangle");
    assert_eq!((bounds.min.x, bounds.max.x), (2., 3.), "two entities move it by one each");
    let lowered = lower_with(&scene, "engine", &Default::default(), &files);
    assert!(are_alike(&lowered.doc, &doc), "the reference stays");
    let alone = lower(&scene, "engine");
    assert_eq!(alone.doc.meshes.len(), 1, "where the files are not, what they held is written");
    assert!(alone.doc.entities.iter().all(|entity| entity.external.is_none()));
    assert_eq!(lift(&read(&write(&alone.doc))).bounds(), Some(bounds));
}

#[test]
fn circles_are_noticed() {
    let files = Files::default().with("a.dgl3", naming("b.dgl3")).with("b.dgl3", naming("a.dgl3"));
    assert_eq!(errors(&naming("a.dgl3"), &files), ["\"a.dgl3\" names itself over other files"]);
    lift_from(&read(&naming("a.dgl3")), &files);
    let meshes = Files::default().with("a.dgl3", mesh_of("a.dgl3"));
    assert_eq!(errors(&mesh_of("a.dgl3"), &meshes), ["\"a.dgl3\" names itself over other files"]);
}

/// A folder in which every file names the next, twice.
struct Endless;

impl Source for Endless {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        let number: u32 = name.trim_end_matches(".dgl3").parse().unwrap_or(0);
        let next = format!("{}.dgl3", number + 1);
        let mut doc = read(&naming(&next));
        let again = doc.entities[0].clone();
        doc.entities.push(again);
        Loaded::Found { bytes: Blob::file(write(&doc)), id: FileId(name.to_owned()) }
    }
}

#[test]
fn chains_and_trees_of_files_end() {
    let found = errors(&naming("0.dgl3"), &Endless);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("chain of 64 files"), "{found:?}");
    let doc = read(&naming("0.dgl3"));
    let result = Dgl3::lift(&doc, &mut LiftCx::new(&Endless));
    assert!(result.is_err_and(|error| error.is_limit()), "two files in each of 64 levels");
}

#[test]
fn missing_and_refused_files_are_told() {
    let files = Files::default().with("cut.dgl3", b"DGL3".to_vec());
    assert_eq!(errors(&naming("no.dgl3"), &files), ["\"no.dgl3\" was not found"]);
    assert!(errors(&naming("../a.dgl3"), &files)[0].contains("outside the model's folder"));
    assert!(errors(&mesh_of("cut.dgl3"), &files)[0].contains("cannot be read"));
}

#[test]
fn what_missing_files_hold_is_listed() {
    for bytes in [naming("no.dgl3"), mesh_of("no.dgl3")] {
        let doc = read(&bytes);
        let source = Files::default();
        let mut cx = LiftCx::new(&source);
        Dgl3::lift(&doc, &mut cx).expect("liftable");
        let told: Vec<_> =
            cx.losses.iter().map(|l| (l.code, l.subject.clone(), l.count, &l.what[..], &l.why[..])).collect();
        assert_eq!(told, [("LOSS-090", "no.dgl3".into(), 1, "mesh or scene of another file", "it was not found")]);
    }
}
