use scene::SourceSpace;

/// What `info` says about a document as it is stored.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// How many of everything.
    pub counts: Counts,
    /// Names, as bytes that should be UTF-8; one per object, empty for those without.
    pub names: Names,
    /// Axes, unit and UV origin of the file.
    pub space: SourceSpace,
    /// Further facts of this format, by key.
    pub further: Vec<(&'static str, Fact)>,
    /// How large meshes are, in their order, where a scene holds them in another form.
    pub meshes: Vec<MeshSize>,
}

/// How large a mesh is as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshSize {
    /// Its vertices.
    pub vertices: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// A fact that only some formats have.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Text: bytes that should be UTF-8.
    Text(Vec<u8>),
    /// A whole number.
    Count(u64),
    /// A number stored as 32-bit float.
    Float(f32),
    /// Several words.
    Words(Vec<String>),
}

impl Fact {
    /// What bytes without a meaning say, if they are text; the first of many.
    pub fn content(bytes: &[u8]) -> Fact {
        const MOST: usize = 256;
        Fact::Text(bytes[..bytes.len().min(MOST)].to_vec())
    }
}

/// How many of everything a document stores. `None` where finding out needs a pass over the data and none was wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct Counts {
    pub scenes: Option<u64>,
    pub nodes: Option<u64>,
    pub meshes: Option<u64>,
    pub primitives: Option<u64>,
    pub vertices: Option<u64>,
    pub triangles: Option<u64>,
    pub materials: Option<u64>,
    pub textures: Option<u64>,
    pub images: Option<u64>,
    pub lights: Option<u64>,
    pub skins: Option<u64>,
    pub joints: Option<u64>,
    pub morph_targets: Option<u64>,
    pub animations: Option<u64>,
    pub instances: Option<u64>,
    pub voxels: Option<u64>,
    pub lods: Option<u64>,
}

impl Counts {
    /// Nothing of anything.
    pub const ZERO: Counts = Counts {
        scenes: Some(0),
        nodes: Some(0),
        meshes: Some(0),
        primitives: Some(0),
        vertices: Some(0),
        triangles: Some(0),
        materials: Some(0),
        textures: Some(0),
        images: Some(0),
        lights: Some(0),
        skins: Some(0),
        joints: Some(0),
        morph_targets: Some(0),
        animations: Some(0),
        instances: Some(0),
        voxels: Some(0),
        lods: Some(0),
    };

    /// All counts with their names, in the order reports print them.
    pub fn rows(&self) -> [(&'static str, Option<u64>); 17] {
        [
            ("scenes", self.scenes),
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("primitives", self.primitives),
            ("vertices", self.vertices),
            ("triangles", self.triangles),
            ("materials", self.materials),
            ("textures", self.textures),
            ("images", self.images),
            ("lights", self.lights),
            ("skins", self.skins),
            ("joints", self.joints),
            ("morph_targets", self.morph_targets),
            ("animations", self.animations),
            ("instances", self.instances),
            ("voxels", self.voxels),
            ("lods", self.lods),
        ]
    }
}

/// Names of a document's objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Names {
    pub meshes: Vec<Vec<u8>>,
    pub nodes: Vec<Vec<u8>>,
    pub materials: Vec<Vec<u8>>,
    pub animations: Vec<Vec<u8>>,
}
