//! Bytes → document: the text is cut into chunks at line ends, each chunk is read by itself, and what they say is put
//! one behind the other. What a chunk cannot know (how many vertices came before it) is settled then.

use std::ops::Range;

use findings::{Error, Place, Result};
use rayon::prelude::*;
use wire::Blob;

use super::layout::{ABSENT, BAD, Corner, Document, Kind, Model, Run};
use super::lex::{Cursor, arguments, next_line_start, quote};
use super::rules::{Faults, OBJ_001, What};
use crate::{Hint, ReadCx, Score};

/// Bytes one thread reads at a time. Fixed, so that a file is read the same way on every machine.
const CHUNK: usize = 1 << 20;

/// Runs from which on lines of `v`, `vt` and `vn` in turn become one run each: files that interleave them would have
/// a run per vertex.
const TIDY_FROM: usize = 4096;

/// UTF-8's byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// How much of a file is looked at to recognise it.
const PROBED: usize = 4096;

pub(super) fn probe(file: &Blob, hint: &Hint) -> Score {
    let head = &file[..file.len().min(PROBED)];
    if head.contains(&0) {
        return Score::NO;
    }
    let named = hint.extension.as_deref().is_some_and(|extension| extension.eq_ignore_ascii_case("obj"));
    let mut cursor = Cursor::new(head.strip_prefix(MARK).unwrap_or(head));
    let (mut strong, mut weak, mut foreign, mut comments) = (0, 0, 0, 0);
    loop {
        cursor.blanks();
        if cursor.peek() == Some(b'#') {
            comments += 1;
        } else if !cursor.at_line_end() {
            let kind = Kind::of(cursor.word());
            let rest = cursor.rest();
            // The line that the window cuts says nothing.
            if cursor.at == cursor.text.len() && file.len() > PROBED {
                break;
            }
            match evidence(kind, &cursor.text[rest]) {
                Evidence::Strong => strong += 1,
                Evidence::Weak => weak += 1,
                Evidence::Against => foreign += 1,
            }
            if strong + weak == 0 {
                return Score::NO;
            }
        }
        cursor.next_line();
        if cursor.peek().is_none() {
            break;
        }
    }
    match (strong, weak) {
        _ if foreign > strong + weak => Score::NO,
        (1.., _) if foreign == 0 => Score::LIKELY,
        (1.., _) => Score::MAYBE,
        (_, 1..) if named => Score::MAYBE,
        _ if named && comments > 0 => Score::MAYBE,
        _ => Score::NO,
    }
}

/// What a line says about whether its file is an OBJ.
enum Evidence {
    Strong,
    Weak,
    Against,
}

fn evidence(kind: Kind, rest: &[u8]) -> Evidence {
    let words: Vec<&[u8]> = arguments(rest).collect();
    let numbers = |words: &[&[u8]]| words.iter().take(3).all(|word| fast_float2::parse::<f32, _>(word).is_ok());
    let corners =
        |words: &[&[u8]]| words.iter().all(|word| word.iter().all(|b| matches!(b, b'0'..=b'9' | b'-' | b'/')));
    match kind {
        Kind::V | Kind::Vn => match words.as_slice() {
            all @ [_, _, _, ..] if numbers(all) => Evidence::Strong,
            _ => Evidence::Against,
        },
        Kind::Vt => match words.as_slice() {
            all @ [_, ..] if numbers(all) => Evidence::Strong,
            _ => Evidence::Against,
        },
        Kind::F => match words.as_slice() {
            all @ [_, _, _, ..] if corners(all) => Evidence::Strong,
            _ => Evidence::Against,
        },
        Kind::Mtllib if rest.to_ascii_lowercase().ends_with(b".mtl") => Evidence::Strong,
        Kind::L | Kind::P => match words.as_slice() {
            all @ [_, ..] if corners(all) => Evidence::Weak,
            _ => Evidence::Against,
        },
        Kind::Unknown => Evidence::Against,
        _ => Evidence::Weak,
    }
}

pub(super) fn read(file: Blob, _: &mut ReadCx<'_>) -> Result<Document> {
    let model = read_chunks(&file, CHUNK)?;
    let statements = |run: &Run| !matches!(run.kind, Kind::Mark | Kind::Blank | Kind::Comment);
    let known = |run: &Run| statements(run) && run.kind != Kind::Unknown;
    let comments = model.runs.iter().any(|run| run.kind == Kind::Comment);
    if !model.runs.iter().any(known) && (model.runs.iter().any(statements) || !comments) {
        let mut cursor = Cursor::new(&file);
        let first = cursor.next_word().unwrap_or_default();
        let message = if first.is_empty() {
            "no line of this file is an OBJ statement: it is empty".to_owned()
        } else {
            format!("no line of this file is an OBJ statement; it starts with {}", quote(first))
        };
        let place = Place::blob("", &file.slice(..file.len().min(16)));
        return Err(Error::malformed(&OBJ_001.info, place, message));
    }
    Ok(Document::new(file, model))
}

fn read_chunks(text: &[u8], size: usize) -> Result<Model> {
    let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
    let mut chunks = Vec::new();
    let mut at = start;
    while at < text.len() {
        let end = next_line_start(text, (at + size).min(text.len()));
        chunks.push(at..end);
        at = end;
    }
    let mut parts: Vec<Part> = chunks.into_par_iter().map(|chunk| read_chunk(text, chunk)).collect();
    settle(&mut parts)?;
    let mut model = Model::default();
    if start > 0 {
        model.runs.push(Run { start: 0, lines: 1, kind: Kind::Mark });
    }
    join(&mut model, parts, text);
    Ok(model)
}

/// What a chunk says. Indices that count backwards are relative to the chunk until [`settle`].
#[derive(Default)]
struct Part {
    model: Model,
    /// Corners that count backwards, three places each.
    relative: Vec<usize>,
    faults: Faults,
    keyword: Range<usize>,
}

fn read_chunk(text: &[u8], chunk: Range<usize>) -> Part {
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

    /// An index from 0 on; one that counts backwards is noted for [`settle`].
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
pub(super) fn smoothing_group(word: &[u8]) -> Option<u32> {
    match word {
        b"off" | b"null" => Some(0),
        b"on" => Some(1),
        digits => std::str::from_utf8(digits).ok()?.parse().ok(),
    }
}

/// Gives every index its place in the whole file, now that all counts are known; those that lead nowhere become
/// [`BAD`].
fn settle(parts: &mut [Part]) -> Result<()> {
    let mut totals = [0_usize; 3];
    let mut before = Vec::with_capacity(parts.len());
    for part in parts.iter() {
        before.push(totals);
        totals.iter_mut().zip(part.model.counts()).for_each(|(total, count)| *total += count);
    }
    let sum = |of: fn(&Model) -> usize| parts.iter().map(|part| of(&part.model)).sum::<usize>();
    let largest = totals.into_iter().chain([sum(|model| model.sizes.len()), sum(|model| model.corners.len())]).max();
    if largest >= Some(BAD as usize) {
        return Err(Error::limit(Place::file(), "more than 4294967293 vertices, faces or corners"));
    }
    parts.par_iter_mut().zip(before).for_each(|(part, before)| {
        let corners = &mut part.model.corners;
        for &place in &part.relative {
            let corner = &mut corners[place / 3];
            let (index, which) = match place % 3 {
                0 => (&mut corner.v, 0),
                1 => (&mut corner.vt, 1),
                _ => (&mut corner.vn, 2),
            };
            let from_start = before[which] as i64 + i64::from(*index as i32);
            *index = u32::try_from(from_start).map_or(BAD, |index| index.min(BAD));
        }
        let check = |index: &mut u32, total: usize| {
            if *index < BAD && *index as usize >= total {
                *index = BAD;
            }
        };
        for corner in corners {
            check(&mut corner.v, totals[0]);
            check(&mut corner.vt, totals[1]);
            check(&mut corner.vn, totals[2]);
        }
    });
    Ok(())
}

/// Puts what the chunks say one behind the other.
fn join(model: &mut Model, parts: Vec<Part>, text: &[u8]) {
    fn reserve<T>(all: &mut Vec<T>, parts: &[Part], of: fn(&Part) -> &Vec<T>) {
        all.reserve_exact(parts.iter().map(|part| of(part).len()).sum());
    }
    reserve(&mut model.positions, &parts, |part| &part.model.positions);
    reserve(&mut model.texcoords, &parts, |part| &part.model.texcoords);
    reserve(&mut model.normals, &parts, |part| &part.model.normals);
    reserve(&mut model.corners, &parts, |part| &part.model.corners);
    reserve(&mut model.sizes, &parts, |part| &part.model.sizes);
    let mut faults = Faults::default();
    for part in parts {
        let Part { model: mut said, faults: more, .. } = part;
        if said.colored > 0 {
            model.colors.resize(model.positions.len() / 3 * 4, 1.);
            model.colors.append(&mut said.colors);
        }
        model.colored += said.colored;
        model.with_alpha += said.with_alpha;
        model.positions.append(&mut said.positions);
        model.texcoords.append(&mut said.texcoords);
        model.normals.append(&mut said.normals);
        model.corners.append(&mut said.corners);
        model.sizes.append(&mut said.sizes);
        join_runs(&mut model.runs, said.runs, text);
        faults.append(more);
    }
    if model.colored > 0 {
        model.colors.resize(model.positions.len() / 3 * 4, 1.);
    }
    if model.runs.len() > TIDY_FROM {
        tidy(&mut model.runs);
    }
    model.faults = faults.into_vec();
}

/// Appends the runs of a chunk, so that nothing tells where it began.
fn join_runs(runs: &mut Vec<Run>, more: Vec<Run>, text: &[u8]) {
    let mut more = more.into_iter().peekable();
    let begun = |runs: &[Run]| runs.last().is_some_and(|run| run.kind != Kind::Mark);
    more.next_if(|run| run.kind == Kind::Blank && begun(runs));
    let keyword = |run: &Run| Cursor { text, at: run.start }.next_word();
    if let (Some(last), Some(first)) = (runs.last_mut(), more.peek())
        && last.kind == first.kind
        && last.kind.gathers()
        && (!last.kind.has_keywords() || keyword(last) == keyword(first))
    {
        last.lines = last.lines.saturating_add(first.lines);
        more.next();
    }
    runs.extend(more);
}

/// Makes one run of neighbouring runs of `v`, `vt` and `vn`.
fn tidy(runs: &mut Vec<Run>) {
    runs.dedup_by(|run, before| {
        let both = run.kind.is_data() && before.kind.is_data();
        if both {
            before.kind = Kind::Data;
            before.lines = before.lines.saturating_add(run.lines);
        }
        both
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &[u8] =
        b"\xEF\xBB\xBF\n# a\n\n# b\nv 1 2 3 1 0 0\nv 4 5 6\r\nvt .5 .5\rv 7 8 9 \\\n 1 1 1 .5\nvn 0 0 1\n\
        v 1 x 3\ng a b\ng\nf -1/-1/-1 -2 -3//1 \\\r\n -4\nf 1 2 9\nfoo\nfoo\nbar\nf 0 1 2\ns 1\nl 1 2\n\nf -1 -2 -3\n";

    #[test]
    fn chunks_leave_no_trace() {
        let whole = read_chunks(SAMPLE, CHUNK).unwrap();
        for size in 1..SAMPLE.len() {
            let cut = read_chunks(SAMPLE, size).unwrap();
            assert_eq!(format!("{cut:?}"), format!("{whole:?}"), "chunks of {size} bytes");
        }
        assert_eq!(whole.colored, 2);
        assert_eq!(whole.colors[4..12], [1., 1., 1., 1., 1., 1., 1., 0.5]);
        let corner = |v, vt, vn| Corner { v, vt, vn };
        let face = [corner(3, 0, 0), corner(2, ABSENT, ABSENT), corner(1, ABSENT, 0), corner(0, ABSENT, ABSENT)];
        assert_eq!(whole.corners[..4], face);
        assert_eq!(whole.sizes, [4, 3, 3, 2, 3]);
    }

    #[test]
    fn interleaved_vertices_are_one_run_in_large_files() {
        let text = b"v 0 0 0\nvn 0 0 1\n".repeat(TIDY_FROM);
        let model = read_chunks(&text, 1 << 10).unwrap();
        assert_eq!(model.runs.len(), 1);
        assert_eq!((model.runs[0].kind, model.runs[0].lines as usize), (Kind::Data, 2 * TIDY_FROM));
    }
}
