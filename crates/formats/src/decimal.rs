//! Numbers as text: the fewest digits that are read back as the same number.

/// Appends a number; whole ones without a point.
#[inline]
pub(crate) fn push_float<F: zmij::Float>(out: &mut Vec<u8>, number: F) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(number).as_bytes();
    out.extend_from_slice(text.strip_suffix(b".0").unwrap_or(text));
}

/// Appends a whole number.
#[inline]
#[cfg(any(feature = "obj", feature = "ply"))]
pub(crate) fn push_int<I: itoa::Integer>(out: &mut Vec<u8>, number: I) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f32) -> String {
        let mut out = Vec::new();
        push_float(&mut out, number);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let cases = [(0., "0"), (-0., "-0"), (1., "1"), (0.1, "0.1"), (-16.5, "-16.5"), (1. / 3., "0.33333334")];
        for (number, expected) in cases {
            assert_eq!(text(number), expected);
        }
    }

    #[test]
    fn every_number_comes_back() {
        for bits in (0..=u32::MAX).step_by(99_991) {
            let number = f32::from_bits(bits);
            let again: f32 = text(number).parse().unwrap();
            assert!(again.to_bits() == bits || (again.is_nan() && number.is_nan()), "{number}");
        }
    }
}
