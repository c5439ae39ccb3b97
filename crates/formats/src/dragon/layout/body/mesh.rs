//! Geometries: indices, morphs and meshes. Their vertices are in `vertex.rs`.

use wire::{Blob, Bulk, CText, F32, Fault};

use crate::dragon::layout::fields::{BodyReader, Name, Part, body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::words::DrawType;
use crate::dragon::variants::reading::Local;

body! {
    /// Other places for the vertices of a geometry.
    pub struct Morph: 4 {
        /// The morphs.
        morphs: Vec<MorphTarget> = list as "-> MorphTarget[count]",
    }
}

body! {
    /// One morph: a vertex buffer of differences.
    pub struct MorphTarget: 33 {
        /// What it is called.
        name: CText = text as "cstring",
        /// The first vertex that moves.
        index_offset: u32 = fixed as "u32",
        /// The VERTEX section with the differences.
        vertex_buffer: Guid = fixed as "guid",
        /// The least weight.
        min: F32 = fixed as "f32",
        /// The greatest weight.
        max: F32 = fixed as "f32",
        /// The weight at rest.
        default: F32 = fixed as "f32",
    }
}

/// Which vertices are drawn, in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indice {
    /// The numbers.
    pub indices: Indices,
}

body! { @table [" Which vertices are drawn, in which order."] Indice {
    [" Bytes of one index: 1, 2 or 4."] width "u8",
    [" The indices."] indices "-> u8[count * width]",
} }

/// Indices of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Indices {
    /// Of one byte.
    U8(Bulk<u8>),
    /// Of two bytes.
    U16(Bulk<u16>),
    /// Of four bytes.
    U32(Bulk<u32>),
    /// Of a width that is none.
    Other {
        /// Bytes of one index.
        width: u8,
        /// How many there are.
        count: usize,
        /// Their bytes.
        bytes: Blob,
    },
}

impl Default for Indices {
    fn default() -> Indices {
        Indices::U32(Bulk::default())
    }
}

impl Indices {
    /// Bytes of one index.
    pub fn width(&self) -> u8 {
        match self {
            Indices::U8(_) => 1,
            Indices::U16(_) => 2,
            Indices::U32(_) => 4,
            Indices::Other { width, .. } => *width,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Indices::U8(indices) => indices.len(),
            Indices::U16(indices) => indices.len(),
            Indices::U32(indices) => indices.len(),
            Indices::Other { count, .. } => *count,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One index.
    pub fn get(&self, at: usize) -> Option<u32> {
        match self {
            Indices::U8(indices) => indices.get(at).map(u32::from),
            Indices::U16(indices) => indices.get(at).map(u32::from),
            Indices::U32(indices) => indices.get(at),
            Indices::Other { .. } => None,
        }
    }
}

impl Part for Indice {
    const NAME: &'static str = "Indice";
    const MIN: usize = 1;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Indice, Fault> {
        let name = Name("indices", "indices_offset");
        let at = r.r.here(1);
        let width: u8 = r.fixed(Name("width", ""))?;
        r.pass.expect(matches!(width, 1 | 2 | 4));
        let indices = match width {
            1 => Indices::U8(r.bulk(name)?),
            2 => Indices::U16(r.bulk(name)?),
            4 => Indices::U32(r.bulk(name)?),
            _ => {
                let count = r.pass.count;
                let bytes = r.bytes_of(name, count.saturating_mul(width.into()), Local::NONE);
                let bytes =
                    bytes.map_err(|_| Fault::value(at, "a width of 1, 2 or 4", width.to_string()).inside("width"))?;
                Indices::Other { width, count, bytes }
            }
        };
        Ok(Indice { indices })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        let name = Name("indices", "indices_offset");
        w.w.fixed(self.indices.width());
        match &self.indices {
            Indices::U8(indices) => w.bulk(name, indices),
            Indices::U16(indices) => w.bulk(name, indices),
            Indices::U32(indices) => w.bulk(name, indices),
            Indices::Other { bytes, .. } => {
                w.bytes(name, bytes.clone());
                Ok(())
            }
        }
    }
}

body! {
    /// Buffers, and the meshes that draw from them.
    pub struct Geometry: 69 {
        /// What it is called.
        name: CText = text as "cstring",
        /// The VERTEX section.
        vertex_buffer: Guid = fixed as "guid",
        /// The INDICE section; none draws the vertices in their order.
        indice_buffer: Guid = fixed as "guid",
        /// The MORPH section.
        morph_buffers: Guid = since_2022 as "guid",
        /// The SKELETON that moves it.
        skeleton: Guid = fixed as "guid",
        /// Its first SOCKET.
        socket: Guid = fixed as "guid",
        /// The meshes.
        meshes: Vec<Mesh> = list as "-> Mesh[count]",
    }
}

body! {
    /// A part of a geometry with one material.
    pub struct Mesh: 34 {
        /// What it is called.
        name: CText = text as "cstring",
        /// The MATERIAL.
        material: Guid = fixed as "guid",
        /// How the indices are connected: `type` in the document.
        draw_type: DrawType = word as "DrawType",
        /// The first vertex in use.
        vertex_offset: u32 = fixed as "u32",
        /// How many vertices are in use.
        vertex_count: u32 = fixed as "u32",
        /// The first index.
        face_offset: u32 = fixed as "u32",
        /// How many indices.
        face_count: u32 = fixed as "u32",
    }
}
