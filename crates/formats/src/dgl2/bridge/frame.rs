//! The chain of chunks around what a scene knows: HEADER, END, their order, and chunks that are nothing in a scene.

use std::collections::VecDeque;

use scene::loss::{LOSS_015, LOSS_026, LOSS_042};
use scene::{Name, Properties, Scene, Value};
use wire::{Blob, Kept, Layout, Sink, Text, Writer};

use super::editor::{Editor, typed};
use super::lower::MOST_OF_A_NAME;
use super::{Dialect, carried_bytes, carried_int, carry_bytes};
use crate::LowerCx;
use crate::dgl2::dml::{Dml, Pair, Token, TokenKind};
use crate::dgl2::layout::{Chunk, ChunkKind, Data, Document, ORDER};
use crate::dgl2::read;
use crate::names::speakable;

/// Keeps what the scene has no word for.
pub(super) fn lift(doc: &Document, scene: &mut Scene) {
    if let Some(header) = doc.chunks.first().filter(|chunk| chunk.kind == ChunkKind::HEADER) {
        scene.metadata.title = Name::from(header.name.bytes());
        if let Data::Bytes(data) = &header.data {
            match properties_of(data) {
                Some(properties) => {
                    scene.metadata.properties = properties;
                    scene.extras.set("dgl2.text", Value::Text(Name::from(&data[..])));
                }
                None => scene.metadata.raw = data.to_vec(),
            }
        }
        if header.id != -1 {
            scene.extras.set("dgl2.header_id", i64::from(header.id));
        }
    }
    carry_bytes(&mut scene.extras, "dgl2.tail", Some(&doc.tail));
    if !is_usual(doc) {
        let order = doc.chunks.iter().enumerate().map(|(i, chunk)| {
            if is_scene(i, chunk) { Value::Int(chunk.kind.0.into()) } else { Value::Bytes(bytes_of(chunk)) }
        });
        scene.extras.set("dgl2.order", Value::List(order.collect()));
    }
}

/// What the data of HEADER say, if they are nothing but properties. The document leaves it open what they are.
fn properties_of(data: &Blob) -> Option<Properties> {
    let dml = Dml::read(&Text::from(data.clone()));
    let plain = |token: &Token| !matches!(token.kind, TokenKind::Rest | TokenKind::Comment);
    let clean = dml.faults().is_empty() && dml.tokens().iter().all(plain) && std::str::from_utf8(data).is_ok();
    let pair = |pair: &Pair| (Name::from(dml.bytes(&pair.name)), typed(dml.bytes(&pair.value)));
    (clean && !dml.pairs().is_empty()).then(|| dml.pairs().iter().map(pair).collect())
}

/// The data of HEADER: what a scene keeps of them, or else its properties.
fn header_data(scene: &Scene, (dialect, same_dialect): (Dialect, bool), cx: &mut LowerCx<'_>) -> Blob {
    let properties = &scene.metadata.properties;
    if scene.metadata.raw.is_empty() {
        let mut text = Editor::new(scene.extras.get("dgl2.text"), same_dialect, dialect, "file".into(), cx);
        text.properties(properties, |_| false);
        return text.finish(cx).blob().clone();
    }
    for (name, _) in properties {
        cx.lose(&LOSS_015, "file", 1, &format!("property {name}"), "the header has data of another kind");
    }
    Blob::memory(scene.metadata.raw.clone())
}

/// Whether a scene knows all there is to know about a chunk.
fn is_scene(index: usize, chunk: &Chunk) -> bool {
    match (chunk.kind, &chunk.data) {
        (ChunkKind::HEADER, _) => index == 0,
        (ChunkKind::END, _) => *chunk == Chunk::end(),
        (_, Data::Bytes(_)) => false,
        _ => true,
    }
}

/// Whether chunks come in the order in which they are written: HEADER, TRIMESH, ENTITY, MATERIAL, END.
fn is_usual(doc: &Document) -> bool {
    let rank = |chunk: &Kept<Chunk>| match chunk.kind {
        ChunkKind::HEADER => 0,
        ChunkKind::TRIMESH => 1,
        ChunkKind::ENTITY => 2,
        ChunkKind::MATERIAL => 3,
        _ => 4,
    };
    let known = doc.chunks.iter().enumerate().all(|(i, chunk)| is_scene(i, chunk));
    let ends = doc.chunks.last().is_some_and(|chunk| chunk.kind == ChunkKind::END);
    known && ends && doc.chunks.is_sorted_by_key(rank)
}

fn bytes_of(chunk: &Kept<Chunk>) -> Vec<u8> {
    let mut sink = Sink::default();
    // What was read can be written; a chunk that cannot leaves nothing, and nothing is lost that was there.
    _ = chunk.write(&mut Writer::new(&mut sink, ORDER), ());
    sink.into_vec()
}

/// The chunks that were made from a scene, in the order in which they are written.
pub(super) struct Parts {
    pub(super) meshes: VecDeque<Chunk>,
    pub(super) entities: VecDeque<Chunk>,
    pub(super) materials: VecDeque<Chunk>,
}

impl Parts {
    fn next(&mut self, kind: ChunkKind) -> Option<Chunk> {
        match kind {
            ChunkKind::TRIMESH => self.meshes.pop_front(),
            ChunkKind::ENTITY => self.entities.pop_front(),
            ChunkKind::MATERIAL => self.materials.pop_front(),
            _ => None,
        }
    }

    fn rest(&mut self) -> impl Iterator<Item = Chunk> {
        self.meshes.drain(..).chain(self.entities.drain(..)).chain(self.materials.drain(..))
    }
}

/// Puts the chain together.
pub(super) fn lower(scene: &Scene, mut parts: Parts, style: (Dialect, bool), cx: &mut LowerCx<'_>) -> Document {
    let title = &scene.metadata.title;
    let own = scene.origin.as_ref().is_some_and(|origin| origin.format == "dgl2");
    let name = if own { title.bytes().to_vec() } else { speakable(title, MOST_OF_A_NAME) };
    if name != title.bytes() {
        cx.lose(&LOSS_042, "file", 1, "title", "DGL2 demands names that differ, in UTF-8");
    }
    let header = Chunk {
        kind: ChunkKind::HEADER,
        id: carried_int(&scene.extras, "dgl2.header_id").unwrap_or(-1),
        name: Text::from(Blob::memory(name)),
        data: Data::Bytes(header_data(scene, style, cx)),
    };
    let mut chunks = vec![header];
    let mut has_end = false;
    let from_json = scene.origin.as_ref().is_some_and(|origin| origin.format == "dgl1");
    match scene.extras.get("dgl2.order") {
        Some(Value::List(order)) => {
            for entry in order {
                let chunk = match entry {
                    Value::Bytes(bytes) => read::chunk(bytes).filter(|chunk| {
                        let foreign = from_json && matches!(chunk.kind, ChunkKind::MATERIAL | ChunkKind::ENTITY);
                        if foreign {
                            let why = "its text is JSON, which DGL2 does not have";
                            cx.lose(&LOSS_026, "file", bytes.len() as u64, "bytes of a damaged chunk", why);
                        }
                        !foreign
                    }),
                    other => other.as_int().and_then(|kind| u16::try_from(kind).ok()).and_then(|kind| {
                        if ChunkKind(kind) == ChunkKind::END { Some(Chunk::end()) } else { parts.next(ChunkKind(kind)) }
                    }),
                };
                if chunk.as_ref().is_some_and(|chunk| chunk.kind == ChunkKind::END) {
                    chunks.extend(parts.rest());
                    has_end = true;
                }
                chunks.extend(chunk);
                if has_end {
                    break;
                }
            }
            chunks.extend(parts.rest());
        }
        _ => {
            chunks.extend(parts.rest());
            chunks.push(Chunk::end());
            has_end = true;
        }
    }
    // A chain that begins oddly and does not end is not recognised.
    if chunks[0].id != -1 && !has_end {
        chunks.push(Chunk::end());
        has_end = true;
    }
    let tail = carried_bytes(&scene.extras, "dgl2.tail").filter(|_| has_end).unwrap_or_default();
    Document { chunks: chunks.into_iter().map(Kept::new).collect(), tail, ..Document::default() }
}
