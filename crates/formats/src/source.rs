use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use findings::{FileId, Loaded, Source};
use wire::Blob;

use crate::SideFile;

/// Files in memory, and behind them another place to look.
pub struct Beside<'a> {
    /// By their names; of two with one name, the first.
    files: HashMap<&'a str, &'a SideFile>,
    behind: &'a dyn Source,
}

impl<'a> Beside<'a> {
    /// These files, and where others are looked for.
    pub fn new(files: &'a [SideFile], behind: &'a dyn Source) -> Beside<'a> {
        Beside { files: files.iter().rev().map(|file| (file.name.as_str(), file)).collect(), behind }
    }

    /// The file of this name among them.
    pub fn get(&self, name: &str) -> Option<&'a SideFile> {
        self.files.get(name).copied()
    }
}

/// What the ids of files in memory begin with: no path does.
const MEMORY: &str = "\0";

impl Source for Beside<'_> {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let inside = from.and_then(|from| from.0.strip_prefix(MEMORY));
        let folder = inside.and_then(|from| from.rfind('/').map(|end| &from[..=end])).unwrap_or_default();
        let name = name.replace('\\', "/");
        let wanted = [format!("{folder}{name}"), name.clone()];
        let found = wanted.iter().find_map(|name| self.files.get(name.as_str()));
        match found {
            Some(file) => Loaded::Found { bytes: file.bytes.clone(), id: FileId(format!("{MEMORY}{}", file.name)) },
            None => self.behind.load(&name, from.filter(|_| inside.is_none())),
        }
    }
}

/// The model's folder, then further ones; nothing outside of them.
pub struct Folder {
    /// Where relative names are looked for, in this order.
    pub search: Vec<PathBuf>,
    /// Folders that files may lie in, beside those of `search`.
    pub allow: Vec<PathBuf>,
    /// Opens a file that may be opened.
    pub open: fn(&Path) -> std::io::Result<Blob>,
    /// What folders hold, by the names in small letters: many files may be missing from a folder of many.
    listings: Mutex<HashMap<PathBuf, Listing>>,
    /// Names that stand for nothing, and the files that said them: rules and scenes ask again.
    missing: Mutex<HashSet<(String, Option<FileId>)>>,
}

type Listing = HashMap<String, OsString>;

impl Folder {
    /// A place to look for files. It remembers what it saw there.
    pub fn new(search: Vec<PathBuf>, allow: Vec<PathBuf>, open: fn(&Path) -> std::io::Result<Blob>) -> Folder {
        Folder { search, allow, open, listings: Mutex::default(), missing: Mutex::default() }
    }

    /// The same path with the letter case that the disk has, for models that were made where case does not matter.
    fn any_case(&self, path: &Path) -> Option<PathBuf> {
        let mut found = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(word) if !found.join(word).exists() => {
                    let folder = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
                    let word = word.to_str()?.to_ascii_lowercase();
                    let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
                    let listing = listings.entry(folder.to_owned()).or_insert_with(|| listing(folder));
                    found.push(listing.get(&word)?);
                }
                other => found.push(other),
            }
        }
        Some(found)
    }

    fn look(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let asked = Path::new(name);
        let beside = from.and_then(|from| Path::new(&from.0).parent());
        let candidates: Vec<PathBuf> = if asked.is_absolute() {
            vec![asked.to_owned()]
        } else {
            beside.into_iter().chain(self.search.iter().map(PathBuf::as_path)).map(|f| f.join(asked)).collect()
        };
        let mut refused = None;
        for candidate in candidates.iter().cloned().chain(candidates.iter().filter_map(|c| self.any_case(c))) {
            // The real path, after symbolic links: what matters is where the bytes are.
            let Ok(real) = candidate.canonicalize() else { continue };
            let mut roots = self.search.iter().chain(&self.allow);
            // One name for one file, in the words of the user: the first folder that it lies in decides.
            let id = roots.find_map(|root| Some(root.join(real.strip_prefix(root.canonicalize().ok()?).ok()?)));
            let Some(id) = id else {
                refused.get_or_insert(format!("{name} lies outside the model's folder"));
                continue;
            };
            // A pipe or a device could be read for ever.
            if !real.is_file() {
                continue;
            }
            if let Ok(bytes) = (self.open)(&real) {
                return Loaded::Found { bytes, id: FileId(plain(&id).to_string_lossy().into_owned()) };
            }
        }
        refused.map_or(Loaded::Missing, Loaded::Refused)
    }
}

/// The names in a folder; of those that differ in case only, the first.
fn listing(folder: &Path) -> Listing {
    let mut out = Listing::new();
    for name in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.file_name()) {
        let Some(small) = name.to_str().map(str::to_ascii_lowercase) else { continue };
        let first = out.entry(small).or_insert_with(|| name.clone());
        if name < *first {
            *first = name;
        }
    }
    out
}

impl Source for Folder {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let key = (name.replace('\\', "/"), from.cloned());
        if self.missing.lock().unwrap_or_else(PoisonError::into_inner).contains(&key) {
            return Loaded::Missing;
        }
        let loaded = self.look(&key.0, from);
        if matches!(loaded, Loaded::Missing) {
            self.missing.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        }
        loaded
    }
}

/// Without the dot for the folder that one is in.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}
