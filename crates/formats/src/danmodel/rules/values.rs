//! Numbers and names.

use findings::{Checker, Place, rule};
use ops::cuts_at_second;
use scene::Topology;

use super::super::layout::{Corner, Document, Piece, Vertices};
use super::pieces;

/// How far from 1 the length of a normal may be; the real files, rounded to six decimals of text, stay within 1e-4.
const NORMAL_TOLERANCE: f64 = 1e-3;

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
/// pass by once. Topologies are cut as [`ops::triangles`] cuts them.
fn each_triangle(piece: &Piece, mut each: impl FnMut(usize, [&Corner; 3])) {
    let Some(topology) = piece.mode.topology() else { return };
    let mut fan: Option<Corner> = None;
    let mut last: Vec<Corner> = Vec::with_capacity(4);
    piece.vertices.each(|i, corner| {
        let mut quad = |[a, b, c, d]: [&Corner; 4]| {
            let cut_at_second = cuts_at_second([a, b, c, d].map(|corner| corner.position));
            let [first, second] = if cut_at_second { [[b, c, d], [b, d, a]] } else { [[a, b, c], [a, c, d]] };
            each(i - 1, first);
            each(i, second);
        };
        last.push(*corner);
        match (topology, &last[..]) {
            (Topology::Triangles, [a, b, c]) => {
                each(i, [a, b, c]);
                last.clear();
            }
            (Topology::Quads, [a, b, c, d]) => {
                quad([a, b, c, d]);
                last.clear();
            }
            (Topology::TriangleStrip, [a, b, c]) => {
                each(i, if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
                last.remove(0);
            }
            (Topology::QuadStrip, [a, b, c, d]) => {
                quad([a, b, d, c]);
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
