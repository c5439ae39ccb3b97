//! DRAGON against bytes written down by hand, against its own ledger (`src/dragon/SPEC.md`), and against files that an
//! independent implementation wrote. Rules about writing, DRG-058 and DRG-059, are tried in `dragon/files.rs`.

#![cfg(feature = "dragon")]

mod back;
mod files;
mod losses;
mod morphs;
mod real_files;
mod scenes;
mod support;
mod variants;
