//! What an edit of one object may change: a piece, found by its place among those that stayed.

use super::bridge::count_pieces;
use super::layout::{Document, Header};
use crate::restore::{Merged, Tally, Three, row};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    let mut tally = Tally::default();
    let pieces = row(three.each(|doc| &doc.pieces[..]), &mut tally)?;
    let mut document = Document { pieces, ..origin.clone() };
    let uncounted = |doc: &Document| Header { piece_count: 0, model_length: 0, ..(*doc.header).clone() };
    let renamed = uncounted(base) != uncounted(ours);
    let resized = tally.changed > 0;
    tally.count(renamed);
    if renamed {
        *document.header.edit() = (*ours.header).clone();
    }
    if resized || renamed {
        let old = document.header.clone();
        count_pieces(&mut document);
        if document.header == old {
            document.header = old;
        }
    }
    Some(Merged { document, tally })
}
