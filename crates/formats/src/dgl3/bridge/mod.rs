//! Document ⇄ scene.
//!
//! | DGL3 | scene |
//! |---|---|
//! | mesh | a mesh of one primitive whose streams share the file's bytes; v counts from the top |
//! | light map coordinates | TEXCOORD_1 |
//! | entity | a node; its properties keep their types |
//! | property `material` | the node's material, read from the `.mat` file beside the model |
//! | mesh of another file | the mesh there; `dgl3.external` names the file |
//! | entity of another file | a node with that file's scene below it; `dgl3.external` names the file |
//! | bones | joints below the node that shows the mesh, bound where they rest |
//! | skeletal frames | keys at frame / fps for every bone that the animation lists |
//! | morph frames | morph targets (frame − base), and an animation that shows one after the other |
//! | light | a node with a light; directional ones shine along −Y in the file, along −Z in the scene |
//! | name, creatorName, data | title, generator, raw |
//! | ids, flags, announced lights | `dgl3.*` where they are not what a writer would choose |
//!
//! Meshes that no entity shows get a node of their own, marked unplaced. The way back is exact.

mod arrivals;
mod entities;
mod frames;
mod lift;
mod lights;
mod lower;
mod meshes;
mod outside;
mod poses;
mod rig;
mod shapes;
mod skinning;

pub(super) use lift::lift;
pub(super) use lower::{lower, say_dialect, transcode};
pub(super) use outside::refer;

use findings::{Error, Result};
use scene::{Name, Value};
use wire::{Blob, Text};

use super::layout::Dialect;
use crate::mat;

/// Numbers, flags and frames are in the scene in other words, and so is what other files hold.
pub(super) fn is_layout(word: &str, value: &Value) -> bool {
    match (word, value) {
        ("id" | "num_lights" | "external" | "is_external" | "flags" | "includes" | "included" | "mesh_id", _) => true,
        ("fps" | "morph_fps" | "frames" | "morph_frames" | "mesh" | "listed" | "weights" | "file", _) => true,
        ("mat", Value::Text(text)) => mat::is_all_lifted(text.bytes()),
        _ => false,
    }
}

fn dialect(id: &str) -> Result<Dialect> {
    match id {
        "spec" => Ok(Dialect::Spec),
        "engine" => Ok(Dialect::Engine),
        other => Err(Error::usage(format!("DGL3 has no dialect {other}")).with_help("it has spec and engine")),
    }
}

fn name(text: &Text) -> Name {
    Name::from(text.bytes())
}

fn text(name: &Name) -> Text {
    Text::from(Blob::memory(name.bytes().to_vec()))
}

fn floats(values: &[f32]) -> Value {
    Value::List(values.iter().map(|&v| Value::F32(v)).collect())
}

fn as_floats<const N: usize>(value: Option<&Value>) -> Option<[f32; N]> {
    let Some(Value::List(list)) = value else { return None };
    let numbers: Option<Vec<f32>> = list.iter().map(|v| v.as_f64().map(|v| v as f32)).collect();
    numbers?.try_into().ok()
}

fn as_i32(value: Option<&Value>) -> Option<i32> {
    value.and_then(Value::as_int).and_then(|n| i32::try_from(n).ok())
}
