//! Scene → document.

use findings::Result;
use rayon::prelude::*;
use scene::loss::*;
use scene::{Primitive, Scene, Semantic, Stream, Value};

use super::ATTRIBUTES;
use crate::LowerCx;
use crate::stl::compose::{self, BATCH, Body, lose_names, lose_words, new_header};
use crate::stl::dialect::Dialect;
use crate::stl::geometry::{Triangle, winding};
use crate::stl::layout::{Document, HEADER_SIZE};

pub(in crate::stl) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Document> {
    let bodies = bodies(scene, cx);
    if Dialect::named(cx.dialect)? == Dialect::Ascii {
        let colored = bodies.iter().map(|body| body.words.chunks(2).filter(|word| *word != [0; 2]).count()).sum();
        lose_words(colored, cx);
        if !scene.metadata.raw.is_empty() {
            cx.lose(&LOSS_016, "file", 1, "header", "a text has none");
        }
        return Ok(Document::Ascii(compose::ascii(&bodies)));
    }
    lose_names(bodies.iter().map(|body| &body.name[..]), cx);
    let header = &scene.metadata.raw;
    let is_header = header.len() == HEADER_SIZE && !header.starts_with(b"solid");
    if !is_header && !header.is_empty() {
        cx.lose(&LOSS_016, "file", 1, "header data", "a header of STL has 80 bytes, and does not begin with solid");
    }
    compose::binary(if is_header { header.clone() } else { new_header() }, &bodies).map(Document::Binary)
}

fn bodies(scene: &Scene, cx: &mut LowerCx<'_>) -> Vec<Body> {
    let mut bodies = Vec::new();
    for (id, node, mesh) in scene.bodies() {
        let label = node.subject(id);
        let own = node.called(mesh);
        let name = one_line(own.bytes());
        if name != own.bytes() {
            cx.lose(&LOSS_042, &label, 1, "name", "a name is one line without blanks around it");
        }
        let mut body = Body { name, triangles: Vec::new(), words: Vec::new() };
        for primitive in &mesh.primitives {
            let before = body.triangles.len();
            let flattened = append(primitive, &mut body.triangles);
            if flattened > 0 {
                cx.lose(&LOSS_081, &label, flattened, "normals of corners", "a facet has one normal");
            }
            let left = primitive.vertex_count() % 3;
            if left > 0 {
                cx.lose(&LOSS_033, &label, 1, "triangle left out", "it lacks corners");
            }
            let count = (body.triangles.len() - before) * 2;
            match ATTRIBUTES.get(&primitive.extras) {
                Some(Value::Bytes(words)) if words.len() == count => body.words.extend_from_slice(words),
                _ => body.words.resize(body.words.len() + count, 0),
            }
        }
        bodies.push(body);
    }
    bodies
}

/// A name as the rest of a line.
fn one_line(name: &[u8]) -> Vec<u8> {
    name.trim_ascii().iter().map(|&byte| if byte < b' ' { b'_' } else { byte }).collect()
}

/// How far a normal may be from that of its facet and still be the same: what text with three decimals can say.
const SAME_NORMAL: f64 = 1e-3;

/// How far it may be from what is written without being told: what two ways of computing it differ by.
const KEPT_NORMAL: f64 = 1e-6;

/// Appends the triangles of a primitive; answers how many have corners whose normals are not that of the facet.
fn append(primitive: &Primitive, out: &mut Vec<Triangle>) -> u64 {
    let positions = three(primitive.get(&Semantic::Position));
    let normals = primitive.get(&Semantic::Normal).map(|stream| three(Some(stream)));
    let (corners, _) = positions.as_chunks::<3>();
    let (given, _) = normals.as_deref().unwrap_or_default().as_chunks::<3>();
    let one = |(i, [a, b, c]): (usize, &[[f32; 3]; 3])| -> (Triangle, bool) {
        let mut triangle = [[0.; 3], *a, *b, *c];
        let computed = winding(&triangle).map(|normal| normal.map(|n| n as f32));
        let near = |a: [f32; 3], b: [f32; 3], by: f64| a.iter().zip(b).all(|(a, b)| f64::from((a - b).abs()) <= by);
        let flat = given.get(i).filter(|[a, b, c]| a == b && b == c).map(|[a, ..]| *a);
        triangle[0] = match (flat, computed) {
            // A normal of zeros asks the reader to compute it.
            (Some(flat), Some(computed)) if flat == [0.; 3] || near(flat, computed, SAME_NORMAL) => flat,
            (Some(flat), None) => flat,
            (_, Some(computed)) => computed,
            (None, None) => [0.; 3],
        };
        let lost = given.get(i).is_some_and(|given| !given.iter().all(|n| near(*n, triangle[0], KEPT_NORMAL)));
        (triangle, lost)
    };
    let rows: Vec<(Triangle, bool)> = corners.par_iter().enumerate().with_min_len(BATCH).map(one).collect();
    out.extend(rows.iter().map(|(triangle, _)| triangle));
    rows.iter().filter(|(_, lost)| *lost).count() as u64
}

/// The rows of a stream as three numbers each.
fn three(stream: Option<&Stream>) -> Vec<[f32; 3]> {
    let Some(stream) = stream else { return Vec::new() };
    let row = |row: &[f32]| std::array::from_fn(|i| row.get(i).copied().unwrap_or(0.));
    stream.to_f32().chunks(stream.count().max(1)).map(row).collect()
}
