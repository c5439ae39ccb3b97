use wire::{F32, Fault};

use crate::dragon::layout::fields::BodyReader;
use crate::dragon::layout::words::RotationType;

/// A rotation, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Angles in radians about fixed x, then y, then z.
    Euler([F32; 3]),
    /// x y z w.
    Quaternion([F32; 4]),
    /// Three columns.
    Matrix3([F32; 9]),
    /// Four columns.
    Matrix4([F32; 16]),
}

impl Default for Rotation {
    fn default() -> Rotation {
        Rotation::Quaternion([0., 0., 0., 1.].map(F32))
    }
}

impl Rotation {
    /// How it is stored.
    pub fn kind(&self) -> RotationType {
        match self {
            Rotation::Euler(_) => RotationType::VEC3,
            Rotation::Quaternion(_) => RotationType::VEC4,
            Rotation::Matrix3(_) => RotationType::MAT3,
            Rotation::Matrix4(_) => RotationType::MAT4,
        }
    }

    /// Its numbers.
    pub fn floats(&self) -> &[F32] {
        match self {
            Rotation::Euler(floats) => floats,
            Rotation::Quaternion(floats) => floats,
            Rotation::Matrix3(floats) => floats,
            Rotation::Matrix4(floats) => floats,
        }
    }

    pub(in crate::dragon) fn read(
        r: &mut BodyReader<'_, '_>,
        kind: RotationType,
        name: &str,
    ) -> Result<Rotation, Fault> {
        match kind {
            RotationType::VEC3 => r.piece(name, ()).map(Rotation::Euler),
            RotationType::MAT3 => r.piece(name, ()).map(Rotation::Matrix3),
            RotationType::MAT4 => r.piece(name, ()).map(Rotation::Matrix4),
            _ => r.piece(name, ()).map(Rotation::Quaternion),
        }
    }
}
