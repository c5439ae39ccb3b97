//! What `check` says to people.

use pentad::File;
use pentad::findings::render::{escape, terminal};
use pentad::findings::{FILE_002, FILE_006, Severity, grouped, tally};
use pentad::report::Checked;

use super::Style;
use crate::output::Output;

/// What was found in a file. Nothing, if that is nothing to worry about; -v says more, -q less.
pub(super) fn file(checked: &Checked, file: Option<&File>, style: Style, out: &mut Output) {
    let least = match (out.quiet, out.verbose) {
        (true, _) => Severity::Error,
        (_, true) => Severity::Info,
        _ => Severity::Warning,
    };
    let name = &checked.file;
    if let Some(foreign) = checked.findings.iter().find(|finding| finding.rule.id == FILE_006.id) {
        if !out.quiet {
            out.line(format!("{}: {}", escape(name), foreign.message));
        }
        return;
    }
    for finding in &grouped(checked.findings.iter().filter(|finding| finding.severity >= least)) {
        out.line(match style {
            Style::Short => terminal::finding_line(finding, name, out.verbose, out.paint_out),
            _ => terminal::finding(finding, name, file.map(File::bytes), out.verbose, out.paint_out),
        });
    }
    if out.verbose && !out.quiet {
        out.line(summary(checked));
    }
}

/// The last line: what there is in all. Of one file, -v has said it.
pub(super) fn total(all: &[Checked], out: &mut Output) {
    if out.quiet {
        return;
    }
    let hidden = |infos: usize| if infos > 0 && !out.verbose { " (-v shows them)" } else { "" };
    let line = match all {
        [] => return,
        [_] if out.verbose => return,
        // Why it was not looked at has been said.
        [one] if one.findings.iter().any(|finding| finding.rule.id == FILE_002.id) => return,
        [one] => summary(one) + hidden(tally(&one.findings)[2]),
        many => {
            let tallies: Vec<[usize; 3]> = many.iter().map(|checked| tally(&checked.findings)).collect();
            let sum = [0, 1, 2].map(|i| tallies.iter().map(|tally| tally[i]).sum());
            let bad = tallies.iter().filter(|tally| tally[0] > 0).count();
            let bad = if bad > 0 { format!(", {bad} with errors") } else { String::new() };
            format!("{} files{bad}: {}{}", many.len(), counts(sum), hidden(sum[2]))
        }
    };
    out.line(line);
}

fn summary(checked: &Checked) -> String {
    let what = match (checked.format, checked.dialect) {
        (Some(format), Some(dialect)) => format!("{format}, dialect {dialect}"),
        (Some(format), None) => format!("{format}, not readable"),
        _ => "not recognised".to_owned(),
    };
    format!("{}: {what}: {}", escape(&checked.file), counts(tally(&checked.findings)))
}

/// `1 error, 0 warnings, 2 infos`.
fn counts(tally: [usize; 3]) -> String {
    let count = |(n, word): (usize, &str)| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    tally.into_iter().zip(["error", "warning", "info"]).map(count).collect::<Vec<_>>().join(", ")
}
