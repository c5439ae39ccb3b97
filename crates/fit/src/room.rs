//! What the steps are about to make, charged before they make it.

use std::collections::HashSet;

use scene::{Mesh, Node, Primitive, Scene, Semantic, Stream, Transform};
use wire::{Budget, Exceeded};

use super::Target;

/// Vertices are written for each primitive, except where a target lets primitives share them; there, a mark for each
/// vertex is made to see which of them a primitive uses.
pub(super) fn charge_primitives(scene: &Scene, target: &Target, limits: &Budget) -> Result<(), Exceeded> {
    let mut seen = HashSet::new();
    let mut room = |primitive: &Primitive| match primitive.get(&Semantic::Position).map(Stream::identity) {
        Some(identity) if target.can.carries && !seen.insert(identity) => primitive.vertex_count() as u64,
        _ => primitive.room(),
    };
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    limits.charge(primitives.map(&mut room).fold(0, u64::saturating_add))
}

/// A mesh of its own for each node whose skin or weights change it.
pub(super) fn charge_meshes_at_rest(scene: &Scene, target: &Target, limits: &Budget) -> Result<(), Exceeded> {
    let bends = |node: &Node| target.can.skins.is_lost() && node.skin.is_some();
    let morphs = |node: &Node| target.can.morph_targets.is_lost() && node.weights.iter().any(|weight| *weight != 0.);
    charge_meshes(scene, limits, |node| bends(node) || morphs(node))
}

/// A node for each instance.
pub(super) fn charge_instances(scene: &Scene, target: &Target, limits: &Budget) -> Result<(), Exceeded> {
    let instances = scene.nodes.iter().filter_map(|node| node.instances.as_ref());
    let count = instances.map(|instances| instances.placements.len() as u64).fold(0, u64::saturating_add);
    if !target.can.instances.is_lost() {
        return Ok(());
    }
    limits.charge_elements(count).and_then(|()| limits.charge(count.saturating_mul(Node::ROOM)))
}

/// A mesh of its own for each node whose transform is multiplied into it.
pub(super) fn charge_places(scene: &Scene, target: &Target, limits: &Budget) -> Result<(), Exceeded> {
    if !target.can.transforms.is_lost() {
        return Ok(());
    }
    let flat = target.can.hierarchy.is_lost();
    // What stands below others is moved by them too.
    charge_meshes(scene, limits, |node| flat || node.transform != Transform::default())
}

/// The first node of a mesh takes over the one that is there.
fn charge_meshes(scene: &Scene, limits: &Budget, own: impl Fn(&Node) -> bool) -> Result<(), Exceeded> {
    let mut seen = vec![false; scene.meshes.len()];
    let mut rooms: Vec<Option<u64>> = vec![None; scene.meshes.len()];
    for node in scene.nodes.iter().filter(|node| own(node)) {
        let Some((id, mesh)) = node.mesh.and_then(|id| Some((id, scene.meshes.get(id)?))) else { continue };
        if std::mem::replace(&mut seen[id.index()], true) {
            let room = *rooms[id.index()].get_or_insert_with(|| Mesh::room(mesh));
            limits.charge(room)?;
        }
    }
    Ok(())
}
