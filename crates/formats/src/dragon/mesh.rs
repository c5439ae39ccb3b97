//! How the numbers of a mesh are meant: canonically, or as one of two misreadings of the document that can be told.

use std::collections::HashMap;

use super::body::{Body, Geometry, Indices, Mesh, Vertex};
use super::facts::triangles_of;
use super::guid::Guid;
use super::layout::Document;
use super::words::DrawType;

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
    indices: HashMap<Guid, &'d Indices>,
    vertices: HashMap<Guid, &'d Vertex>,
    readings: HashMap<Guid, MeshReading>,
}

impl<'d> Buffers<'d> {
    /// Looks at all buffers and meshes of a document.
    pub fn of(doc: &'d Document) -> Buffers<'d> {
        let mut buffers = Buffers { indices: HashMap::new(), vertices: HashMap::new(), readings: HashMap::new() };
        for section in &doc.sections {
            match &section.body {
                Body::Indice(indice) => _ = buffers.indices.entry(section.guid).or_insert(&indice.indices),
                Body::Vertex(vertex) => _ = buffers.vertices.entry(section.guid).or_insert(vertex),
                _ => {}
            }
        }
        let mut sharing: HashMap<Guid, Vec<&Mesh>> = HashMap::new();
        for section in &doc.sections {
            if let Body::Geometry(geometry) = &section.body {
                sharing.entry(geometry.indice_buffer).or_default().extend(&geometry.meshes);
            }
        }
        for (guid, meshes) in sharing {
            if let Some(indices) = buffers.indices.get(&guid) {
                buffers.readings.insert(guid, reading_of(&meshes, indices));
            }
        }
        buffers
    }

    /// The indices that a geometry draws with; nothing if it draws its vertices in their order, or if they are missing.
    pub fn indices(&self, geometry: &Geometry) -> Option<&'d Indices> {
        self.indices.get(&geometry.indice_buffer).copied()
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

/// Smallest and largest index of a range, if it lies inside and is not empty.
pub(super) fn extent(indices: &Indices, first: u64, count: u64) -> Option<(u32, u32)> {
    let end = first.checked_add(count).filter(|end| *end <= indices.len() as u64)?;
    if count == 0 {
        return None;
    }
    let range = first as usize..end as usize;
    match indices {
        Indices::U8(bulk) => span_of(range.map(|i| bulk.get(i).map_or(0, u32::from))),
        Indices::U16(bulk) => span_of(range.map(|i| bulk.get(i).map_or(0, u32::from))),
        Indices::U32(bulk) => span_of(range.map(|i| bulk.get(i).unwrap_or(0))),
        Indices::Other { .. } => None,
    }
}

fn span_of(indices: impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    indices.fold(None, |span, index| match span {
        None => Some((index, index)),
        Some((low, high)) => Some((index.min(low), index.max(high))),
    })
}

fn reading_of(meshes: &[&Mesh], indices: &Indices) -> MeshReading {
    let canonical = MeshReading::CANONICAL;
    if matches!(indices, Indices::Other { .. }) {
        return canonical;
    }
    let faces = faces_as_primitives(meshes, indices);
    if let Some(per_face) = faces {
        return MeshReading { per_face, ..canonical };
    }
    // Only where some index lies outside its mesh's range can anything but the canonical reading be meant.
    let extents: Vec<Option<(u32, u32)>> = meshes.iter().map(|mesh| extent_in(mesh, indices, 1)).collect();
    let below =
        meshes.iter().zip(&extents).any(|(mesh, extent)| extent.is_some_and(|(low, _)| low < mesh.vertex_offset));
    let fits =
        meshes.iter().zip(&extents).all(|(mesh, extent)| extent.is_none_or(|(_, high)| high < mesh.vertex_count));
    MeshReading { base_vertex: below && fits, ..canonical }
}

fn extent_in(mesh: &Mesh, indices: &Indices, per_face: u32) -> Option<(u32, u32)> {
    let (first, count) = MeshReading { per_face, base_vertex: false }.range(mesh);
    extent(indices, first, count)
}

/// The number of indices per face, if offsets and counts of faces are meant.
fn faces_as_primitives(meshes: &[&Mesh], indices: &Indices) -> Option<u32> {
    let all = |kind: DrawType| meshes.iter().all(|mesh| mesh.draw_type == kind);
    let k = match () {
        () if meshes.is_empty() => return None,
        () if all(DrawType::TRIANGLE) => 3,
        () if all(DrawType::QUADS) => 4,
        () => return None,
    };
    let total: u64 = meshes.iter().map(|mesh| u64::from(mesh.face_count)).sum();
    let len = indices.len() as u64;
    if total * u64::from(k) != len || total == len {
        return None;
    }
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

/// Triangles of all meshes.
pub(super) fn triangles(doc: &Document) -> u64 {
    let buffers = Buffers::of(doc);
    let geometries = doc.sections.iter().filter_map(|section| match &section.body {
        Body::Geometry(geometry) => Some(geometry),
        _ => None,
    });
    let of = |geometry: &Geometry| -> u64 {
        let reading = buffers.reading(geometry);
        geometry.meshes.iter().map(|mesh| reading.triangles(mesh)).sum()
    };
    geometries.map(of).sum()
}
