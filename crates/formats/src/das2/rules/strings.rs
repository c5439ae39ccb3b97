//! Strings.

use findings::{Place, rule};

use super::super::document::Document;
use super::super::strings::{each_string, each_string_mut};
use super::super::text::{DasString, hash};
use super::wire::numbered;
use super::{place, quoted};

/// Calls `see` with every string and its place.
fn each_text(doc: &Document, see: &mut dyn FnMut(&DasString, Place)) {
    let header = Place::path("header");
    see(&doc.header.author_name, header.field("author_name"));
    see(&doc.header.comment, header.field("comment"));
    for (kind, id, structure) in numbered(doc) {
        each_string(structure, &mut |field, string| see(string, place(doc, kind, id).field(field)));
    }
}

rule! {
    /// ## What it finds
    /// A stored hash that is not that of its string. An empty string has two: all bits set, or 0.
    ///
    /// ## Why it matters
    /// The library compares strings by their hashes alone.
    ///
    /// ## Example
    /// A name that was changed with a hex editor.
    ///
    /// ## Fix
    /// `check --fix` stores the right one.
    DAS2_010 "DAS2-010" "string-hash", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_text(doc, &mut |string, place| {
            if let Some(stored) = string.hash.filter(|_| !string.hash_is_right()) {
                let right = hash(string.bytes());
                cx.report(place.field("hash"), format!("the hash is {stored:016x}, that of the text {right:016x}"));
            }
        });
    }
    fn fix(doc: &mut Document) -> u64 {
        let mut mended = 0;
        let mut mend = |string: &mut DasString| {
            if !string.hash_is_right() {
                string.hash = Some(hash(string.bytes()));
                mended += 1;
            }
        };
        if !doc.header.author_name.hash_is_right() || !doc.header.comment.hash_is_right() {
            let header = doc.header.edit();
            mend(&mut header.author_name);
            mend(&mut header.comment);
        }
        for structure in &mut doc.structures {
            let mut wrong = false;
            each_string(structure, &mut |_, string| wrong |= !string.hash_is_right());
            if wrong {
                each_string_mut(structure.edit(), &mut mend);
            }
        }
        mended
    }
}

rule! {
    /// ## What it finds
    /// A byte 00 inside a string.
    ///
    /// ## Why it matters
    /// Programs in C take it for the end, and so does the library's hash.
    ///
    /// ## Example
    /// `tex` 00 `.png`.
    ///
    /// ## Fix
    /// Write the string again without it.
    DAS2_011 "DAS2-011" "string-holds-nul", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_text(doc, &mut |string, place| {
            if let Some(at) = string.bytes().iter().position(|byte| *byte == 0) {
                cx.report(place.field("text"), format!("{} has a byte 00 at position {at}", quoted(string.bytes())));
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A string that is not UTF-8.
    ///
    /// ## Why it matters
    /// The document does not say what the bytes mean; other formats demand UTF-8.
    ///
    /// ## Example
    /// A name with the byte FF.
    ///
    /// ## Fix
    /// Write the string again as UTF-8.
    DAS2_012 "DAS2-012" "string-not-utf8", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_text(doc, &mut |string, place| {
            if let Err(error) = std::str::from_utf8(string.bytes()) {
                let byte = string.bytes()[error.valid_up_to()];
                let message = format!("it is not UTF-8: byte {byte:02X} at position {}", error.valid_up_to());
                cx.report(place.field("text"), message);
            }
        });
    }
}
