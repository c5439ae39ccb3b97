//! Joints, weights and skins.

use scene::*;
use serde_json::json;

use crate::support::*;

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// A root with a bent triangle and two joints below it, one below the other.
fn bent(joints: Stream, weights: Stream) -> Scene {
    let primitive = triangle().with(Semantic::Joints(0), joints).with(Semantic::Weights(0), weights);
    bent_mesh(vec![primitive])
}

fn bent_mesh(primitives: Vec<Primitive>) -> Scene {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(mesh_of(primitives));
    let tip = scene.nodes.add(Node { name: "tip".into(), ..Node::default() });
    let base = scene.nodes.add(Node { name: "base".into(), children: vec![tip], ..Node::default() });
    let mut lifted = IDENTITY;
    lifted[13] = -0.5;
    let skin = Skin { joints: vec![base, tip], inverse_bind: vec![IDENTITY, lifted], ..Skin::default() };
    let skin = scene.skins.add(Skin { name: "rig".into(), root: Some(base), ..skin });
    let mesh = Node { mesh: Some(mesh), skin: Some(skin), children: vec![base], ..Node::default() };
    scene.add_root(mesh);
    scene
}

fn joints_of(parsed: &Parsed, mesh: usize, set: usize) -> Vec<u8> {
    let (accessor, bytes) = parsed.accessor(&parsed.primitive(mesh)["attributes"][format!("JOINTS_{set}")]);
    assert_eq!((&accessor["componentType"], &accessor["type"]), (&json!(5121), &json!("VEC4")));
    bytes.to_vec()
}

#[test]
fn skins_have_joints_matrices_and_a_root() {
    let joints = Stream::from_u32(4, vec![0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    let weights = [1., 0., 0., 0., 0.25, 0.75, 0., 0., 1., 0., 0., 0.];
    let (parsed, losses) = glb("skin", &bent(joints, Stream::from_f32(4, weights.to_vec())));
    assert_eq!(losses, [""; 0]);
    let skin = &parsed.json["skins"][0];
    assert_eq!((&skin["name"], &skin["joints"], &skin["skeleton"]), (&json!("rig"), &json!([1, 0]), &json!(1)));
    let (accessor, _) = parsed.accessor(&skin["inverseBindMatrices"]);
    assert_eq!((&accessor["type"], &accessor["count"]), (&json!("MAT4"), &json!(2)));
    let matrices = parsed.floats(&skin["inverseBindMatrices"]);
    assert_eq!((&matrices[..16], matrices[29]), (&IDENTITY[..], -0.5));
    assert_eq!(parsed.json["nodes"][2], json!({"children": [1], "mesh": 0, "skin": 0}));
    assert_eq!(joints_of(&parsed, 0, 0), [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(parsed.floats(&parsed.primitive(0)["attributes"]["WEIGHTS_0"]), weights);
    assert_eq!(parsed.primitive(0).get("extras"), None);
}

#[test]
fn normalised_weights_and_short_joints_stay_what_they_are() {
    let bytes = |component, normalised, bytes: &[u8]| {
        let encoding = Encoding { normalised, ..Encoding::packed(component, 4) };
        Stream::new(wire::Blob::memory(bytes.to_vec()), 3, encoding)
    };
    let joints = bytes(Component::U16, false, &[1, 0, 0, 0, 0, 0, 0, 0].repeat(3));
    let weights = bytes(Component::U8, true, &[200, 55, 0, 0].repeat(3));
    let (parsed, losses) = glb("small-weights", &bent(joints, weights));
    assert_eq!(losses, [""; 0]);
    let attributes = &parsed.primitive(0)["attributes"];
    let (joints, bytes) = parsed.accessor(&attributes["JOINTS_0"]);
    assert_eq!((&joints["componentType"], &bytes[..4]), (&json!(5123), &[1, 0, 0, 0][..]));
    let (weights, bytes) = parsed.accessor(&attributes["WEIGHTS_0"]);
    assert_eq!((&weights["componentType"], &weights["normalized"]), (&json!(5121), &json!(true)));
    assert_eq!(bytes, [200, 55, 0, 0].repeat(3));
}

#[test]
fn bad_weights_are_mended_and_listed() {
    // No weight; a joint that is not there; a sum of 2 and a joint that counts for nothing.
    let joints = Stream::from_u32(4, vec![1, 1, 0, 0, 1, 7, 0, 0, 0, 1, 1, 0]);
    let weights = vec![0., 0., 0., 0., 0.5, 0.5, 0., 0., 1.5, 0.5, 0., 0.];
    let (parsed, losses) = glb("bad-weights", &bent(joints, Stream::from_f32(4, weights)));
    let expected = [
        "LOSS-050 mesh 0: vertices without weights bound to the first joint",
        "LOSS-050 mesh 0: weights of joints that are not there left out",
        "LOSS-050 mesh 0: weights made to sum to 1",
    ];
    assert_eq!(losses, expected);
    assert_eq!(joints_of(&parsed, 0, 0), [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    let primitive = parsed.primitive(0);
    let written = parsed.floats(&primitive["attributes"]["WEIGHTS_0"]);
    assert_eq!(written, [1., 0., 0., 0., 1., 0., 0., 0., 0.75, 0.25, 0., 0.]);
}

#[test]
fn joint_of_a_vertex_is_named_once() {
    let weights = Stream::from_f32(4, [0.5, 0.25, 0.25, 0.].repeat(3));
    let (parsed, losses) = glb("twice", &bent(Stream::from_u32(4, [1, 1, 0, 0].repeat(3)), weights));
    assert_eq!(losses, [""; 0]);
    assert_eq!(joints_of(&parsed, 0, 0), [1, 0, 0, 0].repeat(3));
    let primitive = parsed.primitive(0);
    assert_eq!(parsed.floats(&primitive["attributes"]["WEIGHTS_0"]), [0.75, 0., 0.25, 0.].repeat(3));
}

#[test]
fn many_influences_are_several_sets_and_parts_have_as_many() {
    let set = |n, joint: u32, weight: f32| {
        let joints = Stream::from_u32(4, [joint, 0, 0, 0].repeat(3));
        (n, joints, Stream::from_f32(4, [weight, 0., 0., 0.].repeat(3)))
    };
    // The second set stands behind a gap.
    let mut many = triangle();
    for (n, joints, weights) in [set(0, 0, 0.5), set(2, 1, 0.5)] {
        many = many.with(Semantic::Joints(n), joints).with(Semantic::Weights(n), weights);
    }
    let (_, joints, weights) = set(0, 1, 1.);
    let few = triangle().with(Semantic::Joints(0), joints).with(Semantic::Weights(0), weights);
    let (parsed, losses) = glb("many-influences", &bent_mesh(vec![many, few, triangle()]));
    assert_eq!(losses, ["LOSS-050 mesh 0 part 2: vertices without weights bound to the first joint (x3)"]);
    assert_eq!(joints_of(&parsed, 0, 1), [1, 0, 0, 0].repeat(3));
    assert_eq!(parsed.floats(&parsed.primitive(0)["attributes"]["WEIGHTS_1"]), [0.5, 0., 0., 0.].repeat(3));
    let empty = &parsed.json["meshes"][0]["primitives"][1]["attributes"]["WEIGHTS_1"];
    let empty = &parsed.json["accessors"][empty.as_u64().unwrap() as usize];
    assert_eq!(empty, &json!({"componentType": 5126, "count": 3, "type": "VEC4"}));
    let bare = &parsed.json["meshes"][0]["primitives"][2]["attributes"]["JOINTS_0"];
    let bare = &parsed.json["accessors"][bare.as_u64().unwrap() as usize];
    assert_eq!(bare.get("bufferView"), None);
}

#[test]
fn joints_of_several_trees_get_a_common_root_and_are_shown() {
    let joints = Stream::from_u32(4, [0, 1, 2, 0].repeat(3));
    let weights = Stream::from_f32(4, [0.5, 0.25, 0.25, 0.].repeat(3));
    let mut scene = bent(joints, weights);
    let apart = scene.nodes.add(Node { name: "apart".into(), ..Node::default() });
    let skin = &mut scene.skins[Id::new(0)];
    // The base twice, which glTF takes once.
    skin.joints = vec![Id::new(1), apart, Id::new(1)];
    skin.inverse_bind.clear();
    let (parsed, losses) = glb("apart", &scene);
    assert_eq!(losses, ["LOSS-015 skin \"rig\": root of the skeleton"]);
    let skin = &parsed.json["skins"][0];
    assert_eq!(
        (&skin["joints"], skin.get("inverseBindMatrices"), skin.get("skeleton")),
        (&json!([1, 3, 4]), None, None)
    );
    assert_eq!(parsed.json["nodes"][4], json!({"extras": {"pentad": {"role": "joint-copy"}}}));
    assert_eq!(parsed.json["nodes"][5], json!({"children": [2, 3], "extras": {"pentad": {"role": "common-root"}}}));
    assert_eq!(parsed.json["nodes"][1]["children"], json!([0, 4]));
    assert_eq!(parsed.json["scenes"], json!([{"nodes": [5]}]));
}

#[test]
fn joints_that_no_scene_shows_are_shown_with_what_they_bend() {
    let weights = Stream::from_f32(4, [1., 0., 0., 0.].repeat(3));
    let mut scene = bent(Stream::from_u32(4, vec![0; 12]), weights);
    scene.nodes[Id::new(2)].children.clear();
    let (parsed, losses) = glb("joints-apart", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["scenes"], json!([{"nodes": [2, 1]}]));
}

#[test]
fn matrices_that_are_not_affine_are_mended() {
    let weights = Stream::from_f32(4, [1., 0., 0., 0.].repeat(3));
    let mut scene = bent(Stream::from_u32(4, vec![0; 12]), weights);
    scene.skins[Id::new(0)].inverse_bind[0][15] = 2.;
    scene.skins[Id::new(0)].inverse_bind[1][0] = f32::NAN;
    let (parsed, losses) = glb("odd-binds", &scene);
    let expected =
        ["LOSS-021 skin \"rig\": inverse bind matrices", "LOSS-031 skin \"rig\": inverse bind matrices made valid"];
    assert_eq!(losses, expected);
    let skin = &parsed.json["skins"][0];
    assert_eq!(parsed.floats(&skin["inverseBindMatrices"]), [IDENTITY, IDENTITY].concat());
}

#[test]
fn weights_without_a_skin_are_attributes_of_another_name() {
    let weights = Stream::from_f32(4, [0.5, 0., 0., 0.].repeat(3));
    let mut scene = bent(Stream::from_u32(4, vec![0; 12]), weights);
    scene.skins[Id::new(0)].joints.clear();
    let (parsed, losses) = glb("no-joints", &scene);
    let expected =
        ["LOSS-002 skin \"rig\": skin", "LOSS-014 mesh 0: JOINTS_0 renamed", "LOSS-014 mesh 0: WEIGHTS_0 renamed"];
    assert_eq!(losses, expected);
    let primitive = parsed.primitive(0);
    assert_eq!(parsed.floats(&primitive["attributes"]["_WEIGHTS_0"])[0], 0.5);
    assert_eq!((parsed.json.get("skins"), parsed.json["nodes"][2].get("skin")), (None, None));
}

#[test]
fn skin_of_a_node_without_a_mesh_is_a_note() {
    let weights = Stream::from_f32(4, [1., 0., 0., 0.].repeat(3));
    let mut scene = bent(Stream::from_u32(4, vec![0; 12]), weights);
    scene.nodes[Id::new(0)].skin = Some(Id::new(0));
    let (parsed, losses) = glb("skin-note", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["nodes"][0], json!({"name": "tip", "extras": {"pentad": {"skin": 0}}}));
}
