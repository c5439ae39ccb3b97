//! Whole objects the target has no field for.

use findings::{LossInfo, Losses, Subject, SubjectKind};
use ops::drop_meshes;
use scene::loss::*;
use scene::{Name, Scene};

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let can = target.can;
    if can.animations.is_lost() {
        let why = target.why_still("animations");
        drop_all(&mut scene.animations, SubjectKind::Animation, |o| &o.name, &LOSS_001, &why, losses);
    }
    if can.lights.is_lost() {
        drop_all(&mut scene.lights, SubjectKind::Light, |o| &o.name, &LOSS_004, &target.why("lights"), losses);
    }
    if can.cameras.is_lost() {
        drop_all(&mut scene.cameras, SubjectKind::Camera, |o| &o.name, &LOSS_005, &target.why("cameras"), losses);
    }
    drop_lods(scene, target, losses);
    let (no_lights, no_cameras) = (scene.lights.is_empty(), scene.cameras.is_empty());
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        node.light = node.light.filter(|_| !no_lights);
        node.camera = node.camera.filter(|_| !no_cameras);
        let place = node.subject(index);
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
fn drop_lods(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if !target.can.lods.is_lost() {
        return;
    }
    let mut coarser = vec![false; scene.meshes.len()];
    for (index, mesh) in scene.meshes.iter_mut().enumerate().filter(|(_, mesh)| !mesh.lods.is_empty()) {
        let count = mesh.lods.len() as u64;
        let place = mesh.subject(index);
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
    arena: &mut scene::Arena<T>,
    kind: SubjectKind,
    name: fn(&T) -> &Name,
    info: &'static LossInfo,
    why: &str,
    losses: &mut Losses,
) {
    for (index, item) in arena.iter().enumerate() {
        losses.add(info, Subject::new(kind, index, name(item)), 1, kind.word(), why);
    }
    arena.clear();
}

/// Gives every instance a node of its own, for targets without instances.
pub(super) fn expand_instances(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if !target.can.instances.is_lost() {
        return;
    }
    for (id, count) in ops::expand_instances(scene, |_, node| node.instances.is_some()) {
        let place = scene.nodes[id].subject(id);
        losses.add(&LOSS_010, place, count, "instances", target.why("instances"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use scene::{
        Animation, Capabilities, Channel, Hold, Id, Instances, Interpolation, Mesh, Node, Placement, Track, Transform,
    };

    #[test]
    fn instances_have_the_weights_of_their_node_and_move_as_it_does() {
        let mut scene = Scene::new();
        let mesh = Some(scene.meshes.add(Mesh::default()));
        let instances = Some(Instances { placements: vec![Placement::default(); 2] });
        let node = scene.add_root(Node { mesh, instances, weights: vec![0.5], ..Node::default() });
        let channel = |track: Track, values: &[f32]| Channel {
            node: Some(node),
            track,
            times: vec![0.],
            values: values.to_vec(),
            interpolation: Interpolation::Linear,
            relative: false,
        };
        let channels = vec![channel(Track::Weights, &[1.]), channel(Track::Translation, &[1., 0., 0.])];
        scene.animations.add(Animation { channels, ..Animation::default() });
        let can = Capabilities { hierarchy: Hold::Yes, morph_targets: Hold::Yes, ..flat(Hold::Yes, Hold::Yes) };
        let fitted = fit(&scene, &can, &mut Losses::default());
        let children = &fitted.nodes[node].children;
        let moved = |track: Track| -> Vec<Id<Node>> {
            let channels = fitted.animations.iter().flat_map(|animation| &animation.channels);
            channels.filter(|channel| channel.track == track).filter_map(|channel| channel.node).collect()
        };
        assert_eq!((children.len(), &moved(Track::Weights)), (2, children));
        assert_eq!(moved(Track::Translation), [node]);
        assert!(children.iter().all(|child| fitted.nodes[*child].weights == [0.5]));
        assert!(children.iter().all(|child| fitted.nodes[*child].transform == Transform::default()));
    }
}
