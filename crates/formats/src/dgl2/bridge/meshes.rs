//! Triangle soup ⇄ indexed primitives.

use std::collections::HashMap;

use scene::{Id, Material, Mesh, Name, Primitive, Semantic, Stream, Topology, Value};
use wire::{Bulk, F32, Fixed};

use super::{carried_bytes, carried_int, carry_bytes};
use crate::dgl2::layout::{Chunk, Triangle, Trimesh};

/// A corner of a triangle as bits: position, normal, uv1, uv2.
type Corner = [u32; 10];

/// Where each stream lies in a corner.
const STREAMS: [(Semantic, std::ops::Range<usize>); 4] = [
    (Semantic::Position, 0..3),
    (Semantic::Normal, 3..6),
    (Semantic::TexCoord(0), 6..8),
    (Semantic::TexCoord(1), 8..10),
];

fn is_uv(semantic: &Semantic) -> bool {
    matches!(semantic, Semantic::TexCoord(_))
}

fn corners(triangle: &Triangle) -> [Corner; 3] {
    std::array::from_fn(|k| {
        let mut corner = [0; 10];
        let numbers = triangle.positions[k].iter().chain(&triangle.normals[k]);
        let numbers = numbers.chain(&triangle.uv1[k]).chain(&triangle.uv2[k]);
        corner.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.get().to_bits());
        corner
    })
}

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

/// The triangles of one material number.
struct Part {
    material_id: i32,
    corners: Vec<Corner>,
}

/// One primitive per material number, in the order of first use.
pub(super) fn lift(chunk: &Chunk, mesh: &Trimesh, materials: &HashMap<i32, Id<Material>>, uvs: Uvs) -> Mesh {
    let mut parts: Vec<Part> = Vec::new();
    let mut numbers: HashMap<i32, usize> = HashMap::new();
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for triangle in mesh.triangles.iter() {
        let material_id = triangle.material_id;
        let part = *numbers.entry(material_id).or_insert(parts.len());
        if part == parts.len() {
            parts.push(Part { material_id, corners: Vec::new() });
        }
        parts[part].corners.extend(corners(&triangle));
        match runs.last_mut() {
            Some([last, count]) if *last == part as u32 => *count += 1,
            _ => runs.push([part as u32, 1]),
        }
    }
    let mut lifted = Mesh { name: Name::from(chunk.name.bytes()), ..Mesh::default() };
    if runs.len() > parts.len() {
        let bytes = runs.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
        lifted.extras.set("dgl2.runs", Value::Bytes(bytes));
    }
    carry_bytes(&mut lifted.extras, "dgl2.slack", mesh.slack.as_ref());
    lifted.primitives = parts.into_iter().map(|part| lift_part(part, materials, uvs)).collect();
    lifted
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
    if primitive.material.is_none() && part.material_id != -1 {
        primitive.extras.set("dgl2.material_id", i64::from(part.material_id));
    }
    primitive
}

/// The triangles of a mesh, each with the number of its material.
pub(super) fn lower(
    mesh: &Mesh,
    material_id: impl Fn(&Primitive) -> i32,
    from_bottom: bool,
    rounded: &mut u64,
) -> Trimesh {
    let parts: Vec<Vec<Triangle>> = mesh
        .primitives
        .iter()
        .map(|primitive| lower_part(primitive, material_id(primitive), from_bottom, rounded))
        .collect();
    let triangles = match runs(mesh, &parts) {
        Some(runs) => {
            let mut rest: Vec<&[Triangle]> = parts.iter().map(Vec::as_slice).collect();
            let mut triangles = Vec::new();
            for [part, count] in runs {
                let (run, behind) = rest[part].split_at(count);
                rest[part] = behind;
                triangles.extend_from_slice(run);
            }
            triangles
        }
        None => parts.concat(),
    };
    let slack = carried_bytes(&mesh.extras, "dgl2.slack").filter(|slack| slack.len() < Triangle::SIZE);
    Trimesh { triangles: Bulk::from(triangles), slack }
}

/// How the parts were mixed, if they still have as many triangles as then.
fn runs(mesh: &Mesh, parts: &[Vec<Triangle>]) -> Option<Vec<[usize; 2]>> {
    let bytes = carried_bytes(&mesh.extras, "dgl2.runs")?;
    let (numbers, []) = bytes.as_chunks::<4>() else { return None };
    let (pairs, []) = numbers.as_chunks::<2>() else { return None };
    let runs: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|n| u32::from_le_bytes(n) as usize)).collect();
    let mut counts = vec![0_usize; parts.len()];
    for [part, count] in &runs {
        let sum = counts.get_mut(*part)?;
        *sum = sum.checked_add(*count)?;
    }
    parts.iter().map(Vec::len).eq(counts).then_some(runs)
}

fn lower_part(primitive: &Primitive, material_id: i32, from_bottom: bool, rounded: &mut u64) -> Vec<Triangle> {
    let mut rows: Vec<Corner> = vec![[0; 10]; primitive.vertex_count()];
    for (semantic, range) in STREAMS {
        let Some(stream) = primitive.get(&semantic) else { continue };
        let flips = is_uv(&semantic) && stream.encoding().flip_v != from_bottom;
        let stored = if is_uv(&semantic) && from_bottom { stream.flipped() } else { stream.clone() };
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

/// The number of a material that leads nowhere.
pub(super) fn dangling_material(primitive: &Primitive) -> Option<i32> {
    carried_int(&primitive.extras, "dgl2.material_id").filter(|_| primitive.material.is_none())
}
