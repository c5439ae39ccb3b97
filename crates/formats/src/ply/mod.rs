//! PLY, the Stanford polygon file: a header that says what the data is made of, and the data as numbers or text.
//!
//! Scanners, point clouds and mesh tools use it. A header names elements (`vertex`, `face`), how many there are, and the
//! properties of each; anyone may add more. Which names mean what is convention: `SPEC.md` beside this file lists every
//! decision.
//!
//! ```
//! use formats::{Format, ReadCx, ply::Ply};
//!
//! let file = wire::Blob::file(corpus::ply::TRIANGLE.as_bytes().to_vec());
//! let doc = Ply::read(file, &mut ReadCx::default())?;
//! assert_eq!(doc.header().elements[0].properties[2].name, b"z");
//! assert_eq!(doc.body().tables[0].count, 3);
//! assert_eq!(doc.body().tables[1].lists[0].sizes, [3]);
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod data;
mod dialect;
mod header;
mod layout;
mod meaning;
mod read;
mod rules;
mod transcode;
mod write;

pub use data::{Body, List, Table};
pub use dialect::Dialect;
pub use header::{Element, Header, Property, Scalar};
pub use layout::Document;
pub use rules::RULES;

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Numbers, Owner, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::{Format, Hint, Info, LiftCx, LowerCx, Package, ReadCx, Score};

/// The format.
pub struct Ply;

impl Format for Ply {
    const INFO: Info = Info {
        id: "ply",
        name: "PLY",
        about: "polygons and point clouds with any properties, binary or text",
        extensions: &["ply"],
        prefix: "PLY",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[Topology::Points, Topology::Lines, Topology::Triangles, Topology::Quads, Topology::Polygons],
            doubles: true,
            normals: Count::up_to(1),
            uv_sets: Count::up_to(1),
            color_sets: Count::up_to(1),
            custom_attributes: Hold::Yes,
            properties: &[Owner::File],
            metadata: &["comment"],
            numbers: Numbers::Finite,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[],
        tables: &[&layout::LINES, &layout::NAMES],
        spec: include_str!("SPEC.md"),
    };
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, _: &Hint) -> Score {
        read::probe(file)
    }
    fn read(file: Blob, _: &mut ReadCx<'_>) -> Result<Document> {
        read::read(file)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out);
        Ok(())
    }
    fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
        if cx.dialect != crate::Document::dialect(doc) {
            *doc = transcode::transcode(doc, cx)?;
        }
        Ok(())
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
    uv_origin: UvOrigin::Bottom,
};
