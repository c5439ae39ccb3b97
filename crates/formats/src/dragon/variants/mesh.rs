//! How the numbers of a mesh are meant: canonically, or as one of two misreadings of the document that can be told.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;
use wire::{Bulk, Fixed};
use zerocopy::{BE, ByteOrder, LE};

use crate::dragon::facts::triangles_of;
use crate::dragon::layout::Document;
use crate::dragon::layout::body::{Body, Geometry, Indices, Mesh, Vertex};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::DrawType;

/// How the meshes of all geometries that share indices are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshReading {
    /// Indices per face if face_offset and face_count count faces, else 1.
    pub per_face: u32,
    /// Whether vertex_offset is added to every index.
    pub base_vertex: bool,
}

impl MeshReading {
    /// As the document has it.
    pub const CANONICAL: MeshReading = MeshReading { per_face: 1, base_vertex: false };

    /// The indices that a mesh draws: first and number.
    pub fn range(self, mesh: &Mesh) -> (u64, u64) {
        let k = u64::from(self.per_face.max(1));
        (u64::from(mesh.face_offset) * k, u64::from(mesh.face_count) * k)
    }

    /// The triangles that a mesh draws.
    pub fn triangles(self, mesh: &Mesh) -> u64 {
        triangles_of(mesh, self.range(mesh).1)
    }
}

/// The buffers of a document, by name.
pub struct Buffers<'d> {
    indices: HashMap<Guid, Extents<'d>>,
    vertices: HashMap<Guid, &'d Vertex>,
    readings: HashMap<Guid, MeshReading>,
}

impl<'d> Buffers<'d> {
    /// Looks at all buffers and meshes of a document.
    pub fn of(doc: &'d Document) -> Buffers<'d> {
        let mut buffers = Buffers { indices: HashMap::new(), vertices: HashMap::new(), readings: HashMap::new() };
        for section in &doc.sections {
            match &section.body {
                Body::Indice(indice) => {
                    buffers.indices.entry(section.guid).or_insert_with(|| Extents::of(&indice.indices));
                }
                Body::Vertex(vertex) => _ = buffers.vertices.entry(section.guid).or_insert(vertex),
                _ => {}
            }
        }
        for (guid, meshes) in meshes_by_indices(doc) {
            if let Some(indices) = buffers.indices.get(&guid) {
                buffers.readings.insert(guid, reading_of(&meshes, indices));
            }
        }
        buffers
    }

    /// The indices that a geometry draws with; nothing if it draws its vertices in their order, or if they are missing.
    pub fn indices(&self, geometry: &Geometry) -> Option<&'d Indices> {
        self.indices.get(&geometry.indice_buffer).map(|extents| extents.indices)
    }

    /// Smallest and largest index of a range that a geometry draws, if it lies inside and is not empty.
    pub(in crate::dragon) fn extent(&self, geometry: &Geometry, first: u64, count: u64) -> Option<(u32, u32)> {
        self.indices.get(&geometry.indice_buffer)?.extent(first, count)
    }

    /// The vertices that a geometry draws.
    pub fn vertices(&self, geometry: &Geometry) -> Option<&'d Vertex> {
        self.vertices.get(&geometry.vertex_buffer).copied()
    }

    /// How the meshes of a geometry are meant.
    pub fn reading(&self, geometry: &Geometry) -> MeshReading {
        self.readings.get(&geometry.indice_buffer).copied().unwrap_or(MeshReading::CANONICAL)
    }
}

/// Indices, and what it takes to tell the extents of many ranges without looking at all of each: any number of meshes
/// may draw the same.
struct Extents<'d> {
    indices: &'d Indices,
    /// Extents of 1, 2, 4… blocks from each block on.
    table: OnceLock<Vec<Vec<(u32, u32)>>>,
}

/// Indices per block.
const BLOCK: u64 = 1 << 12;

impl<'d> Extents<'d> {
    fn of(indices: &'d Indices) -> Extents<'d> {
        Extents { indices, table: OnceLock::new() }
    }

    /// Smallest and largest index of a range, if it lies inside and is not empty.
    fn extent(&self, first: u64, count: u64) -> Option<(u32, u32)> {
        let end = first.checked_add(count)?;
        let (from, to) = (first.div_ceil(BLOCK), end / BLOCK);
        if end > self.indices.len() as u64 || from + 1 >= to {
            return extent(self.indices, first, count);
        }
        let table = self.table.get_or_init(|| self.table());
        let level = (to - from).ilog2();
        let blocks = table.get(level as usize)?;
        let ends =
            [extent(self.indices, first, from * BLOCK - first), extent(self.indices, to * BLOCK, end - to * BLOCK)];
        let middle = [blocks.get(from as usize).copied(), blocks.get((to - (1 << level)) as usize).copied()];
        middle.into_iter().chain(ends).flatten().reduce(joined)
    }

    fn table(&self) -> Vec<Vec<(u32, u32)>> {
        let whole = self.indices.len() as u64 / BLOCK;
        let block = |block: u64| extent(self.indices, block * BLOCK, BLOCK).unwrap_or(NOTHING);
        let mut table = vec![(0..whole).into_par_iter().map(block).collect::<Vec<_>>()];
        let mut apart = 1;
        while let Some(last) = table.last().filter(|last| last.len() > apart) {
            let next = last.iter().zip(&last[apart..]).map(|(a, b)| joined(*a, *b)).collect();
            table.push(next);
            apart *= 2;
        }
        table
    }
}

/// The extent of no index.
const NOTHING: (u32, u32) = (u32::MAX, 0);

fn joined(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Smallest and largest index of a range, if it lies inside and is not empty.
pub(in crate::dragon) fn extent(indices: &Indices, first: u64, count: u64) -> Option<(u32, u32)> {
    let end = first.checked_add(count).filter(|end| *end <= indices.len() as u64)?;
    if count == 0 {
        return None;
    }
    let range = first as usize..end as usize;
    match indices {
        Indices::U8(bulk) => span_of(bulk, range),
        Indices::U16(bulk) => span_of(bulk, range),
        Indices::U32(bulk) => span_of(bulk, range),
        Indices::Other { .. } => None,
    }
}

/// Indices that one thread looks at together.
const BATCH: usize = 1 << 16;

fn span_of<T: Fixed + Into<u32>>(bulk: &Bulk<T>, range: Range<usize>) -> Option<(u32, u32)> {
    fn over<T: Fixed + Into<u32>, O: ByteOrder + Send + Sync + 'static>(wire: &[T::In<O>]) -> (u32, u32) {
        let widen = |(low, high): (u32, u32), index: &T::In<O>| {
            let index: u32 = T::from_wire::<O>(index).into();
            (low.min(index), high.max(index))
        };
        let batch = |batch: &[T::In<O>]| batch.iter().fold(NOTHING, widen);
        wire.par_chunks(BATCH).map(batch).reduce(|| NOTHING, joined)
    }
    if let Some(wire) = bulk.wire::<LE>() {
        Some(over::<T, LE>(&wire[range]))
    } else if let Some(wire) = bulk.wire::<BE>() {
        Some(over::<T, BE>(&wire[range]))
    } else {
        let indices = range.filter_map(|at| bulk.get(at)).map(Into::into);
        Some(indices.fold(NOTHING, |(low, high), index: u32| (low.min(index), high.max(index))))
    }
}

fn reading_of(meshes: &[&Mesh], indices: &Extents<'_>) -> MeshReading {
    let canonical = MeshReading::CANONICAL;
    if matches!(indices.indices, Indices::Other { .. }) {
        return canonical;
    }
    let faces = faces_as_primitives(meshes, indices);
    if let Some(per_face) = faces {
        return MeshReading { per_face, ..canonical };
    }
    // No index lies below a mesh that begins with the first vertex.
    if meshes.iter().all(|mesh| mesh.vertex_offset == 0) {
        return canonical;
    }
    let extents: Vec<Option<(u32, u32)>> = meshes.iter().map(|mesh| extent_in(mesh, indices, 1)).collect();
    let below =
        meshes.iter().zip(&extents).any(|(mesh, extent)| extent.is_some_and(|(low, _)| low < mesh.vertex_offset));
    let fits =
        meshes.iter().zip(&extents).all(|(mesh, extent)| extent.is_none_or(|(_, high)| high < mesh.vertex_count));
    MeshReading { base_vertex: below && fits, ..canonical }
}

fn extent_in(mesh: &Mesh, indices: &Extents<'_>, per_face: u32) -> Option<(u32, u32)> {
    let (first, count) = MeshReading { per_face, base_vertex: false }.range(mesh);
    indices.extent(first, count)
}

/// The number of indices per face, if that many of all faces are just the indices that are there.
fn faces_add_up(meshes: &[&Mesh], indices: &Indices) -> Option<u32> {
    let all = |kind: DrawType| meshes.iter().all(|mesh| mesh.draw_type == kind);
    let k = match () {
        () if meshes.is_empty() => return None,
        () if all(DrawType::TRIANGLE) => 3,
        () if all(DrawType::QUADS) => 4,
        () => return None,
    };
    let total: u64 = meshes.iter().map(|mesh| u64::from(mesh.face_count)).sum();
    let len = indices.len() as u64;
    (total.checked_mul(k.into()) == Some(len) && total != len).then_some(k)
}

/// The number of indices per face, if offsets and counts of faces are meant.
fn faces_as_primitives(meshes: &[&Mesh], indices: &Extents<'_>) -> Option<u32> {
    let k = faces_add_up(meshes, indices.indices)?;
    let len = indices.indices.len() as u64;
    let inside = |mesh: &&Mesh| {
        let end = u64::from(mesh.vertex_offset) + u64::from(mesh.vertex_count);
        let (first, count) = MeshReading { per_face: k, base_vertex: false }.range(mesh);
        first + count <= len
            && extent_in(mesh, indices, k).is_none_or(|(low, high)| low >= mesh.vertex_offset && u64::from(high) < end)
    };
    if !meshes.iter().all(inside) {
        return None;
    }
    let tight = |per_face: u32| meshes.iter().all(|mesh| is_tight(mesh, extent_in(mesh, indices, per_face)));
    (!tight(1) || tight(k)).then_some(k)
}

/// Whether the indices use just the vertices that the mesh says.
fn is_tight(mesh: &Mesh, extent: Option<(u32, u32)>) -> bool {
    extent.is_some_and(|(low, high)| {
        low == mesh.vertex_offset && u64::from(high) + 1 == u64::from(mesh.vertex_offset) + u64::from(mesh.vertex_count)
    })
}

/// Triangles of all meshes; nothing if telling takes a look at the indices, and no `full` look is wanted.
pub(in crate::dragon) fn triangles(doc: &Document, full: bool) -> Option<u64> {
    let index = doc.index();
    let mut sum = 0;
    for (guid, meshes) in &meshes_by_indices(doc) {
        let per_face = match index.body(*guid) {
            Some(Body::Indice(indice)) if !full && faces_add_up(meshes, &indice.indices).is_some() => return None,
            Some(Body::Indice(indice)) => faces_as_primitives(meshes, &Extents::of(&indice.indices)).unwrap_or(1),
            _ => 1,
        };
        let reading = MeshReading { per_face, base_vertex: false };
        sum += meshes.iter().map(|mesh| reading.triangles(mesh)).sum::<u64>();
    }
    Some(sum)
}

/// The meshes of all geometries, by the indices they share.
fn meshes_by_indices(doc: &Document) -> HashMap<Guid, Vec<&Mesh>> {
    let mut sharing: HashMap<Guid, Vec<&Mesh>> = HashMap::new();
    for section in &doc.sections {
        if let Body::Geometry(geometry) = &section.body {
            sharing.entry(geometry.indice_buffer).or_default().extend(&geometry.meshes);
        }
    }
    sharing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_of_ranges_are_those_of_their_indices() {
        let numbers: Vec<u32> = (0..40_000_u32).map(|i| i.wrapping_mul(2_654_435_761) % 100_003).collect();
        let indices = Indices::U32(numbers.clone().into());
        let extents = Extents::of(&indices);
        let ends = [0, 1, 4095, 4096, 4097, 8191, 8192, 12_288, 20_000, 39_999, 40_000];
        for (first, end) in ends.iter().flat_map(|first| ends.iter().map(move |end| (*first, *end))) {
            let range = numbers.get(first..end).unwrap_or_default();
            let expected = range.iter().min().copied().zip(range.iter().max().copied());
            if first <= end {
                assert_eq!(extents.extent(first as u64, (end - first) as u64), expected, "{first}..{end}");
            }
        }
        assert_eq!(extents.extent(1, 40_000), None, "one too many");
    }
}
