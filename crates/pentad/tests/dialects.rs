//! What `check` says about dialects: a law over the registry and the corpus.

mod common;

use std::collections::BTreeSet;

use corpus::Kind;
use pentad::findings::{Finding, Severity};
use pentad::formats::{self, FORMATS};

fn of_rule<'a>(findings: &'a [Finding], rule: &str) -> Vec<&'a Finding> {
    findings.iter().filter(|finding| finding.rule.id == rule).collect()
}

#[test]
fn asking_for_another_dialect_names_the_one_that_a_file_is_in() {
    let mut engines = BTreeSet::new();
    let samples = corpus::samples();
    for sample in samples.iter().filter(|sample| sample.kind != Kind::Bad && formats::by_id(sample.format).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let asset = common::lay(folder.path(), sample);
        let (own, what) = (asset.document().dialect(), format!("{} sample {}", sample.format, sample.name));
        let plain = asset.check(None);
        assert!(of_rule(&plain, "FILE-007").is_empty(), "{what}: a dialect is no fault");
        if sample.kind == Kind::Good {
            assert!(plain.iter().all(|finding| finding.severity == Severity::Info), "{what}: {plain:?}");
        }
        for dialect in asset.format().dialects {
            let asked = asset.check(Some(dialect.id));
            let told = of_rule(&asked, "FILE-007");
            // The engine loads what it loads, in whatever dialect: its rules answer.
            let expected = usize::from(dialect.id != own && dialect.id != "engine");
            assert_eq!(told.len(), expected, "{what}, asked for {}", dialect.id);
            for finding in told {
                assert_eq!(finding.severity, Severity::Warning);
                assert!(finding.message.contains(&format!("dialect {own}")), "{what}: {}", finding.message);
            }
        }
        if own == "engine" && sample.kind == Kind::Good {
            engines.insert(sample.format);
        }
    }
    for info in FORMATS.iter().map(|format| format.info()).filter(|info| info.dialect("engine").is_some()) {
        assert!(engines.contains(info.id), "{} has no good sample in the dialect engine", info.id);
    }
}
