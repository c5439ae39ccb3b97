//! DGL materials: `name: value` statements in a text file beside a DGL3 model.
//!
//! The document shows one statement per line (`spec`); the engine wants a semicolon behind each (`engine`). A file with
//! a semicolon behind any value is in the latter. Values are strings in quotes, vectors in brackets, and words; there
//! are no comments and no escapes. `SPEC.md` beside this file lists every decision.
//!
//! A document keeps its text token by token: a rewrite gives back every byte, and a changed value changes nothing else.
//!
//! ```
//! use formats::{Format, ReadCx, mat::Mat};
//!
//! let text = b"name: \"crate\"\nroughness: 0.1\n".to_vec();
//! let mut doc = Mat::read(wire::Blob::file(text), &mut ReadCx::default())?;
//! assert_eq!(doc.number("roughness"), Some(0.1));
//! doc.set("roughness", "0.25")?;
//! assert_eq!(doc.number("roughness"), Some(0.25));
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod dialect;
mod keys;
mod layout;
mod lex;
mod read;
mod rules;
mod write;

pub use dialect::Dialect;
pub use keys::{KEYS, Key, Kind};
pub use layout::Document;
pub use lex::{Bad, Pair, Token, TokenKind, Why};
pub use rules::RULES;

#[cfg(feature = "dgl3")]
pub(crate) use bridge::{Textures, lift_material, lower_material};

use findings::{Result, Rule};
use scene::{Capabilities, Hold, Named, Numbers, Owner, Scene, SourceSpace, UvOrigin};
use wire::{Blob, Sink};

use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, Package, ReadCx, Score, Source};

/// The format.
pub struct Mat;

impl Format for Mat {
    const INFO: Info = Info {
        id: "mat",
        name: "DGL material",
        about: "materials of the D game engine DGL, in text files beside its models",
        extensions: &["mat"],
        prefix: "MAT",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            materials: Hold::Yes,
            textures: Hold::Yes,
            names: &[Named::Materials],
            properties: &[Owner::Materials],
            numbers: Numbers::Checked,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[crate::TEXTURES],
        tables: &[&keys::TABLE],
        spec: include_str!("SPEC.md"),
    };
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        read::probe(file, hint)
    }
    fn read(file: Blob, _: &mut ReadCx<'_>) -> Result<Document> {
        Ok(read::read(file))
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out)
    }
    fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
        let dialect = Dialect::named(cx.dialect)?;
        if cx.dialect != crate::Document::dialect(doc) {
            *doc = doc.in_dialect(dialect);
        }
        Ok(())
    }
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        NamedFile::textures(doc.textures().into_iter().map(|(_, path)| path), source)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        bridge::lift(doc, cx)
    }
    fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
        bridge::lower(scene, cx)
    }
}

const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Metre,
    uv_origin: UvOrigin::Top,
};
