//! What a document holds and does not use.

use std::collections::BTreeSet;

use findings::Place;

use super::attributes::{Attribute, Slot};
use super::document::{Document, Parts};
use super::form::Kind;
use super::layout::{MaterialType, Mesh};
use super::links::each_lod;

/// As few bytes between two attributes align the second.
const ALIGNING: u64 = 16;

/// Calls `see` with every unused mesh and material, and with the first bytes of each buffer that no mesh
/// uses.
pub(super) fn each(doc: &Document, see: &mut dyn FnMut(Place, String)) {
    let parts = doc.parts();
    let meshes: BTreeSet<u32> = parts.mesh_groups.iter().flat_map(|group| group.meshes.iter()).collect();
    let mut materials = BTreeSet::new();
    for mesh in &parts.meshes {
        each_lod(mesh, &mut |mesh, _| _ = materials.insert((mesh.material_type, mesh.material_id)));
    }
    let mut unnamed = |kind: Kind, count: usize, is_named: &dyn Fn(u32) -> bool, by: &str| {
        for id in (0..count).filter(|id| !u32::try_from(*id).is_ok_and(is_named)) {
            see(Place::path(doc.list(kind)).nth(id), format!("no {by} names it"));
        }
    };
    unnamed(Kind::MESH, parts.meshes.len(), &|id| meshes.contains(&id), "mesh group");
    let phong = |id| materials.contains(&(MaterialType::PHONG, id));
    unnamed(Kind::MATERIAL_PHONG, parts.phong_materials.len(), &phong, "mesh");
    let pbr = |id| materials.contains(&(MaterialType::PBR, id));
    unnamed(Kind::MATERIAL_PBR, parts.pbr_materials.len(), &pbr, "mesh");
    for (id, gaps) in gaps(&parts).into_iter().enumerate() {
        let total: u64 = gaps.iter().map(|(start, end)| end - start).sum();
        let Some(&(start, end)) = gaps.first() else { continue };
        let path = format!("{}[{id}].data", doc.list(Kind::BUFFER));
        let offset = u32::try_from(start).unwrap_or(u32::MAX);
        let bytes = parts.bytes(Slot { buffer: id as u32, offset }, (end - start) as usize);
        let place = bytes.map_or_else(|| Place::path(path.clone()), |bytes| Place::blob(path.clone(), &bytes));
        see(place, format!("no mesh uses {total} bytes of the buffer"));
    }
}

/// The runs of each buffer that no mesh uses.
fn gaps(parts: &Parts<'_>) -> Vec<Vec<(u64, u64)>> {
    let mut used: Vec<Vec<(u64, u64)>> = vec![Vec::new(); parts.buffers.len()];
    for mesh in &parts.meshes {
        each_lod(mesh, &mut |mesh, _| use_mesh(parts, mesh, &mut used));
    }
    let gaps_of = |(mut used, size): (Vec<(u64, u64)>, u64)| {
        used.sort_unstable();
        let mut gaps = Vec::new();
        let mut at = 0;
        for (start, end) in used.into_iter().chain([(size, size)]) {
            if start.min(size) >= at + ALIGNING {
                gaps.push((at, start.min(size)));
            }
            at = at.max(end);
        }
        gaps
    };
    let sizes = parts.buffers.iter().map(|buffer| buffer.data.len() as u64);
    used.into_iter().zip(sizes).map(gaps_of).collect()
}

fn use_mesh(parts: &Parts<'_>, mesh: &Mesh, used: &mut [Vec<(u64, u64)>]) {
    let vertices = parts.vertex_count(mesh).unwrap_or(0);
    let mut one = |slot: Option<Slot>, size: u64| {
        if let Some(slot) = slot
            && let Some(used) = used.get_mut(slot.buffer as usize)
        {
            used.push((slot.offset.into(), u64::from(slot.offset) + size));
        }
    };
    for attribute in Attribute::all() {
        let count = if attribute == Attribute::Index { mesh.draw_count.into() } else { vertices };
        one(mesh.slot(attribute), count * attribute.size() as u64);
    }
    for target in &mesh.morph_targets {
        for attribute in Attribute::all() {
            one(target.slot(attribute, mesh), vertices * attribute.size() as u64);
        }
    }
}
