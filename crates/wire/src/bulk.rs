use zerocopy::{BE, ByteOrder, FromBytes, IntoBytes, LE};

use crate::{Blob, Counted, Fault, Fixed, Layout, Node, Order, Reader, Span, Value, Writer};

/// A long array of fixed-size elements: a shared view of the file until something edits it.
#[derive(Clone, Debug)]
pub struct Bulk<T: Fixed>(Store<T>);

#[derive(Clone, Debug)]
enum Store<T> {
    Wire { bytes: Blob, order: Order },
    Own(Vec<T>),
}

impl<T: Fixed> Bulk<T> {
    /// A view of bytes that hold whole elements in `order`.
    ///
    /// Bytes behind the last whole element are left out.
    pub fn view(bytes: Blob, order: Order) -> Bulk<T> {
        let whole = bytes.len() - bytes.len() % T::SIZE;
        Bulk(Store::Wire { bytes: bytes.slice(..whole), order })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        match &self.0 {
            Store::Wire { bytes, .. } => bytes.len() / T::SIZE,
            Store::Own(items) => items.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements as they lie in the file, if they do and in byte order `O`: the way through which hot loops read.
    pub fn wire<O: ByteOrder + Send + Sync + 'static>(&self) -> Option<&[T::In<O>]> {
        match &self.0 {
            Store::Wire { bytes, order } if *order == order_of::<O>() => <[T::In<O>]>::ref_from_bytes(bytes).ok(),
            _ => None,
        }
    }

    /// Where the elements lie, if nobody has changed them.
    pub fn lies(&self) -> Option<Span> {
        match &self.0 {
            Store::Wire { bytes, .. } => Some(bytes.span()),
            Store::Own(_) => None,
        }
    }

    /// One element.
    pub fn get(&self, index: usize) -> Option<T> {
        match &self.0 {
            Store::Wire { bytes, order } => {
                let start = index.checked_mul(T::SIZE)?;
                let element = bytes.get(start, T::SIZE)?;
                Some(decode(&element, *order))
            }
            Store::Own(items) => items.get(index).copied(),
        }
    }

    /// All elements, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + '_ {
        (0..self.len()).map(|i| match &self.0 {
            Store::Wire { bytes, order } => decode(&bytes[i * T::SIZE..(i + 1) * T::SIZE], *order),
            Store::Own(items) => items[i],
        })
    }

    /// The elements, to change them: copied out of the file the first time.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Store::Wire { .. } = &self.0 {
            self.0 = Store::Own(self.iter().collect());
        }
        match &mut self.0 {
            Store::Own(items) => items,
            Store::Wire { .. } => unreachable!("the line above made it owned"),
        }
    }

    /// The elements as bytes in `order`: shared if they lie in the file that way, encoded otherwise.
    pub fn to_blob(&self, order: Order) -> Blob {
        match &self.0 {
            Store::Wire { bytes, order: stored } if *stored == order => bytes.clone(),
            _ => match order {
                Order::Little => self.encode::<LE>(),
                Order::Big => self.encode::<BE>(),
            },
        }
    }

    fn encode<O: ByteOrder + Send + Sync + 'static>(&self) -> Blob {
        let mut bytes = Vec::with_capacity(self.len() * T::SIZE);
        for item in self.iter() {
            bytes.extend_from_slice(item.to_wire::<O>().as_bytes());
        }
        Blob::memory(bytes)
    }
}

fn order_of<O: ByteOrder + 'static>() -> Order {
    if std::any::TypeId::of::<O>() == std::any::TypeId::of::<BE>() { Order::Big } else { Order::Little }
}

fn decode<T: Fixed>(bytes: &[u8], order: Order) -> T {
    // A slice of another length cannot come here: every caller cuts SIZE bytes.
    match order {
        Order::Little => T::In::<LE>::read_from_bytes(bytes).map(|w| T::from_wire::<LE>(&w)).unwrap_or_default(),
        Order::Big => T::In::<BE>::read_from_bytes(bytes).map(|w| T::from_wire::<BE>(&w)).unwrap_or_default(),
    }
}

impl<T: Fixed> Default for Bulk<T> {
    fn default() -> Bulk<T> {
        Bulk(Store::Own(Vec::new()))
    }
}
impl<T: Fixed> From<Vec<T>> for Bulk<T> {
    fn from(items: Vec<T>) -> Bulk<T> {
        Bulk(Store::Own(items))
    }
}
impl<T: Fixed> PartialEq for Bulk<T> {
    fn eq(&self, other: &Bulk<T>) -> bool {
        match (&self.0, &other.0) {
            (Store::Wire { bytes: a, order: o }, Store::Wire { bytes: b, order: p }) if o == p => a == b,
            _ => self.len() == other.len() && self.iter().eq(other.iter()),
        }
    }
}
impl<T: Fixed> Eq for Bulk<T> {}

impl<T: Fixed, C: Counted> Layout<C> for Bulk<T> {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, count: C) -> Result<Bulk<T>, Fault> {
        let bytes = r.take_many(&count, T::SIZE)?;
        r.note_array(&bytes, T::SHAPE, count.count());
        Ok(Bulk(Store::Wire { bytes, order: r.order() }))
    }
    fn write(&self, w: &mut Writer<'_>, count: C) -> Result<(), Fault> {
        w.counted(self.len(), count.count(), count.counted_by().unwrap_or("the count"))?;
        w.blob(&self.to_blob(w.order()));
        Ok(())
    }
}

/// A run of bytes that no structure explains: shown as what it is.
impl Blob {
    /// A leaf of the byte map for bytes of no known meaning.
    pub fn node(&self, name: impl Into<String>, ty: &'static str) -> Node {
        Node::leaf(name, ty, self.span()).with_value(Value::Bytes(self.clone()))
    }
}

impl<C: Counted> Layout<C> for Blob {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, size: C) -> Result<Blob, Fault> {
        let bytes = r.take_many(size, 1)?;
        r.note("bytes", || Value::Bytes(bytes.clone()));
        Ok(bytes)
    }
    fn write(&self, w: &mut Writer<'_>, size: C) -> Result<(), Fault> {
        w.counted(self.len(), size.count(), size.counted_by().unwrap_or("the count"))?;
        w.blob(self);
        Ok(())
    }
}

const _: () = assert!(size_of::<Span>() <= 24);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::F64;

    #[test]
    fn view_decodes_in_the_order_of_the_file() {
        let bytes: Vec<u8> = [1.5_f64, -0.0].iter().flat_map(|v| v.to_be_bytes()).collect();
        let bulk = Bulk::<F64>::view(Blob::file(bytes), Order::Big);
        assert_eq!(bulk.get(0), Some(F64(1.5)));
        assert_eq!(bulk.get(2), None);
        assert!(bulk.wire::<LE>().is_none());
        assert_eq!(bulk.wire::<BE>().unwrap()[1].get().to_bits(), (-0.0_f64).to_bits());
    }

    #[test]
    fn edited_array_equals_its_source_until_a_bit_changes() {
        let source = Bulk::<F64>::view(Blob::file(f64::NAN.to_be_bytes().to_vec()), Order::Big);
        let mut copy = source.clone();
        copy.to_mut();
        assert_eq!(copy, source);
        copy.to_mut()[0] = F64(f64::from_bits(f64::NAN.to_bits() ^ 1));
        assert_ne!(copy, source);
    }
}
