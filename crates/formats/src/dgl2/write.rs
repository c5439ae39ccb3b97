//! Document → bytes.

use findings::{Error, Result};
use wire::{Layout, Sink, Writer};

use super::layout::{Document, ORDER};
use super::rules::*;

pub(crate) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    let mut w = Writer::new(out, ORDER);
    for (i, chunk) in doc.chunks.iter().enumerate() {
        let written = chunk.write(&mut w, ());
        written.map_err(|fault| Error::fault(&DGL2_037.info, fault.nth(i).inside("chunks")))?;
    }
    w.blob(&doc.tail);
    Ok(())
}
