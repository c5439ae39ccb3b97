//! A file that breaks each rule, and its repair. Places are computed by hand from the tables of [`super`].

use super::*;
use crate::bytes::patch;
use crate::{RuleCase, alone};

/// Every case, by rule.
pub const RULE_CASES: &[RuleCase] = &[
    case("STL-001", ("", 0, 16), || b"Dear reader, this is no model.\n".to_vec()),
    case("STL-001", ("", 0, 0), Vec::new),
    case("STL-002", ("", 0, 16), || vec![1; 60]),
    case("STL-003", ("facet_count", 80, 4), || binary("", 2, &[(FACET, 0)])),
    case("STL-004", ("tail", 134, 1), || [one_facet(), b"\n".to_vec()].concat()),
    case("STL-005", ("header", 0, 80), || binary("Solid", 1, &[(FACET, 0)])),
    text("STL-006", (FACETS, 14, 1), || text_with(" normal", "")),
    // Behind the last solid.
    text("STL-006", ("solids[0]", 105, 3), || text_with("endsolid a\n", "endsolid a\nend\n")),
    text("STL-007", (FACETS, 58, 3), || text_with("vertex 1 0 0", "vertex 1,5 0 0")),
    text("STL-008", (FACETS, 94, 0), || text_with("endsolid a\n", "")),
    // The second solid begins where the first should have ended.
    text("STL-008", ("solids[1]", 94, 5), || text_with("endsolid a\n", "solid b\nendsolid b\n")),
    // Without its last corner the facet ends 13 bytes earlier.
    text("STL-009", (FACETS, 8, 72), || text_with("vertex 0 1 0\n", "")),
    text("STL-010", ("solids[0]", 103, 1), || text_with("endsolid a", "endsolid b")),
    text("STL-011", ("solids[0].solid", 6, 2), || [b"solid a\xFF", &TEXT.as_bytes()[7..94], b"endsolid"].concat()),
    case("STL-012", ("facets[1]", 134, 50), || plain(&[FACET, [Z, O, X, [0., f32::INFINITY, 0.]]])),
    text("STL-012", (FACETS, 8, 87), || text_with("vertex 0 0 0", "vertex nan 0 0")),
    case("STL-013", ("facets[0].normal", 84, 12), || plain(&[[[0., 0., -1.], O, X, Y]])),
    text("STL-013", (FACETS, 8, 86), || text_with("normal 0 0 1", "normal 0 0 -1")),
    RuleCase {
        // The tolerance is a thousandth.
        pass: || plain(&[[[0., 0., 1.0009], O, X, Y]]),
        ..case("STL-014", ("facets[0].normal", 84, 12), || plain(&[[[0., 0., 1.0011], O, X, Y]]))
    },
    case("STL-014", ("facets[0].normal", 84, 12), || patch(one_facet(), 92, &[0; 4])),
    case("STL-015", ("facets[0]", 84, 50), || plain(&[[Z, O, X, [2., 0., 0.]]])),
    case("STL-016", ("facets[0].attribute", 132, 2), || patch(one_facet(), 132, &[0x1F, 0x80])),
];

/// Where facets of the text are.
const FACETS: &str = "solids[0].facets";

/// A case whose repair is a binary file of one facet.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: one_facet, beside: alone }
}

/// A case whose repair is [`TEXT`].
const fn text(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || TEXT.into(), ..case(rule, at, fail) }
}
