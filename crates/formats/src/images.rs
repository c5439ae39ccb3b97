//! The pictures of a model: which of them need a file beside it, and what that is called.

use std::collections::{HashMap, HashSet};

use scene::{Id, Image, ImageSource, Name, Scene};

use crate::file_name::{file_of, numbered, safe_name};
use crate::{BridgeCx, SideFile};

/// The files that images are written to or are already in.
pub(crate) struct Images {
    /// What images without a name are named after, so that those of two models can be in one folder.
    stem: String,
    /// Images of the model itself, which need a file.
    pub(crate) files: Vec<SideFile>,
    /// Names of files in small letters, for disks where case does not matter.
    taken: HashSet<String>,
    names: HashMap<Id<Image>, String>,
}

impl Images {
    pub(crate) fn of(cx: &BridgeCx<'_>) -> Images {
        Images { stem: safe_name(cx.stem), files: Vec::new(), taken: HashSet::new(), names: HashMap::new() }
    }

    /// The path of an image; one inside the model gets a file, which is added to `files`.
    pub(crate) fn path(&mut self, scene: &Scene, id: Id<Image>) -> Option<Name> {
        let image = scene.images.get(id)?;
        let bytes = match &image.source {
            ImageSource::File { path, .. } => return Some(path.clone()),
            ImageSource::Embedded { bytes, .. } => bytes,
        };
        if let Some(name) = self.names.get(&id) {
            return Some(name.as_str().into());
        }
        let (stem, extension) = file_of(image, id, &self.stem);
        let name = numbered(&stem, &extension, |name| self.taken.contains(&name.to_lowercase()));
        self.taken.insert(name.to_lowercase());
        self.files.push(SideFile { name: name.clone(), bytes: bytes.clone() });
        self.names.insert(id, name.clone());
        Some(name.as_str().into())
    }
}
