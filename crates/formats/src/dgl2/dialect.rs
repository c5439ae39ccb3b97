//! Which of its dialects a document is in.

use super::Dgl2;
use super::dml::is_space;
use super::layout::{Document, Form};
use crate::{Engine, Lack, dialects};

dialects! {
    Dgl2;
    /// How texts are written down.
    pub enum Dialect {
        Spec {
            id: "spec",
            about: "as the document says: MATERIAL data are the text, a texture is a path",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
        Engine {
            id: "engine",
            about: "as the engine reads it: a length before the text, a texture is [file, number]",
            write: true,
            engine: Engine::LoadsWithout(&[Lack::OtherImages, Lack::ListedNames])
        },
        EngineBraced {
            id: "engine-braced",
            about: "as exporters wrote it until the end of 2015: the same with texts between braces",
            write: true,
            engine: Engine::Fails { instead: Dialect::Engine.id() }
        },
    }
}

impl Dialect {
    pub(super) fn form(self) -> Form {
        if self == Dialect::Spec { Form::Spec } else { Form::Engine }
    }

    /// Whether texts stand between braces.
    pub(super) fn is_braced(self) -> bool {
        self == Dialect::EngineBraced
    }
}

/// The dialect of a file with DML texts. One without evidence is `spec`: the bytes are the same.
pub(super) fn of(doc: &Document) -> Dialect {
    let has_text =
        |form: Form| doc.materials().any(|(.., m)| m.form() == form && (form == Form::Engine || !m.text.is_empty()));
    let braced_material = || doc.materials().any(|(.., m)| is_braced(m.text.bytes()));
    let braced_entity = || doc.entities().any(|(.., e)| is_braced(e.text.bytes()));
    let engine = has_text(Form::Engine);
    if !engine && has_text(Form::Spec) {
        Dialect::Spec
    } else if (engine && braced_material()) || (no_material_text(doc) && braced_entity()) {
        Dialect::EngineBraced
    } else if engine {
        Dialect::Engine
    } else {
        Dialect::Spec
    }
}

fn no_material_text(doc: &Document) -> bool {
    doc.materials().all(|(.., material)| material.text.is_empty())
}

/// Whether a DML text stands between braces.
pub(crate) fn is_braced(text: &[u8]) -> bool {
    text.iter().find(|&&byte| !is_space(byte)) == Some(&b'{')
}

/// Whether any text of the file stands between braces: what exporters wrote until the end of 2015.
pub(crate) fn any_braced(doc: &Document) -> bool {
    doc.texts().any(|(_, text)| is_braced(text.bytes()))
}
