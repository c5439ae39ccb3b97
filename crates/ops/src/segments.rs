//! Strips and loops of lines as single lines.

use scene::{Primitive, Topology};

use crate::corners;

/// The pairs of vertices that make its lines.
pub fn segments(primitive: &Primitive) -> Vec<u32> {
    let order = corners(primitive);
    let pairs = order.windows(2).flat_map(|pair| [pair[0], pair[1]]);
    match primitive.topology {
        Topology::LineStrip => pairs.collect(),
        Topology::LineLoop if order.len() > 1 => pairs.chain([order[order.len() - 1], order[0]]).collect(),
        Topology::Lines => order,
        _ => Vec::new(),
    }
}
