//! The body: what its bytes hold, and the structures in them.

use findings::{Error, Place};
use wire::{Blob, Budget, Fault, Kept, Layout, Limit, Limits, Node, Reader, Span, Unit};

use super::super::codec::{self, Inflated, Trouble};
use super::super::document::{Compression, Document, Stored};
use super::super::form::{Form, Kind, Revision};
use super::super::layout::{Header, ORDER};
use super::super::structure::Structure;
use super::super::tree::tree_with;
use super::candidate::Candidate;

/// Why a file cannot be read in a layout.
pub(super) enum Failure {
    Header(Fault),
    Unknown {
        id: u8,
        at: Span,
        path: String,
    },
    Body(Fault),
    /// Compressed bytes that are damaged from this byte of the file on.
    Packed {
        at: usize,
        why: String,
    },
    Limit(Error),
}

/// A body that could be read.
pub(super) struct Body {
    pub(super) compression: Compression,
    pub(super) structures: Vec<Kept<Structure>>,
    pub(super) stored: Option<Stored>,
}

/// How far it was read, and why no further.
type Stopped = (u64, Failure);

/// The body as it begins behind each header that was tried. Inflating is done once per place.
pub(super) struct Bodies<'a> {
    file: &'a Blob,
    limits: Budget,
    inflated: Vec<(usize, Option<Inflation>)>,
}

/// What is behind a place that begins like something compressed.
type Inflation = Result<(Compression, Stored), Trouble>;

impl<'a> Bodies<'a> {
    pub(super) fn new(file: &'a Blob, limits: Budget) -> Bodies<'a> {
        Bodies { file, limits, inflated: Vec::new() }
    }

    /// Reads the body that begins at `start`.
    pub(super) fn read(&mut self, candidate: &Candidate, start: usize, level: u8) -> Result<Body, Stopped> {
        // What another layout made is gone.
        let (file, limits) = (self.file, &self.limits.fork());
        let packed = file.slice(start..);
        match self.inflate(start) {
            Some(Ok((compression, stored))) if !candidate.split => {
                let structures = whole(&stored.inflated, candidate.form, limits)?;
                Ok(Body { compression: *compression, structures, stored: Some(stored.clone()) })
            }
            Some(Err(Trouble::TooLarge { limit })) => Err((0, Failure::Limit(too_large(&packed, *limit, limits)))),
            Some(Err(Trouble::Damaged { at, why })) if codec::is_zstd(&packed) => {
                Err((u64::MAX / 2, Failure::Packed { at: start + at, why: why.clone() }))
            }
            Some(Err(Trouble::Damaged { at, why })) => {
                // One raw body in 500 begins like a zlib stream.
                let failure = Failure::Packed { at: start + at, why: why.clone() };
                raw(&packed, candidate, limits).map_err(|(reached, raw)| match level {
                    0 => (reached, raw),
                    _ => (reached.max(*at as u64), failure),
                })
            }
            _ => raw(&packed, candidate, limits),
        }
    }

    fn inflate(&mut self, start: usize) -> Option<&Inflation> {
        let known = self.inflated.iter().position(|(at, _)| *at == start);
        let known = known.unwrap_or_else(|| {
            let packed = self.file.slice(start..);
            let inflated = inflate(&packed, &self.limits);
            if let Some(Ok((_, stored))) = &inflated {
                // It was inflated into the room that there is.
                _ = self.limits.charge(stored.inflated.len() as u64);
            }
            self.inflated.push((start, inflated));
            self.inflated.len() - 1
        });
        self.inflated[known].1.as_ref()
    }
}

fn inflate(packed: &Blob, budget: &Budget) -> Option<Inflation> {
    let limits = &within(budget);
    if codec::is_zstd(packed) {
        Some(codec::inflate_zstd(packed, limits).map(|inflated| (Compression::Zstd, stored(packed, inflated))))
    } else if codec::is_zlib(packed) {
        Some(codec::inflate_zlib(packed, limits).map(|inflated| (Compression::Zlib, stored(packed, inflated))))
    } else {
        None
    }
}

fn stored(packed: &Blob, inflated: Inflated) -> Stored {
    let empty_frame = inflated.empty_frame.map(|frame| packed.slice(frame).span());
    Stored { packed: packed.clone(), inflated: Blob::inflated(inflated.bytes), empty_frame }
}

/// The limits of a body: it takes no more than the run may still make.
fn within(budget: &Budget) -> Limits {
    Limits { max_inflate: budget.max_inflate.min(budget.room()), ..**budget }
}

fn too_large(packed: &Blob, limit: u64, budget: &Budget) -> Error {
    let message = format!("{} compressed bytes hold more than {limit}, which is as much as they may", packed.len());
    let place = Place::blob("body", &packed.slice(..packed.len().min(16)));
    let flag = if budget.room() <= limit { Limit::Memory } else { Limit::Inflate };
    Error::beyond(flag, place, message)
}

fn raw(bytes: &Blob, candidate: &Candidate, limits: &Budget) -> Result<Body, Stopped> {
    let form = candidate.form;
    let (mut structures, used) = structures(bytes, form, candidate.split, limits)?;
    if used == bytes.len() {
        if candidate.split {
            return Err((0, Failure::Body(Fault::value(bytes.span(), "zstd frames", "none").inside("body"))));
        }
        return Ok(Body { compression: Compression::None, structures, stored: None });
    }
    let packed = bytes.slice(used..);
    let stored = match codec::inflate_zstd(&packed, &within(limits)) {
        Ok(inflated) => stored(&packed, inflated),
        Err(Trouble::TooLarge { limit }) => {
            return Err((used as u64, Failure::Limit(too_large(&packed, limit, limits))));
        }
        Err(Trouble::Damaged { at, why }) => {
            let at = packed.span().offset as usize + at;
            return Err((used as u64, Failure::Packed { at, why }));
        }
    };
    let compression = if candidate.split { Compression::Split } else { Compression::Tail };
    if candidate.split {
        let buffers = whole(&stored.inflated, form, limits).map_err(|(_, failure)| (used as u64, failure))?;
        if let Some(other) = buffers.iter().find(|structure| structure.kind() != Kind::BUFFER) {
            let found = other.kind().word().unwrap_or_default();
            let fault = Fault::value(other.at().unwrap_or_default(), "a buffer", found);
            return Err((used as u64, Failure::Body(fault.inside("body.frames"))));
        }
        structures.extend(buffers);
    } else if !stored.inflated.is_empty() {
        let fault = Fault::value(packed.span(), "frames with nothing in them", stored.inflated.len().to_string());
        return Err((used as u64, Failure::Body(fault.inside("body.frames"))));
    }
    Ok(Body { compression, structures, stored: Some(stored) })
}

/// The structures that fill all of `bytes`.
fn whole(bytes: &Blob, form: Form, limits: &Budget) -> Result<Vec<Kept<Structure>>, Stopped> {
    let (structures, used) = structures(bytes, form, false, limits)?;
    if used < bytes.len() {
        let at = bytes.slice(used..used + 1).span();
        return Err((used as u64, Failure::Unknown { id: bytes[used], at, path: "body".to_owned() }));
    }
    Ok(structures)
}

/// The structures that `bytes` begin with, up to their end or, in older layouts, up to zstd frames.
fn structures(
    bytes: &Blob,
    form: Form,
    split: bool,
    limits: &Budget,
) -> Result<(Vec<Kept<Structure>>, usize), Stopped> {
    let mut structures = Vec::new();
    let used = read_structures(bytes, form, split, limits, &mut structures)?;
    Ok((structures, used))
}

/// Reads structures behind each other; those before one that cannot be read are there too.
fn read_structures(
    bytes: &Blob,
    form: Form,
    split: bool,
    limits: &Budget,
    structures: &mut Vec<Kept<Structure>>,
) -> Result<usize, Stopped> {
    let older = matches!(form.revision, Revision::V2 | Revision::V3);
    let mut r = Reader::new(bytes, ORDER).within(limits);
    let mut seen = [0_usize; 16];
    while let Some(&id) = bytes.as_ref().get(r.position()) {
        let start = r.position();
        if older && start > 0 && codec::is_zstd(&bytes[start..]) {
            break;
        }
        let buffer_seen = split || seen[usize::from(Kind::BUFFER.0)] > 0;
        let Some(kind) = form.kind_of(id, buffer_seen) else {
            let failure = Failure::Unknown { id, at: r.here(1), path: "body".to_owned() };
            return Err((start as u64, failure));
        };
        let count = &mut seen[usize::from(kind.0 & 15)];
        let structure = Kept::<Structure>::read(&mut r, (form, kind)).map_err(|fault| {
            let reached = fault.at().offset.saturating_sub(bytes.span().offset);
            (reached, Failure::Body(fault.inside(&format!("body.{}[{count}]", kind.list()))))
        })?;
        *count += 1;
        let charged = r.charge::<Kept<Structure>>(1);
        charged.map_err(|fault| (start as u64, Failure::Body(fault.inside("body"))))?;
        structures.push(structure);
    }
    Ok(r.position())
}

/// What there is of a body that cannot be read: the structures before the fault, and the bytes from it on.
pub(super) fn until_fault(
    header: Kept<Header>,
    packed: &Blob,
    candidate: &Candidate,
    limits: &Budget,
) -> (Document, Blob) {
    let form = candidate.form;
    let (compression, stored) = match inflate(packed, limits) {
        Some(Ok((compression, stored))) if !candidate.split => (compression, Some(stored)),
        _ => (Compression::None, None),
    };
    let bytes = stored.as_ref().map_or(packed, |stored| &stored.inflated).clone();
    let mut structures = Vec::new();
    _ = read_structures(&bytes, form, candidate.split, limits, &mut structures);
    let used: usize = structures.iter().filter_map(|structure| structure.raw()).map(|raw| raw.len()).sum();
    (Document { form, compression, header, structures, stored }, bytes.slice(used..))
}

/// The fields of a body that cannot be read, and of the structure that begins with `rest`.
pub(super) fn fields(doc: &Document, rest: &Blob, candidate: &Candidate) -> Vec<Node> {
    let form = doc.form;
    let has_buffer = candidate.split || !doc.parts().buffers.is_empty();
    let kind = rest.first().and_then(|&id| form.kind_of(id, has_buffer));
    let cut = kind.map(|kind| {
        let id = doc.structures.iter().filter(|structure| structure.kind() == kind).count();
        (kind, Unit::partial(rest, ORDER, |r| r.field(&format!("[{id}]"), |r| Structure::read(r, (form, kind)))))
    });
    tree_with(doc, cut)
}
