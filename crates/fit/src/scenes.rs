//! Scenes beyond the one that is shown, and nodes that no scene shows, for targets that show every node they have.

use findings::{Losses, Subject, SubjectKind};
use ops::drop_meshes;
use scene::loss::*;
use scene::{Forest, Id, Node, Scene};

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let in_some_scene = shown(scene);
    keep_default(scene, target, losses);
    if target.can.scenes.is_lost() {
        keep_name(scene, target, losses);
    }
    if target.can.hierarchy.is_lost() {
        leave_unshown(scene, &in_some_scene, target, losses);
    }
}

/// Which nodes stand in a scene.
fn shown(scene: &Scene) -> Vec<bool> {
    let mut shown = vec![false; scene.nodes.len()];
    let mut open: Vec<Id<Node>> = scene.scenes.iter().flat_map(|root| &root.nodes).copied().collect();
    while let Some(id) = open.pop() {
        if let Some(node) = scene.nodes.get(id).filter(|_| !shown[id.index()]) {
            shown[id.index()] = true;
            open.extend(&node.children);
        }
    }
    shown
}

fn keep_default(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if !target.can.scenes.is_lost() || scene.scenes.len() < 2 {
        return;
    }
    let keep = scene.default_scene.unwrap_or(0).min(scene.scenes.len() - 1);
    for (index, dropped) in scene.scenes.iter().enumerate().filter(|(index, _)| *index != keep) {
        let place = dropped.subject(index);
        losses.add(&LOSS_025, place, 1, "scene", target.why("more than one scene"));
    }
    scene.scenes = vec![scene.scenes.swap_remove(keep)];
    scene.default_scene = Some(0);
}

/// The name of the only scene is what the file shows: its title, unless it has another.
fn keep_name(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let Some(name) = scene.scenes.first().map(|root| &root.name).filter(|name| !name.is_empty()) else { return };
    let title = &mut scene.metadata.title;
    if target.can.metadata.contains(&"title") && (title.is_empty() || title == name) {
        *title = name.clone();
    } else {
        let place = Subject::new(SubjectKind::Scene, 0, name);
        losses.add(&LOSS_014, place, 1, "name of the scene", target.why("name for it"));
    }
}

/// Leaves out what is not shown. What no scene shows is hidden where nodes can be, and listed elsewhere; what belongs to
/// the skin of something shown stays with it.
fn leave_unshown(scene: &mut Scene, in_some_scene: &[bool], target: &Target, losses: &mut Losses) {
    let hides = !target.can.visibility.is_lost() && !target.can.transforms.is_lost();
    let forest = Forest::of(scene);
    let shown = shown(scene);
    let mut joints = vec![false; scene.nodes.len()];
    let bends = |(id, _): &(Id<Node>, &Node)| shown[id.index()] && !target.can.skins.is_lost();
    let skins = scene.nodes.entries().filter(bends).filter_map(|(_, node)| scene.skins.get(node.skin?));
    for joint in skins.flat_map(|skin| &skin.joints) {
        if let Some(joint) = joints.get_mut(joint.index()) {
            *joint = true;
        }
    }
    let mut gone = vec![false; scene.meshes.len()];
    for top in (0..shown.len()).filter(|&node| !shown[node] && forest.parents[node].is_none()) {
        let tree: Vec<usize> = forest.tree(top).into_iter().filter(|&node| !shown[node]).collect();
        let id = Id::new(top);
        if tree.iter().any(|&node| joints[node]) {
            continue;
        }
        if !in_some_scene[top] && hides {
            scene.nodes[id].visible = false;
            scene.scenes.iter_mut().take(1).for_each(|root| root.nodes.push(id));
            continue;
        }
        if !in_some_scene[top] {
            let place = scene.nodes[id].subject(top);
            losses.add(&LOSS_034, place, tree.len() as u64, "nodes that no scene shows", target.why("hidden nodes"));
        }
        for node in tree {
            let node = &mut scene.nodes[Id::new(node)];
            if let Some(gone) = node.mesh.and_then(|mesh| gone.get_mut(mesh.index())) {
                *gone = true;
            }
            let (name, children) = (std::mem::take(&mut node.name), std::mem::take(&mut node.children));
            // What hangs on it as a joint still stands where it stands.
            *node = Node { name, children, transform: node.transform, ..Node::default() };
        }
    }
    drop_meshes(scene, gone);
}
