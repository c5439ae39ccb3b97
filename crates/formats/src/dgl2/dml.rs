//! DML, the language of properties: `name="value";`, one behind the other, bare or between braces.
//!
//! A text is cut into tokens that cover every byte, so nothing of it is ever rewritten by reading: white space, order,
//! duplicates and odd bytes stay what they are. Changing a value replaces the bytes between two quotes and no others.
//!
//! ```
//! use formats::dgl2::dml::Dml;
//!
//! let dml = Dml::read(&"{ shadeless = \"0\"; shadeless=\"1\" }".into());
//! assert!(dml.is_braced());
//! assert_eq!(dml.get("shadeless"), Some(&b"1"[..]));
//! assert_eq!(dml.with("shadeless", b"0")?.to_string(), "{ shadeless = \"0\"; shadeless=\"0\" }");
//! # Ok::<(), findings::Error>(())
//! ```

use std::ops::Range;

use findings::{Error, ErrorKind, Place, Result};
use wire::{Blob, Text};

use super::rules::DML_006;

/// A text and what it says.
#[derive(Clone, Debug)]
pub struct Dml {
    text: Text,
    braced: bool,
    tokens: Vec<Token>,
    pairs: Vec<Pair>,
    faults: Vec<Fault>,
}

/// A run of bytes of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes, counted from the start of the text.
    pub range: Range<usize>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space.
    Space,
    /// From `#` to the end of the line; in braced texts only.
    Comment,
    /// `{`
    Open,
    /// `}`
    Close,
    /// What stands before `=`.
    Name,
    /// `=`
    Equals,
    /// A value with its quotes.
    Value,
    /// `;`
    Semicolon,
    /// From the byte that no rule of the language explains to the end.
    Rest,
}

/// A property: where its parts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The name.
    pub name: Range<usize>,
    /// What stands between the quotes.
    pub value: Range<usize>,
    /// From the name to the semicolon.
    pub whole: Range<usize>,
}

/// Something the language does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub range: Range<usize>,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A pair without a name.
    NoName,
    /// No `=` behind a name.
    NoEquals,
    /// No quote behind `=`.
    NoOpeningQuote,
    /// A value that does not end.
    NoClosingQuote,
    /// No `;` behind a value.
    NoSemicolon,
    /// `{` without `}`.
    NoBrace,
    /// Text behind `}`.
    BehindBrace,
}

impl FaultKind {
    /// Whether reading stops there.
    pub fn stops(self) -> bool {
        !matches!(self, FaultKind::NoSemicolon | FaultKind::NoBrace | FaultKind::BehindBrace)
    }

    /// What is wrong, in words.
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::NoName => "a property has no name",
            FaultKind::NoEquals => "there is no = behind a name",
            FaultKind::NoOpeningQuote => "a value does not begin with a quote",
            FaultKind::NoClosingQuote => "a value does not end with a quote",
            FaultKind::NoSemicolon => "there is no ; behind a value",
            FaultKind::NoBrace => "there is no } at the end",
            FaultKind::BehindBrace => "there is text behind }",
        }
    }
}

/// What both of the engine's parsers skip between tokens.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

impl Dml {
    /// Cuts a text into tokens and pairs. Like the engine it stops at the first thing it cannot read, and what it has
    /// read until then counts.
    pub fn read(text: &Text) -> Dml {
        let dml = Dml { text: text.clone(), braced: false, tokens: Vec::new(), pairs: Vec::new(), faults: Vec::new() };
        Parser { dml, at: 0 }.run()
    }

    /// A text of these properties without any white space.
    ///
    /// # Errors
    /// If DML cannot say one of them.
    pub fn make<'a>(pairs: impl IntoIterator<Item = (&'a [u8], &'a [u8])>, braced: bool) -> Result<Text> {
        let mut out = Vec::new();
        if braced {
            out.push(b'{');
        }
        for (name, value) in pairs {
            check(name, value, braced)?;
            push(&mut out, name, value);
        }
        if braced {
            out.push(b'}');
        }
        Ok(Text::from(Blob::memory(out)))
    }

    /// Whether it stands between braces.
    pub fn is_braced(&self) -> bool {
        self.braced
    }

    /// The text itself.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Its tokens: together they are the text.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Its properties, in order.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// What is wrong with it.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How many bytes of it are no property and no white space: comments, and what cannot be read.
    pub fn unexplained(&self) -> u64 {
        let is_unexplained = |token: &&Token| matches!(token.kind, TokenKind::Comment | TokenKind::Rest);
        self.tokens.iter().filter(is_unexplained).map(|token| token.range.len() as u64).sum()
    }

    /// Some bytes of it.
    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.text.bytes().get(range.clone()).unwrap_or_default()
    }

    /// The value of a property; the last one counts.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.find(name.as_bytes()).map(|pair| self.bytes(&pair.value))
    }

    fn find(&self, name: &[u8]) -> Option<&Pair> {
        self.pairs.iter().rev().find(|pair| self.bytes(&pair.name) == name)
    }

    /// The same text with another value for a property: its bytes are replaced, or it is added behind the others.
    ///
    /// # Errors
    /// If DML cannot say it.
    pub fn with(&self, name: &str, value: &[u8]) -> Result<Text> {
        check(name.as_bytes(), value, self.braced)?;
        if let Some(pair) = self.find(name.as_bytes()) {
            return Ok(self.replaced(pair.value.clone(), value));
        }
        let mut new = Vec::new();
        push(&mut new, name.as_bytes(), value);
        Ok(self.appended(&new))
    }

    /// The same text without a property, however often it has it.
    pub fn without(&self, name: &str) -> Text {
        self.replacing(|pair| (self.bytes(&pair.name) == name.as_bytes()).then_some((pair.whole.clone(), &[][..])))
    }

    /// The same text with other bytes in place of some of each property's, in one pass however many there are.
    pub(crate) fn replacing<'a>(&self, change: impl Fn(&Pair) -> Option<(Range<usize>, &'a [u8])>) -> Text {
        let text = self.text.bytes();
        let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
        for (range, by) in self.pairs.iter().filter_map(change) {
            out.extend_from_slice(&text[at..range.start]);
            out.extend_from_slice(by);
            at = range.end;
        }
        out.extend_from_slice(&text[at..]);
        Text::from(Blob::memory(out))
    }

    /// The same text with these properties behind its own, and those that DML cannot say.
    pub(crate) fn with_all(&self, added: &[(Vec<u8>, Vec<u8>)]) -> (Text, Vec<Error>) {
        let (mut new, mut refused) = (Vec::new(), Vec::new());
        for (name, value) in added {
            match check(name, value, self.braced) {
                Ok(()) => push(&mut new, name, value),
                Err(error) => refused.push(error),
            }
        }
        (if new.is_empty() { self.text.clone() } else { self.appended(&new) }, refused)
    }

    fn appended(&self, new: &[u8]) -> Text {
        let last = self.pairs.last().map_or_else(|| self.first_place(), |pair| pair.whole.end);
        let unfinished = self.pairs.last().is_some() && self.bytes(&(last - 1..last)) != b";";
        let new = [if unfinished { &b";"[..] } else { b"" }, new].concat();
        self.replaced(last..last, &new)
    }

    /// Where a first property goes: behind the brace, if there is one.
    fn first_place(&self) -> usize {
        self.tokens.iter().find(|token| token.kind == TokenKind::Open).map_or(0, |open| open.range.end)
    }

    fn replaced(&self, range: Range<usize>, by: &[u8]) -> Text {
        let text = self.text.bytes();
        Text::from(Blob::memory([&text[..range.start], by, &text[range.end..]].concat()))
    }
}

fn push(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    out.extend_from_slice(name);
    out.extend_from_slice(b"=\"");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\";");
}

/// Refuses what DML cannot say: it has no escapes.
fn check(name: &[u8], value: &[u8], braced: bool) -> Result<()> {
    let odd = |&byte: &u8| is_space(byte) || b"=\";{}".contains(&byte) || (braced && byte == b'#');
    let shown = String::from_utf8_lossy(name);
    let refuse = |what: String| Err(Error::new(ErrorKind::Unrepresentable, &DML_006.info, Place::file(), what));
    if name.is_empty() {
        return refuse("a property has no name".to_owned());
    }
    if let Some(&byte) = name.iter().find(|byte| odd(byte)) {
        return refuse(format!("the name of property {shown:?} contains {:?}", char::from(byte)));
    }
    let unescaped = |at: usize| !braced || at == 0 || value[at - 1] != b'\\';
    if value.iter().enumerate().any(|(at, &byte)| byte == b'"' && unescaped(at)) {
        return refuse(format!("the value of property {shown:?} contains a quote"));
    }
    if braced && value.last() == Some(&b'\\') {
        return refuse(format!("the value of property {shown:?} ends with a backslash"));
    }
    Ok(())
}

struct Parser {
    dml: Dml,
    at: usize,
}

impl Parser {
    fn run(mut self) -> Dml {
        self.space();
        if self.peek() == Some(b'{') {
            self.dml.braced = true;
            self.token(TokenKind::Open, 1);
        }
        loop {
            self.space();
            match self.peek() {
                None => {
                    if self.dml.braced {
                        self.fault(FaultKind::NoBrace, self.at..self.at);
                    }
                    break;
                }
                Some(b'}') if self.dml.braced => {
                    self.token(TokenKind::Close, 1);
                    self.space();
                    let rest = self.at..self.end();
                    if !rest.is_empty() {
                        self.fault(FaultKind::BehindBrace, rest);
                    }
                    break;
                }
                Some(_) => {
                    if self.pair().is_none() {
                        break;
                    }
                }
            }
        }
        let rest = self.end() - self.at;
        self.token(TokenKind::Rest, rest);
        self.dml
    }

    /// Reads one property; nothing if it cannot be gone on with.
    fn pair(&mut self) -> Option<()> {
        let name = self.while_any(TokenKind::Name, |byte, braced| {
            !(is_space(byte) || b"=\";".contains(&byte) || (braced && b"{}#".contains(&byte)))
        });
        if name.is_empty() {
            return self.stop(FaultKind::NoName);
        }
        self.space();
        if self.peek() != Some(b'=') {
            return self.stop(FaultKind::NoEquals);
        }
        self.token(TokenKind::Equals, 1);
        self.space();
        if self.peek() != Some(b'"') {
            return self.stop(FaultKind::NoOpeningQuote);
        }
        let start = self.at + 1;
        let Some(end) = self.closing_quote(start) else {
            self.fault(FaultKind::NoClosingQuote, self.at..self.end());
            return None;
        };
        self.token(TokenKind::Value, end + 1 - self.at);
        let behind = self.at;
        self.space();
        let mut whole = name.start..behind;
        if self.peek() == Some(b';') {
            self.token(TokenKind::Semicolon, 1);
            whole.end = self.at;
        } else {
            self.fault(FaultKind::NoSemicolon, behind..behind);
        }
        self.dml.pairs.push(Pair { name, value: start..end, whole });
        Some(())
    }

    /// A quote that ends the value. In braced texts one behind a backslash does not, and the backslash stays.
    fn closing_quote(&self, from: usize) -> Option<usize> {
        let bytes = self.dml.text.bytes();
        let ends = |&at: &usize| bytes[at] == b'"' && !(self.dml.braced && at > from && bytes[at - 1] == b'\\');
        (from..bytes.len()).find(ends)
    }

    fn stop(&mut self, kind: FaultKind) -> Option<()> {
        self.fault(kind, self.at..(self.at + 1).min(self.end()));
        None
    }

    fn space(&mut self) {
        loop {
            let space = self.while_any(TokenKind::Space, |byte, _| is_space(byte));
            let comment = match self.peek() {
                Some(b'#') if self.dml.braced => self.while_any(TokenKind::Comment, |byte, _| byte != b'\n'),
                _ => 0..0,
            };
            if space.is_empty() && comment.is_empty() {
                return;
            }
        }
    }

    fn while_any(&mut self, kind: TokenKind, belongs: impl Fn(u8, bool) -> bool) -> Range<usize> {
        let (start, braced) = (self.at, self.dml.braced);
        let size = self.dml.text.bytes()[start..].iter().take_while(|&&byte| belongs(byte, braced)).count();
        self.token(kind, size);
        start..start + size
    }

    fn token(&mut self, kind: TokenKind, size: usize) {
        if size > 0 {
            self.dml.tokens.push(Token { kind, range: self.at..self.at + size });
            self.at += size;
        }
    }

    fn fault(&mut self, kind: FaultKind, range: Range<usize>) {
        self.dml.faults.push(Fault { kind, range });
    }

    fn peek(&self) -> Option<u8> {
        self.dml.text.bytes().get(self.at).copied()
    }

    fn end(&self) -> usize {
        self.dml.text.len()
    }
}

/// What a value says, by type. The text of a value has none: whoever asks for a key knows what it should be.
pub mod value {
    fn text(value: &[u8]) -> Option<&str> {
        std::str::from_utf8(value).ok()
    }

    /// A whole number; `1.0` is none.
    pub fn int(value: &[u8]) -> Option<i64> {
        text(value)?.parse().ok()
    }

    /// A number.
    pub fn float(value: &[u8]) -> Option<f32> {
        text(value)?.parse().ok()
    }

    /// A truth value: a number whose whole part is not zero.
    pub fn boolean(value: &[u8]) -> Option<bool> {
        float(value).map(|number| number.trunc() != 0.)
    }

    /// Numbers between brackets; what follows the closing one does not count.
    pub fn vector(value: &[u8]) -> Option<Vec<f32>> {
        let inside = text(value)?.trim_start().strip_prefix('[')?;
        let (items, _) = inside.split_once(']')?;
        items.split(',').map(|item| item.trim().parse().ok()).collect()
    }

    /// A vector of just so many numbers.
    pub fn array<const N: usize>(value: &[u8]) -> Option<[f32; N]> {
        vector(value)?.try_into().ok()
    }

    /// A file name, and how the texture is mixed with those before it if the value is `[name, integer]`. Anything
    /// else is a path, even if it begins with a bracket.
    pub fn texture(value: &[u8]) -> (&[u8], Option<i32>) {
        let engine = || {
            let inside = value.strip_prefix(b"[")?.strip_suffix(b"]")?;
            let comma = inside.iter().position(|&byte| byte == b',')?;
            let blend = text(&inside[comma + 1..])?.trim().parse().ok()?;
            Some((inside[..comma].trim_ascii(), Some(blend)))
        };
        engine().unwrap_or((value, None))
    }
}
