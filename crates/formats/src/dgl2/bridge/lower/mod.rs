//! Scene → document.

mod materials;
mod meshes;
mod metadata;
mod nodes;
mod text;
mod variants;

use std::collections::{HashMap, HashSet, VecDeque};

use findings::Result;
use scene::loss::{LOSS_020, LOSS_046};
use scene::{Extras, Id, Material, Mesh, Node, NodeRole, Primitive, Scene, UvOrigin};
use wire::{Kept, Text};

use super::keys::{ID, TRANSPARENT, int};
use super::materials::needs_transparent_entity;
use crate::dgl2::dialect::Dialect;
use crate::dgl2::layout::{Chunk, ChunkKind, Data, Document};
use crate::dgl2::origin;
use crate::images::Images;
use crate::names::Names;
use crate::{LowerCx, Package};

/// Bytes that the field for the length of a name can count.
const MOST_OF_A_NAME: usize = u16::MAX as usize;

pub(in crate::dgl2) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = Dialect::named(cx.dialect)?;
    let why = "DGL2 has translation, rotation and scale, so the rest is multiplied into the vertices";
    let (upright, losses) = fit::bake_shear(scene, why).unzip();
    let scene = upright.as_ref().unwrap_or(scene);
    cx.losses.extend(losses.unwrap_or_default());
    let mut lowering = Lowering::new(scene, dialect);
    let mut names = Names::new("DGL2", MOST_OF_A_NAME);
    lowering.name_meshes(&mut names, cx);
    cx.lose_loose_lights(scene, "entities of DGL2 shine");
    let mut chunks = vec![metadata::lower(scene, dialect, cx)];
    let materials = lowering.materials(&mut names, cx);
    let entities = lowering.entities(&mut names, cx);
    let mut rounded = 0;
    chunks.extend(lowering.meshes(lowering.preferred_origin(), &mut rounded));
    chunks.extend(entities);
    chunks.extend(materials);
    chunks.push(Chunk::end());
    let mut document = Document { chunks: chunks.into_iter().map(Kept::new).collect(), ..Document::default() };
    lowering.settle_origin(&mut document, rounded, cx);
    Ok(Package::new(document, cx))
}

/// Puts other chunks in the places of the meshes.
fn replace_meshes(document: &mut Document, mut chunks: VecDeque<Chunk>) {
    for chunk in document.chunks.iter_mut().filter(|chunk| chunk.kind == ChunkKind::TRIMESH) {
        if let Some(new) = chunks.pop_front() {
            *chunk.edit() = new;
        }
    }
}

/// A mesh as it is written: one of the scene, or one with the material of a node in place of its own.
type Written = (Id<Mesh>, Option<Id<Material>>);

struct Lowering<'a> {
    scene: &'a Scene,
    dialect: Dialect,
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
    fn new(scene: &'a Scene, dialect: Dialect) -> Lowering<'a> {
        let roots = scene.scenes.first().map_or(&[][..], |root| &root.nodes);
        let all = || roots.iter().filter_map(|id| scene.nodes.get(*id).map(|node| (id.index(), node)));
        let unplaced =
            |node: &Node| node.role == NodeRole::Unplaced && node.transform.is_identity() && node.material.is_none();
        let nodes: Vec<_> = all().filter(|(_, node)| !unplaced(node)).collect();
        let mut lowering = Lowering {
            scene,
            dialect,
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
        lowering.bases = variants::bases(scene, &lowering.shown(&lowering.transparent));
        lowering.originals = scene.meshes.ids().map(|id| variants::original(scene, id, &lowering.bases)).collect();
        lowering.choose_meshes();
        lowering.number();
        lowering
    }

    /// Meshes in their order, but for those that are another one again: each as it is if anything shows it so or
    /// nothing shows it, and else with the first material that a node puts on it. Then those with further materials.
    fn choose_meshes(&mut self) {
        let wanted: Vec<Written> = self.nodes.iter().filter_map(|(_, node)| self.wanted(node)).collect();
        let mut firsts: HashMap<Id<Mesh>, Written> = HashMap::new();
        for &(id, material) in &wanted {
            let first = firsts.entry(id).or_insert((id, material));
            first.1 = first.1.filter(|_| material.is_some());
        }
        for id in self.scene.meshes.ids().filter(|id| self.originals[id.index()] == *id) {
            // A mesh that draws nothing is none; whoever emptied it has told so.
            if !self.scene.meshes[id].primitives.is_empty() {
                self.written.push(firsts.get(&id).copied().unwrap_or((id, None)));
            }
        }
        let mut known: HashSet<Written> = self.written.iter().copied().collect();
        self.written.extend(wanted.into_iter().filter(|wanted| wanted.1.is_some() && known.insert(*wanted)));
    }

    /// The materials that become chunks.
    fn written_materials(&self) -> impl Iterator<Item = Id<Material>> {
        self.scene.materials.ids().filter(|id| self.bases[id.index()] == *id)
    }

    /// What a node shows. A material that replaces those of its mesh needs a mesh of its own: no program looks at that
    /// of an entity.
    fn wanted(&self, node: &Node) -> Option<Written> {
        let mesh = node.mesh.filter(|id| self.scene.meshes.get(*id).is_some())?;
        Some((self.originals[mesh.index()], node.material))
    }

    fn number(&mut self) {
        let wanted = self.nodes.iter().filter_map(|(_, node)| self.wanted(node));
        let positions: HashMap<Written, usize> = self.written.iter().enumerate().map(|(i, w)| (*w, i)).collect();
        let used = wanted.filter_map(|wanted| positions.get(&wanted).copied());
        let mut seen = HashSet::new();
        let first = |(id, _): &Written| Some((id.index(), &self.scene.meshes[*id].extras)).filter(|_| seen.insert(*id));
        self.mesh_ids = ids(self.written.iter().map(first), used);
        let of_primitives = self.scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|p| p.material);
        let of_nodes = self.nodes.iter().filter_map(|(_, node)| node.material);
        let written: Vec<Id<Material>> = self.written_materials().collect();
        let positions: HashMap<Id<Material>, usize> = written.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let position = |id: Id<Material>| self.bases.get(id.index()).and_then(|base| positions.get(base)).copied();
        let used = of_primitives.chain(of_nodes).filter_map(position);
        let objects = written.iter().enumerate().map(|(i, id)| Some((i, &self.scene.materials[*id].extras)));
        let numbers = ids(objects, used);
        self.material_ids = self.scene.materials.ids().map(|id| position(id).map_or(-1, |i| numbers[i])).collect();
    }

    fn materials(&self, names: &mut Names, cx: &mut LowerCx<'_>) -> Vec<Chunk> {
        let bbox = |node: &Node| node.properties.iter().any(|(name, _)| name.bytes() == b"bbox");
        let mut lowering = materials::Lowering {
            scene: self.scene,
            dialect: self.dialect,
            has_bbox: self.nodes.iter().any(|(_, node)| bbox(node)),
            transparent: self.shown(&self.transparent),
            images: Images::default(),
        };
        let one = |id: Id<Material>| {
            let material = &self.scene.materials[id];
            let data = Data::Material(lowering.lower(id, cx));
            let name = names.name("Material", &material.name, 0, &material.subject(id), cx);
            Chunk { kind: ChunkKind::MATERIAL, id: self.material_ids[id.index()], name, data }
        };
        self.written_materials().map(one).collect()
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
        let needs = |id: &Id<Material>| self.scene.materials.get(*id).is_some_and(needs_transparent_entity);
        let meshes: Vec<bool> = self.shown.iter().map(|materials| materials.iter().any(needs)).collect();
        let must = |node: &Node| match (node.material, node.mesh) {
            (Some(material), Some(_)) => needs(&material),
            (_, mesh) => mesh.is_some_and(|mesh| meshes.get(mesh.index()) == Some(&true)),
        };
        self.transparent =
            self.nodes.iter().map(|(_, node)| TRANSPARENT.get(&node.extras).is_some() || must(node)).collect();
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
        let one = |(((id, material), number), name): ((&Written, &i32), &Text)| {
            let mesh = &self.scene.meshes[*id];
            let number_of = |part: &Primitive| self.material_id(material.or(part.material));
            let lowered = meshes::lower(mesh, number_of, origin == UvOrigin::Bottom, rounded);
            Chunk { kind: ChunkKind::TRIMESH, id: *number, name: name.clone(), data: Data::Trimesh(lowered) }
        };
        self.written.iter().zip(&self.mesh_ids).zip(&self.mesh_names).map(one).collect()
    }

    /// The edge that V counts from, if a reader finds that: in bare texts the top, in braced ones what the scene had.
    fn preferred_origin(&self) -> UvOrigin {
        let own = self.scene.space.uv_origin;
        if self.dialect.is_braced() && own == UvOrigin::Bottom { own } else { UvOrigin::Top }
    }

    /// Lets V count from the edge that a reader will find. Braced texts do not say it, so that it is found out from the
    /// whole file.
    fn settle_origin(&self, document: &mut Document, mut rounded: u64, cx: &mut LowerCx<'_>) {
        let (preferred, read_as) = (self.preferred_origin(), origin::of(document).origin);
        if read_as != preferred {
            let mut again = 0;
            replace_meshes(document, self.meshes(read_as, &mut again));
            if origin::of(document).origin == read_as {
                rounded = again;
            } else {
                replace_meshes(document, self.meshes(preferred, &mut 0));
                let what = format!("texture coordinates counted from the {}", preferred.name());
                let why = format!("braced DGL2 does not say so, and will be read from the {}", read_as.name());
                cx.lose(&LOSS_046, "file", 1, &what, &why);
            }
        }
        if rounded > 0 {
            let why = "V counts from the other edge there, and 1 - v is no 32-bit float";
            cx.lose(&LOSS_020, "file", rounded, "texture coordinates rounded", why);
        }
    }

    /// The number of a material, -1 for none.
    fn material_id(&self, material: Option<Id<Material>>) -> i32 {
        material.and_then(|id| self.material_ids.get(id.index()).copied()).unwrap_or(-1)
    }

    /// The material that the entity of a node gives triangles which have none. Triangles have it themselves where they
    /// can, so that it says the same for whoever looks at it.
    fn given(&self, node: &Node) -> Option<Id<Material>> {
        let mesh = node.mesh.filter(|id| self.scene.meshes.get(*id).is_some())?;
        node.material.or_else(|| variants::given(self.scene, mesh, self.originals[mesh.index()]))
    }

    fn entities(&self, names: &mut Names, cx: &mut LowerCx<'_>) -> Vec<Chunk> {
        let positions: HashMap<Written, usize> = self.written.iter().enumerate().map(|(i, w)| (*w, i)).collect();
        let objects = self.nodes.iter().enumerate().map(|(i, (_, node))| Some((i, &node.extras)));
        let numbers = ids(objects, std::iter::empty());
        let (mut chunks, mut lit) = (Vec::new(), HashSet::new());
        for (((index, node), number), &transparent) in self.nodes.iter().zip(numbers).zip(&self.transparent) {
            let mut entity = nodes::lower(self.scene, *index, node, transparent, self.dialect, cx);
            let position = self.wanted(node).and_then(|wanted| positions.get(&wanted));
            entity.mesh_id = position.map_or(-1, |i| self.mesh_ids[*i]);
            entity.material_id = self.material_id(self.given(node));
            let label = node.subject(*index);
            // A light that shines in several places names the first of them.
            let again = node.name.is_empty() && node.light.is_some_and(|light| !lit.insert(light));
            let copy = usize::from(again || is_copy(&node.extras));
            let name = names.name("Entity", nodes::name(self.scene, node), copy, &label, cx);
            let data = Data::Entity(Box::new(entity));
            chunks.push(Chunk { kind: ChunkKind::ENTITY, id: number, name, data });
        }
        chunks
    }
}

/// Whether something else bears the name of an object.
fn is_copy(extras: &Extras) -> bool {
    extras.get(scene::extras::COPY).is_some()
}

/// Numbers for objects of one kind: those they came with, else their positions, else any that are free. If two that are
/// used came with one number, which only a changed scene has, all are numbered anew.
fn ids<'a>(objects: impl Iterator<Item = Option<(usize, &'a Extras)>>, used: impl Iterator<Item = usize>) -> Vec<i32> {
    let objects: Vec<_> = objects.collect();
    let carried: Vec<Option<i32>> = objects.iter().map(|object| int(&ID, object.as_ref()?.1)).collect();
    let mut taken: HashSet<i32> = carried.iter().flatten().copied().collect();
    let mut next = 0;
    let mut numbers = Vec::with_capacity(carried.len());
    for (object, carried) in objects.iter().zip(&carried) {
        let own = object.and_then(|(position, _)| i32::try_from(position).ok());
        let number = carried.or(own.filter(|own| taken.insert(*own))).unwrap_or_else(|| {
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
