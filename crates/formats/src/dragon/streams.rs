//! Attributes of vertices as streams of numbers, where and as they lie.

use scene::{Component, Encoding, Stream};

use crate::dragon::layout::body::{Attribute, Vertex};
use crate::dragon::layout::words::{AttributeType, Semantic};

impl Attribute {
    /// The type of its numbers, if there is such a type.
    pub fn component(&self) -> Option<Component> {
        Some(match (self.attribute_type, self.width) {
            (AttributeType::FLOAT, 2) => Component::F16,
            (AttributeType::FLOAT, 4) => Component::F32,
            (AttributeType::FLOAT, 8) => Component::F64,
            (AttributeType::SIGNED, 1) => Component::I8,
            (AttributeType::SIGNED, 2) => Component::I16,
            (AttributeType::SIGNED, 4) => Component::I32,
            (AttributeType::SIGNED, 8) => Component::I64,
            (AttributeType::UNSIGNED, 1) => Component::U8,
            (AttributeType::UNSIGNED, 2) => Component::U16,
            (AttributeType::UNSIGNED, 4) => Component::U32,
            (AttributeType::UNSIGNED, 8) => Component::U64,
            _ => return None,
        })
    }
}

impl Vertex {
    /// The numbers of one attribute, where and as they lie. Nothing if it has no readable type or does not fit the row.
    pub fn stream(&self, attribute: usize) -> Option<Stream> {
        let (start, attribute) = self.placed().nth(attribute)?;
        self.stream_at(start, &attribute)
    }

    /// The numbers of every attribute with this meaning, and which attribute it is.
    pub fn streams(&self, semantic: Semantic) -> impl Iterator<Item = (usize, Stream)> {
        let own = self.placed().enumerate().filter(move |(_, (_, attribute))| attribute.semantic == semantic);
        own.filter_map(|(k, (start, attribute))| Some((k, self.stream_at(start, &attribute)?)))
    }

    /// The numbers of an attribute that begins at `start` of each row.
    pub(in crate::dragon) fn stream_at(&self, start: usize, attribute: &Attribute) -> Option<Stream> {
        let stride = self.stride as usize;
        if start + attribute.size() > stride || attribute.count == 0 {
            return None;
        }
        let encoding = Encoding {
            component: attribute.component()?,
            count: attribute.count,
            stride,
            order: self.buffer.order(),
            normalised: attribute.normalized.is_set(),
            flip_v: false,
        };
        let len = self.len();
        let data = self.buffer.bytes().slice(if len == 0 { 0 } else { start }..);
        Some(Stream::new(data, len, encoding))
    }
}
