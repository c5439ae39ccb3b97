use findings::{Finding, LossGroup, Losses};
use serde::Serialize;

/// `convert --report`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conversion {
    /// `pentad/convert/1`.
    pub schema: &'static str,
    /// What was read.
    pub source: End,
    /// What was written.
    pub target: End,
    /// Every file that was written, the main file first; none to a stream.
    pub written: Vec<String>,
    /// What was left behind, the gravest first.
    pub losses: Vec<LossEntry>,
    /// What was noticed on the way.
    pub findings: Vec<findings::render::json::Entry>,
    /// What the user should know about the result.
    pub notes: Vec<String>,
    /// How what was written compares with the source, under `--verify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<crate::Verified>,
}

/// One end of a conversion.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct End {
    /// The path as given.
    pub file: String,
    /// Its bytes in hex, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<String>,
    /// Format id.
    pub format: String,
    /// Dialect id.
    pub dialect: String,
    /// Size of the main file.
    pub bytes: u64,
}

/// One loss.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LossEntry {
    /// `LOSS-007`; `explain` has its page.
    pub code: &'static str,
    /// Readable name.
    pub name: &'static str,
    /// `dropped`, `changed` or `rounding`.
    pub level: &'static str,
    /// What is gone or changed.
    pub what: String,
    /// Which object; the first, if there are several.
    pub r#where: String,
    /// Every object.
    pub subjects: Vec<String>,
    /// Why the target cannot hold it.
    pub why: String,
    /// How many of them.
    pub count: u64,
    /// How far off it is at most, as a share of the number's own size or of the model's, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// What to do instead.
    pub help: String,
}

/// The report of one conversion.
pub fn conversion(source: End, target: End, losses: &Losses, findings: &[Finding], notes: &[String]) -> Conversion {
    let losses = losses.entries();
    let losses = losses.iter().map(|LossGroup { first: loss, count, size, subjects, .. }| LossEntry {
        code: loss.code,
        name: loss.name,
        level: loss.level.name(),
        what: loss.what.clone(),
        r#where: loss.subject.to_string(),
        subjects: subjects.iter().map(ToString::to_string).collect(),
        why: loss.why.clone(),
        count: *count,
        size: *size,
        help: loss.help.clone(),
    });
    Conversion {
        schema: "pentad/convert/1",
        source,
        target,
        written: Vec::new(),
        losses: losses.collect(),
        findings: findings.iter().map(Into::into).collect(),
        notes: notes.to_vec(),
        verified: None,
    }
}
