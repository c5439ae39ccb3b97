//! Colours of materials in vertices.

use scene::{Primitive, Semantic, Stream};

/// Multiplies a colour into the vertex colours; white changes no bit of them.
pub fn tint(primitive: &mut Primitive, color: [f32; 4]) {
    let count = primitive.vertex_count();
    let stream = match primitive.get(&Semantic::Color(0)) {
        Some(_) if color == [1.; 4] => return,
        Some(stream) => {
            // Colours of three numbers are opaque, which the material need not be.
            let width = if color[3] == 1. { stream.count() } else { 4 };
            let tinted = |row: &[f32]| {
                let row: Vec<f32> = (0..width).map(|k| row.get(k).copied().unwrap_or(1.) * color[k]).collect();
                row
            };
            Stream::from_f32(width as u8, stream.to_f32().chunks(stream.count().max(1)).flat_map(tinted).collect())
        }
        None => Stream::from_f32(4, color.repeat(count)),
    };
    primitive.set(Semantic::Color(0), stream);
}
