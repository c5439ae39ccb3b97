use findings::Finding;
use findings::render::json;
use serde::Serialize;

/// `check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// `pentad/check/1`.
    pub schema: &'static str,
    /// One entry per file.
    pub files: Vec<json::File>,
    /// Files in folders that no format reads.
    pub skipped: usize,
}

/// One checked file: name, format, dialect, findings.
pub type Checked = (String, Option<&'static str>, Option<&'static str>, Vec<Finding>);

/// The report over all files.
pub fn check(files: &[Checked], skipped: usize) -> Check {
    let files = files.iter().map(|(file, format, dialect, findings)| json::file(file, *format, *dialect, findings));
    Check { schema: "pentad/check/1", files: files.collect(), skipped }
}
