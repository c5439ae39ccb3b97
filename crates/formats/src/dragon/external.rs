//! Files that a file names by ASSETREF: more of the same format, whose sections it may refer to.
//!
//! Each file is looked into once, in the order of the sections that name it, whatever circles they form.

use std::collections::{HashMap, HashSet, VecDeque};

use findings::{FileId, Loaded, Source};
use wire::{Budget, CText};

use crate::dragon::layout::body::Body;
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::{Document, Section};
use crate::images::folder_of;
use crate::{FileKind, NamedFile, ReadCx};

/// Most files that are looked into: small files can name each other in many ways.
const MOST_FILES: usize = 4096;

/// A file that is named.
pub(super) struct Volume {
    id: FileId,
    /// What the sections of the file itself that name it are called; none for those that only other files name.
    named_by: Vec<Guid>,
    pub(super) doc: Document,
}

/// The files that a file names, directly and through each other.
#[derive(Default)]
pub(super) struct Library {
    volumes: Vec<Volume>,
    /// Where each name is: the file and the section.
    names: HashMap<Guid, (usize, usize)>,
    /// What is wrong with the files that the file itself names: the section, and why.
    pub(super) faults: Vec<(usize, String)>,
}

struct Wanted {
    name: CText,
    from: Option<FileId>,
    /// The section of the file itself that names it.
    named_by: Option<(usize, Guid)>,
}

impl Library {
    /// Looks into every file that can be found.
    pub(super) fn open(doc: &Document, source: &dyn Source, limits: &Budget) -> Library {
        let mut library = Library::default();
        let mut wanted: VecDeque<Wanted> = references(doc)
            .map(|(i, guid, name)| Wanted { name: name.clone(), from: None, named_by: Some((i, guid)) })
            .collect();
        while let Some(Wanted { name, from, named_by }) = wanted.pop_front() {
            if library.volumes.len() == MOST_FILES {
                break;
            }
            let (section, guid) = named_by.unzip();
            let mut fault = |why: String| library.faults.extend(section.map(|section| (section, why)));
            // Paths of other systems are written with backslashes.
            let path = name.to_string().replace('\\', "/");
            let shown = findings::render::escape(&path).into_owned();
            let (bytes, id) = match source.load(&path, from.as_ref()) {
                Loaded::Found { bytes, id } => (bytes, id),
                Loaded::Missing => {
                    fault(format!("\"{shown}\" was not found"));
                    continue;
                }
                Loaded::Refused(why) => {
                    fault(format!("\"{shown}\": {why}"));
                    continue;
                }
            };
            if let Some(known) = library.volumes.iter_mut().find(|volume| volume.id == id) {
                known.named_by.extend(guid);
                continue;
            }
            match super::read::read(&bytes, &mut ReadCx { limits: limits.clone(), ..ReadCx::default() }) {
                Err(error) => fault(format!("\"{shown}\" cannot be read: {error}")),
                Ok(doc) => {
                    wanted.extend(references(&doc).map(|(_, _, name)| Wanted {
                        name: name.clone(),
                        from: Some(id.clone()),
                        named_by: None,
                    }));
                    library.volumes.push(Volume { id, named_by: guid.into_iter().collect(), doc });
                }
            }
        }
        for (v, volume) in library.volumes.iter().enumerate() {
            for (s, section) in volume.doc.sections.iter().enumerate().filter(|(_, s)| !s.guid.is_none()) {
                library.names.entry(section.guid).or_insert((v, s));
            }
        }
        library
    }

    /// The section with this name, in the first file that has one.
    pub(super) fn find(&self, guid: Guid) -> Option<&Section> {
        let (volume, section) = self.names.get(&guid)?;
        Some(&self.volumes[*volume].doc.sections[*section])
    }

    /// The first section of a kind in the file that an ASSETREF of this name stands for.
    pub(super) fn first_of(&self, reference: Guid, kind: Kind) -> Option<&Section> {
        let volume = self.volume(reference)?;
        volume.doc.sections.iter().find(|section| section.kind() == Some(kind)).map(|section| &**section)
    }

    /// The file that an ASSETREF of this name stands for.
    pub(super) fn volume(&self, reference: Guid) -> Option<&Volume> {
        self.volumes.iter().find(|volume| volume.named_by.contains(&reference))
    }
}

/// The files that a file names, and the images that they and it name.
pub(super) fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
    let mut files: Vec<NamedFile> = Vec::new();
    let mut seen = HashSet::new();
    let mut images = Vec::new();
    let mut open = vec![(String::new(), doc.clone())];
    while let Some((folder, mut doc)) = open.pop() {
        doc.canonicalize();
        images.extend(doc.sections.iter().filter_map(|section| match &section.body {
            Body::Image(body) => Some(body.path.to_string()),
            _ => None,
        }));
        for (.., name) in references(&doc) {
            let file = NamedFile::find(&name.to_string(), &folder, FileKind::Part, source);
            if files.len() == MOST_FILES || !seen.insert(file.path.clone()) {
                continue;
            }
            let inner = file.bytes.as_ref().and_then(|bytes| super::read::read(bytes, &mut ReadCx::default()).ok());
            open.extend(inner.map(|inner| (folder_of(&file.path.replace('\\', "/")).to_owned(), inner)));
            files.push(file);
        }
    }
    files.extend(NamedFile::textures(images, source));
    files
}

fn references(doc: &Document) -> impl Iterator<Item = (usize, Guid, &CText)> {
    doc.sections.iter().enumerate().filter_map(|(i, section)| match &section.body {
        Body::AssetRef(body) => Some((i, section.guid, &body.reference)),
        _ => None,
    })
}
