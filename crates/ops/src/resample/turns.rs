//! Quaternions, x y z w.

/// Turns a quaternion by another, which is applied after it.
pub(super) fn turn(by: &[f32], value: &mut [f32]) {
    let [x, y, z, w] = [by[0], by[1], by[2], by[3]].map(f64::from);
    let [a, b, c, d] = [value[0], value[1], value[2], value[3]].map(f64::from);
    value[0] = (w * a + x * d + y * c - z * b) as f32;
    value[1] = (w * b - x * c + y * d + z * a) as f32;
    value[2] = (w * c + x * b - y * a + z * d) as f32;
    value[3] = (w * d - x * a - y * b - z * c) as f32;
}

/// Appends the turn after a share of the even way from one unit rotation to another, the short way.
pub(super) fn slerp(from: &[f32], to: &[f32], u: f64, values: &mut Vec<f32>) {
    /// Beyond this cosine the angle is too small to divide by its sine.
    const SAME: f64 = 1. - 1e-9;
    let dot: f64 = from.iter().zip(to).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    let (near, sign) = (dot.abs(), dot.signum());
    let (a, b) = if near > SAME {
        (1. - u, u)
    } else {
        let angle = near.acos();
        (((1. - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin())
    };
    let mixed = |i: usize| a * f64::from(from[i]) + sign * b * f64::from(to[i]);
    let length = (0..4).map(|i| mixed(i) * mixed(i)).sum::<f64>().sqrt();
    values.extend((0..4).map(|i| (mixed(i) / length) as f32));
}
