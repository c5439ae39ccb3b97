//! Scene → document.

use std::collections::{HashMap, HashSet, VecDeque};

use findings::Result;
use scene::loss::{LOSS_020, LOSS_046};
use scene::{Extras, Id, Material, Mesh, Node, NodeRole, Primitive, Scene, Stream, UvOrigin, Value};
use wire::{Blob, Text};

use super::frame::{self, Parts};
use super::{Dialect, blending, carried_int, entities, materials, meshes, surface};
use crate::dgl2::layout::{Chunk, ChunkKind, Data, Document, Trimesh};
use crate::dgl2::origin;
use crate::dgl2::properties::{self, Properties};
use crate::images::Images;
use crate::names::Names;
use crate::{LowerCx, Package};

pub(in crate::dgl2) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = Dialect::named(cx.dialect)?;
    let why = "DGL2 has translation, rotation and scale, so the rest is multiplied into the vertices";
    let (upright, losses) = fit::bake_shear(scene, why).unzip();
    let scene = upright.as_ref().unwrap_or(scene);
    cx.losses.extend(losses.unwrap_or_default());
    let same_dialect =
        scene.origin.as_ref().is_some_and(|o| (o.format.as_str(), o.dialect.as_str()) == ("dgl2", dialect.id));
    let mut lowering = Lowering::new(scene, dialect, same_dialect);
    let own = scene.origin.as_ref().is_some_and(|origin| origin.format == "dgl2");
    let mut names = Names::new("DGL2", MOST_OF_A_NAME, own);
    lowering.name_meshes(&mut names, cx);
    cx.lose_loose_lights(scene, "entities of DGL2 shine");
    let mut materials = lowering.materials();
    let material_chunks = lowering.written_materials().map(|id| {
        let data = Data::Material(materials.lower(id, cx));
        let label = scene.materials[id].subject(id);
        let name = names.name("Material", &scene.materials[id].name, 0, &label, cx);
        Chunk { kind: ChunkKind::MATERIAL, id: lowering.material_ids[id.index()], name, data }
    });
    let material_chunks: VecDeque<Chunk> = material_chunks.collect();
    let entity_chunks = lowering.entities(&mut names, cx);
    // In bare texts V counts from the top. Braced ones say nothing, so it must be what a reader will find.
    let preferred = if same_dialect { scene.space.uv_origin } else { UvOrigin::Top };
    let mut rounded = 0;
    let mesh_chunks = lowering.meshes(preferred, &mut rounded);
    let parts = Parts { meshes: mesh_chunks, entities: entity_chunks, materials: material_chunks };
    let mut document = frame::lower(scene, parts, (dialect, same_dialect), cx);
    let read_as = origin::of(&document).origin;
    if read_as != preferred {
        let mut again = 0;
        replace_meshes(&mut document, lowering.meshes(read_as, &mut again));
        if origin::of(&document).origin == read_as {
            rounded = again;
        } else {
            replace_meshes(&mut document, lowering.meshes(preferred, &mut 0));
            let what = format!("texture coordinates counted from the {}", preferred.name());
            let why = format!("braced DGL2 does not say so, and will be read from the {}", read_as.name());
            cx.lose(&LOSS_046, "file", 1, &what, &why);
        }
    }
    if rounded > 0 {
        let why = "V counts from the other edge there, and 1 - v is no 32-bit float";
        cx.lose(&LOSS_020, "file", rounded, "texture coordinates rounded", why);
    }
    Ok(Package::new(document, cx))
}

fn replace_meshes(document: &mut Document, mut chunks: VecDeque<Chunk>) {
    for chunk in document.chunks.iter_mut().filter(|chunk| chunk.kind == ChunkKind::TRIMESH) {
        if let Some(new) = chunks.pop_front() {
            *chunk.edit() = new;
        }
    }
}

/// Bytes that the field for the length of a name can count.
pub(super) const MOST_OF_A_NAME: usize = u16::MAX as usize;

/// A mesh as it is written: one of the scene, or one with the material of a node in place of its own.
type Written = (Id<Mesh>, Option<Id<Material>>);

struct Lowering<'a> {
    scene: &'a Scene,
    dialect: Dialect,
    same_dialect: bool,
    /// Nodes that become entities.
    nodes: Vec<(usize, &'a Node)>,
    /// Which of them are transparent.
    transparent: Vec<bool>,
    /// For every mesh, the one it is a copy of, or itself.
    originals: Vec<Id<Mesh>>,
    /// For every material, the one it is a variant of, or itself.
    bases: Vec<Id<Material>>,
    /// For every mesh, the materials of its parts.
    shown: Vec<HashSet<Id<Material>>>,
    written: Vec<Written>,
    mesh_names: Vec<Text>,
    mesh_ids: Vec<i32>,
    material_ids: Vec<i32>,
}

impl<'a> Lowering<'a> {
    fn new(scene: &'a Scene, dialect: Dialect, same_dialect: bool) -> Lowering<'a> {
        let roots = scene.scenes.first().map_or(&[][..], |root| &root.nodes);
        let all = || roots.iter().filter_map(|id| scene.nodes.get(*id).map(|node| (id.index(), node)));
        let unplaced =
            |node: &Node| node.role == NodeRole::Unplaced && node.transform.is_identity() && node.material.is_none();
        let nodes: Vec<_> = all().filter(|(_, node)| !unplaced(node)).collect();
        let mut lowering = Lowering {
            scene,
            dialect,
            same_dialect,
            nodes,
            transparent: Vec::new(),
            originals: Vec::new(),
            bases: Vec::new(),
            shown: scene.meshes.iter().map(|m| m.primitives.iter().filter_map(|p| p.material).collect()).collect(),
            written: Vec::new(),
            mesh_names: Vec::new(),
            mesh_ids: Vec::new(),
            material_ids: Vec::new(),
        };
        lowering.find_transparent();
        lowering.bases = blending::bases(scene, &lowering.shown(&lowering.transparent));
        lowering.originals = scene.meshes.ids().map(|id| original(scene, id, &lowering.bases)).collect();
        let wanted: Vec<Written> = lowering.nodes.iter().filter_map(|(_, node)| lowering.wanted(node)).collect();
        let placed: HashSet<Id<Mesh>> = wanted.iter().map(|(id, _)| *id).collect();
        let mut known: HashSet<Written> = wanted.iter().copied().filter(|(_, material)| material.is_none()).collect();
        // Meshes in their order, but for copies that are another one again and those that never show their own
        // materials; then those with a node's material.
        for id in scene.meshes.ids() {
            let mesh = &scene.meshes[id];
            let is_own = mesh.extras.get("dgl2.id").is_some() || lowering.is_from_dgl2();
            let is_shown = known.contains(&(id, None)) || !placed.contains(&id);
            if lowering.originals[id.index()] == id && (is_own || (is_shown && !mesh.primitives.is_empty())) {
                lowering.written.push((id, None));
            }
        }
        for wanted in wanted {
            if wanted.1.is_some() && known.insert(wanted) {
                lowering.written.push(wanted);
            }
        }
        lowering.number();
        lowering
    }

    /// The materials that become chunks.
    fn written_materials(&self) -> impl Iterator<Item = Id<Material>> {
        self.scene.materials.ids().filter(|id| self.bases[id.index()] == *id)
    }

    fn is_from_dgl2(&self) -> bool {
        self.scene.origin.as_ref().is_some_and(|origin| matches!(origin.format.as_str(), "dgl2" | "dgl1"))
    }

    /// What a node shows. A material that replaces those of its mesh needs a mesh of its own: no program looks at that
    /// of an entity. One that came from an entity stays there.
    fn wanted(&self, node: &Node) -> Option<Written> {
        let mesh = node.mesh.filter(|id| self.scene.meshes.get(*id).is_some())?;
        let of_entity = self.is_from_dgl2() && self.shown[mesh.index()].is_empty();
        Some((self.originals[mesh.index()], node.material.filter(|_| !of_entity)))
    }

    /// What travels with a mesh, if it is written as it is.
    fn own_extras(&self, (id, material): &Written) -> Option<&'a Extras> {
        material.is_none().then(|| &self.scene.meshes[*id].extras)
    }

    fn number(&mut self) {
        let wanted = self.nodes.iter().filter_map(|(_, node)| self.wanted(node));
        let positions: HashMap<Written, usize> = self.written.iter().enumerate().map(|(i, w)| (*w, i)).collect();
        let used = wanted.filter_map(|wanted| positions.get(&wanted).copied());
        self.mesh_ids = ids(self.written.iter().map(|written| self.own_extras(written)), used);
        let of_primitives = self.scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|p| p.material);
        let of_nodes = self.nodes.iter().filter_map(|(_, node)| node.material);
        let written: Vec<Id<Material>> = self.written_materials().collect();
        let positions: HashMap<Id<Material>, usize> = written.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let position = |id: Id<Material>| self.bases.get(id.index()).and_then(|base| positions.get(base)).copied();
        let used = of_primitives.chain(of_nodes).filter_map(position);
        let numbers = ids(written.iter().map(|id| Some(&self.scene.materials[*id].extras)), used);
        self.material_ids = self.scene.materials.ids().map(|id| position(id).map_or(-1, |i| numbers[i])).collect();
    }

    fn materials(&self) -> materials::Lowering<'a> {
        let bbox = |node: &Node| node.properties.iter().any(|(name, _)| name.bytes() == b"bbox");
        materials::Lowering {
            scene: self.scene,
            dialect: self.dialect,
            same_dialect: self.same_dialect,
            has_bbox: self.nodes.iter().any(|(_, node)| bbox(node)),
            transparent: self.shown(&self.transparent),
            images: Images::default(),
        }
    }

    /// Every material that one of these entities shows; each mesh is looked at once.
    fn shown(&self, is_meant: &[bool]) -> HashSet<Id<Material>> {
        let meant = || self.nodes.iter().zip(is_meant).filter(|(_, meant)| **meant).map(|((_, node), _)| node);
        let of_nodes = meant().filter_map(|node| node.material);
        let meshes: HashSet<Id<Mesh>> = meant().filter(|n| n.material.is_none()).filter_map(|n| n.mesh).collect();
        meshes.iter().filter_map(|id| self.shown.get(id.index())).flatten().copied().chain(of_nodes).collect()
    }

    /// Finds the entities that must be transparent: those that say so, and those that show a material that blends and
    /// cannot say it.
    fn find_transparent(&mut self) {
        let carried = |extras: &Extras| {
            let text = extras.get("dgl2.text").and_then(Value::as_text)?;
            Some(Properties(properties::of_dml(&Text::from(Blob::memory(text.bytes().to_vec())))))
        };
        let says = |node: &Node| carried(&node.extras).is_some_and(|text| entities::is_transparent(&text));
        let needs = |id: &Id<Material>| {
            let material = self.scene.materials.get(*id).filter(|m| surface::needs_transparent_entity(m));
            material.is_some_and(|m| !carried(&m.extras).is_some_and(|text| surface::blends(&text)))
        };
        let meshes: Vec<bool> = self.shown.iter().map(|materials| materials.iter().any(needs)).collect();
        let must = |node: &Node| match (node.material, node.mesh) {
            (Some(material), Some(_)) => needs(&material),
            (_, mesh) => mesh.is_some_and(|mesh| meshes.get(mesh.index()) == Some(&true)),
        };
        self.transparent = self.nodes.iter().map(|(_, node)| says(node) || must(node)).collect();
    }

    fn name_meshes(&mut self, names: &mut Names, cx: &mut LowerCx<'_>) {
        let mut seen = HashSet::new();
        let one = |(id, _): &Written| {
            let mesh = &self.scene.meshes[*id];
            let copy = is_copy(&mesh.extras) || !seen.insert(*id);
            names.name("Mesh", &mesh.name, copy.into(), &mesh.subject(*id), cx)
        };
        self.mesh_names = self.written.iter().map(one).collect();
    }

    fn meshes(&self, origin: UvOrigin, rounded: &mut u64) -> VecDeque<Chunk> {
        let known: HashSet<i32> = self.material_ids.iter().copied().collect();
        let one = |(((id, material), number), name): ((&Written, &i32), &Text)| {
            let mesh = &self.scene.meshes[*id];
            let lowered: Trimesh = meshes::lower(
                mesh,
                |primitive| match material.or(primitive.material) {
                    Some(material) => self.material_ids.get(material.index()).copied().unwrap_or(-1),
                    None => meshes::dangling_material(primitive).filter(|id| !known.contains(id)).unwrap_or(-1),
                },
                origin == UvOrigin::Bottom,
                rounded,
            );
            Chunk { kind: ChunkKind::TRIMESH, id: *number, name: name.clone(), data: Data::Trimesh(lowered) }
        };
        self.written.iter().zip(&self.mesh_ids).zip(&self.mesh_names).map(one).collect()
    }

    fn entities(&self, names: &mut Names, cx: &mut LowerCx<'_>) -> VecDeque<Chunk> {
        let positions: HashMap<Written, usize> = self.written.iter().enumerate().map(|(i, w)| (*w, i)).collect();
        let numbers = ids(self.nodes.iter().map(|(_, node)| Some(&node.extras)), std::iter::empty());
        let known_meshes: HashSet<i32> = self.mesh_ids.iter().copied().collect();
        let (mut chunks, mut lit) = (VecDeque::new(), HashSet::new());
        for (((index, node), number), &transparent) in self.nodes.iter().zip(numbers).zip(&self.transparent) {
            let style = (self.dialect, self.same_dialect);
            let mut entity = entities::lower(self.scene, *index, node, transparent, style, cx);
            let position = self.wanted(node).and_then(|wanted| positions.get(&wanted));
            let dangling = || carried_int(&node.extras, "dgl2.mesh_id").filter(|id| !known_meshes.contains(id));
            entity.mesh_id = position.map(|i| self.mesh_ids[*i]).or_else(dangling).unwrap_or(-1);
            let given = node.material.filter(|_| self.wanted(node).is_some_and(|(_, material)| material.is_none()));
            let given = given.and_then(|id| self.material_ids.get(id.index()).copied());
            entity.material_id = given.or_else(|| carried_int(&node.extras, "dgl2.material_id")).unwrap_or(-1);
            let label = node.subject(*index);
            // A light that shines in several places names the first of them.
            let again = node.name.is_empty() && node.light.is_some_and(|light| !lit.insert(light));
            let copy = usize::from(again || is_copy(&node.extras));
            let name = names.name("Entity", entities::name(self.scene, node), copy, &label, cx);
            let data = Data::Entity(Box::new(entity));
            chunks.push_back(Chunk { kind: ChunkKind::ENTITY, id: number, name, data });
        }
        chunks
    }
}

/// Whether something else bears the name of an object.
fn is_copy(extras: &Extras) -> bool {
    extras.get(scene::extras::COPY).is_some()
}

/// The mesh that a copy is, if it still is.
fn original(scene: &Scene, id: Id<Mesh>, bases: &[Id<Material>]) -> Id<Mesh> {
    let of = carried_int(&scene.meshes[id].extras, "dgl2.copy_of").and_then(|i| usize::try_from(i).ok());
    let Some(of) = of.map(Id::new) else { return id };
    // Programs put meshes in another order, and leave their names alone.
    let name = &scene.meshes[id].name;
    let is_called = |other: &Id<Mesh>| scene.meshes.get(*other).is_some_and(|mesh| mesh.name == *name && *other != id);
    let is_copy = |other: &Id<Mesh>| scene.meshes[*other].extras.get("dgl2.copy_of").is_some();
    let others = || scene.meshes.ids().filter(is_called).filter(|other| !is_copy(other));
    let Some(original) = Some(of).filter(is_called).or_else(|| others().next()) else { return id };
    // Shared bytes need not be compared: a file may have as many copies as materials.
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

/// Numbers for objects of one kind: those they came with, else their positions. If two that are used came with one
/// number, which only a changed scene has, all are numbered anew.
fn ids<'a>(objects: impl Iterator<Item = Option<&'a Extras>>, used: impl Iterator<Item = usize>) -> Vec<i32> {
    let carried: Vec<Option<i32>> = objects.map(|extras| extras.and_then(|e| carried_int(e, "dgl2.id"))).collect();
    let mut taken: HashSet<i32> = carried.iter().flatten().copied().collect();
    let mut next = 0;
    let mut numbers = Vec::with_capacity(carried.len());
    for (index, carried) in carried.iter().enumerate() {
        let number = carried.unwrap_or_else(|| {
            let own = i32::try_from(index).unwrap_or(i32::MAX);
            if taken.insert(own) {
                return own;
            }
            while !taken.insert(next) {
                next += 1;
            }
            next
        });
        numbers.push(number);
    }
    let found: HashMap<i32, usize> = numbers.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let leads = |index: usize| numbers.get(index).is_some_and(|n| *n != -1 && found.get(n) == Some(&index));
    if used.into_iter().all(leads) { numbers } else { (0..carried.len() as i32).collect() }
}
