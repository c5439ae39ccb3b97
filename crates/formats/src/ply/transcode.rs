//! The same document in another encoding: comments, elements and types stay.

use findings::Result;
use scene::loss::LOSS_026;

use super::dialect::Dialect;
use super::header::Element;
use super::layout::Document;
use crate::LowerCx;

pub(super) fn transcode(doc: &Document, cx: &mut LowerCx<'_>) -> Result<Document> {
    let dialect = Dialect::named(cx.dialect)?;
    let tail = &doc.source()[doc.body().tail.clone()];
    if !tail.trim_ascii().is_empty() {
        cx.lose(&LOSS_026, "tail", tail.len() as u64, "bytes", "no element owns them");
    }
    let header = doc.header();
    let unknown = header.lines.iter().filter(|line| !line.known).count() as u64;
    if unknown > 0 {
        cx.lose(&LOSS_026, "header", unknown, "lines", "they say nothing that is known");
    }
    let tables = header.elements.iter().cloned().zip(doc.body().tables.iter().cloned());
    let elements = tables.map(|(element, table)| (Element { count: table.count as u64, ..element }, table)).collect();
    Ok(Document::of_elements(dialect, header.comments.clone(), header.obj_info.clone(), elements))
}
