//! What can be wrong with triangles.

use std::collections::HashSet;

use findings::{Checker, Place, Severity, rule};
use wire::F32;

use crate::dgl2::layout::{Document, Triangle};
use crate::dgl2::origin;

/// How far from 1 the length of a normal may be; the real files stay within 1e-4.
const NORMAL_TOLERANCE: f64 = 0.01;

/// Twice the area of a triangle without one, by the square of its longest edge: far below what 32-bit corners resolve.
const FLAT: f64 = 1e-10;

fn is_flat(triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.positions.map(|p| p.map(|v| f64::from(v.get())));
    let square = |p: [f64; 3], q: [f64; 3]| p.iter().zip(q).map(|(p, q)| (p - q).powi(2)).sum::<f64>();
    let longest = square(a, b).max(square(b, c)).max(square(c, a));
    origin::normal(triangle).is_some_and(|n| n.iter().map(|v| v * v).sum::<f64>().sqrt() <= FLAT * longest)
}

fn odd(numbers: &[F32]) -> bool {
    numbers.iter().any(|v| !v.get().is_finite())
}

fn length(n: &[F32; 3]) -> f64 {
    n.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt()
}

/// Reports, once per mesh, the first triangle that is faulty and how many more there are.
fn each_mesh(
    doc: &Document,
    cx: &mut Checker<'_>,
    field: &str,
    severity: Severity,
    is_faulty: impl Fn(&Triangle) -> bool,
    message: impl Fn(&Triangle) -> String,
) {
    for (i, _, mesh) in doc.meshes() {
        let mut faulty = mesh.triangles.iter().enumerate().filter(|(_, triangle)| is_faulty(triangle));
        if let Some((first, triangle)) = faulty.next() {
            let count = 1 + faulty.count() as u64;
            let place = Place::path(format!("chunks[{i}].data.triangles[{first}].{field}"));
            cx.report_count_as(severity, place, count, message(&triangle));
        }
    }
}

rule! {
    /// ## What it finds
    /// A TRIMESH whose size is no multiple of 124, the size of a triangle.
    ///
    /// ## Why it matters
    /// The engine refuses the file. Here the whole triangles are read and the rest is kept.
    ///
    /// ## Example
    /// `data_size` is 1300.
    ///
    /// ## Fix
    /// Get the file again, or set the size to 124 times the number of triangles.
    DGL2_009 "DGL2-009" "trimesh-size", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, _, mesh) in doc.meshes() {
            if let Some(slack) = &mesh.slack {
                let count = mesh.triangles.len();
                let message = format!("{count} triangles leave {} bytes; a triangle takes 124", slack.len());
                cx.report(Place::path(format!("chunks[{i}].data.slack")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A TRIMESH without triangles.
    ///
    /// ## Why it matters
    /// Nothing is drawn for it.
    ///
    /// ## Example
    /// `data_size` is 0.
    ///
    /// ## Fix
    /// Remove the mesh, or export it again if it should have triangles.
    DGL2_010 "DGL2-010" "trimesh-empty", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, ..) in doc.meshes().filter(|(.., mesh)| mesh.triangles.is_empty()) {
            cx.report(Place::path(format!("chunks[{i}].data_size")), "the mesh has no triangles");
        }
    }
}

rule! {
    /// ## What it finds
    /// A triangle whose material no MATERIAL chunk has; -1 stands for none.
    ///
    /// ## Why it matters
    /// It is drawn without a material.
    ///
    /// ## Example
    /// `material_id` is 7, and the file has materials 0 to 3.
    ///
    /// ## Fix
    /// Export the model again, or set the number to -1.
    DGL2_011 "DGL2-011" "triangle-material-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let known: HashSet<i32> = doc.materials().map(|(_, chunk, _)| chunk.id).collect();
        each_mesh(doc, cx, "material_id", Severity::Warning, |t| t.material_id != -1 && !known.contains(&t.material_id), |t| {
            format!("the triangle has material {}, which the file does not have", t.material_id)
        });
    }
}

rule! {
    /// ## What it finds
    /// A position, normal or texture coordinate that is infinite or not a number. For positions, those of entities too,
    /// this is an error, for the others a warning.
    ///
    /// ## Why it matters
    /// Such a triangle cannot be drawn, and the size of the model cannot be computed.
    ///
    /// ## Example
    /// `positions` holds `00 00 C0 7F`.
    ///
    /// ## Fix
    /// Export the model again from a mesh without faulty vertices.
    DGL2_012 "DGL2-012" "number-not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        type Part = fn(&Triangle) -> bool;
        let parts: [(&str, Severity, Part); 4] = [
            ("positions", Severity::Error, |t| odd(t.positions.as_flattened())),
            ("normals", Severity::Warning, |t| odd(t.normals.as_flattened())),
            ("uv1", Severity::Warning, |t| odd(t.uv1.as_flattened())),
            ("uv2", Severity::Warning, |t| odd(t.uv2.as_flattened())),
        ];
        for (field, severity, is_odd) in parts {
            each_mesh(doc, cx, field, severity, is_odd, |_| format!("{field} hold a number that is not finite"));
        }
        for (i, _, entity) in doc.entities().filter(|(.., entity)| odd(&entity.position)) {
            let message = format!("the position is {:?}", entity.position.map(wire::F32::get));
            cx.report(Place::path(format!("chunks[{i}].data.position")), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A normal that is not of unit length, by more than one part in a hundred.
    ///
    /// ## Why it matters
    /// Programs light the mesh with normals as they are: it comes out too bright or too dark.
    ///
    /// ## Example
    /// A normal `[0, 0, 0.5]`.
    ///
    /// ## Fix
    /// Normalise the normals when exporting.
    DGL2_013 "DGL2-013" "normal-length", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let off = |n: &[F32; 3]| {
            let length = length(n);
            length.is_finite() && (length - 1.).abs() > NORMAL_TOLERANCE
        };
        each_mesh(doc, cx, "normals", Severity::Warning, |t| t.normals.iter().any(off), |t| {
            let longest = t.normals.iter().find(|n| off(n)).map_or(0., length);
            format!("a normal has the length {longest:.4}")
        });
    }
}

rule! {
    /// ## What it finds
    /// A triangle without an area: its corners lie on one line or in one point.
    ///
    /// ## Why it matters
    /// Nothing of it is seen, but it costs as much as any other triangle.
    ///
    /// ## Example
    /// Two corners at `[0, 0, 0]`.
    ///
    /// ## Fix
    /// Remove such faces in the editor.
    DGL2_014 "DGL2-014" "triangle-degenerate", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_mesh(doc, cx, "positions", Severity::Info, is_flat, |_| "the triangle has no area".to_owned());
    }
}

rule! {
    /// ## What it finds
    /// A triangle that faces away from the sum of its normals, or stands edge-on to it.
    ///
    /// ## Why it matters
    /// Front faces run counter-clockwise, and the engine does not draw back faces: seen from where its normals point,
    /// the triangle is missing.
    ///
    /// ## Example
    /// Corners in clockwise order below normals that point at the viewer.
    ///
    /// ## Fix
    /// Recalculate normals in the editor, or turn the face round.
    DGL2_015 "DGL2-015" "triangle-turned", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let turned = |t: &Triangle| {
            let sum: [f64; 3] = std::array::from_fn(|axis| t.normals.iter().map(|n| f64::from(n[axis].get())).sum());
            let faces = |n: [f64; 3]| n.iter().zip(sum).map(|(a, b)| a * b).sum::<f64>();
            sum != [0.; 3] && !is_flat(t) && origin::normal(t).is_some_and(|n| faces(n) <= 0.)
        };
        each_mesh(doc, cx, "positions", Severity::Info, turned, |_| "the triangle does not face the way its normals point".to_owned());
    }
}
