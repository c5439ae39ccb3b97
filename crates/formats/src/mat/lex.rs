//! Text → tokens. Every byte belongs to one token, so that the tokens one behind the other are the text again.
//!
//! One walk serves both dialects. `spec` ends a statement with its line; `engine` ends it with `;` and lets white space
//! and line breaks stand anywhere between tokens. Strings and vectors may span lines in both.

use std::ops::Range;

use memchr::memchr;

use super::dialect::Dialect;

/// UTF-8's byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A run of bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it lies in the text as it was read.
    pub range: Range<usize>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The byte order mark.
    Mark,
    /// Blanks and line breaks.
    Space,
    /// What stands before a colon.
    Name,
    /// `:`
    Colon,
    /// A value in quotes, with them.
    String,
    /// A value in brackets, with them.
    Vector,
    /// A value of neither kind: a number, mostly.
    Word,
    /// `;`
    Semicolon,
    /// What is no part of any statement.
    Bad,
}

/// A statement: positions of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its first token, which may be the space before the name.
    pub first: usize,
    /// The name.
    pub name: usize,
    /// The value.
    pub value: usize,
    /// The semicolon, if there is one.
    pub semicolon: Option<usize>,
}

impl Pair {
    /// Its last token.
    pub fn last(&self) -> usize {
        self.semicolon.unwrap_or(self.value)
    }
}

/// Something that is no statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// Its token.
    pub token: usize,
    /// The bytes that are wrong, which the token holds.
    pub at: Range<usize>,
    /// What is wrong with them.
    pub why: Why,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A name must begin here.
    Name,
    /// No colon follows the name.
    Colon,
    /// No value follows the colon.
    Value,
    /// A string without its second quote.
    String,
    /// A vector without its second bracket.
    Vector,
    /// Something follows the value.
    Behind,
    /// A semicolon that ends nothing.
    Semicolon,
}

/// A text in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) pairs: Vec<Pair>,
    pub(super) bad: Vec<Bad>,
}

/// The tokens of a text, and the dialect it is in: a semicolon behind any value makes it `engine`.
pub(super) fn lex(text: &[u8]) -> (Dialect, Lexed) {
    let engine = Lexer::new(text, Dialect::Engine).run();
    if engine.pairs.iter().any(|pair| pair.semicolon.is_some()) {
        return (Dialect::Engine, engine);
    }
    (Dialect::Spec, Lexer::new(text, Dialect::Spec).run())
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

pub(super) fn is_break(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// How many line breaks there are.
pub(super) fn breaks(text: &[u8]) -> usize {
    let feeds = text.iter().filter(|&&b| b == b'\n').count();
    feeds + text.windows(2).filter(|pair| pair[0] == b'\r' && pair[1] != b'\n').count()
}

fn is_delimiter(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b':' | b';' | b'"' | b'[' | b']' | b',')
}

/// Whether these bytes can be a name.
pub(super) fn is_name(bytes: &[u8]) -> bool {
    let first = bytes.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_');
    first && !bytes.iter().any(|&b| is_delimiter(b))
}

/// The name that a statement begins with.
pub(super) fn first_name(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    &text[..text.iter().position(|&b| is_delimiter(b)).unwrap_or(text.len())]
}

/// What kind of value these bytes are, if they are one.
pub(super) fn value_kind(bytes: &[u8]) -> Option<TokenKind> {
    match bytes {
        [b'"', inside @ .., b'"'] => (!inside.contains(&b'"')).then_some(TokenKind::String),
        [b'[', inside @ .., b']'] => (!inside.contains(&b']')).then_some(TokenKind::Vector),
        [] => None,
        word => (!word.iter().any(|&b| is_delimiter(b))).then_some(TokenKind::Word),
    }
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    dialect: Dialect,
    out: Lexed,
    /// No `]` follows: looking for it again would make long texts slow.
    no_bracket: bool,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a [u8], dialect: Dialect) -> Lexer<'a> {
        Lexer { text, at: 0, dialect, out: Lexed::default(), no_bracket: false }
    }

    fn run(mut self) -> Lexed {
        if self.text.starts_with(MARK) {
            self.push(TokenKind::Mark, MARK.len());
        }
        while self.at < self.text.len() {
            let first = self.out.tokens.len();
            self.space(is_space);
            if self.at == self.text.len() {
                break;
            }
            let (tokens, start) = (self.out.tokens.len(), self.at);
            match self.statement(first) {
                Ok(pair) => self.out.pairs.push(pair),
                Err((at, why)) => {
                    // The tokens of half a statement become part of what is skipped.
                    self.out.tokens.truncate(tokens);
                    self.at = start;
                    let end = if why == Why::Semicolon { start + 1 } else { self.line_end(at.start) };
                    self.skip(at, why, end);
                }
            }
        }
        self.out
    }

    fn statement(&mut self, first: usize) -> Result<Pair, (Range<usize>, Why)> {
        let rest = &self.text[self.at..];
        let size = rest.iter().position(|&b| is_delimiter(b)).unwrap_or(rest.len());
        if !is_name(&rest[..size]) {
            let why = if rest[0] == b';' { Why::Semicolon } else { Why::Name };
            return Err((self.at..self.at + size.max(1), why));
        }
        let name = self.push(TokenKind::Name, size);
        self.gap();
        if self.peek() != Some(b':') {
            return Err((self.out.tokens[name].range.clone(), Why::Colon));
        }
        let colon = self.at;
        self.push(TokenKind::Colon, 1);
        self.gap();
        let value = self.value(colon)?;
        let behind = self.at;
        let tokens = self.out.tokens.len();
        self.gap();
        let mut pair = Pair { first, name, value, semicolon: None };
        if self.dialect == Dialect::Engine && self.peek() == Some(b';') {
            pair.semicolon = Some(self.push(TokenKind::Semicolon, 1));
        } else if self.dialect == Dialect::Spec && self.peek().is_some_and(|b| !is_break(b)) {
            let end = self.line_end(self.at);
            self.skip(self.at..end, Why::Behind, end);
        } else {
            // The space belongs to what follows.
            self.out.tokens.truncate(tokens);
            self.at = behind;
        }
        Ok(pair)
    }

    fn value(&mut self, colon: usize) -> Result<usize, (Range<usize>, Why)> {
        let rest = &self.text[self.at..];
        let (kind, size) = match rest.first() {
            Some(b'"') => match memchr(b'"', &rest[1..]) {
                Some(inside) => (TokenKind::String, inside + 2),
                None => return Err((self.at..self.line_end(self.at), Why::String)),
            },
            Some(b'[') => match if self.no_bracket { None } else { memchr(b']', rest) } {
                Some(last) => (TokenKind::Vector, last + 1),
                None => {
                    self.no_bracket = true;
                    return Err((self.at..self.line_end(self.at), Why::Vector));
                }
            },
            _ => (TokenKind::Word, rest.iter().position(|&b| is_delimiter(b)).unwrap_or(rest.len())),
        };
        if size == 0 {
            return Err((colon..colon + 1, Why::Value));
        }
        Ok(self.push(kind, size))
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn push(&mut self, kind: TokenKind, size: usize) -> usize {
        self.out.tokens.push(Token { kind, range: self.at..self.at + size });
        self.at += size;
        self.out.tokens.len() - 1
    }

    /// White space between the tokens of a statement.
    fn gap(&mut self) {
        match self.dialect {
            Dialect::Spec => self.space(|b| is_space(b) && !is_break(b)),
            Dialect::Engine => self.space(is_space),
        }
    }

    fn space(&mut self, is: fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        let size = rest.iter().position(|&b| !is(b)).unwrap_or(rest.len());
        if size > 0 {
            self.push(TokenKind::Space, size);
        }
    }

    /// Where the line that holds a byte ends, without its line break.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.iter().position(|&b| is_break(b)).unwrap_or(rest.len())
    }

    fn skip(&mut self, at: Range<usize>, why: Why, end: usize) {
        let token = self.push(TokenKind::Bad, end.max(self.at + 1) - self.at);
        self.out.bad.push(Bad { token, at, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> (Dialect, Vec<TokenKind>) {
        let (dialect, lexed) = lex(text.as_bytes());
        let mut at = 0;
        for token in &lexed.tokens {
            assert_eq!(token.range.start, at, "a gap in {text:?}");
            at = token.range.end;
        }
        assert_eq!(at, text.len());
        (dialect, lexed.tokens.iter().map(|token| token.kind).collect())
    }

    #[test]
    fn a_semicolon_behind_a_value_decides() {
        use TokenKind::*;
        assert_eq!(kinds("a: 1;"), (Dialect::Engine, vec![Name, Colon, Space, Word, Semicolon]));
        assert_eq!(kinds("a: \"x;y\"\n"), (Dialect::Spec, vec![Name, Colon, Space, String, Space]));
        assert_eq!(kinds("a:\n1\n;").0, Dialect::Engine);
        assert_eq!(kinds(""), (Dialect::Spec, vec![]));
    }

    #[test]
    fn one_bad_line_is_skipped() {
        let (_, lexed) = lex(b"a 1\nb: 2 x\nc:\n3\nd: [1\ne: \"x");
        let why: Vec<Why> = lexed.bad.iter().map(|bad| bad.why).collect();
        assert_eq!(why, [Why::Colon, Why::Behind, Why::Value, Why::Name, Why::Vector, Why::String]);
        assert_eq!(lexed.pairs.len(), 1);
    }

    #[test]
    fn strings_and_vectors_span_lines() {
        let (_, lexed) = lex(b"a: \"x\ny\"\nb: [1,\n2]\nc: 1\n");
        assert_eq!((lexed.pairs.len(), lexed.bad.len()), (3, 0));
    }

    #[test]
    fn doubled_semicolon_is_one_bad_byte() {
        let (_, lexed) = lex(b"a: 1;; b: 2;");
        assert_eq!(lexed.bad, [Bad { token: 5, at: 5..6, why: Why::Semicolon }]);
        assert_eq!(lexed.pairs.len(), 2);
    }
}
