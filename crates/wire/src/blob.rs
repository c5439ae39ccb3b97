use std::fmt;
use std::ops::{Deref, RangeBounds};

use bytes::Bytes;

use crate::{Space, Span};

/// Shared bytes that know where they came from: cheap to clone, cheap to slice, without a lifetime.
///
/// The owner may be a vector, a memory map, an inflated body or a browser's buffer. Two blobs are equal when their
/// bytes are.
#[derive(Clone, Default)]
pub struct Blob {
    bytes: Bytes,
    space: Space,
    offset: u64,
}

impl Blob {
    /// The bytes of a whole file.
    pub fn file(bytes: impl Into<Bytes>) -> Blob {
        Blob { bytes: bytes.into(), space: Space::File, offset: 0 }
    }

    /// The bytes of a whole file, kept by `owner`: a memory map, for instance.
    pub fn file_of(owner: impl AsRef<[u8]> + Send + 'static) -> Blob {
        Blob::file(Bytes::from_owner(owner))
    }

    /// What a compressed body inflated to.
    pub fn inflated(bytes: impl Into<Bytes>) -> Blob {
        Blob { bytes: bytes.into(), space: Space::Inflated, offset: 0 }
    }

    /// Bytes made in memory.
    pub fn memory(bytes: impl Into<Bytes>) -> Blob {
        Blob { bytes: bytes.into(), space: Space::Memory, offset: 0 }
    }

    /// A part of these bytes, shared, that still knows its place.
    ///
    /// # Panics
    /// If the range lies outside; a reader checks before it slices.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Blob {
        let start = match range.start_bound() {
            std::ops::Bound::Included(&n) => n,
            std::ops::Bound::Excluded(&n) => n + 1,
            std::ops::Bound::Unbounded => 0,
        };
        Blob { bytes: self.bytes.slice(range), space: self.space, offset: self.offset + start as u64 }
    }

    /// A part of these bytes, or nothing if it does not lie inside them.
    pub fn get(&self, offset: usize, size: usize) -> Option<Blob> {
        let end = offset.checked_add(size)?;
        (end <= self.len()).then(|| self.slice(offset..end))
    }

    /// Where these bytes are.
    pub fn span(&self) -> Span {
        Span { space: self.space, offset: self.offset, size: self.bytes.len() as u64 }
    }

    /// The shared bytes themselves.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

impl Deref for Blob {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Blob) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Blob {}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        Blob::memory(bytes)
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({})", self.span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slice_of_a_slice_knows_its_place() {
        let file = Blob::file(vec![0, 1, 2, 3, 4, 5, 6, 7]);
        let part = file.slice(2..7).slice(1..3);
        assert_eq!(&part[..], [3, 4]);
        assert_eq!(part.span(), Span::file(3, 2));
    }

    #[test]
    fn get_outside_is_nothing() {
        let file = Blob::file(vec![0; 8]);
        assert!(file.get(8, 0).is_some());
        assert!(file.get(7, 2).is_none());
        assert!(file.get(usize::MAX, 2).is_none());
    }
}
