//! Meshes.

use findings::{Severity, rule};
use wire::F32;

use super::super::layout::{Body, Document};
use super::{bodies, list};

/// How far from 1 the length of a normal may be; the exporter's stay within 5e-5.
const NORMAL_TOLERANCE: f64 = 0.01;

rule! {
    /// ## What it finds
    /// A triangle whose corner is no vertex.
    ///
    /// ## Why it matters
    /// The engine reads beyond the vertices.
    ///
    /// ## Example
    /// Vertex 3 of a mesh with three vertices, which are 0, 1 and 2.
    ///
    /// ## Fix
    /// Export the model again.
    DGL3_012 "DGL3-012" "index-out-of-range", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let vertices = body.vertices.len();
            let outside = |index: &i32| usize::try_from(*index).map_or(true, |index| index >= vertices);
            let mut bad = body.triangles.iter().enumerate().filter_map(|(i, t)| Some((i, *t.iter().find(|v| outside(v))?)));
            if let Some((i, index)) = bad.next() {
                let message = format!("vertex {index} does not exist; there are {vertices}");
                cx.report_count(place.field("triangles").nth(i), 1 + bad.count() as u64, message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh without vertices or without triangles.
    ///
    /// ## Why it matters
    /// Nothing is drawn. Without vertices the engine skips a field and loses its way in the file.
    ///
    /// ## Example
    /// `num_vertices` is 0.
    ///
    /// ## Fix
    /// Remove the mesh, or give it triangles.
    DGL3_013 "DGL3-013" "mesh-empty", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            if body.vertices.is_empty() {
                let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
                cx.report_as(severity, place.field("num_vertices"), "the mesh has no vertices");
            } else if body.triangles.is_empty() {
                cx.report(place.field("num_triangles"), "the mesh has no triangles");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A number that is infinite or not a number: an error in positions, a warning in normals and texture coordinates.
    ///
    /// ## Why it matters
    /// The triangles around it vanish or fill the screen; other formats forbid it.
    ///
    /// ## Example
    /// `vertices[0]` is (NaN, 0, 0).
    ///
    /// ## Fix
    /// Find out which step of the export divides by zero.
    DGL3_014 "DGL3-014" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let found = [
                ("vertices", Severity::Error, not_finite(body.vertices.iter())),
                ("normals", Severity::Warning, not_finite(body.normals.iter())),
                ("texcoords", Severity::Warning, not_finite(body.texcoords.iter())),
                (
                    "lightmap_tex_coords",
                    Severity::Warning,
                    body.lightmap_tex_coords.as_ref().and_then(|uv| not_finite(uv.iter())),
                ),
            ];
            for (field, severity, found) in found {
                let Some((first, count, message)) = found else { continue };
                for _ in 0..count.min(1) {
                    cx.report_as(severity, place.field(field).nth(first), message.clone());
                }
            }
        }
        for (i, entity) in doc.entities.iter().enumerate() {
            let position = entity.transform.position.map(F32::get);
            if !position.iter().all(|v| v.is_finite()) {
                let place = findings::Place::path("entities").nth(i).field("transform.position");
                cx.report(place, format!("it is {}", list(&position)));
            }
        }
        for (i, light) in doc.lights.iter().enumerate() {
            let position = light.position.map(F32::get);
            if !position.iter().all(|v| v.is_finite()) {
                cx.report(findings::Place::path("lights").nth(i).field("position"), format!("it is {}", list(&position)));
            }
        }
    }
}

/// The first row that is not finite, how many there are, and what it is.
fn not_finite<const N: usize>(rows: impl Iterator<Item = [F32; N]>) -> Option<(usize, u64, String)> {
    let mut bad = rows.enumerate().filter(|(_, row)| !row.iter().all(|v| v.get().is_finite()));
    let (first, row) = bad.next()?;
    let count = 1 + bad.count() as u64;
    let more = if count > 1 { format!(", and {} others are not finite either", count - 1) } else { String::new() };
    Some((first, count, format!("it is {}{more}", list(&row.map(F32::get)))))
}

fn length(v: &[F32; 3]) -> f64 {
    v.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt()
}

rule! {
    /// ## What it finds
    /// A normal whose length differs from 1 by more than 0.01.
    ///
    /// ## Why it matters
    /// Lighting comes out too bright or too dark; other formats forbid it.
    ///
    /// ## Example
    /// `normals[0]` is (0, 0, 0).
    ///
    /// ## Fix
    /// `check --fix` scales normals that have a direction.
    DGL3_015 "DGL3-015" "normal-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let off = |v: &[F32; 3]| length(v).is_finite() && (length(v) - 1.).abs() > NORMAL_TOLERANCE;
            let mut bad = body.normals.iter().enumerate().filter(|(_, normal)| off(normal));
            if let Some((i, normal)) = bad.next() {
                let message = format!("it is {}, of length {:.4}", list(&normal.map(F32::get)), length(&normal));
                cx.report_count(place.field("normals").nth(i), 1 + bad.count() as u64, message);
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let off = |v: &[F32; 3]| {
            let length = length(v);
            // A normal without length has no direction to keep.
            length.is_finite() && length > 0. && (length - 1.).abs() > NORMAL_TOLERANCE
        };
        let mut count = 0;
        for mesh in &mut doc.meshes {
            if !mesh.body.as_ref().is_some_and(|body| body.normals.iter().any(|normal| off(&normal))) {
                continue;
            }
            let Some(body) = &mut mesh.edit().body else { continue };
            for normal in body.normals.to_mut().iter_mut().filter(|normal| off(normal)) {
                let length = length(normal);
                *normal = normal.map(|v| F32((f64::from(v.get()) / length) as f32));
                count += 1;
            }
        }
        count
    }
}

/// The positions and normals of a triangle whose corners exist.
fn corners(body: &Body, triangle: [i32; 3]) -> Option<[([f64; 3], [f64; 3]); 3]> {
    let corner = |index: i32| {
        let index = usize::try_from(index).ok()?;
        let wide = |v: [F32; 3]| v.map(|v| f64::from(v.get()));
        Some((wide(body.vertices.get(index)?), wide(body.normals.get(index)?)))
    };
    Some([corner(triangle[0])?, corner(triangle[1])?, corner(triangle[2])?])
}

fn face_normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let edge = |to: [f64; 3]| std::array::from_fn::<f64, 3, _>(|i| to[i] - a[i]);
    let (u, v) = (edge(b), edge(c));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// The first triangle that is so, and how many are.
fn triangles(body: &Body, is: impl Fn([i32; 3], [([f64; 3], [f64; 3]); 3]) -> bool) -> Option<(usize, u64)> {
    let so = |&(_, t): &(usize, [i32; 3])| corners(body, t).is_some_and(|corners| is(t, corners));
    let mut found = body.triangles.iter().enumerate().filter(so);
    let (first, _) = found.next()?;
    Some((first, 1 + found.count() as u64))
}

rule! {
    /// ## What it finds
    /// A triangle without area.
    ///
    /// ## Why it matters
    /// Nothing is drawn for it; tools that compute with faces stumble over it.
    ///
    /// ## Example
    /// Two corners are the same vertex.
    ///
    /// ## Fix
    /// Remove such faces in the program the model was made with.
    DGL3_016 "DGL3-016" "triangle-degenerate", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let flat = |t: [i32; 3], [a, b, c]: [([f64; 3], [f64; 3]); 3]| {
                t[0] == t[1] || t[1] == t[2] || t[0] == t[2] || face_normal([a.0, b.0, c.0]) == [0.; 3]
            };
            if let Some((first, count)) = triangles(body, flat) {
                cx.report_count(place.field("triangles").nth(first), count, "it has no area");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A vertex that no triangle uses.
    ///
    /// ## Why it matters
    /// It takes room and shows nothing.
    ///
    /// ## Example
    /// Four vertices and one triangle.
    ///
    /// ## Fix
    /// Remove loose vertices in the program the model was made with.
    DGL3_017 "DGL3-017" "vertex-unused", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc).filter(|(body, _)| !body.triangles.is_empty()) {
            let mut used = vec![false; body.vertices.len()];
            for index in body.triangles.iter().flatten().filter_map(|index| usize::try_from(index).ok()) {
                if let Some(used) = used.get_mut(index) {
                    *used = true;
                }
            }
            if let Some(first) = used.iter().position(|used| !used) {
                let count = used.iter().filter(|used| !**used).count() as u64;
                cx.report_count(place.field("vertices").nth(first), count, "no triangle uses it");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A triangle that faces away from its normals.
    ///
    /// ## Why it matters
    /// The engine hides back faces: it is invisible from the side its normals point to.
    ///
    /// ## Example
    /// A triangle that runs clockwise seen from outside.
    ///
    /// ## Fix
    /// Turn the faces round, or the normals, in the program the model was made with.
    DGL3_018 "DGL3-018" "winding-against-normals", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let against = |_: [i32; 3], [a, b, c]: [([f64; 3], [f64; 3]); 3]| {
                let face = face_normal([a.0, b.0, c.0]);
                (0..3).map(|i| face[i] * (a.1[i] + b.1[i] + c.1[i])).sum::<f64>() < 0.
            };
            if let Some((first, count)) = triangles(body, against) {
                cx.report_count(place.field("triangles").nth(first), count, "it faces away from its normals");
            }
        }
    }
}
