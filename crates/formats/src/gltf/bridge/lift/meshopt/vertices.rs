//! Vertices: each byte of an element is its difference from the same byte of the element before, in blocks that have all
//! first bytes, then all second ones, and so on.

const HEADER: u8 = 0xA0;
/// Bytes that a block may inflate to, and elements that it may have.
const BLOCK_BYTES: usize = 8192;
const BLOCK_ELEMENTS: usize = 256;
/// Elements whose differences are packed alike.
const GROUP: usize = 16;
/// The end of the stream has at least so many bytes; the last of them are the element before the first.
const TAIL: usize = 32;

pub(super) fn inflate(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (&header, rest) = bytes.split_first()?;
    let body_size = rest.len().checked_sub(stride.max(TAIL))?;
    if header != HEADER {
        return None;
    }
    // A group of zeros takes two bits, so a stream cannot say more than so many elements.
    let most = rest.len().checked_mul(4 * GROUP)? / stride;
    if count > most {
        return None;
    }
    let (mut body, tail) = rest.split_at(body_size);
    let mut last = tail[tail.len() - stride..].to_vec();
    let mut out = vec![0; count.checked_mul(stride)?];
    let block = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS);
    for rows in out.chunks_mut(block * stride) {
        let elements = rows.len() / stride;
        for k in 0..stride {
            let mut differences = [0; BLOCK_ELEMENTS];
            unpack(&mut body, elements, &mut differences)?;
            let mut value = last[k];
            for (row, difference) in rows.chunks_exact_mut(stride).zip(differences) {
                value = value.wrapping_add(unzigzag(difference));
                row[k] = value;
            }
            last[k] = value;
        }
    }
    body.is_empty().then_some(out)
}

fn unzigzag(byte: u8) -> u8 {
    (byte >> 1) ^ (byte & 1).wrapping_neg()
}

fn take<'a>(body: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (part, rest) = body.split_at_checked(count)?;
    *body = rest;
    Some(part)
}

/// One byte of every element: two bits per group say how it is packed.
fn unpack(body: &mut &[u8], elements: usize, out: &mut [u8; BLOCK_ELEMENTS]) -> Option<()> {
    let groups = elements.div_ceil(GROUP);
    let modes = take(body, groups.div_ceil(4))?;
    for (group, out) in out.chunks_exact_mut(GROUP).take(groups).enumerate() {
        match modes[group / 4] >> (group % 4 * 2) & 3 {
            0 => out.fill(0),
            1 => unpack_group::<2>(body, out)?,
            2 => unpack_group::<4>(body, out)?,
            _ => out.copy_from_slice(take(body, GROUP)?),
        }
    }
    Some(())
}

/// Differences of so many bits, the first in the highest; all bits set mean that a whole byte follows behind them.
fn unpack_group<const BITS: usize>(body: &mut &[u8], out: &mut [u8]) -> Option<()> {
    let packed = take(body, GROUP * BITS / 8)?;
    let escape = (1 << BITS) - 1;
    for (i, out) in out.iter_mut().enumerate() {
        let at = i * BITS;
        let small = packed[at / 8] >> (8 - BITS - at % 8) & escape;
        *out = if small == escape { take(body, 1)?[0] } else { small };
    }
    Some(())
}
