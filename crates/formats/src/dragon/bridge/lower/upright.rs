//! The axis that is up: the scene as it stands in the file.

use std::collections::HashSet;

use glam::{DMat3, DMat4, DQuat, DVec3};
use scene::{Id, Node, NodeRole, Scene, Track, Transform, UpAxis};

/// The scene with `up` upwards. A node that turned the source's axis the same way goes; otherwise what stands at the top
/// is turned.
pub(super) fn stand(scene: &Scene, up: UpAxis) -> Scene {
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
    let is_joint = scene.skins.iter().any(|skin| skin.joints.contains(&id));
    if animated.contains(&id) || is_joint {
        let transform = Transform::Matrix(turn.to_cols_array().map(|v| v as f32));
        return scene.nodes.add(Node { children: vec![id], transform, role: NodeRole::Axis, ..Node::default() });
    }
    let node = &mut scene.nodes[id];
    node.transform = match node.transform {
        // Voxels stand exactly one apart, which no quaternion keeps.
        Transform::Trs { translation, rotation, scale } if node.voxels.is_none() => {
            let place = turn.transform_point3(DVec3::from_array(translation.map(f64::from)));
            let own = DQuat::from_array(rotation.map(f64::from));
            let whole = DQuat::from_mat3(&DMat3::from_mat4(turn)) * own;
            Transform::Trs {
                translation: place.to_array().map(|v| v as f32),
                rotation: whole.to_array().map(|v| v as f32),
                scale,
            }
        }
        _ => Transform::Matrix((turn * node.transform.matrix()).to_cols_array().map(|v| v as f32)),
    };
    id
}
