use std::path::PathBuf;

use findings::{Error, Finding, Losses, Result};
use formats::carry::{Carried, Original};
use formats::{
    AnyDocument, AnyFormat, Beside, Engine, Extras, FileKind, Info, LiftCx, LowerCx, NamedFile, NoRoom, Options,
    Package, Room, SideFile, SideFiles, Source, TEXTURES, Textures, below,
};
use scene::loss::{LOSS_032, LOSS_090};
use scene::{ImageSource, Scene};
use wire::{Budget, Sink};

use crate::out::{OutFolder, side_by_side};
use crate::{Asset, Corrections, engine, restore};

/// How a source travels in what is made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carry {
    /// It does not.
    #[default]
    Nothing,
    /// As what the file around it does not say already.
    Recipe,
    /// As it is: for files that other programs put together anew.
    Whole,
}

impl Carry {
    /// Whether it travels.
    pub fn is_asked(self) -> bool {
        self != Carry::Nothing
    }
}

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
    /// Where it will be written: names of side files are free there, and what the model names may be there already.
    /// Without it, side files only have names that differ from each other.
    pub out: Option<PathBuf>,
    /// Whether side files take the place of others with other content, whosever they are.
    pub force: bool,
    /// Whether everything must go into the main file, because there is no folder beside it.
    pub embed: bool,
    /// Whether the source file itself travels along, so that the way back gives its very bytes.
    pub carry: Carry,
    /// Whether a target that carries what it has no field for is written without it: a lean file, and more losses.
    pub no_extras: bool,
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
            out: None,
            force: false,
            embed: false,
            carry: Carry::Nothing,
            no_extras: false,
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
        sink(&*self.document)
    }

    /// The bytes of the main file in one piece.
    ///
    /// # Errors
    /// If the document asks for what the layout cannot hold.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_sink().map(Sink::into_vec)
    }
}

fn sink(document: &dyn AnyDocument) -> Result<Sink> {
    let mut sink = Sink::default();
    document.write(&mut sink)?;
    Ok(sink)
}

fn bytes(document: &dyn AnyDocument) -> Result<Vec<u8>> {
    sink(document).map(Sink::into_vec)
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
        target.writable_dialect(id)?;
    }
    check_options(target, &options.options)?;
    if options.carry.is_asked() && !target.capabilities.carries {
        return Err(Error::usage(format!("--carry does not apply: {} has no room for another file", target.name))
            .with_help("it is for .gltf and .glb"));
    }
    if options.no_extras && (options.carry.is_asked() || !target.capabilities.carries) {
        let why = if options.carry.is_asked() { "--carry asks for extras" } else { "only .gltf and .glb have extras" };
        return Err(Error::usage("--no-extras does not apply").with_help(why));
    }
    let folder = options.out.as_ref().map(|out| OutFolder::of(out, options.force, asset.allow_roots().to_vec()));
    let room = folder.as_ref().map_or(&NoRoom as &dyn Room, |folder| folder);
    let way = Way { asset, options, room, textures: textures(asset, options)?, limits: asset.limits() };
    // A format of one dialect has nothing to change in a document: its options are about what goes where.
    let by_document = options.dialect.is_some() || options.options.is_empty() || target.dialects.len() > 1;
    if same_format
        && by_document
        && options.corrections.is_empty()
        && !options.no_extras
        && !(options.embed && embeds(target) && has_files(asset))
    {
        let source = asset.source();
        let mut converted = way.transcode(asset.document(), &*source)?;
        if options.carry.is_asked() {
            converted.notes.push("nothing is carried: the file stays in its own format".to_owned());
        }
        Ok(converted)
    } else if let Some(converted) = way.repack()? {
        Ok(converted)
    } else {
        way.through_scene()
    }
}

/// From where to where.
pub(crate) struct Way<'a> {
    pub(crate) asset: &'a Asset,
    pub(crate) options: &'a ConvertOptions,
    pub(crate) room: &'a dyn Room,
    pub(crate) textures: Textures,
    /// What this run may make.
    pub(crate) limits: Budget,
}

/// What was made of a file.
#[derive(Clone)]
pub(crate) struct Lifted {
    pub(crate) scene: Scene,
    /// The source that travels in it.
    pub(crate) carried: Option<Carried>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) losses: Losses,
}

/// Whether everything can go into the main file.
fn embeds(target: &Info) -> bool {
    target.options.iter().any(|option| option.name == TEXTURES.name && option.value.contains("embed"))
}

fn has_files(asset: &Asset) -> bool {
    !asset.document().named(&*asset.source()).is_empty()
}

/// What becomes of the files that the model names.
fn textures(asset: &Asset, options: &ConvertOptions) -> Result<Textures> {
    let target = options.to.info();
    match options.options.get(TEXTURES.name) {
        None => {
            let ends = asset.file().path().zip(options.out.as_deref());
            Ok(if ends.is_some_and(|(from, to)| side_by_side(from, to)) { Textures::Near } else { Textures::Away })
        }
        Some("embed") if embeds(target) => Ok(Textures::Embed),
        Some("copy") => Ok(Textures::Copy),
        Some("reference") => Ok(Textures::Reference),
        Some(other) => {
            let help = if embeds(target) { "it is embed, copy or reference" } else { "it is copy or reference" };
            Err(Error::usage(format!("--textures is {other}")).with_help(help))
        }
    }
}

impl<'a> Way<'a> {
    /// Whether what the target has no field for goes along.
    fn carries(&self) -> bool {
        self.options.to.info().capabilities.carries && !self.options.no_extras
    }

    /// A context for what is read.
    fn lifting<'c>(&self, source: &'c dyn Source) -> LiftCx<'c> {
        LiftCx { limits: self.limits.clone(), ..LiftCx::new(source) }
    }

    /// A context for what is written.
    pub(crate) fn lowering<'c>(&'c self, source: &'c dyn Source) -> LowerCx<'c> {
        LowerCx {
            options: &self.options.options,
            stem: &self.options.stem,
            embed: self.options.embed,
            textures: self.textures,
            extras: if self.options.no_extras { Extras::Nothing } else { Extras::Meaning },
            side_files: SideFiles::in_room(self.room),
            limits: self.limits.clone(),
            ..LowerCx::new(source, self.asset.document().dialect())
        }
    }

    /// The document itself in another container, where all that differs is where its bytes are.
    fn repack(&self) -> Result<Option<Converted>> {
        if self.options.carry.is_asked() || self.options.no_extras || !self.options.corrections.is_empty() {
            return Ok(None);
        }
        let source = self.asset.source();
        let mut cx = self.lowering(&*source);
        let Some(package) = self.options.to.repack(self.asset.document(), &mut cx)? else { return Ok(None) };
        // A source of the target's own format comes back instead.
        let carried = self.asset.document().carried(&mut self.lifting(&*source));
        let comes_back = carried.is_some_and(|carried| carried.format().id == self.options.to.info().id);
        Ok((!comes_back).then(|| self.finish(package, cx, Vec::new())))
    }

    /// A document of the target's own format: that of the asset, or one that travels in it.
    pub(crate) fn transcode(&self, document: &dyn AnyDocument, source: &dyn Source) -> Result<Converted> {
        let options = self.options;
        let original = document;
        let mut document = original.duplicate();
        let came_in = document.dialect();
        let dialect = match &options.dialect {
            Some(id) => options.to.info().writable_dialect(id)?.id,
            None => came_in,
        };
        // Where images go changes nothing in the document.
        let of_document = options.options.without(TEXTURES.name);
        let mut cx = LowerCx { dialect, options: &of_document, ..self.lowering(source) };
        // A file can be of a dialect in all but the way it is compressed: whoever asks for the dialect gets all of it.
        let asked = options.dialect.is_some() && options.to.info().dialects.len() > 1;
        let changed = asked || !of_document.is_empty();
        if changed {
            document.transcode(&mut cx)?;
            // What comes out as it went in has lost nothing.
            if !cx.losses.is_empty() && bytes(&*document)? == bytes(original)? {
                cx.losses = Losses::default();
            }
        }
        let mut notes = if changed { notes(options.to.info(), document.dialect()) } else { Vec::new() };
        notes.extend(replaced(came_in, document.dialect(), options));
        bring(&*document, true, &mut cx);
        let package = Package { document, side_files: cx.side_files.take() };
        let stops = engine::stops(&*package.document, &package.side_files, source, options);
        notes.extend(engine::note(&stops, dialect));
        Ok(self.finish(package, cx, notes))
    }

    /// What the file means, and the source that travels in it.
    pub(crate) fn lifted(&self) -> Result<Lifted> {
        let asset = self.asset;
        let folder = asset.source();
        let travels = self.carries() || asset.format().id == self.options.to.info().id && !self.options.no_extras;
        let mut cx = LiftCx { travels, ..self.lifting(&*folder) };
        let scene = asset.lift(&mut cx)?;
        let carried = asset.document().carried(&mut cx);
        let findings = cx.findings.finish_with(|| asset.document().tree());
        Ok(Lifted { scene, carried, findings, losses: cx.losses })
    }

    pub(crate) fn through_scene(&self) -> Result<Converted> {
        let mut lifted = self.lifted()?;
        let back = lifted.carried.as_ref().filter(|carried| carried.format().id == self.options.to.info().id);
        let mut notes = Vec::new();
        match back {
            Some(_) if !self.options.corrections.is_empty() => {
                notes.push("the source that travels in the file is not used: everything is to change".to_owned());
            }
            Some(_) => return self.restored(lifted),
            None => {}
        }
        let findings = std::mem::take(&mut lifted.findings);
        let same_format = self.asset.format().id == self.options.to.info().id;
        let is_corrected = !self.options.corrections.is_empty();
        let mut converted =
            if same_format && is_corrected { self.corrected(lifted)? } else { self.lowered(lifted, false)? };
        converted.findings.splice(..0, findings);
        converted.notes.splice(..0, notes);
        Ok(converted)
    }

    /// A scene as a document of the target. `anew` forgets what only the target's own format says of it.
    pub(crate) fn lowered(&self, lifted: Lifted, anew: bool) -> Result<Converted> {
        let (asset, options) = (self.asset, self.options);
        let target = options.to.info();
        if !target.write {
            return Err(Error::usage(format!("{} cannot be written by this version", target.name))
                .with_help("pentad formats shows what can be written"));
        }
        let Lifted { mut scene, carried, mut losses, .. } = lifted.clone();
        let back = carried.as_ref().is_some_and(|carried| carried.format().id == target.id);
        // What is in its own format, or was, stays whole.
        let lacks = engine::lacks(options).filter(|_| !back && asset.format().id != target.id);
        if anew {
            engine::forget_own_words(&mut scene, options.to, &mut losses);
        }
        options.corrections.apply(&mut scene);
        let remembered = scene.origin.as_ref().filter(|origin| origin.format == target.id).map(|o| o.dialect.clone());
        let dialect = match (&options.dialect, &remembered) {
            (Some(id), _) => target.writable_dialect(id)?.id,
            (None, Some(id)) => target.written(id),
            (None, None) => target.default_dialect(),
        };
        let folder = asset.source();
        let original = original(asset, carried.as_ref(), &*folder, self);
        let mut cx = LowerCx { dialect, ..self.lowering(&*folder) };
        if let Some(original) = &original {
            cx.extras = Extras::Source(original);
        }
        options.to.refer(&mut scene, &mut cx);
        let fitted = engine::fitted(&scene, target, lacks.unwrap_or_default(), &mut losses, &self.limits)?;
        check_references(&fitted, self.textures)?;
        let mut package = options.to.lower(&fitted, &mut cx)?;
        cx.side_files.put_back(package.side_files);
        bring(&*package.document, false, &mut cx);
        package.side_files = cx.side_files.take();
        if asset.format().id == target.id && !losses.is_empty() {
            let written = Beside::new(&package.side_files, &*folder);
            let travels = self.carries() || !options.no_extras;
            let mut again = LiftCx { travels, limits: asset.limits(), ..LiftCx::new(&written) };
            package.document.lift(&mut again)?;
            losses.leave_out_repeated(&again.losses);
        }
        let written = package.document.dialect();
        let stops = engine::stops(&*package.document, &package.side_files, &*folder, options);
        if lacks.is_some() && !stops.is_empty() && !anew {
            return self.lowered(lifted, true);
        }
        // Without materials or entities there is nothing to tell a dialect by.
        let mut notes = self::notes(target, options.dialect.as_deref().unwrap_or(written));
        notes.extend(engine::note(&stops, dialect));
        notes.extend(remembered.and_then(|id| replaced(&id, written, options)));
        losses.extend(std::mem::take(&mut cx.losses));
        let mut converted = self.finish(package, cx, notes);
        converted.losses = losses;
        Ok(converted)
    }

    pub(crate) fn finish(
        &self,
        package: Package<Box<dyn AnyDocument>>,
        mut cx: LowerCx<'_>,
        mut notes: Vec<String>,
    ) -> Converted {
        let Package { document, side_files } = package;
        notes.extend(cx.side_files.notes());
        let findings = cx.findings.finish_with(|| self.asset.document().tree());
        Converted { document, side_files, losses: cx.losses, findings, notes }
    }
}

/// Takes along what a document names and would not find where it goes, and lists what it will not find there. Of a
/// document that is as it was, only what it found before can get lost, and parts of the model itself.
pub(crate) fn bring(document: &dyn AnyDocument, as_it_was: bool, cx: &mut LowerCx<'_>) {
    let made = cx.side_files.files().to_vec();
    for file in document.named(&Beside::new(&made, cx.source)) {
        let lost = match file.bytes {
            _ if cx.side_files.finds(&file) => None,
            None if as_it_was && file.kind == FileKind::Part => Some((&LOSS_090, "it was not found")),
            None => None,
            Some(_) if cx.textures == Textures::Reference => Some((&LOSS_032, "only its path is written")),
            Some(ref bytes) => match below(&file.path) {
                Some(path) if cx.side_files.keep(&path, bytes.clone()) => None,
                Some(_) => Some((&LOSS_032, "a file of that name with other content is there")),
                None => Some((&LOSS_032, "its path leads out of the folder that is written to")),
            },
        };
        if let Some((loss, why)) = lost {
            cx.lose(loss, &*findings::render::escape(&file.path), 1, "file that the model names", why);
        }
    }
}

/// What is to travel in the target: the source, or the one that travels in it already.
fn original(asset: &Asset, carried: Option<&Carried>, source: &dyn Source, way: &Way<'_>) -> Option<Original> {
    let options = way.options;
    if let Some(carried) = carried.filter(|_| way.carries() && options.corrections.is_empty()) {
        return Some(carried.original());
    }
    let named = || asset.document().named(source).into_iter().filter(|file| file.travels);
    options.carry.is_asked().then(|| Original {
        format: asset.format().id,
        dialect: asset.document().dialect(),
        bytes: asset.file().bytes().clone(),
        beside: named().filter_map(NamedFile::side_file).collect(),
        shaped: restore::shaped(way),
        whole: options.carry == Carry::Whole,
    })
}

/// One line if a file comes back in another dialect than it was in, though nobody asked for one.
fn replaced(came_in: &str, written: &str, options: &ConvertOptions) -> Option<String> {
    let changed = options.dialect.is_none() && came_in != written;
    changed.then(|| format!("the {came_in} dialect is only read; written in the {written} dialect"))
}

/// Refuses to name images by paths that they do not have.
fn check_references(scene: &Scene, textures: Textures) -> Result<()> {
    if textures != Textures::Reference {
        return Ok(());
    }
    match scene.images.entries().find(|(_, image)| matches!(image.source, ImageSource::Embedded { .. })) {
        None => Ok(()),
        Some((id, image)) => {
            let label = image.subject(id);
            Err(Error::usage(format!("--textures reference: {label} is inside of the source and has no path"))
                .with_help("--textures copy writes it to a file; so does leaving the option out, or it is embedded"))
        }
    }
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
