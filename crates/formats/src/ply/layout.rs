//! What a PLY file is made of.
//!
//! A document is its bytes, and what they say: the header, and the rows of every element in one form whatever the
//! encoding.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use wire::{Blob, Node, Row, Span, Table as Page};

use super::data::{self, Body, Table};
use super::dialect::Dialect;
use super::header::{self, Element, Header};
use super::meaning::Meaning;
use crate::{Counts, Fact, Facts, Names};

/// A whole file: its bytes, and what they say.
#[derive(Clone, Debug)]
pub struct Document {
    source: Blob,
    header: Arc<Header>,
    /// Found out when someone asks: whoever only writes a file need not.
    body: Arc<OnceLock<Body>>,
}

/// The same bytes say the same.
impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.source == other.source
    }
}
impl Eq for Document {}

impl Document {
    /// A document of elements and their rows.
    pub(super) fn of_elements(
        dialect: Dialect,
        comments: Vec<Vec<u8>>,
        obj_info: Vec<Vec<u8>>,
        elements: Vec<(Element, Table)>,
    ) -> Document {
        let (elements, tables): (Vec<Element>, Vec<Table>) = elements.into_iter().unzip();
        let version = b"1.0".to_vec();
        let header = Header { dialect, elements, comments, obj_info, version, lines: Vec::new(), size: 0 };
        let mut bytes = header.text();
        for (element, table) in header.elements.iter().zip(&tables) {
            data::write(&mut bytes, element, table, dialect);
        }
        let source = Blob::memory(bytes);
        // The lines of the header have places now.
        let header = header::read(&source).unwrap_or(header);
        Document::new(source, header)
    }

    pub(super) fn new(source: Blob, header: Header) -> Document {
        Document { source, header: Arc::new(header), body: Arc::default() }
    }

    /// The bytes.
    pub fn source(&self) -> &Blob {
        &self.source
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the data says.
    pub fn body(&self) -> &Body {
        self.body.get_or_init(|| data::read(&self.source, &self.header))
    }

    /// The place of some bytes.
    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        let all = self.source.span();
        Span { offset: all.offset + bytes.start as u64, size: bytes.len() as u64, ..all }
    }

    /// Where a row of an element is.
    pub(super) fn row(&self, element: usize, row: usize) -> Span {
        self.span(data::row_at(&self.source, &self.header, &self.body().tables[element], element, row))
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.header.dialect.id()
    }

    fn tree(&self) -> Vec<Node> {
        let mut tree = vec![self.header.tree(&self.source)];
        let body = self.body();
        let element = |(i, (element, table)): (usize, (&super::Element, &data::Table))| {
            let name = findings::render::escape(&String::from_utf8_lossy(&element.name)).into_owned();
            Node::leaf(format!("[{i}]"), format!("{name} x {}", table.count), self.span(table.at.clone()))
        };
        let elements: Vec<Node> = self.header.elements.iter().zip(&body.tables).enumerate().map(element).collect();
        if !elements.is_empty() {
            tree.push(Node::list("elements", "Element", elements));
        }
        if !body.tail.is_empty() {
            tree.push(self.source.slice(body.tail.clone()).node("tail", "bytes"));
        }
        tree
    }

    /// Nothing: the bytes are the value.
    fn forget_raw(&mut self) {}

    fn facts(&self, _: bool) -> Facts {
        let meaning = Meaning::of(self);
        let vertices = meaning.vertex_count() as u64;
        let counts = Counts {
            scenes: Some(1),
            nodes: Some(1),
            meshes: Some(1),
            primitives: Some(meaning.primitive_count()),
            vertices: Some(vertices),
            triangles: Some(meaning.triangle_count()),
            ..Counts::ZERO
        };
        let words = |list: &[Vec<u8>]| {
            Fact::Words(list.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect())
        };
        let element = |element: &super::Element| {
            let names = element.properties.iter().map(|p| String::from_utf8_lossy(&p.name).into_owned());
            let names: Vec<String> = names.collect();
            format!("{} {}: {}", element.count, String::from_utf8_lossy(&element.name), names.join(" "))
        };
        let further = vec![
            ("elements", Fact::Words(self.header.elements.iter().map(element).collect())),
            ("comments", words(&self.header.comments)),
            ("obj_info", words(&self.header.obj_info)),
        ];
        let names = Names { nodes: vec![Vec::new()], meshes: vec![Vec::new()], ..Names::default() };
        Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
    }
}

/// The lines of a header, as the reference page prints them.
pub(super) static LINES: Page = Page {
    name: "Lines of the header",
    doc: &[" Text, whatever the data is; the data follows the line end behind `end_header`."],
    rows: &[
        row("ply", "", &[" The first line."]),
        row("format", "ascii | binary_little_endian | binary_big_endian, version", &[" How the data is written."]),
        row("comment, obj_info", "text", &[" Anything: kept."]),
        row("element", "name count", &[" So many rows follow in the data."]),
        row("property", "type name", &[" A number of every row: char uchar short ushort int uint float double."]),
        row("property list", "type type name", &[" A count and so many numbers."]),
        row("end_header", "", &[" The last line."]),
    ],
};

/// What elements and properties mean, as the reference page prints it.
pub(super) static NAMES: Page = Page {
    name: "Names with a meaning",
    doc: &[" Other properties of `vertex` become attributes of their names; all else is kept and not converted."],
    rows: &[
        row("vertex: x y z", "float, double", &[" Position."]),
        row("vertex: nx ny nz", "float", &[" Normal."]),
        row("vertex: red green blue alpha", "uchar, float", &[" Colour, 0 to 255 or 0 to 1; `diffuse_red` … too."]),
        row("vertex: s t", "float", &[" Texture coordinates from the bottom; `u v`, `texture_u texture_v` too."]),
        row("face: vertex_indices", "list uchar int", &[" The corners of a face; `vertex_index` too."]),
        row("tristrips: vertex_indices", "list int int", &[" Strips of triangles; -1 ends one."]),
        row("edge: vertex1 vertex2", "int", &[" A line."]),
    ],
};

const fn row(field: &'static str, ty: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when: "", doc, wire_only: false }
}
