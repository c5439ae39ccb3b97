//! A file that breaks each rule, and its repair. Places are computed by hand from the table of [`super`].

use super::*;
use crate::{RuleCase, SideFiles};

/// Every case, by rule.
pub const RULE_CASES: &[RuleCase] = &[
    case("OBJ-001", ("", 0, 9), || text(&["no model\n"])),
    // The first sixteen bytes are shown.
    case("OBJ-001", ("", 0, 16), || text(&["newmtl a\nKd 1 0 0\n"])),
    case("OBJ-001", ("", 0, 0), Vec::new),
    case("OBJ-002", (V0, 2, 3), || text(&["v 1,5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"])),
    case("OBJ-002", (V1, 12, 1), || text(&["v 0 0 0\nv 1 x 0\nv 0 1 0\nf 1 2 3\n"])),
    case("OBJ-003", (V0, 0, 5), || text(&["v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"])),
    case("OBJ-003", (V1, 8, 11), || text(&["v 0 0 0\nv 1 0 0 1 1\nv 0 1 0\nf 1 2 3\n"])),
    RuleCase {
        pass: || text(&[TRIANGLE, "vn 0 1 0\n"]),
        ..case("OBJ-003", (BEHIND, 32, 6), || text(&[TRIANGLE, "vn 0 1 # two\n"]))
    },
    case("OBJ-003", (BEHIND, 32, 2), || text(&[TRIANGLE, "vt \n"])),
    case("OBJ-004", (FACE, 30, 1), || text(&[CORNERS, "f 1 2 x\n"])),
    case("OBJ-004", (FACE, 26, 7), || text(&[CORNERS, "f 1/1/1/1 2 3\n"])),
    case("OBJ-005", (FACE, 26, 1), || text(&[CORNERS, "f 0 1 2\n"])),
    case("OBJ-005", (FACE, 28, 3), || text(&[CORNERS, "f 1 2/0 3\n"])),
    case("OBJ-006", (FACE, 24, 5), || text(&[CORNERS, "f 1 2\n"])),
    case("OBJ-006", (BEHIND, 32, 3), || text(&[TRIANGLE, "l 3\n"])),
    case("OBJ-006", (BEHIND, 32, 1), || text(&[TRIANGLE, "p\n"])),
    case("OBJ-007", (FIRST, 0, 1), || text(&["o\n", TRIANGLE])),
    case("OBJ-007", (FIRST, 0, 6), || text(&["usemtl \n", TRIANGLE])),
    case("OBJ-007", (FIRST, 0, 6), || text(&["mtllib\n", TRIANGLE])),
    case("OBJ-008", (FIRST, 3, 1), || [b"o W\xFCrfel\n", TRIANGLE.as_bytes()].concat()),
    case("OBJ-008", (BEHIND, 38, 1), || [TRIANGLE.as_bytes(), b"g a \xC3\xA4\xFF\n"].concat()),
    case("OBJ-009", (FIRST, 0, 8), || text(&["s smooth\n", TRIANGLE])),
    case("OBJ-009", (FIRST, 0, 1), || text(&["s\n", TRIANGLE])),
    case("OBJ-010", (FACE, 30, 1), || text(&[CORNERS, "f 1 2 4\n"])),
    case("OBJ-010", (FACE, 26, 2), || text(&[CORNERS, "f -4 2 3\n"])),
    case("OBJ-010", (FACE, 28, 4), || text(&[CORNERS, "f 1 2//1 3\n"])),
    case("OBJ-011", (BEHIND, 32, 6), || text(&[TRIANGLE, "vcolor 1 0 0\n"])),
    case("OBJ-012", (BEHIND, 32, 4), || text(&[TRIANGLE, "curv 0 1 1 2\n"])),
    case("OBJ-013", (BEHIND, 32, 3), || text(&[TRIANGLE, "lod 20\n"])),
    RuleCase {
        // The vt takes bytes 24 to 31.
        pass: || text(&[CORNERS, "vt 0 0\nf 1/1 2/1 3/1\n"]),
        ..case("OBJ-014", ("statements[2][0]", 31, 11), || text(&[CORNERS, "vt 0 0\nf 1/1 2/1 3\n"]))
    },
    RuleCase {
        // The vn takes bytes 24 to 33, the first face bytes 33 to 49.
        pass: || text(&[CORNERS, "vn 0 0 1\nf 1//1 2//1 3//1\nusemtl a\nf 3 2 1\n"]),
        ..case("OBJ-014", ("statements[2][1]", 50, 7), || text(&[CORNERS, "vn 0 0 1\nf 1//1 2//1 3//1\nf 3 2 1\n"]))
    },
    RuleCase {
        pass: || text(&["v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0 1\nf 1 2 3\n"]),
        ..case("OBJ-015", (V1, 14, 7), || text(&["v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n"]))
    },
    case("OBJ-016", ("statements", 0, 24), || text(&[CORNERS])),
    case("OBJ-017", (FIRST, 0, 8), || text(&["usemtl a\n", TRIANGLE])),
    RuleCase { pass: || with("right.mtl"), ..case("OBJ-017", (FIRST, 0, 8), || text(&["usemtl a\n", TRIANGLE])) },
    // The second of two names: mtllib and the first take 17 bytes.
    named("OBJ-018", (FIRST, 17, 8), || text(&["mtllib right.mtl gone.mtl\n", TRIANGLE])),
    named("OBJ-019", ("statements[1][0]", 24, 4), || text(&["mtllib right.mtl\nusemtl rose\n", TRIANGLE])),
    within("OBJ-020", "twice.mtl", ("a", 18, 8), || with("twice.mtl")),
    within("OBJ-021", "word.mtl", ("a.Kd", 9, 6), || with("word.mtl")),
    within("OBJ-021", "two-numbers.mtl", ("a.Ks", 9, 6), || with("two-numbers.mtl")),
    within("OBJ-021", "no-number.mtl", ("a.Ns", 9, 2), || with("no-number.mtl")),
    within("OBJ-021", "no-file.mtl", ("a.map_Kd", 9, 16), || with("no-file.mtl")),
    within("OBJ-021", "no-name.mtl", ("", 9, 6), || with("no-name.mtl")),
    within("OBJ-022", "xyz.mtl", ("a.Kd", 9, 18), || with("xyz.mtl")),
    within("OBJ-023", "unknown.mtl", ("a.Kx", 9, 2), || with("unknown.mtl")),
    within("OBJ-023", "early.mtl", ("Kd", 0, 2), || with("early.mtl")),
    within("OBJ-024", "option.mtl", ("a.map_Kd", 21, 6), || with("option.mtl")),
    within("OBJ-025", "texture.mtl", ("a.map_Kd", 21, 12), || with("texture.mtl")),
    case("OBJ-026", (V0, 2, 3), || text(&["v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"])),
    case("OBJ-026", (V0, 6, 4), || text(&["v 0 0 1e60\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"])),
    RuleCase {
        pass: || text(&["v 0 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"]),
        ..case("OBJ-027", (V0, 0, 9), || text(&["v 0 0 0 2\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"]))
    },
    RuleCase {
        // The tolerance is a thousandth.
        pass: || text(&[TRIANGLE, "vn 0 0 1.0009\n"]),
        ..case("OBJ-028", (BEHIND, 32, 13), || text(&[TRIANGLE, "vn 0 0 1.0011\n"]))
    },
    case("OBJ-028", (BEHIND, 32, 8), || text(&[TRIANGLE, "vn 0 0 0\n"])),
    RuleCase {
        pass: || text(&["v 0 0 0 1 0 0\nv 1 0 0 1 0.5 0\nv 0 1 0 0 0 0\nf 1 2 3\n"]),
        ..case("OBJ-029", (V1, 14, 17), || text(&["v 0 0 0 1 0 0\nv 1 0 0 255 128 0\nv 0 1 0 0 0 0\nf 1 2 3\n"]))
    },
    case("OBJ-029", (V0, 0, 17), || text(&["v 0 0 0 1 0 0 -.5\nv 1 0 0 1 1 1\nv 0 1 0 0 0 0\nf 1 2 3\n"])),
    case("OBJ-030", ("statements[1][1]", 32, 7), || text(&[TRIANGLE, "f 1 1 2\n"])),
    // From the last corner to the first.
    case("OBJ-030", (FACE, 24, 9), || text(&[CORNERS, "f 1 2 3 1\n"])),
    case("OBJ-031", ("statements[0][3]", 24, 7), || text(&[CORNERS, "v 5 5 5\nf 1 2 3\n"])),
];

/// The first line of a file, if it is no vertex.
const FIRST: &str = "statements[0][0]";
/// The vertices of the triangle.
const V0: &str = "statements[0][0]";
const V1: &str = "statements[0][1]";
/// Its face.
const FACE: &str = "statements[1][0]";
/// What follows the triangle.
const BEHIND: &str = "statements[2][0]";

/// A case whose repair is the triangle of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: || text(&[TRIANGLE]), beside: libraries }
}

/// A case about the libraries that a file names, whose repair names the right one.
const fn named(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || with("right.mtl"), ..case(rule, at, fail) }
}

/// A case about what is inside a library.
const fn within(
    rule: &'static str,
    file: &'static str,
    at: (&'static str, u64, u64),
    fail: fn() -> Vec<u8>,
) -> RuleCase {
    RuleCase { at_file: Some(file), ..named(rule, at, fail) }
}

/// The triangle in the material `a` of a library.
fn with(library: &str) -> Vec<u8> {
    text(&["mtllib ", library, "\nusemtl a\n", TRIANGLE])
}

/// A library that is right, and one for each fault. Behind `newmtl a` the next line begins at 9.
fn libraries() -> SideFiles {
    let library = |name, lines: &str| (name, text(&[lines]));
    vec![
        library("right.mtl", "newmtl a\nKd 1 0 0\nmap_Kd -s 2 2 2 wood.png\n"),
        library("twice.mtl", "newmtl a\nKd 1 0 0\nnewmtl a\n"),
        library("word.mtl", "newmtl a\nKd red\n"),
        library("two-numbers.mtl", "newmtl a\nKs 1 0\n"),
        library("no-number.mtl", "newmtl a\nNs\n"),
        library("no-file.mtl", "newmtl a\nmap_Kd -clamp on\n"),
        library("no-name.mtl", "newmtl a\nnewmtl\n"),
        library("xyz.mtl", "newmtl a\nKd xyz 0.4 0.3 0.2\n"),
        library("unknown.mtl", "newmtl a\nKx 1 0 0\n"),
        library("early.mtl", "Kd 1\nnewmtl a\n"),
        library("option.mtl", "newmtl a\nmap_Kd -s 2 -scale 2 wood.png\n"),
        library("texture.mtl", "newmtl a\nmap_Kd -s 2 not here.png\n"),
        ("wood.png", Vec::new()),
    ]
}
