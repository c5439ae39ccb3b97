use std::fmt;

use wire::{Blob, Fault, Span};

use crate::FileId;

/// Where something is: a path in the document or the scene, and its bytes once they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `pieces[1].vertices[3].position`; empty for the whole file.
    pub path: String,
    /// The bytes; found from the path when a report is finished.
    pub span: Option<Span>,
    /// The file it is in, if that is not the model itself but one that the model names.
    pub file: Option<FileId>,
}

impl Place {
    /// The whole file.
    pub fn file() -> Place {
        Place::default()
    }

    /// A field of the document, or an object of the scene.
    pub fn path(path: impl Into<String>) -> Place {
        Place { path: path.into(), ..Place::default() }
    }

    /// Bytes, and what they are.
    pub fn bytes(path: impl Into<String>, span: Span) -> Place {
        Place { path: path.into(), span: Some(span), file: None }
    }

    /// Bytes that are at hand.
    pub fn blob(path: impl Into<String>, blob: &Blob) -> Place {
        Place::bytes(path, blob.span())
    }

    /// The same place in a file that the model names.
    pub fn in_file(mut self, file: FileId) -> Place {
        self.file = Some(file);
        self
    }

    /// A field inside.
    pub fn field(&self, name: &str) -> Place {
        let joint = if self.path.is_empty() { "" } else { "." };
        Place::path(format!("{}{joint}{name}", self.path))
    }

    /// An element inside.
    pub fn nth(&self, index: usize) -> Place {
        Place::path(format!("{}[{index}]", self.path))
    }

    /// The path without its last index: what repeated findings have in common.
    pub(crate) fn family(&self) -> (&str, &str) {
        match (self.path.rfind('['), self.path.rfind(']')) {
            (Some(open), Some(close)) if open < close => (&self.path[..open], &self.path[close + 1..]),
            _ => (&self.path, ""),
        }
    }
}

impl From<&Fault> for Place {
    fn from(fault: &Fault) -> Place {
        Place::bytes(fault.path(), fault.at())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.span, self.path.as_str()) {
            (Some(span), "") => span.fmt(f),
            (Some(span), path) => write!(f, "{span}  {path}"),
            (None, "") => f.write_str("whole file"),
            (None, path) => f.write_str(path),
        }
    }
}
