//! A law over the registry: however short a file is cut, its outline says of every byte what it is.

use std::collections::BTreeSet;

use corpus::Kind;
use formats::{AnyFormat, ReadCx};
use rayon::prelude::*;
use testing::{Doing, assert_covered};
use wire::{Blob, Node, Span};

/// Files up to this size are cut at every byte, longer ones at [`CUTS`] of them.
const EVERY_LENGTH_UP_TO: usize = 64 << 10;
const CUTS: usize = 500;

/// Formats that are read field by field, so that nothing before the fault is left unread. A text is read as a whole or
/// not at all, and what a compressed body holds is known only if all of it is there.
const FIELD_BY_FIELD: &[&str] = &["danmodel", "dgl1", "dgl2", "dgl3", "dragon", "glb", "ply"];

/// The lengths to which a file is cut.
fn lengths(size: usize) -> BTreeSet<usize> {
    if size <= EVERY_LENGTH_UP_TO {
        return (0..size).collect();
    }
    // Knuth's generator for 64 bits; the seed is the size.
    let mut state = size as u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % size
    };
    (0..CUTS).map(|_| draw()).collect()
}

/// The outline of a file, and the place of its fault if it cannot be read.
fn outline(format: &dyn AnyFormat, file: &Blob) -> (Vec<Node>, Option<Span>) {
    match format.read(file.clone(), &mut ReadCx::default()) {
        Ok(doc) => (doc.tree(), None),
        Err(error) => (formats::outline(file, &error), Some(error.place().span.unwrap_or_default())),
    }
}

fn check(format: &dyn AnyFormat, file: &Blob) {
    let (tree, fault) = outline(format, file);
    assert_covered(&tree, file.len() as u64);
    let Some(fault) = fault else { return };
    assert!(tree.iter().any(|node| node.name == "fault" || node.inflated().is_some()), "no fault is shown");
    if FIELD_BY_FIELD.contains(&format.info().id) {
        let before = tree.iter().find(|node| node.name == "unread" && node.span.offset < fault.offset);
        assert!(before.is_none(), "{before:?} is not read, and the fault is at {fault}");
    }
}

#[test]
fn every_cut_file_is_accounted_for_to_the_last_byte() {
    let readable = |sample: &corpus::Sample| sample.kind != Kind::Bad;
    let samples: Vec<_> = corpus::samples().into_iter().filter(readable).collect();
    samples.par_iter().for_each(|sample| {
        let Some(format) = formats::by_id(sample.format) else { return };
        let whole = Blob::file((sample.bytes)());
        for size in lengths(whole.len()) {
            let _doing = Doing(|| format!("{} sample {}, its first {size} bytes", sample.format, sample.name));
            check(format, &whole.slice(..size));
        }
    });
}

/// What a compressed body holds may be cut short, too: before it was compressed. The triangle has 479 bytes there.
#[test]
fn every_cut_body_is_accounted_for_where_it_is_inflated() {
    let Some(format) = formats::by_id("das2") else { return };
    for size in 1..479 {
        let _doing = Doing(|| format!("the first {size} bytes of the body"));
        let file = Blob::file(corpus::das2::zlib_of(size));
        check(format, &file);
        let (tree, fault) = outline(format, &file);
        let body = tree.iter().find(|node| node.name == "body");
        let inflated = body.and_then(Node::inflated).map(|bytes| bytes.len());
        assert_eq!(inflated, Some(size), "what was inflated is not shown");
        if let Some(fault) = fault.filter(|fault| fault.space == wire::Space::Inflated) {
            let inside = body.and_then(|body| body.children().ok()).unwrap_or_default();
            let before = inside.iter().find(|node| node.name == "unread" && node.span.offset < fault.offset);
            assert!(before.is_none(), "{before:?} is not read, and the fault is at {fault}");
        }
    }
}
