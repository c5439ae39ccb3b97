//! `KHR_meshopt_compression` and `EXT_meshopt_compression`: views whose bytes are compressed, each mode by a codec of
//! its own. Written from the appendices of the specifications; what the former adds is read in the latter, too.

mod filters;
mod indices;
mod vertices;

use serde::Deserialize;

use crate::gltf::extensions::MESHOPT;
use crate::gltf::schema::{Buffer, Json, Map};

/// How the bytes of a view are compressed, and by which extension, if they are.
pub(in crate::gltf) fn of(extensions: &Map<String, Json>) -> Option<(&'static str, &Json)> {
    MESHOPT.into_iter().find_map(|name| Some((name, extensions.get(name)?)))
}

/// The same, to change it.
pub(in crate::gltf) fn of_mut(extensions: &mut Map<String, Json>) -> Option<&mut Json> {
    let (name, _) = of(extensions)?;
    extensions.get_mut(name)
}

/// The extension as a view has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Packed {
    pub(in crate::gltf) buffer: usize,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: usize,
    pub(in crate::gltf) byte_length: usize,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum Filter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Packed {
    /// What the JSON says, if it makes sense.
    pub(in crate::gltf) fn new(json: &Json) -> Option<Packed> {
        let packed = Packed::deserialize(json).ok()?;
        let stride = packed.byte_stride;
        let valid = match packed.mode {
            Mode::Attributes => stride > 0 && stride <= 256 && stride % 4 == 0,
            Mode::Triangles => (stride == 2 || stride == 4) && packed.count % 3 == 0,
            Mode::Indices => stride == 2 || stride == 4,
        };
        let filtered = match packed.filter {
            Filter::None => true,
            Filter::Octahedral | Filter::Color => packed.mode == Mode::Attributes && (stride == 4 || stride == 8),
            Filter::Quaternion => packed.mode == Mode::Attributes && stride == 8,
            Filter::Exponential => packed.mode == Mode::Attributes,
        };
        (valid && filtered).then_some(packed)
    }

    /// Bytes that it inflates to.
    pub(in crate::gltf) fn size(&self) -> u64 {
        (self.count as u64).saturating_mul(self.byte_stride as u64)
    }

    pub(in crate::gltf) fn inflate(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out = match self.mode {
            Mode::Attributes => vertices::inflate(bytes, self.count, self.byte_stride)?,
            Mode::Triangles => indices::pack(&indices::triangles(bytes, self.count)?, self.byte_stride),
            Mode::Indices => indices::pack(&indices::sequence(bytes, self.count)?, self.byte_stride),
        };
        match (self.filter, self.byte_stride) {
            (Filter::None, _) => {}
            (Filter::Octahedral, 4) => filters::octahedral_bytes(&mut out),
            (Filter::Octahedral, _) => filters::octahedral_shorts(&mut out),
            (Filter::Quaternion, _) => filters::quaternion(&mut out),
            (Filter::Exponential, _) => filters::exponential(&mut out),
            (Filter::Color, 4) => filters::color_bytes(&mut out),
            (Filter::Color, _) => filters::color_shorts(&mut out),
        }
        Some(out)
    }
}

/// Whether a buffer only stands in for compressed views, and holds nothing.
pub(in crate::gltf) fn is_fallback(buffer: &Buffer) -> bool {
    of(&buffer.extensions).and_then(|(_, json)| json.get("fallback")).and_then(Json::as_bool) == Some(true)
}

#[cfg(test)]
mod tests;
