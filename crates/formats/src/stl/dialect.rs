//! The two forms of an STL file.

use super::Stl;
use crate::{Engine, dialects};

dialects! {
    Stl;
    /// How facets are written down.
    pub enum Dialect {
        Binary {
            id: "binary",
            about: "50 bytes per facet: one body without a name",
            write: true,
            engine: Engine::None
        },
        Ascii {
            id: "ascii",
            about: "text: bodies with names, five times as large",
            write: true,
            engine: Engine::None
        },
    }
}
