//! Structures with the values that the document gives to fields nobody set.

use wire::F32;

use super::form::{Form, Kind, Revision};
use super::layout::*;

impl Header {
    /// A header with nothing in it.
    pub fn new(form: Form) -> Header {
        let again = (form.revision == Revision::V2).then_some(0);
        Header { magic: MAGIC, default_scene_index_again: again, ..Header::default() }
    }
}

impl Mesh {
    /// A mesh that draws nothing.
    pub fn new(form: Form) -> Mesh {
        let (id, ids) = (form.has_buffer_ids().then_some(NONE), form.has_buffer_ids().then_some([NONE; 8]));
        Mesh {
            structure: form.id_of(Kind::MESH),
            index_buffer_id: id,
            position_vertex_buffer_id: id,
            surface_normal_buffer_id: id,
            uv_buffer_ids: ids,
            color_multiplier_id: form.has_color_id().then_some(NONE),
            skeletal_joint_index_buffer_ids: ids,
            skeletal_joint_weight_buffer_ids: ids,
            material_id: NONE,
            ..Mesh::default()
        }
    }
}

impl MorphTarget {
    /// A morph target that moves nothing.
    pub fn new(form: Form) -> MorphTarget {
        let id = form.has_buffer_ids().then_some(NONE);
        MorphTarget {
            structure: form.id_of(Kind::MORPH_TARGET),
            padding: (form.revision == Revision::V2).then_some([0; 3]),
            index_buffer_id: id,
            position_vertex_buffer_id: id,
            surface_normal_buffer_id: id,
            uv_buffer_ids: form.has_morph_uv_ids().then_some([NONE; 8]),
            color_multiplier_id: form.has_morph_color_id().then_some(NONE),
            ..MorphTarget::default()
        }
    }
}

impl Node {
    /// A node where its parent is.
    pub fn new() -> Node {
        Node {
            structure: Kind::NODE.0,
            mesh_group_id: NONE,
            skeleton_id: NONE,
            custom_transform: IDENTITY,
            rotation: UNTURNED,
            scale: F32(1.),
            ..Node::default()
        }
    }
}

impl SkeletonJoint {
    /// A joint where its parent is.
    pub fn new() -> SkeletonJoint {
        SkeletonJoint {
            structure: Kind::SKELETON_JOINT.0,
            inverse_bind_pos: IDENTITY,
            rotation: UNTURNED,
            scale: F32(1.),
            ..SkeletonJoint::default()
        }
    }
}

impl Skeleton {
    /// A skeleton without joints.
    pub fn new() -> Skeleton {
        Skeleton { structure: Kind::SKELETON.0, parent: NONE, ..Skeleton::default() }
    }
}

impl Animation {
    /// An animation without channels.
    pub fn new(form: Form) -> Animation {
        let name = form.has_animation_names().then(Default::default);
        Animation { structure: Kind::ANIMATION.0, name, ..Animation::default() }
    }
}

impl Buffer {
    /// A buffer with these bytes.
    pub fn new(data: wire::Blob) -> Buffer {
        Buffer { structure: Kind::BUFFER.0, data }
    }
}

impl MeshGroup {
    /// A group without meshes.
    pub fn new() -> MeshGroup {
        MeshGroup { structure: Kind::MESH_GROUP.0, ..MeshGroup::default() }
    }
}

impl Scene {
    /// A scene without nodes.
    pub fn new() -> Scene {
        Scene { structure: Kind::SCENE.0, ..Scene::default() }
    }
}

impl MaterialPhong {
    /// A black material.
    pub fn new() -> MaterialPhong {
        let structure = Kind::MATERIAL_PHONG.0;
        MaterialPhong { structure, diffuse: BLACK, specular: BLACK, emission: BLACK, ..MaterialPhong::default() }
    }
}

impl MaterialPbr {
    /// A white material.
    pub fn new(form: Form) -> MaterialPbr {
        MaterialPbr {
            structure: Kind::MATERIAL_PBR.0,
            albedo_factor: [F32(1.); 4],
            emissive_factor: BLACK,
            ambient_occlusion: F32(1.),
            roughness_map: form.has_roughness_map().then(Default::default),
            ..MaterialPbr::default()
        }
    }
}
