//! Bytes → document: the chain of sections, then the layout that explains them best.

use findings::{Error, Place, Result};
use wire::{Blob, Fault, FaultKind, Kept, Node, Reader, Span, Unit};

use super::rules::*;
use crate::dragon::layout::body::Body;
use crate::dragon::layout::frame::{End, First, Form, HEAD_44, Link, MAGIC, link, read_head, read_header};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::{Document, Section};
use crate::dragon::variants::choose::{Choice, choose};
use crate::dragon::variants::form::{form_of, order_of};
use crate::{ReadCx, Score};

pub(super) fn probe(file: &Blob) -> Score {
    if order_of(file).is_some() { Score::SURE } else { Score::NO }
}

pub(super) fn read(file: &Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
    let Some(mut form) = form_of(file) else {
        let start = file.slice(..file.len().min(MAGIC.len()));
        let found: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
        let message = format!(
            "a DRAGON file starts with 44 52 41 47 4F 4E 1A 0A or the same backwards, this one with {}",
            if found.is_empty() { "nothing".to_owned() } else { found.join(" ") }
        );
        return Err(Error::malformed(&DRG_001.info, Place::blob("header.meta.magic", &start), message));
    };
    let (first, raw) = header(file, &form)?;
    let start = raw.len() + form.gap.len();
    let (links, tail) = chain(file, start, first.head.count as usize, &form, cx)?;
    let (base, choices) = choose(&links, &form);
    form.base = base;
    let mut sections: Vec<Kept<Section>> = Vec::with_capacity(links.len());
    for (i, (link, choice)) in links.into_iter().zip(choices).enumerate() {
        if let Some(fault) = &choice.fault {
            broken(i, fault, choice.body.kind(), cx);
        }
        sections.push(section(link, choice));
    }
    let mut header = first.header;
    if form.head == HEAD_44 {
        complete_settings(&mut header.settings, &mut sections);
    }
    if !tail.is_empty() {
        let message = format!("{} bytes follow the last section", tail.len());
        cx.find(&DRG_010, Place::blob("tail", &tail), message);
    }
    Ok(Document { order: form.order, header: Kept::read_from(header, raw), sections, tail, form })
}

fn header(file: &Blob, form: &Form) -> Result<(First, Blob)> {
    let (cut, of_file) = (file.clone(), form.clone());
    let having_read = |error: Error| error.having_read(move || fields(&cut, &of_file, &[], cut.len()));
    let first = match read_header(&mut Reader::new(file, form.order), form.head) {
        Ok(first) => first,
        Err(fault) => {
            let error = Error::fault(&DRG_006.info, fault.inside("header")).with_help("the file is cut short");
            return Err(having_read(error));
        }
    };
    let size = first.head.size as usize + form.bias;
    let least = form.head + crate::dragon::layout::frame::HEADER_BODY;
    let place = Place::bytes("header.meta.size", file.slice(28..32).span());
    if size < least {
        let message = format!("the header section says it has {} bytes; it has {least}", first.head.size);
        return Err(having_read(Error::malformed(&DRG_005.info, place, message)));
    }
    match file.get(0, size - inside_gap(form, size)) {
        Some(raw) => Ok((first, raw)),
        None => {
            let message = format!("the header section says it has {size} bytes; the file has {}", file.len());
            Err(having_read(Error::malformed(&DRG_006.info, place, message)))
        }
    }
}

/// The bytes before the first section that the header section counts as its own.
fn inside_gap(form: &Form, size: usize) -> usize {
    if form.gap.is_empty() { 0 } else { size - (form.gap.span().offset as usize).min(size) }
}

/// The sections of the chain, and what is left behind them.
fn chain(file: &Blob, start: usize, count: usize, form: &Form, cx: &mut ReadCx<'_>) -> Result<(Vec<Link>, Blob)> {
    let mut links = Vec::new();
    let mut at = start;
    let count_field = || Place::bytes("header.meta.count", file.slice(32..36).span());
    while links.len() < count {
        match link(file, at, form) {
            Ok(link) => {
                at += link.raw.len();
                links.push(link);
            }
            Err(End::File) if links.len() + 1 == count => {
                let message = format!("count is {count} and {} sections follow: it counts the header", links.len());
                cx.find(&DRG_009, count_field(), message);
                break;
            }
            Err(End::File) => {
                cx.find(&DRG_007, count_field(), format!("count is {count}, but {} sections follow", links.len()));
                break;
            }
            Err(end) => {
                let index = links.len();
                let (file, form) = (file.clone(), form.clone());
                let error = chain_error(end, index, &form);
                return Err(error.having_read(move || fields(&file, &form, &links, at)));
            }
        }
    }
    let counted = links.len();
    if let Some(more) = uncounted(file, at, form) {
        links.extend(more);
        let message = format!("count is {counted}, but {} sections follow", links.len());
        cx.find(&DRG_008, count_field(), message);
        at = file.len();
    }
    Ok((links, file.slice(at.min(file.len())..)))
}

/// What there is of a file whose chain breaks at a byte: the sections before it, and the header of the one there.
fn fields(file: &Blob, form: &Form, links: &[Link], at: usize) -> Vec<Node> {
    let (base, choices) = choose(links, form);
    let mut doc = Document { form: Form { base, ..form.clone() }, ..Document::default() };
    doc.sections = links.iter().cloned().zip(choices).map(|(link, choice)| section(link, choice)).collect();
    let head = form.head;
    let header = Unit::partial(file, form.order, |r| r.field("header", |r| read_header(r, head)));
    let gap = (!form.gap.is_empty()).then(|| form.gap.node("sections_offset", "bytes"));
    let mut sections = doc.section_nodes();
    let name = format!("[{}]", links.len());
    let rest = file.slice(at.min(file.len())..);
    sections.extend(Unit::partial(&rest, form.order, |r| {
        r.field(&name, |r| {
            r.note_type("Section");
            r.field("meta", |r| read_head(r, head))
        })
    }));
    let sections = Node::list("sections", "Section", sections);
    header.into_iter().chain(gap).chain([sections]).collect()
}

/// Sections behind the last one that is counted: known ones alone, to the end of the file.
fn uncounted(file: &Blob, mut at: usize, form: &Form) -> Option<Vec<Link>> {
    let mut links = Vec::new();
    while at < file.len() {
        let link = link(file, at, form).ok()?;
        Kind::of(link.head.magic)?;
        at += link.raw.len();
        links.push(link);
    }
    (!links.is_empty()).then_some(links)
}

fn chain_error(end: End, index: usize, form: &Form) -> Error {
    let field = |name: &str| format!("sections[{index}].meta{name}");
    match end {
        End::TooSmall(at, size) => {
            let message = format!("size is {size}; the section header alone has {} bytes", form.head - form.bias);
            Error::malformed(&DRG_005.info, Place::bytes(field(".size"), at), message)
        }
        End::TooLarge(at, size) => {
            let message = format!("size is {size}, which reaches behind the end of the file");
            Error::malformed(&DRG_006.info, Place::bytes(field(".size"), at), message)
        }
        End::Cut(at) => {
            let message = format!("{} bytes are left for a section header of {}", at.size, form.head);
            Error::malformed(&DRG_006.info, Place::bytes(field(""), at), message)
        }
        End::File => {
            let message = "the file ends before its sections";
            Error::malformed(&DRG_006.info, Place::bytes(field(""), Span::file(form.size, 0)), message)
        }
    }
}

fn section(link: Link, choice: Choice) -> Kept<Section> {
    let Link { head, raw } = link;
    let counts = choice.body.count().is_some();
    let section = Section {
        version: head.version,
        guid: head.guid,
        count: if counts { 0 } else { head.count },
        settings: head.settings,
        body: choice.body,
        manner: choice.manner,
    };
    Kept::read_from(section, raw)
}

/// In a header of 44 bytes, the first half of a name stands for all of it.
fn complete_settings(of_file: &mut Guid, sections: &mut [Kept<Section>]) {
    let whole: Vec<Guid> =
        sections.iter().filter(|s| matches!(s.body, Body::Settings(_))).map(|section| section.guid).collect();
    let complete = |half: &Guid| whole.iter().find(|whole| whole.0[..8] == half.0[..8]).copied().unwrap_or(*half);
    *of_file = if of_file.is_none() { Guid::NONE } else { complete(of_file) };
    for section in sections {
        if let Some(raw) = section.raw().cloned().filter(|_| !section.settings.is_none()) {
            let mut value = Section::clone(section);
            value.settings = complete(&value.settings);
            *section = Kept::read_from(value, raw);
        }
    }
}

/// Tells why a section is kept as bytes.
fn broken(index: usize, fault: &Fault, kind: Option<Kind>, cx: &mut ReadCx<'_>) {
    let name = kind.map_or("section", Kind::name);
    // The field is nowhere in the document, which has the bytes instead, but for those of the section header.
    let field = if fault.path() == "meta.count" { fault.path() } else { "bytes" };
    let place = || Place::bytes(Place::path("sections").nth(index).field(field).path, fault.at());
    let message = format!("{name} cannot be read: {} {}", fault.path(), fault.reason());
    match fault.kind() {
        FaultKind::Unterminated => cx.find(&DRG_024, place(), message),
        FaultKind::Value { .. } if ["_offset", "count", "_size"].iter().any(|end| fault.path().ends_with(end)) => {
            cx.find(&DRG_020, place(), message)
        }
        FaultKind::Value { .. } if fault.path().ends_with("rotation_type") => cx.find(&DRG_028, place(), message),
        _ => cx.find(&DRG_032, place(), message),
    }
}
