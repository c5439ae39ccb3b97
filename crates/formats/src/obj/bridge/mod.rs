//! Document ⇄ scene.
//!
//! | OBJ | scene |
//! |---|---|
//! | `o`, or `g` in a file without `o` | a node and a mesh; faces before the first one belong to `Default` |
//! | stretch of one `usemtl` | a primitive for its faces, one for its lines, one for its points |
//! | faces | triangles or quads if all are such, polygons otherwise |
//! | corner | a vertex; corners with the same v, vt and vn are one |
//! | `v`, `vt`, `vn` | POSITION, TEXCOORD_0 counted from the bottom, NORMAL; colours of `v` are COLOR_0 |
//! | `g` in a file with `o`, `s` | `obj.groups`, `obj.smoothing` of the primitive: where each begins, and what it is |
//! | `mtllib` | materials, textures and images; see `mtl.rs` |
//! | a file of vertices alone | points |
//!
//! On the way back vertices of an object that differ in nothing but texture coordinates or normals share their `v`.

mod keys;
mod lift;
mod lower;

pub(super) use keys::{KEYS, STATEMENTS, VALUES};
pub(super) use lift::{Plan, lift};
pub(super) use lower::{lower, one_line};

/// What an object without a name is called.
const DEFAULT: &str = "Default";
