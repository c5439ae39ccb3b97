//! Document → scene.

use findings::{Place, Result};
use scene::loss::*;
use scene::{
    Attribute, Component, Encoding, Mesh, Name, Node, Origin, Primitive, Scene, Semantic, Stream, Topology, Value,
};
use wire::Blob;

use super::OBJ_INFO;
use super::corners;
use crate::ply::data::Table;
use crate::ply::header::{Element, Scalar};
use crate::ply::layout::Document;
use crate::ply::meaning::{COLOR, Meaning, NORMAL, POSITION, TEXCOORD, group, is_small, unconverted, unroll};
use crate::ply::rules::{PLY_011, PLY_012};
use crate::{Document as _, LiftCx};

pub(in crate::ply) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = crate::ply::SPACE;
    scene.origin = Some(Origin { format: "ply".into(), dialect: doc.dialect().into() });
    let header = doc.header();
    scene.metadata.comment = Name::from(&header.comments.join(&b'\n')[..]);
    if !header.obj_info.is_empty() {
        let lines = header.obj_info.iter().map(|line| (OBJ_INFO.into(), Value::Text(Name::from(&line[..]))));
        scene.metadata.properties = lines.collect();
    }
    for (_, what) in unconverted(doc) {
        cx.lose(&LOSS_083, "file", 1, &what, "the scene has no field for it");
    }
    let tail = &doc.source()[doc.body().tail.clone()];
    if !tail.trim_ascii().is_empty() {
        cx.lose(&LOSS_026, "tail", tail.len() as u64, "bytes", "no element owns them");
    }
    let meaning = Meaning::of(doc);
    let mut mesh = Mesh::default();
    if let Some(vertex) = meaning.vertex {
        let (element, table) = meaning.element(vertex);
        let attributes = attributes(element, table);
        let with = |topology| Primitive { attributes: attributes.clone(), ..Primitive::new(topology) };
        if let Some((faces, rows)) = faces(&meaning, cx) {
            mesh.primitives.push(corners::part(faces.on(&with), &rows, &meaning, cx));
        }
        mesh.primitives.extend(strips(&meaning, cx).map(|faces| faces.on(&with)));
        mesh.primitives.extend(edges(&meaning, cx).map(|faces| faces.on(&with)));
        if mesh.primitives.is_empty() {
            mesh.primitives.push(with(Topology::Points));
        }
    }
    let mesh = scene.meshes.add(mesh);
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    Ok(scene)
}

/// How vertices are connected.
struct Faces {
    topology: Topology,
    indices: Vec<u32>,
    corners: Vec<u32>,
}

impl Faces {
    fn on(self, with: &dyn Fn(Topology) -> Primitive) -> Primitive {
        Primitive { indices: Some(self.indices.into()), corners: self.corners, ..with(self.topology) }
    }
}

/// The faces that are whole, and which rows of their element they are.
fn faces(meaning: &Meaning<'_>, cx: &mut LiftCx<'_>) -> Option<(Faces, Vec<u32>)> {
    let lists = meaning.face?;
    let (sizes, numbers) = meaning.indices(lists);
    if sizes.is_empty() {
        return None;
    }
    let vertices = meaning.vertex_count();
    let (mut indices, mut corners) = (Vec::with_capacity(numbers.len()), Vec::with_capacity(sizes.len()));
    let (mut small, mut wild, mut rows) = (0, 0, Vec::with_capacity(sizes.len()));
    let mut rest = &numbers[..];
    for (row, &size) in sizes.iter().enumerate() {
        let (face, behind) = rest.split_at(size as usize);
        rest = behind;
        if size < 3 {
            small += 1;
        } else if face.iter().any(|&index| index as usize >= vertices) {
            wild += 1;
        } else {
            indices.extend_from_slice(face);
            corners.push(size);
            rows.push(row as u32);
        }
    }
    lose(small, "faces left out", "they have fewer than three corners", cx);
    lose(wild, "faces left out", "their corners name no vertex", cx);
    let place = || Place::path(format!("elements[{}]", lists.element));
    if small > 0 {
        cx.find(&PLY_012, place(), format!("{small} faces have fewer than three corners and are left out"));
    }
    if wild > 0 {
        cx.find(&PLY_011, place(), format!("{wild} faces name vertices that are not there and are left out"));
    }
    let all = |n: u32| corners.iter().all(|&size| size == n);
    let faces = match () {
        () if all(3) => Faces { topology: Topology::Triangles, indices, corners: Vec::new() },
        () if all(4) => Faces { topology: Topology::Quads, indices, corners: Vec::new() },
        () => Faces { topology: Topology::Polygons, indices, corners },
    };
    Some((faces, rows))
}

fn lose(count: u64, what: &str, why: &str, cx: &mut LiftCx<'_>) {
    if count > 0 {
        cx.lose(&LOSS_033, "file", count, what, why);
    }
}

fn strips(meaning: &Meaning<'_>, cx: &mut LiftCx<'_>) -> Option<Faces> {
    let lists = meaning.strips?;
    if meaning.element(lists.element).1.count == 0 {
        return None;
    }
    let triangles = unroll(&meaning.indices(lists));
    let vertices = meaning.vertex_count();
    let whole = |t: &&[u32]| t.iter().all(|&index| (index as usize) < vertices);
    let indices: Vec<u32> = triangles.chunks_exact(3).filter(whole).flatten().copied().collect();
    let wild = (triangles.len() - indices.len()) as u64 / 3;
    lose(wild, "triangles of strips left out", "their corners name no vertex", cx);
    Some(Faces { topology: Topology::Triangles, indices, corners: Vec::new() })
}

fn edges(meaning: &Meaning<'_>, cx: &mut LiftCx<'_>) -> Option<Faces> {
    let (_, edges) = meaning.edges().filter(|(_, edges)| !edges.is_empty())?;
    let vertices = meaning.vertex_count();
    let whole = |edge: &&[u32; 2]| edge.iter().all(|&index| (index as usize) < vertices);
    let indices: Vec<u32> = edges.iter().filter(whole).flatten().copied().collect();
    lose((edges.len() - indices.len() / 2) as u64, "edges left out", "they name no vertex", cx);
    Some(Faces { topology: Topology::Lines, indices, corners: Vec::new() })
}

fn attributes(element: &Element, table: &Table) -> Vec<Attribute> {
    let mut used = Vec::new();
    let mut out = Vec::new();
    let known = [
        (Semantic::Position, POSITION),
        (Semantic::Normal, NORMAL),
        (Semantic::Color(0), COLOR),
        (Semantic::TexCoord(0), TEXCOORD),
    ];
    for (semantic, spellings) in known {
        let Some(properties) = group(element, spellings) else { continue };
        let stream = stream(element, table, &properties, semantic == Semantic::Color(0));
        let stream = if semantic == Semantic::TexCoord(0) { stream.flipped() } else { stream };
        out.push(Attribute { semantic, stream });
        used.extend(properties);
    }
    for (i, property) in element.properties.iter().enumerate() {
        let first = element.properties[..i].iter().all(|before| before.name != property.name);
        if property.count.is_none() && first && !used.contains(&i) {
            let semantic = Semantic::Custom(String::from_utf8_lossy(&property.name).into_owned());
            out.push(Attribute { semantic, stream: stream(element, table, &[i], false) });
        }
    }
    out
}

fn component(scalar: Scalar) -> Component {
    match scalar {
        Scalar::I8 => Component::I8,
        Scalar::U8 => Component::U8,
        Scalar::I16 => Component::I16,
        Scalar::U16 => Component::U16,
        Scalar::I32 => Component::I32,
        Scalar::U32 => Component::U32,
        Scalar::F32 => Component::F32,
        Scalar::F64 => Component::F64,
    }
}

/// Some properties as a stream: a view where they lie side by side, a copy otherwise.
fn stream(element: &Element, table: &Table, properties: &[usize], color: bool) -> Stream {
    let (offsets, _) = element.offsets();
    let types: Vec<Scalar> = properties.iter().map(|&i| element.properties[i].item).collect();
    let (first, count) = (types[0], types.len() as u8);
    let alike = types.iter().all(|scalar| *scalar == first);
    let unsigned = matches!(first, Scalar::U8 | Scalar::U16);
    let scaled = color && !first.is_float() && !unsigned;
    if !alike || scaled {
        let mut values = Vec::with_capacity(table.count * types.len());
        for row in 0..table.count {
            for (&i, &scalar) in properties.iter().zip(&types) {
                let number = table.number(row, offsets[i], scalar);
                values.push(if color { scalar.share(number) } else { number });
            }
        }
        return match types.iter().all(|scalar| is_small(*scalar)) || color {
            true => Stream::from_f32(count, values.into_iter().map(|value| value as f32).collect()),
            false => Stream::from_f64(count, values),
        };
    }
    let normalised = color && unsigned;
    let size = first.size();
    let side_by_side = properties.windows(2).all(|pair| offsets[pair[1]] == offsets[pair[0]] + size);
    let packed = Encoding { order: table.order, normalised, ..Encoding::packed(component(first), count) };
    if side_by_side {
        let data = table.rows.slice(offsets[properties[0]].min(table.rows.len())..);
        return Stream::new(data, table.count, Encoding { stride: table.stride, ..packed });
    }
    let mut bytes = Vec::with_capacity(table.count * size * properties.len());
    for row in table.rows.chunks_exact(table.stride.max(1)) {
        properties.iter().for_each(|&i| bytes.extend_from_slice(&row[offsets[i]..offsets[i] + size]));
    }
    Stream::new(Blob::memory(bytes), table.count, packed)
}
