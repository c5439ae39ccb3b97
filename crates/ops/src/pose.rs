//! Meshes as they stand at rest, without what skins and morph targets do to them.

use glam::{DMat3, DMat4, DVec3};
use scene::sample::Pose;
use scene::{Attribute, Component, Forest, Id, Node, Primitive, Scene, Semantic, Stream, Transform, undone};

use crate::MeshUsers;

/// How far a skin may lead a vertex from where its node has it, relative to the numbers of the matrices, and still leave
/// it alone: what 32-bit floats make of matrices that undo each other.
const SAME: f64 = 1e-6;

/// What of a pose is put into vertices.
#[derive(Clone, Copy, Debug, Default)]
pub struct BakePose {
    /// Where joints have them; not by default.
    pub skins: bool,
    /// What the weights of morph targets make of them; not by default.
    pub morphs: bool,
}

/// Gives every mesh the vertices that it shows at rest. Skins and morph targets stay, and would move them once more.
pub fn bake_pose(scene: &mut Scene, options: &BakePose) {
    let pose = Pose::rest(scene);
    let mut users = MeshUsers::of(scene);
    for id in scene.nodes.ids() {
        if options.morphs && pose.weights(id).iter().any(|weight| *weight != 0.) {
            let primitives = users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives);
            primitives.for_each(|primitive| morph(primitive, pose.weights(id)));
        }
        if options.skins && scene.nodes[id].instances.is_none() {
            bend(scene, &pose, &mut users, id);
        }
    }
}

/// Takes away all skins, and the joints and weights of vertices.
pub fn drop_skins(scene: &mut Scene) {
    scene.nodes.iter_mut().for_each(|node| node.skin = None);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.attributes.retain(|a| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_)));
    }
    scene.skins.clear();
}

/// Takes away all morph targets and their weights.
pub fn drop_morph_targets(scene: &mut Scene) {
    for mesh in scene.meshes.iter_mut() {
        mesh.morphs.clear();
        mesh.primitives.iter_mut().for_each(|primitive| primitive.targets.clear());
    }
    scene.nodes.iter_mut().for_each(|node| node.weights.clear());
}

/// Adds to every attribute what the targets change it by.
fn morph(primitive: &mut Primitive, weights: &[f32]) {
    let Primitive { attributes, targets, .. } = primitive;
    for attribute in attributes {
        let deltas = targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.).filter_map(|(target, weight)| {
            let delta = target.attributes.iter().find(|delta| delta.semantic == attribute.semantic)?;
            Some((&delta.stream, f64::from(*weight)))
        });
        let deltas: Vec<(&Stream, f64)> = deltas.collect();
        if deltas.is_empty() {
            continue;
        }
        let width = attribute.stream.count().max(1);
        let mut values = attribute.stream.to_f64();
        for (delta, weight) in deltas {
            for (row, delta) in values.chunks_mut(width).zip(delta.to_f64().chunks(delta.count().max(1))) {
                row.iter_mut().zip(delta).for_each(|(value, delta)| *value += weight * delta);
            }
        }
        replace(attribute, values);
    }
}

/// Puts the vertices of a node where its joints have them.
fn bend(scene: &mut Scene, pose: &Pose, users: &mut MeshUsers, id: Id<Node>) {
    let Some(world) = pose.world(id) else { return };
    let parts = scene.nodes[id].mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.primitives);
    let matrices: Vec<Option<Vec<DMat4>>> =
        parts.iter().map(|primitive| pose.skinning(scene, id, primitive, primitive.vertex_count())).collect();
    if matrices.iter().flatten().flatten().all(|matrix| is_unbound(matrix) || is_near(matrix, &world)) {
        return;
    }
    let Some(back) = undone(&world) else {
        // Its own place shows nothing, that of its joints does, unless it is hidden with what stands above.
        let visible = Forest::of(scene).chain(id).all(|node| scene.nodes[node].visible);
        let transform = Transform::default();
        let shown = Node { children: Vec::new(), transform, visible, ..scene.nodes[id].clone() };
        scene.nodes[id].mesh = None;
        let shown = scene.add_root(shown);
        return bend_all(scene, users, shown, &matrices, &DMat4::IDENTITY);
    };
    bend_all(scene, users, id, &matrices, &back);
}

fn bend_all(scene: &mut Scene, users: &mut MeshUsers, id: Id<Node>, matrices: &[Option<Vec<DMat4>>], back: &DMat4) {
    let primitives = users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives);
    for (primitive, matrices) in primitives.zip(matrices) {
        let Some(matrices) = matrices else { continue };
        // Vertices that no joint holds stay where the node has them.
        let moves: Vec<Option<DMat4>> = matrices.iter().map(|m| (!is_unbound(m)).then(|| *back * *m)).collect();
        for attribute in &mut primitive.attributes {
            let map: fn(&DMat4, DVec3) -> DVec3 = match attribute.semantic {
                Semantic::Position => |m, p| m.transform_point3(p),
                Semantic::Normal => |m, n| (turn_of(m) * n).normalize_or_zero(),
                Semantic::Tangent => |m, t| m.transform_vector3(t).normalize_or_zero(),
                _ => continue,
            };
            let width = attribute.stream.count().max(1);
            let mut values = attribute.stream.to_f64();
            for (row, matrix) in values.chunks_mut(width).zip(&moves).filter(|(row, _)| row.len() >= 3) {
                let Some(matrix) = matrix else { continue };
                let moved = map(matrix, DVec3::new(row[0], row[1], row[2]));
                row[..3].copy_from_slice(&moved.to_array());
            }
            replace(attribute, values);
        }
    }
}

/// New numbers, as wide as the old ones.
fn replace(attribute: &mut Attribute, values: Vec<f64>) {
    let encoding = attribute.stream.encoding();
    attribute.stream = match encoding.component {
        Component::F64 => Stream::from_f64(encoding.count, values),
        _ => Stream::from_f32(encoding.count, values.into_iter().map(|value| value as f32).collect()),
    };
}

fn is_unbound(matrix: &DMat4) -> bool {
    *matrix == DMat4::ZERO
}

fn is_near(a: &DMat4, b: &DMat4) -> bool {
    let size = b.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
    a.abs_diff_eq(*b, SAME * size)
}

/// What a matrix does to normals; a flat one has no inverse, and then it is as good as anything.
fn turn_of(matrix: &DMat4) -> DMat3 {
    undone(matrix).map_or(DMat3::from_mat4(*matrix), |back| DMat3::from_mat4(back).transpose())
}
