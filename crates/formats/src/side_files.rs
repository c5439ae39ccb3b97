//! The files beside a model that is being written: what each of them is called. Links follow names, so whoever writes
//! a link asks here first.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use wire::Blob;

use crate::{NamedFile, SideFile};

/// The folder that a model is written to.
pub trait Room: Sync {
    /// Whether a file of this name, which may be a path below the folder, can have this content: there is none yet, or
    /// one with the same content, or one that belongs to the model that is replaced.
    fn takes(&self, name: &str, bytes: &Blob) -> bool;
    /// Whether a model in the folder finds this content under this path.
    fn holds(&self, path: &str, bytes: &Blob) -> bool;
}

/// No folder: every name is free, and nothing is there.
pub struct NoRoom;

impl Room for NoRoom {
    fn takes(&self, _: &str, _: &Blob) -> bool {
        true
    }
    fn holds(&self, _: &str, _: &Blob) -> bool {
        false
    }
}

/// What becomes of the textures and other files that a model names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Textures {
    /// Nobody said, and the model stays in its folder: what it finds there stays where it is.
    Near,
    /// Nobody said, and the model goes elsewhere, or it is not known where: it takes everything along.
    #[default]
    Away,
    /// They go into the model.
    Embed,
    /// They are written beside the model.
    Copy,
    /// Their paths are written as they are.
    Reference,
}

impl Textures {
    const ALL: [(&'static str, Textures); 5] = [
        ("near", Textures::Near),
        ("away", Textures::Away),
        ("embed", Textures::Embed),
        ("copy", Textures::Copy),
        ("reference", Textures::Reference),
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        Textures::ALL.iter().find(|(_, own)| *own == self).map_or("away", |(name, _)| name)
    }

    /// What a word stands for.
    pub fn named(word: &str) -> Option<Textures> {
        Textures::ALL.iter().find(|(name, _)| *name == word).map(|(_, own)| *own)
    }
}

/// The files beside a model so far.
pub struct SideFiles<'a> {
    room: &'a dyn Room,
    files: Vec<SideFile>,
    /// Where each is in the list, by what is the same for names that some disk takes for one.
    places: HashMap<String, usize>,
    /// By wanted names, the last number that was tried.
    numbers: HashMap<String, usize>,
    /// What became of names that were not free in the folder.
    notes: Vec<String>,
}

impl Default for SideFiles<'_> {
    fn default() -> Self {
        SideFiles::in_room(&NoRoom)
    }
}

impl<'a> SideFiles<'a> {
    /// Beside a model in this folder.
    pub fn in_room(room: &'a dyn Room) -> SideFiles<'a> {
        SideFiles { room, files: Vec::new(), places: HashMap::new(), numbers: HashMap::new(), notes: Vec::new() }
    }

    /// The folder.
    pub fn room(&self) -> &'a dyn Room {
        self.room
    }

    /// The files.
    pub fn files(&self) -> &[SideFile] {
        &self.files
    }

    /// Adds a file of its own, and answers what it is called: the wanted name, or the first free one with a number.
    pub fn add(&mut self, wanted: &str, bytes: Blob) -> String {
        self.add_as(wanted, bytes, false)
    }

    /// Adds a file that several may name: with equal content under the same name it is one.
    pub fn share(&mut self, wanted: &str, bytes: Blob) -> String {
        self.add_as(wanted, bytes, true)
    }

    fn add_as(&mut self, wanted: &str, bytes: Blob, shared: bool) -> String {
        let key = same_name(wanted);
        let (stem, extension) = parts(wanted);
        let mut number = if shared { 1 } else { self.numbers.get(&key).copied().unwrap_or(1) };
        let mut refused = false;
        let name = loop {
            let name = if number == 1 { wanted.to_owned() } else { format!("{stem}-{number}{extension}") };
            match self.places.get(&same_name(&name)) {
                Some(&same) if shared && self.files[same].bytes == bytes => return self.files[same].name.clone(),
                Some(_) => {}
                None if self.room.takes(&name, &bytes) => break name,
                None => refused = true,
            }
            number += 1;
        };
        if refused {
            self.notes.push(format!("{wanted} is there with other content; written as {name}"));
        }
        self.numbers.insert(key, number);
        self.push(name.clone(), bytes);
        name
    }

    /// Adds a file under a name that cannot change; answers whether it may have it.
    pub fn keep(&mut self, name: &str, bytes: Blob) -> bool {
        if let Some(&same) = self.places.get(&same_name(name)) {
            return self.files[same].bytes == bytes;
        }
        let free = self.room.takes(name, &bytes);
        if free {
            self.push(name.to_owned(), bytes);
        }
        free
    }

    fn push(&mut self, name: String, bytes: Blob) {
        self.places.insert(same_name(&name), self.files.len());
        self.files.push(SideFile { name, bytes });
    }

    /// Whether the model finds a file that it names: it was added, or it is in the folder anyway.
    pub fn finds(&self, file: &NamedFile) -> bool {
        let Some(bytes) = &file.bytes else { return false };
        let added = crate::below(&file.path).and_then(|path| self.places.get(&same_name(&path)));
        added.is_some_and(|&at| self.files[at].bytes == *bytes) || self.room.holds(&file.path, bytes)
    }

    /// Takes the files away.
    pub fn take(&mut self) -> Vec<SideFile> {
        self.places.clear();
        std::mem::take(&mut self.files)
    }

    /// Takes them back.
    pub fn put_back(&mut self, files: Vec<SideFile>) {
        files.into_iter().for_each(|file| self.push(file.name, file.bytes));
    }

    /// Something to be said about the names.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Everything that is to be said about the names.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// What is the same for names that some disk takes for one: case does not matter on it, nor whether an accent is a
/// character of its own.
pub fn same_name(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// A path without its extension, and the extension with the dot.
fn parts(path: &str) -> (&str, &str) {
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[file..].rfind('.') {
        Some(dot) if dot > 0 => path.split_at(file + dot),
        _ => (path, ""),
    }
}
