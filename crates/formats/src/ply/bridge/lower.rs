//! Scene → document.

use std::collections::{HashMap, HashSet};

use findings::{Result, Subject};
use scene::loss::*;
use scene::{Component, Primitive, Scene, Semantic, Stream, Topology};
use wire::{Blob, Order};

use super::OBJ_INFO;
use crate::LowerCx;
use crate::ply::data::{self, List, Table};
use crate::ply::dialect::Dialect;
use crate::ply::header::{Element, Property, Scalar};
use crate::ply::layout::Document;
use crate::ply::meaning;
use ops::StreamHashes;

/// Byte order of what is put together here.
const ORDER: Order = Order::Little;

/// Lines of text among the properties of the file; others have no place in a PLY.
fn obj_info(scene: &Scene, cx: &mut LowerCx<'_>) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for (name, value) in &scene.metadata.properties {
        match value.as_text().filter(|_| name.bytes() == OBJ_INFO.as_bytes()) {
            Some(line) => lines.push(line.bytes().to_vec()),
            None => cx.lose(&LOSS_015, "file", 1, format!("property {name}"), "PLY has lines of text, called obj_info"),
        }
    }
    lines
}

pub(in crate::ply) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Document> {
    let dialect = Dialect::named(cx.dialect)?;
    let parts = parts(scene, cx);
    let sets = Sets::of(&parts);
    let mut elements = vec![sets.vertices(cx)];
    elements.extend(faces(&parts, &sets, cx));
    elements.extend(edges(&parts, &sets, cx));
    let obj_info = obj_info(scene, cx);
    let comment = scene.metadata.comment.bytes();
    let comments = comment.split(|&byte| byte == b'\n').map(<[u8]>::to_vec);
    let comments = if comment.is_empty() { Vec::new() } else { comments.collect() };
    Ok(Document::of_elements(dialect, comments, obj_info, elements))
}

/// A primitive that is written.
struct Part<'a> {
    primitive: &'a Primitive,
    label: Subject,
}

fn parts<'a>(scene: &'a Scene, cx: &mut LowerCx<'_>) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut objects = 0;
    for (id, node, mesh) in scene.bodies() {
        objects += 1;
        let label = node.subject(id);
        parts.extend(mesh.primitives.iter().map(|primitive| Part { primitive, label: label.clone() }));
    }
    if objects > 1 {
        cx.lose(&LOSS_082, "file", objects, "objects made one", "a PLY holds one");
    }
    // Beside faces and lines, an unused vertex is no point; beside nothing else it is one.
    let is_points = |part: &Part<'_>| part.primitive.topology == Topology::Points;
    let drawn = parts.iter().any(|part| !is_points(part) && part.primitive.draw_count() >= fewest(part.primitive));
    parts.retain(|part| {
        let lost = is_points(part) == drawn && part.primitive.vertex_count() > 0;
        if lost && drawn && part.primitive.draw_count() > 0 {
            cx.lose(&LOSS_029, &part.label, 1, "points part", "a PLY shows points where it has nothing else");
        } else if lost && !drawn {
            cx.lose(&LOSS_024, &part.label, 1, "part that draws nothing", "PLY would show its vertices as points");
        }
        !lost
    });
    parts
}

/// The corners of the smallest thing that a part can draw.
fn fewest(primitive: &Primitive) -> usize {
    if primitive.topology.is_surface() { 3 } else { 2 }
}

/// Streams that several primitives may share, and where their vertices begin.
struct Set<'a> {
    primitive: &'a Primitive,
    /// The parts that it is of.
    labels: Vec<&'a Subject>,
    /// The order in which points are drawn.
    order: Option<Vec<u32>>,
    first: usize,
    count: usize,
}

impl Set<'_> {
    fn stream(&self, semantic: &Semantic) -> Option<Stream> {
        let stream = self.primitive.get(semantic)?;
        Some(match &self.order {
            Some(order) => stream.gather(order),
            None => stream.clone(),
        })
    }
}

/// All vertices of the file.
struct Sets<'a> {
    sets: Vec<Set<'a>>,
    /// Which set each part has.
    of_part: Vec<usize>,
    count: usize,
}

fn same_streams(a: &Primitive, b: &Primitive) -> bool {
    let same = |a: &Stream, b: &Stream| {
        let bytes = |stream: &Stream| (stream.data().as_ptr(), stream.data().len());
        (a.len(), a.encoding()) == (b.len(), b.encoding()) && (bytes(a) == bytes(b) || a.data()[..] == b.data()[..])
    };
    a.attributes.len() == b.attributes.len()
        && a.attributes.iter().zip(&b.attributes).all(|(a, b)| a.semantic == b.semantic && same(&a.stream, &b.stream))
}

impl<'a> Sets<'a> {
    fn of(parts: &'a [Part<'a>]) -> Sets<'a> {
        let mut all = Sets { sets: Vec::new(), of_part: Vec::new(), count: 0 };
        let mut fingerprints = StreamHashes::default();
        let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut labelled = HashSet::new();
        for Part { primitive, label } in parts {
            let points = primitive.topology == Topology::Points;
            let alike = alike.entry(fingerprints.of(&primitive.attributes)).or_default();
            let same = |at: &&usize| same_streams(all.sets[**at].primitive, primitive);
            let known = if points { None } else { alike.iter().find(same).copied() };
            let at = known.unwrap_or_else(|| {
                let there = primitive.get(&Semantic::Position).map_or(0, Stream::len);
                let order = primitive.indices.as_ref().filter(|_| points).map(|indices| {
                    let mut order = indices.to_vec();
                    order.retain(|&index| (index as usize) < there);
                    order
                });
                let count = order.as_ref().map_or(there, Vec::len);
                all.sets.push(Set { primitive, labels: Vec::new(), order, first: all.count, count });
                all.count += count;
                alike.push(all.sets.len() - 1);
                all.sets.len() - 1
            });
            if labelled.insert((at, label)) {
                all.sets[at].labels.push(label);
            }
            all.of_part.push(at);
        }
        all
    }

    /// The element of vertices.
    fn vertices(&self, cx: &mut LowerCx<'_>) -> (Element, Table) {
        let columns = self.columns(cx);
        let mut element = Element { name: b"vertex".to_vec(), count: self.count as u64, properties: Vec::new() };
        for column in &columns {
            for name in &column.names {
                element.properties.push(Property { name: name.clone(), item: column.item, count: None });
            }
        }
        let (_, stride) = element.offsets();
        let mut rows = vec![0; self.count * stride];
        let mut offset = 0;
        for column in &columns {
            for set in &self.sets {
                let own = &mut rows[set.first * stride..(set.first + set.count) * stride];
                column.fill(set, own, stride, offset, cx);
            }
            offset += column.item.size() * column.names.len();
        }
        let table =
            Table { count: self.count, rows: Blob::memory(rows), stride, order: ORDER, lists: Vec::new(), at: 0..0 };
        (element, table)
    }

    /// The properties that some vertices have.
    fn columns(&self, cx: &mut LowerCx<'_>) -> Vec<Column> {
        let streams = |semantic: &Semantic| -> Vec<&Stream> {
            self.sets.iter().filter_map(|set| set.primitive.get(semantic)).collect()
        };
        let is_wide = |stream: &&Stream| {
            let wide = matches!(stream.encoding().component, Component::F64 | Component::I32 | Component::U32);
            wide && stream.narrowed().encoding().component == Component::F64
        };
        let float = |semantic: &Semantic| {
            if streams(semantic).iter().any(is_wide) { Scalar::F64 } else { Scalar::F32 }
        };
        let words = |names: &[&str]| names.iter().map(|name| name.as_bytes().to_vec()).collect();
        let mut columns = Vec::new();
        let mut add = |semantic: Semantic, names: &[&str], item: Scalar, missing: f64| {
            columns.push(Column { semantic, names: words(names), item, missing });
        };
        add(Semantic::Position, &["x", "y", "z"], float(&Semantic::Position), 0.);
        if !streams(&Semantic::Normal).is_empty() {
            add(Semantic::Normal, &["nx", "ny", "nz"], float(&Semantic::Normal), 0.);
        }
        let colors = streams(&Semantic::Color(0));
        if !colors.is_empty() {
            let item = if colors.iter().all(|stream| is_bytes(stream)) { Scalar::U8 } else { Scalar::F32 };
            let see_through = |row: &[f64]| row.get(3).is_some_and(|&alpha| alpha != 1.);
            let alpha = |stream: &&Stream| stream.count() > 3 && stream.count_elements(see_through) > 0;
            let names: &[&str] = &["red", "green", "blue", "alpha"];
            let count = if colors.iter().any(alpha) { 4 } else { 3 };
            add(Semantic::Color(0), &names[..count], item, 1.);
        }
        if !streams(&Semantic::TexCoord(0)).is_empty() {
            add(Semantic::TexCoord(0), &["s", "t"], float(&Semantic::TexCoord(0)), 0.);
        }
        let mut taken: HashSet<Vec<u8>> = columns.iter().flat_map(|column| column.names.clone()).collect();
        // Under these names it would be read as something else.
        taken.extend(meaning::RESERVED.iter().flat_map(|names| names.concat()).map(|name| name.as_bytes().to_vec()));
        for (attribute, set) in self.sets.iter().flat_map(|set| set.primitive.attributes.iter().map(move |a| (a, set)))
        {
            let Semantic::Custom(name) = &attribute.semantic else { continue };
            if columns.iter().any(|column| column.semantic == attribute.semantic) {
                continue;
            }
            let names = property_names(name, attribute.stream.count(), &mut taken);
            if names != [name.as_bytes()] {
                let spelled = names.iter().map(|name| String::from_utf8_lossy(name)).collect::<Vec<_>>().join(", ");
                let why = "properties of a PLY are numbers whose names are one word and differ from each other";
                for label in &set.labels {
                    cx.lose(&LOSS_042, *label, 1, format!("attribute {name}, now {spelled}"), why);
                }
            }
            let item = scalar(&attribute.stream);
            columns.push(Column { semantic: attribute.semantic.clone(), names, item, missing: 0. });
        }
        columns
    }
}

/// Names for the numbers of an attribute that no other property has.
fn property_names(name: &str, count: usize, taken: &mut HashSet<Vec<u8>>) -> Vec<Vec<u8>> {
    let name = word(name);
    let spelled = |name: &str| -> Vec<Vec<u8>> {
        if count == 1 { vec![name.into()] } else { (0..count).map(|i| format!("{name}_{i}").into_bytes()).collect() }
    };
    let mut names = spelled(&name);
    let mut number = 2;
    while names.iter().any(|name| taken.contains(name)) {
        names = spelled(&format!("{name}-{number}"));
        number += 1;
    }
    taken.extend(names.iter().cloned());
    names
}

/// A name that is one word.
fn word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

/// The type that holds the numbers of a stream.
fn scalar(stream: &Stream) -> Scalar {
    let encoding = stream.encoding();
    match encoding.component {
        Component::F64 | Component::I64 | Component::U64 => Scalar::F64,
        Component::F32 | Component::F16 => Scalar::F32,
        _ if encoding.normalised => Scalar::F32,
        Component::I8 => Scalar::I8,
        Component::U8 => Scalar::U8,
        Component::I16 => Scalar::I16,
        Component::U16 => Scalar::U16,
        Component::I32 => Scalar::I32,
        Component::U32 => Scalar::U32,
    }
}

/// Whether a colour is one of 256 steps, whatever its type.
fn is_bytes(stream: &Stream) -> bool {
    let byte = |value: f64| (0. ..=1.).contains(&value) && ((value * 255.).round() / 255. - value).abs() < 1e-7;
    stream.encoding().component == Component::U8 || stream.count_elements(|row| !row.iter().all(|v| byte(*v))) == 0
}

/// Properties that are filled from one stream.
struct Column {
    semantic: Semantic,
    names: Vec<Vec<u8>>,
    item: Scalar,
    /// What vertices without it get.
    missing: f64,
}

impl Column {
    fn fill(&self, set: &Set<'_>, rows: &mut [u8], stride: usize, offset: usize, cx: &mut LowerCx<'_>) {
        let width = self.names.len();
        let stream = set.stream(&self.semantic);
        let full = if self.item == Scalar::U8 && self.semantic == Semantic::Color(0) { 255. } else { 1. };
        let Some(stream) = stream else {
            if set.count > 0 {
                let white = self.semantic == Semantic::Color(0);
                let what = format!("missing {} set to {}", self.semantic, if white { "white" } else { "zero" });
                for label in &set.labels {
                    cx.lose(&LOSS_018, *label, set.count as u64, &what, "all vertices of a PLY have it or none");
                }
            }
            // Zero as the scene counts it is at the other edge here.
            let edge = |k: usize| if k == 1 && self.semantic == Semantic::TexCoord(0) { 1. } else { self.missing };
            let mut one = Vec::new();
            (0..width).for_each(|k| data::encode(&mut one, edge(k) * full, self.item, ORDER));
            rows.chunks_mut(stride).for_each(|row| row[offset..offset + one.len()].copy_from_slice(&one));
            return;
        };
        let flipped = self.semantic == Semantic::TexCoord(0);
        let stream = if flipped { stream.flipped() } else { stream };
        let count = stream.count();
        let slots = rows.chunks_mut(stride).map(|row| &mut row[offset..]);
        if self.item == Scalar::F32 {
            let values = stream.to_f32();
            for (slot, row) in slots.zip(values.chunks(count.max(1))) {
                for (k, bytes) in slot.chunks_exact_mut(4).take(width).enumerate() {
                    bytes.copy_from_slice(&row.get(k).copied().unwrap_or(self.missing as f32).to_le_bytes());
                }
            }
            return;
        }
        let values = stream.to_f64();
        let mut one = Vec::new();
        for (slot, row) in slots.zip(values.chunks(count.max(1))) {
            one.clear();
            for k in 0..width {
                let value = row.get(k).copied().unwrap_or(self.missing) * full;
                let value = if full == 1. { value } else { value.round() };
                data::encode(&mut one, value, self.item, ORDER);
            }
            slot[..one.len()].copy_from_slice(&one);
        }
    }
}

fn faces(parts: &[Part<'_>], sets: &Sets<'_>, cx: &mut LowerCx<'_>) -> Option<(Element, Table)> {
    let filled = || parts.iter().zip(&sets.of_part).filter(|(part, _)| part.primitive.topology.is_surface());
    filled().next()?;
    let mut list = List::default();
    for (part, &set) in filled() {
        let (primitive, set) = (part.primitive, &sets.sets[set]);
        let order = order(primitive, set.count);
        let mut left_out = 0;
        let mut face = |corners: &[u32]| {
            if corners.len() < 3 || corners.iter().any(|&index| index as usize >= set.count) {
                left_out += 1;
                return;
            }
            list.sizes.push(corners.len() as u32);
            corners.iter().for_each(|&i| list.items.extend_from_slice(&(i + set.first as u32).to_le_bytes()));
        };
        let size = match primitive.topology {
            Topology::Triangles => 3,
            Topology::Quads => 4,
            _ => 0,
        };
        if size > 0 {
            let whole = order.chunks_exact(size);
            let cut = !whole.remainder().is_empty();
            whole.for_each(&mut face);
            left_out += u64::from(cut);
        } else {
            let mut rest = &order[..];
            for &corners in &primitive.corners {
                let Some((own, behind)) = rest.split_at_checked(corners as usize) else {
                    left_out += 1;
                    break;
                };
                face(own);
                rest = behind;
            }
        }
        if left_out > 0 {
            cx.lose(&LOSS_033, &part.label, left_out, "faces left out", "they are not whole");
        }
    }
    let largest = list.sizes.iter().max().copied().unwrap_or(0);
    let count = if largest > 255 { Scalar::U32 } else { Scalar::U8 };
    let property = Property { name: b"vertex_indices".to_vec(), item: index_type(sets), count: Some(count) };
    let rows = list.sizes.len();
    let element = Element { name: b"face".to_vec(), count: rows as u64, properties: vec![property] };
    let table = Table { count: rows, rows: Blob::default(), stride: 0, order: ORDER, lists: vec![list], at: 0..0 };
    Some((element, table))
}

/// Signed while it can be: programs expect it.
fn index_type(sets: &Sets<'_>) -> Scalar {
    if i32::try_from(sets.count).is_ok() { Scalar::I32 } else { Scalar::U32 }
}

fn order(primitive: &Primitive, count: usize) -> Vec<u32> {
    match &primitive.indices {
        Some(indices) => indices.to_vec(),
        None => (0..count as u32).collect(),
    }
}

fn edges(parts: &[Part<'_>], sets: &Sets<'_>, cx: &mut LowerCx<'_>) -> Option<(Element, Table)> {
    let lines = || parts.iter().zip(&sets.of_part).filter(|(part, _)| part.primitive.topology == Topology::Lines);
    lines().next()?;
    let mut rows = Vec::new();
    for (part, &set) in lines() {
        let set = &sets.sets[set];
        let order = order(part.primitive, set.count);
        let whole = |pair: &&[u32]| pair.iter().all(|&index| (index as usize) < set.count);
        let before = rows.len() / 8;
        for pair in order.chunks_exact(2).filter(whole) {
            pair.iter().for_each(|&index| rows.extend_from_slice(&(index + set.first as u32).to_le_bytes()));
        }
        let left_out = (order.len().div_ceil(2) - (rows.len() / 8 - before)) as u64;
        if left_out > 0 {
            cx.lose(&LOSS_033, &part.label, left_out, "lines left out", "they are not whole");
        }
    }
    let count = rows.len() / 8;
    let end = |name: &str| Property { name: name.into(), item: index_type(sets), count: None };
    let properties = vec![end("vertex1"), end("vertex2")];
    let element = Element { name: b"edge".to_vec(), count: count as u64, properties };
    let table = Table { count, rows: Blob::memory(rows), stride: 8, order: ORDER, lists: Vec::new(), at: 0..0 };
    Some((element, table))
}
