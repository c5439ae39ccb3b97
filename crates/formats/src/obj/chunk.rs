//! The lines of a chunk → what they say: numbers, corners and runs of statements.

use std::ops::Range;

use super::layout::{ABSENT, BAD, Corner, Kind, Model, Run};
use super::lex::{Cursor, arguments};
use super::rules::{Faults, What};

/// What a chunk says. Indices that count backwards are relative to the chunk until the whole file is known.
#[derive(Default)]
pub(super) struct Part {
    pub(super) model: Model,
    /// Corners that count backwards, three places each.
    pub(super) relative: Vec<usize>,
    pub(super) faults: Faults,
    keyword: Range<usize>,
}

pub(super) fn read_chunk(text: &[u8], chunk: Range<usize>) -> Part {
    let mut part = Part::default();
    let mut cursor = Cursor { text: &text[..chunk.end], at: chunk.start };
    while cursor.at < chunk.end {
        let start = cursor.at;
        cursor.blanks();
        match cursor.peek() {
            None | Some(b'\n' | b'\r') => part.blank(start),
            Some(b'#') => {
                part.statement(Kind::Comment, start, 0..0, text);
                cursor.skip_comment();
            }
            Some(_) => {
                let word = cursor.at;
                let kind = Kind::of(cursor.word());
                part.statement(kind, start, word..cursor.at, text);
                part.arguments(kind, word, &mut cursor);
            }
        }
        cursor.next_line();
    }
    part
}

impl Part {
    /// A blank line belongs to the run before it.
    fn blank(&mut self, start: usize) {
        if self.model.runs.is_empty() {
            self.model.runs.push(Run { start, lines: 0, kind: Kind::Blank });
        }
    }

    #[inline]
    fn statement(&mut self, kind: Kind, start: usize, keyword: Range<usize>, text: &[u8]) {
        if let Some(run) = self.model.runs.last_mut().filter(|run| run.kind == kind && kind.gathers())
            && (!kind.has_keywords() || text[self.keyword.clone()] == text[keyword.clone()])
        {
            run.lines = run.lines.saturating_add(1);
            return;
        }
        self.model.runs.push(Run { start, lines: 1, kind });
        self.keyword = keyword;
    }

    fn arguments(&mut self, kind: Kind, start: usize, cursor: &mut Cursor<'_>) {
        match kind {
            Kind::V => self.vertex(start, cursor),
            Kind::Vt => {
                let (numbers, count) = self.numbers::<3>(cursor);
                self.model.texcoords.extend_from_slice(&numbers[..2]);
                self.model.with_depth += usize::from(numbers[2] != 0.);
                self.expect((1..=3).contains(&count), What::Components, start, cursor);
            }
            Kind::Vn => {
                let (numbers, count) = self.numbers::<3>(cursor);
                self.model.normals.extend_from_slice(&numbers);
                self.expect(count == 3, What::Components, start, cursor);
            }
            Kind::F => self.element(3, start, cursor),
            Kind::L => self.element(2, start, cursor),
            Kind::P => self.element(1, start, cursor),
            Kind::O | Kind::Usemtl | Kind::Mtllib => {
                let named = !cursor.rest().is_empty();
                self.expect(named, What::NoName, start, cursor);
            }
            Kind::S => {
                let rest = cursor.rest();
                let known = smoothing_group(&cursor.text[rest.clone()]).is_some();
                self.expect(known, What::Smoothing, start, cursor);
            }
            _ => cursor.skip_rest(),
        }
    }

    /// Notes a fault of the whole statement that began at `start`.
    #[inline]
    fn expect(&mut self, right: bool, what: What, start: usize, cursor: &Cursor<'_>) {
        if !right {
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let size = cursor.text[start..cursor.at].iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
            self.fault(what, start..start + size);
        }
    }

    #[cold]
    fn fault(&mut self, what: What, at: Range<usize>) {
        self.faults.add(what, at);
    }

    /// The numbers up to the end of the line: the first `N` of them, zeros for those that are missing, and how many
    /// there are.
    #[inline]
    fn numbers<const N: usize>(&mut self, cursor: &mut Cursor<'_>) -> ([f32; N], usize) {
        let mut numbers = [0.; N];
        let mut count = 0;
        loop {
            cursor.blanks();
            let start = cursor.at;
            if cursor.at_line_end() || cursor.peek() == Some(b'#') {
                return (numbers, count);
            }
            let number = match cursor.number() {
                Ok(number) => {
                    if !number.is_finite() {
                        self.fault(What::NotFinite, start..cursor.at);
                    }
                    number
                }
                Err(at) => {
                    self.fault(What::Number, at);
                    0.
                }
            };
            if let Some(slot) = numbers.get_mut(count) {
                *slot = number;
            }
            count += 1;
        }
    }

    #[inline]
    fn vertex(&mut self, start: usize, cursor: &mut Cursor<'_>) {
        let (n, count) = self.numbers::<7>(cursor);
        let before = self.model.positions.len() / 3;
        self.model.positions.extend_from_slice(&n[..3]);
        let color = match count {
            3 => None,
            4 => {
                self.expect(n[3] == 1., What::Weight, start, cursor);
                None
            }
            6 => Some([n[3], n[4], n[5], 1.]),
            7 => Some([n[3], n[4], n[5], n[6]]),
            _ => {
                self.expect(false, What::Components, start, cursor);
                None
            }
        };
        let model = &mut self.model;
        if let Some(color) = color {
            model.colors.resize(before * 4, 1.);
            model.colors.extend_from_slice(&color);
            model.colored += 1;
            model.with_alpha += usize::from(count == 7);
        }
    }

    #[inline]
    fn element(&mut self, fewest: usize, start: usize, cursor: &mut Cursor<'_>) {
        let first = self.model.corners.len();
        loop {
            cursor.blanks();
            if cursor.at_line_end() || cursor.peek() == Some(b'#') {
                break;
            }
            self.corner(cursor);
        }
        let size = self.model.corners.len() - first;
        // No file reaches it: that many corners take eight gigabytes on one line.
        self.model.sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
        self.expect(size >= fewest, What::TooFewCorners, start, cursor);
    }

    #[inline]
    fn corner(&mut self, cursor: &mut Cursor<'_>) {
        let start = cursor.at;
        let corner = match corner(cursor) {
            Some([v, vt, vn]) => {
                let at = self.model.corners.len() * 3;
                let zero = [v, vt, vn].contains(&Some(0));
                if zero {
                    self.fault(What::IndexZero, start..cursor.at);
                }
                let v = self.index(v, self.model.positions.len() / 3, at);
                let vt = self.index(vt, self.model.texcoords.len() / 2, at + 1);
                let vn = self.index(vn, self.model.normals.len() / 3, at + 2);
                Corner { v, vt, vn }
            }
            None => {
                self.fault(What::Corner, start..cursor.at);
                Corner { v: BAD, vt: ABSENT, vn: ABSENT }
            }
        };
        self.model.corners.push(corner);
    }

    /// An index from 0 on; one that counts backwards is noted: how many came before the chunk is not known yet.
    #[inline]
    fn index(&mut self, index: Option<i64>, count: usize, place: usize) -> u32 {
        match index {
            None => ABSENT,
            Some(index @ 1..) => u32::try_from(index - 1).map_or(BAD, |index| index.min(BAD)),
            Some(0) => BAD,
            Some(back) => match i32::try_from(count as i64 + back) {
                Ok(from_chunk) => {
                    self.relative.push(place);
                    from_chunk as u32
                }
                Err(_) => BAD,
            },
        }
    }
}

/// The three indices of a corner as the file has them, or nothing if the word is no corner. The cursor is behind the
/// word either way.
#[inline]
pub(super) fn corner(cursor: &mut Cursor<'_>) -> Option<[Option<i64>; 3]> {
    let mut indices = [None; 3];
    let start = cursor.at;
    indices[0] = integer(cursor);
    for index in &mut indices[1..] {
        if cursor.peek() != Some(b'/') {
            break;
        }
        cursor.at += 1;
        *index = integer(cursor);
    }
    let behind = cursor.at;
    let rest = cursor.word();
    (indices[0].is_some() && rest.is_empty() && behind > start).then_some(indices)
}

/// Beyond every index; further digits change nothing.
const HUGE: i64 = 1 << 40;

#[inline]
fn integer(cursor: &mut Cursor<'_>) -> Option<i64> {
    let start = cursor.at;
    let negative = cursor.peek() == Some(b'-');
    if negative || cursor.peek() == Some(b'+') {
        cursor.at += 1;
    }
    let digits = cursor.at;
    let mut value = 0;
    while let Some(digit @ b'0'..=b'9') = cursor.peek() {
        if value < HUGE {
            value = value * 10 + i64::from(digit - b'0');
        }
        cursor.at += 1;
    }
    if cursor.at == digits {
        cursor.at = start;
        return None;
    }
    Some(if negative { -value } else { value })
}

/// The number of a smoothing group; 0 is none.
pub(super) fn smoothing_group(rest: &[u8]) -> Option<u32> {
    let mut words = arguments(rest);
    let group = match words.next()? {
        b"off" | b"null" => 0,
        b"on" => 1,
        digits => std::str::from_utf8(digits).ok()?.parse().ok()?,
    };
    words.next().is_none().then_some(group)
}
