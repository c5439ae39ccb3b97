//! Layout, pieces and how they are drawn.

use findings::{Place, Severity, rule};
use scene::Topology;

use super::super::layout::{Document, Mode};
use super::pieces;

rule! {
    /// ## What it finds
    /// A file that reads equally well with and without a danmaku alpha.
    ///
    /// ## Why it matters
    /// Nothing is lost either way, but the dialect is a guess: a number that would be a plausible length decides for
    /// `spec`, any other for `engine`.
    ///
    /// ## Example
    /// One POLYGON piece without vertices in the `spec` dialect, and five bytes 00 behind it.
    ///
    /// ## Fix
    /// Nothing needs fixing: a rewrite gives the same bytes. Give the model a vertex and the layouts differ.
    DAN_011 "DAN-011" "layout-ambiguous", stage: Structure, severity: Info, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file without the danmaku alpha, as the document describes it.
    ///
    /// ## Why it matters
    /// Every version of the mod reads a 32-bit float before the model length and cannot load a file without it.
    ///
    /// ## Example
    /// Any file of the `spec` dialect.
    ///
    /// ## Fix
    /// `pentad convert model.danmodel model.danmodel --dialect engine`
    DAN_012 "DAN-012" "no-danmaku-alpha", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.header.danmaku_alpha.is_none() {
            let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Info };
            let message = "there is no danmaku alpha between piece_count and model_length; the mod expects one";
            cx.report_as(severity, Place::path("header.model_length"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A draw mode outside 0 to 9.
    ///
    /// ## Why it matters
    /// The mod hands the number to OpenGL, which draws nothing.
    ///
    /// ## Example
    /// `mode` is 10.
    ///
    /// ## Fix
    /// Set the mode that the vertices were made for: 4 for triangles, 7 for quads.
    DAN_013 "DAN-013" "mode-unknown", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (piece, place) in pieces(doc) {
            if piece.mode.topology().is_none() {
                cx.report(place.field("mode"), format!("mode is {}; modes are 0 to 9", piece.mode.0));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A danmaku_colored byte other than 0 and 1.
    ///
    /// ## Why it matters
    /// Any value but 0 means yes; writers use 1.
    ///
    /// ## Example
    /// `danmaku_colored` is FF.
    ///
    /// ## Fix
    /// Set it to 1.
    DAN_014 "DAN-014" "flag-not-boolean", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (piece, place) in pieces(doc) {
            if !piece.danmaku_colored.is_plain() {
                let message = format!("danmaku_colored is {:#04x}; writers use 0 or 1", piece.danmaku_colored.0);
                cx.report(place.field("danmaku_colored"), message);
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let odd = doc.pieces.iter_mut().filter(|piece| !piece.danmaku_colored.is_plain());
        odd.map(|piece| piece.edit().danmaku_colored = true.into()).count() as u64
    }
}

rule! {
    /// ## What it finds
    /// A vertex count that does not fit the draw mode: triangles not a multiple of 3, quads not of 4, lines not of 2,
    /// strips, fans and polygons of fewer than 3, quad strips that are odd or shorter than 4, loops of one.
    ///
    /// ## Why it matters
    /// OpenGL leaves out the vertices that make no whole primitive.
    ///
    /// ## Example
    /// TRIANGLES with 5 vertices.
    ///
    /// ## Fix
    /// Remove the vertices that are left over, or add the missing ones.
    DAN_015 "DAN-015" "vertex-count-misfit", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (piece, place) in pieces(doc) {
            let count = piece.vertices.len();
            let Some((word, demand)) = misfit(piece.mode, count) else { continue };
            cx.report(place.field("vertex_count"), format!("{word} with {count} vertices needs {demand}"));
        }
    }
}

/// What the mode demands, if `count` vertices do not satisfy it. No vertices at all are another rule's business.
fn misfit(mode: Mode, count: usize) -> Option<(&'static str, &'static str)> {
    let demand = match mode.topology()? {
        Topology::Triangles if !count.is_multiple_of(3) => "a multiple of 3",
        Topology::Quads if !count.is_multiple_of(4) => "a multiple of 4",
        Topology::Lines if !count.is_multiple_of(2) => "a multiple of 2",
        Topology::TriangleStrip | Topology::TriangleFan | Topology::Polygon if count < 3 => "at least 3",
        Topology::QuadStrip if count < 4 || !count.is_multiple_of(2) => "an even number of at least 4",
        Topology::LineLoop | Topology::LineStrip if count < 2 => "at least 2",
        _ => return None,
    };
    (count > 0).then_some((mode.word()?, demand))
}

rule! {
    /// ## What it finds
    /// A model without pieces, or a piece without vertices.
    ///
    /// ## Why it matters
    /// Nothing is drawn; perhaps an export went wrong.
    ///
    /// ## Example
    /// `piece_count` is 0.
    ///
    /// ## Fix
    /// Remove empty pieces, or export the model again.
    DAN_016 "DAN-016" "empty", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.pieces.is_empty() {
            cx.report(Place::path("header.piece_count"), "the model has no pieces");
        }
        for (piece, place) in pieces(doc) {
            if piece.vertices.is_empty() {
                cx.report(place.field("vertex_count"), "the piece has no vertices");
            }
        }
    }
}
