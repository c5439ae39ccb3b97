//! Files for benchmarks: shells of a sphere, written as they are computed.

use std::io;

use super::model::{Mesh, Model, Part, SPEC, node};
use super::pack::Packing;
use crate::LargeSample;
use crate::bytes::Bytes;

/// Every file that is made for benchmarks.
pub const LARGE_SAMPLES: &[LargeSample] = &[LargeSample {
    format: "das2",
    name: "large-1gib",
    about: "Indexed shells of a sphere in the spec dialect, a buffer each, one gibibyte in all, not compressed.",
    write: |out| large(1 << 30, out),
}];

/// Quads along one edge of a cube's side.
const GRID: u64 = 160;
/// Vertices of a side: its corners are its own.
const SIDE: u64 = (GRID + 1) * (GRID + 1);
const VERTICES: u64 = 6 * SIDE;
const INDICES: u64 = 6 * 6 * GRID * GRID;
/// Positions, normals, texture coordinates, indices.
const SHELL: u64 = VERTICES * (12 + 12 + 8) + INDICES * 4;
/// Bytes per shell besides its buffer's data: 5 of the buffer, 242 of the mesh, 4 in the group.
const AROUND: u64 = 251;

/// Writes a valid file of at most `bytes`, and not much less, a row of a shell at a time. The same `bytes` give the same
/// file on every machine.
///
/// # Errors
/// What `out` answers.
pub fn large(bytes: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let shells = (bytes.saturating_sub(1024) / (SHELL + AROUND)).max(1);
    let counts = [(shells * VERTICES) as u32, shells as u32, 0];
    let model = Model { form: SPEC, packing: Packing::None, level: 0, counts, parts: Vec::new() };
    out.write_all(&model.bytes())?;
    for shell in 0..shells {
        out.write_all(&Bytes::default().le(1_u8).le(SHELL as u32).done())?;
        // The outermost is of radius 1; a power of two apart, so that every coordinate is scaled exactly.
        write_shell(0.5_f32.powi((shell % 8) as i32), out)?;
    }
    let normals = (VERTICES * 12) as u32;
    let uv = normals * 2;
    let mesh = |buffer: u32| Mesh {
        index: Some((buffer, uv + (VERTICES * 8) as u32)),
        draw: INDICES as u32,
        position: Some((buffer, 0)),
        normal: Some((buffer, normals)),
        uv: [Some((buffer, uv)); 8],
        ..Mesh::default()
    };
    let mut parts: Vec<Part> = (0..shells as u32).map(|buffer| Part::Mesh(mesh(buffer))).collect();
    parts.push(Part::Group("shells", (0..shells as u32).collect()));
    parts.push(Part::Node(node("shells")));
    parts.push(Part::Scene("shells", vec![0]));
    out.write_all(&Model { parts, ..model }.body_bytes())
}

fn write_shell(radius: f32, out: &mut dyn io::Write) -> io::Result<()> {
    let rows = || (0..6).flat_map(|side| (0..=GRID).map(move |y| (side, y)));
    let mut row = Bytes::default();
    for (side, y) in rows() {
        (0..=GRID).for_each(|x| _ = row.le_all(&point(side, x, y).map(|n| n * radius)));
        out.write_all(&row.done())?;
    }
    for (side, y) in rows() {
        (0..=GRID).for_each(|x| _ = row.le_all(&point(side, x, y)));
        out.write_all(&row.done())?;
    }
    for (_, y) in rows() {
        (0..=GRID).for_each(|x| _ = row.le_all(&[x, y].map(|n| n as f32 / GRID as f32)));
        out.write_all(&row.done())?;
    }
    for side in 0..6 {
        for y in 0..GRID {
            for x in 0..GRID {
                let at = |dx, dy| (side * SIDE + (y + dy) * (GRID + 1) + x + dx) as u32;
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                row.le_all(&[a, b, c, a, c, d]);
            }
            out.write_all(&row.done())?;
        }
    }
    Ok(())
}

/// A point of the grid on one side of the cube, pushed out to the sphere. Only operations that IEEE 754 rounds exactly
/// are used: sines differ between machines.
fn point(side: u64, x: u64, y: u64) -> [f32; 3] {
    let [s, t] = [x, y].map(|n| 2. * (n as f64 / GRID as f64) - 1.);
    // s, t and the side's outward axis are right-handed on every side.
    let cube = match side {
        0 => [1., s, t],
        1 => [-1., t, s],
        2 => [t, 1., s],
        3 => [s, -1., t],
        4 => [s, t, 1.],
        _ => [t, s, -1.],
    };
    let length = cube.iter().map(|n| n * n).sum::<f64>().sqrt();
    cube.map(|n: f64| (n / length) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_as_large_as_was_asked_for() {
        let mut file = Vec::new();
        large(40 << 20, &mut file).expect("memory takes everything");
        let (most, size) = (40_u64 << 20, file.len() as u64);
        assert!(size <= most && size + SHELL + AROUND + 1024 > most, "{size}");
    }
}
