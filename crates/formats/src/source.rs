use std::path::{Component, Path, PathBuf};

use findings::{FileId, Loaded, Source};
use wire::Blob;

use crate::SideFile;

/// Files in memory, and behind them another place to look.
pub struct Beside<'a> {
    /// The files.
    pub files: &'a [SideFile],
    /// Where others are looked for.
    pub behind: &'a dyn Source,
}

/// What the ids of files in memory begin with: no path does.
const MEMORY: &str = "\0";

impl Source for Beside<'_> {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let inside = from.and_then(|from| from.0.strip_prefix(MEMORY));
        let folder = inside.and_then(|from| from.rfind('/').map(|end| &from[..=end])).unwrap_or_default();
        let name = name.replace('\\', "/");
        let wanted = [format!("{folder}{name}"), name.clone()];
        let found = wanted.iter().find_map(|name| self.files.iter().find(|file| file.name == *name));
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
}

impl Source for Folder {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let name = name.replace('\\', "/");
        let asked = Path::new(&name);
        let beside = from.and_then(|from| Path::new(&from.0).parent());
        let candidates: Vec<PathBuf> = if asked.is_absolute() {
            vec![asked.to_owned()]
        } else {
            beside.into_iter().chain(self.search.iter().map(PathBuf::as_path)).map(|f| f.join(asked)).collect()
        };
        let mut refused = None;
        for candidate in candidates.iter().cloned().chain(candidates.iter().filter_map(|c| any_case(c))) {
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

/// Without the word for the folder that one is in.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The same path with the letter case that the disk has, for models that were made where case does not matter.
fn any_case(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(word) if !found.join(word).exists() => {
                let folder = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
                let word = word.to_str()?;
                let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
                let mut alike: Vec<_> = entries
                    .map(|entry| entry.file_name())
                    .filter(|name| name.to_str().is_some_and(|name| name.eq_ignore_ascii_case(word)))
                    .collect();
                alike.sort();
                found.push(alike.first()?);
            }
            other => found.push(other),
        }
    }
    Some(found)
}
