//! Bytes → document. Both orders of an entity take the same bytes, so the file is read in one and the evidence decides.

use findings::{Error, Place, Result};
use wire::{Blob, Fault, FaultKind, Kept, Layout, Node, Reader, Span, Unit, Value};

use super::dialect::{self, Dialect};
use super::layout::{Document, Entity, Header, Light, MAGIC, Mesh, ORDER, Transform, VERSION};
use super::rules::*;
use crate::{ReadCx, Score};

pub(super) fn probe(file: &Blob) -> Score {
    if file.starts_with(&MAGIC) { Score::SURE } else { Score::NO }
}

pub(super) fn read(file: &Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
    if !file.starts_with(&MAGIC) {
        let start = file.slice(..file.len().min(MAGIC.len()));
        let found = findings::render::escape(&String::from_utf8_lossy(&start)).into_owned();
        let message = format!("a DGL3 file starts with \"DGL3\", this one with \"{found}\"");
        return Err(Error::malformed(&DGL3_001.info, Place::blob("header.magic", &start), message));
    }
    let mut r = Reader::new(file, ORDER).within(&cx.limits);
    let (header, meshes, mut entities, lights) = records(&mut r).map_err(|error| {
        if error.is_limit() {
            return error;
        }
        let read = Unit::partial(file, ORDER, records);
        let end = error.place().span.map_or(0, |span| span.offset);
        let error = odd_flag(&read, end).map_or(error, |(path, flag, at)| {
            let message = format!("it is {flag}, and what follows cannot be read; flags are 0 and 1");
            Error::malformed(&DGL3_011.info, Place::bytes(path, at), message)
        });
        error.having_read(move || read.clone())
    })?;
    let (dialect, tie) = order_of(&header, entities.iter().map(|entity| entity.transform));
    if dialect == Dialect::Spec {
        entities.iter_mut().for_each(read_in_other_order);
    }
    let doc = Document { dialect, header, meshes, entities, lights, tail: r.rest() };
    if tie {
        let message = "nothing tells in which order scales and rotations are; taken as the engine reads them";
        cx.find(&DGL3_020, Place::path("entities"), message);
    }
    if !doc.tail.is_empty() && doc.lights_missing() {
        let message = format!("num_lights is {}, and {} bytes hold no light", doc.header.num_lights, doc.tail.len());
        cx.find(&DGL3_004, Place::blob("tail", &doc.tail), message);
    } else if !doc.tail.is_empty() {
        let message = format!("{} bytes follow the last record", doc.tail.len());
        cx.find(&DGL3_006, Place::blob("tail", &doc.tail), message);
    }
    Ok(doc)
}

/// A flag before a fault that is neither 0, 1 nor -1, which some write for yes: in the record that could not be read,
/// or in the one before it. Its path, value and place.
fn odd_flag(read: &[Node], end: u64) -> Option<(String, i64, Span)> {
    fn find(node: &Node, path: String, end: u64) -> Option<(String, i64, Span)> {
        match node.value {
            Some(Value::Signed(flag)) if node.ty == "flag32" && !(-1..=1).contains(&flag) && node.span.offset < end => {
                Some((path, flag, node.span))
            }
            _ => node.children().unwrap_or_default().iter().find_map(|n| find(n, format!("{path}.{}", n.name), end)),
        }
    }
    let records = read.iter().filter(|list| list.name != "header").flat_map(|list| {
        let children = list.children().unwrap_or_default();
        children.into_iter().map(move |record| (format!("{}{}", list.name, record.name), record))
    });
    let records: Vec<_> = records.filter(|(_, record)| record.span.offset < end).collect();
    records[records.len().saturating_sub(2)..].iter().find_map(|(path, record)| find(record, path.clone(), end))
}

type Records = (Kept<Header>, Vec<Kept<Mesh>>, Vec<Kept<Entity>>, Vec<Kept<Light>>);

fn records(r: &mut Reader<'_>) -> Result<Records> {
    let header = r.field("header", |r| Kept::<Header>::read(r, ())).map_err(error)?;
    if header.version != VERSION {
        let message = format!("version is {}; the only one there is is {VERSION}", header.version);
        return Err(Error::malformed(&DGL3_002.info, field_of(&header, "version"), message));
    }
    let counts =
        [("num_meshes", header.num_meshes), ("num_entities", header.num_entities), ("num_lights", header.num_lights)];
    let [meshes, entities, lights] = counts.map(|(field, count)| {
        usize::try_from(count).map_err(|_| {
            Error::malformed(&DGL3_003.info, field_of(&header, field), format!("{field} is negative: {count}"))
        })
    });
    let (meshes, entities) = (meshes?, entities?);
    let meshes = r.field("meshes", |r| r.many((meshes, "header.num_meshes"), ())).map_err(error)?;
    let entities =
        r.field("entities", |r| r.many((entities, "header.num_entities"), Dialect::Engine)).map_err(error)?;
    let lights = lights?;
    // The exporter counts lamps and writes none of them; bytes that hold not even one are kept behind the rest.
    let lights = if r.remaining() < <Light as Layout>::MIN_SIZE { 0 } else { lights };
    let lights = r.field("lights", |r| r.many(lights, ())).map_err(error)?;
    Ok((header, meshes, entities, lights))
}

fn read_in_other_order(entity: &mut Kept<Entity>) {
    let mut other = Entity::clone(entity);
    other.transform = other.transform.in_other_order(Dialect::Engine);
    if let Some(raw) = entity.raw().cloned() {
        *entity = Kept::read_from(other, raw);
    }
}

/// The order that transforms are in, and whether nothing spoke for it. They are read in the engine's order.
pub(super) fn order_of(header: &Header, transforms: impl ExactSizeIterator<Item = Transform>) -> (Dialect, bool) {
    let count = transforms.len();
    if count == 0 {
        // The bytes are the same.
        return (Dialect::Spec, false);
    }
    if let Some(said) = dialect::said(header) {
        return (said, false);
    }
    let (mut engine, mut spec) = (Evidence::default(), Evidence::default());
    for transform in transforms {
        engine.add(&transform);
        spec.add(&transform.in_other_order(Dialect::Engine));
    }
    let ranks = [(engine.faults, spec.faults), (engine.negative, spec.negative), (engine.uneven, spec.uneven)];
    match ranks.into_iter().find(|(engine, spec)| engine != spec) {
        Some((engine, spec)) => (if engine < spec { Dialect::Engine } else { Dialect::Spec }, false),
        None if (engine.deviation - spec.deviation).abs() > DEVIATION_MARGIN * count as f64 => {
            (if engine.deviation < spec.deviation { Dialect::Engine } else { Dialect::Spec }, false)
        }
        None => (Dialect::Engine, true),
    }
}

/// How far from 1 the length of a rotation may be; rounding in single precision stays far below.
const UNIT_TOLERANCE: f64 = 1e-3;
/// A scale below this flattens a model.
const SMALLEST_SCALE: f64 = 1e-6;
/// Scales that differ by less are one scale, rounded.
const UNEVEN: f64 = 1e-4;
/// How far rotations of either order are from unit length by rounding alone, per entity.
const DEVIATION_MARGIN: f64 = 1e-5;

/// What speaks against an order, the weightiest first.
#[derive(Default)]
struct Evidence {
    /// Rotations that are none, scales that flatten.
    faults: u64,
    negative: u64,
    uneven: u64,
    /// How far rotations are from unit length, all together.
    deviation: f64,
}

impl Evidence {
    fn add(&mut self, transform: &Transform) {
        let scale = transform.scale.map(|v| f64::from(v.get()));
        let length = transform.rotation.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt();
        let off = (length - 1.).abs();
        self.faults += u64::from(off.is_nan() || off > UNIT_TOLERANCE);
        self.faults += scale.iter().filter(|s| !s.is_finite() || s.abs() < SMALLEST_SCALE).count() as u64;
        self.negative += scale.iter().filter(|s| **s < 0.).count() as u64;
        let (low, high) = scale.iter().fold((f64::MAX, 0_f64), |(low, high), s| (low.min(s.abs()), high.max(s.abs())));
        self.uneven += u64::from(high - low > UNEVEN * high);
        if off.is_finite() {
            self.deviation += off;
        }
    }
}

fn field_of(header: &Kept<Header>, field: &str) -> Place {
    let path = format!("header.{field}");
    let tree = [header.node("header", ORDER, ())];
    Place::bytes(path.clone(), wire::locate(&tree, &path).unwrap_or(Span::NOWHERE))
}

fn error(fault: Fault) -> Error {
    let help = "a size or count before it is wrong, or the file is cut short";
    match fault.kind() {
        FaultKind::Value { .. } if fault.path().ends_with(".value") => {
            Error::fault(&DGL3_024.info, fault).with_help("nothing tells how long the value is, so the rest is lost")
        }
        FaultKind::Truncated { counted: Some(_), .. } | FaultKind::Negative(_) | FaultKind::Value { .. } => {
            Error::fault(&DGL3_003.info, fault).with_help(help)
        }
        _ => Error::fault(&DGL3_004.info, fault).with_help(help),
    }
}

const _: () = assert!(<Entity as Layout<Dialect>>::MIN_SIZE == 20 && <Transform as Layout<Dialect>>::MIN_SIZE == 40);
