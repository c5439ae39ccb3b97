//! Where findings are: from statements and elements to bytes and lines.

use std::ops::Range;

use findings::{Checker, MAX_PER_RULE, Place};

use crate::obj::layout::Document;
use crate::obj::lex::{Line, lines_before};

/// The place of some bytes of the text, and their line. Findings of one rule in one run of statements are counted.
pub(in crate::obj) fn locate(doc: &Document, bytes: Range<usize>) -> (Place, usize) {
    let runs = &doc.model().runs;
    let run = runs.partition_point(|run| run.start <= bytes.start).saturating_sub(1);
    let start = runs.get(run).map_or(0, |run| run.start);
    let line = lines_before(doc.source(), bytes.start) + 1;
    let first = lines_before(doc.source(), start) + 1;
    (Place::bytes(format!("statements[{run}][{}]", line - first), doc.span(bytes)), line)
}

/// Reports some bytes of the text.
pub(super) fn report(
    doc: &Document,
    cx: &mut Checker<'_>,
    bytes: Range<usize>,
    count: u64,
    message: impl std::fmt::Display,
) {
    let (place, line) = locate(doc, bytes);
    cx.report_count(place, count, format!("line {line}: {message}"));
}

/// Reports as many as a report lists, and the rest as a count with the last of them: finding a place takes a pass over
/// the text.
pub(super) fn report_each<T>(
    doc: &Document,
    cx: &mut Checker<'_>,
    found: &[T],
    describe: impl Fn(&T) -> (Range<usize>, u64, String),
) {
    let listed = found.len().min(MAX_PER_RULE);
    for (i, item) in found[..listed].iter().enumerate() {
        let (bytes, count, message) = describe(item);
        let further = if i + 1 == listed { found.len() - listed } else { 0 };
        report(doc, cx, bytes, count + further as u64, message);
    }
}

/// The bytes of the statement of one element.
pub(super) fn statement(doc: &Document, element: usize) -> Range<usize> {
    let found = doc.model().element_runs().find(|(_, _, elements)| elements.sizes.contains(&element));
    let line = found.and_then(|(run, _, elements)| doc.lines(run).nth(element - elements.sizes.start));
    line.map_or(0..0, |line| line.at)
}

pub(super) fn statement_of_run(doc: &Document, run: usize) -> Range<usize> {
    doc.lines(run).next().map_or(0..0, |line| line.at)
}

/// The bytes of the first statement with this keyword that is `wanted`.
pub(super) fn vertex(
    doc: &Document,
    keyword: &[u8],
    mut wanted: impl FnMut(&Line<'_>) -> bool,
) -> Option<Range<usize>> {
    let runs = doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind.is_data());
    let mut lines = runs.flat_map(|(i, _)| doc.lines(i)).filter(|line| line.keyword == keyword);
    lines.find(|line| wanted(line)).map(|line| line.at)
}
