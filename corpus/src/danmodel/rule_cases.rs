//! A file that breaks each rule, and its repair. Places are computed by hand from the table of [`super`].

use super::samples::{ambiguous_layout, one_triangle, spec};
use super::*;
use crate::bytes::patch;
use crate::{RuleCase, alone};

/// Every case, by rule. DAN-025 and DAN-026 are about writing: their recipes are documents, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    case("DAN-001", ("header.magic", 0, 22), || patch(one_triangle(), 2, b"d")),
    case("DAN-002", ("header.version", 22, 2), || patch(one_triangle(), 22, &[0, 2])),
    case("DAN-003", ("header.author_length", 29, 1), || one_triangle()[..30].to_vec()),
    case("DAN-003", ("header.model_length", 39, 2), || one_triangle()[..41].to_vec()),
    case("DAN-004", ("header.name_length", 24, 2), || patch(one_triangle(), 24, &[0xFF, 0xFF])),
    // From behind the length to the end of the file: 256 - 26.
    case("DAN-004", ("header.name_length", 24, 2), || patch(one_triangle(), 24, &[0x7F, 0xFF])),
    case("DAN-005", ("header.name", 26, 1), || patch(one_triangle(), 26, &[0xFF])),
    // A description FF before a model that else is that of the table: its length at 27, itself at 29.
    case("DAN-005", ("header.description", 29, 1), || Model { description: vec![0xFF], ..one() }.bytes()),
    case("DAN-005", ("header.author", 31, 2), || Model { author: vec![b'a', 0xC3], ..one() }.bytes()),
    case("DAN-006", ("pieces[0].vertex_count", 47, 4), || patch(one_triangle(), 47, &(-3_i32).to_be_bytes())),
    case("DAN-006", ("header.piece_count", 31, 4), || patch(one_triangle(), 31, &[0xFF; 4])),
    case("DAN-007", ("header.model_length", 39, 4), || patch(one_triangle(), 42, &[214])),
    case("DAN-007", ("header.model_length", 39, 4), || patch(one_triangle(), 39, &[0xFF; 4])),
    case("DAN-007", ("header.model_length", 35, 4), || patch(spec(vec![triangle()]).bytes(), 38, &[214])),
    // The vertices have 213 - 9 bytes.
    case("DAN-008", ("pieces[0].vertex_count", 47, 4), || patch(one_triangle(), 47, &4_i32.to_be_bytes())),
    case("DAN-008", ("header.piece_count", 31, 4), || patch(one_triangle(), 34, &[2])),
    // 1000 pieces need 9000 bytes.
    case("DAN-008", ("header.piece_count", 31, 4), || patch(one_triangle(), 31, &1000_i32.to_be_bytes())),
    case("DAN-009", ("slack", 256, 4), || Model { slack: vec![1, 2, 3, 4], ..one() }.bytes()),
    case("DAN-010", ("tail", 256, 3), || Model { tail: b"end".to_vec(), ..one() }.bytes()),
    RuleCase {
        // Without the five bytes of tail only the spec dialect has room for a piece.
        pass: || ambiguous_layout()[..48].to_vec(),
        ..case("DAN-011", ("header.model_length", 35, 4), ambiguous_layout)
    },
    case("DAN-012", ("header.model_length", 35, 4), || spec(vec![triangle()]).bytes()),
    case("DAN-013", ("pieces[0].mode", 43, 4), || patch(one_triangle(), 46, &[10])),
    case("DAN-013", ("pieces[0].mode", 43, 4), || patch(one_triangle(), 43, &[0xFF; 4])),
    RuleCase {
        pass: || colored(1),
        // The second piece begins at 43 + 213, its flag eight bytes later.
        ..case("DAN-014", ("pieces[1].danmaku_colored", 264, 1), || colored(0xFF))
    },
    RuleCase {
        pass: || vertices(TRIANGLES, 3),
        ..case("DAN-015", ("pieces[0].vertex_count", 47, 4), || vertices(TRIANGLES, 5))
    },
    RuleCase {
        pass: || vertices(QUAD_STRIP, 4),
        ..case("DAN-015", ("pieces[0].vertex_count", 47, 4), || vertices(QUAD_STRIP, 5))
    },
    case("DAN-016", ("header.piece_count", 31, 4), || Model::of(Vec::new()).bytes()),
    case("DAN-016", ("pieces[0].vertex_count", 47, 4), || vertices(TRIANGLES, 0)),
    case("DAN-017", ("header.danmaku_alpha", 35, 4), || patch(one_triangle(), 35, &30_f32.to_be_bytes())),
    case("DAN-017", ("header.danmaku_alpha", 35, 4), || patch(one_triangle(), 35, &f32::NAN.to_be_bytes())),
    // The second vertex begins at 120, the third at 188.
    case("DAN-018", ("pieces[0].vertices[1].position", 120, 24), || double(128, f64::NAN)),
    case("DAN-018", ("pieces[0].vertices[2].uv", 212, 16), || double(220, f64::INFINITY)),
    case("DAN-018", ("pieces[0].vertices[0].color", 92, 16), || float(104, f32::NAN)),
    case("DAN-018", ("pieces[0].vertices[0].normal", 108, 12), || float(108, f32::NEG_INFINITY)),
    case("DAN-019", ("pieces[0].vertices[2].color", 228, 16), || float(228, 255.)),
    case("DAN-019", ("pieces[0].vertices[1].color", 160, 16), || float(172, -0.25)),
    case("DAN-020", ("pieces[0].vertices[1].color", 160, 16), || patch(one_triangle(), 164, &[0; 8])),
    case("DAN-020", ("pieces[0].vertices[0].color", 92, 16), || patch(float(92, 0.), 100, &[0; 4])),
    case("DAN-021", ("pieces[0].vertices[1].normal", 176, 12), || float(184, 0.)),
    RuleCase {
        // The tolerance is a thousandth.
        pass: || float(184, 1.0009),
        ..case("DAN-021", ("pieces[0].vertices[1].normal", 176, 12), || float(184, 1.0011))
    },
    // The vertex that completes the triangle.
    case("DAN-022", ("pieces[0].vertices[2]", 188, 68), turned_round),
    case("DAN-023", ("pieces[0].vertices[0].position", 52, 24), || double(52, 0.1)),
    RuleCase { pass: || double(76, 0.5), ..case("DAN-023", ("pieces[0].vertices[0].uv", 76, 16), || double(76, 0.3)) },
    case("DAN-024", ("header.name_length", 24, 2), || Model { name: Vec::new(), ..one() }.bytes()),
];

/// A case whose repair is the triangle of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: one_triangle, beside: alone }
}

fn one() -> Model {
    Model::of(vec![triangle()])
}

fn double(offset: usize, value: f64) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_be_bytes())
}

fn float(offset: usize, value: f32) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_be_bytes())
}

/// A plain triangle, then one that takes the colour of the shot.
fn colored(flag: u8) -> Vec<u8> {
    Model::of(vec![triangle(), Piece { colored: flag, ..triangle() }]).bytes()
}

fn vertices(mode: i32, count: usize) -> Vec<u8> {
    let vertices = triangle().vertices.into_iter().cycle().take(count).collect();
    Model::of(vec![Piece { mode, vertices, ..triangle() }]).bytes()
}

fn turned_round() -> Vec<u8> {
    let mut piece = triangle();
    piece.vertices.swap(1, 2);
    Model::of(vec![piece]).bytes()
}
