//! Voxels.

use findings::{Result, Subject};
use glam::{DMat4, DVec3};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Name, Value, Voxels};
use wire::{F32, Text};

use super::super::transforms::{keeps_cubes, moved};
use super::super::{ctext, keys};
use super::Lower;
use super::nodes::Placed;
use crate::dragon::layout::body::{Voxel, VoxelMat, VoxelMatSlot, VoxelObj, VoxelPlt};
use crate::dragon::layout::guid::Guid;

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
        let stays = *world == DMat4::IDENTITY;
        let voxel = |voxel: &scene::Voxel| {
            let at = if stays { voxel.position } else { moved(world, voxel.position) };
            let material = voxel.material.and_then(|material| materials.get(material as usize).copied());
            Voxel { position: at.map(F32), voxel_material: material.unwrap_or_default(), color_index: voxel.color }
        };
        let voxels = object.voxels.iter().map(voxel).collect::<Vec<_>>().into();
        let wanted = keys::guid(&node.extras, keys::GUID).filter(|_| alone);
        self.sections.add(wanted, settings, VoxelObj { voxel_palette, voxels })?;
        Ok(())
    }

    fn palette(&mut self, object: &Voxels, place: &Subject) -> Result<Guid> {
        let properties = &object.palette_properties;
        if object.palette.is_empty() && properties.is_empty() {
            return Ok(Guid::NONE);
        }
        let settings =
            self.sections.settings(&Name::default(), Vec::new(), properties, &object.extras, place, self.cx)?;
        let palette = object.palette.iter().map(|color| u32::from_le_bytes(*color)).collect::<Vec<_>>().into();
        self.sections.add(None, settings, VoxelPlt { palette })
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
