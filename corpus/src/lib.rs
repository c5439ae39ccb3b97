//! Sample files, built by recipes instead of being stored: a reviewer reads the recipe, not hex.
//!
//! This crate depends on nothing of pentad. What a recipe writes is written from the format's document, so a file that
//! pentad reads as it should is evidence, not an echo.
//!
//! A format is one module and one line in [`samples`], [`rule_cases`] and, if it has any, [`large_samples`]:
//!
//! ```
//! let default = corpus::samples().into_iter().find(|sample| sample.format == "danmodel").unwrap();
//! assert_eq!((default.name, default.kind), ("model", corpus::Kind::Good));
//! assert!((default.bytes)().starts_with(b"\x00\x14DanmakuCore DanModel"));
//! ```

pub mod bombs;
mod bytes;
mod chance;
mod damage;
pub mod danmodel;
pub mod das2;
pub mod dgl1;
pub mod dgl2;
pub mod dgl3;
pub mod dragon;
pub mod fbx;
pub mod foreign;
pub mod gltf;
pub mod growing;
mod jpeg;
pub mod mat;
pub mod obj;
pub mod ply;
pub mod png;
pub mod random;
pub mod stl;
mod wrong;

use std::io;

pub use damage::damaged;
pub use wrong::{WrongField, wrong_fields};

/// A small file and what it shows.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Id of its format.
    pub format: &'static str,
    /// Its name among the samples of the format.
    pub name: &'static str,
    /// What is to be expected of it.
    pub kind: Kind,
    /// One sentence: what it shows.
    pub about: &'static str,
    /// Builds it.
    pub bytes: fn() -> Vec<u8>,
    /// Builds the files that it names.
    pub beside: fn() -> SideFiles,
    /// The dialect it is in, where there is one to tell.
    pub dialect: Option<&'static str>,
    /// The lengths to which it can be cut so that what is left is a whole file again.
    pub complete_cuts: fn(&[u8]) -> Vec<usize>,
}

/// What is to be expected of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It is as it should be: no warning.
    Good,
    /// It can be read, and something about it is worth telling.
    Odd,
    /// It cannot be read.
    Bad,
}

/// A pair of files for one rule: one that breaks it at a place that was computed by hand, and its smallest repair.
#[derive(Clone, Copy, Debug)]
pub struct RuleCase {
    /// Id of the rule.
    pub rule: &'static str,
    /// Builds the file that breaks it.
    pub fail: fn() -> Vec<u8>,
    /// Where it does so: path, offset and size of the bytes. `None` where the whole file is meant.
    pub at: Option<(&'static str, u64, u64)>,
    /// The file that place is in, if it is not the one that was built but one beside it.
    pub at_file: Option<&'static str>,
    /// Builds the file that does not.
    pub pass: fn() -> Vec<u8>,
    /// Builds the files that either of them names.
    pub beside: fn() -> SideFiles,
}

/// Files that belong beside another one: their names in the same folder, and their bytes.
pub type SideFiles = Vec<(&'static str, Vec<u8>)>;

/// A file too large to be held: for benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct LargeSample {
    /// Id of its format.
    pub format: &'static str,
    /// Its name among the samples of the format.
    pub name: &'static str,
    /// One sentence: what it shows.
    pub about: &'static str,
    /// Writes it, a little at a time.
    pub write: fn(&mut dyn io::Write) -> io::Result<()>,
}

/// Every sample of every format; the first of a format is its default one.
pub fn samples() -> Vec<Sample> {
    let formats = [
        danmodel::SAMPLES,
        das2::SAMPLES,
        dgl2::SAMPLES,
        dgl1::SAMPLES,
        dgl3::SAMPLES,
        dragon::SAMPLES,
        gltf::GLTF_SAMPLES,
        gltf::GLB_SAMPLES,
        mat::SAMPLES,
        obj::SAMPLES,
        fbx::SAMPLES,
        ply::SAMPLES,
        stl::SAMPLES,
    ];
    formats.concat()
}

/// Every rule case of every format.
pub fn rule_cases() -> Vec<RuleCase> {
    let formats = [
        danmodel::RULE_CASES,
        das2::RULE_CASES,
        dgl2::RULE_CASES,
        dgl1::RULE_CASES,
        dgl3::RULE_CASES,
        dragon::RULE_CASES,
        gltf::RULE_CASES,
        mat::RULE_CASES,
        obj::RULE_CASES,
        fbx::RULE_CASES,
        ply::RULE_CASES,
        stl::RULE_CASES,
    ];
    formats.concat()
}

/// Every file that is made for benchmarks.
pub fn large_samples() -> Vec<LargeSample> {
    let formats = [danmodel::LARGE_SAMPLES, das2::LARGE_SAMPLES, dragon::LARGE_SAMPLES, obj::LARGE_SAMPLES];
    formats.concat()
}

/// No shorter file is whole.
pub(crate) fn never_complete(_: &[u8]) -> Vec<usize> {
    Vec::new()
}

/// It names no other file.
pub(crate) fn alone() -> SideFiles {
    Vec::new()
}
