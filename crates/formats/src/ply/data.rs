//! The data of elements, in one form for all encodings: numbers packed row by row, lists apart.

use std::ops::Range;

use findings::MAX_PER_RULE;
use wire::{Blob, Order};

use super::dialect::Dialect;
use super::header::{Element, Header, Scalar};
use crate::decimal::{push_float, push_int};

/// What the data of a file says.
#[derive(Debug, Default)]
pub struct Body {
    /// One table per element of the header.
    pub tables: Vec<Table>,
    pub(super) faults: Vec<Fault>,
    /// Bytes behind the last element.
    pub(super) tail: Range<usize>,
}

/// The rows of an element that are there.
#[derive(Clone, Debug)]
pub struct Table {
    /// How many.
    pub count: usize,
    /// The numbers of every row that are no lists, packed.
    pub rows: Blob,
    /// Bytes of one row of them.
    pub stride: usize,
    /// Byte order of rows and lists.
    pub order: Order,
    /// The lists, one per property that is one.
    pub lists: Vec<List>,
    /// Where it is in the file.
    pub(super) at: Range<usize>,
}

/// A property that is a list.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// How many numbers each row has.
    pub sizes: Vec<u32>,
    /// All numbers, one behind the other.
    pub items: Vec<u8>,
}

/// Something wrong that was met while reading.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) what: What,
    pub(super) element: usize,
    pub(super) at: Range<usize>,
    pub(super) count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// So many rows are there, and so many bytes of another.
    Missing(u64, u64),
    Number,
    Range,
}

impl Table {
    /// The numbers of a property that is no list, as they lie.
    pub(super) fn number(&self, row: usize, offset: usize, scalar: Scalar) -> f64 {
        let start = row * self.stride + offset;
        self.rows.get(start, scalar.size()).map_or(0., |bytes| decode(&bytes, scalar, self.order))
    }
}

/// One number.
#[inline]
pub(super) fn decode(bytes: &[u8], scalar: Scalar, order: Order) -> f64 {
    macro_rules! number {
        ($T:ty) => {{
            let mut raw = [0; size_of::<$T>()];
            raw.copy_from_slice(bytes);
            let number = if order == Order::Little { <$T>::from_le_bytes(raw) } else { <$T>::from_be_bytes(raw) };
            number as f64
        }};
    }
    match scalar {
        Scalar::I8 => number!(i8),
        Scalar::U8 => number!(u8),
        Scalar::I16 => number!(i16),
        Scalar::U16 => number!(u16),
        Scalar::I32 => number!(i32),
        Scalar::U32 => number!(u32),
        Scalar::F32 => number!(f32),
        Scalar::F64 => number!(f64),
    }
}

/// Appends a number; what its type cannot hold becomes the nearest it can.
#[inline]
pub(super) fn encode(out: &mut Vec<u8>, number: f64, scalar: Scalar, order: Order) {
    macro_rules! number {
        ($T:ty) => {{
            let number = number as $T;
            let bytes = if order == Order::Little { number.to_le_bytes() } else { number.to_be_bytes() };
            out.extend_from_slice(&bytes);
        }};
    }
    match scalar {
        Scalar::I8 => number!(i8),
        Scalar::U8 => number!(u8),
        Scalar::I16 => number!(i16),
        Scalar::U16 => number!(u16),
        Scalar::I32 => number!(i32),
        Scalar::U32 => number!(u32),
        Scalar::F32 => number!(f32),
        Scalar::F64 => number!(f64),
    }
}

pub(super) fn read(file: &Blob, header: &Header) -> Body {
    let mut reader = Reader { file, at: header.size, body: Body::default() };
    for (i, element) in header.elements.iter().enumerate() {
        let table = match header.dialect.order() {
            None => reader.text(i, element),
            Some(order) if !element.has_lists() => reader.rows(i, element, order),
            Some(order) => reader.lists(i, element, order),
        };
        reader.body.tables.push(table);
    }
    let mut body = reader.body;
    let end = reader.at;
    body.tail = end..file.len();
    body
}

struct Reader<'a> {
    file: &'a Blob,
    at: usize,
    body: Body,
}

impl Reader<'_> {
    #[cold]
    fn fault(&mut self, what: What, element: usize, at: Range<usize>) {
        let same = |fault: &&mut Fault| std::mem::discriminant(&fault.what) == std::mem::discriminant(&what);
        if self.body.faults.iter_mut().filter(same).count() < MAX_PER_RULE {
            self.body.faults.push(Fault { what, element, at, count: 1 });
        } else if let Some(last) = self.body.faults.iter_mut().rev().find(same) {
            last.count += 1;
        }
    }

    fn missing(&mut self, element: usize, said: u64, there: usize) {
        if said > there as u64 {
            let end = self.file.len();
            self.fault(What::Missing(there as u64, (end - self.at) as u64), element, end..end);
        }
    }

    /// Rows of one size: a view of the file.
    fn rows(&mut self, index: usize, element: &Element, order: Order) -> Table {
        let (_, stride) = element.offsets();
        let left = self.file.len() - self.at;
        let said = usize::try_from(element.count).unwrap_or(usize::MAX);
        let count = left.checked_div(stride).map_or(0, |fit| fit.min(said));
        let at = self.at..self.at + count * stride;
        self.at = at.end;
        if stride > 0 {
            self.missing(index, element.count, count);
        }
        Table { count, rows: self.file.slice(at.clone()), stride, order, lists: Vec::new(), at }
    }

    /// Rows with lists, which are of any size.
    fn lists(&mut self, index: usize, element: &Element, order: Order) -> Table {
        let (_, stride) = element.offsets();
        let lists = element.properties.iter().filter(|property| property.count.is_some()).count();
        let mut table =
            Table { count: 0, rows: Blob::default(), stride, order, lists: vec![List::default(); lists], at: 0..0 };
        let start = self.at;
        let mut rows = Vec::new();
        while (table.count as u64) < element.count {
            let Some(end) = take_row(&self.file[self.at..], element, order, &mut rows, &mut table.lists) else { break };
            self.at += end;
            table.count += 1;
        }
        self.missing(index, element.count, table.count);
        table.rows = Blob::memory(rows);
        table.at = start..self.at;
        table
    }

    /// Words, whatever lines they are on.
    fn text(&mut self, index: usize, element: &Element) -> Table {
        let (_, stride) = element.offsets();
        let order = Order::Little;
        let lists = element.properties.iter().filter(|property| property.count.is_some()).count();
        let mut table =
            Table { count: 0, rows: Blob::default(), stride, order, lists: vec![List::default(); lists], at: 0..0 };
        let start = self.at;
        let mut rows = Vec::new();
        while (table.count as u64) < element.count && !element.properties.is_empty() {
            if self.row(index, element, &mut rows, &mut table.lists).is_none() {
                // What was read of a row that is not whole is none.
                rows.truncate(table.count * stride);
                for (list, property) in
                    table.lists.iter_mut().zip(element.properties.iter().filter(|p| p.count.is_some()))
                {
                    list.sizes.truncate(table.count);
                    let items: usize = list.sizes.iter().map(|&size| size as usize).sum();
                    list.items.truncate(items * property.item.size());
                }
                break;
            }
            table.count += 1;
        }
        if !element.properties.is_empty() {
            self.missing(index, element.count, table.count);
        }
        table.rows = Blob::memory(rows);
        table.at = start..self.at;
        table
    }

    /// One row of words.
    fn row(&mut self, index: usize, element: &Element, rows: &mut Vec<u8>, lists: &mut [List]) -> Option<()> {
        let mut lists = lists.iter_mut();
        for property in &element.properties {
            let Some(count) = property.count else {
                let number = self.number(index, property.item)?;
                encode(rows, number, property.item, Order::Little);
                continue;
            };
            let said = self.number(index, count)?;
            let list = lists.next()?;
            let before = list.items.len();
            let mut size = 0;
            while f64::from(size) < said {
                let Some(number) = self.number(index, property.item) else {
                    list.items.truncate(before);
                    return None;
                };
                encode(&mut list.items, number, property.item, Order::Little);
                size += 1;
            }
            list.sizes.push(size);
        }
        Some(())
    }

    /// The next word as a number; what is none is 0.
    fn number(&mut self, element: usize, scalar: Scalar) -> Option<f64> {
        let rest = &self.file[self.at..];
        let blanks = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let word = &rest[blanks..];
        let size = word.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(word.len());
        let at = self.at + blanks..self.at + blanks + size;
        self.at = at.end;
        // Rounded once: a 32-bit float is not made from a double.
        let number = match scalar {
            Scalar::F32 => fast_float2::parse::<f32, _>(&word[..size]).map(f64::from),
            _ => fast_float2::parse::<f64, _>(&word[..size]),
        };
        let Ok(number) = number else {
            self.fault(What::Number, element, at);
            return Some(0.);
        };
        if !holds(scalar, number) {
            self.fault(What::Range, element, at);
        }
        Some(number)
    }
}

/// Whether a type holds a number as it is.
fn holds(scalar: Scalar, number: f64) -> bool {
    let range = match scalar {
        Scalar::I8 => -128. ..=127.,
        Scalar::U8 => 0. ..=255.,
        Scalar::I16 => -32768. ..=32767.,
        Scalar::U16 => 0. ..=65535.,
        Scalar::I32 => -2147483648. ..=2147483647.,
        Scalar::U32 => 0. ..=4294967295.,
        Scalar::F32 | Scalar::F64 => return true,
    };
    range.contains(&number) && number.fract() == 0.
}

/// Reads a row with lists; answers its size, or nothing if it is not whole.
#[inline]
fn take_row(file: &[u8], element: &Element, order: Order, rows: &mut Vec<u8>, lists: &mut [List]) -> Option<usize> {
    let end = row_size(file, element, order)?;
    let mut at = 0;
    let mut lists = lists.iter_mut();
    for property in &element.properties {
        let size = property.item.size();
        let Some(count) = property.count else {
            rows.extend_from_slice(&file[at..at + size]);
            at += size;
            continue;
        };
        let items = decode(&file[at..at + count.size()], count, order).max(0.) as usize;
        at += count.size();
        let list = lists.next()?;
        list.sizes.push(items as u32);
        list.items.extend_from_slice(&file[at..at + items * size]);
        at += items * size;
    }
    Some(end)
}

/// The bytes of the row that begins here, if all of them are there. A count below zero makes none.
fn row_size(file: &[u8], element: &Element, order: Order) -> Option<usize> {
    let mut at = 0_usize;
    for property in &element.properties {
        let items = match property.count {
            None => 1,
            Some(count) => {
                let said = decode(file.get(at..at + count.size())?, count, order);
                at += count.size();
                if said < 0. {
                    return None;
                }
                said as usize
            }
        };
        at = at.checked_add(items.checked_mul(property.item.size())?)?;
        if at > file.len() {
            return None;
        }
    }
    Some(at)
}

/// Where a row is in the file; for a finding, it may take a pass.
pub(super) fn row_at(file: &Blob, header: &Header, table: &Table, element: usize, row: usize) -> Range<usize> {
    let element = &header.elements[element];
    match header.dialect.order() {
        Some(_) if !element.has_lists() => {
            let start = table.at.start + row * table.stride;
            start..start + table.stride
        }
        Some(order) => {
            let mut at = table.at.start;
            for _ in 0..row {
                at += row_size(&file[at..], element, order).unwrap_or(0);
            }
            at..at + row_size(&file[at..], element, order).unwrap_or(0)
        }
        None => {
            let mut reader = Reader { file, at: table.at.start, body: Body::default() };
            let lists = table.lists.len();
            for _ in 0..row {
                reader.row(0, element, &mut Vec::new(), &mut vec![List::default(); lists]);
            }
            let blanks = file[reader.at..].iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
            let start = reader.at + blanks;
            reader.row(0, element, &mut Vec::new(), &mut vec![List::default(); lists]);
            start..reader.at.max(start)
        }
    }
}

/// The data of a table in some dialect.
pub(super) fn write(out: &mut Vec<u8>, element: &Element, table: &Table, dialect: Dialect) {
    if dialect.order() == Some(table.order) && !element.has_lists() {
        out.extend_from_slice(&table.rows);
        return;
    }
    let (offsets, _) = element.offsets();
    let mut at = vec![0; table.lists.len()];
    for row in 0..table.count {
        let mut first = true;
        let mut lists = 0;
        for (property, &offset) in element.properties.iter().zip(&offsets) {
            let Some(count) = property.count else {
                put(out, table.number(row, offset, property.item), property.item, dialect, &mut first);
                continue;
            };
            let list = &table.lists[lists];
            let size = list.sizes[row];
            put(out, size.into(), count, dialect, &mut first);
            let bytes = size as usize * property.item.size();
            let items = &list.items[at[lists]..at[lists] + bytes];
            if dialect.order() == Some(table.order) {
                out.extend_from_slice(items);
            } else {
                for item in items.chunks_exact(property.item.size()) {
                    put(out, decode(item, property.item, table.order), property.item, dialect, &mut first);
                }
            }
            at[lists] += bytes;
            lists += 1;
        }
        if dialect == Dialect::Ascii {
            out.push(b'\n');
        }
    }
}

#[inline]
fn put(out: &mut Vec<u8>, number: f64, scalar: Scalar, dialect: Dialect, first: &mut bool) {
    let Some(order) = dialect.order() else {
        if !std::mem::take(first) {
            out.push(b' ');
        }
        match scalar {
            Scalar::F32 => push_float(out, number as f32),
            Scalar::F64 => push_float(out, number),
            _ => push_int(out, number as i64),
        }
        return;
    };
    encode(out, number, scalar, order);
}
