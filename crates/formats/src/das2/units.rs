//! What an edit of one object may change: a structure, found by its kind and number. Attributes are what their bytes
//! say, wherever they lie: the origin's buffers stay, a range that changed is written in its place if it is as long and
//! nobody else uses it, and else behind the others.

use std::collections::{BTreeMap, HashMap, HashSet};

use wire::{Blob, Kept};

use super::attributes::{Attribute, Slot};
use super::document::{Document, Parts};
use super::form::Kind;
use super::layout::{Buffer, Mesh};
use super::structure::Structure;
use crate::restore::{Merged, Tally, Three};

/// Where an attribute that is new begins.
const ALIGNMENT: usize = 4;

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    let parts = Three { origin: &origin.parts(), base: &base.parts(), ours: &ours.parts() };
    // A number is a name, so base and origin must count alike.
    let counts_alike = |kind: Kind| kind == Kind::BUFFER || parts.origin.count(kind) == parts.base.count(kind);
    if origin.form != ours.form || !Kind::TOP.into_iter().all(counts_alike) {
        return None;
    }
    let mut tally = Tally::default();
    let lists = Three { origin: &by_kind(origin), base: &by_kind(base), ours: &by_kind(ours) };
    let mut store = Store::of(parts);
    let mut merged: BTreeMap<Kind, Vec<Kept<Structure>>> = BTreeMap::new();
    for kind in Kind::TOP.into_iter().filter(|kind| *kind != Kind::BUFFER) {
        let list = lists.each(|lists| lists.get(&kind).map_or(&[][..], Vec::as_slice));
        let one = |(number, own): (usize, &&Kept<Structure>)| {
            let twin = |list: &[&Kept<Structure>]| list.get(number).map(|unit| Kept::clone(unit));
            let (was, old) = (twin(list.base), twin(list.origin));
            let same = was.as_ref().is_some_and(|was| same(was, own, parts));
            tally.count(!same);
            match old {
                Some(old) if same => Some(old),
                old => store.place(own, was.as_deref().zip(old.as_ref()), parts),
            }
        };
        merged.insert(kind, list.ours.iter().enumerate().map(one).collect::<Option<_>>()?);
    }
    let mut document = origin.clone();
    let buffers = lists.origin.get(&Kind::BUFFER).map_or(&[][..], Vec::as_slice);
    merged.insert(Kind::BUFFER, store.into_buffers(buffers));
    document.structures = in_order(origin, merged);
    document.stored = None;
    merge_header(&mut document, three, &mut tally);
    Some(Merged { document, tally })
}

/// The origin's header unless somebody changed it; the level and the counters are no one's to edit.
fn merge_header(document: &mut Document, three: Three<'_, Document>, tally: &mut Tally) {
    let Three { origin, base, ours } = three;
    let alike = |doc: &Document| {
        let mut header = (*doc.header).clone();
        (header.vertices_count, header.mesh_count, header.animation_count) = (0, 0, 0);
        header
    };
    let changed = alike(base) != alike(ours);
    tally.count(changed);
    if changed {
        let old = &origin.header;
        let header = document.header.edit();
        *header = (*ours.header).clone();
        header.level = old.level;
        [header.vertices_count, header.mesh_count, header.animation_count] =
            [old.vertices_count, old.mesh_count, old.animation_count];
    }
    if origin.is_counted() {
        document.fill_counters();
    }
}

fn by_kind(doc: &Document) -> BTreeMap<Kind, Vec<&Kept<Structure>>> {
    let mut lists: BTreeMap<Kind, Vec<&Kept<Structure>>> = BTreeMap::new();
    doc.structures.iter().for_each(|structure| lists.entry(structure.kind()).or_default().push(structure));
    lists
}

/// Structures in the order of the origin; further ones behind those of their kind, or of the kind before.
fn in_order(origin: &Document, mut lists: BTreeMap<Kind, Vec<Kept<Structure>>>) -> Vec<Kept<Structure>> {
    let mut left: HashMap<Kind, usize> = HashMap::new();
    origin.structures.iter().for_each(|structure| *left.entry(structure.kind()).or_default() += 1);
    let mut lists: BTreeMap<Kind, _> =
        std::mem::take(&mut lists).into_iter().map(|(kind, list)| (kind, list.into_iter())).collect();
    let mut out: Vec<Kept<Structure>> = Vec::new();
    for structure in &origin.structures {
        let kind = structure.kind();
        out.extend(lists.get_mut(&kind).and_then(Iterator::next));
        let left = left.entry(kind).or_default();
        *left -= 1;
        if *left == 0 {
            out.extend(lists.remove(&kind).into_iter().flatten());
        }
    }
    for (kind, list) in lists {
        let behind = out.iter().rposition(|other| other.kind() < kind).map_or(0, |at| at + 1);
        out.splice(behind..behind, list);
    }
    out
}

fn same(a: &Structure, b: &Structure, parts: Three<'_, Parts<'_>>) -> bool {
    match (a, b) {
        (Structure::Mesh(a), Structure::Mesh(b)) => {
            let (mut x, mut y) = ((**a).clone(), (**b).clone());
            let was = Ranges::taken_from(&mut x, parts.base);
            let is = Ranges::taken_from(&mut y, parts.ours);
            x == y && was.0.len() == is.0.len() && was.0.iter().zip(&is.0).all(|(a, b)| a.says(b))
        }
        (a, b) => a == b,
    }
}

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
struct Ranges(Vec<Range>);

impl Ranges {
    fn of(mesh: &Mesh, parts: &Parts<'_>) -> Ranges {
        Ranges::taken_from(&mut mesh.clone(), parts)
    }

    /// Takes them away from a mesh.
    fn taken_from(mesh: &mut Mesh, parts: &Parts<'_>) -> Ranges {
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
        .map(|target| Attribute::all().map(|own| (own, target.named_slot(own))).collect())
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

/// Every attribute of every mesh: the mesh's number, which of its attributes, and where.
fn all_ranges(parts: &Parts<'_>) -> Vec<(usize, usize, Range)> {
    let of = |(mesh, own): (usize, &&Mesh)| {
        let ranges = Ranges::of(own, parts).0.into_iter().enumerate();
        ranges.map(move |(nth, range)| (mesh, nth, range)).collect::<Vec<_>>()
    };
    parts.meshes.iter().enumerate().flat_map(of).collect()
}

/// A mesh without its attributes.
fn bare(mesh: &Mesh, parts: &Parts<'_>) -> Mesh {
    let mut mesh = mesh.clone();
    Ranges::taken_from(&mut mesh, parts);
    mesh
}

/// The buffers of the result.
struct Store {
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
    fn of(parts: Three<'_, Parts<'_>>) -> Store {
        let mut buffers: Vec<Vec<Use>> = parts.origin.buffers.iter().map(|_| Vec::new()).collect();
        for (mesh, nth, range) in all_ranges(parts.origin) {
            let Some(slot) = range.slot else { continue };
            let start = slot.offset as usize;
            if let Some(uses) = buffers.get_mut(slot.buffer as usize) {
                uses.push(Use { start, end: start.saturating_add(range.size), reach: 0, by: (mesh, nth) });
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
        for (mesh, nth, range) in all_ranges(parts.ours) {
            range.slot.iter().for_each(|slot| _ = users.entry(*slot).or_default().insert((mesh, nth)));
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

    /// A structure of ours with its attributes in the buffers of the origin; `twins` are that of the base and of the
    /// origin. Nothing if there is no room.
    fn place(
        &mut self,
        structure: &Kept<Structure>,
        twins: Option<(&Structure, &Kept<Structure>)>,
        parts: Three<'_, Parts<'_>>,
    ) -> Option<Kept<Structure>> {
        let Structure::Mesh(own) = &**structure else { return Some(structure.clone()) };
        let Some((Structure::Mesh(was), old)) = twins else { return self.put(own, &[], parts.ours) };
        let Structure::Mesh(before) = &**old else { return self.put(own, &[], parts.ours) };
        let (is, was_there, there) =
            (Ranges::of(own, parts.ours).0, Ranges::of(was, parts.base).0, Ranges::of(before, parts.origin).0);
        // Targets or LODs that came or went: nothing corresponds any more.
        if was_there.len() != is.len() || there.len() != is.len() {
            return self.put(own, &[], parts.ours);
        }
        let stays = |((own, was), old): ((&Range, &Range), &Range)| Room {
            slot: old.slot,
            size: old.size,
            same: was.says(own),
        };
        let rooms: Vec<Room> = is.iter().zip(&was_there).zip(&there).map(stays).collect();
        let made = self.put(own, &rooms, parts.ours)?;
        // Where nothing else changed, the origin's words stay, and all of it where each range kept its place.
        let alike = |a: &Mesh, b: &Mesh| bare(a, parts.ours) == bare(b, parts.base);
        if !alike(own, was) {
            return Some(made);
        }
        let Structure::Mesh(new) = &*made else { return Some(made) };
        let slots: Vec<Option<Slot>> = Ranges::of(new, parts.ours).0.iter().map(|range| range.slot).collect();
        if slots.iter().zip(&there).all(|(new, old)| new.is_none() || *new == old.slot) {
            return Some(old.clone());
        }
        Some(made)
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
    fn into_buffers(self, buffers: &[&Kept<Structure>]) -> Vec<Kept<Structure>> {
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
