//! What can be wrong with an STL file.

use findings::{Checker, Place, Rule, Severity, rule};
use rayon::prelude::*;

use super::colors::{Coloring, words};
use super::geometry::{Triangle, cosine, is_finite, length, winding, with_triangles};
use super::layout::{Ascii, Document};
use super::text::{What, facet_bytes};

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &STL_001, &STL_002, &STL_003, &STL_004, &STL_005, &STL_006, &STL_007, &STL_008, &STL_009, &STL_010, &STL_011,
    &STL_012, &STL_013, &STL_014, &STL_015, &STL_016,
];

/// How far from 1 the length of a normal may be: what text with three decimals can say.
const NORMAL_TOLERANCE: f64 = 1e-3;

/// Least cosine between a normal and the one that the corners give: an eighth of a turn.
const AGREES: f64 = 0.7;

/// Reports the facets that `wrong` is true of: the first one, and how many.
fn report_facets(
    doc: &Document,
    cx: &mut Checker<'_>,
    field: &str,
    wrong: impl Fn(&Triangle) -> bool + Sync,
    message: impl FnOnce(&Triangle) -> String,
) {
    let found = with_triangles(doc, |triangles| {
        let wrong = |(i, triangle): (usize, &Triangle)| wrong(triangle).then_some((i, 1));
        let both = |a: (usize, u64), b: (usize, u64)| (a.0.min(b.0), a.1 + b.1);
        let found = triangles.par_iter().enumerate().with_min_len(1 << 13).filter_map(wrong).reduce_with(both);
        found.map(|(first, count)| (first, count, triangles[first]))
    });
    let Some((first, count, triangle)) = found else { return };
    cx.report_count(facet_place(doc, first, field), count, message(&triangle));
}

/// The place of a facet, or of one of its fields.
fn facet_place(doc: &Document, index: usize, field: &str) -> Place {
    match doc {
        Document::Binary(_) => Place::path(format!("facets[{index}]{field}")),
        Document::Ascii(ascii) => {
            let solids = ascii.model().solids.iter();
            let Some(solid) = solids.into_iter().find(|solid| solid.facets.contains(&index)) else {
                return Place::file();
            };
            let bytes = facet_bytes(ascii.source(), solid, index - solid.facets.start);
            Place::bytes(ascii.path(bytes.start), ascii.span(bytes))
        }
    }
}

/// Reports the faults of a kind that were met while reading a text.
fn report_faults(
    doc: &Document,
    cx: &mut Checker<'_>,
    is_kind: fn(&What) -> bool,
    message: impl Fn(What, &str) -> String,
) {
    let Document::Ascii(ascii) = doc else { return };
    for fault in ascii.model().faults.iter().filter(|fault| is_kind(&fault.what)) {
        let word = String::from_utf8_lossy(&ascii.source()[fault.at.clone()]).into_owned();
        let word = findings::render::escape(&word.chars().take(40).collect::<String>()).into_owned();
        let line = memchr::memchr_iter(b'\n', &ascii.source()[..fault.at.start]).count() + 1;
        let place = Place::bytes(ascii.path(fault.at.start.min(last(ascii))), ascii.span(fault.at.clone()));
        cx.report_count(place, fault.count, format!("line {line}: {}", message(fault.what, &word)));
    }
}

/// The last byte of a text.
fn last(ascii: &Ascii) -> usize {
    ascii.source().len().saturating_sub(1)
}

fn shown(word: &str) -> String {
    if word.is_empty() { "the end of the file".to_owned() } else { format!("\"{word}\"") }
}

rule! {
    /// ## What it finds
    /// A text that does not begin with `solid`.
    ///
    /// ## Why it matters
    /// It is no STL, and nothing says what it is.
    ///
    /// ## Example
    /// A file that says `Dear reader`.
    ///
    /// ## Fix
    /// Look for the file you meant.
    STL_001 "STL-001" "not-stl", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A binary file that ends before its facet count does.
    ///
    /// ## Why it matters
    /// There is no model in it.
    ///
    /// ## Example
    /// A file of 60 bytes.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    STL_002 "STL-002" "header-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A facet count that is larger than the number of facets in the file.
    ///
    /// ## Why it matters
    /// The file was cut short, or the program that wrote it did not count; others refuse it.
    ///
    /// ## Example
    /// `facet_count` is 12, and there is room for 11.
    ///
    /// ## Fix
    /// Get the file again. If it is all there is, `check --fix=all` sets the count to the facets that are there, and
    /// removes one that was cut in the middle.
    STL_003 "STL-003" "facet-count", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Document::Binary(binary) = doc
            && binary.facets.len() < binary.facet_count as usize
        {
            let message =
                format!("facet_count is {}, but there are {} facets", binary.facet_count, binary.facets.len());
            cx.report(Place::path("facet_count"), message);
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        let Document::Binary(binary) = doc else { return 0 };
        let there = u32::try_from(binary.facets.len()).unwrap_or(u32::MAX);
        let wrong = there < binary.facet_count;
        if wrong {
            binary.facet_count = there;
            // A facet that was cut in the middle is none.
            binary.tail = wire::Blob::default();
        }
        wrong.into()
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the last facet.
    ///
    /// ## Why it matters
    /// Programs that tell binary files from texts by their size take it for a text.
    ///
    /// ## Example
    /// A file with a line end behind its last facet.
    ///
    /// ## Fix
    /// Remove them if nothing needs them; `check --fix=all` does so.
    STL_004 "STL-004" "trailing-bytes", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Document::Binary(binary) = doc
            && !binary.tail.is_empty()
            && binary.facets.len() == binary.facet_count as usize
        {
            cx.report(Place::path("tail"), format!("{} bytes follow the last facet", binary.tail.len()));
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        let Document::Binary(binary) = doc else { return 0 };
        let whole = binary.facets.len() == binary.facet_count as usize;
        let extra = whole && !binary.tail.is_empty();
        if extra {
            binary.tail = wire::Blob::default();
        }
        extra.into()
    }
}

rule! {
    /// ## What it finds
    /// A binary file whose header begins with `solid`.
    ///
    /// ## Why it matters
    /// Programs that look at the first word take it for a text and read nothing.
    ///
    /// ## Example
    /// `solid exported by a CAD program`, then numbers.
    ///
    /// ## Fix
    /// Change the first letter of the header.
    STL_005 "STL-005" "header-says-solid", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Document::Binary(binary) = doc
            && binary.header[..].get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
        {
            cx.report(Place::path("header"), "a binary file begins with \"solid\" as texts do");
        }
    }
}

rule! {
    /// ## What it finds
    /// A word where another one belongs.
    ///
    /// ## Why it matters
    /// Programs stop at it, or read numbers from the wrong place.
    ///
    /// ## Example
    /// `facet 0 0 1` without `normal`.
    ///
    /// ## Fix
    /// Write the word that the message names.
    STL_006 "STL-006" "word-unexpected", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_faults(doc, cx, |what| matches!(what, What::Word(_)), |what, word| match what {
            What::Word(expected) => format!("{expected} was expected, found {}", shown(word)),
            _ => String::new(),
        });
    }
}

rule! {
    /// ## What it finds
    /// A word that is no number where one belongs.
    ///
    /// ## Why it matters
    /// It is read as 0, which moves a corner.
    ///
    /// ## Example
    /// `vertex 1,5 0 0`
    ///
    /// ## Fix
    /// Write numbers with a point.
    STL_007 "STL-007" "number-unreadable", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |_, word: &str| format!("{} is not a number; it is read as 0", shown(word));
        report_faults(doc, cx, |what| *what == What::Number, message);
    }
}

rule! {
    /// ## What it finds
    /// A solid without `endsolid`.
    ///
    /// ## Why it matters
    /// The file was cut short, or two were joined carelessly.
    ///
    /// ## Example
    /// A text that ends behind `endfacet`.
    ///
    /// ## Fix
    /// Get the file again. If it is whole, write `endsolid` at its end.
    STL_008 "STL-008" "solid-not-ended", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |_, word: &str| format!("endsolid was expected before {}", shown(word));
        report_faults(doc, cx, |what| *what == What::NotEnded, message);
    }
}

rule! {
    /// ## What it finds
    /// A facet of a text that does not have three corners.
    ///
    /// ## Why it matters
    /// It is left out: STL holds triangles.
    ///
    /// ## Example
    /// Four times `vertex` between `outer loop` and `endloop`.
    ///
    /// ## Fix
    /// Cut it into triangles with the program that wrote it.
    STL_009 "STL-009" "facet-corners", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_faults(doc, cx, |what| *what == What::Corners, |_, _| "a facet has three corners, not so this".into());
    }
}

rule! {
    /// ## What it finds
    /// An `endsolid` with another name than its `solid`.
    ///
    /// ## Why it matters
    /// It hurts nobody; two files may have been mixed up.
    ///
    /// ## Example
    /// `solid a` … `endsolid b`
    ///
    /// ## Fix
    /// Write the same name twice, or none behind `endsolid`.
    STL_010 "STL-010" "name-differs", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_faults(doc, cx, |what| *what == What::OtherName, |_, word| format!("endsolid names \"{word}\""));
    }
}

rule! {
    /// ## What it finds
    /// The name of a solid that is not UTF-8.
    ///
    /// ## Why it matters
    /// Other programs show other letters.
    ///
    /// ## Example
    /// `solid W\xFCrfel` in Latin-1.
    ///
    /// ## Fix
    /// Write the name again as UTF-8.
    STL_011 "STL-011" "name-not-utf8", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let Document::Ascii(ascii) = doc else { return };
        for (i, solid) in ascii.model().solids.iter().enumerate() {
            if std::str::from_utf8(&ascii.source()[solid.name.clone()]).is_err() {
                let place = Place::bytes(format!("solids[{i}].solid"), ascii.span(solid.name.clone()));
                cx.report(place, "the name is not UTF-8");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A coordinate that is infinite or not a number.
    ///
    /// ## Why it matters
    /// The facet cannot be drawn or printed; bounding boxes become useless.
    ///
    /// ## Example
    /// `vertex nan 0 0`
    ///
    /// ## Fix
    /// Export the model again; the program divided by zero.
    STL_012 "STL-012" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        report_facets(doc, cx, "", |t| !is_finite(t), |t| format!("a number is not finite: {t:?}"));
    }
}

rule! {
    /// ## What it finds
    /// A normal that points away from the side that the order of the corners says is outside.
    ///
    /// ## Why it matters
    /// Programs disagree about which of the two to believe: the facet is inside out for some of them.
    ///
    /// ## Example
    /// Corners counter-clockwise seen from above, and the normal `0 0 -1`.
    ///
    /// ## Fix
    /// Let the program that wrote it recalculate its normals.
    STL_013 "STL-013" "normal-against-winding", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let against = |t: &Triangle| {
            is_finite(t) && t[0] != [0.; 3] && winding(t).is_some_and(|winding| cosine(t[0], winding) < AGREES)
        };
        report_facets(doc, cx, ".normal", against, |t| {
            let winding = winding(t).unwrap_or_default().map(|n| n as f32);
            format!("the normal is {:?}, the corners say {winding:?}", t[0])
        });
    }
}

rule! {
    /// ## What it finds
    /// A normal that is not of unit length; zeros, which leave it to the reader, are told as an info.
    ///
    /// ## Why it matters
    /// Programs that believe it light the facet wrongly.
    ///
    /// ## Example
    /// `facet normal 0 0 2`
    ///
    /// ## Fix
    /// Let the program that wrote it recalculate its normals.
    STL_014 "STL-014" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let off = |t: &Triangle| t[0] != [0.; 3] && (length(t[0]) - 1.).abs() > NORMAL_TOLERANCE;
        report_facets(doc, cx, ".normal", off, |t| format!("the normal is {:?} long", length(t[0]) as f32));
        // Facets without an area have no normal to speak of.
        let zero = |t: &Triangle| t[0] == [0.; 3] && winding(t).is_some();
        let zeros = with_triangles(doc, |triangles| {
            let first = triangles.iter().position(zero);
            first.map(|first| (first, triangles.iter().filter(|t| zero(t)).count() as u64))
        });
        if let Some((first, count)) = zeros {
            cx.report_count_as(Severity::Info, facet_place(doc, first, ".normal"), count, "the normal is zero");
        }
    }
}

rule! {
    /// ## What it finds
    /// A facet without an area: corners that are the same or lie on one line.
    ///
    /// ## Why it matters
    /// It cannot be seen; slicers drop it or stumble over it.
    ///
    /// ## Example
    /// Two corners at the same place.
    ///
    /// ## Fix
    /// Remove it with a program that repairs meshes.
    STL_015 "STL-015" "facet-without-area", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let flat = |t: &Triangle| is_finite(t) && winding(t).is_none();
        report_facets(doc, cx, "", flat, |t| format!("the corners {:?} make no triangle", &t[1..]));
    }
}

rule! {
    /// ## What it finds
    /// Attributes of facets that are not zero.
    ///
    /// ## Why it matters
    /// The format says zero. Two programs keep colours there, VisCAM and Magics, in opposite order; most others
    /// ignore them, some take them for a size and lose their way.
    ///
    /// ## Example
    /// `attribute` is 0x801F: blue, if VisCAM wrote it.
    ///
    /// ## Fix
    /// Nothing, if the colours are wanted. Convert to a format that holds colours, PLY for instance.
    STL_016 "STL-016" "attributes-used", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let Document::Binary(binary) = doc else { return };
        let words = words(binary);
        let Some(first) = words.iter().position(|&word| word != 0) else { return };
        let count = words.iter().filter(|&&word| word != 0).count() as u64;
        let meaning = match Coloring::of(binary) {
            Coloring::VisCam => "colours as VisCAM keeps them",
            Coloring::Magics { .. } => "colours as Magics keeps them",
            Coloring::None | Coloring::Unknown => "nobody knows what it means",
        };
        let place = Place::path(format!("facets[{first}].attribute"));
        cx.report_count(place, count, format!("the attribute is {:#06x}: {meaning}", words[first]));
    }
}
