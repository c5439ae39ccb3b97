//! Bulk data: a list of shared pieces per buffer, never one long array.

use wire::Blob;

use crate::gltf::schema::{Buffer, BufferView};

/// Every view starts at a multiple of this: the largest component glTF has.
const ALIGNMENT: usize = 4;

pub(super) struct Buffers {
    /// A buffer ends before a view that would cross this.
    limit: u64,
    buffers: Vec<(u64, Vec<Blob>)>,
    views: Vec<BufferView>,
    /// Of each view.
    bytes: Vec<Blob>,
}

impl Buffers {
    pub(super) fn new(limit: u64) -> Buffers {
        Buffers { limit, buffers: Vec::new(), views: Vec::new(), bytes: Vec::new() }
    }

    /// Appends bytes, and gives back the position of their view.
    pub(super) fn add(&mut self, bytes: Blob, target: Option<u32>, stride: Option<usize>) -> usize {
        let size = bytes.len().next_multiple_of(ALIGNMENT);
        let room = self.buffers.last().is_some_and(|(used, _)| used + size as u64 <= self.limit);
        if !room {
            self.buffers.push((0, Vec::new()));
        }
        let buffer = self.buffers.len() - 1;
        let (used, parts) = &mut self.buffers[buffer];
        self.views.push(BufferView {
            buffer,
            byte_offset: (*used > 0).then_some(*used as usize),
            byte_length: bytes.len(),
            byte_stride: stride,
            target,
            ..BufferView::default()
        });
        let padding = size - bytes.len();
        self.bytes.push(bytes.clone());
        parts.push(bytes);
        if padding > 0 {
            parts.push(Blob::memory(&[0; ALIGNMENT - 1][..padding]));
        }
        *used += size as u64;
        self.views.len() - 1
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: usize) -> Option<&Blob> {
        self.bytes.get(view)
    }

    /// Bytes from one element of a view to the next, if that says so.
    pub(super) fn stride(&self, view: usize) -> Option<usize> {
        self.views.get(view)?.byte_stride
    }

    /// The views, and every buffer with its pieces.
    pub(super) fn finish(self) -> (Vec<BufferView>, Vec<(Buffer, Vec<Blob>)>) {
        let buffer = |(used, parts)| (Buffer { byte_length: used as usize, ..Buffer::default() }, parts);
        (self.views, self.buffers.into_iter().map(buffer).collect())
    }
}
