//! The way back: one merge of three documents.
//!
//! Whatever glTF's rules, fitting and lowering do to a model happens to `base` and to `ours` alike, and cancels out. So
//! `lower` makes canonical documents only, and what an odd file was comes back here: each unit of `ours` that says what
//! its twin in `base` says is taken from `origin`, the others stay. A format says in its `units.rs` which units it has
//! and how they correspond.

mod merge;
#[cfg(feature = "gltf")]
pub(crate) mod recipe;

pub use merge::{Pick, Tally, list, picks, row};

/// Three documents of one format and dialect, or the same part of each.
pub struct Three<'a, D: ?Sized> {
    /// The file that travelled: exact, odd, right or wrong.
    pub origin: &'a D,
    /// What is made of it when nobody edits.
    pub base: &'a D,
    /// What is made of what came back.
    pub ours: &'a D,
}

impl<D: ?Sized> Clone for Three<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: ?Sized> Copy for Three<'_, D> {}

impl<'a, D: ?Sized> Three<'a, D> {
    /// The same part of each.
    pub fn each<T: ?Sized>(self, part: impl Fn(&'a D) -> &'a T) -> Three<'a, T> {
        Three { origin: part(self.origin), base: part(self.base), ours: part(self.ours) }
    }
}

impl<'a, T: PartialEq> Three<'a, T> {
    /// A unit that every document has: the origin's, unless somebody changed it.
    pub fn unit(self, tally: &mut Tally) -> &'a T {
        tally.count(self.base != self.ours);
        if self.base == self.ours { self.origin } else { self.ours }
    }
}

/// What became of three documents.
pub struct Merged<D> {
    /// The document.
    pub document: D,
    /// How many of its units somebody changed.
    pub tally: Tally,
}
