//! Document → bytes: the text it was read from.

use findings::Result;
use wire::Sink;

use super::layout::Document;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    out.blob(doc.source());
    Ok(())
}
