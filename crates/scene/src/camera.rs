use crate::{Extras, Name};

/// A camera; it looks along its node's −Z.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Its name.
    pub name: Name,
    /// How it projects.
    pub projection: Projection,
    /// Nearest visible distance.
    pub near: f32,
    /// Farthest visible distance, if there is one.
    pub far: Option<f32>,
    /// What travels along.
    pub extras: Extras,
}

/// How a camera projects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Far things are small.
    Perspective {
        /// Vertical field of view in radians.
        fov_y: f32,
        /// Width by height, if fixed.
        aspect: Option<f32>,
    },
    /// Far things are as large as near ones.
    Orthographic {
        /// Half the width.
        x: f32,
        /// Half the height.
        y: f32,
    },
}
