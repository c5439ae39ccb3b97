//! Voxels.

use wire::{Bulk, CText, F32, Fault, record};

use crate::dragon::layout::fields::{BodyReader, Name, Part, body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::variants::reading::Local;

body! {
    /// The colours of voxels.
    pub struct VoxelPlt: 4 {
        /// Red in the lowest byte, alpha in the highest.
        palette: Bulk<u32> = bulk as "-> u32[count]",
    }
}

/// Cubes of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoxelObj {
    /// The VOXELPLT.
    pub voxel_palette: Guid,
    /// The cubes.
    pub voxels: Bulk<Voxel>,
}

body! { @table [" Cubes of one unit."] VoxelObj {
    [" The VOXELPLT."] voxel_palette "guid",
    [" The cubes."] voxels "-> Voxel[count]",
} }

record! {
    /// A cube of one unit.
    pub struct Voxel {
        /// Its centre.
        position: [F32; 3],
        /// The VOXELMAT.
        voxel_material: Guid,
        /// Its colour, counted from 0.
        color_index: u32,
    }
}

impl Part for VoxelObj {
    const NAME: &'static str = "VoxelObj";
    const MIN: usize = 16;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<VoxelObj, Fault> {
        let voxel_palette = r.fixed(Name("voxel_palette", ""))?;
        let voxels = r.bulk_of(Name("voxels", "voxels_offset"), r.pass.count, Local::INLVOXEL)?;
        Ok(VoxelObj { voxel_palette, voxels })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.voxel_palette);
        w.bulk(Name("voxels", "voxels_offset"), &self.voxels)
    }
}

body! {
    /// How voxels look.
    pub struct VoxelMat: 4 {
        /// Numbers with names.
        slots: Vec<VoxelMatSlot> = list as "-> VoxelMatSlot[count]",
    }
}

body! {
    /// A number with a name.
    pub struct VoxelMatSlot: 5 {
        /// `roughness`, `metal` and other words.
        target: CText = text as "cstring",
        /// The number.
        value: F32 = fixed as "f32",
    }
}
