//! What files mean, and what scenes become.

use corpus::dragon::VARIANTS;
use formats::dragon::{Document, Dragon};
use formats::{Format, LiftCx, LowerCx, Options, ReadCx};
use scene::sample::Pose;
use scene::{Animation, Id, Node, Scene};
use testing::{EveryFile, beside, corpus_dir};
use wire::{Blob, Order};

use crate::support::*;

pub(crate) fn lift(doc: &Document) -> Scene {
    Dragon::lift(doc, &mut LiftCx::new(&EveryFile)).expect("it has a scene")
}

/// The file that a scene becomes, and the codes of what that costs.
pub(crate) fn lower(scene: &Scene, options: &Options) -> (Document, Vec<&'static str>) {
    let lowered = testing::lower_in::<Dragon>(scene, LowerCx { options, ..LowerCx::new(&EveryFile, "spec") });
    (lowered.doc, lowered.losses.iter().map(|loss| loss.code).collect())
}

pub(crate) fn options(pairs: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    pairs.iter().for_each(|(name, value)| options.set(name, *value));
    options
}

/// A scene without what only says how the file stores its numbers.
fn bare(mut scene: Scene) -> Scene {
    scene.extras.own.retain(|(key, _)| key != "dragon.endian");
    scene
}

/// Compares scenes part by part, so that a difference is seen where it is.
fn assert_same(found: &Scene, expected: &Scene, what: &str) {
    assert_eq!(found.scenes, expected.scenes, "{what}: roots");
    for (i, (a, b)) in found.nodes.iter().zip(expected.nodes.iter()).enumerate() {
        assert_eq!(a, b, "{what}: node {i}");
    }
    for (i, (a, b)) in found.meshes.iter().zip(expected.meshes.iter()).enumerate() {
        assert_eq!(a.extras, b.extras, "{what}: extras of mesh {i}");
        assert_eq!(a.morphs, b.morphs, "{what}: morphs of mesh {i}");
        for (k, (a, b)) in a.primitives.iter().zip(&b.primitives).enumerate() {
            assert_eq!(a.indices, b.indices, "{what}: order of mesh {i} part {k}");
            for (a, b) in a.attributes.iter().zip(&b.attributes) {
                assert_eq!(a.semantic, b.semantic, "{what}: mesh {i} part {k}");
                assert!(a.stream == b.stream, "{what}: mesh {i} part {k} {}", a.semantic);
            }
            for (a, b) in a.targets.iter().zip(&b.targets).flat_map(|(a, b)| a.attributes.iter().zip(&b.attributes)) {
                assert_eq!(a.stream.to_f32(), b.stream.to_f32(), "{what}: morph of mesh {i} part {k}");
                assert_eq!(a, b, "{what}: morph of mesh {i} part {k}");
            }
            assert_eq!(
                (&a.extras, a.material, a.topology),
                (&b.extras, b.material, b.topology),
                "{what}: mesh {i} part {k}"
            );
            assert!(a == b, "{what}: mesh {i} part {k}");
        }
    }
    assert!(found.materials == expected.materials, "{what}: materials {:?} {:?}", found.materials, expected.materials);
    assert_eq!(found.textures, expected.textures, "{what}: textures");
    assert_eq!(found.images, expected.images, "{what}: images");
    assert_eq!(found.skins, expected.skins, "{what}: skins");
    assert_eq!(found.lights, expected.lights, "{what}: lights");
    assert_eq!(found.voxels, expected.voxels, "{what}: voxels");
    assert_eq!(found.animations, expected.animations, "{what}: animations");
    assert_eq!(found.extras, expected.extras, "{what}: extras");
    assert!(found == expected, "{what}: something else");
}

pub(crate) fn everything() -> Scene {
    lift(&read(&corpus::dragon::model(false)))
}

#[test]
fn everything_survives_the_way_through_the_scene_in_both_byte_orders() {
    let scene = everything();
    for (order, word) in [(Order::Little, "little"), (Order::Big, "big")] {
        let (doc, losses) = lower(&scene, &options(&[("endian", word)]));
        assert_eq!(losses, [""; 0], "{word}");
        assert_eq!(doc.order, order);
        let again = read(&write(&doc));
        assert_same(&bare(lift(&again)), &scene, word);
    }
}

#[test]
fn both_byte_orders_mean_the_same() {
    let big = bare(lift(&read(&corpus::dragon::model(true))));
    assert_same(&big, &everything(), "big-endian");
}

#[test]
fn every_reading_means_what_the_canonical_one_means() {
    for variant in VARIANTS {
        let Some(canonical) = variant.canonical else { continue };
        let (found, expected) = (lift(&read(&(variant.file)())), lift(&read(&canonical())));
        assert_same(&found, &expected, variant.name);
    }
}

#[test]
fn written_files_pass_without_warnings() {
    let (doc, _) = lower(&everything(), &Options::default());
    let found = findings(&write(&doc));
    assert_eq!(ids(&found, findings::Severity::Error), [""; 0]);
    // The file beside it is not there.
    let loud = |f: &&findings::Finding| f.severity == findings::Severity::Warning && f.rule.id != "DRG-060";
    assert!(found.iter().find(loud).is_none(), "{found:?}");
}

#[test]
fn names_of_new_sections_follow_from_what_they_hold() {
    let mut foreign = everything();
    foreign.origin = None;
    foreign.extras = scene::Extras::default();
    for node in foreign.nodes.iter_mut() {
        node.extras = scene::Extras::default();
    }
    for mesh in foreign.meshes.iter_mut() {
        mesh.extras = scene::Extras::default();
    }
    let (one, _) = lower(&foreign, &Options::default());
    let (other, _) = lower(&foreign, &Options::default());
    assert!(write(&one) == write(&other), "equal input gives equal bytes");
    let names: std::collections::HashSet<_> = one.sections.iter().map(|section| section.guid).collect();
    assert_eq!(names.len(), one.sections.len(), "no two sections share a name");
}

#[test]
fn every_up_direction_is_turned_and_turned_back() {
    let scene = everything();
    let bounds = |scene: &Scene| {
        let pose = Pose::rest(scene);
        let mut all: Vec<[i64; 3]> = Vec::new();
        for (id, _) in scene.placed(0) {
            let Some(mesh) = scene.nodes[id].mesh.filter(|_| scene.nodes[id].instances.is_none()) else { continue };
            for primitive in &scene.meshes[mesh].primitives {
                let places = pose.positions(scene, id, primitive);
                all.extend(places.iter().map(|p| p.to_array().map(|v| (v * 1e4).round() as i64)));
            }
        }
        all.sort_unstable();
        all
    };
    for axis in ["+Y", "+Z", "+X", "-Y", "-Z", "-X"] {
        let (doc, _) = lower(&scene, &options(&[("target-up", axis)]));
        let again = lift(&read(&write(&doc)));
        assert_eq!(again.space.up.name(), axis);
        assert_eq!(bounds(&again), bounds(&scene), "{axis}");
        let (back, _) = lower(&again, &options(&[("target-up", "+Y")]));
        assert_eq!(bounds(&lift(&read(&write(&back)))), bounds(&scene), "{axis} and back");
    }
}

fn read_any(bytes: Vec<u8>, source: &dyn findings::Source) -> Scene {
    let blob = Blob::file(bytes);
    let format = formats::recognise(&blob, &formats::Hint::default()).expect("a known format");
    let doc = format.read(blob, &mut ReadCx::default()).expect("it can be read");
    doc.lift(&mut LiftCx::new(source)).expect("it has a scene")
}

/// Where every vertex is at a time, shape by shape in the order of their nodes.
pub(crate) fn places(scene: &Scene, animation: Option<&Animation>, time: f32) -> Vec<glam::DVec3> {
    let pose = animation.map_or_else(|| Pose::rest(scene), |animation| Pose::at(scene, animation, time));
    let mut out = Vec::new();
    for (id, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
        let Some(mesh) = scene.nodes[id].mesh else { continue };
        for primitive in &scene.meshes[mesh].primitives {
            out.extend(pose.positions(scene, id, primitive));
        }
    }
    out
}

/// Every place must be the nearest one to some place of the other side: shapes may come in another order.
pub(crate) fn farthest(a: &[glam::DVec3], b: &[glam::DVec3]) -> f64 {
    assert_eq!(a.len(), b.len(), "vertices");
    let straight = a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0., f64::max);
    if straight < 1e-9 { straight } else { straight.min(sorted(a, b)) }
}

fn sorted(a: &[glam::DVec3], b: &[glam::DVec3]) -> f64 {
    let order = |list: &[glam::DVec3]| {
        let mut list: Vec<_> = list.to_vec();
        list.sort_by_key(|p| p.to_array().map(|v| (v * 1e4).round() as i64));
        list
    };
    order(a).iter().zip(&order(b)).map(|(a, b)| (*a - *b).length()).fold(0., f64::max)
}

const MOVING: [&str; 7] =
    ["CesiumMan", "Fox", "RiggedSimple", "AnimatedMorphCube", "InterpolationTest", "SimpleSkin", "SimpleMorph"];

#[test]
fn movements_of_gltf_samples_are_the_same_at_every_frame() {
    let Some(dir) = corpus_dir() else { return };
    for name in MOVING {
        let Some((file, bytes)) = find(&dir.join("gltf"), name) else { panic!("{name} is not in the corpus") };
        let scene = read_any(bytes, &beside(&file));
        let (doc, _) = lower(&scene, &Options::default());
        let own = lift(&read(&write(&doc)));
        let (back, _) = testing::through_glb(&own);
        let rest = places(&scene, None, 0.);
        let low = rest.iter().copied().reduce(glam::DVec3::min).expect("vertices");
        let high = rest.iter().copied().reduce(glam::DVec3::max).expect("vertices");
        let diagonal = (high - low).length();
        for (i, animation) in scene.animations.iter().enumerate() {
            let Some(again) = matching(&back, i, animation, &scene) else { panic!("{name}: animation {i} is gone") };
            let times: std::collections::BTreeSet<u32> =
                again.channels.iter().flat_map(|c| c.times.iter().map(|t| t.to_bits())).collect();
            let times: Vec<f32> = times.into_iter().map(f32::from_bits).collect();
            let off = |time| farthest(&places(&scene, Some(animation), time), &places(&back, Some(again), time));
            for time in &times {
                let off = off(*time) / diagonal;
                assert!(off <= 1e-5, "{name}, animation {i} at {time}: {off:e} off");
            }
            for time in times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.) {
                let off = off(time) / diagonal;
                assert!(off <= 1e-3, "{name}, animation {i} between frames, at {time}: {off:e} off");
            }
        }
    }
}

fn matching<'a>(back: &'a Scene, index: usize, _: &Animation, scene: &Scene) -> Option<&'a Animation> {
    assert_eq!(back.animations.len(), scene.animations.len(), "one animation for each");
    back.animations.iter().nth(index)
}

fn find(dir: &std::path::Path, name: &str) -> Option<(std::path::PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = walk(dir);
    files.sort();
    let own = |path: &std::path::PathBuf| {
        path.file_stem().is_some_and(|stem| stem == name)
            && path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf")
    };
    let path = files.into_iter().find(own)?;
    let bytes = std::fs::read(&path).ok()?;
    Some((path, bytes))
}

fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn nodes_that_move_become_bones_and_their_weights_are_whole() {
    let mut scene = Scene::new();
    let primitive = scene::Primitive::new(scene::Topology::Triangles)
        .with(scene::Semantic::Position, scene::Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    let mesh = scene.meshes.add(scene::Mesh { primitives: vec![primitive], ..scene::Mesh::default() });
    let transform = scene::Transform::Trs { translation: [2., 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let node: Id<Node> = scene.add_root(Node { mesh: Some(mesh), transform, ..Node::default() });
    let channel = scene::Channel {
        node: Some(node),
        track: scene::Track::Translation,
        times: vec![0., 1.],
        values: vec![2., 0., 0., 2., 3., 0.],
        interpolation: scene::Interpolation::Linear,
        relative: false,
    };
    scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
    let (doc, _) = lower(&scene, &Options::default());
    let back = lift(&read(&write(&doc)));
    assert_eq!(back.skins.len(), 1);
    let animation = back.animations.iter().next().expect("an animation");
    let found = places(&back, Some(animation), 0.5);
    assert!(farthest(&found, &places(&scene, scene.animations.iter().next(), 0.5)) < 1e-5, "{found:?}");
    assert_eq!(places(&back, None, 0.)[0], glam::DVec3::new(2., 0., 0.), "at rest it stands where it stood");
}

/// A shape whose node moves along a curve for a second.
pub(crate) fn curved(interpolation: scene::Interpolation, times: &[f32]) -> Scene {
    let mut scene = Scene::new();
    let primitive = scene::Primitive::new(scene::Topology::Triangles)
        .with(scene::Semantic::Position, scene::Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    let mesh = scene.meshes.add(scene::Mesh { primitives: vec![primitive], ..scene::Mesh::default() });
    let node = scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let width = if interpolation == scene::Interpolation::Cubic { 9 } else { 3 };
    let values = (0..times.len() * width).map(|i| (i * 7 % 5) as f32).collect();
    let channel = scene::Channel {
        node: Some(node),
        track: scene::Track::Translation,
        times: times.to_vec(),
        values,
        interpolation,
        relative: false,
    };
    scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
    scene
}

pub(crate) fn rate_of(doc: &Document) -> f32 {
    let animate = doc.sections.iter().find_map(|section| match &section.body {
        formats::dragon::Body::Animate(animate) => Some(animate.framerate.get()),
        _ => None,
    });
    animate.expect("an animation")
}

#[test]
fn a_smaller_tolerance_takes_more_frames() {
    let scene = curved(scene::Interpolation::Cubic, &[0., 0.3, 1.]);
    let rates = ["1", "0.01", "0.0001"].map(|tolerance| {
        let (doc, losses) = lower(&scene, &options(&[("fps", "10"), ("tolerance", tolerance)]));
        assert!(losses.contains(&"LOSS-040"), "{losses:?}");
        rate_of(&doc)
    });
    assert_eq!(rates[0], 10., "as asked for");
    assert!(rates[0] < rates[1] && rates[1] < rates[2], "{rates:?}");
}

#[test]
fn steps_between_frames_do_not_take_all_frames_there_are() {
    let scene = curved(scene::Interpolation::Step, &[0., std::f32::consts::FRAC_1_PI, 1.]);
    let (doc, losses) = lower(&scene, &Options::default());
    assert!(losses.contains(&"LOSS-040"), "{losses:?}");
    assert_eq!(rate_of(&doc), 30.);
}
