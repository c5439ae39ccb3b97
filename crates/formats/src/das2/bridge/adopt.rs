//! Structures of the file that a scene was made of, where they say the same: as they lie there.

use std::collections::HashMap;

use super::super::document::Document;
use super::super::form::Kind;

/// Takes them. An id is a place among structures of one kind, so each is compared with the one of its number.
pub(super) fn adopt(document: &mut Document, origin: &Document) {
    if document.form != origin.form {
        return;
    }
    let mut places: HashMap<Kind, Vec<usize>> = HashMap::new();
    for (i, structure) in origin.structures.iter().enumerate() {
        places.entry(structure.kind()).or_default().push(i);
    }
    let mut counts: HashMap<Kind, usize> = HashMap::new();
    for structure in &mut document.structures {
        let kind = structure.kind();
        let number = counts.entry(kind).or_default();
        let own = places.get(&kind).and_then(|own| own.get(*number)).map(|at| &origin.structures[*at]);
        *number += 1;
        if let Some(own) = own.filter(|own| *own == structure) {
            *structure = own.clone();
        }
    }
    if document.header == origin.header {
        document.header = origin.header.clone();
    }
}
