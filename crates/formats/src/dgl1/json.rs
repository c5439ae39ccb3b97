//! The JSON of DGL1's texts, read with the place of every value.
//!
//! A text is one object. Its members are shown as DML would write them: numbers and arrays of numbers as they stand,
//! strings without their quotes, and the array `textures` as `texture0`, `texture1`, …

use std::ops::Range;

use wire::{Blob, Text};

use crate::dgl2::{Properties, Property};

/// Deepest nesting: the texts of real files have three levels.
const MAX_DEPTH: usize = 32;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A number, `true`, `false` or `null`.
    Word,
    String(Vec<u8>),
    Array(Vec<Json>),
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Vec<u8>,
    pub(crate) name_range: Range<usize>,
    pub(crate) value: Json,
}

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
}

/// The members of the object that a text is.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Member>, Fault> {
    let mut parser = Parser { text, at: 0 };
    parser.space();
    if text.get(parser.at) != Some(&b'{') {
        return Err(parser.expected("an object"));
    }
    let Json { kind: Kind::Object(members), .. } = parser.value(0)? else { return Err(parser.expected("an object")) };
    parser.space();
    if parser.at < text.len() { Err(parser.expected("the end of the text")) } else { Ok(members) }
}

/// What the text says, in the words of DML. A text that is no JSON says nothing.
pub(crate) fn properties(text: &Text) -> Vec<Property> {
    let members = read(text.bytes()).unwrap_or_default();
    let mut out = Vec::new();
    for member in &members {
        match &member.value.kind {
            Kind::Array(textures) if member.name == b"textures" => {
                for (slot, texture) in textures.iter().enumerate() {
                    out.extend(texture_property(text, slot, texture));
                }
            }
            Kind::String(string) => out.push(property(text, member, string.clone())),
            _ => out.push(property(text, member, text.bytes()[member.value.range.clone()].to_vec())),
        }
    }
    out
}

fn property(text: &Text, member: &Member, value: Vec<u8>) -> Property {
    let span = |range: &Range<usize>| text.blob().slice(range.clone()).span();
    let (name_at, value_at) = (span(&member.name_range), span(&member.value.range));
    Property { name: Blob::memory(member.name.clone()), value: Blob::memory(value), name_at, value_at }
}

/// `{"filename": "a.png", "blendType": 1}` as `[a.png, 1]`.
fn texture_property(text: &Text, slot: usize, texture: &Json) -> Option<Property> {
    let Kind::Object(members) = &texture.kind else { return None };
    let inner: Vec<Property> = members
        .iter()
        .map(|member| match &member.value.kind {
            Kind::String(string) => property(text, member, string.clone()),
            _ => property(text, member, text.bytes()[member.value.range.clone()].to_vec()),
        })
        .collect();
    let inner = Properties(inner);
    let file = inner.get("filename")?;
    let blend = inner.int("blendType").unwrap_or(0).to_string();
    let value = [b"[", file, b", ", blend.as_bytes(), b"]"].concat();
    let at = text.blob().slice(texture.range.clone()).span();
    let name = Blob::memory(format!("texture{slot}").into_bytes());
    Some(Property { name, value: Blob::memory(value), name_at: at, value_at: at })
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.expected("fewer levels of brackets"));
        }
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.list(b'}', |parser| {
                let name_start = parser.at;
                let name = parser.string()?;
                let name_range = name_start..parser.at;
                parser.space();
                parser.byte(b':', "a colon")?;
                Ok(Member { name, name_range, value: parser.value(depth + 1)? })
            })?),
            Some(b'[') => Kind::Array(self.list(b']', |parser| parser.value(depth + 1))?),
            Some(b'"') => Kind::String(self.string()?),
            _ => {
                let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                self.at += self.text[self.at..].iter().take_while(belongs).count();
                let word = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
                if !matches!(word, "true" | "false" | "null") && word.parse::<f64>().is_err() {
                    self.at = start;
                    return Err(self.expected("a value"));
                }
                Kind::Word
            }
        };
        Ok(Json { range: start..self.at, kind })
    }

    fn list<T>(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space();
            if self.peek() == Some(end) {
                self.at += 1;
                return Ok(items);
            }
            if !items.is_empty() {
                self.byte(b',', "a comma")?;
                self.space();
            }
            items.push(item(self)?);
        }
    }

    fn string(&mut self) -> Result<Vec<u8>, Fault> {
        self.byte(b'"', "a quote")?;
        let mut out = Vec::new();
        loop {
            let byte = self.peek().ok_or_else(|| self.expected("a quote"))?;
            self.at += 1;
            match byte {
                b'"' => return Ok(out),
                b'\\' => self.escape(&mut out)?,
                other => out.push(other),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Fault> {
        let byte = self.peek().ok_or_else(|| self.expected("an escape"))?;
        self.at += 1;
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut unit = self.hex()?;
                // Two units make one character beyond the first 65536.
                if (0xD800..0xDC00).contains(&unit) && self.text[self.at..].starts_with(b"\\u") {
                    self.at += 2;
                    unit = 0x10000 + ((unit - 0xD800) << 10) + (self.hex()?.wrapping_sub(0xDC00) & 0x3FF);
                }
                let character = char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend(character.encode_utf8(&mut [0; 4]).bytes());
                return Ok(());
            }
            _ => return Err(self.expected("an escape")),
        };
        out.push(plain);
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(unit)
    }

    fn byte(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn expected(&self, expected: &'static str) -> Fault {
        Fault { at: self.at.min(self.text.len()), expected }
    }
}
