//! Settings ⇄ properties.

use half::f16;
use scene::{Extras, Name, Properties, Value};
use wire::{Blob, CText, Order, Text};

use super::keys;
use super::{ctext, name};
use crate::dragon::layout::body::{Pair, SettingType, Settings};

/// What settings say about the section that names them.
#[derive(Default)]
pub(super) struct Said {
    /// The value of `name`, if it was asked for.
    pub(super) name: Name,
    pub(super) properties: Properties,
    /// The type of each property, if it is not the plain one.
    types: Vec<Value>,
}

impl Said {
    /// Reads settings; `named` takes the name of the section out of them.
    pub(super) fn of(settings: &Settings, named: bool) -> Said {
        let mut said = Said::default();
        let mut named = named;
        for pair in &settings.pairs {
            let (value, word) = lift(pair);
            if let (true, b"name", Value::Text(text)) = (named, pair.key.bytes(), &value) {
                said.name = text.clone();
                named = false;
                continue;
            }
            said.properties.push((name(&pair.key), value));
            said.types.push(word);
        }
        said
    }

    /// Leaves what types are not plain.
    pub(super) fn remember_types(&self, extras: &mut Extras) {
        if self.types.iter().any(|word| *word != Value::Null) {
            keys::TYPES.set(extras, Value::List(self.types.clone()));
        }
    }

    /// Takes a property that is one text.
    pub(super) fn take_text(&mut self, key: &str) -> Option<Name> {
        let is_text = |(name, value): &(Name, Value)| name.bytes() == key.as_bytes() && value.as_text().is_some();
        let at = self.properties.iter().position(is_text)?;
        self.types.remove(at);
        self.properties.remove(at).1.as_text().cloned()
    }

    /// Takes a property that is one word.
    pub(super) fn take_word(&mut self, key: &str, word: &str) -> bool {
        let is = |(name, value): &(Name, Value)| {
            name.bytes() == key.as_bytes() && value.as_text().is_some_and(|text| text.bytes() == word.as_bytes())
        };
        let Some(at) = self.properties.iter().position(is) else { return false };
        self.types.remove(at);
        self.properties.remove(at);
        true
    }

    /// Takes a property that is true.
    pub(super) fn take_true(&mut self, key: &str) -> bool {
        let is_true = |(name, value): &(Name, Value)| name.bytes() == key.as_bytes() && *value == Value::Bool(true);
        let Some(at) = self.properties.iter().position(is_true) else { return false };
        self.types.remove(at);
        self.properties.remove(at);
        true
    }

    /// Takes a property that is so many floats.
    pub(super) fn take_floats<const N: usize>(&mut self, key: &str) -> Option<[f32; N]> {
        let at = self.properties.iter().position(|(name, _)| name.bytes() == key.as_bytes())?;
        let found = match &self.properties[at].1 {
            Value::F32(v) if N == 1 => Some([*v; N]),
            Value::List(list) => {
                let floats: Option<Vec<f32>> =
                    list.iter().map(|v| if let Value::F32(v) = v { Some(*v) } else { None }).collect();
                floats.and_then(|floats| floats.try_into().ok())
            }
            _ => None,
        }?;
        self.types.remove(at);
        self.properties.remove(at);
        Some(found)
    }
}

/// The value of a pair, and its type if that is not the plain one of the value.
fn lift(pair: &Pair) -> (Value, Value) {
    let bytes = pair.value_in(Order::Little);
    let kind = pair.setting_type().filter(|kind| kind.fits(bytes.len()));
    let value = kind.map_or_else(|| Value::Bytes(bytes.to_vec()), |kind| decode(kind, &bytes));
    let plain = plain_word(&value) == pair.value_type.as_str();
    let word = if plain { Value::Null } else { Value::Text(name(&pair.value_type)) };
    (value, word)
}

fn decode(kind: &SettingType, bytes: &[u8]) -> Value {
    match kind.word {
        "string" => return Value::Text(Name::from(bytes.strip_suffix(b"\0").unwrap_or(bytes))),
        "bytes" | "guid" => return Value::Bytes(bytes.to_vec()),
        _ => {}
    }
    let number = |bytes: &[u8]| scalar(kind.word, bytes);
    let element = |bytes: &[u8]| match kind.count {
        1 => number(bytes),
        _ => Value::List(bytes.chunks_exact(kind.component).map(number).collect()),
    };
    let mut elements: Vec<Value> = bytes.chunks_exact(kind.component * kind.count).map(element).collect();
    if elements.len() == 1 { elements.remove(0) } else { Value::List(elements) }
}

fn scalar(word: &str, bytes: &[u8]) -> Value {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(wide);
    // The sign is in the highest bit that was stored.
    let signed = || (unsigned << (64 - 8 * bytes.len())).cast_signed() >> (64 - 8 * bytes.len());
    match word {
        "bool" => Value::Bool(unsigned != 0),
        "int8" | "int16" | "int32" | "int64" => Value::Int(signed()),
        "uint8" | "uint16" | "uint32" | "uint64" => i64::try_from(unsigned).map_or(Value::Uint(unsigned), Value::Int),
        "float16" => Value::F32(f16::from_bits(unsigned as u16).to_f32()),
        "float64" => Value::F64(f64::from_bits(unsigned)),
        _ => Value::F32(f32::from_bits(unsigned as u32)),
    }
}

/// The type that a value is written in if nothing says another one.
fn plain_word(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null | Value::Map(_) => return None,
        Value::Bool(_) => "bool",
        Value::Int(n) if i32::try_from(*n).is_ok() => "int32",
        Value::Int(_) => "int64",
        Value::Uint(_) => "uint64",
        Value::F32(_) => "float32",
        Value::F64(_) => "float64",
        Value::Text(_) => "string",
        Value::Bytes(_) => "bytes",
        Value::List(list) => {
            let same = |kind: &str| list.iter().all(|v| !matches!(v, Value::List(_)) && plain_word(v) == Some(kind));
            match list.len() {
                2 if same("float32") => "vec2",
                3 if same("float32") => "vec3",
                4 if same("float32") => "vec4",
                9 if same("float32") => "mat3",
                16 if same("float32") => "mat4",
                0 => return None,
                _ => ["bool", "int32", "int64", "float32", "float64"].into_iter().find(|kind| same(kind))?,
            }
        }
    })
}

/// The pair that a property is written as; nothing if no type holds it.
pub(super) fn pair(key: &Name, value: &Value, word: Option<&Value>) -> Option<Pair> {
    if key.bytes().contains(&0) {
        return None;
    }
    let word: CText = match word {
        Some(Value::Text(word)) if !word.bytes().contains(&0) => ctext(word),
        _ => CText(Text::from(plain_word(value)?)),
    };
    let mut bytes = Vec::new();
    match (value, SettingType::of(&word)) {
        (Value::Bytes(raw), _) => bytes.extend(raw),
        (Value::Text(text), _) => bytes.extend(text.bytes()),
        (value, Some(kind)) => encode(kind.word, value, &mut bytes)?,
        _ => return None,
    }
    Some(Pair::new(ctext(key), word, Blob::memory(bytes), Order::Little))
}

fn encode(word: &str, value: &Value, out: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::List(list) => list.iter().try_for_each(|value| encode(word, value, out))?,
        Value::Bool(truth) => out.push((*truth).into()),
        Value::F32(v) if word == "float16" => out.extend(f16::from_f32(*v).to_bits().to_le_bytes()),
        Value::F32(v) if word != "float64" => out.extend(v.to_le_bytes()),
        Value::F64(v) if word == "float64" => out.extend(v.to_le_bytes()),
        Value::Int(_) | Value::Uint(_) => {
            let bits = match value {
                Value::Uint(n) => *n,
                other => other.as_int()?.cast_unsigned(),
            };
            let size = match word {
                "int8" | "uint8" => 1,
                "int16" | "uint16" => 2,
                "int32" | "uint32" => 4,
                "int64" | "uint64" => 8,
                _ => return None,
            };
            out.extend(&bits.to_le_bytes()[..size]);
        }
        _ => return None,
    }
    Some(())
}

/// The types of properties that are not plain, by position.
pub(super) fn types(extras: &Extras) -> &[Value] {
    match keys::TYPES.get(extras) {
        Some(Value::List(types)) => types,
        _ => &[],
    }
}

/// Properties as a value, for what has no field for them.
pub(super) fn as_value(properties: Properties) -> Value {
    Value::List(properties.into_iter().map(|(key, value)| Value::List(vec![Value::Text(key), value])).collect())
}

/// Properties that travelled as a value.
pub(super) fn of_value(value: Option<&Value>) -> Properties {
    let Some(Value::List(list)) = value else { return Vec::new() };
    let pair = |value: &Value| match value {
        Value::List(pair) => match pair.as_slice() {
            [Value::Text(key), value] => Some((key.clone(), value.clone())),
            _ => None,
        },
        _ => None,
    };
    list.iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(word: &str, bytes: &[u8]) -> Value {
        let text = |text: &str| CText(Text::from(text));
        let stored = Pair::new(text("key"), text(word), Blob::memory(bytes.to_vec()), Order::Little);
        let (value, word) = lift(&stored);
        let again = pair(&Name::from("key"), &value, Some(&word)).expect("it has a type");
        assert_eq!(again, stored);
        value
    }

    #[test]
    fn settings_of_every_type_come_back_as_they_were() {
        assert_eq!(there_and_back("int8", &[0xFF]), Value::Int(-1));
        assert_eq!(there_and_back("uint16", &[0xFF, 0xFF]), Value::Int(65535));
        assert_eq!(there_and_back("uint64", &[0xFF; 8]), Value::Uint(u64::MAX));
        assert_eq!(there_and_back("float16", &[0, 0x3C]), Value::F32(1.));
        assert_eq!(there_and_back("Double", &1.5_f64.to_le_bytes()), Value::F64(1.5));
        assert_eq!(there_and_back("string", b"Dragon"), Value::from("Dragon"));
        assert_eq!(there_and_back("bool", &[1]), Value::Bool(true));
        assert_eq!(there_and_back("guid", &[7; 16]), Value::Bytes(vec![7; 16]));
        assert_eq!(there_and_back("blob", &[1, 2]), Value::Bytes(vec![1, 2]));
        assert_eq!(there_and_back("int32", &[1, 2]), Value::Bytes(vec![1, 2]), "of no size that fits");
        let floats: Vec<u8> = [1_f32, 2., 3.].iter().flat_map(|v| v.to_le_bytes()).collect();
        let list = Value::List([1_f32, 2., 3.].map(Value::F32).to_vec());
        assert_eq!(there_and_back("vec3", &floats), list);
        assert_eq!(there_and_back("float32", &floats), list, "three floats are no vector, and stay three floats");
        assert_eq!(there_and_back("vec3", &floats.repeat(2)), Value::List(vec![list.clone(), list]));
    }
}
