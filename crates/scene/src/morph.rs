use crate::{Attribute, Name};

/// What a primitive turns into at weight 1: deltas to its attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Deltas, one per vertex.
    pub attributes: Vec<Attribute>,
}

/// What is known about a morph target for all primitives of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphRange {
    /// Its name.
    pub name: Name,
    /// Weight when nothing animates it.
    pub default: f32,
    /// Smallest weight a program should offer.
    pub min: f32,
    /// Largest weight a program should offer.
    pub max: f32,
}
