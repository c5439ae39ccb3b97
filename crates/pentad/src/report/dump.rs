use std::borrow::Cow;
use std::sync::Arc;

use findings::{Error, Result};
use serde::Serialize;
use serde_json::Value as Json;
use wire::{Array, Label, Node, Value};

use super::{float, hex, odd_bytes, odd_path, text};
use crate::{File, Outline};

/// `dump --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dump {
    /// `pentad/dump/1`.
    pub schema: &'static str,
    /// The path as given.
    pub file: String,
    /// Its bytes in hex, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<String>,
    /// Format id; null if no format recognises it.
    pub format: Option<&'static str>,
    /// Dialect id; null if the file cannot be read.
    pub dialect: Option<&'static str>,
    /// The document. Per address space, every byte belongs to exactly one leaf. Of a file that cannot be read, the
    /// fields before the fault, a field `fault`, and the rest in fields called `unread`.
    pub tree: Vec<DumpNode>,
}

/// One field.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DumpNode {
    /// Its name, or `[i]` inside an array.
    pub name: String,
    /// Its type.
    pub r#type: String,
    /// `file` or `inflated`.
    pub space: &'static str,
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
    /// What it says, if it says one thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Json>"))]
    pub value: Option<Content>,
    /// The name of a number that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<&'static str>,
    /// The bytes of a text that is not UTF-8, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_bytes: Option<String>,
    /// Number of elements of an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Bytes of one element of an array, if all have as many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_size: Option<usize>,
    /// True where another field owns these bytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// What an object of a list says it is.
    #[serde(skip)]
    pub label: Label,
    /// The fields inside.
    #[serde(skip_serializing_if = "Inside::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<DumpNode>"))]
    pub children: Inside,
}

/// What a field says. It shares the file's bytes, and is made text or JSON as someone looks: it may be most of the file.
pub struct Content(Value);

impl Content {
    /// The text, of a field that is one; what is not UTF-8 shows as U+FFFD.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match &self.0 {
            Value::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Json {
        json(&self.0)
    }
}

impl Serialize for Content {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.as_text() {
            Some(text) => serializer.serialize_str(&text),
            None => self.to_json().serialize(serializer),
        }
    }
}

/// The fields inside of another. They are made one by one as someone looks: there may be one for every number of a file.
pub struct Inside {
    fields: Fields,
    depth: Option<usize>,
    arrays: usize,
}

enum Fields {
    Nodes(Arc<Vec<Node>>),
    Elements(Array),
}

impl Inside {
    /// Shows `depth` levels of what is inside of a field, and the elements of the first `arrays` levels of arrays.
    fn of(node: &Node, depth: Option<usize>, arrays: usize) -> Inside {
        let deeper = depth.map(|depth| depth.saturating_sub(1));
        let (fields, arrays) = match node.as_array() {
            _ if depth == Some(0) => (Fields::Nodes(Arc::default()), 0),
            Some(array) if arrays > 0 => (Fields::Elements(array.clone()), arrays - 1),
            Some(_) => (Fields::Nodes(Arc::default()), 0),
            // A unit that was read once can be read again; if not, it is shown as one piece.
            None => (Fields::Nodes(node.shared_children().unwrap_or_default()), arrays),
        };
        Inside { fields, depth: deeper, arrays }
    }

    fn len(&self) -> usize {
        match &self.fields {
            Fields::Nodes(nodes) => nodes.len(),
            Fields::Elements(array) => array.count,
        }
    }

    /// Whether there is nothing inside, or nothing that is to be shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fields, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = DumpNode> {
        (0..self.len()).filter_map(|i| match &self.fields {
            Fields::Nodes(nodes) => nodes.get(i).map(|node| show(node, self.depth, self.arrays)),
            Fields::Elements(array) => array.element(i).map(|node| show(&node, self.depth, self.arrays)),
        })
    }
}

impl Serialize for Inside {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// How far a dump looks inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expand {
    /// Levels to show below the first; all, but no elements of arrays, if not given.
    pub depth: Option<usize>,
}

/// The document as stored, or the part of it that `path` names.
///
/// # Errors
/// If there is no such part.
pub fn dump(file: &File, outline: &Outline, path: Option<&str>, expand: Expand) -> Result<Dump> {
    let tree = &outline.tree;
    // Someone who names a depth wants to see elements of arrays; someone who names an array, its own.
    let everywhere = if expand.depth.is_some() { usize::MAX } else { 0 };
    let (roots, arrays) = match path {
        None => (tree.clone(), everywhere),
        Some(path) => {
            (vec![wire::find(tree, &outline.path(path)).ok_or_else(|| no_such_path(path, tree))?], everywhere.max(1))
        }
    };
    Ok(Dump {
        schema: "pentad/dump/1",
        file: file.name().to_owned(),
        file_bytes: odd_path(file.path()),
        format: outline.format.map(|format| format.id),
        dialect: outline.dialect,
        tree: roots.iter().map(|node| show(node, expand.depth, arrays)).collect(),
    })
}

fn no_such_path(path: &str, tree: &[Node]) -> Error {
    let names: Vec<&str> = tree.iter().map(|node| node.name.as_str()).collect();
    Error::usage(format!("the document has no {path}")).with_help(format!("it has {}", names.join(", ")))
}

/// Shows `depth` levels below a field, and the elements of the first `arrays` levels of arrays.
fn show(node: &Node, depth: Option<usize>, arrays: usize) -> DumpNode {
    let array = node.as_array();
    let value_bytes = match &node.value {
        Some(Value::Text(bytes)) => odd_bytes(bytes),
        _ => None,
    };
    DumpNode {
        name: node.name.clone(),
        r#type: node.ty.clone(),
        space: node.span.space.name(),
        offset: node.span.offset,
        size: node.span.size,
        value: node.value.clone().map(Content),
        meaning: match &node.value {
            Some(Value::Named { word, .. }) => *word,
            _ => None,
        },
        value_bytes,
        count: array.map(|array| array.count),
        element_size: array.and_then(wire::Array::element_size),
        shares: node.shares,
        label: node.label(),
        children: Inside::of(node, depth, arrays),
    }
}

/// Longest run of unexplained bytes whose content is shown.
const MAX_BYTES: usize = 64;

fn json(value: &Value) -> Json {
    match value {
        Value::Unsigned(n) => (*n).into(),
        Value::Signed(n) => (*n).into(),
        Value::F32(n) => float(n.to_string()),
        Value::F64(n) => float(n.to_string()),
        Value::Text(bytes) => text(bytes).into(),
        Value::Bytes(bytes) if bytes.len() > MAX_BYTES => format!("{}…", hex(&bytes[..MAX_BYTES])).into(),
        Value::Bytes(bytes) => hex(bytes).into(),
        Value::Named { raw, .. } => (*raw).into(),
        Value::List(values) => Json::Array(values.iter().map(json).collect()),
    }
}
