//! What an edit of one object may change: a structure. What base and ours have of the same kind and number is the same
//! one, and [`Twins`] say which of the origin it was made of. A structure that somebody changed takes the place of that,
//! and names what it names by the numbers of the result.

mod buffers;
mod twins;

use std::collections::{BTreeMap, HashMap, HashSet};

use wire::Kept;

use self::buffers::{Ranges, Store};
use self::twins::{Twins, Unit};
use super::document::{Document, Parts};
use super::form::Kind;
use super::layout::NONE;
use super::links::{links, relink};
use super::structure::Structure;
use crate::restore::{Merged, Pick, Tally, Three};

/// Structures by kind.
type Lists<'a> = BTreeMap<Kind, Vec<&'a Kept<Structure>>>;

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    if origin.form != ours.form {
        return None;
    }
    let parts = Three { origin: &origin.parts(), base: &base.parts(), ours: &ours.parts() };
    let twins = Twins::of(parts.origin, parts.base)?;
    let lists = Three { origin: &by_kind(origin), base: &by_kind(base), ours: &by_kind(ours) };
    let mut tally = Tally::default();
    let made = Made::of(lists, &twins, parts, &mut tally);
    let mut store = Store::of(parts, &twins);
    let mut merged: BTreeMap<Kind, Vec<Kept<Structure>>> = BTreeMap::new();
    for (kind, picks) in &made.of {
        let one = |(number, pick): (usize, &Pick)| match *pick {
            Pick::Origin(at) => Some(made.linked(unit(lists.origin, (*kind, at))?, true)),
            Pick::Ours(at) => {
                let was = unit(lists.base, (*kind, at));
                let old = twins.get((*kind, at));
                // A copy of what is still there has no place of its own.
                let stays = old.is_some_and(|old| made.takes_place_of((*kind, old), number));
                let old = old.and_then(|old| unit(lists.origin, (*kind, old)));
                let own = unit(lists.ours, (*kind, at))?;
                let (placed, is_old) = store.place(own, was.map(|was| &**was).zip(old), stays, parts)?;
                let mut linked = made.linked(&placed, is_old);
                made.keep_idle_group(&mut linked, was, old, &twins);
                Some(linked)
            }
        };
        merged.insert(*kind, picks.iter().enumerate().map(one).collect::<Option<_>>()?);
    }
    let mut document = origin.clone();
    let buffers = lists.origin.get(&Kind::BUFFER).map_or(&[][..], Vec::as_slice);
    merged.insert(Kind::BUFFER, store.into_buffers(buffers));
    document.structures = in_order(origin, merged);
    document.stored = None;
    merge_header(&mut document, three, &made, &mut tally);
    Some(Merged { document, tally })
}

fn unit<'a>(lists: &Lists<'a>, (kind, number): Unit) -> Option<&'a Kept<Structure>> {
    lists.get(&kind)?.get(number).copied()
}

/// Which structures the result is made of.
#[derive(Default)]
struct Made {
    of: BTreeMap<Kind, Vec<Pick>>,
    /// The numbers that structures of the origin and of ours have there.
    origin: HashMap<Unit, u32>,
    ours: HashMap<Unit, u32>,
    /// How many the origin had.
    counts: HashMap<Kind, usize>,
}

impl Made {
    fn of(lists: Three<'_, Lists<'_>>, twins: &Twins, parts: Three<'_, Parts<'_>>, tally: &mut Tally) -> Made {
        let changed = changed(lists, twins, parts);
        let taken = taken(lists.ours, twins, &changed);
        let mut made = Made::default();
        for kind in Kind::TOP.into_iter().filter(|kind| *kind != Kind::BUFFER) {
            let count = |lists: &Lists<'_>| lists.get(&kind).map_or(0, Vec::len);
            // What stands at the place of each of the origin: itself if one that it became is as it was.
            let mut picks: Vec<Option<Pick>> =
                (0..count(lists.origin)).map(|at| (twins.made_of(kind, at) == 0).then_some(Pick::Origin(at))).collect();
            for at in 0..count(lists.ours) {
                let is_changed = changed.contains(&(kind, at));
                let Some(old) = twins.get((kind, at)) else {
                    if taken.contains(&(kind, at)) {
                        tally.count(is_changed);
                    }
                    continue;
                };
                tally.count(is_changed);
                match (is_changed, picks[old]) {
                    (false, _) => picks[old] = Some(Pick::Origin(old)),
                    (true, None) => picks[old] = Some(Pick::Ours(at)),
                    (true, Some(_)) => {}
                }
            }
            made.counts.insert(kind, picks.len());
            let list = made.of.entry(kind).or_default();
            for (old, pick) in picks.iter().enumerate().filter_map(|(old, pick)| Some((old, (*pick)?))) {
                made.origin.insert((kind, old), number(list.len()));
                list.push(pick);
            }
            for at in 0..count(lists.ours) {
                // What was changed alike is still one.
                let own = |at: usize| unit(lists.ours, (kind, at));
                let old = twins.get((kind, at)).filter(|old| match picks[*old] {
                    Some(Pick::Ours(first)) => own(first) == own(at),
                    _ => !changed.contains(&(kind, at)),
                });
                let known = old.and_then(|old| made.origin.get(&(kind, old)).copied());
                if known.is_none() && !taken.contains(&(kind, at)) {
                    continue;
                }
                let number = known.unwrap_or_else(|| {
                    list.push(Pick::Ours(at));
                    number(list.len() - 1)
                });
                made.ours.insert((kind, at), number);
            }
        }
        made
    }

    fn takes_place_of(&self, old: Unit, number: usize) -> bool {
        self.origin.get(&old).is_some_and(|own| *own as usize == number)
    }

    /// Lets a node show what it showed in the origin if that draws nothing, and so is not in glTF.
    fn keep_idle_group(
        &self,
        own: &mut Kept<Structure>,
        was: Option<&Kept<Structure>>,
        old: Option<&Kept<Structure>>,
        twins: &Twins,
    ) {
        let shown = |node: &Structure| match node {
            Structure::Node(node) => node.mesh_group_id,
            _ => NONE,
        };
        let ([Some(was), Some(old)], NONE) = ([was, old], shown(own)) else { return };
        let group = shown(old) as usize;
        let is_idle = shown(was) == NONE && twins.made_of(Kind::MESH_GROUP, group) == 0;
        let group = self.origin.get(&(Kind::MESH_GROUP, group)).filter(|_| is_idle);
        if let (Some(group), Structure::Node(_)) = (group, &**own)
            && let Structure::Node(node) = own.edit()
        {
            node.mesh_group_id = *group;
        }
    }

    /// A structure of the origin or of ours that names what it names by the numbers of the result.
    fn linked(&self, structure: &Kept<Structure>, is_old: bool) -> Kept<Structure> {
        let numbers = if is_old { &self.origin } else { &self.ours };
        let find = |kind: Kind, id: u32| match numbers.get(&(kind, id as usize)) {
            // What led nowhere does so still.
            None if is_old && id as usize >= self.counts.get(&kind).copied().unwrap_or(0) => Some(id),
            found => found.copied(),
        };
        let mut linked = structure.clone();
        if links(structure).into_iter().any(|(kind, id)| id != NONE && find(kind, id) != Some(id)) {
            relink(linked.edit(), &mut |kind, id| find(kind, id));
        }
        linked
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

/// What somebody changed, and what names such that has no place of its own in the origin.
fn changed(lists: Three<'_, Lists<'_>>, twins: &Twins, parts: Three<'_, Parts<'_>>) -> HashSet<Unit> {
    let mut changed = HashSet::new();
    let mut namers: HashMap<Unit, Vec<Unit>> = HashMap::new();
    for (kind, list) in lists.ours.iter().filter(|(kind, _)| **kind != Kind::BUFFER) {
        for (at, own) in list.iter().enumerate() {
            let was = unit(lists.base, (*kind, at));
            if !was.is_some_and(|was| same(was, own, parts)) {
                changed.insert((*kind, at));
            }
            for (to, id) in links(own) {
                namers.entry((to, id as usize)).or_default().push((*kind, at));
            }
        }
    }
    let mut open: Vec<Unit> = changed.iter().copied().collect();
    while let Some(unit) = open.pop() {
        if twins.get(unit).is_some_and(|old| twins.made_of(unit.0, old) == 1) {
            continue;
        }
        open.extend(namers.get(&unit).into_iter().flatten().filter(|namer| changed.insert(**namer)));
    }
    changed
}

/// What of ours is in the result although the origin has nothing like it: what somebody changed or added, and what that
/// names.
fn taken(ours: &Lists<'_>, twins: &Twins, changed: &HashSet<Unit>) -> HashSet<Unit> {
    let mut taken = changed.clone();
    let mut open: Vec<Unit> = changed.iter().copied().collect();
    while let Some(own) = open.pop() {
        for (kind, id) in unit(ours, own).map(|own| links(own)).unwrap_or_default() {
            let named = (kind, id as usize);
            if twins.get(named).is_none() && unit(ours, named).is_some() && taken.insert(named) {
                open.push(named);
            }
        }
    }
    taken
}

/// The origin's header unless somebody changed it; the level and the counters are no one's to edit.
fn merge_header(document: &mut Document, three: Three<'_, Document>, made: &Made, tally: &mut Tally) {
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
        let first = (Kind::SCENE, ours.header.default_scene_index as usize);
        header.default_scene_index = made.ours.get(&first).copied().unwrap_or(0);
    }
    if origin.is_counted() {
        document.fill_counters();
    }
}

fn by_kind(doc: &Document) -> Lists<'_> {
    let mut lists = Lists::new();
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
            x == y && was.say(&is)
        }
        (a, b) => a == b,
    }
}
