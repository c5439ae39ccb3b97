//! What can be wrong with a DGL3 file.
//!
//! The engine's loader knows neither skeletal nor morph blocks, loads no other files and reads entities in one order
//! only: what is right by the document but breaks there is worth an info, and an error when the user asks about the
//! engine.

mod animation;
mod links;
mod mesh;
mod placement;
mod wire;

pub(super) use animation::*;
pub(super) use links::*;
pub(super) use mesh::*;
pub(super) use placement::*;
pub(super) use wire::*;

use findings::{Checker, Place, Rule, Severity};

use super::layout::{Body, Document};

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &DGL3_001, &DGL3_002, &DGL3_003, &DGL3_004, &DGL3_005, &DGL3_006, &DGL3_007, &DGL3_008, &DGL3_009, &DGL3_010,
    &DGL3_011, &DGL3_012, &DGL3_013, &DGL3_014, &DGL3_015, &DGL3_016, &DGL3_017, &DGL3_018, &DGL3_019, &DGL3_020,
    &DGL3_021, &DGL3_022, &DGL3_023, &DGL3_024, &DGL3_025, &DGL3_026, &DGL3_027, &DGL3_028, &DGL3_029, &DGL3_030,
    &DGL3_031, &DGL3_032, &DGL3_033, &DGL3_034, &DGL3_035, &DGL3_036, &DGL3_037,
];

/// The meshes that are in the file, with their places.
fn bodies(doc: &Document) -> impl Iterator<Item = (&Body, Place)> {
    let meshes = doc.meshes.iter().enumerate();
    meshes.filter_map(|(i, mesh)| Some((mesh.body.as_ref()?, Place::path("meshes").nth(i).field("body"))))
}

/// How bad something is that only the engine stumbles over.
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
