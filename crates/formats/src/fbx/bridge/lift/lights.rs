//! Lights.

use scene::{Light, LightKind};

use super::{name, three};

pub(super) fn lift(light: &ufbx::Light) -> Light {
    let kind = match light.type_ {
        ufbx::LightType::Directional => LightKind::Directional,
        ufbx::LightType::Spot => LightKind::Spot {
            inner: (light.inner_angle as f32 / 2.).to_radians(),
            outer: (light.outer_angle as f32 / 2.).to_radians(),
        },
        ufbx::LightType::Area => LightKind::Area,
        ufbx::LightType::Point | ufbx::LightType::Volume => LightKind::Point,
    };
    Light {
        name: name(&light.element.name),
        kind,
        color: three(&light.color),
        intensity: light.intensity as f32,
        range: None,
        extras: Default::default(),
    }
}
