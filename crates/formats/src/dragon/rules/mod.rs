//! What can be wrong with a DRAGON file.

mod links;
mod mesh;
mod rig;
mod structure;
mod transforms;
mod values;
mod vertex;
mod wire;

pub(super) use links::*;
pub(super) use mesh::*;
pub(super) use rig::*;
pub(super) use structure::*;
pub(super) use transforms::*;
pub(super) use values::*;
pub(super) use vertex::*;
pub(super) use wire::*;

use ::wire::Kept;
use findings::{Place, Rule};

use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::{Document, Section};

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DRG_001, &DRG_002, &DRG_003, &DRG_004, &DRG_005, &DRG_006, &DRG_007, &DRG_008, &DRG_009, &DRG_010, &DRG_011,
    &DRG_012, &DRG_013, &DRG_014, &DRG_015, &DRG_016, &DRG_017, &DRG_018, &DRG_019, &DRG_020, &DRG_021, &DRG_022,
    &DRG_023, &DRG_024, &DRG_025, &DRG_026, &DRG_027, &DRG_028, &DRG_029, &DRG_030, &DRG_031, &DRG_032, &DRG_033,
    &DRG_034, &DRG_035, &DRG_036, &DRG_037, &DRG_038, &DRG_039, &DRG_040, &DRG_041, &DRG_042, &DRG_043, &DRG_044,
    &DRG_045, &DRG_046, &DRG_047, &DRG_048, &DRG_049, &DRG_050, &DRG_051, &DRG_052, &DRG_053, &DRG_054, &DRG_055,
    &DRG_056, &DRG_057, &DRG_058, &DRG_059, &DRG_060,
];

/// A field of a section.
fn place(section: usize, field: &str) -> Place {
    let section = Place::path("sections").nth(section);
    if field.is_empty() { section } else { section.field(field) }
}

fn sections(doc: &Document) -> impl Iterator<Item = (usize, &Kept<Section>)> {
    doc.sections.iter().enumerate()
}

fn name_of(section: &Section) -> &'static str {
    section.kind().map_or("the section", Kind::name)
}
