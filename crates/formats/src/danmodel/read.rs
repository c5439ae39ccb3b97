//! Bytes → document: both layouts are tried, and the one that fits better is taken.

use findings::{Error, Place, Result};
use wire::{Blob, Fault, FaultKind, Kept, Layout, Node, Reader, Span, Unit};

use super::dialect::Dialect;
use super::layout::{Document, Header, MAGIC, ORDER, Piece};
use super::rules::*;
use crate::{ReadCx, Score};

/// Length and text of the magic string.
const MAGIC_SIZE: usize = 2 + MAGIC.len();

fn has_magic(file: &[u8]) -> bool {
    file.len() >= MAGIC_SIZE && file[..2] == [0, MAGIC.len() as u8] && &file[2..MAGIC_SIZE] == MAGIC.as_bytes()
}

pub(super) fn probe(file: &Blob) -> Score {
    if has_magic(file) { Score::SURE } else { Score::NO }
}

pub(super) fn read(file: &Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
    if !has_magic(file) {
        let start = file.slice(..file.len().min(MAGIC_SIZE));
        let found = findings::render::escape(&String::from_utf8_lossy(&start)).into_owned();
        let message = format!("a DanModel starts with the string \"{MAGIC}\", this file with \"{found}\"");
        return Err(Error::malformed(&DAN_001.info, Place::blob("header.magic", &start), message));
    }
    let spec = attempt(file, Dialect::Spec);
    let engine = attempt(file, Dialect::Engine);
    let best = match (&spec, &engine) {
        (Ok(a), Ok(b)) if rank(a) > rank(b) => spec,
        (Ok(a), Ok(b)) if rank(a) < rank(b) => engine,
        (Ok(doc), Ok(_)) => {
            let place = Place::path("header.model_length");
            cx.find(&DAN_011, place, "this file reads the same way with and without a danmaku alpha");
            if looks_like_a_length(doc) { spec } else { engine }
        }
        (Ok(_), Err(_)) => spec,
        (Err(_), Ok(_)) => engine,
        (Err(early), Err(_)) => {
            if early.length_like {
                spec
            } else {
                engine
            }
        }
    };
    let doc = best.map_err(|failed| failed.error)?;
    if !doc.slack.is_empty() {
        let message = format!("{} bytes follow the last piece inside model_length", doc.slack.len());
        cx.find(&DAN_009, Place::blob("slack", &doc.slack), message);
    }
    if !doc.tail.is_empty() {
        let message = format!("{} bytes follow the model", doc.tail.len());
        cx.find(&DAN_010, Place::blob("tail", &doc.tail), message);
    }
    Ok(doc)
}

/// All pieces fit in both; better is to end at the end of the file, then to leave no slack.
fn rank(doc: &Document) -> (bool, bool) {
    (doc.tail.is_empty(), doc.slack.is_empty())
}

/// Whether a number is a plausible length rather than a plausible alpha: as a float it would be positive and below
/// 5e-10.
fn is_length(number: i32) -> bool {
    (1..=0x2FFF_FFFF).contains(&number)
}

/// Whether the number behind the piece count looks like a length.
fn looks_like_a_length(spec: &Document) -> bool {
    is_length(spec.header.model_length)
}

/// Why a layout does not fit.
struct Failed {
    error: Error,
    /// Whether the number behind the piece count looks like a length.
    length_like: bool,
}

fn attempt(file: &Blob, dialect: Dialect) -> Result<Document, Box<Failed>> {
    let mut length_like = false;
    read_as(file, dialect, &mut length_like).map_err(|error| {
        let file = file.clone();
        Box::new(Failed { error: error.having_read(move || fields(&file, dialect)), length_like })
    })
}

/// The fields of a file that cannot be read to its end. One that is cut short has the first of its pieces.
fn fields(file: &Blob, dialect: Dialect) -> Vec<Node> {
    Unit::partial(file, ORDER, |r| {
        let header = r.field("header", |r| Kept::<Header>::read(r, dialect))?;
        r.end_after(usize::try_from(header.model_length).unwrap_or(usize::MAX));
        let piece_count = usize::try_from(header.piece_count).unwrap_or(0);
        r.field("pieces", |r| r.many::<Kept<Piece>, ()>(piece_count, ()))
    })
}

fn read_as(file: &Blob, dialect: Dialect, length_like: &mut bool) -> Result<Document> {
    let mut r = Reader::new(file, ORDER);
    let header = Kept::<Header>::read(&mut r, dialect).map_err(|fault| header_error(fault.inside("header")))?;
    *length_like = is_length(header.model_length);
    let at = |field: &str| Place::bytes(format!("header.{field}"), field_of(&header, dialect, field));
    if header.version != 1 {
        let message = format!("version is {}; the only one there is is 1", header.version);
        return Err(Error::malformed(&DAN_002.info, at("version"), message));
    }
    let Ok(piece_count) = usize::try_from(header.piece_count) else {
        let message = format!("piece_count is negative: {}", header.piece_count);
        return Err(Error::malformed(&DAN_006.info, at("piece_count"), message));
    };
    let behind_header = r.rest();
    let model = match usize::try_from(header.model_length) {
        Ok(length) if length <= r.remaining() => r.take(length).map_err(header_error)?,
        Ok(length) => {
            let message = format!("model_length is {length}, but {} bytes remain", r.remaining());
            return Err(Error::malformed(&DAN_007.info, at("model_length"), message));
        }
        Err(_) => {
            let message = format!("model_length is negative: {}", header.model_length);
            return Err(Error::malformed(&DAN_007.info, at("model_length"), message));
        }
    };
    let mut inside = Reader::new(&model, ORDER);
    let counted = (piece_count, "header.piece_count");
    let pieces = inside.many(counted, ()).map_err(|fault| {
        // With the rest of the file, the pieces may be whole.
        let mut rest = Reader::new(&behind_header, ORDER);
        if rest.many::<Kept<Piece>, ()>(counted, ()).is_ok() && rest.remaining() == 0 {
            let message = format!("model_length is {}, but the pieces take {}", header.model_length, rest.position());
            return Error::malformed(&DAN_007.info, at("model_length"), message);
        }
        piece_error(fault.inside("pieces"))
    })?;
    Ok(Document { dialect, header, pieces, slack: inside.rest(), tail: r.rest() })
}

fn field_of(header: &Kept<Header>, dialect: Dialect, field: &str) -> Span {
    let tree = [header.node("header", ORDER, dialect)];
    wire::locate(&tree, &format!("header.{field}")).unwrap_or_default()
}

fn header_error(fault: Fault) -> Error {
    let in_string = [".magic", ".name", ".description", ".author"].iter().any(|name| fault.path().contains(name));
    let cut_field = fault.path().ends_with("_length") && fault.is_truncated();
    if in_string && !cut_field {
        Error::fault(&DAN_004.info, fault)
    } else {
        Error::fault(&DAN_003.info, fault).with_help("the file is cut short")
    }
}

fn piece_error(fault: Fault) -> Error {
    let help = match fault.kind() {
        FaultKind::Negative(_) => return Error::fault(&DAN_006.info, fault),
        _ if fault.path() == "pieces" => "piece_count or model_length is wrong",
        _ => "the piece's vertex_count or danmaku_colored is wrong, or the file is cut short",
    };
    Error::fault(&DAN_008.info, fault).with_help(help)
}

const _: () = assert!(<Piece as Layout>::MIN_SIZE == 9);
