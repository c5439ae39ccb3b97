use findings::Finding;
use findings::render::json;
use formats::AnyDocument;
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
    /// Files in folders whose extension belongs to no format.
    pub skipped: usize,
}

/// One checked file.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedFile {
    /// What was found.
    #[serde(flatten)]
    pub file: json::File,
    /// The bytes of its path in hex, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<String>,
    /// How it is stored, where its format has several ways beside dialects: `compression`, `endian`, `variants`.
    #[serde(flatten)]
    pub stored: Map<String, Json>,
}

/// A file and what was found in it.
pub struct Checked {
    /// Its name.
    pub file: String,
    /// The bytes of its path in hex, if they are not UTF-8, see [`super::odd_path`].
    pub file_bytes: Option<String>,
    /// The id of its format, if one recognises it.
    pub format: Option<&'static str>,
    /// The id of its dialect, if it can be read.
    pub dialect: Option<&'static str>,
    /// How it is stored, see [`stored`].
    pub stored: Map<String, Json>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// Facts that say how a document is stored, beside its dialect.
const STORED: [&str; 3] = ["compression", "endian", "variants"];

/// How a document is stored, beside its dialect.
pub fn stored(document: &dyn AnyDocument) -> Map<String, Json> {
    let facts = document.facts(false).further;
    further(facts.into_iter().filter(|(key, _)| STORED.contains(key)).collect())
}

/// The report over all files.
pub fn check(files: &[Checked], skipped: usize) -> Check {
    let one = |checked: &Checked| CheckedFile {
        file: json::file(&checked.file, checked.format, checked.dialect, &checked.findings),
        file_bytes: checked.file_bytes.clone(),
        stored: checked.stored.clone(),
    };
    Check { schema: "pentad/check/1", files: files.iter().map(one).collect(), skipped }
}
