//! What an STL file is made of: a binary one of 50-byte facets, a text of words.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use wire::{Blob, Bulk, F32, Fixed, Node, Order, Row, Sink, Span, Table, Value, record};

use super::colors::Coloring;
use super::dialect::Dialect;
use super::text::{Model, read_text};
use crate::{Counts, Fact, Facts, Names};

/// Every number is little-endian.
pub(super) const ORDER: Order = Order::Little;

/// Bytes before the facet count.
pub(super) const HEADER_SIZE: usize = 80;

/// Bytes before the facets.
pub(super) const FACETS_AT: usize = HEADER_SIZE + 4;

record! {
    /// A triangle of a binary file.
    pub struct Facet {
        /// Which way it faces, of unit length; zeros leave it to the reader.
        normal: [F32; 3],
        /// Its corners, counter-clockwise seen from outside.
        vertices: [[F32; 3]; 3],
        /// Meant to be 0; some programs keep a colour in it.
        attribute: u16,
    }
}
const _: () = assert!(Facet::SIZE == 50);

/// A whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// Numbers.
    Binary(Binary),
    /// Words.
    Ascii(Ascii),
}

/// A binary file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// 80 bytes of anything; often text.
    pub header: Blob,
    /// How many facets there are, as the file says.
    pub facet_count: u32,
    /// The facets that are there.
    pub facets: Bulk<Facet>,
    /// Bytes behind the last of them.
    pub tail: Blob,
}

/// A text, and what it says.
#[derive(Clone, Debug)]
pub struct Ascii {
    source: Blob,
    /// Found out when someone asks: whoever only writes a text need not.
    model: Arc<OnceLock<Model>>,
}

/// The same text says the same.
impl PartialEq for Ascii {
    fn eq(&self, other: &Ascii) -> bool {
        self.source == other.source
    }
}
impl Eq for Ascii {}

impl Ascii {
    pub(super) fn new(source: Blob) -> Ascii {
        Ascii { source, model: Arc::default() }
    }

    /// The text.
    pub fn source(&self) -> &Blob {
        &self.source
    }

    /// What it says.
    pub fn model(&self) -> &Model {
        self.model.get_or_init(|| read_text(&self.source))
    }

    /// The place of some bytes of the text.
    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        let all = self.source.span();
        Span { offset: all.offset + bytes.start as u64, size: bytes.len() as u64, ..all }
    }

    /// Which solid some bytes belong to, and whether they are among its facets.
    pub(super) fn path(&self, at: usize) -> String {
        let solids = &self.model().solids;
        let next = solids.partition_point(|solid| solid.at.start <= at);
        match next.checked_sub(1).map(|i| (i, &solids[i])) {
            Some((i, solid)) if solid.body.contains(&at) => format!("solids[{i}].facets"),
            Some((i, solid)) if at < solid.at.end => format!("solids[{i}]"),
            _ => "text".to_owned(),
        }
    }

    fn tree(&self) -> Vec<Node> {
        let leaf = |name: &str, ty: &str, bytes: &Range<usize>| Node::leaf(name, ty, self.span(bytes.clone()));
        let mut tree = Vec::new();
        let mut nodes = Vec::new();
        let model = self.model();
        let first = model.solids.first().map_or(self.source.len(), |solid| solid.at.start);
        if first > 0 {
            tree.push(leaf("text", "text", &(0..first)));
        }
        for (i, solid) in model.solids.iter().enumerate() {
            let name = Value::Text(self.source.slice(solid.name.clone()));
            let facets = format!("facet x {}", solid.facets.len());
            let parts = [
                leaf("solid", "text", &(solid.at.start..solid.body.start)).with_value(name),
                leaf("facets", &facets, &solid.body),
                leaf("endsolid", "text", &(solid.body.end..solid.at.end)),
            ];
            let parts = parts.into_iter().filter(|part| part.span.size > 0).collect();
            nodes.push(Node::group(format!("[{i}]"), "Solid", self.span(solid.at.clone()), parts));
        }
        if !nodes.is_empty() {
            tree.push(Node::list("solids", "Solid", nodes));
        }
        tree
    }
}

impl Binary {
    pub(super) fn write(&self, out: &mut Sink) {
        out.blob(&self.header);
        out.bytes(&self.facet_count.to_le_bytes());
        out.blob(&self.facets.to_blob(ORDER));
        out.blob(&self.tail);
    }

    /// The facets as they lie in a file, edited or not.
    pub(super) fn view(&self) -> Bulk<Facet> {
        Bulk::view(self.facets.to_blob(ORDER), ORDER)
    }

    fn tree(&self) -> Vec<Node> {
        let header = self.header.span();
        let count = Span { offset: header.end(), size: 4, ..header };
        let text = Value::Text(self.header.clone());
        let facets = self.facets.to_blob(ORDER);
        let mut tree = vec![
            Node::leaf("header", "text", header).with_value(text),
            Node::leaf("facet_count", "u32", count).with_value(Value::Unsigned(self.facet_count.into())),
            Node::array("facets", &facets, Facet::SHAPE, ORDER, self.facets.len()),
        ];
        if !self.tail.is_empty() {
            tree.push(self.tail.node("tail", "unused bytes"));
        }
        tree
    }

    /// The text of the header without what fills it up.
    pub(super) fn header_text(&self) -> &[u8] {
        let end = self.header.iter().position(|&byte| byte == 0).unwrap_or(self.header.len());
        self.header[..end].trim_ascii_end()
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        match self {
            Document::Binary(_) => Dialect::Binary.id(),
            Document::Ascii(_) => Dialect::Ascii.id(),
        }
    }

    fn tree(&self) -> Vec<Node> {
        match self {
            Document::Binary(binary) => binary.tree(),
            Document::Ascii(ascii) => ascii.tree(),
        }
    }

    /// Nothing: fields and text are all there is.
    fn forget_raw(&mut self) {}

    fn facts(&self, full: bool) -> Facts {
        let (solids, facets, further) = match self {
            Document::Binary(binary) => {
                let mut further = vec![("header", Fact::Text(binary.header_text().to_vec()))];
                if full {
                    further.push(("colors", Fact::Text(Coloring::of(binary).name().into())));
                }
                (vec![Vec::new()], binary.facets.len(), further)
            }
            Document::Ascii(ascii) => {
                let model = ascii.model();
                let name = |solid: &super::text::Solid| ascii.source[solid.name.clone()].to_vec();
                (model.solids.iter().map(name).collect(), model.facets.len(), Vec::new())
            }
        };
        let (count, facets) = (solids.len() as u64, facets as u64);
        let counts = Counts {
            scenes: Some(1),
            nodes: Some(count),
            meshes: Some(count),
            primitives: Some(count),
            vertices: Some(facets * 3),
            triangles: Some(facets),
            ..Counts::ZERO
        };
        let names = Names { nodes: solids.clone(), meshes: solids, ..Names::default() };
        Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
    }
}

/// The words of a text, as the reference page prints them.
pub(super) static WORDS: Table = Table {
    name: "Words of a text",
    doc: &[" In any letter case, with any blanks and line ends between them."],
    rows: &[
        row("solid", "name", &[" What follows is a body of this name: the rest of the line, which may be empty."]),
        row("facet normal", "x y z", &[" A triangle begins; which way it faces."]),
        row("outer loop", "", &[" Its corners follow."]),
        row("vertex", "x y z", &[" A corner; three of them, counter-clockwise seen from outside."]),
        row("endloop", "", &[" No more corners."]),
        row("endfacet", "", &[" The triangle ends."]),
        row("endsolid", "name", &[" The body ends; another may follow."]),
    ],
};

const fn row(field: &'static str, ty: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when: "", doc, wire_only: false }
}

/// A binary file, in the order of its fields.
pub(super) static FIELDS: Table = Table {
    name: "Binary file",
    doc: &[" Little-endian, without a mark of its own: its size is 84 bytes and 50 for each facet."],
    rows: &[
        row("header", "80 bytes", &[" Anything; it should not begin with `solid`."]),
        row("facet_count", "u32", &[" How many facets follow."]),
        row("facets", "Facet[facet_count]", &[" The triangles."]),
    ],
};
