//! What `transparent` of an entity makes of the materials it shows, and only there.

use std::collections::{HashMap, HashSet};

use scene::{AlphaMode, Id, Material, Mesh, Node, Scene, Value};

use super::super::keys::{COPY_OF, ID, TRANSPARENT, VARIANT_OF};
use super::super::materials::variant_name;

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
        self.say_what_has_no_effect(scene);
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
        let mut dressed: HashMap<Id<Mesh>, Id<Mesh>> = HashMap::new();
        let mut nodes: Vec<Id<Node>> = self.nodes.iter().copied().collect();
        nodes.sort_unstable_by_key(|id| id.index());
        for node in nodes {
            if let Some(material) = &mut scene.nodes[node].material {
                *material = variants.get(material).copied().unwrap_or(*material);
            } else if let Some(mesh) = scene.nodes[node].mesh {
                let own = *dressed.entry(mesh).or_insert_with(|| dress(scene, mesh, &meshes, &variants));
                scene.nodes[node].mesh = Some(own);
            }
        }
    }
}

impl Blending {
    /// Transparent entities whose materials all do as they do elsewhere say it themselves.
    fn say_what_has_no_effect(&self, scene: &mut Scene) {
        for id in &self.nodes {
            let node = &scene.nodes[*id];
            let of_parts = node.mesh.map_or(&[][..], |mesh| &scene.meshes[mesh].primitives);
            let of_parts = of_parts.iter().filter_map(|part| part.material);
            let mut shown: Vec<Id<Material>> = node.material.map_or_else(|| of_parts.collect(), |own| vec![own]);
            shown.retain(|material| self.materials.contains(material));
            if shown.is_empty() {
                TRANSPARENT.set(&mut scene.nodes[*id].extras, Value::Bool(true));
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
        if COPY_OF.get(&copy.extras).is_none() {
            COPY_OF.set(&mut copy.extras, mesh.index() as i64);
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
    variant.extras.own.retain(|(key, _)| key != ID.name);
    VARIANT_OF.set(&mut variant.extras, id.index() as i64);
    variant
}
