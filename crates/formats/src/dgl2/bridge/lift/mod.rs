//! Document → scene.

mod materials;
mod meshes;
mod metadata;
mod nodes;
mod variants;

use std::collections::{HashMap, HashSet};

use findings::{Place, Result};
use scene::{Extras, Id, Material, Mesh, Node, NodeRole, Origin, Scene, SourceSpace, UvOrigin};

use super::keys::{COPY_OF, ID};
use super::materials::blends_when_transparent;
use crate::dgl2::layout::{Document, Entity, Language};
use crate::dgl2::properties::Properties;
use crate::dgl2::rules::DGL2_036;
use crate::dgl2::{SPACE, origin};
use crate::{Document as _, LiftCx};
use materials::{Lifting, Textures};
use variants::Blending;

/// Document → scene.
pub(crate) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let found = origin::of(doc);
    if found.assumed {
        let message = format!("texture coordinates are taken to begin at the {}", found.origin.name());
        cx.find(&DGL2_036, Place::path("chunks"), message);
    }
    let format = if doc.language == Language::Json { "dgl1" } else { "dgl2" };
    let mut scene = Scene::new();
    scene.space = SourceSpace { uv_origin: found.origin, ..SPACE };
    scene.origin = Some(Origin { format: format.into(), dialect: doc.dialect().into() });
    metadata::lift(doc, &mut scene);
    metadata::lose_unexplained(doc, cx);
    let mut blending = Blending::default();
    let materials = lift_materials(doc, &mut scene, &mut blending, cx);
    let numbers = Numbers::of(doc.meshes().map(|(_, chunk, _)| chunk.id));
    let mut by_id = HashMap::new();
    let both = scene.materials.iter().any(|material| material.slots.iter().any(|slot| slot.uv_set == 1));
    let uvs = meshes::Uvs { from_bottom: found.origin == UvOrigin::Bottom, both };
    for (index, (_, chunk, mesh)) in doc.meshes().enumerate() {
        let mut lifted = meshes::lift(chunk, mesh, &materials, uvs);
        carry_id(&mut lifted.extras, &numbers, index, chunk.id);
        by_id.insert(chunk.id, scene.meshes.add(lifted));
    }
    lift_entities(doc, &mut scene, &by_id, &materials, &mut blending);
    place_the_unplaced(&mut scene, doc.meshes().count(), &shown(doc, &by_id));
    blending.apply(&mut scene);
    Ok(scene)
}

/// How often each id is used among the chunks of one kind.
struct Numbers(HashMap<i32, usize>);

impl Numbers {
    fn of(ids: impl Iterator<Item = i32>) -> Numbers {
        let mut counts = HashMap::new();
        ids.for_each(|id| *counts.entry(id).or_default() += 1);
        Numbers(counts)
    }
}

/// An id that is the object's position, and no other's, need not travel.
fn carry_id(extras: &mut Extras, numbers: &Numbers, index: usize, id: i32) {
    if usize::try_from(id) != Ok(index) || numbers.0.get(&id) != Some(&1) {
        ID.set(extras, i64::from(id));
    }
}

type Materials = HashMap<i32, Id<Material>>;

fn lift_materials(doc: &Document, scene: &mut Scene, blending: &mut Blending, cx: &mut LiftCx<'_>) -> Materials {
    let mut lifting = Lifting { has_bbox: origin::has_bbox(doc), textures: Textures::default() };
    let numbers = Numbers::of(doc.materials().map(|(_, chunk, _)| chunk.id));
    let mut by_id = HashMap::new();
    for (index, (at, chunk, material)) in doc.materials().enumerate() {
        let properties = Properties(doc.properties(&material.text));
        let mut lifted = lifting.lift(at, chunk, material, &properties, scene, cx);
        carry_id(&mut lifted.extras, &numbers, index, chunk.id);
        let id = scene.materials.add(lifted);
        by_id.insert(chunk.id, id);
        if blends_when_transparent(&properties) {
            blending.materials.insert(id);
        }
    }
    by_id
}

/// The meshes that entities show, however they change their materials.
fn shown(doc: &Document, meshes: &HashMap<i32, Id<Mesh>>) -> HashSet<Id<Mesh>> {
    doc.entities().filter_map(|(.., entity)| mesh_of(entity, meshes)).collect()
}

fn mesh_of(entity: &Entity, meshes: &HashMap<i32, Id<Mesh>>) -> Option<Id<Mesh>> {
    meshes.get(&entity.mesh_id).copied().filter(|_| entity.mesh_id != -1)
}

fn lift_entities(
    doc: &Document,
    scene: &mut Scene,
    meshes: &HashMap<i32, Id<Mesh>>,
    materials: &Materials,
    blending: &mut Blending,
) {
    let numbers = Numbers::of(doc.entities().map(|(_, chunk, _)| chunk.id));
    let mut dressed = (Bare::new(), Dressed::new());
    for (index, (_, chunk, entity)) in doc.entities().enumerate() {
        let properties = Properties(doc.properties(&entity.text));
        let mut node = nodes::lift(chunk, entity, &properties, scene);
        carry_id(&mut node.extras, &numbers, index, chunk.id);
        node.mesh = mesh_of(entity, meshes);
        if let Some(material) = materials.get(&entity.material_id).filter(|_| entity.material_id != -1) {
            give_material(&mut node, *material, scene, &mut dressed);
        }
        let id = scene.add_root(node);
        if nodes::is_transparent(&properties) {
            blending.nodes.insert(id);
        }
    }
}

/// How many parts of a mesh have no material, and how many it has.
type Bare = HashMap<Id<Mesh>, (usize, usize)>;

/// Meshes with the material of an entity.
type Dressed = HashMap<(Id<Mesh>, Id<Material>), Id<Mesh>>;

/// An entity's material is that of triangles which have none. If all are such it is the node's, if only some are they
/// need a mesh of their own.
fn give_material(node: &mut Node, material: Id<Material>, scene: &mut Scene, (bare, dressed): &mut (Bare, Dressed)) {
    let Some(id) = node.mesh else { return };
    let (bare, all) = *bare.entry(id).or_insert_with(|| {
        let primitives = &scene.meshes[id].primitives;
        (primitives.iter().filter(|primitive| primitive.material.is_none()).count(), primitives.len())
    });
    if bare == all {
        node.material = Some(material).filter(|_| all > 0);
    } else if bare > 0 {
        node.mesh = Some(*dressed.entry((id, material)).or_insert_with(|| {
            let mut copy = scene.meshes[id].clone();
            for primitive in &mut copy.primitives {
                primitive.material = primitive.material.or(Some(material));
            }
            COPY_OF.set(&mut copy.extras, id.index() as i64);
            scene.meshes.add(copy)
        }));
    }
}

/// Nothing disappears: a mesh that no entity has gets a node of its own.
fn place_the_unplaced(scene: &mut Scene, count: usize, shown: &HashSet<Id<Mesh>>) {
    for id in (0..count).map(Id::new).filter(|id| !shown.contains(id)) {
        let name = scene.meshes[id].name.clone();
        scene.add_root(Node { name, mesh: Some(id), role: NodeRole::Unplaced, ..Node::default() });
    }
}
