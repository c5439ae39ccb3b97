//! What an edit of one object may change: a section, found by its GUID. A geometry and its buffers say one thing
//! together, so where one of them is ours, those that a writer would lay out otherwise are ours too.

use std::collections::{HashMap, HashSet};

use wire::Kept;

use super::body::Body;
use super::guid::Guid;
use super::kind::Kind;
use super::layout::{Document, Section};
use super::visit;
use crate::restore::{Merged, Pick, Tally, Three, picks};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    if !origin.variants().is_empty() || origin.order != ours.order {
        return None;
    }
    let mut tally = Tally::default();
    let sections = three.each(|doc| &doc.sections[..]);
    let name = |section: &Section| (section.guid, section.guid.is_none().then(|| section.kind()));
    let mut picks = picks(sections, name, Section::eq, &mut tally)?;
    untie(&mut picks, three);
    complete(&mut picks, three);
    let section = |pick: Pick| match pick {
        Pick::Origin(at) => origin.sections[at].clone(),
        Pick::Ours(at) => ours.sections[at].clone(),
    };
    let mut document = origin.clone();
    if base.header != ours.header {
        *document.header.edit() = (*ours.header).clone();
    }
    tally.count(base.header != ours.header);
    document.sections = picks.into_iter().map(section).collect();
    Some(Merged { document, tally })
}

/// The buffers that a section is read with.
fn buffers(section: &Section) -> Vec<Guid> {
    match &section.body {
        Body::Geometry(body) => vec![body.vertex_buffer, body.indice_buffer, body.morph_buffers],
        Body::Morph(body) => body.morphs.iter().map(|morph| morph.vertex_buffer).collect(),
        _ => Vec::new(),
    }
}

/// Takes those that go with one of ours from ours, unless it makes no difference.
fn untie(picks: &mut [Pick], three: Three<'_, Document>) {
    let Three { origin, base, ours } = three;
    let mut ties: HashMap<Guid, Vec<Guid>> = HashMap::new();
    for section in ours.sections.iter().filter(|section| !section.guid.is_none()) {
        for buffer in buffers(section).into_iter().filter(|buffer| !buffer.is_none()) {
            ties.entry(section.guid).or_default().push(buffer);
            ties.entry(buffer).or_default().push(section.guid);
        }
    }
    let (in_base, in_ours) = (base.index(), ours.index());
    let name = |pick: &Pick| match pick {
        Pick::Origin(at) => origin.sections[*at].guid,
        Pick::Ours(at) => ours.sections[*at].guid,
    };
    let mut places: HashMap<Guid, usize> = HashMap::new();
    picks.iter().enumerate().for_each(|(i, pick)| _ = places.entry(name(pick)).or_insert(i));
    let is_ours = |pick: &&Pick| matches!(pick, Pick::Ours(_));
    let mut open: Vec<Guid> = picks.iter().filter(is_ours).map(name).collect();
    while let Some(guid) = open.pop() {
        for other in ties.get(&guid).into_iter().flatten() {
            let (Some(&place), Some((at, _))) = (places.get(other), in_ours.get(*other)) else { continue };
            if let Pick::Origin(own) = picks[place]
                && in_base.get(*other).is_none_or(|(_, base)| *base != origin.sections[own])
            {
                picks[place] = Pick::Ours(at);
                open.push(*other);
            }
        }
    }
}

/// Adds what sections of ours name and the origin does not have.
fn complete(picks: &mut Vec<Pick>, three: Three<'_, Document>) {
    let Three { origin, ours, .. } = three;
    let in_ours = ours.index();
    let section = |pick: &Pick| -> &Kept<Section> {
        match pick {
            Pick::Origin(at) => &origin.sections[*at],
            Pick::Ours(at) => &ours.sections[*at],
        }
    };
    let mut there: HashSet<Guid> = picks.iter().map(|pick| section(pick).guid).collect();
    let mut missing = Vec::new();
    let mut next = |section: &Section, missing: &mut Vec<Pick>| {
        let mut named = vec![section.settings];
        visit::references(&section.body, &mut |_, guid, _: Kind| named.push(guid));
        for guid in named.into_iter().filter(|guid| !guid.is_none()) {
            if let Some((at, _)) = in_ours.get(guid).filter(|_| there.insert(guid)) {
                missing.push(Pick::Ours(at));
            }
        }
    };
    picks.iter().filter(|pick| matches!(pick, Pick::Ours(_))).for_each(|pick| next(section(pick), &mut missing));
    let mut seen = 0;
    while let Some(pick) = missing.get(seen).copied() {
        next(section(&pick), &mut missing);
        seen += 1;
    }
    picks.extend(missing);
}
