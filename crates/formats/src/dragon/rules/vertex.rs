//! Vertex buffers.

use std::collections::HashSet;

use findings::{Checker, Place, rule};
use scene::Stream;
use wire::Span;

use super::{place, sections};
use crate::dragon::layout::Document;
use crate::dragon::layout::body::{Attribute, Body, Vertex};
use crate::dragon::layout::words::{AttributeType, Semantic};
use crate::dragon::variants::mesh::Buffers;

fn buffers(doc: &Document) -> impl Iterator<Item = (usize, &Vertex)> {
    sections(doc).filter_map(|(i, section)| match &section.body {
        Body::Vertex(vertex) => Some((i, vertex)),
        _ => None,
    })
}

rule! {
    /// ## What it finds
    /// A vertex buffer whose rows have no bytes, fewer than their attributes, or do not fill it.
    ///
    /// ## Why it matters
    /// Nothing says where a vertex begins.
    ///
    /// ## Example
    /// `stride` is 40 where the attributes take 44 bytes.
    ///
    /// ## Fix
    /// Write the buffer again.
    DRG_036 "DRG-036" "vertex-stride", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, vertex) in buffers(doc) {
            let (stride, bytes) = (vertex.stride as usize, vertex.buffer.len());
            let size: usize = vertex.attributes.iter().map(|attribute| attribute.size()).sum();
            let message = match bytes.checked_rem(stride) {
                None if bytes > 0 => format!("a vertex has no bytes, and there are {bytes}"),
                _ if size > stride => format!("a vertex has {stride} bytes, and its attributes take {size}"),
                Some(rest) if rest > 0 => format!("{bytes} bytes are no whole vertices of {stride}"),
                _ => continue,
            };
            cx.report(place(i, "stride"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// An attribute of no type or meaning, of a width that its type does not have, without numbers, a float that claims
    /// to be normalized, or one of the same meaning and layer as another.
    ///
    /// ## Why it matters
    /// Its numbers cannot be read, or nothing says which of two is meant.
    ///
    /// ## Example
    /// `normalized` is 1 and `attribute_type` is Float.
    ///
    /// ## Fix
    /// Correct the attribute.
    DRG_037 "DRG-037" "attribute", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, vertex) in buffers(doc) {
            let mut seen = HashSet::new();
            for (k, attribute) in vertex.attributes.iter().enumerate() {
                let twice = !seen.insert((attribute.semantic, attribute.layer));
                if let Some((field, message)) = fault(&attribute, twice) {
                    cx.report(place(i, "attributes").nth(k).field(field), message);
                }
            }
        }
    }
}

fn fault(attribute: &Attribute, twice: bool) -> Option<(&'static str, String)> {
    let Attribute { attribute_type: kind, semantic, normalized, width, count, layer } = *attribute;
    let is_float = kind == AttributeType::FLOAT;
    Some(match () {
        () if kind.word().is_none() => ("attribute_type", format!("there is no type {}", kind.0)),
        () if semantic.word().is_none() => ("semantic", format!("there is no meaning {}", semantic.0)),
        () if attribute.component().is_none() && is_float => ("width", format!("no float has {width} bytes")),
        () if attribute.component().is_none() => ("width", format!("no whole number has {width} bytes")),
        () if count == 0 => ("count", "it has no numbers".to_owned()),
        () if is_float && normalized.is_set() => ("normalized", "a float cannot be normalized".to_owned()),
        () if twice => {
            let word = semantic.word().unwrap_or_default();
            ("semantic", format!("{word} of layer {layer} is there already"))
        }
        () => return None,
    })
}

rule! {
    /// ## What it finds
    /// A geometry whose vertices have no position.
    ///
    /// ## Why it matters
    /// Nothing can be drawn.
    ///
    /// ## Example
    /// A GEOMETRY whose vertex buffer has normals alone.
    ///
    /// ## Fix
    /// Add an attribute POSITION with layer 0.
    DRG_038 "DRG-038" "no-position", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let buffers = Buffers::of(doc);
        for (i, section) in sections(doc) {
            let Body::Geometry(geometry) = &section.body else { continue };
            let bare = |vertex: &&Vertex| vertex.find(Semantic::POSITION, 0).is_none();
            if buffers.vertices(geometry).filter(bare).is_some() {
                cx.report(place(i, "vertex_buffer"), "its vertices have no POSITION of layer 0");
            }
        }
    }
}

/// Reports floats that are not finite, once per attribute.
pub(super) fn finite(vertex: &Vertex, section: usize, cx: &mut Checker<'_>) {
    for (k, (start, attribute)) in vertex.placed().enumerate() {
        if attribute.attribute_type != AttributeType::FLOAT {
            continue;
        }
        let Some(stream) = vertex.stream_at(start, &attribute) else { continue };
        let odd = |row: &[f64]| !row.iter().all(|number| number.is_finite());
        let count = stream.count_elements(odd);
        if count > 0 {
            let (row, numbers) = first(&stream, odd).unwrap_or_default();
            let word = attribute.semantic.word().unwrap_or("attribute");
            cx.report_count(row_of(vertex, section, k, row), count, format!("{word} of vertex {row} is {numbers:?}"));
        }
    }
}

/// Elements that are looked at together.
const BATCH: usize = 1 << 14;

/// The first element that is `odd`, and its numbers.
pub(super) fn first(stream: &Stream, odd: impl Fn(&[f64]) -> bool) -> Option<(usize, Vec<f64>)> {
    let (encoding, count) = (*stream.encoding(), stream.count().max(1));
    (0..stream.len()).step_by(BATCH).find_map(|start| {
        let data = stream.data().slice(start * encoding.stride..);
        let batch = Stream::new(data, (stream.len() - start).min(BATCH), encoding).to_f64();
        let at = batch.chunks(count).position(&odd)?;
        Some((start + at, batch[at * count..(at + 1) * count].to_vec()))
    })
}

/// Where an attribute of one vertex is.
pub(super) fn row_of(vertex: &Vertex, section: usize, attribute: usize, row: usize) -> Place {
    let path = place(section, "buffer").path;
    let all = vertex.buffer.bytes().span();
    match vertex.placed().nth(attribute) {
        Some((start, attribute)) if all.space == wire::Space::File => {
            let offset = all.offset + (row * vertex.stride as usize + start) as u64;
            Place::bytes(path, Span::file(offset, attribute.size() as u64))
        }
        _ => Place::path(path),
    }
}
