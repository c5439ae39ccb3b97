//! Bytes → document. Nothing in a file names its layout: each is tried, and the first in which everything fits is the
//! one. If there is none, the first that leaves no byte over is taken, and the rules say what does not fit.

mod body;
mod candidate;

use findings::{Error, ErrorKind, Place, Result};
use wire::{Blob, Budget, Kept, Layout, Node, Reader, Unit};

use super::document::{Compression, Document};
use super::form::Kind;
use super::layout::{Header, MAGIC, ORDER};
use super::rules::*;
use super::text::DasString;
use crate::{Document as _, ReadCx, Score};
use body::{Bodies, Failure};
use candidate::{CANDIDATES, Candidate};

/// The first bytes of the format before this one: its name and twelve bytes 00.
const OLD_MAGIC: [u8; 4] = *b"DAS\0";

pub(super) fn probe(file: &Blob) -> Score {
    let is_old = file.starts_with(&OLD_MAGIC) && file.get(4, 12).is_none_or(|rest| rest.iter().all(|b| *b == 0));
    if file.starts_with(&MAGIC) || is_old { Score::SURE } else { Score::NO }
}

pub(super) fn read(file: &Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
    refuse_others(file)?;
    let mut bodies = Bodies::new(file, cx.limits.clone());
    let mut fallback: Option<Document> = None;
    let mut empty: Option<Document> = None;
    let mut failed: Vec<Attempt> = Vec::new();
    for candidate in CANDIDATES {
        let attempt = try_candidate(file, candidate, &mut bodies);
        match attempt {
            Ok(doc) if doc.structures.is_empty() => {
                let likely = evidence(&doc.header, candidate) > Evidence::Against;
                empty = empty.or(likely.then_some(doc));
            }
            Ok(doc) if fits(&doc, candidate) => return Ok(doc),
            Ok(doc) => fallback = fallback.or(Some(doc)),
            Err(Attempt { failure: Failure::Limit(error), .. }) => return Err(error),
            // Other layouts would have to be read just as far.
            Err(attempt) if attempt.is_limit() => return Err(attempt.error(file)),
            Err(attempt) => failed.push(attempt),
        }
    }
    if let Some(doc) = fallback.or(empty) {
        return Ok(doc);
    }
    let evidence = failed.iter().map(|attempt| attempt.evidence).max();
    failed.retain(|attempt| Some(attempt.evidence) == evidence);
    // Of several, the first.
    let best = failed.into_iter().rev().max_by_key(|attempt| attempt.rank(file, &cx.limits));
    Err(match best {
        Some(attempt) => {
            let (candidate, file, limits) = (attempt.candidate, file.clone(), cx.limits.clone());
            let error = astray(&file, candidate, &limits).unwrap_or_else(|| attempt.error(&file));
            error.having_read(move || fields(&file, candidate, &limits))
        }
        None => Error::malformed(&DAS2_004.info, Place::blob("", file), "there is no structure in it"),
    })
}

/// What there is of a file that cannot be read to its end in this layout, if its header can.
fn until_fault(file: &Blob, candidate: &Candidate, limits: &Budget) -> Option<(Document, Blob)> {
    let mut r = Reader::new(file, ORDER);
    let header = Kept::<Header>::read(&mut r, candidate.form).ok()?;
    Some(body::until_fault(header, &r.rest(), candidate, &limits.fork()))
}

/// The fields of a file that cannot be read to its end in this layout.
fn fields(file: &Blob, candidate: &Candidate, limits: &Budget) -> Vec<Node> {
    match until_fault(file, candidate, limits) {
        Some((doc, rest)) => body::fields(&doc, &rest, candidate),
        None => Unit::partial(file, ORDER, |r| r.field("header", |r| Header::read(r, candidate.form))),
    }
}

/// Where a body goes astray: at the target or interpolation of a channel, which say how long it is.
fn astray(file: &Blob, candidate: &Candidate, limits: &Budget) -> Option<Error> {
    let (doc, _) = until_fault(file, candidate, limits)?;
    let (id, (field, value)) = doc.parts().channels.iter().enumerate().find_map(|(id, channel)| {
        let (target, interpolation) = (channel.animation_target, channel.interpolation_type);
        let target = (!target.is_known()).then_some(("animation_target", target.0));
        let interpolation = (!interpolation.is_known()).then_some(("interpolation_type", interpolation.0));
        Some((id, target.or(interpolation)?))
    })?;
    let path = format!("{}[{id}].{field}", doc.list(Kind::ANIMATION_CHANNEL));
    let at = wire::locate(&doc.tree(), &path)?;
    let message = format!("it is {value}, and what follows cannot be read; targets are 1 to 4, interpolations 1 to 3");
    Some(Error::malformed(&DAS2_042.info, Place::bytes(path, at), message))
}

fn refuse_others(file: &Blob) -> Result<()> {
    if file.starts_with(&MAGIC) {
        return Ok(());
    }
    let start = file.slice(..file.len().min(MAGIC.len()));
    if file.starts_with(&OLD_MAGIC) {
        let message = "this is a das file of the first generation, which this version does not read";
        let place = Place::blob("header.magic", &file.slice(..OLD_MAGIC.len()));
        return Err(Error::new(ErrorKind::Unsupported, &DAS2_002.info, place, message));
    }
    let found = findings::render::escape(&String::from_utf8_lossy(&start)).into_owned();
    let message = format!("a das2 file starts with \"das2\" and four bytes 00, this one with \"{found}\"");
    Err(Error::malformed(&DAS2_001.info, Place::blob("header.magic", &start), message))
}

/// What the strings of a header say about its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    /// A hash is wrong.
    Against,
    /// Nothing.
    None,
    /// The hash of a text is right.
    For,
}

fn evidence(header: &Header, candidate: &Candidate) -> Evidence {
    evidence_of(&[&header.author_name, &header.comment], candidate)
}

fn evidence_of(strings: &[&DasString], candidate: &Candidate) -> Evidence {
    if !candidate.form.strings.hashed() {
        Evidence::None
    } else if !strings.iter().all(|string| string.hash_is_right()) {
        Evidence::Against
    } else if strings.iter().all(|string| string.is_empty()) {
        Evidence::None
    } else {
        Evidence::For
    }
}

/// What the first string says, of a header that ends too early.
fn early_evidence(file: &Blob, candidate: &Candidate) -> Evidence {
    let mut r = Reader::new(&file.slice(MAGIC.len()..), ORDER);
    let author = DasString::read(&mut r, candidate.form.strings);
    author.map_or(Evidence::Against, |author| evidence_of(&[&author], candidate))
}

/// A layout in which the file could not be read.
struct Attempt {
    candidate: &'static Candidate,
    evidence: Evidence,
    /// How far the file could be read, in bytes.
    reached: u64,
    failure: Failure,
}

impl Attempt {
    fn rank(&self, file: &Blob, limits: &Budget) -> (bool, u64) {
        let read = until_fault(file, self.candidate, limits);
        let sound = read.is_some_and(|(doc, rest)| doc.parts().seem_sound(rest.span().end() as usize));
        (sound, self.reached)
    }

    fn is_limit(&self) -> bool {
        matches!(&self.failure, Failure::Body(fault) if fault.is_limit())
    }

    fn error(self, file: &Blob) -> Error {
        let help = "a size or count before it is wrong, or the file is cut short";
        match self.failure {
            Failure::Header(fault) => Error::fault(&DAS2_003.info, fault).with_help(help),
            Failure::Unknown { id: 3, at, path } => {
                let message = "a morph target stands outside a mesh";
                Error::malformed(&DAS2_007.info, Place::bytes(path, at), message)
            }
            Failure::Unknown { id, at, path } => {
                let message = format!("there is no structure with the number {id:#04x}");
                Error::malformed(&DAS2_006.info, Place::bytes(path, at), message)
            }
            Failure::Body(fault) => {
                let error = Error::fault(&DAS2_004.info, fault);
                if error.is_limit() { error } else { error.with_help(help) }
            }
            Failure::Packed { at, why } => {
                let start = at.min(file.len());
                let around = file.slice(start..file.len().min(start + 16));
                Error::malformed(&DAS2_005.info, Place::blob("body", &around), why)
            }
            Failure::Limit(error) => error,
        }
    }
}

fn try_candidate(
    file: &Blob,
    candidate: &'static Candidate,
    bodies: &mut Bodies<'_>,
) -> std::result::Result<Document, Attempt> {
    let mut r = Reader::new(file, ORDER);
    let header = Kept::<Header>::read(&mut r, candidate.form).map_err(|fault| Attempt {
        candidate,
        evidence: early_evidence(file, candidate),
        reached: fault.at().offset,
        failure: Failure::Header(fault.inside("header")),
    })?;
    let evidence = evidence(&header, candidate);
    let start = r.position();
    match bodies.read(candidate, start, header.level) {
        Ok(body) => {
            let (form, compression) = (candidate.form, body.compression);
            Ok(Document { form, compression, header, structures: body.structures, stored: body.stored })
        }
        Err((reached, failure)) => Err(Attempt { candidate, evidence, reached: start as u64 + reached, failure }),
    }
}

/// Whether everything is as the layout has it.
fn fits(doc: &Document, candidate: &Candidate) -> bool {
    let parts = doc.parts();
    let one_buffer = doc.form.has_buffer_ids() || parts.buffers.len() == 1;
    one_buffer
        && evidence(&doc.header, candidate) > Evidence::Against
        && (!candidate.form.strings.hashed() || candidate::hashes_are_right(doc))
        && parts.is_sound()
        && (!candidate.split || doc.compression == Compression::Split)
}
