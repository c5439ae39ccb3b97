use crate::{Id, Material, Transform};

/// A node's mesh, shown once for each placement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instances {
    /// Where they stand, relative to the node.
    pub placements: Vec<Placement>,
}

/// One instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Where it stands.
    pub transform: Transform,
    /// Its own material, if it has one.
    pub material: Option<Id<Material>>,
}
