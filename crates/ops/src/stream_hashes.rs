//! Which vertices may be the same: a number for each, so that not every pair is compared.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use scene::{Attribute, Stream};

/// The same number for the same streams, and seldom for others. Bytes that are shared are looked at once.
#[derive(Default)]
pub struct StreamHashes {
    of_streams: HashMap<(usize, usize, usize), u64>,
}

impl StreamHashes {
    /// The number of some streams.
    pub fn of<'a>(&mut self, attributes: impl IntoIterator<Item = &'a Attribute>) -> u64 {
        let mut all = DefaultHasher::new();
        for Attribute { stream, .. } in attributes {
            let key = (stream.data().as_ptr().addr(), stream.len(), stream.encoding().stride);
            self.of_streams.entry(key).or_insert_with(|| of_elements(stream)).hash(&mut all);
        }
        all.finish()
    }
}

/// The number of what a stream says: what lies between its elements is not its own.
fn of_elements(stream: &Stream) -> u64 {
    let (data, encoding) = (stream.data(), stream.encoding());
    let size = encoding.element_size();
    let mut hasher = DefaultHasher::new();
    if encoding.stride == size {
        hasher.write(&data[..data.len().min(stream.len() * size)]);
    } else {
        let elements = (0..stream.len()).filter_map(|i| data.get(i * encoding.stride, size));
        elements.for_each(|element| hasher.write(&element));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use scene::{Component, Encoding, Semantic};
    use wire::Blob;

    use super::*;

    #[test]
    fn what_lies_between_elements_does_not_count() {
        let of = |bytes: &[u8], stride: usize| {
            let encoding = Encoding { stride, ..Encoding::packed(Component::U8, 2) };
            let stream = Stream::new(Blob::memory(bytes.to_vec()), 2, encoding);
            StreamHashes::default().of(&[Attribute { semantic: Semantic::TexCoord(0), stream }])
        };
        assert_eq!(of(&[1, 2, 3, 4], 2), of(&[1, 2, 9, 3, 4, 9], 3));
        assert_ne!(of(&[1, 2, 3, 4], 2), of(&[1, 2, 3, 5], 2));
    }
}
