use std::path::{Path, PathBuf};

use corpus::SideFiles;
use findings::{FileId, Loaded, Source};
use formats::{Folder, SideFile};
use serde_json::Value;
use wire::Blob;

/// Files in memory, by their paths from the model. A file names others from the folder that it lies in.
#[derive(Clone, Default)]
pub struct Files(pub Vec<(String, Vec<u8>)>);

impl Files {
    /// The same files and another one.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Files {
        self.0.push((name.to_owned(), bytes.into()));
        self
    }
}

impl From<SideFiles> for Files {
    fn from(files: SideFiles) -> Files {
        Files(files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect())
    }
}

impl From<Vec<SideFile>> for Files {
    fn from(files: Vec<SideFile>) -> Files {
        Files(files.into_iter().map(|file| (file.name, file.bytes.to_vec())).collect())
    }
}

impl Source for Files {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let folder = from.and_then(|from| from.0.rfind('/').map(|end| &from.0[..=end])).unwrap_or_default();
        let path = format!("{folder}{name}");
        match self.0.iter().find(|(own, _)| *own == path) {
            Some((_, bytes)) => Loaded::Found { bytes: Blob::file(bytes.clone()), id: FileId(path) },
            None if name.starts_with("..") => Loaded::Refused(format!("{name} lies outside the model's folder")),
            None => Loaded::Missing,
        }
    }
}

/// A folder that has every file; the bytes of each are its name.
pub struct EveryFile;

impl Source for EveryFile {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        Loaded::Found { bytes: Blob::memory(name.as_bytes().to_vec()), id: FileId(name.to_owned()) }
    }
}

/// The folder that a file lies in.
pub fn beside(file: &Path) -> Folder {
    let open = |path: &Path| std::fs::read(path).map(Blob::file);
    Folder::new(vec![file.parent().expect("it lies in a folder").to_owned()], Vec::new(), open)
}

/// The folder of real files, or nothing after saying so.
#[allow(clippy::print_stderr)]
pub fn corpus_dir() -> Option<PathBuf> {
    let folder = std::env::var_os("PENTAD_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: PENTAD_CORPUS is not set");
    }
    folder
}

/// What others measured of real files: one value for each.
pub fn golden(corpus: &Path, list: &str) -> Vec<Value> {
    let text = std::fs::read(corpus.join("golden").join(list)).expect("golden facts");
    serde_json::from_slice(&text).expect("a list")
}

/// A sample of pentad's own.
pub fn sample(format: &str, name: &str) -> Vec<u8> {
    let found = corpus::samples().into_iter().find(|sample| (sample.format, sample.name) == (format, name));
    (found.unwrap_or_else(|| panic!("there is no sample {format} {name}")).bytes)()
}
