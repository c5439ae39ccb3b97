//! Document ⇄ scene.
//!
//! | PLY | scene |
//! |---|---|
//! | the file | one node with one mesh |
//! | `vertex` | streams that share the file's bytes; other numbers are attributes of their names |
//! | `face` | a primitive: triangles or quads if all are such, polygons otherwise |
//! | `texcoord` and colours of `face` | attributes of its corners, where vertices have none |
//! | `tristrips` | a primitive of triangles |
//! | `edge` | a primitive of lines |
//! | vertices alone | points |
//! | `comment` | comment of the metadata, a line each |
//! | `obj_info` | properties of the file, one for each line |
//!
//! Primitives of one file share all vertices, and vertices that are shared are written once.

mod corners;
mod lift;
mod lower;

pub(super) use lift::lift;
pub(super) use lower::lower;

/// The word before a line that says something of the object, and the name of a property that holds one.
const OBJ_INFO: &str = "obj_info";
