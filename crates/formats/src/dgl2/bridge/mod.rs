//! Document ⇄ scene.
//!
//! | DGL2 | scene |
//! |---|---|
//! | HEADER | name: title; data: raw metadata |
//! | TRIMESH | a mesh; one indexed primitive per material number, welded bit by bit |
//! | MATERIAL | a material: Phong, unlit if `shadeless`; other keys are properties |
//! | `texture0` … | base colour; light map or normal map; emission; 3 to 8 by their number |
//! | ENTITY | a node with its transform; of type 1 with a point light; other keys are properties |
//! | a mesh that no entity has | a node marked `unplaced` |
//! | V | as stored, or counted from the bottom: see `origin` |
//!
//! Vertices and transforms pass through untouched: a mesh's Z is up, and its entity's rotation turns it.
//!
//! What the scene has no word for travels in `dgl2.*` keys, so that the way back gives the same document:
//!
//! | key | of | meaning |
//! |---|---|---|
//! | `dgl2.order` | scene | chunks in another order than usual: their types, or whole chunks that are nothing in a scene |
//! | `dgl2.header_id`, `dgl2.tail` | scene | an odd id of HEADER; bytes behind END |
//! | `dgl2.id` | node, mesh, material | its id, if that is not its position among those of its kind |
//! | `dgl2.text`, `dgl2.slack` | node, mesh, material | its text as it stands; bytes behind it |
//! | `dgl2.type` | node | its type, if it is neither 0 nor a light |
//! | `dgl2.mesh_id`, `dgl2.material_id` | node, primitive | numbers that lead nowhere, or have no effect |
//! | `dgl2.runs` | mesh | which primitive the triangles are of, if they are mixed: pairs of part and count |
//! | `dgl2.copy_of` | mesh | the mesh it is, but for materials that the entity gives it |
//! | `dgl2.variant_of` | material | the material it is, but that a transparent entity lets it blend |
//! | `dgl2.form`, `dgl2.text_size` | material | how its text is stored, if not as the dialect says; a wrong length |
//! | `dgl2.blend0` … | material | how a texture is mixed with those before it, if the slot does not say |
//!
//! A text is not made anew on the way back: what it says is compared with the scene, and only values that differ are
//! replaced.

mod blending;
mod editor;
mod entities;
mod frame;
mod lift;
mod lower;
mod materials;
mod meshes;
mod surface;
mod transcode;

pub(crate) use lift::lift;
pub(super) use lower::lower;
pub(super) use transcode::transcode;

use findings::{Error, Result};
use scene::{Extras, Value};
use wire::Blob;

use super::layout::Form;

/// A dialect, as far as writing is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dialect {
    id: &'static str,
    form: Form,
    braced: bool,
}

const DIALECTS: [Dialect; 3] = [
    Dialect { id: "spec", form: Form::Spec, braced: false },
    Dialect { id: "engine", form: Form::Engine, braced: false },
    Dialect { id: "engine-braced", form: Form::Engine, braced: true },
];

impl Dialect {
    fn named(id: &str) -> Result<Dialect> {
        let found = DIALECTS.into_iter().find(|dialect| dialect.id == id);
        found.ok_or_else(|| {
            Error::usage(format!("DGL2 has no dialect {id}")).with_help("it has spec, engine and engine-braced")
        })
    }
}

/// Texts are in the scene as properties; numbers and order mean nothing elsewhere. Chunks that are nothing in a scene
/// are lost without `dgl2.order`.
pub(super) fn is_layout(word: &str, value: &Value) -> bool {
    match (word, value) {
        ("order", Value::List(order)) => order.iter().all(|entry| matches!(entry, Value::Int(_))),
        ("header_id" | "id" | "text" | "mesh_id" | "material_id" | "runs" | "form" | "text_size", _) => true,
        ("copy_of" | "variant_of", _) => true,
        _ => false,
    }
}

/// Keys of the scene that hold a whole number which fits a field.
fn carried_int(extras: &Extras, key: &str) -> Option<i32> {
    extras.get(key).and_then(Value::as_int).and_then(|value| i32::try_from(value).ok())
}

fn carried_bytes(extras: &Extras, key: &str) -> Option<Blob> {
    match extras.get(key) {
        Some(Value::Bytes(bytes)) => Some(Blob::memory(bytes.clone())),
        _ => None,
    }
}

fn carry_bytes(extras: &mut Extras, key: &str, bytes: Option<&Blob>) {
    if let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) {
        extras.set(key, Value::Bytes(bytes.to_vec()));
    }
}
