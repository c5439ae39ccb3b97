//! Compressed bodies put together by hand: blocks that are stored, not compressed, so that a reader of this file can
//! follow every byte.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Zlib,
    Zstd,
    /// Two frames, one to be skipped between them, and an empty one at the end.
    ZstdFrames,
    /// The buffer in a frame behind everything else, or, in `v3`, nothing.
    Split,
}

/// A zlib stream of stored blocks.
pub(super) fn zlib(body: &[u8]) -> Vec<u8> {
    // Deflate with a window of 32 KiB; 0x7801 is a multiple of 31.
    let mut out = vec![0x78, 0x01];
    let mut blocks: Vec<&[u8]> = body.chunks(0xFFFF).collect();
    if blocks.is_empty() {
        blocks.push(&[]);
    }
    let last = blocks.len() - 1;
    for (i, block) in blocks.into_iter().enumerate() {
        let size = block.len() as u16;
        out.push(u8::from(i == last));
        out.extend(size.to_le_bytes());
        out.extend((!size).to_le_bytes());
        out.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in body {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend(((b << 16) | a).to_be_bytes());
    out
}

/// Largest block of a zstd frame.
const BLOCK: usize = 128 << 10;

/// A zstd frame of stored blocks, without size and checksum, as the library's are: 6 bytes, and 3 per block.
pub(super) fn zstd(body: &[u8]) -> Vec<u8> {
    // 0x58 is a window of 2 MiB.
    let mut out = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58];
    let mut blocks: Vec<&[u8]> = body.chunks(BLOCK).collect();
    if blocks.is_empty() {
        blocks.push(&[]);
    }
    let last = blocks.len() - 1;
    for (i, block) in blocks.into_iter().enumerate() {
        let header = (block.len() as u32) << 3 | u32::from(i == last);
        out.extend(&header.to_le_bytes()[..3]);
        out.extend(block);
    }
    out
}

/// The empty frame that Boost leaves behind.
pub(super) const EMPTY_FRAME: [u8; 9] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00, 0x01, 0x00, 0x00];

/// A frame that holds no data.
const SKIPPED_FRAME: [u8; 12] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, b'n', b'o', b't', b'e'];

pub(super) fn zstd_frames(body: &[u8]) -> Vec<u8> {
    let (first, second) = body.split_at(body.len() / 2);
    [&zstd(first)[..], &SKIPPED_FRAME, &zstd(second), &EMPTY_FRAME].concat()
}

/// A header in the `engine` dialect with empty strings.
pub(crate) fn engine_header(level: u8) -> Vec<u8> {
    let mut out = b"das2\0\0\0\0".to_vec();
    for _ in 0..2 {
        out.extend([0, 0]);
        out.extend([0xFF; 8]);
    }
    out.extend([0; 16]);
    out.push(level);
    out
}

/// A file whose few bytes hold `size`: a buffer of so many zeros that announces itself.
pub fn zstd_bomb(size: u32) -> Vec<u8> {
    let mut out = engine_header(9);
    out.extend([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58]);
    let mut start = vec![1];
    start.extend(size.to_le_bytes());
    out.extend(&((start.len() as u32) << 3).to_le_bytes()[..3]);
    out.extend(start);
    // Blocks of one byte that is repeated.
    let blocks = (size as usize).div_ceil(BLOCK);
    for i in 0..blocks {
        let count = (size as usize - i * BLOCK).min(BLOCK) as u32;
        out.extend(&(count << 3 | 2 | u32::from(i + 1 == blocks)).to_le_bytes()[..3]);
        out.push(0);
    }
    out
}

/// A file in the `spec` dialect whose zlib stream repeats its first structure, a buffer of 5 bytes, `count` times: nothing
/// in it announces how large it will be. One stored block, then 258 bytes per code.
pub fn zlib_bomb(count: u32) -> Vec<u8> {
    let mut out = b"das2\0\0\0\0\0\0\0\0".to_vec();
    out.extend([0; 16]);
    out.push(6);
    out.extend([0x78, 0x01]);
    let start = [1_u8, 0, 0, 0, 0];
    out.extend([0, 5, 0, 0xFA, 0xFF]);
    out.extend(start);
    // A block of fixed codes: final, type 1. A match of 258 bytes is the code 285 (0xC5, 8 bits, most significant first);
    // a distance of 5 is the code 4 with one extra bit 0 (5 bits, then 1).
    let mut bits = BitWriter { out, bit: 0, byte: 0 };
    bits.push(1, 1);
    bits.push(1, 2);
    for _ in 0..count {
        bits.push_code(0xC5, 8);
        bits.push_code(4, 5);
        bits.push(0, 1);
    }
    bits.push_code(0, 7);
    let mut out = bits.done();
    // The checksum is never reached.
    out.extend([0; 4]);
    out
}

struct BitWriter {
    out: Vec<u8>,
    byte: u8,
    bit: u8,
}

impl BitWriter {
    /// The lowest bit first.
    fn push(&mut self, value: u32, count: u8) {
        for i in 0..count {
            self.byte |= ((value >> i & 1) as u8) << self.bit;
            self.bit += 1;
            if self.bit == 8 {
                self.out.push(self.byte);
                (self.byte, self.bit) = (0, 0);
            }
        }
    }

    /// The highest bit first, as Huffman codes are.
    fn push_code(&mut self, code: u32, count: u8) {
        for i in (0..count).rev() {
            self.push(code >> i & 1, 1);
        }
    }

    fn done(mut self) -> Vec<u8> {
        if self.bit > 0 {
            self.out.push(self.byte);
        }
        self.out
    }
}
