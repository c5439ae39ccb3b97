use crate::{Extras, Name, Properties};

/// An object made of cubes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Voxels {
    /// Its name.
    pub name: Name,
    /// The cubes.
    pub voxels: Vec<Voxel>,
    /// Colours, red green blue alpha.
    pub palette: Vec<[u8; 4]>,
    /// Properties a user gave to the colours.
    pub palette_properties: Properties,
    /// Materials.
    pub materials: Vec<VoxelMaterial>,
    /// What travels along.
    pub extras: Extras,
}

/// A unit cube around its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voxel {
    /// Its middle.
    pub position: [f32; 3],
    /// Position in the palette.
    pub color: u32,
    /// Position in the materials, if it has one.
    pub material: Option<u32>,
}

/// How a cube looks, in the source's words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelMaterial {
    /// Its name.
    pub name: Name,
    /// Words and numbers.
    pub values: Properties,
    /// Properties a user gave it.
    pub properties: Properties,
    /// What travels along.
    pub extras: Extras,
}
