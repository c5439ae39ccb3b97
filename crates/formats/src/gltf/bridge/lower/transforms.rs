//! Transforms of nodes. glTF wants every matrix to be a translation, a rotation and a scale.

use scene::sample::Pose;
use scene::{Id, Node, Transform, same_bits};

use super::Output;
use crate::gltf::carry::Carry;
use crate::gltf::schema::{self, Json, Real};

/// How far a matrix may be from its translation, rotation and scale. The Khronos validator takes a shear of 1e-4 and
/// refuses one of 1e-3, whatever the scale.
const TOLERANCE: f64 = 1e-4;
/// The same as a share of the largest number: less is the rounding of 32-bit floats.
const ROUNDING: f64 = 1e-6;
/// How far from 1 the length of a rotation may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Gives a node its transform; what changes nothing is left out. A matrix that glTF refuses is carried, and so is that
/// of a node that an animation moves.
pub(super) fn place(
    out: &mut Output<'_, '_, '_>,
    node: &mut schema::Node,
    (id, transform): (Id<Node>, &Transform),
    moved: bool,
    place: &str,
    carry: &mut Carry,
) {
    let Transform::Matrix(columns) = transform else { return set(node, transform) };
    let nearest = nearest(transform);
    let off = (nearest.matrix() - transform.matrix()).to_cols_array().into_iter().fold(0., |a: f64, b| a.max(b.abs()));
    let largest = columns.iter().fold(0., |a: f64, &b| a.max(f64::from(b).abs()));
    if transform.is_identity() && !columns.iter().any(|v| *v == 0. && v.is_sign_negative()) {
        return;
    }
    // One without thickness cannot be taken apart by those who must guess.
    if off <= TOLERANCE && transform.matrix().determinant() != 0. && !moved {
        return set(node, transform);
    }
    if off > ROUNDING * largest {
        let why = "glTF demands a translation, a rotation and a scale";
        let rest = Pose::rest(out.scene);
        let off = rest.distance(&rest.with(out.scene, id, nearest), out.scene);
        out.cx.misplace(off, place, 1, "matrix replaced by the nearest one", why);
    }
    carry.set("matrix", columns.iter().map(|&v| Real::from(v).json()).collect::<Json>());
    set(node, &nearest);
}

/// Translation, rotation and scale that glTF takes for any transform, and whether they are the same but for rounding.
pub(in crate::gltf) fn taken_apart(transform: &Transform) -> (Transform, bool) {
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
            let nearest = nearest(transform);
            let off = (nearest.matrix() - transform.matrix()).to_cols_array();
            let largest = columns.iter().fold(0., |a: f64, &b| a.max(f64::from(b).abs()));
            (nearest, off.into_iter().all(|v| v.abs() <= ROUNDING * largest))
        }
    }
}

pub(super) fn set(node: &mut schema::Node, transform: &Transform) {
    match transform {
        Transform::Trs { translation, rotation, scale } => {
            node.translation = (!same_bits(translation, &[0.; 3])).then(|| translation.map(Real::from));
            node.rotation = (!same_bits(rotation, &[0., 0., 0., 1.])).then(|| rotation.map(Real::from));
            node.scale = (!same_bits(scale, &[1.; 3])).then(|| scale.map(Real::from));
        }
        Transform::Matrix(columns) => node.matrix = Some(columns.map(Real::from)),
    }
}

/// Translation, rotation and scale near a matrix: its columns made orthogonal one after the other (Gram-Schmidt), one
/// without length taken from the other two.
fn nearest(transform: &Transform) -> Transform {
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
        nearest(&Transform::Matrix(columns)).matrix().to_cols_array().map(|v| v as f32)
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
