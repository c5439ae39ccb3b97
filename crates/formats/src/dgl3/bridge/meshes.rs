//! Shapes: a mesh of one primitive whose streams are the file's arrays, both ways.

use findings::Subject;
use scene::loss::*;
use scene::{Component, Encoding, Indices, Primitive, Semantic, Stream, Topology, Value};
use wire::{Bulk, F32, Fixed, Flag32, Order, View};

use super::super::layout::{Body, Mesh, ORDER};
use super::name;
use crate::LiftCx;

/// A mesh of the scene; what moves it is added by [`super::rig`].
pub(super) fn lift(mesh: &Mesh, i: usize, body: Option<&Body>, cx: &mut LiftCx<'_>) -> scene::Mesh {
    let mut out = scene::Mesh { name: name(&mesh.name), ..scene::Mesh::default() };
    if usize::try_from(mesh.mesh_id) != Ok(i) {
        out.extras.set("dgl3.id", i64::from(mesh.mesh_id));
    }
    if let Some(external) = &mesh.external {
        out.extras.set("dgl3.external", Value::Text(name(&external.external_filename)));
    }
    let mut flags = vec![mesh.is_external];
    if let Some(body) = &mesh.body {
        flags.extend([body.have_lightmap_tex_coords, body.has_skeletal_animation, body.has_morph_target_animation]);
    }
    if flags.iter().any(|flag| !flag.is_plain()) {
        out.extras.set("dgl3.flags", Value::List(flags.iter().map(|flag| Value::Int(flag.0.into())).collect()));
    }
    if let Some(body) = body {
        let label = out.subject(i);
        out.primitives.push(primitive(body, &label, cx));
    }
    out
}

fn primitive(body: &Body, label: &Subject, cx: &mut LiftCx<'_>) -> Primitive {
    let mut primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, stream(&body.vertices))
        .with(Semantic::Normal, stream(&body.normals))
        .with(Semantic::TexCoord(0), stream(&body.texcoords));
    if let Some(coords) = &body.lightmap_tex_coords {
        primitive = primitive.with(Semantic::TexCoord(1), stream(coords));
    }
    primitive.indices = Some(indices(body, label, cx));
    primitive
}

fn stream<const N: usize>(bulk: &Bulk<[F32; N]>) -> Stream
where
    [F32; N]: Fixed,
{
    Stream::new(bulk.to_blob(ORDER), bulk.len(), Encoding::packed(Component::F32, N as u8))
}

/// The corners of all triangles. Triangles of vertices that do not exist are left out.
fn indices(body: &Body, label: &Subject, cx: &mut LiftCx<'_>) -> Indices {
    let vertices = body.vertices.len();
    let exists = |t: &[i32; 3]| t.iter().all(|&v| usize::try_from(v).is_ok_and(|v| v < vertices));
    let left_out = body.triangles.iter().filter(|t| !exists(t)).count();
    if left_out == 0 {
        let data = body.triangles.to_blob(ORDER);
        return Indices(Stream::new(data, body.triangles.len() * 3, Encoding::packed(Component::I32, 1)));
    }
    cx.lose(&LOSS_043, label, left_out as u64, "triangles", "their vertices do not exist");
    let kept: Vec<u8> = body.triangles.iter().filter(exists).flatten().flat_map(i32::to_le_bytes).collect();
    let count = kept.len() / 4;
    Indices(Stream::new(wire::Blob::memory(kept), count, Encoding::packed(Component::I32, 1)))
}

/// The shape of a primitive that the scene has fitted: triangles with normals and texture coordinates.
pub(super) fn lower(primitive: &Primitive, flags: &[Flag32]) -> Body {
    let count = primitive.vertex_count();
    let lightmap = primitive.get(&Semantic::TexCoord(1));
    let corners = primitive.indices.as_ref().map(|indices| &indices.0);
    let triangles = match corners {
        Some(stream) if is_whole(stream) => Bulk::view(stream.data().slice(..stream.len() / 3 * 12), ORDER),
        Some(stream) => triples(&stream.to_u32()),
        None => triples(&(0..count as u32).collect::<Vec<u32>>()),
    };
    let flag = |i: usize, set: bool| match flags.get(i).filter(|flag| flag.is_set() == set) {
        Some(flag) => *flag,
        None => set.into(),
    };
    Body {
        vertices: bulk(primitive.get(&Semantic::Position), count),
        normals: bulk(primitive.get(&Semantic::Normal), count),
        texcoords: bulk(primitive.get(&Semantic::TexCoord(0)), count),
        have_lightmap_tex_coords: flag(1, lightmap.is_some()),
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
pub(super) fn bulk<const N: usize>(stream: Option<&Stream>, count: usize) -> Bulk<[F32; N]>
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
