//! What editors do to every file they write, undone where the file itself says how it was: they give a name to what has
//! none, number names that several objects have, store matrices as quaternions, and move a skinned mesh into a node
//! below the one that holds its joints.

use std::borrow::Cow;

use super::added::{ROUNDING, role_of, stands_at_its_parent};
use super::carried::own;
use super::geometry::is_numbered;
use super::made_up::is_made_up;
use super::nodes as placed;
use crate::gltf::about;
use crate::gltf::carry::{SKINNED, TARGET_NAMES};
use crate::gltf::schema::{self, Json, Real, Root};

/// A file as it was before an editor regrouped it, and the nodes that were not there then.
pub(super) fn undone(root: &Root) -> (Cow<'_, Root>, Vec<usize>) {
    let mut undone = Cow::Borrowed(root);
    if let Some(names) =
        about::said(root, |extras| own(extras, about::FILE)).and_then(|(_, mut file)| file.shift_remove(about::NAMES))
    {
        about::share_names(undone.to_mut(), &names);
        take_names_off(undone.to_mut(), &names);
    }
    for index in 0..root.nodes.len() {
        if let Some(turn) = exact_turn(&root.nodes[index]) {
            let node = &mut undone.to_mut().nodes[index];
            (node.translation, node.rotation, node.scale, node.matrix) = (None, None, None, Some(turn));
        }
    }
    let moved = moved_below(root);
    for &(above, below) in &moved {
        move_up(undone.to_mut(), above, below);
    }
    (undone, moved.into_iter().map(|(_, below)| below).collect())
}

/// Nodes that were written for others had no names, and morph targets may have had none.
fn take_names_off(root: &mut Root, names: &Json) {
    for extras in root.meshes.iter_mut().filter_map(|mesh| mesh.extras.as_mut()) {
        let unnamed = names.get(about::TARGETS).is_some() && extras.get(TARGET_NAMES).is_some_and(is_numbered);
        if let Json::Object(all) = extras
            && unnamed
        {
            all.shift_remove(TARGET_NAMES);
        }
    }
    for node in root
        .nodes
        .iter_mut()
        .filter(|node| role_of(node).is_some_and(|role| ["lod", "instance", "instances"].contains(&role.as_str())))
    {
        let mesh = node.mesh.and_then(|mesh| root.meshes.get(mesh)?.name.as_deref()).unwrap_or_default();
        node.name = node.name.take().filter(|name| !is_made_up(name, &["mesh", "node", mesh]));
    }
}

/// The matrix that leads axes to axes, for a node that does so but for the rounding of its quaternion.
fn exact_turn(node: &schema::Node) -> Option<[Real; 16]> {
    if node.rotation.is_none() || role_of(node).as_deref() != Some("axis") {
        return None;
    }
    let is = placed::transform(node).matrix().to_cols_array();
    let turn = is.map(f64::round);
    is.iter().zip(&turn).all(|(is, turn)| (is - turn).abs() < ROUNDING).then(|| turn.map(|v| Real(v + 0.)))
}

/// Nodes whose skinned mesh is in a node below them, and that node.
fn moved_below(root: &Root) -> Vec<(usize, usize)> {
    let mut moved = Vec::new();
    for (index, node) in root.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_none()) {
        if role_of(node).as_deref() != Some(SKINNED) {
            continue;
        }
        let shows_skin = |child: &&usize| {
            root.nodes.get(**child).is_some_and(|child| {
                child.mesh.is_some() && child.skin.is_some() && child.extras.is_none() && stands_at_its_parent(child)
            })
        };
        let mut found = node.children.iter().filter(shows_skin);
        if let (Some(&child), None) = (found.next(), found.next()) {
            moved.push((index, child));
        }
    }
    moved
}

fn move_up(root: &mut Root, above: usize, below: usize) {
    let child = std::mem::take(&mut root.nodes[below]);
    let node = &mut root.nodes[above];
    (node.mesh, node.skin, node.weights) = (child.mesh, child.skin, child.weights);
    for target in root.animations.iter_mut().flat_map(|a| &mut a.channels).map(|channel| &mut channel.target) {
        if target.node == Some(below) {
            target.node = Some(above);
        }
    }
}
