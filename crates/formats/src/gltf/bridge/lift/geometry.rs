//! Meshes and their primitives.

use std::collections::BTreeMap;

use findings::{Place, Result};
use scene::{Attribute, Id, Indices, Material, Mesh, Primitive, Semantic, Topology};

use super::super::attributes;
use super::{Input, accessors, made_up, morphs};
use crate::gltf::carry::{OVERRIDDEN, TARGET_NAMES};
use crate::gltf::extensions::DRACO;
use crate::gltf::rules::GLTF_021;
use crate::gltf::schema::{self, Json};

/// The topologies, each at the number of its mode.
pub(in crate::gltf) const MODES: [Topology; 7] = [
    Topology::Points,
    Topology::Lines,
    Topology::LineLoop,
    Topology::LineStrip,
    Topology::Triangles,
    Topology::TriangleStrip,
    Topology::TriangleFan,
];

/// What a mesh of the file is in the scene: itself, or another one with a material on all its parts.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) mesh: Id<Mesh>,
    pub(super) material: Option<Id<Material>>,
}

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    for (index, mesh) in input.root.meshes.iter().enumerate() {
        let path = format!("meshes[{index}]");
        if let Some(shown) = shared(input, mesh) {
            input.made.meshes.push(shown);
            continue;
        }
        let mut carried = input.carried(mesh.extras.as_ref());
        let role = carried.take("role");
        let is_overridden = role.as_ref().is_some_and(|role| role == OVERRIDDEN);
        if let Some(copied) = role.filter(|_| !is_overridden) {
            let names = carried.taken_foreign(TARGET_NAMES, |json| Some(json.clone()));
            let bare =
                !carried.has_own() && carried.foreign().is_none() && names.is_none_or(|names| is_numbered(&names));
            if let Some(shown) = copy_of(input, mesh, copied.get("copy")).filter(|_| bare) {
                input.made.meshes.push(shown);
                continue;
            }
            carried = input.carried(mesh.extras.as_ref());
            carried.take("role");
            carried.ignore("role");
        }
        let mut lifted = Mesh { name: carried.name(mesh.name.as_deref()), ..Mesh::default() };
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let lifted_part = lift_primitive(input, primitive, &format!("{path}.primitives[{part}]"))?;
            lifted.primitives.push(lifted_part);
        }
        let material = if is_overridden { overriding(&mut lifted) } else { None };
        if is_overridden && material.is_none() {
            carried.ignore("role");
        }
        lifted.properties = carried.properties();
        carried.settle(&mut lifted.properties, input.meant());
        lifted.morphs = morphs::ranges(input, &lifted, &mesh.weights, &mut carried, &path);
        lifted.extras = carried.finish(input, &path, &mesh.extensions, &[]);
        let mesh = input.scene.meshes.add(lifted);
        input.made.meshes.push(Shown { mesh, material });
    }
    Ok(())
}

/// Takes the material off a mesh that its nodes bring, if all its parts still have that one.
fn overriding(mesh: &mut Mesh) -> Option<Id<Material>> {
    let given = mesh.primitives.first()?.material?;
    if mesh.primitives.iter().any(|part| part.material != Some(given)) {
        return None;
    }
    mesh.primitives.iter_mut().for_each(|part| part.material = None);
    Some(given)
}

/// The mesh that another one shows again in one material, if it still does.
fn copy_of(input: &Input<'_, '_, '_>, copy: &schema::Mesh, number: Option<&Json>) -> Option<Shown> {
    let number = usize::try_from(number?.as_u64()?).ok()?;
    let source = input.root.meshes.get(number)?;
    let shown = input.made.meshes.get(number)?;
    let material = copy.primitives.first()?.material?;
    let alike = |(a, b): (&schema::Primitive, &schema::Primitive)| {
        a.material == Some(material)
            && draws_all_of(input, a, b)
            && a.attributes.keys().all(|name| name.starts_with("TEXCOORD_") || b.attributes.contains_key(name))
    };
    let parts = copy.primitives.iter().zip(&source.primitives);
    let is_copy = input.carried(source.extras.as_ref()).take("role").is_some_and(|role| role.get("copy").is_some());
    let said = |mesh: &schema::Mesh| {
        let schema::Mesh { name, weights, extensions, other, .. } = mesh.clone();
        schema::Mesh { name, weights, extensions, other, ..Default::default() }
    };
    let same = copy.primitives.len() == source.primitives.len() && said(copy) == said(source);
    if !same || !parts.into_iter().all(alike) || is_copy {
        return None;
    }
    let material = input.made.materials.get(material).copied().flatten()?;
    Some(Shown { mesh: shown.mesh, material: Some(material) })
}

/// Whether a primitive has everything that another one has, but for its material.
fn draws_all_of(input: &Input<'_, '_, '_>, a: &schema::Primitive, b: &schema::Primitive) -> bool {
    let same_target = |(a, b): (&BTreeMap<String, usize>, &BTreeMap<String, usize>)| {
        a.len() == b.len() && a.keys().all(|name| same_numbers(input, a.get(name), b.get(name)))
    };
    a.mode == b.mode
        && same_numbers(input, a.indices.as_ref(), b.indices.as_ref())
        && a.targets.len() == b.targets.len()
        && a.targets.iter().zip(&b.targets).all(same_target)
        && (&a.extras, &a.extensions, &a.other) == (&b.extras, &b.extensions, &b.other)
        && b.attributes.keys().all(|name| same_numbers(input, a.attributes.get(name), b.attributes.get(name)))
}

/// What a mesh is that an editor made of one that several nodes show: the first of them, while they are the same.
fn shared(input: &Input<'_, '_, '_>, mesh: &schema::Mesh) -> Option<Shown> {
    let name = mesh.name.as_ref().filter(|name| input.said.shared_meshes.contains(name))?;
    let (at, first) = input.root.meshes.iter().enumerate().find(|(_, first)| first.name.as_ref() == Some(name))?;
    let alike = |(a, b): (&schema::Primitive, &schema::Primitive)| {
        a.material == b.material && a.attributes.len() == b.attributes.len() && draws_all_of(input, a, b)
    };
    let same =
        mesh.primitives.len() == first.primitives.len() && mesh.primitives.iter().zip(&first.primitives).all(alike);
    let said = |mesh: &schema::Mesh| (mesh.weights.clone(), mesh.extensions.clone(), mesh.extras.clone());
    input.made.meshes.get(at).copied().filter(|_| same && said(mesh) == said(first))
}

/// Whether programs made these names of morph targets up, as they do for meshes that are written without any.
pub(super) fn is_numbered(names: &Json) -> bool {
    let is_number = |name: &Json| name.as_str().is_some_and(|name| made_up::is_made_up(name, &["", "target"]));
    names.as_array().is_some_and(|names| names.iter().all(is_number))
}

/// Whether two accessors are one, or hold the same: programs give every mesh its own.
fn same_numbers(input: &Input<'_, '_, '_>, a: Option<&usize>, b: Option<&usize>) -> bool {
    let stream = |accessor: &usize| input.data.stream(*accessor).ok();
    match (a, b) {
        (Some(a), Some(b)) => a == b || stream(a).is_some_and(|a| stream(b) == Some(a)),
        (a, b) => a == b,
    }
}

fn lift_primitive(input: &mut Input<'_, '_, '_>, primitive: &schema::Primitive, path: &str) -> Result<Primitive> {
    let mode = primitive.mode.unwrap_or(4);
    let topology = MODES.get(mode as usize).copied().unwrap_or_else(|| {
        input.find(&GLTF_021, Place::path(format!("{path}.mode")), format!("mode {mode} is unknown; shown as points"));
        Topology::Points
    });
    let mut lifted = Primitive::new(topology);
    let carried = input.carried(primitive.extras.as_ref());
    let is_own = |name: &&String| !is_made_up(input, primitive, name) && !is_empty_set(input, primitive, name);
    let attributes: BTreeMap<&String, usize> =
        primitive.attributes.iter().map(|(name, &accessor)| (name, accessor)).filter(|(n, _)| is_own(n)).collect();
    lifted.attributes = lift_attributes(input, &attributes, path)?;
    if let Some(accessor) = primitive.indices {
        let path = format!("{path}.indices");
        lifted.indices = accessors::indices(input, accessor, &path)?.map(Indices);
    }
    if let Some(material) = primitive.material {
        let all = std::mem::take(&mut input.made.materials);
        lifted.material = input.refer(&all, material, &format!("{path}.material"));
        input.made.materials = all;
    }
    let count = lifted.attributes.first().map(|attribute| attribute.stream.len());
    for (number, target) in primitive.targets.iter().enumerate() {
        let path = format!("{path}.targets[{number}]");
        lifted.targets.push(morphs::lift_target(input, target, count, &path)?);
    }
    // What is here in a form that is understood needs no other.
    lifted.extras = carried.finish(input, path, &primitive.extensions, &[DRACO]);
    Ok(lifted)
}

/// Whether an attribute is nothing but zeros that take no bytes.
fn is_zero(input: &Input<'_, '_, '_>, primitive: &schema::Primitive, name: &str) -> bool {
    let accessor = primitive.attributes.get(name).and_then(|&accessor| input.root.accessors.get(accessor));
    accessor.is_some_and(|accessor| accessor.buffer_view.is_none() && accessor.sparse.is_none())
}

/// Whether an attribute is one that glTF demanded of a model from elsewhere: texture coordinates of nothing but zeros, and
/// joints of a part that none moves.
fn is_made_up(input: &Input<'_, '_, '_>, primitive: &schema::Primitive, name: &str) -> bool {
    input.comes_from_elsewhere()
        && match attributes::semantic(name) {
            Semantic::TexCoord(_) => is_zero(input, primitive, name),
            Semantic::Joints(0) | Semantic::Weights(0) => is_zero(input, primitive, &Semantic::Joints(0).to_string()),
            _ => false,
        }
}

/// Whether an attribute is of a set of joints whose weights are all zero: other parts of the mesh have more sets.
fn is_empty_set(input: &Input<'_, '_, '_>, primitive: &schema::Primitive, name: &str) -> bool {
    match attributes::semantic(name) {
        Semantic::Joints(set) | Semantic::Weights(set) if set > 0 => {
            let pair = [Semantic::Joints(set), Semantic::Weights(set)];
            pair.iter().all(|semantic| is_zero(input, primitive, &semantic.to_string()))
        }
        _ => false,
    }
}

/// Streams in the order of [`scene::Semantic::rank`], all as long as the first.
fn lift_attributes(
    input: &mut Input<'_, '_, '_>,
    written: &BTreeMap<&String, usize>,
    path: &str,
) -> Result<Vec<Attribute>> {
    let renamed = std::mem::take(&mut input.said.renamed);
    let meaning = |name: &String| match renamed.get(name) {
        Some(own) => attributes::renamed(own),
        None => attributes::semantic(name),
    };
    let mut sorted: Vec<_> = written.iter().map(|(name, &accessor)| (meaning(name), *name, accessor)).collect();
    sorted.sort_by_key(|(semantic, name, _)| (semantic.rank(), *name));
    input.said.renamed = renamed;
    let mut lifted: Vec<Attribute> = Vec::with_capacity(sorted.len());
    for (semantic, name, accessor) in sorted {
        let count = lifted.first().map(|first| first.stream.len());
        let path = format!("{path}.attributes.{name}");
        if let Some(stream) = accessors::attribute(input, accessor, attributes::widths(&semantic), count, &path)? {
            lifted.push(Attribute { semantic, stream });
        }
    }
    Ok(lifted)
}
