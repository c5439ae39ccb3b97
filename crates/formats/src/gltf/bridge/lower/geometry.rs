//! Meshes and their primitives.

use std::collections::{BTreeMap, HashMap, HashSet};

use findings::{Error, ErrorKind, Place, Result, Subject};
use scene::loss::*;
use scene::{Id, Indices, Material, Mesh, Primitive, Scene, Semantic, Stream, Topology};
use serde_json::json;

use super::{Output, comes_from_elsewhere, materials, morphs, streams};
use crate::gltf::carry::{Carry, OVERRIDDEN};
use crate::gltf::rules::GLTF_007;
use crate::gltf::schema::{self, Map};

/// Topology and mode, one line each.
const MODES: [(Topology, u32); 7] = [
    (Topology::Points, 0),
    (Topology::Lines, 1),
    (Topology::LineLoop, 2),
    (Topology::LineStrip, 3),
    (Topology::Triangles, 4),
    (Topology::TriangleStrip, 5),
    (Topology::TriangleFan, 6),
];

/// The mode of a primitive that names none.
const DEFAULT_MODE: u32 = 4;

/// Meshes that are written.
#[derive(Default)]
pub(super) struct Written {
    /// Where each mesh of the scene went.
    pub(super) at: Vec<Option<usize>>,
    /// Written meshes in other materials: mesh, material, and the mesh that is in it.
    pub(super) dressed: HashMap<(usize, usize), usize>,
    /// Which meshes of the scene a written skin moves.
    pub(super) skinned: Vec<bool>,
    /// Names of attributes as the source has them, by those that they have in glTF.
    pub(super) renamed: BTreeMap<String, String>,
}

pub(super) fn lower(out: &mut Output<'_, '_, '_>) -> Result<()> {
    let scene = out.scene;
    let given = given_materials(scene);
    for (id, mesh) in scene.meshes.entries() {
        let place = mesh.subject(id);
        let given = given.get(&id).copied();
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        let targets = morphs::count(mesh);
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let single = mesh.primitives.len() == 1;
            let place = if single { place.clone() } else { place.part(part) };
            demand_vertices(primitive, &place)?;
            primitives.extend(lower_primitive(out, primitive, targets, given, out.meshes.skinned[id.index()], &place));
        }
        if out.meshes.skinned[id.index()] {
            equal_sets(out, &mut primitives);
        }
        let index = (!primitives.is_empty()).then_some(out.root.meshes.len());
        out.meshes.at.push(index);
        let Some(index) = index else {
            let why = "glTF demands at least one face, line or point";
            out.cx.report_unless_carried(&LOSS_024, &place, 1, "mesh that draws nothing", why);
            continue;
        };
        let mut carry = Carry::default();
        let name = carry.name(&mesh.name);
        carry.properties(&mesh.properties);
        carry.show(&mesh.properties, out.meant());
        morphs::carry_ranges(mesh, &mut carry);
        if let Some(given) = given {
            carry.set("role", OVERRIDDEN);
            out.meshes.dressed.insert((index, given.index()), index);
        }
        let extras = morphs::with_names(mesh, out.extras(carry, &mesh.extras));
        let extensions = out.foreign(&mesh.extras);
        let weights = morphs::weights(mesh);
        let other = Map::new();
        out.root.meshes.push(schema::Mesh { name, primitives, weights, extensions, extras, other });
    }
    Ok(())
}

/// Refuses faces of vertices that do not exist, which fitting leaves out.
fn demand_vertices(primitive: &Primitive, place: &Subject) -> Result<()> {
    let count = primitive.get(&Semantic::Position).map_or(0, Stream::len);
    let indices = primitive.indices.as_ref().map(Indices::to_vec).unwrap_or_default();
    match indices.iter().find(|&&index| index as usize >= count).filter(|_| count > 0) {
        None => Ok(()),
        Some(wild) => {
            let message = format!("{place} draws vertex {wild}, and has {count}");
            let at = Place::path(place.to_string());
            Err(Error::new(ErrorKind::Unrepresentable, &GLTF_007.info, at, message))
        }
    }
}

/// The material that the first node gives to a mesh which never shows its own: all nodes that show it bring one.
fn given_materials(scene: &Scene) -> HashMap<Id<Mesh>, Id<Material>> {
    let mut given = HashMap::new();
    let mut plain: HashSet<Id<Mesh>> = HashSet::new();
    for (id, mesh) in scene.meshes.entries() {
        plain.extend(mesh.lods.iter().map(|lod| lod.mesh));
        plain.extend((!mesh.lods.is_empty()).then_some(id));
    }
    for node in scene.nodes.iter() {
        let Some(mesh) = node.mesh else { continue };
        match node.material.filter(|id| scene.materials.get(*id).is_some() && node.instances.is_none()) {
            Some(material) => drop(given.entry(mesh).or_insert(material)),
            None => drop(plain.insert(mesh)),
        }
    }
    given.retain(|mesh, _| !plain.contains(mesh));
    given
}

pub(super) fn material_of(out: &Output<'_, '_, '_>, primitive: &Primitive) -> Option<Id<Material>> {
    primitive.material.filter(|id| out.scene.materials.get(*id).is_some())
}

/// The same mesh with another material on all its parts; the bulk data stays shared.
pub(super) fn with_material(
    out: &mut Output<'_, '_, '_>,
    source: Id<Mesh>,
    mesh: usize,
    material: Id<Material>,
) -> usize {
    let mut copy = out.root.meshes[mesh].clone();
    let place = out.scene.meshes[source].subject(source);
    for primitive in &mut copy.primitives {
        primitive.material = Some(material.index());
        let count = primitive.attributes.get("POSITION").map_or(0, |&a| out.root.accessors[a].count);
        demand_uvs(out, primitive, count, &place);
    }
    let mut carry = Carry::default();
    carry.set("role", json!({ "copy": mesh }));
    copy.extras = carry.extras(&Default::default());
    out.root.meshes.push(copy);
    out.root.meshes.len() - 1
}

/// A part of a mesh; nothing if glTF has no field for how it is drawn.
fn lower_primitive(
    out: &mut Output<'_, '_, '_>,
    primitive: &Primitive,
    targets: usize,
    given: Option<Id<Material>>,
    skinned: bool,
    place: &Subject,
) -> Option<schema::Primitive> {
    let count = primitive.get(&Semantic::Position).map_or(0, Stream::len);
    if count == 0 || primitive.draw_count() == 0 {
        return None;
    }
    let &(_, mode) = MODES.iter().find(|(topology, _)| *topology == primitive.topology)?;
    let mut attributes = lower_attributes(out, primitive, skinned, count, place);
    if skinned {
        bind(out, &mut attributes, count, place);
    }
    let indices = primitive.indices.as_ref().map(|order| streams::indices(out, &order.to_vec(), Some(&order.0)));
    let targets = morphs::lower(out, primitive, targets, count, place);
    let material = given.or_else(|| material_of(out, primitive)).map(Id::index);
    let material = material.or_else(|| materials::default_material(out));
    let extensions = out.foreign(&primitive.extras);
    let mut written = schema::Primitive {
        mode: (mode != DEFAULT_MODE).then_some(mode),
        attributes,
        indices,
        material,
        targets,
        extensions,
        extras: out.extras(Carry::default(), &primitive.extras),
        ..schema::Primitive::default()
    };
    demand_uvs(out, &mut written, count, place);
    Some(written)
}

fn lower_attributes(
    out: &mut Output<'_, '_, '_>,
    primitive: &Primitive,
    skinned: bool,
    count: usize,
    place: &Subject,
) -> BTreeMap<String, usize> {
    let comes_back = comes_from_elsewhere(out.scene) && !out.cx.is_lean();
    let mut written = BTreeMap::new();
    for attribute in &primitive.attributes {
        let semantic = &match &attribute.semantic {
            // Without a skin they mean nothing to glTF.
            own @ (Semantic::Joints(_) | Semantic::Weights(_)) if !skinned => Semantic::Custom(own.to_string()),
            own => own.clone(),
        };
        let stream = &attribute.stream;
        let accessor = if stream.len() == count { streams::attribute(out, semantic, stream) } else { None };
        let Some(accessor) = accessor else {
            let why = "glTF has no type for it, or it is shorter than the positions";
            out.cx.lose(&LOSS_017, place, 1, semantic, why);
            continue;
        };
        let name = name_of(semantic, primitive, &written);
        if name != semantic.to_string() {
            let source = attribute.semantic.to_string();
            let comes_back = comes_back && *out.meshes.renamed.entry(name.clone()).or_insert(source.clone()) == source;
            if !comes_back {
                let why = "names in glTF have letters, digits and underscores, and begin with one of these";
                out.cx.report_unless_carried(&LOSS_014, place, 1, semantic.became("renamed"), why);
            }
        }
        written.insert(name, accessor);
    }
    written
}

/// Gives a part of a mesh that a skin bends joints and weights, which glTF demands: the first joint moves all of it.
fn bind(out: &mut Output<'_, '_, '_>, attributes: &mut BTreeMap<String, usize>, count: usize, place: &Subject) {
    let (joints, weights) = (Semantic::Joints(0), Semantic::Weights(0));
    if [&joints, &weights].iter().all(|semantic| attributes.contains_key(&semantic.to_string())) {
        return;
    }
    attributes.retain(|name, _| !name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_"));
    let what = "vertices without weights bound to the first joint";
    let why = "glTF demands weights for all parts of a mesh";
    out.cx.losses.add_measured(&LOSS_050, 1., place, count as u64, what, why);
    let first = Stream::from_f32(4, [1., 0., 0., 0.].repeat(count));
    let no_joints = streams::no_joints(out, count);
    attributes.insert(joints.to_string(), no_joints);
    attributes.extend(streams::attribute(out, &weights, &first).map(|accessor| (weights.to_string(), accessor)));
}

/// Gives all parts of a mesh as many sets of joints and weights as the one with most has; empty ones move nothing.
fn equal_sets(out: &mut Output<'_, '_, '_>, primitives: &mut [schema::Primitive]) {
    let has = |p: &schema::Primitive, set: u8| p.attributes.contains_key(&Semantic::Joints(set).to_string());
    let sets = |p: &schema::Primitive| (0..u8::MAX).take_while(|&set| has(p, set)).count() as u8;
    let most = primitives.iter().map(sets).max().unwrap_or(0);
    for primitive in primitives {
        let count = primitive.attributes.get("POSITION").map_or(0, |&a| out.root.accessors[a].count);
        for set in sets(primitive)..most {
            let (joints, weights) = (streams::no_joints(out, count), streams::zeros(out, 4, count, false));
            primitive.attributes.insert(Semantic::Joints(set).to_string(), joints);
            primitive.attributes.insert(Semantic::Weights(set).to_string(), weights);
        }
    }
}

/// The name glTF has for a stream. Sets of colours must follow each other without a gap; one behind a gap, and
/// anything that glTF has no field for, gets a name of its own.
fn name_of(semantic: &Semantic, primitive: &Primitive, taken: &BTreeMap<String, usize>) -> String {
    let own = match semantic {
        Semantic::Custom(name) => name.clone(),
        Semantic::Color(set) if (0..*set).any(|n| primitive.get(&Semantic::Color(n)).is_none()) => semantic.to_string(),
        _ => return semantic.to_string(),
    };
    let valid: String = own.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let name = if valid.starts_with('_') { valid } else { format!("_{valid}") };
    let mut unique = name.clone();
    let mut number = 1;
    while taken.contains_key(&unique) {
        number += 1;
        unique = format!("{name}_{number}");
    }
    unique
}

/// Gives a primitive the sets of texture coordinates that its material asks for, and those before them: glTF demands
/// both. Missing ones are zero, which takes no bytes.
fn demand_uvs(out: &mut Output<'_, '_, '_>, primitive: &mut schema::Primitive, count: usize, place: &Subject) {
    let asked = primitive.material.and_then(|m| out.materials.uv_sets.get(m).copied().flatten());
    let sets = primitive.attributes.keys().filter_map(|name| name.strip_prefix("TEXCOORD_")?.parse::<u8>().ok());
    let highest = sets.chain(asked).max();
    let before = primitive.attributes.len();
    for set in highest.iter().flat_map(|&highest| 0..=highest) {
        let name = Semantic::TexCoord(set).to_string();
        primitive.attributes.entry(name).or_insert_with(|| streams::zeros(out, 2, count, false));
    }
    if primitive.attributes.len() > before {
        let what = "texture coordinates set to zero";
        out.cx.lose(&LOSS_018, place, count as u64, what, "the material's textures demand them");
    }
}
