//! Whether a file is an OBJ, told by its first lines: the format has no mark of its own.

use wire::Blob;

use super::layout::Kind;
use super::lex::{Cursor, MARK, arguments};
use crate::{Hint, Score};

/// How much of a file is looked at to recognise it, of long lines their first [`PER_LINE`] bytes.
const PROBED: usize = 4096;

/// How much of a line counts for that: a long name says no more than a short one.
const PER_LINE: usize = 256;

/// How far it is looked at all.
const WINDOW: usize = 1 << 20;

pub(super) fn probe(file: &Blob, hint: &Hint) -> Score {
    if file[..file.len().min(PROBED)].contains(&0) {
        return Score::NO;
    }
    let head = &file[..file.len().min(WINDOW)];
    let named = hint.extension.as_deref().is_some_and(|extension| extension.eq_ignore_ascii_case("obj"));
    let mut cursor = Cursor::new(head.strip_prefix(MARK).unwrap_or(head));
    let (mut strong, mut weak, mut foreign, mut comments) = (0, 0, 0, 0);
    let mut seen = 0;
    while seen < PROBED {
        let start = cursor.at;
        cursor.blanks();
        if cursor.peek() == Some(b'#') {
            comments += 1;
        } else if !cursor.at_line_end() {
            let kind = Kind::of(cursor.word());
            if kind == Kind::Unknown && strong + weak == 0 {
                return Score::NO;
            }
            let rest = cursor.rest();
            // Of a line that the window cuts, only a name says what it says.
            if cursor.at == cursor.text.len() && file.len() > WINDOW {
                weak += usize::from(matches!(kind, Kind::O | Kind::G | Kind::Usemtl));
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
        seen += (cursor.at - start).min(PER_LINE);
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
