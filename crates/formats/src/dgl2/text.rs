//! A text of properties in the byte map: every property has its place, as findings name it.

use std::ops::Deref;

use wire::{Blob, Counted, Fault, Layout, Reader, Text, Value, Writer};

use super::dml::{Dml, TokenKind, is_space};

/// The text of a chunk: DML, or JSON in DGL1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyText(pub Text);

impl Deref for PropertyText {
    type Target = Text;
    fn deref(&self) -> &Text {
        &self.0
    }
}

impl From<Text> for PropertyText {
    fn from(text: Text) -> PropertyText {
        PropertyText(text)
    }
}

impl<C: Counted> Layout<C> for PropertyText {
    const MIN_SIZE: usize = 0;
    fn name() -> &'static str {
        "text"
    }
    fn read(r: &mut Reader<'_>, size: C) -> Result<PropertyText, Fault> {
        if r.is_recording() && size.count() <= r.remaining() {
            let text = Text::from(r.rest().slice(..size.count()));
            if !text.is_empty() && !is_json(text.bytes()) {
                return record(r, text);
            }
        }
        Text::read(r, size).map(PropertyText)
    }
    fn write(&self, w: &mut Writer<'_>, size: C) -> Result<(), Fault> {
        self.0.write(w, size)
    }
}

/// What a property is called in paths.
pub(crate) fn label(name: &[u8]) -> String {
    findings::render::escape(&String::from_utf8_lossy(name)).into_owned()
}

/// DGL1's JSON begins with a brace and a quote, which no DML does.
fn is_json(text: &[u8]) -> bool {
    let mut words = text.iter().filter(|&&byte| !is_space(byte));
    words.next() == Some(&b'{') && words.next() == Some(&b'"')
}

fn record(r: &mut Reader<'_>, text: Text) -> Result<PropertyText, Fault> {
    let dml = Dml::read(&text);
    r.note_type("text");
    let mut pairs = dml.pairs().iter().peekable();
    let mut tokens = dml.tokens().iter().peekable();
    while let Some(token) = tokens.peek() {
        match pairs.next_if(|pair| pair.whole.start == token.range.start) {
            Some(pair) => r.field(&label(dml.bytes(&pair.name)), |r| {
                r.note_type("property");
                while let Some(token) = tokens.next_if(|token| token.range.start < pair.whole.end) {
                    leaf(r, token.kind, token.range.len())?;
                }
                Ok(())
            })?,
            None => {
                leaf(r, token.kind, token.range.len())?;
                tokens.next();
            }
        }
    }
    Ok(PropertyText(text))
}

fn leaf(r: &mut Reader<'_>, kind: TokenKind, size: usize) -> Result<(), Fault> {
    let name = match kind {
        TokenKind::Space => "space",
        TokenKind::Comment => "comment",
        TokenKind::Open | TokenKind::Close => "brace",
        TokenKind::Name => "name",
        TokenKind::Equals => "equals",
        TokenKind::Value => "value",
        TokenKind::Semicolon => "semicolon",
        TokenKind::Rest => "rest",
    };
    r.field(name, |r| {
        let bytes: Blob = r.take(size)?;
        r.note("text", || Value::Text(bytes));
        Ok(())
    })
}
