//! Nodes and scenes.

use findings::{Place, Result};
use scene::{Id, Name, Node, NodeRole, SceneRoot, Socket, Transform};

use super::super::LEVEL_NAMES;
use super::super::inside::Inside;
use super::added::{self, Added};
use super::carried::{self, role_name, text};
use super::levels::{self, Levels};
use super::{Input, instances, morphs, objects, trees};
use crate::gltf::about;
use crate::gltf::carry::{SKINNED, USUAL_AXIS};
use crate::gltf::extensions::{INSTANCING, LEVELS, LIGHTS, VISIBILITY};
use crate::gltf::rules::{GLTF_015, GLTF_039};
use crate::gltf::schema::{self, Json, Real};

/// The pointer to where the last level of detail vanishes.
const VANISHES: &str = "/extras/MSFT_screencoverage";

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    trees::second_places(input.root, |place, message| input.cx.find(&GLTF_015, place, message));
    let mut levels = levels::find(input);
    let added = added::find(input);
    added.all().chain(input.made.moved_up.iter().copied()).for_each(|node| levels.folded[node] = true);
    let mut next = 0;
    input.made.nodes = levels.folded.iter().map(|&folded| (!folded).then(|| (Id::new(next), next += 1).0)).collect();
    let mut shown = vec![false; input.scene.meshes.len()];
    for (index, node) in input.root.nodes.iter().enumerate().filter(|(i, _)| !levels.folded[*i]) {
        let lifted = lift_node(input, node, index, &levels, &added)?;
        if let Some(mesh) = lifted.mesh {
            shown[mesh.index()] = true;
        }
        input.scene.nodes.add(lifted);
    }
    for (index, root) in input.root.scenes.iter().enumerate() {
        let path = format!("scenes[{index}]");
        let mut carried = input.carried(root.extras.as_ref());
        let mut name = carried.name(root.name.as_deref());
        let is_title = carried.take("role").is_some_and(|role| role == "title");
        if is_title && name.to_string() == input.scene.metadata.title.to_string() {
            name = Name::default();
        }
        carried.take(about::FILE);
        if index == input.root.scene.unwrap_or(0) {
            let mut properties = std::mem::take(&mut input.scene.metadata.properties);
            carried.settle(&mut properties, input.meant());
            input.scene.metadata.properties = properties;
        }
        // What joins trees stands in for their roots.
        let below = |node: &usize| match added.common_roots.contains(node) {
            true => input.root.nodes[*node].children.clone(),
            false => vec![*node],
        };
        let nodes: Vec<usize> = root.nodes.iter().flat_map(below).collect();
        let nodes = refer_all(input, &nodes, &format!("{path}.nodes"));
        let extras = carried.finish(input, &path, &root.extensions, &[]);
        input.scene.scenes.push(SceneRoot { name, nodes, extras });
    }
    let count = input.root.scenes.len();
    input.scene.default_scene = input.root.scene.and_then(|scene| input.number(scene, count, "scene"));
    settle_unplaced(input);
    show_all(input, shown);
    input.made.joints = added.joints;
    Ok(())
}

/// A node shows the unplaced only while it shows just that: whoever changed it has placed it.
fn settle_unplaced(input: &mut Input<'_, '_, '_>) {
    let mut users = vec![0; input.scene.meshes.len()];
    for mesh in input.scene.nodes.iter().filter_map(|node| node.mesh) {
        users[mesh.index()] += 1;
    }
    for index in 0..input.made.nodes.len() {
        let Some(id) = input.made.nodes[index] else { continue };
        let node = &mut input.scene.nodes[id];
        let (NodeRole::Unplaced, Some(mesh)) = (node.role, node.mesh) else { continue };
        let called = node.name.is_empty() || node.name == input.scene.meshes[mesh].name;
        let bare = node.light.is_none() && node.camera.is_none() && node.instances.is_none();
        if users[mesh.index()] > 1 || !called || !bare || !node.visible || !node.transform.is_identity() {
            node.role = NodeRole::Own;
            carried::ignored(input, &format!("nodes[{index}]"), "role");
        }
    }
}

fn refer_all(input: &mut Input<'_, '_, '_>, numbers: &[usize], path: &str) -> Vec<Id<Node>> {
    let all = std::mem::take(&mut input.made.nodes);
    let each = |(i, &number): (usize, &usize)| input.refer(&all, number, &format!("{path}[{i}]"));
    let found = numbers.iter().enumerate().filter_map(each).collect();
    input.made.nodes = all;
    found
}

/// What a foreign file does not place is shown at the origin, and nodes of a file without scenes all together.
fn show_all(input: &mut Input<'_, '_, '_>, mut shown: Vec<bool>) {
    if input.said.ours {
        return;
    }
    for lod in input.scene.meshes.iter().flat_map(|mesh| &mesh.lods) {
        shown[lod.mesh.index()] = true;
    }
    let unplaced: Vec<_> = input.scene.meshes.ids().filter(|id| !shown[id.index()]).collect();
    let scene = &mut input.scene;
    if scene.scenes.is_empty() && (!scene.nodes.is_empty() || !unplaced.is_empty()) {
        let mut below = vec![false; scene.nodes.len()];
        scene.nodes.iter().flat_map(|node| &node.children).for_each(|child| below[child.index()] = true);
        let nodes = scene.nodes.ids().filter(|id| !below[id.index()]).collect();
        scene.scenes.push(SceneRoot { nodes, ..SceneRoot::default() });
    }
    let first = scene.default_scene.unwrap_or(0);
    for mesh in unplaced {
        let id = scene.nodes.add(Node { mesh: Some(mesh), role: NodeRole::Unplaced, ..Node::default() });
        scene.scenes[first].nodes.push(id);
    }
}

fn lift_node(
    input: &mut Input<'_, '_, '_>,
    node: &schema::Node,
    index: usize,
    levels: &Levels,
    added: &Added,
) -> Result<Node> {
    let path = format!("nodes[{index}]");
    let mut carried = input.carried(node.extras.as_ref());
    let mut lifted = Node { name: carried.name(node.name.as_deref()), ..Node::default() };
    lifted.children = refer_all(input, &node.children, &format!("{path}.children"));
    lifted.transform = transform(node);
    if let Some(mesh) = node.mesh.and_then(|mesh| input.number(mesh, input.made.meshes.len(), &format!("{path}.mesh")))
    {
        let shown = input.made.meshes[mesh];
        (lifted.mesh, lifted.material) = (Some(shown.mesh), shown.material);
    }
    lifted.weights = morphs::node_weights(input, node, &path);
    let (skins, cameras) = (input.root.skins.len(), input.scene.cameras.len());
    let skin = node.skin.and_then(|skin| input.number(skin, skins, &format!("{path}.skin")));
    let kept = carried.taken("skin", |json| input.kept_number(json).filter(|&skin| skin < skins));
    lifted.skin = skin.or(kept).map(Id::new);
    let camera = node.camera.and_then(|camera| input.number(camera, cameras, &format!("{path}.camera")));
    lifted.camera = camera.map(Id::new);
    lifted.light = objects::light_of(input, node, &path);
    if let Some(light) = carried.taken("light", objects::described) {
        lifted.light = Some(input.scene.lights.add(light));
    }
    lifted.visible = visible(input, node, &path);
    instances::lift(input, &mut lifted, index, added)?;
    lifted.socket = carried.taken("socket", |json| Some(Socket { primary: json.get("primary")?.as_bool()? }));
    let said = carried.take("role");
    let role = match said.as_ref().and_then(role_name) {
        Some("axis") => Some(NodeRole::Axis),
        Some("unplaced") => Some(NodeRole::Unplaced),
        Some(SKINNED) => Some(NodeRole::Own),
        _ => None,
    };
    if said.is_some() && role.is_none() {
        carried.ignore("role");
    }
    lifted.role = role.unwrap_or_default();
    let called = said.as_ref().and_then(|role| text(role.get("axis")?));
    let is_called = || called.as_ref().map_or(USUAL_AXIS.contains(&lifted.name.as_str()), |own| *own == lifted.name);
    if lifted.role == NodeRole::Axis && !is_called() {
        lifted.role = NodeRole::Own;
        carried.ignore("role");
    }
    lifted.properties = carried.properties();
    carried.settle(&mut lifted.properties, input.meant());
    let vanishes = levels::lift(input, index, levels, &mut carried);
    // It says of a node that it was written for another one; this one was made a node of its own.
    carried.take("level");
    let mut known = vec![LIGHTS, VISIBILITY, INSTANCING];
    if levels.is_understood(index) {
        known.push(LEVELS);
    }
    lifted.extras = carried.finish(input, &path, &node.extensions, &known);
    levels::renumber(input, index, &mut lifted);
    let mut inside = Inside::of_extensions(&node.extensions, &known);
    inside.add_rest("", &node.other);
    if let Some(coverage) = vanishes {
        inside.add_value(VANISHES, coverage);
    }
    if let Some(names) = levels::names(input, index, levels) {
        inside.add_value(LEVEL_NAMES, names);
    }
    inside.keep(&mut lifted.extras);
    Ok(lifted)
}

pub(super) fn transform(node: &schema::Node) -> Transform {
    fn narrow<const N: usize>(numbers: Option<[Real; N]>, instead: [f32; N]) -> [f32; N] {
        numbers.map_or(instead, |numbers| numbers.map(|v| v.0 as f32))
    }
    if let Some(columns) = node.matrix {
        let matrix = Transform::Matrix(columns.map(|v| v.0 as f32));
        return if matrix.is_identity() { Transform::default() } else { matrix };
    }
    Transform::Trs {
        translation: narrow(node.translation, [0.; 3]),
        rotation: narrow(node.rotation, [0., 0., 0., 1.]),
        scale: narrow(node.scale, [1.; 3]),
    }
}

fn visible(input: &mut Input<'_, '_, '_>, node: &schema::Node, path: &str) -> bool {
    let Some(json) = node.extensions.get(VISIBILITY) else { return true };
    match json.get("visible") {
        None if json.is_object() => true,
        Some(Json::Bool(visible)) => *visible,
        _ => {
            let path = format!("{path}.extensions.{VISIBILITY}");
            input.find(&GLTF_039, Place::path(path), "visible is true or false");
            true
        }
    }
}
