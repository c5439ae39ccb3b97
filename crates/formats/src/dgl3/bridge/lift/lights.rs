//! Lights of the file → lights and their nodes.

use scene::loss::*;
use scene::{LightKind, Node, Transform};
use wire::F32;

use super::super::keys::{ID, LIGHT_TYPE};
use super::super::lights::{DOWN, turned};
use super::super::name;
use crate::LiftCx;
use crate::dgl3::layout::{Light, LightType};

pub(super) fn lift(light: &Light, i: usize, cx: &mut LiftCx<'_>) -> (scene::Light, Node) {
    let [red, green, blue, _] = light.color.map(F32::get);
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
        ID.set(&mut out.extras, i64::from(light.light_id));
    }
    if !LightType::ALL.contains(&light.light_type) {
        LIGHT_TYPE.set(&mut out.extras, i64::from(light.light_type.0));
        let label = out.subject(i);
        cx.lose(&LOSS_045, &label, 1, format!("kind {}", light.light_type.0), "kinds are 0 and 1");
    }
    let rotation = light.rotation.map(F32::get);
    let rotation = if directional { turned(rotation, DOWN) } else { rotation };
    let transform = Transform::Trs { translation: light.position.map(F32::get), rotation, scale: [1.; 3] };
    (out, Node { name: name(&light.name), transform, ..Node::default() })
}
