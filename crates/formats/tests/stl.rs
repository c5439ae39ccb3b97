//! STL, binary and text.
#![cfg(feature = "stl")]
#![allow(missing_docs)]

use findings::Losses;
use formats::stl::{Document, Stl};
use formats::{Document as _, Format, Hint, LiftCx, LowerCx, NoSource, ReadCx, Score};
use scene::{Mesh, Node, Primitive, Scene, Semantic, Stream, Topology};
use wire::{Blob, Sink};

fn read(bytes: &[u8]) -> Document {
    Stl::read(Blob::file(bytes.to_vec()), &mut ReadCx::default()).expect("it is an STL")
}

fn written(doc: &Document) -> Vec<u8> {
    let mut out = Sink::default();
    Stl::write(doc, &mut out).expect("it can be written");
    out.into_vec()
}

fn lift(bytes: &[u8]) -> (Scene, Losses) {
    let mut cx = LiftCx::new(&NoSource);
    let scene = Stl::lift(&read(bytes), &mut cx).expect("it has a scene");
    (scene, cx.losses)
}

/// The bytes of a scene in a dialect, and what was lost.
fn lowered(scene: &Scene, dialect: &'static str) -> (Vec<u8>, Vec<(&'static str, u64)>) {
    let lowered = testing::lower::<Stl>(scene, dialect);
    (written(&lowered.doc), lowered.losses.iter().map(|loss| (loss.code, loss.count)).collect())
}

fn primitives(scene: &Scene) -> Vec<&Primitive> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives).collect()
}

fn numbers(primitive: &Primitive, semantic: Semantic) -> Option<Vec<f32>> {
    primitive.get(&semantic).map(Stream::to_f32)
}

/// A facet as the manual of 1989 lays it out: normal 0 0 1, corners (0 0 0) (1 0 0) (0 1 -2), attribute 0x1234.
const FACET: [u8; 50] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, // normal
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, //
    0x34, 0x12,
];

fn binary(header: &[u8], count: u32, facets: &[[u8; 50]]) -> Vec<u8> {
    let mut header = header.to_vec();
    header.resize(80, b' ');
    [&header[..], &count.to_le_bytes(), facets.as_flattened()].concat()
}

#[test]
fn facet_reads_as_written_by_hand() {
    let file = binary(b"x", 1, &[FACET]);
    let Document::Binary(doc) = read(&file) else { panic!("it is binary") };
    let facet = doc.facets.get(0).unwrap();
    assert_eq!(facet.normal.map(|n| n.get()), [0., 0., 1.]);
    assert_eq!(facet.vertices[2].map(|n| n.get()), [0., 1., -2.]);
    assert_eq!(facet.attribute, 0x1234);
    let (scene, _) = lift(&file);
    assert_eq!(numbers(primitives(&scene)[0], Semantic::Position).unwrap(), [0., 0., 0., 1., 0., 0., 0., 1., -2.]);
    let twice = binary(b"x", 2, &[FACET, FACET]);
    assert_eq!(primitives(&lift(&twice).0)[0].vertex_count(), 6, "equal corners stay apart");
    assert!(primitives(&lift(&twice).0)[0].indices.is_none());
}

#[test]
fn size_tells_binary_files_from_texts() {
    let solid = binary(b"solid facet endsolid", 1, &[FACET]);
    assert_eq!(read(&solid).dialect(), "binary");
    let probe = |bytes: &[u8], extension: Option<&str>| {
        let hint = Hint { extension: extension.map(str::to_owned) };
        Stl::probe(&Blob::file(bytes.to_vec()), &hint)
    };
    assert_eq!(probe(&solid, None), Score::LIKELY);
    assert_eq!(probe(b"solid\nfacet normal", None), Score::LIKELY);
    assert_eq!(probe(b"solid ground is what we need", None), Score::NO);
    assert_eq!(probe(b"solid ground is what we need", Some("stl")), Score::MAYBE);
    // With a byte too many the first facet still looks like one.
    let longer = [&solid[..], b"\0"].concat();
    assert!(probe(&longer, None) > Score::NO && probe(&longer, None) < Score::MAYBE);
    assert_eq!(read(&longer).dialect(), "binary");
    assert_eq!(probe(&[0; 134], None), Score::NO);
}

#[test]
fn numbers_pass_as_they_are() {
    let text = b"solid\nfacet normal 0 0 1\nouter loop\nvertex -1 -2 -3\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";
    let (scene, losses) = lift(text);
    assert_eq!(numbers(primitives(&scene)[0], Semantic::Position).unwrap()[..3], [-1., -2., -3.]);
    assert!(losses.is_empty() && scene.nodes.len() == 1, "no node turns anything");
}

#[test]
fn solids_are_nodes() {
    let text = format!("{}{}", corpus::stl::TEXT, corpus::stl::TEXT.replace("solid a", "solid  b c "));
    let (scene, _) = lift(text.as_bytes());
    let names: Vec<String> = scene.nodes.iter().map(|node| node.name.to_string()).collect();
    assert_eq!(names, ["a", "b c"]);
    let (again, losses) = lowered(&scene, "ascii");
    assert!(losses.is_empty());
    let indented = "solid a\n  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n      vertex 1 0 0\n      vertex 0 1 0\n    \
        endloop\n  endfacet\nendsolid a\n";
    assert_eq!(String::from_utf8(again).unwrap(), format!("{indented}{}", indented.replace("solid a", "solid b c")));
}

#[test]
fn objects_of_a_binary_file_are_one() {
    let (scene, _) = lift(format!("{0}{0}", corpus::stl::TEXT).as_bytes());
    let (file, losses) = lowered(&scene, "binary");
    assert_eq!((file.len(), &file[80..84]), (184, &[2, 0, 0, 0][..]));
    assert_eq!(losses, [("LOSS-014", 2), ("LOSS-082", 2)]);
}

#[test]
fn zero_normals_stay_zero() {
    let mut facet = FACET;
    facet[8..12].fill(0);
    let file = binary(b"x", 1, &[facet]);
    let (scene, _) = lift(&file);
    assert_eq!(numbers(primitives(&scene)[0], Semantic::Normal), Some(vec![0.; 9]));
    assert_eq!(lowered(&scene, "binary").0, file);
    let mixed = binary(b"x", 2, &[facet, FACET]);
    let (scene, _) = lift(&mixed);
    assert_eq!(numbers(primitives(&scene)[0], Semantic::Normal).unwrap()[6..12], [0., 0., 0., 0., 0., 1.]);
    let (back, losses) = lowered(&scene, "binary");
    assert_eq!(back[84..134], mixed[84..134]);
    assert_eq!(losses, [("LOSS-081", 1)], "the other normal is not that of its facet");
}

#[test]
fn attributes_are_colors_where_a_program_says_so() {
    let colored = |header: &[u8], words: [u16; 2]| {
        let facets = words.map(|word| {
            let mut facet = FACET;
            facet[48..].copy_from_slice(&word.to_le_bytes());
            facet
        });
        let (scene, _) = lift(&binary(header, 2, &facets));
        let colors = numbers(primitives(&scene)[0], Semantic::Color(0));
        colors.map(|c| [[c[0], c[1], c[2], c[3]], [c[12], c[13], c[14], c[15]]])
    };
    // VisCAM: 1 rrrrr ggggg bbbbb.
    assert_eq!(colored(b"", [0xFC00, 0]), Some([[1., 0., 0., 1.], [1.; 4]]));
    // Magics: 0 bbbbb ggggg rrrrr, or 1 for the colour of the whole.
    let whole = colored(b"a COLOR=\x00\xFF\x00\x80, b", [0x001F, 0x8000]);
    assert_eq!(whole, Some([[1., 0., 0., 1.], [0., 1., 0., 128. / 255.]]));
    assert_eq!(colored(b"", [0x801F, 0x001F]), None, "a word without the bit is no colour of VisCAM");
    assert_eq!(colored(b"", [0, 0]), None);
}

#[test]
fn attributes_come_back() {
    let file = binary(b"kept", 2, &[FACET, FACET]);
    let (scene, _) = lift(&file);
    let back = lowered(&scene, "binary").0;
    assert_eq!((&back[..84], &back[132..134], &back[182..]), (&file[..84], &file[132..134], &file[182..]));
    let (_, losses) = lowered(&scene, "ascii");
    assert_eq!(losses, [("LOSS-081", 2), ("LOSS-017", 2), ("LOSS-016", 1)]);
}

fn triangle(normals: Option<[f32; 9]>) -> Scene {
    let positions = Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    let mut primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, positions);
    if let Some(normals) = normals {
        primitive.set(Semantic::Normal, Stream::from_f32(3, normals.to_vec()));
    }
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

#[test]
fn smooth_normals_become_flat_and_are_listed() {
    let normal = |file: &[u8]| file[84..96].to_vec();
    let up = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F];
    let (file, losses) = lowered(&triangle(None), "binary");
    assert!(file.starts_with(b"binary STL, written by pentad\0"));
    assert_eq!(losses, [("LOSS-018", 3)]);
    assert_eq!(normal(&file), up, "computed from the corners");
    let flat = [0., 0., 1., 0., 0., 1., 0., 0., 1.];
    assert_eq!(lowered(&triangle(Some(flat)), "binary").1, []);
    let smooth = [0., 0., 1., 0.6, 0., 0.8, 0., 0., 1.];
    let (file, losses) = lowered(&triangle(Some(smooth)), "binary");
    assert_eq!((normal(&file), losses), (up.to_vec(), vec![("LOSS-081", 1)]));
    let inside_out = [0., 0., -1., 0., 0., -1., 0., 0., -1.];
    let (file, losses) = lowered(&triangle(Some(inside_out)), "binary");
    assert_eq!((normal(&file), losses), (up.to_vec(), vec![("LOSS-081", 1)]));
}

#[test]
fn a_document_changes_its_dialect_and_back() {
    let mut plain = FACET;
    plain[48..].fill(0);
    let file = binary(b"x", 1, &[plain]);
    let mut doc = read(&file);
    let mut cx = LowerCx::new(&NoSource, "ascii");
    Stl::transcode(&mut doc, &mut cx).unwrap();
    let text = written(&doc);
    assert!(text.starts_with(b"solid\n  facet normal 0 0 1\n"));
    assert_eq!(cx.losses.iter().map(|loss| loss.code).collect::<Vec<_>>(), ["LOSS-016"]);
    let mut doc = read(&text);
    let mut cx = LowerCx::new(&NoSource, "binary");
    Stl::transcode(&mut doc, &mut cx).unwrap();
    assert_eq!(written(&doc)[80..], file[80..]);
    assert!(cx.losses.is_empty());
}

#[test]
fn numbers_of_a_buffer_are_no_stl() {
    let score = |file: &[u8]| Stl::probe(&Blob::file(file.to_vec()), &Hint::default());
    // What begins like a facet and goes on much longer than its count says is something else.
    for count in [0, 1, 3] {
        let buffer = binary(&[0; 80], count, &[FACET; 1000]);
        assert_eq!(score(&buffer), Score::NO, "{count} of 1000 facets");
    }
    // One that was cut short, or has a little behind it, still shows what it is.
    assert!(score(&binary(b"cut", 1000, &[FACET; 3])) > Score::NO);
    assert!(score(&[&binary(b"longer", 3, &[FACET; 3])[..], b"\r\n"].concat()) > Score::NO);
}
