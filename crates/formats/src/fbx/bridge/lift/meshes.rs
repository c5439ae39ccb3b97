//! Meshes.

use std::collections::HashMap;

use findings::Subject;
use glam::DVec3;
use scene::loss::*;
use scene::{Attribute, Id, Material, Mesh, MorphRange, MorphTarget, Primitive, Semantic, Stream, Topology};

use super::name;
use crate::LiftCx;

/// Sets of texture coordinates and colours that are told apart; files with more are not known.
const SETS: usize = 4;

/// What makes a corner: position, normal, logical vertex, texture coordinates, colours, tangent, bitangent.
type Corner = [u32; TANGENT + 2];

/// Where the tangent is in it.
const TANGENT: usize = 3 + 2 * SETS;

/// What a corner does not have.
const ABSENT: u32 = u32::MAX;

pub(super) fn lift(mesh: &ufbx::Mesh, materials: Vec<Option<Id<Material>>>, cx: &mut LiftCx<'_>) -> Mesh {
    let mut out = Mesh { name: name(&mesh.element.name), ..Mesh::default() };
    let label = out.subject(mesh.element.typed_id as usize);
    if mesh.uv_sets.len() > SETS || mesh.color_sets.len() > SETS {
        let count = mesh.uv_sets.len().saturating_sub(SETS) + mesh.color_sets.len().saturating_sub(SETS);
        cx.lose(&LOSS_017, &label, count as u64, "sets beyond the fourth", "this reader tells four apart");
    }
    if mesh.vertex_tangent.exists && !has_tangents(mesh) {
        cx.lose(&LOSS_017, &label, 1, "TANGENT", "without normals and bitangents nobody knows which way they bend");
    }
    let loose = loose_vertices(mesh);
    if loose > 0 {
        cx.lose(&LOSS_064, &label, loose, "vertices that are not drawn", "a mesh of the scene has those of its faces");
    }
    let morphs = Morphs::of(mesh);
    out.morphs = morphs.ranges;
    let everything: Vec<u32> = (0..mesh.faces.len() as u32).collect();
    let parts: Vec<&[u32]> = match mesh.material_parts.len() {
        0 => vec![&everything],
        _ => mesh.material_parts.iter().map(|part| part.face_indices.as_ref()).collect(),
    };
    for (i, faces) in parts.into_iter().enumerate() {
        let primitive = part(mesh, faces, &morphs.offsets, &label, cx);
        if let Some(mut primitive) = primitive {
            primitive.material = materials.get(i).copied().flatten();
            out.primitives.push(primitive);
        }
    }
    out
}

/// How many vertices no polygon has.
fn loose_vertices(mesh: &ufbx::Mesh) -> u64 {
    let mut drawn = vec![false; mesh.num_vertices];
    for &vertex in mesh.vertex_indices.iter() {
        drawn.get_mut(vertex as usize).into_iter().for_each(|drawn| *drawn = true);
    }
    drawn.into_iter().filter(|drawn| !drawn).count() as u64
}

fn part(
    mesh: &ufbx::Mesh,
    faces: &[u32],
    morphs: &[Offsets],
    label: &Subject,
    cx: &mut LiftCx<'_>,
) -> Option<Primitive> {
    let mut known: HashMap<Corner, u32> = HashMap::new();
    let mut corners: Vec<Corner> = Vec::new();
    let (mut indices, mut sizes) = (Vec::new(), Vec::new());
    let mut left_out = 0;
    for face in faces.iter().filter_map(|&face| mesh.faces.get(face as usize)) {
        if face.num_indices < 3 {
            left_out += 1;
            continue;
        }
        for at in face.index_begin as usize..(face.index_begin + face.num_indices) as usize {
            let corner = corner(mesh, at);
            let next = corners.len() as u32;
            let index = *known.entry(corner).or_insert(next);
            if index == next {
                corners.push(corner);
            }
            indices.push(index);
        }
        sizes.push(face.num_indices);
    }
    if left_out > 0 {
        cx.lose(&LOSS_033, label, left_out, "faces left out", "they have fewer than three corners");
    }
    if corners.is_empty() {
        return None;
    }
    let all = |n: u32| sizes.iter().all(|&size| size == n);
    let (topology, sizes) = match () {
        () if all(3) => (Topology::Triangles, Vec::new()),
        () if all(4) => (Topology::Quads, Vec::new()),
        () => (Topology::Polygons, sizes),
    };
    let mut primitive = Primitive { attributes: attributes(mesh, &corners), ..Primitive::new(topology) };
    primitive.indices = Some(indices.into());
    primitive.corners = sizes;
    primitive.targets = morphs.iter().map(|morph| morph.target(&corners)).collect();
    Some(primitive)
}

fn corner(mesh: &ufbx::Mesh, at: usize) -> Corner {
    let index = |indices: &[u32]| indices.get(at).copied().unwrap_or(ABSENT);
    let mut corner = [ABSENT; TANGENT + 2];
    corner[0] = index(&mesh.vertex_position.indices);
    if mesh.vertex_normal.exists {
        corner[1] = index(&mesh.vertex_normal.indices);
    }
    // Only skins and morph targets need it; without them, vertices at one place may be one.
    if !mesh.skin_deformers.is_empty() || !mesh.blend_deformers.is_empty() {
        corner[2] = index(&mesh.vertex_indices);
    }
    for (slot, set) in corner[3..3 + SETS].iter_mut().zip(&mesh.uv_sets) {
        *slot = index(&set.vertex_uv.indices);
    }
    if has_tangents(mesh) {
        corner[TANGENT] = index(&mesh.vertex_tangent.indices);
        corner[TANGENT + 1] = index(&mesh.vertex_bitangent.indices);
    }
    for (slot, set) in corner[3 + SETS..TANGENT].iter_mut().zip(&mesh.color_sets) {
        *slot = index(&set.vertex_color.indices);
    }
    corner
}

fn has_tangents(mesh: &ufbx::Mesh) -> bool {
    mesh.vertex_tangent.exists && mesh.vertex_bitangent.exists && mesh.vertex_normal.exists
}

/// The tangents of corners. Bitangents lead up the image here as they do in the scene.
fn tangents(mesh: &ufbx::Mesh, corners: &[Corner]) -> Stream {
    let of =
        |values: &[ufbx::Vec3], at: u32| values.get(at as usize).map_or(DVec3::ZERO, |v| DVec3::new(v.x, v.y, v.z));
    let tangent = |corner: &Corner| {
        let tangent = of(&mesh.vertex_tangent.values, corner[TANGENT]);
        let bitangent = of(&mesh.vertex_bitangent.values, corner[TANGENT + 1]);
        let normal = of(&mesh.vertex_normal.values, corner[1]);
        let side = if normal.cross(tangent).dot(bitangent) < 0. { -1. } else { 1. };
        tangent.extend(side).to_array()
    };
    Stream::from_f64(4, corners.iter().flat_map(tangent).collect()).narrowed()
}

fn attributes(mesh: &ufbx::Mesh, corners: &[Corner]) -> Vec<Attribute> {
    let mut out = Vec::new();
    let mut add = |semantic: Semantic, stream: Stream| out.push(Attribute { semantic, stream });
    let vectors = |values: &[ufbx::Vec3], which: usize| {
        let value = |corner: &Corner| values.get(corner[which] as usize).map_or([0.; 3], |v| [v.x, v.y, v.z]);
        Stream::from_f64(3, corners.iter().flat_map(value).collect()).narrowed()
    };
    add(Semantic::Position, vectors(&mesh.vertex_position.values, 0));
    if mesh.vertex_normal.exists {
        add(Semantic::Normal, vectors(&mesh.vertex_normal.values, 1));
    }
    if has_tangents(mesh) {
        add(Semantic::Tangent, tangents(mesh, corners));
    }
    for (i, set) in mesh.uv_sets.iter().take(SETS).enumerate() {
        let values = &set.vertex_uv.values;
        let value = |corner: &Corner| values.get(corner[3 + i] as usize).map_or([0.; 2], |v| [v.x, v.y]);
        let stream = Stream::from_f64(2, corners.iter().flat_map(value).collect()).narrowed();
        add(Semantic::TexCoord(i as u8), stream.flipped());
    }
    for (i, set) in mesh.color_sets.iter().take(SETS).enumerate() {
        let values = &set.vertex_color.values;
        let value = |corner: &Corner| {
            let color = values.get(corner[3 + SETS + i] as usize);
            color.map_or([1.; 4], |v| [v.x as f32, v.y as f32, v.z as f32, v.w as f32])
        };
        add(Semantic::Color(i as u8), Stream::from_f32(4, corners.iter().flat_map(value).collect()));
    }
    if let Some(skin) = mesh.skin_deformers.first() {
        let most = skin.max_weights_per_vertex.min(4 * usize::from(u8::MAX));
        for set in 0..most.div_ceil(4).max(1) {
            let (joints, weights) = influences(skin, corners, set);
            add(Semantic::Joints(set as u8), Stream::from_u32(4, joints));
            add(Semantic::Weights(set as u8), Stream::from_f32(4, weights));
        }
    }
    out
}

/// Four joints and weights of every vertex.
fn influences(skin: &ufbx::SkinDeformer, corners: &[Corner], set: usize) -> (Vec<u32>, Vec<f32>) {
    let (mut joints, mut weights) = (vec![0; corners.len() * 4], vec![0.; corners.len() * 4]);
    for (i, corner) in corners.iter().enumerate() {
        let Some(vertex) = skin.vertices.get(corner[2] as usize) else { continue };
        let begin = vertex.weight_begin as usize;
        let own = skin.weights.get(begin..begin + vertex.num_weights as usize).unwrap_or_default();
        let sum: f64 = own.iter().map(|weight| weight.weight).sum();
        let share = if sum > 0. { sum } else { 1. };
        for (k, weight) in own.iter().skip(set * 4).take(4).enumerate() {
            joints[i * 4 + k] = weight.cluster_index;
            weights[i * 4 + k] = (weight.weight / share) as f32;
        }
    }
    (joints, weights)
}

/// The morph targets of a mesh: its blend shapes.
struct Morphs {
    ranges: Vec<MorphRange>,
    offsets: Vec<Offsets>,
}

/// Where a morph target moves each logical vertex.
struct Offsets {
    positions: HashMap<u32, [f32; 3]>,
    normals: HashMap<u32, [f32; 3]>,
}

impl Morphs {
    fn of(mesh: &ufbx::Mesh) -> Morphs {
        let mut out = Morphs { ranges: Vec::new(), offsets: Vec::new() };
        for channel in channels(mesh) {
            let Some(target) = &channel.target_shape else { continue };
            let default = channel.weight as f32;
            out.ranges.push(MorphRange { name: name(&channel.element.name), default, min: 0., max: 1. });
            let moved = |offsets: &[ufbx::Vec3]| -> HashMap<u32, [f32; 3]> {
                target.offset_vertices.iter().copied().zip(offsets.iter().map(super::three)).collect()
            };
            out.offsets
                .push(Offsets { positions: moved(&target.position_offsets), normals: moved(&target.normal_offsets) });
        }
        out
    }
}

/// The blend channels of a mesh that have a target.
pub(super) fn channels(mesh: &ufbx::Mesh) -> impl Iterator<Item = &ufbx::BlendChannel> {
    let all = mesh.blend_deformers.into_iter().flat_map(|deformer| &deformer.channels);
    all.filter(|channel| channel.target_shape.is_some())
}

impl Offsets {
    fn target(&self, corners: &[Corner]) -> MorphTarget {
        let stream = |moved: &HashMap<u32, [f32; 3]>| {
            let offset = |corner: &Corner| moved.get(&corner[2]).copied().unwrap_or_default();
            Stream::from_f32(3, corners.iter().flat_map(offset).collect())
        };
        let position = Attribute { semantic: Semantic::Position, stream: stream(&self.positions) };
        let normal = Attribute { semantic: Semantic::Normal, stream: stream(&self.normals) };
        let attributes = if self.normals.is_empty() { vec![position] } else { vec![position, normal] };
        MorphTarget { attributes }
    }
}
