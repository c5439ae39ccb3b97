//! Streams by what they are for.

use findings::{Place, Result};
use scene::{Component, Stream};

use super::Input;
use crate::gltf::rules::GLTF_022;

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
