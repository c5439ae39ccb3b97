//! The layouts that das2 files are in. Nothing in a file names its layout; `read.rs` finds it out.

use wire::wire_enum;

use super::dialect::Dialect;
use super::document::Compression;

/// Which revision of the structures a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Revision {
    /// The document: many buffers, each attribute names one.
    #[default]
    Spec,
    /// The text of the library's last commit, read literally.
    HeadText,
    /// The library from ef13a6f to f80ce84.
    V2,
    /// The library from e4662e0 to e58a52a.
    V3,
    /// The library from 5aea259 to its last commit.
    V4,
}

/// How strings are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strings {
    /// Length and bytes.
    #[default]
    Plain,
    /// Length, bytes, and a byte 00 that the length does not count.
    Nul,
    /// Length, hash and bytes.
    Hash,
    /// Length, hash, bytes, and a byte 00.
    HashNul,
    /// Length, hash, bytes, and a byte 00 unless the string is empty.
    HashNulFilled,
}

impl Strings {
    /// Whether a hash stands behind the length.
    pub fn hashed(self) -> bool {
        matches!(self, Strings::Hash | Strings::HashNul | Strings::HashNulFilled)
    }

    /// Whether a byte 00 stands behind a string of this length.
    pub fn ends_with_nul(self, len: usize) -> bool {
        match self {
            Strings::Plain | Strings::Hash => false,
            Strings::Nul | Strings::HashNul => true,
            Strings::HashNulFilled => len > 0,
        }
    }
}

/// Which numbers structures have. The document's headings and its tables disagree from MeshGroup on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Numbering {
    /// As in the headings.
    #[default]
    Heading,
    /// As in the tables: one less from MeshGroup on.
    Table,
}

/// One concrete layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// Which structures there are.
    pub revision: Revision,
    /// How strings are stored.
    pub strings: Strings,
    /// Which numbers structures have.
    pub numbering: Numbering,
}

impl Form {
    /// The document's layout, in which new files are written.
    pub const SPEC: Form = Form { revision: Revision::Spec, strings: Strings::Plain, numbering: Numbering::Heading };
    /// The layout of the library's last commit.
    pub const ENGINE: Form = Form { revision: Revision::V4, strings: Strings::Hash, numbering: Numbering::Heading };

    /// Its dialect.
    pub fn dialect(self) -> Dialect {
        match (self.revision, self.numbering, self.strings) {
            (Revision::HeadText, ..) => Dialect::HeadText,
            (Revision::V2, ..) => Dialect::V2,
            (Revision::V3, ..) => Dialect::V3,
            (Revision::V4, ..) => Dialect::Engine,
            (Revision::Spec, Numbering::Table, _) => Dialect::SpecTableIds,
            (Revision::Spec, _, Strings::Plain) => Dialect::Spec,
            (Revision::Spec, _, Strings::Nul) => Dialect::SpecNul,
            (Revision::Spec, _, Strings::Hash) => Dialect::SpecHash,
            (Revision::Spec, _, Strings::HashNul | Strings::HashNulFilled) => Dialect::SpecHashNul,
        }
    }

    /// How its writers compress.
    pub fn compression(self) -> Compression {
        match self.revision {
            Revision::Spec => Compression::Zlib,
            Revision::V4 | Revision::HeadText => Compression::Zstd,
            Revision::V2 => Compression::Split,
            Revision::V3 => Compression::Tail,
        }
    }

    /// Whether attributes name the buffer they are in; else there is one buffer.
    pub fn has_buffer_ids(self) -> bool {
        self.revision == Revision::Spec
    }

    /// Whether a mesh names the buffer of its colours.
    pub(super) fn has_color_id(self) -> bool {
        matches!(self.revision, Revision::Spec | Revision::V2)
    }

    /// Whether a morph target names the buffers of its texture coordinates.
    pub(super) fn has_morph_uv_ids(self) -> bool {
        matches!(self.revision, Revision::Spec | Revision::HeadText)
    }

    /// Whether a morph target names the buffer of its colours.
    pub(super) fn has_morph_color_id(self) -> bool {
        matches!(self.revision, Revision::Spec | Revision::HeadText | Revision::V2)
    }

    /// Whether animations have names.
    pub fn has_animation_names(self) -> bool {
        matches!(self.revision, Revision::V2 | Revision::V3 | Revision::V4)
    }

    /// Whether a PBR material has a roughness map.
    pub fn has_roughness_map(self) -> bool {
        matches!(self.revision, Revision::Spec | Revision::HeadText | Revision::V2)
    }

    /// Whether a channel counts its keyframes before its weights.
    pub(super) fn counts_keyframes_first(self) -> bool {
        matches!(self.revision, Revision::Spec | Revision::HeadText)
    }

    /// The number of a structure of this kind.
    pub fn id_of(self, kind: Kind) -> u8 {
        match self.revision {
            Revision::V2 | Revision::V3 if kind == Kind::BUFFER => 0,
            _ if self.numbering == Numbering::Table && kind > Kind::MORPH_TARGET => kind.0 - 1,
            _ => kind.0,
        }
    }

    /// What a structure with this number is, at the top level. `buffer_seen` tells whether a number 0 of the older
    /// layouts can no longer be the buffer.
    pub fn kind_of(self, id: u8, buffer_seen: bool) -> Option<Kind> {
        match (self.revision, id) {
            (Revision::V2 | Revision::V3, 0) if !buffer_seen => Some(Kind::BUFFER),
            (Revision::V2 | Revision::V3, 0) => Some(Kind::MESH_GROUP),
            (Revision::V4, 0) => Some(Kind::MESH),
            (_, 1 | 2) => Some(Kind(id)),
            _ if self.numbering == Numbering::Table => (3..=0x0b).contains(&id).then(|| Kind(id + 1)),
            _ => (4..=0x0c).contains(&id).then_some(Kind(id)),
        }
    }
}

wire_enum! {
    /// What a structure is, by the number of its heading.
    pub struct Kind: u8 {
        /// Bytes that meshes point into.
        BUFFER = 1 "Buffer",
        /// How vertices are drawn.
        MESH = 2 "Mesh",
        /// A variation of a mesh; only inside one.
        MORPH_TARGET = 3 "MorphTarget",
        /// Meshes that belong together.
        MESH_GROUP = 4 "MeshGroup",
        /// A place in a scene.
        NODE = 5 "Node",
        /// A tree of nodes.
        SCENE = 6 "Scene",
        /// A place in a skeleton.
        SKELETON_JOINT = 7 "SkeletonJoint",
        /// A tree of joints.
        SKELETON = 8 "Skeleton",
        /// Channels that play together.
        ANIMATION = 9 "Animation",
        /// How one property changes.
        ANIMATION_CHANNEL = 10 "AnimationChannel",
        /// A material by Blinn and Phong.
        MATERIAL_PHONG = 11 "MaterialPhong",
        /// A material by its physics.
        MATERIAL_PBR = 12 "MaterialPbr",
    }
}

impl Kind {
    /// The list that structures of this kind are in, as paths name it.
    pub fn list(self) -> &'static str {
        match self {
            Kind::BUFFER => "buffers",
            Kind::MESH => "meshes",
            Kind::MESH_GROUP => "mesh_groups",
            Kind::NODE => "nodes",
            Kind::SCENE => "scenes",
            Kind::SKELETON_JOINT => "joints",
            Kind::SKELETON => "skeletons",
            Kind::ANIMATION => "animations",
            Kind::ANIMATION_CHANNEL => "channels",
            Kind::MATERIAL_PHONG => "phong_materials",
            Kind::MATERIAL_PBR => "pbr_materials",
            _ => "structures",
        }
    }

    /// The kinds that stand at the top level, in the order that writers use.
    pub const TOP: [Kind; 11] = [
        Kind::BUFFER,
        Kind::MESH,
        Kind::MESH_GROUP,
        Kind::NODE,
        Kind::SCENE,
        Kind::SKELETON_JOINT,
        Kind::SKELETON,
        Kind::ANIMATION,
        Kind::ANIMATION_CHANNEL,
        Kind::MATERIAL_PHONG,
        Kind::MATERIAL_PBR,
    ];
}
