//! The layouts a file may be in, the likeliest first.

use super::super::document::Document;
use super::super::form::{Form, Numbering, Revision, Strings};
use super::super::strings::each_string;

/// A layout to try.
pub(super) struct Candidate {
    pub(super) form: Form,
    /// Whether the buffer is in frames behind everything else.
    pub(super) split: bool,
}

const fn of(revision: Revision, strings: Strings, numbering: Numbering) -> Candidate {
    Candidate { form: Form { revision, strings, numbering }, split: false }
}

/// In this order. Small files are the same bytes in several layouts; the first of them is reported, and a rewrite is the
/// same in all.
pub(super) static CANDIDATES: &[Candidate] = {
    use Numbering::{Heading, Table};
    use Revision::{HeadText, Spec, V2, V3, V4};
    use Strings::{Hash, HashNul, HashNulFilled, Nul, Plain};
    &[
        of(V4, Hash, Heading),
        of(Spec, Hash, Heading),
        of(Spec, Hash, Table),
        of(Spec, HashNul, Heading),
        of(Spec, HashNul, Table),
        of(Spec, Plain, Heading),
        of(Spec, Plain, Table),
        of(Spec, Nul, Heading),
        of(Spec, Nul, Table),
        of(HeadText, Plain, Heading),
        of(V3, HashNulFilled, Heading),
        of(V3, HashNul, Heading),
        of(V2, HashNulFilled, Heading),
        of(V2, HashNul, Heading),
        Candidate { split: true, ..of(V2, HashNulFilled, Heading) },
        Candidate { split: true, ..of(V2, HashNul, Heading) },
    ]
};

pub(super) fn hashes_are_right(doc: &Document) -> bool {
    let mut right = true;
    for structure in &doc.structures {
        each_string(structure, &mut |_, string| right = right && string.hash_is_right());
    }
    right
}
