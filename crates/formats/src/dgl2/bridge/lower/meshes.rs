//! Meshes → TRIMESH chunks: indexed primitives become triangle soup.

use scene::{Mesh, Primitive, Stream};
use wire::{Bulk, F32};

use super::super::vertices::{Corner, STREAMS, is_uv};
use crate::dgl2::layout::{Triangle, Trimesh};

fn triangle(material_id: i32, corners: [Corner; 3]) -> Triangle {
    let vec3 = |corner: &Corner, from: usize| std::array::from_fn(|i| F32(f32::from_bits(corner[from + i])));
    let vec2 = |corner: &Corner, from: usize| std::array::from_fn(|i| F32(f32::from_bits(corner[from + i])));
    Triangle {
        material_id,
        positions: corners.map(|c| vec3(&c, 0)),
        normals: corners.map(|c| vec3(&c, 3)),
        uv1: corners.map(|c| vec2(&c, 6)),
        uv2: corners.map(|c| vec2(&c, 8)),
    }
}

/// The triangles of a mesh, each with the number of its material.
pub(super) fn lower(
    mesh: &Mesh,
    material_id: impl Fn(&Primitive) -> i32,
    from_bottom: bool,
    rounded: &mut u64,
) -> Trimesh {
    let part = |primitive| lower_part(primitive, material_id(primitive), from_bottom, rounded);
    let triangles: Vec<Triangle> = mesh.primitives.iter().flat_map(part).collect();
    Trimesh { triangles: Bulk::from(triangles), slack: None }
}

fn lower_part(primitive: &Primitive, material_id: i32, from_bottom: bool, rounded: &mut u64) -> Vec<Triangle> {
    let mut rows: Vec<Corner> = vec![[0; 10]; primitive.vertex_count()];
    for (semantic, range) in STREAMS {
        let Some(stream) = primitive.get(&semantic) else { continue };
        let flips = is_uv(&semantic) && stream.encoding().flip_v != from_bottom;
        let stored: Stream = if is_uv(&semantic) && from_bottom { stream.flipped() } else { stream.clone() };
        if flips {
            *rounded += stored.count_elements(|row| row.get(1).is_some_and(|&v| f64::from(v as f32) != v));
        }
        let (values, width) = (stored.to_f32(), stored.count().max(1));
        for (row, values) in rows.iter_mut().zip(values.chunks(width)) {
            row[range.clone()].iter_mut().zip(values).for_each(|(bits, value)| *bits = value.to_bits());
        }
    }
    let row = |index: u32| rows.get(index as usize).copied().unwrap_or_default();
    let indices = ops::triangles(primitive);
    indices.chunks_exact(3).map(|t| triangle(material_id, [row(t[0]), row(t[1]), row(t[2])])).collect()
}
