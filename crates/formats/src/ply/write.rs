//! Document → bytes.

use wire::Sink;

use super::layout::Document;

pub(super) fn write(doc: &Document, out: &mut Sink) {
    out.blob(doc.source());
}
