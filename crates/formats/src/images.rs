//! The images of a model: which of them need a file beside it, and what that is called.

use std::collections::HashMap;

use findings::{Subject, SubjectKind};
use scene::loss::{LOSS_030, LOSS_042};
use scene::{Id, Image, ImageSource, Name, Scene};
use wire::Blob;

use crate::file_name::{file_of, safe_name};
use crate::{Loaded, LowerCx, Textures, below};

/// The links to images so far.
#[derive(Default)]
pub(crate) struct Images {
    /// By image and the folder of the file that names it.
    known: HashMap<(Id<Image>, String), Name>,
    /// Whether the model says what its images are called, not only where they are.
    named: bool,
}

impl Images {
    /// Links of a model that says what its images are called.
    pub(crate) fn named() -> Images {
        Images { named: true, ..Images::default() }
    }

    /// The path of an image as the model names it. One that the model would not find there is written beside it.
    pub(crate) fn path(&mut self, scene: &Scene, id: Id<Image>, cx: &mut LowerCx<'_>) -> Option<Name> {
        self.path_from("", scene, id, cx)
    }

    /// The same for a file in a folder below the model's, which is given with a slash behind it.
    pub(crate) fn path_from(
        &mut self,
        folder: &str,
        scene: &Scene,
        id: Id<Image>,
        cx: &mut LowerCx<'_>,
    ) -> Option<Name> {
        let image = scene.images.get(id)?;
        let key = (id, folder.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let link = match &image.source {
            ImageSource::File { path, bytes: None } => {
                let label = Subject::new(
                    SubjectKind::Image,
                    id.index(),
                    if image.name.is_empty() { path } else { &image.name },
                );
                cx.lose(&LOSS_030, &label, 1, "texture", "its file was not found");
                path.clone()
            }
            ImageSource::File { bytes: Some(bytes), .. } | ImageSource::Embedded { bytes, .. } => {
                let link = link(image, id, bytes, None, folder, cx);
                let file = ImageSource::File { path: link.clone(), bytes: None };
                let is_new = matches!(image.source, ImageSource::Embedded { .. });
                if is_new && !self.named && !(Image { source: file, ..image.clone() }).is_named_by_its_file() {
                    let label = image.subject(id);
                    cx.lose(&LOSS_042, &label, 1, "name of the image", "its file cannot be called so");
                }
                link
            }
        };
        self.known.insert(key, link.clone());
        Some(link)
    }
}

/// The link to an image that has these bytes; they are written beside the model unless it finds them anyway. An image
/// that was converted says its new extension.
pub(crate) fn link(
    image: &Image,
    id: Id<Image>,
    bytes: &Blob,
    converted: Option<&str>,
    folder: &str,
    cx: &mut LowerCx<'_>,
) -> Name {
    let ImageSource::File { path, .. } = &image.source else {
        let (stem, extension) = file_of(image, id, &safe_name(cx.stem));
        let name = cx.side_files.share(&format!("{folder}{stem}{extension}"), bytes.clone());
        return name[folder.len()..].into();
    };
    if cx.textures == Textures::Reference {
        return path.clone();
    }
    let named = path.to_string();
    // A file that lies beside the model, and not beside the file that names it, stays there.
    let finds =
        |name: &str| matches!(cx.source.load(name, None), Loaded::Found { bytes: found, .. } if found == *bytes);
    let aside = !folder.is_empty() && converted.is_none() && !finds(&format!("{folder}{named}")) && finds(&named);
    let folder = if aside { "" } else { folder };
    if cx.textures == Textures::Near && cx.side_files.room().holds(&format!("{folder}{named}"), bytes) {
        return path.clone();
    }
    let kept = below(&named).map(|path| safe_path(&path));
    let inside = kept.is_some();
    let mut wanted = kept.unwrap_or_else(|| safe_name(named.rsplit(['/', '\\', ':']).next().unwrap_or_default()));
    let is_jpeg = |path: &str| path.ends_with(".jpg") || path.ends_with(".jpeg");
    let says = |path: &str, extension: &str| path.ends_with(extension) || (is_jpeg(path) && is_jpeg(extension));
    if let Some(extension) = converted.filter(|extension| !says(&wanted.to_lowercase(), extension)) {
        let stem = wanted.rfind('.').filter(|dot| wanted[*dot..].find('/').is_none()).unwrap_or(wanted.len());
        wanted.replace_range(stem.., extension);
    }
    let name = cx.side_files.share(&format!("{folder}{wanted}"), bytes.clone());
    if !inside {
        let named = findings::render::escape(&named).into_owned();
        cx.side_files.note(format!("{named} leads out of the folder; its content is in {name}"));
    }
    let said = named.replace('\\', "/");
    let said = said.strip_prefix("./").unwrap_or(&said);
    if name[folder.len()..] == *said { path.clone() } else { name[folder.len()..].into() }
}

/// A path whose parts are names on every system.
pub(crate) fn safe_path(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | ".")).map(safe_name);
    parts.collect::<Vec<_>>().join("/")
}

/// The folder of a path, with a slash behind it.
pub(crate) fn folder_of(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}
