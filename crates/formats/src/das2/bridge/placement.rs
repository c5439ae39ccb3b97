//! Where attributes lie in buffers. Where a file lays them out otherwise than a writer would, that travels along as one
//! list, in the order in which [`each_place`] meets them.

use std::collections::{HashMap, HashSet};

use findings::{Error, Result};
use scene::{Scene, Value};
use wire::Blob;

use super::super::attributes::{Attribute, SLOTS, Slot};
use super::super::document::{Document, Parts};
use super::super::layout::Mesh;
use super::numbers;
use crate::LowerCx;

/// What travels for the way back about how a file was stored.
pub(super) const LAYOUT: &str = "das2.layout";

/// Most bytes of buffers that travel although no mesh uses them.
const MOST_UNUSED: usize = 64 << 10;

/// What [`remember`] keeps, or what a writer is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kept {
    /// The level, if it is not the usual one.
    pub(super) level: Option<u8>,
    /// Whether the counters of the header are zero although there is something to count.
    pub(super) uncounted: bool,
    /// Whether meshes without colours say that these are where the indices are.
    pub(super) spared: bool,
    buffers: Option<Buffers>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Buffers {
    sizes: Vec<u32>,
    slots: Vec<Slot>,
    /// Bytes that nothing uses.
    unused: Vec<(Slot, Blob)>,
}

impl Kept {
    pub(super) fn of(scene: &Scene) -> Kept {
        let Some(Value::Map(all)) = scene.extras.get(LAYOUT) else { return Kept::default() };
        let get = |key: &str| all.iter().find(|(own, _)| own == key).map(|(_, value)| value);
        Kept {
            level: get("level").and_then(Value::as_int).and_then(|n| u8::try_from(n).ok()).filter(|level| *level <= 9),
            uncounted: get("uncounted") == Some(&Value::Bool(true)),
            spared: get("spared") == Some(&Value::Bool(true)),
            buffers: buffers_of(get("buffers"), get("slots"), get("unused")),
        }
    }

    pub(super) fn store(&self, scene: &mut Scene) {
        let mut all = Vec::new();
        if let Some(level) = self.level {
            all.push(("level".to_owned(), Value::Int(level.into())));
        }
        if self.uncounted {
            all.push(("uncounted".to_owned(), Value::Bool(true)));
        }
        if self.spared {
            all.push(("spared".to_owned(), Value::Bool(true)));
        }
        if let Some(buffers) = &self.buffers {
            let flat = |slot: &Slot| [slot.buffer.into(), slot.offset.into()];
            all.push(("buffers".to_owned(), numbers(buffers.sizes.iter().map(|size| i64::from(*size)))));
            all.push(("slots".to_owned(), numbers(buffers.slots.iter().flat_map(flat))));
            if !buffers.unused.is_empty() {
                let run = |(slot, bytes): &(Slot, Blob)| {
                    let [buffer, offset] = flat(slot).map(Value::Int);
                    Value::List(vec![buffer, offset, Value::Bytes(bytes.to_vec())])
                };
                all.push(("unused".to_owned(), Value::List(buffers.unused.iter().map(run).collect())));
            }
        }
        if !all.is_empty() {
            scene.extras.set(LAYOUT, Value::Map(all));
        }
    }
}

fn buffers_of(sizes: Option<&Value>, slots: Option<&Value>, unused: Option<&Value>) -> Option<Buffers> {
    let narrow = |list: Vec<i64>| list.into_iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<u32>>>();
    let slots = super::as_numbers(slots).and_then(narrow)?;
    let slots = slots.chunks_exact(2).map(|pair| Slot { buffer: pair[0], offset: pair[1] }).collect();
    let runs = match unused {
        Some(Value::List(runs)) => runs.as_slice(),
        _ => &[],
    };
    let run = |run: &Value| match run {
        Value::List(parts) => match parts.as_slice() {
            [buffer, offset, Value::Bytes(bytes)] => {
                let [buffer, offset] = [buffer, offset].map(|n| n.as_int().and_then(|n| u32::try_from(n).ok()));
                Some((Slot { buffer: buffer?, offset: offset? }, Blob::memory(bytes.clone())))
            }
            _ => None,
        },
        _ => None,
    };
    let unused = runs.iter().map(run).collect::<Option<Vec<_>>>()?;
    Some(Buffers { sizes: super::as_numbers(sizes).and_then(narrow)?, slots, unused })
}

/// Calls `see` with every attribute that a mesh, its morph targets and its LODs have, in the order in which they are
/// laid out.
fn each_place(mesh: &Mesh, count: &dyn Fn(&Mesh) -> usize, see: &mut dyn FnMut(Slot, usize, bool)) {
    let vertices = count(mesh);
    let size = |attribute: Attribute| vertices.saturating_mul(attribute.size());
    let mut one = |attribute: Attribute| {
        if let Some(slot) = mesh.slot(attribute) {
            see(slot, size(attribute), false);
        }
    };
    one(Attribute::Position);
    one(Attribute::Normal);
    mesh.uv_sets().into_iter().for_each(|slot| see(slot, size(Attribute::Uv(0)), false));
    let mut one = |attribute: Attribute| {
        if let Some(slot) = mesh.slot(attribute) {
            see(slot, size(attribute), false);
        }
    };
    one(Attribute::Color);
    for set in 0..SLOTS {
        one(Attribute::JointIndices(set));
        one(Attribute::JointWeights(set));
    }
    if let Some(slot) = mesh.slot(Attribute::Index) {
        see(slot, (mesh.draw_count as usize).saturating_mul(Attribute::Index.size()), false);
    }
    let sets = mesh.uv_sets();
    for target in &mesh.morph_targets {
        let mut one = |attribute: Attribute| {
            if let Some(slot) = target.slot(attribute, mesh) {
                see(slot, size(attribute), true);
            }
        };
        one(Attribute::Position);
        one(Attribute::Normal);
        one(Attribute::Color);
        let mut morphed = HashSet::new();
        for i in 0..SLOTS {
            let set = mesh.slot(Attribute::Uv(i)).filter(|slot| sets.contains(slot));
            if set.is_some_and(|set| target.slot(Attribute::Uv(i), mesh).is_some() && morphed.insert(set)) {
                one(Attribute::Uv(i));
            }
        }
    }
    mesh.multiple_lods.iter().for_each(|lod| each_place(lod, count, see));
}

/// Where a writer puts attributes: one behind the other, each once.
struct Shelf {
    end: u64,
}

/// What takes no room gets some, so that no two attributes begin at one place.
const LEAST: u64 = 4;

impl Shelf {
    fn put(&mut self, size: usize) -> u64 {
        let at = self.end;
        self.end += (size as u64).next_multiple_of(LEAST).max(LEAST);
        at
    }
}

/// Lets the layout of the buffers travel if it is not what a writer would choose.
pub(super) fn remember(doc: &Document, parts: &Parts<'_>, count: &dyn Fn(&Mesh) -> usize, kept: &mut Kept) {
    kept.spared = parts.meshes.iter().any(|mesh| mesh.spares_the_library());
    let mut slots = Vec::new();
    let mut used: Vec<Vec<(usize, usize)>> = vec![Vec::new(); parts.buffers.len()];
    let mut known: HashMap<(Slot, bool), u64> = HashMap::new();
    let mut shelf = Shelf { end: 0 };
    let mut usual = parts.buffers.len() <= 1;
    for mesh in &parts.meshes {
        each_place(mesh, count, &mut |slot, size, morph| {
            // What lies outside its buffer is not in the scene.
            if parts.bytes(slot, size).is_none() {
                usual = false;
                return;
            }
            used[slot.buffer as usize].push((slot.offset as usize, slot.offset as usize + size));
            slots.push(slot);
            let at = *known.entry((slot, morph)).or_insert_with(|| shelf.put(size));
            usual &= at == u64::from(slot.offset);
        });
    }
    let size = parts.buffers.first().map_or(0, |buffer| buffer.data.len() as u64);
    if usual && size == shelf.end && (parts.buffers.len() == 1) == needs_buffer(doc, shelf.end) {
        return;
    }
    let mut buffers = Buffers { sizes: Vec::new(), slots, unused: Vec::new() };
    let mut room = MOST_UNUSED;
    for (id, (buffer, mut used)) in parts.buffers.iter().zip(used).enumerate() {
        let data = &buffer.data;
        let Ok(size) = u32::try_from(data.len()) else { return };
        buffers.sizes.push(size);
        used.sort_unstable();
        let mut at = 0;
        for (start, end) in used.into_iter().chain([(data.len(), data.len())]) {
            if start > at && data[at..start].iter().any(|byte| *byte != 0) && start - at <= room {
                room -= start - at;
                let slot = Slot { buffer: id as u32, offset: at as u32 };
                buffers.unused.push((slot, data.slice(at..start)));
            }
            at = at.max(end);
        }
    }
    kept.buffers = Some(buffers);
}

/// Whether a writer makes a buffer: there must be one where attributes name none.
fn needs_buffer(doc: &Document, size: u64) -> bool {
    size > 0 || !doc.form.has_buffer_ids()
}

/// Attributes that become buffers: each is asked for its place once all are known.
#[derive(Default)]
pub(super) struct Attributes {
    items: Vec<(Blob, bool)>,
}

/// The buffers, and where each attribute is.
pub(super) struct Laid {
    pub(super) buffers: Vec<Blob>,
    pub(super) slots: Vec<Slot>,
}

impl Attributes {
    /// Adds an attribute and answers its number; `morph` for those of a morph target.
    pub(super) fn add(&mut self, data: Blob, morph: bool) -> usize {
        self.items.push((data, morph));
        self.items.len() - 1
    }

    /// Lays them out as they were, or else one behind the other.
    pub(super) fn lay(&self, kept: &Kept, single: bool, cx: &LowerCx<'_>) -> Result<Laid> {
        if let Some(laid) = kept.buffers.as_ref().and_then(|kept| self.as_kept(kept, single, cx)) {
            return Ok(laid);
        }
        let mut shelf = Shelf { end: 0 };
        let mut known: HashMap<(usize, usize, bool), Slot> = HashMap::new();
        let mut buffers: Vec<Vec<u8>> = Vec::new();
        let mut slots = Vec::with_capacity(self.items.len());
        for (data, morph) in &self.items {
            let key = (data.as_ptr().addr(), data.len(), *morph);
            if let Some(slot) = known.get(&key).filter(|_| !data.is_empty()) {
                slots.push(*slot);
                continue;
            }
            if shelf.end + data.len() as u64 + LEAST > u32::MAX.into() {
                if single {
                    let message = "the engine dialect has one buffer of 4 GiB, and this takes more";
                    return Err(Error::usage(message).with_help("--dialect spec holds as many buffers as it takes"));
                }
                buffers.push(Vec::new());
                shelf.end = 0;
            }
            if buffers.is_empty() {
                buffers.push(Vec::new());
            }
            let at = shelf.put(data.len());
            let buffer = buffers.len() - 1;
            buffers[buffer].extend_from_slice(data);
            buffers[buffer].resize(shelf.end as usize, 0);
            let slot = Slot { buffer: buffer as u32, offset: u32::try_from(at).unwrap_or(u32::MAX) };
            known.insert(key, slot);
            slots.push(slot);
        }
        if buffers.is_empty() && single {
            buffers.push(Vec::new());
        }
        Ok(Laid { buffers: buffers.into_iter().map(Blob::memory).collect(), slots })
    }

    /// The buffers of the file, if everything still has its place there.
    fn as_kept(&self, kept: &Buffers, single: bool, cx: &LowerCx<'_>) -> Option<Laid> {
        let total: u64 = kept.sizes.iter().map(|size| u64::from(*size)).sum();
        if kept.slots.len() != self.items.len() || (single && kept.sizes.len() != 1) || total > cx.limits.max_inflate {
            return None;
        }
        let mut buffers: Vec<Vec<u8>> = kept.sizes.iter().map(|size| vec![0; *size as usize]).collect();
        let room = |buffers: &mut Vec<Vec<u8>>, slot: &Slot, data: &Blob, write: bool| {
            let start = slot.offset as usize;
            let end = start.checked_add(data.len())?;
            let room = buffers.get_mut(slot.buffer as usize)?.get_mut(start..end)?;
            if write {
                room.copy_from_slice(data);
            }
            (*room == data[..]).then_some(())
        };
        for (slot, data) in &kept.unused {
            room(&mut buffers, slot, data, true)?;
        }
        let items = || kept.slots.iter().zip(self.items.iter().map(|(data, _)| data));
        items().try_for_each(|(slot, data)| room(&mut buffers, slot, data, true))?;
        // What overlaps must agree.
        items().try_for_each(|(slot, data)| room(&mut buffers, slot, data, false))?;
        Some(Laid { buffers: buffers.into_iter().map(Blob::memory).collect(), slots: kept.slots.clone() })
    }
}
