//! Another file that a model names, as it would be written if the model said itself what that file says: by it a file is
//! known to say still what the scene shows.

use findings::{FileId, Loaded, Losses, Source};
use scene::Scene;
use wire::Blob;

use super::keys::{EXTERNAL, INCLUDED, INCLUDES, forget};
use super::lower::lower;
use crate::dgl3::Dgl3;
use crate::dgl3::dialect::Dialect;
use crate::dgl3::layout::Document;
use crate::{Format, LiftCx, LowerCx, Package, Room, SideFiles, Textures};

/// Whether a file says what a scene shows: whether both become the same.
pub(super) fn says(doc: &Document, file: &FileId, part: Scene, cx: &LowerCx<'_>) -> bool {
    let source = From { source: cx.source, file };
    let Some(there) = anew(doc, &source, cx) else { return false };
    let Some(here) = written(part, &source, doc.dialect, cx) else { return false };
    let all = |package: &Package<Document>| {
        let files: Vec<_> = package.side_files.iter().map(|file| (file.name.clone(), file.bytes.clone())).collect();
        let Document { meshes, entities, lights, .. } = package.document.clone();
        (meshes, entities, lights, files)
    };
    all(&there) == all(&here)
}

/// What a document becomes on the way through a scene.
pub(super) fn anew(doc: &Document, source: &dyn Source, cx: &LowerCx<'_>) -> Option<Package<Document>> {
    let mut lifting = LiftCx { limits: cx.limits.fork(), ..LiftCx::new(source) };
    let scene = Dgl3::lift(doc, &mut lifting).ok()?;
    written(scene, source, doc.dialect, cx)
}

/// A scene as a document in which what stands in other files is its own.
fn written(mut scene: Scene, source: &dyn Source, dialect: Dialect, cx: &LowerCx<'_>) -> Option<Package<Document>> {
    for node in scene.nodes.iter_mut() {
        if INCLUDES.get(&node.extras).is_some() {
            [INCLUDES, EXTERNAL].iter().for_each(|key| forget(&mut node.extras, key));
        }
        forget(&mut node.extras, &INCLUDED);
    }
    let room = Unmoved(source);
    let mut inner = LowerCx {
        limits: cx.limits.fork(),
        textures: Textures::Near,
        side_files: SideFiles::in_room(&room),
        ..LowerCx::new(source, dialect.id())
    };
    let fitted = fit::fit(&scene, &Dgl3::INFO.target(), &inner.limits, &mut Losses::default()).ok()?;
    lower(&fitted, &mut inner).ok()
}

/// The files beside a file that a model names.
struct From<'a> {
    source: &'a dyn Source,
    file: &'a FileId,
}

impl Source for From<'_> {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        self.source.load(name, from.or(Some(self.file)))
    }
}

/// Where everything is that a source has.
struct Unmoved<'a>(&'a dyn Source);

impl Room for Unmoved<'_> {
    fn takes(&self, _: &str, _: &Blob) -> bool {
        true
    }
    fn holds(&self, path: &str, bytes: &Blob) -> bool {
        self.0.load(path, None).bytes().as_ref() == Some(bytes)
    }
}
