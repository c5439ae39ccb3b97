//! Files for benchmarks: shells of a sphere, written as they are computed.

use std::io;

use super::{TRIANGLES, USUAL_ALPHA, Vertex, header_until_count};
use crate::LargeSample;
use crate::bytes::Bytes;

/// Every file that is made for benchmarks.
pub const LARGE_SAMPLES: &[LargeSample] = &[LargeSample {
    format: "danmodel",
    name: "large-1gib",
    about: "Shells of a sphere in the engine dialect, a million vertices per piece, one gibibyte in all.",
    write: |out| large(1 << 30, out),
}];

/// Quads along one edge of a cube's side: with six sides and six corners per quad, 992016 vertices per shell.
const FULL_GRID: u64 = 166;
const PIECE_HEADER: u64 = 9;
const NAME: &[u8] = b"shells";
/// Everything before the pieces: 22 magic, 2 version, 2 + 6 name, 2 description, 2 author, 4 count, 4 alpha, 4 length.
const FILE_HEADER: u64 = 48;

/// A sphere made of the six sides of a cube.
#[derive(Clone, Copy)]
struct Shell {
    grid: u64,
    colored: bool,
}

impl Shell {
    fn vertices(self) -> u64 {
        6 * 6 * self.grid * self.grid
    }

    fn size(self) -> u64 {
        PIECE_HEADER + self.vertices() * if self.colored { 52 } else { 68 }
    }
}

/// The shells of a file of at most `bytes`: full ones while they fit, then the finest that does.
fn plan(bytes: u64) -> Vec<Shell> {
    // model_length is a signed 32-bit number.
    let mut left = bytes.saturating_sub(FILE_HEADER).min(i32::MAX as u64);
    let mut shells = Vec::new();
    loop {
        let colored = shells.len() % 2 == 1;
        let fits = |grid: &u64| Shell { grid: *grid, colored }.size() <= left;
        let Some(grid) = (1..=FULL_GRID).rev().find(fits) else { return shells };
        let shell = Shell { grid, colored };
        left -= shell.size();
        shells.push(shell);
        if grid < FULL_GRID {
            return shells;
        }
    }
}

/// How large the file of [`large`] is.
pub fn large_size(bytes: u64) -> u64 {
    FILE_HEADER + plan(bytes).iter().map(|shell| shell.size()).sum::<u64>()
}

/// Writes a valid file of the `engine` dialect of at most `bytes`, and not much less, holding one row of quads at a
/// time. The same `bytes` give the same file on every machine. A DanModel cannot exceed two gibibytes, nor can this.
///
/// # Errors
/// What `out` answers.
pub fn large(bytes: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let shells = plan(bytes);
    let model_length: u64 = shells.iter().map(|shell| shell.size()).sum();
    let mut header = header_until_count(NAME, b"", b"");
    out.write_all(&header.be(shells.len() as i32).be(USUAL_ALPHA).be(model_length as i32).done())?;
    for (index, shell) in shells.iter().enumerate() {
        // The outermost is of radius 1; a power of two apart, so that every coordinate is scaled exactly.
        let radius = 0.5_f32.powi((index % 8) as i32);
        let mut row = Bytes::default();
        row.be(TRIANGLES).be(shell.vertices() as i32).be(u8::from(shell.colored));
        for side in 0..6 {
            for y in 0..shell.grid {
                for x in 0..shell.grid {
                    let corner = |dx, dy| vertex(side, [x + dx, y + dy], shell.grid, radius);
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    [a, b, c, a, c, d].iter().for_each(|vertex| vertex.put(&mut row, shell.colored));
                }
                out.write_all(&row.done())?;
            }
        }
    }
    Ok(())
}

/// A point of the grid on one side of the cube, pushed out to the sphere. Only operations that IEEE 754 rounds exactly
/// are used: sines differ between machines.
fn vertex(side: usize, at: [u64; 2], grid: u64, radius: f32) -> Vertex {
    let [u, v] = at.map(|n| n as f64 / grid as f64);
    let (s, t) = (2. * u - 1., 2. * v - 1.);
    // s, t and the side's outward axis are right-handed on every side, so quads run counter-clockwise seen from outside.
    let cube = match side {
        0 => [1., s, t],
        1 => [-1., t, s],
        2 => [t, 1., s],
        3 => [s, -1., t],
        4 => [s, t, 1.],
        _ => [t, s, -1.],
    };
    let length = cube.iter().map(|n| n * n).sum::<f64>().sqrt();
    let normal = cube.map(|n: f64| (n / length) as f32);
    let color = [0.25 + 0.5 * u as f32, 0.25 + 0.5 * v as f32, 0.5, 1.];
    // Real files hold doubles that are exactly floats.
    let position = normal.map(|n| f64::from(n * radius));
    Vertex { position, uv: [u, v].map(|n| f64::from(n as f32)), color, normal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gibibyte_is_nearly_that_and_fits_its_length_field() {
        let size = large_size(1 << 30);
        assert!(size <= 1 << 30 && size > (1 << 30) - (1 << 20), "{size}");
        assert!(large_size(u64::MAX) < 1 << 31);
        assert!(plan(1 << 30).iter().all(|shell| shell.vertices() < 1_000_000));
    }

    #[test]
    fn as_many_bytes_are_written_as_announced() {
        for bytes in [0, 100, 3000, 200_000] {
            let mut file = Vec::new();
            large(bytes, &mut file).expect("memory takes everything");
            assert_eq!(file.len() as u64, large_size(bytes));
        }
    }

    #[test]
    fn shell_is_closed_and_turned_one_way() {
        // Every edge of every quad is the neighbour's edge backwards; a side put the wrong way round breaks that.
        let grid = 2;
        let at = |side, x, y| vertex(side, [x, y], grid, 1.).position.map(f64::to_bits);
        let mut edges = Vec::new();
        for (side, y, x) in (0..6).flat_map(|s| (0..grid).flat_map(move |y| (0..grid).map(move |x| (s, y, x)))) {
            let quad = [at(side, x, y), at(side, x + 1, y), at(side, x + 1, y + 1), at(side, x, y + 1)];
            edges.extend((0..4).map(|i| (quad[i], quad[(i + 1) % 4])));
        }
        assert_eq!(edges.len(), 96);
        for (from, to) in &edges {
            assert_eq!(edges.iter().filter(|edge| **edge == (*to, *from)).count(), 1);
        }
    }
}
