//! DGL materials.
//!
//! The base of most recipes is [`plain`], 25 bytes whose places are worth knowing by heart:
//!
//! | bytes | what |
//! |---|---|
//! | 0 | `name` |
//! | 6 | `"t"`, up to 9 |
//! | 10 | `roughness` |
//! | 21 | `0.5`, up to 24 |

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, engine, material};

/// Two statements in the document's form.
pub fn plain() -> Vec<u8> {
    b"name: \"t\"\nroughness: 0.5\n".to_vec()
}

/// The same with something behind them.
fn plain_and(more: &str) -> Vec<u8> {
    [&plain(), more.as_bytes()].concat()
}
