use glam::{DMat3, DMat4, DQuat, DVec3};

/// Where a node stands relative to its parent, as the file says it. Numbers compare by their bits: a scene equals
/// itself whatever its file says.
#[derive(Clone, Copy, Debug)]
pub enum Transform {
    /// Translation, rotation (x y z w), scale; applied scale first.
    Trs {
        /// Translation in metres.
        translation: [f32; 3],
        /// Quaternion, x y z w.
        rotation: [f32; 4],
        /// Scale along the node's own axes.
        scale: [f32; 3],
    },
    /// Any affine map, column by column as glTF has it.
    Matrix([f32; 16]),
}

impl PartialEq for Transform {
    fn eq(&self, other: &Transform) -> bool {
        match (self, other) {
            (
                Transform::Trs { translation, rotation, scale },
                Transform::Trs { translation: t, rotation: r, scale: s },
            ) => same_bits(translation, t) && same_bits(rotation, r) && same_bits(scale, s),
            (Transform::Matrix(a), Transform::Matrix(b)) => same_bits(a, b),
            _ => false,
        }
    }
}

/// Whether numbers are the same, bit for bit.
pub fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// How small the volume of three unit columns may be, from which on they lie in one plane but for rounding: what is made
/// of 32-bit numbers says no more.
const FLAT: f64 = 1e-6;

/// What undoes an affine map; nothing if that brings all to a plane, a line or a point, be it only but for rounding: such
/// an inverse would consist of errors.
pub fn undone(matrix: &DMat4) -> Option<DMat4> {
    let linear = DMat3::from_mat4(*matrix);
    let lengths = linear.x_axis.length() * linear.y_axis.length() * linear.z_axis.length();
    let has_volume = linear.determinant().abs() > FLAT * lengths;
    Some(matrix.inverse()).filter(|inverse| has_volume && inverse.is_finite())
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

impl Transform {
    /// The one that changes nothing.
    pub const IDENTITY: Transform = Transform::Trs { translation: [0.; 3], rotation: [0., 0., 0., 1.], scale: [1.; 3] };

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        self.matrix() == DMat4::IDENTITY
    }

    /// The same as a matrix.
    pub fn matrix(&self) -> DMat4 {
        match self {
            Transform::Trs { translation, rotation, scale } => DMat4::from_scale_rotation_translation(
                DVec3::from_array(scale.map(f64::from)),
                DQuat::from_array(rotation.map(f64::from)),
                DVec3::from_array(translation.map(f64::from)),
            ),
            Transform::Matrix(columns) => DMat4::from_cols_array(&columns.map(f64::from)),
        }
    }

    /// The translation, rotation and scale that come nearest, and whether they say the same: a sheared matrix has none.
    pub fn nearest_trs(&self) -> (Transform, bool) {
        let Transform::Matrix(_) = self else { return (*self, true) };
        let matrix = self.matrix();
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let rotation = if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY };
        let again = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        let largest = matrix.to_cols_array().iter().fold(0., |a: f64, b| a.max(b.abs()));
        let narrow = |v: DVec3| v.to_array().map(|v| v as f32);
        let rotation = rotation.to_array().map(|v| v as f32);
        let nearest = Transform::Trs { translation: narrow(translation), rotation, scale: narrow(scale) };
        (nearest, again.abs_diff_eq(matrix, SHEAR_TOLERANCE * largest))
    }
}

/// How far a recomposed matrix may be from the one it came from, by its largest number.
const SHEAR_TOLERANCE: f64 = 1e-5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_and_mirrored_matrix_has_a_trs_and_a_sheared_one_has_none() {
        let rotation = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
        let whole = DMat4::from_scale_rotation_translation(DVec3::new(2., -1., 3.), rotation, DVec3::new(1., 2., 3.));
        let (nearest, exact) = Transform::Matrix(whole.to_cols_array().map(|v| v as f32)).nearest_trs();
        assert!(exact && nearest.matrix().abs_diff_eq(whole, 1e-6));
        let mut sheared = DMat4::IDENTITY.to_cols_array().map(|v| v as f32);
        sheared[4] = 0.5;
        assert!(!Transform::Matrix(sheared).nearest_trs().1);
    }

    #[test]
    fn what_is_flat_but_for_rounding_cannot_be_undone_and_what_is_small_can() {
        let turn = |angle: f64| DMat4::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), angle);
        let placed = |scale: DVec3| turn(0.3) * DMat4::from_scale(scale) * turn(1.1);
        let flat = placed(DVec3::new(1., 0., 1.));
        assert_eq!(undone(&flat), None);
        assert_eq!(undone(&DMat4::from_scale(DVec3::ZERO)), None);
        let small = placed(DVec3::new(1e-3, -1e-3, 1e-6));
        assert!((undone(&small).unwrap() * small).abs_diff_eq(DMat4::IDENTITY, 1e-9));
    }
}
