//! Files for benchmarks: sheets of a sphere, written as they are computed.

use std::io;

use super::*;
use crate::LargeSample;

/// Every file that is made for benchmarks.
pub const LARGE_SAMPLES: &[LargeSample] = &[LargeSample {
    format: "dragon",
    name: "large-1gib",
    about: "Sheets of a sphere, a million vertices per buffer, one gibibyte in all.",
    write: |out| large(1 << 30, out),
}];

/// Vertices along one edge of a sheet.
const EDGE: u64 = 1000;
/// Position, normal and texture coordinates in single precision.
const STRIDE: u64 = 32;
const VERTEX_SIZE: u64 = 52 + 16 + 3 * 12 + EDGE * EDGE * STRIDE;
const INDEX_COUNT: u64 = (EDGE - 1) * (EDGE - 1) * 6;
const INDICE_SIZE: u64 = 52 + 5 + INDEX_COUNT * 4;
/// `sheet` and five names, one mesh `m`.
const GEOMETRY_SIZE: u64 = 52 + 6 + 80 + 4 + 35;
const SHEET_SIZE: u64 = VERTEX_SIZE + INDICE_SIZE + GEOMETRY_SIZE;
const HEADER_SIZE: u64 = 57;

fn sheets(bytes: u64) -> u64 {
    // Sizes are 32-bit numbers.
    bytes.min(u32::MAX.into()).saturating_sub(HEADER_SIZE) / SHEET_SIZE
}

/// How large the file of [`large()`] is.
pub fn large_size(bytes: u64) -> u64 {
    HEADER_SIZE + sheets(bytes) * SHEET_SIZE
}

/// Writes a valid file of at most `bytes`, holding one row of a sheet at a time. The same `bytes` give the same file on
/// every machine.
///
/// # Errors
/// What `out` answers.
pub fn large(bytes: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let count = sheets(bytes);
    let empty = CANONICAL.file(&[]);
    let mut header = empty.clone();
    header[32..36].copy_from_slice(&(count as u32 * 3).to_le_bytes());
    header[52..56].copy_from_slice(&(large_size(bytes) as u32).to_le_bytes());
    out.write_all(&header)?;
    for sheet in 0..count {
        let number = (sheet * 3) as u8 + 1;
        vertices(number, sheet, out)?;
        indices(number + 1, out)?;
        out.write_all(&geometry(number))?;
    }
    Ok(())
}

/// A section header, and the fixed part of its body.
fn begin(tag: &'static [u8; 8], number: u8, size: u64, count: u64, parts: Vec<Part>) -> Vec<u8> {
    let section = section(tag, number, count as usize, Vec::new());
    let mut bytes = Vec::new();
    CANONICAL.head_of(*tag, &section, size as usize, &mut bytes);
    bytes.extend(CANONICAL.body(&parts, 0));
    bytes
}

fn vertices(number: u8, sheet: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let attribute = |semantic: u32, count: u8| vec![u8(1), u32(semantic), u8(0), u8(4), u8(count), u32(0)];
    let mut parts = vec![u32(STRIDE as u32), u32(3), u32(8), u32(4 + 36)];
    parts.extend([attribute(0, 3), attribute(3, 3), attribute(5, 2)].concat());
    out.write_all(&begin(b"VERTEX__", number, VERTEX_SIZE, EDGE * EDGE * STRIDE, parts))?;
    // A power of two apart, so that every coordinate is scaled exactly.
    let radius = 0.5_f32.powi((sheet % 8) as i32);
    for y in 0..EDGE {
        let mut row = Vec::with_capacity((EDGE * STRIDE) as usize);
        for x in 0..EDGE {
            // Only operations that IEEE 754 rounds exactly: sines differ between machines.
            let [u, v] = [x, y].map(|n| n as f64 / (EDGE - 1) as f64);
            let cube = [2. * u - 1., 2. * v - 1., 1.];
            let length = cube.iter().map(|n: &f64| n * n).sum::<f64>().sqrt();
            let normal = cube.map(|n| (n / length) as f32);
            normal.iter().for_each(|n| row.extend((n * radius).to_le_bytes()));
            normal.iter().for_each(|n| row.extend(n.to_le_bytes()));
            [u, v].iter().for_each(|n| row.extend((*n as f32).to_le_bytes()));
        }
        out.write_all(&row)?;
    }
    Ok(())
}

fn indices(number: u8, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(&begin(b"INDICE__", number, INDICE_SIZE, INDEX_COUNT, vec![u8(4), u32(4)]))?;
    for y in 0..EDGE - 1 {
        let mut row = Vec::new();
        for x in 0..EDGE - 1 {
            let [a, b] = [y * EDGE + x, (y + 1) * EDGE + x];
            for index in [a, a + 1, b + 1, a, b + 1, b] {
                row.extend((index as u32).to_le_bytes());
            }
        }
        out.write_all(&row)?;
    }
    Ok(())
}

fn geometry(number: u8) -> Vec<u8> {
    let mut parts = vec![text("sheet"), guid(g(number)), guid(g(number + 1))];
    parts.extend([guid(NONE), guid(NONE), guid(NONE), u32(4), text("m"), guid(NONE), u8(0)]);
    parts.extend([u32(0), u32((EDGE * EDGE) as u32), u32(0), u32(INDEX_COUNT as u32)]);
    begin(b"GEOMETRY", number + 2, GEOMETRY_SIZE, 1, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gibibyte_is_nearly_that() {
        let size = large_size(1 << 30);
        assert!(size <= 1 << 30 && size > (1 << 30) - SHEET_SIZE, "{size}");
        // Every section has a name of its own.
        assert!(sheets(1 << 30) * 3 < 255);
        assert!(large_size(u64::MAX) < 1 << 32);
    }

    #[test]
    fn as_many_bytes_are_written_as_announced() {
        let mut file = Vec::new();
        large(SHEET_SIZE + HEADER_SIZE, &mut file).expect("memory takes everything");
        assert_eq!(file.len() as u64, large_size(SHEET_SIZE + HEADER_SIZE));
        assert_eq!(geometry(1).len() as u64, GEOMETRY_SIZE);
    }
}
