//! DGL2: models and levels of the game engine DGL, little-endian, a chain of chunks.
//!
//! A chunk has a type, an id, a name and data. The first is a HEADER, the last an END; between them lie TRIMESH chunks
//! (triangles of 124 bytes, each with its own material), MATERIAL chunks (properties as text) and ENTITY chunks (a mesh
//! or a light in its place, with properties). Properties are written in DML, see [`dml`].
//!
//! The document (`spec` dialect) and the engine (`engine`) differ in MATERIAL chunks: the engine has the length of the
//! text before it, and a number beside the name of each texture. Until the end of 2015 exporters put texts between
//! braces (`engine-braced`). All are read, recognised by content; see `SPEC.md` beside this file for every decision.
//!
//! DGL1, the format before, is the same chain with JSON texts: [`crate::dgl1`].
//!
//! ```
//! use formats::{Format, ReadCx, dgl2::Dgl2};
//!
//! let file = wire::Blob::file(corpus::dgl2::one_triangle());
//! let doc = Dgl2::read(file, &mut ReadCx::default())?;
//! let (_, chunk, mesh) = doc.meshes().next().unwrap();
//! assert_eq!(chunk.name.to_string(), "M");
//! assert_eq!(mesh.triangles.len(), 1);
//! # Ok::<(), findings::Error>(())
//! ```

pub(crate) mod bridge;
mod dialect;
pub mod dml;
mod facts;
mod layout;
mod origin;
mod properties;
pub(crate) mod read;
pub(crate) mod rules;
mod text;
mod transcode;
mod units;
pub(crate) mod write;

pub use dialect::Dialect;
pub use layout::{Chunk, ChunkKind, Data, Document, Entity, EntityKind, Form, Language, Material, Triangle, Trimesh};
pub use properties::{Properties, Property, TextureSlot};
pub use rules::RULES;
pub use text::PropertyText;

pub(crate) use rules::show;

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Named, Numbers, Owner, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink, Table};

use crate::carry::Key;
use crate::restore::{Merged, Three};
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, Package, ReadCx, Score, Source};

/// The format.
pub struct Dgl2;

impl Format for Dgl2 {
    const INFO: Info = Info {
        id: "dgl2",
        name: "DGL2",
        about: "models and levels of the game engine DGL, 2014 to 2016",
        extensions: &["dgl2"],
        prefix: "DGL2",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: CAPABILITIES,
        space: SPACE,
        options: &[crate::TEXTURES],
        tables: TABLES,
        spec: include_str!("SPEC.md"),
    };
    const PREFIXES: &'static [&'static str] = &["DGL2", "DML"];
    const MULTIPLIES: bool = true;
    const KEYS: &'static [Key] = bridge::KEYS;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        read::probe(file, hint, Language::Dml)
    }
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
        read::read(&file, Language::Dml, cx)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out)
    }
    fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
        transcode::transcode(doc, cx)
    }
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        NamedFile::textures(facts::texture_files(doc), source)
    }
    fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
        units::merge(three)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        bridge::lift(doc, cx)
    }
    fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
        bridge::lower(scene, cx)
    }
}

pub(crate) const TABLES: &[&Table] = &[
    Chunk::TABLE,
    ChunkKind::TABLE,
    Trimesh::TABLE,
    Triangle::TABLE,
    Material::TABLE,
    Entity::TABLE,
    EntityKind::TABLE,
];

pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    topologies: &[Topology::Triangles],
    normals: Count::exactly(1),
    uv_sets: Count::exactly(2),
    transforms: Hold::Yes,
    materials: Hold::Yes,
    textures: Hold::Yes,
    lights: Hold::Yes,
    visibility: Hold::Yes,
    names: &[Named::Objects, Named::Meshes, Named::Materials],
    properties: &[Owner::File, Owner::Nodes, Owner::Materials],
    metadata: &["title", "raw"],
    numbers: Numbers::Valid,
    ..Capabilities::NONE
};

/// The world is Y-up: the turn of meshes, whose Z is up, is in the rotation of their entities.
pub(crate) const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Metre,
    uv_origin: UvOrigin::Top,
};
