//! What the header says about the body.

use findings::{Place, Severity, rule};

use super::super::document::Document;

rule! {
    /// ## What it finds
    /// A counter of the header that is not what the body holds. A header that counted nothing at all is an info: the
    /// library's converter leaves zeros.
    ///
    /// ## Why it matters
    /// Readers that take room in advance take the wrong amount.
    ///
    /// ## Example
    /// `mesh_count` is 3, and there are two meshes.
    ///
    /// ## Fix
    /// `check --fix` counts. A file that counts more than there is may have been cut short: get it again; if it is all
    /// there is, `check --fix=all` counts.
    DAS2_045 "DAS2-045" "header-count", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (field, stored, counted) in wrong(doc) {
            let severity = if uncounted(doc) { Severity::Info } else { Severity::Warning };
            let message = format!("{field} is {stored}, and there are {counted}");
            cx.report_as(severity, Place::path("header").field(field), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let missing = wrong(doc).iter().any(|(_, stored, counted)| u64::from(*stored) > *counted);
        if missing { 0 } else { count_anew(doc) }
    }
    fn cut(doc: &mut Document) -> u64 {
        count_anew(doc)
    }
}

fn count_anew(doc: &mut Document) -> u64 {
    let count = wrong(doc).len() as u64;
    if count > 0 {
        doc.fill_counters();
    }
    count
}

fn uncounted(doc: &Document) -> bool {
    [doc.header.vertices_count, doc.header.mesh_count, doc.header.animation_count] == [0; 3]
}

fn wrong(doc: &Document) -> Vec<(&'static str, u32, u64)> {
    let parts = doc.parts();
    let vertices = parts.meshes.iter().map(|mesh| parts.vertex_count(mesh)).sum::<Option<u64>>();
    let counts = [
        // What cannot be counted cannot be wrong.
        ("vertices_count", doc.header.vertices_count, vertices.unwrap_or(doc.header.vertices_count.into())),
        ("mesh_count", doc.header.mesh_count, parts.meshes.len() as u64),
        ("animation_count", doc.header.animation_count, parts.animations.len() as u64),
    ];
    counts.into_iter().filter(|(_, stored, counted)| u64::from(*stored) != *counted).collect()
}
