//! Document → bytes: those it was read from. A scene cannot be written as FBX.

use wire::Sink;

use super::layout::Document;

pub(super) fn write(doc: &Document, out: &mut Sink) {
    out.blob(doc.source());
}
