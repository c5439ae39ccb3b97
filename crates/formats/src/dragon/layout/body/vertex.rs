//! Vertex buffers: rows of attributes, viewed where they lie.

use rayon::prelude::*;
use wire::{Blob, Bool8, Bulk, Fault, Order, record};

use crate::dragon::layout::fields::{BodyReader, Name, Part, Word, body};
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::words::{AttributeType, Semantic};
use crate::dragon::variants::reading::Local;

/// Vertices: rows of `stride` bytes.
#[derive(Clone, Debug, Default)]
pub struct Vertex {
    /// Bytes from one vertex to the next.
    pub stride: u32,
    /// What a row is made of, one behind the other; the rest of the row is padding.
    pub attributes: Bulk<Attribute>,
    /// The rows.
    pub buffer: Buffer,
}

body! { @table [" Vertices: rows of `stride` bytes. The section header counts the bytes of all rows."] Vertex {
    [" Bytes from one vertex to the next."] stride "u32",
    [" How many attributes."] attribute_count "u32",
    [" What a row is made of, one behind the other; the rest of the row is padding."] attributes "-> Attribute[attribute_count]",
    [" The rows."] buffer "-> u8[count]",
} }

record! {
    /// What a vertex has.
    pub struct Attribute {
        /// What its numbers are: `type` in the document.
        attribute_type: AttributeType,
        /// What it means.
        semantic: Semantic,
        /// Whether whole numbers stand for 0 to 1 or -1 to 1.
        normalized: Bool8,
        /// Bytes of one number.
        width: u8,
        /// How many numbers.
        count: u8,
        /// Which of several with the same meaning.
        layer: u32,
    }
}
const _: () = assert!(<Attribute as wire::Fixed>::SIZE == 12);

record! {
    /// An attribute of 2019, whose meaning may be one byte.
    struct ShortAttribute {
        attribute_type: AttributeType,
        semantic: u8,
        normalized: Bool8,
        width: u8,
        count: u8,
        layer: u32,
    }
}

impl Attribute {
    /// Bytes of the attribute in a row.
    pub fn size(&self) -> usize {
        usize::from(self.width) * usize::from(self.count)
    }
}

/// Bytes of a vertex buffer, and the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    bytes: Blob,
    order: Order,
}

impl Buffer {
    /// Rows with numbers in `order`.
    pub fn new(bytes: Blob, order: Order) -> Buffer {
        Buffer { bytes, order }
    }

    /// The bytes as they are.
    pub fn bytes(&self) -> &Blob {
        &self.bytes
    }

    /// The order of their numbers.
    pub fn order(&self) -> Order {
        self.order
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Vertex {
    /// How many whole vertices there are.
    pub fn len(&self) -> usize {
        self.buffer.len().checked_div(self.stride as usize).unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every attribute and where it begins in a row.
    pub fn placed(&self) -> impl Iterator<Item = (usize, Attribute)> {
        self.attributes.iter().scan(0_usize, |at, attribute| {
            let start = *at;
            *at += attribute.size();
            Some((start, attribute))
        })
    }

    /// The first attribute with this meaning and layer.
    pub fn find(&self, semantic: Semantic, layer: u32) -> Option<usize> {
        self.attributes.iter().position(|a| a.semantic == semantic && a.layer == layer)
    }

    /// The rows with their numbers in `order`: shared if they lie that way, turned round otherwise. Padding, and rows
    /// that the attributes do not fit, stay as they are.
    pub fn rows_in(&self, order: Order) -> Blob {
        let stride = self.stride as usize;
        let numbers: Vec<(usize, usize, usize)> = self
            .placed()
            .map(|(at, a)| (at, usize::from(a.width), a.size()))
            .filter(|(_, width, _)| *width > 1)
            .collect();
        let fits = self.placed().all(|(at, attribute)| at + attribute.size() <= stride);
        if order == self.buffer.order || numbers.is_empty() || !fits || stride == 0 {
            return self.buffer.bytes.clone();
        }
        let mut rows = self.buffer.bytes.to_vec();
        rows.par_chunks_exact_mut(stride).with_min_len(1 << 12).for_each(|row| {
            for (at, width, size) in &numbers {
                row[*at..at + size].chunks_exact_mut(*width).for_each(<[u8]>::reverse);
            }
        });
        Blob::memory(rows)
    }
}

impl PartialEq for Vertex {
    fn eq(&self, other: &Vertex) -> bool {
        self.stride == other.stride
            && self.attributes == other.attributes
            && self.rows_in(other.buffer.order) == other.buffer.bytes
    }
}
impl Eq for Vertex {}

const ATTRIBUTES: Name = Name("attributes", "attributes_offset");

impl Part for Vertex {
    const NAME: &'static str = "Vertex";
    const MIN: usize = 8;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Vertex, Fault> {
        let stride: u32 = r.fixed(Name("stride", ""))?;
        let count = r.size("attribute_count")?;
        let attributes: Bulk<Attribute> = if r.is(Local::SEMANTIC8) {
            let short: Bulk<ShortAttribute> = r.bulk_of(ATTRIBUTES, count, Local::INLATTR)?;
            short.iter().map(Attribute::from).collect::<Vec<_>>().into()
        } else {
            r.bulk_of(ATTRIBUTES, count, Local::INLATTR)?
        };
        if !r.pass.reading.is_canonical() {
            let known = attributes
                .iter()
                .all(|a| a.attribute_type.known(true) && a.semantic.known(true) && a.normalized.is_plain());
            let size: usize = attributes.iter().map(|attribute| attribute.size()).sum();
            r.pass.expect(known && size <= stride as usize);
        }
        let size = if r.is(Local::VCOUNT) { r.pass.count.saturating_mul(stride as usize) } else { r.pass.count };
        let bytes = r.bytes_of(Name("buffer", "buffer_offset"), size, Local::NONE)?;
        Ok(Vertex { stride, attributes, buffer: Buffer::new(bytes, r.r.order()) })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.stride);
        w.size("attribute_count", self.attributes.len())?;
        w.bulk(ATTRIBUTES, &self.attributes)?;
        w.block(Name("buffer", "buffer_offset"), self.buffer.is_empty(), |w| {
            let rows = self.rows_in(w.w.order());
            w.w.blob(&rows);
            Ok(())
        });
        Ok(())
    }
}

impl From<ShortAttribute> for Attribute {
    fn from(short: ShortAttribute) -> Attribute {
        let ShortAttribute { attribute_type, semantic, normalized, width, count, layer } = short;
        Attribute { attribute_type, semantic: Semantic(semantic.into()), normalized, width, count, layer }
    }
}
