//! Findings for people: where, what, and what to do.

use std::fmt::Write;

use wire::{Blob, Space, Span};

use super::escape;
use crate::{Error, ErrorKind, Finding, Level, LossGroup, Place, Severity};

/// Colours, or their absence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    /// Whether to use them.
    pub on: bool,
}

impl Paint {
    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
    /// The colour of a severity.
    pub fn severity(self, severity: Severity, text: &str) -> String {
        self.wrap(
            match severity {
                Severity::Error => "1;31",
                Severity::Warning => "1;33",
                Severity::Info => "1;36",
            },
            text,
        )
    }
    /// Something that stands out.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }
    /// Something that stays back.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }
}

/// One finding, with the bytes around its place if they are at hand; `all` names every object.
pub fn finding(finding: &Finding, file: &str, bytes: Option<&Blob>, all: bool, paint: Paint) -> String {
    let mut out = headline(finding, all, paint) + "\n";
    place(&mut out, file, &finding.place, bytes, paint);
    if !finding.help.is_empty() {
        _ = writeln!(out, "  help: {}", escape(&finding.help));
    }
    out
}

/// One finding on one line, as compilers print them.
pub fn finding_line(finding: &Finding, file: &str, all: bool, paint: Paint) -> String {
    let head = format!("{}: {}", escape(file), headline(finding, all, paint));
    let places = places(&finding.place).into_iter().map(|part| paint.faint(&escape(&part)));
    [head].into_iter().chain(places).collect::<Vec<_>>().join("  ")
}

/// What there is to say about a place, on a line that names the file already: bytes, path, another file.
pub(super) fn places(place: &Place) -> Vec<String> {
    let bytes = place.span.map(|span| span.to_string()).unwrap_or_default();
    let other = place.file.as_ref().map(|other| format!("in {other}")).unwrap_or_default();
    [bytes, place.path.clone(), other].into_iter().filter(|part| !part.is_empty()).collect()
}

/// What was found, and how often.
fn headline(finding: &Finding, all: bool, paint: Paint) -> String {
    let head = format!("{}[{} {}]", finding.severity, finding.rule.id, finding.rule.name);
    let subjects: Vec<&str> = finding.subjects.iter().map(String::as_str).collect();
    let most = if all { usize::MAX } else { SHOWN };
    let times = match (finding.count, &subjects[..]) {
        (1, _) => String::new(),
        (count, [] | [_]) => format!(" (x{count})"),
        (count, subjects) => format!(" (x{count}: {})", some_of(subjects, most)),
    };
    format!("{}: {}{}", paint.severity(finding.severity, &head), escape(&finding.message), escape(&times))
}

/// One fatal error.
pub fn error(error: &Error, file: &str, bytes: Option<&Blob>, paint: Paint) -> String {
    let rule = error.rule();
    // Usage and the machine have no rule worth looking up.
    let explained = !matches!(error.kind(), ErrorKind::Usage | ErrorKind::Io);
    let head = if explained { format!("error[{} {}]", rule.id, rule.name) } else { "error".to_owned() };
    let mut out = format!("{}: {}", paint.severity(Severity::Error, &head), escape(error.message()));
    let source = std::error::Error::source(error).filter(|s| !s.is::<wire::Fault>());
    if let Some(source) = source {
        _ = write!(out, ": {}", escape(&source.to_string()));
    }
    out.push('\n');
    let here = error.place();
    if here.span.is_some() || !here.path.is_empty() || !file.is_empty() {
        place(&mut out, file, here, bytes, paint);
    }
    let fix = if explained { rule.page.section("Fix") } else { String::new() };
    let help = error.help().unwrap_or(&fix);
    if !help.is_empty() {
        _ = writeln!(out, "  help: {}", escape(help));
    }
    out
}

/// Losses of one kind and cause, on one line; `all` names every object.
pub fn loss(group: &LossGroup<'_>, all: bool, paint: Paint) -> String {
    let loss = group.first;
    let head = format!("{}[{} {}]", loss.level.name(), loss.code, loss.name);
    let head = match loss.level {
        Level::Dropped => paint.severity(Severity::Warning, &head),
        Level::Changed => paint.severity(Severity::Info, &head),
        Level::Rounding => paint.faint(&head),
    };
    let most = if all { usize::MAX } else { SHOWN };
    let times = if group.count > 1 { format!(" (x{})", group.count) } else { String::new() };
    let whats = some_of(&group.whats, most);
    let subjects = if group.subjects.is_empty() { String::new() } else { some_of(&group.subjects, most) + ": " };
    let size = group.size.map(|size| format!(", off by {size:.1e} at most")).unwrap_or_default();
    format!("{head}: {}{}{times}{size}; {}", escape(&subjects), escape(&whats), escape(&loss.why))
}

/// Most objects that a line names.
const SHOWN: usize = 4;

/// The first of a list, and how many more there are.
fn some_of(list: &[impl ToString], most: usize) -> String {
    let more = list.len().saturating_sub(most);
    let shown = list[..list.len() - more].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn place(out: &mut String, file: &str, place: &Place, bytes: Option<&Blob>, paint: Paint) {
    let Place { path, span, file: other } = place;
    // The bytes at hand are those of the model, not of the files it names.
    let bytes = bytes.filter(|_| other.is_none());
    let (file, named_by) = match other {
        Some(other) if file.is_empty() => (other.0.as_str(), String::new()),
        Some(other) => (other.0.as_str(), format!("  (which {} names)", escape(file))),
        None => (file, String::new()),
    };
    let bytes_at = span.map(|s| format!("  {s}")).unwrap_or_default();
    let path = if path.is_empty() { String::new() } else { format!("  {}", escape(path)) };
    _ = writeln!(out, "  {} {}{bytes_at}{path}{named_by}", paint.faint("at"), escape(file));
    if let (Some(span), Some(bytes)) = (span, bytes)
        && span.space == Space::File
    {
        excerpt(out, *span, bytes, paint);
    }
}

/// The row of sixteen bytes in which the place begins, its bytes marked.
fn excerpt(out: &mut String, span: Span, bytes: &[u8], paint: Paint) {
    let start = usize::try_from(span.offset).unwrap_or(usize::MAX).min(bytes.len());
    let row = start - start % 16;
    let end = (row + 16).min(bytes.len());
    let marked = start..start.saturating_add(usize::try_from(span.size).unwrap_or(usize::MAX));
    if row == end {
        return;
    }
    let mut line = format!("{row:#8x} ");
    for (at, byte) in (row..end).zip(&bytes[row..end]) {
        let hex = format!("{byte:02x}");
        line.push(' ');
        line.push_str(&if marked.contains(&at) { paint.strong(&hex) } else { paint.faint(&hex) });
    }
    _ = writeln!(out, "  {line}");
    if !paint.on && marked.start < end {
        let carets: String = (row..end).map(|at| if marked.contains(&at) { " ^^" } else { "   " }).collect();
        _ = writeln!(out, "  {:8} {}", "", carets.trim_end());
    }
}
