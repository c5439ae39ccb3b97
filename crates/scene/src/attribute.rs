use std::fmt;

use findings::{Aspect, AttributeKind};

use crate::Stream;

/// What the numbers of a stream mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Semantic {
    /// Where the vertex is.
    Position,
    /// Which way the mesh faces there; unit length.
    Normal,
    /// Direction of U, and the sign of the bitangent.
    Tangent,
    /// Texture coordinates, by set.
    TexCoord(u8),
    /// Colour, by set.
    Color(u8),
    /// Joints that move the vertex, by set of four.
    Joints(u8),
    /// How much they move it, by set of four.
    Weights(u8),
    /// Anything else, by name.
    Custom(String),
}

impl Semantic {
    /// Where a stream of this meaning stands among the others: positions first, then as glTF lists them.
    pub fn rank(&self) -> (u8, u8) {
        match self {
            Semantic::Position => (0, 0),
            Semantic::Normal => (1, 0),
            Semantic::Tangent => (2, 0),
            Semantic::TexCoord(set) => (3, *set),
            Semantic::Color(set) => (4, *set),
            Semantic::Joints(set) => (5, *set),
            Semantic::Weights(set) => (6, *set),
            Semantic::Custom(_) => (7, 0),
        }
    }

    /// What became of it, for reports.
    pub fn became(&self, what: &str) -> Aspect {
        let aspect = Aspect::from(self);
        Aspect { text: format!("{} {what}", aspect.text), ..aspect }
    }
}

/// What a loss is about, where it is an attribute.
impl From<&Semantic> for Aspect {
    fn from(semantic: &Semantic) -> Aspect {
        let attribute = match semantic {
            Semantic::Position => Some(AttributeKind::Position),
            Semantic::Normal => Some(AttributeKind::Normal),
            Semantic::Tangent => Some(AttributeKind::Tangent),
            Semantic::TexCoord(_) => Some(AttributeKind::TexCoord),
            Semantic::Color(_) => Some(AttributeKind::Color),
            Semantic::Joints(_) => Some(AttributeKind::Joints),
            Semantic::Weights(_) => Some(AttributeKind::Weights),
            Semantic::Custom(_) => None,
        };
        Aspect { text: semantic.to_string(), attribute }
    }
}

impl fmt::Display for Semantic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Semantic::Position => f.write_str("POSITION"),
            Semantic::Normal => f.write_str("NORMAL"),
            Semantic::Tangent => f.write_str("TANGENT"),
            Semantic::TexCoord(n) => write!(f, "TEXCOORD_{n}"),
            Semantic::Color(n) => write!(f, "COLOR_{n}"),
            Semantic::Joints(n) => write!(f, "JOINTS_{n}"),
            Semantic::Weights(n) => write!(f, "WEIGHTS_{n}"),
            Semantic::Custom(name) => f.write_str(name),
        }
    }
}

/// One stream of a primitive.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// What it means.
    pub semantic: Semantic,
    /// Its numbers.
    pub stream: Stream,
}
