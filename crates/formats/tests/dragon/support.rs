use findings::{Finding, Severity};
use formats::dragon::{Body, Document, Dragon};
use formats::{Document as _, FORMATS, Format, NoSource, ReadCx};
use wire::Blob;

pub(crate) fn try_read(bytes: &[u8]) -> findings::Result<Document> {
    Dragon::read(Blob::file(bytes.to_vec()), &mut ReadCx::default())
}

pub(crate) fn read(bytes: &[u8]) -> Document {
    try_read(bytes).unwrap_or_else(|error| panic!("cannot be read: {error}"))
}

pub(crate) fn write(doc: &Document) -> Vec<u8> {
    testing::write::<Dragon>(doc)
}

/// The same content, canonically.
pub(crate) fn anew(doc: &Document) -> Document {
    let mut anew = doc.clone();
    anew.forget_raw();
    anew
}

/// Everything that reading and checking say.
pub(crate) fn findings(bytes: &[u8]) -> Vec<Finding> {
    let format = FORMATS.iter().find(|format| format.info().id == "dragon").expect("it is registered");
    let mut cx = ReadCx::default();
    match format.read(Blob::file(bytes.to_vec()), &mut cx) {
        Ok(doc) => {
            let mut findings = cx.findings.finish(&doc.tree());
            findings.extend(doc.check(None, &NoSource));
            findings
        }
        Err(error) => vec![Finding::from(&error)],
    }
}

/// The ids of all findings that are this bad.
pub(crate) fn ids(findings: &[Finding], severity: Severity) -> Vec<&'static str> {
    let mut ids: Vec<&str> = findings.iter().filter(|f| f.severity == severity).map(|f| f.rule.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Bodies without what only a variant has.
pub(crate) fn bodies(doc: &Document) -> Vec<Body> {
    anew(doc).sections.iter().map(|section| section.body.clone()).collect()
}
