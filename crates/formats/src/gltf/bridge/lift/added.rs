//! Nodes that the source of a file does not have: glTF's rules made them necessary, and the way back takes them away.

use std::collections::HashMap;

use super::carried::{own, role_name};
use super::{Input, levels, nodes as placed};
use crate::gltf::extensions::INSTANCING;
use crate::gltf::schema::{self, Json};

/// What editors leave of a transform that was taken apart and put together again.
pub(super) const ROUNDING: f64 = 1e-6;

/// Which nodes were added, and for what.
#[derive(Default)]
pub(super) struct Added {
    /// Nodes that join trees: their children are roots.
    pub(super) common_roots: Vec<usize>,
    /// Joints that a skin names twice, by the node that stands for them.
    pub(super) joints: HashMap<usize, usize>,
    /// Nodes with further instances of the mesh of another one, by that one.
    pub(super) instances: HashMap<usize, Vec<usize>>,
}

impl Added {
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.common_roots.iter().chain(self.joints.keys()).chain(self.instances.values().flatten()).copied()
    }
}

/// The reason that a node says it exists for.
pub(super) fn role(input: &Input<'_, '_, '_>, node: &schema::Node) -> Option<String> {
    let role = role_of(node).filter(|_| !input.cx.as_others)?;
    input.said.own_words.set(true);
    Some(role)
}

pub(super) fn role_of(node: &schema::Node) -> Option<String> {
    own(node.extras.as_ref(), "role").and_then(|role| Some(role_name(&role)?.to_owned()))
}

/// Whether a node says nothing but why it exists.
fn is_bare(input: &Input<'_, '_, '_>, node: &schema::Node) -> bool {
    let children = node.children.clone();
    let bare = schema::Node { children, extras: node.extras.clone(), ..schema::Node::default() };
    *node == bare && input.carried(node.extras.as_ref()).foreign().is_none()
}

pub(super) fn find(input: &Input<'_, '_, '_>) -> Added {
    let nodes = &input.root.nodes;
    let mut added = Added::default();
    if !nodes.iter().any(|node| role(input, node).is_some()) {
        return added;
    }
    let mut parents = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(parent) = parents.get_mut(child) {
                *parent = Some(i);
            }
        }
    }
    let uses = levels::uses(input, nodes.iter().filter_map(levels::ids).flatten());
    for (i, node) in nodes.iter().enumerate() {
        let leaf = node.children.is_empty();
        let is_copy = |parent: usize| {
            leaf && uses[i] == 1 && says_only_where(input, node) && shows_the_same(input, &added, parent, node)
        };
        match (role(input, node).as_deref(), parents[i]) {
            (Some("common-root"), None) if is_bare(input, node) => added.common_roots.push(i),
            (Some("joint-copy"), Some(parent)) if is_bare(input, node) && leaf => drop(added.joints.insert(i, parent)),
            (Some("instances"), Some(parent))
                if stands_at_its_parent(node) && shows_instances(input, node) && is_copy(parent) =>
            {
                added.instances.entry(parent).or_default().push(i);
            }
            (Some("instance"), Some(parent)) if shows_one(input, node) && is_copy(parent) => {
                added.instances.entry(parent).or_default().push(i);
            }
            _ => {}
        }
    }
    added
}

/// Whether a node stands where its parent does: one that somebody moved is a node of its own.
pub(super) fn stands_at_its_parent(node: &schema::Node) -> bool {
    placed::transform(node).matrix().abs_diff_eq(glam::DMat4::IDENTITY, ROUNDING)
}

/// Whether a node says nothing but what it shows and where: a placement has no room for more.
fn says_only_where(input: &Input<'_, '_, '_>, node: &schema::Node) -> bool {
    let mut rest = node.clone();
    rest.extensions.shift_remove(INSTANCING);
    let schema::Node { mesh, skin, matrix, translation, rotation, scale, .. } = rest;
    let (weights, extras) = (rest.weights.clone(), rest.extras.clone());
    let bare = schema::Node { mesh, skin, matrix, translation, rotation, scale, weights, extras, ..Default::default() };
    rest == bare && input.carried(node.extras.as_ref()).foreign().is_none()
}

/// Whether a node shows what the others with instances for the same node do: one of the meshes may have been changed.
fn shows_the_same(input: &Input<'_, '_, '_>, added: &Added, parent: usize, node: &schema::Node) -> bool {
    let nodes = &input.root.nodes;
    let above = &nodes[parent];
    let first = match added.instances.get(&parent).and_then(|all| all.first()) {
        _ if above.mesh.is_some() => above,
        Some(&first) => &nodes[first],
        None => node,
    };
    let mesh = |node: &schema::Node| Some(input.made.meshes.get(node.mesh?)?.mesh);
    // A mesh that the node above shows once is no copy.
    let copied = above.mesh.is_none() || above.extensions.get(INSTANCING).is_some_and(Json::is_object);
    copied && (mesh(node), node.skin, &node.weights) == (mesh(first), first.skin, &first.weights)
}

fn shows_instances(input: &Input<'_, '_, '_>, node: &schema::Node) -> bool {
    let material = node.mesh.and_then(|mesh| input.made.meshes.get(mesh)).and_then(|shown| shown.material);
    material.is_some() && node.extensions.get(INSTANCING).is_some_and(Json::is_object)
}

/// Whether a node is a single instance, which needs no extension.
fn shows_one(input: &Input<'_, '_, '_>, node: &schema::Node) -> bool {
    node.mesh.is_some_and(|mesh| input.made.meshes.get(mesh).is_some()) && !node.extensions.contains_key(INSTANCING)
}
