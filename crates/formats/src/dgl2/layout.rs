//! What a DGL2 file is made of, in the order of its document.

use wire::{Blob, Bulk, Count, Counted, F32, Fault, Fixed, Kept, Layout, Node, Order, Reader, Text, Writer};
use wire::{layout, record, wire_enum};

use super::properties::{self, Property};
use super::text::PropertyText;
use crate::Facts;

/// Every number is little-endian; the document says so for integers only, the exporter writes floats likewise.
pub(crate) const ORDER: Order = Order::Little;

/// Bytes of a chunk before its name.
pub(crate) const CHUNK_HEADER: usize = <Chunk as Layout>::MIN_SIZE;

/// Bytes of an entity before its text.
pub(crate) const ENTITY_SIZE: usize = <Entity as Layout<usize>>::MIN_SIZE;

const _: () = assert!(CHUNK_HEADER == 12 && ENTITY_SIZE == 56 && Triangle::SIZE == 124);

wire_enum! {
    /// What a chunk holds. Numbers without a name are reserved.
    pub struct ChunkKind: u16 {
        /// The first chunk: names the scene.
        HEADER = 0 "HEADER",
        /// The last chunk.
        END = 1 "END",
        /// Triangles.
        TRIMESH = 2 "TRIMESH",
        /// Properties of a material.
        MATERIAL = 3 "MATERIAL",
        /// A mesh in its place, a light, or anything else that has a place.
        ENTITY = 4 "ENTITY",
    }
}

wire_enum! {
    /// What an entity is. The document names 0 and 1; the others are the game's.
    pub struct EntityKind: u32 {
        /// A mesh in its place, or a place alone.
        OBJECT = 0 "object",
        /// A point light.
        LIGHT = 1 "point light",
        /// Settings for the mesh that its property `mesh` names; in a later revision of the document.
        METADATA = 4 "mesh metadata",
    }
}

record! {
    /// A triangle: 124 bytes.
    pub struct Triangle {
        /// `materialId`: which material, -1 for none.
        material_id: i32,
        /// `vertices`: three corners, counter-clockwise seen from the front, in the mesh's own space (Z is up).
        positions: [[F32; 3]; 3],
        /// A normal per corner, of unit length.
        normals: [[F32; 3]; 3],
        /// The first texture coordinates of each corner.
        uv1: [[F32; 2]; 3],
        /// The second: a light map's. A copy of the first, or zero, where the source had none.
        uv2: [[F32; 2]; 3],
    }
}

layout! {
    /// A part of the file: what it is, its number and name, and its data.
    pub struct Chunk {
        /// `type`.
        kind: ChunkKind,
        /// Its number among the chunks of its kind; -1 for HEADER and END.
        id: i32,
        let name_size: Count<u16> = name.len(),
        let data_size: Count<u32> = data.size(),
        /// UTF-8, without a byte to end it.
        name: Text{name_size},
        /// By kind: Trimesh, Material, Entity, or bytes.
        data: Data{data_size, kind},
    }
}

impl Chunk {
    /// The last chunk of a file.
    pub fn end() -> Chunk {
        Chunk { kind: ChunkKind::END, id: -1, ..Chunk::default() }
    }
}

layout! {
    /// The data of a TRIMESH chunk.
    pub struct Trimesh(size: usize) {
        /// As many as fit.
        triangles: Bulk<Triangle>{size / Triangle::SIZE},
        /// What is left when the size is no multiple of 124.
        slack: Blob{size % Triangle::SIZE} where !size.is_multiple_of(Triangle::SIZE),
    }
}

layout! {
    /// The data of a MATERIAL chunk. The document has the text alone (`spec`); every known file has its length before
    /// it (`engine`).
    pub struct Material(size: usize, form: Form) {
        /// Length of the text as stored, where it is stored at all.
        text_size: u32 where form == Form::Engine,
        /// DML: properties of the material.
        text: PropertyText{text_length(size, text_size)},
        /// Bytes behind the text.
        slack: Blob{size - prefix(text_size) - text.len()} where size > prefix(text_size) + text.len(),
    }
}

layout! {
    /// The data of an ENTITY chunk.
    pub struct Entity(size: usize) {
        /// `type`; the game's to define, but for 0 and 1.
        kind: EntityKind,
        /// `materialID`: a material for triangles that have none; -1 for none. The engine ignores it.
        material_id: i32,
        /// `meshID`: which mesh stands there; -1 for none.
        mesh_id: i32,
        /// x y z; Y is up.
        position: [F32; 3],
        /// A quaternion, x y z w. That of an unturned mesh is a quarter turn about X, which brings its Z up.
        rotation: [F32; 4],
        /// Along the mesh's own axes.
        scaling: [F32; 3],
        let dml_size: Count<u32> = text.len(),
        /// DML: properties of the entity.
        text: PropertyText{dml_size},
        /// Bytes behind the text.
        slack: Blob{size - ENTITY_SIZE - text.len()} where size > ENTITY_SIZE + text.len(),
    }
}

/// How the text of a MATERIAL chunk is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The text is all there is.
    #[default]
    Spec,
    /// A length stands before it.
    Engine,
}

impl Form {
    /// Which one these data are in. A text never has a byte 00 at its fourth place, a length below 16 MiB always has.
    pub(crate) fn of(data: &[u8]) -> Form {
        let Some(first) = data.first_chunk::<4>() else { return Form::Spec };
        let exact = u32::from_le_bytes(*first) as usize == data.len() - 4;
        if exact || first[3] == 0 { Form::Engine } else { Form::Spec }
    }
}

fn prefix(text_size: &Option<u32>) -> usize {
    if text_size.is_some() { 4 } else { 0 }
}

/// What the length says, or all there is.
fn text_length(size: usize, text_size: &Option<u32>) -> usize {
    let room = size.saturating_sub(prefix(text_size));
    text_size.map_or(room, |stored| room.min(stored as usize))
}

impl Material {
    /// A material with this text.
    pub fn new(text: Text, form: Form) -> Material {
        let text_size = (form == Form::Engine).then(|| u32::try_from(text.len()).unwrap_or(u32::MAX));
        Material { text_size, text: text.into(), slack: None }
    }

    /// How its text is stored.
    pub fn form(&self) -> Form {
        if self.text_size.is_some() { Form::Engine } else { Form::Spec }
    }
}

/// The data of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Triangles.
    Trimesh(Trimesh),
    /// Properties of a material.
    Material(Material),
    /// Something that has a place.
    Entity(Box<Entity>),
    /// HEADER, END, unknown kinds; and entities whose data are too short for what they announce.
    Bytes(Blob),
}

impl Default for Data {
    fn default() -> Data {
        Data::Bytes(Blob::default())
    }
}

impl Data {
    /// Bytes it takes.
    pub fn size(&self) -> usize {
        let slack = |slack: &Option<Blob>| slack.as_ref().map_or(0, |slack| slack.len());
        match self {
            Data::Trimesh(mesh) => mesh.triangles.len() * Triangle::SIZE + slack(&mesh.slack),
            Data::Material(material) => prefix(&material.text_size) + material.text.len() + slack(&material.slack),
            Data::Entity(entity) => ENTITY_SIZE + entity.text.len() + slack(&entity.slack),
            Data::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Written by hand: which structure it is depends on the kind before it.
impl<C: Counted> Layout<(C, ChunkKind)> for Data {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, (size, kind): (C, ChunkKind)) -> Result<Data, Fault> {
        if size.count() > r.remaining() {
            return Blob::read(r, size).map(Data::Bytes);
        }
        let size = size.count();
        let data = r.rest().slice(..size);
        match kind {
            ChunkKind::TRIMESH => Trimesh::read(r, size).map(Data::Trimesh),
            ChunkKind::MATERIAL => Material::read(r, (size, Form::of(&data))).map(Data::Material),
            ChunkKind::ENTITY if is_entity(&data) => Entity::read(r, size).map(|e| Data::Entity(Box::new(e))),
            _ => Blob::read(r, size).map(Data::Bytes),
        }
    }
    fn write(&self, w: &mut Writer<'_>, (size, _): (C, ChunkKind)) -> Result<(), Fault> {
        let size = size.count();
        match self {
            Data::Trimesh(mesh) => mesh.write(w, size),
            Data::Material(material) => material.write(w, (size, material.form())),
            Data::Entity(entity) => entity.write(w, size),
            Data::Bytes(bytes) => bytes.write(w, size),
        }
    }
}

/// Whether the text an entity announces fits into its data.
fn is_entity(data: &[u8]) -> bool {
    let announced = data.get(ENTITY_SIZE - 4..ENTITY_SIZE).and_then(|size| size.first_chunk::<4>());
    announced.is_some_and(|size| u32::from_le_bytes(*size) as usize <= data.len() - ENTITY_SIZE)
}

/// The language of the texts in a file, which is all that tells DGL1 from DGL2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// DGL2's own.
    #[default]
    Dml,
    /// DGL1's.
    Json,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The language of its texts.
    pub language: Language,
    /// Its chunks, in order, up to the first END.
    pub chunks: Vec<Kept<Chunk>>,
    /// Bytes behind END.
    pub tail: Blob,
}

impl Document {
    /// Every mesh, with its chunk's place in the file.
    pub fn meshes(&self) -> impl Iterator<Item = (usize, &Chunk, &Trimesh)> {
        self.chunks.iter().enumerate().filter_map(|(i, chunk)| match &chunk.data {
            Data::Trimesh(mesh) => Some((i, &**chunk, mesh)),
            _ => None,
        })
    }

    /// Every material, with its chunk's place in the file.
    pub fn materials(&self) -> impl Iterator<Item = (usize, &Chunk, &Material)> {
        self.chunks.iter().enumerate().filter_map(|(i, chunk)| match &chunk.data {
            Data::Material(material) => Some((i, &**chunk, material)),
            _ => None,
        })
    }

    /// Every entity whose data can be read, with its chunk's place in the file.
    pub fn entities(&self) -> impl Iterator<Item = (usize, &Chunk, &Entity)> {
        self.chunks.iter().enumerate().filter_map(|(i, chunk)| match &chunk.data {
            Data::Entity(entity) => Some((i, &**chunk, &**entity)),
            _ => None,
        })
    }

    /// Every text, with its chunk's place in the file.
    pub fn texts(&self) -> impl Iterator<Item = (usize, &Text)> {
        self.chunks.iter().enumerate().filter_map(|(i, chunk)| match &chunk.data {
            Data::Material(material) => Some((i, &*material.text)),
            Data::Entity(entity) => Some((i, &*entity.text)),
            _ => None,
        })
    }

    /// What a text of this file says.
    pub fn properties(&self, text: &Text) -> Vec<Property> {
        match self.language {
            Language::Dml => properties::of_dml(text),
            Language::Json => crate::dgl1::json::properties(text),
        }
    }
}

impl Document {
    pub(super) fn chunk_nodes(&self) -> impl Iterator<Item = Node> {
        self.chunks.iter().enumerate().map(|(i, chunk)| chunk.node(format!("[{i}]"), ORDER, ()))
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        match self.language {
            Language::Dml => super::dialect::of(self).id(),
            Language::Json => crate::dgl1::Dialect::Json.id(),
        }
    }

    fn tree(&self) -> Vec<Node> {
        let mut tree = vec![Node::list("chunks", "Chunk", self.chunk_nodes().collect())];
        if !self.tail.is_empty() {
            tree.push(self.tail.node("tail", "unused bytes"));
        }
        tree
    }

    fn forget_raw(&mut self) {
        self.chunks.iter_mut().for_each(Kept::forget_raw);
    }

    fn facts(&self, full: bool) -> Facts {
        super::facts::of(self, full)
    }
}
