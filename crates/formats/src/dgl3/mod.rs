//! DGL3: scenes of the D game engine DGL, little-endian, with indexed meshes, entities, lights and, by the document
//! alone, skeletal and morph animation.
//!
//! A file is a header, meshes, entities and lights, one behind the other without any sizes: one wrong number and the
//! rest is lost. Materials are text files beside it, see [`crate::mat`]; an entity names its own in a property.
//!
//! The document (`spec` dialect) puts an entity's scale before its rotation, the exporter and every loader (`engine`
//! dialect) after it. Both take the same bytes, so the evidence of the whole file decides; files that pentad writes say
//! which it is in `creator_name`. `SPEC.md` beside this file lists every decision.
//!
//! ```
//! use formats::{Format, ReadCx, dgl3::Dgl3};
//!
//! let file = wire::Blob::file(corpus::dgl3::one_triangle());
//! let doc = Dgl3::read(file, &mut ReadCx::default())?;
//! assert_eq!(doc.meshes[0].body.as_ref().map(|body| body.vertices.len()), Some(3));
//! assert_eq!(doc.entities[0].name.to_string(), "e");
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod dialect;
mod external;
mod facts;
mod layout;
mod property;
mod read;
mod rules;
mod transcode;
mod units;
mod weights;
mod write;

pub use dialect::Dialect;
pub use layout::{
    Body, Bone, Document, Entity, External, Header, Light, LightType, MAGIC, Mesh, Morph, MorphAnimation, MorphFrame,
    MorphFrames, Skeletal, SkeletalAnimation, SkeletalFrame, Transform, Transformation, VERSION,
};
pub use property::{Property, PropertyType, PropertyValue};
pub use rules::RULES;
pub use weights::Weights;

use findings::{Result, Rule, Source};
use scene::{Capabilities, Count, Hold, Indexing, Named, Numbers, Owner, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::restore::{Merged, Three};
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, OptionInfo, Package, ReadCx, Score};

/// The format.
pub struct Dgl3;

impl Format for Dgl3 {
    const INFO: Info = Info {
        id: "dgl3",
        name: "DGL3",
        about: "scenes of the D game engine DGL, with materials in text files beside them",
        extensions: &["dgl3"],
        prefix: "DGL3",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[Topology::Triangles],
            indices: Indexing::Always,
            normals: Count::exactly(1),
            uv_sets: Count { min: 1, max: 2 },
            joint_sets: Count::up_to(u8::MAX),
            morph_targets: Hold::Yes,
            transforms: Hold::Yes,
            materials: Hold::Yes,
            textures: Hold::Yes,
            skins: Hold::Yes,
            animations: Hold::Yes,
            lights: Hold::Yes,
            names: &[Named::Objects, Named::Meshes, Named::Materials, Named::Morphs, Named::Animations, Named::Lights],
            properties: &[Owner::Nodes, Owner::Materials],
            metadata: &["title", "raw"],
            numbers: Numbers::Valid,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[
            OptionInfo {
                name: "fps",
                value: "N",
                about: "frames per second at which animations are sampled (default what the source says, or 30)",
            },
            crate::TEXTURES,
        ],
        tables: &[
            Header::TABLE,
            Mesh::TABLE,
            External::TABLE,
            Body::TABLE,
            Skeletal::TABLE,
            Bone::TABLE,
            SkeletalAnimation::TABLE,
            SkeletalFrame::TABLE,
            Transformation::TABLE,
            Morph::TABLE,
            MorphAnimation::TABLE,
            MorphFrame::TABLE,
            Entity::TABLE,
            Property::TABLE,
            PropertyType::TABLE,
            Light::TABLE,
            LightType::TABLE,
        ],
        spec: include_str!("SPEC.md"),
    };
    const MULTIPLIES: bool = true;
    const KEYS: &'static [Key] = bridge::KEYS;
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
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        external::named(doc, source)
    }
    fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
        units::merge(three)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        bridge::lift(doc, cx)
    }
    fn refer(scene: &mut Scene, cx: &mut LowerCx<'_>) {
        bridge::refer(scene, cx);
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
