//! The pictures that a library names: under which path, and which of them are written beside the model.

use std::collections::{HashMap, HashSet};

use findings::{Error, Result};
use scene::loss::*;
use scene::{Id, Image, ImageSource, Scene};
use wire::Blob;

use crate::file_name::{file_of, numbered, safe_name};
use crate::obj::bridge::one_line;
use crate::{BridgeCx, SideFile, is_below};

/// Pictures so far.
pub(super) struct PictureFiles {
    pub(super) files: Vec<SideFile>,
    copies: bool,
    /// Names of files in small letters, for disks where case does not matter.
    taken: HashSet<String>,
    known: HashMap<Id<Image>, Option<Vec<u8>>>,
}

impl PictureFiles {
    /// Beside a library of this name.
    pub(super) fn new(library: &str, cx: &BridgeCx<'_>) -> Result<PictureFiles> {
        let copies = match cx.options.get("textures") {
            None | Some("copy") => true,
            Some("reference") => false,
            Some(other) => {
                return Err(Error::usage(format!("--textures is {other}")).with_help("it is copy or reference"));
            }
        };
        let taken = HashSet::from([library.to_lowercase()]);
        Ok(PictureFiles { files: Vec::new(), copies, taken, known: HashMap::new() })
    }

    /// The path of a picture as a library names it; the picture itself becomes a file if it is to be copied.
    pub(super) fn path(&mut self, scene: &Scene, id: Id<Image>, cx: &mut BridgeCx<'_>) -> Option<Vec<u8>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let image = scene.images.get(id)?;
        let label = Scene::label("image", id.index(), &image.name);
        let path = match &image.source {
            ImageSource::File { path, bytes: Some(bytes) } if self.copies => {
                Some(self.copy(path.to_string(), bytes, &label, cx))
            }
            ImageSource::File { path, .. } => {
                let name = nameable(path.bytes());
                if name != path.bytes() {
                    cx.lose(&LOSS_042, &label, 1, "path", "a path of MTL is one line and no option");
                }
                Some(name)
            }
            ImageSource::Embedded { bytes, .. } if self.copies => {
                let (stem, extension) = file_of(image, id, &safe_name(cx.stem));
                Some(self.add(&stem, &extension, bytes))
            }
            ImageSource::Embedded { .. } => None,
        };
        self.known.insert(id, path.clone());
        path
    }

    /// A file of the source goes where it was, if that is below the model; else beside it.
    fn copy(&mut self, path: String, bytes: &Blob, label: &str, cx: &mut BridgeCx<'_>) -> Vec<u8> {
        let kept = is_below(&path) && nameable(path.as_bytes()) == path.as_bytes();
        if kept && self.taken.insert(path.to_lowercase()) {
            self.files.push(SideFile { name: path.clone(), bytes: bytes.clone() });
            return path.into_bytes();
        }
        // The same file under the same path is one file.
        if kept && self.files.iter().any(|file| file.name == path && file.bytes == *bytes) {
            return path.into_bytes();
        }
        let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let named = last.rsplit_once('.').map(|(stem, extension)| (stem, format!(".{}", safe_name(extension))));
        let (stem, extension) = named.unwrap_or((last, String::new()));
        let name = self.add(stem, &extension, bytes);
        cx.lose(&LOSS_042, label, 1, "path", "the picture is copied beside the model");
        name
    }

    fn add(&mut self, stem: &str, extension: &str, bytes: &Blob) -> Vec<u8> {
        let stem = safe_name(stem.trim_start_matches(['-', ' ']));
        let name = numbered(&stem, extension, |name| self.taken.contains(&name.to_lowercase()));
        self.taken.insert(name.to_lowercase());
        self.files.push(SideFile { name: name.clone(), bytes: bytes.clone() });
        name.into_bytes()
    }
}

/// A path that is read as one, and not as an option.
fn nameable(path: &[u8]) -> Vec<u8> {
    let line = one_line(path);
    if line.starts_with(b"-") { [b"./", &line[..]].concat() } else { line }
}
