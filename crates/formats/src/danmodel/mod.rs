//! DanmakuCore DanModel: the bullet models of a Minecraft mod, big-endian, unindexed, without materials.
//!
//! A file is a header (three strings, a piece count, the length of the rest) and pieces: a draw mode, a vertex count,
//! one flag, and vertices of 68 bytes or, when the flag says that the shot colours the piece, 52.
//!
//! The document (`spec` dialect) and the mod (`engine` dialect) differ in one field: the mod has a 32-bit float, the
//! alpha of danmaku-coloured pieces, between piece count and model length. Both are read, recognised by which of them
//! makes the pieces fit; see `SPEC.md` beside this file for every decision.
//!
//! ```
//! use formats::{Format, ReadCx, danmodel::DanModel};
//!
//! let file = wire::Blob::file(corpus::danmodel::one_triangle());
//! let doc = DanModel::read(file, &mut ReadCx::default())?;
//! assert_eq!(doc.pieces.len(), 1);
//! assert_eq!(doc.pieces[0].mode.word(), Some("TRIANGLES"));
//! assert_eq!(doc.pieces[0].vertices.len(), 3);
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod dialect;
mod layout;
mod read;
mod rules;
mod transcode;
mod units;
mod write;

pub use dialect::Dialect;
pub use layout::{ColoredVertex, Document, Header, MAGIC, Mode, Piece, PlainVertex, Vertices};
pub use rules::RULES;

use findings::{Result, Rule};
use scene::{Capabilities, Count, Indexing, Numbers, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::restore::{Merged, Three};
use crate::{Format, Hint, Info, LiftCx, LowerCx, OptionInfo, Package, ReadCx, Score};

/// The format.
pub struct DanModel;

impl Format for DanModel {
    const INFO: Info = Info {
        id: "danmodel",
        name: "DanmakuCore DanModel",
        about: "bullet models of the Minecraft mod DanmakuCore",
        extensions: &["danmodel"],
        prefix: "DAN",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[
                Topology::Points,
                Topology::Lines,
                Topology::LineLoop,
                Topology::LineStrip,
                Topology::Triangles,
                Topology::TriangleStrip,
                Topology::TriangleFan,
                Topology::Quads,
                Topology::QuadStrip,
                Topology::Polygon,
            ],
            indices: Indexing::Never,
            doubles: true,
            normals: Count::exactly(1),
            uv_sets: Count::exactly(1),
            color_sets: Count::up_to(1),
            metadata: &["title", "description", "author"],
            longest_text: i16::MAX as usize,
            numbers: Numbers::Checked,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[
            OptionInfo { name: "name", value: "TEXT", about: "name of the model" },
            OptionInfo { name: "description", value: "TEXT", about: "description of the model" },
            OptionInfo { name: "author", value: "TEXT", about: "who made the model" },
            OptionInfo {
                name: "danmaku-colored",
                value: "OBJECT[,OBJECT…]",
                about: "objects that take the colour of the shot, by object or node name",
            },
        ],
        tables: &[Header::TABLE, Piece::TABLE, Mode::TABLE, PlainVertex::TABLE, ColoredVertex::TABLE],
        spec: include_str!("SPEC.md"),
    };
    const KEYS: &'static [Key] = &bridge::KEYS;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, _: &Hint) -> Score {
        read::probe(file)
    }
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
        read::read(&file, cx)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out)
    }
    fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
        transcode::transcode(doc, cx)
    }
    fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
        units::merge(three)
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
    unit: scene::Unit::Metre,
    uv_origin: UvOrigin::Bottom,
};
