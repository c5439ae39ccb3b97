//! What can be wrong with DML texts.

use std::collections::HashSet;

use findings::{Checker, Severity, rule};

use super::{show, text_place};
use crate::dgl2::dml::{Dml, FaultKind, TokenKind};
use crate::dgl2::layout::Document;

/// Every text that is not empty, with the place of its chunk.
fn texts(doc: &Document) -> impl Iterator<Item = (usize, Dml)> {
    doc.texts().filter(|(_, text)| !text.is_empty()).map(|(i, text)| (i, Dml::read(text)))
}

/// Reports the faults that are of some severity.
fn each_fault(doc: &Document, cx: &mut Checker<'_>, severity: impl Fn(FaultKind) -> Option<Severity>) {
    for (i, dml) in texts(doc) {
        for fault in dml.faults() {
            if let Some(severity) = severity(fault.kind) {
                cx.report_as(severity, text_place(i, dml.text(), fault.range.clone()), fault.kind.words());
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A property without a name, without `=`, or whose value lacks a quote.
    ///
    /// ## Why it matters
    /// Reading stops there: this property and all behind it are lost.
    ///
    /// ## Example
    /// `shadeless=1;`
    ///
    /// ## Fix
    /// Write `name="value";`. A value cannot hold a quote.
    DML_001 "DML-001" "syntax", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_fault(doc, cx, |kind| kind.stops().then_some(Severity::Error));
    }
}

rule! {
    /// ## What it finds
    /// A value without `;` behind it, an opening brace without a closing one, or text behind the closing one.
    ///
    /// ## Why it matters
    /// The engine demands `;` behind every value and stops where it is missing.
    ///
    /// ## Example
    /// `visible="1"`
    ///
    /// ## Fix
    /// End every property with `;`, and the text with `}` if it begins with `{`.
    DML_002 "DML-002" "punctuation", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let engine = cx.asked_for_engine();
        each_fault(doc, cx, |kind| match kind {
            FaultKind::NoSemicolon if engine => Some(Severity::Error),
            other => (!other.stops()).then_some(Severity::Warning),
        });
    }
}

rule! {
    /// ## What it finds
    /// A text with two properties of one name.
    ///
    /// ## Why it matters
    /// The last one counts; early engines took the first.
    ///
    /// ## Example
    /// `visible="1";visible="0";`
    ///
    /// ## Fix
    /// Remove one of them.
    DML_003 "DML-003" "duplicate-key", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, dml) in texts(doc) {
            let mut known = HashSet::new();
            for pair in dml.pairs() {
                let name = dml.bytes(&pair.name);
                if !known.insert(name) {
                    let message = format!("there is a property {} already", show(name));
                    cx.report(text_place(i, dml.text(), pair.name.clone()), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A text between braces, as exporters wrote it until the end of 2015.
    ///
    /// ## Why it matters
    /// The last engine of the format takes the brace for a part of the first name, so that property is lost. Those
    /// exporters also kept only the first letter of every value that is no vector.
    ///
    /// ## Example
    /// `{visible="1";}`
    ///
    /// ## Fix
    /// `pentad convert IN OUT --dialect engine` writes texts without braces.
    DML_004 "DML-004" "braced", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Info };
        for (i, dml) in texts(doc) {
            if let Some(open) = dml.tokens().iter().find(|token| token.kind == TokenKind::Open) {
                cx.report_as(severity, text_place(i, dml.text(), open.range.clone()), "the text stands between braces");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A text with a carriage return or another control character, with bytes that are not UTF-8, or with a backslash
    /// in a value.
    ///
    /// ## Why it matters
    /// The engine loses everything behind a carriage return and behind bytes that are not UTF-8. A backslash escapes
    /// nothing.
    ///
    /// ## Example
    /// A text that ends with `0D 0A`.
    ///
    /// ## Fix
    /// Write the text as UTF-8 without control characters.
    DML_005 "DML-005" "odd-bytes", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, dml) in texts(doc) {
            let text = dml.text().bytes();
            let control = |byte: &u8| (*byte < 0x20 && !b"\t\n".contains(byte)) || *byte == 0x7F;
            if let Some(at) = text.iter().position(control) {
                let severity =
                    if cx.asked_for_engine() && text[at] == b'\r' { Severity::Error } else { Severity::Warning };
                let message = format!("the text has a control character {:02X}", text[at]);
                cx.report_as(severity, text_place(i, dml.text(), at..at + 1), message);
            }
            if let Err(error) = std::str::from_utf8(text) {
                let at = error.valid_up_to();
                let message = format!("the text is not UTF-8: byte {:02X} at position {at}", text[at]);
                cx.report(text_place(i, dml.text(), at..at + 1), message);
            }
            for pair in dml.pairs() {
                if let Some(at) = dml.bytes(&pair.value).iter().position(|&byte| byte == b'\\') {
                    let at = pair.value.start + at;
                    let message = format!("the value of {} has a backslash", show(dml.bytes(&pair.name)));
                    cx.report(text_place(i, dml.text(), at..at + 1), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A property that DML cannot say: a quote in its value; a quote, `=`, `;`, a brace or white space in its
    /// name.
    ///
    /// ## Why it matters
    /// There are no escapes: written like this, the text would say something else.
    ///
    /// ## Example
    /// A value `5" pipe`.
    ///
    /// ## Fix
    /// Rename the property or change its value.
    DML_006 "DML-006" "unspeakable", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
