//! What must hold for any bytes at all. Every fuzz target runs this, and so does a test on stable Rust
//! (`crates/pentad/tests/any_bytes.rs`), which includes this file.

use pentad::findings::{ErrorKind, Result};
use pentad::fit::fit;
use pentad::formats::carry::Original;
use pentad::formats::{
    self, AnyDocument, AnyFormat, Extras, FORMATS, FileId, Hint, LiftCx, Loaded, LowerCx, NoSource, Options, ReadCx,
    Score, SideFile, Source,
};
use pentad::scene::Scene;
use pentad::wire::{Blob, Limits, Node, Sink, Space, Span};

/// Small, so that an input costs milliseconds whatever it asks for.
const LIMITS: Limits =
    Limits { max_memory: Some(1 << 28), max_inflate: 1 << 20, max_ratio: 250, max_depth: 16, max_elements: 1 << 14 };

/// Takes bytes all the way: read, look at everything, write back, convert to every format and read that again.
///
/// # Panics
/// If anything on the way does, or breaks its promise.
pub fn run(id: &str, data: &[u8]) {
    let format = formats::by_id(id).expect("targets are made from the registry");
    format.probe(&Blob::file(data.to_vec()), &Hint::default());
    let Ok(document) = read(format, data) else { return };
    let source = Echo(Blob::file(data.to_vec()));
    look(&*document, &source, data.len());
    assert!(
        write(&*document).expect("what was read can be written") == data,
        "unedited, a file goes out as it came in"
    );
    write_anew(format, &*document);
    convert(&*document, &source, data);
}

fn read(format: &'static dyn AnyFormat, data: &[u8]) -> Result<Box<dyn AnyDocument>> {
    let mut cx = ReadCx { limits: LIMITS.into(), ..ReadCx::default() };
    let document = format.read(Blob::file(data.to_vec()), &mut cx)?;
    cx.findings.finish(&document.tree());
    Ok(document)
}

fn write(document: &dyn AnyDocument) -> Result<Vec<u8>> {
    let mut sink = Sink::default();
    document.write(&mut sink)?;
    Ok(sink.into_vec())
}

/// Everything that `info`, `check` and `dump` do.
fn look(document: &dyn AnyDocument, source: &Echo, size: usize) {
    document.facts(false);
    document.facts(true);
    document.check(None, source);
    for dialect in document.format().info().dialects {
        document.check(Some(dialect.id), source);
    }
    let mut leaves = Vec::new();
    document.tree().iter().for_each(|node| collect_leaves(node, &mut leaves));
    leaves.sort();
    let mut end = Span::default();
    for leaf in &leaves {
        let start = if leaf.space == end.space { end.end() } else { 0 };
        assert!(leaf.offset >= start, "{leaf} belongs to two fields");
        assert!(leaf.space != Space::File || leaf.offset == start, "no field owns the bytes before {leaf}");
        end = *leaf;
    }
    let last = leaves.iter().filter(|leaf| leaf.space == Space::File).map(Span::end).max().unwrap_or(0);
    assert!(last == size as u64, "no field owns the bytes from {last} to {size}");
}

/// The fields that own bytes. One whose content lies in another address space owns its own bytes all the same.
fn collect_leaves(node: &Node, leaves: &mut Vec<Span>) {
    if let Some(array) = node.as_array().filter(|array| array.count > 0) {
        assert!(array.element(0).is_some() && array.element(array.count - 1).is_some(), "{node:?} lacks elements");
        assert!(array.element(array.count).is_none(), "{node:?} has too many elements");
    }
    let children = node.children().expect("a unit that was read can be read again");
    children.iter().for_each(|child| collect_leaves(child, leaves));
    let is_split = children.iter().any(|child| child.span.space == node.span.space);
    if !is_split && !node.shares && node.span.size > 0 {
        leaves.push(node.span);
    }
}

/// Documents that must be encoded anew: without the bytes they came from, mended, and in every dialect.
fn write_anew(format: &'static dyn AnyFormat, document: &dyn AnyDocument) {
    let mut forgetful = document.duplicate();
    forgetful.forget_raw();
    write_and_read(format, &*forgetful);

    let mut mended = document.duplicate();
    mended.fix(formats::Mend::All, &|_| true);
    write_and_read(format, &*mended);

    for dialect in format.info().dialects.iter().filter(|dialect| dialect.write) {
        let mut other = document.duplicate();
        let mut cx = LowerCx { limits: LIMITS.into(), ..LowerCx::new(&NoSource, dialect.id) };
        if dialect.id != document.dialect() && other.transcode(&mut cx).is_ok() {
            write_and_read(format, &*other);
        }
    }
}

/// What can be written can be read.
fn write_and_read(format: &'static dyn AnyFormat, document: &dyn AnyDocument) -> Option<Box<dyn AnyDocument>> {
    let bytes = write(document).ok()?;
    match read(format, &bytes) {
        Ok(again) => Some(again),
        Err(error) if error.kind() == ErrorKind::Limit => None,
        Err(error) => panic!("{} cannot read what it wrote: {}", format.info().id, error.message()),
    }
}

/// Everything that `convert` does, to every format and dialect.
fn convert(document: &dyn AnyDocument, source: &Echo, data: &[u8]) {
    let mut cx = LiftCx { limits: LIMITS.into(), ..LiftCx::new(source) };
    let Ok(scene) = document.lift(&mut cx) else { return };
    _ = scene.bounds_within(&cx.limits);
    for target in FORMATS.iter().filter(|target| target.info().write) {
        for dialect in target.info().dialects.iter().filter(|dialect| dialect.write) {
            convert_to(*target, dialect.id, &scene);
        }
    }
    carry(document, &scene, data);
}

/// With the file itself on board, whoever reads a GLB finds it, and finds that nothing changed.
fn carry(document: &dyn AnyDocument, scene: &Scene, data: &[u8]) {
    let Some(glb) = formats::by_id("glb") else { return };
    let original = Original {
        format: document.format().info().id,
        dialect: document.dialect(),
        bytes: Blob::file(data.to_vec()),
        beside: Vec::new(),
        shaped: Vec::new(),
        whole: data.len().is_multiple_of(2),
    };
    let info = glb.info();
    let mut cx = LowerCx { limits: LIMITS.into(), ..LowerCx::new(&NoSource, info.default_dialect()) };
    cx.extras = Extras::Source(&original);
    let Ok(fitted) = fit(scene, &info.target(), &cx.limits, &mut cx.losses) else { return };
    let Ok(package) = glb.lower(&fitted, &mut cx) else { return };
    let Some(again) = write_and_read(glb, &*package.document) else { return };
    let mut cx = LiftCx { limits: LIMITS.into(), ..LiftCx::new(&NoSource) };
    let carried = again.carried(&mut cx).expect("what was carried is there");
    assert!(carried.bytes[..] == *data, "a carried file comes back as it was");
    let mut cx = LowerCx { limits: LIMITS.into(), ..LowerCx::new(&NoSource, info.default_dialect()) };
    let Ok(plain) = glb.lower(&fitted, &mut cx) else { return };
    assert!(again.says_still(&NoSource, &*plain.document, &NoSource), "nobody changed anything");
}

fn convert_to(target: &'static dyn AnyFormat, dialect: &'static str, scene: &Scene) {
    let info = target.info();
    let options = Options::default();
    let mut cx = LowerCx { limits: LIMITS.into(), options: &options, ..LowerCx::new(&NoSource, dialect) };
    let Ok(fitted) = fit(scene, &info.target(), &cx.limits, &mut cx.losses) else { return };
    let Ok(package) = target.lower(&fitted, &mut cx) else { return };
    if !info.read {
        _ = write(&*package.document);
        return;
    }
    let Some(again) = write_and_read(target, &*package.document) else { return };
    let bytes = Blob::file(write(&*again).expect("what was read can be written"));
    let hint = Hint { extension: info.extensions.first().map(|extension| (*extension).to_owned()) };
    assert!(target.probe(&bytes, &hint) > Score::NO, "{} does not recognise what it wrote", info.id);
    let beside = Beside(package.side_files);
    let mut cx = LiftCx { limits: LIMITS.into(), ..LiftCx::new(&beside) };
    match again.lift(&mut cx) {
        Err(error) if error.kind() != ErrorKind::Limit => {
            panic!("{} makes no scene of what it wrote: {}", info.id, error.message())
        }
        _ => {}
    }
}

/// The input itself, whatever file it names: so its bytes also reach those who read materials and images.
struct Echo(Blob);

impl Source for Echo {
    fn load(&self, _: &str, _: Option<&FileId>) -> Loaded {
        Loaded::Found { bytes: self.0.clone(), id: FileId("input".to_owned()) }
    }
}

/// The files that a conversion wrote beside its main one.
struct Beside(Vec<SideFile>);

impl Source for Beside {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        match self.0.iter().find(|file| file.name == name) {
            Some(file) => Loaded::Found { bytes: file.bytes.clone(), id: FileId(name.to_owned()) },
            None => Loaded::Missing,
        }
    }
}
