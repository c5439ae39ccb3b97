use findings::{Finding, Losses};
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
    /// What was left behind.
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
    /// What is gone or changed.
    pub what: String,
    /// Which object.
    pub r#where: String,
    /// Why the target cannot hold it.
    pub why: String,
    /// How many of them.
    pub count: u64,
    /// What to do instead.
    pub help: String,
}

/// The report of one conversion.
pub fn conversion(source: End, target: End, losses: &Losses, findings: &[Finding], notes: &[String]) -> Conversion {
    let losses = losses.iter().map(|loss| LossEntry {
        code: loss.code,
        name: loss.name,
        what: loss.what.clone(),
        r#where: loss.place.clone(),
        why: loss.why.clone(),
        count: loss.count,
        help: loss.help.clone(),
    });
    Conversion {
        schema: "pentad/convert/1",
        source,
        target,
        losses: losses.collect(),
        findings: findings.iter().map(Into::into).collect(),
        notes: notes.to_vec(),
        verified: None,
    }
}
