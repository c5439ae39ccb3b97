//! Scalars and everything else whose size on the wire never changes.

use std::fmt;

use zerocopy::{ByteOrder, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, byteorder};

use crate::{Fault, FaultKind, Layout, Reader, Shape, Value, Writer};

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl Order {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Order::Little => "little",
            Order::Big => "big",
        }
    }
}

/// A value of fixed size: a scalar, an array of such, a [`crate::record!`].
///
/// `In<O>` is its unaligned twin in byte order `O`, which a slice of bytes is viewed as without decoding.
pub trait Fixed: Copy + Eq + Default + fmt::Debug + Send + Sync + 'static {
    /// The value as it lies on the wire.
    type In<O: ByteOrder + Send + Sync + 'static>: View;
    /// What a byte map shows of it.
    const SHAPE: &'static Shape;
    /// Size on the wire, in bytes.
    const SIZE: usize;
    /// Decodes one value.
    fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> Self;
    /// Encodes one value.
    fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> Self::In<O>;
}

/// What a byte slice can be viewed as without looking at it first.
pub trait View: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + Send + Sync {}
impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + Send + Sync> View for T {}

/// A 32-bit float that compares by its bits: NaN equals itself, zero does not equal minus zero.
#[derive(Clone, Copy, Default)]
pub struct F32(pub f32);
/// A 64-bit float that compares by its bits: NaN equals itself, zero does not equal minus zero.
#[derive(Clone, Copy, Default)]
pub struct F64(pub f64);

macro_rules! bitwise_float {
    ($name:ident, $inner:ty) => {
        impl $name {
            /// The number.
            pub fn get(self) -> $inner {
                self.0
            }
        }
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.to_bits() == other.0.to_bits()
            }
        }
        impl Eq for $name {}
        impl From<$inner> for $name {
            fn from(value: $inner) -> Self {
                $name(value)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
bitwise_float!(F32, f32);
bitwise_float!(F64, f64);

macro_rules! scalar {
    ($($native:ty, $name:literal, $size:literal, $wire:ty, $get:expr, $put:expr, $value:expr;)*) => {$(
        impl Fixed for $native {
            type In<O: ByteOrder + Send + Sync + 'static> = $wire;
            const SHAPE: &'static Shape = &Shape::Scalar { name: $name, size: $size };
            const SIZE: usize = $size;
            #[inline]
            fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> Self {
                let get: fn(&$wire) -> Self = $get;
                get(wire)
            }
            #[inline]
            fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> Self::In<O> {
                let put: fn(Self) -> $wire = $put;
                put(self)
            }
        }
        impl From<$native> for Value {
            fn from(value: $native) -> Value {
                let make: fn($native) -> Value = $value;
                make(value)
            }
        }
    )*};
}
scalar! {
    u8, "u8", 1, u8, |w| *w, |v| v, |v| Value::Unsigned(v.into());
    i8, "i8", 1, i8, |w| *w, |v| v, |v| Value::Signed(v.into());
    u16, "u16", 2, byteorder::U16<O>, |w| w.get(), byteorder::U16::new, |v| Value::Unsigned(v.into());
    i16, "i16", 2, byteorder::I16<O>, |w| w.get(), byteorder::I16::new, |v| Value::Signed(v.into());
    u32, "u32", 4, byteorder::U32<O>, |w| w.get(), byteorder::U32::new, |v| Value::Unsigned(v.into());
    i32, "i32", 4, byteorder::I32<O>, |w| w.get(), byteorder::I32::new, |v| Value::Signed(v.into());
    u64, "u64", 8, byteorder::U64<O>, |w| w.get(), byteorder::U64::new, Value::Unsigned;
    i64, "i64", 8, byteorder::I64<O>, |w| w.get(), byteorder::I64::new, Value::Signed;
    F32, "f32", 4, byteorder::F32<O>, |w| F32(w.get()), |v| byteorder::F32::new(v.0), |v| Value::F32(v.0);
    F64, "f64", 8, byteorder::F64<O>, |w| F64(w.get()), |v| byteorder::F64::new(v.0), |v| Value::F64(v.0);
}

impl<T: Fixed, const N: usize> Fixed for [T; N]
where
    [T; N]: Default,
{
    type In<O: ByteOrder + Send + Sync + 'static> = [T::In<O>; N];
    const SHAPE: &'static Shape = &Shape::List { of: T::SHAPE, count: N };
    const SIZE: usize = T::SIZE * N;
    #[inline]
    fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> Self {
        std::array::from_fn(|i| T::from_wire::<O>(&wire[i]))
    }
    #[inline]
    fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> Self::In<O> {
        self.map(|v| v.to_wire::<O>())
    }
}

impl<T: Fixed> Layout for T {
    const MIN_SIZE: usize = T::SIZE;
    fn read(r: &mut Reader<'_>, (): ()) -> Result<T, Fault> {
        r.fixed()
    }
    fn write(&self, w: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        w.fixed(*self);
        Ok(())
    }
}

/// A truth value of one byte: any value but 0 is true, and comes back as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bool8(pub u8);
/// A truth value of four bytes: any value but 0 is true, and comes back as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag32(pub i32);

macro_rules! flag {
    ($name:ident, $inner:ty, $word:literal) => {
        impl $name {
            /// Whether it means true.
            pub fn is_set(self) -> bool {
                self.0 != 0
            }
            /// Whether it is 0 or 1, the values writers use.
            pub fn is_plain(self) -> bool {
                self.0 == 0 || self.0 == 1
            }
        }
        impl From<bool> for $name {
            fn from(set: bool) -> $name {
                $name(set.into())
            }
        }
        impl FromMemory<bool> for $name {
            fn from_memory(set: bool) -> Result<$name, FaultKind> {
                Ok(set.into())
            }
        }
        impl Fixed for $name {
            type In<O: ByteOrder + Send + Sync + 'static> = <$inner as Fixed>::In<O>;
            const SHAPE: &'static Shape = &Shape::Scalar { name: $word, size: size_of::<$inner>() };
            const SIZE: usize = size_of::<$inner>();
            fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> $name {
                $name(<$inner>::from_wire::<O>(wire))
            }
            fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> Self::In<O> {
                self.0.to_wire::<O>()
            }
        }
    };
}
flag!(Bool8, u8, "bool8");
flag!(Flag32, i32, "flag32");

/// An integer type that stores sizes and counts.
pub trait CountField: Fixed + TryFrom<usize> + TryInto<usize> + Into<Value> {
    /// The value as a signed number, for messages.
    fn signed(self) -> i64;
    /// The largest count the field holds.
    const MAX: u64;
}
macro_rules! count_field {
    ($($int:ty),*) => {$(
        impl CountField for $int {
            fn signed(self) -> i64 {
                self.into()
            }
            const MAX: u64 = <$int>::MAX as u64;
        }
    )*};
}
count_field!(u8, i16, u16, i32, u32);

/// A size or count on the wire, stored as `I`. It exists while reading and writing only; in memory the length of the
/// thing it counts takes its place. A negative one cannot be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count<I> {
    count: usize,
    field: Option<&'static str>,
    stored_as: std::marker::PhantomData<I>,
}

impl<I> Count<I> {
    fn new(count: usize) -> Count<I> {
        Count { count, field: None, stored_as: std::marker::PhantomData }
    }

    /// So many times `n`, still knowing its field; a product that no address space could hold is as large as can be.
    pub fn times(self, n: usize) -> Count<I> {
        Count { count: self.count.saturating_mul(n), ..self }
    }
}

impl<I: CountField> Layout for Count<I> {
    const MIN_SIZE: usize = I::SIZE;
    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, Fault> {
        let at = r.here(I::SIZE);
        let stored: I = r.fixed()?;
        match stored.try_into() {
            Ok(count) => Ok(Count::new(count)),
            Err(_) => Err(Fault::new(FaultKind::Negative(stored.signed()), at)),
        }
    }
    fn write(&self, w: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        match I::try_from(self.count) {
            Ok(stored) => {
                w.fixed(stored);
                Ok(())
            }
            Err(_) => Err(Fault::new(FaultKind::TooLong { value: self.count as u64, max: I::MAX }, w.here())),
        }
    }
}

/// Anything that says how many.
pub trait Counted {
    /// The number.
    fn count(&self) -> usize;
    /// The field that says so, for messages.
    fn counted_by(&self) -> Option<&'static str> {
        None
    }
}
impl Counted for usize {
    fn count(&self) -> usize {
        *self
    }
}
/// A number, and the field that says so.
impl Counted for (usize, &'static str) {
    fn count(&self) -> usize {
        self.0
    }
    fn counted_by(&self) -> Option<&'static str> {
        Some(self.1)
    }
}
impl<I> Counted for Count<I> {
    fn count(&self) -> usize {
        self.count
    }
    fn counted_by(&self) -> Option<&'static str> {
        self.field
    }
}
impl<T: Counted> Counted for &T {
    fn count(&self) -> usize {
        (*self).count()
    }
    fn counted_by(&self) -> Option<&'static str> {
        (*self).counted_by()
    }
}

/// What a `let` of [`crate::layout!`] is told: the name of its field.
pub trait Named: Sized {
    /// The same value, knowing its name if it wants to.
    fn named(self, _: &'static str) -> Self {
        self
    }
}
impl<I> Named for Count<I> {
    fn named(self, field: &'static str) -> Self {
        Count { field: Some(field), ..self }
    }
}
impl<T: Fixed> Named for T {}

/// How a number that is only on the wire is made from what is in memory.
pub trait FromMemory<V>: Sized {
    /// Makes it, or says why the wire cannot hold it.
    ///
    /// # Errors
    /// If the value does not fit the field.
    fn from_memory(value: V) -> Result<Self, FaultKind>;
}
impl<I: CountField> FromMemory<usize> for Count<I> {
    fn from_memory(count: usize) -> Result<Self, FaultKind> {
        if count as u64 > I::MAX {
            return Err(FaultKind::TooLong { value: count as u64, max: I::MAX });
        }
        Ok(Count::new(count))
    }
}
