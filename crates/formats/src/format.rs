use std::collections::HashSet;
use std::path::{Component, Path};

use findings::{Error, Loaded, Result, Rule, Source};
use scene::Scene;
use wire::{Blob, Node, Sink};

use crate::carry::{Carried, Key};
use crate::restore::{Merged, Three};
use crate::{Facts, Info, LiftCx, LowerCx, ReadCx};

/// A format: what it says about itself, its rules, and the steps of the way.
pub trait Format: Send + Sync + 'static {
    /// What it says about itself.
    const INFO: Info;
    /// Prefixes of its rule ids: its own, and those of a language inside it or of a format it shares rules with.
    const PREFIXES: &'static [&'static str] = &[Self::INFO.prefix];
    /// Whether a scene can be far larger than the file it is made of: objects that name others repeat them.
    const MULTIPLIES: bool = false;
    /// Properties of nodes that are no user's: the format gives them a meaning.
    const MEANT: &'static [&'static str] = &[];
    /// What it says of objects of a scene although the scene has no field for it.
    const KEYS: &'static [Key] = &[];
    /// What can be wrong with its files.
    const RULES: &'static [&'static Rule<Self::Document>];
    /// A file of this format, as it is.
    type Document: Document;

    /// How sure the content makes it that a file is of this format. It may walk structure, in bounded steps.
    fn probe(file: &Blob, hint: &Hint) -> Score;

    /// Bytes → document. Keeps everything the file says, right or wrong; repairs nothing.
    ///
    /// # Errors
    /// If the file leaves nothing to go on with.
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Self::Document>;

    /// Document → bytes. Unedited units go out as the bytes they came from.
    ///
    /// # Errors
    /// If the document asks for what the layout cannot hold.
    fn write(doc: &Self::Document, out: &mut Sink) -> Result<()>;

    /// Document → the same document in the dialect of `cx`, and with its options. A format of one dialect has nothing to
    /// change.
    ///
    /// # Errors
    /// If the format has no such dialect.
    fn transcode(_: &mut Self::Document, cx: &mut LowerCx<'_>) -> Result<()> {
        Self::INFO.dialect(cx.dialect).map(drop).ok_or_else(|| Self::INFO.no_dialect(cx.dialect))
    }

    /// A document of this type, whatever format it came in, as a file of this one, with the options of `cx`; nothing if
    /// it must go through a scene. For formats that differ in their container only.
    ///
    /// # Errors
    /// If an option does not fit.
    fn repack(_: &Self::Document, _: &mut LowerCx<'_>) -> Result<Option<Package<Self::Document>>> {
        Ok(None)
    }

    /// The files that a document names, itself and through each other, whether they are there or not; each once.
    fn named(_: &Self::Document, _: &dyn Source) -> Vec<NamedFile> {
        Vec::new()
    }

    /// The source that travels in a document; one that cannot be used is told and left alone.
    fn carried(_: &Self::Document, _: &mut LiftCx<'_>) -> Option<Carried> {
        None
    }

    /// Document → scene. Shares the file's vertex data.
    ///
    /// # Errors
    /// If the document's parts contradict each other so that no scene can be made of them.
    fn lift(doc: &Self::Document, cx: &mut LiftCx<'_>) -> Result<Scene>;

    /// The document of three that says what ours does and is the origin's where nobody changed anything; nothing where
    /// an edited model must be written anew as a whole.
    fn merge(_: Three<'_, Self::Document>) -> Option<Merged<Self::Document>> {
        None
    }

    /// Whether a document still says what another of the format does, but for a source that travels in it. A document
    /// may say the same in ways that take longer to see.
    fn says_still(_: &Self::Document, _: &Self::Document, _: &dyn Source, _: &dyn Source) -> bool {
        false
    }

    /// Before a scene is fitted to the format: leaves out what stands in other files that the document goes on to name.
    fn refer(_: &mut Scene, _: &mut LowerCx<'_>) {}

    /// Scene → document in the dialect of `cx`. The scene has been fitted to the format's capabilities.
    ///
    /// # Errors
    /// If the scene is larger than the format's fields.
    fn lower(_: &Scene, _: &mut LowerCx<'_>) -> Result<Package<Self::Document>> {
        Err(Error::usage(format!("{} cannot be written by this version", Self::INFO.name)))
    }
}

/// A file as it is.
pub trait Document: Clone + Eq + Send + Sync + 'static {
    /// The dialect it is in.
    fn dialect(&self) -> &'static str;
    /// Which field owns which bytes; expanded only where someone looks.
    fn tree(&self) -> Vec<Node>;
    /// Forgets the bytes that units came from, so that writing must make them anew.
    fn forget_raw(&mut self);
    /// What `info` says. Without a `full` look, whatever needs a pass over the data is left open.
    fn facts(&self, full: bool) -> Facts;
}

/// What is known about a file besides its content.
#[derive(Clone, Debug, Default)]
pub struct Hint {
    /// Its extension, without the dot.
    pub extension: Option<String>,
}

/// How sure a format is that a file is its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub u8);

impl Score {
    /// It is not.
    pub const NO: Score = Score(0);
    /// It may be: nothing contradicts it.
    pub const MAYBE: Score = Score(20);
    /// Its structure fits.
    pub const LIKELY: Score = Score(60);
    /// It says so itself.
    pub const SURE: Score = Score(100);
}

/// A document and the files that belong beside it.
pub struct Package<D> {
    /// The main file.
    pub document: D,
    /// The others.
    pub side_files: Vec<SideFile>,
}

impl<D> Package<D> {
    /// A document, and the files that were made for it.
    pub fn new(document: D, cx: &mut LowerCx<'_>) -> Package<D> {
        Package { document, side_files: cx.side_files.take() }
    }

    /// A document that is one file.
    pub fn alone(document: D) -> Package<D> {
        Package { document, side_files: Vec::new() }
    }
}

/// A file that belongs beside another one.
#[derive(Clone, Debug)]
pub struct SideFile {
    /// Its name in the same folder, or its path below it.
    pub name: String,
    /// Its content.
    pub bytes: Blob,
}

/// A file that a document names, or that such a file names.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// Its path from the document's folder, in the words of whoever names it.
    pub path: String,
    /// What it is for.
    pub kind: FileKind,
    /// Whether it travels with a document that travels: images go another way where the scene has them.
    pub travels: bool,
    /// Its content, if it was found.
    pub bytes: Option<Blob>,
}

impl NamedFile {
    /// A file that a document names. `folder` is that of a file that names it, below the document's own, with a slash
    /// behind it; there it is looked for first.
    pub fn find(name: &str, folder: &str, kind: FileKind, source: &dyn Source) -> NamedFile {
        let travels = kind != FileKind::Texture;
        let nearer = (!folder.is_empty()).then(|| format!("{folder}{name}"));
        for path in nearer.into_iter().chain([name.to_owned()]) {
            if let Loaded::Found { bytes, .. } = source.load(&path, None) {
                return NamedFile { path, kind, travels, bytes: Some(bytes) };
            }
        }
        NamedFile { path: name.to_owned(), kind, travels, bytes: None }
    }

    /// The images that a document names.
    pub fn textures<P: AsRef<[u8]>>(paths: impl IntoIterator<Item = P>, source: &dyn Source) -> Vec<NamedFile> {
        let paths = paths.into_iter().filter(|path| !path.as_ref().is_empty());
        let mut seen = HashSet::new();
        let found = paths.filter_map(|path| {
            let path = String::from_utf8_lossy(path.as_ref()).into_owned();
            seen.insert(path.clone()).then(|| NamedFile::find(&path, "", FileKind::Texture, source))
        });
        found.collect()
    }

    /// The same as a file beside the document, if it is there and lies in the document's folder or below.
    pub fn side_file(self) -> Option<SideFile> {
        Some(SideFile { name: below(&self.path)?, bytes: self.bytes? })
    }
}

/// What a file that a document names is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An image.
    Texture,
    /// Materials.
    Material,
    /// A part of the model itself: meshes, scenes, buffers.
    Part,
}

/// The path of a file that a document names, with the slashes of every system; nothing if it leads out of the document's
/// folder, or names a drive.
pub fn below(name: &str) -> Option<String> {
    let path = name.replace('\\', "/");
    (is_below(&path) && !path.contains(':')).then_some(path)
}

/// Whether a path leads nowhere but down.
pub fn is_below(path: &str) -> bool {
    let down = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && !path.contains('\\') && Path::new(path).components().all(down)
}
