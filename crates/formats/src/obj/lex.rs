//! Words, numbers and lines: what OBJ and MTL have in common.
//!
//! A line ends with LF, CR LF or CR. A backslash right before the end of a line joins it with the next one and counts
//! as a blank; inside a comment it does nothing, since comments like `# C:\models\` must not swallow what follows.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr_iter, memchr2};

/// UTF-8's byte order mark.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where the next word begins.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

/// What a byte does to a word: ends it, may end it (a backslash), or belongs to it.
const ENDS: u8 = 2;
const MAY_END: u8 = 1;
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let ends = [b' ', b'\t', b'\n', b'\r', 0x0B, 0x0C];
    let mut i = 0;
    while i < ends.len() {
        class[ends[i] as usize] = ENDS;
        i += 1;
    }
    class[b'\\' as usize] = MAY_END;
    class
};

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Whether nothing of the line is left but its end.
    #[inline]
    pub(super) fn at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r'))
    }

    /// Skips blanks and joined line ends.
    #[inline]
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | 0x0B | 0x0C) => self.at += 1,
                Some(b'\\') => match line_end(self.text, self.at + 1) {
                    0 => return,
                    size => self.at += 1 + size,
                },
                _ => return,
            }
        }
    }

    /// Whether a word that came this far ends here.
    #[inline]
    fn word_ends(&self, at: usize) -> bool {
        match self.text.get(at) {
            None => true,
            Some(&byte) => match CLASS[usize::from(byte)] {
                0 => false,
                MAY_END => line_end(self.text, at + 1) > 0,
                _ => true,
            },
        }
    }

    /// The word that begins here; empty at the end of a line.
    #[inline]
    pub(super) fn word(&mut self) -> &'a [u8] {
        let start = self.at;
        while !self.word_ends(self.at) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The next word of this line, behind any blanks.
    pub(super) fn next_word(&mut self) -> Option<&'a [u8]> {
        self.blanks();
        (!self.at_line_end()).then(|| self.word())
    }

    /// The number that begins here, or the bytes of the word that is none.
    #[inline]
    pub(super) fn number(&mut self) -> Result<f32, Range<usize>> {
        if let Ok((number, size)) = fast_float2::parse_partial::<f32, _>(&self.text[self.at..])
            && self.word_ends(self.at + size)
        {
            self.at += size;
            return Ok(number);
        }
        let start = self.at;
        self.word();
        Err(start..self.at)
    }

    /// The rest of the line without the blanks around it: a name, which may hold blanks. Joined lines belong to it.
    pub(super) fn rest(&mut self) -> Range<usize> {
        self.blanks();
        let start = self.at;
        self.skip_rest();
        let blank = |byte: &u8| CLASS[usize::from(*byte)] == ENDS;
        let size = self.text[start..self.at].iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
        start..start + size
    }

    /// Moves to the end of the line, over joined ones.
    pub(super) fn skip_rest(&mut self) {
        loop {
            self.skip_comment();
            let joined = self.at > 0 && self.text[self.at - 1] == b'\\';
            match line_end(self.text, self.at) {
                size if size > 0 && joined => self.at += size,
                _ => return,
            }
        }
    }

    /// Moves to the end of the physical line.
    pub(super) fn skip_comment(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    /// Skips whatever the line still holds, and its end.
    #[inline]
    pub(super) fn next_line(&mut self) {
        if !self.at_line_end() {
            if self.peek() == Some(b'#') { self.skip_comment() } else { self.skip_rest() }
        }
        self.at += line_end(self.text, self.at);
    }
}

/// A line that says something.
pub(super) struct Line<'a> {
    pub(super) keyword: &'a [u8],
    /// Keyword and arguments, with joined lines, without the line end.
    pub(super) at: Range<usize>,
    /// Arguments alone.
    pub(super) rest: Range<usize>,
}

/// The lines from `start` on that are neither blank nor comments.
pub(super) fn lines(text: &[u8], start: usize) -> impl Iterator<Item = Line<'_>> {
    let mut cursor = Cursor { text, at: start };
    std::iter::from_fn(move || {
        loop {
            cursor.blanks();
            let start = cursor.at;
            cursor.peek()?;
            let keyword = cursor.word();
            if keyword.is_empty() || keyword.starts_with(b"#") {
                cursor.at = start;
                cursor.next_line();
                continue;
            }
            let rest = cursor.rest();
            let end = if rest.is_empty() { start + keyword.len() } else { rest.end };
            cursor.next_line();
            return Some(Line { keyword, at: start..end, rest });
        }
    })
}

/// The words of a text, whatever lines it has.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || cursor.next_word())
}

/// The words before a comment.
pub(super) fn arguments(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    words(text).take_while(|word| !word.starts_with(b"#"))
}

/// How many bytes the line end at `at` takes; none if there is no line end.
#[inline]
fn line_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'\n') => 1,
        Some(b'\r') => 1 + usize::from(text.get(at + 1) == Some(&b'\n')),
        _ => 0,
    }
}

/// The first place from `at` on where a line surely begins: behind a line end that no backslash joins.
pub(super) fn next_line_start(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'\n', b'\r', rest)) {
        let end = at + found;
        at = end + line_end(text, end);
        // The line feed of a CR LF that `at` split would hide its backslash.
        let split = text[end] == b'\n' && end > 0 && text[end - 1] == b'\r';
        let before = if split { end.checked_sub(2) } else { end.checked_sub(1) };
        if before.is_none_or(|before| text[before] != b'\\') {
            return at;
        }
    }
    text.len()
}

/// How many lines end before `at`; CR LF is one end.
pub(super) fn lines_before(text: &[u8], at: usize) -> usize {
    let before = &text[..at.min(text.len())];
    let feeds = memchr_iter(b'\n', before).count();
    let returns = memchr_iter(b'\r', before).filter(|&i| text.get(i + 1) != Some(&b'\n')).count();
    feeds + returns
}

/// The lines in some bytes of a text, each with its end, however lines are joined.
pub(super) fn physical_lines(text: &[u8], within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = within.start;
    std::iter::from_fn(move || {
        let start = at;
        let rest = text.get(start..within.end).filter(|rest| !rest.is_empty())?;
        let end = start + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        at = (end + line_end(text, end)).min(within.end);
        Some(start..at)
    })
}

/// Text as a reader sees it: joined lines with a blank between them.
pub(super) fn joined(text: &[u8]) -> Cow<'_, [u8]> {
    let mut rest = Cursor::new(text);
    let mut out = Vec::new();
    let mut done = 0;
    while let Some(found) = memchr::memchr(b'\\', &text[rest.at..]) {
        rest.at += found;
        let end = line_end(text, rest.at + 1);
        if end > 0 {
            out.extend_from_slice(&text[done..rest.at]);
            out.push(b' ');
            done = rest.at + 1 + end;
        }
        rest.at += 1 + end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(&text[done..]);
    Cow::Owned(out)
}

/// Most letters of a file's word that a message repeats.
const QUOTED: usize = 40;

/// A word of the file, to be repeated in a message.
pub(super) fn quote(word: &[u8]) -> String {
    format!("\"{}\"", plain(word))
}

/// The same without quotation marks.
pub(super) fn plain(word: &[u8]) -> String {
    // A letter takes at most four bytes.
    let text = String::from_utf8_lossy(&word[..word.len().min(QUOTED * 4)]).into_owned();
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() || word.len() > QUOTED * 4 { "…" } else { "" };
    format!("{}{more}", findings::render::escape(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        for text in ["a b\nc", "a b\r\nc", "a b\rc"] {
            let mut cursor = Cursor::new(text.as_bytes());
            assert_eq!(cursor.word(), b"a");
            cursor.next_line();
            assert_eq!(cursor.word(), b"c");
            assert_eq!(lines_before(text.as_bytes(), text.len()), 1);
        }
    }

    #[test]
    fn backslash_joins_lines_but_not_comments() {
        let mut cursor = Cursor::new(b"a \\\r\n b\\x\\\nc\nd");
        let words: Vec<_> = std::iter::from_fn(|| cursor.next_word()).collect();
        assert_eq!(words, [&b"a"[..], b"b\\x", b"c"]);
        let mut cursor = Cursor::new(b"# c:\\\nd");
        cursor.next_line();
        assert_eq!(cursor.word(), b"d");
        assert_eq!(&*joined(b"a\\\nb\\c\\\r\nd"), b"a b\\c d");
    }

    #[test]
    fn a_line_start_is_never_inside_a_joined_line() {
        let text = b"ab\\\r\ncd\nef";
        let starts: Vec<usize> = (0..text.len()).map(|at| next_line_start(text, at)).collect();
        assert_eq!(starts, [8, 8, 8, 8, 8, 8, 8, 8, 10, 10]);
    }

    #[test]
    fn numbers_must_end_where_the_word_ends() {
        let number = |text: &str| Cursor::new(text.as_bytes()).number();
        assert_eq!(number("-1.5e2 "), Ok(-150.));
        assert_eq!(number("+.5\\\n"), Ok(0.5));
        assert_eq!(number("1,5 2"), Err(0..3));
        assert_eq!(number("1.5f"), Err(0..4));
        assert!(number("nan").is_ok_and(f32::is_nan));
    }
}
