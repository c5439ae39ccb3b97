//! `cargo xtask bench`: time and memory of the program as people get it.

mod growth;
mod large;

use std::path::PathBuf;

use crate::Result;
use crate::workspace::{cargo, root, run as start};

/// A format: its large sample. `growth`: many small objects, those of `kinds` or all.
pub(crate) fn run(what: &str, kinds: &[String]) -> Result {
    start(&mut cargo("build --release -p pentad-cli"))?;
    match what {
        "growth" => growth::run(kinds),
        format if kinds.is_empty() => large::run(format),
        _ => Err("only growth has kinds".into()),
    }
}

fn pentad() -> PathBuf {
    root().join("target/release").join(format!("pentad{}", std::env::consts::EXE_SUFFIX))
}
