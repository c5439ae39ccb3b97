//! Shapes made of cubes.

use std::collections::HashMap;

use findings::Result;
use scene::{Extras, Node, NodeRole, Properties, Value, Voxel, VoxelMaterial, Voxels};
use wire::F32;

use super::super::super::body::{Body, VoxelObj};
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::super::layout::Section;
use super::super::{keys, name};
use super::Lift;

impl<'d> Lift<'d, '_, '_> {
    pub(super) fn voxels(&mut self, section: &'d Section, body: &'d VoxelObj) -> Result<()> {
        let mut node_extras = Extras::default();
        let (title, properties) = self.said(section, true, &mut node_extras);
        let mut extras = Extras::default();
        let (palette, palette_properties) = self.palette(body.voxel_palette, &mut extras);
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
        let voxels =
            Some(self.scene.voxels.add(Voxels { name, voxels, palette, palette_properties, materials, extras }));
        let (role, extras) = (NodeRole::Unplaced, node_extras);
        self.place(Node { name: title, voxels, role, properties, extras, ..Node::default() })?;
        Ok(())
    }

    /// Colours: red in the lowest byte, alpha in the highest.
    fn palette(&mut self, guid: Guid, extras: &mut Extras) -> (Vec<[u8; 4]>, Properties) {
        let found = self.find(guid, Kind::VoxelPlt, "VOXELOBJ");
        let Some((section, Body::VoxelPlt(body))) = found.map(|section| (section, &section.body)) else {
            return Default::default();
        };
        let mut own = Extras::default();
        let (_, properties) = self.said(section, false, &mut own);
        extras.set(keys::PALETTE, Value::Map(own.own));
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

/// What travels with a palette.
pub(in super::super) fn palette_extras(extras: &Extras) -> Extras {
    match extras.get(keys::PALETTE) {
        Some(Value::Map(own)) => Extras { own: own.clone(), ..Extras::default() },
        _ => Extras::default(),
    }
}
