//! Lights. The file's directional lights shine along −Y of their rotation, the scene's along −Z of their node.

use std::f64::consts::FRAC_1_SQRT_2;

use findings::Subject;
use glam::DQuat;
use scene::loss::*;
use scene::{LightKind, Node, Transform, Value};
use wire::F32;

use super::super::layout::{Light, LightType};
use super::{as_floats, as_i32, floats, name, text};
use crate::{LiftCx, LowerCx};

/// The turn that brings −Z to −Y.
const DOWN: DQuat = DQuat::from_xyzw(-FRAC_1_SQRT_2, 0., 0., FRAC_1_SQRT_2);

fn turned(rotation: [f32; 4]) -> [f32; 4] {
    (DQuat::from_array(rotation.map(f64::from)) * DOWN).to_array().map(|v| v as f32)
}

pub(super) fn lift(light: &Light, i: usize, cx: &mut LiftCx<'_>) -> (scene::Light, Node) {
    let [red, green, blue, alpha] = light.color.map(F32::get);
    let directional = light.light_type == LightType::DIRECTIONAL;
    let mut out = scene::Light {
        name: name(&light.name),
        kind: if directional { LightKind::Directional } else { LightKind::Point },
        color: [red, green, blue],
        intensity: 1.,
        range: None,
        extras: Default::default(),
    };
    if usize::try_from(light.light_id) != Ok(i) {
        out.extras.set("dgl3.id", i64::from(light.light_id));
    }
    if alpha.to_bits() != 1_f32.to_bits() {
        out.extras.set("dgl3.alpha", Value::F32(alpha));
    }
    if !LightType::ALL.contains(&light.light_type) {
        out.extras.set("dgl3.light_type", i64::from(light.light_type.0));
        let label = out.subject(i);
        cx.lose(&LOSS_045, &label, 1, &format!("kind {}", light.light_type.0), "kinds are 0 and 1");
    }
    let mut rotation = light.rotation.map(F32::get);
    if directional {
        out.extras.set("dgl3.rotation", floats(&rotation));
        rotation = turned(rotation);
    }
    let transform = Transform::Trs { translation: light.position.map(F32::get), rotation, scale: [1.; 3] };
    (out, Node { name: name(&light.name), transform, ..Node::default() })
}

/// A light as the file has it; `transform` is its place in the world.
pub(super) fn lower(light: &scene::Light, transform: &Transform, label: &Subject, cx: &mut LowerCx<'_>) -> Light {
    let (position, rotation, _) = scene::sample::parts(transform);
    let kind = match (as_i32(light.extras.get("dgl3.light_type")), light.kind) {
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
    let own = light.extras.get("dgl3.rotation");
    let rotation = match light.kind {
        LightKind::Directional => {
            // What was read is written again while the node still stands as it says.
            let read = as_floats::<4>(own).filter(|read| same_bits(&turned(*read), &rotation));
            let back = || (DQuat::from_array(rotation.map(f64::from)) * DOWN.inverse()).to_array().map(|v| v as f32);
            read.unwrap_or_else(back)
        }
        _ => rotation,
    };
    let alpha = match light.extras.get("dgl3.alpha") {
        Some(Value::F32(alpha)) => *alpha,
        _ => 1.,
    };
    let [red, green, blue] = light.color;
    Light {
        light_id: 0,
        name: text(&light.name),
        light_type: kind,
        position: position.map(F32),
        rotation: rotation.map(F32),
        color: [red, green, blue, alpha].map(F32),
    }
}

fn same_bits(a: &[f32; 4], b: &[f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
