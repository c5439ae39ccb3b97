//! Nodes and scenes.

use std::collections::HashSet;

use findings::Subject;
use scene::loss::*;
use scene::{Id, Mesh, Node, NodeRole, Scene};
use serde_json::json;

use super::super::{LEVEL_NAMES, inside};
use super::objects::{self, LIGHTS};
use super::tree::Tree;
use super::{Output, comes_from_elsewhere, geometry, instances, lods, skins, transforms};
use crate::gltf::carry::{Carry, SKINNED, USUAL_AXIS, encode};
use crate::gltf::schema::{self, Real};

const VISIBILITY: &str = "KHR_node_visibility";
/// Why a root is left out.
const TREE: &str = "in glTF a node has one parent and is not its own ancestor";

/// Nodes that are written, and what they hold.
pub(super) struct Written {
    pub(super) tree: Tree,
    /// Nodes that the scene does not have; they come behind those it has.
    pub(super) added: Vec<schema::Node>,
    /// Where each light of the scene went.
    pub(super) lights: Vec<Option<usize>>,
    /// Where each skin of the scene went.
    pub(super) skins: Vec<Option<usize>>,
    /// Which nodes of the scene a written animation moves.
    pub(super) moved: Vec<bool>,
    /// Which nodes of the scene a written animation shows and hides.
    pub(super) visibility_animated: Vec<bool>,
}

impl Written {
    pub(super) fn of(scene: &Scene) -> Written {
        let none = vec![false; scene.nodes.len()];
        Written {
            tree: Tree::of(scene),
            added: Vec::new(),
            lights: Vec::new(),
            skins: Vec::new(),
            moved: none.clone(),
            visibility_animated: none,
        }
    }
}

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    for (id, node) in scene.nodes.entries() {
        let place = node.subject(id);
        let mut written = lower_node(out, id, node, &place);
        written.children = out.nodes.tree.children(id.index()).to_vec();
        out.root.nodes.push(written);
    }
    let added = std::mem::take(&mut out.nodes.added);
    for (at, mut node) in added.into_iter().enumerate() {
        node.children = out.nodes.tree.children(scene.nodes.len() + at).to_vec();
        out.root.nodes.push(node);
    }
    lower_scenes(out);
}

fn lower_scenes(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let order = out.nodes.tree.order();
    let demands = skins::demands(out);
    for (index, root) in scene.scenes.iter().enumerate() {
        let mut nodes: Vec<usize> = Vec::new();
        let mut seen = HashSet::new();
        let mut named = HashSet::new();
        for id in &root.nodes {
            let parent = out.nodes.tree.parent(id.index());
            // A parent that lowering added stands in for its children.
            let is_root = id.index() < scene.nodes.len() && parent.is_none_or(|parent| parent >= scene.nodes.len());
            if !is_root || !named.insert(*id) {
                let place = root.subject(index);
                out.cx.lose(&LOSS_008, &place, 1, "root that has a parent", TREE);
                continue;
            }
            let top = order.top(id.index());
            if seen.insert(top) {
                nodes.push(top);
            }
        }
        // Joints must be where the meshes that they move are; they may bring other skinned meshes along.
        let mut at = 0;
        while let Some(&shown) = nodes.get(at) {
            nodes.extend(demands.get(&shown).into_iter().flatten().filter(|joints| seen.insert(**joints)));
            at += 1;
        }
        let mut carry = Carry::default();
        let mut name = carry.name(&root.name);
        // What the only scene of a file is called is its title, and nowhere else do other programs see that.
        if name.is_none() && scene.scenes.len() == 1 && !scene.metadata.title.is_empty() {
            name = Some(scene.metadata.title.to_string());
            carry.set("role", "title");
        }
        let extensions = out.foreign(&root.extras);
        // What is said about the file stands where editors keep what is said about the scene.
        if index == scene.default_scene.unwrap_or(0) {
            carry.show(&scene.metadata.properties, out.meant());
        }
        let extras = carry.extras(&root.extras);
        out.root.scenes.push(schema::Scene { name, nodes, extensions, extras, ..schema::Scene::default() });
    }
    out.root.scene = scene.default_scene.filter(|&index| index < scene.scenes.len());
}

fn lower_node(out: &mut Output<'_, '_, '_>, id: Id<Node>, node: &Node, place: &Subject) -> schema::Node {
    let mut carry = Carry::default();
    let mut written =
        schema::Node { name: carry.name(&node.name), extensions: out.foreign(&node.extras), ..schema::Node::default() };
    transforms::place(out, &mut written, (id, &node.transform), out.nodes.moved[id.index()], place);
    let mesh = node.mesh.filter(|id| out.scene.meshes.get(*id).is_some());
    written.mesh = mesh.and_then(|id| mesh_of(out, id, node.material));
    written.skin = skins::of_node(out, node, written.mesh, &mut carry);
    // Editors show a skinned mesh below the node that holds its joints.
    if written.skin.is_some() && !node.children.is_empty() && comes_from_elsewhere(out.scene) {
        carry.set("role", SKINNED);
    }
    if let Some(mesh) = written.mesh {
        let targets = out.root.meshes[mesh].primitives.first().map_or(0, |p| p.targets.len());
        if !node.weights.is_empty() && node.weights.len() == targets {
            written.weights = node.weights.iter().copied().map(Real::from).collect();
        }
    }
    instances::lower(out, id, node, &mut written, place);
    let coverage = lods::lower(out, node, &mut written, place, &mut carry);
    written.camera = node.camera.filter(|id| out.scene.cameras.get(*id).is_some()).map(Id::index);
    if let Some(id) = node.light
        && let Some(light) = out.scene.lights.get(id)
    {
        match out.nodes.lights[id.index()] {
            Some(light) => {
                let name = out.uses(LIGHTS);
                written.extensions.insert(name, json!({ "light": light }));
            }
            None => carry.set("light", objects::describe(light)),
        }
    }
    if !node.visible || out.nodes.visibility_animated[id.index()] {
        let name = out.uses(VISIBILITY);
        written.extensions.insert(name, json!({ "visible": node.visible }));
    }
    if let Some(socket) = &node.socket {
        carry.set("socket", json!({ "primary": socket.primary }));
    }
    match node.role {
        NodeRole::Own => {}
        NodeRole::Axis if USUAL_AXIS.contains(&node.name.as_str()) => carry.set("role", "axis"),
        NodeRole::Axis => carry.set("role", json!({ "axis": encode(&scene::Value::Text(node.name.clone())) })),
        NodeRole::Unplaced => carry.set("role", "unplaced"),
    }
    carry.properties(&node.properties);
    carry.show(&node.properties, out.meant());
    let mut left = out.put_back(&mut written, &node.extras).into_owned();
    // The names of coarser versions are those of nodes again.
    inside::forget(&mut left, &[LEVEL_NAMES]);
    written.extras = lods::with_coverage(coverage, out.extras(carry, &left));
    written
}

/// A mesh of the scene, or the copy of it that has another material; nothing if it is empty.
pub(super) fn mesh_of(
    out: &mut Output<'_, '_, '_>,
    id: Id<Mesh>,
    material: Option<Id<scene::Material>>,
) -> Option<usize> {
    let mesh = out.meshes.at.get(id.index()).copied().flatten()?;
    let Some(material) = material.filter(|id| out.scene.materials.get(*id).is_some()) else {
        return Some(mesh);
    };
    if let Some(&copy) = out.meshes.dressed.get(&(mesh, material.index())) {
        return Some(copy);
    }
    let copy = geometry::with_material(out, id, mesh, material);
    out.meshes.dressed.insert((mesh, material.index()), copy);
    Some(copy)
}
