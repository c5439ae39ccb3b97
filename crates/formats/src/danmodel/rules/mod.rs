//! What can be wrong with a DanModel file.

mod structure;
mod values;
mod wire;

pub(super) use structure::*;
pub(super) use values::*;
pub(super) use wire::*;

use findings::{Place, Rule};

use super::layout::{Document, Piece};

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DAN_001, &DAN_002, &DAN_003, &DAN_004, &DAN_005, &DAN_006, &DAN_007, &DAN_008, &DAN_009, &DAN_010, &DAN_011,
    &DAN_012, &DAN_013, &DAN_014, &DAN_015, &DAN_016, &DAN_017, &DAN_018, &DAN_019, &DAN_020, &DAN_021, &DAN_022,
    &DAN_023, &DAN_024, &DAN_025, &DAN_026,
];

fn pieces(doc: &Document) -> impl Iterator<Item = (&Piece, Place)> {
    doc.pieces.iter().enumerate().map(|(i, piece)| (&**piece, Place::path("pieces").nth(i)))
}
