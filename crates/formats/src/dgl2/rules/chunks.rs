//! What can be wrong with the chain of chunks.

use std::collections::HashMap;

use findings::{Place, Severity, rule};

use super::{chunks_of, show};
use wire::Kept;

use crate::dgl2::layout::{Chunk, ChunkKind, Document};

/// Kinds whose chunks have an id and a name.
const NAMED: [ChunkKind; 3] = [ChunkKind::TRIMESH, ChunkKind::MATERIAL, ChunkKind::ENTITY];

rule! {
    /// ## What it finds
    /// A file that ends inside the twelve bytes with which a chunk begins, or that is empty.
    ///
    /// ## Why it matters
    /// What the bytes belong to is not known, and chunks behind them are missing. The engine stops with an error.
    ///
    /// ## Example
    /// A file of 30 bytes whose first chunk ends at byte 17.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    DGL2_001 "DGL2-001" "chunk-header-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A chunk whose name or data reach behind the end of the file.
    ///
    /// ## Why it matters
    /// Either the file was cut short or a size is wrong; in both cases nothing says where the next chunk begins.
    ///
    /// ## Example
    /// `data_size` is 1240 where 620 bytes remain.
    ///
    /// ## Fix
    /// Get the file again, or set the size to the bytes that are there.
    DGL2_002 "DGL2-002" "chunk-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file whose first chunk is not a HEADER.
    ///
    /// ## Why it matters
    /// The format has no magic number: the header chunk is all that tells it from arbitrary bytes.
    ///
    /// ## Example
    /// The first two bytes are `02 00`.
    ///
    /// ## Fix
    /// Look for the file you meant; or put a HEADER chunk with the id -1 at its start.
    DGL2_003 "DGL2-003" "no-header", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A HEADER whose id is not -1, or a second HEADER.
    ///
    /// ## Why it matters
    /// Programs recognise the format by the id of its first chunk. Of several headers only the first can name the
    /// scene.
    ///
    /// ## Example
    /// The file begins with `00 00 00 00 00 00`.
    ///
    /// ## Fix
    /// `check --fix` sets the id to -1; `check --fix=all` removes further headers too.
    DGL2_004 "DGL2-004" "header-odd", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in chunks_of(doc, ChunkKind::HEADER) {
            if i > 0 {
                cx.report(Place::path(format!("chunks[{i}].kind")), "a file has one HEADER, and this is another one");
            } else if chunk.id != -1 {
                cx.report(Place::path("chunks[0].id"), format!("the id of HEADER is {} instead of -1", chunk.id));
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let odd = doc.chunks.first_mut().filter(|chunk| chunk.kind == ChunkKind::HEADER && chunk.id != -1);
        odd.map(|header| header.edit().id = -1).is_some().into()
    }
    fn cut(doc: &mut Document) -> u64 {
        let before = doc.chunks.len();
        let mut first = true;
        doc.chunks.retain(|chunk| chunk.kind != ChunkKind::HEADER || std::mem::take(&mut first));
        (before - doc.chunks.len()) as u64
    }
}

rule! {
    /// ## What it finds
    /// A file without an END chunk.
    ///
    /// ## Why it matters
    /// The engine accepts it, but nobody can tell whether the file was cut short between two chunks.
    ///
    /// ## Example
    /// The last chunk is a MATERIAL.
    ///
    /// ## Fix
    /// Get the file again. If it is all there is, `check --fix=all` writes an END chunk:
    /// `01 00 FF FF FF FF 00 00 00 00 00 00`.
    DGL2_005 "DGL2-005" "end-missing", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if chunks_of(doc, ChunkKind::END).next().is_none() {
            let last = doc.chunks.len().saturating_sub(1);
            cx.report(Place::path(format!("chunks[{last}]")), "the file ends behind this chunk, without END");
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        let missing = chunks_of(doc, ChunkKind::END).next().is_none();
        if missing {
            doc.chunks.push(Kept::new(Chunk::end()));
        }
        u64::from(missing)
    }
}

rule! {
    /// ## What it finds
    /// An END chunk with an id other than -1, a name or data.
    ///
    /// ## Why it matters
    /// The document allows none of them, and no program looks at them.
    ///
    /// ## Example
    /// END has the id 0.
    ///
    /// ## Fix
    /// `check --fix` sets the id to -1; `check --fix=all` removes name and data too.
    DGL2_006 "DGL2-006" "end-odd", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in chunks_of(doc, ChunkKind::END) {
            let place = |field: &str| Place::path(format!("chunks[{i}].{field}"));
            if chunk.id != -1 {
                cx.report(place("id"), format!("the id of END is {} instead of -1", chunk.id));
            }
            if !chunk.name.is_empty() {
                cx.report(place("name"), format!("END has a name of {} bytes", chunk.name.len()));
            }
            if chunk.data.size() > 0 {
                cx.report(place("data"), format!("END has {} bytes of data", chunk.data.size()));
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let is_odd = |chunk: &&mut Kept<Chunk>| chunk.kind == ChunkKind::END && chunk.id != -1;
        doc.chunks.iter_mut().filter(is_odd).map(|chunk| chunk.edit().id = -1).count() as u64
    }
    fn cut(doc: &mut Document) -> u64 {
        let is_odd = |chunk: &&mut Kept<Chunk>| chunk.kind == ChunkKind::END && ***chunk != Chunk::end();
        doc.chunks.iter_mut().filter(is_odd).map(|chunk| *chunk = Kept::new(Chunk::end())).count() as u64
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the END chunk.
    ///
    /// ## Why it matters
    /// No program reads them. They are kept when the file is rewritten in its own format, and left out otherwise.
    ///
    /// ## Example
    /// A file with 16 bytes behind END.
    ///
    /// ## Fix
    /// Remove them if nothing you use needs them; `check --fix=all` does so.
    DGL2_007 "DGL2-007" "bytes-behind-end", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if !doc.tail.is_empty() {
            cx.report(Place::path("tail"), format!("{} bytes follow END", doc.tail.len()));
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.tail).is_empty())
    }
}

rule! {
    /// ## What it finds
    /// A chunk of a type that the document reserves.
    ///
    /// ## Why it matters
    /// Programs skip it. It is kept when the file is rewritten.
    ///
    /// ## Example
    /// A chunk of type 7.
    ///
    /// ## Fix
    /// Nothing, if the program that wrote it is the one that reads it.
    DGL2_008 "DGL2-008" "chunk-type-unknown", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in doc.chunks.iter().enumerate().filter(|(_, chunk)| chunk.kind.word().is_none()) {
            cx.report(Place::path(format!("chunks[{i}].kind")), format!("type {} is reserved", chunk.kind.0));
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh, material or entity with a negative id, or with one that another of its kind has.
    ///
    /// ## Why it matters
    /// Meshes and materials are named by their ids: of two with one id the last is found and the other is lost.
    ///
    /// ## Example
    /// Two TRIMESH chunks with the id 3.
    ///
    /// ## Fix
    /// Number the chunks of each kind from 0.
    DGL2_030 "DGL2-030" "id-odd", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut known = HashMap::new();
        for (i, chunk) in doc.chunks.iter().enumerate().filter(|(_, chunk)| NAMED.contains(&chunk.kind)) {
            let place = Place::path(format!("chunks[{i}].id"));
            let kind = chunk.kind.word().unwrap_or_default();
            if chunk.id < 0 {
                cx.report(place, format!("the id of a {kind} is {}; ids begin with 0", chunk.id));
            } else if let Some(first) = known.insert((chunk.kind, chunk.id), i) {
                cx.report(place, format!("{kind} has the id {}, which chunk {first} has already", chunk.id));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh, material or entity without a name, or with one that another of its kind has.
    ///
    /// ## Why it matters
    /// The document says that names should be unique. The engine keeps objects by name: of two with one name it finds
    /// the last.
    ///
    /// ## Example
    /// Two entities called `Cube`.
    ///
    /// ## Fix
    /// Give each object a name of its own.
    DGL2_031 "DGL2-031" "name-odd", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Warning } else { Severity::Info };
        let mut known = HashMap::new();
        for (i, chunk) in doc.chunks.iter().enumerate().filter(|(_, chunk)| NAMED.contains(&chunk.kind)) {
            let kind = chunk.kind.word().unwrap_or_default();
            if chunk.name.is_empty() {
                cx.report_as(severity, Place::path(format!("chunks[{i}].name_size")), format!("a {kind} has no name"));
            } else if let Some(first) = known.insert((chunk.kind, chunk.name.bytes()), i) {
                let message = format!("{kind} is called {}, as chunk {first} is", show(chunk.name.bytes()));
                cx.report_as(severity, Place::path(format!("chunks[{i}].name")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A name that is not UTF-8.
    ///
    /// ## Why it matters
    /// The document demands UTF-8; the engine fails when it decodes the name.
    ///
    /// ## Example
    /// `name` holds the byte FF.
    ///
    /// ## Fix
    /// Write the name again as UTF-8.
    DGL2_032 "DGL2-032" "name-not-utf8", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in doc.chunks.iter().enumerate() {
            if let Err(error) = std::str::from_utf8(chunk.name.bytes()) {
                let byte = chunk.name.bytes()[error.valid_up_to()];
                let message = format!("the name is not UTF-8: byte {byte:02X} at position {}", error.valid_up_to());
                cx.report(Place::path(format!("chunks[{i}].name")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A name of more than 65535 bytes, or a chunk of more than 4 GiB.
    ///
    /// ## Why it matters
    /// The fields that hold these sizes cannot say more, so the file cannot be written.
    ///
    /// ## Example
    /// A mesh of 40 million triangles.
    ///
    /// ## Fix
    /// Shorten the name, or split the mesh.
    DGL2_037 "DGL2-037" "too-long", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
