//! The layout of a glTF file, whatever its container.

use super::Gltf;
use crate::{Engine, dialects};

dialects! {
    Gltf;
    /// There is one.
    pub enum Dialect {
        Standard {
            id: "standard",
            about: "glTF 2.0 as the specification says",
            write: true,
            engine: Engine::None
        },
    }
}
