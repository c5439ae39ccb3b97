//! Words and numbers: what every line must be by itself.

use std::ops::Range;

use findings::rule;

use super::faults::{What, faults};
use super::places::report_each;
use crate::obj::layout::{Document, Kind, Run};
use crate::obj::lex::{arguments, quote};

rule! {
    /// ## What it finds
    /// A file of which no line is a statement of the format.
    ///
    /// ## Why it matters
    /// There is no model in it; it is another format, or empty.
    ///
    /// ## Example
    /// An image that was renamed to `model.obj`.
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
