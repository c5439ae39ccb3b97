//! Where the first row of a texture is. No field says so, and exporters changed their mind in September 2015.

use scene::UvOrigin;
use wire::F32;

use super::dialect::any_braced;
use super::layout::{Document, Language, Triangle};
use super::properties::Properties;

/// Share of the area that must agree.
const MAJORITY: f64 = 0.6;

/// Where the first row is, and whether that is no more than an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) origin: UvOrigin,
    pub(crate) assumed: bool,
}

/// Finds the origin. Bare texts are later than the change. Braced ones lie on both sides of it: there the images decide,
/// which artists lay out unmirrored, so that the sign of the area in texture space tells which way V runs.
pub(crate) fn of(doc: &Document) -> Origin {
    match early(doc) {
        Some(origin) => Origin { origin, assumed: false },
        None => by_vote(doc),
    }
}

/// What can be said without looking at triangles.
pub(crate) fn early(doc: &Document) -> Option<UvOrigin> {
    match doc.language {
        Language::Json => Some(UvOrigin::Bottom),
        Language::Dml if !any_braced(doc) => Some(UvOrigin::Top),
        Language::Dml => None,
    }
}

fn by_vote(doc: &Document) -> Origin {
    let (mut positive, mut negative) = (0., 0.);
    for (.., mesh) in doc.meshes() {
        for triangle in mesh.triangles.iter() {
            let (area, sign) = (area(&triangle), uv_area(&triangle));
            if area.is_finite() && sign > 0. {
                positive += area;
            } else if area.is_finite() && sign < 0. {
                negative += area;
            }
        }
    }
    let all = positive + negative;
    if all > 0. && positive >= MAJORITY * all {
        Origin { origin: UvOrigin::Bottom, assumed: false }
    } else if all > 0. && negative >= MAJORITY * all {
        Origin { origin: UvOrigin::Top, assumed: false }
    } else {
        let origin = if has_bbox(doc) { UvOrigin::Top } else { UvOrigin::Bottom };
        Origin { origin, assumed: true }
    }
}

/// Whether any entity has the property that exporters write since November 2015.
pub(crate) fn has_bbox(doc: &Document) -> bool {
    doc.entities().any(|(.., entity)| Properties(doc.properties(&entity.text)).find("bbox").is_some())
}

/// Twice the area in space.
fn area(triangle: &Triangle) -> f64 {
    normal(triangle).map_or(f64::NAN, |n| n.iter().map(|v| v * v).sum::<f64>().sqrt())
}

/// The direction the triangle faces, as long as twice its area; nothing if a corner is not finite.
pub(crate) fn normal(triangle: &Triangle) -> Option<[f64; 3]> {
    let [a, b, c] = triangle.positions.map(|p| p.map(|v| f64::from(v.get())));
    let edge = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross.iter().all(|v| v.is_finite()).then_some(cross)
}

/// Twice the area in texture space as stored: positive if it runs counter-clockwise with V upwards.
fn uv_area(triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle.uv1.map(|uv: [F32; 2]| uv.map(|v| f64::from(v.get())));
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}
