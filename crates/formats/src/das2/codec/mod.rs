//! Compressed bodies: zlib streams and zstd frames, behind one interface that never takes more room than it may.
//!
//! zlib is `zlib-rs`. zstd is the library itself where the feature `zstd` is on (it needs a C compiler), and `ruzstd`
//! elsewhere; both pass the same tests.

mod frames;
#[cfg(feature = "zstd")]
mod native;
#[cfg(any(test, not(feature = "zstd")))]
mod portable;
mod zlib;

use std::ops::Range;

use wire::{Limits, Sink};

#[cfg(feature = "zstd")]
use native::Native as Zstd;
#[cfg(not(feature = "zstd"))]
use portable::Portable as Zstd;

/// What compressed bytes hold.
#[derive(Debug, Default)]
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// The last frame, if nothing is in it and others come before it.
    pub(super) empty_frame: Option<Range<usize>>,
}

/// Why bytes cannot be inflated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// They are no such stream from this byte on.
    Damaged { at: usize, why: String },
    /// They hold more than may be held.
    TooLarge { limit: u64 },
}

impl Trouble {
    fn damaged(at: usize, why: impl Into<String>) -> Trouble {
        Trouble::Damaged { at, why: why.into() }
    }
}

/// Whether bytes start like a zlib stream: the first two say so, which one raw body in 500 does by chance.
pub(super) fn is_zlib(bytes: &[u8]) -> bool {
    let Some(&[method, flags]) = bytes.first_chunk::<2>() else { return false };
    method & 0x0F == 8 && method >> 4 <= 7 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
}

pub(super) use frames::is_zstd;

/// Inflates one zlib stream that fills all of `packed`.
pub(super) fn inflate_zlib(packed: &[u8], limits: &Limits) -> Result<Inflated, Trouble> {
    let mut room = Room::new(packed.len(), limits);
    let bytes = zlib::inflate(packed, &mut room)?;
    Ok(Inflated { bytes, empty_frame: None })
}

/// Inflates the zstd frames that fill all of `packed`.
pub(super) fn inflate_zstd(packed: &[u8], limits: &Limits) -> Result<Inflated, Trouble> {
    frames::inflate::<Zstd>(packed, &mut Room::new(packed.len(), limits))
}

/// Whether a reader with the usual limits inflates so many bytes out of so few.
pub(super) fn is_expected(inflated: u64, packed: usize) -> bool {
    inflated <= Room::new(packed, &Limits::default()).limit
}

/// Compresses everything in `body` to one zlib stream.
pub(super) fn deflate_zlib(body: &Sink, level: u8) -> std::io::Result<Vec<u8>> {
    zlib::deflate(body, level)
}

/// Compresses everything in `body` to one zstd frame.
pub(super) fn deflate_zstd(body: &Sink, level: u8) -> std::io::Result<Vec<u8>> {
    Zstd::deflate(body, level)
}

/// One way to do zstd.
trait Codec: Sized {
    /// Ready for frames whose windows are no larger than [`MAX_WINDOW_LOG`] allows.
    fn new() -> Result<Self, Trouble>;
    /// Inflates the frame that `packed` starts with; answers how many bytes it takes.
    fn inflate(&mut self, packed: &[u8], out: &mut Vec<u8>, room: &mut Room) -> Result<usize, Trouble>;
    fn deflate(body: &Sink, level: u8) -> std::io::Result<Vec<u8>>;
}

/// Level 22 of zstd uses windows of 128 MiB.
const MAX_WINDOW_LOG: u32 = 27;

/// Whatever its ratio, a body may be this large: a small model of one value compresses without end.
const RATIO_FROM: u64 = 16 << 20;

/// The first output comes in a piece of this size; what it announces is checked before more is made.
const FIRST_PIECE: usize = 64 << 10;

/// How much may still be inflated.
struct Room {
    limit: u64,
    looked: bool,
}

impl Room {
    fn new(packed: usize, limits: &Limits) -> Room {
        let by_ratio = (packed as u64).saturating_mul(limits.max_ratio).max(RATIO_FROM);
        Room { limit: limits.max_inflate.min(by_ratio), looked: false }
    }

    /// Makes room behind `out`, unless the limit is reached or what is there announces that it will be.
    fn grow(&mut self, out: &mut Vec<u8>) -> Result<(), Trouble> {
        self.check(out)?;
        if out.len() < out.capacity() {
            return Ok(());
        }
        let left = usize::try_from(self.limit).unwrap_or(usize::MAX).saturating_sub(out.len());
        // One byte more than allowed, so that a body of exactly the limit ends before it is noticed.
        let more = out.len().max(FIRST_PIECE).min(left.saturating_add(1));
        out.try_reserve_exact(more).map_err(|_| Trouble::TooLarge { limit: out.len() as u64 })
    }

    fn check(&mut self, out: &[u8]) -> Result<(), Trouble> {
        let too_large = Err(Trouble::TooLarge { limit: self.limit });
        if out.len() as u64 > self.limit {
            return too_large;
        }
        // A body mostly begins with its buffer, and that with its length.
        if !self.looked
            && let Some(&[structure, a, b, c, d]) = out.first_chunk::<5>()
        {
            self.looked = true;
            if structure <= 1 && u64::from(u32::from_le_bytes([a, b, c, d])) + 5 > self.limit {
                return too_large;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
