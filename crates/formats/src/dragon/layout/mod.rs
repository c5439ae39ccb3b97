//! What a DRAGON file is made of: a header section, and sections that name each other.

pub(in crate::dragon) mod body;
pub(in crate::dragon) mod fields;
pub(in crate::dragon) mod frame;
pub(in crate::dragon) mod guid;
pub(in crate::dragon) mod kind;
pub(in crate::dragon) mod out;
pub(in crate::dragon) mod rotation;
pub(in crate::dragon) mod words;

use std::collections::{BTreeSet, HashMap};

use wire::{Blob, Bulk, Kept, Layout, Node, Order, Reader, Row, Table, Unit};

use super::dialect::Dialect;
use crate::Facts;
use crate::dragon::layout::body::Body;
use crate::dragon::layout::frame::Form;
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::{Kind, Spelling};
use crate::dragon::layout::words::UpDirection;
use crate::dragon::variants::reading::Reading;

/// The only version there is.
pub const VERSION: u32 = 1;

/// Where the count of a section header is, in headers of every size.
pub(in crate::dragon) const COUNT_AT: usize = 32;

/// The header section: everything about the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Always 1.
    pub version: u32,
    /// Always [`Guid::FILE`].
    pub guid: Guid,
    /// SETTINGS of the whole file.
    pub settings: Guid,
    /// Which way is up.
    pub up_direction: UpDirection,
}

impl Default for Header {
    fn default() -> Header {
        Header { version: VERSION, guid: Guid::FILE, settings: Guid::NONE, up_direction: UpDirection::POSITIVE_Y }
    }
}

impl Header {
    /// The declaration, for the reference pages.
    pub const TABLE: &'static Table = &Table {
        name: "Dragon",
        doc: &[" The first section: everything about the file as a whole. Its header counts the sections that follow."],
        rows: &[
            row("meta", "Section", &[" Its magic tells the byte order, its guid is always the same."]),
            row("total_size", "u32", &[" Bytes of the file."]),
            row("up_direction", "UpDirection", &[" Which way is up."]),
        ],
    };
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Always 1.
    pub version: u32,
    /// What other sections call it.
    pub guid: Guid,
    /// What the header counts, for kinds that count nothing and for sections that cannot be read; else 0, as the body
    /// knows it.
    pub count: u32,
    /// SETTINGS of this section.
    pub settings: Guid,
    /// What it holds.
    pub body: Body,
    pub(in crate::dragon) manner: Manner,
}

impl Section {
    /// The declaration of what every section begins with, for the reference pages.
    pub const TABLE: &'static Table = &Table {
        name: "Section",
        doc: &[" What every section begins with."],
        rows: &[
            row("magic", "u8[8]", &[" What it is."]),
            row("version", "u32", &[" Always 1."]),
            row("guid", "guid", &[" What other sections call it."]),
            row("size", "u32", &[" Bytes of the section, these included."]),
            row("count", "u32", &[" What is counted depends on the kind; 0 where nothing is."]),
            row("settings", "guid", &[" SETTINGS of this section; all zero for none."]),
        ],
    };

    /// A section of version 1 without settings.
    pub fn new(guid: Guid, body: impl Into<Body>) -> Section {
        let (count, settings, manner) = (0, Guid::NONE, Manner::default());
        Section { version: VERSION, guid, count, settings, body: body.into(), manner }
    }

    /// Its kind, if its tag is known.
    pub fn kind(&self) -> Option<Kind> {
        self.body.kind()
    }

    /// The layout departures it was read with, as ids.
    pub fn variants(&self) -> Vec<&'static str> {
        self.manner.reading.local.ids().collect()
    }
}

const fn row(field: &'static str, ty: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when: "", doc, wire_only: false }
}

/// How a section was read. It is no part of what the section says, so all manners are equal.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dragon) struct Manner {
    pub(in crate::dragon) reading: Reading,
    pub(in crate::dragon) spelling: Spelling,
    /// Bytes of the body that no field uses.
    pub(in crate::dragon) unread: u64,
    /// Whether some byte belongs to two fields.
    pub(in crate::dragon) twice: bool,
    /// Whether a light's first rotation is another one than its second.
    pub(in crate::dragon) first_rotation_differs: bool,
}

impl PartialEq for Manner {
    fn eq(&self, _: &Manner) -> bool {
        true
    }
}
impl Eq for Manner {}

impl Manner {
    /// Whether a canonical writer could have written it, but for the order of arrays.
    pub(in crate::dragon) fn is_canonical(&self) -> bool {
        self.reading.is_canonical() && self.spelling == Spelling::Plain
    }
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The byte order of every number.
    pub order: Order,
    /// The header section.
    pub header: Kept<Header>,
    /// The sections behind it, in the order of the file.
    pub sections: Vec<Kept<Section>>,
    /// Bytes behind the last section.
    pub tail: Blob,
    pub(in crate::dragon) form: Form,
}

impl Document {
    /// A file without sections.
    pub fn new(order: Order) -> Document {
        Document { order, ..Document::default() }
    }

    /// The first section with this name.
    pub fn find(&self, guid: Guid) -> Option<&Kept<Section>> {
        (!guid.is_none()).then(|| self.sections.iter().find(|section| section.guid == guid)).flatten()
    }

    /// All sections by their names; of two with one name the first counts.
    pub fn index(&self) -> Index<'_> {
        let mut by_name = HashMap::with_capacity(self.sections.len());
        for (i, section) in (0..).zip(&self.sections).filter(|(_, section)| !section.guid.is_none()) {
            by_name.entry(section.guid).or_insert(i);
        }
        Index { sections: &self.sections, by_name }
    }

    /// Whether it is in the layout of 2019, in which light type 2 is the sun and animation types are others.
    pub fn is_of_2019(&self) -> bool {
        self.form.is_of_2019()
    }

    /// Whether every byte would go out as it came in.
    pub fn is_as_read(&self) -> bool {
        let Some(header) = self.header.raw().map(|raw| raw.span()) else { return false };
        if self.order != self.form.order {
            return false;
        }
        let mut end = header.end() + self.form.gap.len() as u64;
        let in_place = self.sections.iter().all(|section| {
            let span = section.raw().map(|raw| raw.span()).filter(|span| span.space == header.space);
            let follows = span.is_some_and(|span| span.offset == end);
            end = span.map_or(end, |span| span.end());
            follows
        });
        in_place && self.form.size == end + self.tail.len() as u64
    }

    /// How many sections the header says there are, while nobody has edited it.
    pub(in crate::dragon) fn stored_count(&self) -> Option<u32> {
        self.stored(COUNT_AT)
    }

    /// How large the header says the file is, while nobody has edited it.
    pub(in crate::dragon) fn stored_total_size(&self) -> Option<u32> {
        self.stored(self.form.head)
    }

    fn stored(&self, at: usize) -> Option<u32> {
        let field = self.header.raw()?.get(at, 4)?;
        Bulk::<u32>::view(field, self.form.order).get(0)
    }

    /// The alternative layouts it is in, as ids; none for a canonical file.
    pub fn variants(&self) -> Vec<&'static str> {
        if !self.is_as_read() {
            return Vec::new();
        }
        let mut ids: BTreeSet<&'static str> = self.form.ids().collect();
        for section in &self.sections {
            ids.extend(section.manner.reading.local.ids());
            ids.extend(frame::spelling_id(section, self.order));
        }
        ids.into_iter().collect()
    }
}

/// The sections of a document, by their names.
pub struct Index<'d> {
    sections: &'d [Kept<Section>],
    /// Small numbers: of many sections the map would not stay in a cache. A section takes more than a byte of a file.
    by_name: HashMap<Guid, u32>,
}

impl<'d> Index<'d> {
    /// The section with this name, and where it is among all.
    pub fn get(&self, guid: Guid) -> Option<(usize, &'d Kept<Section>)> {
        self.by_name.get(&guid).map(|at| (*at as usize, &self.sections[*at as usize]))
    }

    /// What the section with this name holds.
    pub fn body(&self, guid: Guid) -> Option<&'d Body> {
        self.get(guid).map(|(_, section)| &section.body)
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        if self.variants().is_empty() { Dialect::Spec.id() } else { Dialect::Variant.id() }
    }

    fn tree(&self) -> Vec<Node> {
        let mut tree = Vec::new();
        let form = &self.form;
        if let Some(raw) = self.header.raw().cloned() {
            let (order, head) = (form.order, form.head);
            tree.push(Node::lazy("header", "Dragon", raw.span(), move || {
                Unit::record(&raw, order, |r| frame::read_header(r, head).map(drop))
            }));
        }
        if !form.gap.is_empty() {
            tree.push(form.gap.node("sections_offset", "bytes"));
        }
        tree.push(Node::list("sections", "Section", self.section_nodes()));
        if !self.tail.is_empty() {
            tree.push(self.tail.node("tail", "unused bytes"));
        }
        tree
    }

    fn forget_raw(&mut self) {
        self.canonicalize();
        self.header.forget_raw();
        self.sections.iter_mut().for_each(Kept::forget_raw);
        self.form = Form { order: self.order, ..Form::default() };
    }

    fn facts(&self, full: bool) -> Facts {
        super::facts::facts(self, full)
    }
}

impl Document {
    pub(in crate::dragon) fn section_nodes(&self) -> Vec<Node> {
        self.sections.iter().enumerate().map(|(i, section)| self.section_node(format!("[{i}]"), section)).collect()
    }

    fn section_node(&self, name: String, section: &Kept<Section>) -> Node {
        let ty = section.kind().map_or("Unknown", Kind::name);
        let Some(raw) = section.raw().cloned() else { return Node::leaf(name, ty, wire::Span::NOWHERE) };
        let (form, manner) = (self.form.clone(), section.manner);
        let kind = section.kind().unwrap_or(Kind::Null);
        let opaque = matches!(section.body, Body::Unknown(_) | Body::Broken(_));
        Node::lazy(name, ty, raw.span(), move || {
            Unit::record(&raw, form.order, |r: &mut Reader<'_>| {
                let head = r.field("meta", |r| frame::read_head(r, form.head))?;
                if opaque {
                    let rest = r.remaining();
                    return r.field("bytes", |r| <Blob as Layout<usize>>::read(r, rest)).map(drop);
                }
                let at = raw.span().offset;
                frame::read_body(r, kind, manner.reading, head.count, form.head, at).map(drop)
            })
        })
    }
}
