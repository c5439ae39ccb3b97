//! Document → bytes. An unedited file goes out as it came; otherwise everything is written canonically, and
//! unedited canonical sections are copied.

use findings::{Error, ErrorKind, Place, Result};
use wire::{Fault, FaultKind, Order, Sink, Writer};

use super::rules::*;
use crate::dragon::layout::frame::{HEAD, HEADER_BODY, MAGIC, MAGIC_BIG};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::{Document, Section};

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    if doc.is_as_read() {
        doc.header.raw().into_iter().for_each(|raw| out.blob(raw));
        out.blob(&doc.form.gap);
        doc.sections.iter().filter_map(|section| section.raw()).for_each(|raw| out.blob(raw));
        out.blob(&doc.tail);
        return Ok(());
    }
    let verbatim = doc.form.is_canonical() && doc.order == doc.form.order;
    let canonical = doc.canonicalized();
    let mut body = Sink::default();
    for (i, section) in canonical.sections.iter().enumerate() {
        match section.raw().filter(|_| verbatim && section.manner.is_canonical()) {
            Some(raw) => body.blob(raw),
            None => {
                let path = || Place::path("sections").nth(i);
                write_section(section, doc.order, &mut body).map_err(|fault| error(fault, &path().path))?;
            }
        }
    }
    body.blob(&doc.tail);
    let first = (HEAD + HEADER_BODY) as u64;
    let total = first + body.size();
    let (Ok(total), Ok(count)) = (u32::try_from(total), u32::try_from(canonical.sections.len())) else {
        let message = format!("the file would have {total} bytes; sizes must stay below 2^32");
        return Err(Error::new(ErrorKind::Unrepresentable, &DRG_058.info, Place::path("sections"), message));
    };
    let magic = if doc.order == Order::Little { MAGIC } else { MAGIC_BIG };
    let header = &canonical.header;
    let mut w = Writer::new(out, doc.order);
    write_head(&mut w, magic, header.version, header.guid, first as u32, count, header.settings);
    w.fixed(total);
    w.fixed(header.up_direction);
    out.append(body);
    Ok(())
}

fn write_section(section: &Section, order: Order, out: &mut Sink) -> Result<(), Fault> {
    let mut body = Sink::default();
    section.body.write(&mut Writer::new(&mut body, order))?;
    let small = |value: u64, field: &str| {
        let too_long = FaultKind::TooLong { value, max: u32::MAX.into() };
        u32::try_from(value).map_err(|_| Fault::new(too_long, wire::Span::NOWHERE).inside(field))
    };
    let size = small(HEAD as u64 + body.size(), "size")?;
    let count = match section.body.count() {
        Some(count) => small(count as u64, "count")?,
        None => section.count,
    };
    let mut w = Writer::new(out, order);
    write_head(&mut w, section.body.tag(), section.version, section.guid, size, count, section.settings);
    out.append(body);
    Ok(())
}

fn write_head(w: &mut Writer<'_>, magic: [u8; 8], version: u32, guid: Guid, size: u32, count: u32, settings: Guid) {
    w.fixed(magic);
    w.fixed(version);
    w.fixed(guid);
    w.fixed(size);
    w.fixed(count);
    w.fixed(settings);
}

fn error(fault: Fault, section: &str) -> Error {
    let fault = fault.inside(section);
    match fault.kind() {
        FaultKind::TooLong { .. } => Error::fault(&DRG_058.info, fault),
        _ => Error::fault(&DRG_059.info, fault),
    }
}
