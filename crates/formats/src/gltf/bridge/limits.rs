//! Numbers in the ranges that glTF demands.

use scene::Light;

/// A number in the range glTF demands.
pub(super) fn valid(value: f32, low: f32, high: f32, instead: f32) -> f32 {
    if value.is_finite() { value.clamp(low, high) } else { instead }
}

/// Colour, intensity and range of a light as glTF takes them.
pub(super) fn limited(light: &Light) -> ([f32; 3], f32, Option<f32>) {
    let color = light.color.map(|v| valid(v, 0., 1., 1.));
    let range = light.range.filter(|range| *range > 0. && range.is_finite());
    (color, valid(light.intensity, 0., f32::MAX, 1.), range)
}
