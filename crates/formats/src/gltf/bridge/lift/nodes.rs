//! Nodes and scenes.

use findings::{Place, Result};
use scene::{Id, Name, Node, NodeRole, SceneRoot, Socket, Transform, Value};

use super::super::LEVEL_NAMES;
use super::super::inside::Inside;
use super::added::{self, Added};
use super::carried::{self, text};
use super::levels::{self, Levels};
use super::regroup::SKINNED;
use super::{Input, empty, instances, morphs, objects, trees};
use crate::gltf::about;
use crate::gltf::carry::USUAL_AXIS;
use crate::gltf::extensions::{INSTANCING, LEVELS, LIGHTS, VISIBILITY};
use crate::gltf::rules::{GLTF_015, GLTF_039};
use crate::gltf::schema::{self, Json, Real};

/// How far numbers of a transform may be from those of the matrix they were made of, as a share of the largest.
const TOLERANCE: f64 = 1e-4;

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    trees::second_places(input.root, |place, message| input.cx.find(&GLTF_015, place, message));
    let mut levels = levels::find(input);
    let added = added::find(input);
    added.all().chain(input.moved_up.iter().copied()).for_each(|node| levels.folded[node] = true);
    let mut next = 0;
    input.nodes = levels.folded.iter().map(|&folded| (!folded).then(|| (Id::new(next), next += 1).0)).collect();
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
        let is_title = carried.taken("title", |json| json.as_bool()).unwrap_or_default();
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
    input.joints = added.joints;
    Ok(())
}

/// A node shows what nothing places only while it shows just that: whoever changed it has placed it.
fn settle_unplaced(input: &mut Input<'_, '_, '_>) {
    let mut users = vec![0; input.scene.meshes.len()];
    for mesh in input.scene.nodes.iter().filter_map(|node| node.mesh) {
        users[mesh.index()] += 1;
    }
    for index in 0..input.nodes.len() {
        let Some(id) = input.nodes[index] else { continue };
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
    let all = std::mem::take(&mut input.nodes);
    let each = |(i, &number): (usize, &usize)| input.refer(&all, number, &format!("{path}[{i}]"));
    let found = numbers.iter().enumerate().filter_map(each).collect();
    input.nodes = all;
    found
}

/// What nothing in a foreign file places is shown at the origin, and nodes of a file without scenes all together.
fn show_all(input: &mut Input<'_, '_, '_>, mut shown: Vec<bool>) {
    if input.ours {
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
        let mut root = SceneRoot { nodes, ..SceneRoot::default() };
        root.extras.set("gltf.invented", Value::Bool(true));
        scene.scenes.push(root);
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
    let matrix = carried.taken("matrix", |json| matrix(json).filter(|m| is_source_of(m, &lifted.transform)));
    if let Some(columns) = matrix {
        lifted.transform = Transform::Matrix(columns);
    }
    if let Some(mesh) = node.mesh.and_then(|mesh| input.number(mesh, input.meshes.len(), &format!("{path}.mesh"))) {
        let shown = input.meshes[mesh];
        (lifted.mesh, lifted.material) = (Some(shown.mesh), shown.material);
    }
    if let Some((mesh, material)) = empty::of_node(input, &mut carried, lifted.mesh.is_none()) {
        (lifted.mesh, lifted.material) = (Some(mesh), material);
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
    instances::lift(input, &mut lifted, index, added, &mut carried)?;
    lifted.socket = carried.taken("socket", |json| Some(Socket { primary: json.get("primary")?.as_bool()? }));
    let role = carried.taken("role", |json| match json.as_str()? {
        "axis" => Some(NodeRole::Axis),
        "unplaced" => Some(NodeRole::Unplaced),
        _ => None,
    });
    lifted.role = role.unwrap_or_default();
    let called = carried.taken("role_name", text);
    let is_called = || called.as_ref().map_or(USUAL_AXIS.contains(&lifted.name.as_str()), |own| *own == lifted.name);
    if lifted.role == NodeRole::Axis && !is_called() {
        lifted.role = NodeRole::Own;
        carried.ignore("role");
    }
    // These say of a node that it was written for another one; this one was made a node of its own.
    ["at", "of", "level", "levels", SKINNED].into_iter().for_each(|word| _ = carried.take(word));
    lifted.properties = carried.properties();
    carried.settle(&mut lifted.properties, input.meant());
    let vanishes = levels::lift(input, index, levels, &mut carried);
    let mut known = vec![LIGHTS, VISIBILITY, INSTANCING];
    if levels.is_understood(index) {
        known.push(LEVELS);
    }
    lifted.extras = carried.finish(input, &path, &node.extensions, &known);
    levels::renumber(input, index, &mut lifted);
    if let Some(coverage) = vanishes {
        lifted.extras.set("gltf.coverage", coverage);
    }
    if let Some(names) = levels::names(input, index, levels) {
        lifted.extras.set(LEVEL_NAMES, names);
    }
    super::set_rest(&mut lifted.extras, "gltf.node", &node.other);
    Inside::of_extensions(&node.extensions, &known).keep(&mut lifted.extras);
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

fn matrix(json: &Json) -> Option<[f32; 16]> {
    let list: Vec<f32> = json.as_array()?.iter().map(|v| v.as_f64().map(|v| v as f32)).collect::<Option<_>>()?;
    list.try_into().ok()
}

/// Whether the transform in the file is what a matrix was brought to: its columns made orthogonal one after the other.
fn is_source_of(columns: &[f32; 16], shown: &Transform) -> bool {
    let was = Transform::Matrix(*columns).matrix();
    let is = shown.matrix();
    let [a, b, c] = [was.x_axis, was.y_axis, was.z_axis].map(|column| column.truncate());
    let away = |v: glam::DVec3, from: glam::DVec3| if from.length() > 0. { v - v.project_onto(from) } else { v };
    let b = away(b, a);
    let c = away(away(c, a), b);
    let largest = columns.iter().fold(1., |largest: f64, &v| largest.max(f64::from(v).abs()));
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * largest;
    let shown = [is.x_axis, is.y_axis, is.z_axis].map(|column| column.truncate());
    let flat = [a, b, c].iter().filter(|column| column.length() <= TOLERANCE * largest).count() > 1;
    // Two columns without length leave the turn open.
    let alike = |(a, b): (glam::DVec3, glam::DVec3)| {
        if flat { near(a.length(), b.length()) } else { (a - b).length() <= TOLERANCE * largest }
    };
    let moved = was.w_axis.truncate() - is.w_axis.truncate();
    moved.length() <= TOLERANCE * largest && [a, b, c].into_iter().zip(shown).all(alike)
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
