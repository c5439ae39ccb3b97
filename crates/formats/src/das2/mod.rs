//! das2: assets of the engine DENG, little-endian, with scenes, skeletons, morph targets, LODs, animations and two kinds
//! of materials.
//!
//! A file is a header, never compressed, and a body: structures one behind the other in any order, each with a number
//! that says what it is. Structures name each other by ids: places among the structures of one kind. Meshes point into
//! buffers.
//!
//! No program ever wrote the layout of the document (`spec` dialect). The library (`engine` dialect) has one buffer,
//! hashed strings and another compression; several layouts lie between the two. Nothing in a file names its layout, so
//! every one is tried. `SPEC.md` beside this file lists every decision.
//!
//! ```
//! use formats::{Format, ReadCx, das2::{Attribute, Das2}};
//!
//! let file = wire::Blob::file(corpus::das2::one_triangle());
//! let doc = Das2::read(file, &mut ReadCx::default())?;
//! let parts = doc.parts();
//! assert_eq!(parts.nodes[0].name.text.to_string(), "n");
//! assert_eq!(parts.vertex_count(parts.meshes[0]), Some(3));
//! assert_eq!(parts.meshes[0].slot(Attribute::Normal).map(|slot| slot.offset), Some(36));
//! # Ok::<(), findings::Error>(())
//! ```

mod attributes;
mod bridge;
mod channel;
mod codec;
mod defaults;
mod dialect;
mod document;
mod facts;
mod form;
mod layout;
mod links;
mod read;
mod rules;
mod strings;
mod structure;
mod text;
mod transcode;
mod tree;
mod units;
mod unused;
mod write;

pub use attributes::{Attribute, SLOTS, Slot};
pub use channel::{AnimationChannel, AnimationTarget, Interpolation};
pub use dialect::Dialect;
pub use document::{Compression, Document, Parts};
pub use form::{Form, Kind, Numbering, Revision, Strings};
pub use layout::{
    Animation, Buffer, Header, IDENTITY, MAGIC, MaterialPbr, MaterialPhong, MaterialType, Matrix, Mesh, MeshGroup,
    MorphTarget, NONE, Node, ORDER, Scene, Skeleton, SkeletonJoint, UNTURNED,
};
pub use rules::RULES;
pub use structure::Structure;
pub use text::{DasString, hash};

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Named, Numbers, Role, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::restore::{Merged, Three};
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, OptionInfo, Package, ReadCx, Score, Source};

/// The format.
pub struct Das2;

impl Format for Das2 {
    const INFO: Info = Info {
        id: "das2",
        name: "das2",
        about: "assets of the engine DENG: scenes, skeletons, morph targets, LODs and animations",
        extensions: &["das2"],
        prefix: "DAS2",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[Topology::Triangles],
            normals: Count::up_to(1),
            uv_sets: Count::up_to(SLOTS as u8),
            color_sets: Count::up_to(1),
            joint_sets: Count::up_to(SLOTS as u8),
            morph_targets: Hold::Yes,
            hierarchy: Hold::Yes,
            transforms: Hold::Yes,
            scenes: Hold::Yes,
            materials: Hold::Yes,
            textures: Hold::Yes,
            texture_sets: &[
                Role::BaseColor,
                Role::SpecularColor,
                Role::Emission,
                Role::Metallic,
                Role::Roughness,
                Role::Occlusion,
            ],
            skins: Hold::Yes,
            animations: Hold::Yes,
            lods: Hold::Yes,
            names: &[Named::Objects, Named::Meshes, Named::Materials, Named::Skins, Named::Animations],
            metadata: &["author", "comment", "default_scene"],
            longest_text: text::LONGEST_TEXT,
            numbers: Numbers::Checked,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[
            OptionInfo { name: "level", value: "0..9", about: "how hard to compress; 0 is not at all (default 6)" },
            OptionInfo { name: "author", value: "TEXT", about: "who made the model" },
            OptionInfo { name: "comment", value: "TEXT", about: "anything worth saying about it" },
            crate::TEXTURES,
        ],
        tables: &[
            Header::TABLE,
            DasString::TABLE,
            Kind::TABLE,
            Buffer::TABLE,
            Mesh::TABLE,
            MaterialType::TABLE,
            MorphTarget::TABLE,
            MeshGroup::TABLE,
            Node::TABLE,
            Scene::TABLE,
            SkeletonJoint::TABLE,
            Skeleton::TABLE,
            Animation::TABLE,
            AnimationChannel::TABLE,
            AnimationTarget::TABLE,
            Interpolation::TABLE,
            MaterialPhong::TABLE,
            MaterialPbr::TABLE,
        ],
        spec: include_str!("SPEC.md"),
    };
    const MULTIPLIES: bool = true;
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
    fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
        NamedFile::textures(facts::uris(&doc.parts()), source)
    }
    fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
        units::merge(three)
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<scene::Scene> {
        bridge::lift(doc, cx)
    }
    fn lower(scene: &scene::Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
        bridge::lower(scene, cx)
    }
}

pub(crate) const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Metre,
    uv_origin: UvOrigin::Bottom,
};
