//! Animations: tracks, easings, and what glTF refuses.

use scene::*;
use serde_json::{Value as Json, json};

use crate::support::*;

const QUARTER: f32 = std::f32::consts::FRAC_1_SQRT_2;

fn channel(track: Track, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
    let (times, values) = (times.to_vec(), values.to_vec());
    Channel { node: Some(Id::new(0)), track, times, values, interpolation, relative: false }
}

/// A node, moved.
fn moved(channels: Vec<Channel>) -> Scene {
    let mut scene = Scene::new();
    scene.add_root(Node::default());
    scene.animations.add(Animation { name: "walk".into(), channels, ..Animation::default() });
    scene
}

/// Times, values and interpolation of a channel.
fn sampled(parsed: &Parsed, channel: usize) -> (Vec<f32>, Vec<f32>, Json) {
    let animation = &parsed.json["animations"][0];
    let sampler = &animation["samplers"][animation["channels"][channel]["sampler"].as_u64().unwrap() as usize];
    (parsed.floats(&sampler["input"]), parsed.floats(&sampler["output"]), sampler["interpolation"].clone())
}

#[test]
fn tracks_of_every_kind() {
    let cubic = [9., 9., 9., 0., 0., 0., 1., 0., 0., 0., 2., 0., 1., 1., 1., 8., 8., 8.];
    let mut scene = moved(vec![
        channel(Track::Translation, Interpolation::Cubic, &[0., 2.], &cubic),
        channel(Track::Rotation, Interpolation::Linear, &[0.5, 1.], &[0., 0., 0., 1., 0., 0., QUARTER, QUARTER]),
        channel(Track::Scale, Interpolation::Step, &[0.5, 1.], &[1., 1., 1., 2., 2., 2.]),
        channel(Track::Weights, Interpolation::Linear, &[0.5, 1.], &[0., 1., 0.25, 0.75]),
    ]);
    let target = || MorphTarget {
        attributes: vec![Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![1.; 9]) }],
    };
    let part = Primitive { targets: vec![target(), target()], ..triangle() };
    let mesh = scene.meshes.add(mesh_of(vec![part]));
    scene.nodes[Id::new(0)].mesh = Some(mesh);
    scene.animations[Id::new(0)].frame_rate = Some(30.);
    let (parsed, losses) = glb("tracks", &scene);
    assert_eq!(losses, [""; 0]);
    let animation = &parsed.json["animations"][0];
    let target = |sampler, path| json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    let channels = [target(0, "translation"), target(1, "rotation"), target(2, "scale"), target(3, "weights")];
    assert_eq!(animation["channels"], json!(channels));
    assert_eq!(animation["extras"]["pentad"], json!({"frame_rate": {"f32": 30}}));
    assert_eq!(sampled(&parsed, 0), (vec![0., 2.], cubic.to_vec(), json!("CUBICSPLINE")));
    assert_eq!(sampled(&parsed, 2).2, "STEP");
    assert_eq!(sampled(&parsed, 3), (vec![0.5, 1.], vec![0., 1., 0.25, 0.75], Json::Null));
    // Equal times are one accessor, which says where they begin and end.
    let input = |i: usize| animation["samplers"][i]["input"].clone();
    assert_eq!((input(1), input(2)), (input(2), input(3)));
    let (times, _) = parsed.accessor(&input(1));
    assert_eq!((&times["min"], &times["max"]), (&json!([0.5]), &json!([1])));
}

#[test]
fn equal_samplers_are_shared() {
    let values = [1., 1., 1., 2., 2., 2.];
    let mut scene = moved(vec![
        channel(Track::Translation, Interpolation::Linear, &[0., 1.], &values),
        channel(Track::Scale, Interpolation::Linear, &[0., 1.], &values),
    ]);
    scene.add_root(Node::default());
    let other = Channel { node: Some(Id::new(1)), ..scene.animations[Id::new(0)].channels[0].clone() };
    scene.animations[Id::new(0)].channels.push(other);
    let (parsed, losses) = glb("shared-samplers", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["animations"][0]["samplers"], json!([{"input": 0, "output": 1}]));
    assert_eq!(parsed.json["animations"][0]["channels"].as_array().unwrap().len(), 3);
}

#[test]
fn easings_of_third_degree_are_splines_without_loss() {
    let (from, to) = ([0., 0., 0.], [4., 0., -8.]);
    let values = [from, to].concat();
    let eased = |easing, ease| channel(Track::Translation, Interpolation::Eased(easing, ease), &[1., 3.], &values);
    let out = eased(Easing::Quadratic, Ease::Out);
    let mut both = eased(Easing::Cubic, Ease::InOut);
    both.track = Track::Scale;
    let (parsed, losses) = glb("splines", &moved(vec![out, both]));
    assert_eq!(losses, [""; 0]);
    // 1 − (1 − u)² leaves with twice the even speed, which is 2 and −4 per second, and arrives at rest.
    let spline = [[0.; 3], from, [4., 0., -8.], [0.; 3], to, [0.; 3]].concat();
    assert_eq!(sampled(&parsed, 0), (vec![1., 3.], spline, json!("CUBICSPLINE")));
    // Cubic on both sides: half-way in the middle, three times as fast.
    let fast = [6., 0., -12.];
    let spline = [[0.; 3], from, [0.; 3], fast, [2., 0., -4.], fast, [0.; 3], to, [0.; 3]].concat();
    assert_eq!(sampled(&parsed, 1), (vec![1., 2., 3.], spline, json!("CUBICSPLINE")));
}

#[test]
fn other_easings_are_lines_and_the_error_is_said() {
    let half_turn = [0., 0., 0., 1., 0., 0., 1., 0.];
    let turn = channel(Track::Rotation, Interpolation::Eased(Easing::Quadratic, Ease::In), &[0., 1.], &half_turn);
    let bezier = Interpolation::Bezier { first: [0.42, 0.], second: [0.58, 1.] };
    let slide = channel(Track::Translation, bezier, &[0., 1.], &[0., 0., 0., 1., 2., 4.]);
    let (parsed, losses) = glb("easings", &moved(vec![turn, slide]));
    let expected = ["LOSS-053 animation \"walk\": rotation track", "LOSS-053 animation \"walk\": translation track"];
    assert_eq!(losses, expected);
    // A line of length h is h²/4 below u²: sixteen lines leave 1/1024.
    let (times, values, interpolation) = sampled(&parsed, 0);
    assert_eq!((times.len(), times[4], interpolation), (17, 0.25, Json::Null));
    let angle = std::f32::consts::PI * 0.25 * 0.25;
    let found = &values[16..20];
    assert!((found[2] - (angle / 2.).sin()).abs() < 1e-6 && (found[3] - (angle / 2.).cos()).abs() < 1e-6, "{found:?}");
    let (times, values, _) = sampled(&parsed, 1);
    let middle = times.iter().position(|time| *time == 0.5).unwrap();
    let found = &values[middle * 3..middle * 3 + 3];
    assert!(found.iter().zip([0.5, 1., 2.]).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
}

#[test]
fn straight_bezier_is_a_line() {
    let straight = Interpolation::Bezier { first: [0.25, 0.25], second: [0.75, 0.75] };
    let values = [0., 0., 0., 1., 2., 4.];
    let (parsed, losses) = glb("straight", &moved(vec![channel(Track::Scale, straight, &[0., 1.], &values)]));
    assert_eq!(losses, [""; 0]);
    assert_eq!(sampled(&parsed, 0), (vec![0., 1.], values.to_vec(), Json::Null));
}

#[test]
fn relative_tracks_start_from_the_rest_pose() {
    let relative =
        |track, values: &[f32]| Channel { relative: true, ..channel(track, Interpolation::Linear, &[0.], values) };
    let spline = [1., 0., 0., 1., 1., 1., 0., 1., 0., 0., 0., 0., 2., 2., 2., 0., 0., 0.];
    let mut scene = moved(vec![
        Channel { relative: true, ..channel(Track::Translation, Interpolation::Cubic, &[0., 1.], &spline) },
        relative(Track::Rotation, &[0., 0., QUARTER, QUARTER]),
        relative(Track::Scale, &[2., 3., 0.5]),
    ]);
    let rest = Transform::Trs { translation: [10., 0., 0.], rotation: [QUARTER, 0., 0., QUARTER], scale: [2., 2., 4.] };
    scene.nodes[Id::new(0)].transform = rest;
    let (parsed, losses) = glb("relative", &scene);
    assert_eq!(losses, [""; 0]);
    let shifted = [1., 0., 0., 11., 1., 1., 0., 1., 0., 0., 0., 0., 12., 2., 2., 0., 0., 0.];
    assert_eq!(sampled(&parsed, 0), (vec![0., 1.], shifted.to_vec(), json!("CUBICSPLINE")));
    // A quarter turn around X after one around Z: (i + 1)(k + 1) / 2 = (i − j + k + 1) / 2.
    let turned = sampled(&parsed, 1).1;
    assert!(turned.iter().zip([0.5, -0.5, 0.5, 0.5]).all(|(a, b)| (a - b).abs() < 1e-6), "{turned:?}");
    assert_eq!(sampled(&parsed, 2).1, [4., 6., 2.]);
}

#[test]
fn what_gltf_cannot_move_is_carried_and_listed() {
    let glow = Track::Other { word: "GLOW".into(), width: 1 };
    let slide = channel(Track::Translation, Interpolation::Linear, &[0.], &[1., 2., 3.]);
    let (parsed, losses) = glb(
        "unheard-of",
        &moved(vec![
            channel(glow, Interpolation::Step, &[0., 1.], &[0.5, 1.]),
            slide.clone(),
            slide.clone(),
            Channel { node: None, ..slide.clone() },
            channel(Track::Weights, Interpolation::Linear, &[0.], &[1.]),
            channel(Track::Scale, Interpolation::Linear, &[0., 1.], &[1.]),
            channel(Track::Rotation, Interpolation::Linear, &[], &[]),
        ]),
    );
    let place = "LOSS-054 animation \"walk\"";
    let lost = ["GLOW", "translation", "weights", "scale"];
    let counts = ["", " (x2)", "", ""];
    let lines: Vec<String> = lost.iter().zip(counts).map(|(word, n)| format!("{place}: {word} track{n}")).collect();
    assert_eq!(losses, lines);
    let animation = &parsed.json["animations"][0];
    assert_eq!(animation["channels"], json!([{"sampler": 0, "target": {"node": 0, "path": "translation"}}]));
    let kept = animation["extras"]["pentad"]["channels"].as_array().unwrap();
    let places: Vec<_> = kept.iter().map(|channel| channel["at"].as_u64().unwrap()).collect();
    assert_eq!(places, [0, 2, 3, 4, 5, 6]);
    let glow = &kept[0];
    assert_eq!((&glow["track"], &glow["width"], &glow["node"]), (&json!("GLOW"), &json!(1), &json!(0)));
    assert_eq!(glow["values"], json!({"bytes": "0000003f0000803f"}));
    assert_eq!(kept[5], json!({"interpolation": "linear", "at": 6, "node": 0, "track": "rotation"}));
}

#[test]
fn animation_of_nothing_is_carried_by_the_scene() {
    let glow = Track::Other { word: "GLOW".into(), width: 1 };
    let (parsed, losses) = glb("silent", &moved(vec![channel(glow, Interpolation::Linear, &[0.], &[1.])]));
    assert_eq!(losses, ["LOSS-054 animation \"walk\": GLOW track"]);
    assert_eq!(parsed.json.get("animations"), None);
    let kept = &parsed.json["scenes"][0]["extras"]["pentad"]["file"]["channels"][0];
    assert_eq!((&kept["at"], &kept["name"]), (&json!(0), &json!("walk")));
    assert_eq!(kept["extras"]["pentad"]["channels"][0]["track"], "GLOW");
}

#[test]
fn bad_keys_are_mended() {
    // Twice the same time is a jump; then time runs backwards, and a value is no number.
    let times = [0., 1., 1., 0.5, 2.];
    let values = [0., 0., 0., 1., 1., 1., 5., 5., 5., 9., 9., 9., f32::NAN, 6., 6.];
    let turn = channel(Track::Rotation, Interpolation::Linear, &[0., 1.], &[0., 0., 0., 2., 0., 0., 0., 0.]);
    let slide = channel(Track::Translation, Interpolation::Linear, &times, &values);
    let (parsed, losses) = glb("bad-keys", &moved(vec![slide, turn]));
    let place = "LOSS-051 animation \"walk\"";
    assert_eq!(
        losses,
        [
            "LOSS-021 animation \"walk\": keys of a translation track".to_owned(),
            format!("{place}: keys of a translation track (x2)"),
            format!("{place}: keys of a rotation track (x2)")
        ]
    );
    let (times, values, _) = sampled(&parsed, 0);
    assert_eq!(times, [0., 1., 1_f32.next_up(), 2.]);
    assert_eq!(values, [0., 0., 0., 1., 1., 1., 5., 5., 5., 0., 6., 6.]);
    assert_eq!(sampled(&parsed, 1).1, [0., 0., 0., 1.].repeat(2));
}

#[test]
fn keys_before_zero_become_one_at_zero() {
    let slide = channel(Track::Translation, Interpolation::Linear, &[-1., 3.], &[0., 0., 0., 4., 8., 0.]);
    let jump = channel(Track::Scale, Interpolation::Step, &[-2., -1.], &[1., 1., 1., 2., 2., 2.]);
    let (parsed, losses) = glb("early", &moved(vec![slide, jump]));
    let place = "LOSS-051 animation \"walk\"";
    assert_eq!(
        losses,
        [format!("{place}: keys of a translation track"), format!("{place}: keys of a scale track (x2)")]
    );
    assert_eq!(sampled(&parsed, 0), (vec![0., 3.], vec![1., 2., 0., 4., 8., 0.], Json::Null));
    assert_eq!(sampled(&parsed, 1), (vec![0.], vec![2., 2., 2.], json!("STEP")));
}

#[test]
fn spline_of_one_key_is_that_key() {
    let spline = channel(Track::Scale, Interpolation::Cubic, &[1.], &[9., 9., 9., 1., 2., 3., 9., 9., 9.]);
    let (parsed, losses) = glb("one-key", &moved(vec![spline]));
    assert_eq!(losses, [""; 0]);
    assert_eq!(sampled(&parsed, 0), (vec![1.], vec![1., 2., 3.], Json::Null));
}

#[test]
fn matrix_of_a_moved_node_is_taken_apart() {
    let mut scene = moved(vec![channel(Track::Scale, Interpolation::Linear, &[0.], &[1., 1., 1.])]);
    let columns = [0., 2., 0., 0., -3., 0., 0., 0., 0., 0., 4., 0., 5., 6., 7., 1.];
    scene.nodes[Id::new(0)].transform = Transform::Matrix(columns);
    let (parsed, losses) = glb("moved-matrix", &scene);
    assert_eq!(losses, [""; 0]);
    let node = &parsed.json["nodes"][0];
    assert_eq!(
        (node.get("matrix"), &node["translation"], &node["scale"]),
        (None, &json!([5, 6, 7]), &json!([2, 3, 4]))
    );
    assert_eq!(node.get("extras"), None);
}

#[test]
fn weights_of_one_shape_per_key_are_sparse() {
    const SHAPES: usize = 80;
    let mut weights = vec![0.; SHAPES * SHAPES];
    (0..SHAPES).for_each(|i| weights[i * SHAPES + i] = 1.);
    let times: Vec<f32> = (0..SHAPES).map(|i| i as f32).collect();
    let mut scene = moved(vec![channel(Track::Weights, Interpolation::Linear, &times, &weights)]);
    let target = || MorphTarget {
        attributes: vec![Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![1.; 9]) }],
    };
    let primitive = Primitive { targets: (0..SHAPES).map(|_| target()).collect(), ..triangle() };
    let range = || MorphRange { name: Name::default(), default: 0., min: 0., max: 1. };
    let mesh = Mesh { morphs: (0..SHAPES).map(|_| range()).collect(), ..mesh_of(vec![primitive]) };
    scene.nodes[Id::new(0)].mesh = Some(scene.meshes.add(mesh));
    let (parsed, losses) = glb("sparse", &scene);
    assert_eq!(losses, [""; 0]);
    let output = parsed.json["animations"][0]["samplers"][0]["output"].as_u64().unwrap() as usize;
    let accessor = &parsed.json["accessors"][output];
    assert_eq!((&accessor["count"], &accessor["sparse"]["count"]), (&json!(SHAPES * SHAPES), &json!(SHAPES)));
    assert_eq!(accessor.get("bufferView"), None);
    let (_, file, _) = package::<formats::gltf::Glb>(&scene, &Default::default());
    let doc = <formats::gltf::Glb as formats::Format>::read(wire::Blob::memory(file), &mut Default::default()).unwrap();
    let mut cx = formats::LiftCx::new(&formats::NoSource);
    let back = <formats::gltf::Glb as formats::Format>::lift(&doc, &mut cx).unwrap();
    assert_eq!(back.animations[Id::new(0)].channels[0].values, weights);
}
