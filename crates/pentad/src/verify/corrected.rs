//! What the corrections of a user make of a place. This is a rule of its own, so that a fault in how
//! [`Corrections`] changes a scene shows.

use glam::{DMat3, DVec3};
use scene::{SourceSpace, UpAxis};

use crate::Corrections;

/// A turn, a size, and the edge from which textures count.
#[derive(Clone, Copy)]
pub(super) struct Similarity {
    pub(super) linear: DMat3,
    pub(super) flips_uv: bool,
}

impl Similarity {
    /// What leaves everything where it is.
    pub(super) const IDENTITY: Similarity = Similarity { linear: DMat3::IDENTITY, flips_uv: false };

    /// What becomes of a scene, which stands upright already, when its file is said to be otherwise.
    pub(super) fn of(corrections: &Corrections, space: &SourceSpace) -> Similarity {
        let turn = match corrections.up {
            Some(up) => upright(up) * upright(space.up).transpose(),
            None => DMat3::IDENTITY,
        };
        let size = corrections.unit.unwrap_or(1.) * corrections.scale.unwrap_or(1.);
        let flips_uv = corrections.uv_origin.is_some_and(|origin| origin != space.uv_origin);
        Similarity { linear: turn * size, flips_uv }
    }
}

/// Where the axes of a file go when the one that is up there becomes the scene's Y.
fn upright(up: UpAxis) -> DMat3 {
    let [x, y, z] = DVec3::AXES;
    // (x, y, z) of the file is … of the scene: the columns say where x, y and z go.
    match up {
        UpAxis::PosY => DMat3::IDENTITY,
        // (x, z, −y)
        UpAxis::PosZ => DMat3::from_cols(x, -z, y),
        // (−y, x, z)
        UpAxis::PosX => DMat3::from_cols(y, -x, z),
        // (x, −y, −z)
        UpAxis::NegY => DMat3::from_cols(x, -y, -z),
        // (x, −z, y)
        UpAxis::NegZ => DMat3::from_cols(x, z, -y),
        // (y, −x, z)
        UpAxis::NegX => DMat3::from_cols(-y, x, z),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_where_the_scene_says() {
        let point = DVec3::new(1., 2., 3.);
        let turned = [
            (UpAxis::PosY, [1., 2., 3.]),
            (UpAxis::PosZ, [1., 3., -2.]),
            (UpAxis::PosX, [-2., 1., 3.]),
            (UpAxis::NegY, [1., -2., -3.]),
            (UpAxis::NegZ, [1., -3., 2.]),
            (UpAxis::NegX, [2., -1., 3.]),
        ];
        for (up, expected) in turned {
            assert_eq!(upright(up) * point, DVec3::from_array(expected), "{}", up.name());
            assert_eq!(upright(up).determinant(), 1., "{}", up.name());
        }
        let corrections =
            Corrections { up: Some(UpAxis::PosX), unit: Some(0.5), scale: Some(4.), ..Default::default() };
        let space = SourceSpace { up: UpAxis::PosZ, ..SourceSpace::default() };
        // The file's point stands in the scene as (1, 3, −2).
        let found = Similarity::of(&corrections, &space).linear * DVec3::new(1., 3., -2.);
        assert_eq!(found, DVec3::new(-4., 2., 6.));
    }
}
