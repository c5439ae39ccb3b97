//! What the numbers in buffers say.

use std::collections::{BTreeMap, BTreeSet};

use findings::{Checker, Place, rule};
use scene::{Component, Semantic, Stream};

use super::look;
use crate::gltf::bridge::semantic;
use crate::gltf::data::Data;
use crate::gltf::layout::Document;
use crate::gltf::schema::{Primitive, Real, Root};

/// How far from 1 the length of a normal may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;
/// How far from 1 weights may sum: half a step of 8 bits for each of eight weights.
const WEIGHT_TOLERANCE: f64 = 8. * 0.5 / 255.;
/// How far stated bounds may be from those of the data, as a share of the largest number: what text with six digits
/// can say.
const BOUNDS_TOLERANCE: f64 = 1e-6;

/// Every primitive with its path.
fn primitives(root: &Root) -> impl Iterator<Item = (String, usize, &Primitive)> {
    root.meshes.iter().enumerate().flat_map(|(m, mesh)| {
        let parts = mesh.primitives.iter().enumerate();
        parts.map(move |(p, primitive)| (format!("meshes[{m}].primitives[{p}]"), m, primitive))
    })
}

/// Every accessor that holds an attribute of this meaning.
fn accessors_of(root: &Root, wanted: impl Fn(&Semantic) -> bool) -> Vec<usize> {
    let attributes = primitives(root).flat_map(|(_, _, primitive)| &primitive.attributes);
    let mut found: Vec<usize> = attributes.filter(|(name, _)| wanted(&semantic(name))).map(|(_, &a)| a).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Reports elements of an accessor that are not as they should be, as one finding.
fn report_elements(
    data: &Data<'_>,
    accessor: usize,
    cx: &mut Checker<'_>,
    wrong: impl Fn(&[f64]) -> bool + Sync,
    message: impl FnOnce(&[f64]) -> String,
) {
    let Ok(stream) = data.stream(accessor) else { return };
    let count = stream.count_elements(&wrong);
    if count == 0 {
        return;
    }
    if let Some((first, row)) = stream.find(&wrong) {
        cx.report_count(look::element(data, accessor, first), count, message(&row));
    }
}

rule! {
    /// ## What it finds
    /// An index of a vertex that the primitive does not have, or one that means a new start.
    ///
    /// ## Why it matters
    /// Programs crash, or draw triangles to anywhere.
    ///
    /// ## Example
    /// Index 3 in a primitive of 3 vertices.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_025 "GLTF-025" "index-beyond-vertices", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        for (path, _, primitive) in primitives(&doc.root) {
            let Some(accessor) = primitive.indices else { continue };
            let position = primitive.attributes.get("POSITION").and_then(|&a| doc.root.accessors.get(a));
            let (Some(vertices), Ok(stream)) = (position.map(|a| a.count), data.stream(accessor)) else { continue };
            let indices = stream.to_u32();
            let wild = |index: &&u32| **index as usize >= vertices;
            let count = indices.iter().filter(wild).count() as u64;
            if let Some(first) = indices.iter().position(|index| wild(&index)) {
                let message = format!("{path} draws vertex {}, and has {vertices}", indices[first]);
                cx.report_count(look::element(&data, accessor, first), count, message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// `min` and `max` of an accessor that are not those of its numbers, or missing for positions.
    ///
    /// ## Why it matters
    /// Programs hide objects that they believe to be out of sight.
    ///
    /// ## Example
    /// `"max": [1, 1, 1]` with a vertex at x = 2.
    ///
    /// ## Fix
    /// Writing the file again computes them.
    GLTF_026 "GLTF-026" "bounds-wrong", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        let positions = accessors_of(&doc.root, |semantic| *semantic == Semantic::Position);
        for (i, accessor) in doc.root.accessors.iter().enumerate() {
            let place = Place::path("accessors").nth(i);
            if positions.binary_search(&i).is_ok() && (accessor.min.is_none() || accessor.max.is_none()) {
                cx.report(place, "positions need min and max");
                continue;
            }
            if accessor.min.is_none() && accessor.max.is_none() {
                continue;
            }
            let Ok(stream) = data.stream(i) else { continue };
            let (low, high) = extremes(&stream, accessor.normalized == Some(true));
            for (field, stated, found) in [("min", &accessor.min, low), ("max", &accessor.max, high)] {
                let Some(stated) = stated else { continue };
                if stated.len() != found.len() || stated.iter().zip(&found).any(|(stated, found)| !is_near(*stated, *found)) {
                    let stated: Vec<f64> = stated.iter().map(|v| v.0).collect();
                    cx.report(place.field(field), format!("it is {stated:?}, the numbers say {found:?}"));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A primitive without positions.
    ///
    /// ## Why it matters
    /// Programs draw nothing of it.
    ///
    /// ## Example
    /// Attributes with `NORMAL` and nothing else.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_027 "GLTF-027" "no-position", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (path, _, primitive) in primitives(&doc.root).filter(|(_, _, p)| !p.attributes.contains_key("POSITION")) {
            let names: Vec<&str> = primitive.attributes.keys().map(String::as_str).collect();
            cx.report(Place::path(format!("{path}.attributes")), format!("there are {names:?}, and no POSITION"));
        }
    }
}

rule! {
    /// ## What it finds
    /// A number that is infinite or not a number, in an accessor.
    ///
    /// ## Why it matters
    /// Objects vanish, or cover everything.
    ///
    /// ## Example
    /// A position with `7fc00000` in it.
    ///
    /// ## Fix
    /// Writing the file again sets such numbers to zero and lists them.
    GLTF_028 "GLTF-028" "value-not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        for i in 0..doc.root.accessors.len() {
            let wrong = |row: &[f64]| row.iter().any(|v| !v.is_finite());
            report_elements(&data, i, cx, wrong, |row| format!("{row:?} is not finite"));
        }
    }
}

rule! {
    /// ## What it finds
    /// A vertex that is moved by a joint which the skin does not have.
    ///
    /// ## Why it matters
    /// Programs crash, or the vertex flies away.
    ///
    /// ## Example
    /// Joint 4 in a skin of 2 joints.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_029 "GLTF-029" "joint-out-of-range", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        let mut joints: BTreeMap<usize, usize> = BTreeMap::new();
        for node in &doc.root.nodes {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin.and_then(|skin| doc.root.skins.get(skin))) else { continue };
            let least = joints.entry(mesh).or_insert(usize::MAX);
            *least = skin.joints.len().min(*least);
        }
        for (_, mesh, primitive) in primitives(&doc.root) {
            let Some(&count) = joints.get(&mesh) else { continue };
            for (name, &accessor) in &primitive.attributes {
                if matches!(semantic(name), Semantic::Joints(_)) {
                    let wrong = |row: &[f64]| row.iter().any(|&joint| joint >= count as f64);
                    report_elements(&data, accessor, cx, wrong, |row| format!("{row:?} in a skin of {count} joints"));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A vertex whose weights do not sum to 1, or lie below 0.
    ///
    /// ## Why it matters
    /// The vertex drifts towards the origin, or away from it.
    ///
    /// ## Example
    /// `weights: [0.5, 0.3, 0, 0]` sums to 0.8.
    ///
    /// ## Fix
    /// Divide the weights by their sum; writing the file again does so and lists it.
    GLTF_030 "GLTF-030" "weights-not-normalised", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        for (_, _, primitive) in primitives(&doc.root) {
            let weights: Vec<usize> = primitive
                .attributes
                .iter()
                .filter(|(name, _)| matches!(semantic(name), Semantic::Weights(_)))
                .map(|(_, &accessor)| accessor)
                .collect();
            let Some(&first) = weights.first() else { continue };
            let streams: Vec<Stream> = weights.iter().filter_map(|&accessor| data.stream(accessor).ok()).collect();
            let Some(length) = streams.iter().map(Stream::len).min() else { continue };
            let mut sums = vec![0.; length];
            for stream in &streams {
                for (sum, row) in sums.iter_mut().zip(stream.to_f64().chunks(stream.count().max(1))) {
                    // Below zero is never right, so that it must not be made up for.
                    *sum += row.iter().map(|&v| if v < 0. { f64::NAN } else { v }).sum::<f64>();
                }
            }
            let wrong = |sum: &f64| sum.is_nan() || (sum - 1.).abs() > WEIGHT_TOLERANCE;
            let count = sums.iter().filter(|sum| wrong(sum)).count() as u64;
            if let Some(at) = sums.iter().position(wrong) {
                let message = match sums[at].is_nan() {
                    true => "a weight lies below zero".to_owned(),
                    false => format!("weights sum to {:.4}", sums[at]),
                };
                cx.report_count(look::element(&data, first, at), count, message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A joint that a skin lists twice, or by which a vertex is moved twice.
    ///
    /// ## Why it matters
    /// glTF forbids both, and its validator refuses the file; programs that sum up show it as it is meant.
    ///
    /// ## Example
    /// `"joints": [1, 1]`, or `JOINTS_0` of 2, 2, 0, 0 with `WEIGHTS_0` of 0.5, 0.5, 0, 0.
    ///
    /// ## Fix
    /// Writing the file again adds up the weights, and gives the second a joint of its own that stands at the first.
    GLTF_041 "GLTF-041" "joint-repeated", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, skin) in doc.root.skins.iter().enumerate() {
            let mut seen = BTreeSet::new();
            for (k, joint) in skin.joints.iter().enumerate().filter(|(_, joint)| !seen.insert(**joint)) {
                let place = Place::path("skins").nth(i).field("joints").nth(k);
                cx.report(place, format!("node {joint} is a joint of this skin already"));
            }
        }
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        let mut seen = BTreeSet::new();
        for (_, _, primitive) in primitives(&doc.root) {
            let sets = influences(primitive);
            let Some(&(first, _)) = sets.first().filter(|_| seen.insert(sets.clone())) else { continue };
            let (count, repeated) = repeated_joints(&data, &sets);
            if let Some((vertex, joint)) = repeated {
                let message = format!("joint {joint} moves this vertex twice");
                cx.report_count(look::element(&data, first, vertex), count, message);
            }
        }
    }
}

/// The accessors of joints and of their weights, set by set.
fn influences(primitive: &Primitive) -> Vec<(usize, usize)> {
    let weights = |set: u8| primitive.attributes.iter().find(|(name, _)| semantic(name) == Semantic::Weights(set));
    let pair = |(name, &joints): (&String, &usize)| match semantic(name) {
        Semantic::Joints(set) => Some((joints, *weights(set)?.1)),
        _ => None,
    };
    primitive.attributes.iter().filter_map(pair).collect()
}

/// How many vertices a joint moves twice; the first of them, and the joint.
fn repeated_joints(data: &Data<'_>, sets: &[(usize, usize)]) -> (u64, Option<(usize, u32)>) {
    let streams = sets.iter().filter_map(|&(joints, weights)| {
        let (joints, weights) = (data.stream(joints).ok()?, data.stream(weights).ok()?);
        let widths = (joints.count().max(1), weights.count().max(1));
        Some((joints.to_u32(), weights.to_f32(), widths))
    });
    let streams: Vec<_> = streams.collect();
    let vertices = streams.iter().map(|(joints, _, (width, _))| joints.len() / width).min().unwrap_or(0);
    let (mut count, mut first, mut moving) = (0, None, Vec::new());
    for vertex in 0..vertices {
        moving.clear();
        for (joints, weights, (j, w)) in &streams {
            let (joints, weights) = (joints.chunks(*j).nth(vertex), weights.chunks(*w).nth(vertex));
            let pairs = joints.into_iter().flatten().zip(weights.into_iter().flatten());
            moving.extend(pairs.filter(|(_, weight)| **weight > 0.).map(|(joint, _)| *joint));
        }
        moving.sort_unstable();
        if let Some(pair) = moving.windows(2).find(|pair| pair[0] == pair[1]) {
            count += 1;
            first.get_or_insert((vertex, pair[0]));
        }
    }
    (count, first)
}

rule! {
    /// ## What it finds
    /// Times of an animation that are below zero, or do not grow from key to key.
    ///
    /// ## Why it matters
    /// Programs search them for the key before a moment, and find any.
    ///
    /// ## Example
    /// Times 0, 2, 1.
    ///
    /// ## Fix
    /// Sort the keys, and leave out those with the same time.
    GLTF_031 "GLTF-031" "times-not-increasing", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        let samplers = doc.root.animations.iter().flat_map(|animation| &animation.samplers);
        let mut inputs: Vec<usize> = samplers.map(|sampler| sampler.input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        for accessor in inputs {
            let Ok(stream) = data.stream(accessor) else { continue };
            let times = stream.to_f32();
            let early = times.first().is_some_and(|&first| first < 0.).then_some(0);
            let back = times.windows(2).position(|pair| pair[0].is_nan() || pair[1].is_nan() || pair[0] >= pair[1]).map(|at| at + 1);
            if let Some(at) = early.or(back) {
                let before = if at > 0 { format!("{} comes after {}", times[at], times[at - 1]) } else { times[0].to_string() };
                cx.report(look::element(&data, accessor, at), before);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A channel of an animation with another number of values than its keys ask for.
    ///
    /// ## Why it matters
    /// Nothing says which value belongs to which key. The channel is left out.
    ///
    /// ## Example
    /// Three times and two rotations.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_032 "GLTF-032" "keys-and-values", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A normal or tangent that has not the length 1.
    ///
    /// ## Why it matters
    /// Meshes look too dark or too bright.
    ///
    /// ## Example
    /// The normal 0, 0, 0.
    ///
    /// ## Fix
    /// Writing the file again scales them and lists it.
    GLTF_034 "GLTF-034" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        for accessor in accessors_of(&doc.root, |semantic| matches!(semantic, Semantic::Normal | Semantic::Tangent)) {
            let length = |row: &[f64]| row.iter().take(3).map(|v| v * v).sum::<f64>().sqrt();
            // Bytes are as exact as bytes can be.
            let coarse = data.stream(accessor).is_ok_and(|s| matches!(s.encoding().component, Component::I8 | Component::U8));
            let tolerance = if coarse { 1. / 64. } else { UNIT_TOLERANCE };
            let wrong = |row: &[f64]| length(row).is_nan() || (length(row) - 1.).abs() > tolerance;
            report_elements(&data, accessor, cx, wrong, |row| format!("{row:?} has the length {:.4}", length(row)));
        }
    }
}

/// Smallest and largest of each number, as they are stored.
fn extremes(stream: &Stream, normalised: bool) -> (Vec<f64>, Vec<f64>) {
    let encoding = scene::Encoding { normalised: false, ..*stream.encoding() };
    let stored = if normalised { Stream::new(stream.data().clone(), stream.len(), encoding) } else { stream.clone() };
    stored.extremes()
}

fn is_near(stated: Real, found: f64) -> bool {
    (stated.0 - found).abs() <= BOUNDS_TOLERANCE * found.abs().max(1.) || f64::from(stated.0 as f32) == found
}
