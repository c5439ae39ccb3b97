//! A law over the registry: whoever writes one wrong value into a good file is told which bytes it is.

use std::collections::{BTreeMap, BTreeSet};

use corpus::WrongField;
use findings::Finding;
use formats::{AnyFormat, NoSource, ReadCx};
use wire::{Blob, Span};

/// Files per format, but for the containers of glTF, which have few fields of their own.
const ENOUGH: usize = 50;

fn findings_of(format: &dyn AnyFormat, bytes: &[u8]) -> Vec<Finding> {
    let mut cx = ReadCx::default();
    match format.read(Blob::file(bytes.to_vec()), &mut cx) {
        Ok(doc) => {
            let mut findings = cx.findings.finish(&doc.tree());
            findings.extend(doc.check(None, &NoSource));
            findings
        }
        Err(error) => vec![Finding::from(&error)],
    }
}

/// The findings of the wrong file that the sample does not have.
fn new_findings(format: &dyn AnyFormat, wrong: &WrongField) -> Vec<Finding> {
    let identity = |f: &Finding| (f.rule.id, f.place.path.clone(), f.place.span, f.message.clone());
    let before: BTreeSet<_> = findings_of(format, &wrong.sample).iter().map(identity).collect();
    let mut found = findings_of(format, &wrong.file);
    found.retain(|finding| !before.contains(&identity(finding)));
    found
}

/// Whether a finding names the field: its bytes, or some of them. A text that is no JSON is so at a byte, or behind it.
fn names(finding: &Finding, (offset, size): (u64, u64)) -> bool {
    let field = Span::file(offset, size);
    let Some(span) = finding.place.span.filter(|span| span.space == field.space) else { return false };
    let is_point = span.size == 0 && finding.rule.id == "GLTF-003";
    (span.size > 0 || is_point) && span.offset >= offset && span.end() <= field.end()
}

#[test]
fn every_wrong_field_is_named() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut missed = Vec::new();
    for wrong in corpus::wrong_fields() {
        let Some(format) = formats::by_id(wrong.format) else { continue };
        *counts.entry(wrong.format).or_default() += 1;
        let found = new_findings(format, &wrong);
        if !found.iter().any(|finding| names(finding, wrong.at)) {
            let changed = wrong.file.iter().zip(&wrong.sample).position(|(a, b)| a != b).unwrap_or(0);
            let value: Vec<u8> = wrong.file[changed..].iter().take(4).copied().collect();
            let told: Vec<String> =
                found.iter().map(|f| format!("{} {} ({})", f.rule.id, f.place, f.message)).collect();
            missed.push(format!("{} {} at {:?}, {value:02X?}: {told:#?}", wrong.format, wrong.field, wrong.at));
        }
    }
    assert!(missed.is_empty(), "{} fields are not named:\n{}", missed.len(), missed.join("\n"));
    for (format, count) in counts.into_iter().filter(|(format, _)| *format != "glb") {
        assert!(count >= ENOUGH, "{format} has {count} files with a wrong field");
    }
}
