//! Models of other formats: every vertex at every time.

use formats::das2::Das2;
use formats::{Format, LiftCx, ReadCx};
use glam::DVec3;
use scene::sample::Pose;
use scene::{
    Animation, Channel, Id, Interpolation, Mesh, Node, Primitive, Scene, SceneRoot, Semantic, Skin, Stream, Topology,
    Track, Transform,
};
use testing::corpus_dir;
use wire::Blob;

use crate::bridge::{codes, lift, lower};

/// Largest distance, as a share of the diagonal, that the issue allows.
const ALLOWED: f64 = 1e-5;
/// How many times of an animation are looked at.
const TIMES: usize = 30;

/// The places of all vertices that a scene shows, mesh by mesh in the order of their names and first vertices.
fn positions(scene: &Scene, pose: &Pose) -> Vec<Vec<DVec3>> {
    let mut all = Vec::new();
    for (id, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
        let Some(mesh) = scene.nodes[id].mesh else { continue };
        let parts = scene.meshes[mesh].primitives.iter().map(|part| pose.positions(scene, id, part));
        all.push((scene.nodes[id].name.clone(), scene.meshes[mesh].name.clone(), parts.flatten().collect::<Vec<_>>()));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    all.into_iter().map(|(.., points)| points).collect()
}

/// Compares two scenes at rest and at times of each animation.
fn assert_same_movement(was: &Scene, is: &Scene, what: &str) {
    let compare = |a: &Pose, b: &Pose, at: &str| {
        let (a, b) = (positions(was, a), positions(is, b));
        let all = a.iter().flatten();
        let (low, high) = all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        let diagonal = (high - low).length();
        assert_eq!(a.len(), b.len(), "{what}: nodes that show something");
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(a.len(), b.len(), "{what}: vertices");
            for (a, b) in a.iter().zip(b) {
                let off = (*a - *b).length() / diagonal;
                assert!(off <= ALLOWED, "{what} {at}: {a} is {b} after the way, {off:.1e} of the diagonal off");
            }
        }
    };
    if was.meshes.iter().all(|mesh| mesh.morphs.iter().all(|morph| morph.default == 0.)) {
        compare(&Pose::rest(was), &Pose::rest(is), "at rest");
    }
    assert_eq!(was.animations.len(), is.animations.len(), "{what}");
    for (id, animation) in was.animations.entries() {
        let last = animation.channels.iter().filter_map(|c| c.times.last()).fold(0_f32, |a, b| a.max(*b));
        for i in 0..TIMES {
            let time = last * i as f32 / (TIMES - 1) as f32;
            let (a, b) = (Pose::at(was, animation, time), Pose::at(is, &is.animations[id], time));
            compare(&a, &b, &format!("animation {id:?} at {time} s"));
        }
    }
}

fn both_ways(scene: &Scene, what: &str) {
    for dialect in ["spec", "engine"] {
        let (doc, _) = lower(scene, dialect);
        assert_same_movement(scene, &lift(&doc), &format!("{what} as {dialect}"));
    }
}

const MOVING: [&str; 7] = [
    "CesiumMan.glb",
    "Fox.glb",
    "RiggedSimple.glb",
    "AnimatedMorphCube.glb",
    "InterpolationTest.glb",
    "SimpleSkin",
    "SimpleMorph",
];

fn open_gltf(path: &std::path::Path) -> Scene {
    let file = if path.is_dir() {
        let files = std::fs::read_dir(path).expect("a folder").filter_map(|entry| Some(entry.ok()?.path()));
        files.into_iter().find(|file| file.extension().is_some_and(|e| e == "gltf")).expect("a model")
    } else {
        path.to_owned()
    };
    let format = formats::by_extension(file.extension().and_then(|e| e.to_str()).expect("one")).expect("glTF");
    let doc = format.read(Blob::file(std::fs::read(&file).expect("readable")), &mut ReadCx::default()).expect("glTF");
    doc.lift(&mut LiftCx::new(&testing::beside(&file))).expect("a scene")
}

#[test]
fn moving_models_move_alike_after_the_way() {
    let Some(corpus) = corpus_dir() else { return };
    for name in MOVING {
        let scene = open_gltf(&corpus.join("gltf").join(name));
        both_ways(&scene, name);
        for dialect in ["spec", "engine"] {
            let back = testing::through_glb(&lift(&lower(&scene, dialect).0)).0;
            assert_same_movement(&scene, &back, &format!("{name} as {dialect} and GLB"));
        }
    }
}

#[test]
fn real_files_come_back_from_glb() {
    let Some(corpus) = corpus_dir() else { return };
    let mut count = 0;
    for folder in ["reference-api", "reference-converter", "interop", "seed-layout", "historic"] {
        for entry in std::fs::read_dir(corpus.join("das2").join(folder)).expect("a folder") {
            let path = entry.expect("listed").path();
            let bytes = std::fs::read(&path).expect("readable");
            let doc = crate::support::read(&bytes);
            let mut cx = LiftCx::new(&formats::NoSource);
            let scene = Das2::lift(&doc, &mut cx).expect("a scene");
            let dialect = Das2::INFO.written(formats::Document::dialect(&doc));
            let direct = lower(&scene, dialect).0;
            let back = lower(&testing::through_glb(&scene).0, dialect).0;
            let same = crate::support::write(&back) == crate::support::write(&direct);
            assert!(same, "{}: the way through GLB changes it", path.display());
            count += 1;
        }
    }
    assert!(count > 30, "{count} files");
}

/// A skin whose joints hang below a node that moves, beside the node that shows the mesh.
fn foreign() -> Scene {
    let mut scene = Scene::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let trs = |translation, rotation, scale| Transform::Trs { translation, rotation, scale };
    let node = |name: &str, transform, children| Node { name: name.into(), transform, children, ..Node::default() };
    let sword = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 0., 1., 0., 0., 0., 1.]));
    let sword = scene.meshes.add(Mesh { name: "sword".into(), primitives: vec![sword], ..Mesh::default() });
    let held = scene.nodes.add(Node { mesh: Some(sword), ..node("sword", Transform::default(), vec![]) });
    let end = scene.nodes.add(node("end", trs([0., 1., 0.], [0., 0., 0., 1.], [1.; 3]), vec![]));
    let tip = scene.nodes.add(node("tip", trs([0., 1., 0.], [0., half, 0., half], [1.; 3]), vec![end, held]));
    let gap = scene.nodes.add(node("gap", trs([0.5, 0., 0.], [0., 0., 0., 1.], [2.; 3]), vec![tip]));
    let root = scene.nodes.add(node("root", trs([0.25, 0., 0.], [half, 0., 0., half], [1.; 3]), vec![gap]));
    let arm = scene.nodes.add(node("arm", trs([3., 0., 0.], [0., 0., half, half], [1., 2., 1.]), vec![root]));
    let body = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 2., 0.]))
        .with(Semantic::Joints(0), Stream::from_u32(4, vec![0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]))
        .with(Semantic::Weights(0), Stream::from_f32(4, vec![0.5, 0.5, 0., 0., 0.75, 0.25, 0., 0., 1., 0., 0., 0.]));
    let body = scene.meshes.add(Mesh { name: "body".into(), primitives: vec![body], ..Mesh::default() });
    let skin = scene.skins.add(Skin { joints: vec![root, tip], ..Skin::default() });
    let shown = trs([0., 5., 0.], [0., 0., 0., 1.], [1.; 3]);
    let shown = scene.nodes.add(Node { mesh: Some(body), skin: Some(skin), ..node("body", shown, vec![]) });
    scene.add_root(node("top", Transform::default(), vec![arm, shown]));
    let key = |node, track, values: &[f32], interpolation| Channel {
        node: Some(node),
        track,
        times: vec![0., 2.],
        values: values.to_vec(),
        interpolation,
        relative: false,
    };
    let turn = [0., 0., 0., 1., 0., 0., half, half];
    let channels = vec![
        key(arm, Track::Translation, &[0., 0., 0., 1., 2., 3.], Interpolation::Linear),
        key(tip, Track::Rotation, &turn, Interpolation::Linear),
        key(root, Track::Scale, &[1., 1., 1., 2., 2., 2.], Interpolation::Step),
    ];
    scene.animations.add(Animation { name: "wave".into(), channels, ..Animation::default() });
    scene
}

#[test]
fn a_skinned_mesh_moves_to_where_its_joints_hang() {
    let scene = foreign();
    both_ways(&scene, "a skin");
    let (doc, losses) = lower(&scene, "engine");
    assert_eq!(codes(&losses), ["LOSS-008"], "the stretch of the arm is a matrix below it");
    let again = lift(&doc);
    let held = again.nodes.iter().filter(|node| node.name.to_string() == "sword").count();
    assert_eq!(held, 1);
    let (second, _) = lower(&again, "engine");
    assert!(lift(&second) == again, "the way once more changes nothing");
}

/// The names of all nodes that a scene shows.
fn names(scene: &Scene, shown: usize) -> Vec<String> {
    let placed = scene.placed(shown).into_iter();
    let mut names: Vec<String> = placed.map(|(id, _)| scene.nodes[id].name.to_string()).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names
}

#[test]
fn a_skinned_mesh_is_shown_where_it_was_and_its_joints_where_they_were() {
    let mut unshown = foreign();
    let find = |scene: &Scene, name: &str| {
        let mut nodes = scene.nodes.entries().filter(|(_, node)| node.name.to_string() == name);
        nodes.next().map(|(id, _)| id).expect("a node")
    };
    let (top, body) = (find(&unshown, "top"), find(&unshown, "body"));
    unshown.nodes[top].children.retain(|child| *child != body);
    let arm = find(&unshown, "arm");
    // Joints have one number for all axes.
    unshown.nodes[arm].transform =
        Transform::Trs { translation: [3., 0., 0.], rotation: [0., 0., 0., 1.], scale: [2.; 3] };
    let mut twice = unshown.clone();
    twice.scenes[0].nodes = vec![top, body];
    twice.scenes.push(SceneRoot { nodes: vec![top], ..SceneRoot::default() });
    let mut otherwise = twice.clone();
    otherwise.scenes[0].nodes = vec![body];
    for (scene, what) in [(unshown, "in no scene"), (twice, "in one of two"), (otherwise, "in another one")] {
        both_ways(&scene, what);
        let (doc, _) = lower(&scene, "engine");
        let again = lift(&doc);
        assert_eq!(scene.scenes.len(), again.scenes.len(), "{what}");
        for shown in 0..scene.scenes.len() {
            let (mut was, mut is) = (names(&scene, shown), names(&again, shown));
            // Joints below what they bend are beside those that stand alone.
            was.dedup();
            is.dedup();
            is.retain(|name| was.contains(name) || !was.contains(&"body".to_owned()));
            assert_eq!(was, is, "{what}: scene {shown}");
        }
    }
}

#[test]
fn uneven_scales_of_joints_and_keys_are_listed() {
    let mut scene = foreign();
    let channels = &mut scene.animations.iter_mut().next().expect("one").channels;
    channels[2].values[3] = 4.;
    assert_eq!(codes(&lower(&scene, "engine").1), ["LOSS-008", "LOSS-062"]);
}

#[test]
fn cubic_tangents_come_back_as_they_were() {
    let mut scene = foreign();
    let values: Vec<f32> = (0..18).map(|v| v as f32).collect();
    let channels = &mut scene.animations.iter_mut().next().expect("one").channels;
    channels[0] = Channel { values: values.clone(), interpolation: Interpolation::Cubic, ..channels[0].clone() };
    for dialect in ["spec", "engine"] {
        let doc = lower(&scene, dialect).0;
        let stored = doc.parts().channels[0].clone();
        let floats = |bulk: &wire::Bulk<wire::F32>| bulk.iter().map(|v| v.get()).collect::<Vec<f32>>();
        // In and out of the first key, in and out of the second; then both values.
        assert_eq!(floats(&stored.tangents), [0., 1., 2., 6., 7., 8., 9., 10., 11., 15., 16., 17.]);
        assert_eq!(floats(&stored.target_values), [3., 4., 5., 12., 13., 14.]);
        let back = lift(&doc);
        assert_eq!(back.animations[Id::new(0)].channels[0].values, values);
    }
}

#[test]
fn packed_maps_keep_their_channels() {
    let mut scene = Scene::new();
    let source = scene::ImageSource::File { path: "orm.png".into(), bytes: Some(Blob::memory(b"orm.png".to_vec())) };
    let image = scene::Image { name: Default::default(), source, extras: Default::default() };
    let image = scene.images.add(image);
    let texture = scene.textures.add(scene::Texture::new(image));
    let slot = |role, channel| scene::Slot { role, texture, channel, uv_set: 0, strength: 1., transform: None };
    let slots = vec![
        slot(scene::Role::Roughness, scene::ColorChannel::Green),
        slot(scene::Role::Metallic, scene::ColorChannel::Blue),
        slot(scene::Role::Occlusion, scene::ColorChannel::Red),
    ];
    scene.materials.add(scene::Material { slots: slots.clone(), ..scene::Material::default() });
    let (doc, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    assert_eq!(lift(&doc).materials[Id::new(0)].slots, slots);
    // One map alone says nothing about the other.
    assert_eq!(codes(&lower(&scene, "engine").1), ["LOSS-041", "LOSS-061"]);
}

#[test]
fn what_a_level_of_detail_has_no_word_for_is_listed() {
    let mut scene = Scene::new();
    let corners = Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    let part = Primitive::new(Topology::Triangles).with(Semantic::Position, corners);
    let material = scene.materials.add(scene::Material::default());
    let coarse = scene.meshes.add(Mesh { name: "coarse".into(), primitives: vec![part.clone()], ..Mesh::default() });
    let fine = Primitive { material: Some(material), ..part };
    let lods = vec![scene::Lod { mesh: coarse, coverage: None }];
    let mesh = scene.meshes.add(Mesh { primitives: vec![fine], lods, ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    // A level without a material shows that of its mesh, and there is no other way to say that it has none.
    assert_eq!(codes(&lower(&scene, "engine").1), ["LOSS-014", "LOSS-041"]);
    scene.meshes[coarse].name = Default::default();
    scene.meshes[coarse].primitives[0].material = Some(material);
    assert_eq!(codes(&lower(&scene, "engine").1), [""; 0]);
}

#[test]
fn joints_below_several_nodes_hang_below_what_is_above_all() {
    let mut scene = foreign();
    // A second arm beside the first, whose joint belongs to the same skin.
    let other = scene.nodes.add(Node { name: "other".into(), ..Node::default() });
    let shift = Transform::Trs { translation: [0., 0., 7.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let arm =
        scene.nodes.add(Node { name: "arm 2".into(), transform: shift, children: vec![other], ..Node::default() });
    let top = scene.scenes[0].nodes[0];
    scene.nodes[top].children.push(arm);
    let skin = scene.skins.iter_mut().next().expect("one");
    skin.joints.push(other);
    let joints = Stream::from_u32(4, vec![0, 2, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0]);
    let body = scene.meshes.iter_mut().find(|mesh| mesh.name.to_string() == "body").expect("one");
    body.primitives[0].set(Semantic::Joints(0), joints);
    // The arm is stretched, which a joint cannot say.
    for node in scene.nodes.iter_mut() {
        if let Transform::Trs { scale, .. } = &mut node.transform
            && scale[0] != scale[1]
        {
            *scale = [1.; 3];
        }
    }
    both_ways(&scene, "a skin of two trees");
}

#[test]
fn mirrored_scales_keep_their_size() {
    let mut scene = foreign();
    let channels = &mut scene.animations.iter_mut().next().expect("one").channels;
    channels[2].values = vec![-1., 1., 1., 2., -1., -1.];
    let (doc, losses) = lower(&scene, "engine");
    let scale = formats::das2::AnimationTarget::SCALE;
    let parts = doc.parts();
    let scaling = parts.channels.iter().find(|channel| channel.animation_target == scale).expect("one");
    let scales: Vec<f32> = scaling.target_values.iter().map(|v| v.get()).collect();
    assert_eq!(scales, [-1., 4. / 3.]);
    let told: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|line| line.contains("mirror along one or two axes")), "{told:?}");
}
