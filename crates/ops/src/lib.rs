//! Operations on scenes. Each is a file: a function that changes a scene, a mesh or an image in one way, or makes
//! another of it. What a target needs is not known here: `fit` decides, calls these, and lists what they cost; the
//! bridges of formats call them too.

mod bind_moving;
mod correct;
mod drawable;
mod drop_meshes;
pub mod finite;
pub mod images;
mod indices;
mod instances;
mod inverse_binds;
mod keys;
mod normals;
mod own_mesh;
mod pose;
mod resample;
mod segments;
mod shear;
mod split_skinned;
mod stream_hashes;
mod texcoords;
mod tint;
mod transform;
mod triangulate;
mod trs;
mod up_axis;
mod voxels;
mod weights;
mod weld;

pub use bind_moving::{Bound, bind_moving, is_skinned, sound_skins};
pub use correct::Corrections;
pub use drawable::{Drawable, drawable};
pub use drop_meshes::drop_meshes;
pub use indices::{corners, index, unindex};
pub use instances::expand_instances;
pub use inverse_binds::{chained, inverse_binds};
pub use keys::{make_channel_times_grow, make_times_grow};
pub use normals::normals;
pub use own_mesh::MeshUsers;
pub use pose::{BakePose, bake_pose, drop_morph_targets, drop_skins};
pub use resample::Played;
pub use segments::segments;
pub use shear::{BakedShear, bake_shear};
pub use split_skinned::{put_below, split_skinned};
pub use stream_hashes::StreamHashes;
pub use texcoords::{texcoord_distance, transform_texcoords};
pub use tint::tint;
pub use transform::{Reversed, ReversedNodes, reverse, reverse_skinned, transform_primitive, transform_rounded};
pub use triangulate::{MAX_CORNERS, cuts_at_second, triangles, triangulate};
pub use trs::{nearest_trs, valid_trs};
pub use up_axis::turn_up;
pub use voxels::voxels_to_mesh;
pub use weights::{Influences, WeightChanges, skin_sets};
pub use weld::{Welded, weld_rows};
