//! The text of a library → what it says about each material.

use std::ops::Range;

use findings::{Place, Rule};
use scene::{Properties, Role, Value};

use super::library::{Library, Remark};
use super::options::Options;
use crate::obj::layout::Document;
use crate::obj::lex::{Cursor, Line, MARK, arguments, joined, lines, lines_before, plain, quote};
use crate::obj::rules::*;

/// A material as a library describes it.
pub(in crate::obj) struct Entry<'a> {
    pub(super) library: &'a Library,
    /// The bytes and the line of its `newmtl`.
    at: Range<usize>,
    line: usize,
    pub(super) name: Vec<u8>,
    pub(super) said: Said,
    pub(in crate::obj) maps: Vec<Map>,
    pub(super) properties: Properties,
}

/// Its numbers, where there are any.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) ambient: Option<[f32; 3]>,
    pub(super) diffuse: Option<[f32; 3]>,
    pub(super) specular: Option<[f32; 3]>,
    pub(super) emissive: Option<[f32; 3]>,
    pub(super) shininess: Option<f32>,
    pub(super) dissolve: Option<f32>,
    pub(super) transparency: Option<f32>,
    pub(super) roughness: Option<f32>,
    pub(super) metallic: Option<f32>,
}

/// A texture as a library describes it.
pub(in crate::obj) struct Map {
    pub(super) role: Role,
    /// Where its path is.
    pub(super) place: Place,
    pub(super) line: usize,
    pub(super) path: Vec<u8>,
    pub(super) options: Options,
}

/// A line of a library, and which one it is.
struct Statement<'a> {
    text: &'a [u8],
    parts: Line<'a>,
    number: usize,
}

impl<'a> Statement<'a> {
    fn keyword(&self) -> &'a [u8] {
        self.parts.keyword
    }
    fn rest(&self) -> &'a [u8] {
        &self.text[self.parts.rest.clone()]
    }
}

pub(super) fn read<'a>(library: &'a Library, tell: &mut dyn FnMut(Remark)) -> Vec<Entry<'a>> {
    let text = &library.text[..];
    let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let (mut number, mut counted) = (1, 0);
    for parts in lines(text, start) {
        number += lines_before(&text[counted..], parts.at.start - counted);
        counted = parts.at.start;
        let statement = Statement { text, parts, number };
        if statement.keyword().eq_ignore_ascii_case(b"newmtl") {
            let entry = Entry::new(library, &statement);
            if entry.name.is_empty() {
                tell(entry.remark(&OBJ_021, "newmtl names no material".to_owned()));
            }
            entries.push(entry);
        } else if let Some(entry) = entries.last_mut() {
            entry.statement(&statement, tell);
        } else {
            let (keyword, at) = (statement.keyword(), statement.parts.at.start);
            let place = library.place(plain(keyword), at..at + keyword.len());
            let message = format!("line {number}: {} stands before any newmtl", quote(keyword));
            tell(Remark { rule: &OBJ_023, place, message });
        }
    }
    entries
}

impl<'a> Entry<'a> {
    fn new(library: &'a Library, statement: &Statement<'_>) -> Entry<'a> {
        Entry {
            library,
            at: statement.parts.at.clone(),
            line: statement.number,
            name: joined(statement.rest()).into_owned(),
            said: Said::default(),
            maps: Vec::new(),
            properties: Properties::new(),
        }
    }

    /// A remark about the material as a whole.
    pub(super) fn remark(&self, rule: &'static Rule<Document>, message: String) -> Remark {
        let place = self.library.place(plain(&self.name), self.at.clone());
        Remark { rule, place, message: format!("line {}: {message}", self.line) }
    }

    /// The place of some bytes of one of its statements.
    fn place(&self, statement: &Statement<'_>, bytes: Range<usize>) -> Place {
        self.library.place(format!("{}.{}", plain(&self.name), plain(statement.keyword())), bytes)
    }

    fn remark_on(
        &self,
        statement: &Statement<'_>,
        rule: &'static Rule<Document>,
        bytes: Range<usize>,
        message: impl std::fmt::Display,
    ) -> Remark {
        let message = format!("line {}: {message}", statement.number);
        Remark { rule, place: self.place(statement, bytes), message }
    }

    fn statement(&mut self, statement: &Statement<'_>, tell: &mut dyn FnMut(Remark)) {
        let (keyword, rest) = (statement.keyword(), statement.rest());
        let said = self.said;
        match keyword.to_ascii_lowercase().as_slice() {
            b"ka" => self.said.ambient = self.color(statement, tell).or(said.ambient),
            b"kd" => self.said.diffuse = self.color(statement, tell).or(said.diffuse),
            b"ks" => self.said.specular = self.color(statement, tell).or(said.specular),
            b"ke" => self.said.emissive = self.color(statement, tell).or(said.emissive),
            b"ns" => self.said.shininess = self.number(statement, rest, tell).or(said.shininess),
            b"pr" => self.said.roughness = self.number(statement, rest, tell).or(said.roughness),
            b"pm" => self.said.metallic = self.number(statement, rest, tell).or(said.metallic),
            b"tr" => self.said.transparency = self.number(statement, rest, tell).or(said.transparency),
            b"d" => {
                let plain = rest.strip_prefix(b"-halo");
                if plain.is_some() {
                    self.keep(keyword, rest);
                }
                self.said.dissolve = self.number(statement, plain.unwrap_or(rest), tell).or(said.dissolve);
            }
            lower if is_kept(lower) => self.keep(keyword, rest),
            lower => match role(lower) {
                Some(role) => self.map(role, statement, tell),
                None => {
                    let at = statement.parts.at.start;
                    let message = format!("{} is no statement of a material", quote(keyword));
                    tell(self.remark_on(statement, &OBJ_023, at..at + keyword.len(), message));
                    self.keep(keyword, rest);
                }
            },
        }
    }

    /// A colour, or nothing if it is not given as red, green and blue. One number stands for all three.
    fn color(&mut self, statement: &Statement<'_>, tell: &mut dyn FnMut(Remark)) -> Option<[f32; 3]> {
        let (keyword, rest, at) = (statement.keyword(), statement.rest(), statement.parts.at.clone());
        if rest.starts_with(b"spectral") || rest.starts_with(b"xyz") {
            let message = format!("{} is not given as red, green and blue but as {}", plain(keyword), quote(rest));
            tell(self.remark_on(statement, &OBJ_022, at, message));
            self.keep(keyword, rest);
            return None;
        }
        let numbers = numbers(rest);
        match numbers.as_deref() {
            Some(&[red]) => Some([red; 3]),
            Some(&[red, green, blue, ..]) => Some([red, green, blue]),
            found => {
                let message = format!("{} needs 1 or 3 numbers, found {}", plain(keyword), quote(rest));
                tell(self.remark_on(statement, &OBJ_021, at, message));
                let &[red, green] = found? else { return None };
                Some([red, green, red])
            }
        }
    }

    fn number(&self, statement: &Statement<'_>, rest: &[u8], tell: &mut dyn FnMut(Remark)) -> Option<f32> {
        let number = numbers(rest).map(|numbers| numbers[0]);
        if number.is_none() {
            let message = format!("{} needs a number, found {}", plain(statement.keyword()), quote(rest));
            tell(self.remark_on(statement, &OBJ_021, statement.parts.at.clone(), message));
        }
        number
    }

    /// Keeps a statement that the scene has no field for.
    fn keep(&mut self, keyword: &[u8], rest: &[u8]) {
        let value = match numbers(rest).as_deref() {
            Some(&[number]) if number.fract() == 0. && keyword.eq_ignore_ascii_case(b"illum") => {
                Value::Int(number as i64)
            }
            Some(&[number]) => Value::F32(number),
            Some(numbers) => Value::List(numbers.iter().map(|&number| Value::F32(number)).collect()),
            None => Value::Text((&*joined(rest)).into()),
        };
        self.properties.push((keyword.into(), value));
    }

    fn map(&mut self, role: Role, statement: &Statement<'_>, tell: &mut dyn FnMut(Remark)) {
        let rest = &statement.parts.rest;
        let mut cursor = Cursor { text: &statement.text[..rest.end], at: rest.start };
        let (options, unknown) = Options::read(&mut cursor);
        if let Some(unknown) = unknown {
            let message = format!("{} is no option of a texture", quote(unknown));
            tell(self.remark_on(statement, &OBJ_024, cursor.at..cursor.at + unknown.len(), message));
        }
        let at = cursor.rest();
        if at.is_empty() {
            let message = format!("{} names no file", plain(statement.keyword()));
            tell(self.remark_on(statement, &OBJ_021, statement.parts.at.clone(), message));
            return;
        }
        let role = match (&role, &options.side) {
            (Role::Other(word), Some(side)) => Role::Other(format!("{word} {}", String::from_utf8_lossy(side))),
            _ => role,
        };
        let path = joined(&statement.text[at.clone()]).into_owned();
        let place = self.place(statement, at);
        // A slot per role: what is said last counts.
        self.maps.retain(|map| map.role != role);
        self.maps.push(Map { role, place, line: statement.number, path, options });
    }
}

/// Statements of textures, and what each is for; of several for one role the first is written.
const MAPS: &[(&str, Role)] = &[
    ("map_Kd", Role::BaseColor),
    ("map_Ks", Role::SpecularColor),
    ("map_Ke", Role::Emission),
    ("map_d", Role::Opacity),
    ("norm", Role::Normal),
    ("map_Kn", Role::Normal),
    ("map_Pr", Role::Roughness),
    ("map_Pm", Role::Metallic),
];

/// The same for those that only MTL has: the keyword of their role, and another spelling.
const OTHER_MAPS: &[(&str, &str)] = &[
    // Heights, as the format has it; there are files with normals in them, but nothing in them says so.
    ("bump", "map_bump"),
    ("disp", "map_disp"),
    ("refl", "map_refl"),
    ("decal", "map_decal"),
    ("map_Ka", ""),
    ("map_Ns", ""),
    ("map_Tr", ""),
    ("map_Ps", ""),
    ("map_Pc", ""),
    ("map_Pcr", ""),
];

/// What a texture statement is for, in whatever letter case.
fn role(keyword: &[u8]) -> Option<Role> {
    let is = |word: &str| word.as_bytes().eq_ignore_ascii_case(keyword);
    let known = MAPS.iter().find(|(word, _)| is(word)).map(|(_, role)| role.clone());
    let other = || OTHER_MAPS.iter().find(|(word, old)| is(word) || is(old));
    known.or_else(|| other().map(|(word, _)| Role::Other((*word).to_owned())))
}

/// The statement for a role, and which side of a reflection map it is.
pub(super) fn keyword(role: &Role) -> Option<(&'static str, Option<&str>)> {
    if let Role::Other(word) = role {
        let (word, side) = word.split_once(' ').map_or((&word[..], None), |(word, side)| (word, Some(side)));
        let one_word = side.is_none_or(|side| !side.is_empty() && !side.contains(|c: char| c.is_whitespace()));
        return OTHER_MAPS.iter().find(|(own, _)| *own == word && one_word).map(|(own, _)| (*own, side));
    }
    MAPS.iter().find(|(_, own)| own == role).map(|(word, _)| (*word, None))
}

/// Statements that are kept as properties.
const KEPT: &[&str] = &["Ni", "Tf", "illum", "sharpness", "Ps", "Pc", "Pcr", "aniso", "anisor", "map_aat"];

/// Whether a property is a statement of MTL.
pub(super) fn is_kept(keyword: &[u8]) -> bool {
    KEPT.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(keyword))
}

/// The numbers of a statement, if it is made of numbers that are finite.
fn numbers(rest: &[u8]) -> Option<Vec<f32>> {
    let number = |word| fast_float2::parse::<f32, _>(word).ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f32>> = arguments(rest).map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}
