//! Streams by what they are for.

use findings::{Place, Result};
use scene::{Component, Semantic, Stream};

use super::Input;
use crate::gltf::rules::GLTF_022;

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

/// The stream of an attribute; one of another width, or of another length than `count`, is reported and left out.
pub(super) fn attribute(
    input: &mut Input<'_, '_, '_>,
    accessor: usize,
    widths: std::ops::RangeInclusive<usize>,
    count: Option<usize>,
    path: &str,
) -> Result<Option<Stream>> {
    let found = input.data.stream(accessor);
    let Some(stream) = input.settle(found)? else { return Ok(None) };
    if !widths.contains(&stream.count()) {
        let message = format!("accessor {accessor} has {} numbers per element, which does not fit", stream.count());
        input.find(&GLTF_022, Place::path(path), message);
        return Ok(None);
    }
    if let Some(count) = count.filter(|&count| count != stream.len()) {
        let message = format!("accessor {accessor} has {} elements, the others have {count}", stream.len());
        input.find(&GLTF_022, Place::path(path), message);
        return Ok(None);
    }
    Ok(Some(stream))
}

/// The order of vertices.
pub(super) fn indices(input: &mut Input<'_, '_, '_>, accessor: usize, path: &str) -> Result<Option<Stream>> {
    let Some(stream) = attribute(input, accessor, 1..=1, None, path)? else { return Ok(None) };
    if !matches!(stream.encoding().component, Component::U8 | Component::U16 | Component::U32) {
        input.find(&GLTF_022, Place::path(path), "indices are whole numbers without a sign");
        return Ok(None);
    }
    Ok(Some(stream))
}

/// All numbers of an accessor as floats, if it has so many per element. Only so long as the limits allow: they are
/// copied wherever they are named.
pub(super) fn floats(
    input: &mut Input<'_, '_, '_>,
    accessor: usize,
    widths: std::ops::RangeInclusive<usize>,
    path: &str,
) -> Result<Option<Vec<f32>>> {
    let Some(stream) = attribute(input, accessor, widths, None, path)? else { return Ok(None) };
    let made = input.data.make(path, 0, (stream.len() * stream.count() * 4) as u64);
    Ok(input.settle(made)?.map(|()| stream.to_f32()))
}
