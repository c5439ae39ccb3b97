//! What `transparent` of an entity makes of the materials it shows, and only there.

use std::collections::{HashMap, HashSet};

use scene::{AlphaMode, Extras, Id, Material, Mesh, Name, Node, Scene};

use super::carried_int;

/// The key by which a material that blends says of which one it is a variant.
const VARIANT_OF: &str = "dgl2.variant_of";

/// Materials whose blending depends on the entity, and the entities that ask for it.
#[derive(Default)]
pub(super) struct Blending {
    pub(super) materials: HashSet<Id<Material>>,
    pub(super) nodes: HashSet<Id<Node>>,
}

impl Blending {
    /// Lets the materials of transparent entities blend. One that opaque entities show too stays as it is, and gets a
    /// variant that blends.
    pub(super) fn apply(&self, scene: &mut Scene) {
        if self.nodes.is_empty() {
            return;
        }
        let mut materials = Shown::default();
        let mut meshes = Shown::default();
        for (id, node) in scene.nodes.entries() {
            let transparent = self.nodes.contains(&id);
            match (node.material, node.mesh) {
                (Some(material), _) => materials.add(material, transparent),
                (None, Some(mesh)) => {
                    meshes.add(mesh, transparent);
                    let of_parts = scene.meshes[mesh].primitives.iter().filter_map(|part| part.material);
                    of_parts.for_each(|material| materials.add(material, transparent));
                }
                (None, None) => {}
            }
        }
        let mut variants = HashMap::new();
        let ids: Vec<Id<Material>> = scene.materials.ids().filter(|id| self.materials.contains(id)).collect();
        for id in ids.into_iter().filter(|id| materials.transparent.contains(id)) {
            if materials.opaque.contains(&id) {
                let variant = variant(&scene.materials[id], id);
                variants.insert(id, scene.materials.add(variant));
            } else {
                scene.materials[id].alpha_mode = AlphaMode::Blend;
            }
        }
        let mut copies: HashMap<Id<Mesh>, Id<Mesh>> = HashMap::new();
        let mut nodes: Vec<Id<Node>> = self.nodes.iter().copied().collect();
        nodes.sort_unstable_by_key(|id| id.index());
        for node in nodes {
            if let Some(material) = &mut scene.nodes[node].material {
                *material = variants.get(material).copied().unwrap_or(*material);
            } else if let Some(mesh) = scene.nodes[node].mesh {
                let own = *copies.entry(mesh).or_insert_with(|| dress(scene, mesh, &meshes, &variants));
                scene.nodes[node].mesh = Some(own);
            }
        }
    }
}

/// What is shown by transparent entities, and what by others.
struct Shown<T> {
    transparent: HashSet<Id<T>>,
    opaque: HashSet<Id<T>>,
}

impl<T> Default for Shown<T> {
    fn default() -> Shown<T> {
        Shown { transparent: HashSet::new(), opaque: HashSet::new() }
    }
}

impl<T> Shown<T> {
    fn add(&mut self, id: Id<T>, transparent: bool) {
        if transparent {
            self.transparent.insert(id)
        } else {
            self.opaque.insert(id)
        };
    }
}

/// The mesh with variants of its materials: itself, unless opaque entities show it too.
fn dress(
    scene: &mut Scene,
    mesh: Id<Mesh>,
    shown: &Shown<Mesh>,
    variants: &HashMap<Id<Material>, Id<Material>>,
) -> Id<Mesh> {
    let instead = |material: Option<Id<Material>>| material.and_then(|material| variants.get(&material)).copied();
    if scene.meshes[mesh].primitives.iter().all(|part| instead(part.material).is_none()) {
        return mesh;
    }
    let own = if shown.opaque.contains(&mesh) {
        let mut copy = scene.meshes[mesh].clone();
        if copy.extras.get("dgl2.copy_of").is_none() {
            copy.extras.set("dgl2.copy_of", mesh.index() as i64);
        }
        scene.meshes.add(copy)
    } else {
        mesh
    };
    for part in &mut scene.meshes[own].primitives {
        part.material = instead(part.material).or(part.material);
    }
    own
}

fn variant(base: &Material, id: Id<Material>) -> Material {
    let mut variant = Material { name: variant_name(&base.name), alpha_mode: AlphaMode::Blend, ..base.clone() };
    variant.extras.own.retain(|(key, _)| key != "dgl2.id");
    variant.extras.set(VARIANT_OF, id.index() as i64);
    variant
}

fn variant_name(base: &Name) -> Name {
    if base.is_empty() { Name::default() } else { Name::from([base.bytes(), b" transparent"].concat().as_slice()) }
}

/// For every material the one it is a variant of, as far as it still is that and nothing else; else itself. A base that
/// transparent entities show as it is has to say that it does not blend, and can have no variant.
pub(super) fn bases(scene: &Scene, on_transparent: &HashSet<Id<Material>>) -> Vec<Id<Material>> {
    let is_variant = |extras: &Extras| extras.get(VARIANT_OF).is_some();
    let base = |id: Id<Material>| {
        let material = &scene.materials[id];
        let of = carried_int(&material.extras, VARIANT_OF).and_then(|index| usize::try_from(index).ok())?;
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
