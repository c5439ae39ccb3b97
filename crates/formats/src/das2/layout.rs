//! What a das2 file is made of, in the order of its document.

use wire::{Blob, Bulk, Count, F32, Layout, Order, layout, wire_enum};

use super::form::{Form, Revision};
use super::text::DasString;

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"das2\0\0\0\0";

/// Every number is little-endian.
pub const ORDER: Order = Order::Little;

/// What stands where an id could: no reference.
pub const NONE: u32 = u32::MAX;

/// Four rows of four numbers, rows first; a vector is a column, so a translation is in elements 3, 7 and 11.
pub type Matrix = [F32; 16];

/// The matrix that changes nothing.
pub const IDENTITY: Matrix = {
    const O: F32 = F32(0.);
    const I: F32 = F32(1.);
    [I, O, O, O, O, I, O, O, O, O, I, O, O, O, O, I]
};

/// The rotation that turns nothing.
pub const UNTURNED: [F32; 4] = [F32(0.), F32(0.), F32(0.), F32(1.)];

pub(super) const BLACK: [F32; 4] = UNTURNED;

layout! {
    /// Everything before the body. It is never compressed.
    pub struct Header(form: Form) {
        /// `das2` and four bytes 00.
        magic: [u8; 8],
        /// Who made it.
        author_name: DasString{form.strings},
        /// Anything.
        comment: DasString{form.strings},
        /// Vertices of all meshes together, without LODs and morph targets; 0 where nobody counted.
        vertices_count: u32,
        /// Meshes in the file, without LODs; 0 where nobody counted.
        mesh_count: u32,
        /// Animations in the file; 0 where nobody counted.
        animation_count: u32,
        /// Which scene to show.
        default_scene_index: u32,
        /// The same once more.
        default_scene_index_again: u32 where form.revision == Revision::V2,
        /// `uZlibLevel`: 0 for a body that is not compressed. Files exist whose bodies are not as it says.
        level: u8,
    }
}

layout! {
    /// Bytes that meshes point into.
    pub struct Buffer {
        /// Its number.
        structure: u8,
        let length: Count<u32> = data.len(),
        /// The bytes.
        data: Blob{length},
    }
}

wire_enum! {
    /// Which list a material id counts in.
    pub struct MaterialType: u8 {
        /// There is no material.
        NONE = 0 "none",
        /// MaterialPhong.
        PHONG = 1 "Phong",
        /// MaterialPbr.
        PBR = 2 "PBR",
    }
}

layout! {
    /// How vertices are drawn: where each attribute is. Triangle lists only.
    pub struct Mesh(form: Form) {
        /// Its number.
        structure: u8,
        /// -1 for a mesh without indices.
        index_buffer_id: u32 where form.has_buffer_ids(),
        /// u32 each. Without ids, 0 means that there are none.
        index_buffer_offset: u32,
        /// Indices if there are any, vertices otherwise.
        draw_count: u32,
        /// -1 for none.
        position_vertex_buffer_id: u32 where form.has_buffer_ids(),
        /// Three f32 each.
        position_vertex_buffer_offset: u32,
        /// -1 for none.
        surface_normal_buffer_id: u32 where form.has_buffer_ids(),
        /// Three f32 each. Without ids, 0 means that there are none.
        surface_normal_buffer_offset: u32,
        /// By texture: normal, occlusion, emission, albedo, metalness, roughness, diffuse, specular; -1 for none.
        uv_buffer_ids: [u32; 8] where form.has_buffer_ids(),
        /// Two f32 each. Without ids, 0 means that there are none.
        uv_buffer_offsets: [u32; 8],
        /// -1 for none.
        color_multiplier_id: u32 where form.has_color_id(),
        /// Four f32 each. Without an id, 0 means that there are none.
        color_multiplier_offset: u32,
        /// -1 for none.
        skeletal_joint_index_buffer_ids: [u32; 8] where form.has_buffer_ids(),
        /// Four u16 each: places in the skeleton's list of joints. Without ids, 0 means that there are none.
        skeletal_joint_index_buffer_offsets: [u32; 8],
        /// -1 for none.
        skeletal_joint_weight_buffer_ids: [u32; 8] where form.has_buffer_ids(),
        /// Four f32 each. Without ids, 0 means that there are none.
        skeletal_joint_weight_buffer_offsets: [u32; 8],
        /// Which kind of material.
        material_type: MaterialType,
        /// Which one of that kind; -1 for none.
        material_id: u32,
        let morph_target_count: Count<u32> = morph_targets.len(),
        /// Its variations.
        morph_targets: Vec<MorphTarget>{morph_target_count, form},
        let multiple_lod_count: Count<u32> = multiple_lods.len(),
        /// The same mesh with less and less detail, from LOD 1 on.
        multiple_lods: Vec<Mesh>{multiple_lod_count, form},
    }
}

layout! {
    /// A variation of a mesh: what its weight adds to each vertex.
    pub struct MorphTarget(form: Form) {
        /// Its number.
        structure: u8,
        /// What the library of that time had in memory there.
        padding: [u8; 3] where form.revision == Revision::V2,
        /// -1 for none; a morph target is drawn with the indices of its mesh.
        index_buffer_id: u32 where form.has_buffer_ids(),
        /// Without meaning.
        index_buffer_offset: u32,
        /// -1 for none.
        position_vertex_buffer_id: u32 where form.has_buffer_ids(),
        /// Three f32 each. Without ids, 0 means that there are none.
        position_vertex_buffer_offset: u32,
        /// -1 for none.
        surface_normal_buffer_id: u32 where form.has_buffer_ids(),
        /// Three f32 each. Without ids, 0 means that there are none.
        surface_normal_buffer_offset: u32,
        /// -1 for none.
        uv_buffer_ids: [u32; 8] where form.has_morph_uv_ids(),
        /// Two f32 each. Without ids, 0 means that there are none.
        uv_buffer_offsets: [u32; 8],
        /// -1 for none.
        color_multiplier_id: u32 where form.has_morph_color_id(),
        /// Four f32 each. Without an id, 0 means that there are none.
        color_multiplier_offset: u32,
    }
}

layout! {
    /// Meshes that belong together.
    pub struct MeshGroup(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        let mesh_count: Count<u32> = meshes.len(),
        /// The meshes, by id.
        meshes: Bulk<u32>{mesh_count},
    }
}

layout! {
    /// A place in a scene, below its parent: translation, rotation, scale, then the custom matrix.
    pub struct Node(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        let children_count: Count<u32> = children.len(),
        /// The nodes below, by id.
        children: Bulk<u32>{children_count},
        /// What is shown there; -1 for nothing.
        mesh_group_id: u32,
        /// What moves it; -1 for nothing.
        skeleton_id: u32,
        /// Rows first.
        custom_transform: [F32; 16],
        /// x y z w. The library leaves 0 0 0 0, which means unturned.
        rotation: [F32; 4],
        /// x y z.
        translation: [F32; 3],
        /// Of all axes.
        scale: F32,
    }
}

layout! {
    /// A tree of nodes.
    pub struct Scene(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        let root_node_count: Count<u32> = root_nodes.len(),
        /// The topmost nodes, by id.
        root_nodes: Bulk<u32>{root_node_count},
    }
}

layout! {
    /// A place in a skeleton, below its parent.
    pub struct SkeletonJoint(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        let children_count: Count<u32> = children.len(),
        /// The joints below, by id.
        children: Bulk<u32>{children_count},
        /// From the mesh to the joint at rest; rows first.
        inverse_bind_pos: [F32; 16],
        /// x y z w.
        rotation: [F32; 4],
        /// x y z.
        translation: [F32; 3],
        /// Of all axes.
        scale: F32,
    }
}

layout! {
    /// A tree of joints.
    pub struct Skeleton(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        /// Its topmost joint; -1 where nobody says.
        parent: u32,
        let joint_count: Count<u32> = joints.len(),
        /// Its joints, by id; vertices name places in this list.
        joints: Bulk<u32>{joint_count},
    }
}

layout! {
    /// Channels that play together.
    pub struct Animation(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called; the document has no such field.
        name: DasString{form.strings} where form.has_animation_names(),
        let animation_channel_count: Count<u32> = animation_channels.len(),
        /// The channels, by id.
        animation_channels: Bulk<u32>{animation_channel_count},
    }
}

layout! {
    /// A material by Blinn and Phong.
    pub struct MaterialPhong(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        /// red green blue alpha.
        diffuse: [F32; 4],
        /// red green blue alpha.
        specular: [F32; 4],
        /// red green blue alpha.
        emission: [F32; 4],
        /// A file, relative to this one.
        diffuse_map_uri: DasString{form.strings},
        /// A file, relative to this one.
        specular_map_uri: DasString{form.strings},
        /// A file, relative to this one.
        emission_map_uri: DasString{form.strings},
    }
}

layout! {
    /// A material by its physics.
    pub struct MaterialPbr(form: Form) {
        /// Its number.
        structure: u8,
        /// What it is called.
        name: DasString{form.strings},
        /// red green blue alpha.
        albedo_factor: [F32; 4],
        /// red green blue alpha.
        emissive_factor: [F32; 4],
        /// 0 to 1.
        roughness: F32,
        /// 0 to 1.
        metallic: F32,
        /// 0 to 1.
        ambient_occlusion: F32,
        /// A file, relative to this one.
        albedo_map_uri: DasString{form.strings},
        /// A file, relative to this one.
        emission_map_uri: DasString{form.strings},
        /// A file, relative to this one; the library lost the field.
        roughness_map: DasString{form.strings} where form.has_roughness_map(),
        /// A file, relative to this one.
        metallic_map: DasString{form.strings},
        /// A file, relative to this one.
        ambient_occlusion_map_uri: DasString{form.strings},
    }
}

const _: () = {
    assert!(<Mesh as Layout<Form>>::MIN_SIZE == 130 && <MorphTarget as Layout<Form>>::MIN_SIZE == 49);
    assert!(<Header as Layout<Form>>::MIN_SIZE == 25 && <Buffer as Layout>::MIN_SIZE == 5);
};

impl MaterialPhong {
    /// Its maps with the names of their fields; empty where it has none.
    pub fn maps(&self) -> impl Iterator<Item = (&'static str, &DasString)> {
        let maps = [
            ("diffuse_map_uri", &self.diffuse_map_uri),
            ("specular_map_uri", &self.specular_map_uri),
            ("emission_map_uri", &self.emission_map_uri),
        ];
        maps.into_iter()
    }
}

impl MaterialPbr {
    /// Its maps with the names of their fields; empty where it has none.
    pub fn maps(&self) -> impl Iterator<Item = (&'static str, &DasString)> {
        let maps = [
            ("albedo_map_uri", Some(&self.albedo_map_uri)),
            ("emission_map_uri", Some(&self.emission_map_uri)),
            ("roughness_map", self.roughness_map.as_ref()),
            ("metallic_map", Some(&self.metallic_map)),
            ("ambient_occlusion_map_uri", Some(&self.ambient_occlusion_map_uri)),
        ];
        maps.into_iter().filter_map(|(field, uri)| Some((field, uri?)))
    }
}
