//! Document ⇄ scene.
//!
//! | DanModel | scene |
//! |---|---|
//! | piece | a node and a mesh of one primitive, in file order |
//! | mode | topology; an unknown one becomes points and is listed as a loss |
//! | position, uv, color, normal | streams that share the file's bytes; v counts from the bottom |
//! | danmaku_colored | `danmodel.colored` of the node: the flag byte |
//! | danmaku_alpha | `danmodel.alpha` of the scene |
//! | name, description, author | title, description, author |
//!
//! Pieces whose nodes and meshes did not change are taken from the document they came from.
//!
//! The way back is exact: the same vertices leave in one copy, or in none while they still lie in the file.

use findings::{Error, Result, Subject};
use rayon::prelude::*;
use scene::loss::*;
use scene::{Component, Encoding, Mesh, Name, Node, Origin, Primitive, Scene, Semantic, Stream, Topology, Value};
use wire::{Blob, Bool8, Bulk, F32, Fixed, Kept, Layout, Order, Text};

use super::layout::{ColoredVertex, Dialect, Document, Header, MAGIC, Mode, ORDER, Piece, PlainVertex, Vertices};
use crate::{LiftCx, LowerCx};

/// What the mod's converter always writes.
const USUAL_ALPHA: f32 = 0.3;

/// A field of a vertex: what it means, its numbers, and where it lies in a plain and in a coloured vertex.
struct Field {
    semantic: Semantic,
    component: Component,
    count: u8,
    plain: usize,
    colored: Option<usize>,
}

const FIELDS: [Field; 4] = [
    Field { semantic: Semantic::Position, component: Component::F64, count: 3, plain: 0, colored: Some(0) },
    Field { semantic: Semantic::TexCoord(0), component: Component::F64, count: 2, plain: 24, colored: Some(24) },
    Field { semantic: Semantic::Color(0), component: Component::F32, count: 4, plain: 40, colored: None },
    Field { semantic: Semantic::Normal, component: Component::F32, count: 3, plain: 56, colored: Some(40) },
];

impl Field {
    fn offset(&self, colored: bool) -> Option<usize> {
        if colored { self.colored } else { Some(self.plain) }
    }

    fn is_uv(&self) -> bool {
        matches!(self.semantic, Semantic::TexCoord(_))
    }

    fn encoding(&self, stride: usize) -> Encoding {
        let flip_v = self.is_uv();
        Encoding { stride, order: ORDER, flip_v, ..Encoding::packed(self.component, self.count) }
    }
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

fn stride(colored: bool) -> usize {
    if colored { ColoredVertex::SIZE } else { PlainVertex::SIZE }
}

pub(super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::SPACE;
    scene.origin = Some(Origin { format: "danmodel".into(), dialect: doc.dialect.id().into() });
    let name = |text: &Text| Name::from(text.bytes());
    scene.metadata.title = name(&doc.header.name);
    scene.metadata.description = name(&doc.header.description);
    scene.metadata.author = name(&doc.header.author);
    if let Some(alpha) = doc.header.danmaku_alpha {
        scene.extras.set("danmodel.alpha", Value::F32(alpha.get()));
    }
    for (bytes, what) in [(&doc.slack, "slack"), (&doc.tail, "tail")] {
        if !bytes.is_empty() {
            cx.lose(&LOSS_026, what, bytes.len() as u64, "bytes", "no field of the format owns them");
        }
    }
    for (i, piece) in doc.pieces.iter().enumerate() {
        let mut node = Node::default();
        if piece.danmaku_colored.0 != 0 {
            node.extras.set("danmodel.colored", i64::from(piece.danmaku_colored.0));
        }
        let topology = piece.mode.topology().unwrap_or_else(|| {
            let what = format!("mode {}", piece.mode.0);
            cx.lose(&LOSS_027, &format!("piece {i}"), 1, &what, "modes are 0 to 9");
            node.extras.set("danmodel.mode", i64::from(piece.mode.0));
            Topology::Points
        });
        let primitive = lift_vertices(&piece.vertices, topology);
        node.mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() }));
        scene.add_root(node);
    }
    Ok(scene)
}

fn lift_vertices(vertices: &Vertices, topology: Topology) -> Primitive {
    let (rows, colored) = match vertices {
        Vertices::Plain(bulk) => (bulk.to_blob(ORDER), false),
        Vertices::Colored(bulk) => (bulk.to_blob(ORDER), true),
    };
    let mut primitive = Primitive::new(topology);
    for field in &FIELDS {
        let Some(offset) = field.offset(colored) else { continue };
        let data = rows.slice(offset.min(rows.len())..);
        let stream = Stream::new(data, vertices.len(), field.encoding(stride(colored)));
        primitive = primitive.with(field.semantic.clone(), stream);
    }
    primitive
}

pub(super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Document> {
    let dialect = dialect(cx.dialect)?;
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
        let flag = match node.extras.get("danmodel.colored").and_then(Value::as_int) {
            Some(flag) => Bool8(u8::try_from(flag).unwrap_or(1)),
            None => chosen.iter().any(|name| is_called(name, node, mesh)).into(),
        };
        let mode = node.extras.get("danmodel.mode").and_then(Value::as_int).and_then(|mode| i32::try_from(mode).ok());
        for primitive in &mesh.primitives {
            let Some(known) = Mode::of(primitive.topology) else { continue };
            let mode = mode.filter(|_| primitive.topology == Topology::Points).map_or(known, Mode);
            let vertices = lower_vertices(primitive, flag.is_set(), &node.subject(id), cx);
            doc.pieces.push(Kept::new(Piece { mode, danmaku_colored: flag, vertices }));
        }
    }
    count_pieces(&mut doc);
    Ok(doc)
}

/// Gives the header the counts that writing will give it, so that the document equals the one read back. What does not
/// fit is refused by the writer.
pub(super) fn count_pieces(doc: &mut Document) {
    let size = |piece: &Kept<Piece>| {
        <Piece as Layout>::MIN_SIZE + piece.vertices.len() * stride(piece.danmaku_colored.is_set())
    };
    let model_length = doc.pieces.iter().map(size).sum::<usize>() + doc.slack.len();
    let header = doc.header.edit();
    header.piece_count = i32::try_from(doc.pieces.len()).unwrap_or(i32::MAX);
    header.model_length = i32::try_from(model_length).unwrap_or(i32::MAX);
}

fn dialect(id: &str) -> Result<Dialect> {
    match id {
        "spec" => Ok(Dialect::Spec),
        "engine" => Ok(Dialect::Engine),
        other => Err(Error::usage(format!("DanModel has no dialect {other}")).with_help("it has spec and engine")),
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
    match scene.extras.get("danmodel.alpha") {
        Some(Value::F32(alpha)) => Some(F32(*alpha)),
        Some(other) => other.as_f64().map(|alpha| F32(alpha as f32)),
        None => None,
    }
}

/// Gives the document the alpha its dialect has; one that is not the usual one is listed as a loss when it must go.
fn set_alpha(doc: &mut Document, alpha: Option<F32>, cx: &mut LowerCx<'_>) {
    let engine = doc.dialect == Dialect::Engine;
    if let Some(alpha) = alpha.filter(|alpha| !engine && *alpha != F32(USUAL_ALPHA)) {
        let what = format!("danmaku_alpha {}", alpha.get());
        cx.lose(&LOSS_015, "file", 1, &what, "the spec dialect has no field for it");
    }
    doc.header.edit().danmaku_alpha = engine.then(|| alpha.unwrap_or(F32(USUAL_ALPHA)));
}

/// Same document, other dialect or header texts; pieces keep their bytes.
pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    let wanted = dialect(cx.dialect)?;
    if wanted != doc.dialect {
        let alpha = doc.header.danmaku_alpha;
        doc.dialect = wanted;
        set_alpha(doc, alpha, cx);
    }
    for option in cx.options.names() {
        let Some(value) = cx.options.get(option) else { continue };
        match option {
            "name" => doc.header.edit().name = value.into(),
            "description" => doc.header.edit().description = value.into(),
            "author" => doc.header.edit().author = value.into(),
            _ => {
                return Err(Error::usage(format!("--{option} does not apply: pieces have no names to choose by"))
                    .with_help("give it when converting from a format with object names"));
            }
        }
    }
    Ok(())
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

const _: () = assert!(matches!(ORDER, Order::Big));
