//! The samples: what a DRAGON file can hold, every reading of its document, and what cannot be read.

use super::content::{PLAIN, Ways};
use super::variants::VARIANT_SAMPLES;
use super::*;
use crate::bytes::patch;
use crate::{Kind, Sample, SideFiles, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &{
    let mut all = [OWN_SAMPLES[0]; OWN_SAMPLES.len() + VARIANT_SAMPLES.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < OWN_SAMPLES.len() { OWN_SAMPLES[i] } else { VARIANT_SAMPLES[i - OWN_SAMPLES.len()] };
        i += 1;
    }
    all
};

const OWN_SAMPLES: &[Sample] = &[
    Sample {
        about: "All 22 kinds of sections: a mesh with every way of drawing, a rig, lights, instances, voxels, animation.",
        beside: parts,
        ..good("model", || model(false))
    },
    Sample { about: "The same model, big-endian.", beside: parts, ..good("big-endian", || model(true)) },
    Sample { about: "One triangle in 409 bytes.", ..good("one-triangle", one_triangle) },
    Sample { about: "A header alone.", ..good("empty", || CANONICAL.file(&[])) },
    Sample { about: "A header alone, big-endian.", ..good("empty-big", || Style { big: true, ..CANONICAL }.file(&[])) },
    Sample { about: "A rig and lights with rotations stored as angles.", ..good("angles", || turned("angles", 1)) },
    Sample {
        about: "A rig and lights with rotations stored as matrices of 3 by 3.",
        ..good("matrices-3", || turned("matrices-3", 3))
    },
    Sample {
        about: "A rig and lights with rotations stored as matrices of 4 by 4.",
        ..good("matrices-4", || turned("matrices-4", 4))
    },
    Sample { about: "One triangle that stands along +Z.", ..good("up-z", || up(1)) },
    Sample { about: "One triangle that stands along -X.", ..good("up-minus-x", || up(5)) },
    Sample { about: "Sections whose arrays are empty.", ..good("empty-arrays", empty_arrays) },
    Sample {
        about: "A section of a kind that the document does not have.",
        ..good("unknown-section", unknown_section)
    },
    Sample { about: "Arrays in another order than that of their fields.", ..odd("permuted", permuted) },
    Sample { about: "Arrays that begin at multiples of 16.", ..odd("aligned", aligned) },
    Sample { about: "Two settings whose values are the same bytes.", ..odd("overlap", || overlap(4)) },
    Sample { about: "A NULL section with a body.", ..odd("null-body", null_body) },
    Sample {
        about: "An array that lies outside its section.",
        ..odd("array-outside", || patch(one_triangle(), 226, &[0xFF; 2]))
    },
    Sample {
        about: "Text that never ends.",
        ..odd("string-unterminated", || single(b"IMAGE___", 0, vec![Part::Raw(b"abc".to_vec())]))
    },
    Sample {
        about: "Five bytes behind the last section.",
        complete_cuts: |file| vec![file.len() - 5],
        ..odd("tail", || Style { tail: vec![1; 5], ..CANONICAL }.file(&triangle_sections()))
    },
    Sample {
        about: "A count of one where three sections follow.",
        ..odd("count-low", || patch(lettered(b"l"), 32, &[1]))
    },
    Sample {
        about: "A count of sections that includes the header.",
        ..odd("count-self", || patch(lettered(b"s"), 32, &[4]))
    },
    Sample { about: "A total_size of 1.", ..odd("total-size", || patch(lettered(b"t"), 52, &[1, 0, 0, 0])) },
    Sample {
        about: "The guid of the header as .NET stores it.",
        ..odd("guid-dotnet", || Style { file_guid: dotnet(), ..CANONICAL }.file(&triangle_sections()))
    },
    Sample { about: "A header whose guid is another one.", ..odd("guid-other", || patch(one_triangle(), 12, &[0])) },
    Sample { about: "A version of 2.", ..odd("version-2", || patch(one_triangle(), 8, &[2])) },
    Sample { about: "NULL as the program of 2019 spelt it.", dialect: Some("variant"), ..odd("null-2019", null_2019) },
    Sample {
        about: "MORPH and IMAGE spelt as their numbers are printed.",
        dialect: Some("variant"),
        ..odd("tags-as-printed", tags_as_printed)
    },
    Sample {
        about: "A light whose two rotations differ.",
        dialect: Some("variant"),
        ..odd("light-differs", light_differs)
    },
    Sample { about: "Faces counted instead of indices.", ..odd("faces-counted", || patch(one_triangle(), 405, &[1])) },
    Sample { about: "Indices that count from vertex_offset on.", ..odd("base-vertex", || base_vertex(false)) },
    Sample { about: "Indices of three bytes.", ..odd("index-width-3", index_width_3) },
    Sample {
        about: "A vertex that is not a number.",
        ..odd("not-a-number", || patch(one_triangle(), 149, &f32::NAN.to_le_bytes()))
    },
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("bad-magic", "A first letter that is small.", || patch(one_triangle(), 0, b"d")),
    bad("header-cut", "The first 50 bytes of a file.", || one_triangle()[..50].to_vec()),
    bad("size-small", "A section that is smaller than its header.", || patch(one_triangle(), 85, &[8, 0])),
    bad("size-large", "A section that is larger than the file.", || patch(one_triangle(), 85, &[0x88, 0x13])),
    bad("file-cut", "A file that lost its last byte.", || one_triangle()[..408].to_vec()),
    bad("section-cut", "A file that ends inside a section header.", || one_triangle()[..245].to_vec()),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "dragon",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("spec"),
        complete_cuts: never_complete,
    }
}

pub(super) const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, ..good(name, bytes) }
}

pub(super) fn build(style: &Style, ways: &Ways) -> Vec<u8> {
    style.file(&ways.sections())
}

/// The model with everything.
pub fn model(big: bool) -> Vec<u8> {
    build(&Style { big, ..CANONICAL }, &PLAIN)
}

/// What the model has of rotations and refers to nothing else.
fn turned(label: &'static str, rotation: u8) -> Vec<u8> {
    let turned = |section: &Section| [b"ASSET___", b"SKELETON", b"SOCKET__", b"LIGHT___"].contains(&section.tag);
    let sections = Ways { label, rotation, ..PLAIN }.sections();
    CANONICAL.file(&sections.into_iter().filter(turned).collect::<Vec<_>>())
}

/// The file that ASSETREF of the model names.
pub(super) fn parts() -> SideFiles {
    vec![("parts.dragon", one_triangle())]
}

pub(super) fn triangle_sections() -> Vec<Section> {
    triangles(3, &[0, 1, 2], &[(0, 3, 0, 3)])
}

/// A geometry of triangles: its vertices, its indices, and the four numbers of each mesh.
fn triangles(vertices: usize, indices: &[u16], meshes: &[(u32, u32, u32, u32)]) -> Vec<Section> {
    let attribute = vec![u8(1), u32(0), u8(0), u8(4), u8(3), u32(0)];
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    let rows: Vec<Part> = (0..vertices).flat_map(|i| floats(&corners[i % 3])).collect();
    let mesh = |(offset, count, first, faces): &(u32, u32, u32, u32)| {
        vec![text("m"), guid(NONE), u8(0), u32(*offset), u32(*count), u32(*first), u32(*faces)]
    };
    let meshes: Vec<Vec<Part>> = meshes.iter().map(mesh).collect();
    let mut geometry = vec![text("g"), guid(g(1)), guid(g(2)), guid(NONE), guid(NONE), guid(NONE)];
    let count = meshes.len();
    geometry.push(Part::Array(meshes.concat()));
    let indices: Vec<Part> = indices.iter().map(|index| u16(*index)).collect();
    vec![
        section(b"VERTEX__", 1, vertices * 12, vec![u32(12), u32(1), Part::Array(attribute), Part::Array(rows)]),
        section(b"INDICE__", 2, indices.len(), vec![u8(2), Part::Array(indices)]),
        section(b"GEOMETRY", 3, count, geometry),
    ]
}

/// The triangle of the table.
pub fn one_triangle() -> Vec<u8> {
    CANONICAL.file(&triangle_sections())
}

/// The triangle of the table, whose geometry has another name: a file that lies about itself says the same as one that
/// does not.
fn lettered(name: &[u8; 1]) -> Vec<u8> {
    patch(one_triangle(), 288, name)
}

/// Two triangles of three vertices each, whose indices count from the first vertex of the mesh or of the buffer.
pub(super) fn base_vertex(absolute: bool) -> Vec<u8> {
    let second = if absolute { [3, 4, 5] } else { [0, 1, 2] };
    let indices = [[0, 1, 2], second].concat();
    CANONICAL.file(&triangles(6, &indices, &[(0, 3, 0, 3), (3, 3, 3, 3)]))
}

/// A file with one section, whose body begins at 109.
pub(super) fn single(tag: &'static [u8; 8], count: usize, parts: Vec<Part>) -> Vec<u8> {
    CANONICAL.file(&[section(tag, 1, count, parts)])
}

fn up(up: u8) -> Vec<u8> {
    Style { up, ..CANONICAL }.file(&triangle_sections())
}

fn empty_arrays() -> Vec<u8> {
    let none = || Part::Array(Vec::new());
    CANONICAL.file(&[
        section(b"SETTINGS", 1, 0, vec![none()]),
        section(b"SKELETON", 2, 0, vec![text(""), u8(2), none()]),
        section(b"VERTEX__", 3, 0, vec![u32(0), u32(0), none(), none()]),
        section(b"INDICE__", 4, 0, vec![u8(4), none()]),
        section(b"MATERIAL", 5, 0, vec![text("m"), text("pbr"), none()]),
        section(b"INSTANCE", 6, 0, vec![u8(2), guid(NONE), u32(0), none()]),
        section(b"VOXELPLT", 7, 0, vec![none()]),
        section(b"VOXELOBJ", 8, 0, vec![guid(NONE), none()]),
        section(b"ANIMATE_", 9, 0, vec![f32(30.), guid(NONE), none()]),
        section(b"ANITRACK", 10, 0, vec![text("POSITION"), u8(1), u16(1), u8(1), u8(3), none()]),
    ])
}

fn unknown_section() -> Vec<u8> {
    let vendor = section(b"VENDOR_X", 9, 7, vec![Part::Raw(b"whatever".to_vec())]);
    CANONICAL.file(&[triangle_sections(), vec![vendor]].concat())
}

/// INDICE and VERTEX with their elements in other places: the buffer before the attributes.
fn permuted() -> Vec<u8> {
    let mut sections = triangle_sections();
    let attribute = [&[1, 0, 0, 0, 0, 0, 4, 3][..], &[0; 4]].concat();
    let rows = vec![0; 36];
    // attributes_offset at 8 leads to 52, buffer_offset at 12 to 16.
    let raw = [attribute_free_head(52 - 8, 16 - 12), rows, attribute].concat();
    sections[0].parts = vec![Part::Raw(raw)];
    CANONICAL.file(&sections)
}

/// VERTEX whose arrays begin at multiples of 16 of the file.
fn aligned() -> Vec<u8> {
    let mut sections = triangle_sections();
    let attribute = [&[1, 0, 0, 0, 0, 0, 4, 3][..], &[0; 4]].concat();
    // The body begins at 109: 128 and 144 of the file are 19 and 35 of the body.
    let raw = [attribute_free_head(19 - 8, 35 - 12), vec![0; 3], attribute, vec![0; 4], vec![0x3F; 36]].concat();
    sections[0].parts = vec![Part::Raw(raw)];
    CANONICAL.file(&sections)
}

/// stride, attribute_count and both offsets of a VERTEX section.
fn attribute_free_head(attributes: u8, buffer: u8) -> Vec<u8> {
    vec![12, 0, 0, 0, 1, 0, 0, 0, attributes, 0, 0, 0, buffer, 0, 0, 0]
}

/// SETTINGS of two pairs `a` and `b`, each a byte. The first value is the byte at 145; the second one lies `second` bytes
/// behind its offset at 141.
pub(super) fn overlap(second: u32) -> Vec<u8> {
    let pair = |key: &str, offset: u32| vec![text(key), text("uint8"), u32(1), u32(offset)];
    let mut parts = [vec![u32(4)], pair("a", 20), pair("b", second)].concat();
    parts.push(Part::Raw(if second == 4 { vec![7] } else { vec![7, 8] }));
    single(b"SETTINGS", 2, parts)
}

fn null_body() -> Vec<u8> {
    single(b"________", 0, vec![Part::Raw(vec![1, 2, 3])])
}

fn null_2019() -> Vec<u8> {
    single(b"DRAGON__", 0, Vec::new())
}

fn tags_as_printed() -> Vec<u8> {
    let morph = section(b"___HPROM", 1, 0, vec![Part::Array(Vec::new())]);
    CANONICAL.file(&[morph, section(b"___EGAMI", 2, 0, vec![text("a.png")])])
}

/// A light as printed whose first rotation turns and whose second one does not.
pub(super) fn light_differs() -> Vec<u8> {
    light_twice(&[1., 0., 0., 0.])
}

/// A light as printed with this first rotation.
pub(super) fn light_twice(first: &[f32]) -> Vec<u8> {
    let mut parts = floats(first);
    parts.extend(floats(&[45., 1., 1., 1., 1.]));
    parts.push(u8(1));
    parts.extend(floats(&[0., 0., 0., 0., 0., 0., 1.]));
    single(b"LIGHT___", 0, parts)
}

/// The same indices in three bytes each.
fn index_width_3() -> Vec<u8> {
    single(b"INDICE__", 2, vec![u8(3), Part::Array(vec![Part::Raw(vec![0; 6])])])
}

fn dotnet() -> [u8; 16] {
    [0x0A, 0x0D, 0xBB, 0xAB, 0x0A, 0x1A, 0xAB, 0xAB, 0xBB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xBB]
}
