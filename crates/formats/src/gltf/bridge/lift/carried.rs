//! `extras` → what travels along: pentad's own words, and those of others.

use findings::Place;
use scene::{Extras, Name, Properties, Value};

use super::{Input, earlier, literal, source};
use crate::gltf::carry::{KEY, LOOSE, PROPERTIES, decode, pairs, shown, unhex, value};
use crate::gltf::rules::GLTF_036;
use crate::gltf::schema::{Json, Map};

/// The name of a role: it may say more about itself.
pub(super) fn role_name(role: &Json) -> Option<&str> {
    role.as_str().or_else(|| role.as_object()?.keys().next().map(String::as_str))
}

/// The extras of one object, taken apart.
#[derive(Default)]
pub(super) struct Carried {
    /// What is below `pentad`, less what was taken.
    own: Map<String, Json>,
    /// What other programs have there, less what was taken.
    foreign: Option<Json>,
    /// Keys that do not say what they should.
    ignored: Vec<String>,
}

impl Carried {
    pub(super) fn new(extras: Option<&Json>) -> Carried {
        let Some(Json::Object(all)) = extras else {
            return Carried { foreign: extras.cloned(), ..Carried::default() };
        };
        let mut all = all.clone();
        let mut own = match all.get(KEY) {
            Some(Json::Object(own)) => own.clone(),
            Some(Json::String(text)) => match literal::read(text) {
                Some(Json::Object(own)) => own,
                _ => Map::new(),
            },
            _ => Map::new(),
        };
        if !own.is_empty() {
            all.shift_remove(KEY);
        }
        earlier::make_present(&mut own);
        let inside = own.shift_remove("foreign");
        Carried { own, foreign: inside.or((!all.is_empty()).then_some(Json::Object(all))), ignored: Vec::new() }
    }

    /// Whether there are pentad's own keys.
    pub(super) fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// What other programs, or people, said.
    pub(super) fn foreign(&self) -> Option<&Json> {
        self.foreign.as_ref()
    }

    /// The same with other keys of pentad's own.
    pub(super) fn with_own(self, mut own: Map<String, Json>) -> Carried {
        earlier::make_present(&mut own);
        Carried { own, ..self }
    }

    /// The same without pentad's words.
    pub(super) fn without_own(self) -> Carried {
        Carried { own: Map::new(), ..self }
    }

    /// One of pentad's words.
    pub(super) fn take(&mut self, key: &str) -> Option<Json> {
        self.own.shift_remove(key)
    }

    /// One of pentad's words in the form that `read` gives it; one that it cannot read is ignored.
    pub(super) fn taken<T>(&mut self, key: &str, read: impl FnOnce(&Json) -> Option<T>) -> Option<T> {
        let json = self.take(key)?;
        let value = read(&json);
        if value.is_none() {
            self.ignore(key);
        }
        value
    }

    /// An extra of other programs, if `read` understands it.
    pub(super) fn taken_foreign<T>(&mut self, key: &str, read: impl FnOnce(&Json) -> Option<T>) -> Option<T> {
        let Some(Json::Object(all)) = &mut self.foreign else { return None };
        let value = read(all.get(key)?)?;
        all.shift_remove(key);
        if all.is_empty() {
            self.foreign = None;
        }
        Some(value)
    }

    /// Notes that a word contradicts the file.
    pub(super) fn ignore(&mut self, key: &str) {
        self.ignored.push(key.to_owned());
    }

    /// The name as its bytes were, if what glTF shows is still that name.
    pub(super) fn name(&mut self, shown: Option<&str>) -> Name {
        let shown = shown.unwrap_or_default();
        let bytes = self
            .taken("name_bytes", |json| unhex(json.as_str()?).filter(|bytes| String::from_utf8_lossy(bytes) == shown));
        bytes.map_or_else(|| Name::from(shown), |bytes| Name::from(&bytes[..]))
    }

    pub(super) fn properties(&mut self) -> Properties {
        let pair = |pair: &Json| {
            let Value::Text(name) = decode(pair.get(0)?)? else { return None };
            Some((name, decode(pair.get(1)?)?))
        };
        self.taken("properties", |json| json.as_array()?.iter().map(pair).collect()).unwrap_or_default()
    }

    /// Takes properties that stand in `extras` under their own names out of there. A value that was changed there is
    /// what counts, and one that is gone while others are there was taken away.
    pub(super) fn settle(&mut self, properties: &mut Properties, meant: &[&str]) {
        let Some(Json::Object(all)) = &mut self.foreign else { return };
        let shown = shown(properties, meant);
        if !shown.iter().any(|(_, name, _)| all.contains_key(name)) {
            return;
        }
        let mut gone = Vec::new();
        for (at, name, value) in shown {
            match all.shift_remove(&name) {
                None => gone.push(at),
                Some(now) if says(&now, &properties[at].1) || now == value => {}
                Some(now) => properties[at].1 = like(&properties[at].1, &now),
            }
        }
        gone.into_iter().rev().for_each(|at| _ = properties.remove(at));
        if all.is_empty() {
            self.foreign = None;
        }
    }

    /// What is left, once everything that has a place in the scene was taken: keys of formats, extras of others, and
    /// extensions but the `known` ones.
    pub(super) fn finish(
        mut self,
        input: &mut Input<'_, '_, '_>,
        path: &str,
        extensions: &Map<String, Json>,
        known: &[&str],
    ) -> Extras {
        let mut own = Vec::new();
        for (format, group) in std::mem::take(&mut self.own) {
            let Json::Object(words) = &group else {
                self.ignore(&format);
                continue;
            };
            for (word, json) in words {
                let key = if format == LOOSE { word.clone() } else { format!("{format}.{word}") };
                match bulk(input, json).or_else(|| decode(json)) {
                    Some(value) if word == PROPERTIES => {
                        let mut properties = pairs(&value);
                        self.settle(&mut properties, &[]);
                        let pair = |(key, value)| Value::List(vec![Value::Text(key), value]);
                        let now = Value::List(properties.into_iter().map(pair).collect());
                        own.push((key, if pairs(&value).is_empty() { value } else { now }));
                    }
                    Some(value) => own.push((key, value)),
                    None => self.ignore(&key),
                }
            }
        }
        self.ignored.iter().for_each(|key| ignored(input, path, key));
        let unknown = extensions.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let extensions = unknown.map(|(name, json)| (name.clone(), value(json))).collect();
        Extras { own, foreign: self.foreign.as_ref().map(value), extensions }
    }
}

/// One of pentad's words in the extras of an object.
pub(super) fn own(extras: Option<&Json>, key: &str) -> Option<Json> {
    let mut own = match extras?.get(KEY)? {
        Json::Object(own) if !earlier::wrote(own) => return own.get(key).cloned(),
        Json::Object(own) => own.clone(),
        Json::String(text) => match literal::read(text)? {
            Json::Object(own) => own,
            _ => return None,
        },
        _ => return None,
    };
    earlier::make_present(&mut own);
    own.shift_remove(key)
}

/// Says that a key of `extras.pentad` does not count.
pub(super) fn ignored(input: &mut Input<'_, '_, '_>, path: &str, key: &str) {
    let message = format!("{key} contradicts the file, or is in no form that pentad writes; it is ignored");
    input.find(&GLTF_036, Place::path(join(path, "extras.pentad")), message);
}

/// Bytes that are a buffer view.
pub(super) fn bulk(input: &mut Input<'_, '_, '_>, json: &Json) -> Option<Value> {
    let entry = json.get("bytes").filter(|entry| entry.is_object())?;
    let found = match entry.get("sha256") {
        Some(_) => source::bytes(entry, &input.data).ok()?,
        // Earlier versions said the number alone.
        None => input.data.view(usize::try_from(entry.get("bufferView")?.as_u64()?).ok()?).ok()?.bytes,
    };
    // Many words may name one view.
    input.said.bulk = input.said.bulk.saturating_add(found.len() as u64);
    (input.said.bulk <= input.cx.limits.max_inflate).then(|| Value::Bytes(found.to_vec()))
}

/// A property inside another.
pub(super) fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// A carried 32-bit float.
pub(super) fn float(json: &Json) -> Option<f32> {
    match decode(json)? {
        Value::F32(value) => Some(value),
        Value::Int(value) => Some(value as f32),
        _ => None,
    }
}

/// So many carried 32-bit floats.
pub(super) fn floats<const N: usize>(json: &Json) -> Option<[f32; N]> {
    let list: Vec<f32> = json.as_array()?.iter().map(float).collect::<Option<_>>()?;
    list.try_into().ok()
}

/// A carried text.
pub(super) fn text(json: &Json) -> Option<Name> {
    match decode(json)? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Whether JSON says a value, however precisely another program wrote its numbers.
fn says(json: &Json, value: &Value) -> bool {
    match (json, value) {
        (Json::Number(number), Value::F32(v)) => number.as_f64().is_some_and(|n| n as f32 == *v),
        (Json::Number(number), value) => number.as_f64() == value.as_f64(),
        (Json::Array(list), Value::List(values)) => {
            list.len() == values.len() && list.iter().zip(values).all(|(json, value)| says(json, value))
        }
        _ => false,
    }
}

/// What JSON says, in the type that a property had where that holds it.
fn like(old: &Value, json: &Json) -> Value {
    match (old, json) {
        (Value::F32(_), Json::Number(number)) => number.as_f64().map_or(Value::Null, |n| Value::F32(n as f32)),
        (Value::F64(_), Json::Number(number)) => number.as_f64().map_or(Value::Null, Value::F64),
        (Value::List(old), Json::Array(list)) if old.len() == list.len() => {
            Value::List(old.iter().zip(list).map(|(old, json)| like(old, json)).collect())
        }
        (_, json) => value(json),
    }
}
