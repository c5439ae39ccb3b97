//! What can be wrong with a DRAGON file.

mod structure;
mod wire;

pub(super) use structure::*;
pub(super) use wire::*;

use findings::{Place, Rule};

use super::layout::Document;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DRG_001, &DRG_002, &DRG_003, &DRG_004, &DRG_005, &DRG_006, &DRG_007, &DRG_008, &DRG_009, &DRG_010, &DRG_011,
    &DRG_012, &DRG_020, &DRG_023, &DRG_024, &DRG_028, &DRG_032, &DRG_058, &DRG_059,
];

/// A field of a section.
fn place(section: usize, field: &str) -> Place {
    let section = Place::path("sections").nth(section);
    if field.is_empty() { section } else { section.field(field) }
}
