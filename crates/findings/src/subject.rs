use std::fmt;
use std::hash::{Hash, Hasher};

/// What kind of thing a loss is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubjectKind {
    /// A file, or a place in one, that is no object of the scene; its name is all there is of it.
    File,
    /// A set of nodes that is shown together.
    Scene,
    /// A node.
    Node,
    /// A mesh.
    Mesh,
    /// A material.
    Material,
    /// A texture.
    Texture,
    /// An image.
    Image,
    /// A skin.
    Skin,
    /// An animation.
    Animation,
    /// A light.
    Light,
    /// A camera.
    Camera,
    /// An object made of voxels.
    Voxels,
}

impl SubjectKind {
    /// What reports call it.
    pub fn word(self) -> &'static str {
        match self {
            SubjectKind::File => "file",
            SubjectKind::Scene => "scene",
            SubjectKind::Node => "node",
            SubjectKind::Mesh => "mesh",
            SubjectKind::Material => "material",
            SubjectKind::Texture => "texture",
            SubjectKind::Image => "image",
            SubjectKind::Skin => "skin",
            SubjectKind::Animation => "animation",
            SubjectKind::Light => "light",
            SubjectKind::Camera => "camera",
            SubjectKind::Voxels => "voxel object",
        }
    }
}

impl fmt::Display for SubjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a loss is about. Objects of a kind are told apart by their names, and by their numbers where they have none:
/// numbers change while a scene is made to fit.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it is.
    pub kind: SubjectKind,
    /// Where it stands among the others of its kind.
    pub index: usize,
    /// Its name, or nothing.
    pub name: String,
    /// Which of the mesh's parts, where it has more than one.
    pub part: Option<usize>,
}

impl Subject {
    /// An object of the scene.
    pub fn new(kind: SubjectKind, index: usize, name: impl fmt::Display) -> Subject {
        Subject { kind, index, name: name.to_string(), part: None }
    }

    /// A file, or a place in one.
    pub fn file(name: impl Into<String>) -> Subject {
        Subject { kind: SubjectKind::File, index: 0, name: name.into(), part: None }
    }

    /// A structure of a file that is no object of the scene: called by its name, or by its number.
    pub fn structure(word: &str, index: usize, name: impl fmt::Display) -> Subject {
        let name = name.to_string();
        Subject::file(if name.is_empty() { format!("{word} {index}") } else { format!("{word} \"{name}\"") })
    }

    /// One of its parts.
    #[must_use]
    pub fn part(&self, part: usize) -> Subject {
        Subject { part: Some(part), ..self.clone() }
    }

    /// Whether it is no object of the scene.
    pub fn is_file(&self) -> bool {
        self.kind == SubjectKind::File
    }

    fn key(&self) -> (SubjectKind, usize, &str, Option<usize>) {
        let numbered = self.name.is_empty() && !self.is_file();
        (self.kind, if numbered { self.index } else { 0 }, &self.name, self.part)
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Subject {}
impl Hash for Subject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject { kind: SubjectKind::File, name, .. } => f.write_str(name)?,
            Subject { kind, index, name, .. } if name.is_empty() => write!(f, "{kind} {index}")?,
            Subject { kind, name, .. } => write!(f, "{kind} \"{name}\"")?,
        }
        self.part.map_or(Ok(()), |part| write!(f, " part {part}"))
    }
}

impl From<&Subject> for Subject {
    fn from(subject: &Subject) -> Subject {
        subject.clone()
    }
}
impl From<&str> for Subject {
    fn from(name: &str) -> Subject {
        Subject::file(name)
    }
}
impl From<String> for Subject {
    fn from(name: String) -> Subject {
        Subject::file(name)
    }
}
impl From<&String> for Subject {
    fn from(name: &String) -> Subject {
        Subject::file(name)
    }
}

/// An attribute of vertices that a loss is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeKind {
    /// Where they are.
    Position,
    /// Which way the mesh faces there.
    Normal,
    /// Which way textures run.
    Tangent,
    /// Where they are on textures.
    TexCoord,
    /// Their colours.
    Color,
    /// Which joints move them.
    Joints,
    /// How much those move them.
    Weights,
}

/// What is gone or changed, in words, and which attribute of vertices it is, if it is one.
#[derive(Clone, Debug)]
pub struct Aspect {
    /// In words.
    pub text: String,
    /// The attribute.
    pub attribute: Option<AttributeKind>,
}

impl From<&str> for Aspect {
    fn from(text: &str) -> Aspect {
        Aspect { text: text.to_owned(), attribute: None }
    }
}
impl From<String> for Aspect {
    fn from(text: String) -> Aspect {
        Aspect { text, attribute: None }
    }
}
impl From<&String> for Aspect {
    fn from(text: &String) -> Aspect {
        Aspect { text: text.clone(), attribute: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_called_by_its_name_or_else_its_number() {
        let named = Subject::new(SubjectKind::Voxels, 3, "a \"b\"");
        let part = Subject::new(SubjectKind::Mesh, 3, "").part(1);
        let shown = [named.clone(), part.clone(), "chunks[2]".into(), "".into()].map(|subject| subject.to_string());
        assert_eq!(shown, ["voxel object \"a \"b\"\"", "mesh 3 part 1", "chunks[2]", ""]);
        assert_eq!(named, Subject::new(SubjectKind::Voxels, 4, "a \"b\""), "numbers change, names do not");
        assert_ne!(part, Subject::new(SubjectKind::Mesh, 4, "").part(1));
    }
}
