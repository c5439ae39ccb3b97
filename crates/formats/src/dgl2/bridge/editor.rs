//! Changes a text as little as possible so that it says what a scene says.

use findings::Result;
use scene::loss::LOSS_015;
use scene::{Name, Value};
use wire::{Blob, Text};

use super::Dialect;
use crate::BridgeCx;
use crate::dgl2::dml::{Dml, Pair, TokenKind, value};

/// A text that is being changed.
pub(super) struct Editor {
    dml: Dml,
    /// Whether a text that has to be begun begins with a brace.
    braced: bool,
    /// Whether there was no text to begin with, so that everything must be said.
    pub(super) fresh: bool,
    /// How reports call the object.
    place: String,
    refused: Vec<String>,
}

impl Editor {
    /// Begins with the text a scene carries. In another dialect than its own it is written anew, with or without
    /// braces; in its own it stays as it is.
    pub(super) fn new(
        carried: Option<&Value>,
        same_dialect: bool,
        dialect: Dialect,
        place: String,
        cx: &mut BridgeCx<'_>,
    ) -> Editor {
        let carried = carried.and_then(Value::as_text).map(|text| Text::from(Blob::memory(text.bytes().to_vec())));
        let fresh = carried.is_none();
        let mut dml = Dml::read(&carried.unwrap_or_default());
        if !fresh && !same_dialect && dml.is_braced() != dialect.braced && !dml.text().is_empty() {
            dml = rewritten(&dml, dialect.braced, &place, cx);
        }
        Editor { dml, braced: dialect.braced, fresh, place, refused: Vec::new() }
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
            Err(error) => self.refused.push(error.message().to_owned()),
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

    /// Makes the properties that are nobody's but the user's those of the scene.
    pub(super) fn properties(&mut self, wanted: &[(Name, Value)], is_known: impl Fn(&[u8]) -> bool) {
        let mut list = Vec::new();
        for (name, value) in wanted {
            match words(value) {
                Some(value) => list.push((name.bytes().to_vec(), value)),
                None => self.refused.push(format!("property {name} has a value that is no number, text or vector")),
            }
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
        self.refused.extend(refused.iter().map(|error| error.message().to_owned()));
        self.dml = Dml::read(&text);
    }

    /// The text, after saying what could not be said in it.
    pub(super) fn finish(self, cx: &mut BridgeCx<'_>) -> Text {
        for refused in &self.refused {
            cx.lose(&LOSS_015, &self.place, 1, refused, "DML has no escapes");
        }
        self.dml.text().clone()
    }
}

/// The same properties with braces or without.
pub(super) fn rewritten(dml: &Dml, braced: bool, place: &str, cx: &mut BridgeCx<'_>) -> Dml {
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
        Value::Bool(set) => if *set { "1" } else { "0" }.to_owned(),
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
