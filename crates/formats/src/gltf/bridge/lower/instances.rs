//! Instances of a mesh: `EXT_mesh_gpu_instancing`, or a node below for a single one.

use findings::Subject;
use ops::valid_trs;
use scene::loss::LOSS_010;
use scene::sample::Pose;
use scene::{Id, Material, Node, Placement, Scene, Track, Transform, same_bits};
use serde_json::json;

use super::{Output, nodes, streams, transforms};
use crate::gltf::carry::Carry;
use crate::gltf::schema::{self, Json};

const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// Placements that share a material, by their positions.
type Group = (Option<Id<Material>>, Vec<usize>);

/// Gives a node its instances. Those with a material of their own stand in a node below it.
pub(super) fn lower(
    out: &mut Output<'_, '_, '_>,
    id: Id<Node>,
    node: &Node,
    written: &mut schema::Node,
    place: &Subject,
) {
    let (Some(instances), Some(mesh)) = (&node.instances, node.mesh) else { return };
    let placements = &instances.placements;
    if written.mesh.is_none() || placements.is_empty() {
        // No instance is not one instance.
        if written.mesh.take().is_some() {
            let why = "glTF has no node that shows its mesh nowhere";
            out.cx.report_unless_carried(&LOSS_010, place, 1, "empty list of instances", why);
            written.skin = None;
            written.weights.clear();
        }
        return;
    }
    lose(out, id, placements, place);
    let mut groups = groups(placements);
    // Weights that move are told of one node, which shows the mesh itself, be it once.
    let moves = weights_move(out.scene, id);
    if !moves && is_deformed(out.scene, node) {
        groups =
            groups.into_iter().flat_map(|(material, at)| at.into_iter().map(move |at| (material, vec![at]))).collect();
    }
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
            let mesh = nodes::mesh_of(out, mesh, material.or(node.material));
            let mut below = single(&placements[at[0]]);
            (below.mesh, below.skin, below.weights) = (mesh, skin, weights.clone());
            out.add_written(Some(id.index()), below);
            continue;
        }
        let extension = lower_group(out, placements, at);
        match material {
            None => drop(written.extensions.insert(INSTANCING.to_owned(), extension)),
            Some(material) => {
                let mut carry = Carry::default();
                carry.set("role", "instances");
                let mesh = nodes::mesh_of(out, mesh, Some(*material));
                let extras = carry.extras(&Default::default());
                let extensions = [(INSTANCING.to_owned(), extension)].into_iter().collect();
                let weights = weights.clone();
                let below = schema::Node { mesh, skin, weights, extensions, extras, ..schema::Node::default() };
                out.add_written(Some(id.index()), below);
            }
        }
        out.uses(INSTANCING);
    }
}

/// Whether instances show a mesh with a skin or with morph targets: the extension says nothing about those, and
/// programs lose them or stop.
fn is_deformed(scene: &Scene, node: &Node) -> bool {
    let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh));
    let morphs = mesh.is_some_and(|mesh| mesh.primitives.iter().any(|part| !part.targets.is_empty()));
    morphs || node.skin.is_some()
}

/// Whether an animation moves the weights of the morph targets of a node.
fn weights_move(scene: &Scene, id: Id<Node>) -> bool {
    let mut channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    channels.any(|channel| channel.node == Some(id) && channel.track == Track::Weights)
}

/// One instance is no reason for an extension: a node of its own shows it.
fn single(placement: &Placement) -> schema::Node {
    let mut carry = Carry::default();
    carry.set("role", "instance");
    let mut node = schema::Node { extras: carry.extras(&Default::default()), ..schema::Node::default() };
    transforms::set(&mut node, &valid_trs(&placement.transform).0);
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

fn lower_group(out: &mut Output<'_, '_, '_>, placements: &[Placement], at: &[usize]) -> Json {
    let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    for &position in at {
        let (valid, _) = valid_trs(&placements[position].transform);
        let Transform::Trs { translation, rotation, scale } = valid else { continue };
        translations.extend(translation);
        rotations.extend(rotation);
        scales.extend(scale);
    }
    let differs = |values: &[f32], rest: &[f32]| values.chunks(rest.len()).any(|row| !same_bits(row, rest));
    let columns: [(&str, &'static str, Vec<f32>, &[f32]); 3] = [
        ("TRANSLATION", "VEC3", translations, &[0.; 3]),
        ("ROTATION", "VEC4", rotations, &[0., 0., 0., 1.]),
        ("SCALE", "VEC3", scales, &[1.; 3]),
    ];
    let mut attributes = json!({});
    for (name, kind, values, rest) in columns {
        // One attribute must say how many instances there are.
        if name == "TRANSLATION" || differs(&values, rest) {
            attributes[name] = json!(streams::numbers(out, kind, rest.len(), values, false));
        }
    }
    json!({ "attributes": attributes })
}
