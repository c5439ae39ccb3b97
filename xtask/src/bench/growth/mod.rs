//! How time and memory grow with the number of objects: files of N and of 4 N of each kind, as Markdown.

mod files;
mod measure;
mod page;

use corpus::growing::{GROWING, Growing};
use pentad::formats;

use self::files::Files;
use self::measure::{Cost, measure};
use crate::Result;

/// The smaller file is made larger until a run takes as long, so that what is measured is not the start of the program.
const LEAST_MS: f64 = 50.;
/// The least number of objects.
const FIRST: usize = 500;
/// How many times as many objects the larger file has.
const TIMES: usize = 4;
/// By how much time and memory may grow with it. What is over 4 is for caches, which the larger file misses more often.
const BOUND: f64 = 5.;
/// The shortest of so many runs counts, except where fewer show that the bound is kept with room to spare.
const RUNS: usize = 5;
const ROOM: f64 = 0.9;

/// What is measured: a command on a file.
struct Task<'a> {
    kind: &'a Growing,
    /// Format of the file.
    from: &'static str,
    command: &'static str,
    /// Format of what `convert` writes.
    to: Option<&'static str>,
}

/// A line of the table.
struct Row<'a> {
    task: Task<'a>,
    end: End,
}

enum End {
    Measured {
        count: usize,
        small: Cost,
        large: Cost,
    },
    /// The file cannot be made or is refused, and what the program said.
    Refused(String),
}

pub(super) fn run(kinds: &[String]) -> Result {
    if let Some(unknown) = kinds.iter().find(|name| GROWING.iter().all(|kind| kind.what != **name)) {
        let known: Vec<&str> = GROWING.iter().map(|kind| kind.what).collect();
        return Err(format!("there is no kind {unknown}; there are {}", known.join(", ")).into());
    }
    let (mut count, mut over) = (0, 0);
    for kind in GROWING.iter().filter(|kind| kinds.is_empty() || kinds.iter().any(|name| name == kind.what)) {
        let mut files = Files::new(kind)?;
        let mut rows = Vec::new();
        for task in tasks(kind) {
            let end = grow(&task, &mut files)?;
            let row = Row { task, end };
            println!("{}", row.line());
            rows.push(row);
        }
        files.remove()?;
        count += rows.len();
        over += rows.iter().filter(|row| row.over()).count();
        page::write(kind, &rows)?;
    }
    if over == 0 { Ok(()) } else { Err(format!("{over} of {count} rows are over their bound").into()) }
}

/// The file itself to everything that is written, and what was written back to GLB.
fn tasks(kind: &Growing) -> Vec<Task<'_>> {
    let task = |from, command, to| Task { kind, from, command, to };
    let mut tasks = vec![task(kind.format, "info", None), task(kind.format, "check", None)];
    let written = formats::FORMATS.iter().map(|format| format.info()).filter(|info| info.write);
    tasks.extend(written.map(|info| task(kind.format, "convert", Some(info.id))));
    for &from in kind.held {
        tasks.extend([task(from, "info", None), task(from, "check", None), task(from, "convert", Some("glb"))]);
    }
    tasks
}

/// Measures with so many objects that the smaller run takes its time.
fn grow(task: &Task<'_>, files: &mut Files<'_>) -> Result<End> {
    let mut count = FIRST;
    let mut small = loop {
        let cost = match files.get(task.from, count)? {
            Ok(file) => measure(task, &file)?,
            Err(said) => Err(said),
        };
        match cost {
            Err(said) => return Ok(End::Refused(said)),
            Ok(cost) if cost.ms >= LEAST_MS || count * 2 > task.kind.most => break cost,
            Ok(cost) => count = (count * if cost.ms * 5. < LEAST_MS { 4 } else { 2 }).min(task.kind.most),
        }
    };
    let (file, larger) = (files.get(task.from, count)?, files.get(task.from, TIMES * count)?);
    let (file, larger) = match (file, larger) {
        (Ok(file), Ok(larger)) => (file, larger),
        (Err(said), _) | (_, Err(said)) => return Ok(End::Refused(said)),
    };
    let mut large: Option<Cost> = None;
    for run in 0..RUNS {
        match measure(task, &larger)? {
            Err(said) => return Ok(End::Refused(said)),
            Ok(cost) => large = Some(large.map_or(cost, |before| before.least(cost))),
        }
        if run > 0
            && let Ok(again) = measure(task, &file)?
        {
            small = small.least(again);
        }
        if large.is_some_and(|large| large.times(&small) < bound(&small, &large) * ROOM) {
            break;
        }
    }
    let large = large.ok_or("nothing was measured")?;
    Ok(End::Measured { count, small, large })
}

/// By how much time and memory may grow: with what is written, where that grows faster than the objects.
fn bound(small: &Cost, large: &Cost) -> f64 {
    BOUND * (large.written as f64 / small.written.max(1) as f64 / TIMES as f64).max(1.)
}

impl Row<'_> {
    fn over(&self) -> bool {
        match &self.end {
            End::Measured { small, large, .. } => large.times(small).max(large.memory(small)) > bound(small, large),
            // Where there is no material, none can be written.
            End::Refused(_) => self.task.to != Some("mat"),
        }
    }

    fn line(&self) -> String {
        let Task { kind, from, command, to } = &self.task;
        let command = to.map_or_else(|| (*command).to_owned(), |to| format!("{command} to {to}"));
        let start = format!("| {from} | {command} |");
        match &self.end {
            End::Refused(said) => format!("{start} | | | | | | | {} |", said.replace('|', "\\|")),
            End::Measured { count, small, large } => {
                let (time, memory) = (large.times(small), large.memory(small));
                let mut notes = Vec::new();
                if small.ms < LEAST_MS && count * 2 > kind.most {
                    notes.push(format!("the smaller run is below {LEAST_MS} ms with the most objects that are tried"));
                }
                let bound = bound(small, large);
                // Numbers that become longer are no news.
                if bound > BOUND * 1.1 {
                    let grown = large.written as f64 / small.written.max(1) as f64;
                    notes.push(format!("what is written grows by {grown:.1}, so the bound is {bound:.1}"));
                }
                if self.over() {
                    notes.push("**over its bound**".to_owned());
                }
                format!(
                    "{start} {count} | {:.0} | {:.0} | {time:.1} | {:.0} | {:.0} | {memory:.1} | {} |",
                    small.ms,
                    large.ms,
                    small.mb,
                    large.mb,
                    notes.join("; "),
                )
            }
        }
    }
}
