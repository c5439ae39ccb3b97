//! What `info` says.

use std::collections::BTreeSet;

use wire::Text;

use super::layout::{Body, Document, Mesh};
use super::property::PropertyValue;
use crate::{Counts, Fact, Facts, Names};

/// The material that stands for none.
pub(super) const DEFAULT_MATERIAL: &[u8] = b"__default__.mat";

/// The name of the property that links a material.
pub(super) const MATERIAL: &[u8] = b"material";

pub(super) fn facts(doc: &Document, _: bool) -> Facts {
    let bodies = || doc.meshes.iter().filter_map(|mesh| mesh.body.as_ref());
    let sum = |each: fn(&Body) -> usize| Some(bodies().map(each).sum::<usize>() as u64);
    let animations: Vec<Vec<u8>> = bodies().flat_map(animation_names).collect();
    let materials = materials(doc);
    let counts = Counts {
        scenes: Some(1),
        nodes: Some(doc.entities.len() as u64),
        meshes: Some(doc.meshes.len() as u64),
        primitives: Some(doc.meshes.len() as u64),
        vertices: sum(|body| body.vertices.len()),
        triangles: sum(|body| body.triangles.len()),
        materials: Some(materials.len() as u64),
        // Their names are in the material files, which a document alone does not know.
        textures: None,
        images: None,
        lights: Some(doc.lights.len() as u64),
        skins: sum(|body| usize::from(body.skeletal.is_some())),
        joints: sum(|body| body.skeletal.as_ref().map_or(0, |skeletal| skeletal.bones.len())),
        morph_targets: sum(|body| {
            let frames = body.morph.iter().flat_map(|morph| &morph.animations);
            frames.map(|animation| animation.frames.0.len()).sum()
        }),
        animations: Some(animations.len() as u64),
        ..Counts::ZERO
    };
    let names = Names {
        meshes: doc.meshes.iter().map(|mesh| mesh.name.bytes().to_vec()).collect(),
        nodes: doc.entities.iter().map(|entity| entity.name.bytes().to_vec()).collect(),
        materials: materials.into_iter().collect(),
        animations,
    };
    let text = |text: &Text| Fact::Text(text.bytes().to_vec());
    let mut further = vec![
        ("title", text(&doc.header.name)),
        ("generator", text(&doc.header.creator_name)),
        ("header_data", Fact::Count(doc.header.data.len() as u64)),
        ("header_content", Fact::content(&doc.header.data)),
        ("lights_announced", Fact::Count(u64::try_from(doc.header.num_lights).unwrap_or(0))),
    ];
    let external = doc.meshes.iter().filter(|mesh| is_external(mesh)).count()
        + doc.entities.iter().filter(|entity| entity.is_external.is_set()).count();
    if external > 0 {
        further.push(("external_references", Fact::Count(external as u64)));
    }
    Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
}

fn is_external(mesh: &Mesh) -> bool {
    mesh.is_external.is_set()
}

fn animation_names(body: &Body) -> Vec<Vec<u8>> {
    let skeletal = body.skeletal.iter().flat_map(|s| &s.animations).map(|a| &a.animation_name);
    let morph = body.morph.iter().flat_map(|m| &m.animations).map(|a| &a.animation_name);
    skeletal.chain(morph).map(|name| name.bytes().to_vec()).collect()
}

/// The material files that entities name.
fn materials(doc: &Document) -> BTreeSet<Vec<u8>> {
    let links = doc.entities.iter().filter_map(|entity| material_of(entity));
    links.filter(|link| *link != DEFAULT_MATERIAL).map(<[u8]>::to_vec).collect()
}

/// The material file that an entity names: the last property of that name counts.
pub(super) fn material_of(entity: &super::Entity) -> Option<&[u8]> {
    let link = entity.properties.iter().rev().find(|property| property.name.bytes() == MATERIAL)?;
    match &link.value {
        PropertyValue::Text(text) => Some(text.bytes()),
        _ => None,
    }
}
