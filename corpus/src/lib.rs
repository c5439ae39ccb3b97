//! Sample files, built by recipes instead of being stored: a reviewer reads the recipe, not hex.
//!
//! This crate depends on nothing of pentad. What a recipe writes is written from the format's document, so a file that
//! pentad reads as it should is evidence, not an echo.
//!
//! A format is one module and one line of `FORMATS`:
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

/// What there is of a format.
struct Recipes {
    samples: &'static [Sample],
    rule_cases: &'static [RuleCase],
    large: &'static [LargeSample],
}

impl Recipes {
    const fn of(samples: &'static [Sample], rule_cases: &'static [RuleCase]) -> Recipes {
        Recipes { samples, rule_cases, large: &[] }
    }
    const fn and_large(self, large: &'static [LargeSample]) -> Recipes {
        Recipes { large, ..self }
    }
}

/// A line for every format.
const FORMATS: &[Recipes] = &[
    Recipes::of(danmodel::SAMPLES, danmodel::RULE_CASES).and_large(danmodel::LARGE_SAMPLES),
    Recipes::of(das2::SAMPLES, das2::RULE_CASES).and_large(das2::LARGE_SAMPLES),
    Recipes::of(dgl2::SAMPLES, dgl2::RULE_CASES),
    Recipes::of(dgl1::SAMPLES, dgl1::RULE_CASES),
    Recipes::of(dgl3::SAMPLES, dgl3::RULE_CASES),
    Recipes::of(dragon::SAMPLES, dragon::RULE_CASES).and_large(dragon::LARGE_SAMPLES),
    Recipes::of(gltf::GLTF_SAMPLES, gltf::RULE_CASES),
    Recipes::of(gltf::GLB_SAMPLES, &[]),
    Recipes::of(mat::SAMPLES, mat::RULE_CASES),
    Recipes::of(obj::SAMPLES, obj::RULE_CASES).and_large(obj::LARGE_SAMPLES),
    Recipes::of(fbx::SAMPLES, fbx::RULE_CASES),
    Recipes::of(ply::SAMPLES, ply::RULE_CASES),
    Recipes::of(stl::SAMPLES, stl::RULE_CASES),
];

/// Every sample of every format; the first of a format is its default one.
pub fn samples() -> Vec<Sample> {
    FORMATS.iter().flat_map(|format| format.samples).copied().collect()
}

/// Every rule case of every format.
pub fn rule_cases() -> Vec<RuleCase> {
    FORMATS.iter().flat_map(|format| format.rule_cases).copied().collect()
}

/// Every file that is made for benchmarks.
pub fn large_samples() -> Vec<LargeSample> {
    FORMATS.iter().flat_map(|format| format.large).copied().collect()
}

/// No shorter file is whole.
pub(crate) fn never_complete(_: &[u8]) -> Vec<usize> {
    Vec::new()
}

/// It names no other file.
pub(crate) fn alone() -> SideFiles {
    Vec::new()
}
