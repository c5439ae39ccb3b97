//! What an edit of one object may change: a piece, found by its place among those that stayed.

use scene::Topology;
use wire::Kept;

use super::layout::{Document, Header, Piece};
use crate::restore::{Merged, Tally, Three, row};

pub(super) fn merge(three: Three<'_, Document>) -> Option<Merged<Document>> {
    let Three { origin, base, ours } = three;
    let mut tally = Tally::default();
    let pieces = three.each(|doc| &doc.pieces[..]);
    let pieces = row(pieces, &mut tally).or_else(|| row_of_drawn(pieces, &mut tally))?;
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
        document.count_pieces();
        if document.header == old {
            document.header = old;
        }
    }
    Some(Merged { document, tally })
}

/// The same where pieces of the origin draw nothing, and so are nowhere else: they stay at their places.
fn row_of_drawn(three: Three<'_, [Kept<Piece>]>, tally: &mut Tally) -> Option<Vec<Kept<Piece>>> {
    let drawn: Vec<Kept<Piece>> = three.origin.iter().filter(|piece| draws(piece)).cloned().collect();
    let mut pieces = row(Three { origin: &drawn[..], ..three }, tally)?;
    for (at, idle) in three.origin.iter().enumerate().filter(|(_, piece)| !draws(piece)) {
        pieces.insert(at.min(pieces.len()), idle.clone());
    }
    Some(pieces)
}

/// Whether a piece has a whole face, line or point.
fn draws(piece: &Piece) -> bool {
    let count = piece.vertices.len() as u64;
    piece.mode.topology().is_none_or(|topology| match topology {
        Topology::Points => count > 0,
        faces if faces.is_surface() => faces.triangles(count) > 0,
        _ => count > 1,
    })
}
