//! Document ⇄ scene.
//!
//! | STL | scene |
//! |---|---|
//! | binary file | one node without a name, with a mesh of one primitive |
//! | solid of a text | a node of its name, with a mesh of one primitive |
//! | facet | three vertices of their own: nothing is welded |
//! | normal | NORMAL of its three vertices, zero or not |
//! | header | raw metadata |
//! | attribute | `stl.attributes` of the primitive if any is not zero; COLOR_0 where it is known to be a colour |

mod lift;
mod lower;

pub(super) use lift::lift;
pub(super) use lower::lower;

use crate::carry::{Key, Owner};

pub(super) const KEYS: &[Key] = &[ATTRIBUTES];

/// The word behind each facet.
const ATTRIBUTES: Key = Key {
    name: "stl.attributes",
    of: &[Owner::Primitive],
    about: "the attribute word of each facet, if any is not zero: 2 bytes each, little-endian",
};
