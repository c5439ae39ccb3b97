//! Meshes of the file → meshes of one primitive whose streams are the file's arrays.

use findings::Subject;
use scene::loss::*;
use scene::{Component, Encoding, Indices, Primitive, Semantic, Stream, Topology, Value};
use wire::{Bulk, F32, Fixed};

use super::super::keys::{EXTERNAL, ID};
use super::super::name;
use crate::LiftCx;
use crate::dgl3::layout::{Body, Mesh, ORDER};

/// A mesh of the scene; what moves it is added by [`super::skins`].
pub(super) fn lift(mesh: &Mesh, i: usize, body: Option<&Body>, cx: &mut LiftCx<'_>) -> scene::Mesh {
    let mut out = scene::Mesh { name: name(&mesh.name), ..scene::Mesh::default() };
    if usize::try_from(mesh.mesh_id) != Ok(i) {
        ID.set(&mut out.extras, i64::from(mesh.mesh_id));
    }
    if let Some(external) = &mesh.external {
        EXTERNAL.set(&mut out.extras, Value::Text(name(&external.external_filename)));
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
