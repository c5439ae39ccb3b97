//! The samples: what a DanModel can hold, what real files get wrong, and what cannot be read.

use super::*;
use crate::bytes::patch;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "All ten modes with plain and danmaku-coloured pieces and texts beyond ASCII, as the document says.",
        dialect: Some("spec"),
        ..good("model", || model(None))
    },
    Sample {
        about: "The same model as the mod reads it, with a danmaku alpha.",
        ..good("engine", || model(Some(USUAL_ALPHA)))
    },
    Sample { about: "One white triangle in 256 bytes.", ..good("one-triangle", one_triangle) },
    Sample { about: "A model without pieces.", ..good("empty", || Model::of(Vec::new()).bytes()) },
    Sample { about: "Four bytes that model_length counts and no piece uses.", ..odd("slack", slack) },
    Sample {
        about: "Four bytes behind the model.",
        // Without the last four bytes it is a triangle as it should be.
        complete_cuts: |file| vec![file.len() - 4],
        ..odd("tail", tail)
    },
    Sample { about: "A danmaku_colored byte of FF, which means yes.", ..odd("flag-ff", || flag(0xFF)) },
    Sample { about: "A name in Windows-1251, which is not UTF-8.", ..odd("name-cp1251", name_cp1251) },
    Sample { about: "A draw mode of 10, which is none.", ..odd("mode-10", || mode(10)) },
    Sample { about: "A piece without vertices before one with three.", ..odd("zero-vertices", zero_vertices) },
    Sample { about: "TRIANGLES with five vertices.", ..odd("left-over-vertices", left_over_vertices) },
    Sample {
        about: "A piece without vertices and five zeros behind it, which reads with and without a danmaku alpha.",
        dialect: Some("spec"),
        // 48: the spec model alone. 52: with four of the zeros, the engine's model to the last byte.
        complete_cuts: |_| vec![48, 52],
        ..odd("ambiguous-layout", ambiguous_layout)
    },
    Sample {
        about: "Coordinates and colours that are no numbers, with odd bits.",
        ..odd("not-a-number", not_a_number)
    },
    Sample { about: "A danmaku alpha so small that it looks like a length.", ..odd("alpha-denormal", || alpha(1e-44)) },
    Sample { about: "A danmaku alpha that is not a number.", ..odd("alpha-not-a-number", || alpha(f32::NAN)) },
    Sample {
        about: "No pieces and an alpha of zero: all numbers behind the texts are zero.",
        // Without its last four bytes it is an empty model without an alpha.
        complete_cuts: |file| vec![file.len() - 4],
        ..odd("empty-alpha-zero", || Model { alpha: Some(0.), ..Model::of(Vec::new()) }.bytes())
    },
    Sample { about: "Doubles that no 32-bit float holds exactly.", ..odd("beyond-f32", beyond_f32) },
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("bad-magic", "A first string with a small d.", || patch(one_triangle(), 2, b"d")),
    bad("bad-magic-length", "The right first string, one byte too long.", || patch(one_triangle(), 1, &[21])),
    bad("version-2", "A version that does not exist.", || patch(one_triangle(), 22, &[0, 2])),
    bad("header-cut", "The first 30 bytes of a file.", || cut(30)),
    bad("string-negative", "A name of -1 bytes.", || patch(one_triangle(), 24, &[0xFF, 0xFF])),
    bad("string-too-long", "A name that is longer than the file.", || patch(one_triangle(), 24, &[0x7F, 0xFF])),
    bad("pieces-negative", "A model of -1 pieces.", || patch(one_triangle(), 31, &[0xFF; 4])),
    bad("pieces-too-many", "A model of two thousand million pieces.", || patch(one_triangle(), 31, &[0x7F; 4])),
    bad("length-negative", "A model of -1 bytes.", || patch(one_triangle(), 39, &[0xFF; 4])),
    bad("length-past-end", "A model_length of one byte more than there are.", || patch(one_triangle(), 42, &[214])),
    bad("vertices-negative", "A piece of -3 vertices.", || patch(one_triangle(), 47, &(-3_i32).to_be_bytes())),
    bad("vertices-too-many", "A piece of two thousand million vertices.", || patch(one_triangle(), 47, &[0x7F; 4])),
    bad("piece-cut", "A vertex that runs past model_length.", || patch(one_triangle(), 47, &4_i32.to_be_bytes())),
    bad("file-cut", "A file that lost its last byte.", || cut(255)),
    bad("spec-file-cut", "A file of the spec dialect that lost its last byte.", spec_file_cut),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "danmodel",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("engine"),
        complete_cuts: never_complete,
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, ..good(name, bytes) }
}

/// A white triangle: the file of the table above.
pub fn one_triangle() -> Vec<u8> {
    Model::of(vec![triangle()]).bytes()
}

/// One piece of every mode, cut out of the visible sides of a box; with an alpha in the `engine` dialect.
pub fn model(alpha: Option<f32>) -> Vec<u8> {
    // Corners are (right, up) within a piece's cell; faces run counter-clockwise.
    const SQUARE: [[f64; 2]; 4] = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
    let modes: [(i32, &[[f64; 2]]); 10] = [
        (POINTS, &SQUARE),
        (LINES, &[[0., 0.], [1., 1.], [1., 0.], [0., 1.]]),
        (LINE_LOOP, &SQUARE),
        (LINE_STRIP, &[[0., 0.], [0.25, 1.], [0.75, 0.], [1., 1.]]),
        (TRIANGLES, &[[0., 0.], [1., 0.], [0., 1.], [1., 0.25], [1., 1.], [0.25, 1.]]),
        (TRIANGLE_STRIP, &[[0., 0.], [1., 0.], [0., 1.], [1., 1.]]),
        (TRIANGLE_FAN, &[[0.5, 0.5], [0., 0.], [1., 0.], [1., 1.], [0., 1.], [0., 0.]]),
        (QUADS, &[[0., 0.], [1., 0.], [1., 0.25], [0., 0.25], [0., 0.5], [1., 0.5], [1., 1.], [0., 1.]]),
        // Pairs of an upper and a lower corner: quad k is (2k, 2k+1, 2k+3, 2k+2).
        (QUAD_STRIP, &[[0., 1.], [0., 0.], [0.5, 0.75], [0.5, 0.25], [1., 1.], [1., 0.]]),
        (POLYGON, &[[0., 0.], [1., 0.], [1., 0.5], [0.5, 1.], [0., 0.5]]),
    ];
    let pieces = modes.iter().zip(0_u8..).map(|(&(mode, corners), index)| Piece {
        mode,
        // Both kinds of vertices for faces as well as for points and lines.
        colored: u8::from(index % 3 == 1),
        vertices: corners.iter().map(|&corner| on_side(index, corner)).collect(),
    });
    let model = Model {
        name: "Papierstern ★".as_bytes().to_vec(),
        description: "Zehn Arten, Punkte zu verbinden: 弾幕".as_bytes().to_vec(),
        author: "pentad".as_bytes().to_vec(),
        alpha,
        ..Model::of(pieces.collect())
    };
    model.bytes()
}

/// A corner of the cell of the piece `index`: pieces go round the front, the top and the right of the box.
fn on_side(index: u8, [right, up]: [f64; 2]) -> Vertex {
    // Right, up and out of each side; up is right turned by a quarter seen from outside.
    const SIDES: [[[f64; 3]; 3]; 3] = [
        [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
        [[1., 0., 0.], [0., 0., -1.], [0., 1., 0.]],
        [[0., 0., -1.], [0., 1., 0.], [1., 0., 0.]],
    ];
    let [x, y, out] = SIDES[usize::from(index % 3)];
    let cell = f64::from(index / 3) - 1.5;
    let position = std::array::from_fn(|i| x[i] * (cell + right * 0.75) + y[i] * (up - 0.5) + out[i] * 2.);
    let color = [0.25 + 0.5 * right as f32, 0.25 + 0.5 * up as f32, 0.75, if index == 0 { 0.5 } else { 1. }];
    Vertex { position, uv: [right, up], color, normal: out.map(|n| n as f32) }
}

fn slack() -> Vec<u8> {
    Model { slack: vec![0xDE, 0xAD, 0xBE, 0xEF], ..Model::of(vec![triangle()]) }.bytes()
}

fn tail() -> Vec<u8> {
    Model { tail: b"more".to_vec(), ..Model::of(vec![triangle()]) }.bytes()
}

fn flag(colored: u8) -> Vec<u8> {
    Model::of(vec![Piece { colored, ..triangle() }]).bytes()
}

fn name_cp1251() -> Vec<u8> {
    // "звезда": no byte of it starts a UTF-8 character.
    Model { name: vec![0xE7, 0xE2, 0xE5, 0xE7, 0xE4, 0xE0], ..Model::of(vec![triangle()]) }.bytes()
}

fn mode(mode: i32) -> Vec<u8> {
    Model::of(vec![Piece { mode, ..triangle() }]).bytes()
}

fn zero_vertices() -> Vec<u8> {
    Model::of(vec![Piece { vertices: Vec::new(), ..triangle() }, triangle()]).bytes()
}

fn left_over_vertices() -> Vec<u8> {
    let Piece { vertices, .. } = triangle();
    let vertices = [&vertices[..], &vertices[..2]].concat();
    Model::of(vec![Piece { vertices, ..triangle() }]).bytes()
}

/// `00000009 00000009 00000000 00 00000000 00`: in the spec dialect a length of 9, mode 9, no vertices and five bytes of
/// tail; in the engine dialect a tiny alpha, a length of 9, mode 0, no vertices and one byte of tail.
pub(super) fn ambiguous_layout() -> Vec<u8> {
    Model { tail: vec![0; 5], ..spec(vec![Piece { mode: POLYGON, colored: 0, vertices: Vec::new() }]) }.bytes()
}

/// A model of the spec dialect.
pub(super) fn spec(pieces: Vec<Piece>) -> Model {
    Model { alpha: None, ..Model::of(pieces) }
}

fn not_a_number() -> Vec<u8> {
    let mut piece = triangle();
    // Quiet and signalling ones with a payload: both must come back bit by bit.
    piece.vertices[0].position[1] = f64::from_bits(0x7FF8_0000_DEAD_BEEF);
    piece.vertices[1].position[2] = f64::NEG_INFINITY;
    piece.vertices[1].uv[0] = f64::from_bits(0xFFF0_0000_0000_0001);
    piece.vertices[2].color[3] = f32::from_bits(0x7F80_0001);
    piece.vertices[2].normal[0] = f32::from_bits(0xFFC0_1234);
    Model::of(vec![piece]).bytes()
}

fn alpha(alpha: f32) -> Vec<u8> {
    Model { alpha: Some(alpha), ..Model::of(vec![triangle()]) }.bytes()
}

fn beyond_f32() -> Vec<u8> {
    let mut piece = triangle();
    piece.vertices[0].position[0] = 0.1;
    piece.vertices[1].position[0] = 1e300;
    piece.vertices[2].uv[1] = 1. / 3.;
    Model::of(vec![piece]).bytes()
}

fn cut(size: usize) -> Vec<u8> {
    one_triangle()[..size].to_vec()
}

fn spec_file_cut() -> Vec<u8> {
    let file = spec(vec![triangle()]).bytes();
    file[..file.len() - 1].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_triangle_lies_where_the_table_says() {
        let file = one_triangle();
        assert_eq!(file.len(), 256);
        assert_eq!(file[22..31], [0, 1, 0, 1, b't', 0, 0, 0, 0]);
        assert_eq!(file[31..43], [0, 0, 0, 1, 0x3E, 0x99, 0x99, 0x9A, 0, 0, 0, 213]);
        assert_eq!(file[43..52], [0, 0, 0, 4, 0, 0, 0, 3, 0]);
        assert_eq!(file[120..128], 1_f64.to_be_bytes());
    }

    #[test]
    fn samples_are_small() {
        for sample in SAMPLES {
            assert!((sample.bytes)().len() <= 4096, "{}", sample.name);
        }
    }

    #[test]
    fn ambiguous_bytes_are_those_of_the_comment() {
        let file = ambiguous_layout();
        assert_eq!(file[35..], [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
