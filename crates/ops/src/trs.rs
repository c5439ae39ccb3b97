//! Translation, rotation and scale of what has none, or none that are valid.

use scene::Transform;

/// How far a matrix may be from its translation, rotation and scale, as a share of its largest number: less is the
/// rounding of 32-bit floats.
const ROUNDING: f64 = 1e-6;
/// How far from 1 the length of a rotation may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Translation, rotation and scale for any transform, finite and with a rotation of unit length, and whether they are the same but for rounding.
pub fn valid_trs(transform: &Transform) -> (Transform, bool) {
    match *transform {
        Transform::Trs { translation, rotation, scale } => {
            let length = rotation.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            let unit = match length {
                _ if (length - 1.).abs() <= UNIT_TOLERANCE => rotation,
                _ if length.is_finite() && length > 0. => rotation.map(|v| (f64::from(v) / length) as f32),
                _ => [0., 0., 0., 1.],
            };
            let finite = |values: [f32; 3], instead| values.map(|v: f32| if v.is_finite() { v } else { instead });
            let valid =
                Transform::Trs { translation: finite(translation, 0.), rotation: unit, scale: finite(scale, 1.) };
            (valid, valid == *transform)
        }
        Transform::Matrix(columns) => {
            let affine = [columns[3], columns[7], columns[11], columns[15]] == [0., 0., 0., 1.];
            if !affine || columns.iter().any(|v| !v.is_finite()) {
                return (Transform::default(), false);
            }
            let nearest = nearest_trs(transform);
            let off = (nearest.matrix() - transform.matrix()).to_cols_array();
            let largest = columns.iter().fold(0., |a: f64, &b| a.max(f64::from(b).abs()));
            (nearest, off.into_iter().all(|v| v.abs() <= ROUNDING * largest))
        }
    }
}

/// Translation, rotation and scale near a matrix: its columns made orthogonal one after the other (Gram-Schmidt), one
/// without length taken from the other two.
pub fn nearest_trs(transform: &Transform) -> Transform {
    let matrix = transform.matrix();
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.truncate());
    let mut x = a.normalize_or_zero();
    let mut y = (b - x * b.dot(x)).normalize_or_zero();
    let mut z = (c - x * c.dot(x) - y * c.dot(y)).normalize_or_zero();
    x = if x.length() == 0. { y.cross(z) } else { x };
    y = if y.length() == 0. { z.cross(x) } else { y };
    z = if z.length() == 0. { x.cross(y) } else { z };
    // A mirror is a scale below zero along one axis.
    if x.cross(y).dot(z) < 0. {
        x = -x;
    }
    let mut turn = matrix;
    (turn.x_axis, turn.y_axis, turn.z_axis) = (x.extend(0.), y.extend(0.), z.extend(0.));
    let (_, rotation, translation) = turn.to_scale_rotation_translation();
    // Two columns without length leave the turn open.
    let known = x.length() * y.length() * z.length() > 0.;
    let rotation = if known { rotation.to_array().map(|v| v as f32) } else { [0., 0., 0., 1.] };
    let scale = if known { [a.dot(x), b.dot(y), c.dot(z)] } else { [a.length(), b.length(), c.length()] };
    Transform::Trs { translation: translation.to_array().map(|v| v as f32), rotation, scale: scale.map(|v| v as f32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(columns: [f32; 16]) -> [f32; 16] {
        nearest_trs(&Transform::Matrix(columns)).matrix().to_cols_array().map(|v| v as f32)
    }

    #[test]
    fn turned_scaled_mirrored_and_flat_matrices_are_their_own() {
        let quarter = [0., 2., 0., 0., -3., 0., 0., 0., 0., 0., 4., 0., 5., 6., 7., 1.];
        let mirrored = [0., 2., 0., 0., 3., 0., 0., 0., 0., 0., 4., 0., 0., 0., 0., 1.];
        let flat = [0., 2., 0., 0., -3., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1.];
        let point = [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 1.];
        for columns in [quarter, mirrored, flat, point] {
            let off = nearest_of(columns).iter().zip(columns).map(|(a, b)| (a - b).abs()).fold(0., f32::max);
            assert!(off < 1e-6, "{columns:?} {:?}", nearest_of(columns));
        }
    }

    #[test]
    fn shear_keeps_the_first_axis() {
        let sheared = [2., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
        assert_eq!(nearest_of(sheared), [2., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
    }
}
