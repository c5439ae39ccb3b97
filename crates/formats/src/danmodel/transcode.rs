//! Other dialects and header texts, without a way through a scene.

use findings::{Error, Result};
use scene::loss::LOSS_015;
use wire::F32;

use super::dialect::Dialect;
use super::layout::Document;
use crate::LowerCx;

/// What the mod's converter always writes.
const USUAL_ALPHA: f32 = 0.3;

/// Same document, other dialect or header texts; pieces keep their bytes.
pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    let wanted = Dialect::named(cx.dialect)?;
    if wanted != doc.dialect {
        let alpha = doc.header.danmaku_alpha;
        doc.dialect = wanted;
        set_alpha(doc, alpha, cx);
    }
    for option in cx.options.names() {
        let Some(value) = cx.options.get(option) else { continue };
        match option {
            "name" => doc.header.edit().name = value.into(),
            "description" => doc.header.edit().description = value.into(),
            "author" => doc.header.edit().author = value.into(),
            _ => {
                return Err(Error::usage(format!("--{option} does not apply: pieces have no names to choose by"))
                    .with_help("give it when converting from a format with object names"));
            }
        }
    }
    Ok(())
}

/// Gives the document the alpha its dialect has; one that is not the usual one is listed as a loss when it must go.
pub(super) fn set_alpha(doc: &mut Document, alpha: Option<F32>, cx: &mut LowerCx<'_>) {
    let engine = doc.dialect == Dialect::Engine;
    if let Some(alpha) = alpha.filter(|alpha| !engine && *alpha != F32(USUAL_ALPHA)) {
        let what = format!("danmaku_alpha {}", alpha.get());
        cx.lose(&LOSS_015, "file", 1, &what, "the spec dialect has no field for it");
    }
    doc.header.edit().danmaku_alpha = engine.then(|| alpha.unwrap_or(F32(USUAL_ALPHA)));
}
