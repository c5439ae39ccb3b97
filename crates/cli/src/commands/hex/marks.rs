//! What is wrong with the bytes that are shown.

use std::ops::Range;

use pentad::findings::{Finding, Severity};
use pentad::wire::Span;

use super::fields::{Body, Field};

/// The findings of a file that point at bytes of it, in the order of the bytes.
#[derive(Default)]
pub(super) struct Marks(Vec<Mark>);

struct Mark {
    span: Span,
    text: String,
}

impl Marks {
    /// Infos are marked only for those who want to hear of them.
    pub(super) fn new(findings: &[Finding], infos: bool) -> Marks {
        let wanted = findings.iter().filter(|finding| infos || finding.severity > Severity::Info);
        // Bytes of the files that the model names are not shown.
        let here = wanted.filter(|finding| finding.place.file.is_none());
        let mut marks: Vec<Mark> = here.filter_map(Mark::new).collect();
        marks.sort_by_key(|mark| (mark.span.space, mark.span.offset, mark.span.size));
        Marks(marks)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What is wrong where a field begins, or in it.
    pub(super) fn of<'a>(&'a self, field: &Field) -> impl Iterator<Item = &'a str> {
        let span = field.node.span;
        let bytes = span.offset..span.end();
        let inside = move |mark: &&Mark| mark.span.space == span.space && bytes.contains(&mark.span.offset);
        self.0.iter().filter(inside).map(|mark| mark.text.as_str())
    }

    /// Which bytes of a body something is wrong with. What is wrong with all of them marks none.
    pub(super) fn ranges(&self, body: &Body) -> Vec<Range<usize>> {
        let all = body.bytes.span();
        let here = self.0.iter().filter(|mark| mark.span.space == all.space && mark.span.size < all.size);
        let index = |offset: u64| usize::try_from(offset.saturating_sub(all.offset)).unwrap_or(usize::MAX);
        here.map(|mark| index(mark.span.offset)..index(mark.span.end().max(mark.span.offset + 1))).collect()
    }
}

impl Mark {
    fn new(finding: &Finding) -> Option<Mark> {
        let text = format!("{}[{} {}]: {}", finding.severity, finding.rule.id, finding.rule.name, finding.message);
        Some(Mark { span: finding.place.span?, text })
    }
}
