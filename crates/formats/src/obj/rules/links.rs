//! Materials and the files that describe them.

use std::collections::HashMap;

use findings::{Checker, Rule, rule};

use super::places::{report, report_each, statement_of_run};
use crate::obj::layout::{Document, Kind};
use crate::obj::lex::quote;
use crate::obj::mtl::{Catalogue, Gallery, Libraries, Remark};

rule! {
    /// ## What it finds
    /// A `usemtl` in a file that names no material library.
    ///
    /// ## Why it matters
    /// Nothing says what the material looks like; it becomes white.
    ///
    /// ## Example
    /// `usemtl red` without `mtllib`.
    ///
    /// ## Fix
    /// Add a line `mtllib file.mtl`.
    OBJ_017 "OBJ-017" "no-material-library", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let runs = &doc.model().runs;
        if runs.iter().any(|run| run.kind == Kind::Mtllib) {
            return;
        }
        let uses: Vec<usize> = (0..runs.len()).filter(|&i| runs[i].kind == Kind::Usemtl).collect();
        if let Some(&first) = uses.first() {
            let message = "materials are used, but there is no mtllib that describes them";
            report(doc, cx, statement_of_run(doc, first), uses.len() as u64, message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A material library that was not found.
    ///
    /// ## Why it matters
    /// Its materials become white.
    ///
    /// ## Example
    /// `mtllib heart.mtl`, and there is no such file beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    OBJ_018 "OBJ-018" "material-library-missing", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_each(doc, cx, &Libraries::find(doc, cx.source()).missing, |missing| {
            (missing.at.clone(), 1, missing.why.clone())
        });
    }
}

rule! {
    /// ## What it finds
    /// A material that no library describes.
    ///
    /// ## Why it matters
    /// It becomes white.
    ///
    /// ## Example
    /// `usemtl red`, and no library has a `newmtl red`.
    ///
    /// ## Fix
    /// Correct the name, or add the material to the library.
    OBJ_019 "OBJ-019" "material-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let libraries = Libraries::find(doc, cx.source());
        if !libraries.complete() {
            return;
        }
        let known = Catalogue::read(&libraries, &mut |_| {});
        let mut found: Vec<(usize, u64)> = Vec::new();
        let mut uses: HashMap<Vec<u8>, usize> = HashMap::new();
        for (run, _) in doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind == Kind::Usemtl) {
            let name = doc.name(run);
            // A `usemtl` without a name is another rule's business.
            if name.is_empty() || known.has(&name) {
                continue;
            }
            let at = *uses.entry(name).or_insert_with(|| {
                found.push((run, 0));
                found.len() - 1
            });
            found[at].1 += 1;
        }
        report_each(doc, cx, &found, |&(run, count)| {
            let message = format!("no material library describes {}", quote(&doc.name(run)));
            (doc.argument(run), count, message)
        });
    }
}

rule! {
    /// ## What it finds
    /// A material that is described twice.
    ///
    /// ## Why it matters
    /// The last description counts; other readers may take the first, or refuse the file.
    ///
    /// ## Example
    /// Two libraries with a `newmtl red`.
    ///
    /// ## Fix
    /// Rename one of them.
    OBJ_020 "OBJ-020" "material-twice", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        read_libraries(doc, cx, &OBJ_020);
    }
}

rule! {
    /// ## What it finds
    /// A line of a material library whose value is no number, or that lacks a number, a name or a file.
    ///
    /// ## Why it matters
    /// The line is ignored, or missing numbers are taken from the first.
    ///
    /// ## Example
    /// `Kd red`
    ///
    /// ## Fix
    /// Write numbers: `Kd 1 0 0`.
    OBJ_021 "OBJ-021" "material-value", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        read_libraries(doc, cx, &OBJ_021);
    }
}

rule! {
    /// ## What it finds
    /// A colour given as `spectral` or `xyz`.
    ///
    /// ## Why it matters
    /// It is kept as a property, but nothing shows it.
    ///
    /// ## Example
    /// `Kd xyz 0.4 0.3 0.2`
    ///
    /// ## Fix
    /// Write the colour as red, green and blue.
    OBJ_022 "OBJ-022" "material-color-not-rgb", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        read_libraries(doc, cx, &OBJ_022);
    }
}

rule! {
    /// ## What it finds
    /// A line of a material library whose first word is unknown, or that stands before any `newmtl`.
    ///
    /// ## Why it matters
    /// Lines of a material are kept as properties; lines before any material are ignored.
    ///
    /// ## Example
    /// `Kx 1 0 0`
    ///
    /// ## Fix
    /// Correct the spelling, or remove the line.
    OBJ_023 "OBJ-023" "material-statement-unknown", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        read_libraries(doc, cx, &OBJ_023);
    }
}

rule! {
    /// ## What it finds
    /// A texture with an option that the format does not have.
    ///
    /// ## Why it matters
    /// It is taken as the beginning of the file's name.
    ///
    /// ## Example
    /// `map_Kd -scale 2 wood.png`
    ///
    /// ## Fix
    /// Use the options of the format: -s, -o, -t, -mm, -bm, -clamp, -blendu, -blendv, -boost, -cc, -imfchan,
    /// -texres, -type.
    OBJ_024 "OBJ-024" "texture-option-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        read_libraries(doc, cx, &OBJ_024);
    }
}

rule! {
    /// ## What it finds
    /// A texture that was not found.
    ///
    /// ## Why it matters
    /// The path is kept, but there is no image to convert.
    ///
    /// ## Example
    /// `map_Kd wood.png`, and there is no such file beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    OBJ_025 "OBJ-025" "texture-missing", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let libraries = Libraries::find(doc, cx.source());
        let mut gallery = Gallery::new(cx.source());
        let mut tell = |remark: Remark| cx.report(remark.place, remark.message);
        for entry in Catalogue::read(&libraries, &mut |_| {}).entries {
            gallery.visit(&entry, &mut tell);
        }
    }
}

/// Reads every library that the file names and reports what concerns one rule.
fn read_libraries(doc: &Document, cx: &mut Checker<'_>, own: &'static Rule<Document>) {
    let libraries = Libraries::find(doc, cx.source());
    Catalogue::read(&libraries, &mut |remark| {
        if remark.rule.info.id == own.info.id {
            cx.report(remark.place, remark.message);
        }
    });
}
