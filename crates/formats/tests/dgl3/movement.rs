//! Bones, frames and what moves otherwise: every vertex at every frame.

use formats::Options;
use formats::dgl3::Document;
use glam::{DMat4, DVec3};
use scene::sample::Pose;
use scene::{
    Animation, Channel, Id, Interpolation, Mesh, MorphRange, MorphTarget, Node, Primitive, Scene, Semantic, Skin,
    Stream, Topology, Track, Transform,
};
use testing::Files;

use crate::support::*;

/// Largest distance, as a share of the diagonal, that the issue allows.
const ALLOWED: f64 = 1e-5;

/// The positions of all vertices that nodes show, at each of these times.
fn positions(scene: &Scene, animation: usize, times: &[f32]) -> Vec<Vec<DVec3>> {
    let animation = &scene.animations[Id::new(animation)];
    let at = |&time: &f32| {
        let pose = Pose::at(scene, animation, time);
        let mut all = Vec::new();
        for (id, _) in scene.placed(0) {
            let Some(mesh) = scene.nodes[id].mesh else { continue };
            scene.meshes[mesh].primitives.iter().for_each(|p| all.extend(pose.positions(scene, id, p)));
        }
        all
    };
    times.iter().map(at).collect()
}

fn assert_near(a: &[Vec<DVec3>], b: &[Vec<DVec3>], allowed: f64) {
    let all = a.iter().flatten();
    let (low, high) = all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let diagonal = (high - low).length();
    for (frame, (a, b)) in a.iter().zip(b).enumerate() {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((*a - *b).length() <= allowed * diagonal, "frame {frame}: {a} is {b} after the way");
        }
    }
}

fn again(scene: &Scene, options: &Options) -> (Document, Scene, Vec<String>) {
    let lowered = lower_with(scene, "engine", options, &formats::NoSource);
    let doc = read(&write(&lowered.doc));
    let scene = lift(&doc);
    let told = |loss: &findings::Loss| match loss.size {
        Some(size) => format!("{loss}, {size:.1e} of the model"),
        None => loss.to_string(),
    };
    (doc, scene, lowered.losses.iter().map(told).collect())
}

#[test]
fn bones_and_frames_come_back_as_they_were() {
    let doc = read(&corpus::dgl3::model(false));
    let scene = lift(&doc);
    assert_eq!((scene.skins.len(), scene.animations.len()), (4, 5), "two entities share a skinned mesh");
    let (_, back, losses) = again(&scene, &Options::default());
    assert!(losses.is_empty(), "{losses:?}");
    for animation in 0..scene.animations.len() {
        let times: Vec<f32> = (0..9).map(|i| i as f32 / 48.).collect();
        assert_near(&positions(&scene, animation, &times), &positions(&back, animation, &times), ALLOWED);
    }
}

#[test]
fn a_bone_that_is_not_listed_rests() {
    let skinned = testing::sample("dgl3", "skinned");
    let scene = lift(&read(&skinned));
    // In the second frame only bone 1 is listed: turned by (0, 0, 0.6, 0.8), stretched by 2 along y, moved.
    let moved = &positions(&scene, 0, &[1. / 24.])[0];
    // Vertex 2 hangs on bone 1 alone: from (0, 1, 0) to (0, 0.5, 0) below the bone.
    let expected = DVec3::new(-2. * 0.6 * 0.8, (1. - 2. * 0.6 * 0.6) * 1., 0.) + DVec3::new(0., 0.5, 0.25);
    assert!((moved[2] - expected).length() < 1e-6, "{} instead of {expected}", moved[2]);
    assert_eq!(moved[0], DVec3::ZERO, "vertex 0 hangs on bone 0, which rests");
}

#[test]
fn morph_frames_are_targets_that_follow_each_other() {
    let morphed = testing::sample("dgl3", "morphed");
    let scene = lift(&read(&morphed));
    assert_eq!(scene.meshes[Id::new(0)].morphs.len(), 2);
    let found = positions(&scene, 0, &[0., 0.5 / 12., 1. / 12.]);
    let of_second = |at: usize| found[at][1];
    assert_eq!(of_second(0), DVec3::new(1., 0., 0.));
    assert!((of_second(1) - DVec3::new(1., 0., 0.25)).length() < 1e-6);
    assert_eq!(of_second(2), DVec3::new(1., 0., 0.5));
}

/// A scene as glTF might have it: a skin whose joints rest turned, below nodes that are moved, turned and scaled.
fn foreign() -> (Scene, Id<Node>) {
    let mut scene = Scene::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let trs = |translation, rotation, scale: f32| Transform::Trs { translation, rotation, scale: [scale; 3] };
    let tip = scene.nodes.add(Node { transform: trs([0., 1., 0.], [0., half, 0., half], 1.), ..Node::default() });
    let root = scene.nodes.add(Node {
        transform: trs([0.25, 0., 0.], [half, 0., 0., half], 1.),
        children: vec![tip],
        ..Node::default()
    });
    let arm = Node { transform: trs([3., 0., 0.], [0., 0., half, half], 2.), children: vec![root], ..Node::default() };
    let arm = scene.nodes.add(arm);
    let primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 2., 0.]))
        .with(Semantic::Normal, Stream::from_f32(3, [0., 0., 1.].repeat(3)))
        .with(Semantic::TexCoord(0), Stream::from_f32(2, vec![0.; 6]))
        .with(Semantic::Joints(0), Stream::from_u32(4, vec![0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]))
        .with(Semantic::Weights(0), Stream::from_f32(4, vec![0.5, 0.5, 0., 0., 0.75, 0.25, 0., 0., 1., 0., 0., 0.]));
    let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let shown = Node { mesh: Some(mesh), transform: trs([0., 5., 0.], [0., 0., 0., 1.], 1.), ..Node::default() };
    let shown = scene.nodes.add(shown);
    let top = Node { children: vec![arm, shown], ..Node::default() };
    scene.add_root(top);
    // Bound in the pose at rest, as seen from the mesh's node.
    let rest = Pose::rest(&scene);
    let place = DMat4::from_translation(DVec3::new(0.1, 0.2, 0.3));
    let bind = |joint| {
        let world: DMat4 = rest.world(joint).expect("placed");
        (world.inverse() * place).to_cols_array().map(|v| v as f32)
    };
    let skin = Skin { joints: vec![root, tip], inverse_bind: vec![bind(root), bind(tip)], ..Skin::default() };
    let skin = scene.skins.add(skin);
    scene.nodes[shown].skin = Some(skin);
    let channel = |node, track, values: &[f32]| Channel {
        node: Some(node),
        track,
        times: vec![0., 0.5, 1.],
        values: values.to_vec(),
        interpolation: Interpolation::Linear,
        relative: false,
    };
    let channels = vec![
        channel(root, Track::Rotation, &[half, 0., 0., half, 0., 0., 0., 1., 0., half, 0., half]),
        channel(tip, Track::Translation, &[0., 1., 0., 0.5, 1., 0., 0., 2., 0.]),
        channel(arm, Track::Scale, &[2., 2., 2., 1., 1., 1., 3., 3., 3.]),
    ];
    scene.animations.add(Animation { name: "bend".into(), channels, ..Animation::default() });
    (scene, shown)
}

#[test]
fn a_foreign_skeleton_is_bound_anew() {
    let (scene, _) = foreign();
    let mut options = Options::default();
    options.set("fps", "24");
    let (doc, back, losses) = again(&scene, &options);
    let block = doc.meshes[0].body.as_ref().and_then(|body| body.skeletal.as_ref()).expect("bones");
    assert_eq!((block.bones.len(), block.frames_per_second, block.animations[0].frames.len()), (2, 24, 25));
    let times: Vec<f32> = (0..25).map(|i| i as f32 / 24.).collect();
    assert_near(&positions(&scene, 0, &times), &positions(&back, 0, &times), ALLOWED);
    assert!(losses.iter().any(|loss| loss.starts_with("LOSS-040")), "{losses:?}");
    let (_, third, losses) = again(&back, &Options::default());
    assert!(losses.is_empty(), "{losses:?}");
    assert_near(&positions(&back, 0, &times), &positions(&third, 0, &times), 0.);
}

#[test]
fn a_mesh_that_moves_as_a_whole_gets_a_bone() {
    let (mut scene, shown) = foreign();
    scene.skins.clear();
    scene.nodes[shown].skin = None;
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.attributes.retain(|a| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_)));
    }
    for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
        channel.node = Some(shown);
    }
    let (doc, back, _) = again(&scene, &Options::default());
    let block = doc.meshes[0].body.as_ref().and_then(|body| body.skeletal.as_ref()).expect("a bone");
    assert_eq!((block.bones.len(), block.frames_per_second), (1, 30));
    let times: Vec<f32> = (0..31).map(|i| i as f32 / 30.).collect();
    assert_near(&positions(&scene, 0, &times), &positions(&back, 0, &times), ALLOWED);
}

#[test]
fn what_starts_and_ends_slowly_is_off_beside_the_middle() {
    let (mut scene, shown) = foreign();
    scene.skins.clear();
    scene.nodes[shown].skin = None;
    // From one frame to the next: in the middle it is where a straight line is, at a quarter it is not.
    let channel = Channel {
        node: Some(shown),
        track: Track::Translation,
        times: vec![0., 1. / 30.],
        values: vec![0., 0., 0., 9., 0., 0.],
        interpolation: Interpolation::Bezier { first: [0.25, 0.], second: [0.75, 1.] },
        relative: false,
    };
    scene.animations.clear();
    scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
    let (_, _, losses) = again(&scene, &Options::default());
    // At a quarter the curve has come 0.1824 of its way of 9, and the model at rest measures the root of 5.
    assert!((told(&losses, "LOSS-040") - 0.272).abs() < 0.01, "{losses:?}");
}

/// How far a loss says that movement is off.
fn told(losses: &[String], code: &str) -> f64 {
    let told = losses.iter().find(|loss| loss.starts_with(code)).expect("it is told");
    let words: Vec<&str> = told.split(' ').collect();
    let error = words.windows(2).find(|pair| pair[1] == "of").and_then(|pair| pair[0].parse().ok());
    error.expect("how far it is off")
}

/// What is turned below a parent that grows to three times its length is sheared, whichever frames there are.
#[test]
fn what_bones_cannot_say_is_told_apart_from_what_frames_cannot() {
    let (mut scene, shown) = foreign();
    scene.skins.clear();
    scene.nodes[shown].skin = None;
    let (sin, cos) = std::f32::consts::FRAC_PI_8.sin_cos();
    let turned = Transform::Trs { translation: [0.; 3], rotation: [0., 0., sin, cos], scale: [1.; 3] };
    let mesh = scene.nodes[shown].mesh.take();
    let child = scene.nodes.add(Node { mesh, transform: turned, ..Node::default() });
    scene.nodes[shown].transform = Transform::default();
    scene.nodes[shown].children = vec![child];
    let values = vec![1., 1., 1., 3., 1., 1.];
    let grow = Channel { times: vec![0., 0.5], values, ..slide(Some(shown), Track::Scale) };
    scene.animations.clear();
    scene.animations.add(Animation { channels: vec![grow], ..Animation::default() });
    let [(sampled, sheared), (finer, same)] = ["10", "1000"].map(|rate| {
        let mut options = Options::default();
        options.set("fps", rate);
        let (_, _, losses) = again(&scene, &options);
        (told(&losses, "LOSS-040"), told(&losses, "LOSS-031"))
    });
    assert!(sampled > 1e-4 && finer < sampled / 100., "{sampled} {finer}");
    assert!(sheared > 0.05 && same == sheared, "{sheared} {same}");
    scene.nodes[child].transform = Transform::default();
    let (_, _, losses) = again(&scene, &Options::default());
    assert!(!losses.iter().any(|loss| loss.starts_with("LOSS-031")), "{losses:?}");
}

#[test]
fn morph_targets_without_an_animation_are_frames() {
    let (mut scene, _) = foreign();
    scene.animations.clear();
    let delta = Stream::from_f32(3, vec![0., 0., 1., 0., 0., 2., 0., 0., 3.]);
    for mesh in scene.meshes.iter_mut() {
        mesh.morphs = vec![MorphRange { name: "wide".into(), default: 0.5, min: 0., max: 1. }];
        let attribute = scene::Attribute { semantic: Semantic::Position, stream: delta.clone() };
        mesh.primitives[0].targets = vec![MorphTarget { attributes: vec![attribute] }];
    }
    let (doc, back, losses) = again(&scene, &Options::default());
    let morph = doc.meshes[0].body.as_ref().and_then(|body| body.morph.as_ref()).expect("frames");
    assert_eq!(morph.animations[0].frames.0[0].vertices.get(2), Some([0., 2., 3.].map(wire::F32)));
    assert_eq!(back.meshes[Id::new(0)].primitives[0].targets.len(), 1);
    assert!(losses.iter().any(|loss| loss.contains("weights of morph targets at rest")), "{losses:?}");
}

#[test]
fn a_rate_that_is_none_is_refused() {
    let (scene, _) = foreign();
    for rate in ["0", "-1", "fast", "1001"] {
        let mut options = Options::default();
        options.set("fps", rate);
        let mut cx = formats::LowerCx { options: &options, ..formats::LowerCx::new(&formats::NoSource, "spec") };
        let lowered = <formats::dgl3::Dgl3 as formats::Format>::lower(&scene, &mut cx);
        assert!(lowered.is_err(), "{rate}");
    }
}

#[test]
fn endless_animations_are_refused() {
    for last in [1e12, f32::MAX] {
        let (mut scene, _) = foreign();
        for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
            channel.times[2] = last;
        }
        let mut cx = formats::LowerCx::new(&formats::NoSource, "spec");
        let lowered = <formats::dgl3::Dgl3 as formats::Format>::lower(&scene, &mut cx);
        assert!(lowered.is_err_and(|error| error.is_limit()));
    }
}

/// What moves along: a key at the start and one a second later.
fn slide(node: Option<Id<Node>>, track: Track) -> Channel {
    let values = vec![0., 0., 0., 1., 0., 0.];
    Channel { node, track, times: vec![0., 1.], values, interpolation: Interpolation::Linear, relative: false }
}

/// The losses of a scene, without those that binding and sampling make.
fn losses_of(scene: &Scene) -> Vec<String> {
    let losses = lower(scene, "engine").losses;
    let told = losses.iter().filter(|loss| !["LOSS-008", "LOSS-040", "LOSS-044"].contains(&loss.code));
    told.map(|loss| format!("{} {} {} {}", loss.code, loss.subject, loss.count, loss.what)).collect()
}

#[test]
fn animations_that_move_no_mesh_are_listed() {
    let (mut scene, _) = foreign();
    let rest = losses_of(&scene);
    let light = scene.lights.add(scene::Light {
        name: "lamp".into(),
        kind: scene::LightKind::Point,
        color: [1.; 3],
        intensity: 1.,
        range: None,
        extras: Default::default(),
    });
    let lamp = scene.add_root(Node { name: "lamp".into(), light: Some(light), ..Node::default() });
    let hook = scene.add_root(Node { name: "hook".into(), ..Node::default() });
    let named = |name: &str, channels| Animation { name: name.into(), channels, ..Animation::default() };
    scene.animations.add(named("swing", vec![slide(Some(lamp), Track::Translation)]));
    scene.animations.add(named("sway", vec![slide(Some(hook), Track::Translation)]));
    scene.animations.add(named("nothing", Vec::new()));
    let mut all = rest;
    all.extend([
        "LOSS-001 animation \"swing\" 1 animation".to_owned(),
        "LOSS-001 animation \"sway\" 1 animation".to_owned(),
        "LOSS-001 animation \"nothing\" 1 animation".to_owned(),
    ]);
    assert_eq!(losses_of(&scene), all);
}

#[test]
fn an_animation_of_several_meshes_is_split_and_listed() {
    let (mut scene, _) = foreign();
    let mut all = losses_of(&scene);
    let mesh = scene.nodes.iter().find_map(|node| node.mesh).expect("a mesh");
    let crate_of = |scene: &mut Scene| scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let (one, same, other) = (crate_of(&mut scene), crate_of(&mut scene), crate_of(&mut scene));
    let mut channels: Vec<Channel> = [one, same, other].map(|node| slide(Some(node), Track::Translation)).into();
    channels[2].values[3] = 2.;
    scene.animations.add(Animation { name: "push".into(), channels, ..Animation::default() });
    // Two move alike and share a record.
    let split = losses_of(&scene).into_iter().filter(|loss| loss.starts_with("LOSS-073"));
    all.retain(|loss| loss.starts_with("LOSS-073"));
    all.push("LOSS-073 animation \"push\" 2 one animation of several meshes".to_owned());
    assert_eq!(split.collect::<Vec<_>>(), all);
}

#[test]
fn many_frames_of_a_shape_are_read_as_far_as_asked() {
    let morphed = testing::sample("dgl3", "morphed");
    let mut doc = read(&morphed);
    let body = doc.meshes[0].edit().body.as_mut().expect("a shape");
    let frames = &mut body.morph.as_mut().expect("frames").animations[0].frames.0;
    let one = frames[0].clone();
    // So many targets, each with a weight in each frame.
    frames.resize(1000, one);
    let lifted = |max_inflate: u64| {
        let limits = wire::Limits { max_inflate, ..Default::default() };
        let mut cx = formats::LiftCx { limits: limits.into(), ..formats::LiftCx::new(&formats::NoSource) };
        <formats::dgl3::Dgl3 as formats::Format>::lift(&doc, &mut cx)
    };
    assert!(lifted(4_000_000).is_ok());
    let error = lifted(3_999_999).expect_err("too many");
    assert!(error.is_limit() && error.help().is_some_and(|help| help.contains("--max-inflate")), "{error}");
}

#[test]
fn channels_that_do_not_arrive_are_listed() {
    let (mut scene, _) = foreign();
    let mut all = losses_of(&scene);
    let hook = scene.add_root(Node { name: "hook".into(), ..Node::default() });
    let visible = Track::Other { word: "visible".into(), width: 3 };
    for animation in scene.animations.iter_mut() {
        animation.channels.extend([
            slide(Some(hook), Track::Translation),
            slide(None, Track::Translation),
            slide(None, Track::Scale),
            slide(Some(hook), visible.clone()),
            slide(Some(hook), Track::Weights),
        ]);
    }
    all.extend([
        "LOSS-054 animation \"bend\" 1 track \"visible\"".to_owned(),
        "LOSS-054 animation \"bend\" 1 track that moves no mesh".to_owned(),
        "LOSS-054 animation \"bend\" 2 track that moves no node".to_owned(),
        "LOSS-054 animation \"bend\" 1 weights of morph targets".to_owned(),
    ]);
    assert_eq!(losses_of(&scene), all);
}

#[test]
fn a_light_that_is_moved_along_is_listed() {
    let (mut scene, _) = foreign();
    let mut all = losses_of(&scene);
    let light = scene.lights.add(scene::Light {
        name: "lamp".into(),
        kind: scene::LightKind::Point,
        color: [1.; 3],
        intensity: 1.,
        range: None,
        extras: Default::default(),
    });
    let lamp = scene.nodes.add(Node { name: "lamp".into(), light: Some(light), ..Node::default() });
    let joint = scene.skins.iter().next().expect("a skin").joints[0];
    scene.nodes[joint].children.push(lamp);
    // What it hangs on is twice as large.
    all.push("LOSS-009 node \"lamp\" 1 scale of a light".to_owned());
    all.push("LOSS-054 node \"lamp\" 1 animation of a light".to_owned());
    assert_eq!(losses_of(&scene), all);
}

#[test]
fn names_of_bones_are_listed_once_per_skin() {
    let (mut scene, _) = foreign();
    let mut all = losses_of(&scene);
    let joints = scene.skins.iter().next().expect("a skin").joints.clone();
    for (joint, name) in joints.into_iter().zip(["root", "tip"]) {
        scene.nodes[joint].name = name.into();
    }
    all.push("LOSS-014 skin 0 2 names of bones".to_owned());
    assert_eq!(losses_of(&scene), all);
}

#[test]
fn name_of_a_skin_is_listed() {
    let (mut scene, _) = foreign();
    let mut all = losses_of(&scene);
    scene.skins.iter_mut().for_each(|skin| skin.name = "arm".into());
    all.push("LOSS-014 skin \"arm\" 1 name of the skin".to_owned());
    assert_eq!(losses_of(&scene), all);
}

#[test]
fn animations_without_names_are_numbered() {
    let mut scene = lift(&read(&corpus::dgl3::model(false)));
    scene.animations.iter_mut().for_each(|animation| animation.name = Default::default());
    scene.origin = None;
    let bytes = write(&lower(&scene, "engine").doc);
    let found = check(&bytes, None, &Files::default());
    assert!(found.iter().all(|finding| finding.rule.id != "DGL3-033"), "two of one name: {found:?}");
}

/// In a scene, as in glTF, the joints say where a skinned mesh stands, and not its node; an entity of DGL3 has a place of
/// its own.
#[test]
fn entity_of_a_skinned_mesh_stands_where_its_joints_have_it() {
    let place = |x: f32| Transform::Trs { translation: [x, 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let mut scene = Scene::new();
    let tip = scene.nodes.add(Node { transform: place(1.), ..Node::default() });
    let base = scene.add_root(Node { transform: place(5.), children: vec![tip], ..Node::default() });
    let shape = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]))
        .with(Semantic::Joints(0), Stream::from_u32(4, vec![0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        .with(Semantic::Weights(0), Stream::from_f32(4, [1., 0., 0., 0.].repeat(3)));
    let mesh = scene.meshes.add(Mesh { primitives: vec![shape], ..Mesh::default() });
    let back = |x: f32| DMat4::from_translation(DVec3::new(-f64::from(x), 0., 0.)).to_cols_array().map(|v| v as f32);
    // Bound at 2 and 3, they rest at 5 and 6: three further on. The node at 40 has no say.
    let skin = Skin { joints: vec![base, tip], inverse_bind: vec![back(2.), back(3.)], ..Skin::default() };
    let skin = Some(scene.skins.add(skin));
    scene.add_root(Node { mesh: Some(mesh), skin, transform: place(40.), ..Node::default() });
    let rise = Channel { values: vec![1., 0., 0., 1., 2., 0.], ..slide(Some(tip), Track::Translation) };
    scene.animations.add(Animation { channels: vec![rise], ..Animation::default() });
    let corner = |scene: &Scene| scene.bounds().expect("a shape").min.x;
    assert_eq!(corner(&scene), 3.);
    let (doc, back, losses) = again(&scene, &Options::default());
    assert_eq!(doc.entities[0].transform.position.map(|v| v.get()), [3., 0., 0.]);
    assert!(!losses.iter().any(|loss| loss.starts_with("LOSS-044")), "{losses:?}");
    assert_eq!(corner(&back), 3.);
    let times = [0., 0.5, 1.];
    assert_near(&positions(&scene, 0, &times), &positions(&back, 0, &times), ALLOWED);
}
