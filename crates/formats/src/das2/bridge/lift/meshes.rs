//! Mesh groups, their meshes, LODs and morph targets. Streams share the bytes of the buffers.

use findings::Result;
use scene::loss::*;
use scene::{
    Attribute as Stored, Component, Encoding, Indices, Lod, Mesh, MorphRange, MorphTarget, Primitive, Semantic, Stream,
    Topology,
};
use wire::Blob;

use super::super::super::attributes::{Attribute, SLOTS, Slot};
use super::super::super::form::Kind;
use super::super::super::layout::{self, MaterialType};
use super::super::{maps, name, turned};
use super::{Lift, materials};

pub(super) fn lift(lift: &mut Lift<'_, '_, '_>) -> Result<()> {
    let parts = lift.parts;
    let mut named = vec![false; parts.meshes.len()];
    for (i, group) in parts.mesh_groups.iter().enumerate() {
        lift.take(group.meshes.len())?;
        let ids: Vec<usize> = group.meshes.iter().map(|id| id as usize).filter(|id| *id < named.len()).collect();
        let place = format!("{}[{i}]", Kind::MESH_GROUP.list());
        lift.broken(&place, group.meshes.len() - ids.len(), "links to meshes");
        ids.iter().for_each(|id| named[*id] = true);
        let mesh = mesh(lift, &ids);
        let id = lift.scene.meshes.add(Mesh { name: name(&group.name), ..mesh });
        lift.groups.push(id);
    }
    for id in (0..named.len()).filter(|id| !named[*id]) {
        let mesh = mesh(lift, &[id]);
        let id = lift.scene.meshes.add(mesh);
        lift.loose.push(id);
    }
    Ok(())
}

/// A mesh of the scene. Coarser versions of its parts are put together level by level; a part that has fewer of them
/// shows its last one.
fn mesh(lift: &mut Lift<'_, '_, '_>, ids: &[usize]) -> Mesh {
    let parts = lift.parts;
    let mut out = Mesh::default();
    let most = ids.iter().map(|id| parts.meshes[*id].multiple_lods.len()).max().unwrap_or(0);
    let mut levels: Vec<Mesh> = vec![Mesh::default(); most];
    for &id in ids {
        let stored = parts.meshes[id];
        let place = format!("{}[{id}]", Kind::MESH.list());
        let part = primitive(lift, stored, None, &place);
        for (level, mesh) in levels.iter_mut().enumerate() {
            let lod = stored.multiple_lods.get(level).or(stored.multiple_lods.last());
            let place = format!("{place}.multiple_lods[{level}]");
            mesh.primitives.push(match lod {
                Some(lod) => primitive(lift, lod, Some(stored), &place),
                None => part.clone(),
            });
        }
        let nested: usize = stored.multiple_lods.iter().map(|lod| lod.multiple_lods.len()).sum();
        if nested > 0 {
            lift.cx.lose(&LOSS_012, &place, nested as u64, "LODs of a LOD", "a LOD has none of its own");
        }
        out.primitives.push(part);
    }
    out.lods = levels.into_iter().map(|level| Lod { mesh: add_level(lift, level), coverage: None }).collect();
    count_morphs(&mut out);
    out
}

fn add_level(lift: &mut Lift<'_, '_, '_>, mut level: Mesh) -> scene::Id<Mesh> {
    count_morphs(&mut level);
    lift.scene.meshes.add(level)
}

/// Every part has as many morph targets as the one that has most.
fn count_morphs(mesh: &mut Mesh) {
    let most = mesh.primitives.iter().map(|part| part.targets.len()).max().unwrap_or(0);
    mesh.morphs = vec![MorphRange { name: Default::default(), default: 0., min: 0., max: 1. }; most];
    for part in mesh.primitives.iter_mut().filter(|part| part.targets.len() < most) {
        part.targets.resize_with(most, MorphTarget::default);
    }
}

/// A mesh or, with the mesh it belongs to, a LOD.
fn primitive(lift: &mut Lift<'_, '_, '_>, mesh: &layout::Mesh, root: Option<&layout::Mesh>, place: &str) -> Primitive {
    let key = (super::address(mesh), root.map(super::address));
    if let Some(known) = lift.made_parts.get(&key) {
        return known.clone();
    }
    let mut out = Primitive::new(Topology::Triangles);
    let count = vertices(lift, mesh, &mut out, place);
    let sets = mesh.uv_sets();
    let find = |slot: Slot| sets.iter().position(|set| *set == slot).map(|set| set as u8);
    let slots: maps::Slots = std::array::from_fn(|i| mesh.slot(Attribute::Uv(i)).and_then(find));
    let mut outside = 0;
    let mut add = |lift: &Lift<'_, '_, '_>, semantic, slot: Option<Slot>, attribute: Attribute| {
        let Some(slot) = slot else { return };
        match stream(lift, slot, attribute, count) {
            Some(stream) => out.attributes.push(Stored { semantic, stream }),
            None => outside += 1,
        }
    };
    add(lift, Semantic::Position, mesh.slot(Attribute::Position), Attribute::Position);
    add(lift, Semantic::Normal, mesh.slot(Attribute::Normal), Attribute::Normal);
    for (set, slot) in (0_u8..).zip(&sets) {
        add(lift, Semantic::TexCoord(set), Some(*slot), Attribute::Uv(0));
    }
    add(lift, Semantic::Color(0), mesh.slot(Attribute::Color), Attribute::Color);
    for set in 0..SLOTS {
        let (joints, weights) = (Attribute::JointIndices(set), Attribute::JointWeights(set));
        add(lift, Semantic::Joints(set as u8), mesh.slot(joints), joints);
        add(lift, Semantic::Weights(set as u8), mesh.slot(weights), weights);
    }
    for target in &mesh.morph_targets {
        let (target, missing) = morph_target(lift, mesh, target, &slots, count);
        out.targets.push(target);
        outside += missing;
    }
    let own = mesh.morph_targets.iter().filter(|target| target.slot(Attribute::Index, mesh).is_some()).count();
    if own > 0 {
        let why = "a morph target is drawn with the indices of its mesh";
        lift.cx.lose(&LOSS_015, place, own as u64, "indices of morph targets", why);
    }
    if outside > 0 {
        lift.cx.lose(&LOSS_043, place, outside, "attributes", "they lie outside their buffer");
    }
    let inherits = |own: &layout::Mesh| own.material_type == MaterialType::NONE && own.material_id == layout::NONE;
    let shown = root.filter(|root| inherits(mesh) && !inherits(root));
    out.material = materials::of_mesh(lift, shown.unwrap_or(mesh), &slots, place);
    lift.made_parts.insert(key, out.clone());
    out
}

/// How many vertices there are, and their order: triangles of vertices that are not there are left out.
fn vertices(lift: &mut Lift<'_, '_, '_>, mesh: &layout::Mesh, out: &mut Primitive, place: &str) -> usize {
    let parts = lift.parts;
    let room = |slot: Slot| {
        let buffer = parts.buffers.get(slot.buffer as usize)?;
        Some(buffer.data.len().checked_sub(slot.offset as usize)? / Attribute::Position.size())
    };
    let stored = mesh.slot(Attribute::Position).map(|slot| room(slot).unwrap_or(0));
    let Some(wanted) = parts.vertex_count(mesh) else {
        lift.cx.lose(&LOSS_043, place, 1, "indices", "they lie outside their buffer");
        return 0;
    };
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    let count = stored.map_or(wanted, |stored| stored.min(wanted));
    let Some(indices) = parts.indices(mesh) else {
        if count < wanted {
            let missing = (wanted - count) as u64;
            lift.cx.lose(&LOSS_043, place, missing, "vertices", "they lie outside their buffer");
        }
        return count;
    };
    let encoding = Encoding::packed(Component::U32, 1);
    if count == wanted {
        out.indices = Some(Indices(Stream::new(indices.to_blob(layout::ORDER), indices.len(), encoding)));
        return count;
    }
    let all: Vec<u32> = indices.iter().collect();
    let exists = |triangle: &&[u32]| triangle.iter().all(|i| (*i as usize) < count);
    let kept: Vec<u32> = all.chunks(3).filter(exists).flatten().copied().collect();
    let left_out = (all.len() - kept.len()).div_ceil(3) as u64;
    lift.cx.lose(&LOSS_043, place, left_out, "triangles", "their vertices lie outside their buffer");
    out.indices = Some(kept.into());
    count
}

fn stream(lift: &Lift<'_, '_, '_>, slot: Slot, attribute: Attribute, count: usize) -> Option<Stream> {
    let data: Blob = lift.parts.bytes(slot, count.checked_mul(attribute.size())?)?;
    let (component, width) = match attribute {
        Attribute::Index => (Component::U32, 1),
        Attribute::Position | Attribute::Normal => (Component::F32, 3),
        Attribute::Uv(_) => (Component::F32, 2),
        Attribute::Color | Attribute::JointWeights(_) => (Component::F32, 4),
        Attribute::JointIndices(_) => (Component::U16, 4),
    };
    let flip_v = matches!(attribute, Attribute::Uv(_));
    Some(Stream::new(data, count, Encoding { flip_v, ..Encoding::packed(component, width) }))
}

/// What a morph target adds, and how many of its attributes lie outside their buffers.
fn morph_target(
    lift: &Lift<'_, '_, '_>,
    mesh: &layout::Mesh,
    target: &layout::MorphTarget,
    slots: &maps::Slots,
    count: usize,
) -> (MorphTarget, u64) {
    let mut out = MorphTarget::default();
    let mut missing = 0;
    let singles = [
        (Attribute::Position, Semantic::Position),
        (Attribute::Normal, Semantic::Normal),
        (Attribute::Color, Semantic::Color(0)),
    ];
    let coordinates = (0..SLOTS).filter_map(|i| Some((Attribute::Uv(i), Semantic::TexCoord(slots[i]?))));
    for (attribute, semantic) in singles.into_iter().chain(coordinates) {
        let Some(slot) = target.slot(attribute, mesh) else { continue };
        // Slots of one set morph it once.
        if out.attributes.iter().any(|known| known.semantic == semantic) {
            continue;
        }
        let Some(stream) = stream(lift, slot, attribute, count) else {
            missing += 1;
            continue;
        };
        let stream = if matches!(attribute, Attribute::Uv(_)) { turned(&stream.flipped()) } else { stream };
        out.attributes.push(Stored { semantic, stream });
    }
    (out, missing)
}
