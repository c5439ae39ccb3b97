use findings::{Error, Finding, Losses, Result};
use formats::{AnyDocument, AnyFormat, BridgeCx, Dialect, Engine, Info, Options, PICTURES, Package, SideFile, WriteCx};
use scene::fit::fit;
use scene::{ImageSource, Scene};
use wire::Sink;

use crate::{Asset, Corrections};

/// How a file is converted.
#[derive(Clone)]
pub struct ConvertOptions {
    /// The format to write.
    pub to: &'static dyn AnyFormat,
    /// The dialect to write; else the one the source came in, if it is of the same format; else the format's own.
    pub dialect: Option<String>,
    /// Options of the target format.
    pub options: Options,
    /// What is known better than the file about its axes and units.
    pub corrections: Corrections,
    /// The name of the output without its extension: side files are named after it.
    pub stem: String,
    /// Whether everything must go into the main file, because there is no folder beside it.
    pub embed: bool,
}

impl ConvertOptions {
    /// Converts to a format with its defaults.
    pub fn to(format: &'static dyn AnyFormat) -> ConvertOptions {
        ConvertOptions {
            to: format,
            dialect: None,
            options: Options::default(),
            corrections: Corrections::default(),
            stem: "model".to_owned(),
            embed: false,
        }
    }
}

/// A converted file that has not been written yet.
#[must_use]
pub struct Converted {
    /// The main file.
    pub document: Box<dyn AnyDocument>,
    /// Files that belong beside it.
    pub side_files: Vec<SideFile>,
    /// What was left behind.
    pub losses: Losses,
    /// What was noticed on the way.
    pub findings: Vec<Finding>,
    /// What the user should know about the result.
    pub notes: Vec<String>,
}

impl Converted {
    /// The bytes of the main file, long runs still shared with the source.
    ///
    /// # Errors
    /// If the document asks for what the layout cannot hold.
    pub fn to_sink(&self) -> Result<Sink> {
        let mut sink = Sink::default();
        self.document.write(&mut sink, &mut WriteCx::default())?;
        Ok(sink)
    }

    /// The bytes of the main file in one piece.
    ///
    /// # Errors
    /// If the document asks for what the layout cannot hold.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_sink().map(Sink::into_vec)
    }
}

/// Converts a file. Within one format the document itself is changed, and if nothing is to be changed it is the same
/// bytes; between formats it goes through the scene, which is fitted to what the target can hold.
///
/// # Errors
/// If the target cannot be written, has no such dialect, or an option does not fit.
pub fn convert(asset: &Asset, options: &ConvertOptions) -> Result<Converted> {
    let target = options.to.info();
    let same_format = asset.format().id == target.id;
    if let Some(id) = &options.dialect {
        writable_dialect(target, id)?;
    }
    check_options(target, &options.options)?;
    // A format of one dialect has nothing to change in a document: its options are about what goes where.
    let by_document = options.dialect.is_some() || options.options.is_empty() || target.dialects.len() > 1;
    if same_format && by_document && options.corrections.is_empty() && !(options.embed && has_files(asset)) {
        transcode(asset, options)
    } else {
        through_scene(asset, options)
    }
}

fn has_files(asset: &Asset) -> bool {
    !asset.document().beside(&*asset.source()).is_empty()
}

fn transcode(asset: &Asset, options: &ConvertOptions) -> Result<Converted> {
    let mut document = asset.document().duplicate();
    let came_in = document.dialect();
    let dialect = match &options.dialect {
        Some(id) => writable_dialect(options.to.info(), id)?.id,
        None => came_in,
    };
    let source = asset.source();
    let mut cx = asset.bridge(&*source);
    // Where pictures go changes nothing in the document.
    let of_document = options.options.without(PICTURES.name);
    (cx.dialect, cx.options) = (dialect, &of_document);
    // A file can be of a dialect in all but the way it is compressed: whoever asks for the dialect gets all of it.
    let asked = options.dialect.is_some() && options.to.info().dialects.len() > 1;
    let changed = asked || !of_document.is_empty();
    if changed {
        document.transcode(&mut cx)?;
    }
    let mut notes = if changed { notes(options.to.info(), document.dialect()) } else { Vec::new() };
    notes.extend(replaced(came_in, document.dialect(), options));
    let mut side_files = document.beside(&*source);
    if wants_pictures(asset, options)? {
        let scene = document.lift(&mut cx)?;
        add_pictures(&scene, &mut side_files);
    }
    Ok(finish(Package { document, side_files }, cx, notes, asset))
}

fn through_scene(asset: &Asset, options: &ConvertOptions) -> Result<Converted> {
    let target = options.to.info();
    if !target.write {
        return Err(Error::usage(format!("{} cannot be written by this version", target.name))
            .with_help("pentad formats shows what can be written"));
    }
    let source = asset.source();
    let mut cx = asset.bridge(&*source);
    (cx.options, cx.stem, cx.embed) = (&options.options, &options.stem, options.embed);
    let mut scene = asset.document().lift(&mut cx)?;
    options.corrections.apply(&mut scene);
    let remembered = scene.origin.as_ref().filter(|origin| origin.format == target.id).map(|o| o.dialect.clone());
    cx.dialect = match (&options.dialect, &remembered) {
        (Some(id), _) => writable_dialect(target, id)?.id,
        (None, Some(id)) => target.written(id),
        (None, None) => target.default_dialect(),
    };
    let fitted = fit(&scene, &target.capabilities, target.id, target.name, &mut cx.losses);
    let mut package = options.to.lower(&fitted, &mut cx)?;
    if wants_pictures(asset, options)? {
        add_pictures(&fitted, &mut package.side_files);
    }
    let written = package.document.dialect();
    let mut notes = notes(target, written);
    notes.extend(remembered.and_then(|id| replaced(&id, written, options)));
    Ok(finish(package, cx, notes, asset))
}

/// One line if a file comes back in another dialect than it was in, though nobody asked for one.
fn replaced(came_in: &str, written: &str, options: &ConvertOptions) -> Option<String> {
    let changed = options.dialect.is_none() && came_in != written;
    changed.then(|| format!("the {came_in} dialect is only read; written in the {written} dialect"))
}

/// Whether the pictures that a target names by their paths are written there.
fn wants_pictures(asset: &Asset, options: &ConvertOptions) -> Result<bool> {
    if !options.to.info().options.iter().any(|option| option.value == PICTURES.value) {
        return Ok(false);
    }
    match options.options.get(PICTURES.name) {
        Some("copy") => Ok(true),
        Some("reference") => Ok(false),
        // Pictures inside of a GLB are nowhere else.
        None => Ok(asset.format().id == "glb"),
        Some(other) => Err(Error::usage(format!("--textures is {other}")).with_help("it is copy or reference")),
    }
}

fn add_pictures(scene: &Scene, side_files: &mut Vec<SideFile>) {
    for image in scene.images.iter() {
        let ImageSource::File { path, bytes: Some(bytes) } = &image.source else { continue };
        let name = path.to_string();
        if formats::is_below(&name) && side_files.iter().all(|file| file.name != name) {
            side_files.push(SideFile { name, bytes: bytes.clone() });
        }
    }
}

fn finish(package: Package<Box<dyn AnyDocument>>, cx: BridgeCx<'_>, notes: Vec<String>, source: &Asset) -> Converted {
    let Package { document, side_files } = package;
    let findings = cx.findings.finish(&source.document().tree());
    Converted { document, side_files, losses: cx.losses, findings, notes }
}

fn writable_dialect(target: &'static Info, id: &str) -> Result<&'static Dialect> {
    let writable = || target.dialects.iter().filter(|dialect| dialect.write);
    writable().find(|dialect| dialect.id == id).ok_or_else(|| {
        let known: Vec<&str> = writable().map(|dialect| dialect.id).collect();
        Error::usage(format!("{} cannot be written in dialect \"{id}\"", target.name))
            .with_help(format!("it can be written in {}", known.join(", ")))
    })
}

fn check_options(target: &Info, options: &Options) -> Result<()> {
    let known = |name: &str| target.options.iter().any(|option| option.name == name);
    match options.names().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => Err(Error::usage(format!("--{name} does not apply to {}", target.name))
            .with_help("pentad convert --help says which formats each option is for")),
    }
}

/// One line if the program behind the format cannot load what is written.
fn notes(target: &Info, dialect: &str) -> Vec<String> {
    match target.dialect(dialect).map(|dialect| dialect.engine) {
        Some(Engine::Fails { instead }) => vec![format!(
            "written in the {dialect} dialect, which existing programs cannot load; \
             --dialect {instead} writes what they load"
        )],
        _ => Vec::new(),
    }
}
