//! STL: triangles and nothing else, as numbers or as text. Slicers, CAD programs and printers exchange it.
//!
//! A binary file is 80 bytes of anything, a count, and 50 bytes for each facet: a normal, three corners, and two bytes
//! that should be zero. A text is a list of words: `solid`, `facet normal`, `outer loop`, three times `vertex`, and
//! their ends. Neither says what its unit is or which way is up.
//!
//! Many binary files begin with `solid` too, so it is the size that tells them from texts; `SPEC.md` beside this file
//! lists every decision.
//!
//! ```
//! use formats::{Format, ReadCx, stl::{Document, Stl}};
//!
//! let file = wire::Blob::file(corpus::stl::one_facet());
//! let Document::Binary(doc) = Stl::read(file, &mut ReadCx::default())? else { unreachable!("it is binary") };
//! assert_eq!(doc.facet_count, 1);
//! assert_eq!(doc.facets.get(0).unwrap().vertices[1][0].get(), 1.0);
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod colors;
mod compose;
mod dialect;
mod geometry;
mod layout;
mod read;
mod rules;
mod text;
mod transcode;
mod write;

pub use dialect::Dialect;
pub use layout::{Ascii, Binary, Document, Facet};
pub use rules::RULES;
pub use text::{Model, Solid};

use findings::{Result, Rule};
use scene::{Capabilities, Count, Indexing, Named, Numbers, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::{Format, Hint, Info, LiftCx, LowerCx, Package, ReadCx, Score};

/// The format.
pub struct Stl;

impl Format for Stl {
    const INFO: Info = Info {
        id: "stl",
        name: "STL",
        about: "bare triangles for 3D printers and CAD programs, binary or text",
        extensions: &["stl"],
        prefix: "STL",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[Topology::Triangles],
            indices: Indexing::Never,
            normals: Count::exactly(1),
            names: &[Named::Objects],
            metadata: &["raw"],
            numbers: Numbers::Finite,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[],
        tables: &[&layout::FIELDS, Facet::TABLE, &layout::WORDS],
        spec: include_str!("SPEC.md"),
    };
    const KEYS: &'static [Key] = bridge::KEYS;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        read::probe(file, hint)
    }
    fn read(file: Blob, _: &mut ReadCx<'_>) -> Result<Document> {
        read::read(file)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out);
        Ok(())
    }
    fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
        transcode::transcode(doc, cx)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        bridge::lift(doc, cx)
    }
    fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
        bridge::lower(scene, cx).map(Package::alone)
    }
}

const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Unknown,
    uv_origin: UvOrigin::Unknown,
};
