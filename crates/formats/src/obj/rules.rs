//! What can be wrong with an OBJ file and its material libraries.
//!
//! Faults of single words are met while reading and kept in the document as [`Fault`]; their rules turn them into
//! findings. What concerns material libraries is found when the scene is made, since they are other files.

use std::collections::HashMap;
use std::ops::Range;

use findings::{Checker, MAX_PER_RULE, Place, Rule, rule};

use super::bridge::Plan;
use super::layout::{BAD, Corner, Document, Kind, Line, Run};
use super::lex::{Cursor, arguments, lines_before, plain, quote};
use super::read;

/// How far from 1 the length of a normal may be: what text with three decimals can say.
const NORMAL_TOLERANCE: f64 = 1e-3;

/// Something wrong that was met while reading.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    what: What,
    at: Range<usize>,
    /// How many of its kind: more than one if the rest is only counted.
    count: u64,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Number,
    NotFinite,
    Components,
    Weight,
    Corner,
    IndexZero,
    TooFewCorners,
    NoName,
    Smoothing,
}

/// Faults in the order they were met. As many of each kind as a report lists; the rest is counted with the last one.
#[derive(Default)]
pub(super) struct Faults {
    found: Vec<Fault>,
    /// For each kind, how many are listed and where the last one is.
    listed: [(usize, usize); 9],
}

impl Faults {
    pub(super) fn add(&mut self, what: What, at: Range<usize>) {
        self.push(Fault { what, at, count: 1 });
    }

    fn push(&mut self, fault: Fault) {
        let (listed, last) = &mut self.listed[fault.what as usize];
        if *listed == MAX_PER_RULE {
            self.found[*last].count += fault.count;
            return;
        }
        (*listed, *last) = (*listed + 1, self.found.len());
        self.found.push(fault);
    }

    pub(super) fn append(&mut self, other: Faults) {
        other.found.into_iter().for_each(|fault| self.push(fault));
    }

    pub(super) fn into_vec(self) -> Vec<Fault> {
        self.found
    }
}

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &OBJ_001, &OBJ_002, &OBJ_003, &OBJ_004, &OBJ_005, &OBJ_006, &OBJ_007, &OBJ_008, &OBJ_009, &OBJ_010, &OBJ_011,
    &OBJ_012, &OBJ_013, &OBJ_014, &OBJ_015, &OBJ_016, &OBJ_017, &OBJ_018, &OBJ_019, &OBJ_020, &OBJ_021, &OBJ_022,
    &OBJ_023, &OBJ_024, &OBJ_025, &OBJ_026, &OBJ_027, &OBJ_028, &OBJ_029, &OBJ_030, &OBJ_031,
];

rule! {
    /// ## What it finds
    /// A file of which no line is a statement of the format.
    ///
    /// ## Why it matters
    /// There is no model in it; it is another format, or empty.
    ///
    /// ## Example
    /// A picture that was renamed to `model.obj`.
    ///
    /// ## Fix
    /// Look for the file you meant.
    OBJ_001 "OBJ-001" "not-obj", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A word that is no number where one is expected.
    ///
    /// ## Why it matters
    /// It is read as 0, so that the indices of what follows stay right; the vertex is in the wrong place.
    ///
    /// ## Example
    /// `v 1,5 0 0`: the comma of a German locale.
    ///
    /// ## Fix
    /// Write numbers as `1.5` or `1.5e3`.
    OBJ_002 "OBJ-002" "number-unreadable", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::Number, |text| format!("{} is not a number; it is read as 0", quote(text)));
    }
}

rule! {
    /// ## What it finds
    /// A vertex, texture coordinate or normal with too few or too many numbers.
    ///
    /// ## Why it matters
    /// Missing numbers are read as 0, further ones are ignored; other readers may refuse the file.
    ///
    /// ## Example
    /// `vn 0 1`: two numbers, where a normal has three.
    ///
    /// ## Fix
    /// Write `v` with 3, 4, 6 or 7 numbers, `vt` with 1 to 3, `vn` with 3.
    OBJ_003 "OBJ-003" "component-count", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::Components, |text| {
            let mut words = arguments(text);
            let keyword = words.next().unwrap_or_default();
            let count = words.count();
            let numbers = if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
            let expected = match keyword {
                b"v" => "3 (x y z), 4 (w), 6 (r g b) or 7 (r g b a)",
                b"vt" => "1 to 3",
                _ => "3",
            };
            format!("{} has {numbers} instead of {expected}", String::from_utf8_lossy(keyword))
        });
    }
}

rule! {
    /// ## What it finds
    /// A corner that is not written as `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    ///
    /// ## Why it matters
    /// Nobody can tell which vertex is meant; the face is left out of conversions.
    ///
    /// ## Example
    /// `f 1 2 x`
    ///
    /// ## Fix
    /// Write the face again, or remove it.
    OBJ_004 "OBJ-004" "corner-unreadable", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::Corner, |text| {
            format!("{} is no corner; corners are v, v/vt, v//vn or v/vt/vn", quote(text))
        });
    }
}

rule! {
    /// ## What it finds
    /// An index 0.
    ///
    /// ## Why it matters
    /// Indices count from 1, or from -1 backwards. A face whose vertex is 0 is left out of conversions; a texture
    /// coordinate or normal 0 counts as none.
    ///
    /// ## Example
    /// `f 0 1 2`: written by a program that counts from 0.
    ///
    /// ## Fix
    /// Add 1 to all indices, if the program that wrote the file counts from 0.
    OBJ_005 "OBJ-005" "index-zero", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::IndexZero, |text| format!("{} has an index 0; indices count from 1", quote(text)));
    }
}

rule! {
    /// ## What it finds
    /// A face of fewer than three corners, a line of fewer than two, or points without any.
    ///
    /// ## Why it matters
    /// It draws nothing and is left out of conversions; other readers may refuse the file.
    ///
    /// ## Example
    /// `f 1 2`
    ///
    /// ## Fix
    /// Write it as a line (`l`), or remove it.
    OBJ_006 "OBJ-006" "too-few-corners", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::TooFewCorners, |text| {
            let mut words = arguments(text);
            let keyword = words.next().unwrap_or_default();
            let count = words.count();
            let (what, fewest) = match Kind::of(keyword) {
                Kind::L => ("line", 2),
                Kind::P => ("point", 1),
                _ => ("face", 3),
            };
            let corners = if count == 1 { "corner" } else { "corners" };
            format!("a {what} of {count} {corners} needs at least {fewest}")
        });
    }
}

rule! {
    /// ## What it finds
    /// An `o`, `usemtl` or `mtllib` without a name.
    ///
    /// ## Why it matters
    /// The object or material has no name to be found by.
    ///
    /// ## Example
    /// `usemtl` and nothing behind it.
    ///
    /// ## Fix
    /// Give it a name, or remove the line.
    OBJ_007 "OBJ-007" "name-missing", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::NoName, |text| format!("{} without a name", quote(text)));
    }
}

rule! {
    /// ## What it finds
    /// The name of an object, group, material or file that is not UTF-8.
    ///
    /// ## Why it matters
    /// The format does not say how names are encoded; other programs show something else, and file names are not
    /// found.
    ///
    /// ## Example
    /// `o Würfel`, written in Latin-1.
    ///
    /// ## Fix
    /// Write the file again as UTF-8.
    OBJ_008 "OBJ-008" "name-not-utf8", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let named = |run: &Run| matches!(run.kind, Kind::O | Kind::G | Kind::Usemtl | Kind::Mtllib);
        let names = doc.model().runs.iter().enumerate().filter(|(_, run)| named(run)).map(|(i, _)| doc.argument(i));
        let fault = |name: Range<usize>| {
            let error = std::str::from_utf8(&doc.source()[name.clone()]).err()?;
            Some(name.start + error.valid_up_to())
        };
        report_each(doc, cx, &names.filter_map(fault).collect::<Vec<_>>(), |&at| {
            (at..at + 1, 1, format!("the name is not UTF-8: byte {:02X}", doc.source()[at]))
        });
    }
}

rule! {
    /// ## What it finds
    /// An `s` with anything but a number or `off`.
    ///
    /// ## Why it matters
    /// Nobody can tell whether what follows is smooth; it counts as `off`.
    ///
    /// ## Example
    /// `s smooth`
    ///
    /// ## Fix
    /// Write a number, or `off`.
    OBJ_009 "OBJ-009" "smoothing-group-unknown", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::Smoothing, |text| format!("{} is neither a number nor off", quote(text)));
    }
}

rule! {
    /// ## What it finds
    /// An index of a vertex, texture coordinate or normal that the file does not have.
    ///
    /// ## Why it matters
    /// A face without its vertex is left out of conversions; a missing texture coordinate or normal counts as
    /// none.
    ///
    /// ## Example
    /// `f 1 2 9` in a file of 8 vertices.
    ///
    /// ## Fix
    /// Get the file again if it was cut short; otherwise look for vertices that were left out of the export.
    OBJ_010 "OBJ-010" "index-out-of-range", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let [v, vt, vn] = doc.model().counts();
        report_each(doc, cx, &bad_indices(doc), |(count, first)| {
            let word = quote(&doc.source()[first.clone()]);
            let message = format!("{word} names what is not there; the file has {v} v, {vt} vt and {vn} vn");
            (first.clone(), *count, message)
        });
    }
}

rule! {
    /// ## What it finds
    /// A line whose first word is no statement of the format; each such word is reported once.
    ///
    /// ## Why it matters
    /// It is kept when the file is rewritten, and left out of conversions.
    ///
    /// ## Example
    /// `vcolor 1 0 0`
    ///
    /// ## Fix
    /// Correct the spelling, or remove the lines.
    OBJ_011 "OBJ-011" "statement-unknown", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_keyword(doc, cx, Kind::Unknown, |word| format!("{word} is no statement of the format"));
    }
}

rule! {
    /// ## What it finds
    /// Curves and surfaces that are given by control points; each kind of statement is reported once.
    ///
    /// ## Why it matters
    /// They are kept when the file is rewritten, and left out of conversions: no other format here has them.
    ///
    /// ## Example
    /// `curv 0 1 1 2 3 4`
    ///
    /// ## Fix
    /// Turn them into faces in the program the model was made with.
    OBJ_012 "OBJ-012" "free-form-geometry", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_keyword(doc, cx, Kind::FreeForm, |word| {
            format!("{word} belongs to free-form geometry, which is not converted")
        });
    }
}

rule! {
    /// ## What it finds
    /// A statement about displaying or rendering, or one that runs another program; each is reported once.
    ///
    /// ## Why it matters
    /// It is kept when the file is rewritten, and left out of conversions. Nothing is ever run.
    ///
    /// ## Example
    /// `lod 20`
    ///
    /// ## Fix
    /// Nothing needs fixing.
    OBJ_013 "OBJ-013" "display-statement", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_keyword(doc, cx, Kind::Display, |word| {
            format!("{word} is about displaying or rendering and is not converted")
        });
    }
}

rule! {
    /// ## What it finds
    /// Faces of one material of which some corners have a texture coordinate or normal and others do not.
    ///
    /// ## Why it matters
    /// Other formats have them for all vertices or for none, so the missing ones become zero.
    ///
    /// ## Example
    /// `f 1/1 2/2 3`
    ///
    /// ## Fix
    /// Give every corner the same form.
    OBJ_014 "OBJ-014" "corners-mixed", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_each(doc, cx, &mixed_corners(doc), |mixed| {
            let Mixed { missing, corners, without, first } = *mixed;
            let message = format!("{without} of {corners} corners of one material have no {missing}");
            (statement(doc, first), without, message)
        });
    }
}

rule! {
    /// ## What it finds
    /// Vertices with colours beside vertices without.
    ///
    /// ## Why it matters
    /// Those without become white.
    ///
    /// ## Example
    /// `v 0 0 0 1 0 0` followed by `v 1 0 0`.
    ///
    /// ## Fix
    /// Give every vertex a colour, or none.
    OBJ_015 "OBJ-015" "colors-mixed", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let model = doc.model();
        let without = model.counts()[0] - model.colored;
        if model.colored > 0 && without > 0 {
            let plain = |line: &Line<'_>| numbers(doc, line) < 6;
            let Some(at) = vertex(doc, b"v", plain) else { return };
            let message = format!("{without} of {} vertices have no colour and become white", model.counts()[0]);
            report(doc, cx, at, without as u64, message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A file without faces, lines and points.
    ///
    /// ## Why it matters
    /// Nothing is drawn; perhaps an export went wrong. In conversions its vertices become points.
    ///
    /// ## Example
    /// A file of `v` lines alone: a point cloud.
    ///
    /// ## Fix
    /// Add `p` statements if the vertices are meant as points.
    OBJ_016 "OBJ-016" "nothing-drawn", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.model().sizes.is_empty() {
            cx.report(Place::path("statements"), "the file has no faces, lines or points");
        }
    }
}

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
    raised by lift of Document
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
    raised by lift of Document
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
    raised by lift of Document
}

rule! {
    /// ## What it finds
    /// A line of a material library whose value is no number, or of which numbers are missing.
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
    raised by lift of Document
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
    raised by lift of Document
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
    raised by lift of Document
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
    raised by lift of Document
}

rule! {
    /// ## What it finds
    /// A texture that was not found.
    ///
    /// ## Why it matters
    /// The path is kept, but there is no picture to convert.
    ///
    /// ## Example
    /// `map_Kd wood.png`, and there is no such file beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    OBJ_025 "OBJ-025" "texture-missing", stage: Links, severity: Warning, since: "0.1",
    raised by lift of Document
}

rule! {
    /// ## What it finds
    /// A number that is infinite or not a number, or too large for a 32-bit float.
    ///
    /// ## Why it matters
    /// The faces around it vanish or fill the screen; other formats forbid it.
    ///
    /// ## Example
    /// `v nan 0 0`
    ///
    /// ## Fix
    /// Find out which step of the export divides by zero.
    OBJ_026 "OBJ-026" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::NotFinite, |text| format!("{} is not finite as a 32-bit float", quote(text)));
    }
}

rule! {
    /// ## What it finds
    /// A vertex with a fourth number other than 1.
    ///
    /// ## Why it matters
    /// It is the weight of a control point of free-form geometry; for faces it is ignored, though some readers
    /// divide by it.
    ///
    /// ## Example
    /// `v 2 2 2 2`
    ///
    /// ## Fix
    /// Write vertices with three numbers.
    OBJ_027 "OBJ-027" "weight-ignored", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        faults(doc, cx, What::Weight, |_| "the vertex has a weight other than 1, which is ignored".to_owned());
    }
}

rule! {
    /// ## What it finds
    /// A normal whose length differs from 1 by more than 0.001.
    ///
    /// ## Why it matters
    /// Lighting comes out too bright or too dark; other formats forbid it.
    ///
    /// ## Example
    /// `vn 0 0 0`
    ///
    /// ## Fix
    /// Normalise the normals before the export.
    OBJ_028 "OBJ-028" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let length = |n: &[f32]| n.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>().sqrt();
        let off = |n: &[f32]| length(n).is_finite() && (length(n) - 1.).abs() > NORMAL_TOLERANCE;
        each_value(doc, cx, b"vn", &doc.model().normals, 3, off, |n| {
            format!("the normal is {}, of length {:.4}", list(n), length(n))
        });
    }
}

rule! {
    /// ## What it finds
    /// A vertex colour outside 0 to 1.
    ///
    /// ## Why it matters
    /// Readers clamp it, or take all colours as numbers to 255; other formats forbid it.
    ///
    /// ## Example
    /// `v 0 0 0 255 128 0`
    ///
    /// ## Fix
    /// Divide by 255 if the colours were meant as bytes.
    OBJ_029 "OBJ-029" "color-out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let off = |c: &[f32]| c.iter().any(|v| v.is_finite() && !(0. ..=1.).contains(v));
        each_value(doc, cx, b"v", &doc.model().colors, 4, off, |c| {
            format!("the colour is {}; components are 0 to 1", list(&c[..3]))
        });
    }
}

rule! {
    /// ## What it finds
    /// A face that visits a vertex twice in a row.
    ///
    /// ## Why it matters
    /// An edge of no length: the face has fewer corners than it seems, perhaps no area.
    ///
    /// ## Example
    /// `f 1 1 2`
    ///
    /// ## Fix
    /// Remove such faces, or merge the vertices in the program the model was made with.
    OBJ_030 "OBJ-030" "corner-repeated", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let model = doc.model();
        let (mut count, mut first) = (0, None);
        for (_, _, elements) in model.element_runs().filter(|(_, kind, _)| *kind == Kind::F) {
            for (element, corners) in model.elements(&elements) {
                let next = corners.iter().skip(1).chain(corners.first());
                if corners.len() > 2 && corners.iter().zip(next).any(|(a, b)| a.v == b.v && a.v < BAD) {
                    count += 1;
                    first.get_or_insert(element);
                }
            }
        }
        if let Some(first) = first {
            let message = format!("{count} faces visit a vertex twice in a row");
            report(doc, cx, statement(doc, first), count, message);
        }
    }
}

rule! {
    /// ## What it finds
    /// Vertices that no face, line or point uses.
    ///
    /// ## Why it matters
    /// They are kept when the file is rewritten, and left out of conversions.
    ///
    /// ## Example
    /// 8 `v` statements and faces that use 4 of them.
    ///
    /// ## Fix
    /// Remove them if nothing needs them.
    OBJ_031 "OBJ-031" "vertex-unused", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let model = doc.model();
        let mut used = vec![false; model.counts()[0]];
        for corner in &model.corners {
            if let Some(used) = used.get_mut(corner.v as usize) {
                *used = true;
            }
        }
        let Some(first) = used.iter().position(|used| !used).filter(|_| !model.sizes.is_empty()) else { return };
        let count = used.iter().filter(|used| !**used).count();
        let mut nth = 0..;
        let Some(at) = vertex(doc, b"v", |_| nth.next() == Some(first)) else { return };
        let message = format!("{count} of {} vertices are used by nothing", used.len());
        report(doc, cx, at, count as u64, message);
    }
}

/// Reports some bytes of the text. Findings of one rule in one run of statements are counted.
fn report(doc: &Document, cx: &mut Checker<'_>, bytes: Range<usize>, count: u64, message: impl std::fmt::Display) {
    let runs = &doc.model().runs;
    let run = runs.partition_point(|run| run.start <= bytes.start).saturating_sub(1);
    let start = runs.get(run).map_or(0, |run| run.start);
    let line = lines_before(doc.source(), bytes.start) + 1;
    let first = lines_before(doc.source(), start) + 1;
    let place = Place::bytes(format!("statements[{run}][{}]", line - first), doc.span(bytes));
    cx.report_count(place, count, format!("line {line}: {message}"));
}

/// Reports as many as a report lists, and the rest as a count with the last of them: finding a place takes a pass over
/// the text.
fn report_each<T>(
    doc: &Document,
    cx: &mut Checker<'_>,
    found: &[T],
    describe: impl Fn(&T) -> (Range<usize>, u64, String),
) {
    let listed = found.len().min(MAX_PER_RULE);
    for (i, item) in found[..listed].iter().enumerate() {
        let (bytes, count, message) = describe(item);
        let further = if i + 1 == listed { found.len() - listed } else { 0 };
        report(doc, cx, bytes, count + further as u64, message);
    }
}

/// Reports the faults of a kind that were met while reading.
fn faults(doc: &Document, cx: &mut Checker<'_>, what: What, message: impl Fn(&[u8]) -> String) {
    for fault in doc.model().faults.iter().filter(|fault| fault.what == what) {
        report(doc, cx, fault.at.clone(), fault.count, message(&doc.source()[fault.at.clone()]));
    }
}

/// Reports every keyword of a kind of statement once, where it comes first.
fn each_keyword(doc: &Document, cx: &mut Checker<'_>, kind: Kind, message: impl Fn(String) -> String) {
    let mut found: Vec<(Range<usize>, u64)> = Vec::new();
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    for (i, run) in doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind == kind) {
        let Some(line) = doc.lines(i).next() else { continue };
        match known.get(line.keyword) {
            Some(&same) => found[same].1 += u64::from(run.lines),
            None => {
                known.insert(line.keyword, found.len());
                let start = line.at.start;
                found.push((start..start + line.keyword.len(), run.lines.into()));
            }
        }
    }
    report_each(doc, cx, &found, |(at, count)| (at.clone(), *count, message(plain(&doc.source()[at.clone()]))));
}

/// For every run with indices that lead nowhere: how many corners have such, and the first of them.
fn bad_indices(doc: &Document) -> Vec<(u64, Range<usize>)> {
    let model = doc.model();
    let bad = |corner: &Corner| [corner.v, corner.vt, corner.vn].contains(&BAD);
    let mut found = Vec::new();
    for (run, _, elements) in model.element_runs() {
        let corners = || model.elements(&elements).flat_map(|(_, corners)| corners);
        if !corners().any(bad) {
            continue;
        }
        let mut corners = corners();
        let (mut count, mut first) = (0, None);
        for line in doc.lines(run) {
            let mut cursor = Cursor { text: &doc.source()[..line.rest.end], at: line.rest.start };
            loop {
                cursor.blanks();
                let start = cursor.at;
                if cursor.at_line_end() || cursor.peek() == Some(b'#') {
                    break;
                }
                let written = read::corner(&mut cursor);
                let Some(corner) = corners.next() else { break };
                // An index 0 and a corner that cannot be read are other rules' business.
                let [v, vt, vn] = written.unwrap_or_default();
                let pairs = [(v, corner.v), (vt, corner.vt), (vn, corner.vn)];
                if pairs.iter().any(|(written, index)| *index == BAD && written.is_some_and(|written| written != 0)) {
                    count += 1;
                    first.get_or_insert(start..cursor.at);
                }
            }
        }
        found.extend(first.map(|first| (count, first)));
    }
    found
}

/// A part of the scene in which only some corners have a texture coordinate or normal.
struct Mixed {
    missing: &'static str,
    corners: u64,
    without: u64,
    /// The first element that misses it.
    first: usize,
}

fn mixed_corners(doc: &Document) -> Vec<Mixed> {
    let model = doc.model();
    let mut found = Vec::new();
    for part in Plan::of(doc).objects.iter().flat_map(|object| &object.parts) {
        for (missing, index) in [("texture coordinate", (|c| c.vt) as fn(&Corner) -> u32), ("normal", |c| c.vn)] {
            let mut mixed = Mixed { missing, corners: 0, without: 0, first: 0 };
            for (element, corners) in part.stretches.iter().flat_map(|stretch| model.elements(&stretch.elements)) {
                let without = corners.iter().filter(|corner| index(corner) >= BAD).count() as u64;
                if without > 0 && mixed.without == 0 {
                    mixed.first = element;
                }
                mixed.corners += corners.len() as u64;
                mixed.without += without;
            }
            if (1..mixed.corners).contains(&mixed.without) {
                found.push(mixed);
            }
        }
    }
    found
}

/// The bytes of the statement of one element.
fn statement(doc: &Document, element: usize) -> Range<usize> {
    let found = doc.model().element_runs().find(|(_, _, elements)| elements.sizes.contains(&element));
    let line = found.and_then(|(run, _, elements)| doc.lines(run).nth(element - elements.sizes.start));
    line.map_or(0..0, |line| line.at)
}

fn statement_of_run(doc: &Document, run: usize) -> Range<usize> {
    doc.lines(run).next().map_or(0..0, |line| line.at)
}

/// The bytes of the first statement with this keyword that is `wanted`.
fn vertex(doc: &Document, keyword: &[u8], mut wanted: impl FnMut(&Line<'_>) -> bool) -> Option<Range<usize>> {
    let runs = doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind.is_data());
    let mut lines = runs.flat_map(|(i, _)| doc.lines(i)).filter(|line| line.keyword == keyword);
    lines.find(|line| wanted(line)).map(|line| line.at)
}

/// How many numbers stand in a line.
fn numbers(doc: &Document, line: &Line<'_>) -> usize {
    arguments(&doc.source()[line.rest.clone()]).count()
}

/// Reports how many of the values that `keyword` gives are off, at the first of them.
fn each_value(
    doc: &Document,
    cx: &mut Checker<'_>,
    keyword: &[u8],
    values: &[f32],
    width: usize,
    off: impl Fn(&[f32]) -> bool,
    message: impl Fn(&[f32]) -> String,
) {
    let rows = || values.chunks_exact(width);
    let Some(first) = rows().position(&off) else { return };
    let count = rows().filter(|row| off(row)).count();
    let mut nth = 0..;
    let Some(at) = vertex(doc, keyword, |_| nth.next() == Some(first)) else { return };
    let message = message(&values[first * width..first * width + width]);
    report(doc, cx, at, count as u64, message);
}

fn list(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", values.join(", "))
}
