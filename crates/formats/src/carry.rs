//! What travels in a file beside what its format shows: the meaning that a scene has no field for, always, and the file
//! that the scene was made of, where that is asked for.

use scene::{Extras, Value};
use wire::Blob;

use crate::{AnyDocument, Info, SideFile};

/// A key of a format in the extras of objects of a scene: meaning that the scene has no field for and a person would miss.
/// In glTF it is a member of `extras.pentad.<format>`.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name, with that of the format before it: `dgl3.id`.
    pub name: &'static str,
    /// Which objects have it.
    pub of: &'static [Owner],
    /// What it says, as `docs/carry.md` has it.
    pub about: &'static str,
}

impl Key {
    /// What an object says under it.
    pub fn get<'a>(&self, extras: &'a Extras) -> Option<&'a Value> {
        extras.get(self.name)
    }
    /// Lets an object say something under it.
    pub fn set(&self, extras: &mut Extras, value: impl Into<Value>) {
        extras.set(self.name, value);
    }
}

/// A kind of objects that have extras.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The file as a whole.
    Asset,
    /// A scene: a set of nodes that are shown together.
    Scene,
    /// A node.
    Node,
    /// A mesh.
    Mesh,
    /// A part of a mesh.
    Primitive,
    /// A material.
    Material,
    /// A texture.
    Texture,
    /// An image.
    Image,
    /// A light.
    Light,
    /// A camera.
    Camera,
    /// A skin.
    Skin,
    /// An animation.
    Animation,
    /// Voxels.
    Voxels,
}

/// A source that is to travel.
#[derive(Clone)]
pub struct Original {
    /// Its format.
    pub format: &'static str,
    /// Its dialect.
    pub dialect: &'static str,
    /// The file.
    pub bytes: Blob,
    /// Files that it is not whole without.
    pub beside: Vec<SideFile>,
    /// What else shaped the file that it travels in.
    pub shaped: Shaped,
    /// Whether it travels as it is, and not as what the file around it does not say already.
    pub whole: bool,
}

/// Options as on the command line, and what they were.
pub type Shaped = Vec<(String, String)>;

/// A source that has travelled.
pub struct Carried {
    /// The file.
    pub bytes: Blob,
    /// What it says.
    pub document: Box<dyn AnyDocument>,
    /// Files that it is not whole without.
    pub beside: Vec<SideFile>,
    /// What else shaped the file that it travelled in.
    pub shaped: Shaped,
    /// Whether it travelled as it is.
    pub whole: bool,
}

impl Clone for Carried {
    fn clone(&self) -> Carried {
        let Carried { bytes, document, beside, shaped, whole } = self;
        let (bytes, beside, shaped) = (bytes.clone(), beside.clone(), shaped.clone());
        Carried { bytes, document: document.duplicate(), beside, shaped, whole: *whole }
    }
}

impl Carried {
    /// The format of the source.
    pub fn format(&self) -> &'static Info {
        self.document.format().info()
    }

    /// Whether axes, units or texture coordinates were corrected on the way.
    pub fn is_corrected(&self) -> bool {
        self.shaped.iter().any(|(key, _)| key != "textures")
    }

    /// The same, to travel on.
    pub fn original(&self) -> Original {
        Original {
            format: self.format().id,
            dialect: self.document.dialect(),
            bytes: self.bytes.clone(),
            beside: self.beside.clone(),
            shaped: self.shaped.clone(),
            whole: self.whole,
        }
    }
}
