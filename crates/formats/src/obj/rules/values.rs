//! What the numbers say, and what could be better.

use findings::{Checker, rule};

use super::faults::{What, faults};
use super::places::{report, statement, vertex};
use crate::obj::layout::{BAD, Document, Kind};
use crate::obj::lex::quote;

/// How far from 1 the length of a normal may be: what text with three decimals can say.
const NORMAL_TOLERANCE: f64 = 1e-3;

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
