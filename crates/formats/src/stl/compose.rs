//! Triangles as a document: what is made of a scene, and of the other dialect.

use findings::{Error, Losses, Place, Result};
use rayon::prelude::*;
use scene::loss::*;
use wire::{Blob, Bulk, Fixed};

use super::geometry::Triangle;
use super::layout::{Ascii, Binary, Facet, HEADER_SIZE, ORDER};
use crate::LowerCx;
use crate::decimal::push_float;

/// What a new binary file begins with: never with `solid`.
const HEADER: &[u8] = b"binary STL, written by pentad";

/// Facets one thread handles at a time.
pub(super) const BATCH: usize = 1 << 13;

/// An object: its facets and their attributes.
pub(super) struct Body {
    pub(super) name: Vec<u8>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) words: Vec<u8>,
}

pub(super) fn new_header() -> Vec<u8> {
    let mut header = HEADER.to_vec();
    header.resize(HEADER_SIZE, 0);
    header
}

/// Whether a header is one that is written here, or says nothing.
pub(super) fn is_plain(header: &[u8]) -> bool {
    *header == new_header() || header.iter().all(|&byte| byte == 0)
}

pub(super) fn lose_tail(binary: &Binary, losses: &mut Losses) {
    if !binary.tail.is_empty() {
        losses.add(&LOSS_026, "tail", binary.tail.len() as u64, "bytes", "no facet owns them");
    }
}

pub(super) fn lose_facets(ascii: &Ascii, losses: &mut Losses) {
    let left_out = ascii.model().left_out;
    if left_out > 0 {
        losses.add(&LOSS_033, "file", left_out, "facets left out", "they do not have three corners");
    }
}

pub(super) fn lose_words(count: usize, cx: &mut LowerCx<'_>) {
    if count > 0 {
        cx.lose(&LOSS_017, "file", count as u64, "attributes of facets", "a text has none");
    }
}

pub(super) fn lose_names<'a>(names: impl ExactSizeIterator<Item = &'a [u8]>, cx: &mut LowerCx<'_>) {
    let count = names.len();
    let named = names.filter(|name| !name.is_empty()).count();
    if named > 0 {
        cx.lose(&LOSS_014, "file", named as u64, "names", "a binary STL has none; --dialect ascii has");
    }
    if count > 1 {
        let why = "a binary STL holds one body; --dialect ascii holds several";
        cx.lose(&LOSS_082, "file", count as u64, "objects made one", why);
    }
}

pub(super) fn binary(header: Vec<u8>, bodies: &[Body]) -> Result<Binary> {
    let count: usize = bodies.iter().map(|body| body.triangles.len()).sum();
    let Ok(facet_count) = u32::try_from(count) else {
        return Err(Error::limit(Place::file(), "a binary STL holds 4294967295 facets"));
    };
    let mut bytes = vec![0; count * Facet::SIZE];
    let mut rest = &mut bytes[..];
    for body in bodies {
        let (own, behind) = rest.split_at_mut(body.triangles.len() * Facet::SIZE);
        let rows = own.par_chunks_mut(Facet::SIZE).zip(&body.triangles).zip(body.words.par_chunks(2));
        rows.with_min_len(BATCH).for_each(|((row, triangle), word)| {
            let (numbers, attribute) = row.split_at_mut(48);
            for (slot, number) in numbers.chunks_exact_mut(4).zip(triangle.as_flattened()) {
                slot.copy_from_slice(&number.to_le_bytes());
            }
            attribute.copy_from_slice(word);
        });
        rest = behind;
    }
    let facets = Bulk::view(Blob::memory(bytes), ORDER);
    Ok(Binary { header: Blob::memory(header), facet_count, facets, tail: Blob::default() })
}

pub(super) fn ascii(bodies: &[Body]) -> Ascii {
    let mut parts = Vec::new();
    let line = |word: &str, name: &[u8]| {
        let blank: &[u8] = if name.is_empty() { b"" } else { b" " };
        [word.as_bytes(), blank, name, b"\n"].concat()
    };
    for body in bodies {
        parts.push(line("solid", &body.name));
        parts.par_extend(body.triangles.par_chunks(BATCH).map(facet_text));
        parts.push(line("endsolid", &body.name));
    }
    if bodies.is_empty() {
        parts.push(b"solid\nendsolid\n".to_vec());
    }
    Ascii::new(Blob::memory(parts.concat()))
}

fn facet_text(triangles: &[Triangle]) -> Vec<u8> {
    let mut out = Vec::with_capacity(triangles.len() * 240);
    let numbers = |out: &mut Vec<u8>, before: &str, vector: &[f32; 3]| {
        out.extend_from_slice(before.as_bytes());
        for &number in vector {
            out.push(b' ');
            push_float(out, number);
        }
        out.push(b'\n');
    };
    for [normal, corners @ ..] in triangles {
        numbers(&mut out, "  facet normal", normal);
        out.extend_from_slice(b"    outer loop\n");
        corners.iter().for_each(|corner| numbers(&mut out, "      vertex", corner));
        out.extend_from_slice(b"    endloop\n  endfacet\n");
    }
    out
}
