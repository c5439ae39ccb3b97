//! What `check` says about dialects: a law over the registry and the corpus.

mod common;

use std::collections::BTreeSet;

use corpus::Kind;
use pentad::findings::{Finding, Severity};
use pentad::formats::{self, FORMATS};
use pentad::{ConvertOptions, convert};

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

/// Whatever is asked for: what comes out as it went in has lost nothing.
#[test]
fn the_same_bytes_are_no_loss() {
    let (mut same, mut asked) = (0, 0);
    let samples = corpus::samples();
    for sample in samples.iter().filter(|sample| sample.kind != Kind::Bad && formats::by_id(sample.format).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let asset = common::lay(folder.path(), sample);
        let (own, format) = (asset.document().dialect(), asset.document().format());
        let plain = ConvertOptions { dialect: Some(own.to_owned()), ..ConvertOptions::to(format) };
        let level = asset.format().options.iter().find(|option| option.name == "endian").map(|_| ("endian", "little"));
        let up = asset.format().options.iter().find(|option| option.name == "target-up").map(|_| ("target-up", "+Y"));
        let with = |(name, value): (&'static str, &'static str)| {
            let mut options = ConvertOptions::to(format);
            options.options.set(name, value);
            options
        };
        for options in [plain].into_iter().chain(level.map(with)).chain(up.map(with)) {
            // Some dialects are read and not written.
            let Ok(converted) = convert(&asset, &options) else { continue };
            let is_same = converted.to_vec().unwrap() == (sample.bytes)();
            let what = format!("{} sample {}: {:?}", sample.format, sample.name, converted.losses);
            // A file beside it that is not there is missing all the same.
            let lost = converted.losses.iter().filter(|loss| !["LOSS-030", "LOSS-090"].contains(&loss.code)).count();
            assert!(!is_same || lost == 0, "{what}");
            (same, asked) = (same + usize::from(is_same), asked + 1);
        }
    }
    assert!(same > asked / 2 && same > 50, "{same} of {asked}");
}
