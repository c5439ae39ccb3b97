//! Meshes and their primitives.

use std::collections::{BTreeMap, HashMap, HashSet};

use findings::{Error, ErrorKind, Place, Result, Subject};
use scene::loss::*;
use scene::{Id, Indices, Material, Mesh, Primitive, Scene, Semantic, Stream, Topology};
use serde_json::json;

use super::original::Original;
use super::{Output, empty, materials, morphs, streams};
use crate::gltf::carry::Carry;
use crate::gltf::rules::GLTF_007;
use crate::gltf::schema::{self, Json, Map};

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

pub(super) fn lower(out: &mut Output<'_, '_, '_>) -> Result<()> {
    let scene = out.scene;
    let given = given_materials(scene);
    for (id, mesh) in scene.meshes.entries() {
        let place = mesh.subject(id);
        let given = given.get(&id).copied();
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        let (mut own, mut empty_parts) = (Vec::new(), Vec::new());
        let targets = morphs::count(mesh);
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let single = mesh.primitives.len() == 1;
            let place = if single { place.clone() } else { place.part(part) };
            match lower_primitive(out, primitive, targets, given, out.bent[id.index()], &place)? {
                Some(written) => {
                    primitives.push(written);
                    own.push(json!(material_of(out, primitive).map(Id::index)));
                }
                None => empty_parts.push(empty::part(out, primitive, part)),
            }
        }
        if out.bent[id.index()] {
            equal_sets(out, &mut primitives);
        }
        let index = (!primitives.is_empty()).then_some(out.root.meshes.len());
        out.meshes.push(index);
        let mut carry = Carry::default();
        if !empty_parts.is_empty() {
            carry.set("empty_parts", Json::Array(empty_parts));
        }
        let name = carry.name(&mesh.name);
        carry.properties(&mesh.properties);
        carry.show(&mesh.properties, out.meant());
        morphs::carry_ranges(mesh, &mut carry);
        if let (Some(mesh), Some(given)) = (index, given) {
            carry.set("own_materials", Json::Array(own));
            out.copies.insert((mesh, given.index()), mesh);
        }
        let extras = morphs::with_names(mesh, out.extras(carry, &mesh.extras));
        if index.is_none() {
            out.empty_meshes.insert(id, empty::mesh(mesh, id, extras));
            continue;
        }
        let extensions = out.foreign(&mesh.extras);
        let weights = morphs::weights(mesh);
        let other = Map::new();
        out.root.meshes.push(schema::Mesh { name, primitives, weights, extensions, extras, other });
    }
    Ok(())
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
        let invented = demand_uvs(out, primitive, count);
        lose_uvs(out, &invented, &place, count);
    }
    let mut carry = Carry::default();
    carry.set("copy_of", json!(mesh));
    copy.extras = carry.extras(&Default::default());
    out.root.meshes.push(copy);
    out.root.meshes.len() - 1
}

fn lower_primitive(
    out: &mut Output<'_, '_, '_>,
    primitive: &Primitive,
    targets: usize,
    given: Option<Id<Material>>,
    bent: bool,
    place: &Subject,
) -> Result<Option<schema::Primitive>> {
    let count = primitive.get(&Semantic::Position).map_or(0, Stream::len);
    if count == 0 || primitive.draw_count() == 0 {
        return Ok(None);
    }
    let mut original = Original::default();
    if let Some(kept) = &primitive.original {
        original.faces = kept.faces.clone();
    }
    let Some(faces) = whole_faces(primitive, count, place, &mut original)? else {
        let what = format!("{} of too few vertices", primitive.topology.name());
        out.cx.lose(&LOSS_024, place, 1, &what, "glTF demands at least one whole face, line or point");
        return Ok(None);
    };
    let Some(&(_, mode)) = MODES.iter().find(|(topology, _)| *topology == primitive.topology) else {
        return Ok(None);
    };
    let mut carry = Carry::default();
    let mut attributes = lower_attributes(out, primitive, bent, count, place, &mut original, &mut carry);
    let mut invented = if bent { bind(out, &mut attributes, count, place) } else { Vec::new() };
    let order = primitive.indices.as_ref().map(|order| &order.0);
    let indices = faces.map(|indices| streams::indices(out, &indices, order));
    let targets = morphs::lower(out, primitive, targets, count, place);
    let material = given.or_else(|| material_of(out, primitive)).map(Id::index);
    let material = material.or_else(|| materials::default_material(out));
    if let Some(original) = original.lower(out) {
        carry.set("original", original);
    }
    let extensions = out.foreign(&primitive.extras);
    let mut written = schema::Primitive {
        mode: (mode != DEFAULT_MODE).then_some(mode),
        attributes,
        indices,
        material,
        targets,
        extensions,
        ..schema::Primitive::default()
    };
    let uvs = demand_uvs(out, &mut written, count);
    lose_uvs(out, &uvs, place, count);
    invented.extend(uvs);
    if !invented.is_empty() {
        carry.set("invented", json!(invented));
    }
    written.extras = out.extras(carry, &primitive.extras);
    Ok(Some(written))
}

/// Indices that make whole faces, if they must be written; nothing if there is not one whole face. A rest that makes
/// none is left out, which glTF demands, and the source's order is remembered.
fn whole_faces(
    primitive: &Primitive,
    count: usize,
    place: &Subject,
    original: &mut Original,
) -> Result<Option<Option<Vec<u32>>>> {
    let (group, least) = match primitive.topology {
        Topology::Points => (1, 1),
        Topology::Lines => (2, 2),
        Topology::LineLoop | Topology::LineStrip => (1, 2),
        Topology::Triangles => (3, 3),
        _ => (1, 3),
    };
    let indices = primitive.indices.as_ref().map(Indices::to_vec);
    if let Some(wild) = indices.iter().flatten().find(|&&i| i as usize >= count) {
        let message = format!("{place} draws vertex {wild}, and has {count}");
        return Err(Error::new(ErrorKind::Unrepresentable, &GLTF_007.info, Place::path(place.to_string()), message));
    }
    let drawn = indices.as_ref().map_or(count, Vec::len);
    let whole = drawn - drawn % group;
    if whole < least {
        return Ok(None);
    }
    if whole == drawn {
        return Ok(Some(indices));
    }
    let faces = || (primitive.topology, primitive.indices.clone(), Vec::new());
    original.faces.get_or_insert_with(faces);
    let mut indices = indices.unwrap_or_else(|| (0..whole as u32).collect());
    indices.truncate(whole);
    Ok(Some(Some(indices)))
}

fn lower_attributes(
    out: &mut Output<'_, '_, '_>,
    primitive: &Primitive,
    bent: bool,
    count: usize,
    place: &Subject,
    original: &mut Original,
    carry: &mut Carry,
) -> BTreeMap<String, usize> {
    let mut written = BTreeMap::new();
    let mut renamed = Map::new();
    for attribute in &primitive.attributes {
        let semantic = &match &attribute.semantic {
            // Without a skin they mean nothing to glTF.
            own @ (Semantic::Joints(_) | Semantic::Weights(_)) if !bent => Semantic::Custom(own.to_string()),
            own => own.clone(),
        };
        let name = name_of(semantic, primitive, &written);
        let stream = &attribute.stream;
        let accessor = if stream.len() == count { streams::attribute(out, semantic, stream) } else { None };
        let Some(accessor) = accessor else {
            let why = "glTF has no type for it, or it is shorter than the positions";
            out.cx.lose(&LOSS_017, place, 1, semantic, why);
            continue;
        };
        if name != semantic.to_string() {
            renamed.insert(name.clone(), json!(semantic.to_string()));
        }
        let kept =
            primitive.original.as_ref().and_then(|o| o.attributes.iter().find(|a| a.semantic == attribute.semantic));
        if let Some(kept) = kept {
            original.remember(&name, kept);
        } else if !streams::is_exact(semantic, stream) {
            original.remember(&name, attribute);
        }
        written.insert(name, accessor);
    }
    if !renamed.is_empty() {
        carry.set("attributes", Json::Object(renamed));
    }
    // Joints and weights that are in other sets now.
    for kept in primitive.original.iter().flat_map(|o| &o.attributes) {
        if matches!(kept.semantic, Semantic::Joints(_) | Semantic::Weights(_)) {
            original.remember(&kept.semantic.to_string(), kept);
        }
    }
    written
}

/// Gives a part of a mesh that a skin bends joints and weights, which glTF demands: the first joint moves all of it.
/// Says which were made up.
fn bind(
    out: &mut Output<'_, '_, '_>,
    attributes: &mut BTreeMap<String, usize>,
    count: usize,
    place: &Subject,
) -> Vec<String> {
    let (joints, weights) = (Semantic::Joints(0), Semantic::Weights(0));
    if [&joints, &weights].iter().all(|semantic| attributes.contains_key(&semantic.to_string())) {
        return Vec::new();
    }
    attributes.retain(|name, _| !name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_"));
    let what = "vertices without weights bound to the first joint";
    let why = "glTF demands weights for all parts of a mesh";
    out.cx.losses.add_measured(&LOSS_050, 1., place, count as u64, what, why);
    let first = Stream::from_f32(4, [1., 0., 0., 0.].repeat(count));
    let no_joints = streams::no_joints(out, count);
    attributes.insert(joints.to_string(), no_joints);
    attributes.extend(streams::attribute(out, &weights, &first).map(|accessor| (weights.to_string(), accessor)));
    vec![joints.to_string(), weights.to_string()]
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
/// anything that glTF has no word for, gets a name of its own.
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
/// both. Missing ones are zero, which takes no bytes. Says which ones were made up.
fn demand_uvs(out: &mut Output<'_, '_, '_>, primitive: &mut schema::Primitive, count: usize) -> Vec<String> {
    let asked = primitive.material.and_then(|m| out.uv_sets.get(m).copied().flatten());
    let sets = primitive.attributes.keys().filter_map(|name| name.strip_prefix("TEXCOORD_")?.parse::<u8>().ok());
    let highest = sets.chain(asked).max();
    let mut invented = Vec::new();
    for set in highest.iter().flat_map(|&highest| 0..=highest) {
        let name = Semantic::TexCoord(set).to_string();
        if !primitive.attributes.contains_key(&name) {
            primitive.attributes.insert(name.clone(), streams::zeros(out, 2, count, false));
            invented.push(name);
        }
    }
    invented
}

fn lose_uvs(out: &mut Output<'_, '_, '_>, invented: &[String], place: &Subject, count: usize) {
    if !invented.is_empty() {
        let what = "texture coordinates set to zero";
        out.cx.lose(&LOSS_018, place, count as u64, what, "the material's textures demand them");
    }
}
