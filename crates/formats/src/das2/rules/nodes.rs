//! Where things are: transforms and trees.

use findings::{Place, Severity, rule};
use wire::{Bulk, F32};

use super::super::document::Document;
use super::super::form::Kind;
use super::super::layout::{IDENTITY, NONE};
use super::{list, place};

/// How far from 1 the length of a rotation may be; rounding in single precision stays far below.
const UNIT_TOLERANCE: f64 = 1e-3;

rule! {
    /// ## What it finds
    /// A rotation that is 0 0 0 0, or not of unit length.
    ///
    /// ## Why it matters
    /// The library's untouched rotations are 0 0 0 0, which no formula turns into a rotation; it is taken for none.
    ///
    /// ## Example
    /// Any node of the library's converter.
    ///
    /// ## Fix
    /// `check --fix` sets zero rotations to 0 0 0 1.
    DAS2_032 "DAS2-032" "rotation-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let mut see = |kind, id, rotation: &[F32; 4]| {
            let place = place(doc, kind, id).field("rotation");
            let length = rotation.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt();
            if length == 0. {
                cx.report(place, "the rotation is (0, 0, 0, 0); taken for (0, 0, 0, 1)");
            } else if length.is_finite() && (length - 1.).abs() > UNIT_TOLERANCE {
                cx.report(place, format!("the rotation {} is of length {length:.4}", list(&rotation.map(F32::get))));
            }
        };
        parts.nodes.iter().enumerate().for_each(|(i, node)| see(Kind::NODE, i, &node.rotation));
        parts.joints.iter().enumerate().for_each(|(i, joint)| see(Kind::SKELETON_JOINT, i, &joint.rotation));
    }
    fn fix(doc: &mut Document) -> u64 {
        use super::super::layout::UNTURNED;
        use super::super::structure::Structure;
        let is_zero = |rotation: &[F32; 4]| rotation.iter().all(|v| v.get() == 0.);
        let mut mended = 0;
        for structure in &mut doc.structures {
            let zero = match &**structure {
                Structure::Node(node) => is_zero(&node.rotation),
                Structure::SkeletonJoint(joint) => is_zero(&joint.rotation),
                _ => false,
            };
            if zero {
                match structure.edit() {
                    Structure::Node(node) => node.rotation = UNTURNED,
                    Structure::SkeletonJoint(joint) => joint.rotation = UNTURNED,
                    _ => {}
                }
                mended += 1;
            }
        }
        mended
    }
}

rule! {
    /// ## What it finds
    /// A scale of 0 or below.
    ///
    /// ## Why it matters
    /// 0 makes everything vanish; below it, meshes are turned inside out.
    ///
    /// ## Example
    /// `scale` is -1.
    ///
    /// ## Fix
    /// Apply the scale to the vertices.
    DAS2_033 "DAS2-033" "scale-not-positive", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let mut see = |kind, id, scale: F32| {
            if scale.get() <= 0. {
                cx.report(place(doc, kind, id).field("scale"), format!("the scale is {}", scale.get()));
            }
        };
        parts.nodes.iter().enumerate().for_each(|(i, node)| see(Kind::NODE, i, node.scale));
        parts.joints.iter().enumerate().for_each(|(i, joint)| see(Kind::SKELETON_JOINT, i, joint.scale));
    }
}

rule! {
    /// ## What it finds
    /// A node with both a custom matrix and a translation, rotation or scale.
    ///
    /// ## Why it matters
    /// The document does not say which comes first. pentad takes translation, rotation, scale, then the matrix.
    ///
    /// ## Example
    /// A matrix that moves by (1, 2, 3), and a scale of 2.
    ///
    /// ## Fix
    /// Put everything into one of them.
    DAS2_034 "DAS2-034" "two-transforms", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, node) in doc.parts().nodes.iter().enumerate() {
            let values = |all: &[F32]| all.iter().map(|v| v.get()).collect::<Vec<f32>>();
            let moves = values(&node.custom_transform) != values(&IDENTITY);
            let turned = node.rotation[..3].iter().any(|v| v.get() != 0.);
            let placed = node.translation.iter().any(|v| v.get() != 0.) || node.scale.get() != 1. || turned;
            if moves && placed {
                let message = "it has a translation, rotation or scale as well; which comes first is not defined";
                cx.report(place(doc, Kind::NODE, i).field("custom_transform"), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A node or joint that is reached twice, or that is below itself.
    ///
    /// ## Why it matters
    /// It would have two places; a circle never ends.
    ///
    /// ## Example
    /// Node 0 with the children 1 and 1.
    ///
    /// ## Fix
    /// Give each node one parent.
    DAS2_035 "DAS2-035" "not-a-tree", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let nodes: Vec<&Bulk<u32>> = parts.nodes.iter().map(|node| &node.children).collect();
        let joints: Vec<&Bulk<u32>> = parts.joints.iter().map(|joint| &joint.children).collect();
        let mut report = |place: Place, message: String| cx.report(place, message);
        let parents = parents(doc, Kind::NODE, &nodes, &mut report);
        self::parents(doc, Kind::SKELETON_JOINT, &joints, &mut report);
        for (i, scene) in parts.scenes.iter().enumerate() {
            let mut seen = std::collections::BTreeSet::new();
            for (k, root) in scene.root_nodes.iter().enumerate() {
                let place = || place(doc, Kind::SCENE, i).field("root_nodes").nth(k);
                if let Some((parent, _)) = parents.get(root as usize).copied().flatten() {
                    report(place(), format!("node {root} is also a child of node {parent}"));
                } else if !seen.insert(root) {
                    report(place(), format!("node {root} is a root twice"));
                }
            }
        }
    }
}

/// The parent of each, and its place among the parent's children; the first one counts. Reports second parents and
/// circles.
fn parents(
    doc: &Document,
    kind: Kind,
    children: &[&Bulk<u32>],
    report: &mut dyn FnMut(Place, String),
) -> Vec<Option<(usize, usize)>> {
    let mut parents: Vec<Option<(usize, usize)>> = vec![None; children.len()];
    let word = if kind == Kind::NODE { "node" } else { "joint" };
    let edge = |parent: usize, k: usize| place(doc, kind, parent).field("children").nth(k);
    for (parent, children) in children.iter().enumerate() {
        for (k, child) in children.iter().enumerate() {
            match parents.get_mut(child as usize) {
                Some(Some((other, _))) => {
                    let message = format!("{word} {child} is also a child of {word} {other}");
                    report(edge(parent, k), message);
                }
                Some(none) => *none = Some((parent, k)),
                None => {}
            }
        }
    }
    // Everyone has one parent at most, so going up ends, or comes back to where it was on the same way.
    let mut way = vec![0_usize; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        while way[at] == 0 {
            way[at] = start + 1;
            match parents[at] {
                Some((parent, _)) => at = parent,
                None => break,
            }
        }
        if way[at] == start + 1
            && let Some((parent, k)) = parents[at]
        {
            report(edge(parent, k), format!("{word} {at} is below itself"));
        }
    }
    parents
}

rule! {
    /// ## What it finds
    /// A node that no scene reaches.
    ///
    /// ## Why it matters
    /// It is never shown.
    ///
    /// ## Example
    /// A node that is neither a root nor a child.
    ///
    /// ## Fix
    /// Add it to the roots of a scene, or remove it.
    DAS2_036 "DAS2-036" "node-in-no-scene", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        let mut reached = vec![false; parts.nodes.len()];
        let mut todo: Vec<u32> = parts.scenes.iter().flat_map(|scene| scene.root_nodes.iter()).collect();
        while let Some(id) = todo.pop() {
            if let Some(seen) = reached.get_mut(id as usize).filter(|seen| !**seen) {
                *seen = true;
                todo.extend(parts.nodes[id as usize].children.iter());
            }
        }
        for (i, _) in reached.iter().enumerate().filter(|(_, reached)| !**reached && !parts.scenes.is_empty()) {
            cx.report(place(doc, Kind::NODE, i), "no scene reaches this node");
        }
    }
}

rule! {
    /// ## What it finds
    /// A skeleton whose topmost joint is not among its joints; as a warning, one that has no joints, or one of them
    /// twice.
    ///
    /// ## Why it matters
    /// The tree of joints does not begin where it says.
    ///
    /// ## Example
    /// `parent` is 3, and the joints are 0, 1 and 2.
    ///
    /// ## Fix
    /// Add the joint to the list, or set `parent` to -1.
    DAS2_037 "DAS2-037" "skeleton-root", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, skeleton) in doc.parts().skeletons.iter().enumerate() {
            if skeleton.parent != NONE && !skeleton.joints.iter().any(|joint| joint == skeleton.parent) {
                let message = format!("joint {} is not among the joints of the skeleton", skeleton.parent);
                cx.report(place(doc, Kind::SKELETON, i).field("parent"), message);
            }
            let joints = place(doc, Kind::SKELETON, i).field("joints");
            if skeleton.joints.is_empty() {
                cx.report_as(Severity::Warning, joints.clone(), "the skeleton has no joints");
            }
            let mut seen = std::collections::BTreeSet::new();
            if let Some(twice) = skeleton.joints.iter().position(|joint| !seen.insert(joint)) {
                let joint = skeleton.joints.get(twice).unwrap_or_default();
                cx.report_as(Severity::Warning, joints.nth(twice), format!("joint {joint} is in the list twice"));
            }
        }
    }
}
