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
    let header = doc.header.write(&mut Writer::new(out, ORDER), doc.form);
    header.map_err(|fault| error(fault.inside("header")))?;
    match doc.compression {
        Compression::None => body(doc, out, |_| true),
        Compression::Zlib => packed(doc, out, |_| true, |body| codec::deflate_zlib(body, zlib_level(doc.header.level))),
        Compression::Zstd => packed(doc, out, |_| true, |body| codec::deflate_zstd(body, zstd_level(doc.header.level))),
        Compression::Split => {
            body(doc, out, |kind| !doc.in_frames(kind))?;
            let deflate = |body: &Sink| codec::deflate_zstd(body, zstd_level(doc.header.level));
            packed(doc, out, |kind| doc.in_frames(kind), deflate)
        }
    }
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

fn packed(
    doc: &Document,
    out: &mut Sink,
    wanted: impl Fn(Kind) -> bool,
    deflate: impl Fn(&Sink) -> std::io::Result<Vec<u8>>,
) -> Result<()> {
    let mut inside = Sink::default();
    body(doc, &mut inside, wanted)?;
    match &doc.stored {
        Some(stored) if holds(&inside, &stored.inflated) => out.blob(&stored.packed),
        _ => {
            let packed = deflate(&inside).map_err(|error| Error::io("the body cannot be compressed", error))?;
            out.blob(&Blob::memory(packed));
        }
    }
    Ok(())
}

fn holds(sink: &Sink, bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let same = sink.parts().all(|part| match rest.split_at_checked(part.len()) {
        // What nobody changed is the very same bytes.
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
