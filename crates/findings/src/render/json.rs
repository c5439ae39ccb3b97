//! Findings as data. The fields are a contract: see `docs/schema/check.json`.

use serde::Serialize;

use crate::{Finding, tally};

/// One checked file.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File {
    /// The path as given.
    pub file: String,
    /// Format id, or null if no format recognises the content.
    pub format: Option<String>,
    /// Dialect id, or null if the file cannot be read.
    pub dialect: Option<String>,
    /// Number of findings with severity `error`.
    pub errors: usize,
    /// Number of findings with severity `warning`.
    pub warnings: usize,
    /// Number of findings with severity `info`.
    pub infos: usize,
    /// The findings, worst first.
    pub findings: Vec<Entry>,
}

/// One finding.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// Rule id.
    pub rule: &'static str,
    /// Rule name.
    pub name: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// Which step noticed it.
    pub stage: &'static str,
    /// What was expected and what was there.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// How often it was found in this place.
    pub count: u64,
    /// What it is about, where the message names something or several are counted; not all of very many.
    pub subjects: Vec<String>,
    /// Where.
    pub place: PlaceEntry,
}

/// A place.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceEntry {
    /// `file`, or `inflated` for places inside a compressed body.
    pub space: &'static str,
    /// First byte; null where no byte stands for it.
    pub offset: Option<u64>,
    /// Number of bytes; null where no byte stands for it.
    pub size: Option<u64>,
    /// Path in the document; empty for the whole file.
    pub path: String,
    /// The file, if it is not the checked one but one that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl From<&Finding> for Entry {
    fn from(finding: &Finding) -> Entry {
        let span = finding.place.span;
        Entry {
            rule: finding.rule.id,
            name: finding.rule.name,
            severity: finding.severity.name(),
            stage: finding.rule.stage.name(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            count: finding.count,
            subjects: finding.subjects.clone(),
            place: PlaceEntry {
                space: span.map_or("file", |s| s.space.name()),
                offset: span.map(|s| s.offset),
                size: span.map(|s| s.size),
                path: finding.place.path.clone(),
                file: finding.place.file.as_ref().map(ToString::to_string),
            },
        }
    }
}

/// One file and its findings.
pub fn file(file: &str, format: Option<&str>, dialect: Option<&str>, findings: &[Finding]) -> File {
    let [errors, warnings, infos] = tally(findings);
    File {
        file: file.to_owned(),
        format: format.map(str::to_owned),
        dialect: dialect.map(str::to_owned),
        errors,
        warnings,
        infos,
        findings: findings.iter().map(Entry::from).collect(),
    }
}
