//! DGL1: the format before DGL2, the same chain of chunks with JSON where DGL2 has DML.
//!
//! Nothing in the binary tells the two apart but the texts themselves. It is read and converted, not written: no
//! program of today loads it, and DGL2 holds all it can say. Chunks, triangles and their rules are those of
//! [`crate::dgl2`]; what differs is in this folder.
//!
//! ```
//! use formats::{Document as _, Format, ReadCx, dgl1::Dgl1};
//!
//! let file = wire::Blob::file(corpus::dgl1::model());
//! let doc = Dgl1::read(file, &mut ReadCx::default())?;
//! assert_eq!(doc.dialect(), "json");
//! # Ok::<(), findings::Error>(())
//! ```

mod dialect;
pub(crate) mod json;
mod rules;

pub use dialect::Dialect;
pub use rules::RULES;

use findings::{Result, Rule};
use scene::{Scene, SourceSpace, UvOrigin};
use wire::{Blob, Sink};

use crate::dgl2::{self, Document, Language};
use crate::{Format, Hint, Info, LiftCx, NamedFile, ReadCx, Score, Source};

/// The format.
pub struct Dgl1;

impl Format for Dgl1 {
    const INFO: Info = Info {
        id: "dgl1",
        name: "DGL1",
        about: "models and levels of the game engine DGL, until 2014: DGL2 with JSON texts",
        extensions: &["dgl"],
        prefix: "DGL1",
        dialects: Dialect::INFOS,
        read: true,
        write: false,
        capabilities: dgl2::CAPABILITIES,
        space: SourceSpace { uv_origin: UvOrigin::Bottom, ..dgl2::SPACE },
        options: &[],
        tables: dgl2::TABLES,
        spec: include_str!("SPEC.md"),
    };
    const PREFIXES: &'static [&'static str] = &["DGL1", "DGL2"];
    const MULTIPLIES: bool = true;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        dgl2::read::probe(file, hint, Language::Json)
    }
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
        dgl2::read::read(&file, Language::Json, cx)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        dgl2::write::write(doc, out)
    }
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        dgl2::Dgl2::named(doc, source)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        dgl2::bridge::lift(doc, cx)
    }
}
