//! Bytes → document: the chain of chunks.

use findings::{Error, Place, Result};
use wire::{Blob, Kept, Layout, Node, Reader, Span, Unit};

use super::dml::is_space;
use super::layout::{CHUNK_HEADER, Chunk, ChunkKind, Data, Document, ENTITY_SIZE, Form, Language, ORDER};
use super::rules::*;
use crate::{Hint, ReadCx, Score};

/// HEADER and the id -1: the only bytes every file has in common.
const START: [u8; 6] = [0, 0, 0xFF, 0xFF, 0xFF, 0xFF];

/// How sure the content makes it that a file holds chunks with texts of this language.
pub(crate) fn probe(file: &Blob, hint: &Hint, language: Language) -> Score {
    let extension = match language {
        Language::Dml => "dgl2",
        Language::Json => "dgl",
    };
    let named = hint.extension.as_deref().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    let chain = walk(file);
    if !file.starts_with(&START) {
        // A header with another id is a fault to report, if the rest and the name of the file leave no doubt.
        let looks_right = file.starts_with(&START[..2]) && chain.ends_well && chain.has_end;
        return if named && looks_right && chain.fits(language) { Score::MAYBE } else { Score::NO };
    }
    match (chain.ends_well, chain.fits(language)) {
        (_, false) => Score::NO,
        // Recognised, so that the reader can say where it breaks.
        (false, true) if language == Language::Dml || chain.language.is_some() || named => Score::MAYBE,
        (false, true) => Score::NO,
        (true, true) => Score::LIKELY,
    }
}

/// What the chunk headers say, without looking at more than the start of each text.
struct Chain {
    /// Whether it reaches END or the end of the file.
    ends_well: bool,
    has_end: bool,
    /// The language of the first text that shows one.
    language: Option<Language>,
}

impl Chain {
    fn fits(&self, language: Language) -> bool {
        self.language.is_none_or(|found| found == language)
    }
}

fn walk(file: &[u8]) -> Chain {
    let mut chain = Chain { ends_well: false, has_end: false, language: None };
    let mut rest = file;
    while let Some((header, behind)) = rest.split_at_checked(CHUNK_HEADER) {
        let number = |at: usize, size: usize| {
            header[at..at + size].iter().rev().fold(0_usize, |number, &byte| number << 8 | usize::from(byte))
        };
        let (kind, name_size, data_size) = (number(0, 2), number(6, 2), number(8, 4));
        let Some((chunk, next)) = behind.split_at_checked(name_size + data_size) else { return chain };
        rest = next;
        if chain.language.is_none() {
            chain.language = language_of(ChunkKind(kind as u16), &chunk[name_size..]);
        }
        if kind == usize::from(ChunkKind::END.0) {
            chain.has_end = true;
            rest = &[];
        }
    }
    chain.ends_well = !file.is_empty() && rest.is_empty();
    chain
}

/// The language of the text in a chunk, if it shows one: JSON begins with a brace and a quote.
fn language_of(kind: ChunkKind, data: &[u8]) -> Option<Language> {
    let text = match kind {
        ChunkKind::MATERIAL if Form::of(data) == Form::Engine => announced(data, 0)?,
        ChunkKind::MATERIAL => data,
        ChunkKind::ENTITY => announced(data, ENTITY_SIZE - 4)?,
        _ => return None,
    };
    let mut words = text.iter().filter(|&&byte| !is_space(byte));
    match (words.next()?, words.next()) {
        (b'{', Some(b'"')) => Some(Language::Json),
        (b'{', None | Some(b'}')) => None,
        _ => Some(Language::Dml),
    }
}

/// The text behind the length at an offset, or all there is if that is less.
fn announced(data: &[u8], at: usize) -> Option<&[u8]> {
    let (size, text) = data.get(at..)?.split_first_chunk::<4>()?;
    Some(&text[..text.len().min(u32::from_le_bytes(*size) as usize)])
}

pub(crate) fn read(file: &Blob, language: Language, cx: &mut ReadCx<'_>) -> Result<Document> {
    let mut doc = Document { language, ..Document::default() };
    match read_chunks(file, &mut doc, cx) {
        Ok(()) => Ok(doc),
        Err(error) => {
            let file = file.clone();
            let error = if error.is_limit() { error } else { astray(&doc, &file).unwrap_or(error) };
            Err(error.having_read(move || fields(&doc, &file)))
        }
    }
}

/// Where a chain that breaks went astray: at the size of the chunk before the first one that is none.
fn astray(doc: &Document, file: &Blob) -> Option<Error> {
    let is_odd = |kind: ChunkKind| kind.word().is_none() || kind == ChunkKind::HEADER;
    let first = doc.chunks.iter().skip(1).position(|chunk| is_odd(chunk.kind)).map(|odd| odd + 1);
    let last = doc.chunks.len().checked_sub(1)?;
    let before = first.map_or(last, |odd| odd - 1);
    let chunk = &doc.chunks[before];
    let at = chunk.raw()?.span();
    let next = file.get(at.end() as usize, 2).map(|kind| ChunkKind(u16::from_le_bytes([kind[0], kind[1]])));
    let size = chunk.data.size();
    let contradicts = match &chunk.data {
        Data::Trimesh(mesh) => mesh.slack.is_some() || mesh.triangles.is_empty(),
        Data::Material(material) => {
            material.slack.is_some() || material.text_size.is_some_and(|size| size as usize > material.text.len())
        }
        Data::Entity(entity) => entity.slack.is_some(),
        Data::Bytes(_) => chunk.kind == ChunkKind::ENTITY,
    };
    if !contradicts && !next.is_some_and(is_odd) {
        return None;
    }
    let place = Place::bytes(format!("chunks[{before}].data_size"), Span { offset: at.offset + 8, size: 4, ..at });
    let message = format!("data_size is {size}, and no chunk begins behind so many bytes");
    Some(Error::malformed(&DGL2_002.info, place, message).with_help("the size is wrong, or the file is damaged"))
}

/// The chunks that were read, and what there is of the one behind them.
fn fields(doc: &Document, file: &Blob) -> Vec<Node> {
    let mut chunks: Vec<Node> = doc.chunk_nodes().collect();
    let end = chunks.last().map_or(0, |chunk| chunk.span.end() as usize);
    let rest = file.slice(end.min(file.len())..);
    let cut = Unit::partial(&rest, ORDER, |r| r.field(&format!("[{}]", chunks.len()), |r| Chunk::read(r, ())));
    chunks.extend(cut);
    vec![Node::list("chunks", "Chunk", chunks)]
}

fn read_chunks(file: &Blob, doc: &mut Document, cx: &ReadCx<'_>) -> Result<()> {
    let mut r = Reader::new(file, ORDER).within(&cx.limits);
    loop {
        let index = doc.chunks.len();
        if index > 0 && r.remaining() == 0 {
            break;
        }
        if index as u64 == cx.limits.max_elements {
            return Err(Error::limit(
                Place::bytes(format!("chunks[{index}]"), r.here(0)),
                format!("more than {index} chunks"),
            ));
        }
        check_sizes(&r, index)?;
        let chunk = Kept::<Chunk>::read(&mut r, ());
        let chunk = chunk.map_err(|fault| Error::fault(&DGL2_002.info, fault.nth(index).inside("chunks")))?;
        if index == 0 && chunk.kind != ChunkKind::HEADER {
            let at = Span { size: 2, ..chunk.at().unwrap_or_default() };
            let message = format!("the first chunk is of type {}; a file begins with HEADER, type 0", chunk.kind.0);
            return Err(Error::malformed(&DGL2_003.info, Place::bytes("chunks[0].kind", at), message));
        }
        let ends = chunk.kind == ChunkKind::END;
        doc.chunks.push(chunk);
        if ends {
            doc.tail = r.rest();
            break;
        }
    }
    Ok(())
}

/// Refuses a chunk that the file has no room for, naming the number that asks for it.
fn check_sizes(r: &Reader<'_>, index: usize) -> Result<()> {
    let path = |field: &str| format!("chunks[{index}]{field}");
    let have = r.remaining();
    if have < CHUNK_HEADER {
        let message = match index {
            0 if have == 0 => "the file is empty".to_owned(),
            _ => format!("a chunk begins with {CHUNK_HEADER} bytes, and {have} remain"),
        };
        return Err(Error::malformed(&DGL2_001.info, Place::bytes(path(""), r.here(have)), message)
            .with_help("the file is cut short, or the size of the chunk before is wrong"));
    }
    let mut header = Reader::new(&r.rest(), ORDER);
    let sizes = |header: &mut Reader<'_>| -> Result<(u16, u32), wire::Fault> {
        header.take(6)?;
        Ok((header.fixed()?, header.fixed()?))
    };
    let Ok((name_size, data_size)) = sizes(&mut header) else { return Ok(()) };
    let room = header.remaining();
    let (field, size) = if usize::from(name_size) > room {
        ("name_size", Span { size: 2, offset: r.here(0).offset + 6, ..r.here(0) })
    } else if data_size as usize > room - usize::from(name_size) {
        ("data_size", Span { size: 4, offset: r.here(0).offset + 8, ..r.here(0) })
    } else {
        return Ok(());
    };
    let message = format!("the name takes {name_size} bytes and the data {data_size}, but {room} remain");
    Err(Error::malformed(&DGL2_002.info, Place::bytes(path(&format!(".{field}")), size), message)
        .with_help("the file is cut short, or the size is wrong"))
}
