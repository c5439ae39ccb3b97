//! Files that a file names: meshes and whole scenes, relative to the file that names them.
//!
//! A circle of files is noticed by their ids, a chain by its length; what the folder refuses or lacks is told and the
//! reader goes on without it.

use std::collections::{HashMap, HashSet};
use std::fmt;

use findings::{FileId, Loaded, Place, Source};
use wire::{Budget, Limits, Text};

use super::facts::{DEFAULT_MATERIAL, material_of};
use super::layout::Document;
use crate::images::folder_of;
use crate::{FileKind, NamedFile, ReadCx, mat};

/// What is wrong with a file that another one names.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It is missing, refused, unreadable or part of a circle.
    File(String),
    /// It stands for one mesh and holds another number.
    Meshes(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::File(why) => f.write_str(why),
            Fault::Meshes(count) => write!(f, "it holds {count} meshes, expected one"),
        }
    }
}

/// A file that was loaded, and the files that led to it.
#[derive(Clone)]
pub(super) struct Chain {
    /// The files, outermost first; the model itself has no id of its own until something names it.
    files: Vec<FileId>,
}

impl Chain {
    /// The model itself.
    pub(super) fn start() -> Chain {
        Chain { files: Vec::new() }
    }

    /// The innermost file.
    pub(super) fn from(&self) -> Option<&FileId> {
        self.files.last()
    }

    /// Whether files of this depth may name further ones.
    fn may_go_on(&self, limits: &Limits) -> bool {
        self.files.len() < limits.max_depth as usize
    }
}

/// Loads the file that a text names.
pub(super) fn load(
    name: &Text,
    chain: &Chain,
    source: &dyn Source,
    limits: &Budget,
) -> Result<(Document, Chain), Fault> {
    let file = name.to_string();
    let shown = findings::render::escape(&file).into_owned();
    if !chain.may_go_on(limits) {
        return Err(Fault::File(format!("\"{shown}\" is named by a chain of {} files", limits.max_depth)));
    }
    let (bytes, id) = match source.load(&file, chain.from()) {
        Loaded::Found { bytes, id } => (bytes, id),
        Loaded::Missing => return Err(Fault::File(format!("\"{shown}\" was not found"))),
        Loaded::Refused(why) => return Err(Fault::File(why)),
    };
    if chain.files.contains(&id) {
        return Err(Fault::File(format!("\"{shown}\" names itself over other files")));
    }
    let mut cx = ReadCx { limits: limits.clone(), ..ReadCx::default() };
    let doc = super::read::read(&bytes, &mut cx)
        .map_err(|error| Fault::File(format!("\"{shown}\" cannot be read: {error}")))?;
    let mut files = chain.files.clone();
    files.push(id);
    Ok((doc, Chain { files }))
}

/// Loads the file that stands for one mesh. A mesh that is external in turn is followed.
pub(super) fn load_mesh(
    name: &Text,
    chain: &Chain,
    source: &dyn Source,
    limits: &Budget,
) -> Result<super::Body, Fault> {
    let (mut name, mut chain) = (name.clone(), chain.clone());
    loop {
        let (doc, next) = load(&name, &chain, source, limits)?;
        let [mesh] = &doc.meshes[..] else { return Err(Fault::Meshes(doc.meshes.len())) };
        if let Some(body) = &mesh.body {
            return Ok(body.clone());
        }
        let Some(external) = &mesh.external else { return Err(Fault::Meshes(0)) };
        (name, chain) = (external.external_filename.clone(), next);
    }
}

/// Most files that are looked into for one check or scene: small files can name each other in many ways.
pub(super) const MOST_FILES: usize = 4096;

/// Everything that is wrong with the files a document names, at the places that name them.
pub(super) fn faults(doc: &Document, source: &dyn Source, limits: &Budget) -> Vec<(Fault, Place)> {
    let mut out = Vec::new();
    let mut known: HashMap<Vec<u8>, Option<Fault>> = HashMap::new();
    for (i, mesh) in doc.meshes.iter().enumerate() {
        let Some(external) = &mesh.external else { continue };
        let name = &external.external_filename;
        let fault = known
            .entry(name.bytes().to_vec())
            .or_insert_with(|| load_mesh(name, &Chain::start(), source, limits).err())
            .clone();
        let place = Place::path("meshes").nth(i).field("external").field("external_filename");
        out.extend(fault.map(|fault| (fault, place)));
    }
    let mut files = MOST_FILES;
    let mut known: HashMap<Vec<u8>, Option<Fault>> = HashMap::new();
    for (i, entity) in doc.entities.iter().enumerate() {
        let Some(external) = &entity.external else { continue };
        let name = &external.external_filename;
        let place = Place::path("entities").nth(i).field("external").field("external_filename");
        let fault = known
            .entry(name.bytes().to_vec())
            .or_insert_with(|| walk(name, &Chain::start(), source, limits, &mut files).err())
            .clone();
        out.extend(fault.map(|fault| (fault, place)));
    }
    out
}

/// Looks into a scene and the scenes it names.
fn walk(name: &Text, chain: &Chain, source: &dyn Source, limits: &Budget, files: &mut usize) -> Result<(), Fault> {
    if *files == 0 {
        return Err(Fault::File(format!("more than {MOST_FILES} files are named")));
    }
    *files -= 1;
    let (doc, chain) = load(name, chain, source, limits)?;
    for mesh in &doc.meshes {
        if let Some(external) = &mesh.external {
            load_mesh(&external.external_filename, &chain, source, limits)?;
        }
    }
    for entity in &doc.entities {
        if let Some(external) = &entity.external {
            walk(&external.external_filename, &chain, source, limits, files)?;
        }
    }
    Ok(())
}

/// The materials, meshes and scenes that a document and the files below it name, and the textures of the materials.
pub(super) fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
    let mut out: Vec<NamedFile> = Vec::new();
    let (mut asked, mut seen) = (HashSet::new(), HashSet::new());
    let mut open = vec![(String::new(), doc.clone())];
    while let Some((folder, doc)) = open.pop() {
        let materials = doc.entities.iter().filter_map(|entity| material_of(entity)).filter(|f| *f != DEFAULT_MATERIAL);
        let meshes = doc.meshes.iter().filter_map(|mesh| mesh.external.as_ref());
        let scenes = doc.entities.iter().filter_map(|entity| entity.external.as_ref());
        let models = meshes.chain(scenes).map(|external| external.external_filename.bytes());
        let materials = materials.map(|name| (name, FileKind::Material));
        for (name, kind) in materials.chain(models.map(|name| (name, FileKind::Part))) {
            let name = String::from_utf8_lossy(name).into_owned();
            if out.len() >= MOST_FILES || !asked.insert((folder.clone(), name.clone())) {
                continue;
            }
            let file = NamedFile::find(&name, &folder, kind, source);
            if !seen.insert(file.path.clone()) {
                continue;
            }
            let below = folder_of(&file.path.replace('\\', "/")).to_owned();
            match &file.bytes {
                Some(bytes) if kind == FileKind::Part => {
                    let inner = super::read::read(bytes, &mut ReadCx::default()).ok();
                    open.extend(inner.map(|inner| (below, inner)));
                }
                Some(bytes) => {
                    let text = mat::Document::of(bytes.clone());
                    for (_, path) in text.textures() {
                        let path = String::from_utf8_lossy(&path);
                        let texture = NamedFile::find(&path, &below, FileKind::Texture, source);
                        if seen.insert(texture.path.clone()) {
                            out.push(texture);
                        }
                    }
                }
                None => {}
            }
            out.push(file);
        }
    }
    out
}
