//! Faults of single words, met while reading and kept in the document until their rules report them.

use std::ops::Range;

use findings::{Checker, MAX_PER_RULE};

use super::places::report;
use crate::obj::layout::Document;

/// Something wrong that was met while reading.
#[derive(Clone, Debug)]
pub(in crate::obj) struct Fault {
    what: What,
    at: Range<usize>,
    /// How many of its kind: more than one if the rest is only counted.
    count: u64,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::obj) enum What {
    Number,
    NotFinite,
    Components,
    Weight,
    Corner,
    IndexZero,
    TooFewCorners,
    NoName,
    Smoothing,
}

/// Faults in the order they were met. As many of each kind as a report lists; the rest is counted with the last one.
#[derive(Default)]
pub(in crate::obj) struct Faults {
    found: Vec<Fault>,
    /// For each kind, how many are listed and where the last one is.
    listed: [(usize, usize); 9],
}

impl Faults {
    pub(in crate::obj) fn add(&mut self, what: What, at: Range<usize>) {
        self.push(Fault { what, at, count: 1 });
    }

    fn push(&mut self, fault: Fault) {
        let (listed, last) = &mut self.listed[fault.what as usize];
        if *listed == MAX_PER_RULE {
            self.found[*last].count += fault.count;
            return;
        }
        (*listed, *last) = (*listed + 1, self.found.len());
        self.found.push(fault);
    }

    pub(in crate::obj) fn append(&mut self, other: Faults) {
        other.found.into_iter().for_each(|fault| self.push(fault));
    }

    pub(in crate::obj) fn into_vec(self) -> Vec<Fault> {
        self.found
    }
}

/// Reports the faults of a kind that were met while reading.
pub(super) fn faults(doc: &Document, cx: &mut Checker<'_>, what: What, message: impl Fn(&[u8]) -> String) {
    for fault in doc.model().faults.iter().filter(|fault| fault.what == what) {
        report(doc, cx, fault.at.clone(), fault.count, message(&doc.source()[fault.at.clone()]));
    }
}
