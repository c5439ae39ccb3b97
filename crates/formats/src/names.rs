//! Names for formats that want each object to have one, in UTF-8, and no other to have the same.

use std::collections::{HashMap, HashSet};

use findings::Subject;
use scene::Name;
use scene::loss::LOSS_042;
use wire::{Blob, Text};

use crate::LowerCx;

/// Gives every object a name of its own.
pub(crate) struct Names {
    /// The name of the format.
    format: &'static str,
    /// Most bytes of a name.
    most: usize,
    seen: HashMap<&'static str, Seen>,
}

/// The names of one kind of object.
#[derive(Default)]
struct Seen {
    names: HashSet<Vec<u8>>,
    /// By the name they are added to, the first number that may be free; 0 adds none.
    numbers: HashMap<Vec<u8>, u64>,
}

impl Names {
    pub(crate) fn new(format: &'static str, most: usize) -> Names {
        Names { format, most, seen: HashMap::new() }
    }

    /// The name of an object that reports call `label`; `copy` counts the objects that one of the scene became. The first
    /// has its name, so nobody misses that of the others.
    pub(crate) fn name(
        &mut self,
        kind: &'static str,
        name: &Name,
        copy: usize,
        label: &Subject,
        cx: &mut LowerCx<'_>,
    ) -> Text {
        let seen = self.seen.entry(kind).or_default();
        let given = speakable(name, self.most);
        let made = if !given.is_empty() && seen.names.insert(given.clone()) {
            given
        } else {
            seen.another(if given.is_empty() { kind.as_bytes() } else { &given }, &given, self.most)
        };
        if copy == 0 && !name.is_empty() && made != name.bytes() {
            let why = format!("{} demands names that differ, in UTF-8", self.format);
            let what = format!("name written as \"{}\"", findings::render::escape(&String::from_utf8_lossy(&made)));
            cx.lose(&LOSS_042, label, 1, &what, &why);
        }
        text(&made)
    }
}

impl Seen {
    /// A name that no other has, made of this one.
    fn another(&mut self, base: &[u8], given: &[u8], most: usize) -> Vec<u8> {
        // Room for a number of any length.
        let base = cut(base, most.saturating_sub(24));
        let number = self.numbers.entry(base.to_vec()).or_default();
        loop {
            let made = match *number {
                0 => base.to_vec(),
                number => [base, format!(".{number:03}").as_bytes()].concat(),
            };
            *number += 1;
            if made != given && self.names.insert(made.clone()) {
                return made;
            }
        }
    }
}

/// A name as UTF-8 without a byte 00, and not too long.
pub(crate) fn speakable(name: &Name, most: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(name.bytes()).replace('\0', "\u{FFFD}");
    cut(text.as_bytes(), most).to_vec()
}

/// The first bytes, up to the end of a character.
fn cut(text: &[u8], most: usize) -> &[u8] {
    let starts = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let end = (0..=most.min(text.len())).rev().find(starts).unwrap_or(0);
    &text[..end]
}

fn text(bytes: &[u8]) -> Text {
    Text::from(Blob::memory(bytes.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoSource;

    #[test]
    fn names_are_text_that_no_other_has() {
        let mut cx = LowerCx::new(&NoSource, "spec");
        let mut names = Names::new("Format", 30);
        let given = [&b"a"[..], b"a", b"a.001", b"", b"", b"\xFF", b"b\0", &[b'x'; 40], &[b'x'; 40]];
        let made = given.map(|name| names.name("Mesh", &name.into(), 0, &"mesh".into(), &mut cx).to_string());
        let long = "x".repeat(30);
        let expected = ["a", "a.001", "a.001.001", "Mesh", "Mesh.001", "\u{FFFD}", "b\u{FFFD}", &long, "xxxxxx"]
            .map(str::to_owned);
        assert_eq!(made, expected);
        assert_eq!(cx.losses.iter().map(|loss| loss.count).sum::<u64>(), 6, "{:?}", cx.losses);
    }
}
