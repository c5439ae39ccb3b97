//! DRAGON against bytes written down by hand, against its own ledger (`src/dragon/SPEC.md`), and against files that an
//! independent implementation wrote.

#![cfg(feature = "dragon")]

#[path = "dragon/corpus.rs"]
mod corpus_files;
#[path = "dragon/support.rs"]
mod support;
