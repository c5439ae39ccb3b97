//! Whole objects the target has no word for.

use findings::{LossInfo, Losses};

use super::{Target, drop_meshes};
use crate::loss::*;
use crate::{Hold, Name, Node, Scene};

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    drop_all(&mut scene.animations, |a| &a.name, target, target.can.animations, &LOSS_001, "animation", losses);
    drop_all(&mut scene.lights, |l| &l.name, target, target.can.lights, &LOSS_004, "light", losses);
    drop_all(&mut scene.cameras, |c| &c.name, target, target.can.cameras, &LOSS_005, "camera", losses);
    drop_lods(scene, target, losses);
    let (no_lights, no_cameras) = (scene.lights.is_empty(), scene.cameras.is_empty());
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        node.light = node.light.filter(|_| !no_lights);
        node.camera = node.camera.filter(|_| !no_cameras);
        let place = Scene::label("node", index, &node.name);
        if node.socket.is_some() && target.can.sockets.is_lost() {
            losses.add(&LOSS_013, &place, 1, "socket", target.why("sockets"));
            node.socket = None;
        }
        if !node.visible && target.can.visibility.is_lost() {
            losses.add(&LOSS_028, &place, 1, "hidden node", target.why("visibility"));
            node.visible = true;
        }
    }
}

/// Drops coarser versions, and the meshes that are nothing else.
fn drop_lods(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    if !target.can.lods.is_lost() {
        return;
    }
    let mut coarser = vec![false; scene.meshes.len()];
    for (index, mesh) in scene.meshes.iter_mut().enumerate().filter(|(_, mesh)| !mesh.lods.is_empty()) {
        let count = mesh.lods.len() as u64;
        let place = Scene::label("mesh", index, &mesh.name);
        losses.add(&LOSS_012, place, count, "levels of detail", target.why("levels of detail"));
        for lod in mesh.lods.drain(..) {
            if let Some(coarser) = coarser.get_mut(lod.mesh.index()) {
                *coarser = true;
            }
        }
    }
    drop_meshes(scene, coarser);
}

fn drop_all<T>(
    arena: &mut crate::Arena<T>,
    name: fn(&T) -> &Name,
    target: &Target<'_>,
    hold: Hold,
    info: &'static LossInfo,
    kind: &str,
    losses: &mut Losses,
) {
    if !hold.is_lost() {
        return;
    }
    for (index, item) in arena.iter().enumerate() {
        losses.add(info, Scene::label(kind, index, name(item)), 1, kind, target.why(&format!("{kind}s")));
    }
    arena.clear();
}

/// Gives every copy a node of its own, for targets that have no word for copies.
pub(super) fn expand_instances(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    if !target.can.instances.is_lost() {
        return;
    }
    for id in scene.nodes.ids() {
        let Some(instances) = scene.nodes[id].instances.take() else { continue };
        let (mesh, name) = (scene.nodes[id].mesh.take(), scene.nodes[id].name.clone());
        let place = Scene::label("node", id.index(), &name);
        losses.add(&LOSS_010, place, instances.placements.len() as u64, "instances", target.why("instances"));
        for placement in instances.placements {
            let copy = Node {
                name: name.clone(),
                transform: placement.transform,
                material: placement.material,
                mesh,
                ..Node::default()
            };
            let child = scene.nodes.add(copy);
            scene.nodes[id].children.push(child);
        }
    }
}
