use crate::{Camera, Extras, Id, Instances, Light, Material, Mesh, Name, Properties, Skin, Transform, Voxels};

/// An object of the hierarchy, and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: Name,
    /// Nodes that move with it.
    pub children: Vec<Id<Node>>,
    /// Where it stands relative to its parent.
    pub transform: Transform,
    /// The mesh that stands there.
    pub mesh: Option<Id<Mesh>>,
    /// A material that replaces those of the mesh.
    pub material: Option<Id<Material>>,
    /// What moves the vertices of the mesh.
    pub skin: Option<Id<Skin>>,
    /// Weights of the mesh's morph targets, if they differ from its own.
    pub weights: Vec<f32>,
    /// Instances of the mesh, which stand in for it.
    pub instances: Option<Instances>,
    /// Cubes that stand there.
    pub voxels: Option<Id<Voxels>>,
    /// The light that stands there.
    pub light: Option<Id<Light>>,
    /// The camera that stands there.
    pub camera: Option<Id<Camera>>,
    /// Whether things can be attached there.
    pub socket: Option<Socket>,
    /// Whether it is shown.
    pub visible: bool,
    /// Why it exists.
    pub role: NodeRole,
    /// Properties a user gave it.
    pub properties: Properties,
    /// What travels along.
    pub extras: Extras,
}

impl Node {
    /// Bytes that are charged for a node that no bytes of a file stand for: it is copied on the way to a target, and
    /// has a name.
    pub const ROOM: u64 = 2048;

    /// What both are called where a node and its mesh are one.
    pub fn called<'a>(&'a self, mesh: &'a Mesh) -> &'a Name {
        if self.name.is_empty() { &mesh.name } else { &self.name }
    }
}

impl Default for Node {
    fn default() -> Node {
        Node {
            name: Name::default(),
            children: Vec::new(),
            transform: Transform::default(),
            mesh: None,
            material: None,
            skin: None,
            weights: Vec::new(),
            instances: None,
            voxels: None,
            light: None,
            camera: None,
            socket: None,
            visible: true,
            role: NodeRole::Own,
            properties: Vec::new(),
            extras: Extras::default(),
        }
    }
}

/// Why a node exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeRole {
    /// The source has it.
    #[default]
    Own,
    /// It turns the source's up axis to the scene's.
    Axis,
    /// It shows something that the source does not place.
    Unplaced,
}

/// A place where things can be attached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Socket {
    /// Whether it is the main one.
    pub primary: bool,
}
