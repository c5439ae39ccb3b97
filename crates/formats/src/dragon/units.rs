//! What an edit of one object may change: a section, found by its GUID. Buffers, morphs and tracks have no names in a
//! scene: they are found through the GEOMETRY, MORPH or ANIMATE that names them. Those and their owner say one thing
//! together, so where one of them is ours, those that a writer would lay out otherwise are ours too.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use wire::Kept;

use super::bridge::moved_cubes;
use super::visit;
use crate::dragon::layout::body::{Body, Geometry};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::{Document, Index, Section};
use crate::restore::{Merged, Pick, Tally, Three, picks};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    if !origin.variants().is_empty() || origin.order != ours.order {
        return None;
    }
    let named = origin.index();
    let base = renamed(base, &names(base, origin, &named));
    let ours = renamed(ours, &names(ours, &base, &named));
    let three = Three { origin, base: &*base, ours: &*ours };
    let mut tally = Tally::default();
    let name = |section: &Section| (section.guid, section.guid.is_none().then(|| section.kind()));
    let mut merge = Merge {
        picks: picks(three.each(|doc| &doc.sections[..]), name, Section::eq, &mut tally)?,
        three,
        in_origin: named,
        in_base: base.index(),
        in_ours: ours.index(),
        edited: HashMap::new(),
    };
    merge.keep_bodies();
    merge.follow()?;
    merge.untie()?;
    merge.complete();
    let mut document = origin.clone();
    let (was, is) = (&*base.header, &*ours.header);
    if was.settings != is.settings {
        document.header.edit().settings = is.settings;
    }
    if was.up_direction != is.up_direction {
        document.header.edit().up_direction = is.up_direction;
    }
    tally.count(was != is);
    document.sections = merge.picks.iter().map(|pick| merge.section(*pick)).collect();
    Some(Merged { document, tally })
}

/// A place in a section where it names a part of its own.
#[derive(PartialEq, Eq, Hash)]
enum Slot {
    Settings,
    Vertices,
    Indices,
    Morphs,
    Palette,
    Morph(usize),
    /// What moves a bone in some way.
    Track(i32, String),
}

/// The parts of a section that have no names in a scene.
fn parts(section: &Section, all: &Index<'_>) -> Vec<(Slot, Guid)> {
    let mut parts = match &section.body {
        Body::Geometry(body) => vec![
            (Slot::Vertices, body.vertex_buffer),
            (Slot::Indices, body.indice_buffer),
            (Slot::Morphs, body.morph_buffers),
        ],
        Body::Morph(body) => {
            body.morphs.iter().enumerate().map(|(i, morph)| (Slot::Morph(i), morph.vertex_buffer)).collect()
        }
        Body::VoxelObj(body) => vec![(Slot::Palette, body.voxel_palette)],
        Body::Animate(body) => {
            let slot = |bone: i32, track: Guid| match all.body(track) {
                Some(Body::AniTrack(track)) => {
                    let word = track.target.to_string().to_ascii_uppercase();
                    let word = if ["TRANSLATION", "LOCATION"].contains(&&word[..]) { "POSITION".into() } else { word };
                    Slot::Track(if word.starts_with("MORPH:") { -1 } else { bone }, word)
                }
                _ => Slot::Track(bone, String::new()),
            };
            body.tracks.iter().map(|track| (slot(track.bone, track.track), track.track)).collect()
        }
        _ => Vec::new(),
    };
    parts.push((Slot::Settings, section.settings));
    parts.retain(|(_, guid)| !guid.is_none());
    parts
}

/// How often each part is named.
fn uses(doc: &Document, index: &Index<'_>) -> HashMap<Guid, usize> {
    let mut uses = HashMap::new();
    let parts = doc.sections.iter().flat_map(|section| parts(section, index));
    parts.for_each(|(_, guid)| *uses.entry(guid).or_default() += 1);
    uses
}

/// What parts of a document are called in another one whose owners have the same names. A part that several name is
/// none of one owner alone; one that the origin does not have is the same only if it says the same.
fn names(of: &Document, like: &Document, origin: &Index<'_>) -> HashMap<Guid, Guid> {
    let (here, there) = (of.index(), like.index());
    let (own_uses, uses) = (uses(of, &here), uses(like, &there));
    let mut names: HashMap<Guid, Guid> = HashMap::new();
    let mut taken = HashSet::new();
    let twins = of.sections.iter().filter_map(|section| Some((&**section, &**there.get(section.guid)?.1)));
    let mut open: Vec<(&Section, &Section)> = twins.filter(|(own, other)| own.kind() == other.kind()).collect();
    while let Some((own, other)) = open.pop() {
        let theirs: HashMap<Slot, Guid> = parts(other, &there).into_iter().collect();
        for (slot, part) in parts(own, &here) {
            let Some(&name) = theirs.get(&slot).filter(|name| **name != part && here.get(**name).is_none()) else {
                continue;
            };
            let (Some((_, a)), Some((_, b))) = (here.get(part), there.get(name)) else { continue };
            let alone = own_uses.get(&part) == Some(&1) && uses.get(&name) == Some(&1) && a.kind() == b.kind();
            let is_it = origin.get(name).is_some() || a.body == b.body;
            if alone && is_it && there.get(part).is_none() && taken.insert(name) {
                names.insert(part, name);
                open.push((a, b));
            }
        }
    }
    names
}

/// A document with other names in it.
fn renamed<'d>(doc: &'d Document, names: &HashMap<Guid, Guid>) -> Cow<'d, Document> {
    let mut out = Cow::Borrowed(doc);
    if names.is_empty() {
        return out;
    }
    let name = |guid: Guid| names.get(&guid).copied().unwrap_or(guid);
    for (i, section) in doc.sections.iter().enumerate() {
        let mut is_named = [section.guid, section.settings].iter().any(|guid| names.contains_key(guid));
        visit::references(&section.body, &mut |_, guid, _| is_named |= names.contains_key(&guid));
        if is_named {
            let section = out.to_mut().sections[i].edit();
            (section.guid, section.settings) = (name(section.guid), name(section.settings));
            visit::rename(&mut section.body, &mut |guid| name(guid));
        }
    }
    out
}

/// Everything that a section refers to.
fn references(section: &Section) -> Vec<Guid> {
    let mut named = vec![section.settings];
    visit::references(&section.body, &mut |_, guid, _: Kind| named.push(guid));
    named.retain(|guid| !guid.is_none());
    named
}

/// A merge under way.
struct Merge<'a> {
    picks: Vec<Pick>,
    three: Three<'a, Document>,
    in_origin: Index<'a>,
    in_base: Index<'a>,
    in_ours: Index<'a>,
    /// Sections of the origin in which one thing is another: cubes that stand elsewhere, meshes with another name.
    edited: HashMap<usize, Section>,
}

impl Merge<'_> {
    fn picked(&self, pick: Pick) -> &Kept<Section> {
        match pick {
            Pick::Origin(at) => &self.three.origin.sections[at],
            Pick::Ours(at) => &self.three.ours.sections[at],
        }
    }

    /// A section of the result. What is unchanged in the head of one of ours is the origin's.
    fn section(&self, pick: Pick) -> Kept<Section> {
        let section = self.picked(pick);
        match pick {
            Pick::Origin(at) => {
                self.edited.get(&at).map_or_else(|| section.clone(), |edited| Kept::new(edited.clone()))
            }
            Pick::Ours(_) => {
                let mut section = section.clone();
                let (origin, base) = (self.in_origin.get(section.guid), self.in_base.get(section.guid));
                if let (Some((_, origin)), Some((_, base))) = (origin, base) {
                    let settings = if base.settings == section.settings { origin.settings } else { section.settings };
                    let own = section.edit();
                    (own.version, own.settings) = (origin.version, settings);
                }
                section
            }
        }
    }

    /// Faces of cubes that somebody moved are still cubes, and a mesh with another name has the same buffers.
    fn keep_bodies(&mut self) {
        for i in 0..self.picks.len() {
            let Pick::Ours(at) = self.picks[i] else { continue };
            let is = &self.three.ours.sections[at];
            let (Some((own, origin)), Some((_, was))) = (self.in_origin.get(is.guid), self.in_base.get(is.guid)) else {
                continue;
            };
            let body = match (&origin.body, &was.body, &is.body) {
                (Body::VoxelObj(cubes), Body::Object(was), Body::Object(is)) => {
                    let shows_the_same = (was.geometry, was.material) == (is.geometry, is.material);
                    moved_cubes(cubes, was, is).filter(|_| shows_the_same).map(Body::from)
                }
                (Body::Geometry(mesh), Body::Geometry(was), Body::Geometry(is)) => {
                    let named = |mesh: &Geometry| Geometry { name: is.name.clone(), ..mesh.clone() };
                    (named(was) == *is).then(|| named(mesh).into())
                }
                _ => None,
            };
            let Some(body) = body else { continue };
            let settings = if was.settings == is.settings { origin.settings } else { is.settings };
            self.edited.insert(own, Section { settings, body, ..(**origin).clone() });
            self.picks[i] = Pick::Origin(own);
        }
    }

    /// Takes from ours what names something that somebody changed and the origin does not have. Nothing if at the end
    /// of such a chain is what the origin does not have either: it said the same in other sections.
    fn follow(&mut self) -> Option<()> {
        let ours = self.three.ours;
        let mut naming: HashMap<Guid, Vec<usize>> = HashMap::new();
        for (i, section) in ours.sections.iter().enumerate() {
            references(section).into_iter().for_each(|guid| naming.entry(guid).or_default().push(i));
        }
        let places = self.places();
        let is_other =
            |section: &&Kept<Section>| self.in_base.get(section.guid).is_none_or(|(_, base)| base != *section);
        let fresh = ours.sections.iter().filter(|section| self.in_origin.get(section.guid).is_none());
        let mut open: Vec<Guid> = fresh.filter(is_other).map(|section| section.guid).collect();
        let mut met: HashSet<Guid> = open.iter().copied().collect();
        while let Some(guid) = open.pop() {
            let above = naming.get(&guid).map_or(&[][..], Vec::as_slice);
            if above.is_empty() && self.in_base.get(guid).is_some() {
                return None;
            }
            for &at in above {
                let own = ours.sections[at].guid;
                match places.get(&own) {
                    Some(&place) => self.picks[place] = Pick::Ours(at),
                    None if met.insert(own) => open.push(own),
                    None => {}
                }
            }
        }
        Some(())
    }

    /// Where each name is among what is picked.
    fn places(&self) -> HashMap<Guid, usize> {
        let mut places = HashMap::new();
        let named = self.picks.iter().map(|pick| self.picked(*pick).guid).enumerate();
        named.filter(|(_, guid)| !guid.is_none()).for_each(|(i, guid)| _ = places.entry(guid).or_insert(i));
        places
    }

    /// The parts that a section cannot be read without.
    fn ties(&self, section: &Section) -> Vec<Guid> {
        if let Body::Animate(own) = &section.body {
            let rate = |index: &Index<'_>| match index.body(section.guid) {
                Some(Body::Animate(animate)) => animate.framerate,
                _ => own.framerate,
            };
            if rate(&self.in_base) == rate(&self.in_origin) && rate(&self.in_origin) == own.framerate {
                return Vec::new();
            }
        }
        let parts = parts(section, &self.in_ours).into_iter();
        parts.filter(|(slot, _)| *slot != Slot::Settings).map(|(_, part)| part).collect()
    }

    /// Takes those that go with one of ours from ours, unless it makes no difference. Nothing if one of them says only
    /// a part of what the origin says, and another section, which the origin does not have, the rest.
    fn untie(&mut self) -> Option<()> {
        let ours = self.three.ours;
        let mut ties: HashMap<Guid, Vec<Guid>> = HashMap::new();
        for section in ours.sections.iter().filter(|section| !section.guid.is_none()) {
            for part in self.ties(section) {
                ties.entry(section.guid).or_default().push(part);
                ties.entry(part).or_default().push(section.guid);
            }
        }
        let places = self.places();
        let is_ours = |pick: &&Pick| matches!(pick, Pick::Ours(_));
        let mut open: Vec<Guid> = self.picks.iter().filter(is_ours).map(|pick| self.picked(*pick).guid).collect();
        while let Some(guid) = open.pop() {
            for other in ties.get(&guid).into_iter().flatten() {
                let (Some(&place), Some((at, _))) = (places.get(other), self.in_ours.get(*other)) else { continue };
                if let Pick::Origin(own) = self.picks[place]
                    && self.in_base.get(*other).is_none_or(|(_, base)| *base != self.three.origin.sections[own])
                {
                    self.picks[place] = Pick::Ours(at);
                    open.push(*other);
                }
            }
        }
        let is_split = self.picks.iter().filter(is_ours).any(|pick| self.is_part(self.picked(*pick)));
        (!is_split).then_some(())
    }

    /// Whether a section says a part of what the origin's says, and one that the origin does not have the rest.
    fn is_part(&self, section: &Section) -> bool {
        let size = |index: &Index<'_>| match index.body(section.guid)? {
            Body::Geometry(body) => Some(body.meshes.len()),
            Body::Animate(body) => Some(body.tracks.len()),
            _ => None,
        };
        let is_rest = |other: &Section| match (&section.body, &other.body) {
            (Body::Geometry(own), Body::Geometry(other)) => {
                own.name == other.name && own.vertex_buffer != other.vertex_buffer
            }
            (Body::Animate(_), Body::Animate(_)) => true,
            _ => false,
        };
        let Some((base, origin)) = size(&self.in_base).zip(size(&self.in_origin)) else { return false };
        let mut others = self.three.ours.sections.iter().filter(|other| other.settings == section.settings);
        base < origin && others.any(|other| self.in_origin.get(other.guid).is_none() && is_rest(other))
    }

    /// Adds what sections of ours name and the origin does not have.
    fn complete(&mut self) {
        let mut there: HashSet<Guid> = self.picks.iter().map(|pick| self.picked(*pick).guid).collect();
        let mut seen = 0;
        while let Some(pick) = self.picks.get(seen).copied() {
            seen += 1;
            let is_edited = matches!(pick, Pick::Origin(at) if self.edited.contains_key(&at));
            if !is_edited && matches!(pick, Pick::Origin(_)) {
                continue;
            }
            for guid in references(&self.section(pick)) {
                if let Some((at, _)) = self.in_ours.get(guid).filter(|_| there.insert(guid)) {
                    self.picks.push(Pick::Ours(at));
                }
            }
        }
    }
}
