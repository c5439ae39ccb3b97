//! Which of its dialects a document is in, and how a file says so.

use wire::{Kept, Text};

use super::Dgl3;
use super::layout::{Document, Entity, Header};
use super::read::order_of;
use crate::{Engine, Lack, dialects};

dialects! {
    Dgl3;
    /// The two orders of an entity's transform.
    pub enum Dialect {
        Spec {
            id: "spec",
            about: "as the document says: position, scale, rotation",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        Engine {
            id: "engine",
            about: "as the exporter writes and the engine reads: position, rotation, scale",
            write: true,
            engine: Engine::LoadsWithout(&[Lack::Animations, Lack::OtherImages])
        },
    }
}

/// What says it in a header.
pub(super) fn creator(dialect: Dialect) -> Text {
    format!("pentad {}", dialect.id()).into()
}

/// The dialect that a header says itself.
pub(super) fn said(header: &Header) -> Option<Dialect> {
    Dialect::ALL.iter().copied().find(|dialect| creator(*dialect) == header.creator_name)
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
