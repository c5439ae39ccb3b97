//! das2 against bytes written down by hand, against its own ledger (`src/das2/SPEC.md`), and against facts that an
//! independent reader measured.

#![cfg(feature = "das2")]

#[path = "das2/corpus.rs"]
mod corpus_facts;
#[path = "das2/support.rs"]
mod support;
