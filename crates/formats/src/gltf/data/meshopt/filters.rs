//! What is done to inflated vertices: unit vectors, rotations and floats are stored so that they compress well.

/// Unit vectors as points of an octahedron, in bytes; the third number is what stands for 1, the fourth stays.
pub(super) fn octahedral_bytes(bytes: &mut [u8]) {
    for row in bytes.as_chunks_mut::<4>().0 {
        let [x, y, z] = unfold([row[0], row[1], row[2]].map(|v| f32::from(v as i8)), f32::from(i8::MAX));
        [row[0], row[1], row[2]] = [x, y, z].map(|v| v as i8 as u8);
    }
}

/// The same in 16 bits.
pub(super) fn octahedral_shorts(bytes: &mut [u8]) {
    for row in bytes.as_chunks_mut::<8>().0 {
        let numbers = shorts(row);
        let [x, y, z] = unfold([0, 1, 2].map(|k| f32::from(numbers[k])), f32::from(i16::MAX));
        put_shorts(row, [x as i16, y as i16, z as i16, numbers[3]]);
    }
}

/// A point of the octahedron as vector of length `one`.
fn unfold([x, y, whole]: [f32; 3], one: f32) -> [f32; 3] {
    let z = whole - x.abs() - y.abs();
    let fold = z.min(0.);
    let x = x + if x >= 0. { fold } else { -fold };
    let y = y + if y >= 0. { fold } else { -fold };
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|v| round(v * (one / length)))
}

/// Half away from zero, by adding and cutting off.
fn round(value: f32) -> f32 {
    (value + if value >= 0. { 0.5 } else { -0.5 }).trunc()
}

/// Rotations by three of their numbers: the largest is left out, the last two bits of the fourth say which one it was,
/// the others what stands for √½.
pub(super) fn quaternion(bytes: &mut [u8]) {
    let one = f32::from(i16::MAX);
    for row in bytes.as_chunks_mut::<8>().0 {
        let numbers = shorts(row);
        let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(numbers[3] | 3);
        let [x, y, z] = [0, 1, 2].map(|k| f32::from(numbers[k]) * scale);
        let w = (1. - x * x - y * y - z * z).max(0.).sqrt();
        let largest = (numbers[3] & 3) as usize;
        let mut out = [0; 4];
        for (k, value) in [w, x, y, z].into_iter().enumerate() {
            out[(largest + k) % 4] = round(value * one) as i16;
        }
        put_shorts(row, out);
    }
}

/// Floats as whole numbers of 24 bits times a power of two.
pub(super) fn exponential(bytes: &mut [u8]) {
    /// What is added to the exponent of a float.
    const BIAS: i32 = 127;
    for row in bytes.as_chunks_mut::<4>().0 {
        let number = i32::from_le_bytes(*row);
        let (mantissa, exponent) = (number << 8 >> 8, number >> 24);
        let power = f32::from_bits(((exponent + BIAS) as u32) << 23);
        *row = (power * mantissa as f32).to_le_bytes();
    }
}

/// Colours as brightness and two differences, with the alpha in one bit less: its highest bit says of how many bits
/// each number is.
pub(super) fn color_bytes(bytes: &mut [u8]) {
    for row in bytes.as_chunks_mut::<4>().0 {
        let numbers = [row[0].into(), (row[1] as i8).into(), (row[2] as i8).into(), row[3].into()];
        *row = color(numbers, u8::MAX.into()).map(|v| v as u8);
    }
}

/// The same in 16 bits.
pub(super) fn color_shorts(bytes: &mut [u8]) {
    for row in bytes.as_chunks_mut::<8>().0 {
        let [y, co, cg, a] = shorts(row);
        let numbers = [(y as u16).into(), co.into(), cg.into(), (a as u16).into()];
        put_shorts(row, color(numbers, u16::MAX.into()).map(|v| v as u16 as i16));
    }
}

fn color([y, orange, green, alpha]: [i32; 4], one: f32) -> [f32; 4] {
    let bits = i32::BITS - alpha.leading_zeros();
    let whole = (1 << bits) - 1;
    let a = alpha & (whole >> 1);
    let scale = if whole == 0 { 0. } else { one / whole as f32 };
    [y + orange - green, y + green, y - orange - green, a << 1 | a & 1].map(|v| round(v as f32 * scale))
}

fn shorts(row: &[u8; 8]) -> [i16; 4] {
    std::array::from_fn(|k| i16::from_le_bytes([row[k * 2], row[k * 2 + 1]]))
}

fn put_shorts(row: &mut [u8; 8], numbers: [i16; 4]) {
    for (out, number) in row.as_chunks_mut::<2>().0.iter_mut().zip(numbers) {
        *out = number.to_le_bytes();
    }
}
