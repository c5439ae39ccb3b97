//! Document ⇄ scene.
//!
//! | DGL3 | scene |
//! |---|---|
//! | mesh | a mesh of one primitive whose streams share the file's bytes; v counts from the top |
//! | light map coordinates | TEXCOORD_1 |
//! | entity | a node; its properties keep their types |
//! | property `material` | the node's material, read from the `.mat` file beside the model, or else `dgl3.file` |
//! | mesh of another file | the mesh there; `dgl3.external` names the file |
//! | entity of another file | a node with that file's scene below it; `dgl3.external` names the file |
//! | bones | joints below the node that shows the mesh, bound where they rest |
//! | skeletal frames | keys at frame / fps for every bone that the animation lists |
//! | morph frames | morph targets (frame − base), and an animation that shows one after the other |
//! | light | a node with a light; directional ones shine along −Y in the file, along −Z in the scene |
//! | name, creatorName, data | title, generator, raw |
//! | ids, types of lights, names of files | [`keys`] |
//!
//! Meshes that no entity shows get a node of their own, marked unplaced.

mod bones;
mod keys;
mod lift;
mod lights;
mod lower;
mod twin;

pub(super) use keys::KEYS;
pub(super) use lift::lift;
pub(super) use lower::{lower, refer};

use scene::Name;
use wire::{Blob, Text};

fn name(text: &Text) -> Name {
    Name::from(text.bytes())
}

fn text(name: &Name) -> Text {
    Text::from(Blob::memory(name.bytes().to_vec()))
}
