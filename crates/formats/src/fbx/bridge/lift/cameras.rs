//! Cameras.

use scene::{Camera, Projection};

use super::{metres, name};

/// A camera, in metres: the scale of the root node is none of a lens.
pub(super) fn lift(camera: &ufbx::Camera, source: &ufbx::Scene) -> Camera {
    let metres = metres(source);
    // Blender writes the width of what a parallel camera sees in its own unit, whatever that of the file is.
    let by_blender = source.metadata.exporter == ufbx::Exporter::BlenderBinary;
    let half = if by_blender { 0.5 } else { metres / 2. };
    let projection = match camera.projection_mode {
        ufbx::ProjectionMode::Perspective => Projection::Perspective {
            fov_y: (camera.field_of_view_deg.y as f32).to_radians(),
            aspect: Some(camera.aspect_ratio as f32).filter(|aspect| *aspect > 0.),
        },
        ufbx::ProjectionMode::Orthographic => Projection::Orthographic {
            x: (camera.orthographic_size.x * half) as f32,
            y: (camera.orthographic_size.y * half) as f32,
        },
    };
    Camera {
        name: name(&camera.element.name),
        projection,
        near: (camera.near_plane * metres) as f32,
        far: Some((camera.far_plane * metres) as f32),
        extras: Default::default(),
    }
}
