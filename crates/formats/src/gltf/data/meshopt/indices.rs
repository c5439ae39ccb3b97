//! Indices: triangles by the edges and vertices that were seen last, or any numbers by their differences.

const TRIANGLES_HEADER: u8 = 0xE1;
const SEQUENCE_HEADER: u8 = 0xD1;
/// Bytes of the table behind triangles, and of the padding behind sequences.
const TABLE: usize = 16;
const PADDING: usize = 4;
/// From here on the low four bits of a code are no position among the vertices that were seen last.
const FREE: u8 = 13;

/// The last sixteen of something; `ago` 0 is the latest.
struct Recent<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(item: T) -> Recent<T> {
        Recent { items: [item; 16], next: 0 }
    }
    fn push(&mut self, item: T) {
        self.items[self.next] = item;
        self.next = (self.next + 1) % 16;
    }
    fn ago(&self, ago: u8) -> T {
        self.items[(self.next + 15 - usize::from(ago)) % 16]
    }
}

struct Differences<'a> {
    bytes: &'a [u8],
    last: u32,
}

impl Differences<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// Seven bits per byte, the lowest first, at most five bytes.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 127).checked_shl(shift).unwrap_or(0);
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn index(&mut self) -> Option<u32> {
        self.last = self.last.wrapping_add(unzigzag(self.number()?));
        Some(self.last)
    }
}

fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

pub(super) fn triangles(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let (&header, rest) = bytes.split_first()?;
    let (codes, rest) = rest.split_at_checked(count / 3)?;
    let (body, table) = rest.split_at_checked(rest.len().checked_sub(TABLE)?)?;
    if header != TRIANGLES_HEADER {
        return None;
    }
    let mut data = Differences { bytes: body, last: 0 };
    let mut edges = Recent::new((u32::MAX, u32::MAX));
    let mut vertices = Recent::new(u32::MAX);
    let mut next = 0_u32;
    let mut out = Vec::with_capacity(codes.len() * 3);
    for &code in codes {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let (a, b) = edges.ago(high);
            let c = match low {
                0 => fresh(&mut next),
                low if low < FREE => vertices.ago(low),
                13 => data.last.wrapping_sub(1),
                14 => data.last.wrapping_add(1),
                _ => data.index()?,
            };
            if low >= FREE {
                data.last = c;
            }
            if low == 0 || low >= FREE {
                vertices.push(c);
            }
            edges.push((c, b));
            edges.push((a, c));
            out.extend([a, b, c]);
            continue;
        }
        let coded = if low < 14 { table[usize::from(low)] } else { data.byte()? };
        let (second, third) = (coded >> 4, coded & 15);
        // Zero is in every table, so that spelt out it means a new start.
        if low >= 14 && coded == 0 {
            next = 0;
        }
        let named = |role: u8, next: &mut u32| match role {
            0 => fresh(next),
            15 if low >= 14 => 0,
            ago => vertices.ago(ago - 1),
        };
        let mut a = named(if low == 15 { 15 } else { 0 }, &mut next);
        let mut b = named(second, &mut next);
        let mut c = named(third, &mut next);
        if low >= 14 {
            for (role, slot) in [(if low == 15 { 15 } else { 0 }, &mut a), (second, &mut b), (third, &mut c)] {
                if role == 15 {
                    *slot = data.index()?;
                }
            }
        }
        vertices.push(a);
        for (role, vertex) in [(second, b), (third, c)] {
            if role == 0 || (role == 15 && low >= 14) {
                vertices.push(vertex);
            }
        }
        edges.push((b, a));
        edges.push((c, b));
        edges.push((a, c));
        out.extend([a, b, c]);
    }
    data.bytes.is_empty().then_some(out)
}

fn fresh(next: &mut u32) -> u32 {
    let index = *next;
    *next = next.wrapping_add(1);
    index
}

/// Numbers by their difference from the last one of two rows.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let (&header, rest) = bytes.split_first()?;
    let body = rest.get(..rest.len().checked_sub(PADDING)?)?;
    if header != SEQUENCE_HEADER || count > body.len() {
        return None;
    }
    let mut data = Differences { bytes: body, last: 0 };
    let mut last = [0_u32; 2];
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let number = data.number()?;
        let row = &mut last[(number & 1) as usize];
        *row = row.wrapping_add(unzigzag(number >> 1));
        out.push(*row);
    }
    data.bytes.is_empty().then_some(out)
}

/// Indices of two or four bytes each.
pub(super) fn pack(indices: &[u32], stride: usize) -> Vec<u8> {
    if stride == 2 {
        indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect()
    } else {
        indices.iter().flat_map(|&index| index.to_le_bytes()).collect()
    }
}
