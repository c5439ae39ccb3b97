//! Document → bytes.

use wire::Sink;

use super::layout::Document;

pub(super) fn write(doc: &Document, out: &mut Sink) {
    match doc {
        Document::Binary(binary) => binary.write(out),
        Document::Ascii(ascii) => out.blob(ascii.source()),
    }
}
