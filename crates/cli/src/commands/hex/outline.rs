//! The document as a tree on a screen: which fields are open, and so which row is which field.
//!
//! Only open fields take room. A row is found by counting over them, so an array of millions costs what one of three
//! does.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::fields::{Address, Field, Inside};

/// An open field, or the document: what lies inside, and what of that is open in turn.
pub(super) struct Outline {
    inside: Inside,
    open: BTreeMap<usize, Outline>,
    /// Whether it was opened only to show a field that was selected elsewhere.
    passing: bool,
}

impl Outline {
    pub(super) fn new(inside: Inside) -> Outline {
        Outline { inside, open: BTreeMap::new(), passing: false }
    }

    pub(super) fn document(&self) -> &Inside {
        &self.inside
    }

    /// Number of rows: every field inside, and the rows of the open ones.
    pub(super) fn rows(&self) -> usize {
        self.inside.len() + self.open.values().map(Outline::rows).sum::<usize>()
    }

    /// The way to the field in `row`.
    pub(super) fn address(&self, row: usize) -> Option<Address> {
        // Rows of open fields that lie before.
        let mut above = 0;
        for (&index, open) in &self.open {
            if row <= index + above {
                break;
            }
            let rows = open.rows();
            if row <= index + above + rows {
                let mut address = open.address(row - index - above - 1)?;
                address.insert(0, index);
                return Some(address);
            }
            above += rows;
        }
        Some(row - above).filter(|&index| index < self.inside.len()).map(|index| vec![index])
    }

    /// The row of a field; of the innermost field around it that has one, if something on the way is closed.
    pub(super) fn row(&self, address: &[usize]) -> usize {
        let Some((&index, rest)) = address.split_first() else { return 0 };
        let row = index + self.open.range(..index).map(|(_, open)| open.rows()).sum::<usize>();
        match self.open.get(&index) {
            Some(open) if !rest.is_empty() => row + 1 + open.row(rest),
            _ => row,
        }
    }

    pub(super) fn field(&self, address: &[usize]) -> Option<Field> {
        let (&index, rest) = address.split_first()?;
        match self.open.get(&index) {
            Some(open) if !rest.is_empty() => open.field(rest),
            _ => self.inside.field_at(address),
        }
    }

    pub(super) fn is_open(&self, address: &[usize]) -> bool {
        self.at(address).is_some()
    }

    fn at(&self, address: &[usize]) -> Option<&Outline> {
        address.iter().try_fold(self, |outline, index| outline.open.get(index))
    }

    /// Opens a field and everything around it; false if there is nothing inside.
    pub(super) fn open(&mut self, address: &[usize]) -> bool {
        self.open_way(address, false)
    }

    fn open_way(&mut self, address: &[usize], passing: bool) -> bool {
        let Some((&index, rest)) = address.split_first() else { return true };
        let open = match self.open.entry(index) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(closed) => {
                let Some(inside) = self.inside.field(index).and_then(|field| Inside::of(&field)) else { return false };
                closed.insert(Outline { passing: true, ..Outline::new(inside) })
            }
        };
        open.passing &= passing;
        open.open_way(rest, passing)
    }

    pub(super) fn close(&mut self, address: &[usize]) {
        match address {
            [] => {}
            [index] => drop(self.open.remove(index)),
            [index, rest @ ..] => {
                if let Some(open) = self.open.get_mut(index) {
                    open.close(rest);
                }
            }
        }
    }

    /// Opens what is around a field, and closes again what was opened only to show another one.
    pub(super) fn reveal(&mut self, address: &[usize]) {
        self.close_passed(address);
        if let Some((_, around)) = address.split_last() {
            self.open_way(around, true);
        }
    }

    fn close_passed(&mut self, keep: &[usize]) {
        let (kept, rest) = match keep.split_first() {
            Some((&index, rest)) => (Some(index), rest),
            None => (None, keep),
        };
        self.open.retain(|&index, open| {
            let on_the_way = kept == Some(index) && !rest.is_empty();
            open.close_passed(if on_the_way { rest } else { &[] });
            on_the_way || !open.passing || !open.open.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn paths(outline: &Outline) -> Vec<String> {
        let addresses: Vec<Address> = (0..outline.rows()).map(|row| outline.address(row).unwrap()).collect();
        for (row, address) in addresses.iter().enumerate() {
            assert_eq!(outline.row(address), row);
        }
        addresses.iter().map(|address| outline.field(address).unwrap().path).collect()
    }

    #[test]
    fn rows_and_fields_agree_whatever_is_open() {
        let mut outline = Outline::new(samples::danmodel(3));
        assert_eq!(paths(&outline), ["header", "pieces"]);
        let vertices = outline.document().find("pieces[0].vertices").unwrap();
        assert!(outline.open(&vertices));
        assert_eq!(paths(&outline).len(), 2 + 1 + 4 + 3);
        assert!(outline.open(&outline.document().find("pieces[0].vertices[1]").unwrap()));
        assert!(outline.open(&[0]));
        assert_eq!(paths(&outline)[21], "pieces[0].vertices[1].position");
        assert!(outline.address(outline.rows()).is_none());
        outline.close(&[1]);
        assert_eq!(paths(&outline).last().unwrap(), "pieces");
    }

    #[test]
    fn leaf_does_not_open() {
        let mut outline = Outline::new(samples::danmodel(3));
        assert!(!outline.open(&[0, 0]));
        assert!(!outline.is_open(&[0, 0]));
    }

    #[test]
    fn what_was_opened_in_passing_closes_behind() {
        let mut outline = Outline::new(samples::danmodel(3));
        outline.open(&[1, 0]);
        let rows = outline.rows();
        for index in 0..3 {
            let uv = outline.document().find(&format!("pieces[0].vertices[{index}].uv")).unwrap();
            outline.reveal(&uv);
            assert_eq!(outline.rows(), rows + 3 + 3);
        }
        outline.reveal(&[1, 0, 0]);
        assert_eq!(outline.rows(), rows);
    }

    #[test]
    fn millions_of_elements_cost_nothing() {
        let bytes = pentad::wire::Blob::file(vec![0; 1 << 24]);
        let node =
            pentad::wire::Node::array("bytes", &bytes, <u8 as pentad::wire::Fixed>::SHAPE, Default::default(), 1 << 24);
        let mut outline = Outline::new(Inside::document(vec![node], bytes));
        outline.open(&[0]);
        assert_eq!(outline.rows(), 1 + (1 << 24));
        assert_eq!(outline.address(1 << 24), Some(vec![0, (1 << 24) - 1]));
    }
}
