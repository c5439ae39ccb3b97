use glam::{DMat4, DVec3};

use crate::bounds::Bounds;

/// Points in a tree of boxes, for the box around very many instances of them.
///
/// Products and sums of floats are rounded, and rounding keeps order: a point of a box never lies outside of where the
/// corners of the box are placed by the same steps. So what is left out here changes no bit of the answer.
pub(crate) struct Cloud {
    points: Vec<DVec3>,
    boxes: Vec<Part>,
}

struct Part {
    around: Bounds,
    first: usize,
    count: usize,
    /// Where the box of the second half is; the first half follows its whole. Zero if it is not divided.
    second: usize,
}

/// Points that are looked at one by one.
const FEW: usize = 32;

impl Cloud {
    /// Points that are not finite are left out.
    pub(crate) fn of(points: impl Iterator<Item = DVec3>) -> Option<Cloud> {
        let mut cloud = Cloud { points: points.filter(|point| point.is_finite()).collect(), boxes: Vec::new() };
        let count = cloud.points.len();
        (count > 0).then(|| {
            cloud.divide(0, count);
            cloud
        })
    }

    fn divide(&mut self, first: usize, count: usize) {
        let points = &mut self.points[first..first + count];
        let start = Bounds { min: points[0], max: points[0] };
        let around = points.iter().fold(start, |all, point| all.with(*point));
        let index = self.boxes.len();
        self.boxes.push(Part { around, first, count, second: 0 });
        if count > FEW && around.min != around.max {
            let axis = (around.max - around.min).max_position();
            points.select_nth_unstable_by(count / 2, |a, b| a[axis].total_cmp(&b[axis]));
            self.divide(first, count / 2);
            self.boxes[index].second = self.boxes.len();
            self.divide(first + count / 2, count - count / 2);
        }
    }

    /// Makes a box large enough for all points, placed in the world; answers how many steps that took.
    pub(crate) fn widen(&self, world: &DMat4, all: &mut Option<Bounds>) -> u64 {
        let place = |point: DVec3| world.transform_point3(point);
        let mut steps = 0;
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            steps += 1;
            let part = &self.boxes[index];
            let placed = part.around.placed(world);
            let finite = placed.min.is_finite() && placed.max.is_finite();
            if finite && all.is_some_and(|all| all.holds(&placed)) {
                continue;
            }
            if part.second > 0 {
                open.extend([part.second, index + 1]);
                continue;
            }
            steps += part.count as u64;
            for point in self.points[part.first..part.first + part.count].iter().copied().map(place) {
                if point.is_finite() {
                    *all = Some(all.map_or(Bounds { min: point, max: point }, |all| all.with(point)));
                }
            }
        }
        steps
    }
}

impl Bounds {
    fn with(self, point: DVec3) -> Bounds {
        Bounds { min: self.min.min(point), max: self.max.max(point) }
    }

    fn holds(&self, other: &Bounds) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// The box around this one where a matrix places it, by the steps of [`DMat4::transform_point3`].
    fn placed(&self, world: &DMat4) -> Bounds {
        let columns = [world.x_axis, world.y_axis, world.z_axis].map(|column| column.truncate());
        let (mut min, mut max) = (DVec3::ZERO, DVec3::ZERO);
        for (k, column) in columns.into_iter().enumerate() {
            let (low, high) = (column * self.min[k], column * self.max[k]);
            (min, max) =
                if k == 0 { (low.min(high), low.max(high)) } else { (low.min(high) + min, low.max(high) + max) };
        }
        let far = world.w_axis.truncate();
        Bounds { min: far + min, max: far + max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that no pattern hides in, from -1 to 1.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.
    }

    #[test]
    fn cloud_of_points_has_the_box_of_each_point_to_the_last_bit() {
        let seed = &mut 1;
        let mut point = || DVec3::new(noise(seed), noise(seed), noise(seed));
        // A slab, so that many points lie near its corners' planes, and one that is not finite.
        let mut points: Vec<DVec3> = (0..3000).map(|_| point() * DVec3::new(1., 1., 1e-3)).collect();
        points[7].x = f64::NAN;
        let cloud = Cloud::of(points.iter().copied()).unwrap();
        let (mut found, mut expected, mut steps) = (None, None::<Bounds>, 0);
        for _ in 0..500 {
            let axes = [point(), point(), point(), point() * 0.1];
            let [x, y, z, w] = axes.map(|axis| axis.extend(0.));
            let world = DMat4::from_cols(x, y, z, w.with_w(1.));
            steps += cloud.widen(&world, &mut found);
            for point in points.iter().map(|p| world.transform_point3(*p)).filter(|p| p.is_finite()) {
                expected = Some(expected.map_or(Bounds { min: point, max: point }, |all| all.with(point)));
            }
        }
        assert_eq!(found, expected);
        assert!(steps < 500 * 3000 / 10, "{steps} steps");
        let endless = DMat4::from_scale(DVec3::splat(f64::INFINITY));
        cloud.widen(&endless, &mut found);
        assert_eq!(found, expected, "what leads nowhere shows nothing");
    }
}
