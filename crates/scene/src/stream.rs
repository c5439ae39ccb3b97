use std::ops::Range;

use half::f16;
use rayon::prelude::*;
use wire::{Blob, F32, F64, Fixed, Order};
use zerocopy::{BE, ByteOrder, FromBytes, IntoBytes, LE};

/// Numbers of a vertex attribute, where and as the source has them.
#[derive(Clone, Debug)]
pub struct Stream {
    data: Blob,
    len: usize,
    encoding: Encoding,
}

/// How the bytes of a [`Stream`] become numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Type of one number.
    pub component: Component,
    /// Numbers per element.
    pub count: u8,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// Byte order.
    pub order: Order,
    /// Whether whole numbers stand for 0…1 or −1…1.
    pub normalised: bool,
    /// Whether the second number is stored as 1 − v: texture coordinates counted from the bottom.
    pub flip_v: bool,
}

impl Encoding {
    /// Elements packed one behind the other, little-endian.
    pub fn packed(component: Component, count: u8) -> Encoding {
        let stride = component.size() * usize::from(count);
        Encoding { component, count, stride, order: Order::Little, normalised: false, flip_v: false }
    }

    /// Whether numbers are scaled to 0…1 or −1…1; a float that claims so is a float all the same.
    fn scales(&self) -> bool {
        self.normalised && !matches!(self.component, Component::F16 | Component::F32 | Component::F64)
    }

    /// Bytes of one element.
    pub fn element_size(&self) -> usize {
        self.component.size() * usize::from(self.count)
    }
}

/// Type of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Component {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Component {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 | Component::F16 => 2,
            Component::I32 | Component::U32 | Component::F32 => 4,
            Component::I64 | Component::U64 | Component::F64 => 8,
        }
    }

    /// The word reports and carried data use.
    pub fn name(self) -> &'static str {
        match self {
            Component::I8 => "i8",
            Component::U8 => "u8",
            Component::I16 => "i16",
            Component::U16 => "u16",
            Component::I32 => "i32",
            Component::U32 => "u32",
            Component::I64 => "i64",
            Component::U64 => "u64",
            Component::F16 => "f16",
            Component::F32 => "f32",
            Component::F64 => "f64",
        }
    }
}

/// A number on the wire that can be read as a float.
trait Number: Fixed {
    /// The largest whole number, which stands for 1 when normalised.
    const ONE: f64;
    fn wide(self) -> f64;
    fn narrow(self) -> f32 {
        self.wide() as f32
    }
}
macro_rules! whole {
    ($($int:ty),*) => {$(impl Number for $int {
        const ONE: f64 = <$int>::MAX as f64;
        #[inline]
        fn wide(self) -> f64 {
            self as f64
        }
    })*};
}
whole!(i8, u8, i16, u16, i32, u32, i64, u64);
impl Number for F32 {
    const ONE: f64 = 1.;
    #[inline]
    fn wide(self) -> f64 {
        self.0.into()
    }
    #[inline]
    fn narrow(self) -> f32 {
        self.0
    }
}
impl Number for F64 {
    const ONE: f64 = 1.;
    #[inline]
    fn wide(self) -> f64 {
        self.0
    }
}

/// Runs `$body` with `$T` and `$O` bound to the component type and byte order of an encoding.
macro_rules! typed {
    ($encoding:expr, |$T:ident, $O:ident| $body:expr) => {
        match $encoding.order {
            Order::Little => {
                type $O = LE;
                typed!(@ $encoding, $T, $body)
            }
            Order::Big => {
                type $O = BE;
                typed!(@ $encoding, $T, $body)
            }
        }
    };
    (@ $encoding:expr, $T:ident, $body:expr) => {
        match $encoding.component {
            Component::I8 => { type $T = i8; $body }
            Component::U8 => { type $T = u8; $body }
            Component::I16 => { type $T = i16; $body }
            // Half floats are widened before they come here.
            Component::U16 | Component::F16 => { type $T = u16; $body }
            Component::I32 => { type $T = i32; $body }
            Component::U32 => { type $T = u32; $body }
            Component::I64 => { type $T = i64; $body }
            Component::U64 => { type $T = u64; $body }
            Component::F32 => { type $T = F32; $body }
            Component::F64 => { type $T = F64; $body }
        }
    };
}

/// Elements one thread handles at a time: large enough to drown the hand-over, small enough to share out.
const BATCH: usize = 1 << 16;

impl Stream {
    /// Elements that lie in `data` from its first byte on. As many as fit, at most `len`.
    pub fn new(data: Blob, len: usize, encoding: Encoding) -> Stream {
        let element = encoding.element_size();
        let fit = if data.len() < element {
            0
        } else {
            (data.len() - element).checked_div(encoding.stride).map_or(len, |whole| whole + 1)
        };
        Stream { data, len: len.min(fit), encoding }
    }

    /// Floats made in memory, `count` per element.
    pub fn from_f32(count: u8, values: Vec<f32>) -> Stream {
        Stream::owned(count, Component::F32, values)
    }

    /// Doubles made in memory, `count` per element.
    pub fn from_f64(count: u8, values: Vec<f64>) -> Stream {
        Stream::owned(count, Component::F64, values)
    }

    /// Whole numbers made in memory, `count` per element.
    pub fn from_u32(count: u8, values: Vec<u32>) -> Stream {
        Stream::owned(count, Component::U32, values)
    }

    fn owned<T: IntoBytes + zerocopy::Immutable + Send + 'static>(
        count: u8,
        component: Component,
        values: Vec<T>,
    ) -> Stream {
        struct Owner<T>(Vec<T>);
        impl<T: IntoBytes + zerocopy::Immutable> AsRef<[u8]> for Owner<T> {
            fn as_ref(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }
        let len = values.len() / usize::from(count.max(1));
        let order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
        let encoding = Encoding { order, ..Encoding::packed(component, count) };
        Stream { data: Blob::memory(bytes_of(Owner(values))), len, encoding }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Numbers per element.
    pub fn count(&self) -> usize {
        self.encoding.count.into()
    }
    /// How its bytes become numbers.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }
    /// Its bytes, from the first element on.
    pub fn data(&self) -> &Blob {
        &self.data
    }

    /// What only streams of the same bytes have in common: where they are and how they lie.
    pub fn identity(&self) -> (usize, usize, usize) {
        (self.data.as_ptr().addr(), self.len, self.encoding.stride)
    }

    /// How many of its elements, from the first on, may differ: one may stand for all.
    pub(crate) fn distinct(&self) -> usize {
        if self.encoding.stride == 0 { self.len.min(1) } else { self.len }
    }

    /// So many of its elements, from the first on.
    pub(crate) fn first(&self, count: usize) -> Stream {
        Stream { len: self.len.min(count), ..self.clone() }
    }

    /// The same numbers with V counted from the other edge.
    pub fn flipped(&self) -> Stream {
        let mut other = self.clone();
        other.encoding.flip_v = !other.encoding.flip_v;
        other
    }

    /// Whether the elements lie packed in this component type and byte order, ready to be copied.
    pub fn is_packed(&self, component: Component, order: Order) -> bool {
        let e = &self.encoding;
        e.component == component && e.order == order && e.stride == e.element_size() && !e.flip_v
    }

    /// All numbers as floats.
    pub fn to_f32(&self) -> Vec<f32> {
        let mut out = vec![0.; self.len * self.count()];
        self.fill(&mut out);
        out
    }

    /// All numbers as doubles.
    pub fn to_f64(&self) -> Vec<f64> {
        let mut out = vec![0.; self.len * self.count()];
        self.fill(&mut out);
        out
    }

    /// All numbers as indices; what is no index becomes the largest one.
    pub fn to_u32(&self) -> Vec<u32> {
        let mut out = vec![0_u32; self.len * self.count()];
        let encoding = self.encoding;
        if encoding.component == Component::F16 {
            return self.to_f32().into_iter().map(|v| v as u32).collect();
        }
        typed!(encoding, |T, O| rows::<T, O>(&self.data, &encoding, 0..self.len, |at, row| {
            for (slot, number) in out[at * row.len()..].iter_mut().zip(row) {
                let number = T::from_wire::<O>(number).wide();
                *slot = if (0. ..4294967296.).contains(&number) { number as u32 } else { u32::MAX };
            }
        }));
        out
    }

    /// Decodes into `out`, long streams on all threads.
    fn fill<V: Decoded + Send>(&self, out: &mut [V]) {
        let count = self.count().max(1);
        let one = |(batch, out): (usize, &mut [V])| {
            let range = batch * BATCH..(batch * BATCH + out.len() / count);
            decode::<V>(&self.data, &self.encoding, range, out);
        };
        if self.len > BATCH {
            out.par_chunks_mut(BATCH * count).enumerate().for_each(one);
        } else {
            one((0, out));
        }
    }

    /// The elements at `indices`, packed. An index behind the last element gives zeros.
    pub fn gather(&self, indices: &[u32]) -> Stream {
        let size = self.encoding.element_size();
        let mut bytes = vec![0; indices.len() * size];
        let pick = |(out, &index): (&mut [u8], &u32)| {
            let start = (index as usize).saturating_mul(self.encoding.stride);
            if (index as usize) < self.len {
                out.copy_from_slice(&self.data[start..start + size]);
            }
        };
        if indices.len() > BATCH {
            bytes.par_chunks_mut(size.max(1)).zip(indices).for_each(pick);
        } else {
            bytes.chunks_mut(size.max(1)).zip(indices).for_each(pick);
        }
        let encoding = Encoding { stride: size, ..self.encoding };
        Stream { data: Blob::memory(bytes), len: indices.len(), encoding }
    }

    /// How many of the stored numbers a 32-bit float cannot hold exactly.
    pub fn beyond_f32(&self) -> u64 {
        use Component::{F64, I32, I64, U32, U64};
        if self.encoding.normalised || !matches!(self.encoding.component, F64 | I32 | U32 | I64 | U64) {
            return 0;
        }
        self.stored().sum(|row| row.iter().filter(|&&v| !v.is_nan() && is_beyond_f32(v)).count() as u64)
    }

    /// The same numbers in half the bytes, if they are doubles that are floats in truth.
    pub fn narrowed(&self) -> Stream {
        // What is not a number has bits too.
        let beyond = |row: &[f64]| row.iter().any(|&v| is_beyond_f32(v));
        if self.encoding.component != Component::F64 || self.stored().count_elements(beyond) > 0 {
            return self.clone();
        }
        let mut narrow = Stream::from_f32(self.encoding.count, self.stored().to_f32());
        narrow.encoding.flip_v = self.encoding.flip_v;
        narrow
    }

    /// The numbers as they are stored, whichever edge V counts from.
    fn stored(&self) -> Stream {
        let mut stored = self.clone();
        stored.encoding.flip_v = false;
        stored
    }

    /// How many elements satisfy a predicate over their numbers.
    pub fn count_elements(&self, predicate: impl Fn(&[f64]) -> bool + Sync) -> u64 {
        self.sum(|row| predicate(row).into())
    }

    /// The first element that satisfies a predicate over its numbers, and those.
    pub fn find(&self, predicate: impl Fn(&[f64]) -> bool + Sync) -> Option<(usize, Vec<f64>)> {
        let count = self.count().max(1);
        let first = |batch: usize| {
            let numbers = self.batch(batch);
            let (at, row) = numbers.chunks(count).enumerate().find(|(_, row)| predicate(row))?;
            Some((batch * BATCH + at, row.to_vec()))
        };
        (0..self.distinct().div_ceil(BATCH)).into_par_iter().find_map_first(first)
    }

    /// Smallest and largest of each number.
    pub fn extremes(&self) -> (Vec<f64>, Vec<f64>) {
        let count = self.count().max(1);
        let none = || (vec![f64::INFINITY; count], vec![f64::NEG_INFINITY; count]);
        let widen = |(mut low, mut high): (Vec<f64>, Vec<f64>), row: &[f64]| {
            for (k, &value) in row.iter().enumerate() {
                (low[k], high[k]) = (low[k].min(value), high[k].max(value));
            }
            (low, high)
        };
        let batch = |batch: usize| self.batch(batch).chunks(count).fold(none(), widen);
        let join = |a: (Vec<f64>, Vec<f64>), b: (Vec<f64>, Vec<f64>)| {
            let low = a.0.iter().zip(&b.0).map(|(a, b)| a.min(*b)).collect();
            (low, a.1.iter().zip(&b.1).map(|(a, b)| a.max(*b)).collect())
        };
        (0..self.distinct().div_ceil(BATCH)).into_par_iter().map(batch).reduce(none, join)
    }

    /// The numbers of so many elements behind each other.
    fn batch(&self, batch: usize) -> Vec<f64> {
        let range = batch * BATCH..((batch + 1) * BATCH).min(self.distinct());
        let mut numbers = vec![0.; range.len() * self.count().max(1)];
        decode::<f64>(&self.data, &self.encoding, range, &mut numbers);
        numbers
    }

    fn sum(&self, each: impl Fn(&[f64]) -> u64 + Sync) -> u64 {
        let count = self.count().max(1);
        let batches = self.distinct().div_ceil(BATCH);
        let sum = |batch| self.batch(batch).chunks(count).map(&each).sum::<u64>();
        let sum: u64 = (0..batches).into_par_iter().map(sum).sum();
        if self.distinct() < self.len { sum * self.len as u64 } else { sum }
    }

    /// The smallest box around the first three numbers of all elements, passed through `map`; elements that are not
    /// finite are left out.
    pub(crate) fn extent(&self, map: Option<&glam::DMat4>) -> Option<(glam::DVec3, glam::DVec3)> {
        let encoding = self.encoding;
        if self.count() < 3 {
            return None;
        }
        let batch = |batch: usize| {
            let range = batch * BATCH..((batch + 1) * BATCH).min(self.distinct());
            let mut low = [f64::INFINITY; 3];
            let mut high = [f64::NEG_INFINITY; 3];
            let mut widen = |p: [f64; 3]| {
                // Zero times what is not finite is not a number; one test for three numbers.
                if p[0] * 0. + p[1] * 0. + p[2] * 0. == 0. {
                    // Plain comparisons: none of these is NaN, and `f64::min` would ask again.
                    for axis in 0..3 {
                        low[axis] = if p[axis] < low[axis] { p[axis] } else { low[axis] };
                        high[axis] = if p[axis] > high[axis] { p[axis] } else { high[axis] };
                    }
                }
            };
            if encoding.component == Component::F16 || encoding.scales() {
                let mut numbers = vec![0.; range.len() * self.count()];
                decode::<f64>(&self.data, &encoding, range, &mut numbers);
                for row in numbers.chunks(self.count()) {
                    widen(place([row[0], row[1], row[2]], map));
                }
            } else if map.is_none() {
                typed!(encoding, |T, O| triples::<T, O>(&self.data, encoding.stride, range, &mut widen));
            } else {
                typed!(encoding, |T, O| triples::<T, O>(&self.data, encoding.stride, range, |p| widen(place(p, map))));
            }
            (low, high)
        };
        let join = |a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3])| {
            (std::array::from_fn(|i| a.0[i].min(b.0[i])), std::array::from_fn(|i| a.1[i].max(b.1[i])))
        };
        let none = || ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let (low, high) = (0..self.distinct().div_ceil(BATCH)).into_par_iter().map(batch).reduce(none, join);
        (low[0] <= high[0]).then(|| (low.into(), high.into()))
    }
}

/// Whether a 32-bit float cannot hold all bits of a number.
fn is_beyond_f32(value: f64) -> bool {
    f64::from(value as f32).to_bits() != value.to_bits()
}

fn place(p: [f64; 3], map: Option<&glam::DMat4>) -> [f64; 3] {
    match map {
        Some(map) => map.transform_point3(p.into()).into(),
        None => p,
    }
}

fn bytes_of(owner: impl AsRef<[u8]> + Send + 'static) -> bytes::Bytes {
    bytes::Bytes::from_owner(owner)
}

/// Calls `each` with the position and the numbers of every element in `range`.
fn rows<T: Fixed, O: ByteOrder + Send + Sync + 'static>(
    data: &[u8],
    encoding: &Encoding,
    range: Range<usize>,
    mut each: impl FnMut(usize, &[T::In<O>]),
) {
    let size = encoding.element_size();
    for at in range {
        let start = at * encoding.stride;
        if let Ok(row) = <[T::In<O>]>::ref_from_bytes(&data[start..start + size]) {
            each(at, row);
        }
    }
}

/// Calls `each` with the first three numbers of every element in `range`; the loop under every bounding box.
fn triples<T: Number, O: ByteOrder + Send + Sync + 'static>(
    data: &[u8],
    stride: usize,
    range: Range<usize>,
    mut each: impl FnMut([f64; 3]),
) {
    // The last row may end before its stride does, so rows are cut by their starts. Without a stride all are one row.
    let rows = data[range.start * stride..].chunks(if stride == 0 { data.len() } else { stride });
    for row in rows.take(range.len()) {
        if let Ok((row, _)) = <[T::In<O>; 3]>::ref_from_prefix(row) {
            each(std::array::from_fn(|axis| T::from_wire::<O>(&row[axis]).wide()));
        }
    }
}

/// A form numbers are decoded to.
trait Decoded: Copy {
    fn of<T: Number>(number: T) -> Self;
    fn of_half(number: f16) -> Self;
    fn scaled<T: Number>(number: T) -> Self;
    fn flip(self) -> Self;
}
impl Decoded for f32 {
    #[inline]
    fn of<T: Number>(number: T) -> f32 {
        number.narrow()
    }
    fn of_half(number: f16) -> f32 {
        number.to_f32()
    }
    fn scaled<T: Number>(number: T) -> f32 {
        ((number.wide() / T::ONE).max(-1.)) as f32
    }
    #[inline]
    fn flip(self) -> f32 {
        1. - self
    }
}
impl Decoded for f64 {
    #[inline]
    fn of<T: Number>(number: T) -> f64 {
        number.wide()
    }
    fn of_half(number: f16) -> f64 {
        number.to_f64()
    }
    fn scaled<T: Number>(number: T) -> f64 {
        (number.wide() / T::ONE).max(-1.)
    }
    #[inline]
    fn flip(self) -> f64 {
        1. - self
    }
}

fn decode<V: Decoded>(data: &[u8], encoding: &Encoding, range: Range<usize>, out: &mut [V]) {
    let count = usize::from(encoding.count).max(1);
    let first = range.start;
    if encoding.component == Component::F16 {
        halves(data, encoding, range.clone(), |at, row| {
            for (slot, number) in out[(at - first) * count..].iter_mut().zip(row) {
                *slot = V::of_half(number);
            }
        });
    } else if encoding.scales() {
        typed!(encoding, |T, O| rows::<T, O>(data, encoding, range.clone(), |at, row| {
            for (slot, number) in out[(at - first) * count..].iter_mut().zip(row) {
                *slot = V::scaled(T::from_wire::<O>(number));
            }
        }));
    } else {
        typed!(encoding, |T, O| rows::<T, O>(data, encoding, range.clone(), |at, row| {
            for (slot, number) in out[(at - first) * count..].iter_mut().zip(row) {
                *slot = V::of(T::from_wire::<O>(number));
            }
        }));
    }
    if encoding.flip_v && count >= 2 {
        out.chunks_mut(count).for_each(|row| row[1] = row[1].flip());
    }
}

fn halves(data: &[u8], encoding: &Encoding, range: Range<usize>, mut each: impl FnMut(usize, Vec<f16>)) {
    let encoding = Encoding { component: Component::U16, ..*encoding };
    typed!(encoding, |T, O| rows::<T, O>(data, &encoding, range, |at, row| {
        each(at, row.iter().map(|number| f16::from_bits(T::from_wire::<O>(number).wide() as u16)).collect());
    }));
}

/// Streams are equal when they say the same numbers in the same type, wherever and however they lie.
impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        let (a, b) = (&self.encoding, &other.encoding);
        let alike = (self.len, a.component, a.count, a.normalised) == (other.len, b.component, b.count, b.normalised);
        if alike && a == b && self.is_packed(a.component, a.order) {
            let size = self.len * a.stride;
            return self.data[..size] == other.data[..size];
        }
        alike && self.to_f64().iter().map(|v| v.to_bits()).eq(other.to_f64().iter().map(|v| v.to_bits()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interleaved() -> Stream {
        // Two elements of a 12-byte row: u16 padding, then two big-endian floats, then u16 padding.
        let mut bytes = Vec::new();
        for (u, v) in [(0.25_f32, 0.75_f32), (-1.5, 2.)] {
            bytes.extend([0xEE, 0xEE]);
            bytes.extend(u.to_be_bytes());
            bytes.extend(v.to_be_bytes());
            bytes.extend([0xEE, 0xEE]);
        }
        let encoding = Encoding { stride: 12, order: Order::Big, ..Encoding::packed(Component::F32, 2) };
        Stream::new(Blob::file(bytes).slice(2..), 9, encoding)
    }

    #[test]
    fn strided_big_endian_floats_decode() {
        let stream = interleaved();
        assert_eq!(stream.len(), 2, "as many as fit, not as many as asked for");
        assert_eq!(stream.to_f32(), [0.25, 0.75, -1.5, 2.]);
    }

    #[test]
    fn flipping_twice_is_the_stored_bits() {
        let stream = interleaved();
        assert_eq!(stream.flipped().to_f32(), [0.25, 0.25, -1.5, -1.]);
        assert_eq!(stream.flipped().flipped().to_f32(), stream.to_f32());
    }

    #[test]
    fn normalised_bytes_span_minus_one_to_one() {
        let encoding = Encoding { normalised: true, ..Encoding::packed(Component::I8, 1) };
        let stream = Stream::new(Blob::file(vec![0x80, 0x81, 0x00, 0x7f]), 4, encoding);
        assert_eq!(stream.to_f64(), [-1., -1., 0., 1.]);
    }

    #[test]
    fn half_floats_decode() {
        let encoding = Encoding::packed(Component::F16, 2);
        let stream = Stream::new(Blob::file(vec![0x00, 0x3c, 0x00, 0xc0]), 1, encoding);
        assert_eq!(stream.to_f32(), [1., -2.]);
    }

    #[test]
    fn not_a_number_keeps_its_bits() {
        let odd = f32::from_bits(0x7fc0_1234);
        assert_eq!(Stream::from_f32(1, vec![odd]).to_f32()[0].to_bits(), odd.to_bits());
    }

    #[test]
    fn gather_picks_rows_and_survives_a_wild_index() {
        let stream = interleaved().gather(&[1, 1, 7]);
        assert_eq!(stream.to_f32(), [-1.5, 2., -1.5, 2., 0., 0.]);
    }

    #[test]
    fn doubles_that_are_floats_are_narrowed_and_others_are_not() {
        let floats = Stream::from_f64(2, vec![0.25, 0.1_f32.into()]).flipped();
        let narrow = floats.narrowed();
        assert_eq!((narrow.encoding().component, narrow.encoding().flip_v), (Component::F32, true));
        assert_eq!(narrow.flipped().to_f64(), [0.25, 0.1_f32.into()]);
        assert_eq!(Stream::from_f64(2, vec![0.25, 0.1]).narrowed().encoding().component, Component::F64);
    }

    #[test]
    fn doubles_beyond_floats_are_counted() {
        assert_eq!(Stream::from_f64(1, vec![0.5, 0.1, f64::NAN, 1e300]).beyond_f32(), 2);
    }

    #[test]
    fn extent_leaves_out_what_is_not_finite() {
        let stream = Stream::from_f64(3, vec![1., 2., 3., f64::NAN, 0., 0., -1., 5., 0.]);
        let (low, high) = stream.extent(None).unwrap();
        assert_eq!((low.to_array(), high.to_array()), ([-1., 2., 0.], [1., 5., 3.]));
    }
}
