//! What must hold for any bytes at all, on samples and on samples that were damaged. The fuzz targets run the same
//! code on what libFuzzer makes up; this is the part of it that needs no nightly toolchain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pentad::formats;

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // It is public in the fuzz crate.
mod any_bytes;

/// Damaged copies of each sample; enough to meet every field of the small ones.
const COPIES: u64 = 200;

#[test]
fn samples_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| is_readable(sample.format)) {
        run(sample, "as it is", &(sample.bytes)());
    }
}

#[test]
fn damaged_samples_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| is_readable(sample.format)) {
        let whole = (sample.bytes)();
        for copy in 0..COPIES {
            let mut chance = Chance(copy + 1);
            let mut bytes = whole.clone();
            for _ in 0..=chance.below(3) {
                damage(&mut bytes, &mut chance);
            }
            run(sample, &format!("damaged copy {copy}"), &bytes);
        }
    }
}

/// In text, most numbers are links: to a parent, a list, a span. One more or less leads to a neighbour.
#[test]
fn numbers_that_are_one_off_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| sample.format == "gltf" || sample.format == "glb") {
        let whole = (sample.bytes)();
        let digits = (0..whole.len().min(1 << 14)).filter(|at| whole[*at].is_ascii_digit());
        for (at, by) in digits.flat_map(|at| [(at, 1), (at, 9)]) {
            let mut bytes = whole.clone();
            bytes[at] = b'0' + (bytes[at] - b'0' + by) % 10;
            run(sample, &format!("with another digit at {at}"), &bytes);
        }
    }
}

fn is_readable(format: &str) -> bool {
    formats::by_id(format).is_some_and(|format| format.info().read)
}

fn run(sample: &corpus::Sample, which: &str, bytes: &[u8]) {
    let found = catch_unwind(AssertUnwindSafe(|| any_bytes::run(sample.format, bytes)));
    if found.is_err() {
        let hex: String = bytes.iter().take(512).map(|byte| format!("{byte:02x}")).collect();
        panic!("{} sample {:?}, {which}, {} bytes: {hex}", sample.format, sample.name, bytes.len());
    }
}

/// Numbers that readers stumble over.
const NUMBERS: [i64; 12] = [0, 1, -1, 2, 127, 255, 32767, 65535, 0x7FFF_FFFF, -0x8000_0000, 0x7F80_0000, i64::MAX];

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let end = bytes.len().min(at + 1 + chance.below(16));
    match chance.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.extend_from_within(at..end),
        3 => drop(bytes.splice(at..at, [chance.byte(), chance.byte()])),
        4 => bytes[at..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << chance.below(8)),
        5 => bytes[at..end].iter_mut().for_each(|byte| *byte = chance.byte()),
        _ => {
            let number = NUMBERS[chance.below(NUMBERS.len())];
            let width = [1, 2, 4, 8][chance.below(4)];
            let (little, big) = (number.to_le_bytes(), number.to_be_bytes());
            let number = if chance.below(2) == 0 { &little[..width] } else { &big[8 - width..] };
            bytes.iter_mut().skip(at).zip(number).for_each(|(byte, new)| *byte = *new);
        }
    }
}

/// The same numbers on every machine: splitmix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }
    /// Below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
