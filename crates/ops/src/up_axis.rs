//! The axis that is up: the scene as it stands in a file whose axes are others.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DMat4, DQuat, DVec3};
use scene::{Forest, Id, Node, NodeRole, Scene, Skin, Track, Transform, UpAxis};

use crate::inverse_binds;

/// The scene with `up` upwards. A node that turned the source's axis the same way goes; otherwise what stands at the top
/// is turned.
pub fn turn_up(scene: &Scene, up: UpAxis) -> Scene {
    let mut out = scene.clone();
    let shown = scene.default_scene.unwrap_or(0);
    let Some(root) = scene.scenes.get(shown) else { return out };
    let [x, y, z] = up.turn().map(|row| row.map(f64::from));
    // Rows as columns: the turn back.
    let back = DMat4::from_mat3(DMat3::from_cols_array_2d(&[x, y, z]));
    let animated = animated(scene);
    let mut tops = Vec::with_capacity(root.nodes.len());
    for &id in &root.nodes {
        let Some(node) = scene.nodes.get(id) else { continue };
        if node.role == NodeRole::Axis && is_bare(node) && keeps_size(&node.transform) {
            let turn = back * node.transform.matrix();
            node.children.iter().for_each(|&child| tops.push(turned(&mut out, child, turn, &animated)));
        } else {
            tops.push(turned(&mut out, id, back, &animated));
        }
    }
    out.scenes[shown].nodes = tops;
    out
}

/// Whether everything is as large as before: a correction of the unit or the size stands at the top, too.
fn keeps_size(transform: &Transform) -> bool {
    let matrix = DMat3::from_mat4(transform.matrix());
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].iter().all(|axis| (axis.length() - 1.).abs() < 1e-6)
}

fn is_bare(node: &Node) -> bool {
    node.mesh.is_none() && node.light.is_none() && node.voxels.is_none() && node.instances.is_none()
}

fn animated(scene: &Scene) -> HashSet<Id<Node>> {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let moves = channels.filter(|c| matches!(c.track, Track::Translation | Track::Rotation | Track::Scale));
    moves.filter_map(|channel| channel.node).collect()
}

/// A node turned about the origin; one that moves keeps its own place, below a node that turns.
fn turned(scene: &mut Scene, id: Id<Node>, turn: DMat4, animated: &HashSet<Id<Node>>) -> Id<Node> {
    if turn == DMat4::IDENTITY || scene.nodes.get(id).is_none() {
        return id;
    }
    if scene.nodes[id].role == NodeRole::Unplaced && is_bare(&scene.nodes[id]) {
        turn_below(scene, id, turn);
        return id;
    }
    let is_joint = scene.skins.iter().any(|skin| skin.joints.contains(&id));
    if animated.contains(&id) || is_joint {
        let transform = Transform::Matrix(turn.to_cols_array().map(|v| v as f32));
        return scene.nodes.add(Node { children: vec![id], transform, role: NodeRole::Axis, ..Node::default() });
    }
    let node = &mut scene.nodes[id];
    // Voxels stand exactly one apart, which no quaternion keeps.
    node.transform =
        if node.voxels.is_none() { turned_about(&node.transform, turn) } else { whole(&node.transform, turn) };
    id
}

fn whole(transform: &Transform, turn: DMat4) -> Transform {
    Transform::Matrix((turn * transform.matrix()).to_cols_array().map(|v| v as f32))
}

fn turned_about(transform: &Transform, turn: DMat4) -> Transform {
    match *transform {
        Transform::Trs { translation, rotation, scale } => {
            Transform::Trs { translation: moved(turn, translation), rotation: rotated(turn, rotation), scale }
        }
        Transform::Matrix(_) => whole(transform, turn),
    }
}

fn moved(turn: DMat4, place: [f32; 3]) -> [f32; 3] {
    turn.transform_point3(DVec3::from_array(place.map(f64::from))).to_array().map(|v| v as f32)
}

fn rotated(turn: DMat4, rotation: [f32; 4]) -> [f32; 4] {
    let own = DQuat::from_array(rotation.map(f64::from));
    (DQuat::from_mat3(&DMat3::from_mat4(turn)) * own).to_array().map(|v| v as f32)
}

/// Turns what stands below a node that is not written itself: the first bones of a skeleton and their keys, and sockets.
fn turn_below(scene: &mut Scene, id: Id<Node>, turn: DMat4) {
    let own = scene.nodes[id].transform.matrix();
    let turn = own.inverse() * turn * own;
    if !turn.is_finite() {
        return;
    }
    let below: HashSet<Id<Node>> = scene.nodes[id].children.iter().copied().collect();
    for child in &below {
        if let Some(node) = scene.nodes.get(*child) {
            scene.nodes[*child].transform = turned_about(&node.transform, turn);
        }
    }
    if let Some(skin) = scene.nodes[id].skin.filter(|skin| scene.skins.get(*skin).is_some()) {
        rebind(scene, id, skin, turn);
    }
    for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
        if channel.node.is_none_or(|node| !below.contains(&node)) {
            continue;
        }
        match channel.track {
            Track::Translation => {
                channel.values.as_chunks_mut::<3>().0.iter_mut().for_each(|place| *place = moved(turn, *place));
            }
            // Differences are turned by the rest before them.
            Track::Rotation if !channel.relative => {
                channel.values.as_chunks_mut::<4>().0.iter_mut().for_each(|own| *own = rotated(turn, *own));
            }
            _ => {}
        }
    }
}

/// Binds the joints below a node where they rest.
fn rebind(scene: &mut Scene, id: Id<Node>, skin: Id<Skin>, turn: DMat4) {
    let forest = Forest::of(scene);
    let joints = &scene.skins[skin].joints;
    let position: HashMap<Id<Node>, usize> = joints.iter().enumerate().map(|(i, joint)| (*joint, i)).collect();
    let above: Vec<Option<Id<Node>>> = joints.iter().map(|joint| forest.parent(*joint)).collect();
    let parents: Vec<Option<usize>> = above.iter().map(|up| position.get(up.as_ref()?).copied()).collect();
    let below = above.iter().zip(&parents).all(|(up, parent)| parent.is_some() || *up == Some(id));
    let there = joints.iter().all(|joint| scene.nodes.get(*joint).is_some());
    scene.skins[skin].inverse_bind = if below && there {
        let rests: Vec<Transform> = joints.iter().map(|joint| scene.nodes[*joint].transform).collect();
        inverse_binds(&parents, &rests)
    } else {
        let back = turn.inverse();
        let bound = |m: &[f32; 16]| DMat4::from_cols_array(&m.map(f64::from)) * back;
        scene.skins[skin].inverse_bind.iter().map(|m| bound(m).to_cols_array().map(|v| v as f32)).collect()
    };
}
