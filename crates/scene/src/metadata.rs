use crate::{Name, Properties};

/// What is known about a file as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// What it shows.
    pub title: Name,
    /// More about it.
    pub description: Name,
    /// Who made it.
    pub author: Name,
    /// Who may do what with it.
    pub copyright: Name,
    /// Anything else.
    pub comment: Name,
    /// The program that wrote it.
    pub generator: Name,
    /// What it belongs to.
    pub project: Name,
    /// When it was made, as the file says it.
    pub created: Option<u64>,
    /// Header data of no known meaning.
    pub raw: Vec<u8>,
    /// Properties of the file.
    pub properties: Properties,
}
