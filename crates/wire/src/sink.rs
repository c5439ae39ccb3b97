use std::io;
use std::ops::Range;

use zerocopy::{BE, IntoBytes, LE};

use crate::{Blob, Fault, FaultKind, Fixed, Layout, Order, Space, Span};

/// Where a document is written to: a list of pieces, of which long ones are shared with their source and not copied.
#[derive(Default)]
pub struct Sink {
    parts: Vec<Part>,
    scratch: Vec<u8>,
    size: u64,
}

enum Part {
    Scratch(Range<usize>),
    Shared(Blob),
}

/// Below this, copying is cheaper than remembering a part.
const SHARE_FROM: usize = 4096;

/// Bytes written before their value was known.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    start: usize,
    size: usize,
}

impl Sink {
    /// Bytes written so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let start = self.scratch.len();
        self.scratch.extend_from_slice(bytes);
        self.size += bytes.len() as u64;
        match self.parts.last_mut() {
            Some(Part::Scratch(range)) if range.end == start => range.end = self.scratch.len(),
            _ => self.parts.push(Part::Scratch(start..self.scratch.len())),
        }
    }

    /// Appends shared bytes.
    pub fn blob(&mut self, blob: &Blob) {
        if blob.len() < SHARE_FROM {
            return self.bytes(blob);
        }
        self.size += blob.len() as u64;
        self.parts.push(Part::Shared(blob.clone()));
    }

    /// Appends everything that another sink holds.
    pub fn append(&mut self, other: Sink) {
        for part in &other.parts {
            match part {
                Part::Scratch(range) => self.bytes(&other.scratch[range.clone()]),
                Part::Shared(blob) => self.blob(blob),
            }
        }
    }

    /// Leaves room for a value that is known later.
    pub fn reserve(&mut self, size: usize) -> Mark {
        let start = self.scratch.len();
        self.bytes(&vec![0; size]);
        Mark { start, size }
    }

    /// Fills the room.
    ///
    /// # Panics
    /// If the bytes are not as many as the room.
    pub fn patch(&mut self, mark: Mark, bytes: &[u8]) {
        self.scratch[mark.start..mark.start + mark.size].copy_from_slice(bytes);
    }

    /// The pieces, in order.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| match part {
            Part::Scratch(range) => &self.scratch[range.clone()],
            Part::Shared(blob) => blob,
        })
    }

    /// Everything in one piece.
    pub fn into_vec(self) -> Vec<u8> {
        if let [Part::Scratch(_)] = self.parts.as_slice() {
            return self.scratch;
        }
        let mut all = Vec::with_capacity(usize::try_from(self.size).unwrap_or(0));
        self.parts().for_each(|part| all.extend_from_slice(part));
        all
    }

    /// Writes everything to `out`.
    ///
    /// # Errors
    /// What `out` answers.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.parts().try_for_each(|part| out.write_all(part))
    }
}

/// The mirror of [`crate::Reader`].
pub struct Writer<'s> {
    sink: &'s mut Sink,
    order: Order,
}

impl<'s> Writer<'s> {
    /// Writes into `sink`, numbers in `order`.
    pub fn new(sink: &'s mut Sink, order: Order) -> Writer<'s> {
        Writer { sink, order }
    }

    /// The byte order of every number.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Where the next byte goes.
    pub fn here(&self) -> Span {
        Span { space: Space::File, offset: self.sink.size(), size: 0 }
    }

    /// What is written into.
    pub fn sink(&mut self) -> &mut Sink {
        self.sink
    }

    /// Appends a value of fixed size.
    #[inline]
    pub fn fixed<T: Fixed>(&mut self, value: T) {
        match self.order {
            Order::Little => self.sink.bytes(value.to_wire::<LE>().as_bytes()),
            Order::Big => self.sink.bytes(value.to_wire::<BE>().as_bytes()),
        }
    }

    /// Appends shared bytes.
    pub fn blob(&mut self, blob: &Blob) {
        self.sink.blob(blob);
    }

    /// Writes the field `name`; its name goes into the path of any fault.
    ///
    /// # Errors
    /// What `write` answers.
    pub fn field(&mut self, name: &str, write: impl FnOnce(&mut Writer<'s>) -> Result<(), Fault>) -> Result<(), Fault> {
        write(self).map_err(|fault| fault.inside(name))
    }

    /// Refuses a length that is not the one announced.
    ///
    /// # Errors
    /// If `len` is not `count`.
    pub fn counted(&self, len: usize, count: usize, counted_by: &'static str) -> Result<(), Fault> {
        if len == count {
            return Ok(());
        }
        let expected = format!("{count} elements, as {counted_by} says");
        Err(Fault::new(FaultKind::Value { expected, found: len.to_string() }, self.here()))
    }

    /// Fills room that was left for a number.
    pub fn patch<T: Fixed>(&mut self, mark: Mark, value: T) {
        match self.order {
            Order::Little => self.sink.patch(mark, value.to_wire::<LE>().as_bytes()),
            Order::Big => self.sink.patch(mark, value.to_wire::<BE>().as_bytes()),
        }
    }

    /// Writes structures one after the other, which must be as many as the field `counted_by` announced.
    ///
    /// # Errors
    /// If they are not, or if one of them cannot be written.
    pub fn many<T: Layout<A>, A: Clone>(
        &mut self,
        items: &[T],
        count: usize,
        counted_by: &'static str,
        args: A,
    ) -> Result<(), Fault> {
        self.counted(items.len(), count, counted_by)?;
        for (index, item) in items.iter().enumerate() {
            item.write(self, args.clone()).map_err(|fault| fault.nth(index))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_blobs_are_shared_and_marks_are_filled() {
        let long = Blob::file(vec![7; SHARE_FROM]);
        let mut sink = Sink::default();
        let mark = sink.reserve(2);
        sink.blob(&long);
        sink.bytes(&[1]);
        sink.patch(mark, &[0xAB, 0xCD]);
        assert_eq!(sink.size(), SHARE_FROM as u64 + 3);
        assert_eq!(sink.parts().nth(1).unwrap().as_ptr(), long.as_ptr());
        let all = sink.into_vec();
        assert_eq!(all[..3], [0xAB, 0xCD, 7]);
        assert_eq!(all.last(), Some(&1));
    }
}
