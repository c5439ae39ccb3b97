//! What the tests share.

use findings::{Finding, Losses, Result};
use formats::das2::{Das2, Document};
use formats::{Document as _, Format, LowerCx, NoSource, Options, ReadCx};
use wire::{Blob, Limits};

pub(crate) fn try_read_within(bytes: &[u8], limits: Limits) -> Result<Document> {
    let mut cx = ReadCx { limits: limits.into(), ..ReadCx::default() };
    let doc = Das2::read(Blob::file(bytes.to_vec()), &mut cx)?;
    assert!(cx.findings.finish(&doc.tree()).is_empty(), "rules find, the reader does not");
    Ok(doc)
}

pub(crate) fn try_read(bytes: &[u8]) -> Result<Document> {
    try_read_within(bytes, Limits::default())
}

pub(crate) fn read(bytes: &[u8]) -> Document {
    try_read(bytes).unwrap_or_else(|error| panic!("cannot be read: {error}"))
}

pub(crate) fn write(doc: &Document) -> Vec<u8> {
    testing::write::<Das2>(doc)
}

/// The same document in another dialect, and what was lost.
pub(crate) fn transcode(doc: &Document, dialect: &'static str, options: &[(&str, &str)]) -> (Document, Losses) {
    let mut all = Options::default();
    options.iter().for_each(|(name, value)| all.set(name, *value));
    let mut cx = LowerCx { options: &all, ..LowerCx::new(&NoSource, dialect) };
    let mut doc = doc.clone();
    Das2::transcode(&mut doc, &mut cx).expect("a dialect");
    (doc, cx.losses)
}

/// Everything that checking finds, through the registry as users have it.
pub(crate) fn check(bytes: &[u8], asked: Option<&str>) -> Vec<Finding> {
    let format = formats::by_id("das2").expect("registered");
    match format.read(Blob::file(bytes.to_vec()), &mut ReadCx::default()) {
        Ok(doc) => doc.check(asked, &NoSource),
        Err(error) => vec![Finding::from(&error)],
    }
}

/// The ids of what is found, each once.
pub(crate) fn rules(findings: &[Finding]) -> Vec<&'static str> {
    let mut ids: Vec<&str> = findings.iter().map(|finding| finding.rule.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
