//! Document ⇄ scene.
//!
//! | DRAGON | scene |
//! |---|---|
//! | up_direction | a root node that turns the axis up |
//! | GEOMETRY, its VERTEX, INDICE and MORPH | a mesh; each of its meshes is a primitive whose streams share the file's bytes |
//! | MATERIAL, TEXTURE, IMAGE | the same; slots by the roles their words stand for |
//! | SKELETON | a skin; its bones are joints below every node that shows a mesh it moves |
//! | SOCKET | a node below its joint, or below what shows the mesh |
//! | OBJECT | a node with a mesh; without a geometry a node that holds nothing |
//! | INSTANCE | a node with instances |
//! | LIGHT | a node with a light |
//! | VOXELOBJ, VOXELPLT, VOXELMAT | a node with voxels |
//! | ANIMATE, ANITRACK | an animation; frame i is a key at i / framerate |
//! | SETTINGS | properties of what names them; `name` is the name of what has no field for one |
//! | ASSET | metadata |
//! | ASSETREF | sections that are missing are looked up there; the path travels along |
//!
//! What the scene has no field for travels under `dragon.*`; `docs/carry.md` lists the keys.

mod factors;
mod filters;
mod keys;
mod lift;
mod lower;
mod semantics;
mod settings;
mod slots;
mod tracks;
mod transforms;

pub(super) use keys::KEYS;
pub(super) use lift::lift;
pub(super) use lower::lower;
pub(super) use transforms::moved_cubes;

use scene::Name;
use wire::{Blob, CText, Text};

fn name(text: &Text) -> Name {
    Name::from(text.bytes())
}

/// A text of the format: it ends at its first NUL, so there is none in it.
fn ctext(name: &Name) -> CText {
    let bytes: Vec<u8> = name.bytes().iter().copied().filter(|byte| *byte != 0).collect();
    CText(Text::from(Blob::memory(bytes)))
}
