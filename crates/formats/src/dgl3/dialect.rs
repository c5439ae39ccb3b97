//! Which of its dialects a document is in, and how a file says so.

use findings::{Error, Result};
use wire::{Kept, Text};

use super::layout::{Dialect, Document, Entity};
use super::read::order_of;

pub(super) fn named(id: &str) -> Result<Dialect> {
    match id {
        "spec" => Ok(Dialect::Spec),
        "engine" => Ok(Dialect::Engine),
        other => Err(Error::usage(format!("DGL3 has no dialect {other}")).with_help("it has spec and engine")),
    }
}

/// What says it in a header.
pub(super) fn creator(dialect: Dialect) -> Text {
    format!("pentad {}", dialect.id()).into()
}

/// Lets a file say its dialect itself, if its content would be taken for the other one.
pub(super) fn say(doc: &mut Document) {
    let seen = |entity: &Kept<Entity>| match doc.dialect {
        Dialect::Engine => entity.transform,
        Dialect::Spec => entity.transform.in_other_order(Dialect::Spec),
    };
    let (found, _) = order_of(&doc.header, doc.entities.iter().map(seen));
    if found != doc.dialect {
        doc.header.edit().creator_name = creator(doc.dialect);
    }
}
