//! The libraries a file names, and every material they describe.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use findings::{FileId, Loaded, Place, Rule, Source};
use wire::{Blob, Span};

use super::read::{Entry, read};
use crate::images::folder_of;
use crate::obj::layout::{Document, Kind};
use crate::obj::lex::{Cursor, quote};
use crate::obj::rules::OBJ_020;
use crate::{FileKind, NamedFile};

/// Something worth telling about a library. Rules and conversions read libraries in the same way; what becomes of a
/// remark is theirs to say.
pub(in crate::obj) struct Remark {
    pub(in crate::obj) rule: &'static Rule<Document>,
    pub(in crate::obj) place: Place,
    pub(in crate::obj) message: String,
}

/// The libraries a file names.
#[derive(Default)]
pub(in crate::obj) struct Libraries {
    pub(in crate::obj) found: Vec<Library>,
    pub(in crate::obj) missing: Vec<Missing>,
}

/// A library.
pub(in crate::obj) struct Library {
    pub(super) text: Blob,
    pub(super) id: FileId,
}

/// A library that is not there.
pub(in crate::obj) struct Missing {
    /// The bytes of its name in the OBJ.
    pub(in crate::obj) at: Range<usize>,
    pub(in crate::obj) why: String,
}

impl Library {
    /// Some of its bytes.
    pub(super) fn place(&self, path: String, bytes: Range<usize>) -> Place {
        let all = self.text.span();
        let span = Span { offset: all.offset + bytes.start as u64, size: bytes.len() as u64, ..all };
        Place::bytes(path, span).in_file(self.id.clone())
    }
}

impl Libraries {
    /// Looks for every library that the file names.
    pub(in crate::obj) fn find(doc: &Document, source: &dyn Source) -> Libraries {
        let mut libraries = Libraries::default();
        let (mut tried, mut files) = (HashMap::new(), HashSet::new());
        let mut look_for = |name: &[u8]| {
            let loaded = source.load(&String::from_utf8_lossy(name), None);
            if let Loaded::Found { bytes, id } = &loaded
                && files.insert(id.clone())
            {
                libraries.found.push(Library { text: bytes.clone(), id: id.clone() });
            }
            loaded
        };
        for (run, _) in doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind == Kind::Mtllib) {
            let argument = doc.argument(run);
            let names: Vec<Range<usize>> = words(doc.source(), &argument).collect();
            // Names are separated by blanks, yet programs write names with blanks: such a file, if it is there, is
            // what is meant.
            if names.len() > 1 {
                let whole = doc.name(run);
                let known = tried.get(&whole).copied();
                if known.unwrap_or_else(|| matches!(look_for(&whole), Loaded::Found { .. })) {
                    tried.insert(whole, true);
                    continue;
                }
                tried.insert(whole, false);
            }
            for at in names {
                let name = doc.source()[at.clone()].to_vec();
                if tried.contains_key(&name) {
                    continue;
                }
                let loaded = look_for(&name);
                tried.insert(name.clone(), matches!(loaded, Loaded::Found { .. }));
                let why = match loaded {
                    Loaded::Found { .. } => continue,
                    Loaded::Missing => format!("material library {} was not found", quote(&name)),
                    Loaded::Refused(why) => format!("material library {}: {why}", quote(&name)),
                };
                libraries.missing.push(Missing { at, why });
            }
        }
        libraries
    }

    /// Whether there is any, and all of them were found: only then a material can be unknown.
    pub(in crate::obj) fn complete(&self) -> bool {
        self.missing.is_empty() && !self.found.is_empty()
    }
}

/// The libraries that a model names, and the images that they name.
pub(in crate::obj) fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
    let libraries = Libraries::find(doc, source);
    let runs = doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind == Kind::Mtllib);
    let names = runs.flat_map(|(run, _)| {
        let parts = words(doc.source(), &doc.argument(run)).map(|at| doc.source()[at].to_vec()).collect::<Vec<_>>();
        std::iter::once(doc.name(run)).chain(parts)
    });
    let missing: HashSet<&[u8]> = libraries.missing.iter().map(|missing| &doc.source()[missing.at.clone()]).collect();
    let mut files: Vec<NamedFile> = Vec::new();
    let mut seen = HashSet::new();
    for name in names {
        let file = NamedFile::find(&String::from_utf8_lossy(&name), "", FileKind::Material, source);
        // Of a line of names that is one name, or the other way round, the other reading is none.
        if (file.bytes.is_none() && !missing.contains(&name[..])) || !seen.insert(file.path.clone()) {
            continue;
        }
        let text = file.bytes.clone();
        let folder = folder_of(&file.path).to_owned();
        let library = text.map(|text| Library { text, id: FileId(file.path.clone()) });
        files.push(file);
        let entries = library.iter().flat_map(|library| read(library, &mut |_| {}));
        for map in entries.flat_map(|entry| entry.maps) {
            let image = NamedFile::find(&String::from_utf8_lossy(&map.path), &folder, FileKind::Texture, source);
            if seen.insert(image.path.clone()) {
                files.push(NamedFile { travels: true, ..image });
            }
        }
    }
    files
}

/// Where the words of some bytes of a text are.
fn words<'a>(text: &'a [u8], bytes: &Range<usize>) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut cursor = Cursor { text: &text[..bytes.end], at: bytes.start };
    std::iter::from_fn(move || {
        let size = cursor.next_word()?.len();
        Some(cursor.at - size..cursor.at)
    })
}

/// Every material that some libraries describe, in order; of those with the same name the last one.
pub(in crate::obj) struct Catalogue<'a> {
    pub(in crate::obj) entries: Vec<Entry<'a>>,
    by_name: HashMap<Vec<u8>, usize>,
}

impl<'a> Catalogue<'a> {
    /// Reads the libraries; whatever is worth telling about their lines goes to `tell`.
    pub(in crate::obj) fn read(libraries: &'a Libraries, tell: &mut dyn FnMut(Remark)) -> Catalogue<'a> {
        let mut catalogue = Catalogue { entries: Vec::new(), by_name: HashMap::new() };
        for library in &libraries.found {
            for entry in read(library, tell) {
                catalogue.add(entry, tell);
            }
        }
        catalogue
    }

    fn add(&mut self, entry: Entry<'a>, tell: &mut dyn FnMut(Remark)) {
        match self.by_name.get(&entry.name) {
            Some(&same) => {
                let message = format!("material {} is described twice; the last one counts", quote(&entry.name));
                tell(entry.remark(&OBJ_020, message));
                self.entries[same] = entry;
            }
            None => {
                self.by_name.insert(entry.name.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Whether there is a material of this name.
    pub(in crate::obj) fn has(&self, name: &[u8]) -> bool {
        self.by_name.contains_key(name)
    }
}
