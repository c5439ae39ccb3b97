//! What sections hold: one struct per kind, in the words of the document.

mod about;
mod animation;
mod light;
mod material;
mod mesh;
mod object;
mod skeleton;
mod vertex;
mod voxel;

pub use about::{Asset, AssetRef, Pair, SettingType, Settings};
pub use animation::{AniTrack, Bezier};
pub use light::Light;
pub use material::{Image, Material, MaterialSlot, Texture};
pub use mesh::{Geometry, Indice, Indices, Mesh, Morph, MorphTarget};
pub use object::{
    Instance, InstanceGroup, Matrix3Placement, Matrix4Placement, Object, Placements, QuaternionPlacement, Vec3Placement,
};
pub use skeleton::{Animate, Bone, Skeleton, Socket, Track};
pub use vertex::{Attribute, Buffer, Vertex};
pub use voxel::{Voxel, VoxelMat, VoxelMatSlot, VoxelObj, VoxelPlt};

use wire::{Blob, Fault, Table, Writer};

use crate::dragon::layout::fields::{BodyReader, Part};
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::out::write_part;

/// A section of a kind that has no reading: its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The eight bytes it starts with.
    pub tag: [u8; 8],
    /// Everything behind its header.
    pub bytes: Blob,
}

/// A section whose body breaks the layout of its kind: its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What it says it is.
    pub kind: Kind,
    /// Everything behind its header.
    pub bytes: Blob,
}

impl Body {
    /// Whether it means something only to the sections that refer to it.
    pub(in crate::dragon) fn is_part(&self) -> bool {
        matches!(
            self,
            Body::Settings(_)
                | Body::Vertex(_)
                | Body::Indice(_)
                | Body::Morph(_)
                | Body::VoxelPlt(_)
                | Body::VoxelMat(_)
                | Body::AniTrack(_)
        )
    }
}

macro_rules! bodies {
    ($($Kind:ident)*) => {
        /// What a section holds.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Body {
            /// Nothing, whatever bytes are there.
            Null(Blob),
            $($Kind($Kind),)*
            /// Bytes behind an unknown tag.
            Unknown(Unknown),
            /// Bytes that break the layout of their kind.
            Broken(Broken),
        }

        impl Body {
            /// Its kind, if its tag is known.
            pub fn kind(&self) -> Option<Kind> {
                match self {
                    Body::Null(_) => Some(Kind::Null),
                    $(Body::$Kind(_) => Some(Kind::$Kind),)*
                    Body::Unknown(unknown) => Kind::of(unknown.tag).map(|(kind, _)| kind),
                    Body::Broken(broken) => Some(broken.kind),
                }
            }

            pub(in crate::dragon) fn read(kind: Kind, r: &mut BodyReader<'_, '_>) -> Result<Body, Fault> {
                match kind {
                    $(Kind::$Kind => $Kind::read(r).map(Body::$Kind),)*
                    Kind::Null | Kind::Dragon => Ok(Body::Null(Blob::default())),
                }
            }

            pub(in crate::dragon) fn write(&self, w: &mut Writer<'_>) -> Result<(), Fault> {
                match self {
                    $(Body::$Kind(body) => write_part(body, w),)*
                    Body::Null(bytes) => {
                        w.blob(bytes);
                        Ok(())
                    }
                    Body::Unknown(Unknown { bytes, .. }) | Body::Broken(Broken { bytes, .. }) => {
                        w.blob(bytes);
                        Ok(())
                    }
                }
            }
        }

        $(impl From<$Kind> for Body {
            fn from(body: $Kind) -> Body {
                Body::$Kind(body)
            }
        })*
    };
}
bodies! {
    Settings Skeleton Vertex Morph Indice Geometry Material Socket Texture Image AssetRef Light Object Instance VoxelPlt
    VoxelObj VoxelMat Animate AniTrack Asset
}

impl Body {
    /// What the section header counts of it; nothing for kinds that count nothing.
    pub fn count(&self) -> Option<usize> {
        Some(match self {
            Body::Settings(body) => body.pairs.len(),
            Body::Skeleton(body) => body.bones.len(),
            Body::Vertex(body) => body.buffer.len(),
            Body::Morph(body) => body.morphs.len(),
            Body::Indice(body) => body.indices.len(),
            Body::Geometry(body) => body.meshes.len(),
            Body::Material(body) => body.slots.len(),
            Body::Instance(body) => body.instances.len(),
            Body::VoxelPlt(body) => body.palette.len(),
            Body::VoxelObj(body) => body.voxels.len(),
            Body::VoxelMat(body) => body.slots.len(),
            Body::Animate(body) => body.tracks.len(),
            Body::AniTrack(body) => body.data.len(),
            _ => return None,
        })
    }

    /// The eight bytes that a section with this body starts with.
    pub fn tag(&self) -> [u8; 8] {
        match self {
            Body::Unknown(unknown) => unknown.tag,
            _ => self.kind().unwrap_or(Kind::Null).tag(),
        }
    }
}

/// Every body and its parts, in the order of the document.
pub(in crate::dragon) const TABLES: &[&Table] = &[
    Settings::TABLE,
    Pair::TABLE,
    Skeleton::TABLE,
    crate::dragon::layout::words::RotationType::TABLE,
    Bone::TABLE,
    Vertex::TABLE,
    Attribute::TABLE,
    crate::dragon::layout::words::AttributeType::TABLE,
    crate::dragon::layout::words::Semantic::TABLE,
    Morph::TABLE,
    MorphTarget::TABLE,
    Indice::TABLE,
    Geometry::TABLE,
    Mesh::TABLE,
    crate::dragon::layout::words::DrawType::TABLE,
    Material::TABLE,
    MaterialSlot::TABLE,
    Socket::TABLE,
    Texture::TABLE,
    crate::dragon::layout::words::ImageSampling::TABLE,
    crate::dragon::layout::words::Projection::TABLE,
    crate::dragon::layout::words::Wrap::TABLE,
    Image::TABLE,
    AssetRef::TABLE,
    Light::TABLE,
    crate::dragon::layout::words::LightType::TABLE,
    Object::TABLE,
    Instance::TABLE,
    InstanceGroup::TABLE,
    QuaternionPlacement::TABLE,
    VoxelPlt::TABLE,
    VoxelObj::TABLE,
    Voxel::TABLE,
    VoxelMat::TABLE,
    VoxelMatSlot::TABLE,
    Animate::TABLE,
    Track::TABLE,
    AniTrack::TABLE,
    crate::dragon::layout::words::AnimationType::TABLE,
    crate::dragon::layout::words::Sampling::TABLE,
    crate::dragon::layout::words::Smoothing::TABLE,
    Asset::TABLE,
];
