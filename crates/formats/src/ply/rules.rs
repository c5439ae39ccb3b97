//! What can be wrong with a PLY file.

use std::collections::HashSet;

use findings::{Checker, Place, Rule, Severity, rule};

use super::data::What;
use super::layout::Document;
use super::meaning::{Meaning, NORMAL, POSITION, group, unconverted};

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &PLY_001, &PLY_002, &PLY_003, &PLY_004, &PLY_005, &PLY_006, &PLY_007, &PLY_008, &PLY_009, &PLY_010, &PLY_011,
    &PLY_012, &PLY_013, &PLY_014, &PLY_015, &PLY_016, &PLY_017,
];

/// How far from 1 the length of a normal may be: what text with three decimals can say.
const NORMAL_TOLERANCE: f64 = 1e-3;

fn name(bytes: &[u8]) -> String {
    findings::render::escape(&String::from_utf8_lossy(bytes)).into_owned()
}

/// The place of a row of an element.
fn row_place(doc: &Document, element: usize, row: usize) -> Place {
    Place::bytes(format!("elements[{element}]"), doc.row(element, row))
}

/// Reports the faults of a kind that were met while reading.
fn report_faults(doc: &Document, cx: &mut Checker<'_>, is_kind: fn(&What) -> bool, message: impl Fn(&str) -> String) {
    for fault in doc.body().faults.iter().filter(|fault| is_kind(&fault.what)) {
        let word = name(&doc.source()[fault.at.clone()]);
        let place = Place::bytes(format!("elements[{}]", fault.element), doc.span(fault.at.clone()));
        cx.report_count(place, fault.count, message(&word));
    }
}

/// Reports the rows of vertices whose numbers in some properties are `wrong`: the first, and how many.
fn report_vertices(
    doc: &Document,
    cx: &mut Checker<'_>,
    severity: Severity,
    spellings: &[&[&str]],
    wrong: impl Fn(&[f64]) -> bool,
    message: impl FnOnce(&[f64]) -> String,
) {
    let meaning = Meaning::of(doc);
    let Some(vertex) = meaning.vertex else { return };
    let (element, table) = meaning.element(vertex);
    let Some(properties) = group(element, spellings) else { return };
    let (offsets, _) = element.offsets();
    let mut first = None;
    let mut count = 0;
    let mut numbers = vec![0.; properties.len()];
    for row in 0..table.count {
        for (number, &i) in numbers.iter_mut().zip(&properties) {
            *number = table.number(row, offsets[i], element.properties[i].item);
        }
        if wrong(&numbers) {
            count += 1;
            first.get_or_insert_with(|| (row, numbers.clone()));
        }
    }
    if let Some((row, numbers)) = first {
        cx.report_count_as(severity, row_place(doc, vertex, row), count, message(&numbers));
    }
}

rule! {
    /// ## What it finds
    /// A file that does not start with a line that says `ply`.
    ///
    /// ## Why it matters
    /// It is no PLY, and nothing says what it is.
    ///
    /// ## Example
    /// A file that starts with `plywood`.
    ///
    /// ## Fix
    /// Look for the file you meant.
    PLY_001 "PLY-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A header without `end_header`.
    ///
    /// ## Why it matters
    /// Nothing says where the data begins.
    ///
    /// ## Example
    /// A file that was cut in its header.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    PLY_002 "PLY-002" "header-not-ended", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A header that does not say how the data is written, or says it with an unknown word.
    ///
    /// ## Why it matters
    /// The data cannot be read.
    ///
    /// ## Example
    /// `format binary 1.0`
    ///
    /// ## Fix
    /// Write `format ascii 1.0`, `format binary_little_endian 1.0` or `format binary_big_endian 1.0`.
    PLY_003 "PLY-003" "format-unknown", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A line of the header about an element or a property that cannot be understood.
    ///
    /// ## Why it matters
    /// The data behind it cannot be found.
    ///
    /// ## Example
    /// `property real x`
    ///
    /// ## Fix
    /// Types are char, uchar, short, ushort, int, uint, float and double; an element has a name and a count.
    PLY_004 "PLY-004" "header-line", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A version other than 1.0.
    ///
    /// ## Why it matters
    /// There is no other; programs may refuse the file.
    ///
    /// ## Example
    /// `format ascii 2.0`
    ///
    /// ## Fix
    /// Write 1.0.
    PLY_005 "PLY-005" "version-unknown", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let header = doc.header();
        if header.version != b"1.0" {
            let said = |line: &super::header::Line| doc.source()[line.text.clone()].trim_ascii().starts_with(b"format");
            let line = header.lines.iter().position(said).unwrap_or(0);
            cx.report(Place::path(format!("header[{line}]")), format!("the version is \"{}\"", name(&header.version)));
        }
    }
}

rule! {
    /// ## What it finds
    /// A line of the header that begins with an unknown word.
    ///
    /// ## Why it matters
    /// Programs may refuse the file.
    ///
    /// ## Example
    /// `author someone`
    ///
    /// ## Fix
    /// Write `comment` before it.
    PLY_006 "PLY-006" "header-word-unknown", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, line) in doc.header().lines.iter().enumerate().filter(|(_, line)| !line.known) {
            let text = name(&doc.source()[line.text.clone()]);
            cx.report(Place::path(format!("header[{i}]")), format!("\"{text}\" is no line of a header"));
        }
    }
}

rule! {
    /// ## What it finds
    /// An element with fewer rows than the header says.
    ///
    /// ## Why it matters
    /// The file was cut short, or the program that wrote it did not count.
    ///
    /// ## Example
    /// `element face 12`, and the data ends behind the 11th.
    ///
    /// ## Fix
    /// Get the file again. If it is whole, correct the count.
    PLY_007 "PLY-007" "data-truncated", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for fault in &doc.body().faults {
            let What::Missing(there, more) = fault.what else { continue };
            let element = &doc.header().elements[fault.element];
            let (said, name) = (element.count, name(&element.name));
            let message = format!("the header says {said} of {name}, there are {there} and {more} bytes");
            cx.report(Place::path(format!("elements[{}]", fault.element)), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the last element.
    ///
    /// ## Why it matters
    /// A count in the header is too small, or something was appended; it is not read.
    ///
    /// ## Example
    /// `element face 11`, and there are 12.
    ///
    /// ## Fix
    /// Correct the count, or remove the bytes.
    PLY_008 "PLY-008" "trailing-bytes", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let tail = doc.body().tail.clone();
        let text = doc.header().dialect == super::Dialect::Ascii;
        let bytes = &doc.source()[tail.clone()];
        if if text { !bytes.trim_ascii().is_empty() } else { !bytes.is_empty() } {
            cx.report(Place::path("tail"), format!("{} bytes follow the last element", tail.len()));
        }
    }
}

rule! {
    /// ## What it finds
    /// A word of the data that is no number.
    ///
    /// ## Why it matters
    /// It is read as 0.
    ///
    /// ## Example
    /// `1,5 0 0`
    ///
    /// ## Fix
    /// Write numbers with a point.
    PLY_009 "PLY-009" "number-unreadable", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |word: &str| format!("\"{word}\" is not a number; it is read as 0");
        report_faults(doc, cx, |what| *what == What::Number, message);
    }
}

rule! {
    /// ## What it finds
    /// A number of the data that its type cannot hold.
    ///
    /// ## Why it matters
    /// It is read as the nearest that the type holds; other programs let it wrap around.
    ///
    /// ## Example
    /// `256` for a `uchar`, `1.5` for an `int`.
    ///
    /// ## Fix
    /// Change the type in the header.
    PLY_010 "PLY-010" "number-out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |word: &str| format!("{word} does not fit the type of its property");
        report_faults(doc, cx, |what| *what == What::Range, message);
    }
}

rule! {
    /// ## What it finds
    /// A face or edge that names a vertex that is not there.
    ///
    /// ## Why it matters
    /// It is left out; other programs crash.
    ///
    /// ## Example
    /// `3 0 1 8` in a file of 8 vertices.
    ///
    /// ## Fix
    /// Vertices count from 0; export the model again.
    PLY_011 "PLY-011" "index-out-of-range", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let meaning = Meaning::of(doc);
        let there = meaning.vertex_count();
        let wild = |index: &u32| *index as usize >= there;
        let mut report = |element: usize, rows: &mut dyn Iterator<Item = (usize, u32)>| {
            let mut first = None;
            let mut count = 0;
            for (row, index) in rows {
                count += 1;
                first.get_or_insert((row, index));
            }
            if let Some((row, index)) = first {
                let shown = if index == u32::MAX { "no index".to_owned() } else { format!("vertex {index}") };
                let message = format!("{shown} is named, there are {there} vertices");
                cx.report_count(row_place(doc, element, row), count, message);
            }
        };
        if let Some(lists) = meaning.face {
            let (sizes, numbers) = meaning.indices(lists);
            let mut rest = &numbers[..];
            let mut rows = sizes.iter().enumerate().filter_map(|(row, &size)| {
                let (face, behind) = rest.split_at(size as usize);
                rest = behind;
                face.iter().copied().find(wild).map(|index| (row, index))
            });
            report(lists.element, &mut rows);
        }
        if let Some((element, edges)) = meaning.edges() {
            let mut rows = edges.iter().enumerate().filter_map(|(row, edge)| {
                edge.iter().copied().find(wild).map(|index| (row, index))
            });
            report(element, &mut rows);
        }
    }
}

rule! {
    /// ## What it finds
    /// A face of fewer than three corners.
    ///
    /// ## Why it matters
    /// It is left out: it has no area.
    ///
    /// ## Example
    /// `2 0 1`
    ///
    /// ## Fix
    /// Remove it, or write it as an `edge`.
    PLY_012 "PLY-012" "face-too-small", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let meaning = Meaning::of(doc);
        let Some(lists) = meaning.face else { return };
        let sizes = &meaning.element(lists.element).1.lists[lists.list].sizes;
        let Some(first) = sizes.iter().position(|&size| size < 3) else { return };
        let count = sizes.iter().filter(|&&size| size < 3).count() as u64;
        let message = format!("the face has {} corners", sizes[first]);
        cx.report_count(row_place(doc, lists.element, first), count, message);
    }
}

rule! {
    /// ## What it finds
    /// A position that is infinite or not a number.
    ///
    /// ## Why it matters
    /// The vertex cannot be drawn; bounding boxes become useless.
    ///
    /// ## Example
    /// `nan 0 0`
    ///
    /// ## Fix
    /// Remove the vertex; scanners write it where they saw nothing.
    PLY_013 "PLY-013" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let wrong = |numbers: &[f64]| numbers.iter().any(|number| !number.is_finite());
        report_vertices(doc, cx, Severity::Error, POSITION, wrong, |numbers| format!("the position is {numbers:?}"));
    }
}

rule! {
    /// ## What it finds
    /// A normal that is not of unit length; one of zeros, which stands for none, is told as an info.
    ///
    /// ## Why it matters
    /// Programs that believe it light the mesh wrongly.
    ///
    /// ## Example
    /// `nx ny nz` are `0 0 2`.
    ///
    /// ## Fix
    /// Let the program that wrote it recalculate its normals.
    PLY_014 "PLY-014" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let length = |numbers: &[f64]| numbers.iter().map(|n| n * n).sum::<f64>().sqrt();
        let wrong = |numbers: &[f64]| length(numbers) != 0. && (length(numbers) - 1.).abs() > NORMAL_TOLERANCE;
        report_vertices(doc, cx, Severity::Warning, NORMAL, wrong, |n| format!("the normal is {:?} long", length(n) as f32));
        let none = |numbers: &[f64]| length(numbers) == 0.;
        report_vertices(doc, cx, Severity::Info, NORMAL, none, |_| "the normal is zero".to_owned());
    }
}

rule! {
    /// ## What it finds
    /// Two elements of one name, or two properties of one name in an element.
    ///
    /// ## Why it matters
    /// Programs disagree about which of them counts; here it is the first.
    ///
    /// ## Example
    /// `property float x` twice.
    ///
    /// ## Fix
    /// Rename one of them.
    PLY_015 "PLY-015" "name-twice", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let header = doc.header();
        let (mut elements, mut properties) = (HashSet::new(), HashSet::new());
        for (i, line) in header.lines.iter().enumerate() {
            let text = &doc.source()[line.text.clone()];
            let mut words = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
            let fresh = match words.next() {
                Some(b"element") => {
                    properties.clear();
                    words.next().is_none_or(|name| elements.insert(name))
                }
                Some(b"property") => words.next_back().is_none_or(|name| properties.insert(name)),
                _ => true,
            };
            if !fresh {
                let message = format!("\"{}\" says a name for the second time", name(text));
                cx.report(Place::path(format!("header[{i}]")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Elements and properties that the scene has no field for.
    ///
    /// ## Why it matters
    /// They are kept on a rewrite and lost in a conversion.
    ///
    /// ## Example
    /// `element camera 1`, or `property uchar flags` of a face.
    ///
    /// ## Fix
    /// Nothing, if nobody needs them. Numbers of vertices are converted whatever they are called.
    PLY_016 "PLY-016" "not-converted", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (element, what) in unconverted(doc) {
            cx.report(Place::path(format!("elements[{element}]")), format!("{} is not converted", name(what.as_bytes())));
        }
    }
}

rule! {
    /// ## What it finds
    /// A file without an element `vertex` that has `x`, `y` and `z`.
    ///
    /// ## Why it matters
    /// There is nothing to show.
    ///
    /// ## Example
    /// `element point 100`
    ///
    /// ## Fix
    /// Call the element `vertex` and its coordinates `x`, `y` and `z`.
    PLY_017 "PLY-017" "no-vertices", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if Meaning::of(doc).vertex.is_none() {
            cx.report(Place::path("header"), "no element vertex with x, y and z");
        }
    }
}
