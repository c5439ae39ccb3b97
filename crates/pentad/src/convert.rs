use findings::{Error, Finding, Losses, Result};
use formats::carry::{Carried, Original, Unchanged, forget_layout};
use formats::{
    AnyDocument, AnyFormat, Beside, BridgeCx, Dialect, Engine, Info, Options, PICTURES, Package, SideFile, Source,
    WriteCx,
};
use scene::loss::LOSS_032;
use scene::{Fingerprints, ImageSource, Scene};
use wire::Sink;

use crate::{Asset, Corrections, engine};

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
    /// Whether the source file itself travels along, so that the way back gives its very bytes.
    pub carry: bool,
    /// Whether what the program behind the target cannot load is written all the same, in its dialect.
    pub keep_unloadable: bool,
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
            carry: false,
            keep_unloadable: false,
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
/// bytes; between formats it goes through the scene, which is fitted to what the target can hold. A source that travels
/// in the file comes back as it was, as far as the scene did not change since.
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
    if options.carry && !target.capabilities.carries {
        return Err(Error::usage(format!("--carry does not apply: {} has no room for another file", target.name))
            .with_help("it is for .gltf and .glb"));
    }
    // A format of one dialect has nothing to change in a document: its options are about what goes where.
    let by_document = options.dialect.is_some() || options.options.is_empty() || target.dialects.len() > 1;
    if same_format
        && by_document
        && options.corrections.is_empty()
        && !(options.embed && embeds(target) && has_files(asset))
    {
        let source = asset.source();
        let mut converted = transcode(asset.document(), &*source, asset, None, options)?;
        if options.carry {
            converted.notes.push("nothing is carried: the file stays in its own format".to_owned());
        }
        Ok(converted)
    } else if let Some(converted) = repack(asset, options)? {
        Ok(converted)
    } else {
        through_scene(asset, options, false)
    }
}

/// The document itself in another container, where all that differs is where its bytes are.
fn repack(asset: &Asset, options: &ConvertOptions) -> Result<Option<Converted>> {
    if options.carry || !options.corrections.is_empty() {
        return Ok(None);
    }
    let source = asset.source();
    let mut cx = asset.bridge(&*source);
    (cx.options, cx.stem, cx.embed) = (&options.options, &options.stem, options.embed);
    let Some(package) = options.to.repack(asset.document(), &mut cx)? else { return Ok(None) };
    // A source of the target's own format comes back instead.
    let carried = asset.document().carried(&mut cx);
    let comes_back = carried.is_some_and(|carried| carried.document.format().info().id == options.to.info().id);
    Ok((!comes_back).then(|| finish(package, cx, Vec::new(), asset)))
}

/// Whether everything can go into the main file.
fn embeds(target: &Info) -> bool {
    target.options.iter().any(|option| option.name == PICTURES.name && option.value.contains("embed"))
}

fn has_files(asset: &Asset) -> bool {
    !asset.document().beside(&*asset.source()).is_empty()
}

/// A document of the target's own format: that of the asset, or one that travels in it, whose `scene` the asset shows.
fn transcode(
    document: &dyn AnyDocument,
    source: &dyn Source,
    asset: &Asset,
    scene: Option<&Scene>,
    options: &ConvertOptions,
) -> Result<Converted> {
    let mut document = document.duplicate();
    let came_in = document.dialect();
    let dialect = match &options.dialect {
        Some(id) => writable_dialect(options.to.info(), id)?.id,
        None => came_in,
    };
    let mut cx = asset.bridge(source);
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
    let mut side_files = document.beside(source);
    match (wanted_pictures(asset, options)?, scene) {
        (Pictures::All, None) => {
            let scene = document.lift(&mut cx)?;
            add_pictures(&scene, &mut side_files, None, &mut cx.losses);
        }
        (wanted, Some(scene)) => wanted.add(scene, &mut side_files, source, &mut cx.losses),
        _ => {}
    }
    let stops = engine::stops(&*document, &side_files, source, options);
    notes.extend(engine::note(&stops, dialect));
    Ok(finish(Package { document, side_files }, cx, notes, asset))
}

/// `anew` forgets what only the target's own format says of the scene.
fn through_scene(asset: &Asset, options: &ConvertOptions, anew: bool) -> Result<Converted> {
    let target = options.to.info();
    let folder = asset.source();
    let travels = target.capabilities.carries || asset.format().id == target.id;
    let mut cx = BridgeCx { travels, ..asset.bridge(&*folder) };
    let mut scene = asset.lift(&mut cx)?;
    let carried = asset.document().carried(&mut cx);
    let (read, mut losses) = (cx.findings, cx.losses);
    let findings = |mut more: Vec<Finding>| {
        let mut findings = read.finish(&asset.document().tree());
        findings.append(&mut more);
        findings
    };
    let mut notes = Vec::new();
    let back = match &carried {
        Some(carried) if carried.document.format().info().id == target.id => {
            if options.corrections.is_empty() {
                Some((carried, Unchanged::of(&carried.prints, &Fingerprints::of(&scene))))
            } else {
                notes.push("the source that travels in the file is not used: everything is to change".to_owned());
                None
            }
        }
        _ => None,
    };
    if let Some((carried, unchanged)) = &back
        && unchanged.is_whole()
    {
        let source = Beside { files: &carried.beside, behind: &*folder };
        let mut converted = transcode(&*carried.document, &source, asset, Some(&scene), options)?;
        converted.findings = findings(converted.findings);
        return Ok(converted);
    }
    if !target.write {
        return Err(Error::usage(format!("{} cannot be written by this version", target.name))
            .with_help("pentad formats shows what can be written"));
    }
    // What is in its own format, or was, stays whole.
    let lacks = engine::lacks(options).filter(|_| back.is_none() && asset.format().id != target.id);
    if anew {
        engine::forget_own_words(&mut scene, options.to, &mut losses);
    }
    options.corrections.apply(&mut scene);
    let remembered = scene.origin.as_ref().filter(|origin| origin.format == target.id).map(|o| o.dialect.clone());
    let dialect = match (&options.dialect, &remembered) {
        (Some(id), _) => writable_dialect(target, id)?.id,
        (None, Some(id)) => target.written(id),
        (None, None) => target.default_dialect(),
    };
    let mut origin = None;
    let mut beside: &[SideFile] = &[];
    if let Some((carried, unchanged)) = &back {
        let (changed, all) = unchanged.counts();
        let rest = if options.to.adopts() { "taken from the source that travels in the file" } else { "written anew" };
        notes.push(format!("{changed} of {all} objects changed; the others are {rest}"));
        if options.to.adopts() {
            unchanged.note(&mut scene, target.id);
            origin = Some(in_dialect(carried, dialect, asset)?);
            beside = &carried.beside;
        }
    }
    let original = original(asset, carried.as_ref(), &*folder, options);
    let source = Beside { files: beside, behind: &*folder };
    let mut cx = asset.bridge(&source);
    (cx.options, cx.stem, cx.embed, cx.dialect) = (&options.options, &options.stem, options.embed, dialect);
    (cx.carry, cx.origin) = (original.as_ref(), origin.as_deref());
    forget_layout(&mut scene, target);
    let fitted = engine::fitted(&scene, target, lacks.unwrap_or_default(), &mut losses);
    check_references(&fitted, &options.options)?;
    let mut package = options.to.lower(&fitted, &mut cx)?;
    add_files(&mut package, &source);
    wanted_pictures(asset, options)?.add(&fitted, &mut package.side_files, &source, &mut losses);
    let written = package.document.dialect();
    let stops = engine::stops(&*package.document, &package.side_files, &source, options);
    if lacks.is_some() && !stops.is_empty() && !anew {
        return through_scene(asset, options, true);
    }
    // Without materials or entities there is nothing to tell a dialect by.
    notes.extend(self::notes(target, options.dialect.as_deref().unwrap_or(written)));
    notes.extend(engine::note(&stops, dialect));
    notes.extend(remembered.and_then(|id| replaced(&id, written, options)));
    losses.extend(std::mem::take(&mut cx.losses));
    let mut converted = finish(package, cx, notes, asset);
    (converted.losses, converted.findings) = (losses, findings(converted.findings));
    Ok(converted)
}

/// A source that has travelled, in the dialect that is to be written.
fn in_dialect(carried: &Carried, dialect: &'static str, asset: &Asset) -> Result<Box<dyn AnyDocument>> {
    let mut document = carried.document.duplicate();
    if document.dialect() != dialect {
        let folder = asset.source();
        let mut cx = asset.bridge(&*folder);
        cx.dialect = dialect;
        document.transcode(&mut cx)?;
    }
    Ok(document)
}

/// What is to travel in the target: the source, or the one that travels in it already.
fn original(
    asset: &Asset,
    carried: Option<&Carried>,
    source: &dyn Source,
    options: &ConvertOptions,
) -> Option<Original> {
    let carried = carried.filter(|_| options.to.info().capabilities.carries && options.corrections.is_empty());
    let own = || Original {
        format: asset.format().id,
        dialect: asset.document().dialect(),
        bytes: asset.file().bytes().clone(),
        beside: asset.document().beside(source),
        prints: None,
    };
    carried.map(Carried::original).or_else(|| options.carry.then(own))
}

/// Adds the files that parts of a travelled source name and that nobody wrote anew.
fn add_files(package: &mut Package<Box<dyn AnyDocument>>, source: &Beside<'_>) {
    if source.files.is_empty() {
        return;
    }
    let written = Beside { files: &package.side_files, behind: source };
    for file in package.document.beside(&written) {
        let known = |files: &[SideFile]| files.iter().any(|other| other.name == file.name);
        if known(source.files) && !known(&package.side_files) {
            package.side_files.push(file);
        }
    }
}

/// One line if a file comes back in another dialect than it was in, though nobody asked for one.
fn replaced(came_in: &str, written: &str, options: &ConvertOptions) -> Option<String> {
    let changed = options.dialect.is_none() && came_in != written;
    changed.then(|| format!("the {came_in} dialect is only read; written in the {written} dialect"))
}

/// Which of the pictures that a target names by their paths are written there.
enum Pictures {
    None,
    /// Those that are not where their paths say.
    Homeless,
    All,
}

impl Pictures {
    fn add(self, scene: &Scene, side_files: &mut Vec<SideFile>, source: &dyn Source, losses: &mut Losses) {
        match self {
            Pictures::None => {}
            Pictures::Homeless => add_pictures(scene, side_files, Some(source), losses),
            Pictures::All => add_pictures(scene, side_files, None, losses),
        }
    }
}

fn wanted_pictures(asset: &Asset, options: &ConvertOptions) -> Result<Pictures> {
    if !options.to.info().options.contains(&PICTURES) {
        return Ok(Pictures::None);
    }
    match options.options.get(PICTURES.name) {
        Some("copy") => Ok(Pictures::All),
        Some("reference") => Ok(Pictures::None),
        // Pictures inside of a GLB are nowhere else; a glTF file can have some inside, and others beside it.
        None => Ok(match asset.format().id {
            "glb" => Pictures::All,
            "gltf" => Pictures::Homeless,
            _ => Pictures::None,
        }),
        Some(other) => Err(Error::usage(format!("--textures is {other}")).with_help("it is copy or reference")),
    }
}

/// Refuses to name pictures by paths that they do not have.
fn check_references(scene: &Scene, options: &Options) -> Result<()> {
    if options.get(PICTURES.name) != Some("reference") {
        return Ok(());
    }
    match scene.images.entries().find(|(_, image)| matches!(image.source, ImageSource::Embedded { .. })) {
        None => Ok(()),
        Some((id, image)) => {
            let label = Scene::label("image", id.index(), &image.name);
            Err(Error::usage(format!("--textures reference: {label} is inside of the source and has no path"))
                .with_help("--textures copy writes it to a file; so does leaving the option out, or it is embedded"))
        }
    }
}

/// Adds the pictures of a scene; with a source, those that it does not have.
fn add_pictures(scene: &Scene, side_files: &mut Vec<SideFile>, source: Option<&dyn Source>, losses: &mut Losses) {
    for (id, image) in scene.images.entries() {
        let ImageSource::File { path, bytes: Some(bytes) } = &image.source else { continue };
        let path = path.to_string();
        if source.is_some_and(|source| source.load(&path, None).bytes().is_some()) {
            continue;
        }
        match formats::below(&path) {
            Some(name) if side_files.iter().all(|file| file.name != name) => {
                side_files.push(SideFile { name, bytes: bytes.clone() });
            }
            Some(_) => {}
            None => {
                let place = Scene::label("image", id.index(), &image.name);
                losses.add(&LOSS_032, place, 1, path, "it would lie outside of the folder that is written to");
            }
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
