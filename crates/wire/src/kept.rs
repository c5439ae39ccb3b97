use std::ops::Deref;

use crate::{Blob, Fault, Layout, Node, Reader, Span, Unit, Writer};

/// A unit of a document with the bytes it was read from.
///
/// Reading goes through `Deref`. The only way to change it is [`Kept::edit`], which forgets the bytes; writing emits
/// them while they are there. So whatever the reader tolerated survives in every untouched unit. Equality
/// compares values, never bytes.
#[derive(Clone, Debug, Default)]
pub struct Kept<T> {
    value: T,
    raw: Option<Blob>,
    at: Option<Span>,
}

impl<T> Kept<T> {
    /// A unit that was not read from anywhere.
    pub fn new(value: T) -> Kept<T> {
        Kept { value, raw: None, at: None }
    }

    /// A unit and the bytes it was read from.
    pub fn read_from(value: T, raw: Blob) -> Kept<T> {
        Kept { value, at: Some(raw.span()), raw: Some(raw) }
    }

    /// The bytes it was read from, while nobody has edited it.
    pub fn raw(&self) -> Option<&Blob> {
        self.raw.as_ref()
    }

    /// Where it was read from; stays known after an edit.
    pub fn at(&self) -> Option<Span> {
        self.at
    }

    /// The value, to change it. The bytes it was read from are forgotten.
    pub fn edit(&mut self) -> &mut T {
        self.raw = None;
        &mut self.value
    }

    /// Forgets the bytes and keeps the value.
    pub fn forget_raw(&mut self) {
        self.raw = None;
    }

    /// The value alone.
    pub fn into_value(self) -> T {
        self.value
    }

    /// Its part of the byte map: expanded only when someone looks inside, by reading the unit's bytes again.
    pub fn node<A>(&self, name: impl Into<String>, order: crate::Order, args: A) -> Node
    where
        T: Layout<A>,
        A: Clone + Send + Sync + 'static,
    {
        let name = name.into();
        let Some(raw) = self.raw.clone() else { return Node::leaf(name, T::name(), Span::NOWHERE) };
        let span = raw.span();
        Node::lazy(name, T::name(), span, move || Unit::map::<T, A>(&raw, order, args.clone()))
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Kept<T> {
    fn eq(&self, other: &Kept<T>) -> bool {
        self.value == other.value
    }
}
impl<T: Eq> Eq for Kept<T> {}

impl<A: Clone + Send + Sync + 'static, T: Layout<A>> Layout<A> for Kept<T> {
    const MIN_SIZE: usize = T::MIN_SIZE;
    fn name() -> &'static str {
        T::name()
    }
    fn read(r: &mut Reader<'_>, args: A) -> Result<Kept<T>, Fault> {
        let start = r.position();
        let value = r.unit::<T, A>(args)?;
        Ok(Kept::read_from(value, r.since(start)))
    }
    fn write(&self, w: &mut Writer<'_>, args: A) -> Result<(), Fault> {
        match &self.raw {
            Some(raw) => {
                w.blob(raw);
                Ok(())
            }
            None => self.value.write(w, args),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_forgets_the_bytes_and_keeps_the_place() {
        let raw = Blob::file(vec![1, 0, 0, 0]);
        let mut unit = Kept::read_from(1_u32, raw);
        assert_eq!(*unit, 1);
        *unit.edit() = 2;
        assert!(unit.raw().is_none());
        assert_eq!(unit.at(), Some(Span::file(0, 4)));
    }

    #[test]
    fn equality_ignores_the_bytes() {
        assert_eq!(Kept::new(7_u8), Kept::read_from(7_u8, Blob::file(vec![9])));
    }
}
