//! Vertices: each byte of an element is its difference from the same byte of the element before, in blocks that have all
//! first bytes, then all second ones, and so on. The second version packs differences in more ways, and takes them of
//! numbers of two or four bytes.

/// How a version is packed.
struct Version {
    header: u8,
    /// The end of the stream has at least so many bytes; the last of them are the element before the first, and the
    /// modes of its channels.
    tail: usize,
    has_modes: bool,
}

const VERSIONS: [Version; 2] =
    [Version { header: 0xA0, tail: 32, has_modes: false }, Version { header: 0xA1, tail: 24, has_modes: true }];
/// Bytes that a block may inflate to, and elements that it may have.
const BLOCK_BYTES: usize = 8192;
const BLOCK_ELEMENTS: usize = 256;
/// Elements whose differences are packed alike.
const GROUP: usize = 16;
/// Bytes of an element whose differences are of one kind.
const CHANNEL: usize = 4;

/// One byte of the elements of a block.
type Plane = [u8; BLOCK_ELEMENTS];

/// What the differences in four bytes of an element are of.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Shorts,
    /// What changed in four bytes, turned by so many bits.
    Bits(u32),
}

impl Channel {
    fn of(mode: u8) -> Option<Channel> {
        match (mode & 15, mode >> 4) {
            (0, 0) => Some(Channel::Bytes),
            (1, 0) => Some(Channel::Shorts),
            (2, turn) => Some(Channel::Bits(turn.into())),
            _ => None,
        }
    }

    /// The four bytes behind the last ones.
    fn next(self, last: [u8; CHANNEL], difference: [u8; CHANNEL]) -> [u8; CHANNEL] {
        match self {
            Channel::Bytes => std::array::from_fn(|k| {
                let difference = difference[k];
                last[k].wrapping_add((difference >> 1) ^ (difference & 1).wrapping_neg())
            }),
            Channel::Shorts => {
                let next = |k: usize| {
                    let [last, difference] = [last, difference].map(|b| u16::from_le_bytes([b[k], b[k + 1]]));
                    last.wrapping_add((difference >> 1) ^ (difference & 1).wrapping_neg()).to_le_bytes()
                };
                let ([a, b], [c, d]) = (next(0), next(2));
                [a, b, c, d]
            }
            Channel::Bits(turn) => {
                // What was turned left to be stored is turned back.
                (u32::from_le_bytes(last) ^ u32::from_le_bytes(difference).rotate_right(turn)).to_le_bytes()
            }
        }
    }
}

pub(super) fn inflate(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (header, rest) = bytes.split_first()?;
    let version = VERSIONS.iter().find(|version| version.header == *header)?;
    let modes = if version.has_modes { stride / CHANNEL } else { 0 };
    let body_size = rest.len().checked_sub((stride + modes).max(version.tail))?;
    // A stream cannot say more elements than this: a group of zeros takes two bits of each byte, or a block of them two.
    let (elements, size) = if version.has_modes { (BLOCK_ELEMENTS, stride / 4) } else { (4 * GROUP, stride) };
    if count > rest.len().checked_mul(elements)? / size.max(1) {
        return None;
    }
    let (mut body, tail) = rest.split_at(body_size);
    let (first, modes) = tail[tail.len() - stride - modes..].split_at(stride);
    let channels: Vec<Channel> = match version.has_modes {
        true => modes.iter().map(|mode| Channel::of(*mode)).collect::<Option<_>>()?,
        false => vec![Channel::Bytes; stride / CHANNEL],
    };
    let mut last = first.to_vec();
    let mut out = vec![0; count.checked_mul(stride)?];
    let block = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS);
    for rows in out.chunks_mut(block * stride) {
        let elements = rows.len() / stride;
        let controls = if version.has_modes { Some(take(&mut body, stride / 4)?) } else { None };
        for (channel, at) in channels.iter().zip((0..stride).step_by(CHANNEL)) {
            let mut planes: [Plane; CHANNEL] = [[0; BLOCK_ELEMENTS]; CHANNEL];
            for (k, plane) in planes.iter_mut().enumerate() {
                let control = controls.map(|controls| controls[at / 4] >> (k * 2) & 3);
                unpack(&mut body, elements, control, plane)?;
            }
            let mut value: [u8; CHANNEL] = last[at..at + CHANNEL].try_into().ok()?;
            for (i, row) in rows.chunks_exact_mut(stride).enumerate() {
                value = channel.next(value, std::array::from_fn(|k| planes[k][i]));
                row[at..at + CHANNEL].copy_from_slice(&value);
            }
            last[at..at + CHANNEL].copy_from_slice(&value);
        }
    }
    body.is_empty().then_some(out)
}

fn take<'a>(body: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (part, rest) = body.split_at_checked(count)?;
    *body = rest;
    Some(part)
}

/// One byte of every element: two bits per group say how it is packed. What those bits mean is said for the block, but in
/// the first version.
fn unpack(body: &mut &[u8], elements: usize, control: Option<u8>, out: &mut Plane) -> Option<()> {
    let widths: [u8; 4] = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => return Some(()),
        Some(_) => {
            out[..elements].copy_from_slice(take(body, elements)?);
            return Some(());
        }
    };
    let groups = elements.div_ceil(GROUP);
    let modes = take(body, groups.div_ceil(4))?;
    for (group, out) in out.chunks_exact_mut(GROUP).take(groups).enumerate() {
        match widths[usize::from(modes[group / 4] >> (group % 4 * 2) & 3)] {
            0 => out.fill(0),
            1 => unpack_group::<1>(body, out)?,
            2 => unpack_group::<2>(body, out)?,
            4 => unpack_group::<4>(body, out)?,
            _ => out.copy_from_slice(take(body, GROUP)?),
        }
    }
    Some(())
}

/// Differences of so many bits, the first in the highest, single bits in the lowest; all bits set mean that a whole byte
/// follows behind them.
fn unpack_group<const BITS: usize>(body: &mut &[u8], out: &mut [u8]) -> Option<()> {
    let packed = take(body, GROUP * BITS / 8)?;
    let escape = (1 << BITS) - 1;
    for (i, out) in out.iter_mut().enumerate() {
        let at = i * BITS;
        let shift = if BITS == 1 { at % 8 } else { 8 - BITS - at % 8 };
        let small = packed[at / 8] >> shift & escape;
        *out = if small == escape { take(body, 1)?[0] } else { small };
    }
    Some(())
}
