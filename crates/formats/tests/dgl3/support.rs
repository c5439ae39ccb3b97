//! What the tests share.

use findings::{Finding, Result};
use formats::dgl3::{Dgl3, Document};
use formats::{Document as _, Format, LiftCx, LowerCx, NoSource, Options, ReadCx, Source};
use scene::Scene;
use testing::Lowered;
use wire::Blob;

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
    testing::write::<Dgl3>(doc)
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

pub(crate) fn lower(scene: &Scene, dialect: &'static str) -> Lowered<Document> {
    testing::lower::<Dgl3>(scene, dialect)
}

pub(crate) fn lower_with(
    scene: &Scene,
    dialect: &'static str,
    options: &Options,
    source: &dyn Source,
) -> Lowered<Document> {
    testing::lower_in::<Dgl3>(scene, LowerCx { options, ..LowerCx::new(source, dialect) })
}

/// Whether two documents have the same meshes, entities and lights; what a header says about who wrote a file is not the
/// model's.
pub(crate) fn are_alike(a: &Document, b: &Document) -> bool {
    (&a.meshes, &a.entities, &a.lights) == (&b.meshes, &b.entities, &b.lights)
}
