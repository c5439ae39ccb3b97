//! What can be wrong with a DGL2 file. Rules about the language of its texts have the prefix `DML`.

mod chunks;
mod dml;
mod entities;
mod materials;
mod meshes;

pub(crate) use chunks::*;
pub(crate) use dml::*;
pub(crate) use entities::*;
pub(crate) use materials::*;
pub(crate) use meshes::*;

use std::ops::Range;

use findings::{Place, Rule};
use wire::{Kept, Space, Span, Text};

use super::layout::{Chunk, ChunkKind, Document};
use super::properties::Property;
use super::text::label;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DGL2_001, &DGL2_002, &DGL2_003, &DGL2_004, &DGL2_005, &DGL2_006, &DGL2_007, &DGL2_008, &DGL2_009, &DGL2_010,
    &DGL2_011, &DGL2_012, &DGL2_013, &DGL2_014, &DGL2_015, &DGL2_016, &DGL2_017, &DGL2_018, &DGL2_019, &DGL2_020,
    &DGL2_021, &DGL2_022, &DGL2_023, &DGL2_024, &DGL2_025, &DGL2_026, &DGL2_027, &DGL2_028, &DGL2_029, &DGL2_030,
    &DGL2_031, &DGL2_032, &DGL2_033, &DGL2_034, &DGL2_035, &DGL2_036, &DGL2_037, &DML_001, &DML_002, &DML_003,
    &DML_004, &DML_005, &DML_006,
];

/// The chunks of one kind, with their places in the file.
fn chunks_of(doc: &Document, kind: ChunkKind) -> impl Iterator<Item = (usize, &Kept<Chunk>)> {
    doc.chunks.iter().enumerate().filter(move |(_, chunk)| chunk.kind == kind)
}

/// Longest text that a message shows.
const SHOWN: usize = 48;

/// Some bytes of a file for a message.
pub(crate) fn show(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    let dots = if bytes.len() > SHOWN { "…" } else { "" };
    format!("\"{}{dots}\"", findings::render::escape(&text))
}

/// Bytes of a text.
pub(crate) fn text_place(chunk: usize, text: &Text, range: Range<usize>) -> Place {
    place(format!("chunks[{chunk}].data.text"), text.blob().slice(range).span())
}

/// The value of a property. Those of JSON are told in DML's words, so the byte map does not know them by name.
pub(crate) fn property_place(chunk: usize, property: &Property) -> Place {
    let text = format!("chunks[{chunk}].data.text");
    let is_json = property.name.span().space != property.value_at.space;
    let path = if is_json { text } else { format!("{text}.{}", label(&property.name)) };
    place(path, property.value_at)
}

/// A text that was made in memory has no bytes in the file.
fn place(path: String, span: Span) -> Place {
    if span.space == Space::Memory { Place::path(path) } else { Place::bytes(path, span) }
}
