//! Bytes → document.

use findings::Result;
use wire::Blob;

use super::header::{self, MAGIC};
use super::layout::Document;
use crate::Score;

pub(super) fn probe(file: &Blob) -> Score {
    let line_ends = matches!(file[..].get(MAGIC.len()), Some(b'\n' | b'\r'));
    if !file.starts_with(MAGIC) || !line_ends {
        return Score::NO;
    }
    let head = &file[..file.len().min(256)];
    if memchr::memmem::find(head, b"format ").is_some() { Score::SURE } else { Score::LIKELY }
}

pub(super) fn read(file: Blob) -> Result<Document> {
    let header = header::read(&file)?;
    let doc = Document::new(file, header);
    doc.body();
    Ok(doc)
}
