//! What a material is made of: its text in tokens, and typed access to what the tokens say.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use findings::{Error, ErrorKind, Place, Result};
use wire::{Blob, Node, Span, Value};

use super::dialect::Dialect;
use super::keys::{KEYS, Key, Kind};
use super::lex::{self, Bad, Lexed, Pair, Token, TokenKind};
use super::rules::MAT_009;
use crate::{Counts, Facts, Names};

/// A whole file: the text as it is.
#[derive(Clone, Debug, Default)]
pub struct Document {
    source: Blob,
    dialect: Dialect,
    lexed: Lexed,
    /// Tokens that say something else since the text was read.
    edits: BTreeMap<usize, Blob>,
}

/// Two texts are equal when their tokens say the same.
impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        let same = |i: usize| self.lexed.tokens[i].kind == other.lexed.tokens[i].kind && self.text(i) == other.text(i);
        self.lexed.tokens.len() == other.lexed.tokens.len() && (0..self.lexed.tokens.len()).all(same)
    }
}
impl Eq for Document {}

impl Document {
    /// The document that a text is. Every text is one; what is no statement is kept and reported.
    pub fn of(source: Blob) -> Document {
        let (dialect, lexed) = lex::lex(&source);
        Document { source, dialect, lexed, edits: BTreeMap::new() }
    }

    /// The text as it was read.
    pub fn source(&self) -> &Blob {
        &self.source
    }

    /// Its tokens, in order.
    pub fn tokens(&self) -> &[Token] {
        &self.lexed.tokens
    }

    /// Its statements, in order.
    pub fn pairs(&self) -> &[Pair] {
        &self.lexed.pairs
    }

    /// What is no statement.
    pub fn bad(&self) -> &[Bad] {
        &self.lexed.bad
    }

    /// What a token says.
    pub fn text(&self, token: usize) -> &[u8] {
        match self.edits.get(&token) {
            Some(edit) => edit,
            None => &self.source[self.lexed.tokens[token].range.clone()],
        }
    }

    pub(super) fn edited(&self) -> impl Iterator<Item = (usize, &Blob)> {
        self.edits.iter().map(|(&token, text)| (token, text))
    }

    /// Where bytes of the text are.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.source.slice(range).span()
    }

    /// The name of a statement.
    pub fn name(&self, pair: &Pair) -> &[u8] {
        self.text(pair.name)
    }

    /// What a statement is called in places: its name.
    pub(super) fn label(&self, pair: &Pair) -> String {
        findings::render::escape(&String::from_utf8_lossy(self.name(pair))).into_owned()
    }

    /// What the statement around a byte is called; nothing if it is in none.
    pub(super) fn statement_at(&self, byte: usize) -> String {
        let tokens = &self.lexed.tokens;
        let around = |pair: &&Pair| (tokens[pair.first].range.start..tokens[pair.last()].range.end).contains(&byte);
        self.lexed.pairs.iter().find(around).map_or_else(String::new, |pair| self.label(pair))
    }

    /// The statement that counts for a key: the last one of its name.
    pub fn find(&self, key: &str) -> Option<&Pair> {
        self.lexed.pairs.iter().rev().find(|pair| self.name(pair) == key.as_bytes())
    }

    /// Replaces a value; nothing else of the text changes.
    ///
    /// # Errors
    /// If there is no such statement, or if the text is no value: MAT-009.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let Some(token) = self.find(key).map(|pair| pair.value) else {
            return Err(Error::usage(format!("the material says nothing about {key}")));
        };
        let Some(kind) = lex::value_kind(value.as_bytes()) else { return Err(not_a_value(key, value)) };
        self.lexed.tokens[token].kind = kind;
        self.edits.insert(token, Blob::memory(value.as_bytes().to_vec()));
        Ok(())
    }

    /// The text of a key: what stands in its quotes, as the engine reads it.
    pub fn string(&self, key: &str) -> Option<Cow<'_, [u8]>> {
        self.find(key).map(|pair| self.string_of(pair))
    }

    pub(super) fn string_of(&self, pair: &Pair) -> Cow<'_, [u8]> {
        let text = self.text(pair.value);
        if self.lexed.tokens[pair.value].kind != TokenKind::String {
            return Cow::Borrowed(text);
        }
        let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        if !inside.iter().any(|&b| lex::is_break(b) || b == b'\t') {
            return Cow::Borrowed(inside);
        }
        let letters = inside.iter().filter(|&&b| !lex::is_break(b));
        Cow::Owned(letters.map(|&b| if b == b'\t' { b' ' } else { b }).collect())
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Option<f32> {
        self.find(key).and_then(|pair| self.number_of(pair))
    }

    pub(super) fn number_of(&self, pair: &Pair) -> Option<f32> {
        number(self.text(pair.value)).filter(|_| self.lexed.tokens[pair.value].kind == TokenKind::Word)
    }

    /// Whether the value of a statement is what its key asks for.
    pub(super) fn is_of_kind(&self, pair: &Pair, kind: Kind) -> bool {
        match kind {
            Kind::Text | Kind::Texture => self.lexed.tokens[pair.value].kind == TokenKind::String,
            Kind::Color(_) => self.color_of(pair).is_some(),
            Kind::Number(_) => self.number_of(pair).is_some(),
            Kind::Flag(_) => self.number_of(pair).is_some_and(|number| number == 0. || number == 1.),
        }
    }

    /// Whether a key is switched on: the engine cuts the number at its point.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.number(key).map(|number| number as i64 != 0)
    }

    /// The colour of a key.
    pub fn color(&self, key: &str) -> Option<[f32; 4]> {
        self.find(key).and_then(|pair| self.color_of(pair))
    }

    pub(super) fn color_of(&self, pair: &Pair) -> Option<[f32; 4]> {
        let text = self.text(pair.value);
        let inside = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]"))?;
        let plain: Vec<u8> = inside.iter().copied().filter(|&b| !lex::is_space(b)).collect();
        let numbers: Option<Vec<f32>> = plain.split(|&b| b == b',').take(5).map(number).collect();
        numbers?.try_into().ok()
    }

    /// The files that its textures are, in order.
    pub fn textures(&self) -> Vec<(&'static Key, Cow<'_, [u8]>)> {
        let textures = KEYS.iter().filter(|key| key.kind == Kind::Texture);
        textures.filter_map(|key| Some((key, self.string(key.name)?))).filter(|(_, file)| !file.is_empty()).collect()
    }

    /// The same statements in another dialect; what is no statement stays where it is.
    pub(super) fn in_dialect(&self, dialect: Dialect) -> Document {
        let mut out: Vec<u8> = Vec::with_capacity(self.source.len() + self.lexed.pairs.len());
        let mut pairs = self.lexed.pairs.iter().peekable();
        let mut at = 0;
        while at < self.lexed.tokens.len() {
            match pairs.next_if(|pair| pair.first == at) {
                Some(pair) => {
                    self.put(pair, dialect, &mut out);
                    at = pair.last() + 1;
                }
                None => {
                    out.extend_from_slice(self.text(at));
                    at += 1;
                }
            }
        }
        Document::of(Blob::memory(out))
    }

    fn put(&self, pair: &Pair, dialect: Dialect, out: &mut Vec<u8>) {
        for token in pair.first..pair.name {
            out.extend_from_slice(self.text(token));
        }
        let before = out.iter().rev().find(|&&b| !lex::is_space(b) || lex::is_break(b));
        if dialect == Dialect::Spec && before.is_some_and(|&b| !lex::is_break(b)) {
            out.push(b'\n');
        }
        for token in pair.name..=pair.value {
            let text = self.text(token);
            let breaks = self.lexed.tokens[token].kind == TokenKind::Space && text.iter().any(|&b| lex::is_break(b));
            // The document's form has a value on the line of its name.
            out.extend_from_slice(if breaks && dialect == Dialect::Spec { b" " } else { text });
        }
        if dialect == Dialect::Engine {
            out.push(b';');
        }
    }
}

#[cold]
pub(super) fn not_a_value(key: &str, value: &str) -> Error {
    let shown = findings::render::escape(value).into_owned();
    let message = format!("{shown} is no value for {key}: a string ends with its second quote");
    Error::new(ErrorKind::Unrepresentable, &MAT_009.info, Place::path(key), message)
}

/// A number as the engine reads it: decimal, perhaps with an exponent.
fn number(text: &[u8]) -> Option<f32> {
    let plain = text.iter().all(|b| b.is_ascii_digit() || b"+-.eE".contains(b));
    let text = std::str::from_utf8(text).ok().filter(|_| plain)?;
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn tree(&self) -> Vec<Node> {
        let leaf = |token: usize| {
            let (word, ty) = match self.lexed.tokens[token].kind {
                TokenKind::Mark => ("mark", "byte order mark"),
                TokenKind::Space => ("space", "white space"),
                TokenKind::Name => ("name", "name"),
                TokenKind::Colon => ("colon", "text"),
                TokenKind::String => ("value", "string"),
                TokenKind::Vector => ("value", "vector"),
                TokenKind::Word => ("value", "word"),
                TokenKind::Semicolon => ("semicolon", "text"),
                TokenKind::Bad => ("bad", "no statement"),
            };
            let bytes = self.source.slice(self.lexed.tokens[token].range.clone());
            Node::leaf(word, ty, bytes.span()).with_value(Value::Text(bytes))
        };
        let mut tree = Vec::new();
        let (mut pairs, mut at) = (self.lexed.pairs.iter().peekable(), 0);
        while at < self.lexed.tokens.len() {
            match pairs.next_if(|pair| pair.first == at) {
                Some(pair) => {
                    let parts: Vec<Node> = (pair.first..=pair.last()).map(leaf).collect();
                    let tokens = &self.lexed.tokens;
                    let span = self.span(tokens[pair.first].range.start..tokens[pair.last()].range.end);
                    tree.push(Node::group(self.label(pair), "Pair", span, parts));
                    at = pair.last() + 1;
                }
                None => {
                    tree.push(leaf(at));
                    at += 1;
                }
            }
        }
        // Lines are counted in one pass: a text of nothing but bad lines is no reason to read it often.
        let (mut line, mut counted) = (1, 0);
        for bad in &self.lexed.bad {
            let start = self.lexed.tokens[bad.token].range.start;
            line += lex::breaks(&self.source[counted..start]);
            counted = start;
            let offset = self.span(start..start).offset;
            if let Ok(i) = tree.binary_search_by_key(&offset, |node: &Node| node.span.offset) {
                tree[i].name = format!("line {line}");
            }
        }
        tree
    }

    fn forget_raw(&mut self) {
        // The tokens are the text: there is nothing beside them to forget.
    }

    fn facts(&self, _: bool) -> Facts {
        let mut files: Vec<Cow<'_, [u8]>> = self.textures().into_iter().map(|(_, file)| file).collect();
        files.sort();
        files.dedup();
        let files = Some(files.len() as u64);
        let counts = Counts { materials: Some(1), textures: files, images: files, ..Counts::ZERO };
        let name = self.string("name").unwrap_or_default().into_owned();
        let names = Names { materials: vec![name], ..Names::default() };
        Facts { counts, names, space: super::SPACE, ..Facts::default() }
    }
}
