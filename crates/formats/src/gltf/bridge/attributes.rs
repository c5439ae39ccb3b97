//! Attributes of vertices by their names.

use scene::Semantic;

/// What an attribute of this name means.
pub(in crate::gltf) fn semantic(name: &str) -> Semantic {
    let set = |prefix: &str, of: fn(u8) -> Semantic| {
        let semantic = of(name.strip_prefix(prefix)?.parse().ok()?);
        (semantic.to_string() == name).then_some(semantic)
    };
    match name {
        "POSITION" => Semantic::Position,
        "NORMAL" => Semantic::Normal,
        "TANGENT" => Semantic::Tangent,
        _ => set("TEXCOORD_", Semantic::TexCoord)
            .or_else(|| set("COLOR_", Semantic::Color))
            .or_else(|| set("JOINTS_", Semantic::Joints))
            .or_else(|| set("WEIGHTS_", Semantic::Weights))
            .unwrap_or_else(|| Semantic::Custom(name.to_owned())),
    }
}

/// How many numbers an element of this meaning has; any for those without one.
pub(in crate::gltf) fn widths(semantic: &Semantic) -> std::ops::RangeInclusive<usize> {
    match semantic {
        Semantic::Position | Semantic::Normal => 3..=3,
        Semantic::TexCoord(_) => 2..=2,
        Semantic::Color(_) => 3..=4,
        Semantic::Tangent | Semantic::Joints(_) | Semantic::Weights(_) => 4..=4,
        Semantic::Custom(_) => 1..=16,
    }
}

/// What an attribute is that had to be renamed, by the name it had.
pub(super) fn renamed(name: &str) -> Semantic {
    match semantic(name) {
        // Renamed although glTF has such: colours behind a gap are none, and joints without a skin.
        known @ (Semantic::Color(_) | Semantic::Joints(_) | Semantic::Weights(_)) => known,
        _ => Semantic::Custom(name.to_owned()),
    }
}
