//! Bytes → document: the text is cut into chunks at line ends, each chunk is read by itself, and what they say is put
//! one behind the other. What a chunk cannot know (how many vertices came before it) is settled then.

use findings::{Error, Place, Result};
use rayon::prelude::*;
use wire::Blob;

use super::chunk::{Part, read_chunk};
use super::layout::{BAD, Document, Kind, Model, Run};
use super::lex::{Cursor, MARK, next_line_start, quote};
use super::rules::{Faults, OBJ_001};
use crate::ReadCx;

/// Bytes one thread reads at a time. Fixed, so that a file is read the same way on every machine.
const CHUNK: usize = 1 << 20;

/// Runs from which on lines of `v`, `vt` and `vn` in turn become one run each: files that interleave them would have
/// a run per vertex.
const TIDY_FROM: usize = 4096;

pub(super) fn read(file: Blob, _: &mut ReadCx<'_>) -> Result<Document> {
    let model = model(&file)?;
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

/// What a text says.
pub(super) fn model(text: &[u8]) -> Result<Model> {
    read_chunks(text, CHUNK)
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
        model.with_depth += said.with_depth;
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

/// Appends the runs of a chunk, so that it does not show where it began.
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
    use crate::obj::layout::{ABSENT, Corner};

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
