//! Meshes of which a skin moves some parts and leaves others alone.

use scene::extras::COPY;
use scene::{Channel, Id, Lod, Mesh, Node, Primitive, Scene, Semantic, Track, Transform};

use crate::{MeshUsers, drop_meshes};

/// Gives the skinned parts of meshes that have others, too, a node of their own, which `put` places: below the first
/// node or at the top. Joints say where skinned parts stand; the others stand at their node, and a target that moves a
/// skinned mesh to its joints would take them along. Answers the scene, and for each
/// such node the mesh that it had, if there are any.
pub fn split_skinned(
    scene: &Scene,
    wanted: impl Fn(Id<Node>) -> bool,
    put: impl Fn(&mut Scene, Id<Node>, Node),
) -> Option<(Scene, Vec<Id<Mesh>>)> {
    let mixed: Vec<Id<Node>> = scene.nodes.ids().filter(|id| is_mixed(scene, *id) && wanted(*id)).collect();
    if mixed.is_empty() {
        return None;
    }
    let (mut out, mut split) = (scene.clone(), Vec::new());
    let mut users = MeshUsers::of(scene);
    // Coarser versions are parted, too, and the whole ones go where nothing else has them.
    let mut coarse = vec![false; scene.meshes.len()];
    for id in mixed {
        let Some(whole) = scene.nodes[id].mesh else { continue };
        split.push(whole);
        let skinned: Vec<bool> = scene.meshes[whole].primitives.iter().map(is_skinned).collect();
        for lod in &scene.meshes[whole].lods {
            coarse.get_mut(lod.mesh.index()).into_iter().for_each(|coarse| *coarse = true);
        }
        let apart = only(&mut out, scene, whole, &skinned);
        let rest: Vec<bool> = skinned.iter().map(|skinned| !skinned).collect();
        let plain = only(&mut out, scene, whole, &rest);
        if let Some(own) = users.own_mesh(&mut out, id) {
            *own = Mesh { extras: own.extras.clone(), ..plain };
        }
        let Node { name, material, skin, weights, visible, .. } = scene.nodes[id].clone();
        let mesh = Some(out.meshes.add(apart));
        let mut copy = Node { name, material, skin, weights, visible, mesh, ..Node::default() };
        copy.extras.set(COPY, 1);
        out.nodes[id].skin = None;
        coarse.resize(out.meshes.len(), false);
        let number = Id::new(out.nodes.len());
        put(&mut out, id, copy);
        for animation in out.animations.iter_mut() {
            let weights = animation.channels.iter().filter(|c| c.node == Some(id) && c.track == Track::Weights);
            let more: Vec<Channel> = weights.map(|c| Channel { node: Some(number), ..c.clone() }).collect();
            animation.channels.extend(more);
        }
    }
    drop_meshes(&mut out, coarse);
    Some((out, split))
}

/// Puts a node below another, where that stands.
pub fn put_below(scene: &mut Scene, above: Id<Node>, node: Node) {
    let node = scene.nodes.add(Node { transform: Transform::default(), ..node });
    scene.nodes[above].children.push(node);
}

fn is_skinned(primitive: &Primitive) -> bool {
    primitive.get(&Semantic::Joints(0)).is_some()
}

fn is_mixed(scene: &Scene, id: Id<Node>) -> bool {
    let node = &scene.nodes[id];
    let skin = node.skin.and_then(|skin| scene.skins.get(skin)).filter(|skin| !skin.joints.is_empty());
    let parts = node.mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.primitives);
    let count = parts.iter().filter(|part| is_skinned(part)).count();
    skin.is_some() && node.instances.is_none() && (1..parts.len()).contains(&count)
}

/// A mesh of some of the parts of another, and of those of its coarser versions.
fn only(out: &mut Scene, scene: &Scene, mesh: Id<Mesh>, wanted: &[bool]) -> Mesh {
    let chosen = |mesh: &Mesh| -> Vec<Primitive> {
        mesh.primitives.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(part, _)| part.clone()).collect()
    };
    let whole = &scene.meshes[mesh];
    let mut lods = Vec::with_capacity(whole.lods.len());
    for lod in &whole.lods {
        let coarse = scene.meshes.get(lod.mesh).filter(|coarse| coarse.primitives.len() == wanted.len());
        let mesh = coarse.map(|coarse| out.meshes.add(Mesh { primitives: chosen(coarse), ..coarse.clone() }));
        lods.push(Lod { mesh: mesh.unwrap_or(lod.mesh), ..lod.clone() });
    }
    let mut part = Mesh { primitives: chosen(whole), lods, ..whole.clone() };
    part.extras.set(COPY, 1);
    part
}
