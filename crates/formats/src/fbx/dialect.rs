//! The two forms of an FBX file.

use super::Fbx;
use crate::{Engine, dialects};

dialects! {
    Fbx;
    /// How the tree is written down.
    pub enum Dialect {
        Binary { id: "binary", about: "a tree of numbers", write: false, engine: Engine::None },
        Ascii { id: "ascii", about: "the same tree as text", write: false, engine: Engine::None },
    }
}
