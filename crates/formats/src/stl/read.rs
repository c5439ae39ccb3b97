//! Bytes → document: which of the two layouts it is, and what it is made of.

use findings::{Error, Place, Result};
use wire::{Blob, Bulk, Fixed};

use super::layout::{Ascii, Binary, Document, FACETS_AT, Facet, HEADER_SIZE, ORDER};
use super::rules::{STL_001, STL_002};
use crate::{Hint, Score};

/// How much of a file is looked at to tell text from numbers.
const PROBED: usize = 1024;

/// Below [`Score::MAYBE`]: the first facet looks like one, but the size does not fit.
const PLAUSIBLE: Score = Score(15);

/// Whether the size is what the facet count says.
fn fits(file: &[u8]) -> bool {
    stored_count(file).is_some_and(|count| (FACETS_AT + count as usize * Facet::SIZE) as u64 == file.len() as u64)
}

fn stored_count(file: &[u8]) -> Option<u32> {
    file.get(HEADER_SIZE..FACETS_AT)?.try_into().ok().map(u32::from_le_bytes)
}

/// Whether it begins like a text: with `solid`, and then nothing that no text has.
fn is_text(file: &[u8]) -> bool {
    let words = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file).trim_ascii_start();
    words.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && has_letters_only(file)
}

/// Whether there is nothing at its start that no text has.
fn has_letters_only(file: &[u8]) -> bool {
    let head = &file[..file.len().min(PROBED)];
    head.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace() || byte == 0x0B)
}

/// Whether the words of a text occur near its start.
fn has_words(file: &[u8]) -> bool {
    let head = file[..file.len().min(4 * PROBED)].to_ascii_lowercase();
    [&b"facet"[..], b"endsolid"].iter().any(|word| memchr::memmem::find(&head, word).is_some())
}

/// More facets than any program shows: 6 GB of them.
const TOO_MANY: u32 = 1 << 27;

/// Whether the first facet is one: its normal is of unit length or zero, and its corners are no wild numbers. Of files
/// that are cut short, the count says what was there; where more follows than the facets, it is something else that
/// happens to begin like this, such as numbers of a buffer.
fn begins_with_a_facet(file: &[u8]) -> bool {
    let counted = |count: u32| {
        let facets = u64::from(count) * Facet::SIZE as u64;
        (1..TOO_MANY).contains(&count) && file.len() as u64 <= FACETS_AT as u64 + 2 * facets
    };
    if !stored_count(file).is_some_and(counted) {
        return false;
    }
    let Some(bytes) = file.get(FACETS_AT..FACETS_AT + Facet::SIZE) else { return false };
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers[..12].iter().map(|number| f32::from_le_bytes(*number)).collect();
    let length = numbers[..3].iter().map(|n| n * n).sum::<f32>();
    let sane = |number: &f32| *number == 0. || (1e-12..1e12).contains(&number.abs());
    (length == 0. || (length - 1.).abs() < 0.01) && numbers.iter().all(sane) && numbers[3..].iter().any(|n| *n != 0.)
}

/// Whether the header is a text, filled up with zeros: all that a file without facets can show.
fn has_title(file: &[u8]) -> bool {
    let title = file[..HEADER_SIZE].trim_ascii_end();
    let end = title.iter().position(|&byte| byte == 0).unwrap_or(title.len());
    end > 0 && has_letters_only(&title[..end]) && title[end..].iter().all(|&byte| byte == 0)
}

pub(super) fn probe(file: &Blob, hint: &Hint) -> Score {
    let named = hint.extension.as_deref().is_some_and(|extension| extension.eq_ignore_ascii_case("stl"));
    match () {
        () if fits(file) && stored_count(file) > Some(0) => Score::LIKELY,
        () if is_text(file) && has_words(file) => Score::LIKELY,
        () if named && (is_text(file) || file.len() >= FACETS_AT) => Score::MAYBE,
        () if begins_with_a_facet(file) || (fits(file) && has_title(file)) => PLAUSIBLE,
        () => Score::NO,
    }
}

pub(super) fn read(file: Blob) -> Result<Document> {
    if !fits(&file) && is_text(&file) {
        return Ok(Document::Ascii(Ascii::new(file)));
    }
    let start = || Place::blob("", &file.slice(..file.len().min(16)));
    if !fits(&file) && has_letters_only(&file) {
        let message = "this is neither a text that begins with solid nor a binary file";
        return Err(Error::malformed(&STL_001.info, start(), message));
    }
    let Some(facet_count) = stored_count(&file) else {
        let message = format!("a binary STL begins with {FACETS_AT} bytes, this file has {}", file.len());
        return Err(Error::malformed(&STL_002.info, start(), message));
    };
    let there = (file.len() - FACETS_AT) / Facet::SIZE;
    let facets_end = FACETS_AT + there.min(facet_count as usize) * Facet::SIZE;
    Ok(Document::Binary(Binary {
        header: file.slice(..HEADER_SIZE),
        facet_count,
        facets: Bulk::view(file.slice(FACETS_AT..facets_end), ORDER),
        tail: file.slice(facets_end..),
    }))
}
