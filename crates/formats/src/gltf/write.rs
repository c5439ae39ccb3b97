//! Document → bytes.

use std::io;

use findings::{Error, ErrorKind, Place, Result};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use wire::{Blob, Layout, Sink, Writer};

use super::layout::{
    CHUNK_HEADER_SIZE, ChunkHeader, ChunkKind, Container, Document, HEADER_SIZE, Header, MAGIC, ORDER,
};
use super::rules::*;
use super::schema::Root;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    match doc.container {
        Container::Json => write_json(doc, out),
        Container::Binary => write_binary(doc, out),
    }
}

fn write_json(doc: &Document, out: &mut Sink) -> Result<()> {
    match doc.root.raw() {
        Some(raw) => out.blob(raw),
        None => {
            out.blob(&Blob::memory(encode(&doc.root, Rows::default())?));
            out.bytes(b"\n");
        }
    }
    out.blob(&doc.tail);
    Ok(())
}

fn write_binary(doc: &Document, out: &mut Sink) -> Result<()> {
    let json = match doc.root.raw() {
        Some(raw) => raw.clone(),
        None => {
            let mut text = encode(&doc.root, CompactFormatter)?;
            text.resize(text.len().next_multiple_of(4), b' ');
            Blob::memory(text)
        }
    };
    let chunks: u64 = doc.chunks.iter().map(|chunk| CHUNK_HEADER_SIZE as u64 + chunk.size()).sum();
    let length = (HEADER_SIZE + CHUNK_HEADER_SIZE + json.len() + doc.slack.len()) as u64 + chunks;
    let Ok(length) = u32::try_from(length) else {
        let message = format!("a GLB file holds less than 4 GiB, this one would need {length} bytes");
        return Err(Error::new(ErrorKind::Usage, &GLTF_006.info, Place::file(), message)
            .with_help("write .gltf: its buffers are files of their own"));
    };
    let mut w = Writer::new(out, ORDER);
    // Every length below is part of the one that fits.
    let part = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
    let fault = |fault| Error::fault(&GLTF_006.info, fault);
    Header { magic: MAGIC, version: 2, length }.write(&mut w, ()).map_err(fault)?;
    ChunkHeader { length: part(json.len() as u64), kind: ChunkKind::JSON }.write(&mut w, ()).map_err(fault)?;
    w.blob(&json);
    for chunk in &doc.chunks {
        ChunkHeader { length: part(chunk.size()), kind: chunk.kind }.write(&mut w, ()).map_err(fault)?;
        chunk.data.iter().for_each(|data| w.blob(data));
    }
    w.blob(&doc.slack);
    w.blob(&doc.tail);
    Ok(())
}

fn encode(root: &Root, formatter: impl Formatter) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let written = root.serialize(&mut Serializer::with_formatter(&mut text, formatter));
    // Maps with text keys and numbers that are finite: nothing of a document can be refused.
    written.map_err(|error| Error::usage(format!("the JSON cannot be written: {error}")))?;
    Ok(text)
}

/// JSON for reading: one line per property of the root and per element of its arrays.
#[derive(Default)]
struct Rows {
    depth: usize,
    filled: bool,
}

impl Rows {
    /// How deep lines are broken.
    const DEPTH: usize = 2;

    fn open<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled && self.depth < Rows::DEPTH {
            self.line(out)?;
        }
        out.write_all(bracket)
    }

    fn item<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        if self.depth <= Rows::DEPTH {
            self.line(out)
        } else if !first {
            out.write_all(b" ")
        } else {
            Ok(())
        }
    }

    fn line<W: ?Sized + io::Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Rows {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }
    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }
    fn end_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }
    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }
    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}
