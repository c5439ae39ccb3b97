//! Every reading of the document: which it is, and that it says the same as the canonical one.

use corpus::dragon::VARIANTS;
use formats::Document as _;

use crate::support::*;

#[test]
fn every_reading_is_told_by_its_content() {
    for variant in VARIANTS {
        let doc = read(&(variant.file)());
        assert_eq!(doc.variants(), variant.ids, "{}", variant.name);
        assert_eq!(doc.dialect(), "variant", "{}", variant.name);
    }
}

#[test]
fn every_reading_says_what_the_canonical_one_says() {
    for variant in VARIANTS {
        let Some(canonical) = variant.canonical else { continue };
        let (doc, canonical) = (read(&(variant.file)()), canonical());
        assert!(anew(&doc) == read(&canonical), "{}: another document", variant.name);
        assert!(write(&anew(&doc)) == canonical, "{}: other bytes", variant.name);
    }
}

#[test]
fn an_edited_variant_is_written_canonically() {
    for variant in VARIANTS {
        let Some(canonical) = variant.canonical else { continue };
        let mut doc = read(&(variant.file)());
        doc.sections[0].edit();
        assert!(doc.variants().is_empty() && doc.dialect() == "spec", "{}", variant.name);
        assert!(write(&doc) == canonical(), "{}", variant.name);
    }
}
