//! Meshes: indices, skins and morphs.

use std::collections::{HashMap, HashSet};

use findings::{Checker, Severity, rule};
use scene::Stream;

use super::super::visit::SHARED;
use super::vertex::{first, row_of};
use super::{place, sections};
use crate::dragon::layout::Document;
use crate::dragon::layout::body::{Body, Geometry, Indices, Vertex};
use crate::dragon::layout::words::{DrawType, Semantic};
use crate::dragon::variants::mesh::{Buffers, MeshReading};

fn geometries(doc: &Document) -> impl Iterator<Item = (usize, &Geometry)> {
    sections(doc).filter_map(|(i, section)| match &section.body {
        Body::Geometry(geometry) => Some((i, geometry)),
        _ => None,
    })
}

rule! {
    /// ## What it finds
    /// Indices that have neither one, two nor four bytes.
    ///
    /// ## Why it matters
    /// They cannot be read.
    ///
    /// ## Example
    /// `width` is 3.
    ///
    /// ## Fix
    /// Write the indices again.
    DRG_039 "DRG-039" "index-width", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            if let Body::Indice(indice) = &section.body
                && let Indices::Other { width, .. } = indice.indices
            {
                cx.report(place(i, "width"), format!("an index has {width} bytes; expected 1, 2 or 4"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh that draws a vertex which does not exist.
    ///
    /// ## Why it matters
    /// Programs read beyond the vertices.
    ///
    /// ## Example
    /// Vertex 24 of a buffer with 24 vertices, which are 0 to 23.
    ///
    /// ## Fix
    /// Export the model again.
    DRG_040 "DRG-040" "index-out-of-range", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let (buffers, index) = (Buffers::of(doc), doc.index());
        let mut looked_at: HashMap<usize, u64> = HashMap::new();
        for (_, geometry) in geometries(doc) {
            let (Some(indices), Some(vertex)) = (buffers.indices(geometry), buffers.vertices(geometry)) else { continue };
            let Some((section, _)) = index.get(geometry.indice_buffer) else { continue };
            let reading = buffers.reading(geometry);
            for mesh in &geometry.meshes {
                let (start, count) = reading.range(mesh);
                let base = if reading.base_vertex { u64::from(mesh.vertex_offset) } else { 0 };
                let outside = |index: u32| u64::from(index) + base >= vertex.len() as u64;
                if buffers.extent(geometry, start, count).is_none_or(|(_, high)| !outside(high)) {
                    continue;
                }
                // Meshes may share their indices; what was looked at several times has been told.
                let left = looked_at.entry(section).or_insert_with(|| (indices.len() as u64).saturating_mul(SHARED));
                let Some(rest) = left.checked_sub(count) else { continue };
                *left = rest;
                let range = start as usize..(start + count) as usize;
                let mut bad = range.filter_map(|at| Some((at, indices.get(at).filter(|index| outside(*index))?)));
                if let Some((at, index)) = bad.next() {
                    let vertices = vertex.len();
                    let message = format!("vertex {} does not exist; there are {vertices}", u64::from(index) + base);
                    cx.report_count(place(section, "indices").nth(at), 1 + bad.count() as u64, message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh whose vertices or indices reach behind the end of their buffer.
    ///
    /// ## Why it matters
    /// Part of the mesh is missing.
    ///
    /// ## Example
    /// `face_offset` 18 and `face_count` 24 where there are 36 indices.
    ///
    /// ## Fix
    /// Export the model again.
    DRG_041 "DRG-041" "mesh-range", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let buffers = Buffers::of(doc);
        for (i, geometry) in geometries(doc) {
            let vertices = buffers.vertices(geometry).map(Vertex::len);
            let drawn = match buffers.indices(geometry) {
                Some(indices) => Some(indices.len()),
                None if geometry.indice_buffer.is_none() => vertices,
                None => None,
            };
            for (k, mesh) in geometry.meshes.iter().enumerate() {
                let (start, count) = buffers.reading(geometry).range(mesh);
                let used = u64::from(mesh.vertex_offset) + u64::from(mesh.vertex_count);
                if let Some(vertices) = vertices.filter(|vertices| used > *vertices as u64) {
                    let message = format!("vertices up to {used} are in use; there are {vertices}");
                    let beyond = u64::from(mesh.vertex_offset) > vertices as u64;
                    let field = if beyond { "vertex_offset" } else { "vertex_count" };
                    cx.report(place(i, "meshes").nth(k).field(field), message);
                }
                if let Some(drawn) = drawn.filter(|drawn| start + count > *drawn as u64) {
                    let message = format!("indices up to {} are drawn; there are {drawn}", start + count);
                    let field = if start > drawn as u64 { "face_offset" } else { "face_count" };
                    cx.report(place(i, "meshes").nth(k).field(field), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh whose last face is not whole: a number of indices that 3 or 4 does not divide, or fewer than three in a
    /// strip or fan.
    ///
    /// ## Why it matters
    /// The indices left over are not drawn.
    ///
    /// ## Example
    /// A mesh of triangles whose `face_count` is 35.
    ///
    /// ## Fix
    /// Export the model again. face_count counts indices, not faces.
    DRG_042 "DRG-042" "face-incomplete", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let buffers = Buffers::of(doc);
        for (i, geometry) in geometries(doc) {
            for (k, mesh) in geometry.meshes.iter().enumerate() {
                let count = buffers.reading(geometry).range(mesh).1;
                let whole = match mesh.draw_type {
                    DrawType::TRIANGLE => count.is_multiple_of(3),
                    DrawType::QUADS => count.is_multiple_of(4),
                    DrawType::TRIANGLE_STRIP | DrawType::TRIANGLE_FAN => count >= 3,
                    _ => true,
                };
                if !whole {
                    let word = mesh.draw_type.word().unwrap_or_default();
                    let message = format!("{count} indices are no whole faces of {word}");
                    cx.report(place(i, "meshes").nth(k).field("face_count"), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Meshes that make sense only if face_offset and face_count count faces, or if vertex_offset is added to every
    /// index.
    ///
    /// ## Why it matters
    /// The document does not say what they count. They are taken as they make sense; other readers may draw something
    /// else.
    ///
    /// ## Example
    /// `face_count` is 12 where there are 36 indices of triangles.
    ///
    /// ## Fix
    /// Count indices, and let indices count from the first vertex of the buffer.
    DRG_043 "DRG-043" "mesh-reading", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let buffers = Buffers::of(doc);
        for (i, geometry) in geometries(doc).filter(|(_, geometry)| !geometry.meshes.is_empty()) {
            let MeshReading { per_face, base_vertex } = buffers.reading(geometry);
            if per_face > 1 {
                let message = format!("faces of {per_face} indices are counted, not indices");
                cx.report(place(i, "meshes[0].face_count"), message);
            }
            if base_vertex {
                // The first mesh whose vertices do not begin at 0 is where it shows.
                let k = geometry.meshes.iter().position(|mesh| mesh.vertex_offset > 0).unwrap_or(0);
                let message = "indices count from vertex_offset on";
                cx.report(place(i, "meshes").nth(k).field("vertex_offset"), message);
            }
        }
    }
}

/// How far from 1 the weights of a vertex may sum up: four weights rounded to bytes stay within 0.008.
const WEIGHT_TOLERANCE: f64 = 0.02;

rule! {
    /// ## What it finds
    /// A vertex that a bone moves which does not exist. Weights that do not sum up to 1 are a warning.
    ///
    /// ## Why it matters
    /// Programs read beyond the bones, or the vertex is drawn towards the origin.
    ///
    /// ## Example
    /// BLENDINDICES is 9 where the skeleton has two bones.
    ///
    /// ## Fix
    /// Export the model again.
    DRG_044 "DRG-044" "skin", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let (buffers, index) = (Buffers::of(doc), doc.index());
        // Geometries may share their vertices, and then what is wrong with them.
        let mut known = HashSet::new();
        for (_, geometry) in geometries(doc) {
            let Some(Body::Skeleton(skeleton)) = index.body(geometry.skeleton) else { continue };
            let Some((section, _)) = index.get(geometry.vertex_buffer) else { continue };
            let Some(vertex) = buffers.vertices(geometry) else { continue };
            if !known.insert((section, skeleton.bones.len())) {
                continue;
            }
            skin_bones(vertex, section, skeleton.bones.len(), cx);
            skin_weights(vertex, section, cx);
        }
    }
}

fn skin_bones(vertex: &Vertex, section: usize, bones: usize, cx: &mut Checker<'_>) {
    let outside = |row: &[f64]| row.iter().any(|bone| !(0. ..bones as f64).contains(bone));
    for (k, stream) in vertex.streams(Semantic::BLENDINDICES) {
        let count = stream.count_elements(outside);
        if count > 0 {
            let (row, indices) = first(&stream, outside).unwrap_or_default();
            let message = format!("BLENDINDICES of vertex {row} is {indices:?}; the skeleton has {bones} bones");
            cx.report_count(row_of(vertex, section, k, row), count, message);
        }
    }
}

fn skin_weights(vertex: &Vertex, section: usize, cx: &mut Checker<'_>) {
    let numbers = |semantic| -> usize {
        vertex.attributes.iter().filter(|a| a.semantic == semantic).map(|a| usize::from(a.count)).sum()
    };
    let layers: Vec<(usize, Stream)> = vertex.streams(Semantic::BLENDWEIGHT).collect();
    // Direct3D leaves out the last weight: it is what is missing to 1.
    if numbers(Semantic::BLENDWEIGHT) < numbers(Semantic::BLENDINDICES) {
        return;
    }
    let off = |sum: f64| (sum - 1.).abs() > WEIGHT_TOLERANCE;
    match &layers[..] {
        [] => {}
        [(k, stream)] => {
            let odd = |row: &[f64]| off(row.iter().sum());
            let count = stream.count_elements(odd);
            if count > 0 {
                let (row, weights) = first(stream, odd).unwrap_or_default();
                let message = format!("weights {weights:?} of vertex {row} do not sum up to 1");
                cx.report_count_as(Severity::Warning, row_of(vertex, section, *k, row), count, message);
            }
        }
        [(k, _), ..] => {
            let mut sums = vec![0.; vertex.len()];
            for (_, stream) in &layers {
                let rows = stream.to_f64();
                let rows = rows.chunks(stream.count().max(1));
                sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += row.iter().sum::<f64>());
            }
            let mut bad = sums.iter().enumerate().filter(|(_, sum)| off(**sum));
            if let Some((row, sum)) = bad.next() {
                let count = 1 + bad.count() as u64;
                let message = format!("weights of vertex {row} sum up to {sum}");
                cx.report_count_as(Severity::Warning, row_of(vertex, section, *k, row), count, message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A geometry whose vertices name bones, and which has no skeleton.
    ///
    /// ## Why it matters
    /// Nothing moves it.
    ///
    /// ## Example
    /// `skeleton` of a GEOMETRY is zero, and its vertices have BLENDINDICES.
    ///
    /// ## Fix
    /// Name the skeleton, or leave the attributes out.
    DRG_045 "DRG-045" "skin-without-skeleton", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let buffers = Buffers::of(doc);
        for (i, geometry) in geometries(doc).filter(|(_, geometry)| geometry.skeleton.is_none()) {
            let skinned = |vertex: &&Vertex| vertex.attributes.iter().any(|a| a.semantic == Semantic::BLENDINDICES);
            if buffers.vertices(geometry).filter(skinned).is_some() {
                cx.report(place(i, "skeleton"), "its vertices have BLENDINDICES, and there is no skeleton");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A morph that moves vertices which do not exist, whose least weight is above its greatest, or whose weight at rest
    /// lies outside both.
    ///
    /// ## Why it matters
    /// Programs read beyond the vertices, or no weight is allowed.
    ///
    /// ## Example
    /// `index_offset` is 20 for a morph of eight vertices over 24.
    ///
    /// ## Fix
    /// Correct the numbers.
    DRG_046 "DRG-046" "morph", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::Morph(morph) = &section.body else { continue };
            for (k, morph) in morph.morphs.iter().enumerate() {
                let (min, max, default) = (morph.min.get(), morph.max.get(), morph.default.get());
                let place = |field: &str| place(i, "morphs").nth(k).field(field);
                if min > max {
                    cx.report(place("min"), format!("the least weight is {min}, the greatest {max}"));
                } else if default < min || default > max {
                    cx.report(place("default"), format!("the weight at rest is {default}, outside {min} to {max}"));
                }
            }
        }
        let (buffers, index) = (Buffers::of(doc), doc.index());
        for (_, geometry) in geometries(doc) {
            let Some((section, morph)) = index.get(geometry.morph_buffers) else { continue };
            let (Body::Morph(morph), Some(base)) = (&morph.body, buffers.vertices(geometry)) else { continue };
            for (k, target) in morph.morphs.iter().enumerate() {
                let Some(Body::Vertex(moved)) = index.body(target.vertex_buffer) else { continue };
                let end = u64::from(target.index_offset) + moved.len() as u64;
                if end > base.len() as u64 {
                    let message = format!("it moves vertices up to {end}; there are {}", base.len());
                    cx.report(place(section, "morphs").nth(k).field("index_offset"), message);
                }
            }
        }
    }
}
