//! The common model: what a file means, whatever format it is in.
//!
//! Its space is glTF's: right-handed, Y up, metres, counter-clockwise front, UV origin at the top left. A source with
//! another up axis gets one root node with an exact turn; vertices are never rewritten for it.
//!
//! Vertex data stays where the file has it. A [`Stream`] is shared bytes plus an [`Encoding`], through which everyone
//! reads normative values; conversion happens once, where a target's encoding differs.
//!
//! A target states its [`Capabilities`]; [`loss`] lists what a scene can lose on the way to one.

mod animation;
mod attribute;
mod bounds;
mod camera;
mod capability;
mod cloud;
mod curve;
pub mod extras;
mod forest;
mod ids;
mod instance;
mod light;
pub mod loss;
mod material;
mod mesh;
mod metadata;
mod morph;
mod name;
mod node;
pub mod sample;
#[allow(clippy::module_inception)]
mod scene;
mod skin;
mod space;
mod stream;
mod texture;
mod transform;
mod voxel;

pub use animation::{Animation, Channel, Ease, Easing, Interpolation, Track};
pub use attribute::{Attribute, Semantic};
pub use bounds::Bounds;
pub use camera::{Camera, Projection};
pub use capability::{Capabilities, Count, Hold, Indexing, Named, Numbers, Owner};
pub use extras::{Extras, Properties, Value};
pub use forest::Forest;
pub use ids::{Arena, Id};
pub use instance::{Instances, Placement};
pub use light::{Light, LightKind};
pub use material::{ALONE, Alone, AlphaMode, ColorChannel, Material, Pbr, Phong, Role, Shading, Slot, UvTransform};
pub use mesh::{Indices, Lod, Mesh, Primitive, Topology};
pub use metadata::Metadata;
pub use morph::{MorphRange, MorphTarget};
pub use name::Name;
pub use node::{Node, NodeRole, Socket};
pub use scene::{Origin, Scene, SceneRoot};
pub use skin::Skin;
pub use space::{Handedness, SourceSpace, Unit, UpAxis, UvOrigin};
pub use stream::{Component, Encoding, Stream};
pub use texture::{Filter, Image, ImageSource, Projection as TextureProjection, Texture, Wrap};
pub use transform::{Transform, same_bits, undone};
pub use voxel::{Voxel, VoxelMaterial, Voxels};
