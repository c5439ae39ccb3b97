//! How the sections of a file fit together.

use findings::rule;

use super::super::layout::Document;
use super::place;

rule! {
    /// ## What it finds
    /// A section that can be read in another layout only than the canonical one.
    ///
    /// ## Why it matters
    /// The document can be read in many ways; other readers may take another one than the writer.
    ///
    /// ## Example
    /// A VERTEX section that counts vertices instead of bytes.
    ///
    /// ## Fix
    /// Write the file again with `pentad convert --dialect spec`.
    DRG_023 "DRG-023" "layout-variant", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if !doc.is_as_read() {
            return;
        }
        let file: Vec<&str> = doc.form.ids().filter(|id| doc.form.header_id() != Some(*id)).collect();
        if !file.is_empty() {
            let message = format!("the file is in another layout than the canonical one ({})", file.join(" "));
            cx.report(findings::Place::path("header"), message);
        }
        for (i, section) in doc.sections.iter().enumerate() {
            let ids = section.variants();
            if !ids.is_empty() {
                let kind = section.kind().map_or("section", super::super::kind::Kind::name);
                cx.report(place(i, ""), format!("{kind} is in another layout than the canonical one ({})", ids.join(" ")));
            }
        }
    }
}
