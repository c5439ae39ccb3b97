//! Small files that ask for much: each multiplies something, and what reads it must end all the same.
//!
//! Those of [`bombs`] are below 50 MB. Where a file is small because of what it leaves out, its size is in its sentence.

mod gltf;
mod growing;
mod inflating;
mod pictures;
mod texts;

use crate::SideFiles;

/// A file that multiplies.
#[derive(Clone, Copy, Debug)]
pub struct Bomb {
    /// Its file name.
    pub file: &'static str,
    /// One sentence: what it multiplies.
    pub about: &'static str,
    /// Builds it.
    pub bytes: fn() -> Vec<u8>,
    /// Builds the files that it names.
    pub beside: fn() -> SideFiles,
    /// Whether it asks for more than a run may make, whatever it is for.
    pub refused: bool,
}

/// Every bomb.
pub fn bombs() -> Vec<Bomb> {
    [gltf::BOMBS, growing::BOMBS, inflating::BOMBS, pictures::BOMBS, texts::BOMBS].concat()
}

pub use gltf::data_uri;

const fn bomb(file: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Bomb {
    Bomb { file, about, bytes, beside: crate::alone, refused: false }
}

/// One that no limit lets pass.
const fn refused(file: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Bomb {
    Bomb { refused: true, ..bomb(file, about, bytes) }
}

/// So many pieces of text, with a comma between them.
fn listed(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(",")
}

/// Numbers that no pattern hides in, from 0 to 1.
fn noise(count: usize) -> Vec<f32> {
    let mut seed = 1_u32;
    let next = |_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    (0..count).map(next).collect()
}

/// A zlib stream that holds `start` and then so many zeros: one stored block, and one of fixed codes in which 13 bits
/// stand for 258 zeros.
fn zeros_behind(start: &[u8], zeros: usize) -> Vec<u8> {
    let mut out = vec![0x78, 0x01, 0];
    // The first zero is what is repeated.
    let stored = [start, &[0]].concat();
    let size = stored.len() as u16;
    out.extend(size.to_le_bytes());
    out.extend((!size).to_le_bytes());
    out.extend(&stored);
    let (mut held, mut bits) = (0_u32, 0_u8);
    let mut push = |value: u32, count: u8, out: &mut Vec<u8>| {
        held |= value << bits;
        bits += count;
        while bits >= 8 {
            out.push(held as u8);
            held >>= 8;
            bits -= 8;
        }
    };
    // Final, of type 1.
    push(0b011, 3, &mut out);
    let runs = zeros.saturating_sub(1) / 258;
    for _ in 0..runs {
        // Length 258 is the code 285: 11000101, its highest bit first. Distance 1 is the code 0 of five bits.
        push(0b1010_0011, 13, &mut out);
    }
    for _ in 0..zeros.saturating_sub(1) % 258 {
        // A zero is the code 00110000.
        push(0b0000_1100, 8, &mut out);
    }
    // The end is seven zeros, and then to the next byte.
    push(0, 7, &mut out);
    push(0, 7, &mut out);
    let total = start.len() + zeros;
    // Zeros change the second sum of Adler-32 by the first, each.
    let (mut a, mut b) = (1_u64, 0_u64);
    for &byte in start {
        a = (a + u64::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    b = (b + (total - start.len()) as u64 % 65521 * a) % 65521;
    out.extend(((b << 16 | a) as u32).to_be_bytes());
    out
}
