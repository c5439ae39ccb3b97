//! Meshes that no node shows.

use std::collections::HashSet;

use scene::{Id, Mesh, Node, NodeRole, Scene};

/// Places what no node of a scene shows as the scene of the file that was made of it does: formats that hold meshes
/// beside their nodes keep them, and there they are shown at the origin.
pub(super) fn place(expected: &mut Scene, found: &Scene) {
    let loose = loose(expected);
    if loose.is_empty() || unplaced(found) < unplaced(expected) + loose.len() || expected.scenes.is_empty() {
        return;
    }
    let first = expected.default_scene.filter(|&scene| scene < expected.scenes.len()).unwrap_or(0);
    for mesh in loose {
        let id = expected.nodes.add(Node { mesh: Some(mesh), role: NodeRole::Unplaced, ..Node::default() });
        expected.scenes[first].nodes.push(id);
    }
}

fn loose(scene: &Scene) -> Vec<Id<Mesh>> {
    let placed = scene.nodes.iter().filter_map(|node| node.mesh);
    let coarser = scene.meshes.iter().flat_map(|mesh| &mesh.lods).map(|lod| lod.mesh);
    let used: HashSet<Id<Mesh>> = placed.chain(coarser).collect();
    scene.meshes.ids().filter(|id| !used.contains(id)).collect()
}

fn unplaced(scene: &Scene) -> usize {
    scene.nodes.iter().filter(|node| node.role == NodeRole::Unplaced && node.mesh.is_some()).count()
}
