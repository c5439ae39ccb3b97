//! Materials and meshes that are one object of the file and two in a scene: `transparent` of an entity makes others of
//! the materials that it shows, and only there; and an entity gives a material to parts that have none.

use std::collections::HashSet;

use scene::{AlphaMode, Extras, Id, Material, Mesh, Primitive, Scene, Stream};

use super::super::keys::{COPY_OF, VARIANT_OF, position};
use super::super::materials::variant_name;

/// For every material the one it is a variant of, as far as it still is that and nothing else; else itself. A base that
/// transparent entities show as it is has to say that it does not blend, and can have no variant.
pub(super) fn bases(scene: &Scene, on_transparent: &HashSet<Id<Material>>) -> Vec<Id<Material>> {
    let is_variant = |extras: &Extras| VARIANT_OF.get(extras).is_some();
    let base = |id: Id<Material>| {
        let material = &scene.materials[id];
        let of = position(&VARIANT_OF, &material.extras)?;
        // Programs put materials in another order.
        let all = [Id::new(of)].into_iter().chain(scene.materials.ids());
        let is_called =
            |of: &Id<Material>| scene.materials.get(*of).is_some_and(|base| variant_name(&base.name) == material.name);
        let of = all.into_iter().find(is_called)?;
        let base = scene.materials.get(of).filter(|base| !is_variant(&base.extras) && !on_transparent.contains(&of))?;
        let fresh = Material { name: variant_name(&base.name), alpha_mode: AlphaMode::Blend, ..base.clone() };
        let said = |extras: &Extras| (extras.foreign.clone(), extras.extensions.clone());
        let same = Material { extras: fresh.extras.clone(), ..material.clone() } == fresh;
        (same && base.alpha_mode == AlphaMode::Opaque && said(&material.extras) == said(&base.extras)).then_some(of)
    };
    scene.materials.ids().map(|id| base(id).unwrap_or(id)).collect()
}

/// The mesh that a copy is, if it still is.
pub(super) fn original(scene: &Scene, id: Id<Mesh>, bases: &[Id<Material>]) -> Id<Mesh> {
    let Some(of) = position(&COPY_OF, &scene.meshes[id].extras).map(Id::new) else { return id };
    // Programs put meshes in another order, and leave their names alone.
    let name = &scene.meshes[id].name;
    let is_called = |other: &Id<Mesh>| scene.meshes.get(*other).is_some_and(|mesh| mesh.name == *name && *other != id);
    let is_copy = |other: &Id<Mesh>| COPY_OF.get(&scene.meshes[*other].extras).is_some();
    let others = || scene.meshes.ids().filter(is_called).filter(|other| !is_copy(other));
    let Some(original) = Some(of).filter(is_called).or_else(|| others().next()) else { return id };
    // Shared bytes need not be compared: a file may have the mesh once for each material.
    let alike = |a: &Stream, b: &Stream| {
        let shared = a.data().as_ptr() == b.data().as_ptr() && (a.len(), a.encoding()) == (b.len(), b.encoding());
        shared || a == b
    };
    let same = |a: &Primitive, b: &Primitive| {
        let streams = a
            .attributes
            .iter()
            .zip(&b.attributes)
            .all(|(a, b)| a.semantic == b.semantic && alike(&a.stream, &b.stream));
        let indices = match (&a.indices, &b.indices) {
            (Some(a), Some(b)) => alike(&a.0, &b.0),
            (a, b) => a.is_none() && b.is_none(),
        };
        let base = |material: Option<Id<Material>>| material.and_then(|id| bases.get(id.index()));
        let materials = base(a.material) == base(b.material) || b.material.is_none();
        streams && indices && materials && a.attributes.len() == b.attributes.len() && a.topology == b.topology
    };
    let (a, b) = (&scene.meshes[id].primitives, &scene.meshes[original].primitives);
    if a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)) { original } else { id }
}

/// The material that an entity gives the parts of a mesh which have none, if it shows a copy that has it.
pub(super) fn given(scene: &Scene, copy: Id<Mesh>, original: Id<Mesh>) -> Option<Id<Material>> {
    let (a, b) = (&scene.meshes[copy].primitives, &scene.meshes[original].primitives);
    a.iter().zip(b).filter(|(_, b)| b.material.is_none()).find_map(|(a, _)| a.material)
}
