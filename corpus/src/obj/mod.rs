//! OBJ files and their material libraries.
//!
//! The base of most recipes is `TRIANGLE`, 32 bytes whose places are worth knowing by heart:
//!
//! | bytes | line | path |
//! |---|---|---|
//! | 0 | `v 0 0 0` | `statements[0][0]` |
//! | 8 | `v 1 0 0` | `statements[0][1]` |
//! | 16 | `v 0 1 0` | `statements[0][2]` |
//! | 24 | `f 1 2 3` | `statements[1][0]` |

mod cuts;
mod large;
mod rule_cases;
mod samples;

pub use large::{LARGE_SAMPLES, large};
pub use rule_cases::RULE_CASES;
pub use samples::{LIBRARY, MODEL, SAMPLES};

/// A triangle.
const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// Its vertices.
const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

/// Texts, one behind the other.
fn text(parts: &[&str]) -> Vec<u8> {
    parts.concat().into_bytes()
}

/// Many groups of one triangle each.
pub(crate) fn groups(count: usize) -> Vec<u8> {
    let group = |at: usize| {
        let first = 3 * at + 1;
        format!("g g{at}\nv {at} 0 0\nv {at}.5 0 0\nv {at} 1 0\nf {first} {} {}\n", first + 1, first + 2)
    };
    (0..count).map(group).collect::<String>().into_bytes()
}
