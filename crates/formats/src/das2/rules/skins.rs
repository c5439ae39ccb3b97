//! Joints of vertices.

use std::collections::BTreeSet;

use findings::rule;
use wire::F32;
use zerocopy::byteorder::{self, LE, U16};

use super::super::attributes::{Attribute, SLOTS};
use super::super::document::{Document, Parts};
use super::super::form::Kind;
use super::super::layout::{Mesh, NONE};
use super::attributes::placed_vertices;
use super::{each_mesh, element, offset_of, place};

/// How far from 1 the weights of a vertex may add up to.
const SUM_TOLERANCE: f32 = 1e-3;

/// A set of joints: its number, and of each vertex four joints and their weights.
type Set = (usize, wire::Bulk<[u16; 4]>, wire::Bulk<[F32; 4]>);

/// The joints of a vertex and their weights, as they lie in the file.
type Influences<'a> = (&'a [U16<LE>; 4], &'a [byteorder::F32<LE>; 4]);

/// The sets of a mesh that have joints and weights, as far as they are in the file.
fn sets(parts: &Parts<'_>, mesh: &Mesh) -> Vec<Set> {
    let Ok(count) = usize::try_from(placed_vertices(parts, mesh)) else { return Vec::new() };
    let set = |set: usize| {
        let joints = parts.elements(mesh.slot(Attribute::JointIndices(set))?, count)?;
        let weights = parts.elements(mesh.slot(Attribute::JointWeights(set))?, count)?;
        Some((set, joints, weights))
    };
    (0..SLOTS).filter_map(set).collect()
}

rule! {
    /// ## What it finds
    /// A vertex whose weights do not add up to 1.
    ///
    /// ## Why it matters
    /// It is drawn towards the origin, or away from it.
    ///
    /// ## Example
    /// Weights 0.5, 0.25, 0, 0.
    ///
    /// ## Fix
    /// Normalise the weights.
    DAS2_038 "DAS2-038" "weights-sum", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, _| {
            let sets = sets(&parts, mesh);
            let Some((first, _, weights)) = sets.first() else { return };
            let Some(slot) = mesh.slot(Attribute::JointWeights(*first)) else { return };
            let views: Vec<_> = sets.iter().filter_map(|(_, _, weights)| weights.wire::<LE>()).collect();
            let sum = |vertex: usize| -> f32 {
                views.iter().filter_map(|weights| weights.get(vertex)).flatten().map(|weight| weight.get()).sum()
            };
            let off = |sum: f32| sum.is_nan() || (sum - 1.).abs() > SUM_TOLERANCE;
            let mut bad = (0..weights.len()).filter(|vertex| off(sum(*vertex)));
            if let Some(vertex) = bad.next() {
                let message = format!("weights add up to {}", sum(vertex));
                cx.report_count(element(doc, &parts, slot, 16, vertex), 1 + bad.count() as u64, message);
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A vertex that follows a joint which its skeleton does not have. Joints are places in the skeleton's list.
    ///
    /// ## Why it matters
    /// The library reads beyond the list.
    ///
    /// ## Example
    /// Joint 2 of a skeleton with two joints.
    ///
    /// ## Fix
    /// Export the model again, with the skeleton it was made for.
    DAS2_039 "DAS2-039" "no-such-joint", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let mut seen = BTreeSet::new();
        for node in &parts.nodes {
            let group = parts.mesh_groups.get(node.mesh_group_id as usize);
            let (Some(group), Some(skeleton)) = (group, parts.skeletons.get(node.skeleton_id as usize)) else { continue };
            for id in group.meshes.iter() {
                let Some(mesh) = parts.meshes.get(id as usize).filter(|_| seen.insert((id, node.skeleton_id))) else {
                    continue;
                };
                for (set, joints, weights) in sets(&parts, mesh) {
                    let Some(slot) = mesh.slot(Attribute::JointIndices(set)) else { continue };
                    let (Some(joints), Some(weights)) = (joints.wire::<LE>(), weights.wire::<LE>()) else { continue };
                    let outside = |(vertex, (joints, weights)): (usize, Influences<'_>)| {
                        let used = joints.iter().zip(weights).filter(|(_, weight)| weight.get() != 0.);
                        let mut joints = used.map(|(joint, _)| joint.get());
                        Some((vertex, joints.find(|joint| usize::from(*joint) >= skeleton.joints.len())?))
                    };
                    let mut bad = joints.iter().zip(weights).enumerate().filter_map(outside);
                    if let Some((vertex, joint)) = bad.next() {
                        let message = format!("there is no joint {joint}; the skeleton has {}", skeleton.joints.len());
                        cx.report_count(element(doc, &parts, slot, 8, vertex), 1 + bad.count() as u64, message);
                    }
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A set of joints without weights, or of weights without joints.
    ///
    /// ## Why it matters
    /// Neither means anything without the other.
    ///
    /// ## Example
    /// `skeletal_joint_weight_buffer_ids[0]` is -1, and that of the joints is not.
    ///
    /// ## Fix
    /// Write both, or neither.
    DAS2_040 "DAS2-040" "joints-without-weights", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_mesh(doc, &doc.parts(), |mesh, place| {
            for set in 0..SLOTS {
                let [joints, weights] = [Attribute::JointIndices(set), Attribute::JointWeights(set)];
                match (mesh.slot(joints), mesh.slot(weights)) {
                    (Some(_), None) => cx.report(offset_of(&place, joints), "these joints have no weights"),
                    (None, Some(_)) => cx.report(offset_of(&place, weights), "these weights have no joints"),
                    _ => {}
                }
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A node with a skeleton and without a mesh group.
    ///
    /// ## Why it matters
    /// There is nothing the skeleton could move.
    ///
    /// ## Example
    /// `skeleton_id` is 0, and `mesh_group_id` is -1.
    ///
    /// ## Fix
    /// Bind the skeleton to the node that shows the mesh.
    DAS2_049 "DAS2-049" "skeleton-moves-nothing", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, node) in doc.parts().nodes.iter().enumerate() {
            if node.skeleton_id != NONE && node.mesh_group_id == NONE {
                cx.report(place(doc, Kind::NODE, i).field("skeleton_id"), "the node shows no mesh that it could move");
            }
        }
    }
}
