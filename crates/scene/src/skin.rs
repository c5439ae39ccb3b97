use crate::{Extras, Id, Name, Node};

/// Joints that move vertices: vertex = Σ weight · joint · inverse bind · vertex.
#[derive(Clone, Debug, Default, PartialEq)]
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
