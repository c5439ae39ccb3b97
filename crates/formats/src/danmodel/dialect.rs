//! The layouts of a DanModel.

use super::DanModel;
use crate::{Engine, dialects};

dialects! {
    DanModel;
    /// Whether there is a danmaku alpha.
    pub enum Dialect {
        Spec {
            id: "spec",
            about: "as the document says: no danmaku alpha",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        Engine {
            id: "engine",
            about: "as the mod reads and writes it: a danmaku alpha before the model length",
            write: true,
            engine: Engine::Loads
        },
    }
}
