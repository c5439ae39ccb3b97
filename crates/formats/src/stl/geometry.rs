//! Facets, wherever they came from: a normal and three corners.

use rayon::prelude::*;
use zerocopy::LE;

use super::layout::{Binary, Document};

/// Normal and corners.
pub(super) type Triangle = [[f32; 3]; 4];

/// The facets of a binary file as numbers.
pub(super) fn triangles(binary: &Binary) -> Vec<Triangle> {
    let facets = binary.view();
    let number = |number: &<wire::F32 as wire::Fixed>::In<LE>| number.get();
    let row = |row: &[<wire::F32 as wire::Fixed>::In<LE>; 3]| row.each_ref().map(number);
    let facets = facets.wire::<LE>().unwrap_or_default();
    facets
        .par_iter()
        .with_min_len(1 << 12)
        .map(|facet| {
            let [a, b, c] = facet.vertices.each_ref().map(row);
            [row(&facet.normal), a, b, c]
        })
        .collect()
}

/// Calls `look` with all facets of a document.
pub(super) fn with_triangles<T>(doc: &Document, look: impl FnOnce(&[Triangle]) -> T) -> T {
    match doc {
        Document::Binary(binary) => look(&triangles(binary)),
        Document::Ascii(ascii) => look(&ascii.model().facets),
    }
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f64; 3] {
    std::array::from_fn(|i| f64::from(a[i]) - f64::from(b[i]))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(vector: [f32; 3]) -> f64 {
    let wide = vector.map(f64::from);
    dot(wide, wide).sqrt()
}

/// Share of the product of two edges below which their triangle has no area that 32-bit floats can tell.
const FLAT: f64 = 1e-7;

/// The normal that the order of the corners gives, of unit length; nothing if the triangle has no area.
pub(super) fn winding([_, a, b, c]: &Triangle) -> Option<[f64; 3]> {
    let (u, v) = (minus(*b, *a), minus(*c, *a));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let area = dot(cross, cross).sqrt();
    let edges = (dot(u, u) * dot(v, v)).sqrt();
    (area > FLAT * edges && area.is_finite()).then(|| cross.map(|n| n / area))
}

/// The cosine between a normal and another of unit length.
pub(super) fn cosine(normal: [f32; 3], other: [f64; 3]) -> f64 {
    dot(normal.map(f64::from), other) / length(normal)
}

pub(super) fn is_finite(triangle: &Triangle) -> bool {
    triangle.iter().flatten().all(|number| number.is_finite())
}
