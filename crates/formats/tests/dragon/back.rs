//! The way back from glTF: what was one file, went into a GLB and came back is the same sections.

use std::path::Path;

use findings::{FileId, Loaded, Losses, Source};
use formats::dragon::{Body, Document, Dragon, Kind, Rotation, Section};
use formats::{BridgeCx, Document as _, Format, NoSource, ReadCx, WriteCx};
use scene::fit::fit;
use scene::{Scene, Semantic, Shading, Stream, Transform};
use wire::{Blob, Sink};

use crate::corpus_files::corpus_dir;
use crate::support::*;

/// Files in a folder.
struct Folder<'a>(&'a Path);

impl Source for Folder<'_> {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        match std::fs::read(self.0.join(name)) {
            Ok(bytes) => Loaded::Found { bytes: Blob::memory(bytes), id: FileId(name.to_owned()) },
            Err(_) => Loaded::Missing,
        }
    }
}

/// A document that went through a GLB, which was written and read again.
fn through_glb(doc: &Document, source: &dyn Source) -> Document {
    edited_in_glb(doc, source, |_| {})
}

/// The same; what the GLB says is changed before the way back.
fn edited_in_glb(doc: &Document, source: &dyn Source, edit: impl FnOnce(&mut Scene)) -> Document {
    let glb = formats::by_id("glb").expect("glb is in the default features");
    let scene = Dragon::lift(doc, &mut BridgeCx::new(source, doc.dialect())).expect("it has a scene");
    let fitted = fit(&scene, &glb.info().capabilities, "glb", "glTF", &mut Losses::default());
    let package = glb.lower(&fitted, &mut BridgeCx::new(&NoSource, "standard")).expect("it can be a GLB");
    let mut sink = Sink::default();
    package.document.write(&mut sink, &mut WriteCx::default()).expect("it can be written");
    let there = glb.read(Blob::file(sink.into_vec()), &mut ReadCx::default()).expect("it can be read");
    let mut scene = there.lift(&mut BridgeCx::new(&NoSource, "standard")).expect("it has a scene");
    edit(&mut scene);
    let info = &Dragon::INFO;
    let fitted = fit(&scene, &info.capabilities, info.id, info.name, &mut Losses::default());
    let back = Dragon::lower(&fitted, &mut BridgeCx::new(&NoSource, "spec")).expect("it can be lowered").document;
    read(&write(&back))
}

/// Sections by name: their order is layout.
fn in_order(doc: &Document) -> Vec<&Section> {
    let mut sections: Vec<&Section> = doc.sections.iter().map(|section| &**section).collect();
    sections.sort_by_key(|section| (section.guid.0, section.kind().map(|kind| kind.tag())));
    sections
}

fn assert_same(back: &Document, doc: &Document, what: &str) {
    let (found, expected) = (in_order(back), in_order(doc));
    for (found, expected) in found.iter().zip(&expected) {
        let name = format!("{what}: {:?} {}", expected.kind(), expected.guid);
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(found.len(), expected.len(), "{what}");
    assert_eq!((&back.header, back.order, &back.tail), (&doc.header, doc.order, &doc.tail), "{what}");
}

#[test]
fn files_of_others_come_back_from_glb() {
    let Some(dir) = corpus_dir() else { return };
    for folder in ["dragon", "literal"].map(|folder| dir.join(folder)) {
        for entry in std::fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be listed").path();
            let file = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            if file.starts_with("bad-") || !file.ends_with(".dragon") {
                continue;
            }
            let doc = read(&std::fs::read(&path).expect("it is there"));
            assert_same(&through_glb(&doc, &Folder(&folder)), &anew(&doc), &file);
        }
    }
}

#[test]
fn samples_come_back_from_glb() {
    for sample in corpus::samples().iter().filter(|s| s.kind == corpus::Kind::Good && s.format == "dragon") {
        let doc = read(&(sample.bytes)());
        assert_same(&through_glb(&doc, &NoSource), &anew(&doc), sample.name);
    }
}

/// The names of sections that are not what they were, by kind; new ones have none.
fn changed(back: &Document, doc: &Document) -> Vec<Kind> {
    let same = |section: &&Section| doc.sections.iter().any(|old| **old == **section);
    in_order(back).into_iter().filter(|section| !same(section)).filter_map(Section::kind).collect()
}

fn good(name: &str) -> Document {
    let samples = corpus::samples();
    let sample = samples.iter().find(|sample| (sample.format, sample.name) == ("dragon", name)).expect("a sample");
    anew(&read(&(sample.bytes)()))
}

#[test]
fn what_changed_on_the_way_is_not_taken_back() {
    let doc = good("model");
    // The rows hold floats of 16 bits beside others: a part that moved is written anew, with the shape that names it.
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        for mesh in scene.meshes.iter_mut() {
            let Some(part) = mesh.primitives.first_mut().filter(|part| part.get(&Semantic::Joints(0)).is_some()) else {
                continue;
            };
            let places = part.get(&Semantic::Position).expect("places").to_f32().iter().map(|v| v * 2.).collect();
            part.set(Semantic::Position, Stream::from_f32(3, places));
        }
    });
    let kinds = changed(&back, &doc);
    assert!(kinds.contains(&Kind::Vertex) && !kinds.contains(&Kind::Object), "{kinds:?}");

    // Faces of cubes that are red now are no cubes of another colour.
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        for material in scene.materials.iter_mut().filter(|material| material.extras.own.is_empty()) {
            if let Shading::Pbr(pbr) = &mut material.shading {
                pbr.base_color = [1., 0., 0., 1.];
            }
        }
    });
    assert!(!back.sections.iter().any(|section| section.kind() == Some(Kind::VoxelObj)));
    assert!(changed(&back, &doc).contains(&Kind::Geometry));

    // Angles stay angles where nobody turned anything.
    let doc = good("angles");
    let lights = |doc: &Document| -> Vec<Rotation> {
        let bodies = doc.sections.iter().filter_map(|section| match &section.body {
            Body::Light(light) => Some(light.rotation),
            _ => None,
        });
        bodies.collect()
    };
    let back = edited_in_glb(&doc, &NoSource, |scene| {
        let light = scene.nodes.iter_mut().find(|node| node.light.is_some()).expect("a light");
        light.transform = Transform::Trs { translation: [0.; 3], rotation: [0., 1., 0., 0.], scale: [1.; 3] };
    });
    assert_eq!(changed(&back, &doc), [Kind::Light]);
    let (was, is) = (lights(&doc), lights(&back));
    assert_eq!(is[0], Rotation::Quaternion([0., 1., 0., 0.].map(wire::F32)));
    assert_eq!(was[1..], is[1..]);
}
