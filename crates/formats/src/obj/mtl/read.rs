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
            b"ni" | b"tf" | b"illum" | b"sharpness" | b"ps" | b"pc" | b"pcr" | b"aniso" | b"anisor" | b"map_aat" => {
                self.keep(keyword, rest);
            }
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

    /// Keeps a statement that the scene has no word for.
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

/// What a texture statement is for, by its keyword in lower case.
fn role(keyword: &[u8]) -> Option<Role> {
    let other = |word: &str| Role::Other(word.to_owned());
    Some(match keyword {
        b"map_kd" => Role::BaseColor,
        b"map_ks" => Role::SpecularColor,
        b"map_ke" => Role::Emission,
        b"map_d" => Role::Opacity,
        b"norm" | b"map_kn" => Role::Normal,
        b"map_pr" => Role::Roughness,
        b"map_pm" => Role::Metallic,
        // Heights, as the format has it; there are files with normals in them, but nothing in them says so.
        b"bump" | b"map_bump" => other("bump"),
        b"disp" | b"map_disp" => other("disp"),
        b"refl" | b"map_refl" => other("refl"),
        b"decal" | b"map_decal" => other("decal"),
        b"map_ka" => other("map_Ka"),
        b"map_ns" => other("map_Ns"),
        b"map_tr" => other("map_Tr"),
        b"map_ps" => other("map_Ps"),
        b"map_pc" => other("map_Pc"),
        b"map_pcr" => other("map_Pcr"),
        _ => return None,
    })
}

/// The numbers of a statement, if it is made of numbers that are finite.
fn numbers(rest: &[u8]) -> Option<Vec<f32>> {
    let number = |word| fast_float2::parse::<f32, _>(word).ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f32>> = arguments(rest).map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}
