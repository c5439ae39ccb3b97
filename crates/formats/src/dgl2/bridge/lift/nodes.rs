//! ENTITY chunks → nodes and lights.

use scene::{Light, LightKind, Name, Node, Scene, Transform};
use wire::F32;

use super::super::keys::TYPE;
use super::super::values::typed;
use crate::dgl2::dml::value;
use crate::dgl2::layout::{Chunk, Entity, EntityKind};
use crate::dgl2::properties::{Properties, is_of_entity};

pub(super) fn is_transparent(properties: &Properties) -> bool {
    properties.boolean("transparent").unwrap_or(false)
}

/// The node of an entity, without its mesh and material.
pub(super) fn lift(chunk: &Chunk, entity: &Entity, properties: &Properties, scene: &mut Scene) -> Node {
    let is_light = entity.kind == EntityKind::LIGHT;
    let mut node = Node { name: Name::from(chunk.name.bytes()), ..Node::default() };
    node.transform = Transform::Trs {
        translation: entity.position.map(F32::get),
        rotation: entity.rotation.map(F32::get),
        scale: entity.scaling.map(F32::get),
    };
    node.visible = properties.boolean("visible").unwrap_or(true);
    if is_light {
        node.light = Some(scene.lights.add(lift_light(&node.name, properties)));
    } else if entity.kind != EntityKind::OBJECT {
        TYPE.set(&mut node.extras, i64::from(entity.kind.0));
    }
    let own = properties.0.iter().filter(|property| !is_of_entity(&property.name, is_light));
    node.properties = own.map(|property| (Name::from(&*property.name), typed(&property.value))).collect();
    node
}

fn lift_light(name: &Name, properties: &Properties) -> Light {
    let [r, g, b, _] = properties.get("color").and_then(value::array).unwrap_or([1.; 4]);
    Light {
        name: name.clone(),
        kind: LightKind::Point,
        color: [r, g, b],
        intensity: properties.float("intensity").unwrap_or(1.),
        range: properties.float("range"),
        extras: Default::default(),
    }
}
