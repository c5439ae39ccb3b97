//! Normals for what has none.

use glam::DVec3;
use scene::{Primitive, Semantic, Stream};

use crate::triangles;

/// Normals of the faces around each vertex, weighted by area: flat where vertices are not shared, smooth where they
/// are. A vertex of no face points up.
pub fn normals(primitive: &Primitive) -> Vec<f32> {
    let count = primitive.vertex_count();
    let positions = primitive.get(&Semantic::Position).map(Stream::to_f64).unwrap_or_default();
    let at = |i: u32| positions.get(i as usize * 3..i as usize * 3 + 3).map(DVec3::from_slice).unwrap_or_default();
    let mut sums = vec![DVec3::ZERO; count];
    if primitive.topology.is_surface() {
        for triangle in triangles(primitive).chunks_exact(3) {
            let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
            let normal = (b - a).cross(c - a);
            for &corner in triangle {
                if let Some(sum) = sums.get_mut(corner as usize).filter(|_| normal.is_finite()) {
                    *sum += normal;
                }
            }
        }
    }
    sums.into_iter().flat_map(|sum| sum.try_normalize().unwrap_or(DVec3::Y).as_vec3().to_array()).collect()
}
