//! Nodes and lights → ENTITY chunks.

use findings::Subject;
use scene::loss::{LOSS_004, LOSS_045};
use scene::sample::Pose;
use scene::{Id, Light, LightKind, Name, Node, Scene, Transform};
use wire::F32;

use super::super::keys::{TYPE, int};
use super::text::Composer;
use crate::LowerCx;
use crate::dgl2::dialect::Dialect;
use crate::dgl2::layout::{Entity, EntityKind};
use crate::dgl2::properties::is_of_entity;

fn light_of<'a>(scene: &'a Scene, node: &Node) -> Option<&'a Light> {
    node.light.and_then(|id| scene.lights.get(id))
}

/// What the entity of a node is called: as its light, if the node itself has no name.
pub(super) fn name<'a>(scene: &'a Scene, node: &'a Node) -> &'a Name {
    light_of(scene, node).filter(|_| node.name.is_empty()).map_or(&node.name, |light| &light.name)
}

/// The entity of a node, without its mesh and material.
pub(super) fn lower(
    scene: &Scene,
    index: usize,
    node: &Node,
    transparent: bool,
    dialect: Dialect,
    cx: &mut LowerCx<'_>,
) -> Entity {
    let place = node.subject(index);
    let light = light_of(scene, node).filter(|light| shines(light, &place, cx));
    let mut text = Composer::new(dialect, place.clone());
    text.boolean("visible", true, node.visible);
    text.boolean("transparent", false, transparent);
    if let Some(light) = light {
        let [r, g, b] = light.color;
        // The engine stops at a light without a colour.
        text.color("color", [r, g, b, 1.]);
        text.number("intensity", 1., light.intensity);
        if let Some(range) = light.range {
            text.number("range", f32::NAN, range);
        }
    }
    text.properties(&node.properties, |key| is_of_entity(key, light.is_some()));
    let (position, rotation, scaling) = trs(scene, index, node, &place, cx);
    let kind = match int(&TYPE, &node.extras).map(|kind| EntityKind(kind as u32)) {
        _ if light.is_some() => EntityKind::LIGHT,
        Some(kind) if kind != EntityKind::LIGHT => kind,
        _ => EntityKind::OBJECT,
    };
    Entity {
        kind,
        material_id: -1,
        mesh_id: -1,
        position: position.map(F32),
        rotation: rotation.map(F32),
        scaling: scaling.map(F32),
        text: text.finish(cx).into(),
        slack: None,
    }
}

/// Whether the format has such a light.
fn shines(light: &Light, place: &Subject, cx: &mut LowerCx<'_>) -> bool {
    match light.kind {
        LightKind::Point => true,
        LightKind::Spot { .. } | LightKind::Area => {
            cx.lose(&LOSS_045, place, 1, "direction of the light", "DGL2 has point lights only");
            true
        }
        LightKind::Directional | LightKind::Ambient => {
            cx.lose(&LOSS_004, place, 1, "light", "DGL2 has point lights only");
            false
        }
    }
}

fn trs(
    scene: &Scene,
    index: usize,
    node: &Node,
    place: &Subject,
    cx: &mut LowerCx<'_>,
) -> ([f32; 3], [f32; 4], [f32; 3]) {
    let (nearest, exact) = node.transform.nearest_trs();
    if !exact {
        let rest = Pose::rest(scene);
        let off = rest.apart(scene, Id::new(index), &node.transform.matrix(), &nearest.matrix());
        let (off, why) = (off / rest.diagonal(scene), "DGL2 has translation, rotation and scale");
        cx.misplace(off, place, 1, "shear of the transform", why);
    }
    match nearest {
        Transform::Trs { translation, rotation, scale } => (translation, rotation, scale),
        Transform::Matrix(_) => ([0.; 3], [0., 0., 0., 1.], [1.; 3]),
    }
}
