//! What can be wrong with an OBJ file and its material libraries, by stage.

mod faults;
mod links;
mod places;
mod structure;
mod text;
mod values;

pub(super) use faults::{Fault, Faults, What};
pub(super) use links::*;
pub(super) use places::locate;
pub(super) use structure::*;
pub(super) use text::*;
pub(super) use values::*;

use findings::Rule;

use super::layout::Document;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &OBJ_001, &OBJ_002, &OBJ_003, &OBJ_004, &OBJ_005, &OBJ_006, &OBJ_007, &OBJ_008, &OBJ_009, &OBJ_010, &OBJ_011,
    &OBJ_012, &OBJ_013, &OBJ_014, &OBJ_015, &OBJ_016, &OBJ_017, &OBJ_018, &OBJ_019, &OBJ_020, &OBJ_021, &OBJ_022,
    &OBJ_023, &OBJ_024, &OBJ_025, &OBJ_026, &OBJ_027, &OBJ_028, &OBJ_029, &OBJ_030, &OBJ_031,
];
