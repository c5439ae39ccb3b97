//! The readings of a DRAGON file's document, as far as files are told apart by them.

use super::Dragon;
use crate::{Engine, dialects};

dialects! {
    Dragon;
    /// Whether the canonical reading holds.
    pub enum Dialect {
        Spec { id: "spec", about: "the canonical reading of the document", write: true, engine: Engine::None },
        Variant {
            id: "variant",
            about: "some other reading of the document; `variants` says which",
            write: false,
            engine: Engine::None
        },
    }
}
