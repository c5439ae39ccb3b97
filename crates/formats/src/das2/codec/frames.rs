//! Frames one behind the other. Boost, with which the library compresses, ends most streams with an empty one.

use super::{Codec, Inflated, Room, Trouble};

const MAGIC: u32 = 0xFD2F_B528;

/// The lowest of sixteen numbers that start a frame whose content is no data.
const SKIPPABLE: u32 = 0x184D_2A50;

/// Whether bytes start like a zstd frame of either kind.
pub(in super::super) fn is_zstd(bytes: &[u8]) -> bool {
    magic(bytes).is_some_and(|magic| magic == MAGIC || is_skippable(magic))
}

fn magic(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

fn is_skippable(magic: u32) -> bool {
    magic & !0xF == SKIPPABLE
}

pub(super) fn inflate<C: Codec>(packed: &[u8], room: &mut Room) -> Result<Inflated, Trouble> {
    let mut codec = C::new()?;
    let mut all = Inflated::default();
    let mut at = 0;
    while at < packed.len() {
        let rest = &packed[at..];
        let used = match magic(rest) {
            Some(magic) if is_skippable(magic) => skippable(rest).ok_or_else(|| cut(at))?,
            Some(MAGIC) => {
                let before = all.bytes.len();
                let used = codec.inflate(rest, &mut all.bytes, room).map_err(|trouble| later(trouble, at))?;
                let empty = all.bytes.len() == before && before > 0;
                all.empty_frame = empty.then_some(at..at + used);
                used
            }
            _ => return Err(Trouble::damaged(at, "bytes that are no zstd frame follow the last one")),
        };
        at += used;
    }
    Ok(all)
}

fn cut(at: usize) -> Trouble {
    Trouble::damaged(at, "the zstd frame is cut short")
}

fn skippable(frame: &[u8]) -> Option<usize> {
    let size = u32::from_le_bytes(*frame.get(4..)?.first_chunk()?) as usize;
    let end = size.checked_add(8)?;
    (end <= frame.len()).then_some(end)
}

fn later(trouble: Trouble, by: usize) -> Trouble {
    match trouble {
        Trouble::Damaged { at, why } => Trouble::Damaged { at: at + by, why },
        other => other,
    }
}
