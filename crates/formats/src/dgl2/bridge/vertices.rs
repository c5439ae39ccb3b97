//! Corners of triangles, and the streams that they become.

use scene::Semantic;

/// A corner of a triangle as bits: position, normal, uv1, uv2.
pub(super) type Corner = [u32; 10];

/// Where each stream lies in a corner.
pub(super) const STREAMS: [(Semantic, std::ops::Range<usize>); 4] = [
    (Semantic::Position, 0..3),
    (Semantic::Normal, 3..6),
    (Semantic::TexCoord(0), 6..8),
    (Semantic::TexCoord(1), 8..10),
];

pub(super) fn is_uv(semantic: &Semantic) -> bool {
    matches!(semantic, Semantic::TexCoord(_))
}
