//! DRAGON Asset: a chain of sections that name each other, little- or big-endian, by a document of which no program
//! was ever finished.
//!
//! A file is a header section and sections of 22 kinds. Each begins with its tag, its own name (sixteen bytes that
//! other sections refer to), its size, a count and the name of its SETTINGS. Arrays are named by offsets, so their
//! elements may lie anywhere in the section.
//!
//! The document can be read in many ways. One is canonical (`spec` dialect); the others are recognised by content, the
//! cheapest one that explains every byte, and reported (`variant` dialect). Only the canonical one is written.
//! `SPEC.md` beside this file lists every decision.
//!
//! ```
//! use formats::{Format, ReadCx, dragon::{Body, Dragon}};
//!
//! let file = wire::Blob::file(corpus::dragon::one_triangle());
//! let doc = Dragon::read(file, &mut ReadCx::default())?;
//! let Body::Vertex(vertex) = &doc.sections[0].body else { panic!() };
//! assert_eq!(vertex.len(), 3);
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod dialect;
mod external;
mod facts;
mod layout;
mod read;
mod rules;
mod streams;
mod transcode;
mod units;
mod variants;
mod visit;
mod write;

pub use dialect::Dialect;
pub use layout::body::{
    AniTrack, Animate, Asset, AssetRef, Attribute, Bezier, Body, Bone, Broken, Buffer, Geometry, Image, Indice,
    Indices, Instance, InstanceGroup, Light, Material, MaterialSlot, Matrix3Placement, Matrix4Placement, Mesh, Morph,
    MorphTarget, Object, Pair, Placements, QuaternionPlacement, SettingType, Settings, Skeleton, Socket, Texture,
    Track, Unknown, Vec3Placement, Vertex, Voxel, VoxelMat, VoxelMatSlot, VoxelObj, VoxelPlt,
};
pub use layout::guid::Guid;
pub use layout::kind::{Kind, Spelling};
pub use layout::rotation::Rotation;
pub use layout::words::{
    AnimationType, AttributeType, DrawType, ImageSampling, LightType, Projection, RotationType, Sampling, Semantic,
    Smoothing, UpDirection, Wrap,
};
pub use layout::{Document, Header, Index, Section, VERSION};
pub use rules::RULES;
pub use variants::mesh::{Buffers, MeshReading};

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Named, Numbers, Owner, Scene, SourceSpace, Topology, UvOrigin};
use wire::{Blob, Sink};

use crate::carry::Key;
use crate::restore::{Merged, Three};
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, OptionInfo, Package, ReadCx, Score, Source};

/// The format.
pub struct Dragon;

impl Format for Dragon {
    const INFO: Info = Info {
        id: "dragon",
        name: "DRAGON Asset",
        about: "sections that name each other: meshes, skeletons, lights, voxels and animations",
        extensions: &["dragon"],
        prefix: "DRG",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: Capabilities {
            topologies: &[Topology::Triangles, Topology::TriangleStrip, Topology::TriangleFan, Topology::Quads],
            doubles: true,
            normals: Count::up_to(1),
            uv_sets: Count::up_to(u8::MAX),
            color_sets: Count::up_to(u8::MAX),
            tangents: Hold::Yes,
            joint_sets: Count::up_to(u8::MAX),
            custom_attributes: Hold::Yes,
            morph_targets: Hold::Yes,
            up_axes: Hold::Yes,
            transforms: Hold::Yes,
            materials: Hold::Yes,
            textures: Hold::Yes,
            loose_images: Hold::Yes,
            skins: Hold::Yes,
            animations: Hold::Yes,
            lights: Hold::Yes,
            instances: Hold::Yes,
            voxels: Hold::Yes,
            sockets: Hold::Yes,
            names: &[
                Named::Objects,
                Named::Meshes,
                Named::Materials,
                Named::Textures,
                Named::Images,
                Named::Skins,
                Named::Morphs,
                Named::Animations,
            ],
            properties: Owner::ALL,
            metadata: &["project", "copyright", "author", "created"],
            numbers: Numbers::Checked,
            ..Capabilities::NONE
        },
        space: SPACE,
        options: &[
            OptionInfo {
                name: "endian",
                value: "little|big",
                about: "byte order (default little, or that of the source)",
            },
            OptionInfo {
                name: "target-up",
                value: "AXIS",
                about: "which way is up: +Y +Z +X -Y -Z -X (default that of the source)",
            },
            OptionInfo {
                name: "fps",
                value: "N",
                about: "frames per second at which animations are sampled (default what the source says, or 30, raised \
                        until --tolerance holds; --fps without --tolerance is not raised)",
            },
            OptionInfo {
                name: "tolerance",
                value: "X",
                about: "most that sampled frames may be off between them, as a share of the model's diagonal, before \
                        there are more of them (default 0.001)",
            },
            crate::TEXTURES,
        ],
        tables: TABLES,
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
    fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
        bridge::lower(scene, cx)
    }
}

const TABLES: &[&wire::Table] = &{
    let mut tables: [&wire::Table; layout::body::TABLES.len() + 3] = [Header::TABLE; layout::body::TABLES.len() + 3];
    tables[1] = layout::words::UpDirection::TABLE;
    tables[2] = Section::TABLE;
    let mut i = 0;
    while i < layout::body::TABLES.len() {
        tables[i + 3] = layout::body::TABLES[i];
        i += 1;
    }
    tables
};

/// The document says nothing about hands, units and UV origin; its vocabulary is Direct3D's and Blender's.
const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Unknown,
    uv_origin: UvOrigin::Top,
};
