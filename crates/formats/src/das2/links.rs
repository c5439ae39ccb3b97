//! Which structure names which.

use super::attributes::Attribute;
use super::channel::{AnimationTarget, Interpolation};
use super::document::Parts;
use super::form::Kind;
use super::layout::{MaterialType, Mesh, NONE};
use super::structure::Structure;

/// A field that names a structure.
pub(super) struct Reference<'a> {
    /// The structure it is in.
    pub(super) from: (Kind, usize),
    /// What lies between that structure and the field: LODs and morph targets, with a dot behind each.
    pub(super) inside: &'a str,
    /// The field, and the place in it.
    pub(super) field: (&'static str, Option<usize>),
    /// What it names.
    pub(super) to: Kind,
    pub(super) id: u32,
}

impl Reference<'_> {
    /// The path of the field below the list that its structure is in.
    pub(super) fn path(&self) -> String {
        let (field, nth) = self.field;
        let nth = nth.map_or(String::new(), |nth| format!("[{nth}]"));
        format!("[{}].{}{field}{nth}", self.from.1, self.inside)
    }
}

impl Parts<'_> {
    /// How many structures of a kind there are.
    pub(super) fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::BUFFER => self.buffers.len(),
            Kind::MESH => self.meshes.len(),
            Kind::MESH_GROUP => self.mesh_groups.len(),
            Kind::NODE => self.nodes.len(),
            Kind::SCENE => self.scenes.len(),
            Kind::SKELETON_JOINT => self.joints.len(),
            Kind::SKELETON => self.skeletons.len(),
            Kind::ANIMATION => self.animations.len(),
            Kind::ANIMATION_CHANNEL => self.channels.len(),
            Kind::MATERIAL_PHONG => self.phong_materials.len(),
            Kind::MATERIAL_PBR => self.pbr_materials.len(),
            _ => 0,
        }
    }

    /// Calls `see` with every reference that does not name a structure; -1 counts only where something must be named.
    pub(super) fn broken(&self, see: &mut dyn FnMut(Reference<'_>)) {
        let mut one = |from, inside: &str, field, to: Kind, id: u32, optional: bool| {
            if id as usize >= self.count(to) && !(optional && id == NONE) {
                see(Reference { from, inside, field, to, id });
            }
        };
        let mut list = |from, field: &'static str, ids: &wire::Bulk<u32>, to| {
            for (i, id) in ids.iter().enumerate() {
                one(from, "", (field, Some(i)), to, id, false);
            }
        };
        for (i, group) in self.mesh_groups.iter().enumerate() {
            list((Kind::MESH_GROUP, i), "meshes", &group.meshes, Kind::MESH);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            list((Kind::NODE, i), "children", &node.children, Kind::NODE);
        }
        for (i, scene) in self.scenes.iter().enumerate() {
            list((Kind::SCENE, i), "root_nodes", &scene.root_nodes, Kind::NODE);
        }
        for (i, joint) in self.joints.iter().enumerate() {
            list((Kind::SKELETON_JOINT, i), "children", &joint.children, Kind::SKELETON_JOINT);
        }
        for (i, skeleton) in self.skeletons.iter().enumerate() {
            list((Kind::SKELETON, i), "joints", &skeleton.joints, Kind::SKELETON_JOINT);
        }
        for (i, animation) in self.animations.iter().enumerate() {
            let channels = &animation.animation_channels;
            list((Kind::ANIMATION, i), "animation_channels", channels, Kind::ANIMATION_CHANNEL);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            let from = (Kind::NODE, i);
            one(from, "", ("mesh_group_id", None), Kind::MESH_GROUP, node.mesh_group_id, true);
            one(from, "", ("skeleton_id", None), Kind::SKELETON, node.skeleton_id, true);
        }
        for (i, skeleton) in self.skeletons.iter().enumerate() {
            one((Kind::SKELETON, i), "", ("parent", None), Kind::SKELETON_JOINT, skeleton.parent, true);
        }
        for (i, channel) in self.channels.iter().enumerate() {
            let from = (Kind::ANIMATION_CHANNEL, i);
            one(from, "", ("node_property_id", None), Kind::NODE, channel.node_property_id, true);
            one(from, "", ("joint_property_id", None), Kind::SKELETON_JOINT, channel.joint_property_id, true);
        }
        for (i, mesh) in self.meshes.iter().enumerate() {
            each_lod(mesh, &mut |mesh, inside| {
                let from = (Kind::MESH, i);
                if let Some(to) = material_kind(mesh.material_type) {
                    one(from, inside, ("material_id", None), to, mesh.material_id, true);
                }
                for attribute in Attribute::all() {
                    if let (Some(id), _) = mesh.stored(attribute) {
                        one(from, inside, attribute.id_field(), Kind::BUFFER, id, true);
                    }
                }
                for (k, target) in mesh.morph_targets.iter().enumerate() {
                    let inside = format!("{inside}morph_targets[{k}].");
                    for attribute in Attribute::all() {
                        if let (Some(id), _) = target.stored(attribute) {
                            one(from, &inside, attribute.id_field(), Kind::BUFFER, id, true);
                        }
                    }
                }
            });
        }
    }

    /// Whether all references and numbers with names are what they can be.
    pub(super) fn is_sound(&self) -> bool {
        let mut sound = true;
        self.broken(&mut |_| sound = false);
        let known = |channel: &&super::AnimationChannel| {
            channel.animation_target <= AnimationTarget::SCALE
                && channel.interpolation_type <= Interpolation::CUBIC_SPLINE
        };
        sound = sound && self.channels.iter().all(known);
        for mesh in &self.meshes {
            each_lod(mesh, &mut |mesh, _| sound = sound && mesh.material_type <= MaterialType::PBR);
        }
        sound
    }
}

impl Parts<'_> {
    /// Whether the first structures of a body of so many bytes can be what they seem: attributes lie in the buffers,
    /// materials are of a kind, and ids are not beyond what the body has room for.
    pub(super) fn seem_sound(&self, size: usize) -> bool {
        let fits = |(id, offset): (Option<u32>, u32)| match self.buffers.get(id.unwrap_or(0) as usize) {
            Some(buffer) => offset as usize <= buffer.data.len(),
            None => id == Some(NONE),
        };
        let mut sound = true;
        self.broken(&mut |reference| sound = sound && (reference.id as usize) < size);
        for mesh in &self.meshes {
            each_lod(mesh, &mut |mesh, _| {
                let in_place = || Attribute::all().all(|attribute| fits(mesh.stored(attribute)));
                sound = sound && mesh.material_type <= MaterialType::PBR && in_place();
            });
        }
        sound
    }
}

/// What a structure names, buffers aside.
pub(super) fn links(structure: &Structure) -> Vec<(Kind, u32)> {
    let mut links = Vec::new();
    relink(&mut structure.clone(), &mut |kind, id| {
        links.push((kind, id));
        Some(id)
    });
    links
}

/// What has a number gets another one, or none.
type Renumber<'a> = &'a mut dyn FnMut(Kind, u32) -> Option<u32>;

/// Gives what a structure names, buffers aside, other numbers; what has none any more is named no longer.
pub(super) fn relink(structure: &mut Structure, number: Renumber<'_>) {
    let mut all = |kind, ids: &mut wire::Bulk<u32>| {
        *ids = ids.iter().filter_map(|id| number(kind, id)).collect::<Vec<u32>>().into();
    };
    match structure {
        Structure::MeshGroup(group) => all(Kind::MESH, &mut group.meshes),
        Structure::Scene(scene) => all(Kind::NODE, &mut scene.root_nodes),
        Structure::SkeletonJoint(joint) => all(Kind::SKELETON_JOINT, &mut joint.children),
        Structure::Animation(animation) => all(Kind::ANIMATION_CHANNEL, &mut animation.animation_channels),
        Structure::Skeleton(skeleton) => {
            all(Kind::SKELETON_JOINT, &mut skeleton.joints);
            one(number, Kind::SKELETON_JOINT, &mut skeleton.parent);
        }
        Structure::Node(node) => {
            all(Kind::NODE, &mut node.children);
            one(number, Kind::MESH_GROUP, &mut node.mesh_group_id);
            one(number, Kind::SKELETON, &mut node.skeleton_id);
        }
        Structure::AnimationChannel(channel) => {
            one(number, Kind::NODE, &mut channel.node_property_id);
            one(number, Kind::SKELETON_JOINT, &mut channel.joint_property_id);
        }
        Structure::Mesh(mesh) => relink_materials(mesh, number),
        Structure::Buffer(_) | Structure::MaterialPhong(_) | Structure::MaterialPbr(_) => {}
    }
}

fn one(number: Renumber<'_>, kind: Kind, id: &mut u32) {
    *id = number(kind, *id).unwrap_or(NONE);
}

fn relink_materials(mesh: &mut Mesh, number: Renumber<'_>) {
    if let Some(kind) = material_kind(mesh.material_type) {
        one(number, kind, &mut mesh.material_id);
    }
    mesh.multiple_lods.iter_mut().for_each(|lod| relink_materials(lod, number));
}

/// The list that a material id counts in.
pub(super) fn material_kind(ty: MaterialType) -> Option<Kind> {
    match ty {
        MaterialType::PHONG => Some(Kind::MATERIAL_PHONG),
        MaterialType::PBR => Some(Kind::MATERIAL_PBR),
        _ => None,
    }
}

/// Calls `see` with a mesh and every LOD in it, and with what lies between them.
pub(super) fn each_lod(mesh: &Mesh, see: &mut dyn FnMut(&Mesh, &str)) {
    fn visit(mesh: &Mesh, inside: &str, see: &mut dyn FnMut(&Mesh, &str)) {
        see(mesh, inside);
        for (i, lod) in mesh.multiple_lods.iter().enumerate() {
            visit(lod, &format!("{inside}multiple_lods[{i}]."), see);
        }
    }
    visit(mesh, "", see);
}
