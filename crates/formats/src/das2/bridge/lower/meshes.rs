//! Mesh groups, meshes and their buffers.

use std::collections::{BTreeMap, HashMap, HashSet};

use findings::{Result, Subject};
use scene::loss::*;
use scene::{Id, Material, Mesh, Primitive, Scene, Semantic, Stream};
use wire::Blob;

use super::super::super::attributes::{Attribute, SLOTS, Slot};
use super::super::super::form::Form;
use super::super::super::layout::{self, MaterialType, MeshGroup, MorphTarget, NONE};
use super::super::{maps, string, turned};
use super::Lower;
use super::buffers::Attributes;
use super::materials::Materials;
use super::plan::Plan;
use super::streams::Packer;

/// Meshes of the document, and what those of the scene became.
pub(super) struct Meshes {
    pub(super) buffers: Vec<Blob>,
    pub(super) meshes: Vec<layout::Mesh>,
    pub(super) groups: Vec<MeshGroup>,
    found: HashMap<Shown, u32>,
}

/// A mesh, with the material of the node that shows it.
type Shown = (Id<Mesh>, Option<Id<Material>>);

impl Meshes {
    /// The group that a node shows.
    pub(super) fn group(&self, node: &scene::Node) -> u32 {
        let group = node.mesh.and_then(|mesh| self.found.get(&(mesh, node.material)));
        group.copied().unwrap_or(NONE)
    }
}

pub(super) fn lower(lower: &mut Lower<'_, '_, '_>, plan: &Plan, materials: &Materials) -> Result<Meshes> {
    let (scene, form) = (lower.scene, lower.form);
    let mut drafts = Drafts { lower, materials, packer: Packer::default() };
    let mut all: Vec<Draft> = Vec::new();
    let mut groups = Vec::new();
    let mut found = HashMap::new();
    for shown in all_shown(scene, plan) {
        let Some(mesh) = scene.meshes.get(shown.0) else { continue };
        found.insert(shown, u32::try_from(groups.len()).unwrap_or(NONE));
        let first = all.len();
        all.extend(drafts.mesh(shown, mesh));
        let ids: Vec<u32> = (first..all.len()).map(|id| u32::try_from(id).unwrap_or(u32::MAX)).collect();
        groups.push(MeshGroup { name: string(&mesh.name), meshes: ids.into(), ..MeshGroup::new() });
    }
    let mut attributes = Attributes::default();
    let numbered: Vec<Numbered> = all.iter().map(|draft| draft.number(&mut attributes)).collect();
    let laid = attributes.lay(!form.has_buffer_ids())?;
    let meshes = all.iter().zip(&numbered).map(|(draft, numbered)| draft.place(numbered, &laid.slots, form));
    Ok(Meshes { meshes: meshes.collect(), buffers: laid.buffers, groups, found })
}

/// Every mesh that becomes a group: all but those that only are a coarser version of another.
fn all_shown(scene: &Scene, plan: &Plan) -> Vec<Shown> {
    let nodes = || scene.nodes.entries().filter(|(id, _)| plan.is_there(*id)).map(|(_, node)| node);
    let placed: HashSet<Shown> = nodes().filter_map(|node| Some((node.mesh?, node.material))).collect();
    let coarser: HashSet<Id<Mesh>> = scene.meshes.iter().flat_map(|mesh| &mesh.lods).map(|lod| lod.mesh).collect();
    let overridden: HashSet<Id<Mesh>> = placed.iter().filter(|shown| shown.1.is_some()).map(|shown| shown.0).collect();
    let is_group = |id: &Id<Mesh>| placed.contains(&(*id, None)) || !(coarser.contains(id) || overridden.contains(id));
    let mut all: Vec<Shown> = scene.meshes.ids().filter(is_group).map(|id| (id, None)).collect();
    let mut met = HashSet::new();
    for node in nodes() {
        if let (Some(mesh), Some(material)) = (node.mesh, node.material)
            && met.insert((mesh, material))
        {
            all.push((mesh, Some(material)));
        }
    }
    all
}

/// A mesh of the document whose attributes have no place yet.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    draw_count: usize,
    material: (MaterialType, u32),
    /// All attributes but texture coordinates, in the order in which they are laid out.
    front: Vec<(Attribute, Blob)>,
    sets: Vec<Blob>,
    slots: maps::Slots,
    back: Vec<(Attribute, Blob)>,
    morphs: Vec<Vec<(Attribute, Blob)>>,
    lods: Vec<Draft>,
}

/// The numbers of a draft's attributes.
struct Numbered {
    front: Vec<usize>,
    sets: Vec<usize>,
    back: Vec<usize>,
    morphs: Vec<Vec<usize>>,
    lods: Vec<Numbered>,
}

impl Draft {
    fn number(&self, attributes: &mut Attributes) -> Numbered {
        let mut all = |list: &[(Attribute, Blob)], morph: bool| -> Vec<usize> {
            list.iter().map(|(_, data)| attributes.add(data.clone(), morph)).collect()
        };
        let front = all(&self.front, false);
        let sets: Vec<(Attribute, Blob)> = self.sets.iter().map(|data| (Attribute::Uv(0), data.clone())).collect();
        let sets = all(&sets, false);
        let back = all(&self.back, false);
        let morphs = self.morphs.iter().map(|morph| all(morph, true)).collect();
        let lods = self.lods.iter().map(|lod| lod.number(attributes)).collect();
        Numbered { front, sets, back, morphs, lods }
    }

    fn place(&self, numbered: &Numbered, slots: &[Slot], form: Form) -> layout::Mesh {
        let mut mesh = layout::Mesh {
            draw_count: u32::try_from(self.draw_count).unwrap_or(u32::MAX),
            material_type: self.material.0,
            material_id: self.material.1,
            ..layout::Mesh::new(form)
        };
        let singles = self.front.iter().zip(&numbered.front).chain(self.back.iter().zip(&numbered.back));
        for ((attribute, _), at) in singles {
            mesh.set_slot(*attribute, Some(slots[*at]));
        }
        for (slot, set) in self.slots.iter().enumerate() {
            let at = set.and_then(|set| numbered.sets.get(usize::from(set)));
            mesh.set_slot(Attribute::Uv(slot), at.map(|at| slots[*at]));
        }
        mesh.spare_the_library();
        for (morph, numbered) in self.morphs.iter().zip(&numbered.morphs) {
            let mut target = MorphTarget::new(form);
            for ((attribute, _), at) in morph.iter().zip(numbered) {
                match attribute {
                    // Every slot that names the set is morphed.
                    Attribute::Uv(first) => {
                        let same = (0..SLOTS).filter(|slot| self.slots[*slot] == self.slots[*first]);
                        same.for_each(|slot| target.set_slot(Attribute::Uv(slot), Some(slots[*at])));
                    }
                    attribute => target.set_slot(*attribute, Some(slots[*at])),
                }
            }
            mesh.morph_targets.push(target);
        }
        let lods = self.lods.iter().zip(&numbered.lods);
        mesh.multiple_lods = lods.map(|(lod, numbered)| lod.place(numbered, slots, form)).collect();
        mesh
    }
}

struct Drafts<'l, 's, 'c, 'x> {
    lower: &'l mut Lower<'s, 'c, 'x>,
    materials: &'l Materials,
    packer: Packer,
}

impl Drafts<'_, '_, '_, '_> {
    fn mesh(&mut self, (id, material): Shown, mesh: &Mesh) -> Vec<Draft> {
        let scene = self.lower.scene;
        let label = mesh.subject(id);
        self.lose_settings(mesh, &label);
        let single = mesh.primitives.len() == 1;
        let mut drafts = Vec::with_capacity(mesh.primitives.len());
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let place = if single { label.clone() } else { label.part(part) };
            drafts.push(self.primitive(primitive, material, None, &place));
        }
        for lod in &mesh.lods {
            let coarse = scene.meshes.get(lod.mesh);
            let Some(coarse) = coarse.filter(|coarse| coarse.primitives.len() == drafts.len()) else {
                let why = "das2 has levels of single parts, and its parts are not those of the mesh";
                self.lower.cx.lose(&LOSS_012, &label, 1, "level of detail", why);
                continue;
            };
            if !coarse.name.is_empty() {
                let of_level = coarse.subject(lod.mesh);
                self.lower.cx.lose(&LOSS_014, &of_level, 1, "name of a level of detail", "das2 has none");
            }
            let parts = mesh.primitives.iter().zip(&coarse.primitives);
            for ((base, primitive), draft) in parts.zip(&mut drafts) {
                draft.lods.push(self.primitive(primitive, material, Some(base), &label));
            }
        }
        drafts
    }

    fn lose_settings(&mut self, mesh: &Mesh, label: &Subject) {
        let cx = &mut *self.lower.cx;
        let mut lose = |info, count: usize, what, why| {
            if count > 0 {
                cx.lose(info, label, count as u64, what, why);
            }
        };
        let ranged = mesh.morphs.iter().filter(|morph| (morph.min, morph.max) != (0., 1.)).count();
        lose(&LOSS_015, ranged, "ranges of morph targets", "das2 has none");
        let covered = mesh.lods.iter().filter(|lod| lod.coverage.is_some()).count();
        lose(&LOSS_015, covered, "sizes at which levels of detail are used", "das2 does not store them");
    }

    /// A mesh or, with the part it belongs to, a LOD.
    fn primitive(
        &mut self,
        primitive: &Primitive,
        over: Option<Id<Material>>,
        root: Option<&Primitive>,
        place: &Subject,
    ) -> Draft {
        let mut draft = Draft::default();
        let count = primitive.vertex_count();
        let material = over.or(primitive.material);
        let link = self.materials.link(material);
        draft.material = link;
        let none = self.materials.link(None);
        if link == none && root.is_some_and(|root| self.materials.link(over.or(root.material)) != none) {
            let why = "das2 shows such a level with that of the mesh";
            self.lower.cx.lose(&LOSS_041, place, 1, "level of detail without a material", why);
        }
        let get = |semantic: Semantic| primitive.get(&semantic);
        for (semantic, attribute) in [(Semantic::Position, Attribute::Position), (Semantic::Normal, Attribute::Normal)]
        {
            if let Some(stream) = get(semantic) {
                draft.front.push((attribute, self.packer.packed(stream, attribute, count)));
            }
        }
        let mut sets = BTreeMap::new();
        for attribute in &primitive.attributes {
            if let Semantic::TexCoord(set) = attribute.semantic {
                sets.insert(set, self.packer.packed(&attribute.stream.flipped(), Attribute::Uv(0), count));
            }
        }
        // Sets are told by their order alone.
        let order: Vec<u8> = sets.keys().copied().collect();
        let position = |set: u8| order.iter().position(|known| *known == set).map(|at| at as u8);
        draft.sets = sets.into_values().collect();
        let used =
            material.and_then(|id| self.lower.scene.materials.get(id)).map(|material| maps::used(link.0, material));
        let used = used.unwrap_or_default().map(|set| set.and_then(position));
        draft.slots = maps::chosen(order.len() as u8, &used);
        if let Some(stream) = get(Semantic::Color(0)) {
            draft.back.push((Attribute::Color, self.packer.packed(stream, Attribute::Color, count)));
        }
        for set in 0..SLOTS {
            let pair = [
                (Semantic::Joints(set as u8), Attribute::JointIndices(set)),
                (Semantic::Weights(set as u8), Attribute::JointWeights(set)),
            ];
            for (semantic, attribute) in pair {
                if let Some(stream) = get(semantic) {
                    draft.back.push((attribute, self.packer.packed(stream, attribute, count)));
                }
            }
        }
        draft.draw_count = count;
        if let Some(indices) = &primitive.indices {
            let data = self.indices(&indices.0, count, place);
            draft.draw_count = data.len() / 4;
            draft.back.push((Attribute::Index, data));
        }
        if draft.draw_count % 3 > 0 {
            self.lower.cx.lose(&LOSS_033, place, 1, "triangle left out", "it lacks corners");
            draft.draw_count -= draft.draw_count % 3;
        }
        if count == 0 || (primitive.indices.is_none() && draft.draw_count == 0) {
            // Attributes of no vertices would lie at the end of the buffer, or behind it.
            draft.draw_count = 0;
            draft.front.clear();
            draft.sets.clear();
            draft.back.clear();
        }
        if get(Semantic::Position).is_none() && !self.lower.form.has_buffer_ids() && draft.draw_count > 0 {
            let why = "its dialect draws whatever is there";
            self.lower.cx.lose(&LOSS_024, place, 1, "the draw count of a mesh without positions", why);
            draft.draw_count = 0;
        }
        for target in &primitive.targets {
            let morph = self.morph(target, &draft.slots, &order, count, place);
            draft.morphs.push(morph);
        }
        draft
    }

    fn morph(
        &mut self,
        target: &scene::MorphTarget,
        slots: &maps::Slots,
        order: &[u8],
        count: usize,
        place: &Subject,
    ) -> Vec<(Attribute, Blob)> {
        let mut out = Vec::new();
        let mut coordinates = BTreeMap::new();
        for scene::Attribute { semantic, stream } in &target.attributes {
            let attribute = match semantic {
                Semantic::Position => Some(Attribute::Position),
                Semantic::Normal => Some(Attribute::Normal),
                Semantic::Color(0) => Some(Attribute::Color),
                Semantic::TexCoord(set) => {
                    let at = order.iter().position(|known| known == set).map(|at| at as u8);
                    let slot = at.and_then(|at| slots.iter().position(|named| *named == Some(at)));
                    slot.map(Attribute::Uv)
                }
                _ => None,
            };
            match attribute {
                Some(Attribute::Uv(slot)) => {
                    let data = self.packer.packed(&turned(stream), Attribute::Uv(0), count);
                    coordinates.insert(slot, data);
                }
                Some(attribute) => out.push((attribute, self.packer.packed(stream, attribute, count))),
                None => {
                    let what = semantic.became("of a morph target");
                    self.lower.cx.lose(&LOSS_017, place, 1, what, "das2 does not morph it");
                }
            }
        }
        let rank = |attribute: &Attribute| match attribute {
            Attribute::Position => 0,
            Attribute::Normal => 1,
            _ => 2,
        };
        out.sort_by_key(|(attribute, _)| rank(attribute));
        out.extend(coordinates.into_iter().map(|(slot, data)| (Attribute::Uv(slot), data)));
        out
    }

    /// Indices as the file has them. Triangles of vertices that are not there are left out.
    fn indices(&mut self, stream: &Stream, vertices: usize, place: &Subject) -> Blob {
        let numbers = stream.to_u32();
        let largest = numbers.iter().max().map_or(0, |largest| *largest as usize + 1);
        if largest > vertices {
            let exists = |triangle: &&[u32]| triangle.iter().all(|i| (*i as usize) < vertices);
            let kept: Vec<u8> =
                numbers.chunks(3).filter(exists).flatten().flat_map(|index| index.to_le_bytes()).collect();
            let left_out = (numbers.len() - kept.len() / 4).div_ceil(3) as u64;
            self.lower.cx.lose(&LOSS_033, place, left_out, "triangles", "their vertices are not there");
            return Blob::memory(kept);
        }
        if largest < vertices {
            let unused = (vertices - largest) as u64;
            let why = "das2 counts vertices up to the last one that is drawn";
            self.lower.cx.lose(&LOSS_064, place, unused, "vertices that are not drawn", why);
        }
        self.packer.packed(stream, Attribute::Index, stream.len())
    }
}
