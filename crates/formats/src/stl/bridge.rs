//! Document ⇄ scene.
//!
//! | STL | scene |
//! |---|---|
//! | binary file | one node without a name, with a mesh of one primitive |
//! | solid of a text | a node of its name, with a mesh of one primitive |
//! | facet | three vertices of their own: nothing is welded |
//! | normal | NORMAL of its three vertices, zero or not |
//! | attribute | `stl.attributes` of the primitive if any is not zero; COLOR_0 where it is known to be a colour |
//! | header | `stl.header` of the scene |

use findings::{Error, Losses, Place, Result};
use rayon::prelude::*;
use scene::loss::*;
use scene::{Mesh, Name, Node, Origin, Primitive, Scene, Semantic, Stream, Topology, Value};
use wire::{Blob, Bulk, Fixed};

use super::colors::{Coloring, words};
use super::geometry::{Triangle, triangles, winding};
use super::layout::{Ascii, Binary, Document, Facet, HEADER_SIZE, ORDER};
use crate::decimal::push_float;
use crate::{Document as _, LiftCx, LowerCx};

/// What a new binary file begins with: never with `solid`.
const HEADER: &[u8] = b"binary STL, written by pentad";

/// Facets one thread handles at a time.
const BATCH: usize = 1 << 13;

const ATTRIBUTES: &str = "stl.attributes";

pub(super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::SPACE;
    scene.origin = Some(Origin { format: "stl".into(), dialect: doc.dialect().into() });
    match doc {
        Document::Binary(binary) => {
            scene.extras.set("stl.header", Value::Bytes(binary.header.to_vec()));
            let mut primitive = lift_triangles(&triangles(binary));
            if let Some(colors) = Coloring::of(binary).corners(binary) {
                primitive = primitive.with(Semantic::Color(0), Stream::from_f32(4, colors));
            }
            let words = words(binary);
            if words.iter().any(|&word| word != 0) {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                primitive.extras.set(ATTRIBUTES, Value::Bytes(bytes));
            }
            add(&mut scene, Name::default(), primitive);
            lose_tail(binary, &mut cx.losses);
        }
        Document::Ascii(ascii) => {
            let model = ascii.model();
            for solid in &model.solids {
                let name = Name::from(&ascii.source()[solid.name.clone()]);
                add(&mut scene, name, lift_triangles(&model.facets[solid.facets.clone()]));
            }
            lose_facets(ascii, &mut cx.losses);
        }
    }
    Ok(scene)
}

fn add(scene: &mut Scene, name: Name, primitive: Primitive) {
    let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { name, mesh: Some(mesh), ..Node::default() });
}

fn lose_tail(binary: &Binary, losses: &mut Losses) {
    if !binary.tail.is_empty() {
        losses.add(&LOSS_026, "tail", binary.tail.len() as u64, "bytes", "no facet owns them");
    }
}

fn lose_facets(ascii: &Ascii, losses: &mut Losses) {
    let left_out = ascii.model().left_out;
    if left_out > 0 {
        losses.add(&LOSS_033, "file", left_out, "facets left out", "they do not have three corners");
    }
}

fn lift_triangles(triangles: &[Triangle]) -> Primitive {
    let corners = |pick: fn(&Triangle) -> [[f32; 3]; 3]| {
        let mut out = vec![0.; triangles.len() * 9];
        out.par_chunks_mut(9).zip(triangles).with_min_len(BATCH).for_each(|(row, triangle)| {
            row.copy_from_slice(pick(triangle).as_flattened());
        });
        Stream::from_f32(3, out)
    };
    Primitive::new(Topology::Triangles)
        .with(Semantic::Position, corners(|[_, a, b, c]| [*a, *b, *c]))
        .with(Semantic::Normal, corners(|[normal, ..]| [*normal; 3]))
}

/// A node with a mesh: its facets and their attributes.
struct Body {
    name: Vec<u8>,
    triangles: Vec<Triangle>,
    words: Vec<u8>,
}

pub(super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Document> {
    let bodies = bodies(scene, cx);
    if cx.dialect == "ascii" {
        let colored = bodies.iter().map(|body| body.words.chunks(2).filter(|word| *word != [0; 2]).count()).sum();
        lose_words(colored, cx);
        if scene.extras.get("stl.header").is_some_and(|header| !is_plain(header)) {
            cx.lose(&LOSS_016, "file", 1, "header", "a text has none");
        }
        return Ok(Document::Ascii(write_text(&bodies)));
    }
    lose_names(bodies.iter().map(|body| &body.name[..]), cx);
    let header = match scene.extras.get("stl.header") {
        Some(Value::Bytes(bytes)) if bytes.len() == HEADER_SIZE => bytes.clone(),
        _ => new_header(),
    };
    write_binary(header, &bodies).map(Document::Binary)
}

fn new_header() -> Vec<u8> {
    let mut header = HEADER.to_vec();
    header.resize(HEADER_SIZE, 0);
    header
}

/// Whether a header is one that is written here, which nobody misses.
fn is_plain(header: &Value) -> bool {
    matches!(header, Value::Bytes(bytes) if *bytes == new_header() || bytes.iter().all(|&byte| byte == 0))
}

fn lose_words(count: usize, cx: &mut LowerCx<'_>) {
    if count > 0 {
        cx.lose(&LOSS_017, "file", count as u64, "attributes of facets", "a text has none");
    }
}

fn lose_names<'a>(names: impl ExactSizeIterator<Item = &'a [u8]>, cx: &mut LowerCx<'_>) {
    let count = names.len();
    let named = names.filter(|name| !name.is_empty()).count();
    if named > 0 {
        cx.lose(&LOSS_014, "file", named as u64, "names", "a binary STL has none; --dialect ascii has");
    }
    if count > 1 {
        let why = "a binary STL holds one body; --dialect ascii holds several";
        cx.lose(&LOSS_082, "file", count as u64, "objects made one", why);
    }
}

fn bodies(scene: &Scene, cx: &mut LowerCx<'_>) -> Vec<Body> {
    let from_stl = scene.origin.as_ref().is_some_and(|origin| origin.format == "stl");
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
            let flattened = append(primitive, from_stl, &mut body.triangles);
            if flattened > 0 {
                cx.lose(&LOSS_081, &label, flattened, "normals of corners", "a facet has one normal");
            }
            let left = primitive.vertex_count() % 3;
            if left > 0 {
                cx.lose(&LOSS_033, &label, 1, "triangle left out", "it lacks corners");
            }
            let count = (body.triangles.len() - before) * 2;
            match primitive.extras.get(ATTRIBUTES) {
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
fn append(primitive: &Primitive, from_stl: bool, out: &mut Vec<Triangle>) -> u64 {
    let positions = three(primitive.get(&Semantic::Position));
    let normals = primitive.get(&Semantic::Normal).map(|stream| three(Some(stream)));
    let (corners, _) = positions.as_chunks::<3>();
    let (given, _) = normals.as_deref().unwrap_or_default().as_chunks::<3>();
    let one = |(i, [a, b, c]): (usize, &[[f32; 3]; 3])| -> (Triangle, bool) {
        let mut triangle = [[0.; 3], *a, *b, *c];
        if from_stl {
            triangle[0] = given.get(i).map_or([0.; 3], |[first, ..]| *first);
            return (triangle, false);
        }
        let computed = winding(&triangle).map(|normal| normal.map(|n| n as f32));
        let near = |a: [f32; 3], b: [f32; 3], by: f64| a.iter().zip(b).all(|(a, b)| f64::from((a - b).abs()) <= by);
        let flat = given.get(i).filter(|[a, b, c]| a == b && b == c).map(|[a, ..]| *a);
        triangle[0] = match (flat, computed) {
            (Some(flat), Some(computed)) if near(flat, computed, SAME_NORMAL) => flat,
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

fn write_binary(header: Vec<u8>, bodies: &[Body]) -> Result<Binary> {
    let count: usize = bodies.iter().map(|body| body.triangles.len()).sum();
    let Ok(facet_count) = u32::try_from(count) else {
        return Err(Error::limit(Place::file(), "a binary STL holds 4294967295 facets"));
    };
    let mut bytes = vec![0; count * Facet::SIZE];
    let mut rest = &mut bytes[..];
    for body in bodies {
        let (own, behind) = rest.split_at_mut(body.triangles.len() * Facet::SIZE);
        let rows = own.par_chunks_mut(Facet::SIZE).zip(&body.triangles).zip(body.words.par_chunks(2));
        rows.with_min_len(BATCH).for_each(|((row, triangle), word)| {
            let (numbers, attribute) = row.split_at_mut(48);
            for (slot, number) in numbers.chunks_exact_mut(4).zip(triangle.as_flattened()) {
                slot.copy_from_slice(&number.to_le_bytes());
            }
            attribute.copy_from_slice(word);
        });
        rest = behind;
    }
    let facets = Bulk::view(Blob::memory(bytes), ORDER);
    Ok(Binary { header: Blob::memory(header), facet_count, facets, tail: Blob::default() })
}

fn write_text(bodies: &[Body]) -> Ascii {
    let mut parts = Vec::new();
    let line = |word: &str, name: &[u8]| {
        let blank: &[u8] = if name.is_empty() { b"" } else { b" " };
        [word.as_bytes(), blank, name, b"\n"].concat()
    };
    for body in bodies {
        parts.push(line("solid", &body.name));
        parts.par_extend(body.triangles.par_chunks(BATCH).map(facet_text));
        parts.push(line("endsolid", &body.name));
    }
    if bodies.is_empty() {
        parts.push(b"solid\nendsolid\n".to_vec());
    }
    Ascii::new(Blob::memory(parts.concat()))
}

fn facet_text(triangles: &[Triangle]) -> Vec<u8> {
    let mut out = Vec::with_capacity(triangles.len() * 240);
    let numbers = |out: &mut Vec<u8>, before: &str, vector: &[f32; 3]| {
        out.extend_from_slice(before.as_bytes());
        for &number in vector {
            out.push(b' ');
            push_float(out, number);
        }
        out.push(b'\n');
    };
    for [normal, corners @ ..] in triangles {
        numbers(&mut out, "  facet normal", normal);
        out.extend_from_slice(b"    outer loop\n");
        corners.iter().for_each(|corner| numbers(&mut out, "      vertex", corner));
        out.extend_from_slice(b"    endloop\n  endfacet\n");
    }
    out
}

/// The same document in the other dialect.
pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    *doc = match (&*doc, cx.dialect) {
        (Document::Binary(binary), "ascii") => {
            lose_tail(binary, &mut cx.losses);
            lose_words(words(binary).iter().filter(|&&word| word != 0).count(), cx);
            if !is_plain(&Value::Bytes(binary.header.to_vec())) {
                cx.lose(&LOSS_016, "file", 1, "header", "a text has none");
            }
            let body = Body { name: Vec::new(), triangles: triangles(binary), words: Vec::new() };
            Document::Ascii(write_text(&[body]))
        }
        (Document::Ascii(ascii), "binary") => {
            lose_facets(ascii, &mut cx.losses);
            let model = ascii.model();
            let names: Vec<&[u8]> = model.solids.iter().map(|solid| &ascii.source()[solid.name.clone()]).collect();
            lose_names(names.into_iter(), cx);
            let words = vec![0; model.facets.len() * 2];
            let body = Body { name: Vec::new(), triangles: model.facets.clone(), words };
            Document::Binary(write_binary(new_header(), &[body])?)
        }
        (_, "binary" | "ascii") => return Ok(()),
        (_, other) => {
            return Err(Error::usage(format!("STL has no dialect {other}")).with_help("it has binary and ascii"));
        }
    };
    Ok(())
}
