use findings::{Subject, SubjectKind};

use crate::{
    Animation, Arena, Camera, Extras, Id, Image, Light, Material, Mesh, Metadata, Name, Node, Projection, Skin,
    SourceSpace, Texture, Voxels,
};

/// Everything a file means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What can be shown by itself.
    pub scenes: Vec<SceneRoot>,
    /// Which of them is shown first.
    pub default_scene: Option<usize>,
    /// Nodes.
    pub nodes: Arena<Node>,
    /// Meshes.
    pub meshes: Arena<Mesh>,
    /// Materials.
    pub materials: Arena<Material>,
    /// Sampled images.
    pub textures: Arena<Texture>,
    /// Images.
    pub images: Arena<Image>,
    /// Skins.
    pub skins: Arena<Skin>,
    /// Animations.
    pub animations: Arena<Animation>,
    /// Lights.
    pub lights: Arena<Light>,
    /// Cameras.
    pub cameras: Arena<Camera>,
    /// Voxels.
    pub voxels: Arena<Voxels>,
    /// The space of the source.
    pub space: SourceSpace,
    /// What is known about the file.
    pub metadata: Metadata,
    /// Where it came from.
    pub origin: Option<Origin>,
    /// How parts without a material look, where the source says that: full metal in glTF. Elsewhere that is up to who
    /// shows them.
    pub default_material: Option<Material>,
    /// What its reader called objects that have no name; nobody misses it.
    pub made_up_name: Option<Name>,
    /// What travels along.
    pub extras: Extras,
}

/// A set of nodes that is shown together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneRoot {
    /// Its name.
    pub name: Name,
    /// Nodes without a parent.
    pub nodes: Vec<Id<Node>>,
    /// What travels along.
    pub extras: Extras,
}

/// The format a scene was lifted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Format id.
    pub format: String,
    /// Dialect id.
    pub dialect: String,
}

impl Scene {
    /// A scene with one empty root.
    pub fn new() -> Scene {
        Scene { scenes: vec![SceneRoot::default()], default_scene: Some(0), ..Scene::default() }
    }

    /// Multiplies the lengths that no node above them scales: how far cameras see and lights reach, and what a parallel
    /// camera takes in. glTF measures these in metres of the world. The strength of a light stays: candela and lux do
    /// not depend on what a length is called.
    pub fn scale_lengths(&mut self, factor: f64) {
        let scaled = |length: f32| (f64::from(length) * factor) as f32;
        for camera in self.cameras.iter_mut() {
            camera.near = scaled(camera.near);
            camera.far = camera.far.map(scaled);
            if let Projection::Orthographic { x, y } = &mut camera.projection {
                (*x, *y) = (scaled(*x), scaled(*y));
            }
        }
        for light in self.lights.iter_mut() {
            light.range = light.range.map(scaled);
        }
    }

    /// Adds a node to the first root.
    pub fn add_root(&mut self, node: Node) -> Id<Node> {
        let id = self.nodes.add(node);
        match self.scenes.first_mut() {
            Some(root) => root.nodes.push(id),
            None => self.scenes.push(SceneRoot { nodes: vec![id], ..SceneRoot::default() }),
        }
        id
    }

    /// Every node below the roots of one scene with its place in the world, parents first. Nodes that are their own
    /// ancestors are visited once.
    pub fn placed(&self, scene: usize) -> Vec<(Id<Node>, glam::DMat4)> {
        let mut out = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        let roots = self.scenes.get(scene).map_or(&[][..], |root| &root.nodes);
        let mut open: Vec<_> = roots.iter().rev().map(|&id| (id, glam::DMat4::IDENTITY)).collect();
        while let Some((id, parent)) = open.pop() {
            let Some(node) = self.nodes.get(id) else { continue };
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let world = parent * node.transform.matrix();
            out.push((id, world));
            open.extend(node.children.iter().rev().map(|&child| (child, world)));
        }
        out
    }

    /// The nodes at the top of the first scene that have a mesh: all that a target without hierarchy shows.
    pub fn bodies(&self) -> impl Iterator<Item = (Id<Node>, &Node, &Mesh)> {
        let roots = self.scenes.first().map_or(&[][..], |root| &root.nodes);
        roots.iter().filter_map(|&id| {
            let node = self.nodes.get(id)?;
            Some((id, node, self.meshes.get(node.mesh?)?))
        })
    }

    /// Everything that travels along, with all objects and with the file.
    pub fn extras_mut(&mut self) -> impl Iterator<Item = &mut Extras> {
        let meshes = self.meshes.iter_mut().flat_map(|mesh| {
            let parts = mesh.primitives.iter_mut().map(|primitive| &mut primitive.extras);
            parts.chain([&mut mesh.extras])
        });
        meshes
            .chain([&mut self.extras])
            .chain(self.scenes.iter_mut().map(|root| &mut root.extras))
            .chain(self.nodes.iter_mut().map(|node| &mut node.extras))
            .chain(self.materials.iter_mut().map(|material| &mut material.extras))
            .chain(self.textures.iter_mut().map(|texture| &mut texture.extras))
            .chain(self.images.iter_mut().map(|image| &mut image.extras))
            .chain(self.skins.iter_mut().map(|skin| &mut skin.extras))
            .chain(self.animations.iter_mut().map(|animation| &mut animation.extras))
            .chain(self.lights.iter_mut().map(|light| &mut light.extras))
            .chain(self.cameras.iter_mut().map(|camera| &mut camera.extras))
    }
}

/// Lets objects say which one they are.
macro_rules! subjects {
    ($($Object:ident $Kind:ident,)*) => {
        $(impl $Object {
            /// Which object it is, for reports.
            pub fn subject(&self, id: impl Into<Id<$Object>>) -> Subject {
                Subject::new(SubjectKind::$Kind, id.into().index(), &self.name)
            }
        })*
    };
}

subjects! {
    SceneRoot Scene,
    Node Node,
    Mesh Mesh,
    Material Material,
    Texture Texture,
    Image Image,
    Skin Skin,
    Animation Animation,
    Light Light,
    Camera Camera,
    Voxels Voxels,
}
