//! Cubes that became faces, and faces that became cubes: every side of a cube that no other cube covers is covered by
//! one triangle of its colour, twice, and every triangle covers some.

use std::collections::{HashMap, HashSet};

use glam::{DMat4, DVec3};
use scene::Voxels;

use super::attributes::number_error;
use super::shown::Places;

/// Where a side is looked at, along its own two axes: on both sides of whichever diagonal rectangles are cut along.
const LOOKED_AT: [[f64; 2]; 2] = [[0.2137, 0.0911], [0.7793, 0.9171]];

/// A side of a cube that can be seen.
pub(super) struct Side {
    /// The cube.
    pub(super) voxel: usize,
    /// Points on it.
    points: [DVec3; 2],
    normal: DVec3,
    /// Red green blue alpha.
    color: [f64; 4],
}

/// A triangle that may cover sides.
pub(super) struct Cover {
    pub(super) places: Places,
    /// Its vertex colour, if it has any.
    pub(super) color: Option<[f64; 4]>,
}

/// What does not match.
#[derive(Default)]
pub(super) struct Uncovered {
    /// Sides that are covered not at all, or twice, by position.
    pub(super) sides: Vec<usize>,
    /// Triangles that cover nothing, by position.
    pub(super) covers: Vec<usize>,
    /// The largest difference of colours.
    pub(super) color: f64,
}

/// The sides of cubes that can be seen, in the world.
pub(super) fn sides(voxels: &Voxels, world: impl Fn(DVec3) -> DVec3) -> Vec<Side> {
    let bits = |p: DVec3| p.to_array().map(|v| (v + 0.).to_bits());
    let mut first: HashMap<[u64; 3], usize> = HashMap::new();
    let places: Vec<DVec3> = voxels.voxels.iter().map(|v| DVec3::from_array(v.position.map(f64::from))).collect();
    places.iter().enumerate().for_each(|(i, place)| _ = first.entry(bits(*place)).or_insert(i));
    let mut out = Vec::new();
    for (voxel, place) in places.iter().enumerate() {
        if !place.is_finite() || first[&bits(*place)] != voxel {
            continue;
        }
        let color = voxels.palette.get(voxels.voxels[voxel].color as usize).copied().unwrap_or([255; 4]);
        for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1.), (axis, 1.)]) {
            let outward = DVec3::AXES[axis] * sign;
            if first.contains_key(&bits(*place + outward)) {
                continue;
            }
            let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
            let corner = *place + outward * 0.5 - (u + v) * 0.5;
            let points = LOOKED_AT.map(|[a, b]| world(corner + u * a + v * b));
            let normal = (world(*place + outward) - world(*place)).normalize_or_zero();
            out.push(Side { voxel, points, normal, color: color.map(|c| f64::from(c) / 255.) });
        }
    }
    out
}

/// How far a side of a unit cube reaches in the world.
pub(super) fn reach(world: &DMat4) -> f64 {
    [world.x_axis, world.y_axis, world.z_axis].iter().map(|axis| axis.truncate().length()).fold(0., f64::max)
}

/// Lays triangles over sides. `cell` is about the size of a side.
pub(super) fn cover(sides: &[Side], covers: &[Cover], cell: f64, tolerance: f64) -> Uncovered {
    let cell = if cell.is_finite() && cell > 0. { cell } else { 1. };
    let key = |p: DVec3| (p / cell).floor().to_array().map(|v| v as i64);
    let mut points: HashMap<[i64; 3], Vec<(usize, usize)>> = HashMap::new();
    for (i, side) in sides.iter().enumerate() {
        side.points.iter().enumerate().for_each(|(k, point)| points.entry(key(*point)).or_default().push((i, k)));
    }
    let mut hits = vec![[0_u32; 2]; sides.len()];
    let mut out = Uncovered::default();
    for (index, cover) in covers.iter().enumerate() {
        let mut hit = false;
        for (side, k) in under(&cover.places, &points, cell, tolerance) {
            let Side { points, normal, color, .. } = &sides[side];
            if covers_point(&cover.places, points[k], *normal, tolerance) {
                hits[side][k] += 1;
                hit = true;
                let found = cover.color.unwrap_or([1.; 4]);
                let off = color.iter().zip(found).map(|(a, b)| number_error(*a, b)).fold(0., f64::max);
                out.color = out.color.max(off);
            }
        }
        if !hit {
            out.covers.push(index);
        }
    }
    let once = |(_, hits): &(usize, &[u32; 2])| **hits == [1, 1];
    out.sides = hits.iter().enumerate().filter(|hits| !once(hits)).map(|(side, _)| side).collect();
    out
}

/// The points in the cells that the box of a triangle touches.
fn under(
    places: &Places,
    points: &HashMap<[i64; 3], Vec<(usize, usize)>>,
    cell: f64,
    tolerance: f64,
) -> Vec<(usize, usize)> {
    if !places.iter().all(|place| place.is_finite()) {
        return Vec::new();
    }
    let low = places.iter().fold(DVec3::INFINITY, |low, p| low.min(*p)) - tolerance;
    let high = places.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p)) + tolerance;
    let (low, high) = ((low / cell).floor(), (high / cell).floor());
    let count = (high - low + 1.).element_product();
    if count > points.len() as f64 {
        return points.values().flatten().copied().collect();
    }
    let range = |low: f64, high: f64| low as i64..=high as i64;
    let mut out = HashSet::new();
    for x in range(low.x, high.x) {
        for y in range(low.y, high.y) {
            for z in range(low.z, high.z) {
                out.extend(points.get(&[x, y, z]).into_iter().flatten().copied());
            }
        }
    }
    out.into_iter().collect()
}

/// Whether a point lies on a triangle that looks its way.
fn covers_point([a, b, c]: &Places, point: DVec3, normal: DVec3, tolerance: f64) -> bool {
    let across = (b - a).cross(c - a);
    let area = across.length();
    let facing = across.normalize_or_zero();
    if facing.dot(normal) < 0.5 || (point - a).dot(facing).abs() > tolerance {
        return false;
    }
    let inside = |from: &DVec3, to: &DVec3| (to - from).cross(point - from).dot(facing) >= 0.;
    area > 0. && inside(a, b) && inside(b, c) && inside(c, a)
}

#[cfg(test)]
mod tests {
    use scene::{Scene, Voxel};

    use super::*;

    fn cubes() -> Voxels {
        let voxel = |x: f32, y: f32, color: u32| Voxel { position: [x, y, 0.5], color, material: None };
        let voxels = vec![voxel(0., 0., 0), voxel(1., 0., 0), voxel(0., 1., 0), voxel(7., 0.25, 1)];
        Voxels { voxels, palette: vec![[255, 0, 0, 255], [0, 128, 0, 255]], ..Voxels::default() }
    }

    fn covers(voxels: &Voxels) -> Vec<Cover> {
        let (mesh, _) = ops::voxels_to_mesh(voxels, &mut Scene::new());
        let mut out = Vec::new();
        for primitive in &mesh.primitives {
            let points = scene::sample::morphed(primitive, &[], &scene::Semantic::Position);
            let colors = primitive.get(&scene::Semantic::Color(0)).unwrap().to_f64();
            for [a, b, c] in ops::triangles(primitive).as_chunks::<3>().0 {
                let color = colors[*a as usize * 4..][..4].try_into().unwrap();
                out.push(Cover { places: [*a, *b, *c].map(|i| points[i as usize]), color: Some(color) });
            }
        }
        out
    }

    #[test]
    fn faces_of_cubes_cover_their_sides() {
        let voxels = cubes();
        let sides = sides(&voxels, |p| p);
        // Three in a corner have 3 · 6 − 4 sides outside, one alone has 6.
        assert_eq!(sides.len(), 20);
        let covers = covers(&voxels);
        let whole = cover(&sides, &covers, 1., 1e-6);
        assert!(whole.sides.is_empty() && whole.covers.is_empty() && whole.color < 1e-9);
        let without = cover(&sides, &covers[1..], 1., 1e-6);
        assert!(!without.sides.is_empty() && without.covers.is_empty());
        let mut moved = cubes();
        moved.voxels[3].position[1] = 0.75;
        let moved = cover(&super::sides(&moved, |p| p), &covers, 1., 1e-6);
        assert!(!moved.sides.is_empty());
        let mut painted = cubes();
        painted.palette[1] = [0, 129, 0, 255];
        let painted = cover(&super::sides(&painted, |p| p), &covers, 1., 1e-6);
        assert!(painted.sides.is_empty() && (painted.color - 1. / 255.).abs() < 1e-9);
    }
}
