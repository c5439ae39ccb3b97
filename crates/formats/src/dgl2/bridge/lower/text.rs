//! The text of a material, an entity or the header, made of what a scene says.

use findings::{Level, Subject};
use scene::loss::{LOSS_015, LOSS_023};
use scene::{Name, Value};
use wire::Text;

use super::super::materials::Ask;
use super::super::values::{float, kind, typed, vector, words};
use crate::LowerCx;
use crate::dgl2::dialect::Dialect;
use crate::dgl2::dml::{Dml, value};

/// A name and a value.
type Pair = (Vec<u8>, Vec<u8>);

/// A text that is being composed.
pub(super) struct Composer {
    pairs: Vec<Pair>,
    dialect: Dialect,
    /// How reports call the object.
    place: Subject,
    refused: Vec<Refused>,
    /// Colours that had to be brought within 0 to 1, and how far beyond they were.
    clamped: Vec<(String, f64)>,
}

/// What cannot be said, and why.
struct Refused {
    what: String,
    why: &'static str,
    level: Level,
}

const UNSPEAKABLE: &str = "DML has no escapes";

impl Ask for Composer {
    fn ask(&self, key: &str) -> Option<&[u8]> {
        let pair = self.pairs.iter().rev().find(|(name, _)| name == key.as_bytes());
        pair.map(|(_, value)| &value[..])
    }
}

impl Composer {
    pub(super) fn new(dialect: Dialect, place: Subject) -> Composer {
        Composer { pairs: Vec::new(), dialect, place, refused: Vec::new(), clamped: Vec::new() }
    }

    /// Says a value, in place of what was said before.
    pub(super) fn set(&mut self, key: &str, value: &[u8]) {
        match self.pairs.iter_mut().find(|(name, _)| name == key.as_bytes()) {
            Some((_, now)) => *now = value.to_vec(),
            None => self.pairs.push((key.as_bytes().to_vec(), value.to_vec())),
        }
    }

    /// A number that is `default` where it is not said.
    pub(super) fn number(&mut self, key: &str, default: f32, wanted: f32) {
        let now = self.ask(key).and_then(value::float).unwrap_or(default);
        if now.to_bits() != wanted.to_bits() {
            self.set(key, float(wanted).as_bytes());
        }
    }

    /// A truth value that is `default` where it is not said.
    pub(super) fn boolean(&mut self, key: &str, default: bool, wanted: bool) {
        if self.ask(key).and_then(value::boolean).unwrap_or(default) != wanted {
            self.set(key, if wanted { b"1" } else { b"0" });
        }
    }

    /// Numbers between brackets.
    pub(super) fn vector(&mut self, key: &str, wanted: &[f32]) {
        self.set(key, vector(wanted).as_bytes());
    }

    /// A colour, within 0 to 1.
    pub(super) fn color(&mut self, key: &str, wanted: [f32; 4]) {
        let within = wanted.map(|v| if v.is_nan() { 0. } else { v.clamp(0., 1.) });
        let beyond = |(a, b): (&f32, &f32)| f64::from((a - b).abs());
        let size = wanted.iter().zip(&within).map(beyond).fold(0., f64::max);
        if size > 0. {
            self.clamped.push((key.to_owned(), size));
        }
        self.vector(key, &within);
    }

    fn refuse(&mut self, what: String, why: &'static str, level: Level) {
        self.refused.push(Refused { what, why, level });
    }

    /// Says the properties of an object, but for keys that say something else.
    pub(super) fn properties(&mut self, wanted: &[(Name, Value)], is_known: impl Fn(&[u8]) -> bool) {
        for (name, value) in wanted {
            let what = format!("property {name}");
            let Some(said) = words(value) else {
                self.refuse(what, "a value of DML is a number, a truth value, a vector or text", Level::Dropped);
                continue;
            };
            if is_known(name.bytes()) {
                if self.pairs.iter().all(|(_, value)| *value != said) {
                    self.refuse(what, "in DGL2 that name has a meaning", Level::Dropped);
                }
                continue;
            }
            if said.iter().any(|byte| (*byte < 0x20 && !b"\t\n".contains(byte)) || *byte == 0x7F) {
                self.refuse(what, UNSPEAKABLE, Level::Dropped);
                continue;
            }
            if kind(&typed(&said)) != kind(value) {
                self.refuse(format!("{what} as {}", kind(value)), "values of DML have no types", Level::Changed);
            }
            if std::str::from_utf8(&said).is_ok() && name.as_str().is_some() {
                self.pairs.push((name.bytes().to_vec(), said));
            } else {
                self.refuse(format!("{what} as it was"), "texts of DGL2 are UTF-8", Level::Changed);
                self.pairs.push((name.to_string().into_bytes(), String::from_utf8_lossy(&said).into_owned().into()));
            }
        }
    }

    /// The text, after listing what could not be said in it.
    pub(super) fn finish(mut self, cx: &mut LowerCx<'_>) -> Text {
        let empty = if self.dialect.is_braced() && !self.pairs.is_empty() { "{}" } else { "" };
        let (text, unspeakable) = Dml::read(&empty.into()).with_all(&self.pairs);
        for error in unspeakable {
            self.refuse(error.message().to_owned(), UNSPEAKABLE, Level::Dropped);
        }
        for Refused { what, why, level } in self.refused {
            cx.losses.add_at(level, &LOSS_015, &self.place, 1, what, why);
        }
        for (key, size) in self.clamped {
            let why = "colours of DGL2 lie within 0 to 1";
            cx.losses.add_measured(&LOSS_023, size, &self.place, 1, format!("{key} clamped"), why);
        }
        text
    }
}
