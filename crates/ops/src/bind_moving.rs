//! Nodes that move without a skin: they become joints of one skin, and their meshes hang on them.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DMat4};
use scene::{
    Attribute, Channel, Forest, Id, Interpolation, Node, Scene, Semantic, Skin, Stream, Track, Transform, undone,
};

use crate::{Reversed, transform_rounded};

/// Which skins have joints, all of which exist, by position.
pub fn sound_skins(scene: &Scene) -> Vec<bool> {
    let bends = |skin: &Skin| !skin.joints.is_empty() && skin.joints.iter().all(|id| scene.nodes.get(*id).is_some());
    scene.skins.iter().map(bends).collect()
}

/// Whether a sound skin moves a node's mesh.
pub fn is_skinned(scene: &Scene, sound: &[bool], node: &Node) -> bool {
    let bound = || match node.mesh.and_then(|mesh| scene.meshes.get(mesh)) {
        Some(mesh) => mesh.primitives.iter().any(|p| p.get(&Semantic::Joints(0)).is_some()),
        None => true,
    };
    node.skin.is_some_and(|skin| sound.get(skin.index()) == Some(&true)) && bound()
}

/// What binding a node brought with it.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// It holds what no skin moves: a light, voxels or instances; its animation stays where it is.
    Left(Id<Node>),
    /// It moves, and its place at rest cannot be undone: it has no joint.
    Collapsed(Id<Node>),
    /// Faces of its mesh became triangles, as they are mirrored.
    Reversed(Id<Node>, Reversed),
}

/// Binds every mesh that moves as a whole to a joint that moves as its node does.
pub fn bind_moving(mut scene: Scene) -> (Scene, Vec<Bound>) {
    let mut told = Vec::new();
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let moves = channels.filter(|c| matches!(c.track, Track::Translation | Track::Rotation | Track::Scale));
    let moved: HashSet<Id<Node>> = moves.filter_map(|channel| channel.node).collect();
    if moved.is_empty() {
        return (scene, told);
    }
    let forest = Forest::of(&scene);
    let (seen, sound) = (SeenMoves::of(&scene, &forest), sound_skins(&scene));
    let placed = scene.placed(scene.default_scene.unwrap_or(0));
    let mut rigid = Vec::new();
    let mut bones: HashSet<Id<Node>> = HashSet::new();
    for (id, world) in &placed {
        let node = &scene.nodes[*id];
        if !forest.chain(*id).any(|above| moved.contains(&above)) {
            continue;
        }
        let is_left = node.light.is_some() || node.voxels.is_some() || node.instances.is_some();
        // A light is as bright whatever its own size.
        let has_size = node.voxels.is_some() || node.instances.is_some();
        let moves = |above: Id<Node>| {
            seen.placed.contains(&above) || (seen.scaled.contains(&above) && (above != *id || has_size))
        };
        if is_left && forest.chain(*id).any(moves) {
            told.push(Bound::Left(*id));
        }
        let is_drawn =
            node.mesh.and_then(|mesh| scene.meshes.get(mesh)).is_some_and(|mesh| !mesh.primitives.is_empty());
        if !is_drawn || node.instances.is_some() || is_skinned(&scene, &sound, node) {
            continue;
        }
        if undone(world).is_none() {
            if forest.chain(*id).any(|above| seen.placed.contains(&above) || seen.scaled.contains(&above)) {
                told.push(Bound::Collapsed(*id));
            }
            continue;
        }
        rigid.push((*id, *world));
        bones.extend(forest.chain(*id));
    }
    if rigid.is_empty() {
        return (scene, told);
    }
    let joints: Vec<Id<Node>> = placed.iter().map(|(id, _)| *id).filter(|id| bones.contains(id)).collect();
    let worlds: HashMap<Id<Node>, DMat4> = placed.into_iter().collect();
    let inverse = |id: &Id<Node>| {
        let inverse = worlds.get(id).and_then(undone).unwrap_or_default();
        inverse.to_cols_array().map(|v| v as f32)
    };
    let inverse_bind = joints.iter().map(inverse).collect();
    let position: HashMap<Id<Node>, usize> = joints.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let skin = scene.skins.add(Skin { joints, inverse_bind, name: "animated".into(), ..Skin::default() });
    let mut moved_to = HashMap::new();
    for (id, world) in rigid {
        let shown = bind_one(&mut scene, id, &world, skin, position[&id], &mut told);
        moved_to.insert(id, shown);
    }
    for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
        if channel.track == Track::Weights {
            channel.node = channel.node.map(|node| moved_to.get(&node).copied().unwrap_or(node));
        }
    }
    (scene, told)
}

/// The nodes that an animation moves such that it can be seen: not what says what the rest says, turns a point, or moves
/// something within one.
struct SeenMoves {
    placed: HashSet<Id<Node>>,
    scaled: HashSet<Id<Node>>,
}

impl SeenMoves {
    fn of(scene: &Scene, forest: &Forest) -> SeenMoves {
        let channels = || scene.animations.iter().flat_map(|animation| &animation.channels);
        let of = |track: Track| {
            let moves = channels().filter(move |channel| channel.track == track);
            moves.filter_map(|channel| channel.node.filter(|id| !is_rest(scene.nodes.get(*id), channel)))
        };
        let mut scaled: HashSet<Id<Node>> = of(Track::Scale).collect();
        let has_no_size = |id: &Id<Node>| {
            let node = scene.nodes.get(*id).filter(|_| !scaled.contains(id));
            node.is_some_and(|node| DMat3::from_mat4(node.transform.matrix()) == DMat3::ZERO)
        };
        let is_point = |id: Id<Node>| forest.chain(id).any(|above| has_no_size(&above));
        let is_within = |id: &Id<Node>| forest.parent(*id).is_some_and(is_point);
        let turned = of(Track::Rotation).filter(|id| !is_point(*id));
        let placed = turned.chain(of(Track::Translation).filter(|id| !is_within(id))).collect();
        let within: Vec<Id<Node>> = scaled.iter().copied().filter(is_within).collect();
        within.iter().for_each(|id| _ = scaled.remove(id));
        SeenMoves { placed, scaled }
    }
}

/// Whether every key of a channel is what the node has at rest.
fn is_rest(node: Option<&Node>, channel: &Channel) -> bool {
    let Some(Transform::Trs { translation, rotation, scale }) = node.map(|node| node.transform) else { return false };
    let rest = match channel.track {
        Track::Translation => &translation[..],
        Track::Rotation => &rotation,
        _ => &scale,
    };
    let says_so = !channel.relative && channel.interpolation != Interpolation::Cubic;
    says_so && channel.values.chunks(rest.len()).all(|key| key == rest)
}

/// Gives the mesh of a node to a new one at the top, its vertices where they are at rest.
fn bind_one(
    scene: &mut Scene,
    id: Id<Node>,
    world: &DMat4,
    skin: Id<Skin>,
    bone: usize,
    told: &mut Vec<Bound>,
) -> Id<Node> {
    let Some(mesh) = scene.nodes[id].mesh.take() else { return id };
    let mut mesh = scene.meshes[mesh].clone();
    for primitive in &mut mesh.primitives {
        told.extend(transform_rounded(primitive, world).map(|reversed| Bound::Reversed(id, reversed)));
        let count = primitive.vertex_count();
        let unbound = |a: &Attribute| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_));
        primitive.attributes.retain(unbound);
        primitive.set(Semantic::Joints(0), Stream::from_u32(1, vec![bone as u32; count]));
        primitive.set(Semantic::Weights(0), Stream::from_f32(1, vec![1.; count]));
    }
    let mesh = Some(scene.meshes.add(mesh));
    let node = &mut scene.nodes[id];
    let (weights, properties) = (std::mem::take(&mut node.weights), std::mem::take(&mut node.properties));
    let shown = Node {
        name: node.name.clone(),
        material: node.material.take(),
        extras: std::mem::take(&mut node.extras),
        transform: Transform::default(),
        skin: Some(skin),
        mesh,
        weights,
        properties,
        ..Node::default()
    };
    scene.add_root(shown)
}
