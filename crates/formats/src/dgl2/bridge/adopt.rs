//! Chunks of the file that a scene was made of, for objects that did not change since.

use scene::Extras;
use wire::Kept;

use crate::carry::unchanged;
use crate::dgl2::layout::{Chunk, Data, Document};
use crate::dgl2::origin;

/// Puts the source's chunks in the place of those that were made of unchanged objects, where the numbers by which chunks
/// name each other are the same. `nodes`, `meshes` and `materials` are what ENTITY, TRIMESH and MATERIAL chunks were made
/// of, in their order.
pub(super) fn adopt(
    document: &mut Document,
    source: &Document,
    nodes: &[&Extras],
    meshes: &[Option<&Extras>],
    materials: &[&Extras],
) {
    let same_origin = origin::of(document).origin == origin::of(source).origin;
    let of = |is: fn(&Data) -> bool| source.chunks.iter().filter(|chunk| is(&chunk.data)).collect::<Vec<_>>();
    let entities = of(|data| matches!(data, Data::Entity(_)));
    let trimeshes = of(|data| matches!(data, Data::Trimesh(_)));
    let surfaces = of(|data| matches!(data, Data::Material(_)));
    let mut of_nodes = nodes.iter().copied();
    let mut of_meshes = meshes.iter().copied();
    let mut of_materials = materials.iter().copied();
    for chunk in &mut document.chunks {
        let (extras, own) = match &chunk.data {
            Data::Entity(_) => (of_nodes.next(), &entities),
            Data::Trimesh(_) => (of_meshes.next().flatten().filter(|_| same_origin), &trimeshes),
            Data::Material(_) => (of_materials.next(), &surfaces),
            Data::Bytes(_) => continue,
        };
        let position = extras.and_then(|extras| unchanged(extras, "dgl2"));
        let found = position.and_then(|position| own.get(position)).filter(|found| is_linked_alike(chunk, found));
        if let Some(found) = found {
            *chunk = Kept::clone(found);
        }
    }
}

/// Whether two chunks have the same number and name the same ones.
fn is_linked_alike(a: &Chunk, b: &Chunk) -> bool {
    let links = match (&a.data, &b.data) {
        (Data::Entity(a), Data::Entity(b)) => (a.mesh_id, a.material_id) == (b.mesh_id, b.material_id),
        (Data::Trimesh(a), Data::Trimesh(b)) => {
            a.triangles.iter().map(|t| t.material_id).eq(b.triangles.iter().map(|t| t.material_id))
        }
        (Data::Material(_), Data::Material(_)) => true,
        _ => false,
    };
    links && a.id == b.id
}
