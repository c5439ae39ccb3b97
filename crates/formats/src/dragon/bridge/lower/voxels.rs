//! Shapes made of cubes.

use std::borrow::Cow;
use std::collections::HashSet;

use findings::{Result, Subject};
use glam::{DMat4, DVec3};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Material, Mesh, Name, Node, Primitive, Scene, Topology, Value, VoxelMaterial, Voxels};
use wire::{F32, Text};

use super::super::super::body::{Voxel, VoxelMat, VoxelMatSlot, VoxelObj, VoxelPlt};
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::kept::{self, Kept};
use super::super::lift::palette_extras;
use super::super::{ctext, keys};
use super::Lower;
use super::agreeing::same_part;
use super::places::Placed;

impl Lower<'_, '_, '_> {
    pub(super) fn voxels(&mut self, placed: &Placed, id: Id<Voxels>) -> Result<()> {
        let Some(object) = self.scene.voxels.get(id) else { return Ok(()) };
        let (node, world) = (&self.scene.nodes[placed.id], &placed.transform.matrix());
        let place = object.subject(id);
        let name = if node.name.is_empty() { &object.name } else { &node.name };
        if ![name, &Name::default()].contains(&&object.name) {
            let what = format!("name {} of the mesh", object.name);
            self.cx.lose(&LOSS_014, &place, 1, &what, "cubes of DRAGON have the name of their node");
        }
        // What else stands at the node has its settings.
        let alone = node.mesh.is_none() && node.light.is_none();
        let settings = match alone {
            true => self.node_settings(node, name, Vec::new(), &place)?,
            false => self.sections.settings_aside(name, &Default::default(), &place, self.cx)?,
        };
        let voxel_palette = self.palette(object, &place)?;
        let mut materials = Vec::with_capacity(object.materials.len());
        for i in 0..object.materials.len() {
            materials.push(self.voxel_material(id, i, &place)?);
        }
        if !keeps_cubes(world) {
            let corners = (0..8).map(|n| DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)) - 0.5);
            let gaps = corners.map(|corner| world.transform_vector3(corner).distance(corner));
            let off = gaps.fold(0., f64::max) / Pose::rest(self.scene).diagonal(self.scene);
            self.cx.misplace(off, &place, 1, "turn or size of cubes", "cubes of DRAGON have a place and no size");
        }
        let moved = *world != DMat4::IDENTITY;
        let voxel = |voxel: &scene::Voxel| {
            let at = match moved {
                true => world
                    .transform_point3(DVec3::from_array(voxel.position.map(f64::from)))
                    .to_array()
                    .map(|v| v as f32),
                false => voxel.position,
            };
            let material = voxel.material.and_then(|material| materials.get(material as usize).copied());
            Voxel { position: at.map(F32), voxel_material: material.unwrap_or_default(), color_index: voxel.color }
        };
        let voxels = object.voxels.iter().map(voxel).collect::<Vec<_>>().into();
        let wanted = keys::guid(&node.extras, keys::GUID).filter(|_| alone);
        self.sections.add(wanted, settings, VoxelObj { voxel_palette, voxels })?;
        Ok(())
    }

    fn palette(&mut self, object: &Voxels, place: &Subject) -> Result<Guid> {
        let extras = palette_extras(&object.extras);
        let properties = &object.palette_properties;
        if object.palette.is_empty() && extras.is_empty() && properties.is_empty() {
            return Ok(Guid::NONE);
        }
        let settings = self.sections.settings(&Name::default(), Vec::new(), properties, &extras, place, self.cx)?;
        let palette = object.palette.iter().map(|color| u32::from_le_bytes(*color)).collect::<Vec<_>>().into();
        self.sections.add(keys::guid(&extras, keys::GUID), settings, VoxelPlt { palette })
    }

    fn voxel_material(&mut self, id: Id<Voxels>, i: usize, place: &Subject) -> Result<Guid> {
        if let Some(known) = self.voxel_materials.get(&(id.index(), i)) {
            return Ok(*known);
        }
        let material = &self.scene.voxels[id].materials[i];
        let (name, properties, extras) = (&material.name, &material.properties, &material.extras);
        let settings = self.sections.settings(name, Vec::new(), properties, extras, place, self.cx)?;
        let slot = |(target, value): &(Name, Value)| {
            let value = F32(value.as_f64()? as f32);
            Some(VoxelMatSlot {
                target: if target.is_empty() { wire::CText(Text::default()) } else { ctext(target) },
                value,
            })
        };
        let slots = material.values.iter().filter_map(slot).collect();
        let guid = self.sections.add(keys::guid(&material.extras, keys::GUID), settings, VoxelMat { slots })?;
        self.voxel_materials.insert((id.index(), i), guid);
        Ok(guid)
    }
}

/// Puts cubes back in the place of faces that were made of them, if nobody changed those. Answers which materials stand
/// for nothing then.
pub(super) fn restore<'a>(scene: &'a Scene, kept: &Kept) -> (Cow<'a, Scene>, HashSet<Id<Material>>) {
    let mut out = Cow::Borrowed(scene);
    let mut replaced = HashSet::new();
    for (id, node) in scene.nodes.entries().filter(|(_, node)| node.voxels.is_none() && node.instances.is_none()) {
        let sections = kept::load(&node.extras, keys::KEPT);
        let Some(section) = sections.iter().find(|section| section.kind() == Some(Kind::VoxelObj)) else { continue };
        let Some(object) = kept.voxels(section.guid).and_then(|object| shown(scene, node, object)) else { continue };
        replaced.extend(node.mesh);
        let out = out.to_mut();
        let voxels = out.voxels.add(object);
        let node = &mut out.nodes[id];
        (node.mesh, node.material, node.voxels) = (None, None, Some(voxels));
    }
    let shown: HashSet<Id<Mesh>> = out.nodes.iter().filter_map(|node| node.mesh).collect();
    replaced.retain(|mesh| !shown.contains(mesh));
    let of = |mesh: &Mesh| mesh.primitives.iter().filter_map(|part| part.material).collect::<Vec<_>>();
    let mut made: HashSet<Id<Material>> = replaced.iter().flat_map(|mesh| of(&scene.meshes[*mesh])).collect();
    let others = scene.meshes.entries().filter(|(id, _)| !replaced.contains(id)).flat_map(|(_, mesh)| of(mesh));
    let of_nodes = out.nodes.iter().filter_map(|node| node.material);
    let placements = out.nodes.iter().filter_map(|node| node.instances.as_ref()).flat_map(|all| &all.placements);
    for used in others.chain(of_nodes).chain(placements.filter_map(|placement| placement.material)) {
        made.remove(&used);
    }
    made.retain(|id| keys::guid(&scene.materials[*id].extras, keys::GUID).is_none());
    (out, made)
}

/// The cubes whose faces a node shows, by the names that those have now; nothing if it shows something else.
fn shown(scene: &Scene, node: &Node, object: &Voxels) -> Option<Voxels> {
    let mut beside = Scene::new();
    let (faces, materials) = ops::voxels_to_mesh(object, &mut beside);
    let mut object = object.clone();
    let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else {
        object.name = node.name.clone();
        return faces.primitives.is_empty().then_some(object);
    };
    let look = |scene: &Scene, id: Option<Id<Material>>| {
        let material = scene.materials.get(id?)?;
        let lit = (material.emissive, material.emissive_strength, material.alpha_mode, material.double_sided);
        Some((material.shading.clone(), lit, material.slots.len()))
    };
    let alike =
        |(a, b): (&Primitive, &Primitive)| same_faces(a, b) && look(&beside, a.material) == look(scene, b.material);
    let same = faces.primitives.len() == mesh.primitives.len();
    if !same || !faces.primitives.iter().zip(&mesh.primitives).all(alike) {
        return None;
    }
    // Cubes have the name of their node; a mesh has another one only if somebody gave it one.
    object.name = if mesh.name == object.name { node.name.clone() } else { mesh.name.clone() };
    let name = |scene: &Scene, part: &Primitive| Some(scene.materials.get(part.material?)?.name.clone());
    for ((was, is), material) in faces.primitives.iter().zip(&mesh.primitives).zip(materials) {
        if let Some(new) = name(scene, is).filter(|new| Some(new) != name(&beside, was).as_ref()) {
            call(&mut object, material, new);
        }
    }
    Some(object)
}

/// Whether two primitives show the same triangles: programs weld vertices and put triangles in another order.
fn same_faces(a: &Primitive, b: &Primitive) -> bool {
    let bare = |part: &Primitive| part.topology == Topology::Triangles && part.targets.is_empty();
    same_part(a, b)
        || bare(a) && bare(b) && a.draw_count() == b.draw_count() && faces(a).is_some_and(|f| Some(f) == faces(b))
}

/// The triangles of a primitive in an order of their own, each from its smallest corner on; numbers are as exact as
/// colours of eight bits need.
fn faces(part: &Primitive) -> Option<Vec<[Vec<i64>; 3]>> {
    const STEPS: f64 = 1e4;
    let streams: Vec<(usize, Vec<f64>)> =
        part.attributes.iter().map(|attribute| (attribute.stream.count(), attribute.stream.to_f64())).collect();
    let ranks = part.attributes.iter().map(|attribute| attribute.semantic.rank());
    let ranks: Vec<i64> = ranks.map(|(kind, set)| i64::from(kind) << 8 | i64::from(set)).collect();
    let row = |vertex: usize| {
        let mut row = ranks.clone();
        for (count, values) in &streams {
            row.extend(values.get(vertex * count..(vertex + 1) * count)?.iter().map(|v| (v * STEPS).round() as i64));
        }
        Some(row)
    };
    let corners: Vec<usize> = match &part.indices {
        Some(indices) => indices.to_vec().into_iter().map(|index| index as usize).collect(),
        None => (0..part.vertex_count()).collect(),
    };
    let rows: Vec<Vec<i64>> = corners.into_iter().map(row).collect::<Option<_>>()?;
    let mut faces: Vec<[Vec<i64>; 3]> = rows.as_chunks::<3>().0.to_vec();
    for face in &mut faces {
        let first = (0..3).min_by_key(|&i| &face[i]).unwrap_or(0);
        face.rotate_left(first);
    }
    faces.sort_unstable();
    Some(faces)
}

/// Gives a material of cubes a name; cubes that have none get one of that name.
fn call(object: &mut Voxels, material: Option<u32>, name: Name) {
    if let Some(known) = material.and_then(|number| object.materials.get_mut(number as usize)) {
        known.name = name;
        return;
    }
    let added = u32::try_from(object.materials.len()).ok();
    object.materials.push(VoxelMaterial { name, ..VoxelMaterial::default() });
    object.voxels.iter_mut().filter(|voxel| voxel.material == material).for_each(|voxel| voxel.material = added);
}

/// Whether unit cubes stay unit cubes along the axes.
fn keeps_cubes(world: &DMat4) -> bool {
    let is_axis = |column: DVec3| {
        let sum = column.abs().element_sum();
        (sum - 1.).abs() < 1e-6 && (column.abs().max_element() - 1.).abs() < 1e-6
    };
    is_axis(world.x_axis.truncate()) && is_axis(world.y_axis.truncate()) && is_axis(world.z_axis.truncate())
}
