//! Which vertices may be the same: a number for each, so that not every pair is compared.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use scene::Attribute;

/// The same number for the same streams, and seldom for others. Bytes that are shared are looked at once.
#[derive(Default)]
pub struct StreamHashes {
    of_bytes: HashMap<(usize, usize), u64>,
}

impl StreamHashes {
    /// The number of some streams.
    pub fn of<'a>(&mut self, attributes: impl IntoIterator<Item = &'a Attribute>) -> u64 {
        let mut all = DefaultHasher::new();
        for attribute in attributes {
            let bytes = attribute.stream.data();
            let of_bytes = self.of_bytes.entry((bytes.as_ptr().addr(), bytes.len())).or_insert_with(|| {
                let mut hasher = DefaultHasher::new();
                bytes[..].hash(&mut hasher);
                hasher.finish()
            });
            of_bytes.hash(&mut all);
        }
        all.finish()
    }
}
