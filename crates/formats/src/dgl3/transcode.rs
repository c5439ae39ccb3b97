//! Same document, other order of transforms; meshes and lights keep their bytes.

use findings::{Error, Result};
use wire::Kept;

use super::dialect::{self, Dialect};
use super::layout::Document;
use crate::LowerCx;

pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    if let Some(option) = cx.options.names().next() {
        return Err(Error::usage(format!("--{option} does not apply: frames of a DGL3 file are kept as they are"))
            .with_help("give it when converting from another format"));
    }
    let wanted = Dialect::named(cx.dialect)?;
    if wanted != doc.dialect {
        doc.dialect = wanted;
        doc.entities.iter_mut().for_each(Kept::forget_raw);
        dialect::say(doc);
    }
    Ok(())
}
