use findings::Finding;
use findings::render::json;
use formats::Fact;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::info::further;

/// `check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// `pentad/check/1`.
    pub schema: &'static str,
    /// One entry per file.
    pub files: Vec<CheckedFile>,
    /// Files in folders that no format reads.
    pub skipped: usize,
}

/// One checked file.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedFile {
    /// What every format has.
    #[serde(flatten)]
    pub file: json::File,
    /// What tells the dialect of some formats more closely.
    #[serde(flatten)]
    pub further: Map<String, Json>,
}

/// One checked file.
pub struct Checked {
    /// Its name as given.
    pub file: String,
    /// Its format, if one recognises it.
    pub format: Option<&'static str>,
    /// Its dialect, if it could be read.
    pub dialect: Option<&'static str>,
    /// What tells its dialect more closely.
    pub marks: Vec<(&'static str, Fact)>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

/// The report over all files.
pub fn check(files: &[Checked], skipped: usize) -> Check {
    let file = |checked: &Checked| CheckedFile {
        file: json::file(&checked.file, checked.format, checked.dialect, &checked.findings),
        further: further(checked.marks.clone()),
    };
    Check { schema: "pentad/check/1", files: files.iter().map(file).collect(), skipped }
}
