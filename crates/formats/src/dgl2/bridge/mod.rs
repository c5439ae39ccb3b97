//! Document ⇄ scene.
//!
//! | DGL2 | scene |
//! |---|---|
//! | HEADER | name: title; data: properties of the file, or raw metadata |
//! | TRIMESH | a mesh; one indexed primitive per material number, welded bit by bit |
//! | MATERIAL | a material: Phong, unlit if `shadeless`; other keys are properties |
//! | `texture0` … | base colour; light map or normal map; emission; 3 to 8 by their number |
//! | ENTITY | a node with its transform; of type 1 with a point light; other keys are properties |
//! | a mesh that no entity has | a node marked `unplaced` |
//! | `transparent` of an entity | materials that blend, and a key where it changes none |
//! | V | as stored, or counted from the bottom: see `origin` |
//! | ids, entity types, blend numbers | [`keys`] |
//!
//! Vertices and transforms pass through untouched: a mesh's Z is up, and its entity's rotation turns it.

mod keys;
mod lift;
mod lower;
mod materials;
mod values;
mod vertices;

pub(super) use keys::KEYS;
pub(crate) use lift::lift;
pub(super) use lower::lower;
