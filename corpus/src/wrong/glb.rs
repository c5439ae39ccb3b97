//! GLB: the container of the triangle. Its JSON has 320 bytes from 20 on, its buffer 36 from 348 on.

use super::Wrong::{B, N};
use super::{Base, row};

fn one_triangle() -> Vec<u8> {
    let sample = crate::gltf::GLB_SAMPLES.iter().find(|sample| sample.name == "one-triangle");
    sample.map(|sample| (sample.bytes)()).unwrap_or_default()
}

pub(super) const BASES: &[Base] = &[Base {
    format: "glb",
    sample: one_triangle,
    big: false,
    rows: &[
        row("magic", 0, 4, &[B(0, b"G"), B(3, b"f")]),
        row("version", 4, 4, &[N(0), N(1), N(3), N(0xFFFF_FFFF)]),
        row("length", 8, 4, &[N(0), N(11), N(385), N(0xFFFF_FFFF)]),
        row("JSON chunk length", 12, 4, &[N(365), N(0xFFFF_FFFF)]),
        row("JSON chunk kind", 16, 4, &[B(0, b"j"), B(0, b"BIN\0")]),
        row("BIN chunk length", 340, 4, &[N(37), N(0xFFFF_FFFF)]),
    ],
}];
