//! Wavefront OBJ: text, one statement per line, with materials in MTL files beside it.
//!
//! Vertices, texture coordinates and normals are numbered lists; faces name three or more corners, each by up to three
//! indices that count from 1, or from −1 backwards. `o` and `g` name what follows, `usemtl` chooses its material.
//!
//! There is no standard body behind the format, and programs differ in what they write; `SPEC.md` beside this file
//! lists every decision. A document keeps its text, so a rewrite gives back every byte.
//!
//! ```
//! use formats::{Format, ReadCx, obj::Obj};
//!
//! let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let doc = Obj::read(wire::Blob::file(text.as_bytes().to_vec()), &mut ReadCx::default())?;
//! assert_eq!(doc.model().sizes, [4]);
//! assert_eq!(doc.model().positions[3..6], [1., 0., 0.]);
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod chunk;
mod dialect;
mod layout;
mod lex;
mod mtl;
mod probe;
mod read;
mod rules;
mod write;

pub use dialect::Dialect;
pub use layout::{ABSENT, BAD, Corner, Document, Kind, Model, Run};
pub use rules::RULES;

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Named, Numbers, Owner, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, Package, ReadCx, Score, Source};

/// The format.
pub struct Obj;

impl Format for Obj {
    const INFO: Info = Info {
        id: "obj",
        name: "Wavefront OBJ",
        about: "text that nearly every 3D program reads and writes, with materials in MTL files",
        extensions: &["obj"],
        prefix: "OBJ",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[
                Topology::Points,
                Topology::Lines,
                Topology::LineStrip,
                Topology::Triangles,
                Topology::Quads,
                Topology::Polygons,
            ],
            normals: Count::up_to(1),
            uv_sets: Count::up_to(1),
            color_sets: Count::up_to(1),
            materials: Hold::Yes,
            textures: Hold::Yes,
            names: &[Named::Objects, Named::Materials],
            properties: &[Owner::Materials],
            numbers: Numbers::Finite,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[crate::TEXTURES],
        tables: &[&layout::STATEMENTS, &mtl::STATEMENTS],
        spec: include_str!("SPEC.md"),
    };
    const KEYS: &'static [Key] = bridge::KEYS;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        probe::probe(file, hint)
    }
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
        read::read(file, cx)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out)
    }
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        mtl::named(doc, source)
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
    unit: scene::Unit::Unknown,
    uv_origin: UvOrigin::Bottom,
};
