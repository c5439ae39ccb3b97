//! Scenes and nodes.

use scene::{Forest, Id, Node, NodeRole, Scene, SceneRoot, Transform};
use wire::F32;

use super::super::super::form::Kind;
use super::super::super::layout::{IDENTITY, NONE};
use super::super::{columns, name};
use super::{Lift, NOT_A_TREE};

/// The nodes of the file keep their numbers; all others come behind them.
pub(super) fn lift(lift: &mut Lift<'_, '_, '_>) {
    let nodes = &lift.parts.nodes;
    let moved = moved(lift);
    let children = trees(lift);
    for (i, node) in nodes.iter().enumerate() {
        let place = format!("{}[{i}]", Kind::NODE.list());
        let mut lifted = Node { name: name(&node.name), ..Node::default() };
        let trs = trs(node.translation, node.rotation, node.scale);
        let custom = node.custom_transform != IDENTITY;
        lifted.transform = if custom && !moved[i] && trs == Transform::default() {
            Transform::Matrix(columns(&node.custom_transform))
        } else {
            trs
        };
        lifted.mesh = lift.groups.get(node.mesh_group_id as usize).copied();
        let broken = lifted.mesh.is_none() && node.mesh_group_id != NONE;
        lift.broken(&place, usize::from(broken), "link to a mesh group");
        lift.scene.nodes.add(lifted);
    }
    for (i, node) in nodes.iter().enumerate() {
        let id = Id::new(i);
        let custom = node.custom_transform != IDENTITY;
        let holder = if custom && matches!(lift.scene.nodes[id].transform, Transform::Trs { .. }) {
            let inner = Node {
                mesh: lift.scene.nodes[id].mesh.take(),
                transform: Transform::Matrix(columns(&node.custom_transform)),
                ..Node::default()
            };
            let inner = lift.scene.nodes.add(inner);
            lift.scene.nodes[id].children.push(inner);
            inner
        } else {
            id
        };
        lift.holders.push(holder);
    }
    for (i, children) in children.into_iter().enumerate() {
        let children = children.into_iter().map(Id::new);
        lift.scene.nodes[lift.holders[i]].children.extend(children);
    }
    scenes(lift);
}

/// The transform of a node or joint. A rotation of zeros turns nothing.
pub(super) fn trs(translation: [F32; 3], rotation: [F32; 4], scale: F32) -> Transform {
    let (mut rotation, scale) = (rotation.map(F32::get), scale.get());
    if rotation.iter().all(|v| *v == 0.) {
        rotation = [0., 0., 0., 1.];
    }
    Transform::Trs { translation: translation.map(F32::get), rotation, scale: [scale; 3] }
}

/// Which nodes a channel translates, turns or scales.
fn moved(lift: &Lift<'_, '_, '_>) -> Vec<bool> {
    let mut moved = vec![false; lift.parts.nodes.len()];
    for channel in &lift.parts.channels {
        if let Some(moved) = moved.get_mut(channel.node_property_id as usize) {
            *moved |= channel.animation_target != super::super::super::AnimationTarget::WEIGHTS;
        }
    }
    moved
}

/// The children of every node such that each has one parent and none is its own ancestor.
fn trees(lift: &mut Lift<'_, '_, '_>) -> Vec<Vec<usize>> {
    let links = lift.parts.nodes.iter().map(|node| node.children.iter().map(|child| child as usize));
    let Forest { children, cut, .. } = Forest::from_links(links);
    for (i, cut) in cut.into_iter().enumerate() {
        lift.cut(&format!("{}[{i}]", Kind::NODE.list()), cut, "links to children", NOT_A_TREE);
    }
    children
}

fn scenes(lift: &mut Lift<'_, '_, '_>) {
    let mut below = vec![false; lift.parts.nodes.len()];
    for node in lift.scene.nodes.iter() {
        for child in &node.children {
            if let Some(below) = below.get_mut(child.index()) {
                *below = true;
            }
        }
    }
    for (i, stored) in lift.parts.scenes.iter().enumerate() {
        let roots = stored.root_nodes.iter().map(|id| id as usize);
        let nodes: Vec<Id<Node>> = roots.filter(|id| below.get(*id) == Some(&false)).map(Id::new).collect();
        let lost = stored.root_nodes.len() - nodes.len();
        let why = "what they name is not there, or has a parent";
        lift.cut(&format!("{}[{i}]", Kind::SCENE.list()), lost, "links to root nodes", why);
        lift.scene.scenes.push(SceneRoot { name: name(&stored.name), nodes, ..SceneRoot::default() });
    }
    if lift.scene.scenes.is_empty() {
        let nodes = (0..below.len()).filter(|i| !below[*i]).map(Id::new).collect();
        lift.scene.scenes.push(SceneRoot { nodes, ..SceneRoot::default() });
    }
    let first = Some(lift.doc.header.default_scene_index as usize);
    lift.scene.default_scene = first.filter(|first| *first < lift.scene.scenes.len()).or(Some(0));
}

/// Places a node that the file does not have.
pub(super) fn add_unplaced(scene: &mut Scene, node: Node) -> Id<Node> {
    let id = scene.nodes.add(Node { role: NodeRole::Unplaced, ..node });
    let first = scene.default_scene.unwrap_or(0);
    if let Some(root) = scene.scenes.get_mut(first) {
        root.nodes.push(id);
    }
    id
}

/// Shows the meshes that no node holds. One that stands in no scene is not shown, and neither is its mesh.
pub(super) fn show_rest(lift: &mut Lift<'_, '_, '_>) {
    let mut shown = vec![false; lift.scene.meshes.len()];
    for mesh in lift.scene.nodes.iter().filter_map(|node| node.mesh) {
        shown[mesh.index()] = true;
    }
    let hidden = lift.groups.iter().chain(&lift.loose).filter(|mesh| !shown[mesh.index()]);
    for &mesh in hidden.collect::<Vec<_>>() {
        let name = lift.scene.meshes[mesh].name.clone();
        add_unplaced(&mut lift.scene, Node { name, mesh: Some(mesh), ..Node::default() });
    }
}
