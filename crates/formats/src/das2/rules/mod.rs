//! What can be wrong with a das2 file.

use findings::Rule;

use super::document::Document;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[];
