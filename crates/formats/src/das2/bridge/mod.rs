//! Document ⇄ scene.
//!
//! | das2 | scene |
//! |---|---|
//! | mesh group | a mesh; each mesh it names is a primitive whose streams share the file's bytes |
//! | LODs of its meshes | coarser meshes, level by level |
//! | slots of texture coordinates | TEXCOORD_n by the places they name; v counts from the bottom |
//! | node | a node; a custom matrix behind a translation, rotation or scale is a node of its own |
//! | skeleton | a skin per node that binds it; its joints are nodes below that node |
//! | joints, channels, meshes on their own | a skin, an animation, a mesh each of their own |
//! | channel | a channel per node that the joint became; tangents as glTF has them |
//! | MaterialPhong, MaterialPbr | materials in this order; maps are slots of their roles |
//! | author_name, comment | author, comment |
//!
//! What is not placed gets a node of its own, marked unplaced. [`KEYS`] are what a scene has no field for.

mod lift;
mod lower;
mod maps;

pub(super) use lift::lift;
pub(super) use lower::lower;

use scene::{Extras, Name, Stream, Value};
use wire::{Blob, F32, Text};

use super::layout::Matrix;
use super::text::DasString;
use crate::carry::{Key, Owner};

/// What travels although a scene has no field for it.
pub(super) const KEYS: [Key; 4] = [SKELETON, COPY_OF, EMISSION_ALPHA, AMBIENT_OCCLUSION];

const SKELETON: Key =
    Key { name: "das2.skeleton", of: &[Owner::Skin], about: "id of the skeleton; several nodes may bind it" };
const COPY_OF: Key = Key {
    name: "das2.copy_of",
    of: &[Owner::Material],
    about: "id of the material that it is, with other sets of texture coordinates",
};
const EMISSION_ALPHA: Key = Key {
    name: "das2.emission_alpha",
    of: &[Owner::Material],
    about: "the fourth number of the emission, if it is not 1",
};
const AMBIENT_OCCLUSION: Key = Key {
    name: "das2.ambient_occlusion",
    of: &[Owner::Material],
    about: "the factor of a material without such a map, if it is not 1",
};

/// A channel that animates nothing that is known.
const UNKNOWN: &str = "das2.unknown";

fn name(string: &DasString) -> Name {
    Name::from(string.bytes())
}

fn string(name: &Name) -> DasString {
    Text::from(Blob::memory(name.bytes().to_vec())).into()
}

/// Rows first to columns first, and back.
fn transposed(matrix: &[f32; 16]) -> [f32; 16] {
    std::array::from_fn(|i| matrix[i % 4 * 4 + i / 4])
}

fn columns(matrix: &Matrix) -> [f32; 16] {
    transposed(&matrix.map(F32::get))
}

fn rows(matrix: &[f32; 16]) -> Matrix {
    transposed(matrix).map(F32)
}

fn number(extras: &Extras, key: &Key) -> Option<u32> {
    key.get(extras)?.as_int().and_then(|n| u32::try_from(n).ok())
}

fn float(extras: &Extras, key: &Key) -> Option<f32> {
    match key.get(extras)? {
        Value::F32(number) => Some(*number),
        other => other.as_f64().map(|number| number as f32),
    }
}

/// Differences of texture coordinates with V counted from the other edge.
fn turned(stream: &Stream) -> Stream {
    let width = stream.count();
    let mut values = stream.to_f32();
    values.chunks_mut(width.max(1)).filter(|row| row.len() > 1).for_each(|row| row[1] = -row[1]);
    Stream::from_f32(width as u8, values)
}
