//! Bytes → document. Every text is one; whether it is a material is a question of its words.

use wire::Blob;

use super::keys::Key;
use super::layout::Document;
use super::lex;
use crate::{Hint, Score};

/// How much of a file is looked at to recognise it.
const PROBED: usize = 4096;

pub(super) fn probe(file: &Blob, hint: &Hint) -> Score {
    let mut head = &file[..file.len().min(PROBED)];
    let named = hint.extension.as_deref().is_some_and(|extension| extension.eq_ignore_ascii_case("mat"));
    // Zeros are a fault in a material and the mark of everything that is no text.
    if head.contains(&0) && !named {
        return Score::NO;
    }
    if file.len() > PROBED {
        // The line that the window cuts says nothing.
        head = &head[..head.iter().rposition(|&b| lex::is_break(b)).unwrap_or(0)];
    }
    let (_, lexed) = lex::lex(head);
    let text = |token: usize| &head[lexed.tokens[token].range.clone()];
    if lexed.pairs.is_empty() {
        // Nothing at all is a material with every default, if its name says that it is one. A statement of a key that
        // others do not have is meant as one, whatever is wrong with it.
        let is_meant = |bad: &lex::Bad| {
            let key = Key::of(lex::first_name(text(bad.token)));
            key.is_some_and(|key| named || key.name != "name")
        };
        let is_one = if lexed.bad.is_empty() { named } else { lexed.bad.iter().any(is_meant) };
        return if is_one { Score::MAYBE } else { Score::NO };
    }
    // Many a text has names; the other keys are the engine's own.
    let known = lexed.pairs.iter().map(|pair| text(pair.name)).filter(|name| *name != b"name");
    let known = known.filter(|name| Key::of(name).is_some()).count();
    match () {
        () if lexed.bad.len() > lexed.pairs.len() && !named => Score::NO,
        () if known * 2 >= lexed.pairs.len() => Score::LIKELY,
        () if known > 0 || named => Score::MAYBE,
        () => Score::NO,
    }
}

pub(super) fn read(file: Blob) -> Document {
    Document::of(file)
}
