//! Entities → nodes and their properties.

use scene::{Name, Node, Transform, Value};
use wire::F32;

use super::super::keys::{EXTERNAL, FILE, ID};
use super::super::name;
use super::Lift;
use crate::dgl3::external::Chain;
use crate::dgl3::facts::{DEFAULT_MATERIAL, MATERIAL, material_of};
use crate::dgl3::layout::Entity;
use crate::dgl3::property::{Property, PropertyValue};

impl Lift<'_, '_> {
    pub(super) fn entity(&mut self, entity: &Entity, i: usize, chain: &Chain) -> Node {
        let transform = entity.transform;
        let mut node = Node {
            name: name(&entity.name),
            transform: Transform::Trs {
                translation: transform.position.map(F32::get),
                rotation: transform.rotation.map(F32::get),
                scale: transform.scale.map(F32::get),
            },
            properties: entity.properties.iter().filter(|property| !is_link(property)).map(property).collect(),
            material: self.material(entity, i, chain),
            ..Node::default()
        };
        let missing = material_of(entity).filter(|file| node.material.is_none() && *file != DEFAULT_MATERIAL);
        if let Some(file) = missing {
            FILE.set(&mut node.extras, Value::Text(Name::from(file)));
        }
        if usize::try_from(entity.entity_id) != Ok(i) {
            ID.set(&mut node.extras, i64::from(entity.entity_id));
        }
        if let Some(external) = &entity.external {
            EXTERNAL.set(&mut node.extras, Value::Text(name(&external.external_filename)));
        }
        node
    }
}

/// Whether a property names the material of its entity.
fn is_link(property: &Property) -> bool {
    property.name.bytes() == MATERIAL && matches!(property.value, PropertyValue::Text(_))
}

fn property(property: &Property) -> (Name, Value) {
    let value = match &property.value {
        PropertyValue::Int(n) => Value::Int((*n).into()),
        PropertyValue::Float(n) => Value::F32(n.get()),
        PropertyValue::Vec2(v) => floats(v),
        PropertyValue::Vec3(v) => floats(v),
        PropertyValue::Vec4(v) => floats(v),
        PropertyValue::Text(text) => Value::Text(name(text)),
    };
    (name(&property.name), value)
}

fn floats(values: &[F32]) -> Value {
    Value::List(values.iter().map(|v| Value::F32(v.get())).collect())
}
