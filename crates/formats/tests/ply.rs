//! PLY in all three encodings.
#![cfg(feature = "ply")]
#![allow(missing_docs)]

use corpus::ply::TRIANGLE;
use formats::ply::{Document, Ply, Scalar};
use formats::{Document as _, Format, LiftCx, LowerCx, NoSource, ReadCx};
use scene::{Component, Mesh, Node, Primitive, Scene, Semantic, Stream, Topology, Transform, Value};
use wire::{Blob, Sink};

fn read(bytes: &[u8]) -> Document {
    Ply::read(Blob::file(bytes.to_vec()), &mut ReadCx::default()).expect("it is a PLY")
}

fn written(doc: &Document) -> Vec<u8> {
    let mut out = Sink::default();
    Ply::write(doc, &mut out).expect("it can be written");
    out.into_vec()
}

type Lost = Vec<(&'static str, u64)>;

fn lift(bytes: &[u8]) -> (Scene, Lost) {
    let mut cx = LiftCx::new(&NoSource);
    let scene = Ply::lift(&read(bytes), &mut cx).expect("it has a scene");
    (scene, cx.losses.iter().map(|loss| (loss.code, loss.count)).collect())
}

fn lowered(scene: &Scene, dialect: &'static str) -> (Vec<u8>, Lost) {
    let lowered = testing::lower::<Ply>(scene, dialect);
    (written(&lowered.doc), lowered.losses.iter().map(|loss| (loss.code, loss.count)).collect())
}

fn text(scene: &Scene) -> String {
    String::from_utf8(lowered(scene, "ascii").0).unwrap()
}

fn primitives(scene: &Scene) -> Vec<&Primitive> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives).collect()
}

fn numbers(primitive: &Primitive, semantic: Semantic) -> Vec<f32> {
    primitive.get(&semantic).map(Stream::to_f32).unwrap_or_default()
}

fn order(primitive: &Primitive) -> Vec<u32> {
    primitive.indices.as_ref().map(scene::Indices::to_vec).unwrap_or_default()
}

/// A file of vertices with these properties (type and name) and rows.
fn vertices(properties: &[&str], rows: &[&str]) -> Vec<u8> {
    let lines: Vec<String> = properties.iter().map(|property| format!("property {property}\n")).collect();
    let count = rows.len();
    format!("ply\nformat ascii 1.0\nelement vertex {count}\n{}end_header\n{}\n", lines.concat(), rows.join("\n")).into()
}

const XYZ: [&str; 3] = ["float x", "float y", "float z"];

#[test]
fn data_reads_as_written_by_hand() {
    let header = "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty short y\n\
        property double z\nelement face 1\nproperty uchar flag\nproperty list uchar uint vertex_index\nend_header\n";
    let data = [
        0x3F, 0xC0, 0, 0, // 1.5
        0xFF, 0xFE, // -2
        0x40, 0x08, 0, 0, 0, 0, 0, 0, // 3
        7, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let file = [header.as_bytes(), &data].concat();
    let doc = read(&file);
    assert_eq!(doc.body().tables[1].lists[0].sizes, [3]);
    let (scene, losses) = lift(&file);
    let primitive = primitives(&scene)[0];
    assert_eq!(numbers(primitive, Semantic::Position), [1.5, -2., 3.]);
    assert_eq!((primitive.topology, order(primitive)), (Topology::Triangles, vec![0, 0, 0]));
    assert_eq!((losses, scene.nodes.len()), (vec![("LOSS-083", 1)], 1), "the flag is lost, nothing is turned");
    assert_eq!(written(&doc), file);
}

#[test]
fn line_ends_of_the_header_are_those_of_its_first_line() {
    for end in ["\n", "\r\n", "\r"] {
        let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nend_header\n";
        // The data is a line feed.
        let file = [header.replace('\n', end).as_bytes(), b"\n"].concat();
        let doc = read(&file);
        let table = &doc.body().tables[0];
        assert_eq!((table.count, &table.rows[..]), (1, &b"\n"[..]), "{end:?}");
    }
}

#[test]
fn types_have_two_names() {
    let types = [
        "char int8",
        "uchar uint8",
        "short int16",
        "ushort uint16",
        "int int32",
        "uint uint32",
        "float float32",
        "double float64",
    ];
    let sizes = [1, 1, 2, 2, 4, 4, 4, 8];
    for (pair, size) in types.iter().zip(sizes) {
        let read =
            |word: &str| read(&vertices(&[&format!("{word} a")], &["1"])).header().elements[0].properties[0].item;
        let (old, new) = pair.split_once(' ').unwrap();
        assert_eq!((read(old), read(old).size(), read(old).word()), (read(new), size, old));
    }
    assert_eq!(Scalar::F32.word(), "float");
}

#[test]
fn spellings_mean_the_same() {
    for names in [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]] {
        let [s, t] = names.map(|name| format!("float {name}"));
        let (scene, losses) = lift(&vertices(&[XYZ[0], XYZ[1], XYZ[2], &s, &t], &["0 0 0 0.25 0.75"]));
        assert_eq!(numbers(primitives(&scene)[0], Semantic::TexCoord(0)), [0.25, 0.25], "from the top");
        assert!(losses.is_empty());
        assert!(text(&scene).contains("property float s\nproperty float t\nend_header\n0 0 0 0.25 0.75\n"));
    }
    let face = TRIANGLE.replace("vertex_indices", "vertex_index");
    assert_eq!(order(primitives(&lift(face.as_bytes()).0)[0]), [0, 1, 2]);
}

fn colored(kind: &str, rows: &[&str]) -> Scene {
    let [r, g, b] = ["red", "green", "blue"].map(|name| format!("{kind} {name}"));
    lift(&vertices(&[XYZ[0], XYZ[1], XYZ[2], &r, &g, &b], rows)).0
}

#[test]
fn colors_are_bytes_or_floats() {
    for (kind, row) in [
        ("uchar", "0 0 0 255 0 51"),
        ("ushort", "0 0 0 65535 0 13107"),
        ("int", "0 0 0 255 0 51"),
        ("float", "0 0 0 1 0 0.2"),
    ] {
        let scene = colored(kind, &[row]);
        assert_eq!(numbers(primitives(&scene)[0], Semantic::Color(0)), [1., 0., 0.2], "{kind}");
        assert!(text(&scene).ends_with("property uchar blue\nend_header\n0 0 0 255 0 51\n"), "{}", text(&scene));
    }
    let scene = colored("float", &["0 0 0 1 0 0.3333"]);
    assert!(text(&scene).ends_with("property float blue\nend_header\n0 0 0 1 0 0.3333\n"), "{}", text(&scene));
}

#[test]
fn unknown_numbers_of_vertices_are_attributes() {
    let (scene, losses) = lift(&vertices(&[XYZ[0], XYZ[1], XYZ[2], "ushort label"], &["0 0 0 7", "1 0 0 65535"]));
    let stream = primitives(&scene)[0].get(&Semantic::Custom("label".into())).unwrap();
    assert_eq!((stream.to_f32(), stream.encoding().component), (vec![7., 65535.], Component::U16));
    assert!(losses.is_empty() && text(&scene).contains("property ushort label\nend_header\n0 0 0 7\n1 0 0 65535\n"));
    let mut scene = scene;
    let wide = Stream::from_f32(2, vec![1., 2., 3., 4.]);
    scene.meshes.iter_mut().next().unwrap().primitives[0].set(Semantic::Custom("a b".into()), wide);
    assert!(text(&scene).contains("property float a_b_0\nproperty float a_b_1\n"), "{}", text(&scene));
}

#[test]
fn what_has_no_word_is_a_loss() {
    let sample = testing::sample("ply", "unknown");
    let mut cx = LiftCx::new(&NoSource);
    let doc = read(&sample.clone());
    Ply::lift(&doc, &mut cx).unwrap();
    let lost: Vec<&str> = cx.losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(lost, ["property vertex.near", "property face.flags", "element camera"]);
    let mut other = doc.clone();
    let mut cx = LowerCx::new(&NoSource, "binary-big-endian");
    Ply::transcode(&mut other, &mut cx).unwrap();
    assert_eq!((other.dialect(), cx.losses.is_empty()), ("binary-big-endian", true));
    let mut cx = LowerCx::new(&NoSource, "ascii");
    Ply::transcode(&mut other, &mut cx).unwrap();
    assert_eq!(written(&other), sample.clone(), "another encoding and back keeps all of it");
}

#[test]
fn strips_become_triangles() {
    let sample = testing::sample("ply", "strips");
    let (scene, _) = lift(&sample.clone());
    assert_eq!(order(primitives(&scene)[0]), [0, 1, 2, 2, 1, 3, 2, 3, 4]);
    assert_eq!(read(&sample.clone()).facts(true).counts.triangles, Some(3));
}

#[test]
fn vertices_alone_are_points() {
    let (scene, _) = lift(&vertices(&XYZ, &["0 0 0", "1 2 3"]));
    let points = primitives(&scene)[0];
    assert_eq!((points.topology, points.vertex_count(), points.indices.is_none()), (Topology::Points, 2, true));
    let text = TRIANGLE.replace("face 1", "face 0").replace("3 0 1 2\n", "");
    assert_eq!(primitives(&lift(text.as_bytes()).0)[0].topology, Topology::Points);
}

#[test]
fn words_count_and_not_lines() {
    let odd = TRIANGLE.replace("0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "0\t0 0 1 0\r\n\n0 0 1 0 3 0 1 2");
    assert_eq!(lift(odd.as_bytes()).0.meshes, lift(TRIANGLE.as_bytes()).0.meshes);
}

#[test]
fn comments_come_back() {
    let file = "ply\nformat ascii 1.0\ncomment one\ncomment  two\nobj_info three\nelement vertex 0\nproperty float x\n\
        property float y\nproperty float z\nend_header\n";
    let (scene, _) = lift(file.as_bytes());
    assert_eq!(scene.metadata.comment.to_string(), "one\n two");
    assert_eq!(scene.metadata.properties, [("obj_info".into(), Value::from("three"))]);
    assert_eq!(text(&scene), file);
}

#[test]
fn objects_are_joined_and_points_beside_faces_are_lost() {
    let triangle = |x: f32| {
        let positions = Stream::from_f32(3, vec![x, 0., 0., x, 1., 0., x, 0., 1.]);
        Primitive::new(Topology::Triangles).with(Semantic::Position, positions)
    };
    let mut scene = Scene::new();
    let mut add = |primitive: Primitive| {
        let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
        scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    };
    add(triangle(0.));
    add(triangle(1.).with(Semantic::Normal, Stream::from_f32(3, [1., 0., 0.].repeat(3))));
    add(Primitive { topology: Topology::Points, ..triangle(2.) });
    let (file, losses) = lowered(&scene, "ascii");
    let data = "0 0 0 0 0 0\n0 1 0 0 0 0\n0 0 1 0 0 0\n1 0 0 1 0 0\n1 1 0 1 0 0\n1 0 1 1 0 0\n3 0 1 2\n3 3 4 5\n";
    assert!(String::from_utf8(file).unwrap().ends_with(&format!("end_header\n{data}")));
    assert_eq!(losses, [("LOSS-082", 3), ("LOSS-029", 1), ("LOSS-018", 3)]);
}

#[test]
fn vertices_of_faces_that_are_none_do_not_become_points() {
    let empty = || Primitive { indices: Some(vec![0, 1].into()), ..faced(&[]) };
    let (file, losses) = lowered(&shown(vec![empty()]), "ascii");
    assert!(String::from_utf8(file).unwrap().contains("element vertex 0\n"));
    assert_eq!(losses[0], ("LOSS-024", 1));
    let points = Primitive { topology: Topology::Points, ..faced(&[]) };
    let (file, losses) = lowered(&shown(vec![points, empty()]), "ascii");
    assert!(String::from_utf8(file).unwrap().contains("element vertex 3\n"), "what are points stay points");
    assert_eq!(losses, [("LOSS-082", 2), ("LOSS-024", 1)]);
}

#[test]
fn shared_vertices_are_written_once() {
    let sample = corpus::samples().into_iter().find(|sample| sample.format == "ply").unwrap();
    let file = (sample.bytes)();
    let (scene, _) = lift(&file);
    assert_eq!(primitives(&scene).len(), 2, "faces and edges");
    assert_eq!(lowered(&scene, "binary-little-endian").0, file);
}

fn faced(attributes: &[(&str, u8)]) -> Primitive {
    let mut primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    for (name, count) in attributes {
        let numbers = (0..3 * usize::from(*count)).map(|n| n as f32).collect();
        primitive.set(Semantic::Custom((*name).to_owned()), Stream::from_f32(*count, numbers));
    }
    primitive
}

fn shown(primitives: Vec<Primitive>) -> Scene {
    let mut scene = Scene::new();
    for primitive in primitives {
        let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
        scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    }
    scene
}

#[test]
fn properties_have_names_that_differ_and_changed_ones_are_listed() {
    let scene = shown(vec![faced(&[("heat", 1), ("MY ATTR", 1), ("V", 2), ("V_0", 1), ("x", 1), ("red", 1)])]);
    let (bytes, losses) = lowered(&scene, "ascii");
    let text = String::from_utf8(bytes).unwrap();
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("property float ")).collect();
    assert_eq!(names, ["x", "y", "z", "heat", "MY_ATTR", "V_0", "V_1", "V_0-2", "x-2", "red-2"]);
    assert_eq!(losses, [("LOSS-042", 1); 5], "all but heat");
}

#[test]
fn white_that_nobody_gave_is_listed() {
    let mut red = faced(&[]);
    red.set(Semantic::Color(0), Stream::from_f32(3, [1., 0., 0.].repeat(3)));
    let (bytes, losses) = lowered(&shown(vec![red, faced(&[])]), "ascii");
    assert!(String::from_utf8(bytes).unwrap().contains("0 0 0 255 255 255\n"));
    assert_eq!(losses, [("LOSS-082", 2), ("LOSS-018", 3)]);
}

#[test]
fn vertices_of_faces_and_edges_stay_shared_when_they_are_moved() {
    let face = faced(&[]);
    let edge = Primitive { topology: Topology::Lines, indices: Some(vec![0, 1].into()), ..face.clone() };
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(Mesh { primitives: vec![face, edge], ..Mesh::default() });
    let transform = Transform::Trs { translation: [1., 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    scene.add_root(Node { mesh: Some(mesh), transform, ..Node::default() });
    let text = text(&scene);
    assert!(text.contains("element vertex 3\n") && text.contains("element edge 1\n"), "{text}");
}

#[test]
fn numbers_that_are_not_finite_are_not_written() {
    let mut wild = faced(&[]);
    wild.set(Semantic::Position, Stream::from_f32(3, vec![f32::NAN, 0., 0., 1., f32::INFINITY, 0., 0., 1., 0.]));
    let (bytes, losses) = lowered(&shown(vec![wild]), "ascii");
    assert!(String::from_utf8(bytes).unwrap().contains("\n0 0 0\n1 0 0\n0 1 0\n"));
    assert_eq!(losses, [("LOSS-021", 2)]);
}

#[test]
fn faces_say_what_their_corners_look_like() {
    // Two triangles that share an edge: a red one and a blue one, and the picture lies otherwise on each.
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        element face 3\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n\
        property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n\
        0 0 0\n1 0 0\n1 1 0\n0 1 0\n\
        3 0 1 2 6 0 0 1 0 1 1 255 0 0\n\
        3 0 1 9 6 0 0 1 0 1 1 255 0 0\n\
        3 0 2 3 6 0 0.25 1 1 0 1 0 0 255\n";
    let (scene, losses) = lift(text.as_bytes());
    assert_eq!(losses, [("LOSS-033", 1)], "the second face names no vertex");
    let primitive = primitives(&scene)[0];
    assert_eq!(order(primitive), [0, 1, 2, 3, 4, 5]);
    let positions = numbers(primitive, Semantic::Position);
    assert_eq!(positions, [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 0., 0., 1., 1., 0., 0., 1., 0.]);
    // From the top.
    let expected = [0., 1., 1., 1., 1., 0., 0., 0.75, 1., 0., 0., 0.];
    assert_eq!(numbers(primitive, Semantic::TexCoord(0)), expected);
    let expected = [[1., 0., 0.].repeat(3), [0., 0., 1.].repeat(3)].concat();
    assert_eq!(numbers(primitive, Semantic::Color(0)), expected);
}

#[test]
fn corners_that_agree_share_their_vertex() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n\
        0 0 0\n1 0 0\n1 1 0\n0 1 0\n\
        3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 1 1 0 1\n";
    let (scene, losses) = lift(text.as_bytes());
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(order(primitives(&scene)[0]), [0, 1, 2, 0, 2, 3]);
}
