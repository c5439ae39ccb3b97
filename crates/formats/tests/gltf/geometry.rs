//! Vertices, faces, and what glTF's limits do to them.

use findings::ErrorKind;
use formats::gltf::Glb;
use formats::{Format, LowerCx, NoSource, Options};
use scene::*;
use serde_json::json;
use wire::Blob;

use crate::support::*;

#[test]
fn triangle_is_written_as_small_as_it_is() {
    let (parsed, losses) = glb("triangle", &scene_of(vec![triangle()]));
    assert_eq!(losses, [""; 0]);
    let version = env!("CARGO_PKG_VERSION");
    let expected = json!({
        "asset": {"version": "2.0", "generator": format!("pentad {version}"), "extras": {"pentad": {"carry": 1}}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "materials": [
            {"pbrMetallicRoughness": {"metallicFactor": 0}, "extras": {"pentad": {"role": "default"}}},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36, "target": 34962}],
        "buffers": [{"byteLength": 36}],
    });
    assert_eq!(parsed.json, expected);
    assert_eq!(parsed.floats(&json!(0)), CORNERS);
}

#[test]
fn packed_floats_are_shared_not_copied() {
    let stream = Stream::from_f32(3, CORNERS.to_vec());
    let primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, stream.clone());
    let (package, ..) = package::<Glb>(&scene_of(vec![primitive]), &Options::default());
    assert_eq!(package.document.binary().unwrap()[0].as_ptr(), stream.data().as_ptr());
}

#[test]
fn doubles_beyond_floats_are_rounded() {
    let corners: Vec<f64> = vec![0.1, 0., 0., 1., 0., 0., 0., 1., 1e-30];
    let primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f64(3, corners.clone()));
    let (parsed, losses) = glb("doubles", &scene_of(vec![primitive]));
    assert_eq!(losses, ["LOSS-020 mesh 0: POSITION rounded (x2)"]);
    let primitive = parsed.primitive(0);
    let written = parsed.floats(&primitive["attributes"]["POSITION"]);
    assert_eq!(written, corners.iter().map(|&v| v as f32).collect::<Vec<_>>());
    let max = &parsed.json["accessors"][0]["max"];
    assert_eq!(max[2].as_f64().unwrap() as f32, 1e-30_f64 as f32);
    assert_eq!(primitive.get("extras"), None);
}

#[test]
fn doubles_that_are_floats_lose_nothing() {
    let corners = CORNERS.iter().map(|&v| f64::from(v)).collect();
    let primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f64(3, corners));
    let (parsed, losses) = glb("narrow-doubles", &scene_of(vec![primitive]));
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.floats(&json!(0)), CORNERS);
    assert_eq!(parsed.primitive(0).get("extras"), None);
}

#[test]
fn quads_become_triangles() {
    let corners = vec![0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.];
    let mut quad = Primitive::new(Topology::Quads).with(Semantic::Position, Stream::from_f32(3, corners));
    quad.indices = Some(vec![3, 0, 1, 2].into());
    let (parsed, losses) = glb("quads", &scene_of(vec![quad]));
    assert_eq!(losses, ["LOSS-019 mesh 0: quads made triangles"]);
    let primitive = parsed.primitive(0);
    assert_eq!(parsed.indices(&primitive["indices"]), [3, 0, 1, 3, 1, 2]);
    assert_eq!(primitive.get("extras"), None);
}

#[test]
fn polygons_become_triangles() {
    let corners = vec![0., 0., 0., 2., 0., 0., 2., 2., 0., 1., 3., 0., 0., 2., 0.];
    let mut faces = Primitive::new(Topology::Polygons).with(Semantic::Position, Stream::from_f32(3, corners));
    faces.corners = vec![5];
    let (parsed, losses) = glb("polygons", &scene_of(vec![faces]));
    assert_eq!(losses, ["LOSS-019 mesh 0: polygons made triangles"]);
    assert_eq!(parsed.indices(&parsed.primitive(0)["indices"]).len(), 9);
}

#[test]
fn rest_that_makes_no_face_is_left_out_and_listed() {
    let corners = CORNERS.iter().copied().chain([5., 5., 5.]).collect();
    let primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, corners));
    let lone = Primitive::new(Topology::Lines).with(Semantic::Position, Stream::from_f32(3, vec![0.; 3]));
    let (parsed, losses) = glb("rest", &scene_of(vec![primitive, lone]));
    let expected = ["LOSS-033 mesh 0 part 0: face or line left out", "LOSS-024 mesh 0: part that draws nothing"];
    assert_eq!(losses, expected);
    let primitive = parsed.primitive(0);
    assert_eq!(parsed.indices(&primitive["indices"]), [0, 1, 2]);
    assert_eq!(parsed.json["accessors"][0]["count"], 4);
}

#[test]
fn every_mode_is_the_number_of_the_specification() {
    let modes = [
        (Topology::Points, 0),
        (Topology::Lines, 1),
        (Topology::LineLoop, 2),
        (Topology::LineStrip, 3),
        (Topology::TriangleStrip, 5),
        (Topology::TriangleFan, 6),
    ];
    let corners: Vec<f32> = CORNERS.iter().copied().chain([1., 1., 0.]).collect();
    let of = |&(topology, _): &(Topology, u32)| {
        Primitive::new(topology).with(Semantic::Position, Stream::from_f32(3, corners.clone()))
    };
    let (parsed, losses) = glb("modes", &scene_of(modes.iter().map(of).collect()));
    assert_eq!(losses, [""; 0]);
    for (i, (_, mode)) in modes.iter().enumerate() {
        assert_eq!(parsed.json["meshes"][0]["primitives"][i]["mode"], *mode);
    }
}

#[test]
fn values_that_gltf_forbids_are_made_valid() {
    let normals = vec![0., 0., 2., 0., 0., 0., 0., 0., 1.];
    let colors = vec![1., 0., 0., 1., 0., 3., 0., 1., 0., 0., 1., f32::NAN];
    let primitive = triangle()
        .with(Semantic::Normal, Stream::from_f32(3, normals))
        .with(Semantic::Color(0), Stream::from_f32(4, colors));
    let (parsed, losses) = glb("values", &scene_of(vec![primitive]));
    let expected = [
        "LOSS-021 mesh 0: COLOR_0 set to zero",
        "LOSS-022 mesh 0: NORMAL changed (x2)",
        "LOSS-023 mesh 0: COLOR_0 clamped",
    ];
    assert_eq!(losses, expected);
    let attributes = &parsed.primitive(0)["attributes"];
    assert_eq!(parsed.floats(&attributes["NORMAL"]), [0., 0., 1., 0., 0., 1., 0., 0., 1.]);
    assert_eq!(parsed.floats(&attributes["COLOR_0"])[5], 1.);
}

#[test]
fn texture_coordinates_count_from_the_top() {
    let uvs = Stream::from_f32(2, vec![0., 0.25, 0.5, 0.1, 1., 1.]).flipped();
    let (parsed, losses) = glb("uvs", &scene_of(vec![triangle().with(Semantic::TexCoord(0), uvs)]));
    // 1 − 0.1 cannot be undone exactly.
    assert_eq!(losses, ["LOSS-020 mesh 0: TEXCOORD_0 rounded"]);
    let primitive = parsed.primitive(0);
    assert_eq!(parsed.floats(&primitive["attributes"]["TEXCOORD_0"]), [0., 0.75, 0.5, 1. - 0.1, 1., 0.]);
}

#[test]
fn small_whole_numbers_stay_what_they_are() {
    let colors = Encoding { normalised: true, ..Encoding::packed(Component::U8, 3) };
    let colors = Stream::new(Blob::memory(vec![255, 0, 0, 0, 255, 0, 0, 0, 255]), 3, colors);
    let heat = Encoding { order: wire::Order::Big, ..Encoding::packed(Component::I16, 1) };
    let heat = Stream::new(Blob::memory(vec![0xFF, 0xFE, 0, 1, 1, 0]), 3, heat);
    let ids = Stream::from_u32(1, vec![1, 16_777_217, 3]);
    let primitive = triangle()
        .with(Semantic::Color(0), colors)
        .with(Semantic::Custom("heat map".into()), heat)
        .with(Semantic::Custom("_ID".into()), ids);
    let (parsed, losses) = glb("native", &scene_of(vec![primitive]));
    // 2^24 + 1 is the first whole number that a 32-bit float cannot hold.
    assert_eq!(losses, ["LOSS-020 mesh 0: _ID rounded", "LOSS-014 mesh 0: heat map renamed"]);
    let primitive = parsed.primitive(0);
    let (accessor, bytes) = parsed.accessor(&primitive["attributes"]["COLOR_0"]);
    assert_eq!((&accessor["componentType"], &accessor["normalized"]), (&json!(5121), &json!(true)));
    assert_eq!(bytes, [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0]);
    let (accessor, bytes) = parsed.accessor(&primitive["attributes"]["_heat_map"]);
    assert_eq!((&accessor["componentType"], &accessor["type"]), (&json!(5122), &json!("SCALAR")));
    assert_eq!(bytes, [0xFE, 0xFF, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(primitive.get("extras"), None);
}

#[test]
fn colors_behind_a_gap_are_no_colors_to_gltf() {
    let colors = Stream::from_f32(4, vec![1.; 12]);
    let (parsed, losses) = glb("gap", &scene_of(vec![triangle().with(Semantic::Color(1), colors)]));
    assert_eq!(losses, ["LOSS-014 mesh 0: COLOR_1 renamed"]);
    let primitive = parsed.primitive(0);
    assert_eq!(primitive["attributes"].as_object().unwrap().keys().collect::<Vec<_>>(), ["POSITION", "_COLOR_1"]);
}

#[test]
fn indices_are_as_short_as_they_can_be() {
    for (vertices, component) in [(65535, 5123), (65536, 5125)] {
        let corners = (0..vertices * 3).map(|i| (i % 97) as f32).collect();
        let mut primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, corners));
        primitive.indices = Some(vec![0, 1, vertices - 1].into());
        let (parsed, losses) = glb("indices", &scene_of(vec![primitive]));
        assert_eq!(losses, [""; 0]);
        let indices = &parsed.primitive(0)["indices"];
        assert_eq!(parsed.accessor(indices).0["componentType"], component);
        assert_eq!(parsed.indices(indices), [0, 1, vertices - 1]);
    }
}

#[test]
fn index_beyond_the_vertices_is_an_error_that_names_it() {
    let mut primitive = triangle();
    primitive.indices = Some(vec![0, 1, 3].into());
    let error = Glb::lower(&scene_of(vec![primitive]), &mut LowerCx::new(&NoSource, "standard")).err().unwrap();
    assert_eq!((error.rule().id, error.kind()), ("GLTF-007", ErrorKind::Unrepresentable));
    assert_eq!(error.message(), "mesh 0 draws vertex 3, and has 3");
}

#[test]
fn empty_mesh_is_left_out_and_listed() {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(Mesh { name: "hollow".into(), ..mesh_of(vec![Primitive::new(Topology::Points)]) });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let (parsed, losses) = glb("empty", &scene);
    let expected =
        ["LOSS-024 mesh \"hollow\": part that draws nothing", "LOSS-024 mesh \"hollow\": mesh that draws nothing"];
    assert_eq!(losses, expected);
    assert_eq!(parsed.json["nodes"], json!([{}]));
    assert_eq!((parsed.json.get("meshes"), parsed.json.get("buffers")), (None, None));
}

#[test]
fn morph_targets_have_names_and_weights() {
    let deltas = |z: f32| MorphTarget {
        attributes: vec![Attribute {
            semantic: Semantic::Position,
            stream: Stream::from_f32(3, [0., 0., z].repeat(3)),
        }],
    };
    let primitive = Primitive { targets: vec![deltas(1.), MorphTarget::default()], ..triangle() };
    let range = |name: &str, default| MorphRange { name: name.into(), default, min: -1., max: 1. };
    let mut scene = Scene::new();
    let mesh = Mesh { morphs: vec![range("up", 0.5), range("none", 0.)], ..mesh_of(vec![primitive]) };
    let mesh = scene.meshes.add(mesh);
    scene.add_root(Node { mesh: Some(mesh), weights: vec![1., 0.], ..Node::default() });
    let (parsed, losses) = glb("morphs", &scene);
    assert_eq!(losses, [""; 0]);
    let mesh = &parsed.json["meshes"][0];
    assert_eq!((&mesh["weights"], &mesh["extras"]["targetNames"]), (&json!([0.5, 0]), &json!(["up", "none"])));
    assert_eq!(mesh["extras"]["pentad"]["morph_ranges"][0], json!([{"f32": -1}, {"f32": 1}]));
    let targets = &mesh["primitives"][0]["targets"];
    assert_eq!(parsed.floats(&targets[0]["POSITION"]), [0., 0., 1.].repeat(3));
    assert_eq!(parsed.json["nodes"][0]["weights"], json!([1, 0]));
}
