//! What can be wrong with a das2 file.
//!
//! `check --dialect engine` asks about the library at its last commit, with its defects: what is right by the document
//! but fails there is worth an info, and an error when the user asks about the engine.

mod animations;
mod attributes;
mod engine;
mod header;
mod links;
mod meshes;
mod nodes;
mod skins;
mod strings;
mod wire;
mod write;

pub(super) use animations::*;
pub(super) use attributes::*;
pub(super) use engine::*;
pub(super) use header::*;
pub(super) use links::*;
pub(super) use meshes::*;
pub(super) use nodes::*;
pub(super) use skins::*;
pub(super) use strings::*;
pub(super) use wire::*;
pub(super) use write::*;

use findings::{Checker, Place, Rule, Severity};

use super::attributes::{Attribute, Slot};
use super::document::{Document, Parts};
use super::form::Kind;
use super::layout::Mesh;
use super::links::each_lod;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DAS2_001, &DAS2_002, &DAS2_003, &DAS2_004, &DAS2_005, &DAS2_006, &DAS2_007, &DAS2_008, &DAS2_009, &DAS2_010,
    &DAS2_011, &DAS2_012, &DAS2_013, &DAS2_014, &DAS2_015, &DAS2_016, &DAS2_017, &DAS2_018, &DAS2_019, &DAS2_020,
    &DAS2_021, &DAS2_022, &DAS2_023, &DAS2_024, &DAS2_025, &DAS2_026, &DAS2_027, &DAS2_028, &DAS2_029, &DAS2_030,
    &DAS2_031, &DAS2_032, &DAS2_033, &DAS2_034, &DAS2_035, &DAS2_036, &DAS2_037, &DAS2_038, &DAS2_039, &DAS2_040,
    &DAS2_041, &DAS2_042, &DAS2_043, &DAS2_044, &DAS2_045, &DAS2_046, &DAS2_047, &DAS2_048, &DAS2_049, &DAS2_050,
    &DAS2_051, &DAS2_052, &DAS2_053,
];

/// The place of a structure.
fn place(doc: &Document, kind: Kind, id: usize) -> Place {
    Place::path(doc.list(kind)).nth(id)
}

/// Calls `see` with every mesh, its LODs included, and its place.
fn each_mesh(doc: &Document, parts: &Parts<'_>, mut see: impl FnMut(&Mesh, Place)) {
    for (i, mesh) in parts.meshes.iter().enumerate() {
        let root = place(doc, Kind::MESH, i);
        each_lod(mesh, &mut |mesh, inside| {
            let inside = inside.strip_suffix('.');
            see(mesh, inside.map_or_else(|| root.clone(), |inside| root.field(inside)));
        });
    }
}

/// The field that says where an attribute of a mesh is.
fn offset_of(mesh: &Place, attribute: Attribute) -> Place {
    let (field, nth) = attribute.field();
    let place = mesh.field(field);
    nth.map_or_else(|| place.clone(), |nth| place.nth(nth))
}

/// The bytes of one element of an attribute.
fn element(doc: &Document, parts: &Parts<'_>, slot: Slot, size: usize, index: usize) -> Place {
    let path = place(doc, Kind::BUFFER, slot.buffer as usize).field("data").path;
    let offset = u64::from(slot.offset) + (index * size) as u64;
    let bytes = u32::try_from(offset).ok().and_then(|offset| parts.bytes(Slot { offset, ..slot }, size));
    bytes.map_or_else(|| Place::path(path.clone()), |bytes| Place::blob(path.clone(), &bytes))
}

/// How bad something is that only the library stumbles over.
fn for_engine(cx: &Checker<'_>) -> Severity {
    if cx.asked_for_engine() { Severity::Error } else { Severity::Info }
}

fn list(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", values.join(", "))
}

fn quoted(text: &[u8]) -> String {
    const SHOWN: usize = 60;
    let shown = String::from_utf8_lossy(&text[..text.len().min(SHOWN)]).into_owned();
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("\"{}{more}\"", findings::render::escape(&shown))
}
