//! Voxels.

use std::collections::HashMap;

use findings::Result;
use scene::{Extras, Node, NodeRole, Properties, Value, Voxel, VoxelMaterial, Voxels};
use wire::F32;

use super::super::name;
use super::Lift;
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{Body, VoxelObj};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;

impl<'d> Lift<'d, '_, '_> {
    pub(super) fn voxels(&mut self, section: &'d Section, body: &'d VoxelObj) -> Result<()> {
        let mut extras = Extras::default();
        let (title, properties) = self.said(section, true, &mut extras);
        let (palette, palette_properties) = self.palette(body.voxel_palette);
        let mut materials = Vec::new();
        let mut known: HashMap<Guid, Option<u32>> = HashMap::new();
        let mut voxels = Vec::with_capacity(body.voxels.len());
        for voxel in body.voxels.iter() {
            let material = *known
                .entry(voxel.voxel_material)
                .or_insert_with(|| self.voxel_material(voxel.voxel_material, &mut materials));
            voxels.push(Voxel { position: voxel.position.map(F32::get), color: voxel.color_index, material });
        }
        let name = title.clone();
        let voxels = Voxels { name, voxels, palette, palette_properties, materials, extras: Extras::default() };
        let voxels = Some(self.scene.voxels.add(voxels));
        let role = NodeRole::Unplaced;
        self.place(Node { name: title, voxels, role, properties, extras, ..Node::default() })?;
        Ok(())
    }

    /// Colours: red in the lowest byte, alpha in the highest.
    fn palette(&mut self, guid: Guid) -> (Vec<[u8; 4]>, Properties) {
        let found = self.find(guid, Kind::VoxelPlt, "VOXELOBJ");
        let Some((section, Body::VoxelPlt(body))) = found.map(|section| (section, &section.body)) else {
            return Default::default();
        };
        let properties = self.own_settings(section, false).properties;
        (body.palette.iter().map(u32::to_le_bytes).collect(), properties)
    }

    fn voxel_material(&mut self, guid: Guid, materials: &mut Vec<VoxelMaterial>) -> Option<u32> {
        let section = self.find(guid, Kind::VoxelMat, "VOXELOBJ")?;
        let Body::VoxelMat(body) = &section.body else { return None };
        let mut extras = Extras::default();
        let (title, properties) = self.said(section, true, &mut extras);
        let values = body.slots.iter().map(|slot| (name(&slot.target), Value::F32(slot.value.get()))).collect();
        materials.push(VoxelMaterial { name: title, values, properties, extras });
        u32::try_from(materials.len() - 1).ok()
    }
}
