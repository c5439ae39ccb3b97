//! What is left of a primitive whose indices name vertices that do not exist.

use scene::{Primitive, Semantic, Stream, Topology};

use crate::{corners, segments, triangles};

/// What is left of a primitive without its faces, lines or points of vertices that do not exist.
pub struct Drawable {
    /// Triangles, lines or points.
    pub topology: Topology,
    /// Their corners.
    pub indices: Vec<u32>,
    /// How many are left out.
    pub left_out: u64,
}

/// The part of a primitive that can be drawn; nothing if all of it can.
pub fn drawable(primitive: &Primitive) -> Option<Drawable> {
    let count = primitive.get(&Semantic::Position).map_or_else(|| primitive.vertex_count(), Stream::len);
    let exists = |index: &u32| (*index as usize) < count;
    if primitive.indices.as_ref()?.to_vec().iter().all(exists) {
        return None;
    }
    let (topology, size, all) = match primitive.topology {
        Topology::Points => (Topology::Points, 1, corners(primitive)),
        faces if faces.is_surface() => (Topology::Triangles, 3, triangles(primitive)),
        _ => (Topology::Lines, 2, segments(primitive)),
    };
    let indices: Vec<u32> = all.chunks_exact(size).filter(|face| face.iter().all(exists)).flatten().copied().collect();
    let left_out = (all.len() / size - indices.len() / size) as u64;
    Some(Drawable { topology, indices, left_out })
}
