//! Vertex buffers: streams laid side by side in rows.

use std::collections::BTreeSet;

use scene::{Attribute, Component, Primitive, Semantic, Stream};
use wire::{Blob, Bool8, Order};

use super::super::super::semantics;
use crate::dragon::layout::body::{self, Buffer, Vertex};
use crate::dragon::layout::words::{AttributeType, Semantic as Meaning};

/// What rows are made of: equal layouts share a buffer.
#[derive(Clone, PartialEq)]
pub(in super::super) struct Layout {
    attributes: Vec<body::Attribute>,
    /// Names of attributes that the format has no field for, by their layers.
    pub(in super::super) samples: Vec<(u32, String)>,
}

impl Layout {
    pub(in super::super) fn of(attributes: &[Attribute]) -> Layout {
        let mut samples = Vec::new();
        let taken: BTreeSet<u32> = attributes
            .iter()
            .filter_map(|a| if let Semantic::Custom(name) = &a.semantic { semantics::of_custom(name) } else { None })
            .filter(|(meaning, _)| *meaning == Meaning::SAMPLE)
            .map(|(_, layer)| layer)
            .collect();
        let mut free = (0..=u32::MAX).filter(|layer| !taken.contains(layer));
        let mut meaning = |semantic: &Semantic| match semantic {
            Semantic::Position => (Meaning::POSITION, 0),
            Semantic::Normal => (Meaning::NORMAL, 0),
            Semantic::Tangent => (Meaning::TANGENT, 0),
            Semantic::TexCoord(n) => (Meaning::TEXCOORD, u32::from(*n)),
            Semantic::Color(n) => (Meaning::COLOR, u32::from(*n)),
            Semantic::Joints(n) => (Meaning::BLENDINDICES, u32::from(*n)),
            Semantic::Weights(n) => (Meaning::BLENDWEIGHT, u32::from(*n)),
            Semantic::Custom(name) => semantics::of_custom(name).unwrap_or_else(|| {
                let layer = free.next().unwrap_or(u32::MAX);
                samples.push((layer, name.clone()));
                (Meaning::SAMPLE, layer)
            }),
        };
        let one = |attribute: &Attribute| {
            let encoding = stored(&attribute.stream);
            let (semantic, layer) = meaning(&attribute.semantic);
            let component = encoding.encoding().component;
            let normalized =
                Bool8::from(encoding.encoding().normalised && attribute_type(component) != AttributeType::FLOAT);
            let (attribute_type, width) = (attribute_type(component), component.size() as u8);
            body::Attribute { attribute_type, semantic, normalized, width, count: encoding.encoding().count, layer }
        };
        let attributes = attributes.iter().map(one).collect();
        Layout { attributes, samples }
    }

    fn stride(&self) -> usize {
        self.attributes.iter().map(|attribute| attribute.size()).sum()
    }
}

fn attribute_type(component: Component) -> AttributeType {
    match component {
        Component::F16 | Component::F32 | Component::F64 => AttributeType::FLOAT,
        Component::I8 | Component::I16 | Component::I32 | Component::I64 => AttributeType::SIGNED,
        Component::U8 | Component::U16 | Component::U32 | Component::U64 => AttributeType::UNSIGNED,
    }
}

/// A stream as its bytes say it: coordinates that count from the other edge are turned round.
fn stored(stream: &Stream) -> Stream {
    if stream.encoding().flip_v { Stream::from_f32(stream.encoding().count, stream.to_f32()) } else { stream.clone() }
}

/// Rows, one run of vertices behind the other.
pub(in super::super) struct Rows {
    layout: Layout,
    stride: usize,
    order: Order,
    bytes: Vec<u8>,
}

impl Rows {
    pub(in super::super) fn new(layout: Layout, order: Order) -> Rows {
        Rows { stride: layout.stride(), layout, order, bytes: Vec::new() }
    }

    /// How many rows there are.
    pub(in super::super) fn len(&self) -> usize {
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Adds the vertices of streams that are laid out so.
    pub(in super::super) fn add(&mut self, attributes: &[Attribute], count: usize) {
        let start = self.bytes.len();
        self.bytes.resize(start + count * self.stride, 0);
        let rows = &mut self.bytes[start..];
        let mut at = 0;
        for (attribute, form) in attributes.iter().zip(&self.layout.attributes) {
            copy(&stored(&attribute.stream), &mut rows[..], self.stride, at, self.order);
            at += form.size();
        }
    }

    /// The rows that say anything: the first of them, and a buffer from there to the last.
    pub(in super::super) fn trimmed(mut self) -> (u32, Vertex) {
        let stride = self.stride.max(1);
        let says = |row: &[u8]| row.iter().any(|byte| *byte != 0);
        let first = self.bytes.chunks_exact(stride).position(says);
        let last = self.bytes.chunks_exact(stride).rposition(says);
        let (first, end) = first.zip(last).map_or((0, 0), |(first, last)| (first, last + 1));
        self.bytes.truncate(end * stride);
        self.bytes.drain(..first * stride);
        (u32::try_from(first).unwrap_or(u32::MAX), self.into_vertex())
    }

    pub(in super::super) fn into_vertex(self) -> Vertex {
        Vertex {
            stride: u32::try_from(self.stride).unwrap_or(u32::MAX),
            attributes: self.layout.attributes.into(),
            buffer: Buffer::new(Blob::memory(self.bytes), self.order),
        }
    }
}

/// Puts a stream into a column of rows, its numbers in the order of the rows.
fn copy(stream: &Stream, rows: &mut [u8], stride: usize, at: usize, order: Order) {
    let encoding = *stream.encoding();
    let (size, width) = (encoding.element_size(), encoding.component.size());
    let turn = encoding.order != order && width > 1;
    let sources = (0..stream.len()).map(|i| &stream.data()[i * encoding.stride..i * encoding.stride + size]);
    for (row, source) in rows.chunks_exact_mut(stride.max(1)).zip(sources) {
        let target = &mut row[at..at + size];
        target.copy_from_slice(source);
        if turn {
            target.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
    }
}

/// Whether two parts show the very same vertices.
pub(in super::super) fn same_vertices(a: &Primitive, b: &Primitive) -> bool {
    let streams = |p: &Primitive| {
        p.attributes.iter().chain(p.targets.iter().flat_map(|t| &t.attributes)).cloned().collect::<Vec<_>>()
    };
    let same = |(a, b): (&Attribute, &Attribute)| {
        let (x, y) = (&a.stream, &b.stream);
        let stored_alike = (x.len(), x.encoding()) == (y.len(), y.encoding());
        let is_one = stored_alike && std::ptr::eq(x.data().as_ptr(), y.data().as_ptr());
        a.semantic == b.semantic && (is_one || x == y)
    };
    let (a, b) = (streams(a), streams(b));
    a.len() == b.len() && a.iter().zip(&b).all(same)
}
