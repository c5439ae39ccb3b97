//! Nodes and scenes.

use scene::loss::*;
use scene::{Id, Node, NodeRole, Scene};
use serde_json::json;

use super::objects::{self, LIGHTS};
use super::{Output, geometry, transforms};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, Real};

const VISIBILITY: &str = "KHR_node_visibility";
/// Why a link between nodes is left out.
const TREE: &str = "in glTF a node has one parent and is not its own ancestor";

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let tree = Tree::of(scene);
    // Copies of meshes with another material: source mesh, material, copy.
    let mut copies: Vec<(usize, usize, usize)> = Vec::new();
    for (id, node) in scene.nodes.entries() {
        let place = Scene::label("node", id.index(), &node.name);
        let children: Vec<usize> = tree.children[id.index()].clone();
        let lost = node.children.len() - children.len();
        if lost > 0 {
            out.cx.lose(&LOSS_008, &place, lost as u64, "link to a child", TREE);
        }
        let written = lower_node(out, node, &place, children, &mut copies);
        out.root.nodes.push(written);
    }
    for (index, root) in scene.scenes.iter().enumerate() {
        let mut nodes: Vec<usize> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for id in &root.nodes {
            if tree.parent.get(id.index()) == Some(&None) && seen.insert(*id) {
                nodes.push(id.index());
            } else {
                let place = Scene::label("scene", index, &root.name);
                out.cx.lose(&LOSS_008, &place, 1, "root that has a parent", TREE);
            }
        }
        let mut carry = Carry::default();
        let name = carry.name(&root.name);
        let extensions = out.foreign(&root.extras);
        let extras = carry.extras(&root.extras);
        out.root.scenes.push(schema::Scene { name, nodes, extensions, extras, ..schema::Scene::default() });
    }
    out.root.scene = scene.default_scene.filter(|&index| index < scene.scenes.len());
}

fn lower_node(
    out: &mut Output<'_, '_, '_>,
    node: &Node,
    place: &str,
    children: Vec<usize>,
    copies: &mut Vec<(usize, usize, usize)>,
) -> schema::Node {
    let mut carry = Carry::default();
    let mut written = schema::Node {
        name: carry.name(&node.name),
        children,
        extensions: out.foreign(&node.extras),
        ..schema::Node::default()
    };
    transforms::place(out, &mut written, &node.transform, place, &mut carry);
    written.mesh = lower_mesh(out, node, &mut carry, copies);
    if let Some(mesh) = written.mesh {
        let targets = out.root.meshes[mesh].primitives.first().map_or(0, |p| p.targets.len());
        if !node.weights.is_empty() && node.weights.len() == targets {
            written.weights = node.weights.iter().map(|&w| Real::from(if w.is_finite() { w } else { 0. })).collect();
        }
    }
    written.camera = node.camera.filter(|id| out.scene.cameras.get(*id).is_some()).map(Id::index);
    if let Some(id) = node.light
        && let Some(light) = out.scene.lights.get(id)
    {
        match out.lights[id.index()] {
            Some(light) => {
                let name = out.uses(LIGHTS);
                written.extensions.insert(name, json!({ "light": light }));
            }
            None => carry.set("light", objects::describe(light)),
        }
    }
    if !node.visible {
        let name = out.uses(VISIBILITY);
        written.extensions.insert(name, json!({ "visible": false }));
    }
    if let Some(socket) = &node.socket {
        carry.set("socket", json!({ "primary": socket.primary }));
    }
    match node.role {
        NodeRole::Own => {}
        NodeRole::Axis => carry.set("role", "axis"),
        NodeRole::Unplaced => carry.set("role", "unplaced"),
    }
    carry.properties(&node.properties);
    written.extras = carry.extras(&node.extras);
    written
}

/// The mesh of a node; a copy of it if the node has a material of its own, a note if it is empty.
fn lower_mesh(
    out: &mut Output<'_, '_, '_>,
    node: &Node,
    carry: &mut Carry,
    copies: &mut Vec<(usize, usize, usize)>,
) -> Option<usize> {
    let id = node.mesh.filter(|id| out.scene.meshes.get(*id).is_some())?;
    let Some(mesh) = out.meshes[id.index()] else {
        let name = &out.scene.meshes[id].name;
        carry.set("empty_mesh", json!({ "name": encode(&scene::Value::Text(name.clone())) }));
        return None;
    };
    let Some(material) = node.material.filter(|id| out.scene.materials.get(*id).is_some()) else {
        return Some(mesh);
    };
    let known = copies.iter().find(|(m, by, _)| (*m, *by) == (mesh, material.index()));
    if let Some(&(_, _, copy)) = known {
        return Some(copy);
    }
    let copy = geometry::with_material(out, id, mesh, material);
    copies.push((mesh, material.index(), copy));
    Some(copy)
}

/// Parents and children such that every node has one parent at most and none is its own ancestor.
struct Tree {
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

impl Tree {
    fn of(scene: &Scene) -> Tree {
        let count = scene.nodes.len();
        let mut tree = Tree { parent: vec![None; count], children: vec![Vec::new(); count] };
        // The topmost known ancestor of each node, with shortcuts laid on the way.
        let mut top: Vec<usize> = (0..count).collect();
        for (id, node) in scene.nodes.entries() {
            for child in node.children.iter().map(|child| child.index()).filter(|&child| child < count) {
                let above = topmost(&mut top, id.index());
                if tree.parent[child].is_none() && above != child {
                    tree.parent[child] = Some(id.index());
                    tree.children[id.index()].push(child);
                    top[child] = above;
                }
            }
        }
        tree
    }
}

fn topmost(top: &mut [usize], mut node: usize) -> usize {
    while top[node] != node {
        top[node] = top[top[node]];
        node = top[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_second_parents_are_cut() {
        let mut scene = Scene::new();
        let ids: Vec<Id<Node>> = (0..4).map(|_| scene.nodes.add(Node::default())).collect();
        scene.nodes[ids[0]].children = vec![ids[1], ids[2]];
        scene.nodes[ids[1]].children = vec![ids[2], ids[3], ids[1]];
        scene.nodes[ids[3]].children = vec![ids[0]];
        let tree = Tree::of(&scene);
        assert_eq!(tree.children, [vec![1, 2], vec![3], vec![], vec![]]);
        assert_eq!(tree.parent, [None, Some(0), Some(0), Some(1)]);
    }
}
