//! What the tests share.

use std::collections::BTreeMap;

use findings::{Finding, Loaded, Losses, Result};
use formats::dgl3::{Dgl3, Document};
use formats::{Document as _, FileId, Format, LiftCx, LowerCx, NoSource, Options, ReadCx, SideFile, Source};
use scene::Scene;
use wire::{Blob, Budget, Sink};

/// Hex with spaces and line breaks, as one writes it down.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

pub(crate) fn try_read(bytes: &[u8]) -> Result<(Document, Vec<Finding>)> {
    let mut cx = ReadCx::default();
    let doc = Dgl3::read(Blob::file(bytes.to_vec()), &mut cx)?;
    let found = cx.findings.finish(&doc.tree());
    Ok((doc, found))
}

pub(crate) fn read(bytes: &[u8]) -> Document {
    try_read(bytes).expect("readable").0
}

pub(crate) fn write(doc: &Document) -> Vec<u8> {
    let mut sink = Sink::default();
    Dgl3::write(doc, &mut sink).expect("writable");
    sink.into_vec()
}

/// Everything that reading and checking find, through the registry as users have it.
pub(crate) fn check(bytes: &[u8], asked: Option<&str>, source: &dyn Source) -> Vec<Finding> {
    let mut cx = ReadCx::default();
    let format = formats::by_id("dgl3").expect("registered");
    match format.read(Blob::file(bytes.to_vec()), &mut cx) {
        Ok(doc) => cx.findings.finish(&doc.tree()).into_iter().chain(doc.check(asked, source)).collect(),
        Err(error) => vec![Finding::from(&error)],
    }
}

pub(crate) fn lift(doc: &Document) -> Scene {
    lift_from(doc, &NoSource).0
}

pub(crate) fn lift_from(doc: &Document, source: &dyn Source) -> (Scene, Vec<Finding>) {
    let mut cx = LiftCx::new(source);
    let scene = Dgl3::lift(doc, &mut cx).expect("liftable");
    (scene, cx.findings.finish(&[]))
}

pub(crate) struct Lowered {
    pub(crate) doc: Document,
    pub(crate) files: Vec<SideFile>,
    pub(crate) losses: Losses,
}

pub(crate) fn lower(scene: &Scene, dialect: &'static str) -> Lowered {
    lower_with(scene, dialect, &Options::default(), &NoSource)
}

pub(crate) fn lower_with(scene: &Scene, dialect: &'static str, options: &Options, source: &dyn Source) -> Lowered {
    let mut cx = LowerCx { options, ..LowerCx::new(source, dialect) };
    let info = &Dgl3::INFO;
    let mut scene = scene.clone();
    Dgl3::refer(&mut scene, &mut cx);
    let fitted = fit::fit(&scene, &info.target(), &Budget::default(), &mut cx.losses).expect("it is small");
    let package = Dgl3::lower(&fitted, &mut cx).expect("lowerable");
    Lowered { doc: package.document, files: package.side_files, losses: cx.losses }
}

/// Whether two documents have the same meshes, entities and lights; what a header says about who wrote a file is not the
/// model's.
pub(crate) fn are_alike(a: &Document, b: &Document) -> bool {
    (&a.meshes, &a.entities, &a.lights) == (&b.meshes, &b.entities, &b.lights)
}

/// Files in memory, by name.
#[derive(Default)]
pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

impl Files {
    pub(crate) fn with(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Files {
        self.0.insert(name.to_owned(), bytes.into());
        self
    }
}

impl Source for Files {
    fn load(&self, name: &str, _: Option<&FileId>) -> Loaded {
        if name.starts_with("..") {
            return Loaded::Refused(format!("{name} lies outside the model's folder"));
        }
        match self.0.get(name) {
            Some(bytes) => Loaded::Found { bytes: Blob::file(bytes.clone()), id: FileId(name.to_owned()) },
            None => Loaded::Missing,
        }
    }
}
