//! Bytes → document.

use findings::{Error, Result};
use wire::Blob;

use super::document::Document;
use super::layout::MAGIC;
use crate::{ReadCx, Score};

pub(super) fn probe(file: &Blob) -> Score {
    if file.starts_with(&MAGIC) { Score::SURE } else { Score::NO }
}

pub(super) fn read(_: &Blob, _: &mut ReadCx<'_>) -> Result<Document> {
    Err(Error::usage("das2 cannot be read by this version"))
}
