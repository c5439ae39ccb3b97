//! The layouts of a das2 file that have names.

use super::Das2;
use super::form::Form;
use crate::{Engine, Format, dialects};

dialects! {
    Das2;
    /// Which of its layouts a file is in; those that are only read become another one when they are changed.
    pub enum Dialect {
        Spec {
            id: "spec",
            about: "as the document says: many buffers, plain strings, zlib",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        Engine {
            id: "engine",
            about: "as the library writes it: one buffer, hashed strings, zstd",
            write: true,
            engine: Engine::Loads
        },
        SpecTableIds {
            id: "spec-table-ids",
            about: "the document with the structure numbers of its tables",
            write: false,
            engine: Engine::Fails { instead: Dialect::Spec.id() }
        },
        SpecNul {
            id: "spec-nul",
            about: "the document with a byte 00 behind every string",
            write: false,
            engine: Engine::Fails { instead: Dialect::Spec.id() }
        },
        SpecHash {
            id: "spec-hash",
            about: "the document with hashed strings",
            write: false,
            engine: Engine::Fails { instead: Dialect::Spec.id() }
        },
        SpecHashNul {
            id: "spec-hash-nul",
            about: "the document with hashed strings and a byte 00 behind each",
            write: false,
            engine: Engine::Fails { instead: Dialect::Spec.id() }
        },
        HeadText {
            id: "head-text",
            about: "the text of the library's last commit, read literally",
            write: false,
            engine: Engine::Fails { instead: Dialect::Spec.id() }
        },
        V2 {
            id: "v2",
            about: "the library of September 2023: the buffer behind everything else, in zstd frames",
            write: false,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        V3 {
            id: "v3",
            about: "the library of October 2023, never compressed",
            write: false,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
    }
}

impl Dialect {
    /// The layout of files that are written in it.
    pub(super) fn form(self) -> Form {
        match Das2::INFO.written(self.id()) == Dialect::Engine.id() {
            true => Form::ENGINE,
            false => Form::SPEC,
        }
    }
}
