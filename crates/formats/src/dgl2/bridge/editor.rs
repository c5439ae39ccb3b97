//! Changes a text as little as possible so that it says what a scene says.

use findings::{Level, Result, Subject};
use scene::loss::{LOSS_015, LOSS_023};
use scene::{Name, Value};
use wire::{Blob, Text};

use super::Dialect;
use crate::LowerCx;
use crate::dgl2::dml::{Dml, Pair, TokenKind, value};

/// A text that is being changed.
pub(super) struct Editor {
    dml: Dml,
    /// Whether a text that has to be begun begins with a brace.
    braced: bool,
    /// Whether there was no text to begin with, so that everything must be said.
    pub(super) fresh: bool,
    /// How reports call the object.
    place: Subject,
    refused: Vec<Refused>,
    /// Colours that had to be brought within 0 to 1, and how far beyond they were.
    clamped: Vec<(String, f64)>,
}

/// What cannot be said, and why.
struct Refused {
    what: String,
    why: &'static str,
    level: Level,
}

const UNSPEAKABLE: &str = "DML has no escapes";

impl Editor {
    /// Begins with the text a scene carries. In another dialect than its own it is written anew, with or without
    /// braces; in its own it stays as it is.
    pub(super) fn new(
        carried: Option<&Value>,
        same_dialect: bool,
        dialect: Dialect,
        place: Subject,
        cx: &mut LowerCx<'_>,
    ) -> Editor {
        let carried = carried.and_then(Value::as_text).map(|text| Text::from(Blob::memory(text.bytes().to_vec())));
        let fresh = carried.is_none();
        let mut dml = Dml::read(&carried.unwrap_or_default());
        if !fresh && !same_dialect && dml.is_braced() != dialect.braced && !dml.text().is_empty() {
            dml = rewritten(&dml, dialect.braced, &place, cx);
        }
        Editor { dml, braced: dialect.braced, fresh, place, refused: Vec::new(), clamped: Vec::new() }
    }

    pub(super) fn is_braced(&self) -> bool {
        self.dml.is_braced() || (self.dml.text().is_empty() && self.braced)
    }

    pub(super) fn get(&self, key: &str) -> Option<&[u8]> {
        self.dml.get(key)
    }

    /// Sets a property whatever its value was.
    pub(super) fn set(&mut self, key: &str, value: &[u8]) {
        if self.dml.get(key) == Some(value) {
            return;
        }
        if self.dml.text().is_empty() && self.braced {
            self.dml = Dml::read(&"{}".into());
        }
        match self.dml.with(key, value) {
            Ok(text) => self.dml = Dml::read(&text),
            Err(error) => self.refuse(error.message(), UNSPEAKABLE),
        }
    }

    pub(super) fn remove(&mut self, key: &str) {
        if self.dml.get(key).is_some() {
            self.dml = Dml::read(&self.dml.without(key));
        }
    }

    /// A number that is `default` where it is not said.
    pub(super) fn number(&mut self, key: &str, default: f32, wanted: f32) {
        let now = self.get(key).and_then(value::float).unwrap_or(default);
        if now.to_bits() != wanted.to_bits() {
            self.set(key, float(wanted).as_bytes());
        }
    }

    /// A truth value that is `default` where it is not said.
    pub(super) fn boolean(&mut self, key: &str, default: bool, wanted: bool) {
        if self.get(key).and_then(value::boolean).unwrap_or(default) != wanted {
            self.set(key, if wanted { b"1" } else { b"0" });
        }
    }

    /// Numbers that are `default` where they are not said.
    pub(super) fn array<const N: usize>(&mut self, key: &str, default: [f32; N], wanted: [f32; N]) {
        let now = self.get(key).and_then(value::array).unwrap_or(default);
        if now.map(f32::to_bits) != wanted.map(f32::to_bits) {
            self.set(key, vector(&wanted).as_bytes());
        }
    }

    /// A colour that is `default` where it is not said. One that a text says stays, whatever it is; others lie within 0
    /// to 1.
    pub(super) fn color(&mut self, key: &str, default: [f32; 4], wanted: [f32; 4]) {
        let now = self.get(key).and_then(value::array).unwrap_or(default);
        if now.map(f32::to_bits) != wanted.map(f32::to_bits) {
            self.set_color(key, wanted);
        }
    }

    /// Sets a colour whatever its value was.
    pub(super) fn set_color(&mut self, key: &str, wanted: [f32; 4]) {
        let within = wanted.map(|v| if v.is_nan() { 0. } else { v.clamp(0., 1.) });
        let beyond = |(a, b): (&f32, &f32)| f64::from((a - b).abs());
        let size = wanted.iter().zip(&within).map(beyond).fold(0., f64::max);
        if size > 0. {
            self.clamped.retain(|(known, _)| known != key);
            self.clamped.push((key.to_owned(), size));
        }
        self.set(key, vector(&within).as_bytes());
    }

    fn refuse(&mut self, what: &str, why: &'static str) {
        self.refused.push(Refused { what: what.to_owned(), why, level: Level::Dropped });
    }

    /// Makes the properties that are nobody's but the user's those of the scene.
    pub(super) fn properties(&mut self, wanted: &[(Name, Value)], is_known: impl Fn(&[u8]) -> bool) {
        let mut list = Vec::new();
        for (name, value) in wanted {
            let what = format!("property {name}");
            let Some(mut said) = words(value) else {
                self.refuse(&what, "a value of DML is a number, a truth value, a vector or text");
                continue;
            };
            if is_known(name.bytes()) {
                if self.dml.pairs().iter().all(|pair| self.dml.bytes(&pair.value) != said) {
                    self.refuse(&what, "in DGL2 that name has a meaning");
                }
                continue;
            }
            // What a text has already stays there.
            let is_new = self.dml.get(&name.to_string()) != Some(&said[..]);
            if is_new && said.iter().any(|byte| (*byte < 0x20 && !b"\t\n".contains(byte)) || *byte == 0x7F) {
                self.refuse(&what, UNSPEAKABLE);
                continue;
            }
            if is_new && kind(&typed(&said)) != kind(value) {
                let why = "values of DML have no types";
                let what = format!("{what} as {}", kind(value));
                self.refused.push(Refused { what, why, level: Level::Changed });
            }
            let mut key = name.bytes().to_vec();
            if is_new && (std::str::from_utf8(&said).is_err() || name.as_str().is_none()) {
                let why = "texts of DGL2 are UTF-8";
                self.refused.push(Refused { what: format!("{what} as it was"), why, level: Level::Changed });
                key = name.to_string().into_bytes();
                said = String::from_utf8_lossy(&said).into_owned().into_bytes();
            }
            list.push((key, said));
        }
        let own = |dml: &Dml| -> Vec<(Vec<u8>, Vec<u8>)> {
            let pairs = dml.pairs().iter().map(|p| (dml.bytes(&p.name).to_vec(), dml.bytes(&p.value).to_vec()));
            pairs.filter(|(name, _)| !is_known(name)).collect()
        };
        let now = own(&self.dml);
        if now == list {
            return;
        }
        let values_only = now.iter().map(|(name, _)| name).eq(list.iter().map(|(name, _)| name));
        let speakable = list.iter().all(|(name, value)| Dml::make([(&name[..], &value[..])], self.is_braced()).is_ok());
        if values_only && speakable {
            let values = std::cell::Cell::new(list.iter());
            let next = || {
                let mut rest = values.take();
                let value = rest.next().map(|(_, value)| &value[..]);
                values.set(rest);
                value
            };
            let change = |pair: &Pair| {
                if is_known(self.dml.bytes(&pair.name)) {
                    None
                } else {
                    next().map(|value| (pair.value.clone(), value))
                }
            };
            let text = self.dml.replacing(change);
            self.dml = Dml::read(&text);
            return;
        }
        let kept =
            self.dml.replacing(|pair| (!is_known(self.dml.bytes(&pair.name))).then(|| (pair.whole.clone(), &[][..])));
        let kept = if kept.is_empty() && self.braced { "{}".into() } else { kept };
        let (text, refused) = Dml::read(&kept).with_all(&list);
        refused.iter().for_each(|error| self.refuse(error.message(), UNSPEAKABLE));
        self.dml = Dml::read(&text);
    }

    /// The text, after saying what could not be said in it.
    pub(super) fn finish(self, cx: &mut LowerCx<'_>) -> Text {
        for Refused { what, why, level } in self.refused {
            cx.losses.add_at(level, &LOSS_015, &self.place, 1, what, why);
        }
        for (key, size) in self.clamped {
            let why = "colours of DGL2 lie within 0 to 1";
            cx.losses.add_measured(&LOSS_023, size, &self.place, 1, format!("{key} clamped"), why);
        }
        self.dml.text().clone()
    }
}

/// The same properties with braces or without.
pub(super) fn rewritten(dml: &Dml, braced: bool, place: &Subject, cx: &mut LowerCx<'_>) -> Dml {
    let lost =
        |kind: TokenKind| dml.tokens().iter().filter(move |t| t.kind == kind).map(|t| t.range.len()).sum::<usize>();
    let unexplained = lost(TokenKind::Comment) + lost(TokenKind::Rest);
    if unexplained > 0 {
        let why = "comments and what is no property have no place in another dialect";
        cx.lose(&scene::loss::LOSS_026, place, unexplained as u64, "bytes of text", why);
    }
    let mut made: Result<Text> = Dml::make(pairs(dml), braced);
    if made.is_err() {
        let speakable = |pair: &(&[u8], &[u8])| Dml::make([*pair], braced).is_ok();
        for (name, _) in pairs(dml).filter(|pair| !speakable(pair)) {
            let what = format!("property {}", String::from_utf8_lossy(name));
            cx.lose(&LOSS_015, place, 1, &what, "DML has no escapes");
        }
        made = Dml::make(pairs(dml).filter(speakable), braced);
    }
    Dml::read(&made.unwrap_or_default())
}

fn pairs(dml: &Dml) -> impl Iterator<Item = (&[u8], &[u8])> {
    dml.pairs().iter().map(|pair| (dml.bytes(&pair.name), dml.bytes(&pair.value)))
}

/// A number with as many digits as it takes, and a point, as the exporter writes it.
pub(super) fn float(value: f32) -> String {
    format!("{value:?}")
}

pub(super) fn vector(values: &[f32]) -> String {
    let items: Vec<String> = values.iter().map(|value| float(*value)).collect();
    format!("[{}]", items.join(", "))
}

/// A property of any type as the text of a DML value.
fn words(value: &Value) -> Option<Vec<u8>> {
    let text = match value {
        Value::Text(text) => return Some(text.bytes().to_vec()),
        Value::Bool(set) => set.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Uint(n) => n.to_string(),
        Value::F32(n) => float(*n),
        Value::F64(n) => format!("{n:?}"),
        Value::List(items) => {
            let numbers: Option<Vec<String>> =
                items.iter().map(|item| item.as_f64().map(|_| words(item)).map(to_text)).collect();
            format!("[{}]", numbers?.join(", "))
        }
        Value::Null | Value::Bytes(_) | Value::Map(_) => return None,
    };
    Some(text.into_bytes())
}

fn to_text(words: Option<Vec<u8>>) -> String {
    String::from_utf8(words.unwrap_or_default()).unwrap_or_default()
}

/// What kind of value it is.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "truth value",
        Value::Int(_) | Value::Uint(_) | Value::F32(_) | Value::F64(_) => "number",
        Value::List(_) => "vector",
        _ => "text",
    }
}

/// What a value says, if that says it in the same words again; texts have no types.
pub(super) fn typed(said: &[u8]) -> Value {
    let text = || Value::Text(Name::from(said));
    let Ok(word) = std::str::from_utf8(said) else { return text() };
    let same = |value: &Value| words(value).as_deref() == Some(said);
    let vector = || {
        let items = word.strip_prefix('[')?.strip_suffix(']')?.split(", ").map(number);
        items.collect::<Option<_>>().map(Value::List)
    };
    let found = match word {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => number(word).or_else(vector),
    };
    found.filter(same).unwrap_or_else(text)
}

fn number(word: &str) -> Option<Value> {
    let int = || word.parse().ok().map(Value::Int);
    let uint = || word.parse().ok().map(Value::Uint);
    let float = || word.parse().ok().filter(|v: &f64| v.is_finite()).map(Value::F64);
    int().or_else(uint).or_else(float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_type_that_says_them_in_the_same_words() {
        let numbers = |list: &[f64]| Value::List(list.iter().map(|v| Value::F64(*v)).collect());
        for (said, value) in [
            ("5", Value::Int(5)),
            ("-5", Value::Int(-5)),
            ("18446744073709551615", Value::Uint(u64::MAX)),
            ("2.5", Value::F64(2.5)),
            ("1.0", Value::F64(1.)),
            ("1e300", Value::F64(1e300)),
            ("true", Value::Bool(true)),
            ("[4.0, 0.0, 1.0]", numbers(&[4., 0., 1.])),
            ("[1, 2]", Value::List(vec![Value::Int(1), Value::Int(2)])),
        ] {
            assert_eq!(typed(said.as_bytes()), value, "{said}");
        }
        for text in ["", "007", "1.50", "+1", "NaN", "inf", "4.4e-08", "[1,2]", "[]", "[a]", "yes", "red", "1, 2"] {
            assert_eq!(typed(text.as_bytes()), Value::from(text), "{text}");
        }
    }
}
