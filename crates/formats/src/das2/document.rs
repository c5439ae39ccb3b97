//! A whole das2 file.

use rayon::prelude::*;
use wire::{Blob, Bulk, Fixed, Kept, Node as ByteNode, Span};
use zerocopy::LE;

use super::attributes::{Attribute, Slot};
use super::channel::AnimationChannel;
use super::form::{Form, Kind};
use super::layout::*;
use super::structure::Structure;

/// How a body is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// As it is.
    #[default]
    None,
    /// As one zlib stream.
    Zlib,
    /// As zstd frames.
    Zstd,
    /// Structures as they are, then zstd frames with the buffer, as in `v2`.
    Split,
    /// Structures as they are, then zstd frames with nothing, as in `v3`.
    Tail,
}

impl Compression {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Zlib => "zlib",
            Compression::Zstd => "zstd",
            Compression::Split => "split",
            Compression::Tail => "tail",
        }
    }
}

/// Compressed bytes of a file and what they inflate to.
#[derive(Clone, Debug, Default)]
pub(super) struct Stored {
    pub(super) packed: Blob,
    pub(super) inflated: Blob,
    /// A frame with nothing in it behind the others.
    pub(super) empty_frame: Option<Span>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its layout.
    pub form: Form,
    /// How its body is stored.
    pub compression: Compression,
    /// Everything before the body.
    pub header: Kept<Header>,
    /// The body, in the order of the file. An id is a place among the structures of one kind.
    pub structures: Vec<Kept<Structure>>,
    pub(super) stored: Option<Stored>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.form == other.form
            && self.compression == other.compression
            && self.header == other.header
            && self.structures == other.structures
    }
}
impl Eq for Document {}

/// The structures of a document by kind: an id is a place in its list.
#[derive(Default)]
#[allow(missing_docs)]
pub struct Parts<'a> {
    pub buffers: Vec<&'a Buffer>,
    pub meshes: Vec<&'a Mesh>,
    pub mesh_groups: Vec<&'a MeshGroup>,
    pub nodes: Vec<&'a Node>,
    pub scenes: Vec<&'a Scene>,
    pub joints: Vec<&'a SkeletonJoint>,
    pub skeletons: Vec<&'a Skeleton>,
    pub animations: Vec<&'a Animation>,
    pub channels: Vec<&'a AnimationChannel>,
    pub phong_materials: Vec<&'a MaterialPhong>,
    pub pbr_materials: Vec<&'a MaterialPbr>,
}

impl Document {
    /// An empty document in this layout, compressed as its writers do it.
    pub fn new(form: Form, level: u8) -> Document {
        let mut doc = Document { form, header: Kept::new(Header::new(form)), ..Document::default() };
        doc.set_level(level);
        doc
    }

    /// Stores the body with this level from now on; 0 is no compression.
    pub fn set_level(&mut self, level: u8) {
        let compression = if level == 0 { Compression::None } else { self.form.compression() };
        if (self.header.level, self.compression) != (level, compression) {
            self.stored = None;
        }
        if self.header.level != level {
            self.header.edit().level = level;
        }
        self.compression = compression;
    }

    /// Appends a structure.
    pub fn push(&mut self, structure: Structure) {
        self.structures.push(Kept::new(structure));
    }

    /// The structures by kind.
    pub fn parts(&self) -> Parts<'_> {
        let mut parts = Parts::default();
        for structure in &self.structures {
            match &**structure {
                Structure::Buffer(it) => parts.buffers.push(it),
                Structure::Mesh(it) => parts.meshes.push(it),
                Structure::MeshGroup(it) => parts.mesh_groups.push(it),
                Structure::Node(it) => parts.nodes.push(it),
                Structure::Scene(it) => parts.scenes.push(it),
                Structure::SkeletonJoint(it) => parts.joints.push(it),
                Structure::Skeleton(it) => parts.skeletons.push(it),
                Structure::Animation(it) => parts.animations.push(it),
                Structure::AnimationChannel(it) => parts.channels.push(it),
                Structure::MaterialPhong(it) => parts.phong_materials.push(it),
                Structure::MaterialPbr(it) => parts.pbr_materials.push(it),
            }
        }
        parts
    }

    /// Fills the counters of the header: vertices, meshes and animations of the body.
    pub fn fill_counters(&mut self) {
        if !self.is_counted() {
            let counts = self.counts();
            let header = self.header.edit();
            [header.vertices_count, header.mesh_count, header.animation_count] = counts;
        }
    }

    /// Whether the counters of the header are what is in the body.
    pub(super) fn is_counted(&self) -> bool {
        [self.header.vertices_count, self.header.mesh_count, self.header.animation_count] == self.counts()
    }

    /// Vertices, meshes and animations of the body.
    fn counts(&self) -> [u32; 3] {
        let parts = self.parts();
        let vertices: u64 = parts.meshes.iter().filter_map(|mesh| parts.vertex_count(mesh)).sum();
        [vertices, parts.meshes.len() as u64, parts.animations.len() as u64]
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The path of the list that structures of this kind are in.
    pub fn list(&self, kind: Kind) -> String {
        let inside = if self.in_frames(kind) { "frames." } else { "" };
        format!("body.{inside}{}", kind.list())
    }

    /// Whether structures of this kind are in the frames of a split body.
    pub(super) fn in_frames(&self, kind: Kind) -> bool {
        kind == Kind::BUFFER && self.compression == Compression::Split
    }
}

impl Parts<'_> {
    /// `count` elements of an attribute, if they lie inside their buffer.
    pub fn elements<T: Fixed>(&self, slot: Slot, count: usize) -> Option<Bulk<T>> {
        self.bytes(slot, count.checked_mul(T::SIZE)?).map(|bytes| Bulk::view(bytes, ORDER))
    }

    /// So many bytes of a buffer, if they lie inside it.
    pub fn bytes(&self, slot: Slot, size: usize) -> Option<Blob> {
        self.buffers.get(slot.buffer as usize)?.data.get(slot.offset as usize, size)
    }

    /// The indices of a mesh: nothing if it has none or they do not lie inside their buffer.
    pub fn indices(&self, mesh: &Mesh) -> Option<Bulk<u32>> {
        self.elements(mesh.slot(Attribute::Index)?, mesh.draw_count as usize)
    }

    /// How many vertices a mesh has: one more than its largest index, or as many as are drawn. Nothing if its indices
    /// do not lie inside their buffer.
    pub fn vertex_count(&self, mesh: &Mesh) -> Option<u64> {
        if mesh.slot(Attribute::Index).is_none() {
            return Some(mesh.draw_count.into());
        }
        let indices = self.indices(mesh)?;
        // A view of the file; in little-endian order whatever the machine.
        let largest = indices.wire::<LE>()?.par_chunks(1 << 16).map(|part| part.iter().map(|i| i.get()).max()).max();
        Some(largest.flatten().map_or(0, |largest| u64::from(largest) + 1))
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.form.dialect().id()
    }

    fn tree(&self) -> Vec<ByteNode> {
        super::tree::tree(self)
    }

    fn forget_raw(&mut self) {
        self.header.forget_raw();
        self.structures.iter_mut().for_each(Kept::forget_raw);
        self.stored = None;
    }

    fn facts(&self, full: bool) -> crate::Facts {
        super::facts::facts(self, full)
    }
}
