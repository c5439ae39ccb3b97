//! What can be wrong with a DGL1 file: its texts. The chunks are those of DGL2, and so are the rules about them.

use std::collections::HashSet;

use findings::{Rule, rule};
use wire::Text;

use super::json::{self, Kind};
use crate::dgl2::rules::*;
use crate::dgl2::{Document, show};

/// Every rule, by id. Those about dialects of DGL2 and about DML do not concern DGL1.
pub static RULES: &[&Rule<Document>] = &[
    &DGL1_001, &DGL1_002, &DGL1_003, &DGL2_001, &DGL2_002, &DGL2_003, &DGL2_004, &DGL2_005, &DGL2_006, &DGL2_007,
    &DGL2_008, &DGL2_009, &DGL2_010, &DGL2_011, &DGL2_012, &DGL2_013, &DGL2_014, &DGL2_015, &DGL2_016, &DGL2_017,
    &DGL2_018, &DGL2_019, &DGL2_020, &DGL2_021, &DGL2_022, &DGL2_023, &DGL2_025, &DGL2_026, &DGL2_028, &DGL2_029,
    &DGL2_030, &DGL2_031, &DGL2_032, &DGL2_033, &DGL2_034, &DGL2_035,
];

fn texts(doc: &Document) -> impl Iterator<Item = (usize, &Text)> {
    doc.texts().filter(|(_, text)| !text.is_empty())
}

rule! {
    /// ## What it finds
    /// A text that is no JSON object.
    ///
    /// ## Why it matters
    /// None of its properties can be read: a material has its default colours, an entity no settings.
    ///
    /// ## Example
    /// `{"shadeless": }`
    ///
    /// ## Fix
    /// Export the model again.
    DGL1_001 "DGL1-001" "json-syntax", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, text) in texts(doc) {
            if let Err(fault) = json::read(text.bytes()) {
                let range = fault.at..(fault.at + 1).min(text.len());
                cx.report(text_place(i, text, range), format!("the text is no JSON: {} is expected here", fault.expected));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An object with two members of one name.
    ///
    /// ## Why it matters
    /// The last one counts here; other programs take the first.
    ///
    /// ## Example
    /// `{"shadeless": 0, "shadeless": 1}`
    ///
    /// ## Fix
    /// Remove one of them.
    DGL1_002 "DGL1-002" "json-duplicate-key", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, text) in texts(doc) {
            let mut known = HashSet::new();
            for member in json::read(text.bytes()).unwrap_or_default() {
                if !known.insert(member.name.clone()) {
                    let message = format!("there is a member {} already", show(&member.name));
                    cx.report(text_place(i, text, member.name_range), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A member `textures` that is no array of objects with a `filename`.
    ///
    /// ## Why it matters
    /// The textures cannot be read.
    ///
    /// ## Example
    /// `{"textures": ["wood.png"]}`
    ///
    /// ## Fix
    /// Write `{"textures": [{"filename": "wood.png", "blendType": 0}]}`.
    DGL1_003 "DGL1-003" "json-textures", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let has_file = |texture: &json::Json| match &texture.kind {
            Kind::Object(members) => {
                members.iter().any(|m| m.name == b"filename" && matches!(m.value.kind, Kind::String(_)))
            }
            _ => false,
        };
        for (i, text) in texts(doc) {
            let members = json::read(text.bytes()).unwrap_or_default();
            for member in members.into_iter().filter(|member| member.name == b"textures") {
                let faulty = match &member.value.kind {
                    Kind::Array(textures) => textures.iter().find(|texture| !has_file(texture)),
                    _ => Some(&member.value),
                };
                if let Some(faulty) = faulty {
                    cx.report(text_place(i, text, faulty.range.clone()), "this is no texture with a filename");
                }
            }
        }
    }
}
