//! The words of a text → facets and solids.

use std::ops::Range;

use findings::MAX_PER_RULE;

/// What a text says.
#[derive(Debug, Default)]
pub struct Model {
    /// Normal and three corners of every facet that has three.
    pub facets: Vec<[[f32; 3]; 4]>,
    /// The solids, in order.
    pub solids: Vec<Solid>,
    /// How many facets have other than three corners.
    pub left_out: u64,
    pub(super) faults: Vec<Fault>,
}

/// A body of a text.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The bytes of its name.
    pub name: Range<usize>,
    /// Which facets it has.
    pub facets: Range<usize>,
    /// All of its bytes, and the blanks behind it.
    pub at: Range<usize>,
    /// The bytes between its first and its last line.
    pub body: Range<usize>,
}

/// Something wrong that was met while reading.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) what: What,
    pub(super) at: Range<usize>,
    /// How many of its kind: more than one if the rest is only counted.
    pub(super) count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Another word was expected.
    Word(&'static str),
    Number,
    NotEnded,
    Corners,
    OtherName,
}

/// Words that begin or end something; a reader that misses another word goes on with them.
const KEYWORDS: [&str; 7] = ["solid", "endsolid", "facet", "endfacet", "outer", "endloop", "vertex"];

pub(super) fn read_text(text: &[u8]) -> Model {
    let mut reader = Reader { text, at: 0, model: Model::default(), open: false };
    if text.starts_with(b"\xEF\xBB\xBF") {
        reader.at = 3;
    }
    while let Some(word) = reader.peek() {
        reader.step(word);
    }
    if reader.open {
        reader.fault(What::NotEnded, text.len()..text.len());
        reader.end(text.len());
    }
    let mut model = reader.model;
    // Blanks and stray words belong to the solid before them.
    let starts: Vec<usize> = model.solids.iter().skip(1).map(|solid| solid.at.start).chain([text.len()]).collect();
    model.solids.iter_mut().zip(starts).for_each(|(solid, next)| solid.at.end = next);
    model
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    model: Model,
    /// Whether a solid has begun.
    open: bool,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

impl Reader<'_> {
    /// The bytes of the next word; the cursor stays before it.
    #[inline]
    fn peek(&mut self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !is_blank(byte))?;
        let rest = &self.text[self.at..];
        let size = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
        Some(self.at..self.at + size)
    }

    fn is(&self, word: &Range<usize>, expected: &str) -> bool {
        self.text[word.clone()].eq_ignore_ascii_case(expected.as_bytes())
    }

    #[cold]
    fn fault(&mut self, what: What, at: Range<usize>) {
        let faults = &mut self.model.faults;
        let same = |fault: &&mut Fault| std::mem::discriminant(&fault.what) == std::mem::discriminant(&what);
        if faults.iter_mut().filter(same).count() < MAX_PER_RULE {
            faults.push(Fault { what, at, count: 1 });
        } else if let Some(last) = faults.iter_mut().rev().find(same) {
            last.count += 1;
        }
    }

    /// Handles a word that stands between facets or solids.
    fn step(&mut self, word: Range<usize>) {
        if self.is(&word, "solid") {
            self.begin(word);
        } else if self.open && self.is(&word, "facet") {
            self.at = word.end;
            self.facet(word.start);
        } else if self.open && self.is(&word, "endsolid") {
            self.at = word.end;
            let name = self.rest_of_line();
            let own = self.model.solids.last().map_or(0..0, |solid| solid.name.clone());
            if !name.is_empty() && self.text[name.clone()] != self.text[own] {
                self.fault(What::OtherName, name);
            }
            self.end(word.start);
        } else {
            self.fault(What::Word(if self.open { "facet or endsolid" } else { "solid" }), word.clone());
            self.at = word.end;
        }
    }

    fn begin(&mut self, word: Range<usize>) {
        if self.open {
            self.fault(What::NotEnded, word.clone());
            self.end(word.start);
        }
        self.at = word.end;
        let name = self.rest_of_line();
        let first = self.model.facets.len();
        let start = if self.model.solids.is_empty() { 0 } else { word.start };
        self.model.solids.push(Solid { name, facets: first..first, at: start..self.at, body: self.at..self.at });
        self.open = true;
    }

    /// The last solid ends before these bytes.
    fn end(&mut self, at: usize) {
        let facets = self.model.facets.len();
        if let Some(solid) = self.model.solids.last_mut() {
            solid.body.end = at;
            solid.facets.end = facets;
        }
        self.open = false;
    }

    /// The rest of the line without the blanks around it.
    fn rest_of_line(&mut self) -> Range<usize> {
        let rest = &self.text[self.at..];
        let size = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = &rest[..size];
        let start = line.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
        let end = line.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
        let name = self.at + start..self.at + end;
        self.at += size;
        name
    }

    fn facet(&mut self, start: usize) {
        self.expect("normal");
        let mut facet = [[0.; 3]; 4];
        facet[0] = self.numbers();
        self.expect("outer");
        self.expect("loop");
        let mut corners = 0;
        while let Some(word) = self.peek().filter(|word| self.is(word, "vertex")) {
            self.at = word.end;
            let vertex = self.numbers();
            if let Some(slot) = facet.get_mut(corners + 1) {
                *slot = vertex;
            }
            corners += 1;
        }
        self.expect("endloop");
        self.expect("endfacet");
        if corners == 3 {
            self.model.facets.push(facet);
        } else {
            self.model.left_out += 1;
            self.fault(What::Corners, start..self.at);
        }
    }

    /// Skips a word that must come next. Another one is skipped too, unless it is what comes behind it.
    fn expect(&mut self, expected: &'static str) {
        let word = self.peek().unwrap_or(self.text.len()..self.text.len());
        if self.is(&word, expected) {
            self.at = word.end;
            return;
        }
        if !KEYWORDS.iter().any(|keyword| self.is(&word, keyword)) && !self.is_number(&word) {
            self.at = word.end;
        }
        self.fault(What::Word(expected), word);
    }

    fn is_number(&self, word: &Range<usize>) -> bool {
        fast_float2::parse::<f32, _>(&self.text[word.clone()]).is_ok()
    }

    #[inline]
    fn numbers(&mut self) -> [f32; 3] {
        let mut numbers = [0.; 3];
        for number in &mut numbers {
            let word = self.peek().unwrap_or(self.text.len()..self.text.len());
            match fast_float2::parse::<f32, _>(&self.text[word.clone()]) {
                Ok(value) => {
                    *number = value;
                    self.at = word.end;
                }
                Err(_) => {
                    if !KEYWORDS.iter().any(|keyword| self.is(&word, keyword)) {
                        self.at = word.end;
                    }
                    self.fault(What::Number, word);
                }
            }
        }
        numbers
    }
}

/// Where a facet of a text is: from `facet` to `endfacet`. For a finding; it takes a pass over the text.
pub(super) fn facet_bytes(text: &[u8], solid: &Solid, index: usize) -> Range<usize> {
    let mut reader =
        Reader { text: &text[..solid.body.end], at: solid.body.start, model: Model::default(), open: true };
    let mut start = reader.at;
    while reader.model.facets.len() <= index {
        let Some(word) = reader.peek() else { break };
        start = word.start;
        reader.step(word);
    }
    start..reader.at
}
