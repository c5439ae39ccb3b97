//! A run of the program: what it took of the processor and of memory, and how much it wrote.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Task;
use super::files::{extension, last_line};
use crate::Result;
use crate::bench::pentad;
use crate::workspace::{files_below, target};

/// Prints the seconds of the processor, to the millisecond, behind the most kilobytes of resident memory: the shell
/// knows the one, and GNU time the other.
const MEASURED: &str = r#"TIMEFORMAT="%3U %3S"; time /usr/bin/time -q -f %M "$0" "$@" >/dev/null"#;

/// More files than this are many.
pub(super) const FEW: usize = 16;

/// What a run took.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// Of the processor, all threads together: others who use the machine do not count, nor what the system does to make
    /// [many](FEW) files, which grows with the files of a folder.
    pub(super) ms: f64,
    /// The most resident memory.
    pub(super) mb: f64,
    /// Bytes of all files it wrote.
    pub(super) written: u64,
}

impl Cost {
    pub(super) fn times(&self, small: &Cost) -> f64 {
        self.ms / small.ms.max(1.)
    }
    pub(super) fn memory(&self, small: &Cost) -> f64 {
        self.mb / small.mb
    }
    pub(super) fn least(self, other: Cost) -> Cost {
        Cost { ms: self.ms.min(other.ms), mb: self.mb.min(other.mb), ..self }
    }
}

/// Runs the task once; what the program said, where it could not be done.
pub(super) fn measure(task: &Task<'_>, file: &Path) -> Result<std::result::Result<Cost, String>> {
    let out = target("bench/growth")?.join("out");
    _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out)?;
    let mut command = Command::new("bash");
    command.args(["-c", MEASURED]).arg(pentad()).arg(task.command).arg(file).stdin(Stdio::null());
    if let Some(to) = task.to {
        command.arg("--quiet").arg(out.join("model").with_extension(extension(to)));
    }
    let output = command.output()?;
    // 1 is an answer, too: a file with errors was checked.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Ok(Err(error(&output.stderr)));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let numbers: Vec<f64> = said.split_whitespace().rev().map_while(|word| word.parse().ok()).take(3).collect();
    let [system, user, kilobytes] = numbers[..] else {
        return Err(format!("bash and GNU time are needed to measure: {}", last_line(&output.stderr)).into());
    };
    let sizes = files_below(&out)?.iter().map(|path| Ok(fs::metadata(path)?.len())).collect::<Result<Vec<_>>>()?;
    // The system splits the two by its clock, so that they are exact only together.
    let seconds = if sizes.len() > FEW { user } else { user + system };
    Ok(Ok(Cost { ms: seconds * 1e3, mb: kilobytes / 1024., written: sizes.iter().sum() }))
}

/// What the program says that did not do it.
fn error(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    text.lines().find(|line| line.starts_with("error")).unwrap_or_default().to_owned()
}
