//! Skeletons inside each other: every vertex of every mesh, at rest and at times of every animation, after a way through
//! the formats that hold skins as they are. Where vertices are is computed here, from the rules of glTF alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::{BTreeMap, HashMap};

use formats::{LiftCx, NoSource, ReadCx};
use scene::{Animation, Channel, Id, Interpolation, Node, Scene, Semantic, Track, Transform};
use testing::{sample, through};
use wire::Blob;

/// Column by column.
type Matrix = [f64; 16];
type Point = [f64; 3];

const IDENTITY: Matrix = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|at| (0..4).map(|k| a[k * 4 + at % 4] * b[at / 4 * 4 + k]).sum())
}

fn moved(m: &Matrix, [x, y, z]: Point) -> Point {
    std::array::from_fn(|i| m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i])
}

/// Translation, rotation and scale of a node, or its matrix.
#[derive(Clone)]
enum Local {
    Parts([f64; 3], [f64; 4], [f64; 3]),
    Whole(Matrix),
}

impl Local {
    fn of(transform: &Transform) -> Local {
        match transform {
            Transform::Trs { translation, rotation, scale } => {
                Local::Parts(translation.map(f64::from), rotation.map(f64::from), scale.map(f64::from))
            }
            Transform::Matrix(columns) => Local::Whole(columns.map(f64::from)),
        }
    }

    fn matrix(&self) -> Matrix {
        let (t, [x, y, z, w], s) = match self {
            Local::Parts(t, r, s) => (t, r, s),
            Local::Whole(matrix) => return *matrix,
        };
        let turned = [
            [1. - 2. * (y * y + z * z), 2. * (x * y + z * w), 2. * (x * z - y * w)],
            [2. * (x * y - z * w), 1. - 2. * (x * x + z * z), 2. * (y * z + x * w)],
            [2. * (x * z + y * w), 2. * (y * z - x * w), 1. - 2. * (x * x + y * y)],
        ];
        let mut out = IDENTITY;
        for (axis, column) in turned.iter().enumerate() {
            (0..3).for_each(|i| out[axis * 4 + i] = column[i] * s[axis]);
        }
        out[12..15].copy_from_slice(t);
        out
    }

    fn set(&mut self, track: &Track, value: &[f64]) {
        let Local::Parts(t, r, s) = self else { panic!("a matrix does not move") };
        match track {
            Track::Translation => t.copy_from_slice(value),
            Track::Rotation => r.copy_from_slice(value),
            Track::Scale => s.copy_from_slice(value),
            other => panic!("a track of {other:?}"),
        }
    }
}

fn slerp(a: &[f64], b: &[f64], u: f64) -> Vec<f64> {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let (dot, sign) = if dot < 0. { (-dot, -1.) } else { (dot, 1.) };
    let angle = dot.min(1.).acos();
    let (p, q) = match angle.sin() {
        flat if flat < 1e-9 => (1. - u, u),
        sine => (((1. - u) * angle).sin() / sine, (u * angle).sin() / sine),
    };
    a.iter().zip(b).map(|(a, b)| p * a + q * sign * b).collect()
}

fn value(channel: &Channel, time: f64) -> Vec<f64> {
    let width = channel.values.len() / channel.times.len();
    let key =
        |i: usize| -> Vec<f64> { channel.values[i * width..(i + 1) * width].iter().map(|v| (*v).into()).collect() };
    let times: Vec<f64> = channel.times.iter().map(|t| (*t).into()).collect();
    let Some(next) = times.iter().position(|t| *t > time) else { return key(times.len() - 1) };
    if next == 0 || channel.interpolation == Interpolation::Step {
        return key(next.saturating_sub(1));
    }
    assert_eq!(channel.interpolation, Interpolation::Linear);
    let (a, b) = (key(next - 1), key(next));
    let u = (time - times[next - 1]) / (times[next] - times[next - 1]);
    match channel.track {
        Track::Rotation => slerp(&a, &b, u),
        _ => a.iter().zip(&b).map(|(a, b)| a + (b - a) * u).collect(),
    }
}

/// The corners of all triangles that a scene shows, by the names of the nodes that show them, while animations play.
fn shown(scene: &Scene, playing: &[&Animation], time: f64) -> BTreeMap<String, Vec<Point>> {
    let mut locals: Vec<Local> = scene.nodes.iter().map(|node| Local::of(&node.transform)).collect();
    for channel in playing.iter().flat_map(|animation| &animation.channels) {
        let Some(node) = channel.node.filter(|_| !channel.times.is_empty()) else { continue };
        assert!(!channel.relative);
        locals[node.index()].set(&channel.track, &value(channel, time));
    }
    let mut worlds: HashMap<Id<Node>, Matrix> = HashMap::new();
    let roots = &scene.scenes[scene.default_scene.unwrap_or(0)].nodes;
    let mut open: Vec<(Id<Node>, Matrix)> = roots.iter().map(|root| (*root, IDENTITY)).collect();
    let mut order = Vec::new();
    while let Some((id, above)) = open.pop() {
        let world = product(&above, &locals[id.index()].matrix());
        worlds.insert(id, world);
        order.push(id);
        open.extend(scene.nodes[id].children.iter().map(|child| (*child, world)));
    }
    let mut out: BTreeMap<String, Vec<Point>> = BTreeMap::new();
    for id in order {
        let node = &scene.nodes[id];
        let Some(mesh) = node.mesh else { continue };
        for part in &scene.meshes[mesh].primitives {
            let places = part.get(&Semantic::Position).unwrap().to_f64();
            let skin = node.skin.map(|skin| &scene.skins[skin]);
            let bound = part.get(&Semantic::Joints(0)).zip(part.get(&Semantic::Weights(0)));
            let point = |i: usize| -> Point {
                let own = [places[i * 3], places[i * 3 + 1], places[i * 3 + 2]];
                let Some((skin, (joints, weights))) = skin.zip(bound) else { return moved(&worlds[&id], own) };
                let width = joints.count();
                let (joints, weights) = (joints.to_u32(), weights.to_f64());
                let mut sum = [0.; 3];
                for k in i * width..(i + 1) * width {
                    let joint = joints[k] as usize;
                    let bind = skin.inverse_bind.get(joint).map_or(IDENTITY, |m| m.map(f64::from));
                    let at = moved(&product(&worlds[&skin.joints[joint]], &bind), own);
                    (0..3).for_each(|axis| sum[axis] += weights[k] * at[axis]);
                }
                sum
            };
            let order: Vec<u32> = match &part.indices {
                Some(indices) => indices.0.to_u32(),
                None => (0..part.vertex_count() as u32).collect(),
            };
            let corners = order.into_iter().map(|i| point(i as usize));
            out.entry(node.name.to_string()).or_default().extend(corners);
        }
    }
    out
}

/// How far apart two pictures are at most, and what is not in both.
fn distance(a: &BTreeMap<String, Vec<Point>>, b: &BTreeMap<String, Vec<Point>>) -> f64 {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "what is shown");
    let mut worst = 0_f64;
    for (name, corners) in a {
        assert_eq!(corners.len(), b[name].len(), "corners of {name}");
        for (p, q) in corners.iter().zip(&b[name]) {
            let off = (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
            worst = worst.max(off);
        }
    }
    worst
}

fn read(format: &str, bytes: Vec<u8>) -> Scene {
    let doc = formats::by_id(format).unwrap().read(Blob::file(bytes), &mut ReadCx::default()).expect("readable");
    doc.lift(&mut LiftCx::new(&NoSource)).expect("a scene")
}

/// The animations that one was made of, or became: those of its name, or else the one in its place.
fn parts<'a>(scene: &'a Scene, name: &str, nth: usize) -> Vec<&'a Animation> {
    let named: Vec<&Animation> = scene.animations.iter().filter(|own| own.name.to_string() == name).collect();
    if named.is_empty() { vec![&scene.animations[Id::new(nth)]] } else { named }
}

const TARGETS: [(&str, &str); 3] = [("das2", "spec"), ("das2", "engine"), ("dragon", "spec")];

/// The model is ten metres high; floats and frames are this much off.
const ALLOWED: f64 = 1e-4;

#[test]
fn nested_and_shared_skeletons_show_every_triangle_where_it_belongs() {
    let scene = read("glb", sample("glb", "rigs"));
    let rest = shown(&scene, &[], 0.);
    assert_eq!(rest.values().map(|corners| corners.len() / 3).sum::<usize>(), 9 * 4 + 2);
    for (format, dialect) in TARGETS {
        let (back, _) = through(&scene, format, dialect);
        let off = distance(&rest, &shown(&back, &[], 0.));
        assert!(off < ALLOWED, "{format} {dialect} at rest: {off}");
        for (id, animation) in scene.animations.entries() {
            let playing = parts(&back, &animation.name.to_string(), id.index());
            for time in [0., 0.1, 0.3, 0.5, 0.7, 0.95, 1., 2.] {
                // Times of frames, so that steps lie where they lay.
                let off = distance(&shown(&scene, &[animation], time), &shown(&back, &playing, time));
                assert!(off < ALLOWED, "{format} {dialect} {} at {time}: {off}", animation.name);
            }
        }
    }
}

#[test]
fn skeletons_are_one_only_where_their_joints_are() {
    let scene = read("glb", sample("glb", "rigs"));
    let (back, _) = through(&scene, "dragon", "spec");
    let of = |name: &str| {
        let node = back.nodes.iter().find(|node| node.name.to_string() == name).unwrap();
        back.skins[node.skin.unwrap()].extras.get("dragon.guid").cloned().expect("a name")
    };
    assert_eq!(of("outer"), of("carrier"), "one skin at two nodes");
    assert_ne!(of("left arm"), of("right arm"), "they look alike, and move otherwise");
    assert_ne!(of("outer"), of("inner"));
}
