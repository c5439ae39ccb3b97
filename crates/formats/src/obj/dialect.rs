//! The layout of an OBJ file.

use super::Obj;
use crate::{Engine, dialects};

dialects! {
    Obj;
    /// There is one.
    pub enum Dialect {
        Standard {
            id: "standard",
            about: "as programs write it: polygons, with vertex colours and PBR materials as extensions",
            write: true,
            engine: Engine::None
        },
    }
}
