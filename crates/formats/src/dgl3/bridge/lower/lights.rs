//! Lights and their nodes → lights of the file.

use findings::Subject;
use scene::loss::*;
use scene::{LightKind, Transform};
use wire::F32;

use super::super::keys::{LIGHT_TYPE, int};
use super::super::lights::{DOWN, turned};
use super::super::text;
use crate::LowerCx;
use crate::dgl3::layout::{Light, LightType};

/// A light as the file has it; `transform` is its place in the world.
pub(super) fn lower(light: &scene::Light, transform: &Transform, label: &Subject, cx: &mut LowerCx<'_>) -> Light {
    let (position, rotation, _) = scene::sample::parts(transform);
    let kind = match (int(&LIGHT_TYPE, &light.extras), light.kind) {
        (Some(odd), LightKind::Point) => LightType(odd),
        (_, LightKind::Directional) => LightType::DIRECTIONAL,
        _ => LightType::POINT,
    };
    let mut lose = |what: &str| cx.lose(&LOSS_045, label, 1, what, "a light of DGL3 has a colour and nothing else");
    match light.kind {
        LightKind::Point | LightKind::Directional => {}
        LightKind::Spot { .. } => lose("cone of a spot light"),
        LightKind::Ambient | LightKind::Area => lose("kind of light"),
    }
    if light.intensity != 1. {
        lose("intensity");
    }
    if light.range.is_some() {
        lose("range");
    }
    let rotation = match light.kind {
        LightKind::Directional => turned(rotation, DOWN.inverse()),
        _ => rotation,
    };
    let [red, green, blue] = light.color;
    Light {
        light_id: 0,
        name: text(&light.name),
        light_type: kind,
        position: position.map(F32),
        rotation: rotation.map(F32),
        color: [red, green, blue, 1.].map(F32),
    }
}
