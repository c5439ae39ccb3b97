//! Transforms that are no translation, rotation and scale, for targets that have nothing else.

use std::collections::HashSet;

use glam::{DMat4, DQuat, DVec3};
use scene::{Forest, Id, Node, Scene, Track, Transform};

use crate::{MeshUsers, Reversed, transform_rounded};

/// A node whose shear is in its mesh now.
#[derive(Clone, Debug)]
pub struct BakedShear {
    /// Which one.
    pub node: Id<Node>,
    /// Its faces that became triangles, as they are mirrored.
    pub reversed: Vec<Reversed>,
}

/// The scene with the shear of nodes that stand still multiplied into the vertices of meshes of their own, if there are
/// any, and which nodes those are. A node that moves, that is skinned or that carries what moves stays as it is.
pub fn bake_shear(scene: &Scene) -> Option<(Scene, Vec<BakedShear>)> {
    let forest = Forest::of(scene);
    let moving = moving(scene);
    let stands = |id: Id<Node>| !forest.chain(id).any(|above| moving.contains(&above));
    let mut out: Option<(Scene, Vec<BakedShear>, MeshUsers)> = None;
    for id in forest.downwards().into_iter().map(Id::new) {
        let node = &scene.nodes[id];
        let shows = node.mesh.is_some() && node.skin.is_none() && node.light.is_none() && node.camera.is_none();
        let plain = shows && node.instances.is_none() && node.voxels.is_none();
        if !plain || !stands(id) || node.children.iter().any(|child| !stands(*child)) {
            continue;
        }
        // What stands above it may be upright by now.
        let now = out.as_ref().map_or(scene, |(out, ..)| out);
        let above = forest.parent(id).map_or(DMat4::IDENTITY, |above| world(now, &forest, above));
        let Some((upright, rest)) = parted(&(above * now.nodes[id].transform.matrix())) else { continue };
        let Some(local) = local(&above, &upright) else { continue };
        let (out, baked, users) = out.get_or_insert_with(|| (scene.clone(), Vec::new(), MeshUsers::of(scene)));
        out.nodes[id].transform = local;
        for child in forest.children[id.index()].iter().map(|child| Id::new(*child)) {
            let own = rest * out.nodes[child].transform.matrix();
            out.nodes[child].transform = Transform::Matrix(own.to_cols_array().map(|v| v as f32));
        }
        let parts = users.own_mesh(out, id).into_iter().flat_map(|mesh| &mut mesh.primitives);
        let reversed = parts.filter_map(|part| transform_rounded(part, &rest)).collect();
        baked.push(BakedShear { node: id, reversed });
    }
    out.map(|(scene, baked, _)| (scene, baked))
}

/// What moves by itself, or decides where joints are.
fn moving(scene: &Scene) -> HashSet<Id<Node>> {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let moves = channels.filter(|c| matches!(c.track, Track::Translation | Track::Rotation | Track::Scale));
    moves.filter_map(|channel| channel.node).chain(scene.skins.iter().flat_map(|skin| skin.joints.clone())).collect()
}

fn world(scene: &Scene, forest: &Forest, id: Id<Node>) -> DMat4 {
    let up = forest.chain(id).filter_map(|above| scene.nodes.get(above));
    up.fold(DMat4::IDENTITY, |below, node| node.transform.matrix() * below)
}

/// A sheared matrix as translation and rotation, and what comes before them.
fn parted(world: &DMat4) -> Option<(DMat4, DMat4)> {
    let (_, exact) = Transform::Matrix(world.to_cols_array().map(|v| v as f32)).nearest_trs();
    if exact || !world.is_finite() {
        return None;
    }
    let (_, rotation, translation) = world.to_scale_rotation_translation();
    let rotation = if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY };
    let upright = DMat4::from_scale_rotation_translation(DVec3::ONE, rotation, translation);
    let rest = upright.inverse() * *world;
    rest.is_finite().then_some((upright, rest))
}

/// A place in the world as one below another.
fn local(above: &DMat4, upright: &DMat4) -> Option<Transform> {
    if *above == DMat4::IDENTITY {
        let (translation, rotation, scale) = scene::sample::decompose(upright);
        return Some(Transform::Trs { translation, rotation, scale });
    }
    let local = above.inverse() * *upright;
    local.is_finite().then(|| Transform::Matrix(local.to_cols_array().map(|v| v as f32)))
}
