//! DRAGON against bytes written down by hand, against its own ledger (`src/dragon/SPEC.md`), and against files that an
//! independent implementation wrote. Rules about writing, DRG-058 and DRG-059, are tried in `dragon/files.rs`.

#![cfg(feature = "dragon")]

#[path = "dragon/back.rs"]
mod back;
#[path = "dragon/corpus.rs"]
mod corpus_files;
#[path = "dragon/files.rs"]
mod files;
mod found;
#[path = "dragon/losses.rs"]
mod losses;
#[path = "dragon/morphs.rs"]
mod morphs;
#[path = "dragon/scenes.rs"]
mod scenes;
#[path = "dragon/support.rs"]
mod support;
#[path = "dragon/variants.rs"]
mod variants;
