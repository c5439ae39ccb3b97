//! A text that breaks each rule, and its repair. Places are computed by hand from the table of [`super`].

use super::*;
use crate::{RuleCase, alone};

/// Every case, by rule. MAT-009 is about writing: its recipe is a document, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    // What follows the 25 bytes of the table is line 3.
    case("MAT-001", ("line 3", 25, 1), || plain_and("# shiny\n")),
    case("MAT-001", ("line 3", 25, 5), || plain_and("shiny 1\n")),
    case("MAT-001", ("line 3", 33, 1), || plain_and("metallic:\n1\n")),
    case("MAT-001", ("line 3", 31, 3), || plain_and("name: \"no\n")),
    case("MAT-001", ("line 3", 35, 2), || plain_and("metallic: [1\n")),
    case("MAT-001", ("line 3", 37, 1), || plain_and("metallic: 1 2\n")),
    RuleCase { pass: || b"metallic: 1;".to_vec(), ..case("MAT-001", ("line 1", 12, 1), || b"metallic: 1;; ".to_vec()) },
    RuleCase {
        pass: || b"name: \"t\";\nroughness: 0.5;\n".to_vec(),
        // The first semicolon moves the second statement one byte on.
        ..case("MAT-002", ("roughness.value", 22, 3), || b"name: \"t\";\nroughness: 0.5\n".to_vec())
    },
    RuleCase { pass: || b"name: \"t\";".to_vec(), ..case("MAT-002", ("name.value", 6, 3), plain) },
    case("MAT-003", ("roughness.name", 25, 9), || plain_and("roughness: 0.25\n")),
    case("MAT-004", ("rougness.name", 25, 8), || plain_and("rougness: 0.25\n")),
    case("MAT-005", ("fresnel.name", 25, 7), || plain_and("fresnel: 0.25\n")),
    case("MAT-006", ("shadeless.value", 36, 4), || plain_and("shadeless: true\n")),
    case("MAT-006", ("shadeless.value", 36, 1), || plain_and("shadeless: 2\n")),
    case("MAT-006", ("normalTexture.value", 40, 5), || plain_and("normalTexture: n.png\n")),
    case("MAT-006", ("diffuseColor.value", 39, 9), || plain_and("diffuseColor: [1, 0, 0]\n")),
    case("MAT-006", ("diffuseColor.value", 39, 15), || plain_and("diffuseColor: [1, 0, 0, 0, 1]\n")),
    case("MAT-006", ("metallic.value", 35, 3), || plain_and("metallic: inf\n")),
    case("MAT-006", ("metallic.value", 35, 3), || plain_and("metallic: \"1\"\n")),
    case("MAT-007", ("metallic.value", 35, 3), || plain_and("metallic: 255\n")),
    case("MAT-007", ("diffuseColor.value", 39, 15), || plain_and("diffuseColor: [1, -0.5, 0, 1]\n")),
    case("MAT-008", ("normalTexture.value", 40, 7), || plain_and("normalTexture: \"n.png\"\n")),
    case("MAT-008", ("normalTexture.value", 40, 7), || plain_and("normalTexture: \"n.tga\"\n")),
    case("MAT-008", ("normalTexture.value", 40, 8), || plain_and("normalTexture: \"/n.png\"\n")),
    case("MAT-008", ("normalTexture.value", 40, 10), || plain_and("normalTexture: \"../n.png\"\n")),
    case("MAT-010", ("mark", 0, 3), || [b"\xEF\xBB\xBF", &plain()[..]].concat()),
    case("MAT-010", ("", 7, 1), || b"name: \"\x01\"\nroughness: 0.5\n".to_vec()),
    case("MAT-010", ("name", 7, 1), || b"name: \"\xFF\"\nroughness: 0.5\n".to_vec()),
    case("MAT-011", ("roughness.value", 21, 3), || plain()[..24].to_vec()),
];

/// A case whose repair is the text of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, beside: alone, pass: plain }
}
