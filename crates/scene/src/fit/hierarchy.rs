//! Nodes below nodes, and transforms, for targets that have neither.

use std::collections::HashSet;

use findings::Losses;
use glam::{DMat3, DMat4, DVec3};

use super::{Target, faces};
use crate::loss::*;
use crate::{Arena, Id, Node, NodeRole, Primitive, Scene, Semantic, Stream, Topology, Transform};

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    let turned = if target.can.hierarchy.is_lost() { flatten(scene, target, losses) } else { HashSet::new() };
    if target.can.transforms.is_lost() {
        bake(scene, &turned, target, losses);
    }
}

/// Gives every node that holds something its place in the world and no parent. Answers which of them are moved by
/// nothing but the turn of the source's axes.
fn flatten(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) -> HashSet<Id<Node>> {
    let mut flat = Arena::default();
    let mut roots = Vec::new();
    let top: HashSet<_> = scene.scenes.iter().flat_map(|root| &root.nodes).copied().collect();
    let mut turned = HashSet::new();
    let shown = scene.default_scene.unwrap_or(0);
    let mut unturned = scene.clone();
    unturned.nodes.iter_mut().filter(|n| n.role == NodeRole::Axis).for_each(|n| n.transform = Transform::default());
    let own = unturned.placed(shown).into_iter().map(|(_, own)| own);
    for ((id, world), own) in scene.placed(shown).into_iter().zip(own) {
        let mut node = scene.nodes[id].clone();
        let place = Scene::label("node", id.index(), &node.name);
        let nested = std::mem::take(&mut node.children);
        // Where nodes have transforms of their own, one that holds nothing is a place; with children it is but a group.
        let place_alone = !target.can.transforms.is_lost() && nested.is_empty() && node.role == NodeRole::Own;
        let holds = node.mesh.is_some() || node.light.is_some() || node.camera.is_some() || node.voxels.is_some();
        let holds = holds || place_alone;
        if node.role == NodeRole::Own && (!nested.is_empty() || !holds) {
            let what = if nested.is_empty() { "node that holds nothing" } else { "node with children" };
            losses.add(&LOSS_008, place, 1, what, target.why("hierarchy"));
        }
        if holds {
            // A node without a parent keeps its transform as it is, even one that does not equal itself: NaN.
            if !top.contains(&id) && world != node.transform.matrix() {
                node.transform = Transform::Matrix(world.to_cols_array().map(|v| v as f32));
            }
            let id = flat.add(node);
            roots.push(id);
            if own == DMat4::IDENTITY {
                turned.insert(id);
            }
        }
    }
    scene.nodes = flat;
    if let Some(root) = scene.scenes.first_mut() {
        root.nodes = roots;
    }
    turned
}

/// Multiplies every transform into the vertices of a mesh of its own. A turn of axes is no loss.
fn bake(scene: &mut Scene, turned: &HashSet<Id<Node>>, target: &Target<'_>, losses: &mut Losses) {
    for id in scene.nodes.ids() {
        let node = &scene.nodes[id];
        let world = node.transform.matrix();
        if world == DMat4::IDENTITY {
            continue;
        }
        if node.role == NodeRole::Own && !turned.contains(&id) {
            let place = Scene::label("node", id.index(), &node.name);
            losses.add(&LOSS_009, place, 1, "transform", target.why("transforms"));
        }
        let mesh = node.mesh;
        scene.nodes[id].transform = Transform::default();
        let Some(mut mesh) = mesh.and_then(|mesh| scene.meshes.get(mesh)).cloned() else { continue };
        for primitive in &mut mesh.primitives {
            transform(primitive, &world);
        }
        scene.nodes[id].mesh = Some(scene.meshes.add(mesh));
    }
}

fn transform(primitive: &mut Primitive, world: &DMat4) {
    let linear = DMat3::from_mat4(*world);
    let mirrored = linear.determinant() < 0.;
    // Normals follow the inverse transpose; a flat map has none, and then the map itself is as good as anything.
    let normals = if linear.determinant() == 0. { linear } else { linear.inverse().transpose() };
    for attribute in &mut primitive.attributes {
        let stream = &attribute.stream;
        let width = stream.count();
        let mut values = stream.to_f64();
        let map: &dyn Fn(DVec3) -> DVec3 = match attribute.semantic {
            Semantic::Position => &|p| world.transform_point3(p),
            Semantic::Normal => &|n| (normals * n).normalize_or_zero(),
            Semantic::Tangent => &|t| (linear * t).normalize_or_zero(),
            _ => continue,
        };
        for row in values.chunks_mut(width).filter(|row| row.len() >= 3) {
            let moved = map(DVec3::new(row[0], row[1], row[2]));
            row[..3].copy_from_slice(&moved.to_array());
            if mirrored && row.len() == 4 {
                row[3] = -row[3];
            }
        }
        attribute.stream = Stream::from_f64(width as u8, values);
    }
    if mirrored && primitive.topology.is_surface() {
        let mut indices = faces::triangulate(primitive);
        indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        primitive.topology = Topology::Triangles;
        primitive.corners.clear();
        primitive.indices = Some(indices.into());
    }
}
