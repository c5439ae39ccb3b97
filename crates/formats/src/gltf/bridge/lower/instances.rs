//! Copies of a mesh: `EXT_mesh_gpu_instancing`, or a node below for a single one.

use findings::Subject;
use ops::valid_trs;
use scene::sample::Pose;
use scene::{Id, Material, Node, Placement, Scene, Track, Transform, Value, same_bits};
use serde_json::json;

use super::{Output, nodes, streams, transforms};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, Json};

const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// Placements that share a material, by their positions.
type Group = (Option<Id<Material>>, Vec<usize>);

/// Gives a node its copies. Those with a material of their own stand in a node below it.
pub(super) fn lower(
    out: &mut Output<'_, '_, '_>,
    id: Id<Node>,
    node: &Node,
    written: &mut schema::Node,
    place: &Subject,
    carry: &mut Carry,
) {
    let (Some(instances), Some(mesh)) = (&node.instances, node.mesh) else { return };
    let placements = &instances.placements;
    if written.mesh.is_none() || placements.is_empty() {
        // No copy is not one copy.
        if let Some(mesh) = written.mesh.take() {
            carry.set("no_instances", json!({ "mesh": mesh }));
            if let Some(skin) = written.skin.take() {
                carry.set("skin", skin);
            }
            written.weights.clear();
        }
        return;
    }
    lose(out, id, placements, place);
    let mut groups = groups(placements);
    // Weights that move are told of one node, which shows the mesh itself, be it once.
    let moves = weights_move(out.scene, id);
    if !moves && is_bent(out.scene, node) {
        groups =
            groups.into_iter().flat_map(|(material, at)| at.into_iter().map(move |at| (material, vec![at]))).collect();
    }
    let several = groups.len() > 1 || groups[0].0.is_some();
    let stands_below = |material: &Option<Id<Material>>, at: &[usize]| at.len() == 1 && (material.is_some() || !moves);
    if groups.iter().all(|(material, at)| material.is_some() || stands_below(material, at)) {
        written.mesh = None;
    }
    let (skin, weights) = (written.skin, written.weights.clone());
    if written.mesh.is_none() {
        written.skin = None;
        written.weights.clear();
    }
    for (material, at) in &groups {
        if stands_below(material, at) {
            let position = at[0];
            let mesh = nodes::mesh_of(out, mesh, material.or(node.material));
            let mut below = single(&placements[position], position);
            (below.mesh, below.skin, below.weights) = (mesh, skin, weights.clone());
            out.add_written(Some(id.index()), below);
            continue;
        }
        let mut carry_here = Carry::default();
        let carry = if material.is_some() { &mut carry_here } else { &mut *carry };
        let extension = lower_group(out, placements, at, carry);
        if several {
            carry.set("order", json!(at));
        }
        match material {
            None => drop(written.extensions.insert(INSTANCING.to_owned(), extension)),
            Some(material) => {
                carry.set("role", "instances");
                let mesh = nodes::mesh_of(out, mesh, Some(*material));
                let extras = std::mem::take(carry).extras(&Default::default());
                let extensions = [(INSTANCING.to_owned(), extension)].into_iter().collect();
                let weights = weights.clone();
                let below = schema::Node { mesh, skin, weights, extensions, extras, ..schema::Node::default() };
                out.add_written(Some(id.index()), below);
            }
        }
        out.uses(INSTANCING);
    }
}

/// Whether copies show a shape that a skin bends or that has morph targets: the extension says nothing about those, and
/// programs lose them or stop.
fn is_bent(scene: &Scene, node: &Node) -> bool {
    let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh));
    let morphs = mesh.is_some_and(|mesh| mesh.primitives.iter().any(|part| !part.targets.is_empty()));
    morphs || node.skin.is_some()
}

/// Whether an animation moves the weights of the morph targets of a node.
fn weights_move(scene: &Scene, id: Id<Node>) -> bool {
    let mut channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    channels.any(|channel| channel.node == Some(id) && channel.track == Track::Weights)
}

/// One copy is no reason for an extension: a node of its own shows it.
fn single(placement: &Placement, position: usize) -> schema::Node {
    let mut carry = Carry::default();
    carry.set("role", "instance");
    carry.set("order", json!([position]));
    let (valid, _) = valid_trs(&placement.transform);
    if valid != placement.transform {
        carry.set("placements", json!([{ "at": position, "transform": describe(&placement.transform) }]));
    }
    let mut node = schema::Node::default();
    transforms::set(&mut node, &valid);
    node.extras = carry.extras(&Default::default());
    node
}

/// Tells of placements that glTF cannot say.
fn lose(out: &mut Output<'_, '_, '_>, id: Id<Node>, placements: &[Placement], place: &Subject) {
    let taken_apart = placements.iter().map(|placement| (placement, valid_trs(&placement.transform)));
    let nearest: Vec<_> = taken_apart.filter(|(_, (_, exact))| !exact).collect();
    if nearest.is_empty() {
        return;
    }
    let rest = Pose::rest(out.scene);
    let world = rest.world(id).unwrap_or_default();
    let off = nearest.iter().map(|(placement, (valid, _))| {
        rest.apart(out.scene, id, &(world * placement.transform.matrix()), &(world * valid.matrix()))
    });
    let off = off.fold(0., f64::max) / rest.diagonal(out.scene);
    let why = "glTF demands a translation, a rotation and a scale";
    out.cx.misplace(off, place, nearest.len() as u64, "placements replaced by the nearest ones", why);
}

fn groups(placements: &[Placement]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for (at, placement) in placements.iter().enumerate() {
        let group = *known.entry(placement.material).or_insert(groups.len());
        if group == groups.len() {
            groups.push((placement.material, Vec::new()));
        }
        groups[group].1.push(at);
    }
    groups
}

fn lower_group(out: &mut Output<'_, '_, '_>, placements: &[Placement], at: &[usize], carry: &mut Carry) -> Json {
    let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    let mut changed: Vec<Json> = Vec::new();
    for &position in at {
        let source = &placements[position].transform;
        let (valid, _) = valid_trs(source);
        let Transform::Trs { translation, rotation, scale } = valid else { continue };
        translations.extend(translation);
        rotations.extend(rotation);
        scales.extend(scale);
        if valid != *source {
            changed.push(json!({ "at": position, "transform": describe(source) }));
        }
    }
    if !changed.is_empty() {
        carry.set("placements", Json::Array(changed));
    }
    let differs = |values: &[f32], rest: &[f32]| values.chunks(rest.len()).any(|row| !same_bits(row, rest));
    let columns: [(&str, &'static str, Vec<f32>, &[f32]); 3] = [
        ("TRANSLATION", "VEC3", translations, &[0.; 3]),
        ("ROTATION", "VEC4", rotations, &[0., 0., 0., 1.]),
        ("SCALE", "VEC3", scales, &[1.; 3]),
    ];
    let mut attributes = json!({});
    for (name, kind, values, rest) in columns {
        // One attribute must say how many copies there are.
        if name == "TRANSLATION" || differs(&values, rest) {
            attributes[name] = json!(streams::numbers(out, kind, rest.len(), values, false));
        }
    }
    json!({ "attributes": attributes })
}

fn describe(transform: &Transform) -> Json {
    let list = |values: &[f32]| values.iter().map(|&v| encode(&Value::F32(v))).collect::<Json>();
    match transform {
        Transform::Trs { translation, rotation, scale } => {
            json!({ "translation": list(translation), "rotation": list(rotation), "scale": list(scale) })
        }
        Transform::Matrix(columns) => json!({ "matrix": list(columns) }),
    }
}
