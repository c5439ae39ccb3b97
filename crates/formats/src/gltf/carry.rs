//! What glTF has no field for, as JSON in `extras.pentad`; every key is in `docs/carry.md`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scene::extras::NUMBER;
use scene::{Extras, Name, Properties, Value};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::keys;
use super::schema::{Json, Map, Real};

/// The key in `extras` below which everything of pentad's is.
pub const KEY: &str = "pentad";

/// The key below it, in the extras of the root, that leads to the file itself that the model was made of.
pub(super) const SOURCE: &str = "source";

/// Where own keys without a format before their dot go.
pub(super) const LOOSE: &str = "other";

/// A node that has it shows a skinned mesh and holds the joints.
pub(super) const SKINNED: &str = "skinned";

/// The role of a mesh whose parts are written in the material that its nodes bring.
pub(super) const OVERRIDDEN: &str = "overridden";

/// Names that a node which turns an axis has where nothing else is said.
pub(super) const USUAL_AXIS: [Option<&str>; 2] = [Some(""), Some("axis")];

/// So many bytes of one of pentad's words are no longer JSON, but a buffer view. Programs that gather the buffers anew
/// drop views that only extras name, so what is not large stays JSON.
pub(super) const MANY: usize = 1 << 16;

/// From so many bytes on, digits take too much room.
const SOME: usize = 64;

/// Whole numbers up to here survive programs that keep all numbers as doubles.
const SAFE: u64 = 1 << 53;

/// A value with its type, such that [`decode`] gives the same one back.
///
/// Nothing, truth values, whole numbers up to 2^53, UTF-8 text and lists are plain JSON; everything else is an object
/// with one key that names the type.
pub fn encode(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(n) if n.unsigned_abs() <= SAFE => json!(n),
        Value::Int(n) => json!({ "i64": n.to_string() }),
        Value::Uint(n) => json!({ "u64": n.to_string() }),
        Value::F32(v) if is_number((*v).into()) => json!({ "f32": Real::from(*v).json() }),
        Value::F32(v) => json!({ "f32": format!("{:08x}", v.to_bits()) }),
        Value::F64(v) if is_number(*v) => json!({ "f64": v }),
        Value::F64(v) => json!({ "f64": format!("{:016x}", v.to_bits()) }),
        Value::Text(text) => match text.as_str() {
            Some(text) => json!(text),
            None => json!({ "text": hex(text.bytes()) }),
        },
        Value::Bytes(bytes) if bytes.len() < SOME => json!({ "bytes": hex(bytes) }),
        Value::Bytes(bytes) => json!({ "base64": STANDARD.encode(bytes) }),
        Value::List(list) => list.iter().map(encode).collect(),
        // A list of pairs: maps of the scene may say a key twice.
        Value::Map(map) => json!({ "map": map.iter().map(|(k, v)| json!([k, encode(v)])).collect::<Json>() }),
    }
}

/// Whether programs write it as they read it: JavaScript has no minus for zero.
fn is_number(value: f64) -> bool {
    value.is_finite() && value.to_bits() != (-0_f64).to_bits()
}

/// The value that [`encode`] was given, or nothing if this is not its work.
pub fn decode(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(n) => Value::Int(n.as_i64()?),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(list) => Value::List(list.iter().map(decode).collect::<Option<_>>()?),
        Json::Object(tagged) => {
            let (tag, inner) = tagged.iter().next().filter(|_| tagged.len() == 1)?;
            match (tag.as_str(), inner) {
                ("i64", Json::String(digits)) => Value::Int(digits.parse().ok()?),
                ("u64", Json::String(digits)) => Value::Uint(digits.parse().ok()?),
                ("f32", Json::String(bits)) => Value::F32(f32::from_bits(u32::from_str_radix(bits, 16).ok()?)),
                ("f32", number) => Value::F32(number.as_f64()? as f32),
                ("f64", Json::String(bits)) => Value::F64(f64::from_bits(u64::from_str_radix(bits, 16).ok()?)),
                ("f64", number) => Value::F64(number.as_f64()?),
                ("text", Json::String(digits)) => Value::Text(Name::from(&unhex(digits)?[..])),
                ("bytes", Json::String(digits)) => Value::Bytes(unhex(digits)?),
                ("base64", Json::String(text)) => Value::Bytes(STANDARD.decode(text).ok()?),
                ("map", Json::Array(pairs)) => {
                    let pair = |pair: &Json| Some((pair.get(0)?.as_str()?.to_owned(), decode(pair.get(1)?)?));
                    Value::Map(pairs.iter().map(pair).collect::<Option<_>>()?)
                }
                _ => return None,
            }
        }
    })
}

/// A value that came from the JSON of a glTF file, as it was there.
pub(super) fn plain(value: &Value) -> Json {
    match value {
        Value::Int(n) => json!(n),
        Value::Uint(n) => json!(n),
        Value::F32(v) => Real::from(*v).json(),
        Value::F64(v) => json!(v),
        Value::Text(text) => json!(text.to_string()),
        Value::List(list) => list.iter().map(plain).collect(),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.clone(), plain(v))).collect()),
        Value::Null | Value::Bool(_) | Value::Bytes(_) => encode(value),
    }
}

/// Foreign JSON as it is.
pub(super) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(n), _) => Value::Int(n),
            (None, Some(n)) => Value::Uint(n),
            (None, None) => Value::F64(n.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(list) => Value::List(list.iter().map(value).collect()),
        Json::Object(map) => Value::Map(map.iter().map(|(key, inner)| (key.clone(), value(inner))).collect()),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok().filter(|_| pair.len() == 2)).collect()
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A property as people see it: plain JSON. Nothing of what JSON cannot hold.
pub(super) fn shown_as(value: &Value) -> Option<Json> {
    let is_number = |value: &Value| value.as_f64().is_some();
    match value {
        Value::Bool(_) => Some(plain(value)),
        Value::Int(_) | Value::Uint(_) | Value::F32(_) | Value::F64(_) => {
            Some(plain(value)).filter(|_| value.as_f64().is_some_and(f64::is_finite))
        }
        Value::Text(text) => text.as_str().map(|text| json!(text)),
        Value::List(list) if !list.is_empty() && list.iter().all(is_number) => list.iter().map(shown_as).collect(),
        _ => None,
    }
}

/// The properties that stand in `extras` under their own names: their places in the list, names and values. Names that
/// are `meant` belong to a format, and of two with one name nobody knows which counts.
pub(super) fn shown(properties: &Properties, meant: &[&str]) -> Vec<(usize, String, Json)> {
    let once = |name: &Name| properties.iter().filter(|(other, _)| other == name).count() == 1;
    let free = |name: &&str| !name.is_empty() && ![KEY, TARGET_NAMES].contains(name) && !meant.contains(name);
    let one = |(at, (name, value)): (usize, &(Name, Value))| {
        let word = name.as_str().filter(free).filter(|_| once(name))?;
        Some((at, word.to_owned(), shown_as(value)?))
    };
    properties.iter().enumerate().filter_map(one).collect()
}

/// The word of a format for properties of what has no field for them: pairs of key and value.
pub(super) const PROPERTIES: &str = "properties";

/// Such properties.
pub(super) fn pairs(value: &Value) -> Properties {
    let Value::List(list) = value else { return Vec::new() };
    let pair = |value: &Value| match value {
        Value::List(pair) => match pair.as_slice() {
            [Value::Text(key), value] => Some((key.clone(), value.clone())),
            _ => None,
        },
        _ => None,
    };
    list.iter().map(pair).collect::<Option<_>>().unwrap_or_default()
}

/// The key in `extras` of a mesh that names its morph targets.
pub(super) const TARGET_NAMES: &str = "targetNames";

/// What one object carries, while it is gathered.
#[derive(Default)]
pub(super) struct Carry {
    pub(super) own: Map<String, Json>,
    /// What stands beside it, for people.
    shown: Map<String, Json>,
}

impl Carry {
    pub(super) fn set(&mut self, key: &str, value: impl Into<Json>) {
        debug_assert!(key == "carry" || key == "foreign" || keys::KEYS.iter().any(|own| own.name == key), "{key}");
        self.own.insert(key.to_owned(), value.into());
    }

    /// The name as glTF has it; bytes that are not UTF-8 are carried.
    pub(super) fn name(&mut self, name: &Name) -> Option<String> {
        if name.as_str().is_none() {
            self.set("name_bytes", hex(name.bytes()));
        }
        (!name.is_empty()).then(|| name.to_string())
    }

    pub(super) fn properties(&mut self, properties: &Properties) {
        if !properties.is_empty() {
            let pair = |(name, value): &(Name, Value)| json!([encode(&Value::Text(name.clone())), encode(value)]);
            self.set("properties", properties.iter().map(pair).collect::<Json>());
        }
    }

    /// Shows properties under their own names, where people look for them.
    pub(super) fn show(&mut self, properties: &Properties, meant: &[&str]) {
        self.shown.extend(shown(properties, meant).into_iter().map(|(_, name, value)| (name, value)));
    }

    /// The `extras` of the object: what a foreign file had there, and everything gathered.
    pub(super) fn extras(self, extras: &Extras) -> Option<Json> {
        self.extras_with(extras, |_| None)
    }

    /// The same; `store` puts many bytes elsewhere and says where.
    pub(super) fn extras_with(mut self, extras: &Extras, mut store: impl FnMut(&[u8]) -> Option<Json>) -> Option<Json> {
        for (key, value) in extras.own.iter().filter(|(key, _)| key != NUMBER) {
            let (format, word) = key.split_once('.').unwrap_or((LOOSE, key));
            if word == PROPERTIES {
                self.show(&pairs(value), &[]);
            }
            let group = self.own.entry(format).or_insert_with(|| json!({}));
            if let Json::Object(group) = group {
                let view = match value {
                    Value::Bytes(bytes) if bytes.len() >= MANY => store(bytes),
                    _ => None,
                };
                let json = view.map_or_else(|| encode(value), |view| json!({ "bytes": view }));
                group.insert(word.to_owned(), json);
            }
        }
        let mut all = match extras.foreign.as_ref().map(plain) {
            Some(Json::Object(foreign)) => foreign,
            // Extras that are no object have no room for a key, unless they need none.
            Some(foreign) if self.own.is_empty() && self.shown.is_empty() => return Some(foreign),
            Some(foreign) => {
                self.set("foreign", foreign);
                Map::new()
            }
            None => Map::new(),
        };
        for (name, value) in self.shown {
            all.entry(name).or_insert(value);
        }
        if !self.own.is_empty() {
            all.insert(KEY.to_owned(), Json::Object(self.own));
        }
        (!all.is_empty()).then_some(Json::Object(all))
    }
}

/// The extensions of a foreign file that are not understood.
pub(super) fn extensions(extras: &Extras) -> Map<String, Json> {
    extras.extensions.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_through_text() {
        let values = vec![
            Value::Null,
            Value::Bool(true),
            Value::Int(-7),
            Value::Int(i64::MIN),
            Value::Uint(5),
            Value::Uint(u64::MAX),
            Value::F32(0.3),
            Value::F32(1.),
            Value::F32(-0.0),
            Value::F32(f32::INFINITY),
            Value::F64(0.1),
            Value::F64(2.),
            Value::F64(-0.0),
            Value::F64(5e-324),
            Value::F64(f64::NEG_INFINITY),
            Value::Text("a \"b\" \u{1}".into()),
            Value::Text(Name::from(&b"\xff\x00"[..])),
            Value::Bytes(vec![]),
            Value::Bytes(vec![0, 255]),
            Value::Bytes((0..=255).collect()),
            Value::List(vec![Value::Int(1), Value::List(vec![])]),
            Value::Map(vec![("f32".into(), Value::Int(1)), ("f32".into(), Value::Null)]),
        ];
        for value in values {
            let text = encode(&value).to_string();
            let back = decode(&serde_json::from_str(&text).unwrap());
            assert_eq!(format!("{back:?}"), format!("{:?}", Some(value)), "{text}");
        }
    }

    #[test]
    fn odd_floats_keep_their_bits() {
        for bits in [0x7fc0_1234_u32, 0xff80_0000, 0x7f80_0001, 0x8000_0000] {
            let json = encode(&Value::F32(f32::from_bits(bits)));
            assert!(json["f32"].is_string(), "{json}");
            let Some(Value::F32(back)) = decode(&json) else { panic!("{json}") };
            assert_eq!(back.to_bits(), bits);
        }
    }

    #[test]
    fn own_keys_stand_below_their_format_beside_foreign_extras() {
        let mut extras = Extras::default();
        extras.set("danmodel.colored", 1_i64);
        extras.foreign = Some(Value::Map(vec![("mine".into(), Value::F64(2.5))]));
        let mut carry = Carry::default();
        assert_eq!(carry.name(&Name::from(&b"\xe9"[..])).as_deref(), Some("\u{fffd}"));
        let json = carry.extras(&extras).unwrap();
        assert_eq!(json, json!({"mine": 2.5, "pentad": {"name_bytes": "e9", "danmodel": {"colored": 1}}}));
    }
}
