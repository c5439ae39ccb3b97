//! Records of the file that a scene was made of, for objects that did not change since. They are found by id and name:
//! files that a file includes have nodes among its own.

use scene::{Name, Scene};
use wire::Kept;

use super::super::layout::{self, Body, Document, Entity};
use super::as_i32;
use super::lower::Placed;
use crate::BridgeCx;
use crate::carry::unchanged;

/// The entity that a node was made of and still is; `record` is the mesh that stands there.
pub(super) fn entity<'a>(
    scene: &Scene,
    placed: &Placed,
    record: Option<usize>,
    doc: &Document,
    cx: &BridgeCx<'a>,
) -> Option<&'a Kept<Entity>> {
    let node = &scene.nodes[placed.node];
    unchanged(&node.extras, "dgl3")?;
    if record.is_none() && placed.mesh.is_some() {
        return None;
    }
    let id = as_i32(node.extras.get("dgl3.id")).unwrap_or(i32::try_from(doc.entities.len()).ok()?);
    let mesh = match record {
        Some(record) => doc.meshes.get(record)?.mesh_id,
        None => as_i32(node.extras.get("dgl3.mesh_id")).unwrap_or(-1),
    };
    let same = |entity: &&Kept<Entity>| {
        (entity.entity_id, entity.mesh_id, entity.name.bytes()) == (id, mesh, node.name.bytes())
            && entity.external.as_ref().map(|file| file.external_filename.bytes())
                == placed.reference.as_ref().map(Name::bytes)
    };
    only(cx.origin::<Document>()?.entities.iter().filter(same))
}

/// The mesh that a shape was made of and still is. What bends it lies elsewhere in a scene, so bent ones are made anew.
pub(super) fn mesh<'a>(
    mesh: &scene::Mesh,
    made: &layout::Mesh,
    body: Option<&Body>,
    cx: &BridgeCx<'a>,
) -> Option<&'a Kept<layout::Mesh>> {
    unchanged(&mesh.extras, "dgl3")?;
    let is_stiff = |body: Option<&Body>| body.is_none_or(|body| body.skeletal.is_none() && body.morph.is_none());
    let same = |other: &&Kept<layout::Mesh>| {
        let named = (other.mesh_id, other.name.bytes()) == (made.mesh_id, made.name.bytes());
        named && other.external == made.external && is_stiff(other.body.as_ref())
    };
    only(cx.origin::<Document>()?.meshes.iter().filter(same)).filter(|_| is_stiff(body))
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    found.next().filter(|_| found.next().is_none())
}
