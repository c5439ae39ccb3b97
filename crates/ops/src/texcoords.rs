//! Transforms of texture coordinates.

use scene::{Stream, UvTransform};

fn points(stream: &Stream, transform: Option<&UvTransform>) -> Vec<[f64; 2]> {
    let numbers = stream.to_f64();
    let rows = numbers.chunks_exact(stream.count().max(2));
    rows.map(|row| transform.map_or([row[0], row[1]], |transform| transform.apply([row[0], row[1]]))).collect()
}

/// Texture coordinates moved by a transform.
pub fn transform_texcoords(stream: &Stream, transform: Option<&UvTransform>) -> Stream {
    if transform.is_none() {
        return stream.clone();
    }
    let numbers = points(stream, transform).into_iter().flatten().map(|number| number as f32);
    Stream::from_f32(2, numbers.collect())
}

/// How far two layouts lie apart at most, in sizes of the image.
pub fn texcoord_distance(a: (&Stream, Option<&UvTransform>), b: (&Stream, Option<&UvTransform>)) -> f64 {
    let pairs = points(a.0, a.1).into_iter().zip(points(b.0, b.1));
    pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).filter(|far| far.is_finite()).fold(0., f64::max)
}
