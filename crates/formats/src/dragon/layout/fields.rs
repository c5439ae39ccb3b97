//! How bodies are read: fields one behind the other, and arrays whose elements lie elsewhere. Writing is in `out.rs`.
//!
//! `wire::layout!` knows no places, so bodies have a macro of their own: [`body!`] turns one declaration into the
//! struct, its table for the reference pages, reading in every layout, and canonical writing. Each field names the
//! method of [`BodyReader`] and [`BodyWriter`] that moves it.

use wire::{Blob, Bool8, Bulk, CText, F32, Fault, FaultKind, Fixed, Layout, Reader, Span};

use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::*;
use crate::dragon::variants::reading::{Base, Local, Reading};

/// Where a section header has its count.
const COUNT_AT: u64 = 32;

/// Declares a body or a part of one: see the module.
macro_rules! body {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident: $min:literal {
            $($(#[doc = $fdoc:literal])* $field:ident: $T:ty = $how:ident as $ty:literal,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        $vis struct $Name { $($(#[doc = $fdoc])* pub $field: $T,)* }

        body! { @table [$($doc)*] $Name { $([$($fdoc)*] $field $ty,)* } }

        impl $crate::dragon::layout::fields::Part for $Name {
            const NAME: &'static str = stringify!($Name);
            const MIN: usize = $min;
            fn read(r: &mut $crate::dragon::layout::fields::BodyReader<'_, '_>) -> Result<$Name, wire::Fault> {
                Ok($Name { $($field: r.$how(body!(@name $field))?,)* })
            }
            fn write<'d>(&'d self, w: &mut $crate::dragon::layout::out::BodyWriter<'_, '_, 'd>) -> Result<(), wire::Fault> {
                $(w.$how(body!(@name $field), &self.$field)?;)*
                Ok(())
            }
        }
    };
    (@table [$($doc:literal)*] $Name:ident { $([$($fdoc:literal)*] $field:ident $ty:literal,)* }) => {
        impl $Name {
            /// The declaration, for the reference pages.
            pub const TABLE: &'static wire::Table = &wire::Table {
                name: stringify!($Name),
                doc: &[$($doc),*],
                rows: &[$(wire::Row {
                    field: stringify!($field), ty: $ty, when: "", doc: &[$($fdoc),*], wire_only: false,
                },)*],
            };
        }
    };
    (@name $field:ident) => {
        $crate::dragon::layout::fields::Name(stringify!($field), concat!(stringify!($field), "_offset"))
    };
}
pub(in crate::dragon) use body;

/// A field, and the number that says where its elements are.
#[derive(Clone, Copy)]
pub(in crate::dragon) struct Name(pub(in crate::dragon) &'static str, pub(in crate::dragon) &'static str);

/// A body, or a structure of which a body has many.
pub(in crate::dragon) trait Part: Sized {
    const NAME: &'static str;
    /// The fewest bytes it takes in any layout.
    const MIN: usize;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Self, Fault>;
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault>;
}

/// One attempt to read a section.
pub(in crate::dragon) struct Pass {
    pub(in crate::dragon) reading: Reading,
    /// What the section header counts.
    pub(in crate::dragon) count: usize,
    /// Where the body starts.
    pub(in crate::dragon) head: usize,
    /// Where the section is in the file.
    pub(in crate::dragon) at: u64,
    /// How rotations are stored, once that was read.
    pub(in crate::dragon) rotation: RotationType,
    /// Runs of bytes that were read, in the order of reading.
    covered: Vec<(usize, usize)>,
    /// How many bytes that is, those that were read twice counted twice.
    read: usize,
    /// Whether some array lies where it does because of the file-wide base.
    pub(in crate::dragon) base_matters: bool,
    /// Whether everything says what it may say; looked at in alternative layouts alone.
    pub(in crate::dragon) plausible: bool,
    /// Whether a light's first rotation is another one than its second.
    pub(in crate::dragon) first_rotation_differs: bool,
    /// The field that says how many elements the next array has, if it is not the section header.
    counted_by: Option<(&'static str, Span)>,
}

impl Pass {
    pub(in crate::dragon) fn new(reading: Reading, count: usize, head: usize, at: u64) -> Pass {
        Pass {
            reading,
            count,
            head,
            at,
            rotation: RotationType::default(),
            covered: Vec::new(),
            read: 0,
            base_matters: false,
            plausible: true,
            first_rotation_differs: false,
            counted_by: None,
        }
    }

    fn cover(&mut self, start: usize, end: usize) {
        self.read += end - start;
        match self.covered.last_mut() {
            Some((_, last)) if *last == start => *last = end,
            _ if start == end => {}
            _ => self.covered.push((start, end)),
        }
    }

    /// Bytes of the body that were never read, and whether some were read twice.
    pub(in crate::dragon) fn coverage(mut self, size: usize) -> (u64, bool) {
        self.covered.sort_unstable();
        let (mut at, mut unread, mut twice) = (self.head, 0, false);
        for (start, end) in self.covered {
            twice |= start < at;
            unread += start.saturating_sub(at);
            at = at.max(end);
        }
        (unread as u64 + size.saturating_sub(at) as u64, twice)
    }

    fn is(&self, local: Local) -> bool {
        self.reading.local.has(local)
    }

    /// Notes something that a writer of an alternative layout would not have written.
    pub(in crate::dragon) fn expect(&mut self, holds: bool) {
        self.plausible &= holds;
    }
}

/// A body being read.
pub(in crate::dragon) struct BodyReader<'a, 'm> {
    pub(in crate::dragon) r: &'a mut Reader<'m>,
    pub(in crate::dragon) pass: &'a mut Pass,
}

impl<'m> BodyReader<'_, 'm> {
    pub(in crate::dragon) fn is(&self, local: Local) -> bool {
        self.pass.is(local)
    }

    /// Reads something that lies in one piece.
    pub(in crate::dragon) fn piece<T, A>(&mut self, name: &str, args: A) -> Result<T, Fault>
    where
        T: Layout<A>,
    {
        let start = self.r.position();
        let at = self.r.here(0);
        let value = self.r.field(name, |r| T::read(r, args))?;
        self.pass.cover(start, self.r.position());
        // Only the canonical layout counts where bytes are read twice; others are not read to their end, which may be
        // far away.
        if !self.pass.reading.is_canonical() && self.pass.read > self.r.position() + self.r.remaining() {
            return Err(Fault::value(at, "every byte once", "more bytes than the section has".to_owned()).inside(name));
        }
        Ok(value)
    }

    pub(in crate::dragon) fn fixed<T: Fixed>(&mut self, name: Name) -> Result<T, Fault> {
        self.piece(name.0, ())
    }

    /// How many elements the next array has.
    pub(in crate::dragon) fn size(&mut self, name: &'static str) -> Result<usize, Fault> {
        self.pass.counted_by = Some((name, self.r.here(4)));
        self.piece(name, ()).map(|size: u32| size as usize)
    }

    /// The number that says how many elements an array has: one before it, or that of the section header.
    fn count_field(&mut self) -> (&'static str, Span) {
        self.pass.counted_by.take().unwrap_or(("meta.count", Span::file(self.pass.at + COUNT_AT, 4)))
    }

    /// A number with a name.
    pub(in crate::dragon) fn word<T: Fixed + Word>(&mut self, name: Name) -> Result<T, Fault> {
        let value: T = self.fixed(name)?;
        let known = value.known(self.pass.reading.of_2019);
        self.pass.expect(known);
        Ok(value)
    }

    /// A name that files of 2019 do not have.
    pub(in crate::dragon) fn since_2022<T: Fixed>(&mut self, name: Name) -> Result<T, Fault> {
        if self.pass.reading.of_2019 { Ok(T::default()) } else { self.fixed(name) }
    }

    pub(in crate::dragon) fn truth(&mut self, name: Name) -> Result<Bool8, Fault> {
        let value: Bool8 = self.fixed(name)?;
        self.pass.expect(value.is_plain());
        Ok(value)
    }

    pub(in crate::dragon) fn text(&mut self, name: Name) -> Result<CText, Fault> {
        let text: CText = self.piece(name.0, ())?;
        if !self.pass.reading.is_canonical() {
            let clean = text.as_str().is_some_and(|text| !text.chars().any(char::is_control));
            self.pass.expect(clean);
        }
        Ok(text)
    }

    pub(in crate::dragon) fn rotation_type(&mut self, name: Name) -> Result<RotationType, Fault> {
        let at = self.r.here(1);
        let kind: RotationType = self.fixed(name)?;
        if kind.floats().is_none() {
            return Err(Fault::value(at, "a rotation type of 1 to 4", kind.0.to_string()).inside(name.0));
        }
        self.pass.rotation = kind;
        Ok(kind)
    }

    pub(in crate::dragon) fn rotation(&mut self, name: Name) -> Result<Rotation, Fault> {
        let kind = self.pass.rotation;
        if kind.is_matrix() && self.is(Local::MATOFF) {
            return self.block(name, None, false, Local::NONE, |r| Rotation::read(r, kind, name.0));
        }
        Rotation::read(self, kind, name.0)
    }

    /// Reads the elements of an array, wherever the layout has them. `inline` is the departure that puts them in place,
    /// `count` the field that says how many there are.
    fn block<T: Default>(
        &mut self,
        name: Name,
        count: Option<(&'static str, Span)>,
        empty: bool,
        inline: Local,
        read: impl FnOnce(&mut BodyReader<'_, 'm>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let base = self.pass.reading.base;
        if self.is(inline) {
            return read(self);
        }
        self.pass.base_matters |= base == Base::Inline || (base != Base::Field && !empty);
        if base == Base::Inline {
            return read(self);
        }
        let (field, at) = (self.r.position(), self.r.here(4));
        let offset: u32 = self.piece(name.1, ())?;
        if empty {
            return Ok(T::default());
        }
        let back = self.r.position();
        let target = self.target(field, offset).map_err(|least| too_low(at, offset, least).inside(name.1))?;
        self.r.seek(target).map_err(|_| outside(at, offset).inside(name.1))?;
        let count = count.filter(|_| self.is_flush(target, back));
        let value = read(self).map_err(|fault| match (fault.kind(), count) {
            (FaultKind::Truncated { need, have, .. }, Some((field, at))) => {
                let (expected, found) = (format!("elements of {have} bytes at most"), format!("{need}"));
                Fault::value(at, expected, found).inside(field)
            }
            (FaultKind::Truncated { .. }, None) => outside(at, offset).inside(name.1),
            _ => fault,
        })?;
        if !self.is(Local::SEQ) {
            self.r.seek(back)?;
        }
        Ok(value)
    }

    /// Whether an array that begins here leaves no hole behind what was read, so that its offset is right and its count
    /// is not, if it does not fit: it follows other fields, or its own offset with at most two others between.
    fn is_flush(&self, target: usize, back: usize) -> bool {
        let between = target.wrapping_sub(back);
        (between <= 8 && between.is_multiple_of(4)) || self.pass.covered.iter().any(|(_, end)| *end == target)
    }

    /// Where an offset leads, or the least that it may be.
    fn target(&self, field: usize, offset: u32) -> Result<usize, u64> {
        let Pass { reading, head, at, .. } = &*self.pass;
        let (from, least) = match reading.base {
            Base::Field | Base::Inline => (field as i64, 4),
            Base::After => (field as i64 + 4, 0),
            Base::Section => (0, *head as u64),
            Base::Body => (*head as i64, 0),
            Base::File => (-(*at as i64), at + *head as u64),
        };
        if u64::from(offset) < least {
            return Err(least);
        }
        usize::try_from(from + i64::from(offset)).map_err(|_| least)
    }

    /// An array of structures, as many as the section header counts.
    pub(in crate::dragon) fn list<T: Part>(&mut self, name: Name) -> Result<Vec<T>, Fault> {
        self.list_of(name, self.pass.count, Local::NONE)
    }

    pub(in crate::dragon) fn list_of<T: Part>(
        &mut self,
        name: Name,
        count: usize,
        inline: Local,
    ) -> Result<Vec<T>, Fault> {
        let by = self.count_field();
        self.block(name, Some(by), count == 0, inline, |r| r.parts(name, count))
    }

    fn parts<T: Part>(&mut self, name: Name, count: usize) -> Result<Vec<T>, Fault> {
        let pass = &mut *self.pass;
        self.r.field(name.0, |r| r.each(T::NAME, count, T::MIN, |r| T::read(&mut BodyReader { r, pass })))
    }

    /// An array of values of fixed size, as many as the section header counts.
    pub(in crate::dragon) fn bulk<T: Fixed>(&mut self, name: Name) -> Result<Bulk<T>, Fault> {
        self.bulk_of(name, self.pass.count, Local::NONE)
    }

    pub(in crate::dragon) fn bulk_of<T: Fixed>(
        &mut self,
        name: Name,
        count: usize,
        inline: Local,
    ) -> Result<Bulk<T>, Fault> {
        let by = self.count_field();
        self.block(name, Some(by), count == 0, inline, |r| r.piece(name.0, count))
    }

    /// An array of bytes.
    pub(in crate::dragon) fn bytes_of(&mut self, name: Name, size: usize, inline: Local) -> Result<Blob, Fault> {
        let by = self.count_field();
        self.block(name, Some(by), size == 0, inline, |r| r.piece(name.0, size))
    }
}

fn too_low(at: Span, offset: u32, least: u64) -> Fault {
    Fault::value(at, format!("an offset of at least {least}"), offset.to_string())
}

fn outside(at: Span, offset: u32) -> Fault {
    Fault::value(at, "elements that lie inside the section", format!("an offset of {offset}"))
}

/// A number that should have a name.
pub(in crate::dragon) trait Word {
    fn known(self, of_2019: bool) -> bool;
}
macro_rules! words {
    ($($T:ty),*) => {$(impl Word for $T {
        fn known(self, _: bool) -> bool {
            self.word().is_some()
        }
    })*};
}
words!(AttributeType, Semantic, DrawType, ImageSampling, Projection, Wrap, LightType, Sampling, Smoothing);
impl Word for AnimationType {
    fn known(self, of_2019: bool) -> bool {
        self.0 <= if of_2019 { AnimationType::DELTA_2019.0 } else { AnimationType::RELATIVE.0 }
    }
}

/// Three floats.
pub(in crate::dragon) type Vec3 = [F32; 3];
