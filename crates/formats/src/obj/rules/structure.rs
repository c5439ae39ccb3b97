//! How the lines fit together.

use std::collections::HashMap;
use std::ops::Range;

use findings::{Checker, Place, rule};

use super::places::{report, report_each, statement, vertex};
use crate::obj::bridge::Plan;
use crate::obj::chunk;
use crate::obj::layout::{BAD, Corner, Document, Kind};
use crate::obj::lex::{Cursor, Line, arguments, plain, quote};

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
                let written = chunk::corner(&mut cursor);
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

/// How many numbers stand in a line.
fn numbers(doc: &Document, line: &Line<'_>) -> usize {
    arguments(&doc.source()[line.rest.clone()]).count()
}
