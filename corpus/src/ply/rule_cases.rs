//! A file that breaks each rule, and its repair. Places are computed by hand from the table of [`super`].

use super::*;
use crate::{RuleCase, alone};

/// Every case, by rule.
pub const RULE_CASES: &[RuleCase] = &[
    case("PLY-001", ("", 0, 8), || b"plywood\n".to_vec()),
    case("PLY-001", ("", 0, 0), Vec::new),
    case("PLY-002", ("header", 21, 0), || TRIANGLE[..21].into()),
    case("PLY-003", ("header", 4, 17), || with("ascii", "binary")),
    case("PLY-003", ("", 0, 15), || b"ply\nend_header\n".to_vec()),
    case("PLY-004", ("header", 38, 15), || with("float x", "real x")),
    case("PLY-004", ("header", 21, 16), || with("element vertex 3", "element vertex x")),
    case("PLY-004", ("header", 21, 16), || with("element vertex 3\n", "")),
    case("PLY-004", ("header", 104, 38), || with("uchar int", "float int")),
    case("PLY-005", ("header[1]", 4, 17), || with("ascii 1.0", "ascii 2.0")),
    case("PLY-006", ("header[2]", 21, 10), || with("element vertex", "author me\nelement vertex")),
    case("PLY-007", ("elements[1]", 171, 0), || TRIANGLE[..172].into()),
    case("PLY-008", ("tail", 179, 3), || [TRIANGLE, "9\n"].concat().into_bytes()),
    case("PLY-009", ("elements[0]", 168, 3), || with("0 1 0", "0 1,5 0")),
    case("PLY-010", ("elements[1]", 178, 3), || with("3 0 1 2", "3 0 1 2.5")),
    case("PLY-011", ("elements[1]", 172, 7), || with("3 0 1 2", "3 0 1 7")),
    case("PLY-012", ("elements[1]", 172, 5), || with("3 0 1 2", "2 0 1")),
    case("PLY-013", ("elements[0]", 154, 7), || with("0 0 0", "nan 0 0")),
    RuleCase {
        // Three lines of 18 bytes more; the tolerance is a thousandth.
        pass: || normals("1.0009"),
        ..case("PLY-014", ("elements[0]", 208, 16), || normals("1.0011"))
    },
    RuleCase { pass: || normals("1"), ..case("PLY-014", ("elements[0]", 208, 11), || normals("0")) },
    case("PLY-015", ("header[8]", 143, 15), || with("end_header", "element face 0\nend_header")),
    // Behind the face, 17 bytes further on.
    case("PLY-016", ("elements[2]", 196, 0), || with("end_header", "element camera 0\nend_header")),
    case("PLY-017", ("header", 0, 32), || b"ply\nformat ascii 1.0\nend_header\n".to_vec()),
];

/// A case whose repair is [`TRIANGLE`].
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: || TRIANGLE.into(), beside: alone }
}

/// The triangle with normals of this length.
fn normals(length: &str) -> Vec<u8> {
    let properties = "property float nx\nproperty float ny\nproperty float nz\nelement face";
    let text = TRIANGLE.replacen("element face", properties, 1);
    let (header, data) = text.split_at(208);
    let rows: Vec<String> = data.lines().take(3).map(|row| format!("{row} 0 0 {length}\n")).collect();
    format!("{header}{}3 0 1 2\n", rows.concat()).into_bytes()
}
