use std::fmt;

use wire::Blob;

/// Where the files that a model names are looked for. Formats and rules see nothing of the disk but this.
pub trait Source: Sync {
    /// The file that `name` stands for, as the model writes it; relative to `from`, or to the model itself.
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded;
}

/// What came of looking for a file.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// It was found.
    Found {
        /// Its bytes.
        bytes: Blob,
        /// Which file it is: two names of one file have one id, so that a circle of files is noticed.
        id: FileId,
    },
    /// It is nowhere that may be looked at.
    Missing,
    /// The name leads outside the folders that may be looked at.
    Refused(String),
}

impl Loaded {
    /// Its bytes, if it was found.
    pub fn bytes(self) -> Option<Blob> {
        match self {
            Loaded::Found { bytes, .. } => Some(bytes),
            _ => None,
        }
    }
}

/// One file among all that can be loaded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub String);

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// No folder at all: models from standard input, or from memory.
pub struct NoSource;

impl Source for NoSource {
    fn load(&self, _: &str, _: Option<&FileId>) -> Loaded {
        Loaded::Missing
    }
}
