//! Scene → document.

use findings::{Error, Result, Subject};
use rayon::prelude::*;
use scene::loss::*;
use scene::{Component, Extras, Mesh, Name, Node, Primitive, Scene, Semantic, Value};
use wire::{Blob, Bool8, Bulk, F32, Kept, Text};

use super::super::dialect::Dialect;
use super::super::layout::{Document, Header, MAGIC, Mode, ORDER, Piece, Vertices};
use super::super::transcode::set_alpha;
use super::{ALPHA, COLORED, FIELDS, Field, stride};
use crate::LowerCx;

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Document> {
    let dialect = Dialect::named(cx.dialect)?;
    let mut doc = Document { dialect, ..Document::default() };
    let metadata = &scene.metadata;
    let text = |option: &str, name: &Name| match cx.options.get(option) {
        Some(given) => Text::from(given),
        None => Text::from(Blob::memory(name.bytes().to_vec())),
    };
    *doc.header.edit() = Header {
        magic: MAGIC.into(),
        version: 1,
        name: text("name", &metadata.title),
        description: text("description", &metadata.description),
        author: text("author", &metadata.author),
        ..Header::default()
    };
    set_alpha(&mut doc, alpha_of(scene), cx);
    let chosen: Vec<&str> = cx.options.list("danmaku-colored").collect();
    check_names(scene, &chosen)?;
    for (id, node, mesh) in scene.bodies() {
        let flag = Bool8::from(is_colored(&node.extras) || chosen.iter().any(|name| is_called(name, node, mesh)));
        for primitive in &mesh.primitives {
            let Some(mode) = Mode::of(primitive.topology) else { continue };
            let vertices = lower_vertices(primitive, flag.is_set(), &node.subject(id), cx);
            doc.pieces.push(Kept::new(Piece { mode, danmaku_colored: flag, vertices }));
        }
    }
    doc.count_pieces();
    Ok(doc)
}

/// Earlier versions had the flag byte here.
fn is_colored(extras: &Extras) -> bool {
    match COLORED.get(extras) {
        Some(Value::Int(flag)) => *flag != 0,
        flag => flag == Some(&Value::Bool(true)),
    }
}

fn is_called(name: &str, node: &Node, mesh: &Mesh) -> bool {
    [&node.name, &mesh.name].iter().any(|own| own.as_str() == Some(name))
}

fn check_names(scene: &Scene, chosen: &[&str]) -> Result<()> {
    let names = || scene.nodes.iter().map(|n| &n.name).chain(scene.meshes.iter().map(|m| &m.name));
    let Some(unknown) = chosen.iter().find(|chosen| !names().any(|name| name.as_str() == Some(chosen))) else {
        return Ok(());
    };
    let mut known: Vec<String> = names().filter(|name| !name.is_empty()).map(ToString::to_string).collect();
    known.sort();
    known.dedup();
    let help = if known.is_empty() { "it has no names".to_owned() } else { format!("it has {}", known.join(", ")) };
    Err(Error::usage(format!("--danmaku-colored names \"{unknown}\", which the model does not have")).with_help(help))
}

fn alpha_of(scene: &Scene) -> Option<F32> {
    match ALPHA.get(&scene.extras) {
        Some(Value::F32(alpha)) => Some(F32(*alpha)),
        Some(other) => other.as_f64().map(|alpha| F32(alpha as f32)),
        None => None,
    }
}

fn lower_vertices(primitive: &Primitive, colored: bool, place: &Subject, cx: &mut LowerCx<'_>) -> Vertices {
    if colored
        && let Some(colors) = primitive.get(&Semantic::Color(0))
        && colors.count_elements(|color| color.iter().any(|&v| v != 1.)) > 0
    {
        cx.lose(&LOSS_017, place, 1, "COLOR_0", "a danmaku-coloured piece takes the colour of the shot");
    }
    let rows = shared_rows(primitive, colored).unwrap_or_else(|| interleave(primitive, colored));
    if colored { Vertices::Colored(Bulk::view(rows, ORDER)) } else { Vertices::Plain(Bulk::view(rows, ORDER)) }
}

/// The rows as they lie in a DanModel file, if the streams still are fields of one array of vertices.
fn shared_rows(primitive: &Primitive, colored: bool) -> Option<Blob> {
    let stride = stride(colored);
    let count = primitive.vertex_count();
    let rows = primitive.get(&Semantic::Position)?.data().get(0, count * stride)?;
    let in_place = |field: &Field| {
        let Some(offset) = field.offset(colored) else { return primitive.get(&field.semantic).is_none() };
        primitive.get(&field.semantic).is_some_and(|stream| {
            let address = rows.as_ptr().addr() + offset;
            (stream.len(), stream.encoding(), stream.data().as_ptr().addr())
                == (count, &field.encoding(stride), address)
        })
    };
    FIELDS.iter().all(in_place).then_some(rows)
}

/// The rows made anew from streams of any encoding.
fn interleave(primitive: &Primitive, colored: bool) -> Blob {
    let mut rows = vec![0; primitive.vertex_count() * stride(colored)];
    for field in &FIELDS {
        let stream = primitive.get(&field.semantic);
        // Colours without alpha are opaque; a missing stream is white.
        let absent = if field.semantic == Semantic::Color(0) { 1. } else { 0. };
        let flipped = stream.map(|stream| if field.is_uv() { stream.flipped() } else { stream.clone() });
        let stored = stream.map_or(1, |stream| stream.count().max(1));
        // Floats go out as floats, so that even the bits of what is not a number survive.
        match field.component {
            Component::F64 => {
                let values = flipped.map(|stream| stream.to_f64()).unwrap_or_default();
                field.put(&mut rows, colored, stored, &values, absent, f64::to_be_bytes);
            }
            _ => {
                let values = flipped.map(|stream| stream.to_f32()).unwrap_or_default();
                field.put(&mut rows, colored, stored, &values, absent as f32, f32::to_be_bytes);
            }
        }
    }
    Blob::memory(rows)
}

impl Field {
    /// Writes the field into all rows: as many numbers of the `stored` per vertex as it has, `absent` for the others.
    fn put<V: Copy + Sync, const N: usize>(
        &self,
        rows: &mut [u8],
        colored: bool,
        stored: usize,
        values: &[V],
        absent: V,
        bytes: fn(V) -> [u8; N],
    ) {
        let Some(offset) = self.offset(colored) else { return };
        rows.par_chunks_mut(stride(colored)).enumerate().with_min_len(1 << 14).for_each(|(i, row)| {
            for (k, slot) in row[offset..].chunks_exact_mut(N).take(self.count.into()).enumerate() {
                let value = if k < stored { values.get(i * stored + k) } else { None };
                slot.copy_from_slice(&bytes(*value.unwrap_or(&absent)));
            }
        });
    }
}
