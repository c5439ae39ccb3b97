//! The header: text that says which elements follow, what each is made of, and in which encoding.

use std::ops::Range;

use findings::{Error, Place, Result};
use wire::{Blob, Node, Value};

use super::dialect::Dialect;
use super::rules::{PLY_001, PLY_002, PLY_003, PLY_004};

/// What every file begins with.
pub(super) const MAGIC: &[u8] = b"ply";

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// Every type, the word of 1994 and the word with the number of bits.
    const ALL: [(Scalar, &'static str, &'static str); 8] = [
        (Scalar::I8, "char", "int8"),
        (Scalar::U8, "uchar", "uint8"),
        (Scalar::I16, "short", "int16"),
        (Scalar::U16, "ushort", "uint16"),
        (Scalar::I32, "int", "int32"),
        (Scalar::U32, "uint", "uint32"),
        (Scalar::F32, "float", "float32"),
        (Scalar::F64, "double", "float64"),
    ];

    /// A number of a colour as a share of the whole, which is 255 for all types that say nothing else, by convention.
    pub(super) fn share(self, number: f64) -> f64 {
        match self {
            Scalar::F32 | Scalar::F64 => number,
            Scalar::U16 => number / 65535.,
            _ => number / 255.,
        }
    }

    fn of(word: &[u8]) -> Option<Scalar> {
        let is = |(_, old, new): &&(Scalar, &str, &str)| word == old.as_bytes() || word == new.as_bytes();
        Scalar::ALL.iter().find(is).map(|(scalar, ..)| *scalar)
    }

    /// The word that is written.
    pub fn word(self) -> &'static str {
        Scalar::ALL.iter().find(|(own, ..)| *own == self).map_or("float", |(_, word, _)| word)
    }

    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    /// Whether it has digits behind the point.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// A property of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: Vec<u8>,
    /// Type of its numbers.
    pub item: Scalar,
    /// Type of their count, if it is a list.
    pub count: Option<Scalar>,
}

/// What the header says about an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name.
    pub name: Vec<u8>,
    /// How many there are, as the header says.
    pub count: u64,
    /// What each is made of, in order.
    pub properties: Vec<Property>,
}

impl Element {
    /// Where the numbers that are no lists lie, packed one behind the other: their offsets, and the size of all.
    pub(super) fn offsets(&self) -> (Vec<usize>, usize) {
        let mut at = 0;
        let offsets = self.properties.iter().map(|property| {
            let offset = at;
            at += if property.count.is_none() { property.item.size() } else { 0 };
            offset
        });
        (offsets.collect(), at)
    }

    pub(super) fn has_lists(&self) -> bool {
        self.properties.iter().any(|property| property.count.is_some())
    }

    /// The position of a property.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|property| property.name == name.as_bytes())
    }
}

/// A line of the header.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its bytes, with its end.
    pub(super) at: Range<usize>,
    /// Those without its end.
    pub(super) text: Range<usize>,
    pub(super) known: bool,
}

/// The header of a file.
#[derive(Clone, Debug)]
pub struct Header {
    /// How the data is written.
    pub dialect: Dialect,
    /// The elements, in the order of their data.
    pub elements: Vec<Element>,
    /// Comments, without the word.
    pub comments: Vec<Vec<u8>>,
    /// The same for `obj_info`.
    pub obj_info: Vec<Vec<u8>>,
    /// The version behind the encoding.
    pub version: Vec<u8>,
    pub(super) lines: Vec<Line>,
    /// Where the data begins.
    pub(super) size: usize,
}

pub(super) fn read(file: &Blob) -> Result<Header> {
    let text = &file[..];
    let start = || Place::blob("", &file.slice(..file.len().min(16)));
    if !text.starts_with(MAGIC) || !matches!(text.get(3), Some(b'\n' | b'\r')) {
        return Err(Error::malformed(&PLY_001.info, start(), "a PLY starts with a line that says ply"));
    }
    let mut header = Header {
        dialect: Dialect::default(),
        elements: Vec::new(),
        comments: Vec::new(),
        obj_info: Vec::new(),
        version: Vec::new(),
        lines: Vec::new(),
        size: 0,
    };
    match read_lines(file, &mut header) {
        Ok(()) => Ok(header),
        Err(error) => {
            let file = file.clone();
            Err(error.having_read(move || vec![header.tree(&file)]))
        }
    }
}

fn read_lines(file: &Blob, header: &mut Header) -> Result<()> {
    let text = &file[..];
    // How the first line ends tells where the last one does: data may begin with a line feed of its own.
    let line_end: &[u8] = match (text[3], text.get(4)) {
        (b'\n', _) => b"\n",
        (_, Some(b'\n')) => b"\r\n",
        _ => b"\r",
    };
    let mut dialect = None;
    let mut at = 0;
    while header.size == 0 {
        let rest = &text[at..];
        let Some(size) = memchr::memmem::find(rest, line_end) else {
            let place = Place::bytes("header", file.slice(at..at + rest.len().min(16)).span());
            return Err(Error::malformed(&PLY_002.info, place, "the header has no line that says end_header"));
        };
        let line = at..at + size;
        let place = || Place::bytes("header", file.slice(line.clone()).span());
        let known = header.line(&text[line.clone()], &mut dialect, place)?;
        at += size + line_end.len();
        header.lines.push(Line { at: line.start..at, text: line.clone(), known });
        if text[line].trim_ascii() == b"end_header" {
            header.size = at;
        }
    }
    header.dialect = dialect.ok_or_else(|| {
        let start = Place::blob("", &file.slice(..file.len().min(16)));
        Error::malformed(&PLY_003.info, start, "no line of the header says in which format the data is")
    })?;
    Ok(())
}

impl Header {
    /// Which line has which bytes.
    pub(super) fn tree(&self, file: &Blob) -> Node {
        let line = |(i, line): (usize, &Line)| {
            let text = Value::Text(file.slice(line.text.clone()));
            Node::leaf(format!("[{i}]"), "line", file.slice(line.at.clone()).span()).with_value(text)
        };
        Node::list("header", "line", self.lines.iter().enumerate().map(line).collect())
    }

    /// Takes in a line; answers whether it is known.
    fn line(&mut self, line: &[u8], dialect: &mut Option<Dialect>, place: impl Fn() -> Place) -> Result<bool> {
        let said = String::from_utf8_lossy(line);
        let shown = findings::render::escape(said.trim()).into_owned();
        let wrong = |what: &str| Error::malformed(&PLY_004.info, place(), format!("{what}: \"{shown}\""));
        let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let behind = |word: &[u8]| {
            let start = memchr::memmem::find(line, word).map_or(0, |at| at + word.len());
            line[start..].strip_prefix(b" ").unwrap_or(&line[start..]).to_vec()
        };
        match words.next() {
            None | Some(b"ply" | b"end_header") => {}
            Some(b"format") => {
                let word = words.next().unwrap_or_default();
                let known = Dialect::of_word(word);
                let unknown = || {
                    let message =
                        format!("the format is ascii, binary_little_endian or binary_big_endian: \"{shown}\"");
                    Error::malformed(&PLY_003.info, place(), message)
                };
                *dialect = Some(known.ok_or_else(unknown)?);
                self.version = words.next().unwrap_or_default().to_vec();
            }
            Some(word @ b"comment") => self.comments.push(behind(word)),
            Some(word @ b"obj_info") => self.obj_info.push(behind(word)),
            Some(b"element") => {
                let (name, count) = (words.next(), words.next());
                let count = count.and_then(|count| std::str::from_utf8(count).ok()?.parse().ok());
                let (Some(name), Some(count)) = (name, count) else {
                    return Err(wrong("an element has a name and a count"));
                };
                self.elements.push(Element { name: name.to_vec(), count, properties: Vec::new() });
            }
            Some(b"property") => {
                let Some(element) = self.elements.last_mut() else {
                    return Err(wrong("a property stands before any element"));
                };
                let first = words.next().unwrap_or_default();
                let (count, item) = match first {
                    b"list" => (Some(words.next().and_then(Scalar::of)), words.next().and_then(Scalar::of)),
                    item => (None, Scalar::of(item)),
                };
                let (Some(item), Some(name), false) = (item, words.next(), count == Some(None)) else {
                    return Err(wrong("a property has a type that is known and a name"));
                };
                if count.flatten().is_some_and(Scalar::is_float) {
                    return Err(wrong("the count of a list is a whole number"));
                }
                element.properties.push(Property { name: name.to_vec(), item, count: count.flatten() });
            }
            Some(_) => return Ok(false),
        }
        Ok(true)
    }

    /// The text of a header that says this.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut out = format!("ply\nformat {} 1.0\n", self.dialect.word()).into_bytes();
        let mut line = |parts: &[&[u8]]| {
            out.extend_from_slice(&parts.concat());
            out.push(b'\n');
        };
        self.comments.iter().for_each(|comment| line(&[b"comment ", &one_line(comment)]));
        self.obj_info.iter().for_each(|info| line(&[b"obj_info ", &one_line(info)]));
        for element in &self.elements {
            line(&[b"element ", &element.name, b" ", element.count.to_string().as_bytes()]);
            for property in &element.properties {
                let item = property.item.word().as_bytes();
                match property.count {
                    None => line(&[b"property ", item, b" ", &property.name]),
                    Some(count) => {
                        line(&[b"property list ", count.word().as_bytes(), b" ", item, b" ", &property.name]);
                    }
                }
            }
        }
        line(&[b"end_header"]);
        out
    }
}

/// Bytes that end no line.
fn one_line(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect()
}
