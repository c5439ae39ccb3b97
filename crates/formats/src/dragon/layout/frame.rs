//! The chain of sections: which header they have, and where each one is.

use wire::{Blob, Fault, Order, Reader, Span, Value};

use crate::dragon::layout::body::Body;
use crate::dragon::layout::fields::{BodyReader, Pass};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::{Kind, Spelling};
use crate::dragon::layout::words::UpDirection;
use crate::dragon::layout::{Header, Section};
use crate::dragon::variants::reading::{Base, Reading};

/// The first bytes of a little-endian file, and of a big-endian one that starts with the same letters.
pub(in crate::dragon) const MAGIC: [u8; 8] = *b"DRAGON\x1A\n";
/// The first bytes of a big-endian file.
pub(in crate::dragon) const MAGIC_BIG: [u8; 8] = *b"\n\x1ANOGARD";

/// Bytes of a section header.
pub(in crate::dragon) const HEAD: usize = 52;
/// Bytes of a section header of 2019, which has no settings.
pub(in crate::dragon) const HEAD_2019: usize = 36;
/// Bytes of a section header where the document's wrong sum is believed: half a name of settings.
pub(in crate::dragon) const HEAD_44: usize = 44;
/// What the header section has behind its section header: total_size and up_direction.
pub(in crate::dragon) const HEADER_BODY: usize = 5;

/// What a file's framing looks like, beyond what it says. It is no part of the content: all forms are equal.
#[derive(Clone, Debug)]
pub(in crate::dragon) struct Form {
    pub(in crate::dragon) order: Order,
    /// Bytes of a section header.
    pub(in crate::dragon) head: usize,
    /// By how much every size is too small.
    pub(in crate::dragon) bias: usize,
    /// Whether a big-endian file starts with the letters in reading order.
    pub(in crate::dragon) forward_magic: bool,
    /// Bytes between the header section and the first section.
    pub(in crate::dragon) gap: Blob,
    pub(in crate::dragon) base: Base,
    /// Bytes of the whole file.
    pub(in crate::dragon) size: u64,
}

impl Default for Form {
    fn default() -> Form {
        let (order, gap, base) = (Order::Little, Blob::default(), Base::Field);
        Form { order, head: HEAD, bias: 0, forward_magic: false, gap, base, size: 0 }
    }
}

impl PartialEq for Form {
    fn eq(&self, _: &Form) -> bool {
        true
    }
}
impl Eq for Form {}

impl Form {
    pub(in crate::dragon) fn is_of_2019(&self) -> bool {
        self.head == HEAD_2019
    }

    /// The layout that sections without departures of their own are read in.
    pub(in crate::dragon) fn reading(&self) -> Reading {
        Reading { base: self.base, of_2019: self.is_of_2019(), ..Reading::default() }
    }

    /// Whether sections can be copied into a canonical file as they are.
    pub(in crate::dragon) fn is_canonical(&self) -> bool {
        self.head == HEAD && self.bias == 0
    }

    pub(in crate::dragon) fn header_id(&self) -> Option<&'static str> {
        match (self.head, self.bias) {
            (HEAD_2019, _) => Some("V-H36"),
            (HEAD_44, _) => Some("V-H44"),
            (_, 8) => Some("V-S8"),
            _ => None,
        }
    }

    /// The alternatives that concern the whole file.
    pub(in crate::dragon) fn ids(&self) -> impl Iterator<Item = &'static str> {
        let secoff = (!self.gap.is_empty()).then_some("V-SECOFF");
        let forward = self.forward_magic.then_some("V-BEFWD");
        [self.header_id(), secoff, forward, self.base.id()].into_iter().flatten()
    }
}

/// The alternative that a tag's spelling stands for.
pub(in crate::dragon) fn spelling_id(section: &Section, order: Order) -> Option<&'static str> {
    match (section.manner.spelling, section.kind(), order) {
        (Spelling::Plain, ..) => None,
        (Spelling::Of2019, ..) => Some("V-NULL"),
        (Spelling::Reversed, Some(Kind::Morph | Kind::Image), Order::Little) => Some("V-HEX"),
        (Spelling::Reversed, ..) => Some("V-BETAG"),
    }
}

/// What every section begins with.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dragon) struct Head {
    pub(in crate::dragon) magic: [u8; 8],
    pub(in crate::dragon) version: u32,
    pub(in crate::dragon) guid: Guid,
    pub(in crate::dragon) size: u32,
    pub(in crate::dragon) count: u32,
    /// The first eight bytes alone in a header of 44.
    pub(in crate::dragon) settings: Guid,
}

pub(in crate::dragon) fn read_head(r: &mut Reader<'_>, head: usize) -> Result<Head, Fault> {
    let mut found = Head {
        magic: r.field("magic", read_tag)?,
        version: r.field("version", Reader::fixed)?,
        guid: r.field("guid", Reader::fixed)?,
        size: r.field("size", Reader::fixed)?,
        count: r.field("count", Reader::fixed)?,
        settings: Guid::NONE,
    };
    match head {
        HEAD_2019 => {}
        HEAD_44 => {
            let half: [u8; 8] = r.field("settings", Reader::fixed)?;
            found.settings.0[..8].copy_from_slice(&half);
        }
        _ => found.settings = r.field("settings", Reader::fixed)?,
    }
    Ok(found)
}

/// Eight letters.
fn read_tag(r: &mut Reader<'_>) -> Result<[u8; 8], Fault> {
    let bytes = r.take(8)?;
    r.note("tag", || Value::Text(bytes.clone()));
    let mut tag = [0; 8];
    tag.copy_from_slice(&bytes);
    Ok(tag)
}

/// The header section.
pub(in crate::dragon) struct First {
    pub(in crate::dragon) head: Head,
    pub(in crate::dragon) header: Header,
}

pub(in crate::dragon) fn read_header(r: &mut Reader<'_>, head: usize) -> Result<First, Fault> {
    let head = r.field("meta", |r| read_head(r, head))?;
    r.field("total_size", Reader::fixed::<u32>)?;
    let up_direction: UpDirection = r.field("up_direction", Reader::fixed)?;
    let header = Header { version: head.version, guid: head.guid, settings: head.settings, up_direction };
    Ok(First { head, header })
}

/// Reads the body behind a section header, in one layout.
pub(in crate::dragon) fn read_body(
    r: &mut Reader<'_>,
    kind: Kind,
    reading: Reading,
    count: u32,
    head: usize,
    at: u64,
) -> Result<(Body, Pass), Fault> {
    let mut pass = Pass::new(reading, count as usize, head, at);
    let body = Body::read(kind, &mut BodyReader { r, pass: &mut pass })?;
    Ok((body, pass))
}

/// A section of the chain, not yet read.
#[derive(Clone)]
pub(in crate::dragon) struct Link {
    pub(in crate::dragon) head: Head,
    pub(in crate::dragon) raw: Blob,
}

/// Why the chain ends.
pub(in crate::dragon) enum End {
    /// No bytes are left.
    File,
    /// Fewer bytes are left than a section header has.
    Cut(Span),
    /// A section that is smaller than its header: the field that says so, and what it says.
    TooSmall(Span, u32),
    /// A section that reaches behind the end of the file.
    TooLarge(Span, u32),
}

/// The section at `at`.
pub(in crate::dragon) fn link(file: &Blob, at: usize, form: &Form) -> Result<Link, End> {
    let rest = file.slice(at.min(file.len())..);
    if rest.is_empty() {
        return Err(End::File);
    }
    let Ok(head) = read_head(&mut Reader::new(&rest, form.order), form.head) else {
        return Err(End::Cut(rest.span()));
    };
    let size_field = rest.slice(28..32).span();
    let size = head.size as usize + form.bias;
    if size < form.head {
        return Err(End::TooSmall(size_field, head.size));
    }
    match rest.get(0, size) {
        Some(raw) => Ok(Link { head, raw }),
        None => Err(End::TooLarge(size_field, head.size)),
    }
}
