//! DanModel: the triangle in the engine's dialect, whose places are in [`crate::danmodel`].

use super::Wrong::{B, D, F, N};
use super::{Base, row};

const SHIFTS: &str = "what follows moves by the difference, and lengths of zero and more are all allowed: the first \
                      field that contradicts the bytes is the one that can be told";

pub(super) const BASES: &[Base] = &[Base {
    format: "danmodel",
    sample: crate::danmodel::one_triangle,
    big: true,
    rows: &[
        row("magic", 0, 22, &[B(0, &[0, 19]), B(0, &[0xFF, 0xFF]), B(2, b"d"), B(13, b"_"), B(21, b"\0")]),
        row("version", 22, 2, &[N(0), N(2), N(-1), N(256), N(i16::MAX as i64)]),
        row("name_length", 24, 2, &[N(-1), N(i16::MIN as i64), N(i16::MAX as i64), N(300), N(231)]),
        row("name", 26, 1, &[B(0, &[0xFF]), B(0, &[0xC0]), B(0, &[0x80])]),
        row("description_length", 27, 2, &[N(-1), N(i16::MAX as i64), N(228), N(-300)]),
        row("author_length", 29, 2, &[N(-2), N(i16::MAX as i64), N(226)]),
        row("piece_count", 31, 4, &[N(-1), N(2), N(3), N(i32::MAX as i64), N(i32::MIN as i64), N(24)]),
        row("piece_count", 31, 4, &[N(0)]).better(43, 213, "no piece is a model too; its bytes are left over"),
        row("danmaku_alpha", 35, 4, &[F(0, f32::NAN), F(0, f32::INFINITY), F(0, 1.5), F(0, -0.5)]),
        row("model_length", 39, 4, &[N(-1), N(214), N(i32::MAX as i64), N(i32::MIN as i64), N(3000)]),
        row("model_length", 39, 4, &[N(212), N(100), N(9), N(8), N(0)]),
        row("mode", 43, 4, &[N(10), N(-1), N(255), N(i32::MAX as i64)]),
        row("vertex_count", 47, 4, &[N(-1), N(4), N(i32::MAX as i64), N(i32::MIN as i64), N(1 << 20)]),
        row("danmaku_colored", 51, 1, &[N(2), N(255)]),
        row("position", 52, 24, &[D(0, f64::NAN), D(16, f64::INFINITY)]),
        row("uv", 76, 16, &[D(0, f64::NAN), D(8, f64::NEG_INFINITY)]),
        row("color", 92, 16, &[F(0, 2.), F(4, -1.), F(12, f32::NAN)]),
        row("normal", 108, 12, &[F(8, 0.), F(8, 2.), F(0, f32::NAN), F(4, 1.)]),
        row("author_length", 29, 2, &[N(1)]).better(40, 4, SHIFTS),
    ],
}];
