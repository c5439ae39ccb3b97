/// A number that goes into a file.
pub(crate) trait Number: Copy {
    /// Its bytes, the most significant first.
    fn put_be(self, out: &mut Vec<u8>);
    /// Its bytes, the least significant first.
    fn put_le(self, out: &mut Vec<u8>);
}

macro_rules! number {
    ($($T:ty),*) => {$(impl Number for $T {
        fn put_be(self, out: &mut Vec<u8>) {
            out.extend(self.to_be_bytes());
        }
        fn put_le(self, out: &mut Vec<u8>) {
            out.extend(self.to_le_bytes());
        }
    })*};
}
number!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

/// A file that is being built, field by field.
#[derive(Default)]
pub(crate) struct Bytes(Vec<u8>);

// Which of these a build needs depends on the byte orders of its formats.
#[allow(dead_code)]
impl Bytes {
    /// A big-endian number.
    pub(crate) fn be(&mut self, number: impl Number) -> &mut Bytes {
        number.put_be(&mut self.0);
        self
    }

    /// Big-endian numbers, one behind the other.
    pub(crate) fn be_all(&mut self, numbers: &[impl Number]) -> &mut Bytes {
        numbers.iter().for_each(|number| number.put_be(&mut self.0));
        self
    }

    /// A little-endian number.
    pub(crate) fn le(&mut self, number: impl Number) -> &mut Bytes {
        number.put_le(&mut self.0);
        self
    }

    /// Little-endian numbers, one behind the other.
    pub(crate) fn le_all(&mut self, numbers: &[impl Number]) -> &mut Bytes {
        numbers.iter().for_each(|number| number.put_le(&mut self.0));
        self
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Bytes {
        self.0.extend_from_slice(bytes);
        self
    }

    /// How many there are so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The file.
    pub(crate) fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// The same file with other bytes at one place: a recipe for a fault whose place is the recipe.
pub(crate) fn patch(mut file: Vec<u8>, offset: usize, bytes: &[u8]) -> Vec<u8> {
    file[offset..offset + bytes.len()].copy_from_slice(bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_arrive_in_the_order_that_was_asked_for() {
        let file = Bytes::default().be(0x0102_i16).le(0x0102_i16).be(1.0_f32).le_all(&[3_u8, 4]).raw(b"x").done();
        assert_eq!(file, [1, 2, 2, 1, 0x3f, 0x80, 0, 0, 3, 4, b'x']);
        assert_eq!(patch(file, 1, &[9, 9])[..4], [1, 9, 9, 1]);
    }
}
