//! The folder that a model is written to, and whose the files in it are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use formats::{Folder, Loaded, Room, Source};
use wire::Blob;

use crate::File;
use crate::open::load;

/// Most models of a folder that are asked which files they name; in a larger one every file counts as shared.
const MOST_MODELS: usize = 1024;

/// The folder of a file that is to be written. Nothing of it is looked at before a name in it is asked for.
pub(crate) struct OutFolder {
    /// The file.
    out: PathBuf,
    folder: PathBuf,
    /// Folders that files may lie in although they are not looked in.
    allow: Vec<PathBuf>,
    force: bool,
    /// What the file that is replaced names.
    own: OnceLock<HashSet<String>>,
    /// What other models of the folder name, and the bytes of those that cannot be read; nothing if there are too many.
    others: OnceLock<Option<(HashSet<String>, Vec<Blob>)>>,
}

impl OutFolder {
    pub(crate) fn of(out: &Path, force: bool, allow: Vec<PathBuf>) -> OutFolder {
        let parent = out.parent().filter(|parent| *parent != Path::new(""));
        let folder = parent.unwrap_or(Path::new(".")).to_owned();
        OutFolder { out: out.to_owned(), folder, allow, force, own: OnceLock::new(), others: OnceLock::new() }
    }

    /// Whether a side file belongs to the model that is replaced: that model names it, and it carries its stem or is
    /// named by no other model of the folder. What another model shows must not change by writing this one.
    pub(crate) fn owns(&self, name: &str) -> bool {
        let key = key(name);
        let own = self.own.get_or_init(|| self.out.is_file().then(|| named(&self.out)).flatten().unwrap_or_default());
        own.contains(&key) && (self.carries_stem(name) || !self.is_shared(&key))
    }

    /// `<stem>.bin`, `<stem>-2.png`.
    fn carries_stem(&self, name: &str) -> bool {
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let (Some(own), Some(name)) = (stem(&self.out), stem(Path::new(name))) else { return false };
        let rest = name.strip_prefix(&own).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
        rest.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn is_shared(&self, key: &str) -> bool {
        let Some((names, unread)) = self.others.get_or_init(|| self.others()) else { return true };
        let file = key.rsplit('/').next().unwrap_or(key);
        let says = |bytes: &Blob| bytes.windows(file.len()).any(|window| window.eq_ignore_ascii_case(file.as_bytes()));
        names.contains(key) || unread.iter().any(says)
    }

    fn others(&self) -> Option<(HashSet<String>, Vec<Blob>)> {
        let (mut names, mut unread) = (HashSet::new(), Vec::new());
        let own = self.own.get()?;
        let is_other = |path: &PathBuf| {
            let is_model =
                path.extension().and_then(|e| e.to_str()).is_some_and(|e| formats::by_extension(e).is_some());
            let file = path.file_name().map(|file| key(&file.to_string_lossy())).unwrap_or_default();
            is_model && path.file_name() != self.out.file_name() && !own.contains(&file)
        };
        let entries = std::fs::read_dir(&self.folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
        for (i, path) in entries.filter(is_other).filter(|path| path.is_file()).enumerate() {
            if i == MOST_MODELS {
                return None;
            }
            match named(&path) {
                Some(more) => names.extend(more),
                None => unread.push(load(&path).ok()?),
            }
        }
        Some((names, unread))
    }

    /// The file of this name, if there is one; `Err` if its name leads to something else or out of the folder.
    fn there(&self, name: &str) -> Result<Option<Blob>, ()> {
        let path = self.folder.join(name);
        let Ok(what) = path.symlink_metadata() else { return Ok(None) };
        if what.is_symlink() {
            let (Ok(real), Ok(folder)) = (path.canonicalize(), self.folder.canonicalize()) else { return Err(()) };
            if !real.starts_with(folder) {
                return Err(());
            }
        }
        if path.is_file() { load(&path).map(Some).map_err(|_| ()) } else { Err(()) }
    }
}

impl Room for OutFolder {
    fn takes(&self, name: &str, bytes: &Blob) -> bool {
        // The model itself is none of its side files.
        if self.out.file_name().is_some_and(|out| key(&out.to_string_lossy()) == key(name)) {
            return false;
        }
        match self.there(name) {
            Ok(None) => true,
            Ok(Some(there)) => there == *bytes || self.force || self.owns(name),
            Err(()) => false,
        }
    }

    fn holds(&self, path: &str, bytes: &Blob) -> bool {
        let folder = Folder::new(vec![self.folder.clone()], self.allow.clone(), load);
        matches!(folder.load(path, None), Loaded::Found { bytes: there, .. } if there == *bytes)
    }
}

/// Every file that a model names; nothing if it cannot be read as what its extension says.
fn named(path: &Path) -> Option<HashSet<String>> {
    let asset = File::open(path).ok()?.read(&Default::default()).ok()?;
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    asset.format().extensions.iter().find(|own| **own == extension)?;
    Some(asset.document().named(&*asset.source()).iter().map(|file| key(&file.path)).collect())
}

/// A path as it is compared.
fn key(path: &str) -> String {
    let path = formats::same_name(&path.replace('\\', "/"));
    path.strip_prefix("./").map(str::to_owned).unwrap_or(path)
}

/// Whether two files lie in the same folder.
pub(crate) fn side_by_side(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| Path::new(".").join(path.parent()?).canonicalize().ok();
    folder(a).is_some_and(|a| folder(b) == Some(a))
}
