//! Document ⇄ scene.
//!
//! | das2 | scene |
//! |---|---|
//! | mesh group | a mesh; each mesh it names is a primitive whose streams share the file's bytes |
//! | LODs of its meshes | coarser meshes, level by level |
//! | slots of texture coordinates | TEXCOORD_n by the places they name; v counts from the bottom |
//! | node | a node; a custom matrix behind a translation, rotation or scale is a node of its own, `das2.inner` |
//! | skeleton | a skin per node that binds it; its joints are nodes below that node |
//! | channel | a channel per node that the joint became; tangents as glTF has them |
//! | MaterialPhong, MaterialPbr | materials in this order; maps are slots of their roles |
//! | author_name, comment | author, comment |
//!
//! What nothing places gets a node of its own, marked unplaced. What a writer would not choose by itself travels in
//! `das2.*`; `docs/carry.md` lists the keys.

mod lift;
mod lower;
mod placement;
mod uv;

pub(super) use lift::lift;
pub(super) use lower::lower;

use scene::{Extras, Name, Value};
use wire::{Blob, F32, Text};

use super::attributes::Attribute;
use super::layout::Matrix;
use super::text::DasString;

/// Marks the node that holds the custom matrix of the node above it.
const INNER: &str = "das2.inner";
/// Of a mesh that no group names, an animation of channels that no animation names, a scene that the file lacks.
const LOOSE: &str = "das2.loose";

/// Of a part with morph targets: which attributes of its mesh each target names again, which moves nothing.
const REPEATS: &str = "das2.repeats";

/// Of an animation: how many weights each channel says it has, if one says another number than a writer would.
const WEIGHTS: &str = "das2.weight_counts";

/// The attributes that a morph target can name again, by bit.
fn repeatable() -> impl Iterator<Item = (u32, Attribute)> {
    (0..).zip(Attribute::all().filter(|a| !matches!(a, Attribute::JointIndices(_) | Attribute::JointWeights(_))))
}

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

fn is_marked(extras: &Extras, key: &str) -> bool {
    extras.get(key) == Some(&Value::Bool(true))
}

fn number(extras: &Extras, key: &str) -> Option<u32> {
    extras.get(key)?.as_int().and_then(|n| u32::try_from(n).ok())
}

fn numbers(values: impl IntoIterator<Item = i64>) -> Value {
    Value::List(values.into_iter().map(Value::Int).collect())
}

fn as_numbers(value: Option<&Value>) -> Option<Vec<i64>> {
    match value? {
        Value::List(list) => list.iter().map(Value::as_int).collect(),
        _ => None,
    }
}

fn float(extras: &Extras, key: &str) -> Option<f32> {
    match extras.get(key)? {
        Value::F32(number) => Some(*number),
        other => other.as_f64().map(|number| number as f32),
    }
}
