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

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Onward,
    Back,
}

impl Direction {
    /// What to say where a search goes on at the other end.
    fn end(self) -> &'static str {
        match self {
            Direction::Onward => "that was the last one; this is the first",
            Direction::Back => "that was the first one; this is the last",
        }
    }
}

/// A place that was found, and whether the search went on at the other end.
#[derive(Debug, PartialEq, Eq)]
struct Hit<T> {
    place: T,
    around: bool,
}

impl<T> Hit<T> {
    fn first_of(near: Option<T>, around: impl FnOnce() -> Option<T>) -> Option<Hit<T>> {
        let near = near.map(|place| Hit { place, around: false });
        near.or_else(|| around().map(|place| Hit { place, around: true }))
    }
}

impl Browser {
    /// Goes to the next place that holds what is looked for; behind the end, from the start again.
    pub(super) fn find(&mut self, way: Direction) {
        let Some(needle) = self.needle.clone() else {
            self.note = "nothing to find yet; / asks for it".into();
            return;
        };
        let around = match &needle {
            Needle::Name(name) => next_named(self.outline.document(), &self.selected, name, way).map(|hit| {
                self.show(hit.place);
                hit.around
            }),
            Needle::Bytes(bytes) => next_bytes(&self.body.bytes, self.cursor, bytes, way).map(|hit| {
                self.move_cursor(hit.place);
                hit.around
            }),
        };
        self.note = match (around, needle) {
            (Some(false), _) => return,
            (Some(true), _) => way.end().into(),
            (None, Needle::Name(name)) => format!("no field is named {name}"),
            (None, Needle::Bytes(_)) => "these bytes are nowhere".into(),
        };
    }

    /// Goes to the next bytes that something is wrong with.
    pub(super) fn find_finding(&mut self, way: Direction) {
        let places: Vec<usize> = self.marks.ranges(&self.body).into_iter().map(|range| range.start).collect();
        let hit = match way {
            Direction::Onward => Hit::first_of(places.iter().find(|at| **at > self.cursor), || places.first()),
            Direction::Back => Hit::first_of(places.iter().rfind(|at| **at < self.cursor), || places.last()),
        };
        match hit {
            Some(hit) => {
                self.move_cursor(*hit.place);
                self.note = if hit.around { way.end().into() } else { String::new() };
            }
            None => self.note = "no finding points at these bytes".into(),
        }
    }
}

fn next_bytes(all: &[u8], cursor: usize, needle: &[u8], way: Direction) -> Option<Hit<usize>> {
    match way {
        Direction::Onward => {
            let behind = (cursor + 1).min(all.len());
            let next = memmem::find(&all[behind..], needle).map(|at| behind + at);
            Hit::first_of(next, || memmem::find(all, needle))
        }
        Direction::Back => {
            // The last one that begins before the cursor, wherever it ends.
            let before = (cursor + needle.len()).saturating_sub(1).min(all.len());
            Hit::first_of(memmem::rfind(&all[..before], needle), || memmem::rfind(all, needle))
        }
    }
}

fn next_named(document: &Inside, from: &[usize], name: &str, way: Direction) -> Option<Hit<Address>> {
    if way == Direction::Back {
        let before = last_named(document, Some(from), name);
        return Hit::first_of(before, || last_named(document, None, name));
    }
    let mut here = Walk::from(document, from);
    let start = here.next()?;
    here.leave(|level| level.is_array() && !holds(level, name));
    // If that left the field the walk began at, what lies inside it has been decided too.
    if here.address() == from {
        enter(&mut here, &start, name);
    }
    Hit::first_of(first_named(here, name), || first_named(Walk::from(document, &[]), name))
}

/// The last field of this name, or the last one before the field at an address.
fn last_named(inside: &Inside, before: Option<&[usize]>, name: &str) -> Option<Address> {
    let end = before.map_or(inside.len(), |address| address.first().map_or(0, |&index| index + 1));
    for index in (0..end).rev() {
        let field = inside.field(index)?;
        let rest = before.filter(|address| address[0] == index).map(|address| &address[1..]);
        // It begins at this field: what lies inside comes behind it.
        if rest.is_some_and(<[usize]>::is_empty) {
            continue;
        }
        let inner = Inside::of(&field).filter(|inner| !inner.is_array() || holds(inner, name));
        if let Some(mut address) = inner.and_then(|inner| last_named(&inner, rest, name)) {
            address.insert(0, index);
            return Some(address);
        }
        if is_named(&field, name) {
            return Some(vec![index]);
        }
    }
    None
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
        let path = |at: &Address| document.field_at(at).unwrap().path;
        let normals = ["pieces[0].vertices[0].normal", "pieces[0].vertices[1].normal"];
        let mut at = vec![0];
        for (expected, around) in [(normals[0], false), (normals[1], false), (normals[0], true), (normals[1], false)] {
            let hit = next_named(&document, &at, "normal", Direction::Onward).unwrap();
            assert_eq!((path(&hit.place).as_str(), hit.around), (expected, around));
            at = hit.place;
        }
        for (expected, around) in [(normals[0], false), (normals[1], true), (normals[0], false)] {
            let hit = next_named(&document, &at, "normal", Direction::Back).unwrap();
            assert_eq!((path(&hit.place).as_str(), hit.around), (expected, around));
            at = hit.place;
        }
        for way in [Direction::Onward, Direction::Back] {
            assert_eq!(next_named(&document, &at, "nowhere", way), None);
        }
    }

    #[test]
    fn search_from_inside_an_array_leaves_it() {
        let document = samples::danmodel(2);
        let from = document.find("pieces[0].vertices[1].uv[0]").unwrap();
        for (way, around) in [(Direction::Onward, true), (Direction::Back, false)] {
            let hit = next_named(&document, &from, "version", way).unwrap();
            assert_eq!((document.field_at(&hit.place).unwrap().path.as_str(), hit.around), ("header.version", around));
        }
        // A field comes before what lies inside it.
        let hit = next_named(&document, &from, "vertices", Direction::Back).unwrap();
        assert_eq!(document.field_at(&hit.place).unwrap().path, "pieces[0].vertices");
    }

    #[test]
    fn bytes_are_found_in_turn_and_around_the_end() {
        let next = |all: &[u8], cursor, needle: &[u8], way| {
            next_bytes(all, cursor, needle, way).map(|hit| (hit.place, hit.around))
        };
        assert_eq!(next(b"abcab", 0, b"ab", Direction::Onward), Some((3, false)));
        assert_eq!(next(b"abcab", 3, b"ab", Direction::Onward), Some((0, true)));
        assert_eq!(next(b"abcab", 3, b"ab", Direction::Back), Some((0, false)));
        assert_eq!(next(b"abcab", 0, b"ab", Direction::Back), Some((3, true)));
        assert_eq!(next(b"aaa", 1, b"aa", Direction::Back), Some((0, false)));
        assert_eq!(next(b"", 0, b"ab", Direction::Onward), None);
        assert_eq!(next(b"", 0, b"ab", Direction::Back), None);
    }
}
