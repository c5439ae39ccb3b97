//! A file that breaks each rule, and its repair.
//!
//! They are made of three nodes, whose places are:
//!
//! | bytes | node | path |
//! |---|---|---|
//! | 0 | `FBXHeaderExtension` and the comment before it | `nodes[0]` |
//! | 117 | `Objects` of a triangle, 161 bytes | `nodes[1]` |
//! | 278 | `Connections`, 42 bytes | `nodes[2]` |

use super::*;
use crate::{RuleCase, alone};

/// Every case, by rule.
pub const RULE_CASES: &[RuleCase] = &[
    case("FBX-001", ("", 0, 16), || b"Kaydara FBX ASCII".to_vec()),
    case("FBX-001", ("", 0, 0), Vec::new),
    case("FBX-002", ("", 0, 16), || b"Kaydara FBX Binary  \0".to_vec()),
    // Without the last brace and line end.
    case("FBX-003", ("nodes[2]", 278, 40), || plain("", CONNECTIONS)[..318].to_vec()),
    case("FBX-004", ("nodes", 0, 278), || plain("", "")),
    case("FBX-005", ("nodes[1]", 117, 161), || plain("", TWICE)),
    // The texture makes the node 99 bytes longer.
    case("FBX-006", ("nodes[1]", 117, 260), || plain(TEXTURED, SHOWN)),
    case("FBX-007", ("nodes[1]", 117, 223), || plain(CONSTRAINT, CONNECTIONS)),
];

const TRIANGLE: &str = "Geometry: 1, \"Geometry::T\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n\
    PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\nModel: 2, \"Model::T\", \"Mesh\" {\n}\n";
const CONNECTIONS: &str = "Connections:  {\nC: \"OO\",2,0\nC: \"OO\",1,2\n}\n";
const TWICE: &str = "Connections:  {\nC: \"OO\",2,0\nC: \"OO\",1,2\nC: \"OO\",1,2\n}\n";
const SHOWN: &str =
    "Connections:  {\nC: \"OO\",2,0\nC: \"OO\",1,2\nC: \"OO\",3,2\nC: \"OP\",4,3, \"DiffuseColor\"\n}\n";
const TEXTURED: &str = "Material: 3, \"Material::red\", \"\" {\n}\nTexture: 4, \"Texture::t\", \"\" {\n\
    RelativeFilename: \"gone.png\"\n}\n";
const CONSTRAINT: &str = "Constraint: 5, \"Constraint::c\", \"Position From Positions\" {\n}\n";

/// The triangle with further objects.
fn plain(further: &str, connections: &str) -> Vec<u8> {
    format!("{HEADER}Objects:  {{\n{TRIANGLE}{further}}}\n{connections}").into_bytes()
}

/// A case whose repair is the triangle.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: || plain("", CONNECTIONS), beside: alone }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_lie_where_the_table_says() {
        let file = plain("", CONNECTIONS);
        assert!(file[117..].starts_with(b"Objects") && file[278..].starts_with(b"Connections"));
        assert_eq!((file.len(), TEXTURED.len()), (320, 99));
    }
}
