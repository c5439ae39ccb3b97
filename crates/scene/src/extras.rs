//! What travels along without a place in the model, and the keys that several steps know.

use crate::Name;

/// The key of nodes and meshes that one of the scene became, beside the one that is still there. What they are called
/// is said by that one.
pub const COPY: &str = "fit.copy";

/// The key of the number by which an extension of a glTF file calls an object. The extension keeps that number; who
/// writes it again finds the object by this key, wherever it is then.
pub const NUMBER: &str = "gltf.number";

/// The key of what objects of a glTF file say where the scene has no room, by the JSON pointers to it.
pub const INSIDE: &str = "gltf.inside";

/// The pointer to the extensions that a reader of a glTF file has to know.
pub const REQUIRED: &str = "/extensionsRequired";

/// The pointer to the oldest version of glTF that a reader of a file has to know.
pub const MIN_VERSION: &str = "/asset/minVersion";

/// Data without a place in the model: a custom property, a setting, foreign JSON. Floats compare by their bits, as those
/// of a [`crate::Stream`] do: a scene equals itself whatever its file says.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above the largest signed one.
    Uint(u64),
    /// A number stored as 32-bit float.
    F32(f32),
    /// A number stored as 64-bit float.
    F64(f64),
    /// Text: bytes that should be UTF-8.
    Text(Name),
    /// Bytes of no known meaning.
    Bytes(Vec<u8>),
    /// Several values.
    List(Vec<Value>),
    /// Named values, in order.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The whole number it is.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            Value::Uint(n) => i64::try_from(*n).ok(),
            _ => None,
        }
    }
    /// The number it is.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(n) => Some(*n as f64),
            Value::Uint(n) => Some(*n as f64),
            Value::F32(n) => Some((*n).into()),
            Value::F64(n) => Some(*n),
            _ => None,
        }
    }
    /// The text it is.
    pub fn as_text(&self) -> Option<&Name> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Uint(a), Value::Uint(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}
impl From<f32> for Value {
    fn from(n: f32) -> Value {
        Value::F32(n)
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

/// Properties a user gave to an object, as the file has them: in order, duplicates and all.
pub type Properties = Vec<(Name, Value)>;

/// What travels with an object although the model has no field for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// What pentad's formats need for the way back, by key; see `docs/carry.md`.
    pub own: Vec<(String, Value)>,
    /// Extras of a foreign glTF file.
    pub foreign: Option<Value>,
    /// Extensions of a foreign glTF file that are not understood.
    pub extensions: Vec<(String, Value)>,
}

impl Extras {
    /// The value of one of pentad's keys.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.own.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }
    /// Sets one of pentad's keys.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.own.retain(|(k, _)| k != key);
        self.own.push((key.to_owned(), value.into()));
    }
    /// Whether nothing travels.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.foreign.is_none() && self.extensions.is_empty()
    }
}
