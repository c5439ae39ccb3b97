//! Nodes that move without a skin: they become bones of one skeleton, and what they show hangs on them.

use std::collections::{HashMap, HashSet};

use glam::DMat4;
use scene::loss::*;
use scene::{Attribute, Component, Forest, Id, Node, Primitive, Scene, Semantic, Skin, Stream, Track, Transform};

use crate::BridgeCx;

/// Whether a node's shape is bent by a skin that has joints.
pub(super) fn is_skinned(scene: &Scene, node: &Node) -> bool {
    let skin = node.skin.and_then(|skin| scene.skins.get(skin));
    let bent = |skin: &Skin| !skin.joints.is_empty() && skin.joints.iter().all(|id| scene.nodes.get(*id).is_some());
    let bound = || match node.mesh.and_then(|mesh| scene.meshes.get(mesh)) {
        Some(mesh) => mesh.primitives.iter().any(|p| p.get(&Semantic::Joints(0)).is_some()),
        None => true,
    };
    skin.is_some_and(bent) && bound()
}

/// Binds every shape that moves as a whole to a bone that moves as its node does.
pub(super) fn bind(mut scene: Scene, cx: &mut BridgeCx<'_>) -> Scene {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let moves = channels.filter(|c| matches!(c.track, Track::Translation | Track::Rotation | Track::Scale));
    let moved: HashSet<Id<Node>> = moves.filter_map(|channel| channel.node).collect();
    if moved.is_empty() {
        return scene;
    }
    let forest = Forest::of(&scene);
    let placed = scene.placed(scene.default_scene.unwrap_or(0));
    let mut rigid = Vec::new();
    let mut bones: HashSet<Id<Node>> = HashSet::new();
    for (id, world) in &placed {
        let node = &scene.nodes[*id];
        if !forest.chain(*id).any(|above| moved.contains(&above)) {
            continue;
        }
        let label = || Scene::label("node", id.index(), &node.name);
        if node.light.is_some() || node.voxels.is_some() || node.instances.is_some() {
            let why = "only shapes move in DRAGON";
            cx.lose(&LOSS_054, &label(), 1, "movement of what stands at a node", why);
        }
        let is_drawn =
            node.mesh.and_then(|mesh| scene.meshes.get(mesh)).is_some_and(|mesh| !mesh.primitives.is_empty());
        if !is_drawn || node.instances.is_some() || is_skinned(&scene, node) {
            continue;
        }
        if !world.inverse().is_finite() {
            cx.lose(&LOSS_054, &label(), 1, "movement", "its place at rest cannot be undone");
            continue;
        }
        rigid.push((*id, *world));
        bones.extend(forest.chain(*id));
    }
    if rigid.is_empty() {
        return scene;
    }
    let joints: Vec<Id<Node>> = placed.iter().map(|(id, _)| *id).filter(|id| bones.contains(id)).collect();
    let worlds: HashMap<Id<Node>, DMat4> = placed.into_iter().collect();
    let inverse = |id: &Id<Node>| {
        let inverse = worlds.get(id).copied().unwrap_or_default().inverse();
        if inverse.is_finite() { inverse } else { DMat4::IDENTITY }.to_cols_array().map(|v| v as f32)
    };
    let inverse_bind = joints.iter().map(inverse).collect();
    let position: HashMap<Id<Node>, usize> = joints.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let skin = scene.skins.add(Skin { joints, inverse_bind, name: "movement".into(), ..Skin::default() });
    let mut moved_to = HashMap::new();
    for (id, world) in rigid {
        let shown = bind_one(&mut scene, id, &world, skin, position[&id], cx);
        moved_to.insert(id, shown);
    }
    for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
        if channel.track == Track::Weights {
            channel.node = channel.node.map(|node| moved_to.get(&node).copied().unwrap_or(node));
        }
    }
    scene
}

/// Gives the shape of a node to a new one at the top, its vertices where they are at rest.
fn bind_one(
    scene: &mut Scene,
    id: Id<Node>,
    world: &DMat4,
    skin: Id<Skin>,
    bone: usize,
    cx: &mut BridgeCx<'_>,
) -> Id<Node> {
    let Some(mesh) = scene.nodes[id].mesh.take() else { return id };
    let mut mesh = scene.meshes[mesh].clone();
    let label = Scene::label("node", id.index(), &scene.nodes[id].name);
    for primitive in &mut mesh.primitives {
        let was = primitive.topology;
        place(primitive, world);
        if primitive.topology != was {
            let (count, what) = (primitive.draw_count() as u64 / 3, format!("{} made triangles", was.name()));
            cx.lose(&LOSS_019, &label, count, &what, "they are mirrored, so that their corners turn around");
        }
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

/// Moves vertices and what they turn into; numbers stay as wide as they were.
fn place(primitive: &mut Primitive, world: &DMat4) {
    let wide: Vec<bool> =
        primitive.attributes.iter().map(|a| a.stream.encoding().component == Component::F64).collect();
    scene::fit::place(primitive, world);
    for (attribute, wide) in primitive.attributes.iter_mut().zip(wide) {
        narrow(&mut attribute.stream, wide);
    }
    for attribute in primitive.targets.iter_mut().flat_map(|target| &mut target.attributes) {
        narrow(&mut attribute.stream, false);
    }
}

fn narrow(stream: &mut Stream, wide: bool) {
    if stream.encoding().component == Component::F64 && !wide {
        *stream = Stream::from_f32(stream.encoding().count, stream.to_f32());
    }
}
