//! Attributes are what their bytes say, wherever they lie: the origin's buffers stay, a range that changed is written in
//! its place if it is as long and nobody else uses it, and else behind the others.

use std::collections::{BTreeMap, HashMap, HashSet};

use wire::{Blob, Kept};

use super::super::attributes::{Attribute, Slot};
use super::super::document::Parts;
use super::super::form::Kind;
use super::super::layout::{Buffer, Mesh};
use super::super::structure::Structure;
use super::twins::Twins;
use crate::restore::Three;

/// Where an attribute that is new begins.
const ALIGNMENT: usize = 4;

/// An attribute of a mesh, its targets or LODs: where it is, and its bytes if they are there.
#[derive(Clone)]
struct Range {
    slot: Option<Slot>,
    size: usize,
    bytes: Option<Blob>,
}

impl Range {
    fn says(&self, other: &Range) -> bool {
        self.slot.is_some() == other.slot.is_some() && self.bytes == other.bytes
    }
}

/// All of a mesh, in a fixed order.
pub(super) struct Ranges(Vec<Range>);

impl Ranges {
    pub(super) fn say(&self, other: &Ranges) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(own, other)| own.says(other))
    }
}

impl Ranges {
    fn of(mesh: &Mesh, parts: &Parts<'_>) -> Ranges {
        Ranges::taken_from(&mut mesh.clone(), parts)
    }

    /// Takes them away from a mesh.
    pub(super) fn taken_from(mesh: &mut Mesh, parts: &Parts<'_>) -> Ranges {
        let mut ranges = Vec::new();
        let vertices = |mesh: &Mesh| parts.vertex_count(mesh).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        each_slot(mesh, &vertices, &mut |slot, size| {
            let bytes = slot.and_then(|slot| parts.bytes(slot, size));
            ranges.push(Range { slot, size, bytes });
            None
        });
        Ranges(ranges)
    }
}

/// Lets `see` say where each attribute is: it is told where it was and how many bytes it has.
fn each_slot(
    mesh: &mut Mesh,
    vertices: &dyn Fn(&Mesh) -> usize,
    see: &mut dyn FnMut(Option<Slot>, usize) -> Option<Slot>,
) {
    let count = vertices(mesh);
    let draws = mesh.draw_count as usize;
    let size = |attribute: Attribute| {
        let elements = if attribute == Attribute::Index { draws } else { count };
        elements.saturating_mul(attribute.size())
    };
    let spares = mesh.spares_the_library();
    let was: Vec<(Attribute, Option<Slot>)> = Attribute::all().map(|own| (own, mesh.slot(own))).collect();
    let targets: Vec<Vec<_>> = mesh
        .morph_targets
        .iter()
        .map(|target| Attribute::all().map(|own| (own, target.slot(own, mesh))).collect())
        .collect();
    for (attribute, slot) in was {
        mesh.set_slot(attribute, see(slot, size(attribute)));
    }
    if spares {
        mesh.spare_the_library();
    }
    for (target, slots) in mesh.morph_targets.iter_mut().zip(targets) {
        for (attribute, slot) in slots {
            target.set_slot(attribute, see(slot, size(attribute)));
        }
    }
    mesh.multiple_lods.iter_mut().for_each(|lod| each_slot(lod, vertices, see));
}

/// The bytes that one attribute of one mesh uses.
struct Use {
    start: usize,
    end: usize,
    /// The furthest end of this one and those before it.
    reach: usize,
    /// The mesh, and which of its attributes.
    by: (usize, usize),
}

/// Where an attribute is in the origin, and whether it still says the same.
struct Room {
    slot: Option<Slot>,
    size: usize,
    same: bool,
}

/// Every attribute of every mesh.
fn all_ranges(parts: &Parts<'_>) -> Vec<Vec<Range>> {
    parts.meshes.iter().map(|mesh| Ranges::of(mesh, parts).0).collect()
}

/// A mesh without its attributes.
fn bare(mesh: &Mesh, parts: &Parts<'_>) -> Mesh {
    let mut mesh = mesh.clone();
    Ranges::taken_from(&mut mesh, parts);
    mesh
}

/// The buffers of the result.
pub(super) struct Store {
    buffers: Vec<Vec<Use>>,
    /// By the place that it has in ours, who uses a range: meshes and which of their attributes.
    users: HashMap<Slot, HashSet<(usize, usize)>>,
    /// Where ranges of ours that changed went.
    placed: HashMap<Slot, Slot>,
    /// What is written into the buffers of the origin.
    written: BTreeMap<(usize, usize), Blob>,
    /// What comes behind the last of them.
    behind: Vec<u8>,
    /// How long that one is.
    last: usize,
    count: usize,
}

impl Store {
    pub(super) fn of(parts: Three<'_, Parts<'_>>, twins: &Twins) -> Store {
        let mut buffers: Vec<Vec<Use>> = parts.origin.buffers.iter().map(|_| Vec::new()).collect();
        let there = all_ranges(parts.origin);
        for (mesh, ranges) in there.iter().enumerate() {
            for (nth, range) in ranges.iter().enumerate() {
                let Some(slot) = range.slot else { continue };
                let start = slot.offset as usize;
                if let Some(uses) = buffers.get_mut(slot.buffer as usize) {
                    uses.push(Use { start, end: start.saturating_add(range.size), reach: 0, by: (mesh, nth) });
                }
            }
        }
        for uses in &mut buffers {
            uses.sort_by_key(|own| own.start);
            let mut reach = 0;
            for own in uses {
                reach = reach.max(own.end);
                own.reach = reach;
            }
        }
        let mut users: HashMap<Slot, HashSet<(usize, usize)>> = HashMap::new();
        let here = all_ranges(parts.ours);
        let mut twin_ranges: HashMap<usize, Vec<&Vec<Range>>> = HashMap::new();
        for (mesh, ranges) in here.iter().enumerate() {
            twins.get((Kind::MESH, mesh)).into_iter().for_each(|old| twin_ranges.entry(old).or_default().push(ranges));
        }
        for (mesh, ranges) in here.iter().enumerate() {
            let old = twins.get((Kind::MESH, mesh));
            for (nth, slot) in ranges.iter().enumerate().filter_map(|(nth, range)| Some((nth, range.slot?))) {
                // In numbers of the origin; of nothing there, unless all that it became agree.
                let alike = |old: &usize| {
                    let is_same = |other: &&Vec<Range>| {
                        other.len() == there[*old].len() && other.get(nth).is_some_and(|range| range.slot == Some(slot))
                    };
                    twin_ranges[old].iter().all(is_same)
                };
                users.entry(slot).or_default().insert((old.filter(alike).unwrap_or(usize::MAX), nth));
            }
        }
        let (last, count) =
            (parts.origin.buffers.last().map_or(0, |buffer| buffer.data.len()), parts.origin.buffers.len());
        let (placed, written) = (HashMap::new(), BTreeMap::new());
        Store { buffers, users, placed, written, behind: Vec::new(), last, count }
    }

    /// Whether a range of the origin is used by those alone who use one of ours.
    fn is_free(&self, room: Slot, size: usize, slot: Slot) -> bool {
        let (Some(uses), Some(users)) = (self.buffers.get(room.buffer as usize), self.users.get(&slot)) else {
            return false;
        };
        let (start, end) = (room.offset as usize, room.offset as usize + size);
        let first = uses.partition_point(|own| own.start < end);
        let near = uses[..first].iter().rev().take_while(|own| own.reach > start);
        near.filter(|own| own.end > start).all(|own| users.contains(&own.by))
    }

    /// A structure of ours with its attributes in the buffers of the origin, and whether it is the origin's after all;
    /// `twins` are that of the base and of the origin, and it `stays` where that one is. Nothing if there is no room.
    pub(super) fn place(
        &mut self,
        structure: &Kept<Structure>,
        twins: Option<(&Structure, &Kept<Structure>)>,
        stays: bool,
        parts: Three<'_, Parts<'_>>,
    ) -> Option<(Kept<Structure>, bool)> {
        let Structure::Mesh(own) = &**structure else { return Some((structure.clone(), false)) };
        let Some((Structure::Mesh(was), old)) = twins else { return Some((self.put(own, &[], parts.ours)?, false)) };
        let Structure::Mesh(before) = &**old else { return None };
        let (is, was_there, there) =
            (Ranges::of(own, parts.ours).0, Ranges::of(was, parts.base).0, Ranges::of(before, parts.origin).0);
        // Targets or LODs that came or went: nothing corresponds any more.
        if was_there.len() != is.len() || there.len() != is.len() {
            return Some((self.put(own, &[], parts.ours)?, false));
        }
        let room = |((own, was), old): ((&Range, &Range), &Range)| Room {
            slot: old.slot.filter(|_| stays || was.says(own)),
            size: old.size,
            same: was.says(own),
        };
        let rooms: Vec<Room> = is.iter().zip(&was_there).zip(&there).map(room).collect();
        let made = self.put(own, &rooms, parts.ours)?;
        // Where nothing else changed, the origin's structure stays, and all of it where each range kept its place.
        let alike = |a: &Mesh, b: &Mesh| bare(a, parts.ours) == bare(b, parts.base);
        if !stays || !alike(own, was) {
            return Some((made, false));
        }
        let Structure::Mesh(new) = &*made else { return None };
        let slots: Vec<Option<Slot>> = Ranges::of(new, parts.ours).0.iter().map(|range| range.slot).collect();
        if slots.iter().zip(&there).all(|(new, old)| new.is_none() || *new == old.slot) {
            return Some((old.clone(), true));
        }
        Some((made, false))
    }

    /// A mesh of ours, each attribute in its room if that is still right for it.
    fn put(&mut self, own: &Mesh, rooms: &[Room], ours: &Parts<'_>) -> Option<Kept<Structure>> {
        let mut slots = Vec::new();
        for (nth, range) in Ranges::of(own, ours).0.iter().enumerate() {
            let Some(slot) = range.slot else {
                slots.push(None);
                continue;
            };
            let room = rooms.get(nth);
            let there = room.filter(|room| room.same).and_then(|room| room.slot);
            let found = there.or_else(|| self.placed.get(&slot).copied());
            slots.push(Some(match found {
                Some(found) => found,
                None => self.store(slot, range, room)?,
            }));
        }
        let mut mesh = own.clone();
        let mut slots = slots.into_iter();
        each_slot(&mut mesh, &|_| 0, &mut |_, _| slots.next().flatten());
        Some(Kept::new(Structure::Mesh(Box::new(mesh))))
    }

    /// Stores a range that changed.
    fn store(&mut self, slot: Slot, range: &Range, room: Option<&Room>) -> Option<Slot> {
        let bytes = range.bytes.clone().unwrap_or_default();
        let fits = room.and_then(|room| room.slot.filter(|_| room.size == bytes.len()));
        let new = match fits.filter(|room| self.is_free(*room, bytes.len(), slot)) {
            Some(room) => {
                self.written.insert((room.buffer as usize, room.offset as usize), bytes);
                room
            }
            None => self.append(&bytes)?,
        };
        self.placed.insert(slot, new);
        Some(new)
    }

    fn append(&mut self, bytes: &[u8]) -> Option<Slot> {
        // At 0 of the only buffer there is nothing in some layouts.
        let buffer = self.count.checked_sub(1)?;
        let at = (self.last + self.behind.len()).next_multiple_of(ALIGNMENT).max(ALIGNMENT);
        self.behind.resize(at - self.last, 0);
        self.behind.extend_from_slice(bytes);
        u32::try_from(at + bytes.len()).ok()?;
        Some(Slot { buffer: u32::try_from(buffer).ok()?, offset: u32::try_from(at).ok()? })
    }

    /// The origin's, with what was written.
    pub(super) fn into_buffers(self, buffers: &[&Kept<Structure>]) -> Vec<Kept<Structure>> {
        let mut out: Vec<Kept<Structure>> = buffers.iter().copied().cloned().collect();
        let mut written: BTreeMap<usize, Vec<(usize, Blob)>> = BTreeMap::new();
        for ((buffer, at), bytes) in self.written {
            written.entry(buffer).or_default().push((at, bytes));
        }
        if !self.behind.is_empty() {
            written.entry(out.len().saturating_sub(1)).or_default().push((self.last, Blob::memory(self.behind)));
        }
        for (buffer, changes) in written {
            let Some(kept) = out.get_mut(buffer) else { continue };
            let Structure::Buffer(Buffer { data, .. }) = &**kept else { continue };
            let mut bytes = data.to_vec();
            for (at, change) in changes {
                bytes.resize(bytes.len().max(at + change.len()), 0);
                bytes[at..at + change.len()].copy_from_slice(&change);
            }
            if let Structure::Buffer(buffer) = kept.edit() {
                *buffer = Buffer { structure: buffer.structure, ..Buffer::new(Blob::memory(bytes)) };
            }
        }
        out
    }
}
