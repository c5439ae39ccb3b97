//! Which of its dialects a document is in.

use super::dml::is_space;
use super::layout::{Document, Form, Language};

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
