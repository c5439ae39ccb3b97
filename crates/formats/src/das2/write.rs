//! Document → bytes. A compressed body whose content nobody changed goes out as it came in.

use findings::{Error, ErrorKind, Place, Result};
use wire::{Blob, Fault, FaultKind, Kept, Layout, Sink, Writer};

use super::codec;
use super::document::{Compression, Document};
use super::form::Kind;
use super::layout::ORDER;
use super::rules::*;
use super::structure::Structure;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    let level = doc.header.level;
    match doc.compression {
        Compression::None => {
            header(doc, out)?;
            body(doc, out, |_| true)
        }
        Compression::Zlib => whole(doc, out, |body| codec::deflate_zlib(body, zlib_level(level))),
        Compression::Zstd => whole(doc, out, |body| codec::deflate_zstd(body, zstd_level(level))),
        Compression::Split | Compression::Tail => {
            header(doc, out)?;
            body(doc, out, |kind| !doc.in_frames(kind))?;
            let mut inside = Sink::default();
            body(doc, &mut inside, |kind| doc.in_frames(kind))?;
            out.blob(&packed(doc, &inside, |body| codec::deflate_zstd(body, zstd_level(level)))?);
            Ok(())
        }
    }
}

fn header(doc: &Document, out: &mut Sink) -> Result<()> {
    let header = doc.header.write(&mut Writer::new(out, ORDER), doc.form);
    header.map_err(|fault| error(fault.inside("header")))
}

/// A header and a body that is compressed as a whole; not at all, where nobody would dare to inflate it.
fn whole(doc: &Document, out: &mut Sink, deflate: impl Fn(&Sink) -> std::io::Result<Vec<u8>>) -> Result<()> {
    let mut inside = Sink::default();
    body(doc, &mut inside, |_| true)?;
    let packed = packed(doc, &inside, deflate)?;
    let kept = doc.stored.as_ref().is_some_and(|stored| stored.packed.as_ptr() == packed.as_ptr());
    if kept || codec::is_expected(inside.size(), packed.len()) {
        header(doc, out)?;
        out.blob(&packed);
        return Ok(());
    }
    let mut plain = doc.clone();
    plain.set_level(0);
    write(&plain, out)
}

/// What a body is compressed with where its header names no level that could have been used.
pub(super) const DEFAULT_LEVEL: u8 = 6;

fn zlib_level(level: u8) -> u8 {
    if (1..=9).contains(&level) { level } else { DEFAULT_LEVEL }
}

fn zstd_level(level: u8) -> u8 {
    match level {
        1..=22 => level,
        // What the library means by it.
        255 => 1,
        _ => DEFAULT_LEVEL,
    }
}

fn body(doc: &Document, out: &mut Sink, wanted: impl Fn(Kind) -> bool) -> Result<()> {
    let mut w = Writer::new(out, ORDER);
    let mut seen = [0_usize; 16];
    for structure in &doc.structures {
        let kind = structure.kind();
        let id = &mut seen[usize::from(kind.0 & 15)];
        if wanted(kind) {
            let written = Kept::<Structure>::write(structure, &mut w, (doc.form, kind));
            written.map_err(|fault| error(fault.inside(&format!("{}[{id}]", doc.list(kind)))))?;
        }
        *id += 1;
    }
    Ok(())
}

fn packed(doc: &Document, inside: &Sink, deflate: impl Fn(&Sink) -> std::io::Result<Vec<u8>>) -> Result<Blob> {
    match &doc.stored {
        Some(stored) if holds(inside, &stored.inflated) => Ok(stored.packed.clone()),
        _ => match deflate(inside) {
            Ok(packed) => Ok(Blob::memory(packed)),
            Err(error) => Err(Error::io("the body cannot be compressed", error)),
        },
    }
}

fn holds(sink: &Sink, bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let same = sink.parts().all(|part| match rest.split_at_checked(part.len()) {
        // What is unchanged is the very same bytes.
        Some((head, tail)) if head.as_ptr() == part.as_ptr() || head == part => {
            rest = tail;
            true
        }
        _ => false,
    });
    same && rest.is_empty()
}

fn error(fault: Fault) -> Error {
    match fault.kind() {
        FaultKind::TooLong { .. } if fault.path().ends_with(".length") && !fault.path().ends_with("].length") => {
            Error::fault(&DAS2_051.info, fault)
        }
        FaultKind::TooLong { .. } => Error::fault(&DAS2_052.info, fault),
        _ => Error::new(ErrorKind::Unrepresentable, &DAS2_052.info, Place::path(fault.path()), fault.reason()),
    }
}
