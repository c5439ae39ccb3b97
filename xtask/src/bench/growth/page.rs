//! `docs/performance.md`: a section for each kind of object.

use std::fs;

use corpus::growing::{GROWING, Growing};

use super::measure::FEW;
use super::{BOUND, LEAST_MS, RUNS, Row, TIMES};
use crate::Result;
use crate::workspace::root;

/// Writes the section of a kind; those of others stay as they are.
pub(super) fn write(measured: &Growing, rows: &[Row<'_>]) -> Result {
    let path = root().join("docs/performance.md");
    let before = fs::read_to_string(&path).unwrap_or_default();
    let section = |kind: &Growing| match kind.what == measured.what {
        true => Some(fresh(kind, rows)),
        false => {
            before.split("\n## ").find(|section| section.starts_with(&format!("{}\n", kind.what))).map(str::to_owned)
        }
    };
    let sections = GROWING.iter().filter_map(section).map(|section| format!("\n## {}\n", section.trim_end()));
    fs::write(path, head() + &sections.collect::<String>())?;
    Ok(())
}

fn head() -> String {
    format!(
        "# How time and memory grow\n\n\
         Written by `cargo xtask bench growth [KIND…]`, which fails if a row is over its bound.\n\n\
         Each row compares a file of N objects of a kind with one of {TIMES} N. N is doubled until the smaller run takes\n\
         {LEAST_MS} ms, so that the start of the program does not count. **Time** is that of the processor, of all threads:\n\
         other programs on the machine do not count, nor waiting for a disk, nor what the system does where more than\n\
         {FEW} files are made. **Memory** is the most that was resident, with mapped files. The least of {RUNS} runs is\n\
         shown; fewer are made where the first stays well below the bound. Either may grow by {BOUND}, which leaves room\n\
         for caches that a larger file misses more often. Where what is written grows faster than the objects, as a\n\
         format stores a pose of all bones for every animation, the bound grows with what is written.\n"
    )
}

fn fresh(kind: &Growing, rows: &[Row<'_>]) -> String {
    let lines: Vec<String> = rows.iter().map(|row| row.line() + "\n").collect();
    format!(
        "{}\n\n{}\n\n\
         | file | command | N | ms | ms, {TIMES} N | times | MB | MB, {TIMES} N | times | note |\n\
         |---|---|---|---|---|---|---|---|---|---|\n{}",
        kind.what,
        kind.about,
        lines.concat(),
    )
}
