//! Finding fields by name and bytes by content.

use memchr::memmem;

use super::super::fields::{Address, Field, Inside, Walk};
use super::state::Browser;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Needle {
    /// Part of a field's name, in lower case.
    Name(String),
    Bytes(Vec<u8>),
}

impl Needle {
    /// `"text"` in quotes and hex bytes (`0x4c61`, `4c 61`) are bytes; anything else is a name.
    pub(super) fn from_text(text: &str) -> Needle {
        let text = text.trim();
        if let Some(quoted) = text.strip_prefix('"').map(|rest| rest.strip_suffix('"').unwrap_or(rest))
            && !quoted.is_empty()
        {
            return Needle::Bytes(quoted.as_bytes().to_vec());
        }
        let hex = match text.strip_prefix("0x") {
            Some(digits) => hex_bytes(digits),
            // One pair alone could be a name.
            None if text.contains(' ') && text.split(' ').all(|pair| pair.is_empty() || pair.len() == 2) => {
                hex_bytes(text)
            }
            None => None,
        };
        hex.map_or_else(|| Needle::Name(text.to_lowercase()), Needle::Bytes)
    }
}

fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().filter(|&c| c != ' ').map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let (pairs, odd) = digits.as_ref()?.as_chunks::<2>();
    (odd.is_empty() && !pairs.is_empty()).then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

impl Browser {
    /// Goes to the next place that holds what is looked for, from the start again behind the end.
    pub(super) fn find_next(&mut self) {
        let Some(needle) = self.needle.clone() else {
            self.note = "nothing to find yet; / asks for it".into();
            return;
        };
        let found = match &needle {
            Needle::Name(name) => next_named(self.outline.document(), &self.selected, name).map(|a| self.show(a)),
            Needle::Bytes(bytes) => next_bytes(&self.body.bytes, self.cursor, bytes).map(|at| self.move_cursor(at)),
        };
        if found.is_none() {
            self.note = match needle {
                Needle::Name(name) => format!("no field is named {name}"),
                Needle::Bytes(_) => "these bytes are nowhere".into(),
            };
        }
    }
}

fn next_bytes(all: &[u8], cursor: usize, needle: &[u8]) -> Option<usize> {
    let behind = (cursor + 1).min(all.len());
    let next = memmem::find(&all[behind..], needle).map(|at| behind + at);
    next.or_else(|| memmem::find(all, needle))
}

fn next_named(document: &Inside, from: &[usize], name: &str) -> Option<Address> {
    let mut here = Walk::from(document, from);
    let start = here.next()?;
    here.leave(|level| level.is_array() && !holds(level, name));
    // If that left the field the walk began at, what lies inside it has been decided too.
    if here.address() == from {
        enter(&mut here, &start, name);
    }
    first_named(here, name).or_else(|| first_named(Walk::from(document, &[]), name))
}

fn first_named(mut walk: Walk, name: &str) -> Option<Address> {
    while let Some(field) = walk.next() {
        if is_named(&field, name) {
            return Some(walk.address());
        }
        enter(&mut walk, &field, name);
    }
    None
}

/// Goes on inside, except in an array that cannot hold the name: its elements are alike, however many there are.
fn enter(walk: &mut Walk, field: &Field, name: &str) {
    if let Some(inside) = Inside::of(field)
        && (!inside.is_array() || holds(&inside, name))
    {
        walk.enter(inside);
    }
}

/// Whether a field inside has the name; of an array, the first element stands for all.
fn holds(inside: &Inside, name: &str) -> bool {
    let count = if inside.is_array() { 1 } else { inside.len() };
    let mut fields = (0..count).filter_map(|index| inside.field(index));
    fields.any(|field| is_named(&field, name) || Inside::of(&field).is_some_and(|inside| holds(&inside, name)))
}

fn is_named(field: &Field, name: &str) -> bool {
    !field.node.name.starts_with('[') && field.node.name.to_lowercase().contains(name)
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;

    #[test]
    fn what_is_typed_is_a_name_unless_it_must_be_bytes() {
        assert_eq!(Needle::from_text("Face"), Needle::Name("face".into()));
        assert_eq!(Needle::from_text("0xface"), Needle::Bytes(vec![0xfa, 0xce]));
        assert_eq!(Needle::from_text("fa ce 00"), Needle::Bytes(vec![0xfa, 0xce, 0]));
        assert_eq!(Needle::from_text("\"Dan"), Needle::Bytes(b"Dan".to_vec()));
        assert_eq!(Needle::from_text("0x1"), Needle::Name("0x1".into()));
    }

    #[test]
    fn names_are_found_in_turn_and_around_the_end() {
        let document = samples::danmodel(2);
        let mut at = vec![0];
        let mut found = Vec::new();
        for _ in 0..4 {
            at = next_named(&document, &at, "normal").unwrap();
            found.push(document.field_at(&at).unwrap().path);
        }
        assert_eq!(found[0], "pieces[0].vertices[0].normal");
        assert_eq!(found[1], "pieces[0].vertices[1].normal");
        assert_eq!(found[2..], found[..2]);
        assert_eq!(next_named(&document, &at, "nowhere"), None);
    }

    #[test]
    fn search_from_inside_an_array_leaves_it() {
        let document = samples::danmodel(2);
        let from = document.find("pieces[0].vertices[1].uv[0]").unwrap();
        let found = next_named(&document, &from, "version").unwrap();
        assert_eq!(document.field_at(&found).unwrap().path, "header.version");
    }

    #[test]
    fn bytes_are_found_in_turn_and_around_the_end() {
        assert_eq!(next_bytes(b"abcab", 0, b"ab"), Some(3));
        assert_eq!(next_bytes(b"abcab", 3, b"ab"), Some(0));
        assert_eq!(next_bytes(b"", 0, b"ab"), None);
    }
}
