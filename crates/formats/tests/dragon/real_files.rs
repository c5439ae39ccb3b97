//! Files of an independent implementation, and files built word for word from the document.

use std::path::Path;

use findings::Severity;
use formats::Document as _;
use serde_json::Value;
use testing::{assert_covered, corpus_dir};

use crate::support::*;

fn golden(dir: &Path, name: &str) -> Vec<String> {
    let facts = testing::golden(dir, name);
    let files = facts.iter().filter_map(|fact| fact["file"].as_str()).filter(|file| file.ends_with(".dragon"));
    files.map(str::to_owned).collect()
}

/// The alternatives that each file is in; files that are not listed are canonical.
const VARIANTS: &[(&str, &[&str])] = &[
    ("variant-all-inline-le.dragon", &["V-INLINE"]),
    ("variant-animate-guid-list-le.dragon", &["V-ANIGUID"]),
    ("variant-be-forward-magic.dragon", &["V-BEFWD"]),
    ("variant-header44-le.dragon", &["V-H44"]),
    ("variant-light-two-rotations-le.dragon", &["V-LIGHT2"]),
    ("variant-morph-image-hex-order-le.dragon", &["V-HEX"]),
    ("02-s8.dragon", &["V-S8"]),
    ("04-sections-by-offset.dragon", &["V-SECOFF"]),
    ("06-base-after-field.dragon", &["V-BASE4"]),
    ("08-base-body.dragon", &["V-BASEBODY"]),
    ("10-seq-no-return.dragon", &["V-SEQ"]),
    ("11-light-two-vec3.dragon", &["V-LIGHT2"]),
    ("12-light-type-two.dragon", &["V-LIGHT-T2"]),
    ("14-light-late-type.dragon", &["V-LIGHT-LATE"]),
    ("16-bones-always-mat4.dragon", &["V-BONEALL"]),
    ("20-be-reversed-tags.dragon", &["V-BETAG"]),
    ("24-inlattr-vcount.dragon", &["V-INLATTR", "V-VCOUNT"]),
    ("26-vcount-frames.dragon", &["V-FRAMES", "V-VCOUNT"]),
    ("28-2019-sem32.dragon", &["V-H36"]),
    ("30-s8-inline.dragon", &["V-INLINE", "V-S8"]),
    ("32-h44-seq.dragon", &["V-H44", "V-SEQ"]),
    ("34-be-fwd-magic-ver0.dragon", &["V-BEFWD"]),
    ("36-minimal-s8-total49.dragon", &["V-S8"]),
    ("40-inline-animate-bone4.dragon", &["V-INLINE"]),
];

#[test]
fn files_of_others_are_in_the_layouts_they_say() {
    let Some(dir) = corpus_dir() else { return };
    for (folder, list) in [("dragon", "dragon.json"), ("literal", "literal.json")] {
        for file in golden(&dir, list).into_iter().filter(|file| !file.starts_with("bad-")) {
            let bytes = std::fs::read(dir.join(folder).join(&file)).expect("it is there");
            let doc = read(&bytes);
            assert!(write(&doc) == bytes, "{file}: as read");
            assert_covered(&doc.tree(), bytes.len() as u64);
            let expected = VARIANTS.iter().find(|(name, _)| *name == file).map_or(&[][..], |(_, ids)| ids);
            assert_eq!(doc.variants(), expected, "{file}");
            assert_eq!(doc.dialect(), if expected.is_empty() { "spec" } else { "variant" }, "{file}");
            let again = read(&write(&anew(&doc)));
            assert_eq!(again, anew(&doc), "{file}: written canonically");
            assert_eq!(again.dialect(), "spec", "{file}: written canonically");
            if expected.is_empty() && folder == "dragon" {
                assert!(write(&anew(&doc)) == bytes, "{file}: written anew");
            }
        }
    }
}

/// What becomes of damaged files: refused, read with errors, or read with warnings.
const DAMAGED: &[(&str, Severity, &str)] = &[
    ("bad-magic.dragon", Severity::Error, "DRG-001"),
    ("bad-section-size-small-le.dragon", Severity::Error, "DRG-005"),
    ("bad-file-guid-le.dragon", Severity::Error, "DRG-002"),
    ("bad-file-version2-le.dragon", Severity::Error, "DRG-003"),
    ("bad-up-direction-le.dragon", Severity::Error, "DRG-012"),
    ("bad-float-normalized-le.dragon", Severity::Error, "DRG-037"),
    ("bad-index-range-le.dragon", Severity::Error, "DRG-040"),
    ("bad-light-type-le.dragon", Severity::Error, "DRG-027"),
    ("bad-bool-2-le.dragon", Severity::Warning, "DRG-026"),
    ("bad-cstring-utf8-le.dragon", Severity::Warning, "DRG-025"),
    ("bad-dangling-guid-le.dragon", Severity::Warning, "DRG-018"),
    ("bad-settings-dangling-le.dragon", Severity::Warning, "DRG-018"),
    ("bad-section-count-low-le.dragon", Severity::Warning, "DRG-008"),
    ("bad-total-size-le.dragon", Severity::Warning, "DRG-011"),
    ("bad-trailing-bytes-le.dragon", Severity::Warning, "DRG-010"),
    ("bad-version-0-le.dragon", Severity::Warning, "DRG-003"),
];

#[test]
fn damaged_files_end_as_the_fact_sheet_says() {
    let Some(dir) = corpus_dir() else { return };
    let files = golden(&dir, "dragon.json");
    for file in files.iter().filter(|file| file.starts_with("bad-")) {
        let bytes = std::fs::read(dir.join("dragon").join(file)).expect("it is there");
        let (_, severity, rule) = DAMAGED.iter().find(|(name, ..)| name == file).expect("an outcome");
        let found = findings(&bytes);
        assert!(ids(&found, *severity).contains(rule), "{file}: {:?}", ids(&found, *severity));
        if *severity == Severity::Warning {
            assert_eq!(ids(&found, Severity::Error), [""; 0], "{file}");
        }
        let refused = ["bad-magic.dragon", "bad-section-size-small-le.dragon"].contains(&file.as_str());
        assert_eq!(try_read(&bytes).is_err(), refused, "{file}");
        if let Ok(doc) = try_read(&bytes) {
            assert!(write(&doc) == bytes, "{file}: as read");
        }
    }
}

#[test]
fn good_files_have_no_errors() {
    let Some(dir) = corpus_dir() else { return };
    for file in golden(&dir, "dragon.json").into_iter().filter(|file| !file.starts_with("bad-")) {
        let bytes = std::fs::read(dir.join("dragon").join(&file)).expect("it is there");
        assert_eq!(ids(&findings(&bytes), Severity::Error), [""; 0], "{file}");
    }
}

#[test]
fn literal_readings_say_what_the_canonical_file_says() {
    let Some(dir) = corpus_dir() else { return };
    let read_file = |file: &str| read(&std::fs::read(dir.join("literal").join(file)).expect("it is there"));
    let canonical = bodies(&read_file("00-canonical.dragon"));
    let text = std::fs::read(dir.join("golden/literal.json")).expect("golden facts");
    let facts: Vec<Value> = serde_json::from_slice(&text).expect("a list");
    for fact in facts.iter().filter(|fact| fact["same_as"] == "cube-full-le") {
        let file = fact["file"].as_str().expect("a name");
        assert!(bodies(&read_file(file)) == canonical, "{file}");
    }
}
