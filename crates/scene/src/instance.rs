use crate::{Id, Material, Transform};

/// Copies of a node's mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instances {
    /// Where they stand, relative to the node.
    pub placements: Vec<Placement>,
}

/// One copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Where it stands.
    pub transform: Transform,
    /// Its own material, if it has one.
    pub material: Option<Id<Material>>,
}
