//! Cubes become meshes for targets that have no voxels.

use findings::Losses;
use ops::voxels_to_mesh;
use scene::loss::*;
use scene::{Id, Mesh, Node, Scene};

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if !target.can.voxels.is_lost() {
        return;
    }
    let objects = std::mem::take(&mut scene.voxels);
    let mut meshes: Vec<Id<Mesh>> = Vec::with_capacity(objects.len());
    for (index, object) in objects.iter().enumerate() {
        let place = object.subject(index);
        for (key, _) in object.palette_properties.iter().filter(|_| !target.can.carries) {
            let what = format!("property {key} of the palette");
            losses.add(&LOSS_015, place.clone(), 1, what, target.why("palettes"));
        }
        losses.add(&LOSS_011, place, object.voxels.len() as u64, "voxels turned into faces", target.why("voxels"));
        let (mesh, _) = voxels_to_mesh(object, scene);
        meshes.push(scene.meshes.add(mesh));
    }
    for id in scene.nodes.ids() {
        let Some(mesh) = scene.nodes[id].voxels.take().and_then(|voxels| meshes.get(voxels.index()).copied()) else {
            continue;
        };
        if scene.nodes[id].mesh.is_none() {
            scene.nodes[id].mesh = Some(mesh);
        } else {
            let child = scene.nodes.add(Node { mesh: Some(mesh), ..Node::default() });
            scene.nodes[id].children.push(child);
        }
    }
}
