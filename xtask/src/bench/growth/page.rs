//! `docs/performance.md`.

use std::fs;

use corpus::growing::GROWING;

use super::{BOUND, LEAST_MS, RUNS, Row, TIMES};
use crate::Result;
use crate::workspace::root;

pub(super) fn write(rows: &[Row<'_>]) -> Result {
    let kinds: Vec<String> = GROWING.iter().map(|kind| format!("* **{}**: {}\n", kind.what, kind.about)).collect();
    let lines: Vec<String> = rows.iter().map(|row| row.line() + "\n").collect();
    let over = rows.iter().filter(|row| row.over()).count();
    let page = format!(
        "# How time and memory grow\n\n\
         Written by `cargo xtask bench growth`, which fails if a row is over its bound.\n\n\
         Each row compares a file of N objects of a kind with one of {TIMES} N. N is doubled until the smaller run takes \
         {LEAST_MS} ms,\nso that the start of the program does not count. **Time** is that of the processor in the \
         program itself, of all threads: other\nprograms on the machine do not count, nor what the system does to \
         make files, nor waiting for a disk. \
         **Memory** is the most that was resident, with\nmapped files. The least of {RUNS} runs is shown; fewer are \
         made where the first stays well below the bound. Either may grow\nby {BOUND}, which leaves room for caches \
         that a larger file misses more often; where what is written grows faster than the\nobjects, since a format \
         stores a pose of all bones for every animation, the bound grows with what is written.\n\n\
         {} rows, {over} over their bound.\n\n{}\n\
         | objects | file | command | N | ms | ms, {TIMES} N | times | MB | MB, {TIMES} N | times | note |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n{}",
        rows.len(),
        kinds.concat(),
        lines.concat(),
    );
    fs::write(root().join("docs/performance.md"), page)?;
    Ok(())
}
