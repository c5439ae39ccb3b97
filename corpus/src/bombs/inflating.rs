//! Compressed bodies that hold far more than they take.

use super::{Bomb, bomb, refused, zeros_behind};
use crate::bytes::Bytes;
use crate::das2;

pub(super) const BOMBS: &[Bomb] = &[
    refused("zeros.fbx", "An array of 2.4 GB of zeros in 16 MB.", fbx),
    bomb("frames.das2", "200 000 frames of 2 500 repeated bytes each.", frames),
    refused("buffer.das2", "A buffer of 4 GB of zeros in 130 kB.", || das2::zstd_bomb(u32::MAX)),
    refused("structures.das2", "Structures of five bytes, repeated 250 times for each byte.", structures),
];

/// A file whose only geometry has its vertices in one compressed array.
fn fbx() -> Vec<u8> {
    let count = 300_000_000_u32;
    let mut file = Bytes::default();
    file.raw(b"Kaydara FBX Binary  \0\x1A\0").le(7400_u32);
    let packed = zeros_behind(&[], count as usize * 8);
    // An array of doubles: how many, compressed, and in how many bytes.
    let mut array = Bytes::default();
    array.raw(b"d").le_all(&[count, 1, packed.len() as u32]).raw(&packed);
    let geometry = [text("S", "Triangle\0\x01Geometry"), text("S", "Mesh")].concat();
    let id = Bytes::default().raw(b"L").le(1_u64).done();
    let at = file.len();
    let array = array.done();
    let vertices = |at: usize| node(at, "Vertices", 1, &array, |_| Vec::new());
    let mesh = |at: usize| node(at, "Geometry", 3, &[&id[..], &geometry].concat(), vertices);
    let objects = node(at, "Objects", 0, &[], mesh);
    file.raw(&objects).raw(&[0; 13]);
    file.done()
}

fn text(kind: &str, text: &str) -> Vec<u8> {
    Bytes::default().raw(kind.as_bytes()).le(text.len() as u32).raw(text.as_bytes()).done()
}

/// A node at a byte: where it ends, its properties, its name, and the nodes in it with an empty one behind them.
fn node(at: usize, name: &str, count: u32, properties: &[u8], inside: impl FnOnce(usize) -> Vec<u8>) -> Vec<u8> {
    let start = at + 13 + name.len() + properties.len();
    let mut inner = inside(start);
    if !inner.is_empty() {
        inner.extend([0; 13]);
    }
    let mut out = Bytes::default();
    out.le_all(&[(start + inner.len()) as u32, count, properties.len() as u32]).raw(&[name.len() as u8]);
    out.raw(name.as_bytes()).raw(properties).raw(&inner);
    out.done()
}

/// One frame with the start of a buffer, and 200 000 that repeat a byte.
fn frames() -> Vec<u8> {
    const COUNT: u32 = 200_000;
    const SIZE: u32 = 2_500;
    const FRAME: [u8; 6] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58];
    let mut file = Bytes::default();
    file.raw(&das2::engine_header(9)).raw(&FRAME);
    // The last block, stored, of five bytes.
    file.raw(&(5_u32 << 3 | 1).to_le_bytes()[..3]).raw(&[1]).le(COUNT * SIZE);
    for _ in 0..COUNT {
        // The last block, of one byte that is repeated.
        file.raw(&FRAME).raw(&(SIZE << 3 | 2 | 1).to_le_bytes()[..3]).raw(&[0]);
    }
    file.done()
}

/// A hundred million structures in 3.5 MB; they take some hundred bytes each once they are read.
fn structures() -> Vec<u8> {
    let mut file = das2::zlib_bomb(2_000_000);
    // All of them are there: the sums of Adler-32 over groups of 1 0 0 0 0.
    let groups = (5 + 258 * 2_000_000) / 5_u64;
    let (a, b) = ((1 + groups) % 65521, (5 * groups + 5 * groups * (groups + 1) / 2) % 65521);
    let checksum = file.len() - 4;
    file[checksum..].copy_from_slice(&((b << 16 | a) as u32).to_be_bytes());
    file
}
