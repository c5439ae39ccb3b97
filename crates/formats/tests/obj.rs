//! Wavefront OBJ and MTL.
#![cfg(feature = "obj")]
#![allow(clippy::print_stdout, missing_docs)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use findings::{Finding, Losses, Severity};
use formats::obj::{BAD, Document, Obj};
use formats::{
    AnyDocument, BridgeCx, FileId, Folder, Format, Hint, Loaded, NoSource, ReadCx, Score, Source, WriteCx, by_id,
};
use scene::{
    AlphaMode, ColorChannel, ImageSource, Primitive, Role, Scene, Semantic, Shading, Slot, Stream, Topology,
    UvTransform, Value, Wrap,
};
use wire::{Blob, Node, Sink, Span};

fn read(text: &[u8]) -> Document {
    Obj::read(Blob::file(text.to_vec()), &mut ReadCx::default()).expect("it is an OBJ")
}

fn held(text: &[u8]) -> Box<dyn AnyDocument> {
    let format = by_id("obj").expect("obj is registered");
    format.read(Blob::file(text.to_vec()), &mut ReadCx::default()).expect("it is an OBJ")
}

fn check(text: &[u8]) -> Vec<Finding> {
    check_with(text, &NoSource)
}

fn check_with(text: &[u8], source: &dyn Source) -> Vec<Finding> {
    held(text).check(None, source)
}

/// Rules and messages, sorted.
fn said(findings: &[Finding]) -> Vec<(&'static str, &str)> {
    let mut said: Vec<_> = findings.iter().map(|f| (f.rule.id, f.message.as_str())).collect();
    said.sort_unstable();
    said
}

fn written(doc: &Document) -> Vec<u8> {
    let mut out = Sink::default();
    Obj::write(doc, &mut out, &mut WriteCx::default()).expect("text can be written");
    out.into_vec()
}

/// Files in memory.
#[derive(Default)]
struct Files(HashMap<&'static str, Vec<u8>>);

impl Files {
    fn with(mut self, name: &'static str, bytes: &[u8]) -> Files {
        self.0.insert(name, bytes.to_vec());
        self
    }
}

impl Source for Files {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        let found = |bytes: &Vec<u8>| Loaded::Found { bytes: Blob::file(bytes.clone()), id: FileId(name.to_owned()) };
        self.0.get(name).map_or(Loaded::Missing, found)
    }
}

fn lift(text: &[u8]) -> Scene {
    lift_with(text, &NoSource).0
}

fn lift_with(text: &[u8], source: &dyn Source) -> (Scene, Vec<Finding>) {
    let mut cx = BridgeCx::new(source, "standard");
    let scene = Obj::lift(&read(text), &mut cx).expect("it can be lifted");
    let findings = std::mem::replace(&mut cx.findings, findings::Checker::new(None)).finish(&[]);
    (scene, findings)
}

fn numbers(primitive: &Primitive, semantic: Semantic) -> Vec<f32> {
    primitive.get(&semantic).map(scene::Stream::to_f32).unwrap_or_default()
}

fn order(primitive: &Primitive) -> Vec<u32> {
    primitive.indices.as_ref().map(scene::Indices::to_vec).unwrap_or_default()
}

/// The positions of all corners in the order they are drawn.
fn corners(primitive: &Primitive) -> Vec<[f32; 3]> {
    let positions = numbers(primitive, Semantic::Position);
    let at = |i: u32| positions[i as usize * 3..i as usize * 3 + 3].try_into().expect("three numbers");
    order(primitive).into_iter().map(at).collect()
}

fn parts(scene: &Scene) -> Vec<(String, Vec<&Primitive>)> {
    let mesh = |node: &scene::Node| node.mesh.map_or(Vec::new(), |id| scene.meshes[id].primitives.iter().collect());
    scene.nodes.iter().map(|node| (node.name.to_string(), mesh(node))).collect()
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn numbers_are_rounded_once() {
    let doc = read(b"v 0.1 -0.000000 1e-3\nv 16777217 +.5 3.4028235e38\nvt .25\nvt 1 2 3\nvn 0 0 -1\n");
    let model = doc.model();
    assert_eq!(model.positions, [0.1, 0., 0.001, 16_777_216., 0.5, f32::MAX]);
    assert!(model.positions[1].is_sign_negative());
    assert_eq!(model.texcoords, [0.25, 0., 1., 2.]);
    assert_eq!(model.normals, [0., 0., -1.]);
}

#[test]
fn indices_count_from_one_or_backwards() {
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nvt 0 0\nvn 0 0 1\nf -3/-1/-1 -2/1/1 3/-1/1\nv 9 9 9\nf -1 -2 1\n";
    let doc = read(text.as_bytes());
    let indices: Vec<_> = doc.model().corners.iter().map(|c| [c.v, c.vt, c.vn]).collect();
    let none = formats::obj::ABSENT;
    let expected = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, none, none], [2, none, none], [0, none, none]];
    assert_eq!(indices, expected);
}

#[test]
fn nothing_behind_a_slash_is_nothing() {
    let text = format!("{SQUARE}vt 0 0\nf 1/1 2/1/ 3/1/ 4/1\nusemtl a\nf 1/ 2// 3/ 4\n");
    let none = formats::obj::ABSENT;
    let corners: Vec<_> = read(text.as_bytes()).model().corners.iter().map(|c| [c.vt, c.vn]).collect();
    assert_eq!(corners, [[[0, none]; 4], [[none; 2]; 4]].concat());
    let found: Vec<_> = check(text.as_bytes()).iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["OBJ-017"], "nothing but the library is missing");
}

#[test]
fn lines_join_and_end_as_they_like() {
    let plain = read(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    for odd in [
        &b"v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n"[..],
        b"v 0 0 0\rv 1 0 0\rv 1 1 0\rf 1 2 3",
        b"\xEF\xBB\xBFv 0 0 0\nv\t1\t0  0\t \n  v 1 1 0 # here\n\n\nf 1 2 3",
        b"v 0 0 \\\n0\nv \\\r\n 1 0 0\nv 1 1 0\nf 1 2\\\n\\\n3 # end \\\n",
    ] {
        let doc = read(odd);
        assert_eq!(doc.model().positions, plain.model().positions, "{}", odd.escape_ascii());
        assert_eq!(doc.model().corners, plain.model().corners, "{}", odd.escape_ascii());
        assert_eq!(written(&doc), odd);
        assert!(held(odd).check(None, &NoSource).is_empty(), "{:?}", held(odd).check(None, &NoSource));
    }
}

#[test]
fn quads_stay_quads_and_share_their_corners() {
    let scene = lift(format!("{SQUARE}v 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n").as_bytes());
    let [(name, primitives)] = &parts(&scene)[..] else { panic!("one object") };
    assert_eq!(name, "Default");
    let [quads] = primitives[..] else { panic!("one primitive") };
    assert_eq!(quads.topology, Topology::Quads);
    assert_eq!(order(quads), [0, 1, 2, 3, 1, 4, 5, 2]);
    assert_eq!(quads.vertex_count(), 6);
    assert!(quads.corners.is_empty());
}

#[test]
fn mixed_faces_are_polygons() {
    let scene = lift(format!("{SQUARE}v 2 2 0\nf 1 2 3\nf 1 2 3 4\nf 1 2 3 5 4\n").as_bytes());
    let polygons = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((polygons.topology, &polygons.corners[..]), (Topology::Polygons, &[3, 4, 5][..]));
    assert_eq!(order(polygons), [0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 3]);
    assert_eq!(polygons.triangle_count(), 6);
}

#[test]
fn every_usemtl_opens_a_primitive_and_o_ends_it() {
    let text = format!(
        "{SQUARE}f 1 2 3\no A\nusemtl red\ns 1\nf 1 2 3\ng x\nf 1 3 4\nusemtl red\nf 2 3 4\nusemtl blue\no B\nf 1 2 4\n\
         o Empty\n"
    );
    let doc = held(text.as_bytes());
    let scene = doc.lift(&mut BridgeCx::new(&NoSource, "standard")).unwrap();
    let faces: Vec<(String, Vec<usize>)> =
        parts(&scene).into_iter().map(|(name, p)| (name, p.iter().map(|p| order(p).len() / 3).collect())).collect();
    let expected = [("Default", vec![1]), ("A", vec![2, 1]), ("B", vec![1]), ("Empty", vec![])];
    assert_eq!(faces, expected.map(|(name, faces)| (name.to_owned(), faces)));
    let names: Vec<Vec<Option<String>>> = parts(&scene)
        .iter()
        .map(|(_, p)| p.iter().map(|p| p.material.map(|id| scene.materials[id].name.to_string())).collect())
        .collect();
    let (red, blue) = (Some("red".to_owned()), Some("blue".to_owned()));
    assert_eq!(names, [vec![None], vec![red.clone(), red], vec![blue], vec![]]);
    assert_eq!(scene.materials.len(), 2);

    let facts = doc.facts(true);
    let counts = facts.counts;
    assert_eq!((counts.nodes, counts.meshes, counts.primitives), (Some(4), Some(3), Some(4)));
    assert_eq!((counts.vertices, counts.triangles, counts.materials), (Some(4), Some(5), Some(2)));
    assert_eq!(facts.names.materials, [b"red".to_vec(), b"blue".to_vec()]);
    assert_eq!(facts.names.nodes.len(), 4);
}

#[test]
fn groups_and_smoothing_travel_with_the_primitive() {
    let text = format!("{SQUARE}o A\nf 1 2 3\ng x y\ns 7\nf 1 3 4\nf 1 2 4\ns off\nf 2 3 4\n");
    let scene = lift(text.as_bytes());
    let extras = &scene.meshes.iter().next().unwrap().primitives[0].extras;
    let from = |n: i64| ("from".to_owned(), Value::Int(n));
    let names = Value::List(vec!["x".into(), "y".into()]);
    let groups = Value::List(vec![Value::Map(vec![from(1), ("names".to_owned(), names)])]);
    assert_eq!(extras.get("obj.groups"), Some(&groups));
    let group = |at, n: i64| Value::Map(vec![from(at), ("group".to_owned(), Value::Int(n))]);
    assert_eq!(extras.get("obj.smoothing"), Some(&Value::List(vec![group(1, 7), group(3, 0)])));
}

#[test]
fn groups_are_nodes_where_there_is_no_o() {
    let text = format!("g none\n{SQUARE}f 1 2 3\ng a b\nf 1 2 3\ng c\nf 1 2 4\ng a b\nf 1 3 4\n");
    let scene = lift(text.as_bytes());
    let faces: Vec<_> = parts(&scene).into_iter().map(|(n, p)| (n, p.len(), order(p[0]).len() / 3)).collect();
    assert_eq!(faces, [("none".to_owned(), 1, 1), ("a b".to_owned(), 1, 2), ("c".to_owned(), 1, 1)]);
    let names = Value::List(vec!["a".into(), "b".into()]);
    assert_eq!(scene.nodes.iter().nth(1).unwrap().extras.get("obj.groups"), Some(&names));
}

#[test]
fn corners_are_welded_and_v_counts_from_the_bottom() {
    let text =
        format!("{SQUARE}vt 0 0\nvt 1 0.25\nvn 0 0 1\nf 1/1/1 2/2/1 3/1/1\nf 1/1/1 3/1/1 4/2/1\nf 1/2/1 2/2/1 3/1/1\n");
    let scene = lift(text.as_bytes());
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(order(primitive), [0, 1, 2, 0, 2, 3, 4, 1, 2]);
    let expected = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    assert_eq!(corners(primitive)[..6], expected);
    assert_eq!(numbers(primitive, Semantic::TexCoord(0)), [0., 1., 1., 0.75, 0., 1., 1., 0.75, 1., 0.75]);
    assert_eq!(numbers(primitive, Semantic::Normal), [0., 0., 1.].repeat(5));
    assert!(primitive.get(&Semantic::TexCoord(0)).unwrap().encoding().flip_v);
}

#[test]
fn colors_of_vertices_are_a_stream() {
    let scene = lift(b"v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 .5\nf 1 2 3\n");
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(primitive.get(&Semantic::Color(0)).unwrap().count(), 3);
    assert_eq!(numbers(primitive, Semantic::Color(0)), [1., 0., 0., 0., 1., 0., 0., 0., 0.5]);
    let text = b"v 0 0 0\nv 1 0 0 0 1 0 .5\nv 1 1 0\nf 1 2 3\n";
    let scene = lift(text);
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(numbers(primitive, Semantic::Color(0)), [1., 1., 1., 1., 0., 1., 0., 0.5, 1., 1., 1., 1.]);
    let findings = check(text);
    assert_eq!((findings[0].rule.id, findings[0].count), ("OBJ-015", 2));
    assert_eq!(findings[0].place.span, Some(Span::file(0, 7)));
}

#[test]
fn lines_and_points_are_primitives_of_their_own() {
    let scene = lift(format!("{SQUARE}l 1 2 3\nf 1 2 3\np 1 4\nl 4 1\n").as_bytes());
    let [(_, primitives)] = &parts(&scene)[..] else { panic!("one object") };
    let drawn: Vec<_> = primitives.iter().map(|p| (p.topology, order(p))).collect();
    let expected = [
        (Topology::Lines, vec![0, 1, 1, 2, 3, 0]),
        (Topology::Triangles, vec![0, 1, 2]),
        (Topology::Points, vec![0, 1]),
    ];
    assert_eq!(drawn, expected);
    let scene = lift(format!("{SQUARE}l 1 2 3 4\n").as_bytes());
    let strip = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((strip.topology, order(strip)), (Topology::LineStrip, vec![0, 1, 2, 3]));
}

#[test]
fn fo_is_an_old_word_for_f() {
    assert_eq!(read(format!("{SQUARE}fo 1 2 3\n").as_bytes()).model().sizes, [3]);
}

#[test]
fn vertices_alone_are_points() {
    let scene = lift(SQUARE.as_bytes());
    let cloud = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((cloud.topology, cloud.vertex_count()), (Topology::Points, 4));
    assert_eq!(held(SQUARE.as_bytes()).facts(true).counts.primitives, Some(1));
}

#[test]
fn missing_texture_coordinates_become_zero_and_are_listed() {
    let text = format!("{SQUARE}vt .5 .5\nf 1/1 2/1 3\n");
    let mut cx = BridgeCx::new(&NoSource, "standard");
    let scene = Obj::lift(&read(text.as_bytes()), &mut cx).unwrap();
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(numbers(primitive, Semantic::TexCoord(0)), [0.5, 0.5, 0.5, 0.5, 0., 1.]);
    let losses: Vec<_> = cx.losses.iter().map(|loss| (loss.code, loss.count)).collect();
    assert_eq!(losses, [("LOSS-018", 1)]);
    assert!(check(text.as_bytes()).iter().any(|finding| finding.rule.id == "OBJ-014"));
}

#[test]
fn statements_without_a_place_in_the_scene_are_losses() {
    let mut cx = BridgeCx::new(&NoSource, "standard");
    Obj::lift(&read(b"v 0 0 0\nvp 1\nvp 2\nfoo bar\ncurv 0 1 1 2\np 1\n"), &mut cx).unwrap();
    let losses: Vec<_> = cx.losses.iter().map(|loss| (loss.what.as_str(), loss.count)).collect();
    assert_eq!(losses, [("vp statements", 2), ("foo statements", 1), ("curv statements", 1)]);
}

/// Rule, severity, bytes and count of every finding, in the order of the file.
fn places(text: &str) -> Vec<(&'static str, &str, u64)> {
    let mut findings = check(text.as_bytes());
    findings.sort_by_key(|finding| (finding.place.span.map(|span| span.offset), finding.rule.id));
    let word = |span: Span| &text[span.offset as usize..span.end() as usize];
    findings.iter().map(|f| (f.rule.id, f.place.span.map_or("", word), f.count)).collect()
}

#[test]
fn findings_point_at_the_word() {
    type Expected = &'static [(&'static str, &'static str, u64)];
    let cases: &[(&str, Expected)] = &[
        ("v 1 x 2\np 1\n", &[("OBJ-002", "x", 1)]),
        ("v 1,5 0 0\nv y 0 z\np 1 2\n", &[("OBJ-002", "1,5", 3)]),
        ("v 1 2\np 1\n", &[("OBJ-003", "v 1 2", 1)]),
        ("v 1 2 3 4 5 # c\np 1\n", &[("OBJ-003", "v 1 2 3 4 5", 1)]),
        ("v 0 0 0\nvn 0 1\np 1\n", &[("OBJ-003", "vn 0 1", 1)]),
        ("v 0 0 0\np 1 a/2\n", &[("OBJ-004", "a/2", 1)]),
        ("v 0 0 0\np 1 1/1/1/1\n", &[("OBJ-004", "1/1/1/1", 1)]),
        ("v 0 0 0\np 1 0\n", &[("OBJ-005", "0", 1)]),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", &[("OBJ-006", "f 1 2", 1)]),
        ("v 0 0 0\nl\np 1\n", &[("OBJ-006", "l", 1)]),
        ("v 0 0 0\no\np 1\n", &[("OBJ-007", "o", 1)]),
        ("v 0 0 0\ns smooth\np 1\n", &[("OBJ-009", "s smooth", 1)]),
        ("v 0 0 0\np 1 2 0\np -2\np 1//1\n", &[("OBJ-010", "2", 3), ("OBJ-005", "0", 1)]),
        ("v 0 0 0\nfoo 1\nbar\nfoo 2\np 1\n", &[("OBJ-011", "foo", 2), ("OBJ-011", "bar", 1)]),
        ("v 0 0 0\ncurv 0 1 1\nlod 3\np 1\n", &[("OBJ-012", "curv", 1), ("OBJ-013", "lod", 1)]),
        ("v 0 0 0\nv 1 nan 1e60\np 1 2\n", &[("OBJ-026", "nan", 2)]),
        ("v 0 0 0 .5\np 1\n", &[("OBJ-027", "v 0 0 0 .5", 1)]),
        ("v 0 0 0\nvn 0 0 1\nvn 0 2 0\np 1\n", &[("OBJ-028", "vn 0 2 0", 1)]),
        ("v 0 0 0 0 0 0\nv 0 0 0 255 0 0\np 1 2\n", &[("OBJ-029", "v 0 0 0 255 0 0", 1)]),
        ("v 0 0 0\nv 1 0 0\np 1\nf 1 1 2\n", &[("OBJ-030", "f 1 1 2", 1)]),
        ("v 0 0 0\nv 1 0 0\np 1\n", &[("OBJ-031", "v 1 0 0", 1)]),
        ("v 0 0 0\nusemtl a\np 1\nusemtl b\n", &[("OBJ-017", "usemtl a", 2)]),
    ];
    for (text, expected) in cases {
        assert_eq!(places(text), *expected, "{text:?}");
    }
}

#[test]
fn findings_name_line_and_statement() {
    let findings = check(b"# c\nv 0 0 0\nv 0 y 0\np 1 2\n");
    assert_eq!(findings[0].message, "line 3: \"y\" is not a number; it is read as 0");
    assert_eq!(findings[0].place.path, "statements[1][1]");
    assert_eq!(findings[0].severity, Severity::Error);
}

#[test]
fn name_that_is_not_utf8_is_kept_and_reported() {
    let text = b"v 0 0 0\no W\xFCrfel\np 1\n";
    let findings = check(text);
    assert_eq!((findings[0].rule.id, findings[0].place.span), ("OBJ-008", Some(Span::file(11, 1))));
    let scene = lift(text);
    assert_eq!(scene.nodes.iter().next().unwrap().name.bytes(), b"W\xFCrfel");
}

#[test]
fn faces_without_their_vertices_are_left_out() {
    let text = format!("{SQUARE}f 1 2 9\nf 1 2 3\nf 0 1 2\n");
    let (scene, findings) = lift_with(text.as_bytes(), &NoSource);
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(order(primitive), [0, 1, 2]);
    assert_eq!(findings[0].rule.id, "OBJ-010");
    assert_eq!(read(text.as_bytes()).model().corners[2].v, BAD);
}

const LIBRARY: &[u8] =
    b"# c\nnewmtl plain\nKa .1 .2 .3\nKd 1 .5 0.25\nKs .5\nKe 0 0 1\nNs 96\nNi 1.45\nd .5\nTr .9\nillum 2\n\
    map_Kd -s 2 3 -o .1 .2 0 -clamp on -mm 0 1 my wood.png\nbump -bm 0.3 -imfchan g wood.png\nKx what\n\
    newmtl metal\nKd 1 1 1\nPr 0.25\nmap_Pm metal.png\nTr 0.25\nNs 10\nmap_Ke glow.png\nPc 0.5\n\
    newmtl odd\nKd xyz 1 2 3\nKs a b c\nmap_d -foo alpha.png\nrefl -type cube_top top.png\n";

fn library() -> Files {
    Files::default()
        .with("a.mtl", LIBRARY)
        .with("my wood.png", b"wood")
        .with("wood.png", b"bump")
        .with("glow.png", b"g")
}

#[test]
fn materials_are_what_the_library_says() {
    let text = format!("mtllib a.mtl\n{SQUARE}usemtl metal\nf 1 2 3 4\nusemtl what\nf 1 2 3\n");
    let (scene, findings) = lift_with(text.as_bytes(), &library());
    let names: Vec<String> = scene.materials.iter().map(|m| m.name.to_string()).collect();
    assert_eq!(names, ["plain", "metal", "odd", "what"]);
    let material = |name: &str| scene.materials.iter().find(|m| m.name.as_str() == Some(name)).unwrap();

    let plain = material("plain");
    let Shading::Phong(phong) = plain.shading else { panic!("Phong") };
    assert_eq!(phong.diffuse, [1., 0.5, 0.25, 0.5]);
    assert_eq!((phong.ambient, phong.specular), ([0.1, 0.2, 0.3, 1.], [0.5, 0.5, 0.5, 1.]));
    assert_eq!((phong.shininess, plain.emissive), (96., [0., 0., 1.]));
    assert_eq!(plain.alpha_mode, AlphaMode::Blend);
    let properties: Vec<(String, &Value)> = plain.properties.iter().map(|(n, v)| (n.to_string(), v)).collect();
    let kept = [("Ni", Value::F32(1.45)), ("illum", Value::Int(2)), ("Kx", "what".into())];
    assert_eq!(properties, kept.each_ref().map(|(name, value)| ((*name).to_owned(), value)));

    let slot = plain.slot(&Role::BaseColor).unwrap();
    let texture = &scene.textures[slot.texture];
    assert_eq!(texture.wrap, [Wrap::Clamp; 2]);
    let options = Value::Text("-s 2 3 -o .1 .2 0 -clamp on -mm 0 1".into());
    assert_eq!(texture.extras.get("obj.options"), Some(&options));
    // From the bottom v' = 3v + 0.2; from the top that is 1 − (3(1 − v) + 0.2) = 3v − 2.2.
    let transform = UvTransform { offset: [0.1, 1. - 3. - 0.2], rotation: 0., scale: [2., 3.] };
    assert_eq!(slot.transform, Some(transform));
    let image = &scene.images[texture.image.unwrap()];
    assert_eq!(
        image.source,
        ImageSource::File { path: "my wood.png".into(), bytes: Some(Blob::memory(b"wood".to_vec())) }
    );
    let bump = plain.slot(&Role::Other("bump".to_owned())).unwrap();
    assert_eq!((bump.strength, bump.channel, bump.transform), (0.3, ColorChannel::Green, None));

    let metal = material("metal");
    let Shading::Pbr(pbr) = metal.shading else { panic!("PBR") };
    assert_eq!((pbr.base_color, pbr.roughness, pbr.metallic), ([1., 1., 1., 0.75], 0.25, 1.));
    assert_eq!(metal.emissive, [1.; 3]);
    let missing = &scene.images[scene.textures[metal.slot(&Role::Metallic).unwrap().texture].image.unwrap()];
    assert_eq!(missing.source, ImageSource::File { path: "metal.png".into(), bytes: None });

    let odd = material("odd");
    assert_eq!(odd.color(), [1.; 4]);
    assert!(odd.slot(&Role::Other("refl cube_top".to_owned())).is_some());

    let used: Vec<_> = scene.meshes.iter().next().unwrap().primitives.iter().map(|p| p.material).collect();
    assert_eq!(used.iter().map(|id| id.unwrap().index()).collect::<Vec<_>>(), [1, 3]);

    // A conversion tells what is missing; the rest is for `check`, which tells it all.
    let missing = [
        ("OBJ-025", "line 18: texture \"metal.png\" was not found"),
        ("OBJ-025", "line 26: texture \"-foo alpha.png\" was not found"),
        ("OBJ-025", "line 27: texture \"top.png\" was not found"),
    ];
    assert_eq!(said(&findings), missing);
    let expected = [
        ("OBJ-019", "line 8: no material library describes \"what\""),
        ("OBJ-021", "line 25: Ks needs 1 or 3 numbers, found \"a b c\""),
        ("OBJ-022", "line 24: Kd is not given as red, green and blue but as \"xyz 1 2 3\""),
        ("OBJ-023", "line 14: \"Kx\" is no statement of a material"),
        ("OBJ-024", "line 26: \"-foo\" is no option of a texture"),
    ];
    assert_eq!(said(&check_with(text.as_bytes(), &library())), [&expected[..], &missing[..]].concat());
}

#[test]
fn findings_point_into_the_library() {
    let library = "\u{FEFF}Kd 1\r\nnewmtl  red\r\nKd 1 0 # two\r\nKs \\\r\n x\r\nmap_Kd -s 2 \\\r\n-foo a\\\r\nb.png\r\nnewmtl red";
    let files = Files::default().with("a.mtl", library.as_bytes()).with("b.mtl", b"newmtl red\nNs\n");
    let text = format!("{SQUARE}mtllib a.mtl b.mtl\nusemtl red\nf 1 2 3 4\n");
    let findings = check_with(text.as_bytes(), &files);
    let place = |f: &Finding| {
        let span = f.place.span.expect("bytes");
        let (start, end) = (span.offset as usize, span.end() as usize);
        let file = f.place.file.as_ref().expect("a file").0.clone();
        let text = if file == "a.mtl" { &library[start..end] } else { &"newmtl red\nNs\n"[start..end] };
        (f.rule.id, file, f.place.path.clone(), text.to_owned())
    };
    let mut places: Vec<_> = findings.iter().map(place).collect();
    places.sort_unstable();
    let expected = [
        ("OBJ-020", "a.mtl", "red", "newmtl red"),
        ("OBJ-020", "b.mtl", "red", "newmtl red"),
        ("OBJ-021", "a.mtl", "red.Kd", "Kd 1 0 # two"),
        ("OBJ-021", "a.mtl", "red.Ks", "Ks \\\r\n x"),
        ("OBJ-021", "b.mtl", "red.Ns", "Ns"),
        ("OBJ-023", "a.mtl", "Kd", "Kd"),
        ("OBJ-024", "a.mtl", "red.map_Kd", "-foo"),
    ];
    let expected = expected.map(|(rule, file, path, text)| (rule, file.to_owned(), path.to_owned(), text.to_owned()));
    assert_eq!(places, expected, "a texture of a material that does not count is not missed");
}

#[test]
fn textures_lie_beside_the_library_that_names_them() {
    /// A folder `m` with a library and a picture; the picture beside the model is another one.
    struct Folders;
    impl Source for Folders {
        fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
            let folder = from.and_then(|from| from.0.rsplit_once('/')).map_or("", |(folder, _)| folder);
            let inside = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let text: &[u8] = match &inside[..] {
                "m/a.mtl" => b"newmtl x\nmap_Kd p.png\nnewmtl y\nmap_Kd p.png\n",
                "b.mtl" => b"newmtl z\nmap_Kd p.png\n",
                "m/p.png" => b"inner",
                "p.png" => b"outer",
                _ => return Loaded::Missing,
            };
            Loaded::Found { bytes: Blob::file(text.to_vec()), id: FileId(inside) }
        }
    }
    let text = format!("mtllib m/a.mtl b.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n");
    let (scene, findings) = lift_with(text.as_bytes(), &Folders);
    assert!(findings.is_empty() && check_with(text.as_bytes(), &Folders).is_empty());
    let pictures: Vec<_> = scene.images.iter().map(|image| image.source.clone()).collect();
    let picture = |bytes: &[u8]| ImageSource::File { path: "p.png".into(), bytes: Some(Blob::memory(bytes.to_vec())) };
    assert_eq!(pictures, [picture(b"inner"), picture(b"outer")]);
    assert_eq!(scene.textures.len(), 2);
}

#[test]
fn normal_maps_are_those_that_say_so() {
    let library = b"newmtl a\nnorm n.png\nmap_Bump -bm 0.5 b.png\nnewmtl b\nmap_Kn n.png\nbump normal.png\n";
    let files = Files::default().with("a.mtl", library).with("n.png", b"").with("b.png", b"").with("normal.png", b"");
    let (scene, _) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl a\nf 1 2 3 4\n").as_bytes(), &files);
    let roles: Vec<Vec<&Role>> = scene.materials.iter().map(|m| m.slots.iter().map(|s| &s.role).collect()).collect();
    let (normal, bump) = (Role::Normal, Role::Other("bump".to_owned()));
    assert_eq!(roles, [[&normal, &bump], [&normal, &bump]]);
}

#[test]
fn comments_are_neither_scene_nor_loss() {
    let text = format!("# one\n{SQUARE}s 1 # two\nf 1 2 3 4 # three\n");
    let plain = format!("{SQUARE}s 1\nf 1 2 3 4\n");
    let mut cx = BridgeCx::new(&NoSource, "standard");
    let scene = Obj::lift(&read(text.as_bytes()), &mut cx).expect("it can be lifted");
    assert!(scene == lift(plain.as_bytes()) && cx.losses.is_empty());
    assert!(check(text.as_bytes()).is_empty());
}

#[test]
fn libraries_may_be_several_and_have_blanks() {
    let red = b"newmtl x\nKd 1 0 0\n";
    let blue = b"Kd 1 1 1\nnewmtl x\nKd 0 0 1\nnewmtl y\n";
    let files = Files::default().with("red.mtl", red).with("blue.mtl", blue).with("two words.mtl", red);
    let body = format!("{SQUARE}usemtl x\nf 1 2 3 4\n");
    let (scene, findings) = lift_with(format!("mtllib red.mtl blue.mtl gone.mtl\n{body}").as_bytes(), &files);
    assert_eq!(scene.materials.iter().next().unwrap().color(), [0., 0., 1., 1.]);
    assert_eq!(scene.materials.len(), 2);
    let missing = ("OBJ-018", "line 1: material library \"gone.mtl\" was not found");
    assert_eq!(said(&findings), [missing]);
    let twice = ("OBJ-020", "line 2: material \"x\" is described twice; the last one counts");
    let early = ("OBJ-023", "line 1: \"Kd\" stands before any newmtl");
    let findings = check_with(format!("mtllib red.mtl blue.mtl gone.mtl\n{body}").as_bytes(), &files);
    assert_eq!(said(&findings), [missing, twice, early]);
    assert_eq!(findings[0].place.span, Some(Span::file(24, 8)), "the name that is missing, not all of them");
    let (scene, findings) = lift_with(format!("mtllib two words.mtl\n{body}").as_bytes(), &files);
    assert_eq!(scene.materials.iter().next().unwrap().color(), [1., 0., 0., 1.]);
    assert!(findings.is_empty());
    assert!(check_with(format!("mtllib two words.mtl\nmtllib two words.mtl\n{body}").as_bytes(), &files).is_empty());
}

#[test]
fn letter_case_of_a_library_does_not_matter() {
    let files = Files::default().with("a.mtl", b"NEWMTL x\nkd 0 1 0\nMAP_kd a.png\n").with("a.png", b"a");
    let (scene, findings) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3\n").as_bytes(), &files);
    let material = scene.materials.iter().next().unwrap();
    assert_eq!((material.color(), material.slots.len(), findings.len()), ([0., 1., 0., 1.], 1, 0));
    assert!(check_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n").as_bytes(), &files).is_empty());
}

#[test]
fn missing_library_leaves_white_materials() {
    let (scene, findings) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3\n").as_bytes(), &NoSource);
    assert_eq!(findings.iter().map(|f| f.rule.id).collect::<Vec<_>>(), ["OBJ-018"]);
    assert_eq!(findings[0].place.span, Some(Span::file(7, 5)));
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(scene.materials[primitive.material.unwrap()].color(), [1.; 4]);
}

const SAMPLE: &[u8] = b"\xEF\xBB\xBF\r\n# sample\nmtllib a.mtl b.mtl\no One\nv 0 0 0\nv 1 0 0 0.5\n\nv 1 1 0 1 0 0\nvt 0 1\n\
    vn 0 0 1\nvp 1 2\nusemtl metal\ns 1\nf 1/1/1 2/1/1 \\\n 3/1/1\nf -1 -2 -3 -1\ng a b\nl 1 2 3\r\np 1\nwhat ever\ns off\n";

fn leaves(nodes: &[Node], out: &mut Vec<Span>) {
    for node in nodes {
        match node.children().expect("it was readable") {
            children if children.is_empty() => out.push(node.span),
            children => leaves(&children, out),
        }
    }
}

#[test]
fn every_byte_belongs_to_one_leaf() {
    for size in 0..=SAMPLE.len() {
        let Ok(doc) = Obj::read(Blob::file(SAMPLE[..size].to_vec()), &mut ReadCx::default()) else { continue };
        let mut spans = Vec::new();
        leaves(&formats::Document::tree(&doc), &mut spans);
        let mut at = 0;
        for span in spans {
            assert_eq!(span.offset, at, "of {size} bytes");
            at = span.end();
        }
        assert_eq!(at, size as u64);
    }
}

#[test]
fn tree_says_what_the_lines_are() {
    let tree = held(SAMPLE).tree();
    let children = tree[0].children().unwrap();
    let types: Vec<&str> = children.iter().map(|node| node.ty.as_str()).collect();
    let expected = [
        "byte order mark",
        "blank",
        "# x 1",
        "mtllib",
        "o",
        "v x 3",
        "vt x 1",
        "vn x 1",
        "vp x 1",
        "usemtl",
        "s",
        "f x 2",
        "g",
        "l x 1",
        "p x 1",
        "what x 1",
        "s",
    ];
    assert_eq!(types, expected);
    let found = wire::find(&tree, "statements[4]").unwrap();
    assert_eq!(found.value, Some(wire::Value::Text(Blob::memory(b"One".to_vec()))));
}

/// Everything that can be done with a document.
fn exercise(text: &[u8]) {
    let format = by_id("obj").expect("obj is registered");
    format.probe(&Blob::file(text.to_vec()), &Hint::default());
    let Ok(mut doc) = format.read(Blob::file(text.to_vec()), &mut ReadCx::default()) else { return };
    let files = Files::default().with("a.mtl", LIBRARY);
    doc.check(None, &files);
    doc.facts(true);
    leaves(&doc.tree(), &mut Vec::new());
    let mut cx = BridgeCx::new(&files, "standard");
    let scene = doc.lift(&mut cx).expect("whatever can be read can be lifted");
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let count = primitive.vertex_count() as u32;
        assert!(order(primitive).iter().all(|&index| index < count));
        assert!(primitive.attributes.iter().all(|a| a.stream.len() == count as usize));
    }
    doc.forget_raw();
    let mut out = Sink::default();
    doc.write(&mut out, &mut WriteCx::default()).expect("text can be written");
    assert_eq!(out.into_vec(), text);
}

#[test]
fn no_damage_stops_the_program() {
    for size in 0..SAMPLE.len() {
        exercise(&SAMPLE[..size]);
    }
    for at in 0..SAMPLE.len() {
        for byte in [0, b'\n', b'\r', b'\\', b'/', b'-', b'9', b' ', b'#', 0xFF, SAMPLE[at] ^ 1, SAMPLE[at] ^ 0x20] {
            let mut damaged = SAMPLE.to_vec();
            damaged[at] = byte;
            exercise(&damaged);
        }
    }
}

#[test]
fn no_damage_to_a_library_stops_the_program() {
    let text = format!("mtllib a.mtl\n{SQUARE}usemtl metal\nf 1 2 3\n");
    let lift = |library: &[u8]| {
        let files = Files::default().with("a.mtl", library);
        check_with(text.as_bytes(), &files);
        Obj::lift(&read(text.as_bytes()), &mut BridgeCx::new(&files, "standard")).expect("libraries stop nothing");
    };
    for at in 0..LIBRARY.len() {
        lift(&LIBRARY[..at]);
        for byte in [0, b'\n', b'\\', b'-', b' ', b'#', 0xFF, LIBRARY[at] ^ 1] {
            let mut damaged = LIBRARY.to_vec();
            damaged[at] = byte;
            lift(&damaged);
        }
    }
}

#[test]
fn huge_numbers_are_no_memory() {
    for text in [
        "v 0 0 0\nf 99999999999999999999 4294967295 4294967296\nf -99999999999999999999 -2147483649 -4294967297\n",
        "v 0 0 0\nf 4294967295/4294967294/4294967293 1/4294967295/4294967294 1\n",
        "s 99999999999999999999\nv 1e999999999 -1e99999999999999999999 1e-999999999\np 1\n",
    ] {
        exercise(text.as_bytes());
    }
    exercise(&[b"v 0 0 0\nf".to_vec(), b" 1".repeat(100_000), b"\n".to_vec()].concat());
    exercise(&[b"v 0 0 0\n".to_vec(), b"f 1 1 1/1\nusemtl\n".repeat(3_000)].concat());
    exercise(&[b"v 0 0 0\n".to_vec(), b"\\\n".repeat(100_000)].concat());
    exercise(&[SQUARE.as_bytes().to_vec(), b"vt 0 0\n".to_vec(), b"o x\nf 1/1 2 3\nwhat\n".repeat(10_000)].concat());
    let many: String = (0..20_000).map(|i| format!("o {i}\nf 1/1 2 3 9\nf 1/1 2 3\nx{i}\n")).collect();
    exercise(format!("{SQUARE}vt 0 0\n{many}").as_bytes());
    let crowded: String = (1..20_000).map(|i| format!("vt {i}\nf 1/{i} 1/{i} 1\n")).collect();
    exercise(format!("v 0 0 0\n{crowded}").as_bytes());
}

#[test]
fn probe_claims_nothing_else() {
    let probe = |text: &[u8], extension: Option<&str>| {
        Obj::probe(&Blob::file(text.to_vec()), &Hint { extension: extension.map(str::to_owned) })
    };
    for likely in
        [&b"v 0 0 0\n"[..], b"# c\n\n  v 0 0 0", b"\xEF\xBB\xBFmtllib a.mtl\no x\n", b"o x\nv 1 2 3\nf 1 1 1\n"]
    {
        assert_eq!(probe(likely, None), Score::LIKELY, "{}", likely.escape_ascii());
    }
    let odd = b"v 0 0 0\nvcolor 1\n";
    assert_eq!(probe(odd, None), Score::MAYBE);
    for no in [
        &b""[..],
        b"\n\n",
        b"# a shell script\necho\n",
        b"# comments\n",
        b"newmtl x\nKd 1 1 1\n",
        b"{ \"asset\": {} }",
        b"solid x\nfacet normal 0 0 1\n",
        b"ply\nformat ascii 1.0\n",
        b"v 0 0 0\n\0",
        b"v hello\n",
        b"o weh\n",
        b"glTF\x02\0\0\0",
    ] {
        assert_eq!(probe(no, None), Score::NO, "{}", no.escape_ascii());
    }
    assert_eq!(probe(b"# comments\n", Some("OBJ")), Score::MAYBE);
    assert_eq!(probe(b"o weh\n", Some("obj")), Score::MAYBE);
    assert_eq!(probe(&[b"v 0 0 0\n".repeat(600), b"\0".to_vec()].concat(), None), Score::LIKELY);
}

#[test]
fn what_is_no_obj_is_refused() {
    for (text, message) in [
        (&b""[..], "no line of this file is an OBJ statement: it is empty"),
        (
            b"glTF\x02\0\0\0",
            "no line of this file is an OBJ statement; it starts with \"glTF\\u{2}\\u{0}\\u{0}\\u{0}\"",
        ),
    ] {
        let error = Obj::read(Blob::file(text.to_vec()), &mut ReadCx::default()).expect_err("no OBJ");
        assert_eq!((error.rule().id, error.message()), ("OBJ-001", message));
    }
    assert_eq!(check(b"# nothing\n")[0].rule.id, "OBJ-016");
}

#[test]
fn every_rule_has_a_page() {
    for (i, rule) in formats::obj::RULES.iter().enumerate() {
        assert_eq!(rule.info.id, format!("OBJ-{:03}", i + 1));
        let headings: Vec<_> = rule.info.page.headings().collect();
        assert_eq!(headings, ["What it finds", "Why it matters", "Example", "Fix"], "{}", rule.info.id);
        assert!(headings.iter().all(|heading| !rule.info.page.section(heading).is_empty()), "{}", rule.info.id);
    }
}

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("PENTAD_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: PENTAD_CORPUS is not set");
    }
    folder
}

fn beside(file: &Path) -> Folder {
    let open = |path: &Path| std::fs::read(path).map(Blob::file);
    Folder { search: vec![file.parent().expect("it lies in a folder").to_owned()], allow: Vec::new(), open }
}

#[test]
fn corpus_files_read_without_errors() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for folder in ["obj", "danmodel"] {
        for entry in std::fs::read_dir(corpus.join(folder)).expect("the corpus has it") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_none_or(|extension| extension != "obj") {
                continue;
            }
            count += 1;
            let text = std::fs::read(&path).expect("it can be read");
            let found = formats::recognise(&Blob::file(text.clone()), &Hint::default()).expect("it is recognised");
            assert_eq!(found.info().id, "obj", "{}", path.display());
            exercise(&text);
            let findings = check_with(&text, &beside(&path));
            let errors: Vec<_> = findings.iter().filter(|f| f.severity == Severity::Error).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
            let (scene, _) = lift_with(&text, &beside(&path));
            let triangles: u64 = scene.meshes.iter().flat_map(|m| &m.primitives).map(Primitive::triangle_count).sum();
            let counts = held(&text).facts(true).counts;
            assert_eq!(Some(triangles), counts.triangles, "{}", path.display());
            assert_eq!(Some(scene.nodes.len() as u64), counts.nodes, "{}", path.display());
            let drawn = scene.meshes.iter().flat_map(|m| &m.primitives).flat_map(corners);
            assert!(drawn.eq(naive_corners(&text)), "{}", path.display());
            println!("{}: {triangles} triangles, {:?}", path.display(), said(&findings));
        }
    }
    assert!(count > 0);
}

/// The positions of all corners of all faces, read in the plainest way there is.
fn naive_corners(text: &[u8]) -> Vec<[f32; 3]> {
    let text = String::from_utf8_lossy(text);
    let (mut positions, mut corners) = (Vec::<[f32; 3]>::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v", x, y, z, ..] => positions.push([x, y, z].map(|word| word.parse().expect("a number"))),
            ["f", ..] => corners.extend(words[1..].iter().map(|corner| {
                let v = corner.split('/').next().and_then(|v| v.parse::<usize>().ok());
                positions[v.expect("an index") - 1]
            })),
            _ => {}
        }
    }
    corners
}

/// Every file of another format, with and without its extension.
fn others(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the corpus has it") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            others(&path, out);
        } else if path.extension().is_none_or(|extension| extension != "obj") {
            out.push(path);
        }
    }
}

#[test]
fn corpus_files_of_other_formats_are_not_claimed() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    others(&corpus, &mut files);
    for path in files {
        let file = Blob::file(std::fs::read(&path).expect("it can be read"));
        for extension in [None, path.extension().map(|e| e.to_string_lossy().into_owned())] {
            assert_eq!(Obj::probe(&file, &Hint { extension }), Score::NO, "{}", path.display());
        }
    }
}

/// The mod's converter made heart.danmodel from heart.obj; so do we, byte for byte.
#[cfg(feature = "danmodel")]
#[test]
fn heart_becomes_the_danmodel_that_the_mod_has() {
    use formats::{Options, danmodel::DanModel};
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("danmodel/heart.obj");
    let (scene, findings) = lift_with(&std::fs::read(&path).expect("it is there"), &beside(&path));
    assert!(findings.is_empty(), "{findings:?}");
    let mut options = Options::default();
    options.set("danmaku-colored", "Outer_OuterMesh");
    let mut cx = BridgeCx { options: &options, ..BridgeCx::new(&NoSource, "engine") };
    let info = DanModel::INFO;
    let fitted = scene::fit::fit(&scene, &info.capabilities, info.id, info.name, &mut cx.losses);
    let package = DanModel::lower(&fitted, &mut cx).expect("it fits");
    let mut out = Sink::default();
    DanModel::write(&package.document, &mut out, &mut WriteCx::default()).expect("it fits");
    let expected = std::fs::read(corpus.join("danmodel/heart.danmodel")).expect("it is there");
    assert!(out.into_vec() == expected, "the bytes differ");
}

/// The text and the side files of a scene, and what was lost on the way.
fn lowered(scene: &Scene) -> (String, Vec<formats::SideFile>, Losses) {
    let info = &Obj::INFO;
    let mut cx = BridgeCx::new(&NoSource, "standard");
    let fitted = scene::fit::fit(scene, &info.capabilities, info.id, info.name, &mut cx.losses);
    let package = Obj::lower(&fitted, &mut cx).unwrap();
    (String::from_utf8(written(&package.document)).unwrap(), package.side_files, cx.losses)
}

const HEAD: &str = "# Wavefront OBJ, written by pentad\n";

fn codes(losses: &Losses) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.code).collect()
}

fn node_with(primitives: Vec<Primitive>) -> Scene {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(scene::Mesh { primitives, ..Default::default() });
    scene.add_root(scene::Node { mesh: Some(mesh), ..Default::default() });
    scene
}

fn triangle(positions: [f32; 9]) -> Primitive {
    Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, positions.to_vec()))
}

#[test]
fn seams_share_positions_and_copies_stay_copies() {
    // Four vertices: two differ in nothing but their normals, two in nothing at all.
    let positions = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.5], [0., 0., 0.], [1., 0., 0.]].concat();
    let normals = [[0., 0., 1.], [0., 0., 1.], [0., 0., 1.], [1., 0., 0.], [0., 0., 1.]].concat();
    let mut primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, positions))
        .with(Semantic::Normal, Stream::from_f32(3, normals));
    primitive.indices = Some(vec![0, 1, 2, 3, 4, 2].into());
    let (text, files, losses) = lowered(&node_with(vec![primitive.clone()]));
    let expected =
        "o Default\nv 0 0 0\nv 1 0 0\nv 0 1 0.5\nv 1 0 0\nvn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 4//1 3//1\n";
    assert_eq!(text, format!("{HEAD}{expected}"));
    assert!(files.is_empty() && losses.is_empty());
    let again = lift(text.as_bytes());
    let same = &again.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((&same.attributes, &same.indices), (&primitive.attributes, &primitive.indices));
}

#[test]
fn v_is_written_from_the_bottom() {
    let uv = Stream::from_f32(2, vec![0., 0., 1., 0.25, 0.5, 1.]);
    let primitive = triangle([0., 0., 0., 1., 0., 0., 0., 1., 0.]).with(Semantic::TexCoord(0), uv);
    let (text, ..) = lowered(&node_with(vec![primitive]));
    assert!(text.contains("vt 0 1\nvt 1 0.75\nvt 0.5 0\n"), "{text}");
    assert!(text.ends_with("f 1/1 2/2 3/3\n"), "{text}");
}

#[test]
fn part_without_material_behind_one_with_gets_a_white_one() {
    let mut scene = node_with(vec![triangle([0.; 9]), triangle([1.; 9]), triangle([2.; 9])]);
    let pbr = scene::Pbr { base_color: [1., 0.5, 0., 0.25], metallic: 0.5, roughness: 0.125, ..Default::default() };
    let material = scene::Material {
        name: "red\nhot".into(),
        shading: Shading::Pbr(pbr),
        alpha_mode: AlphaMode::Blend,
        emissive: [0.5, 0., 0.],
        emissive_strength: 2.,
        double_sided: true,
        ..Default::default()
    };
    let id = scene.materials.add(material);
    scene.meshes.iter_mut().next().unwrap().primitives[1].material = Some(id);
    let (text, files, losses) = lowered(&scene);
    let statements: Vec<&str> = text.lines().filter(|line| !line.starts_with('v')).collect();
    let expected = [
        HEAD.trim_end(),
        "mtllib model.mtl",
        "o Default",
        "f 1 2 3",
        "usemtl red_hot",
        "f 4 5 6",
        "usemtl none",
        "f 7 8 9",
    ];
    assert_eq!(statements, expected);
    let library = "newmtl red_hot\nKd 1 0.5 0\nPr 0.125\nPm 0.5\nKe 1 0 0\nd 0.25\nnewmtl none\nKd 1 1 1\n";
    assert_eq!((&files[0].name[..], &files[0].bytes[..]), ("model.mtl", library.as_bytes()));
    assert_eq!(codes(&losses), ["LOSS-042", "LOSS-041", "LOSS-080"]);
}

#[test]
fn groups_and_smoothing_are_written_where_they_began() {
    let body = "o A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\ng x y\ns 7\nf 1 3 4\nf 1 2 4\ng\ns off\nf 2 3 4\n";
    assert_eq!(lowered(&lift(body.as_bytes())).0, format!("{HEAD}{body}"));
    let groups = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\ng a b\nv 0 1 0\nv 0 0 0\nv 1 0 0\nf 4 5 6\n";
    assert_eq!(lowered(&lift(groups.as_bytes())).0, format!("{HEAD}{groups}"), "no o where there was none");
    let lines = "o A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2\nl 2 3\ng x\nl 3 1\nl 1 3\n";
    assert_eq!(lowered(&lift(lines.as_bytes())).0, format!("{HEAD}{lines}"));
}

#[test]
fn faces_of_vertices_that_are_not_there_are_left_out_and_listed() {
    let mut primitive = triangle([0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    primitive.indices = Some(vec![0, 1, 2, 0, 1, 9, 2].into());
    let (text, _, losses) = lowered(&node_with(vec![primitive, triangle([0.; 9])]));
    assert!(text.contains("f 1 2 3\nusemtl none\n"), "{text}");
    let told: Vec<(&str, u64)> = losses.iter().map(|loss| (loss.code, loss.count)).collect();
    // The second triangle names vertex 9, the third has one corner, and the other part needs a material of its own.
    assert_eq!(told, [("LOSS-043", 1), ("LOSS-033", 1), ("LOSS-080", 1)]);
    let mut nothing = triangle([0.; 9]);
    nothing.indices = Some(vec![0, 1].into());
    let (text, _, losses) = lowered(&node_with(vec![nothing]));
    assert_eq!((&text[..], &codes(&losses)[..]), (&format!("{HEAD}o Default\n")[..], &["LOSS-024"][..]));
}

/// A scene whose material shows a picture that is in the model, and one of another folder.
fn with_pictures() -> Scene {
    let mut scene = node_with(vec![triangle([0.; 9])]);
    let mut add = |source: ImageSource, role: Role, channel: ColorChannel| {
        let image = scene.images.add(scene::Image { name: "a:b".into(), source, extras: Default::default() });
        let texture = scene.textures.add(scene::Texture::new(image));
        Slot { role, texture, channel, uv_set: 0, strength: 1., transform: None }
    };
    let inside = ImageSource::Embedded { mime: "image/png".into(), bytes: Blob::memory(b"\x89PNG1".to_vec()) };
    let outside = ImageSource::File { path: "..\\up\\n.jpg".into(), bytes: Some(Blob::memory(b"jpg".to_vec())) };
    let gone = ImageSource::File { path: "-gone.png".into(), bytes: None };
    let slots = vec![
        add(inside, Role::BaseColor, ColorChannel::All),
        add(outside, Role::Roughness, ColorChannel::Green),
        add(gone, Role::Normal, ColorChannel::All),
    ];
    scene.materials.add(scene::Material { name: "m".into(), slots, ..Default::default() });
    scene
}

#[test]
fn pictures_lie_beside_the_model_under_safe_names() {
    let (_, files, losses) = lowered(&with_pictures());
    let names: Vec<_> = files.iter().map(|file| (&file.name[..], file.bytes.len())).collect();
    assert_eq!(names[1..], [("a_b.png", 5), ("n.jpg", 3)]);
    let maps = "map_Kd a_b.png\nmap_Pr -imfchan g n.jpg\nnorm ./-gone.png\n";
    assert!(files[0].bytes.ends_with(maps.as_bytes()), "{}", String::from_utf8_lossy(&files[0].bytes));
    let changed: Vec<_> = losses.iter().map(|loss| (loss.code, loss.count)).collect();
    assert_eq!(changed, [("LOSS-042", 2)], "two paths of images of one name");
}

#[test]
fn pictures_that_are_only_named_write_no_file() {
    let mut options = formats::Options::default();
    options.set("textures", "reference");
    let scene = with_pictures();
    let mut cx = BridgeCx::new(&NoSource, "standard");
    cx.options = &options;
    let package = Obj::lower(&scene, &mut cx).unwrap();
    assert_eq!(package.side_files.len(), 1);
    let library = &package.side_files[0].bytes;
    assert!(library.ends_with(b"Pm 1\nmap_Pr -imfchan g ..\\up\\n.jpg\nnorm ./-gone.png\n"));
    assert_eq!(codes(&cx.losses), ["LOSS-007", "LOSS-042"], "a picture without a path cannot be named");
    let mut bad = formats::Options::default();
    bad.set("textures", "embed");
    let mut cx = BridgeCx { options: &bad, ..BridgeCx::new(&NoSource, "standard") };
    assert!(Obj::lower(&scene, &mut cx).is_err());
}

#[test]
fn libraries_and_pictures_go_where_the_model_goes() {
    let files = Files::default().with("a.mtl", b"newmtl x\nmap_Kd t.png\nmap_Ks ../up.png\n").with("t.png", b"png");
    let files = files.with("../up.png", b"up");
    let doc = read(format!("mtllib a.mtl gone.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n").as_bytes());
    let names: Vec<String> = Obj::beside(&doc, &files).into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["a.mtl", "t.png"]);
}

#[test]
fn alpha_of_a_picture_is_said_by_map_d() {
    let mut scene = with_pictures();
    scene.materials.iter_mut().next().unwrap().alpha_mode = AlphaMode::Mask(0.5);
    let (_, files, losses) = lowered(&scene);
    let library = String::from_utf8_lossy(&files[0].bytes).into_owned();
    assert!(library.contains("\nmap_d -imfchan m a_b.png\nmap_Kd a_b.png\n"), "{library}");
    assert!(losses.iter().any(|loss| loss.what == "threshold of the alpha mask"));
}
