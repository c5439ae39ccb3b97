//! TRIMESH chunks → meshes: triangle soup becomes indexed primitives.

use std::collections::HashMap;

use scene::{Id, Material, Mesh, Name, Primitive, Stream, Topology};

use super::super::vertices::{Corner, STREAMS, is_uv};
use crate::dgl2::layout::{Chunk, Triangle, Trimesh};

fn corners(triangle: &Triangle) -> [Corner; 3] {
    std::array::from_fn(|k| {
        let mut corner = [0; 10];
        let numbers = triangle.positions[k].iter().chain(&triangle.normals[k]);
        let numbers = numbers.chain(&triangle.uv1[k]).chain(&triangle.uv2[k]);
        corner.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.get().to_bits());
        corner
    })
}

/// The triangles of one material number.
struct Part {
    material_id: i32,
    corners: Vec<Corner>,
}

/// One primitive per material number, in the order of first use. Numbers that lead nowhere mean no material.
pub(super) fn lift(chunk: &Chunk, mesh: &Trimesh, materials: &HashMap<i32, Id<Material>>, uvs: Uvs) -> Mesh {
    let mut parts: Vec<Part> = Vec::new();
    let mut numbers: HashMap<i32, usize> = HashMap::new();
    for triangle in mesh.triangles.iter() {
        let material_id = triangle.material_id;
        let part = *numbers.entry(material_id).or_insert(parts.len());
        if part == parts.len() {
            parts.push(Part { material_id, corners: Vec::new() });
        }
        parts[part].corners.extend(corners(&triangle));
    }
    let primitives = parts.into_iter().map(|part| lift_part(part, materials, uvs)).collect();
    Mesh { name: Name::from(chunk.name.bytes()), primitives, ..Mesh::default() }
}

/// What is known about texture coordinates.
#[derive(Clone, Copy)]
pub(super) struct Uvs {
    pub(super) from_bottom: bool,
    /// Whether a material looks at the second ones.
    pub(super) both: bool,
}

fn lift_part(part: Part, materials: &HashMap<i32, Id<Material>>, uvs: Uvs) -> Primitive {
    let welded = ops::weld_rows(part.corners);
    let mut primitive = Primitive::new(Topology::Triangles);
    // Where there was but one layer, exporters write it twice.
    let one_layer = !uvs.both && welded.rows.iter().all(|row| row[6..8] == row[8..10]);
    for (semantic, range) in STREAMS.into_iter().take(if one_layer { 3 } else { 4 }) {
        let width = range.len() as u8;
        let values = welded.rows.iter().flat_map(|row| row[range.clone()].iter().map(|bits| f32::from_bits(*bits)));
        let stream = Stream::from_f32(width, values.collect());
        let stream = if uvs.from_bottom && is_uv(&semantic) { stream.flipped() } else { stream };
        primitive = primitive.with(semantic, stream);
    }
    primitive.indices = Some(welded.indices.into());
    primitive.material = materials.get(&part.material_id).copied();
    primitive
}
