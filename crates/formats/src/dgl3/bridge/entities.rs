//! Entities: names, properties and the materials they link.

use std::collections::HashMap;

use findings::{Level, ROUNDING, Subject};
use scene::loss::*;
use scene::{Id, Material, Name, Node, Properties, Scene, Semantic, Value};
use wire::{Blob, F32, Flag32, Sink, Text};

use super::super::facts::{DEFAULT_MATERIAL, MATERIAL};
use super::super::layout::{Dialect, Document, Entity, External, Transform};
use super::super::property::{Property, PropertyValue};
use super::lift::MAT_TEXT;
use super::lower::{Placed, is_copy};
use super::outside::{ELSEWHERE, INCLUDED};
use super::{as_i32, text};
use crate::file_name::safe_name;
use crate::images::{Images, folder_of, safe_path};
use crate::names::{Names, speakable};
use crate::{Format, LowerCx, below, mat};

#[allow(clippy::too_many_arguments)]
pub(super) fn entity(
    scene: &Scene,
    placed: &Placed,
    record: Option<usize>,
    part: usize,
    doc: &Document,
    materials: &mut Materials,
    names: &mut Names,
    cx: &mut LowerCx<'_>,
) -> Entity {
    let node = &scene.nodes[placed.node];
    let label = node.subject(placed.node);
    let own = placed.mesh.and_then(|mesh| scene.meshes[mesh].primitives.get(part));
    let unbound = placed.unbound.filter(|_| own.is_some_and(|own| own.get(&Semantic::Joints(0)).is_none()));
    let (position, rotation, scale) = scene::sample::parts(&unbound.unwrap_or(placed.transform));
    let reference = placed.reference.as_ref().filter(|_| part == 0);
    let external = reference.map(|file| External { external_filename: text(file) });
    let flag = as_i32(node.extras.get("dgl3.is_external")).map(Flag32);
    let at = doc.entities.len();
    let mesh_id = match record.and_then(|record| doc.meshes.get(record)) {
        Some(mesh) => mesh.mesh_id,
        None => as_i32(node.extras.get("dgl3.mesh_id")).unwrap_or(-1),
    };
    let mut properties = lower_properties(&node.properties, names.are_kept(), &label, cx);
    let shown = node.material.or(own.and_then(|own| own.material));
    let removed = shown.is_none() && placed.mesh.is_some() && names_another(scene, node);
    let link = match shown {
        Some(material) => Some(materials.file(scene, material, cx)),
        // The engine warns about entities that do not say it.
        None if removed || (!names.are_kept() && mesh_id != -1) => {
            Some(Text::from(Blob::memory(DEFAULT_MATERIAL.to_vec())))
        }
        None => None,
    };
    if let Some(link) = link {
        set_link(&mut properties, link, shown.is_some() || removed);
    }
    Entity {
        entity_id: as_i32(node.extras.get("dgl3.id")).filter(|_| part == 0).unwrap_or(at as i32),
        name: names.name("Entity", &node.name, part + usize::from(is_copy(&node.extras)), &label, cx),
        is_external: flag.filter(|flag| flag.is_set() == external.is_some()).unwrap_or(external.is_some().into()),
        external,
        mesh_id,
        transform: Transform { position: position.map(F32), rotation: rotation.map(F32), scale: scale.map(F32) },
        properties,
    }
}

/// Whether a node without a material still names the file of one that is there: somebody took it away.
fn names_another(scene: &Scene, node: &Node) -> bool {
    let link = node.properties.iter().rev().find(|(name, _)| name.bytes() == MATERIAL);
    let Some((_, Value::Text(link))) = link.filter(|_| node.extras.get(INCLUDED).is_none()) else {
        return false;
    };
    scene.materials.iter().any(|material| material.extras.get("dgl3.file").and_then(Value::as_text) == Some(link))
}

/// Lets the property that links a material say this file. A default is said only where nothing is.
fn set_link(properties: &mut Vec<Property>, link: Text, replace: bool) {
    match properties.iter_mut().rev().find(|property| property.name.bytes() == MATERIAL) {
        Some(property) if replace => *property = Property::new(property.name.clone(), PropertyValue::Text(link)),
        Some(_) => {}
        None => properties.push(Property::new("material".into(), PropertyValue::Text(link))),
    }
}

/// Properties as they were read; those of others as far as they fit.
fn lower_properties(properties: &Properties, own: bool, label: &Subject, cx: &mut LowerCx<'_>) -> Vec<Property> {
    let mut out = Vec::with_capacity(properties.len());
    for (name, value) in properties {
        let what = format!("property {name}");
        if !own && (name.is_empty() || name.bytes() == MATERIAL) {
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
        out.push(Property::new(if own { text(name) } else { utf8(name) }, lowered));
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
        Value::Int(_) | Value::Uint(_) => match as_i32(Some(value)) {
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

/// The material files of a model.
pub(super) struct Materials {
    dialect: mat::Dialect,
    names: HashMap<Id<Material>, Text>,
    images: Images,
}

impl Materials {
    pub(super) fn new(dialect: Dialect) -> Materials {
        let dialect = match dialect {
            Dialect::Spec => mat::Dialect::Spec,
            Dialect::Engine => mat::Dialect::Engine,
        };
        Materials { dialect, names: HashMap::new(), images: Images::default() }
    }

    /// The file of a material, which is written beside the model.
    fn file(&mut self, scene: &Scene, id: Id<Material>, cx: &mut LowerCx<'_>) -> Text {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let Some(material) = scene.materials.get(id) else { return Text::default() };
        let file = material.extras.get("dgl3.file").and_then(Value::as_text);
        let said = file.map(ToString::to_string);
        let wanted = match &said {
            Some(file) => match below(file) {
                Some(path) => safe_path(path.strip_suffix(".mat").unwrap_or(&path)),
                // What lies outside goes beside the model.
                None => {
                    safe_name(file.rsplit(['/', '\\', ':']).next().and_then(|f| f.strip_suffix(".mat")).unwrap_or(file))
                }
            },
            None if material.name.is_empty() => format!("material-{}", id.index()),
            None => safe_name(material.name.to_string().trim_end_matches(".mat")),
        };
        // The word for no material is none for this one.
        let wanted = format!("{}.mat", if wanted == "__default__" { "__default__-2" } else { &wanted });
        let folder = folder_of(&wanted);
        let doc = mat::lower_material(scene, id, self.dialect, MAT_TEXT, folder, &mut self.images, cx);
        let mut sink = Sink::default();
        // The text was composed of values that can be written.
        _ = mat::Mat::write(&doc, &mut sink);
        let name = cx.side_files.add(&wanted, Blob::memory(sink.into_vec()));
        let name = match said.filter(|said| said.replace('\\', "/") == name) {
            Some(said) => Text::from(said),
            None => Text::from(name),
        };
        self.names.insert(id, name.clone());
        name
    }

    /// Lists the materials that are in no file, be it another one that the model names.
    pub(super) fn lose_rest(&self, scene: &Scene, cx: &mut LowerCx<'_>) {
        for (id, material) in scene.materials.entries() {
            let named = self.names.contains_key(&id);
            if !named && material.extras.get(ELSEWHERE).is_none() {
                let label = material.subject(id);
                cx.lose(&LOSS_006, &label, 1, "material that nothing uses", "entities of DGL3 name materials");
            }
        }
    }
}
