//! Meshes → records of the file: one for each part, and for each way in which nodes that show it move it.

use std::collections::{HashMap, HashSet};

use findings::{Result, Subject};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Component, Id, Mesh, Name, Node, Primitive, Scene, Semantic, Stream};
use wire::{Bulk, F32, Fixed, Kept, Order, View};

use super::super::keys::{self as key, EXTERNAL, ID};
use super::super::{text, twin};
use super::includes;
use super::is_copy;
use super::plan::Plan;
use super::skins::{Moves, Rigs};
use crate::dgl3::external::{Chain, load_mesh};
use crate::dgl3::layout::{self, Body, Document, External, ORDER};
use crate::names::Names;
use crate::{Loaded, LowerCx};

/// Which record of the file shows which part of a mesh at which node.
#[derive(Default)]
pub(super) struct Records {
    found: HashMap<(Id<Node>, Id<Mesh>, usize), usize>,
    parts: HashMap<Id<Mesh>, usize>,
}

impl Records {
    pub(super) fn find(&self, node: Id<Node>, mesh: Id<Mesh>, part: usize) -> Option<usize> {
        self.found.get(&(node, mesh, part)).copied()
    }
    pub(super) fn parts(&self, mesh: Id<Mesh>) -> usize {
        self.parts.get(&mesh).copied().unwrap_or(0)
    }
}

pub(super) fn lower(
    scene: &Scene,
    plan: &Plan,
    rest: &Pose,
    doc: &mut Document,
    cx: &mut LowerCx<'_>,
) -> Result<Records> {
    let mut records = Records::default();
    let mut names = super::names();
    let mut rigs = Rigs::new(scene, rest, cx)?;
    let mut shown: HashMap<Id<Mesh>, Vec<Id<Node>>> = HashMap::new();
    for (node, mesh) in
        plan.entities.iter().filter_map(|p| Some((p.node, p.mesh?))).chain(plan.unplaced.iter().copied())
    {
        shown.entry(mesh).or_default().push(node);
    }
    for (id, mesh) in scene.meshes.entries() {
        let Some(nodes) = shown.get(&id) else { continue };
        let label = mesh.subject(id);
        let mut made = 0;
        for primitive in &mesh.primitives {
            let body = body(primitive);
            let mut variants: HashMap<u64, Vec<(Moves, usize)>> = HashMap::new();
            for &node in nodes {
                let (moves, animations) = rigs.moves(node, id, primitive, cx)?;
                let alike = variants.entry(moves.fingerprint(primitive.vertex_count())).or_default();
                let record = match alike.iter().find(|(known, _)| *known == moves) {
                    Some((_, record)) => *record,
                    None => {
                        let moved = moves.add_to(&body);
                        let record = add_record(doc, (id, mesh), Some(&moved), made, &mut names, cx);
                        alike.push((moves, record));
                        made += 1;
                        rigs.tracks.write(&animations);
                        record
                    }
                };
                records.found.insert((node, id, records.parts(id)), record);
            }
            *records.parts.entry(id).or_default() += 1;
        }
        let outside = EXTERNAL.get(&mesh.extras).is_some();
        if made == 0 && !outside && nodes.iter().all(|node| plan.unplaced.contains(&(*node, id))) {
            cx.lose(&LOSS_024, &label, 1, "mesh that draws nothing", "nothing shows it");
        }
        if made == 0 && outside {
            let record = add_record(doc, (id, mesh), None, 0, &mut names, cx);
            records.found.extend(nodes.iter().map(|&node| ((node, id, 0), record)));
            records.parts.insert(id, 1);
        }
    }
    rigs.lose_rest(plan, cx);
    let entities = plan.entities.iter().filter_map(|placed| Some((placed.node, placed.mesh?)));
    let shown = entities.flat_map(|(node, mesh)| (0..records.parts(mesh)).map(move |part| (node, mesh, part)));
    number(doc, &shown.filter_map(|(node, mesh, part)| records.find(node, mesh, part)).collect());
    Ok(records)
}

/// Adds a mesh: a reference if the file it came from still says the same, the mesh itself otherwise.
fn add_record(
    doc: &mut Document,
    (id, mesh): (Id<Mesh>, &Mesh),
    body: Option<&Body>,
    copy: usize,
    names: &mut Names,
    cx: &mut LowerCx<'_>,
) -> usize {
    let (position, label) = (doc.meshes.len(), mesh.subject(id));
    let name = names.name("Mesh", &mesh.name, copy + usize::from(is_copy(&mesh.extras)), &label, cx);
    let file = key::text(&EXTERNAL, &mesh.extras).filter(|_| copy == 0);
    let external = file.and_then(|file| still_there(file, body, &label, cx));
    let mesh_id = key::int(&ID, &mesh.extras).filter(|_| copy == 0).unwrap_or(position as i32);
    let made = layout::Mesh {
        mesh_id,
        name,
        is_external: external.is_some().into(),
        external: external.as_ref().map(|file| External { external_filename: text(file) }),
        body: if external.is_some() { None } else { body.cloned() },
    };
    doc.meshes.push(Kept::new(made));
    position
}

/// What the file of a mesh is called where the model goes, if it says what the scene shows, or nothing is known of it.
fn still_there(file: &Name, body: Option<&Body>, label: &Subject, cx: &mut LowerCx<'_>) -> Option<Name> {
    let loaded = load_mesh(&text(file), &Chain::start(), cx.source, &cx.limits);
    let why = match (loaded, body) {
        (_, None) => return Some(file.clone()),
        (Err(_), Some(_)) => return None,
        (Ok(there), Some(body)) if !says(&there, body, cx) => "it is not what the file says",
        (Ok(_), Some(_)) => {
            let Loaded::Found { bytes, .. } = cx.source.load(&file.to_string(), None) else { return None };
            match includes::link(file, &bytes, cx) {
                Some(link) => return Some(link),
                None => "the files that it names would not be found",
            }
        }
    };
    cx.lose(&LOSS_091, label, 1, "mesh of another file, written into this one", why);
    None
}

/// Whether the mesh of another file becomes this one.
fn says(there: &Body, body: &Body, cx: &LowerCx<'_>) -> bool {
    let mesh = layout::Mesh { body: Some(there.clone()), ..layout::Mesh::default() };
    let doc = Document { meshes: vec![Kept::new(mesh)], ..Document::default() };
    let written = twin::anew(&doc, cx.source, cx);
    written.is_some_and(|written| written.document.meshes.first().and_then(|mesh| mesh.body.as_ref()) == Some(body))
}

/// Ids as they were read while every mesh that an entity shows can be told by its own; else positions.
fn number(doc: &mut Document, shown: &HashSet<usize>) {
    let position = |i: usize| i32::try_from(i).unwrap_or(i32::MAX);
    let mut first = HashMap::new();
    for (i, mesh) in doc.meshes.iter().enumerate() {
        first.entry(mesh.mesh_id).or_insert(i);
    }
    let told = |i: usize| {
        let id = doc.meshes[i].mesh_id;
        id != -1 && first.get(&id) == Some(&i)
    };
    if !shown.iter().all(|&i| told(i)) {
        for (i, mesh) in doc.meshes.iter_mut().enumerate() {
            mesh.edit().mesh_id = position(i);
        }
    }
}

/// What the file has of a primitive that was fitted: triangles with normals and texture coordinates.
fn body(primitive: &Primitive) -> Body {
    let count = primitive.vertex_count();
    let lightmap = primitive.get(&Semantic::TexCoord(1));
    let corners = primitive.indices.as_ref().map(|indices| &indices.0);
    let triangles = match corners {
        Some(stream) if is_whole(stream) => Bulk::view(stream.data().slice(..stream.len() / 3 * 12), ORDER),
        Some(stream) => triples(&stream.to_u32()),
        None => triples(&(0..count as u32).collect::<Vec<u32>>()),
    };
    Body {
        vertices: bulk(primitive.get(&Semantic::Position), count),
        normals: bulk(primitive.get(&Semantic::Normal), count),
        texcoords: bulk(primitive.get(&Semantic::TexCoord(0)), count),
        have_lightmap_tex_coords: lightmap.is_some().into(),
        lightmap_tex_coords: lightmap.map(|stream| bulk(Some(stream), count)),
        triangles,
        ..Body::default()
    }
}

fn is_whole(stream: &Stream) -> bool {
    let packed = [Component::I32, Component::U32].iter().any(|&c| stream.is_packed(c, Order::Little));
    packed && stream.data().len() >= stream.len() * 4
}

fn triples(indices: &[u32]) -> Bulk<[i32; 3]> {
    let index = |v: u32| i32::try_from(v).unwrap_or(i32::MAX);
    indices.chunks_exact(3).map(|t| [index(t[0]), index(t[1]), index(t[2])]).collect::<Vec<_>>().into()
}

/// A stream as the file has it: shared if it lies so, encoded otherwise, zero where it ends too early.
fn bulk<const N: usize>(stream: Option<&Stream>, count: usize) -> Bulk<[F32; N]>
where
    [F32; N]: Fixed,
    <[F32; N] as Fixed>::In<zerocopy::LE>: View,
{
    let Some(stream) = stream else { return vec![[F32(0.); N]; count].into() };
    if stream.is_packed(Component::F32, Order::Little) && stream.count() == N && stream.len() == count {
        return Bulk::view(stream.data().slice(..count * N * 4), ORDER);
    }
    let (width, values) = (stream.count().max(1), stream.to_f32());
    let row = |i: usize| {
        std::array::from_fn(|k| F32(if k < width { values.get(i * width + k).copied().unwrap_or(0.) } else { 0. }))
    };
    (0..count).map(row).collect::<Vec<[F32; N]>>().into()
}
