//! The two forms of a material's text.

use super::Mat;
use crate::{Engine, Lack, dialects};

dialects! {
    Mat;
    /// What ends a statement.
    pub enum Dialect {
        Spec {
            id: "spec",
            about: "as the document shows it: one statement per line",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        Engine {
            id: "engine",
            about: "as the engine reads it: a semicolon behind every statement",
            write: true,
            engine: Engine::LoadsWithout(&[Lack::OtherImages])
        },
    }
}
