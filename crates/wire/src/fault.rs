use std::fmt;

use crate::{Exceeded, Span};

/// A structure cannot be read or written: which field, at which byte, and why.
///
/// The path is built while the error travels outwards, so the good case pays nothing for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: FaultKind,
    at: Span,
    path: String,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A field runs past the last byte.
    Truncated {
        /// Bytes the field needs.
        need: u64,
        /// Bytes that are left.
        have: u64,
        /// The number that asked for so many: its field and value.
        counted: Option<(&'static str, u64)>,
    },
    /// A size or count below zero.
    Negative(i64),
    /// A length that its field on the wire cannot hold.
    TooLong {
        /// What was to be stored.
        value: u64,
        /// The largest the field holds.
        max: u64,
    },
    /// Text without the byte that ends it.
    Unterminated,
    /// A value that leaves nothing to go on with.
    Value {
        /// What should have been there.
        expected: String,
        /// What was there.
        found: String,
    },
    /// A fixed limit was reached.
    Limit(String),
    /// More was about to be made than the run may make.
    Exceeded(Exceeded),
}

impl Fault {
    /// A fault at `at`; fields around it add themselves with [`Fault::inside`].
    #[cold]
    pub fn new(kind: FaultKind, at: Span) -> Fault {
        Fault(Box::new(Inner { kind, at, path: String::new() }))
    }

    /// A value that cannot be gone on with.
    #[cold]
    pub fn value(at: Span, expected: impl Into<String>, found: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Value { expected: expected.into(), found: found.into() }, at)
    }

    /// The same fault, seen from the field that contains it.
    #[cold]
    pub fn inside(mut self, field: &str) -> Fault {
        let path = &mut self.0.path;
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        *path = format!("{field}{joint}{path}");
        self
    }

    /// The same fault, seen from the array that contains it.
    #[cold]
    pub fn nth(self, index: usize) -> Fault {
        self.inside(&format!("[{index}]"))
    }

    /// The same fault, with the number that asked for too much.
    #[cold]
    pub fn counted(mut self, field: &'static str, value: u64) -> Fault {
        if let FaultKind::Truncated { counted, .. } = &mut self.0.kind {
            counted.get_or_insert((field, value));
        }
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> &FaultKind {
        &self.0.kind
    }

    /// Where.
    pub fn at(&self) -> Span {
        self.0.at
    }

    /// The field, as a path from the structure that was read.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The file ends too early.
    pub fn is_truncated(&self) -> bool {
        matches!(self.0.kind, FaultKind::Truncated { .. })
    }

    /// A limit was reached.
    pub fn is_limit(&self) -> bool {
        matches!(self.0.kind, FaultKind::Limit(_) | FaultKind::Exceeded(_))
    }

    /// What is wrong, without the place.
    pub fn reason(&self) -> String {
        match &self.0.kind {
            FaultKind::Truncated { need, have, counted: None } => format!("needs {need} bytes, {have} remain"),
            FaultKind::Truncated { need, have, counted: Some((field, value)) } => {
                format!("needs {need} bytes, {have} remain; {field} says {value}")
            }
            FaultKind::Negative(value) => format!("is negative: {value}"),
            FaultKind::TooLong { value, max } => format!("is {value}, and its field holds at most {max}"),
            FaultKind::Unterminated => "has no byte 00 to end it".to_owned(),
            FaultKind::Value { expected, found } => format!("expected {expected}, found {found}"),
            FaultKind::Limit(what) => what.clone(),
            FaultKind::Exceeded(exceeded) => exceeded.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.0.at.offset;
        let path = if self.0.path.is_empty() { "file" } else { &self.0.path };
        let space = if self.0.at.space == crate::Space::Inflated { "inflated " } else { "" };
        write!(f, "{path} at {space}{at:#x} ({at}): {}", self.reason())
    }
}

impl std::error::Error for Fault {}
