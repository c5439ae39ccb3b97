//! Bytes → document: the container, then the JSON.

use std::fmt;

use findings::{Error, Place, Result};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use wire::{Blob, Kept, Layout, Node, Reader, Span, Text, Unit};

use super::layout::{Chunk, ChunkHeader, ChunkKind, Container, Document, Header, MAGIC, ORDER};
use super::rules::*;
use super::schema::{Json, Root, share};
use crate::{ReadCx, Score};

/// How far into a JSON file is looked for `asset`; it usually comes first, but data URIs may stand before it.
const PROBE_SIZE: usize = 8 << 20;
/// How much of the end of a longer file is searched for the words.
const PROBE_END: usize = 64 << 10;

pub(super) fn probe(file: &Blob, container: Container) -> Score {
    match container {
        Container::Binary if file.starts_with(&MAGIC.to_le_bytes()) => Score::SURE,
        Container::Json => probe_json(file),
        Container::Binary => Score::NO,
    }
}

fn probe_json(file: &[u8]) -> Score {
    let text = file.strip_prefix(BOM).unwrap_or(file);
    if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Score::NO;
    }
    let mut version = false;
    let head = &text[..text.len().min(PROBE_SIZE)];
    // The answer is in `version`; the walk stops with an error as soon as it is known.
    let _ = AssetVersion(&mut version).deserialize(&mut serde_json::Deserializer::from_slice(head));
    if version {
        return Score::SURE;
    }
    let end = &text[text.len().saturating_sub(PROBE_END)..];
    let has = |word: &[u8]| end.windows(word.len()).any(|w| w == word);
    if text.len() > PROBE_SIZE && has(b"\"asset\"") && has(b"\"version\"") { Score::LIKELY } else { Score::NO }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Walks the properties of the root until `asset` tells whether it has a version.
struct AssetVersion<'a>(&'a mut bool);

impl<'de> DeserializeSeed<'de> for AssetVersion<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AssetVersion<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "asset" {
                *self.0 = map.next_value::<Json>()?.get("version").is_some_and(Json::is_string);
                return Err(serde::de::Error::custom("found"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

pub(super) fn read(file: &Blob, container: Container, cx: &mut ReadCx<'_>) -> Result<Document> {
    match container {
        Container::Json => {
            let root = read_root(file.clone()).map_err(|error| {
                let end = error.place().span.map_or(0, |span| span.offset);
                error.having_read(move || vec![Node::leaf("json", "JSON", Span::file(0, end))])
            })?;
            Ok(Document { container, root, ..Document::default() })
        }
        Container::Binary => read_binary(file, cx).map_err(|error| {
            let file = file.clone();
            error.having_read(move || Unit::partial(&file, ORDER, fields))
        }),
    }
}

/// The container of a file that cannot be read.
fn fields(r: &mut Reader<'_>) -> Result<(), wire::Fault> {
    let header = r.field("header", |r| Header::read(r, ()))?;
    r.end_after((header.length as usize).saturating_sub(r.position()));
    r.field("json_chunk", |r| {
        let header = ChunkHeader::read(r, ())?;
        r.field("json", |r| <Text as Layout<usize>>::read(r, header.length as usize))
    })?;
    r.field("chunks", |r| {
        for index in 0.. {
            r.field(&format!("[{index}]"), |r| {
                let header = ChunkHeader::read(r, ())?;
                r.field("data", |r| <Blob as Layout<usize>>::read(r, header.length as usize))
            })?;
        }
        Ok(())
    })
}

fn read_binary(file: &Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
    let header = Header::read(&mut Reader::new(file, ORDER), ())
        .map_err(|fault| Error::fault(&GLTF_001.info, fault.inside("header")).with_help("the file is cut short"))?;
    let bad = |field: &str, offset, message: String| {
        Error::malformed(&GLTF_001.info, Place::bytes(format!("header.{field}"), Span::file(offset, 4)), message)
    };
    if header.magic != MAGIC {
        return Err(bad("magic", 0, format!("a GLB file starts with \"glTF\", this one with {:#010x}", header.magic)));
    }
    if header.version != 2 {
        return Err(bad("version", 4, format!("version is {}; this reader knows 2", header.version)));
    }
    let length = usize::try_from(header.length).unwrap_or(usize::MAX);
    let Some(inside) = file.get(0, length).filter(|_| length >= super::layout::HEADER_SIZE) else {
        return Err(bad("length", 8, format!("length is {length}, the file has {} bytes", file.len())));
    };
    let mut r = Reader::new(&inside, ORDER);
    r.seek(super::layout::HEADER_SIZE).map_err(|fault| Error::fault(&GLTF_001.info, fault))?;
    let (kind, json) = read_chunk(&mut r, "json_chunk")?;
    if kind != ChunkKind::JSON {
        let message = format!("the first chunk is of kind {:#010x}, not JSON", kind.0);
        return Err(Error::malformed(&GLTF_002.info, Place::bytes("json_chunk.kind", Span::file(16, 4)), message));
    }
    let mut doc = Document {
        container: Container::Binary,
        root: read_root(json)?,
        tail: file.slice(length..),
        ..Default::default()
    };
    while r.remaining() >= super::layout::CHUNK_HEADER_SIZE {
        let (kind, data) = read_chunk(&mut r, &format!("chunks[{}]", doc.chunks.len()))?;
        doc.chunks.push(Chunk { kind, data: vec![data] });
    }
    doc.slack = r.rest();
    for (name, bytes) in [("slack", &doc.slack), ("tail", &doc.tail)] {
        if !bytes.is_empty() {
            let message = format!("{} bytes belong to no chunk", bytes.len());
            cx.find(&GLTF_005, Place::blob(name, bytes), message);
        }
    }
    Ok(doc)
}

fn read_chunk(r: &mut Reader<'_>, path: &str) -> Result<(ChunkKind, Blob)> {
    let error =
        |fault: wire::Fault| Error::fault(&GLTF_002.info, fault.inside(path)).with_help("the file is cut short");
    let header = ChunkHeader::read(r, ()).map_err(error)?;
    let data =
        r.take(header.length as usize).map_err(|f| error(f.counted("length", header.length.into()).inside("data")))?;
    Ok((header.kind, data))
}

fn read_root(text: Blob) -> Result<Kept<Root>> {
    let skipped = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut root: Root = serde_json::from_slice(&text[skipped..]).map_err(|error| {
        let offset = skipped + offset_of(&text[skipped..], error.line(), error.column());
        let at = Span { offset: text.span().offset + offset as u64, size: 0, ..text.span() };
        Error::malformed(&GLTF_003.info, Place::bytes("json", at), message_of(&error))
    })?;
    if !root.asset.version.starts_with("2.") {
        let message = format!("asset.version is \"{}\"; this reader knows 2.0", root.asset.version);
        let at = wire::locate(&super::places::map(&text), "asset.version").unwrap_or(text.span());
        return Err(Error::malformed(&GLTF_004.info, Place::bytes("asset.version", at), message));
    }
    share(root.buffers.iter_mut().filter_map(|buffer| buffer.uri.as_mut()), &text);
    share(root.images.iter_mut().filter_map(|image| image.uri.as_mut()), &text);
    Ok(Kept::read_from(root, text))
}

/// What the parser says, without the place it adds: places are bytes here.
fn message_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive(|&b| b == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    (before + column.saturating_sub(1)).min(text.len())
}
