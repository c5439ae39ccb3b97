//! Lights. The file's directional lights shine along −Y of their rotation, the scene's along −Z of their node.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DQuat;

/// The turn that brings −Z to −Y.
pub(super) const DOWN: DQuat = DQuat::from_xyzw(-FRAC_1_SQRT_2, 0., 0., FRAC_1_SQRT_2);

/// A rotation after another turn.
pub(super) fn turned(rotation: [f32; 4], by: DQuat) -> [f32; 4] {
    (DQuat::from_array(rotation.map(f64::from)) * by).to_array().map(|v| v as f32)
}
