//! A structure of the body, whichever it is.

use wire::{Fault, Layout, Reader, Writer};

use super::channel::AnimationChannel;
use super::form::{Form, Kind};
use super::layout::*;

/// A structure of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Structure {
    Buffer(Buffer),
    Mesh(Box<Mesh>),
    MeshGroup(MeshGroup),
    Node(Box<Node>),
    Scene(Scene),
    SkeletonJoint(Box<SkeletonJoint>),
    Skeleton(Skeleton),
    Animation(Animation),
    AnimationChannel(Box<AnimationChannel>),
    MaterialPhong(Box<MaterialPhong>),
    MaterialPbr(Box<MaterialPbr>),
}

impl Default for Structure {
    fn default() -> Structure {
        Structure::Buffer(Buffer::default())
    }
}

/// Does the same with whatever structure it is.
macro_rules! each {
    ($structure:expr, $inner:ident => $do:expr) => {
        match $structure {
            Structure::Buffer($inner) => $do,
            Structure::Mesh($inner) => $do,
            Structure::MeshGroup($inner) => $do,
            Structure::Node($inner) => $do,
            Structure::Scene($inner) => $do,
            Structure::SkeletonJoint($inner) => $do,
            Structure::Skeleton($inner) => $do,
            Structure::Animation($inner) => $do,
            Structure::AnimationChannel($inner) => $do,
            Structure::MaterialPhong($inner) => $do,
            Structure::MaterialPbr($inner) => $do,
        }
    };
}

impl Structure {
    /// What it is.
    pub fn kind(&self) -> Kind {
        match self {
            Structure::Buffer(_) => Kind::BUFFER,
            Structure::Mesh(_) => Kind::MESH,
            Structure::MeshGroup(_) => Kind::MESH_GROUP,
            Structure::Node(_) => Kind::NODE,
            Structure::Scene(_) => Kind::SCENE,
            Structure::SkeletonJoint(_) => Kind::SKELETON_JOINT,
            Structure::Skeleton(_) => Kind::SKELETON,
            Structure::Animation(_) => Kind::ANIMATION,
            Structure::AnimationChannel(_) => Kind::ANIMATION_CHANNEL,
            Structure::MaterialPhong(_) => Kind::MATERIAL_PHONG,
            Structure::MaterialPbr(_) => Kind::MATERIAL_PBR,
        }
    }

    /// The number that stands before it.
    pub fn id(&self) -> u8 {
        each!(self, inner => inner.structure)
    }

    /// Changes the number that stands before it.
    pub fn set_id(&mut self, id: u8) {
        each!(self, inner => inner.structure = id);
    }
}

/// Written by hand: which structure it is was found out before, from its number and what came before it.
impl Layout<(Form, Kind)> for Structure {
    const MIN_SIZE: usize = 5;
    fn read(r: &mut Reader<'_>, (form, kind): (Form, Kind)) -> Result<Structure, Fault> {
        Ok(match kind {
            Kind::MESH => Structure::Mesh(Box::new(Layout::read(r, form)?)),
            Kind::MESH_GROUP => Structure::MeshGroup(Layout::read(r, form)?),
            Kind::NODE => Structure::Node(Box::new(Layout::read(r, form)?)),
            Kind::SCENE => Structure::Scene(Layout::read(r, form)?),
            Kind::SKELETON_JOINT => Structure::SkeletonJoint(Box::new(Layout::read(r, form)?)),
            Kind::SKELETON => Structure::Skeleton(Layout::read(r, form)?),
            Kind::ANIMATION => Structure::Animation(Layout::read(r, form)?),
            Kind::ANIMATION_CHANNEL => Structure::AnimationChannel(Box::new(Layout::read(r, form)?)),
            Kind::MATERIAL_PHONG => Structure::MaterialPhong(Box::new(Layout::read(r, form)?)),
            Kind::MATERIAL_PBR => Structure::MaterialPbr(Box::new(Layout::read(r, form)?)),
            _ => Structure::Buffer(Layout::read(r, ())?),
        })
    }
    fn write(&self, w: &mut Writer<'_>, (form, _): (Form, Kind)) -> Result<(), Fault> {
        match self {
            Structure::Buffer(buffer) => buffer.write(w, ()),
            Structure::Mesh(mesh) => mesh.write(w, form),
            Structure::MeshGroup(group) => group.write(w, form),
            Structure::Node(node) => node.write(w, form),
            Structure::Scene(scene) => scene.write(w, form),
            Structure::SkeletonJoint(joint) => joint.write(w, form),
            Structure::Skeleton(skeleton) => skeleton.write(w, form),
            Structure::Animation(animation) => animation.write(w, form),
            Structure::AnimationChannel(channel) => channel.write(w, form),
            Structure::MaterialPhong(material) => material.write(w, form),
            Structure::MaterialPbr(material) => material.write(w, form),
        }
    }
}
