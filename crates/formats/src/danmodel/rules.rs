//! What can be wrong with a DanModel file.

use findings::{Checker, Place, Rule, Severity, rule};

use super::layout::{Corner, Document, Mode, Piece, Vertices};
use scene::Topology;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DAN_001, &DAN_002, &DAN_003, &DAN_004, &DAN_005, &DAN_006, &DAN_007, &DAN_008, &DAN_009, &DAN_010, &DAN_011,
    &DAN_012, &DAN_013, &DAN_014, &DAN_015, &DAN_016, &DAN_017, &DAN_018, &DAN_019, &DAN_020, &DAN_021, &DAN_022,
    &DAN_023, &DAN_024, &DAN_025, &DAN_026,
];

/// How far from 1 the length of a normal may be; the real files, rounded to six decimals of text, stay within 1e-4.
const NORMAL_TOLERANCE: f64 = 1e-3;

rule! {
    /// ## What it finds
    /// A file that does not start with the string `DanmakuCore DanModel`.
    ///
    /// ## Why it matters
    /// The mod refuses it, and nothing says what the bytes mean.
    ///
    /// ## Example
    /// `00 14` followed by 20 other bytes.
    ///
    /// ## Fix
    /// Look for the file you meant; this is another format or a damaged start.
    DAN_001 "DAN-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A version other than 1.
    ///
    /// ## Why it matters
    /// There is no other version; the mod refuses the file.
    ///
    /// ## Example
    /// `version` is 2.
    ///
    /// ## Fix
    /// Set the version to 1 if the rest of the file is as version 1 has it.
    DAN_002 "DAN-002" "unknown-version", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file that ends inside its header.
    ///
    /// ## Why it matters
    /// There is no model in it.
    ///
    /// ## Example
    /// A file of 30 bytes.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    DAN_003 "DAN-003" "header-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A string whose length is negative or reaches behind the end of the file.
    ///
    /// ## Why it matters
    /// Lengths are signed 16-bit numbers: the mod dies of a negative one. A converter that writes more than 32767
    /// bytes makes such a file.
    ///
    /// ## Example
    /// `name_length` is -1.
    ///
    /// ## Fix
    /// Shorten the string and write the file again.
    DAN_004 "DAN-004" "string-length", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A name, description or author that is not UTF-8.
    ///
    /// ## Why it matters
    /// The mod shows U+FFFD in place of the bytes it cannot decode.
    ///
    /// ## Example
    /// `name` holds the byte FF.
    ///
    /// ## Fix
    /// Write the string again as UTF-8, for instance with `--name`.
    DAN_005 "DAN-005" "string-not-utf8", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let header = &doc.header;
        for (field, text) in [("name", &header.name), ("description", &header.description), ("author", &header.author)] {
            if let Err(error) = std::str::from_utf8(text.bytes()) {
                let byte = text.bytes()[error.valid_up_to()];
                let message = format!("{field} is not UTF-8: byte {byte:02X} at position {}", error.valid_up_to());
                cx.report(Place::path("header").field(field), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A piece or vertex count below zero.
    ///
    /// ## Why it matters
    /// The mod reads nothing for it and goes on with bytes that mean something else.
    ///
    /// ## Example
    /// `vertex_count` is -3.
    ///
    /// ## Fix
    /// Write the file again with a program that counts.
    DAN_006 "DAN-006" "count-negative", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A model length that is negative or reaches behind the end of the file.
    ///
    /// ## Why it matters
    /// The mod reads that many bytes at once and fails.
    ///
    /// ## Example
    /// `model_length` is 3754 where 3690 bytes remain.
    ///
    /// ## Fix
    /// Get the file again if it was cut short; otherwise set the length to the bytes that follow it.
    DAN_007 "DAN-007" "model-length", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A piece or vertex that runs past the model length.
    ///
    /// ## Why it matters
    /// The mod fails with a buffer underflow and draws nothing.
    ///
    /// ## Example
    /// `vertex_count` is 6, and there are bytes for 5.
    ///
    /// ## Fix
    /// Check vertex_count, danmaku_colored (it decides between 68 and 52 bytes per vertex) and model_length.
    DAN_008 "DAN-008" "piece-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Bytes inside the model length that no piece uses.
    ///
    /// ## Why it matters
    /// The mod ignores them; a count may be wrong.
    ///
    /// ## Example
    /// One piece of 213 bytes, `model_length` 217.
    ///
    /// ## Fix
    /// Check piece_count; set model_length to the size of the pieces.
    DAN_009 "DAN-009" "slack-in-model", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn fix(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.slack).is_empty())
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the model.
    ///
    /// ## Why it matters
    /// The mod ignores them; something was appended, or model_length is too small.
    ///
    /// ## Example
    /// Four bytes behind the last piece.
    ///
    /// ## Fix
    /// Remove them if nothing needs them.
    DAN_010 "DAN-010" "bytes-after-model", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn fix(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.tail).is_empty())
    }
}

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
            let severity = if cx.asked_for("engine") { Severity::Error } else { Severity::Info };
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

rule! {
    /// ## What it finds
    /// A danmaku alpha that is not finite or outside 0 to 1.
    ///
    /// ## Why it matters
    /// It is handed to the shader as an alpha.
    ///
    /// ## Example
    /// `danmaku_alpha` is 30.0.
    ///
    /// ## Fix
    /// The mod's own converter writes 0.3.
    DAN_017 "DAN-017" "alpha-out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Some(alpha) = doc.header.danmaku_alpha.filter(|alpha| !(0. ..=1.).contains(&alpha.get())) {
            let message = format!("danmaku_alpha is {}; alphas are 0 to 1", alpha.get());
            cx.report(Place::path("header.danmaku_alpha"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A coordinate, colour or normal that is infinite or not a number.
    ///
    /// ## Why it matters
    /// The triangles around it vanish or fill the screen; other formats forbid it.
    ///
    /// ## Example
    /// `position` is (NaN, 0, 0).
    ///
    /// ## Fix
    /// Find out which step of the export divides by zero.
    DAN_018 "DAN-018" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_field(doc, cx, |corner| {
            if !corner.position.iter().all(|v| v.is_finite()) {
                return Some(("position", format!("position is {}", list(&corner.position))));
            }
            if !corner.uv.iter().all(|v| v.is_finite()) {
                return Some(("uv", format!("uv is {}", list(&corner.uv))));
            }
            if let Some(color) = corner.color.filter(|c| !c.iter().all(|v| v.is_finite())) {
                return Some(("color", format!("color is {}", list(&color))));
            }
            (!corner.normal.iter().all(|v| v.is_finite()))
                .then(|| ("normal", format!("normal is {}", list(&corner.normal))))
        });
    }
}

rule! {
    /// ## What it finds
    /// A colour component outside 0 to 1.
    ///
    /// ## Why it matters
    /// OpenGL clamps it; other formats forbid it.
    ///
    /// ## Example
    /// `color` is (255, 255, 255, 1).
    ///
    /// ## Fix
    /// Divide by 255 if the colours were meant as bytes.
    DAN_019 "DAN-019" "color-out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_field(doc, cx, |corner| {
            let color = corner.color.filter(|c| c.iter().any(|v| v.is_finite() && !(0. ..=1.).contains(v)))?;
            Some(("color", format!("color is {}; components are 0 to 1", list(&color))))
        });
    }
}

rule! {
    /// ## What it finds
    /// Pure red or pure green in a piece with colours of its own.
    ///
    /// ## Why it matters
    /// The mod's shader replaces exactly (1, 0, 0) by the edge colour and exactly (0, 1, 0) by the core colour of the
    /// shot.
    ///
    /// ## Example
    /// `color` is (1, 0, 0, 1).
    ///
    /// ## Fix
    /// If you want real red or green, change a component by a trifle: 0.999.
    DAN_020 "DAN-020" "key-color", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_field(doc, cx, |corner| match corner.color?[..3] {
            [1., 0., 0.] => Some(("color", "pure red is replaced by the shot's edge colour".to_owned())),
            [0., 1., 0.] => Some(("color", "pure green is replaced by the shot's core colour".to_owned())),
            _ => None,
        });
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
    /// `normal` is (0, 0, 0).
    ///
    /// ## Fix
    /// Normalise the normals before the export.
    DAN_021 "DAN-021" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_field(doc, cx, |corner| {
            let length = corner.normal.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>().sqrt();
            (length.is_finite() && (length - 1.).abs() > NORMAL_TOLERANCE)
                .then(|| ("normal", format!("normal is {}, of length {length:.4}", list(&corner.normal))))
        });
    }
    fn fix(doc: &mut Document) -> u64 {
        let off = |normal: &[wire::F32; 3]| {
            let length = normal.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt();
            // A normal without length has no direction to keep.
            (length.is_finite() && length > 0. && (length - 1.).abs() > NORMAL_TOLERANCE).then_some(length)
        };
        let mend = |normal: &mut [wire::F32; 3]| match off(normal) {
            Some(length) => {
                *normal = normal.map(|v| wire::F32((f64::from(v.get()) / length) as f32));
                1
            }
            None => 0,
        };
        let mut count = 0;
        for piece in &mut doc.pieces {
            let mut needed = false;
            piece.vertices.each(|_, corner| needed |= off(&corner.normal.map(wire::F32)).is_some());
            if needed {
                count += match &mut piece.edit().vertices {
                    Vertices::Plain(vertices) => vertices.to_mut().iter_mut().map(|v| mend(&mut v.normal)).sum::<u64>(),
                    Vertices::Colored(vertices) => vertices.to_mut().iter_mut().map(|v| mend(&mut v.normal)).sum(),
                };
            }
        }
        count
    }
}

rule! {
    /// ## What it finds
    /// Triangles that face away from their normals.
    ///
    /// ## Why it matters
    /// With back faces hidden they are invisible from the side their normals point to.
    ///
    /// ## Example
    /// A triangle that runs clockwise seen from outside.
    ///
    /// ## Fix
    /// Turn the faces round, or the normals, in the program the model was made with.
    DAN_022 "DAN-022" "winding-against-normals", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (piece, place) in pieces(doc) {
            let (count, first) = against_normals(piece);
            if count > 0 {
                let message = format!("{count} triangles face away from their normals");
                cx.report_count(place.field("vertices").nth(first), count, message);
            }
        }
    }
}

/// How many triangles face away from their normals, and a vertex of the first.
fn against_normals(piece: &Piece) -> (u64, usize) {
    let (mut count, mut first) = (0, 0);
    each_triangle(piece, |at, [a, b, c]| {
        let edge = |p: &Corner, q: &Corner| std::array::from_fn::<f64, 3, _>(|i| q.position[i] - p.position[i]);
        let (u, v) = (edge(a, b), edge(a, c));
        let face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let normal = |i: usize| f64::from(a.normal[i]) + f64::from(b.normal[i]) + f64::from(c.normal[i]);
        if (0..3).map(|i| face[i] * normal(i)).sum::<f64>() < 0. {
            if count == 0 {
                first = at;
            }
            count += 1;
        }
    });
    (count, first)
}

/// Calls `each` with every triangle of a piece and the position of the vertex that completes it, while the vertices
/// pass by once. Topologies are cut as [`scene::fit::triangulate`] cuts them.
fn each_triangle(piece: &Piece, mut each: impl FnMut(usize, [&Corner; 3])) {
    let Some(topology) = piece.mode.topology() else { return };
    let mut fan: Option<Corner> = None;
    let mut last: Vec<Corner> = Vec::with_capacity(4);
    piece.vertices.each(|i, corner| {
        last.push(*corner);
        match (topology, &last[..]) {
            (Topology::Triangles, [a, b, c]) => {
                each(i, [a, b, c]);
                last.clear();
            }
            (Topology::Quads, [a, b, c, d]) => {
                each(i - 1, [a, b, c]);
                each(i, [a, c, d]);
                last.clear();
            }
            (Topology::TriangleStrip, [a, b, c]) => {
                each(i, if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
                last.remove(0);
            }
            (Topology::QuadStrip, [a, b, c, d]) => {
                each(i - 1, [a, b, d]);
                each(i, [a, d, c]);
                last.drain(..2);
            }
            (Topology::TriangleFan | Topology::Polygon, [b, c]) => {
                if let Some(a) = &fan {
                    each(i, [a, b, c]);
                }
                last.remove(0);
            }
            (Topology::TriangleFan | Topology::Polygon, [a]) if fan.is_none() => {
                fan = Some(*a);
                last.clear();
            }
            (Topology::Points | Topology::Lines | Topology::LineLoop | Topology::LineStrip, _) => last.clear(),
            _ => {}
        }
    });
}

rule! {
    /// ## What it finds
    /// Doubles that no 32-bit float holds exactly.
    ///
    /// ## Why it matters
    /// No file of the mod's own converter has such; the mod's renderer narrows them, and so does glTF.
    ///
    /// ## Example
    /// `position` is (0.1, 0, 0) as a double.
    ///
    /// ## Fix
    /// Nothing needs fixing; pentad keeps the doubles, also through glTF.
    DAN_023 "DAN-023" "beyond-f32", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let beyond = |v: &f64| !v.is_nan() && f64::from(*v as f32).to_bits() != v.to_bits();
        each_field(doc, cx, |corner| {
            if corner.position.iter().any(beyond) {
                return Some(("position", "position has more digits than a 32-bit float".to_owned()));
            }
            corner.uv.iter().any(beyond).then(|| ("uv", "uv has more digits than a 32-bit float".to_owned()))
        });
    }
}

rule! {
    /// ## What it finds
    /// A model without a name.
    ///
    /// ## Why it matters
    /// Nothing shows the name yet, but people who find the file have nothing to go by.
    ///
    /// ## Example
    /// `name` is empty.
    ///
    /// ## Fix
    /// `pentad convert model.danmodel model.danmodel --name "…"`
    DAN_024 "DAN-024" "name-empty", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.header.name.is_empty() {
            cx.report(Place::path("header.name_length"), "the model has no name");
        }
    }
}

rule! {
    /// ## What it finds
    /// A string of more than 32767 bytes that is to be written.
    ///
    /// ## Why it matters
    /// Its length does not fit its field; the mod's converter writes it anyway and makes an unreadable file.
    ///
    /// ## Example
    /// A description of 40000 letters.
    ///
    /// ## Fix
    /// Shorten the string.
    DAN_025 "DAN-025" "string-too-long", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// A model of more bytes, pieces or vertices than a signed 32-bit number counts.
    ///
    /// ## Why it matters
    /// The length and the counts do not fit their fields.
    ///
    /// ## Example
    /// 32 million plain vertices: 2.2 GB.
    ///
    /// ## Fix
    /// Split the model into several files.
    DAN_026 "DAN-026" "model-too-large", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

fn pieces(doc: &Document) -> impl Iterator<Item = (&Piece, Place)> {
    doc.pieces.iter().enumerate().map(|(i, piece)| (&**piece, Place::path("pieces").nth(i)))
}

/// Reports every vertex of which `fault` names a field, counted per piece and field.
fn each_field(doc: &Document, cx: &mut Checker<'_>, fault: impl Fn(&Corner) -> Option<(&'static str, String)>) {
    for (piece, place) in pieces(doc) {
        let mut found: Vec<(&'static str, usize, String, u64)> = Vec::new();
        let vertices: &Vertices = &piece.vertices;
        vertices.each(|i, corner| {
            if let Some((field, message)) = fault(corner) {
                match found.iter_mut().find(|(f, ..)| *f == field) {
                    Some((.., count)) => *count += 1,
                    None => found.push((field, i, message, 1)),
                }
            }
        });
        for (field, i, message, count) in found {
            cx.report_count(place.field("vertices").nth(i).field(field), count, message);
        }
    }
}

fn list<T: std::fmt::Display>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", values.join(", "))
}
