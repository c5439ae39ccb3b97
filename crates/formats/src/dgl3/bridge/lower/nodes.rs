//! Nodes → entities: names, properties and the materials they link.

use findings::{Level, ROUNDING, Subject};
use scene::loss::*;
use scene::{Name, Properties, Scene, Semantic, Value};
use wire::{Blob, F32, Text};

use super::super::keys::{self as key, FILE, ID, as_i32, int};
use super::super::text;
use super::is_copy;
use super::materials::Materials;
use super::plan::Placed;
use crate::LowerCx;
use crate::dgl3::facts::{DEFAULT_MATERIAL, MATERIAL};
use crate::dgl3::layout::{Document, Entity, External, Transform};
use crate::dgl3::property::{Property, PropertyValue};
use crate::names::{Names, speakable};

/// What the entities of a model share.
pub(super) struct Entities<'a> {
    pub(super) scene: &'a Scene,
    pub(super) materials: &'a mut Materials,
    pub(super) names: &'a mut Names,
}

impl Entities<'_> {
    /// The entity of a part of what is placed.
    pub(super) fn entity(
        &mut self,
        placed: &Placed,
        record: Option<usize>,
        part: usize,
        doc: &Document,
        cx: &mut LowerCx<'_>,
    ) -> Entity {
        let node = &self.scene.nodes[placed.node];
        let label = node.subject(placed.node);
        let own = placed.mesh.and_then(|mesh| self.scene.meshes[mesh].primitives.get(part));
        let unbound = placed.unbound.filter(|_| own.is_some_and(|own| own.get(&Semantic::Joints(0)).is_none()));
        let (position, rotation, scale) = scene::sample::parts(&unbound.unwrap_or(placed.transform));
        let reference = placed.reference.as_ref().filter(|_| part == 0);
        let external = reference.map(|file| External { external_filename: text(file) });
        let at = doc.entities.len();
        let mesh_id = match record.and_then(|record| doc.meshes.get(record)) {
            Some(mesh) => mesh.mesh_id,
            None => -1,
        };
        let link = match node.material.or(own.and_then(|own| own.material)) {
            Some(material) => Some(self.materials.file(self.scene, material, cx)),
            // The engine warns about entities that do not say it.
            None => key::text(&FILE, &node.extras)
                .map(text)
                .or_else(|| external.is_none().then(|| Text::from(Blob::memory(DEFAULT_MATERIAL.to_vec())))),
        };
        let mut properties = lower_properties(&node.properties, link.as_ref(), &label, cx);
        properties.extend(link.map(|link| Property::new("material".into(), PropertyValue::Text(link))));
        Entity {
            entity_id: int(&ID, &node.extras).filter(|_| part == 0).unwrap_or(at as i32),
            name: self.names.name("Entity", &node.name, part + usize::from(is_copy(&node.extras)), &label, cx),
            is_external: external.is_some().into(),
            external,
            mesh_id,
            transform: Transform { position: position.map(F32), rotation: rotation.map(F32), scale: scale.map(F32) },
            properties,
        }
    }
}

/// Properties as far as they fit, but for what says the link to a material again.
fn lower_properties(
    properties: &Properties,
    link: Option<&Text>,
    label: &Subject,
    cx: &mut LowerCx<'_>,
) -> Vec<Property> {
    let mut out = Vec::with_capacity(properties.len());
    for (name, value) in properties {
        let what = format!("property {name}");
        let is_link = name.bytes() == MATERIAL;
        if is_link && value.as_text().map(Name::bytes) == link.map(Text::bytes) {
            continue;
        }
        if is_link || name.is_empty() {
            cx.lose(&LOSS_015, label, 1, &what, "in DGL3 that name has a meaning");
            continue;
        }
        let Some((lowered, off)) = lower_value(value) else {
            cx.lose(&LOSS_015, label, 1, &what, "properties of DGL3 are numbers, up to four of them, or text");
            continue;
        };
        if off > 0. {
            let why = "properties of DGL3 are 32-bit numbers or text";
            let level = if off < ROUNDING { Level::Rounding } else { Level::Changed };
            cx.losses.add_at(level, &LOSS_015, label, 1, format!("{what} as it was"), why);
        }
        out.push(Property::new(utf8(name), lowered));
    }
    out
}

fn utf8(name: &Name) -> Text {
    Text::from(Blob::memory(speakable(name, i32::MAX as usize)))
}

/// A value as the file holds it, and how far that is from what it was, as a share of it.
fn lower_value(value: &Value) -> Option<(PropertyValue, f64)> {
    match value {
        // There are no truth values, and 1 is not quite one.
        Value::Bool(on) => Some((PropertyValue::Int((*on).into()), 1.)),
        Value::Int(_) | Value::Uint(_) => match as_i32(value) {
            Some(n) => Some((PropertyValue::Int(n), 0.)),
            None => float(value).filter(|(_, off)| *off == 0.).map(|(n, _)| (PropertyValue::Float(n), 0.)),
        },
        Value::F32(_) | Value::F64(_) => float(value).map(|(n, off)| (PropertyValue::Float(n), off)),
        Value::Text(name) => Some((PropertyValue::Text(text(name)), 0.)),
        Value::List(list) => {
            let numbers: Vec<(F32, f64)> = list.iter().map(float).collect::<Option<_>>()?;
            let off = numbers.iter().map(|(_, off)| *off).fold(0., f64::max);
            let numbers: Vec<F32> = numbers.into_iter().map(|(n, _)| n).collect();
            let vector = match numbers[..] {
                [a, b] => PropertyValue::Vec2([a, b]),
                [a, b, c] => PropertyValue::Vec3([a, b, c]),
                [a, b, c, d] => PropertyValue::Vec4([a, b, c, d]),
                _ => return None,
            };
            Some((vector, off))
        }
        Value::Null | Value::Bytes(_) | Value::Map(_) => None,
    }
}

/// A number as a 32-bit float, and how far off that is. Floats keep their bits, whatever they say; a decimal that a
/// float stands for is that float.
fn float(value: &Value) -> Option<(F32, f64)> {
    if let Value::F32(v) = value {
        return Some((F32(*v), 0.));
    }
    let exact = value.as_f64()?;
    let near = exact as f32;
    if !near.is_finite() {
        return exact.is_nan().then_some((F32(near), 0.));
    }
    let same = f64::from(near) == exact || near.to_string().parse() == Ok(exact);
    Some((F32(near), if same { 0. } else { (f64::from(near) - exact).abs() / exact.abs() }))
}
