use crate::{Role, Topology};

/// What a target can hold. One declaration per format; `fit`, `formats` and the support matrix read it.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// Topologies it draws; others are turned into triangles.
    pub topologies: &'static [Topology],
    /// Whether vertices are shared through indices.
    pub indices: Indexing,
    /// Whether coordinates are doubles.
    pub doubles: bool,
    /// Normals.
    pub normals: Count,
    /// Sets of texture coordinates.
    pub uv_sets: Count,
    /// Sets of vertex colours.
    pub color_sets: Count,
    /// Tangents.
    pub tangents: Hold,
    /// Sets of four joints per vertex.
    pub joint_sets: Count,
    /// Attributes with names of their own.
    pub custom_attributes: Hold,
    /// Morph targets.
    pub morph_targets: Hold,
    /// Nodes below nodes.
    pub hierarchy: Hold,
    /// Any axis that is up: the node that turns it stays, and what stands below it is placed relative to it.
    pub up_axes: Hold,
    /// Transforms of nodes; without them they are multiplied into the vertices.
    pub transforms: Hold,
    /// Several scenes in one file.
    pub scenes: Hold,
    /// Materials.
    pub materials: Hold,
    /// Textures.
    pub textures: Hold,
    /// Images and textures that no material shows.
    pub loose_images: Hold,
    /// Textures, by their role, that say which set of texture coordinates lays them out; else the role itself says it.
    pub texture_sets: &'static [Role],
    /// Skins.
    pub skins: Hold,
    /// Animations.
    pub animations: Hold,
    /// Lights.
    pub lights: Hold,
    /// Cameras.
    pub cameras: Hold,
    /// Instances of a mesh that are one object.
    pub instances: Hold,
    /// Voxels.
    pub voxels: Hold,
    /// Coarser versions of a mesh.
    pub lods: Hold,
    /// Sockets.
    pub sockets: Hold,
    /// Hidden nodes.
    pub visibility: Hold,
    /// Whose names it keeps.
    pub names: &'static [Named],
    /// Which objects can have properties that users gave them.
    pub properties: &'static [Owner],
    /// Keys of the metadata.
    pub metadata: &'static [&'static str],
    /// Whether anything else can travel along for the way back.
    pub carries: bool,
    /// Most bytes of a name, or of a text of the metadata.
    pub longest_text: usize,
    /// What it demands of numbers.
    pub numbers: Numbers,
}

/// What a target demands of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Nothing: what is not finite is stored as it is, and a check of the file tells.
    Any,
    /// Finite ones; but what a file of the format itself says is stored as it is, and a check of the file tells.
    Checked,
    /// Finite ones: what reads such files knows no others.
    Finite,
    /// What its standard says: finite ones, unit normals, colours within 0…1, weights that sum to 1, parts that draw
    /// something. Unless it carries what was there, what a file of the format itself says is stored as it is.
    Valid,
}

/// Whether a target holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It does not.
    No,
    /// It does.
    Yes,
    /// It does not show it, but brings it back.
    Carried,
}

impl Hold {
    /// Whether it is lost.
    pub fn is_lost(self) -> bool {
        self == Hold::No
    }
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Hold::No => "no",
            Hold::Yes => "yes",
            Hold::Carried => "carried",
        }
    }
}

/// Objects with names. Scenes are not among them: the name of the only one is the title of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nodes and meshes.
    Objects,
    /// Meshes, beside the names of their nodes.
    Meshes,
    /// Materials.
    Materials,
    /// Textures.
    Textures,
    /// Images, beside the names of their files.
    Images,
    /// Skins.
    Skins,
    /// Morph targets.
    Morphs,
    /// Animations.
    Animations,
    /// Lights, beside the names of their nodes.
    Lights,
    /// Cameras, beside the names of their nodes.
    Cameras,
}

impl Named {
    /// All of them.
    pub const ALL: &'static [Named] = &[
        Named::Objects,
        Named::Meshes,
        Named::Materials,
        Named::Textures,
        Named::Images,
        Named::Skins,
        Named::Morphs,
        Named::Animations,
        Named::Lights,
        Named::Cameras,
    ];

    /// The word `formats` uses.
    pub fn name(self) -> &'static str {
        match self {
            Named::Objects => "objects",
            Named::Meshes => "meshes",
            Named::Materials => "materials",
            Named::Textures => "textures",
            Named::Images => "images",
            Named::Skins => "skins",
            Named::Morphs => "morphs",
            Named::Animations => "animations",
            Named::Lights => "lights",
            Named::Cameras => "cameras",
        }
    }
}

/// Objects with properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The file, or its only scene.
    File,
    /// Nodes.
    Nodes,
    /// Meshes.
    Meshes,
    /// Materials.
    Materials,
    /// Textures.
    Textures,
    /// Images.
    Images,
    /// Skins.
    Skins,
    /// Animations.
    Animations,
}

impl Owner {
    /// All of them.
    pub const ALL: &'static [Owner] = &[
        Owner::File,
        Owner::Nodes,
        Owner::Meshes,
        Owner::Materials,
        Owner::Textures,
        Owner::Images,
        Owner::Skins,
        Owner::Animations,
    ];

    /// The word `formats` uses.
    pub fn name(self) -> &'static str {
        match self {
            Owner::File => "file",
            Owner::Nodes => "nodes",
            Owner::Meshes => "meshes",
            Owner::Materials => "materials",
            Owner::Textures => "textures",
            Owner::Images => "images",
            Owner::Skins => "skins",
            Owner::Animations => "animations",
        }
    }
}

/// How many of something a target needs and holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Fewest it needs; missing ones are made up.
    pub min: u8,
    /// Most it holds.
    pub max: u8,
}

impl Count {
    /// None.
    pub const NONE: Count = Count { min: 0, max: 0 };
    /// At most so many.
    pub const fn up_to(max: u8) -> Count {
        Count { min: 0, max }
    }
    /// Just so many.
    pub const fn exactly(n: u8) -> Count {
        Count { min: n, max: n }
    }
}

/// Whether vertices are shared through indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexing {
    /// Every corner is a vertex of its own.
    Never,
    /// Either.
    Optional,
    /// Always.
    Always,
}

impl Capabilities {
    /// Those of a target that holds nothing: a format's table says what it holds, and ends with these.
    pub const NONE: Capabilities = Capabilities {
        topologies: &[],
        indices: Indexing::Optional,
        doubles: false,
        normals: Count::NONE,
        uv_sets: Count::NONE,
        color_sets: Count::NONE,
        tangents: Hold::No,
        joint_sets: Count::NONE,
        custom_attributes: Hold::No,
        morph_targets: Hold::No,
        hierarchy: Hold::No,
        up_axes: Hold::No,
        transforms: Hold::No,
        scenes: Hold::No,
        materials: Hold::No,
        textures: Hold::No,
        loose_images: Hold::No,
        texture_sets: &[],
        skins: Hold::No,
        animations: Hold::No,
        lights: Hold::No,
        cameras: Hold::No,
        instances: Hold::No,
        voxels: Hold::No,
        lods: Hold::No,
        sockets: Hold::No,
        visibility: Hold::No,
        names: &[],
        properties: &[],
        metadata: &[],
        carries: false,
        longest_text: usize::MAX,
        numbers: Numbers::Any,
    };

    /// The table as words, in the order `formats` prints it.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let count = |c: Count| match (c.min, c.max) {
            (_, 0) => "no".to_owned(),
            (0, u8::MAX) => "any".to_owned(),
            (0, max) => format!("up to {max}"),
            (min, max) if min == max => format!("always {min}"),
            (min, max) => format!("{min} to {max}"),
        };
        let hold = |h: Hold| h.name().to_owned();
        let topologies: Vec<&str> = self.topologies.iter().map(|t| t.name()).collect();
        let names: Vec<&str> = self.names.iter().map(|named| named.name()).collect();
        let owners: Vec<&str> = self.properties.iter().map(|owner| owner.name()).collect();
        let sets: Vec<String> = self.texture_sets.iter().map(|role| role.name().replace(' ', "-")).collect();
        let indices = match self.indices {
            Indexing::Never => "no",
            Indexing::Optional => "yes",
            Indexing::Always => "always",
        };
        vec![
            ("topologies", if topologies.is_empty() { "none".to_owned() } else { topologies.join(" ") }),
            ("indices", indices.to_owned()),
            ("coordinates", if self.doubles { "f64" } else { "f32" }.to_owned()),
            ("normals", count(self.normals)),
            ("uv_sets", count(self.uv_sets)),
            ("color_sets", count(self.color_sets)),
            ("tangents", hold(self.tangents)),
            ("joint_sets", count(self.joint_sets)),
            ("custom_attributes", hold(self.custom_attributes)),
            ("morph_targets", hold(self.morph_targets)),
            ("hierarchy", hold(self.hierarchy)),
            ("up_axes", hold(self.up_axes)),
            ("transforms", hold(self.transforms)),
            ("scenes", hold(self.scenes)),
            ("materials", hold(self.materials)),
            ("textures", hold(self.textures)),
            ("loose_images", hold(self.loose_images)),
            ("texture_sets", if sets.is_empty() { "no".to_owned() } else { sets.join(" ") }),
            ("skins", hold(self.skins)),
            ("animations", hold(self.animations)),
            ("lights", hold(self.lights)),
            ("cameras", hold(self.cameras)),
            ("instances", hold(self.instances)),
            ("voxels", hold(self.voxels)),
            ("lods", hold(self.lods)),
            ("sockets", hold(self.sockets)),
            ("visibility", hold(self.visibility)),
            ("names", if names.is_empty() { "no".to_owned() } else { names.join(" ") }),
            ("properties", if owners.is_empty() { "no".to_owned() } else { owners.join(" ") }),
            ("metadata", self.metadata.join(" ")),
            ("carries", if self.carries { "yes" } else { "no" }.to_owned()),
        ]
    }
}
