//! Files for benchmarks: pieces of a sphere, written as they are computed.

use std::fmt::Write as _;
use std::io;

use crate::LargeSample;

/// Every file that is made for benchmarks.
pub const LARGE_SAMPLES: &[LargeSample] = &[LargeSample {
    format: "obj",
    name: "large-100mb",
    about: "Pieces of a sphere in eight materials, quads, triangles and hexagons, a hundred million bytes in all.",
    write: |out| large(100_000_000, out),
}];

/// Vertices along one edge of a piece.
const EDGE: u64 = 241;
/// Materials, one after the other.
const MATERIALS: u64 = 8;
/// Rows that have a material.
const STRIP: u64 = (EDGE - 1) / 4;
/// Of so many quads in a row the first is two triangles, the next two are a hexagon, and the others stay.
const PATTERN: u64 = 6;

/// Writes a file of at least `bytes` and less than one piece more. The same `bytes` give the same file on every machine.
///
/// # Errors
/// What `out` answers.
pub fn large(bytes: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let (mut written, mut piece) = (0, 0);
    while written < bytes {
        let mut text = String::new();
        vertices(piece, &mut text);
        faces(piece, &mut text);
        out.write_all(text.as_bytes())?;
        (written, piece) = (written + text.len() as u64, piece + 1);
    }
    Ok(())
}

/// Writing to a text cannot fail.
macro_rules! line {
    ($out:expr, $($say:tt)*) => {
        _ = writeln!($out, $($say)*)
    };
}

fn vertices(piece: u64, out: &mut String) {
    line!(out, "o piece{piece}");
    let mut normals = String::new();
    let mut coordinates = String::new();
    // A power of two apart, so that every coordinate is scaled exactly.
    let radius = 0.5_f64.powi((piece % 8) as i32);
    for y in 0..EDGE {
        for x in 0..EDGE {
            // Only operations that IEEE 754 rounds exactly: sines differ between machines.
            let [u, v] = [x, y].map(|n| n as f64 / (EDGE - 1) as f64);
            let cube = [2. * u - 1., 2. * v - 1., 1.];
            let length = cube.iter().map(|n: &f64| n * n).sum::<f64>().sqrt();
            let [a, b, c] = cube.map(|n| n / length);
            line!(out, "v {:.6} {:.6} {:.6}", a * radius, b * radius, c * radius);
            line!(coordinates, "vt {u:.6} {v:.6}");
            line!(normals, "vn {a:.4} {b:.4} {c:.4}");
        }
    }
    out.push_str(&coordinates);
    out.push_str(&normals);
}

fn faces(piece: u64, out: &mut String) {
    let first = piece * EDGE * EDGE + 1;
    for y in 0..EDGE - 1 {
        if y % STRIP == 0 {
            line!(out, "usemtl material{}", (piece + y / STRIP) % MATERIALS);
        }
        let mut x = 0;
        while x < EDGE - 1 {
            let [a, b] = [y * EDGE + x, (y + 1) * EDGE + x].map(|corner| first + corner);
            x += match x % PATTERN {
                0 => {
                    face(&[a, a + 1, b + 1], out);
                    face(&[a, b + 1, b], out);
                    1
                }
                1 => {
                    face(&[a, a + 1, a + 2, b + 2, b + 1, b], out);
                    2
                }
                _ => {
                    face(&[a, a + 1, b + 1, b], out);
                    1
                }
            };
        }
    }
}

fn face(corners: &[u64], out: &mut String) {
    out.push('f');
    corners.iter().for_each(|corner| _ = write!(out, " {corner}/{corner}/{corner}"));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_has_every_kind_of_face_and_ends_at_its_last_vertex() {
        let mut file = Vec::new();
        large(1, &mut file).expect("memory takes everything");
        let text = String::from_utf8(file).expect("it is ASCII");
        let count = |word: &str| text.lines().filter(|line| line.split(' ').next() == Some(word)).count() as u64;
        assert_eq!([count("v"), count("vt"), count("vn")], [EDGE * EDGE; 3]);
        // Of six quads in a row one is two triangles and two are a hexagon.
        assert_eq!(count("f"), (EDGE - 1) * (EDGE - 1));
        assert_eq!(count("usemtl"), 4);
        assert!(text.ends_with(&format!(" {0}/{0}/{0} {1}/{1}/{1}\n", EDGE * EDGE, EDGE * EDGE - 1)));
    }
}
