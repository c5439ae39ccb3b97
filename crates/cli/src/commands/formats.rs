use pentad::findings::Result;
use pentad::formats::FORMATS;
use pentad::report;

use crate::Exit;
use crate::output::Output;

/// List every format: what it can read, write and hold
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad formats
  pentad formats --json | jq '.formats[].id'")]
pub(crate) struct Args {
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    if args.json {
        out.json(&report::formats());
        return Ok(Exit::Done);
    }
    for format in FORMATS {
        let info = format.info();
        let can = match (info.read, info.write) {
            (true, true) => "read, write",
            (true, false) => "read",
            _ => "write",
        };
        let extensions: Vec<String> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        let head = out.paint_out.strong(&format!("{:<9}", info.id));
        out.line(format!("{head} {:<22} {:<12} {can}", info.name, extensions.join(" ")));
        for (i, dialect) in info.dialects.iter().enumerate().filter(|_| info.dialects.len() > 1) {
            let default = if i == 0 { " (default)" } else { "" };
            out.line(format!("          dialect {}{default}: {}", dialect.id, dialect.about));
        }
    }
    out.line("");
    out.line("What each can hold, as this version writes it:");
    matrix(out);
    Ok(Exit::Done)
}

/// Capabilities that are lists, and so have lines of their own.
const LISTS: [(&str, &str); 5] = [
    ("topologies", "Which draw"),
    ("metadata", "Which have fields for"),
    ("names", "Which have names of"),
    ("properties", "Which have properties of a user's own for"),
    ("texture_sets", "Which say the set of texture coordinates for each of"),
];

/// One row per capability, one column per format that can be written; then what is a list.
fn matrix(out: &mut Output) {
    let writable: Vec<_> = FORMATS.iter().map(|format| format.info()).filter(|info| info.write).collect();
    let columns: Vec<Vec<(&str, String)>> = writable.iter().map(|info| info.capabilities.rows()).collect();
    let Some(first) = columns.first() else { return };
    let is_list = |key: &str| LISTS.iter().any(|(list, _)| *list == key);
    let width = |rows: &[(&str, String)]| rows.iter().filter(|(key, _)| !is_list(key)).map(|(_, v)| v.len()).max();
    let widths: Vec<usize> =
        columns.iter().zip(&writable).map(|(rows, info)| width(rows).unwrap_or(0).max(info.id.len())).collect();
    let line = |key: &str, cells: Vec<&str>| {
        let cells: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("  {key:<18} {}", cells.join("  ")).trim_end().to_owned()
    };
    out.line(line("", writable.iter().map(|info| info.id).collect()));
    for (row, (key, _)) in first.iter().enumerate().filter(|(_, (key, _))| !is_list(key)) {
        out.line(line(&key.replace('_', " "), columns.iter().map(|rows| rows[row].1.as_str()).collect()));
    }
    for (list, heading) in LISTS {
        out.line("");
        out.line(format!("{heading}:"));
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for (info, rows) in writable.iter().zip(&columns) {
            let words = rows.iter().find(|(key, _)| *key == list).map_or("", |(_, words)| words.as_str());
            match groups.iter_mut().find(|(known, _)| *known == words) {
                Some((_, ids)) => ids.push(info.id),
                None => groups.push((words, vec![info.id])),
            }
        }
        for (words, ids) in groups.iter().filter(|(words, _)| !matches!(*words, "" | "no" | "none")) {
            out.line(format!("  {:<22} {}", ids.join(", "), words.replace(' ', ", ").replace('_', " ")));
        }
    }
}
