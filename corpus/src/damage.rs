//! Damaged copies of files, the same on every machine.

use crate::chance::Chance;

/// The copy of a file that has this number, damaged at one to three places.
pub fn damaged(file: &[u8], number: u64) -> Vec<u8> {
    let mut chance = Chance(number + 1);
    let mut bytes = file.to_vec();
    for _ in 0..=chance.below(3) {
        damage(&mut bytes, &mut chance);
    }
    bytes
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
