//! What an edit of one object may change: a mesh, an entity or a light, found by its id.

use std::collections::HashSet;

use super::dialect;
use super::layout::Document;
use crate::restore::{Merged, Tally, Three, list};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    let mut tally = Tally::default();
    let (meshes, entities) = (three.each(|doc| &doc.meshes[..]), three.each(|doc| &doc.entities[..]));
    let lights = three.each(|doc| &doc.lights[..]);
    let mut document = Document {
        meshes: list(meshes, |mesh| mesh.mesh_id, |mesh| &mut mesh.name, &mut tally)?,
        entities: list(entities, |entity| entity.entity_id, |entity| &mut entity.name, &mut tally)?,
        lights: list(lights, |light| light.light_id, |light| &mut light.name, &mut tally)?,
        ..origin.clone()
    };
    let ids = |doc: &Document| doc.meshes.iter().map(|mesh| mesh.mesh_id).collect::<HashSet<i32>>();
    let (known, here) = (ids(ours), ids(&document));
    // An entity of ours may show a mesh that only a writer makes.
    if document.entities.iter().any(|entity| known.contains(&entity.mesh_id) && !here.contains(&entity.mesh_id)) {
        return None;
    }
    let said = |doc: &Document| (doc.header.name.clone(), doc.header.data.clone());
    tally.count(said(base) != said(ours));
    if said(base) != said(ours) {
        let header = document.header.edit();
        (header.name, header.data) = said(ours);
    }
    // Counters that lie go on doing so where nothing came or went.
    let lens = |doc: &Document| [doc.meshes.len(), doc.entities.len(), doc.lights.len()];
    let changed: Vec<Option<usize>> =
        lens(origin).into_iter().zip(lens(&document)).map(|(was, is)| (was != is).then_some(is)).collect();
    for (i, len) in
        changed.into_iter().enumerate().filter_map(|(i, len)| Some((i, i32::try_from(len?).unwrap_or(i32::MAX))))
    {
        let header = document.header.edit();
        *[&mut header.num_meshes, &mut header.num_entities, &mut header.num_lights][i] = len;
    }
    if !document.entities.is_empty() {
        dialect::say(&mut document);
    }
    Some(Merged { document, tally })
}
