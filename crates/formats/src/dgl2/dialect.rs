//! Which of its dialects a document is in.

use findings::{Error, Result};

use super::dml::is_space;
use super::layout::{Document, Form, Language};

/// A dialect, as far as writing is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) id: &'static str,
    pub(super) form: Form,
    /// Whether texts stand between braces.
    pub(super) braced: bool,
}

const DIALECTS: [Dialect; 3] = [
    Dialect { id: "spec", form: Form::Spec, braced: false },
    Dialect { id: "engine", form: Form::Engine, braced: false },
    Dialect { id: "engine-braced", form: Form::Engine, braced: true },
];

impl Dialect {
    pub(super) fn named(id: &str) -> Result<Dialect> {
        let found = DIALECTS.into_iter().find(|dialect| dialect.id == id);
        found.ok_or_else(|| {
            Error::usage(format!("DGL2 has no dialect {id}")).with_help("it has spec, engine and engine-braced")
        })
    }
}

/// A file without evidence is `spec`: the bytes are the same.
pub(super) fn of(doc: &Document) -> &'static str {
    if doc.language == Language::Json {
        return "json";
    }
    let has_text =
        |form: Form| doc.materials().any(|(.., m)| m.form() == form && (form == Form::Engine || !m.text.is_empty()));
    let braced_material = || doc.materials().any(|(.., m)| is_braced(m.text.bytes()));
    let braced_entity = || doc.entities().any(|(.., e)| is_braced(e.text.bytes()));
    let engine = has_text(Form::Engine);
    if !engine && has_text(Form::Spec) {
        "spec"
    } else if (engine && braced_material()) || (no_material_text(doc) && braced_entity()) {
        "engine-braced"
    } else if engine {
        "engine"
    } else {
        "spec"
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
