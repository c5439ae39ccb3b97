//! Everything of one sort that a section holds: its texts, its rotations, the names it refers to.

use std::collections::HashSet;

use wire::{CText, F32};

use crate::dragon::layout::body::{Body, Instance, InstanceGroup};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::rotation::Rotation;

/// A path inside a section, made only when someone wants it.
pub(super) type Path<'a> = &'a dyn Fn() -> String;

/// Calls `each` with every text.
pub(super) fn texts(body: &Body, each: &mut dyn FnMut(Path<'_>, &CText)) {
    let mut one = |name: &str, text: &CText| each(&|| name.to_owned(), text);
    match body {
        Body::Skeleton(body) => one("name", &body.name),
        Body::Geometry(body) => one("name", &body.name),
        Body::Socket(body) => one("name", &body.name),
        Body::Image(body) => one("path", &body.path),
        Body::AssetRef(body) => one("reference", &body.reference),
        Body::AniTrack(body) => one("target", &body.target),
        Body::Material(body) => {
            one("name", &body.name);
            one("shader", &body.shader);
        }
        Body::Asset(body) => {
            one("project", &body.project);
            one("copyright", &body.copyright);
            one("creator", &body.creator);
        }
        Body::Texture(body) => body.path_of_2019.iter().for_each(|path| one("path", path)),
        _ => {}
    }
    match body {
        Body::Settings(body) => {
            for (i, pair) in body.pairs.iter().enumerate() {
                each(&|| format!("pairs[{i}].key"), &pair.key);
                each(&|| format!("pairs[{i}].value_type"), &pair.value_type);
            }
        }
        Body::Skeleton(body) => {
            body.bones.iter().enumerate().for_each(|(i, bone)| each(&|| format!("bones[{i}].name"), &bone.name));
        }
        Body::Morph(body) => {
            body.morphs.iter().enumerate().for_each(|(i, morph)| each(&|| format!("morphs[{i}].name"), &morph.name));
        }
        Body::Geometry(body) => {
            body.meshes.iter().enumerate().for_each(|(i, mesh)| each(&|| format!("meshes[{i}].name"), &mesh.name));
        }
        Body::Material(body) => {
            body.slots.iter().enumerate().for_each(|(i, slot)| each(&|| format!("slots[{i}].target"), &slot.target));
        }
        Body::VoxelMat(body) => {
            body.slots.iter().enumerate().for_each(|(i, slot)| each(&|| format!("slots[{i}].target"), &slot.target));
        }
        _ => {}
    }
}

/// Calls `each` with every name of another section and the kind that it should be of.
pub(super) fn references(body: &Body, each: &mut dyn FnMut(Path<'_>, Guid, Kind)) {
    let mut one = |name: &str, guid: Guid, kind: Kind| each(&|| name.to_owned(), guid, kind);
    match body {
        Body::Geometry(body) => {
            one("vertex_buffer", body.vertex_buffer, Kind::Vertex);
            one("indice_buffer", body.indice_buffer, Kind::Indice);
            one("morph_buffers", body.morph_buffers, Kind::Morph);
            one("skeleton", body.skeleton, Kind::Skeleton);
            one("socket", body.socket, Kind::Socket);
            for (i, mesh) in body.meshes.iter().enumerate() {
                each(&|| format!("meshes[{i}].material"), mesh.material, Kind::Material);
            }
        }
        Body::Socket(body) => one("skeleton", body.skeleton, Kind::Skeleton),
        Body::Texture(body) => one("image", body.image, Kind::Image),
        Body::Object(body) => {
            one("material", body.material, Kind::Material);
            one("geometry", body.geometry, Kind::Geometry);
        }
        Body::Morph(body) => {
            for (i, morph) in body.morphs.iter().enumerate() {
                each(&|| format!("morphs[{i}].vertex_buffer"), morph.vertex_buffer, Kind::Vertex);
            }
        }
        Body::Material(body) => {
            for (i, slot) in body.slots.iter().enumerate() {
                each(&|| format!("slots[{i}].texture"), slot.texture, Kind::Texture);
            }
        }
        Body::Instance(body) => {
            one("geometry", body.geometry, Kind::Geometry);
            for (i, group) in body.instances.iter().enumerate() {
                each(&|| format!("instances[{i}].material"), group.material, Kind::Material);
            }
        }
        Body::VoxelObj(body) => {
            one("voxel_palette", body.voxel_palette, Kind::VoxelPlt);
            for (i, voxel) in body.voxels.iter().enumerate() {
                each(&|| format!("voxels[{i}].voxel_material"), voxel.voxel_material, Kind::VoxelMat);
            }
        }
        Body::Animate(body) => {
            one("skeleton", body.skeleton, Kind::Skeleton);
            for (i, track) in body.tracks.iter().enumerate() {
                each(&|| format!("tracks[{i}].track"), track.track, Kind::AniTrack);
            }
        }
        _ => {}
    }
}

/// Gives everything that a section refers to another name, but for its settings.
pub(super) fn rename(body: &mut Body, name: &mut dyn FnMut(Guid) -> Guid) {
    let mut one = |guid: &mut Guid| *guid = if guid.is_none() { *guid } else { name(*guid) };
    match body {
        Body::Geometry(body) => {
            let own = [&mut body.vertex_buffer, &mut body.indice_buffer, &mut body.morph_buffers];
            own.into_iter().chain([&mut body.skeleton, &mut body.socket]).for_each(&mut one);
            body.meshes.iter_mut().for_each(|mesh| one(&mut mesh.material));
        }
        Body::Morph(body) => body.morphs.iter_mut().for_each(|morph| one(&mut morph.vertex_buffer)),
        Body::Material(body) => body.slots.iter_mut().for_each(|slot| one(&mut slot.texture)),
        Body::Socket(body) => one(&mut body.skeleton),
        Body::Texture(body) => one(&mut body.image),
        Body::Object(body) => [&mut body.material, &mut body.geometry].into_iter().for_each(one),
        Body::Instance(body) => {
            one(&mut body.geometry);
            body.instances.iter_mut().for_each(|group| one(&mut group.material));
        }
        Body::VoxelObj(body) => {
            one(&mut body.voxel_palette);
            body.voxels.to_mut().iter_mut().for_each(|voxel| one(&mut voxel.voxel_material));
        }
        Body::Animate(body) => {
            one(&mut body.skeleton);
            body.tracks.to_mut().iter_mut().for_each(|track| one(&mut track.track));
        }
        _ => {}
    }
}

/// How many times over bytes are looked at that several parts of a file share.
pub(super) const SHARED: u64 = 4;

/// The groups of an instance without those whose placements are the very bytes of another: a small file can name them
/// millions of times.
fn own_groups(instance: &Instance) -> impl Iterator<Item = (usize, &InstanceGroup)> {
    let spans = || instance.instances.iter().filter_map(|group| group.placements.lies());
    let extent = spans().map(|span| span.end()).max().unwrap_or(0) - spans().map(|span| span.offset).min().unwrap_or(0);
    let mut left = extent.saturating_mul(SHARED);
    let mut known = HashSet::new();
    instance.instances.iter().enumerate().filter(move |(_, group)| {
        let Some(span) = group.placements.lies() else { return true };
        let fresh = known.insert((span.offset, span.size)) && span.size <= left;
        left -= if fresh { span.size } else { 0 };
        fresh
    })
}

/// A rotation, and what stands beside it.
pub(super) struct Placed {
    pub(super) rotation: Rotation,
    /// Bones have none beside a matrix.
    pub(super) position: Option<[F32; 3]>,
    pub(super) scale: Option<[F32; 3]>,
    pub(super) of_bone: bool,
}

/// Calls `each` with every rotation. The path is of what holds it: its fields are inside.
pub(super) fn rotations(body: &Body, each: &mut dyn FnMut(Path<'_>, &Placed)) {
    let free = |rotation, position, scale| Placed { rotation, position: Some(position), scale, of_bone: false };
    match body {
        Body::Skeleton(body) => {
            for (i, bone) in body.bones.iter().enumerate() {
                let placed =
                    Placed { rotation: bone.rotation, position: bone.position, scale: bone.scale, of_bone: true };
                each(&|| format!("bones[{i}]"), &placed);
            }
        }
        Body::Socket(body) => each(&String::new, &free(body.rotation, body.offset, None)),
        Body::Light(body) => each(&String::new, &free(body.rotation, body.position, None)),
        Body::Object(body) => each(&String::new, &free(body.rotation, body.position, Some(body.scale))),
        Body::Instance(body) => {
            for (i, group) in own_groups(body) {
                for k in 0..group.placements.len() {
                    if let Some((position, rotation, scale)) = group.placements.get(k) {
                        let placed = free(rotation, position, Some(scale));
                        each(&|| format!("instances[{i}].placements[{k}]"), &placed);
                    }
                }
            }
        }
        _ => {}
    }
}
