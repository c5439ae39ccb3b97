//! PLY files in all three encodings.
//!
//! Places of [`TRIANGLE`], 180 bytes:
//!
//! | bytes | line | path |
//! |---|---|---|
//! | 0, 4 | `ply`, `format …` | `header[0]`, `header[1]` |
//! | 21 | `element vertex 3` | `header[2]` |
//! | 38, 55, 72 | `property float …` | `header[3]` … |
//! | 89 | `element face 1` | `header[6]` |
//! | 104 | `property list …` | `header[7]` |
//! | 143 | `end_header` | `header[8]` |
//! | 154, 160, 166 | vertices | `elements[0]` |
//! | 172 | the face | `elements[1]` |

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::SAMPLES;

/// A triangle as text.
pub const TRIANGLE: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// [`TRIANGLE`] with something else in one place.
fn with(from: &str, to: &str) -> Vec<u8> {
    TRIANGLE.replacen(from, to, 1).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangle_lies_where_the_table_says() {
        let lines = [
            (21, "element v"),
            (38, "property float x"),
            (89, "element f"),
            (143, "end"),
            (154, "0 0 0"),
            (172, "3 0"),
        ];
        for (at, line) in lines {
            assert!(TRIANGLE[at..].starts_with(line), "{line}");
        }
        assert_eq!(TRIANGLE.len(), 180);
    }
}
