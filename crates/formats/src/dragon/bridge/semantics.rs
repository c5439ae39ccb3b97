//! What attributes mean, in the words of both sides.

use crate::dragon::layout::words::Semantic;

/// The name of an attribute that the scene has no field for.
pub(super) fn custom(semantic: Semantic, layer: u32) -> String {
    match semantic.word() {
        Some(word) => format!("_{word}_{layer}"),
        None => format!("_USAGE{}_{layer}", semantic.0),
    }
}

/// The meaning and layer behind such a name.
pub(super) fn of_custom(name: &str) -> Option<(Semantic, u32)> {
    let (word, layer) = name.strip_prefix('_')?.rsplit_once('_')?;
    let known = Semantic::ALL.iter().copied().find(|semantic| semantic.word() == Some(word));
    let semantic = known.or_else(|| Some(Semantic(word.strip_prefix("USAGE")?.parse().ok()?)))?;
    let layer = layer.parse().ok()?;
    // Only names that this side would give: others belong to somebody else.
    (custom(semantic, layer) == name).then_some((semantic, layer))
}

/// The setting of a VERTEX section that names one of its SAMPLE attributes.
pub(super) fn setting(layer: u32) -> String {
    format!("SAMPLE_{layer}")
}
