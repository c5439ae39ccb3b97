//! Meshes that go.

use scene::{Arena, Id, Mesh, Scene};

/// Takes away some meshes, and the coarser versions of them, as far as no node shows them.
pub fn drop_meshes(scene: &mut Scene, mut gone: Vec<bool>) {
    let coarser = |mesh: &Mesh| mesh.lods.iter().map(|lod| lod.mesh.index()).collect::<Vec<_>>();
    let set = |gone: &mut Vec<bool>, mesh: usize, to: bool| {
        for index in scene.meshes.get(Id::new(mesh)).map(coarser).unwrap_or_default().into_iter().chain([mesh]) {
            if let Some(gone) = gone.get_mut(index) {
                *gone = to;
            }
        }
    };
    (0..gone.len()).filter(|&mesh| gone[mesh]).collect::<Vec<_>>().into_iter().for_each(|m| set(&mut gone, m, true));
    scene.nodes.iter().filter_map(|node| node.mesh).for_each(|mesh| set(&mut gone, mesh.index(), false));
    if !gone.contains(&true) {
        return;
    }
    let mut kept = Arena::default();
    let mut moved = Vec::with_capacity(gone.len());
    for (mesh, gone) in scene.meshes.iter().zip(gone) {
        moved.push((!gone).then(|| kept.add(mesh.clone())));
    }
    let now = |mesh: Id<Mesh>| moved.get(mesh.index()).copied().flatten();
    for mesh in kept.iter_mut() {
        mesh.lods.retain_mut(|lod| now(lod.mesh).map(|mesh| lod.mesh = mesh).is_some());
    }
    scene.meshes = kept;
    scene.nodes.iter_mut().for_each(|node| node.mesh = node.mesh.and_then(now));
}
