//! Where the attributes of a mesh are. Layouts with buffer ids say -1 for what is not there; the others have one buffer
//! and no such word, so that an offset of 0 means absence for everything but positions.

use super::layout::{Mesh, MorphTarget, NONE};

/// Where an attribute begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// Which buffer, by its id.
    pub buffer: u32,
    /// First byte in it.
    pub offset: u32,
}

/// What an attribute is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    /// u32.
    Index,
    /// Three f32.
    Position,
    /// Three f32.
    Normal,
    /// Two f32; the slot of its texture.
    Uv(usize),
    /// Four f32.
    Color,
    /// Four u16; the number of its set.
    JointIndices(usize),
    /// Four f32; the number of its set.
    JointWeights(usize),
}

/// Slots of texture coordinates, and sets of joints.
pub const SLOTS: usize = 8;

impl Attribute {
    /// Every attribute a mesh can have, in the order of its fields.
    pub fn all() -> impl Iterator<Item = Attribute> {
        let slots = |make: fn(usize) -> Attribute| (0..SLOTS).map(make);
        let single = [Attribute::Index, Attribute::Position, Attribute::Normal].into_iter();
        let rest = slots(Attribute::Uv).chain([Attribute::Color]);
        single.chain(rest).chain(slots(Attribute::JointIndices)).chain(slots(Attribute::JointWeights))
    }

    /// Bytes per element.
    pub fn size(self) -> usize {
        match self {
            Attribute::Index => 4,
            Attribute::Position | Attribute::Normal => 12,
            Attribute::Uv(_) | Attribute::JointIndices(_) => 8,
            Attribute::Color | Attribute::JointWeights(_) => 16,
        }
    }

    /// The field that holds its offset, and the place in it.
    pub fn field(self) -> (&'static str, Option<usize>) {
        match self {
            Attribute::Index => ("index_buffer_offset", None),
            Attribute::Position => ("position_vertex_buffer_offset", None),
            Attribute::Normal => ("surface_normal_buffer_offset", None),
            Attribute::Uv(slot) => ("uv_buffer_offsets", Some(slot)),
            Attribute::Color => ("color_multiplier_offset", None),
            Attribute::JointIndices(set) => ("skeletal_joint_index_buffer_offsets", Some(set)),
            Attribute::JointWeights(set) => ("skeletal_joint_weight_buffer_offsets", Some(set)),
        }
    }

    /// The field that holds the id of its buffer, and the place in it.
    pub fn id_field(self) -> (&'static str, Option<usize>) {
        match self {
            Attribute::Index => ("index_buffer_id", None),
            Attribute::Position => ("position_vertex_buffer_id", None),
            Attribute::Normal => ("surface_normal_buffer_id", None),
            Attribute::Uv(slot) => ("uv_buffer_ids", Some(slot)),
            Attribute::Color => ("color_multiplier_id", None),
            Attribute::JointIndices(set) => ("skeletal_joint_index_buffer_ids", Some(set)),
            Attribute::JointWeights(set) => ("skeletal_joint_weight_buffer_ids", Some(set)),
        }
    }
}

fn slot(id: Option<u32>, offset: u32, zero_is_there: bool) -> Option<Slot> {
    match id {
        Some(NONE) => None,
        Some(buffer) => Some(Slot { buffer, offset }),
        None => (offset != 0 || zero_is_there).then_some(Slot { buffer: 0, offset }),
    }
}

impl Mesh {
    /// The stored id of an attribute's buffer, if the layout has one, and the stored offset.
    pub fn stored(&self, attribute: Attribute) -> (Option<u32>, u32) {
        match attribute {
            Attribute::Index => (self.index_buffer_id, self.index_buffer_offset),
            Attribute::Position => (self.position_vertex_buffer_id, self.position_vertex_buffer_offset),
            Attribute::Normal => (self.surface_normal_buffer_id, self.surface_normal_buffer_offset),
            Attribute::Uv(i) => (self.uv_buffer_ids.map(|ids| ids[i]), self.uv_buffer_offsets[i]),
            Attribute::Color => (self.color_multiplier_id, self.color_multiplier_offset),
            Attribute::JointIndices(i) => {
                (self.skeletal_joint_index_buffer_ids.map(|ids| ids[i]), self.skeletal_joint_index_buffer_offsets[i])
            }
            Attribute::JointWeights(i) => {
                (self.skeletal_joint_weight_buffer_ids.map(|ids| ids[i]), self.skeletal_joint_weight_buffer_offsets[i])
            }
        }
    }

    /// Where an attribute is, if the mesh has it. In layouts without ids, colours where the indices are are none: see
    /// `Mesh::spare_the_library`.
    ///
    /// # Panics
    /// If a slot or set is not below [`SLOTS`].
    pub fn slot(&self, attribute: Attribute) -> Option<Slot> {
        let (id, offset) = self.stored(attribute);
        if attribute == Attribute::Color && id.is_none() && offset == self.index_buffer_offset {
            return None;
        }
        slot(id, offset, attribute == Attribute::Position)
    }

    /// Says that colours are where the indices are if there are no colours, in layouts without ids: the library takes
    /// the offset of colours for that of indices.
    pub(super) fn spare_the_library(&mut self) {
        if self.color_multiplier_id.is_none() && self.slot(Attribute::Color).is_none() {
            self.color_multiplier_offset = self.index_buffer_offset;
        }
    }

    /// Whether that was done.
    pub(super) fn spares_the_library(&self) -> bool {
        let same = self.color_multiplier_offset == self.index_buffer_offset && self.index_buffer_offset != 0;
        self.color_multiplier_id.is_none() && same
    }

    /// The distinct places of texture coordinates, in the order of their slots: the UV sets of the mesh.
    pub fn uv_sets(&self) -> Vec<Slot> {
        let mut sets = Vec::new();
        for slot in (0..SLOTS).filter_map(|i| self.slot(Attribute::Uv(i))) {
            if !sets.contains(&slot) {
                sets.push(slot);
            }
        }
        sets
    }
}

impl MorphTarget {
    /// The stored id of an attribute's buffer, if the layout has one, and the stored offset. Morph targets have no
    /// joints.
    pub fn stored(&self, attribute: Attribute) -> (Option<u32>, u32) {
        match attribute {
            Attribute::Index => (self.index_buffer_id, self.index_buffer_offset),
            Attribute::Position => (self.position_vertex_buffer_id, self.position_vertex_buffer_offset),
            Attribute::Normal => (self.surface_normal_buffer_id, self.surface_normal_buffer_offset),
            Attribute::Uv(i) => (self.uv_buffer_ids.map(|ids| ids[i]), self.uv_buffer_offsets[i]),
            Attribute::Color => (self.color_multiplier_id, self.color_multiplier_offset),
            Attribute::JointIndices(_) | Attribute::JointWeights(_) => (None, 0),
        }
    }

    /// Where an attribute of this target of `base` is, if it has it. What names the bytes of the mesh itself is not
    /// morphed: the library repeats the normals of the mesh.
    ///
    /// # Panics
    /// If a slot is not below [`SLOTS`].
    pub fn slot(&self, attribute: Attribute, base: &Mesh) -> Option<Slot> {
        let (id, offset) = self.stored(attribute);
        slot(id, offset, false).filter(|own| base.slot(attribute) != Some(*own))
    }
}

fn set(slot: Option<Slot>, id: Option<&mut u32>, offset: &mut u32) {
    *offset = slot.map_or(0, |slot| slot.offset);
    if let Some(id) = id {
        *id = slot.map_or(NONE, |slot| slot.buffer);
    }
}

impl Mesh {
    /// Says where an attribute is, or that there is none. In layouts without ids the buffer is always the first one.
    ///
    /// # Panics
    /// If a slot or set is not below [`SLOTS`].
    pub fn set_slot(&mut self, attribute: Attribute, slot: Option<Slot>) {
        match attribute {
            Attribute::Index => set(slot, self.index_buffer_id.as_mut(), &mut self.index_buffer_offset),
            Attribute::Position => {
                set(slot, self.position_vertex_buffer_id.as_mut(), &mut self.position_vertex_buffer_offset);
            }
            Attribute::Normal => {
                set(slot, self.surface_normal_buffer_id.as_mut(), &mut self.surface_normal_buffer_offset);
            }
            Attribute::Uv(i) => set(slot, nth_of(&mut self.uv_buffer_ids, i), &mut self.uv_buffer_offsets[i]),
            Attribute::Color => set(slot, self.color_multiplier_id.as_mut(), &mut self.color_multiplier_offset),
            Attribute::JointIndices(i) => set(
                slot,
                nth_of(&mut self.skeletal_joint_index_buffer_ids, i),
                &mut self.skeletal_joint_index_buffer_offsets[i],
            ),
            Attribute::JointWeights(i) => set(
                slot,
                nth_of(&mut self.skeletal_joint_weight_buffer_ids, i),
                &mut self.skeletal_joint_weight_buffer_offsets[i],
            ),
        }
    }
}

fn nth_of(ids: &mut Option<[u32; SLOTS]>, i: usize) -> Option<&mut u32> {
    ids.as_mut().map(|ids| &mut ids[i])
}

impl MorphTarget {
    /// Where the target says an attribute is, whether or not that moves anything.
    ///
    /// # Panics
    /// If a slot is not below [`SLOTS`].
    pub fn named_slot(&self, attribute: Attribute) -> Option<Slot> {
        let (id, offset) = self.stored(attribute);
        slot(id, offset, false)
    }

    /// Says where an attribute is, or that there is none. Joints are left as they are: a morph target has none.
    ///
    /// # Panics
    /// If a slot is not below [`SLOTS`].
    pub fn set_slot(&mut self, attribute: Attribute, slot: Option<Slot>) {
        match attribute {
            Attribute::Index => set(slot, self.index_buffer_id.as_mut(), &mut self.index_buffer_offset),
            Attribute::Position => {
                set(slot, self.position_vertex_buffer_id.as_mut(), &mut self.position_vertex_buffer_offset);
            }
            Attribute::Normal => {
                set(slot, self.surface_normal_buffer_id.as_mut(), &mut self.surface_normal_buffer_offset);
            }
            Attribute::Uv(i) => set(slot, nth_of(&mut self.uv_buffer_ids, i), &mut self.uv_buffer_offsets[i]),
            Attribute::Color => set(slot, self.color_multiplier_id.as_mut(), &mut self.color_multiplier_offset),
            Attribute::JointIndices(_) | Attribute::JointWeights(_) => {}
        }
    }
}
