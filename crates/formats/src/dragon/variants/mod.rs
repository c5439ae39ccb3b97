//! The other readings of the document: what they are, which one a file is in, and the same in the canonical one.

pub(in crate::dragon) mod canonical;
pub(in crate::dragon) mod choose;
pub(in crate::dragon) mod form;
pub(in crate::dragon) mod mesh;
pub(in crate::dragon) mod reading;
