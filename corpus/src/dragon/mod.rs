//! DRAGON files.
//!
//! A recipe says which parts a section has, and a `Style` how they are laid out: the document can be read in many
//! ways, and files of every reading are built from the same parts.
//!
//! The base of most recipes is [`one_triangle`], 409 bytes whose places are worth knowing by heart. Every section has a
//! header of 52 bytes: magic, +8 version, +12 guid, +28 size, +32 count, +36 settings.
//!
//! | bytes | field | value |
//! |---|---|---|
//! | 0 | header | size 57, count 3 |
//! | 52 | total_size | 409 |
//! | 56 | up_direction | 0 |
//! | 57 | VERTEX | guid 01…, size 116, count 36 |
//! | 109 | stride, attribute_count | 12, 1 |
//! | 117 | attributes_offset | 8 |
//! | 121 | buffer_offset | 16 |
//! | 125 | attributes | Float, POSITION, 0, 4, 3, 0 |
//! | 137 | buffer | three vertices of 12 bytes |
//! | 173 | INDICE | guid 02…, size 63, count 3 |
//! | 225 | width | 2 |
//! | 226 | indices_offset | 4 |
//! | 230 | indices | 0 1 2 |
//! | 236 | GEOMETRY | guid 03…, size 173, count 1 |
//! | 288 | name | `g` |
//! | 290, 306, 322, 338, 354 | vertex_buffer, indice_buffer, morph_buffers, skeleton, socket | 01…, 02…, 0, 0, 0 |
//! | 370 | meshes_offset | 4 |
//! | 374 | meshes | `m`, +2 material 0, +18 draw_type 0, +19 0, +23 3, +27 0, +31 3 |

mod content;
mod large;
mod rule_cases;
mod samples;
mod variants;

pub use large::{LARGE_SAMPLES, large, large_size};
pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, model, one_triangle};
pub use variants::{VARIANTS, Variant};

use std::collections::VecDeque;

/// What every file's header section is called.
const FILE_GUID: [u8; 16] =
    [0xAB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xAB, 0xBB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xBB];

/// An object of many voxels, no two of which touch.
pub(crate) fn voxels(count: usize) -> Vec<u8> {
    let voxel = |at: usize| [floats(&[2. * at as f32, 0., 0.]), vec![guid(NONE), u32(0)]].concat();
    let voxels = (0..count).flat_map(voxel).collect();
    CANONICAL.file(&[
        section(b"VOXELPLT", 1, 1, vec![Part::Array(vec![u32(0xFF00_80FF)])]),
        section(b"VOXELOBJ", 2, count, vec![guid(g(1)), Part::Array(voxels)]),
    ])
}

/// No section.
const NONE: [u8; 16] = [0; 16];

/// The name of the section with this number.
const fn g(number: u8) -> [u8; 16] {
    [number; 16]
}

/// A part of a body.
#[derive(Clone, Debug)]
enum Part {
    /// A number of so many bytes, which follows the byte order.
    Number(usize, u64),
    /// Bytes that do not.
    Raw(Vec<u8>),
    /// An array: where its elements go is a matter of style.
    Array(Vec<Part>),
    /// An array of which the style is that its elements stand there themselves.
    There(Vec<Part>),
}

fn u8(value: u8) -> Part {
    Part::Number(1, value.into())
}
fn u16(value: u16) -> Part {
    Part::Number(2, value.into())
}
fn u32(value: u32) -> Part {
    Part::Number(4, value.into())
}
fn i32(value: i32) -> Part {
    u32(value as u32)
}
fn u64(value: u64) -> Part {
    Part::Number(8, value)
}
fn f32(value: f32) -> Part {
    u32(value.to_bits())
}
fn text(text: &str) -> Part {
    Part::Raw([text.as_bytes(), &[0]].concat())
}
fn guid(guid: [u8; 16]) -> Part {
    Part::Raw(guid.to_vec())
}
fn floats(values: &[f32]) -> Vec<Part> {
    values.iter().map(|value| f32(*value)).collect()
}

/// How arrays name their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// From the number itself: canonical.
    Field,
    /// From behind the number.
    After,
    /// From the section's first byte.
    Section,
    /// From the first byte behind the section header.
    Body,
    /// From the first byte of the file.
    File,
    /// Not at all: the elements stand there.
    Inline,
    /// From the number itself, and reading goes on behind the elements.
    Seq,
}

/// How a file is laid out.
#[derive(Clone, Debug)]
struct Style {
    big: bool,
    /// Bytes of a section header: 52, 44 or 36.
    head: usize,
    /// By how much every size is too small.
    short: usize,
    base: Base,
    /// Whether tags are spelt backwards.
    reversed_tags: bool,
    /// Whether a big-endian file starts with forward letters.
    forward_magic: bool,
    file_guid: [u8; 16],
    up: u8,
    /// Bytes between the header and the first section.
    gap: Vec<u8>,
    tail: Vec<u8>,
}

const CANONICAL: Style = Style {
    big: false,
    head: 52,
    short: 0,
    base: Base::Field,
    reversed_tags: false,
    forward_magic: false,
    file_guid: FILE_GUID,
    up: 0,
    gap: Vec::new(),
    tail: Vec::new(),
};

/// A section in the words of the document.
#[derive(Clone, Debug)]
struct Section {
    tag: &'static [u8; 8],
    version: u32,
    guid: [u8; 16],
    count: usize,
    settings: [u8; 16],
    parts: Vec<Part>,
}

fn section(tag: &'static [u8; 8], number: u8, count: usize, parts: Vec<Part>) -> Section {
    Section { tag, version: 1, guid: g(number), count, settings: NONE, parts }
}

impl Style {
    fn number(&self, size: usize, value: u64, out: &mut Vec<u8>) {
        if self.big {
            out.extend(&value.to_be_bytes()[8 - size..]);
        } else {
            out.extend(&value.to_le_bytes()[..size]);
        }
    }

    /// The bytes of a body that begins at `at` in the file.
    fn body(&self, parts: &[Part], at: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut later = VecDeque::new();
        self.put(parts, &mut out, &mut later);
        while let Some((field, elements)) = later.pop_front() {
            let here = out.len();
            let offset = match self.base {
                Base::After => here - field - 4,
                Base::Section => here + self.head,
                Base::Body => here,
                Base::File => at + here,
                _ => here - field,
            };
            let mut number = Vec::new();
            self.number(4, offset as u64, &mut number);
            out[field..field + 4].copy_from_slice(&number);
            self.put(&elements, &mut out, &mut later);
        }
        out
    }

    fn put(&self, parts: &[Part], out: &mut Vec<u8>, later: &mut VecDeque<(usize, Vec<Part>)>) {
        for part in parts {
            match part {
                Part::Number(size, value) => self.number(*size, *value, out),
                Part::Raw(bytes) => out.extend(bytes),
                Part::There(elements) => self.put(elements, out, later),
                Part::Array(elements) if self.base == Base::Inline => self.put(elements, out, later),
                Part::Array(elements) if elements.is_empty() => self.number(4, 0, out),
                Part::Array(elements) if self.base == Base::Seq => {
                    self.number(4, 4, out);
                    self.put(elements, out, later);
                }
                Part::Array(elements) => {
                    later.push_back((out.len(), elements.clone()));
                    self.number(4, 0, out);
                }
            }
        }
    }

    fn head_of(&self, tag: [u8; 8], section: &Section, size: usize, out: &mut Vec<u8>) {
        out.extend(tag);
        self.number(4, section.version.into(), out);
        out.extend(section.guid);
        self.number(4, (size - self.short) as u64, out);
        self.number(4, section.count as u64, out);
        out.extend(&section.settings[..self.head - 36]);
    }

    /// A whole file.
    fn file(&self, sections: &[Section]) -> Vec<u8> {
        let mut bodies = self.gap.clone();
        for section in sections {
            let at = self.head + 5 + bodies.len();
            let body = self.body(&section.parts, at + self.head);
            let mut tag = *section.tag;
            if self.reversed_tags {
                tag.reverse();
            }
            self.head_of(tag, section, self.head + body.len(), &mut bodies);
            bodies.extend(body);
        }
        let mut magic = *b"DRAGON\x1A\n";
        if self.big && !self.forward_magic {
            magic.reverse();
        }
        let header = Section { guid: self.file_guid, count: sections.len(), ..section(b"________", 0, 0, Vec::new()) };
        let mut file = Vec::new();
        self.head_of(magic, &header, self.head + 5, &mut file);
        self.number(4, (self.head + 5 + bodies.len()) as u64, &mut file);
        file.push(self.up);
        file.extend(bodies);
        file.extend(&self.tail);
        file
    }
}
