//! How bodies are written: fields one behind the other, and the elements of arrays behind all fields, breadth first.

use std::collections::VecDeque;

use wire::{Blob, Bulk, CText, Fault, FaultKind, Fixed, Layout, Mark, Writer};

use crate::dragon::layout::fields::{Name, Part};
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::RotationType;

type Later<'d> = Box<dyn FnOnce(&mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> + 'd>;

/// Elements that are written behind everything that was begun before them.
pub(in crate::dragon) struct Pending<'d> {
    name: Name,
    /// Room for the offset, and where it is.
    mark: Mark,
    at: u64,
    rotation: RotationType,
    write: Later<'d>,
}

/// A body being written, canonically.
pub(in crate::dragon) struct BodyWriter<'a, 's, 'd> {
    pub(in crate::dragon) w: &'a mut Writer<'s>,
    pending: &'a mut VecDeque<Pending<'d>>,
    /// How rotations are stored.
    rotation: RotationType,
}

/// Writes a body and the elements of its arrays, breadth first.
pub(in crate::dragon) fn write_part<T: Part>(part: &T, w: &mut Writer<'_>) -> Result<(), Fault> {
    let mut pending = VecDeque::new();
    part.write(&mut BodyWriter { w, pending: &mut pending, rotation: RotationType::default() })?;
    while let Some(Pending { name, mark, at, rotation, write }) = pending.pop_front() {
        let here = w.here();
        let offset = u32::try_from(here.offset - at).map_err(|_| {
            let kind = FaultKind::TooLong { value: here.offset - at, max: u32::MAX.into() };
            Fault::new(kind, here).inside(name.1)
        })?;
        w.patch(mark, offset);
        write(&mut BodyWriter { w, pending: &mut pending, rotation }).map_err(|fault| fault.inside(name.0))?;
    }
    Ok(())
}

impl<'d> BodyWriter<'_, '_, 'd> {
    pub(in crate::dragon) fn fixed<T: Fixed>(&mut self, _: Name, value: &T) -> Result<(), Fault> {
        self.w.fixed(*value);
        Ok(())
    }

    pub(in crate::dragon) fn word<T: Fixed>(&mut self, name: Name, value: &T) -> Result<(), Fault> {
        self.fixed(name, value)
    }

    pub(in crate::dragon) fn since_2022<T: Fixed>(&mut self, name: Name, value: &T) -> Result<(), Fault> {
        self.fixed(name, value)
    }

    /// A size or count.
    pub(in crate::dragon) fn size(&mut self, name: &'static str, size: usize) -> Result<(), Fault> {
        let stored = u32::try_from(size).map_err(|_| {
            let kind = FaultKind::TooLong { value: size as u64, max: u32::MAX.into() };
            Fault::new(kind, self.w.here()).inside(name)
        })?;
        self.w.fixed(stored);
        Ok(())
    }

    pub(in crate::dragon) fn text(&mut self, name: Name, text: &CText) -> Result<(), Fault> {
        self.w.field(name.0, |w| text.write(w, ()))
    }

    pub(in crate::dragon) fn rotation_type(&mut self, name: Name, kind: &RotationType) -> Result<(), Fault> {
        if kind.floats().is_none() {
            return Err(Fault::value(self.w.here(), "a rotation type of 1 to 4", kind.0.to_string()).inside(name.0));
        }
        self.rotation = *kind;
        self.fixed(name, kind)
    }

    /// Refuses rotations that are not stored as the body says.
    pub(in crate::dragon) fn rotations_are(&self, kind: RotationType) -> Result<(), Fault> {
        if kind == self.rotation {
            return Ok(());
        }
        let word = |kind: RotationType| kind.word().unwrap_or("none");
        let expected = format!("a rotation stored as {}", word(self.rotation));
        Err(Fault::value(self.w.here(), expected, word(kind)))
    }

    pub(in crate::dragon) fn rotation(&mut self, name: Name, rotation: &Rotation) -> Result<(), Fault> {
        self.rotations_are(rotation.kind()).map_err(|fault| fault.inside(name.0))?;
        rotation.floats().iter().for_each(|float| self.w.fixed(*float));
        Ok(())
    }

    /// An array: its offset now, its elements later.
    pub(in crate::dragon) fn block(
        &mut self,
        name: Name,
        empty: bool,
        write: impl FnOnce(&mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> + 'd,
    ) {
        if empty {
            return self.w.fixed(0_u32);
        }
        let at = self.w.here().offset;
        let mark = self.w.sink().reserve(4);
        let rotation = self.rotation;
        self.pending.push_back(Pending { name, mark, at, rotation, write: Box::new(write) });
    }

    pub(in crate::dragon) fn list<T: Part>(&mut self, name: Name, items: &'d [T]) -> Result<(), Fault> {
        self.block(name, items.is_empty(), move |w| {
            items.iter().enumerate().try_for_each(|(i, item)| item.write(w).map_err(|fault| fault.nth(i)))
        });
        Ok(())
    }

    pub(in crate::dragon) fn bulk<T: Fixed>(&mut self, name: Name, items: &'d Bulk<T>) -> Result<(), Fault> {
        self.block(name, items.is_empty(), move |w| items.write(w.w, items.len()));
        Ok(())
    }

    pub(in crate::dragon) fn bytes(&mut self, name: Name, bytes: Blob) {
        self.block(name, bytes.is_empty(), move |w| {
            w.w.blob(&bytes);
            Ok(())
        });
    }
}
