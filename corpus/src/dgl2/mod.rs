//! DGL2 files.
//!
//! The base of most recipes is [`one_triangle`], 330 bytes in the `engine` dialect whose places are worth knowing by
//! heart:
//!
//! | bytes | chunk | field | value |
//! |---|---|---|---|
//! | 0 | 0 HEADER | kind, +2 id, +6 name_size, +8 data_size, +12 name | 0, -1, 5, 0, `Scene` |
//! | 17 | 1 TRIMESH | kind, 19 id, 23 name_size, 25 data_size, 29 name | 2, 0, 1, 124, `M` |
//! | 30 | | material_id, 34 positions, 70 normals, 106 uv1, 130 uv2 | 0, … |
//! | 154 | 2 ENTITY | kind, 156 id, 160 name_size, 162 data_size, 166 name | 4, 0, 1, 68, `E` |
//! | 167 | | kind, 171 material_id, 175 mesh_id | 0, -1, 0 |
//! | 179 | | position, 191 rotation, 207 scaling | 0; a quarter turn; 1 |
//! | 219 | | dml_size, 223 text | 12, `visible="1";` |
//! | 235 | 3 MATERIAL | kind, 237 id, 241 name_size, 243 data_size, 247 name | 3, 0, 1, 70, `S` |
//! | 248 | | text_size, 252 text | 66, `diffuseColor="[0.5, 0.5, 0.5, 1.0]";shadeless="0";texturesNum="0";` |
//! | 318 | 4 END | | 1, -1, 0, 0 |

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, model, one_triangle};

use crate::bytes::Bytes;

pub(crate) const HEADER: u16 = 0;
pub(crate) const END: u16 = 1;
pub(crate) const TRIMESH: u16 = 2;
pub(crate) const MATERIAL: u16 = 3;
pub(crate) const ENTITY: u16 = 4;

/// The rotation of an unturned mesh: its Z becomes the world's Y.
const UPRIGHT: [f32; 4] = [-0.707_106_77, 0., 0., 0.707_106_77];

#[derive(Clone)]
pub(crate) struct Chunk {
    kind: u16,
    id: i32,
    name: Vec<u8>,
    data: Vec<u8>,
}

impl Chunk {
    fn put(&self, out: &mut Bytes) {
        out.le(self.kind).le(self.id).le(self.name.len() as u16).le(self.data.len() as u32);
        out.raw(&self.name).raw(&self.data);
    }
}

pub(crate) fn chunk(kind: u16, id: i32, name: &str, data: Vec<u8>) -> Chunk {
    Chunk { kind, id, name: name.as_bytes().to_vec(), data }
}

pub(crate) fn header() -> Chunk {
    chunk(HEADER, -1, "Scene", Vec::new())
}

pub(crate) fn end() -> Chunk {
    chunk(END, -1, "", Vec::new())
}

/// Chunks one behind the other.
pub(crate) fn file(chunks: &[Chunk]) -> Vec<u8> {
    let mut out = Bytes::default();
    chunks.iter().for_each(|chunk| chunk.put(&mut out));
    out.done()
}

#[derive(Clone, Copy)]
pub(crate) struct Triangle {
    material: i32,
    positions: [[f32; 3]; 3],
    uv1: [[f32; 2]; 3],
    uv2: [[f32; 2]; 3],
}

impl Triangle {
    /// In the plane of x and y, facing +z; V as files count it since 2015: from the top.
    pub(crate) fn new(material: i32, x: f32) -> Triangle {
        let uv = [[0., 1.], [1., 1.], [0., 0.]];
        let positions = [[x, 0., 0.], [x + 1., 0., 0.], [x, 1., 0.]];
        Triangle { material, positions, uv1: uv, uv2: uv }
    }

    fn put(&self, out: &mut Bytes) {
        out.le(self.material).le_all(self.positions.as_flattened());
        out.le_all(&[0_f32, 0., 1., 0., 0., 1., 0., 0., 1.]);
        out.le_all(self.uv1.as_flattened()).le_all(self.uv2.as_flattened());
    }
}

pub(crate) fn triangles(list: &[Triangle]) -> Vec<u8> {
    let mut out = Bytes::default();
    list.iter().for_each(|triangle| triangle.put(&mut out));
    out.done()
}

/// The data of an entity at the origin.
pub(crate) fn entity(kind: u32, material: i32, mesh: i32, text: &[u8]) -> Vec<u8> {
    placed([0.; 3], kind, material, mesh, text)
}

/// The data of an entity somewhere.
pub(crate) fn placed(position: [f32; 3], kind: u32, material: i32, mesh: i32, text: &[u8]) -> Vec<u8> {
    let mut out = Bytes::default();
    out.le(kind).le(material).le(mesh).le_all(&position).le_all(&UPRIGHT).le_all(&[1_f32; 3]);
    out.le(text.len() as u32).raw(text).done()
}

/// The data of a material as the engine has them: the length, then the text.
pub(crate) fn with_length(text: &[u8]) -> Vec<u8> {
    Bytes::default().le(text.len() as u32).raw(text).done()
}
