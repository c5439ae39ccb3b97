//! Shapes as they stand at rest, for targets that neither bend nor morph them.

use findings::Losses;
use glam::{DMat3, DMat4, DVec3};

use super::{Target, Users};
use crate::loss::*;
use crate::sample::Pose;
use crate::{Attribute, Component, Forest, Id, Node, Primitive, Scene, Semantic, Stream, Transform, undone};

/// How far a skin may lead a vertex from where its node has it, relative to the numbers of the matrices, and still leave
/// it alone: what 32-bit floats make of matrices that undo each other.
const SAME: f64 = 1e-6;

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    let bends = target.can.skins.is_lost() && !scene.skins.is_empty();
    for (index, skin) in scene.skins.iter().enumerate().filter(|_| bends) {
        losses.add(&LOSS_002, Scene::label("skin", index, &skin.name), 1, "skin", target.why_still("skins"));
    }
    let mut morphs = false;
    for (index, mesh) in scene.meshes.iter().enumerate().filter(|_| target.can.morph_targets.is_lost()) {
        let count = mesh.primitives.iter().map(|part| part.targets.len()).max().unwrap_or(0).max(mesh.morphs.len());
        if count > 0 {
            morphs = true;
            let place = Scene::label("mesh", index, &mesh.name);
            losses.add(&LOSS_003, place, count as u64, "morph targets", target.why_still("morph targets"));
        }
    }
    if bends || morphs {
        stand(scene, bends, morphs);
    }
    if bends {
        scene.nodes.iter_mut().for_each(|node| node.skin = None);
        for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.attributes.retain(|a| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_)));
        }
        scene.skins.clear();
    }
    if target.can.morph_targets.is_lost() {
        for mesh in scene.meshes.iter_mut() {
            mesh.morphs.clear();
            mesh.primitives.iter_mut().for_each(|primitive| primitive.targets.clear());
        }
        scene.nodes.iter_mut().for_each(|node| node.weights.clear());
    }
}

/// Gives every shape the vertices that it shows at rest.
fn stand(scene: &mut Scene, bends: bool, morphs: bool) {
    let pose = Pose::rest(scene);
    let mut users = Users::of(scene);
    for id in scene.nodes.ids() {
        if morphs && pose.weights(id).iter().any(|weight| *weight != 0.) {
            let primitives = users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives);
            primitives.for_each(|primitive| morph(primitive, pose.weights(id)));
        }
        if bends && scene.nodes[id].instances.is_none() {
            bend(scene, &pose, &mut users, id);
        }
    }
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
fn bend(scene: &mut Scene, pose: &Pose, users: &mut Users, id: Id<Node>) {
    let Some(world) = pose.world(id) else { return };
    let parts = scene.nodes[id].mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.primitives);
    let bent: Vec<Option<Vec<DMat4>>> =
        parts.iter().map(|primitive| pose.skinning(scene, id, primitive, primitive.vertex_count())).collect();
    if bent.iter().flatten().flatten().all(|matrix| is_unbound(matrix) || is_near(matrix, &world)) {
        return;
    }
    let Some(back) = undone(&world) else {
        // Its own place shows nothing, that of its joints does, unless it is hidden with what stands above.
        let visible = Forest::of(scene).chain(id).all(|node| scene.nodes[node].visible);
        let transform = Transform::default();
        let shown = Node { children: Vec::new(), transform, visible, ..scene.nodes[id].clone() };
        scene.nodes[id].mesh = None;
        let shown = scene.add_root(shown);
        return bend_all(scene, users, shown, &bent, &DMat4::IDENTITY);
    };
    bend_all(scene, users, id, &bent, &back);
}

fn bend_all(scene: &mut Scene, users: &mut Users, id: Id<Node>, bent: &[Option<Vec<DMat4>>], back: &DMat4) {
    let primitives = users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives);
    for (primitive, bent) in primitives.zip(bent) {
        let Some(bent) = bent else { continue };
        // Vertices that no joint holds stay where the node has them.
        let moves: Vec<Option<DMat4>> = bent.iter().map(|m| (!is_unbound(m)).then(|| *back * *m)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::fit;
    use crate::fit::hierarchy::tests::flat;
    use crate::{Hold, Mesh, MorphRange, MorphTarget, Skin, Topology};

    /// A point at (0, 2, 0) that hangs on a joint, which is bound at (0, 1, 0).
    fn hanging(joint: Transform, own: Transform) -> Scene {
        let mut scene = Scene::new();
        let primitive = Primitive::new(Topology::Points)
            .with(Semantic::Position, Stream::from_f32(3, vec![0., 2., 0.]))
            .with(Semantic::Normal, Stream::from_f32(3, vec![0., 1., 0.]))
            .with(Semantic::Joints(0), Stream::from_u32(1, vec![0]))
            .with(Semantic::Weights(0), Stream::from_f32(1, vec![1.]));
        let mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() }));
        let joint = scene.add_root(Node { transform: joint, ..Node::default() });
        let mut inverse_bind = vec![DMat4::IDENTITY.to_cols_array().map(|v| v as f32)];
        inverse_bind[0][13] = -1.;
        let skin = Some(scene.skins.add(Skin { joints: vec![joint], inverse_bind, ..Skin::default() }));
        scene.add_root(Node { mesh, skin, transform: own, ..Node::default() });
        scene
    }

    fn moved(translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3]) -> Transform {
        Transform::Trs { translation, rotation, scale }
    }

    /// What a target without skins, morph targets and transforms shows.
    fn shown(scene: &Scene, semantic: &Semantic) -> Vec<Vec<f32>> {
        let can = flat(Hold::No, Hold::No);
        let fitted = fit(scene, &can, "still", "Still", &mut Losses::default());
        let nodes = fitted.nodes.iter().filter_map(|node| node.mesh);
        nodes.map(|mesh| fitted.meshes[mesh].primitives[0].get(semantic).unwrap().to_f32()).collect()
    }

    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

    #[test]
    fn what_a_skin_bends_stands_where_its_joints_have_it() {
        // A quarter turn about z at (0, 1, 0): one above the joint becomes one to the left of it.
        let turned = moved([0., 1., 0.], [0., 0., HALF, HALF], [1.; 3]);
        // The node's own place means nothing, even if it has no size.
        for own in [
            Transform::default(),
            moved([5., 0., 0.], [0., 0., 0., 1.], [2.; 3]),
            moved([0.; 3], [0., 0., 0., 1.], [0.; 3]),
        ] {
            let scene = hanging(turned, own);
            let [at] = &shown(&scene, &Semantic::Position)[..] else { panic!("one point") };
            assert!(at.iter().zip([-1., 1., 0.]).all(|(a, b)| (a - b).abs() < 1e-6), "{own:?}: {at:?}");
            let [normal] = &shown(&scene, &Semantic::Normal)[..] else { panic!("one point") };
            assert!(normal.iter().zip([-1., 0., 0.]).all(|(a, b)| (a - b).abs() < 1e-6), "{own:?}: {normal:?}");
        }
    }

    #[test]
    fn what_hangs_hidden_stays_hidden_where_its_joints_have_it() {
        let turned = moved([0., 1., 0.], [0., 0., HALF, HALF], [1.; 3]);
        let mut scene = hanging(turned, moved([0.; 3], [0., 0., 0., 1.], [0.; 3]));
        let skinned = scene.scenes[0].nodes.pop().unwrap();
        scene.add_root(Node { children: vec![skinned], visible: false, ..Node::default() });
        let can = crate::Capabilities { visibility: Hold::Yes, ..flat(Hold::Yes, Hold::No) };
        let fitted = fit(&scene, &can, "still", "Still", &mut Losses::default());
        assert!(fitted.nodes.iter().filter(|node| node.mesh.is_some()).all(|node| !node.visible));
    }

    #[test]
    fn what_is_bound_where_it_rests_is_left_as_it_is_stored() {
        let scene = hanging(moved([0., 1., 0.], [0., 0., 0., 1.], [1.; 3]), Transform::default());
        assert_eq!(shown(&scene, &Semantic::Position), [[0., 2., 0.]]);
    }

    #[test]
    fn default_weights_are_in_force() {
        let mut scene = Scene::new();
        let delta = Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![0., 0., 0.5]) };
        let mut primitive =
            Primitive::new(Topology::Points).with(Semantic::Position, Stream::from_f32(3, vec![1., 0., 0.]));
        primitive.targets.push(MorphTarget { attributes: vec![delta] });
        let morphs = vec![MorphRange { name: "a".into(), default: 0.5, min: 0., max: 1. }];
        let mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], morphs, ..Mesh::default() }));
        scene.add_root(Node { mesh, ..Node::default() });
        scene.add_root(Node { mesh, weights: vec![-1.], ..Node::default() });
        assert_eq!(shown(&scene, &Semantic::Position), [[1., 0., 0.25], [1., 0., -0.5]]);
    }
}
