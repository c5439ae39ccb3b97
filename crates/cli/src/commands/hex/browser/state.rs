//! What the browser looks at, and the moves between fields and bytes.

use super::super::Place;
use super::super::fields::{Address, Body, Field, Inside};
use super::super::marks::Marks;
use super::super::outline::Outline;
use super::search::Needle;

/// Everything the screen shows.
pub(super) struct Browser {
    pub(super) title: String,
    pub(super) colors: bool,
    pub(super) marks: Marks,
    pub(super) outline: Outline,
    /// The way to the selected field; empty only in a document without fields.
    pub(super) selected: Address,
    /// The bytes on the right: those that the selected field's offset counts.
    pub(super) body: Body,
    /// The byte under the cursor, counted from the first of `body`.
    pub(super) cursor: usize,
    pub(super) focus: Focus,
    pub(super) mode: Mode,
    /// What came of the last key, if that needs saying.
    pub(super) note: String,
    pub(super) needle: Option<Needle>,
    pub(super) view: View,
    pub(super) quit: bool,
}

/// Which side the arrow keys move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    Structure,
    Bytes,
}

/// What keys mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Browse,
    Help,
    GoTo(String),
    Find(String),
}

/// What of it is on the screen; the sizes are those of the last drawing.
#[derive(Debug)]
pub(super) struct View {
    pub(super) structure_rows: usize,
    pub(super) structure_top: usize,
    pub(super) byte_rows: usize,
    pub(super) bytes_per_row: usize,
    /// First row of bytes.
    pub(super) byte_top: usize,
}

impl Browser {
    pub(super) fn new(title: String, document: Inside, marks: Marks, colors: bool) -> Browser {
        let body = document.body().clone();
        let selected = if document.len() > 0 { vec![0] } else { Vec::new() };
        let mut outline = Outline::new(document);
        // A stranger should see at once that there is something inside; of many fields, the names say more.
        const FEW: usize = 8;
        if outline.rows() <= FEW {
            outline.open(&selected);
        }
        let view = View { structure_rows: 1, structure_top: 0, byte_rows: 1, bytes_per_row: 16, byte_top: 0 };
        let (mode, focus) = (Mode::Browse, Focus::Structure);
        let note = match marks.len() {
            0 => String::new(),
            1 => "1 finding is marked; f goes there".to_owned(),
            many => format!("{many} findings are marked; f goes to the next"),
        };
        let (needle, quit) = (None, false);
        Browser { title, colors, marks, outline, selected, body, cursor: 0, focus, mode, note, needle, view, quit }
    }

    /// The selected field, if the document has any.
    pub(super) fn field(&self) -> Option<Field> {
        self.outline.field(&self.selected)
    }

    /// Selects a field; the bytes follow.
    pub(super) fn select(&mut self, address: Address) {
        self.selected = address;
        let Some(field) = self.field() else { return };
        let start = field.range().map_or(self.cursor, |range| range.start);
        self.cursor = start.min(field.body.bytes.len().saturating_sub(1));
        self.body = field.body;
    }

    /// Selects a field and opens what is around it.
    pub(super) fn show(&mut self, address: Address) {
        self.outline.reveal(&address);
        self.select(address);
    }

    pub(super) fn go_to(&mut self, place: Place) {
        match place {
            Place::Field(address) => self.show(address),
            Place::Byte(offset, owner) => {
                self.show(owner);
                self.move_cursor(usize::try_from(offset - self.body.start()).unwrap_or(usize::MAX));
            }
        }
    }

    /// Moves to a byte; the field that owns it is selected.
    pub(super) fn move_cursor(&mut self, to: usize) {
        self.cursor = to.min(self.body.bytes.len().saturating_sub(1));
        if let Some(owner) = self.owner() {
            self.outline.reveal(&owner);
            self.selected = owner;
        }
    }

    /// The field that owns the byte under the cursor: an element of an open field, else a field that says one thing.
    fn owner(&self) -> Option<Address> {
        let offset = self.body.start() + self.cursor as u64;
        let (mut owner, root) = self.body_root()?;
        owner.extend(root.owner(offset)?);
        while self.outline.is_open(&owner) {
            // The fields inside a compressed body are not made of the bytes that it owns.
            let field = self.outline.field(&owner).filter(|field| field.node.inflated().is_none());
            let Some(inner) = field.and_then(|field| Inside::of(&field)?.owner(offset)) else { break };
            owner.extend(inner);
        }
        Some(owner)
    }

    /// What the bytes on the right are divided into, and the way to it: the document, or the inside of a compressed body.
    fn body_root(&self) -> Option<(Address, Inside)> {
        if self.body.of.is_empty() {
            return Some((Address::new(), self.outline.document().clone()));
        }
        let depths = (1..self.selected.len()).rev().map(|depth| &self.selected[..depth]);
        let is_body = |field: &Field| field.path.as_str() == &*self.body.of;
        let around = |way: &[usize]| Some((way.to_vec(), self.outline.field(way).filter(is_body)?));
        let (way, field) = depths.into_iter().find_map(around)?;
        Some((way, Inside::of(&field)?))
    }

    /// Moves the selection by rows of the structure.
    pub(super) fn move_rows(&mut self, rows: isize) {
        let last = self.outline.rows().saturating_sub(1);
        let row = self.outline.row(&self.selected).saturating_add_signed(rows).min(last);
        if let Some(address) = self.outline.address(row) {
            self.select(address);
        }
    }

    /// Opens the selected field; steps inside if it is open.
    pub(super) fn expand(&mut self) {
        if self.outline.is_open(&self.selected) {
            self.move_rows(1);
        } else if self.outline.open(&self.selected) {
            // What opened below the edge of the screen would look as if nothing had happened.
            let (row, height) = (self.outline.row(&self.selected), self.view.structure_rows);
            let inside = self.field().and_then(|field| Inside::of(&field)).map_or(0, |inside| inside.len());
            let last = row.saturating_add(inside);
            self.view.structure_top = self.view.structure_top.max((last + 1).saturating_sub(height)).min(row);
        } else {
            self.note = "nothing inside".into();
        }
    }

    /// Closes the selected field; steps out if it is closed.
    pub(super) fn collapse(&mut self) {
        if self.outline.is_open(&self.selected) {
            self.outline.close(&self.selected);
        } else if self.selected.len() > 1 {
            let around = self.selected[..self.selected.len() - 1].to_vec();
            self.select(around);
        }
    }

    pub(super) fn toggle(&mut self) {
        if self.outline.is_open(&self.selected) { self.collapse() } else { self.expand() }
    }

    /// Scrolls so that selection and cursor are on the screen.
    pub(super) fn scroll(&mut self) {
        let view = &mut self.view;
        let rows = self.outline.rows();
        view.structure_top = scrolled(view.structure_top, self.outline.row(&self.selected), view.structure_rows, rows);
        let rows = self.body.bytes.len().div_ceil(view.bytes_per_row);
        view.byte_top = scrolled(view.byte_top, self.cursor / view.bytes_per_row, view.byte_rows, rows);
    }
}

/// The first row to show so that `row` is among `height` of `rows`: the one that was, if it can stay.
fn scrolled(top: usize, row: usize, height: usize, rows: usize) -> usize {
    let height = height.max(1);
    let top = top.min(rows.saturating_sub(height));
    let wanted = if (top..top + height).contains(&row) {
        top
    } else if row.abs_diff(top) <= height {
        // A step over the edge moves by that step.
        if row < top { row } else { row + 1 - height }
    } else {
        // A jump leaves some of what is before it in sight.
        row.saturating_sub(height / 4)
    };
    wanted.min(rows.saturating_sub(height))
}
