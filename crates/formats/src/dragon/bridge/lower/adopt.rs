//! The sections of the file that a scene was made of, where they say the same: in their order and as they lie.

use std::collections::HashMap;

use wire::Kept;

use super::super::super::guid::Guid;
use super::super::super::layout::{Document, Section};

pub(super) fn adopt(document: &mut Document, origin: &Document) {
    // Bytes of another layout or order stay where they are.
    if !origin.variants().is_empty() || document.order != origin.order {
        return;
    }
    let mut places: HashMap<Guid, Vec<usize>> = HashMap::new();
    for (i, section) in origin.sections.iter().enumerate().rev() {
        places.entry(section.guid).or_default().push(i);
    }
    let mut last = 0;
    let mut placed: Vec<(usize, Kept<Section>)> = Vec::with_capacity(document.sections.len());
    for section in std::mem::take(&mut document.sections) {
        let same = |at: &mut usize| !section.guid.is_none() || *origin.sections[*at] == *section;
        let own = places.get_mut(&section.guid).and_then(|own| own.pop_if(same));
        last = own.unwrap_or(last);
        let section = own.map(|at| &origin.sections[at]).filter(|old| **old == section).cloned().unwrap_or(section);
        placed.push((last, section));
    }
    placed.sort_by_key(|(at, _)| *at);
    document.sections = placed.into_iter().map(|(_, section)| section).collect();
    if document.header == origin.header {
        document.header = origin.header.clone();
    }
    document.tail = origin.tail.clone();
    document.form = origin.form.clone();
}
