use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use findings::{Error, FILE_001, FILE_007, Finding, Place, Result};
use formats::{
    AnyDocument, AnyFormat, Beside, FAULT, FileId, Folder, Hint, Info, LiftCx, Loaded, NoSource, ReadCx, SideFile,
    Source,
};
use mmap::Mapping;
use scene::Scene;
use wire::{Blob, Budget, Element, Limits, Node};

/// How a file is opened.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// How much a file may ask for.
    pub limits: Limits,
    /// Folders beside the file's own in which the files it names are looked for.
    pub search_paths: Vec<PathBuf>,
    /// Folders that such files may lie in although they are not looked in.
    pub allow_roots: Vec<PathBuf>,
    /// Whether files are read as a whole. Else larger ones are mapped, which is faster, and ends the process with a
    /// signal if another program cuts them short meanwhile.
    pub in_memory: bool,
}

/// Files below this size are read, larger ones are mapped: a page or two is cheaper to copy than to map.
const MAP_FROM: u64 = 64 * 1024;

/// The bytes of a file and the name it goes by, before anyone has looked inside.
#[derive(Clone)]
pub struct File {
    name: String,
    path: Option<PathBuf>,
    bytes: Blob,
    mapping: Option<Mapping>,
}

impl File {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// If the path does not exist, is a folder, or may not be read.
    pub fn open(path: impl AsRef<Path>) -> Result<File> {
        File::open_with(path, &OpenOptions::default())
    }

    /// Opens a file as the options say; `-` is standard input.
    ///
    /// # Errors
    /// If the path does not exist, is a folder, or may not be read.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<File> {
        let path = path.as_ref();
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|e| Error::io("standard input cannot be read", e))?;
            return Ok(File { name: "-".into(), path: None, bytes: Blob::file(bytes), mapping: None });
        }
        let (bytes, mapping) = map_or_read(path, !options.in_memory)
            .map_err(|e| Error::io(format!("{} cannot be opened", path.display()), e))?;
        Ok(File { name: path.to_string_lossy().into_owned(), path: Some(path.to_owned()), bytes, mapping })
    }

    /// Bytes that are in memory already; there is no folder for the files they may name.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> File {
        File { name: name.into(), path: None, bytes: Blob::file(bytes.into()), mapping: None }
    }

    /// The name it goes by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it lies, if it came from a file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The folder it lies in, if it came from a file.
    fn folder(&self) -> Option<&Path> {
        let folder = self.path()?.parent()?;
        Some(if folder == Path::new("") { Path::new(".") } else { folder })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &Blob {
        &self.bytes
    }

    /// What its name says about it.
    fn hint(&self) -> Hint {
        let extension = Path::new(&self.name).extension().and_then(|e| e.to_str());
        Hint { extension: extension.map(str::to_owned) }
    }

    /// The format its content is in, if any recognises it.
    pub fn format(&self) -> Option<&'static dyn AnyFormat> {
        formats::recognise(&self.bytes, &self.hint())
    }

    /// The format it is taken for where it was found and not named: its extension chooses, unless the content is plainly
    /// of another format.
    pub fn format_by_name(&self) -> Option<&'static dyn AnyFormat> {
        formats::recognise_named(&self.bytes, &self.hint())
    }

    /// Reads it in the format its content is in.
    ///
    /// # Errors
    /// If no format recognises it, or the one that does cannot go on.
    pub fn read(&self, options: &OpenOptions) -> Result<Asset> {
        self.read_as(self.format(), options)
    }

    /// Reads it in this format; if there is none, says why.
    ///
    /// # Errors
    /// If there is no format, or it cannot go on.
    pub fn read_as(&self, format: Option<&'static dyn AnyFormat>, options: &OpenOptions) -> Result<Asset> {
        let Some(format) = format else { return Err(self.not_recognised()) };
        let limits = Budget::new(options.limits, self.bytes.len() as u64);
        let mut cx = ReadCx { limits: limits.clone(), ..ReadCx::default() };
        let document = format.read(self.bytes.clone(), &mut cx)?;
        let findings = cx.findings.finish_with(|| document.tree());
        // What was read so far need not stay in memory until someone looks at it again; a text is seldom looked at twice.
        self.release();
        Ok(Asset { file: self.clone(), document, findings, options: options.clone(), limits, beside: Vec::new() })
    }

    /// Which field owns which byte, whether it can be read or not.
    pub fn outline(&self, options: &OpenOptions) -> Outline {
        let format = self.format();
        match self.read_as(format, options) {
            Ok(asset) => Outline {
                format: Some(asset.format()),
                dialect: Some(asset.document().dialect()),
                tree: asset.document().tree(),
                error: None,
            },
            Err(error) => Outline {
                format: format.map(|format| format.info()),
                dialect: None,
                tree: formats::outline(&self.bytes, &error),
                error: Some(error),
            },
        }
    }

    /// Gives back the memory of what was read so far.
    fn release(&self) {
        self.mapping.iter().for_each(Mapping::release);
    }

    /// Why no format recognises it: what the format of its extension says, if that says more.
    fn not_recognised(&self) -> Error {
        if let Some(format) = self.hint().extension.and_then(|e| formats::by_extension(&e)).filter(|f| f.info().read)
            && let Err(error) = format.read(self.bytes.clone(), &mut ReadCx::default())
        {
            return error;
        }
        let start = self.bytes.slice(..self.bytes.len().min(16));
        let message = if start.is_empty() { "the file is empty" } else { "no format recognises this content" };
        Error::new(findings::ErrorKind::Unsupported, &FILE_001, Place::blob("", &start), message)
            .with_help("pentad formats lists what can be read")
    }
}

pub(crate) fn load(path: &Path) -> std::io::Result<Blob> {
    map_or_read(path, true).map(|(bytes, _)| bytes)
}

fn load_in_memory(path: &Path) -> std::io::Result<Blob> {
    map_or_read(path, false).map(|(bytes, _)| bytes)
}

fn map_or_read(path: &Path, map: bool) -> std::io::Result<(Blob, Option<Mapping>)> {
    let mut file = std::fs::File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory));
    }
    if is_device(metadata.file_type()) {
        return Err(std::io::Error::other("it is a device and has no end"));
    }
    if map && metadata.is_file() && metadata.len() >= MAP_FROM {
        let mapping = mmap::map(&file)?;
        return Ok((Blob::file_of(mapping.clone()), Some(mapping)));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((Blob::file(bytes), None))
}

#[cfg(unix)]
fn is_device(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: std::fs::FileType) -> bool {
    false
}

/// A folder whose files belong to the input of a run once they are read.
struct Admitting {
    folder: Folder,
    limits: Budget,
}

impl Source for Admitting {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        let loaded = self.folder.load(name, from);
        if let Loaded::Found { bytes, id } = &loaded {
            self.limits.admit(&id.0, bytes.len() as u64);
        }
        loaded
    }
}

/// Opens and reads a file of any format.
///
/// # Errors
/// If it cannot be opened or read; see [`File::open`] and [`File::read`].
pub fn open(path: impl AsRef<Path>) -> Result<Asset> {
    open_with(path, &OpenOptions::default())
}

/// Opens and reads a file of any format as the options say.
///
/// # Errors
/// If it cannot be opened or read; see [`File::open`] and [`File::read`].
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Asset> {
    File::open_with(path, options)?.read(options)
}

/// Which field of a file owns which byte.
pub struct Outline {
    /// The format its content is in, if any recognises it.
    pub format: Option<&'static Info>,
    /// The dialect it is in, if it could be read.
    pub dialect: Option<&'static str>,
    /// Its fields; if it could not be read, those before the fault, the fault, and the rest as unread bytes.
    pub tree: Vec<Node>,
    /// Why it could not be read.
    pub error: Option<Error>,
}

impl Outline {
    /// The path of a field in the tree, by the path that errors and findings name: that of a field which could not be
    /// read is that of the fault.
    pub fn path<'p>(&self, named: &'p str) -> Cow<'p, str> {
        let at_fault = self.error.as_ref().is_some_and(|error| error.place().path == named);
        if !at_fault || wire::find(&self.tree, named).is_some() {
            return named.into();
        }
        let inflated = |node: &Node| node.child(Element::Field(FAULT)).map(|_| format!("{}.{FAULT}", node.name).into());
        self.tree.iter().find_map(inflated).unwrap_or(FAULT.into())
    }
}

/// A file that was read.
pub struct Asset {
    file: File,
    document: Box<dyn AnyDocument>,
    findings: Vec<Finding>,
    options: OpenOptions,
    /// What reading made; each run over the file goes on from there.
    limits: Budget,
    /// Files in memory that lie beside it.
    beside: Vec<SideFile>,
}

/// Files in memory, and behind them another place to look.
struct Held {
    files: Vec<SideFile>,
    behind: Box<dyn Source>,
}

impl Source for Held {
    fn load(&self, name: &str, from: Option<&FileId>) -> Loaded {
        Beside::new(&self.files, &*self.behind).load(name, from)
    }
}

impl Asset {
    /// A document that was made of this file, with files that were made with it.
    pub(crate) fn made(&self, document: Box<dyn AnyDocument>, beside: Vec<SideFile>) -> Asset {
        let file = File { bytes: Blob::default(), mapping: None, ..self.file.clone() };
        let (options, limits) = (self.options.clone(), self.limits.clone());
        Asset { file, document, findings: Vec::new(), options, limits, beside }
    }

    /// The file it is in.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The format it is in.
    pub fn format(&self) -> &'static Info {
        self.document.format().info()
    }

    /// The file as it is.
    pub fn document(&self) -> &dyn AnyDocument {
        &*self.document
    }

    /// What the reader tolerated.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Everything worth knowing about it: what the reader tolerated and what the rules find. `asked` is the dialect
    /// whose program should load it.
    pub fn check(&self, asked: Option<&str>) -> Vec<Finding> {
        let mut findings = self.findings.clone();
        let dialect = self.document.dialect();
        // Whether the engine loads it is a question for the rules: it may load other dialects too.
        if let Some(asked) = asked.filter(|asked| *asked != dialect && *asked != findings::ENGINE) {
            let message = format!("the file is in the dialect {dialect}, not in {asked}");
            findings.push(Finding::new(&FILE_007, Place::file(), message));
        }
        findings.extend(self.document.check_within(asked, &*self.source(), &self.limits));
        findings.extend(self.limit().as_ref().map(Finding::from));
        findings::sort(&mut findings);
        findings
    }

    /// The limit that whoever wants to know what the file means runs into, if there is one.
    fn limit(&self) -> Option<Error> {
        if !self.document.format().multiplies() {
            return None;
        }
        match self.scene() {
            Ok(scene) => scene.crowd_within(&self.limits()).err().map(|e| Error::exceeded(Place::file(), e)),
            Err(error) => Some(error).filter(Error::is_limit),
        }
    }

    /// Where the files it names are looked for.
    pub fn source(&self) -> Box<dyn Source> {
        let mut search: Vec<PathBuf> = self.file.folder().map(Path::to_owned).into_iter().collect();
        search.extend(self.options.search_paths.iter().cloned());
        let behind: Box<dyn Source> = if search.is_empty() {
            Box::new(NoSource)
        } else {
            let open = if self.options.in_memory { load_in_memory } else { load };
            let folder = Folder::new(search, self.options.allow_roots.clone(), open);
            Box::new(Admitting { folder, limits: self.limits.clone() })
        };
        if self.beside.is_empty() { behind } else { Box::new(Held { files: self.beside.clone(), behind }) }
    }

    /// What it means.
    ///
    /// # Errors
    /// If its parts contradict each other.
    pub fn scene(&self) -> Result<Scene> {
        let source = self.source();
        self.lift(&mut self.lifting(&*source))
    }

    /// What other programs see in it: nothing of what only pentad understands, such as `extras.pentad` in glTF.
    ///
    /// # Errors
    /// If its parts contradict each other.
    pub fn scene_of_others(&self) -> Result<Scene> {
        let source = self.source();
        self.lift(&mut LiftCx { as_others: true, ..self.lifting(&*source) })
    }

    /// What it means, and what other programs see in it, if that may differ.
    pub(crate) fn both_scenes(&self) -> Result<(Scene, Option<Scene>)> {
        let source = self.source();
        let mut cx = self.lifting(&*source);
        let scene = self.lift(&mut cx)?;
        let others = if cx.own_words { Some(self.scene_of_others()?) } else { None };
        Ok((scene, others))
    }

    /// What it means. What was read of a text for that need not stay in memory; vertex data comes back from the file
    /// when it is written.
    pub(crate) fn lift(&self, cx: &mut LiftCx<'_>) -> Result<Scene> {
        let scene = self.document.lift(cx);
        self.file.release();
        scene
    }

    /// What another run over the file may make.
    pub(crate) fn limits(&self) -> Budget {
        self.limits.fork()
    }

    /// Folders that files may lie in although they are not looked in.
    pub(crate) fn allow_roots(&self) -> &[PathBuf] {
        &self.options.allow_roots
    }

    fn lifting<'a>(&self, source: &'a dyn Source) -> LiftCx<'a> {
        LiftCx { limits: self.limits(), ..LiftCx::new(source) }
    }
}
