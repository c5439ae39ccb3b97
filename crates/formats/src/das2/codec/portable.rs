//! zstd in Rust: slower, and it compresses with one level only, but it builds everywhere.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress};
use wire::Sink;

use super::{Codec, MAX_WINDOW_LOG, Room, Trouble};

pub(super) struct Portable(FrameDecoder);

impl Codec for Portable {
    fn new() -> Result<Portable, Trouble> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(1 << MAX_WINDOW_LOG);
        Ok(Portable(decoder))
    }

    fn inflate(&mut self, packed: &[u8], out: &mut Vec<u8>, room: &mut Room) -> Result<usize, Trouble> {
        let mut input = packed;
        let at = |input: &[u8]| packed.len() - input.len();
        let damaged = |at, error: &dyn std::fmt::Display| {
            let cut = at == packed.len();
            let why =
                if cut { "the zstd frame is cut short".into() } else { format!("the zstd frame is damaged: {error}") };
            Trouble::damaged(at, why)
        };
        self.0.reset(&mut input).map_err(|error| damaged(at(input), &error))?;
        while !self.0.is_finished() {
            room.check(out)?;
            let step = self.0.decode_blocks(&mut input, BlockDecodingStrategy::UptoBlocks(1));
            step.map_err(|error| damaged(at(input), &error))?;
            self.collect(out, room)?;
        }
        self.collect(out, room)?;
        if self.0.get_checksum_from_data() != self.0.get_calculated_checksum()
            && self.0.get_checksum_from_data().is_some()
        {
            return Err(Trouble::damaged(at(input), "the zstd frame is damaged: its checksum is another one"));
        }
        Ok(at(input))
    }

    fn deflate(body: &Sink, _: u8) -> io::Result<Vec<u8>> {
        let mut packed = Vec::new();
        let parts: Vec<&[u8]> = body.parts().collect();
        compress(Parts { parts: &parts, at: 0 }, &mut packed, CompressionLevel::Fastest);
        Ok(packed)
    }
}

impl Portable {
    fn collect(&mut self, out: &mut Vec<u8>, room: &mut Room) -> Result<(), Trouble> {
        let ready = self.0.can_collect();
        while out.capacity() - out.len() < ready {
            room.check(out)?;
            let more = ready.max(out.len());
            out.try_reserve_exact(more).map_err(|_| Trouble::TooLarge { limit: out.len() as u64 })?;
        }
        // Writing into a vector with room for everything cannot fail.
        _ = self.0.collect_to_writer(&mut *out);
        room.check(out)
    }
}

/// Slices one behind the other, the first one from a place in it on.
struct Parts<'a> {
    parts: &'a [&'a [u8]],
    at: usize,
}

impl Read for Parts<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some((first, rest)) = self.parts.split_first() {
            let left = &first[self.at..];
            if left.is_empty() {
                (self.parts, self.at) = (rest, 0);
                continue;
            }
            let size = left.len().min(into.len());
            into[..size].copy_from_slice(&left[..size]);
            self.at += size;
            return Ok(size);
        }
        Ok(0)
    }
}
