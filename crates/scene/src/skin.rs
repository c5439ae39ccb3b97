use crate::transform::same_bits;
use crate::{Extras, Id, Name, Node};

/// Joints that move vertices: vertex = Σ weight · joint · inverse bind · vertex. Matrices compare by their bits.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Its name.
    pub name: Name,
    /// Its joints; a joint number of a vertex is a position in this list.
    pub joints: Vec<Id<Node>>,
    /// One matrix per joint, column by column; empty for identity.
    pub inverse_bind: Vec<[f32; 16]>,
    /// The node that holds all joints, if the source names one.
    pub root: Option<Id<Node>>,
    /// What travels along.
    pub extras: Extras,
}

impl PartialEq for Skin {
    fn eq(&self, other: &Skin) -> bool {
        let binds = (self.inverse_bind.as_flattened(), other.inverse_bind.as_flattened());
        (&self.name, &self.joints, self.root, &self.extras) == (&other.name, &other.joints, other.root, &other.extras)
            && same_bits(binds.0, binds.1)
    }
}
