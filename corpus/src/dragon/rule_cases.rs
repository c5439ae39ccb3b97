//! A file that breaks each rule, and its repair. Places are computed by hand: from the table of [`super`], or in a file
//! of one section, whose body begins at 109.

use super::samples::{
    base_vertex, light_differs, light_twice, one_triangle, overlap, parts, single, triangle_sections,
};
use super::*;
use crate::bytes::patch;
use crate::{RuleCase, alone};

/// Every case, by rule. DRG-058 and DRG-059 are about writing: their recipes are documents, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    case("DRG-001", ("header.meta.magic", 0, 8), || patch(one_triangle(), 0, b"d")),
    case("DRG-002", ("header.meta.guid", 12, 16), || patch(one_triangle(), 12, &[0])),
    case("DRG-002", ("header.meta.guid", 12, 16), || {
        // As .NET stores it: the first groups of four, two and two bytes turned round.
        patch(one_triangle(), 12, &[0x0A, 0x0D, 0xBB, 0xAB, 0x0A, 0x1A, 0xAB, 0xAB])
    }),
    case("DRG-003", ("header.meta.version", 8, 4), || patch(one_triangle(), 8, &[2])),
    case("DRG-003", ("sections[0].meta.version", 65, 4), || patch(one_triangle(), 65, &[0])),
    case("DRG-004", ("header.meta.size", 28, 4), || Style { head: 44, ..CANONICAL }.file(&triangle_sections())),
    case("DRG-004", ("header.meta.size", 28, 4), || Style { short: 8, ..CANONICAL }.file(&triangle_sections())),
    case("DRG-005", ("sections[0].meta.size", 85, 4), || patch(one_triangle(), 85, &[8, 0])),
    case("DRG-006", ("sections[0].meta.size", 85, 4), || patch(one_triangle(), 85, &[0x88, 0x13])),
    // GEOMETRY begins at 236.
    case("DRG-006", ("sections[2].meta", 236, 9), || one_triangle()[..245].to_vec()),
    case("DRG-006", ("header.meta.settings", 36, 14), || one_triangle()[..50].to_vec()),
    case("DRG-007", ("header.meta.count", 32, 4), || patch(one_triangle(), 32, &[9])),
    case("DRG-008", ("header.meta.count", 32, 4), || patch(one_triangle(), 32, &[1])),
    case("DRG-009", ("header.meta.count", 32, 4), || patch(one_triangle(), 32, &[4])),
    case("DRG-010", ("tail", 409, 5), || [one_triangle(), vec![1; 5]].concat()),
    case("DRG-011", ("header.total_size", 52, 4), || patch(one_triangle(), 52, &[1, 0])),
    case("DRG-012", ("header.up_direction", 56, 1), || patch(one_triangle(), 56, &[9])),
    case("DRG-013", ("sections[0].meta.magic", 57, 8), || single(b"VENDOR_X", 0, Vec::new())),
    case("DRG-014", ("sections[0].meta.magic", 57, 8), || single(b"___EGAMI", 0, vec![text("a.png")])),
    case("DRG-014", ("sections[0].meta.magic", 57, 8), || single(b"DRAGON__", 0, Vec::new())),
    case("DRG-015", ("sections[0].meta.magic", 57, 8), || single(b"DRAGON\x1A\n", 0, vec![u32(57), u8(0)])),
    // INDICE begins at 173.
    case("DRG-016", ("sections[1].meta.guid", 185, 16), || patch(one_triangle(), 185, &g(1))),
    case("DRG-016", ("sections[0].meta.guid", 69, 16), || patch(one_triangle(), 69, &FILE_GUID)),
    case("DRG-017", ("sections[0].meta.guid", 69, 16), || patch(one_triangle(), 69, &NONE)),
    case("DRG-018", ("sections[2].vertex_buffer", 290, 16), || patch(one_triangle(), 290, &g(9))),
    case("DRG-018", ("sections[0].meta.settings", 93, 16), || patch(one_triangle(), 93, &g(9))),
    case("DRG-018", ("header.meta.settings", 36, 16), || patch(one_triangle(), 36, &g(9))),
    case("DRG-018", ("sections[2].meshes[0].material", 376, 16), || patch(one_triangle(), 376, &g(9))),
    RuleCase {
        beside: parts,
        pass: || borrowed(3),
        ..case("DRG-018", ("sections[0].geometry", 125, 16), || borrowed(9))
    },
    case("DRG-019", ("sections[2].indice_buffer", 306, 16), || patch(one_triangle(), 306, &g(1))),
    case("DRG-020", ("sections[1].bytes", 226, 4), || patch(one_triangle(), 226, &[3])),
    case("DRG-020", ("sections[1].bytes", 226, 4), || patch(one_triangle(), 226, &[5])),
    case("DRG-020", ("sections[1].bytes", 226, 4), || patch(one_triangle(), 226, &[0xFF; 4])),
    case("DRG-020", ("sections[0].bytes", 117, 4), || patch(one_triangle(), 117, &[0])),
    // Two meshes would need 68 bytes, of which 35 are there.
    case("DRG-020", ("sections[2].meta.count", 268, 4), || patch(one_triangle(), 236 + 32, &[2])),
    // pairs from 113, the second of them from 129; its value is the byte at 145, as that of the first is.
    RuleCase { pass: || overlap(5), ..case("DRG-021", ("sections[0].pairs[1].value", 145, 1), || overlap(4)) },
    case("DRG-022", ("sections[0].unused", 114, 2), || {
        let indices = Part::Array([0, 1, 2].map(u16).to_vec());
        single(b"INDICE__", 3, vec![u8(2), indices, Part::Raw(vec![0; 2])])
    }),
    case("DRG-023", ("sections[0]", 57, 116), || patch(one_triangle(), 57 + 32, &[3])),
    case("DRG-023", ("header", 0, 57), || Style { base: Base::After, ..CANONICAL }.file(&triangle_sections())),
    case("DRG-024", ("sections[0].bytes", 109, 3), || single(b"IMAGE___", 0, vec![Part::Raw(b"abc".to_vec())])),
    case("DRG-025", ("sections[0].path", 109, 2), || single(b"IMAGE___", 0, vec![Part::Raw(vec![0xFF, 0])])),
    case("DRG-025", ("sections[2].meshes[0].name", 374, 2), || patch(one_triangle(), 374, &[0xFF])),
    RuleCase {
        pass: || skeleton(2, 1, -1),
        ..case("DRG-026", ("sections[0].bones[0].enabled", 118, 1), || skeleton(2, 2, -1))
    },
    case("DRG-026", ("sections[0].attributes[0].normalized", 130, 1), || patch(one_triangle(), 130, &[2])),
    case("DRG-027", ("sections[2].meshes[0].draw_type", 392, 1), || patch(one_triangle(), 392, &[4])),
    case("DRG-027", ("sections[0].light_type", 130, 1), || light(2, 9)),
    case("DRG-027", ("sections[0].wrap_y", 112, 1), || single(b"TEXTURE_", 0, vec![u32(0x0300_0000), guid(NONE)])),
    RuleCase {
        pass: || track("x", [0, 0, 1], &[], 1, &[0.]),
        ..case("DRG-027", ("sections[0].smoothing_type", 114, 1), || track("x", [0, 0, 0], &[], 1, &[0.]))
    },
    RuleCase {
        pass: || track("x", [1, 0, 1], &[], 1, &[0.]),
        ..case("DRG-027", ("sections[0].animation_type", 111, 1), || track("x", [2, 0, 1], &[], 1, &[0.]))
    },
    case("DRG-028", ("sections[0].bytes", 111, 1), || skeleton(0, 1, -1)),
    case("DRG-029", ("sections[0].rotation", 154, 16), || object(2, [0.; 3], &[0.; 4])),
    case("DRG-029", ("sections[0].rotation", 154, 36), || object(3, [0.; 3], &[0.; 9])),
    case("DRG-029", ("sections[0].rotation", 154, 36), || object(3, [0.; 3], &[2., 0., 0., 0., 2., 0., 0., 0., 2.])),
    case("DRG-029", ("sections[0].rotation", 154, 64), || object(4, [0.; 3], &matrix([0.; 3], 2.))),
    RuleCase {
        pass: || object(4, [1., 2., 3.], &matrix([0.; 3], 1.)),
        ..case("DRG-030", ("sections[0].rotation", 154, 64), || object(4, [1., 2., 3.], &matrix([1., 2., 3.], 1.)))
    },
    case("DRG-031", ("sections[0].position", 142, 12), || object(2, [0., f32::NAN, 0.], &[0., 0., 0., 1.])),
    // The second vertex begins at 149.
    case("DRG-031", ("sections[0].buffer", 149, 12), || patch(one_triangle(), 153, &f32::INFINITY.to_le_bytes())),
    case("DRG-031", ("sections[0].data[1]", 124, 4), || track("x", [0, 0, 1], &[], 1, &[0., f32::NAN])),
    case("DRG-032", ("sections[0].bytes", 109, 0), || single(b"OBJECT__", 0, Vec::new())),
    RuleCase {
        pass: || skeleton(2, 1, -1),
        ..case("DRG-033", ("sections[0].bones[0].parent", 119, 4), || skeleton(2, 1, 7))
    },
    RuleCase {
        pass: || skeleton(2, 1, -1),
        ..case("DRG-033", ("sections[0].bones[0].parent", 119, 4), || skeleton(2, 1, -2))
    },
    RuleCase {
        pass: || skeleton(2, 1, -1),
        ..case("DRG-033", ("sections[0].bones[0].parent", 119, 4), || skeleton(2, 1, 0))
    },
    RuleCase {
        pass: || two_bones(-1, 0),
        ..case("DRG-033", ("sections[0].bones[0].parent", 119, 4), || two_bones(1, 0))
    },
    RuleCase {
        pass: || two_bones(-1, 0),
        ..case("DRG-034", ("sections[0].bones[0].parent", 119, 4), || two_bones(1, -1))
    },
    RuleCase {
        pass: || skeleton(4, 1, -1),
        ..case("DRG-035", ("sections[0].rotation_type", 111, 1), || skeleton(3, 1, -1))
    },
    case("DRG-036", ("sections[0].stride", 109, 4), || patch(one_triangle(), 109, &[9])),
    case("DRG-036", ("sections[0].stride", 109, 4), || patch(one_triangle(), 109, &[0])),
    case("DRG-036", ("sections[0].stride", 109, 4), || patch(one_triangle(), 109, &[16])),
    case("DRG-037", ("sections[0].attributes[0].attribute_type", 125, 1), || patch(one_triangle(), 125, &[4])),
    case("DRG-037", ("sections[0].attributes[0].semantic", 126, 4), || patch(one_triangle(), 126, &[14])),
    case("DRG-037", ("sections[0].attributes[0].normalized", 130, 1), || patch(one_triangle(), 130, &[1])),
    case("DRG-037", ("sections[0].attributes[0].width", 131, 1), || patch(one_triangle(), 131, &[3])),
    case("DRG-037", ("sections[0].attributes[0].count", 132, 1), || patch(one_triangle(), 132, &[0])),
    case("DRG-038", ("sections[2].vertex_buffer", 290, 16), || patch(one_triangle(), 126, &[3])),
    case("DRG-039", ("sections[0].width", 109, 1), || {
        single(b"INDICE__", 2, vec![u8(3), Part::Array(vec![Part::Raw(vec![0; 6])])])
    }),
    case("DRG-040", ("sections[1].indices[2]", 234, 2), || patch(one_triangle(), 234, &[3])),
    case("DRG-041", ("sections[2].meshes[0].face_count", 405, 4), || patch(one_triangle(), 405, &[6])),
    case("DRG-041", ("sections[2].meshes[0].vertex_count", 397, 4), || patch(one_triangle(), 397, &[4])),
    case("DRG-042", ("sections[2].meshes[0].face_count", 405, 4), || patch(one_triangle(), 405, &[2])),
    case("DRG-042", ("sections[2].meshes[0].face_count", 405, 4), || {
        patch(patch(one_triangle(), 392, &[1]), 405, &[2])
    }),
    case("DRG-043", ("sections[2].meshes[0].face_count", 405, 4), || patch(one_triangle(), 405, &[1])),
    RuleCase {
        // VERTEX 57 to 209, INDICE to 278; the second mesh begins at 451.
        pass: || base_vertex(true),
        ..case("DRG-043", ("sections[2].meshes[1].vertex_offset", 470, 4), || base_vertex(false))
    },
    RuleCase {
        // SKELETON 57 to 163; rows of 16 bytes from 267: the bone at +12, its weight at +13.
        pass: || skinned(true, 0, 255),
        ..case("DRG-044", ("sections[1].buffer", 295, 1), || skinned(true, 1, 255))
    },
    RuleCase {
        pass: || skinned(true, 0, 255),
        ..case("DRG-044", ("sections[1].buffer", 296, 1), || skinned(true, 0, 100))
    },
    RuleCase {
        // GEOMETRY from 315, its body from 367: `g`, then vertices, indices, morphs, skeleton.
        pass: || skinned(true, 0, 255),
        ..case("DRG-045", ("sections[2].skeleton", 417, 16), || skinned(false, 0, 255))
    },
    case("DRG-046", ("sections[0].morphs[0].min", 135, 4), || {
        single(b"MORPH___", 1, vec![morph(0, NONE, [1., 0., 0.])])
    }),
    case("DRG-046", ("sections[0].morphs[0].default", 143, 4), || {
        single(b"MORPH___", 1, vec![morph(0, NONE, [0., 1., 2.])])
    }),
    RuleCase {
        // MORPH from 409, its body from 461: the offset, then `m`.
        pass: || morphed(0),
        ..case("DRG-046", ("sections[3].morphs[0].index_offset", 467, 4), || morphed(1))
    },
    RuleCase { pass: || socket(-1), ..case("DRG-047", ("sections[1].bone", 262, 4), || socket(1)) },
    RuleCase { pass: || voxel(0), ..case("DRG-048", ("sections[1].voxels[0].color_index", 217, 4), || voxel(1)) },
    RuleCase { pass: || animate(-1), ..case("DRG-049", ("sections[1].tracks[0].bone", 239, 4), || animate(1)) },
    RuleCase {
        pass: || track("x", [0, 0, 1], &[], 2, &[0.; 4]),
        ..case("DRG-050", ("sections[0].width", 115, 1), || track("x", [0, 0, 1], &[], 0, &[0.; 4]))
    },
    case("DRG-050", ("sections[0].width", 115, 1), || track("x", [0, 0, 1], &[], 3, &[0.; 4])),
    RuleCase {
        pass: || track("POSITION", [0, 0, 1], &[], 3, &[0.; 12]),
        ..case("DRG-050", ("sections[0].width", 122, 1), || track("POSITION", [0, 0, 1], &[], 4, &[0.; 12]))
    },
    RuleCase { pass: || rate(24.), ..case("DRG-051", ("sections[0].framerate", 109, 4), || rate(0.)) },
    RuleCase { pass: || rate(24.), ..case("DRG-051", ("sections[0].framerate", 109, 4), || rate(f32::NAN)) },
    RuleCase {
        pass: || track("x", [0, 7, 1], &[0.5, -0.5, 1., 2.], 1, &[0.]),
        ..case("DRG-052", ("sections[0].d1", 115, 8), || track("x", [0, 7, 1], &[-0.5, 0., 1., 2.], 1, &[0.]))
    },
    RuleCase { pass: || two_tracks(1), ..case("DRG-053", ("sections[1].tracks[1]", 220, 20), || two_tracks(0)) },
    RuleCase {
        pass: || overlap(5),
        ..case("DRG-054", ("sections[0].pairs[1].key", 129, 2), || patch(overlap(5), 129, b"a"))
    },
    RuleCase { pass: || setting(12), ..case("DRG-055", ("sections[0].pairs[0].value_size", 120, 4), || setting(10)) },
    RuleCase {
        pass: || single(b"IMAGE___", 0, vec![text("a")]),
        ..case("DRG-056", ("sections[0].meta.count", 89, 4), || single(b"IMAGE___", 1, vec![text("a")]))
    },
    RuleCase { pass: || instance(0), ..case("DRG-056", ("sections[0].meta.count", 89, 4), || instance(5)) },
    RuleCase {
        pass: || light_twice(&[0., 0., 0., 1.]),
        ..case("DRG-057", ("sections[0].first_rotation", 109, 16), light_differs)
    },
    RuleCase {
        beside: parts,
        pass: || single(b"ASSETREF", 0, vec![text("parts.dragon")]),
        ..case("DRG-060", ("sections[0].reference", 109, 12), || single(b"ASSETREF", 0, vec![text("gone.dragon")]))
    },
];

/// A case whose repair is the triangle of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: one_triangle, beside: alone }
}

fn quaternion(number: u8) -> Vec<Part> {
    floats(&[0., 0., 0., f32::from(number)])
}

/// A bone `b`.
fn bone(kind: u8, enabled: u8, parent: i32) -> Vec<Part> {
    let mut parts = vec![text("b"), u8(enabled), i32(parent)];
    match kind {
        3 => parts.extend(floats(&[1., 0., 0., 0., 1., 0., 0., 0., 1.])),
        4 => parts.extend(floats(&matrix([0.; 3], 1.))),
        _ => {
            parts.extend(floats(&[0.; 3]));
            parts.extend(quaternion(1));
            parts.extend(floats(&[1.; 3]));
        }
    }
    parts
}

fn rig(kind: u8, bones: &[Vec<Part>]) -> Section {
    section(b"SKELETON", 1, bones.len(), vec![text("s"), u8(kind), Part::Array(bones.concat())])
}

/// SKELETON `s` of one bone, from 57 to 163 with quaternions.
fn skeleton(kind: u8, enabled: u8, parent: i32) -> Vec<u8> {
    CANONICAL.file(&[rig(kind, &[bone(kind, enabled, parent)])])
}

fn two_bones(first: i32, second: i32) -> Vec<u8> {
    CANONICAL.file(&[rig(2, &[bone(2, 1, first), bone(2, 1, second)])])
}

/// The matrix that moves by `by`, and whose last number is `last`.
fn matrix(by: [f32; 3], last: f32) -> [f32; 16] {
    [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., by[0], by[1], by[2], last]
}

fn object(kind: u8, position: [f32; 3], rotation: &[f32]) -> Vec<u8> {
    let mut parts = vec![guid(NONE), guid(NONE), u8(kind)];
    parts.extend(floats(&position));
    parts.extend(floats(rotation));
    parts.extend(floats(&[1.; 3]));
    single(b"OBJECT__", 0, parts)
}

/// An object of a geometry that another file has, and that file.
fn borrowed(geometry: u8) -> Vec<u8> {
    let mut parts = vec![guid(NONE), guid(g(geometry)), u8(2)];
    parts.extend(floats(&[0.; 3]));
    parts.extend(quaternion(1));
    parts.extend(floats(&[1.; 3]));
    let reference = section(b"ASSETREF", 21, 0, vec![text("parts.dragon")]);
    CANONICAL.file(&[section(b"OBJECT__", 20, 0, parts), reference])
}

fn light(kind: u8, light_type: u8) -> Vec<u8> {
    let mut parts = vec![u8(kind)];
    parts.extend(floats(&[45., 1., 1., 1., 1.]));
    parts.push(u8(light_type));
    parts.extend(floats(&[0.; 3]));
    parts.extend(quaternion(1));
    single(b"LIGHT___", 0, parts)
}

fn track(target: &str, [animation, sampling, smoothing]: [u8; 3], curve: &[f32], width: u8, data: &[f32]) -> Vec<u8> {
    let mut parts = vec![text(target), u8(animation), u16(sampling.into()), u8(smoothing)];
    parts.extend(floats(curve));
    parts.extend([u8(width), Part::Array(floats(data))]);
    single(b"ANITRACK", data.len(), parts)
}

/// A triangle whose second vertex is moved by this bone of one, with this weight of 255.
fn skinned(with_skeleton: bool, index: u8, weight: u8) -> Vec<u8> {
    let attribute = |kind: u8, semantic: u32, normalized: u8, width: u8, count: u8| {
        vec![u8(kind), u32(semantic), u8(normalized), u8(width), u8(count), u32(0)]
    };
    let attributes = [attribute(1, 0, 0, 4, 3), attribute(3, 2, 0, 1, 1), attribute(3, 1, 1, 1, 1)];
    let row = |index: u8, weight: u8| {
        let mut parts = floats(&[0.; 3]);
        parts.extend([u8(index), u8(weight), u16(0)]);
        parts
    };
    let rows = [row(0, 255), row(index, weight), row(0, 255)];
    let vertex = vec![u32(16), u32(3), Part::Array(attributes.concat()), Part::Array(rows.concat())];
    let skeleton = if with_skeleton { g(1) } else { NONE };
    let mesh = vec![text("m"), guid(NONE), u8(0), u32(0), u32(3), u32(0), u32(3)];
    let names = [g(2), NONE, NONE, skeleton, NONE].map(guid);
    let geometry = [vec![text("g")], names.to_vec(), vec![Part::Array(mesh)]].concat();
    CANONICAL.file(&[
        rig(2, &[bone(2, 1, -1)]),
        section(b"VERTEX__", 2, 48, vertex),
        section(b"GEOMETRY", 3, 1, geometry),
    ])
}

/// A morph `m`.
fn morph(index_offset: u32, buffer: [u8; 16], numbers: [f32; 3]) -> Part {
    Part::Array([vec![text("m"), u32(index_offset), guid(buffer)], floats(&numbers)].concat())
}

/// The triangle, with a morph of three vertices from this one on.
fn morphed(index_offset: u32) -> Vec<u8> {
    let mut sections = triangle_sections();
    sections[2].parts[3] = guid(g(4));
    sections.push(section(b"MORPH___", 4, 1, vec![morph(index_offset, g(1), [0., 1., 0.])]));
    CANONICAL.file(&sections)
}

fn socket(bone_index: i32) -> Vec<u8> {
    let mut parts = vec![text("k"), u8(2)];
    parts.extend(floats(&[0.; 3]));
    parts.extend(quaternion(1));
    parts.extend([guid(g(1)), i32(bone_index)]);
    CANONICAL.file(&[rig(2, &[bone(2, 1, -1)]), section(b"SOCKET__", 2, 0, parts)])
}

fn voxel(color: u32) -> Vec<u8> {
    let voxel = [floats(&[0.; 3]), vec![guid(NONE), u32(color)]].concat();
    CANONICAL.file(&[
        section(b"VOXELPLT", 1, 1, vec![Part::Array(vec![u32(0)])]),
        section(b"VOXELOBJ", 2, 1, vec![guid(g(1)), Part::Array(voxel)]),
    ])
}

fn animate(bone_index: i32) -> Vec<u8> {
    let tracks = Part::Array(vec![i32(bone_index), guid(NONE)]);
    let animate = section(b"ANIMATE_", 2, 1, vec![f32(24.), guid(g(1)), tracks]);
    CANONICAL.file(&[rig(2, &[bone(2, 1, -1)]), animate])
}

fn rate(rate: f32) -> Vec<u8> {
    single(b"ANIMATE_", 0, vec![f32(rate), guid(NONE), Part::Array(Vec::new())])
}

/// One track, for bone 0 and for another one: ANITRACK from 57 to 124, tracks from 200.
fn two_tracks(second: i32) -> Vec<u8> {
    let track = vec![text("x"), u8(0), u16(0), u8(1), u8(1), Part::Array(vec![f32(0.)])];
    let tracks = Part::Array(vec![i32(0), guid(g(1)), i32(second), guid(g(1))]);
    CANONICAL.file(&[section(b"ANITRACK", 1, 1, track), section(b"ANIMATE_", 2, 2, vec![f32(24.), guid(NONE), tracks])])
}

fn setting(size: usize) -> Vec<u8> {
    let value = Part::Array(vec![Part::Raw(vec![0; size])]);
    single(b"SETTINGS", 1, vec![Part::Array(vec![text("a"), text("vec3"), u32(size as u32), value])])
}

fn instance(count: usize) -> Vec<u8> {
    single(b"INSTANCE", count, vec![u8(2), guid(NONE), u32(0), Part::Array(Vec::new())])
}
