//! Sample files, built by recipes instead of being stored.
pub mod danmodel;
