//! What is drawn.

use findings::{Severity, rule};
use rayon::prelude::*;
use zerocopy::byteorder::{F32, LE, U32};

use super::super::attributes::{Attribute, Slot};
use super::super::document::{Document, Parts};
use super::super::form::Kind;
use super::super::layout::Mesh;
use super::attributes::{behind, placed_vertices};
use super::{each_mesh, element, list, place};

/// How far from 1 the length of a normal may be: a hundredth cannot be seen.
const NORMAL_TOLERANCE: f32 = 0.01;

/// Elements that one thread looks at before it takes the next ones.
const PART: usize = 1 << 14;

type Vec3 = [F32<LE>; 3];

rule! {
    /// ## What it finds
    /// A draw count that is no multiple of 3, or 0, or one of a mesh without positions.
    ///
    /// ## Why it matters
    /// Meshes are lists of triangles: what is left over is not drawn.
    ///
    /// ## Example
    /// `draw_count` is 4.
    ///
    /// ## Fix
    /// Remove the vertices that are left over, or add the missing ones.
    DAS2_027 "DAS2-027" "draw-count", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_mesh(doc, &doc.parts(), |mesh, place| {
            if mesh.draw_count == 0 {
                cx.report(place.field("draw_count"), "nothing is drawn");
            } else if mesh.slot(Attribute::Position).is_none() {
                cx.report(place.field("draw_count"), "nothing is drawn: there are no positions");
            } else if !mesh.draw_count.is_multiple_of(3) {
                let message = format!("{} is no multiple of 3, and triangles are drawn", mesh.draw_count);
                cx.report(place.field("draw_count"), message);
            }
        });
    }
}

/// The first that is `bad`, and how many are.
fn scan<T: Sync>(items: &[T], bad: impl Fn(&T) -> bool + Sync) -> Option<(usize, u64)> {
    let part = |(i, part): (usize, &[T])| {
        let first = part.iter().position(&bad)?;
        Some((i * PART + first, part[first..].iter().filter(|item| bad(item)).count() as u64))
    };
    let both = |a: Option<(usize, u64)>, b: Option<(usize, u64)>| match (a, b) {
        (Some((i, n)), Some((j, m))) => Some((i.min(j), n + m)),
        (one, other) => one.or(other),
    };
    items.par_chunks(PART).enumerate().map(part).reduce(|| None, both)
}

rule! {
    /// ## What it finds
    /// An index that leads beyond the positions in the buffer.
    ///
    /// ## Why it matters
    /// The vertex does not exist; the library reads other memory.
    ///
    /// ## Example
    /// Index 100 of a mesh whose buffer has room for 81 positions.
    ///
    /// ## Fix
    /// Export the model again.
    DAS2_028 "DAS2-028" "index-out-of-range", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, _| {
            let Some(slot) = mesh.slot(Attribute::Index) else { return };
            let Some(room) = mesh.slot(Attribute::Position).and_then(|slot| behind(&parts, slot)) else { return };
            let Some(indices) = parts.indices(mesh) else { return };
            let found = indices.wire::<LE>().and_then(|all| scan(all, |index| u64::from(index.get()) >= room / 12));
            if let Some((first, count)) = found {
                let index = indices.get(first).unwrap_or_default();
                let message = format!("there is no vertex {index}; the buffer has room for {}", room / 12);
                cx.report_count(element(doc, &parts, slot, 4, first), count, message);
            }
        });
    }
}

/// Positions of a mesh that are in the file.
fn positions(parts: &Parts<'_>, mesh: &Mesh) -> Option<(Slot, wire::Bulk<[wire::F32; 3]>)> {
    let slot = mesh.slot(Attribute::Position)?;
    let count = usize::try_from(placed_vertices(parts, mesh)).ok()?;
    Some((slot, parts.elements(slot, count)?))
}

rule! {
    /// ## What it finds
    /// Triangles of which two corners are one point. If all of a mesh are, the file most likely comes from the library's
    /// own converter, which triangulates wrongly.
    ///
    /// ## Why it matters
    /// They have no area and are not drawn.
    ///
    /// ## Example
    /// Any file that ConvertWavefrontObj made: a triangle a b c becomes a b b.
    ///
    /// ## Fix
    /// Convert the model again from its source with pentad.
    DAS2_029 "DAS2-029" "degenerate-triangles", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, place| {
            let (triangles, count) = degenerate(&parts, mesh);
            if count > 0 && count == triangles {
                let message = format!(
                    "all {count} triangles have two corners at one point: a file of the library's faulty converter"
                );
                cx.report_count(place.field("draw_count"), count, message);
            } else if count > 0 {
                let message = format!("{count} of {triangles} triangles have two corners at one point");
                cx.report_count(place.field("draw_count"), count, message);
            }
        });
    }
}

/// How many triangles a mesh has whose corners are all in the file, and how many of them have two corners at one point.
fn degenerate(parts: &Parts<'_>, mesh: &Mesh) -> (u64, u64) {
    let Some((_, positions)) = positions(parts, mesh) else { return (0, 0) };
    let Some(points) = positions.wire::<LE>() else { return (0, 0) };
    let flat = |[a, b, c]: [Option<&Vec3>; 3]| {
        let point = |v: Option<&Vec3>| v.map(|v| v.map(F32::get));
        let (Some(a), Some(b), Some(c)) = (point(a), point(b), point(c)) else { return (0, 0) };
        (1, u64::from(a == b || b == c || c == a))
    };
    let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    match parts.indices(mesh) {
        Some(indices) => {
            let Some(indices) = indices.wire::<LE>() else { return (0, 0) };
            let corner = |index: &U32<LE>| points.get(index.get() as usize);
            let one = |t: &[U32<LE>]| flat([corner(&t[0]), corner(&t[1]), corner(&t[2])]);
            indices.par_chunks_exact(3).with_min_len(PART).map(one).reduce(|| (0, 0), sum)
        }
        None => {
            let one = |t: &[Vec3]| flat([Some(&t[0]), Some(&t[1]), Some(&t[2])]);
            points.par_chunks_exact(3).with_min_len(PART).map(one).reduce(|| (0, 0), sum)
        }
    }
}

fn is_finite(v: &[F32<LE>]) -> bool {
    v.iter().all(|v| v.get().is_finite())
}

rule! {
    /// ## What it finds
    /// A number that is infinite or not a number, in positions, transforms or times.
    ///
    /// ## Why it matters
    /// What depends on it vanishes or fills the screen; other formats forbid it.
    ///
    /// ## Example
    /// A position of (NaN, 0, 0).
    ///
    /// ## Fix
    /// Find out which step of the export divides by zero.
    DAS2_030 "DAS2-030" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, _| {
            let Some((slot, positions)) = positions(&parts, mesh) else { return };
            let found = positions.wire::<LE>().and_then(|all| scan(all, |v| !is_finite(v)));
            if let Some((first, count)) = found {
                let position = positions.get(first).unwrap_or_default().map(wire::F32::get);
                cx.report_count(element(doc, &parts, slot, 12, first), count, format!("a position is {}", list(&position)));
            }
            for slot in mesh.morph_targets.iter().filter_map(|target| target.slot(Attribute::Position, mesh)) {
                let Some(deltas) = parts.elements::<[wire::F32; 3]>(slot, positions.len()) else { continue };
                if let Some((first, count)) = deltas.wire::<LE>().and_then(|all| scan(all, |v| !is_finite(v))) {
                    let delta = deltas.get(first).unwrap_or_default().map(wire::F32::get);
                    let message = format!("a morph target moves by {}", list(&delta));
                    cx.report_count(element(doc, &parts, slot, 12, first), count, message);
                }
            }
        });
        let mut see = |kind, id, field, values: &[wire::F32]| {
            if let Some(bad) = values.iter().find(|v| !v.get().is_finite()) {
                cx.report(place(doc, kind, id).field(field), format!("{} is in it", bad.get()));
            }
        };
        for (i, node) in parts.nodes.iter().enumerate() {
            see(Kind::NODE, i, "custom_transform", &node.custom_transform);
            see(Kind::NODE, i, "rotation", &node.rotation);
            see(Kind::NODE, i, "translation", &node.translation);
            see(Kind::NODE, i, "scale", &[node.scale]);
        }
        for (i, joint) in parts.joints.iter().enumerate() {
            see(Kind::SKELETON_JOINT, i, "inverse_bind_pos", &joint.inverse_bind_pos);
            see(Kind::SKELETON_JOINT, i, "rotation", &joint.rotation);
            see(Kind::SKELETON_JOINT, i, "translation", &joint.translation);
            see(Kind::SKELETON_JOINT, i, "scale", &[joint.scale]);
        }
        for (i, channel) in parts.channels.iter().enumerate() {
            for (field, numbers) in [
                ("keyframes", &channel.keyframes),
                ("tangents", &channel.tangents),
                ("target_values", &channel.target_values),
            ] {
                if let Some(at) = numbers.iter().position(|v| !v.get().is_finite()) {
                    let bad = numbers.get(at).unwrap_or_default().get();
                    cx.report(place(doc, Kind::ANIMATION_CHANNEL, i).field(field).nth(at), format!("it is {bad}"));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A normal whose length differs from 1 by more than 0.01.
    ///
    /// ## Why it matters
    /// Lighting comes out too bright or too dark; other formats forbid it.
    ///
    /// ## Example
    /// A normal of (0, 0, 0).
    ///
    /// ## Fix
    /// Normalise them in the program the model comes from.
    DAS2_031 "DAS2-031" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, _| {
            let Some(slot) = mesh.slot(Attribute::Normal) else { return };
            let Ok(count) = usize::try_from(placed_vertices(&parts, mesh)) else { return };
            let Some(normals) = parts.elements::<[wire::F32; 3]>(slot, count) else { return };
            let off = |v: &Vec3| {
                let length = v.iter().map(|v| v.get() * v.get()).sum::<f32>().sqrt();
                length.is_nan() || (length - 1.).abs() > NORMAL_TOLERANCE
            };
            if let Some((first, count)) = normals.wire::<LE>().and_then(|all| scan(all, off)) {
                let normal = normals.get(first).unwrap_or_default().map(wire::F32::get);
                cx.report_count(element(doc, &parts, slot, 12, first), count, format!("a normal is {}", list(&normal)));
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A LOD inside a LOD, a LOD that draws more than the one before it, or one with joints.
    ///
    /// ## Why it matters
    /// LODs get coarser one by one; what is nested deeper has no meaning, and the library's simplification knows no
    /// joints.
    ///
    /// ## Example
    /// A LOD of 900 vertices behind one of 300.
    ///
    /// ## Fix
    /// Order the LODs by their draw counts, all in the root mesh.
    DAS2_041 "DAS2-041" "lod", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, mesh) in doc.parts().meshes.iter().enumerate() {
            let lods = place(doc, Kind::MESH, i).field("multiple_lods");
            let mut before = mesh.draw_count;
            for (k, lod) in mesh.multiple_lods.iter().enumerate() {
                let place = lods.nth(k);
                if lod.draw_count > before {
                    let message = format!("it draws {}, the one before it {before}", lod.draw_count);
                    cx.report(place.field("draw_count"), message);
                }
                before = lod.draw_count;
                if !lod.multiple_lods.is_empty() {
                    cx.report(place.field("multiple_lod_count"), "a LOD has LODs of its own");
                }
                if (0..super::super::SLOTS).any(|set| lod.slot(Attribute::JointIndices(set)).is_some()) {
                    let place = place.field("skeletal_joint_index_buffer_offsets");
                    cx.report_as(Severity::Warning, place, "a LOD has joints");
                }
            }
        }
    }
}
