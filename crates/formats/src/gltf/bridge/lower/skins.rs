//! Skins, and the nodes that glTF's rules about them make necessary.

use std::collections::{HashMap, HashSet};

use findings::Subject;
use scene::Skin;
use scene::loss::*;
use serde_json::json;

use super::tree::Order;
use super::{Output, streams};
use crate::gltf::carry::Carry;
use crate::gltf::schema;

/// Numbers of a matrix that glTF fixes: the last row, column by column.
const LAST_ROW: [(usize, f32); 4] = [(3, 0.), (7, 0.), (11, 0.), (15, 1.)];
const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// Decides which skins can be written, and which meshes they bend.
pub(super) fn plan(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let mut count = 0;
    for (id, skin) in scene.skins.entries() {
        let whole = !skin.joints.is_empty() && skin.joints.iter().all(|&joint| scene.nodes.get(joint).is_some());
        if !whole {
            let place = skin.subject(id);
            out.cx.lose(&LOSS_002, &place, 1, "skin", "glTF demands joints that are there");
        }
        out.nodes.skins.push(whole.then_some(count));
        count += usize::from(whole);
    }
    out.meshes.skinned = vec![false; scene.meshes.len()];
    for node in scene.nodes.iter() {
        let skinned = node.skin.is_some_and(|id| out.nodes.skins.get(id.index()).copied().flatten().is_some());
        let Some(id) = node.mesh.filter(|_| skinned) else { continue };
        let lods = scene.meshes.get(id).into_iter().flat_map(|mesh| &mesh.lods).map(|lod| lod.mesh);
        for id in lods.chain([id]) {
            if let Some(skinned) = out.meshes.skinned.get_mut(id.index()) {
                *skinned = true;
            }
        }
    }
}

/// Writes the skins. Joints of one skin get a common root, and each is named once.
pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let mut order = out.nodes.tree.order();
    for (id, skin) in scene.skins.entries() {
        if out.nodes.skins[id.index()].is_none() {
            continue;
        }
        let place = skin.subject(id);
        let nodes = out.nodes.tree.len();
        let joints = name_once(out, skin);
        join_trees(out, skin, &order);
        if out.nodes.tree.len() != nodes {
            order = out.nodes.tree.order();
        }
        let mut carry = Carry::default();
        let name = carry.name(&skin.name);
        let inverse_bind_matrices = lower_binds(out, skin, &place);
        let extensions = out.foreign(&skin.extras);
        let root = skin.root.filter(|&root| scene.nodes.get(root).is_some());
        let skeleton = root.filter(|&root| joints.iter().all(|&joint| order.holds(root, joint)));
        if root.is_some() && skeleton.is_none() {
            let why = "glTF demands a node that holds all joints";
            out.cx.report_unless_carried(&LOSS_015, &place, 1, "root of the skeleton", why);
        }
        let extras = out.extras(carry, &skin.extras);
        out.root.skins.push(schema::Skin {
            name,
            inverse_bind_matrices,
            skeleton: skeleton.map(|root| root.index()),
            joints,
            extensions,
            extras,
            ..schema::Skin::default()
        });
    }
}

/// The joints of a skin. glTF takes each node once; a second time it is a node below it that adds nothing.
fn name_once(out: &mut Output<'_, '_, '_>, skin: &Skin) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut joints = Vec::with_capacity(skin.joints.len());
    for joint in &skin.joints {
        let joint = joint.index();
        joints.push(if seen.insert(joint) { joint } else { out.add_node(Some(joint), "joint-copy") });
    }
    joints
}

/// Gives joints that stand in several trees one root.
fn join_trees(out: &mut Output<'_, '_, '_>, skin: &Skin, order: &Order) {
    let mut seen = HashSet::new();
    let tops = skin.joints.iter().map(|joint| order.top(joint.index()));
    let tops: Vec<usize> = tops.filter(|&top| seen.insert(top)).collect();
    if tops.len() > 1 {
        let root = out.add_node(None, "common-root");
        tops.into_iter().for_each(|top| out.nodes.tree.put_below(top, root));
    }
}

/// The accessor of the inverse bind matrices; nothing if all are the identity because there are none.
fn lower_binds(out: &mut Output<'_, '_, '_>, skin: &Skin, place: &Subject) -> Option<usize> {
    if skin.inverse_bind.is_empty() {
        return None;
    }
    let mut changed = skin.inverse_bind.len().abs_diff(skin.joints.len());
    let mut values = Vec::with_capacity(skin.joints.len() * 16);
    for at in 0..skin.joints.len() {
        let stored = skin.inverse_bind.get(at).copied().unwrap_or(IDENTITY);
        let matrix = made_valid(&stored);
        changed += usize::from(matrix != stored);
        values.extend(matrix);
    }
    if changed > 0 {
        let what = "inverse bind matrices made valid";
        out.cx.lose(&LOSS_031, place, changed as u64, what, "glTF demands one affine matrix per joint");
    }
    Some(streams::numbers(out, "MAT4", 16, values, false))
}

/// The inverse bind matrix that glTF takes for any.
fn made_valid(stored: &[f32; 16]) -> [f32; 16] {
    let mut matrix = *stored;
    // A zero keeps its sign.
    for (at, value) in LAST_ROW.into_iter().filter(|&(at, value)| stored[at] != value) {
        matrix[at] = value;
    }
    matrix
}

/// Trees that a scene must show beside another: those of the joints that bend what it holds.
pub(super) fn demands(out: &Output<'_, '_, '_>) -> HashMap<usize, Vec<usize>> {
    let order = out.nodes.tree.order();
    let mut demands: HashMap<usize, Vec<usize>> = HashMap::new();
    for (node, written) in out.root.nodes.iter().enumerate() {
        let joint = written.skin.and_then(|skin| out.root.skins.get(skin)).and_then(|skin| skin.joints.first());
        if let Some(&joint) = joint {
            demands.entry(order.top(node)).or_default().push(order.top(joint));
        }
    }
    demands
}

/// The skin of a node, if glTF can hold it there: it bends a mesh, so there must be one.
pub(super) fn of_node(
    out: &Output<'_, '_, '_>,
    node: &scene::Node,
    mesh: Option<usize>,
    carry: &mut Carry,
) -> Option<usize> {
    let skin = out.nodes.skins.get(node.skin?.index()).copied().flatten()?;
    if mesh.is_none() {
        carry.set("skin", json!(skin));
        return None;
    }
    Some(skin)
}
