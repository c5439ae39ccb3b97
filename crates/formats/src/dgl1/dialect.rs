//! The layout of a DGL1 file.

use super::Dgl1;
use crate::{Engine, dialects};

dialects! {
    Dgl1;
    /// There is one.
    pub enum Dialect {
        Json { id: "json", about: "as the engine's first exporter wrote it", write: false, engine: Engine::None },
    }
}
