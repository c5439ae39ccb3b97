//! What the objects of a document's lists are called.

use std::fmt;
use std::sync::Arc;

use crate::{Blob, Node, Value};

/// What an object of a list says it is: `TRIMESH "Wheel"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Its kind, where the list holds several and a field `kind` says which.
    pub kind: Option<&'static str>,
    /// Its name: bytes that should be UTF-8.
    pub name: Option<Blob>,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = self.kind {
            write!(f, " {kind}")?;
        }
        // A name may be as long as its file.
        const LONG: usize = 60;
        match &self.name {
            Some(name) => {
                let text = String::from_utf8_lossy(&name[..name.len().min(4 * (LONG + 1))]);
                let short: String = text.chars().take(LONG).collect();
                write!(f, " \"{short}{}\"", if short.len() < name.len() { "…" } else { "" })
            }
            None => Ok(()),
        }
    }
}

impl Node {
    /// What an object of a list says it is.
    pub fn label(&self) -> Label {
        let children = if self.name.starts_with('[') { self.shared_children() } else { Ok(Arc::default()) };
        let mut label = Label::default();
        for child in children.unwrap_or_default().iter() {
            match &child.value {
                Some(Value::Named { word, .. }) if child.name == "kind" => label.kind = *word,
                _ if label.name.is_none() && (child.name == "name" || child.name.ends_with("_name")) => {
                    label.name = child.text();
                }
                _ => {}
            }
        }
        label
    }

    /// The text that it is, or that it holds beside its length; not an empty one.
    fn text(&self) -> Option<Blob> {
        match &self.value {
            Some(Value::Text(bytes)) => Some(bytes.clone()).filter(|bytes| !bytes.is_empty()),
            Some(_) => None,
            None => self.shared_children().ok()?.iter().filter(|part| part.value.is_some()).find_map(Node::text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn text(name: &str, bytes: &[u8]) -> Node {
        Node::leaf(name, "text", Span::NOWHERE).with_value(Value::Text(Blob::memory(bytes.to_vec())))
    }

    #[test]
    fn objects_of_a_list_say_what_they_are() {
        let kind = Node::leaf("kind", "Kind", Span::NOWHERE).with_value(Value::Named { raw: 2, word: Some("TRIMESH") });
        let length = Node::leaf("length", "u16", Span::NOWHERE).with_value(Value::Unsigned(5));
        let string = Node::group("name", "String", Span::NOWHERE, vec![length, text("text", b"Wheel")]);
        let of =
            |name: &str, children: Vec<Node>| Node::group(name, "Mesh", Span::NOWHERE, children).label().to_string();
        assert_eq!(of("[3]", vec![text("name", b"Wheel")]), " \"Wheel\"");
        assert_eq!(of("[3]", vec![kind.clone(), text("name", b"Wheel")]), " TRIMESH \"Wheel\"");
        assert_eq!(of("[3]", vec![string]), " \"Wheel\"");
        assert_eq!(of("[3]", vec![text("animation_name", b"walk"), text("other_name", b"x")]), " \"walk\"");
        assert_eq!(of("[3]", vec![kind]), " TRIMESH");
        assert_eq!(of("[3]", vec![text("name", b"")]), "");
        assert_eq!(of("header", vec![text("name", b"Wheel")]), "", "its own name says what it is");
        let long = of("[3]", vec![text("name", "é".repeat(1000).as_bytes())]);
        assert_eq!(long, format!(" \"{}…\"", "é".repeat(60)));
    }
}
