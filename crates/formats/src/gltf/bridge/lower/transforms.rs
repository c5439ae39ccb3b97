//! Transforms of nodes. glTF wants every matrix to be a translation, a rotation and a scale.

use findings::Subject;
use ops::nearest_trs;
use scene::sample::Pose;
use scene::{Id, Node, Transform, same_bits};

use super::Output;
use crate::gltf::schema::{self, Real};

/// How far a matrix may be from its translation, rotation and scale. The Khronos validator takes a shear of 1e-4 and
/// refuses one of 1e-3, whatever the scale.
const TOLERANCE: f64 = 1e-4;
/// The same as a share of the largest number: less is the rounding of 32-bit floats.
const ROUNDING: f64 = 1e-6;

/// Gives a node its transform; what changes nothing is left out. A matrix that glTF refuses becomes what is nearest to it,
/// and so does that of a node that an animation moves.
pub(super) fn place(
    out: &mut Output<'_, '_, '_>,
    node: &mut schema::Node,
    (id, transform): (Id<Node>, &Transform),
    moved: bool,
    place: &Subject,
) {
    let Transform::Matrix(columns) = transform else { return set(node, transform) };
    let nearest = nearest_trs(transform);
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
    set(node, &nearest);
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
