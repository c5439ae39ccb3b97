//! JSON text, as much of it as glTF needs.

use std::fmt::{Display, Write};

/// An object that is being written, field by field.
#[derive(Clone, Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn put(&mut self, key: &str, value: impl Display) -> &mut Object {
        let comma = if self.0.is_empty() { "" } else { "," };
        write!(self.0, "{comma}{}:{value}", text(key)).expect("strings grow");
        self
    }

    /// A field that is left out if it is nothing.
    pub(super) fn maybe(&mut self, key: &str, value: Option<impl Display>) -> &mut Object {
        value.into_iter().for_each(|value| _ = self.put(key, value));
        self
    }

    /// A list that is left out if it is empty.
    pub(super) fn some(&mut self, key: &str, items: &[impl Display]) -> &mut Object {
        if items.is_empty() { self } else { self.put(key, list(items)) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn done(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

pub(super) fn list(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

pub(super) fn text(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => write!(out, "\\u{:04x}", c as u32).expect("strings grow"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
