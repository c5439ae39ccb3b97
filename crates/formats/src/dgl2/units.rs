//! What an edit of one object may change: a chunk, found by its kind and number.

use std::collections::HashSet;

use super::layout::{Chunk, ChunkKind, Data, Document};
use super::origin;
use crate::restore::{Merged, Tally, Three, list};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, ours, .. } = three;
    if origin.language != ours.language {
        return None;
    }
    let mut tally = Tally::default();
    let key = |chunk: &Chunk| (chunk.kind, chunk.id);
    let chunks = list(three.each(|doc| &doc.chunks[..]), key, |chunk| &mut chunk.name, &mut tally)?;
    let document = Document { chunks, ..origin.clone() };
    // Which way V runs is found out from all of a file: it must still be found where its parts have it.
    let edge = |doc: &Document| origin::of(doc).origin;
    let fits = [origin, ours].map(edge).iter().all(|own| *own == edge(&document));
    (fits && is_linked(&document, ours)).then_some(Merged { document, tally })
}

/// Whether what chunks of ours name is still there: a writer may have made it.
fn is_linked(document: &Document, ours: &Document) -> bool {
    let ids = |doc: &Document| doc.chunks.iter().map(|chunk| (chunk.kind, chunk.id)).collect::<HashSet<_>>();
    let (here, known) = (ids(document), ids(ours));
    known.iter().all(|chunk| here.contains(chunk)) || !document.chunks.iter().any(|chunk| names(chunk, &known, &here))
}

fn names(chunk: &Chunk, known: &HashSet<(ChunkKind, i32)>, here: &HashSet<(ChunkKind, i32)>) -> bool {
    let is_lost = |kind: ChunkKind, id: i32| known.contains(&(kind, id)) && !here.contains(&(kind, id));
    match &chunk.data {
        Data::Entity(entity) => {
            is_lost(ChunkKind::TRIMESH, entity.mesh_id) || is_lost(ChunkKind::MATERIAL, entity.material_id)
        }
        Data::Trimesh(mesh) => mesh.triangles.iter().any(|triangle| is_lost(ChunkKind::MATERIAL, triangle.material_id)),
        Data::Material(_) | Data::Bytes(_) => false,
    }
}
