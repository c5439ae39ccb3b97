//! Files in which one field is wrong: a sample, the bytes of the field, and values that it cannot have. Whoever checks
//! such a file must name those bytes, or others for a reason that stands beside the recipe.

mod danmodel;
mod das2;
mod dgl2;
mod dgl3;
mod dragon;
mod glb;
mod gltf;
mod mat;

/// A file with one wrong field.
pub struct WrongField {
    /// Id of its format.
    pub format: &'static str,
    /// The field, in the words of the document.
    pub field: &'static str,
    /// The file before.
    pub sample: Vec<u8>,
    /// The file with the wrong value.
    pub file: Vec<u8>,
    /// Offset and size of the bytes that a finding must name.
    pub at: (u64, u64),
    /// Why they are not those of the field itself, where they are not.
    pub why: Option<&'static str>,
}

/// A sample, and what is to be changed in it.
struct Base {
    format: &'static str,
    sample: fn() -> Vec<u8>,
    /// Whether its numbers begin with their most significant byte.
    big: bool,
    rows: &'static [Row],
}

/// A field: its name, offset, size and wrong values.
#[derive(Clone, Copy)]
struct Row {
    field: &'static str,
    at: usize,
    size: usize,
    wrong: &'static [Wrong],
    /// Offset and size of the field that is the better answer, and why.
    better: Option<(usize, usize, &'static str)>,
}

/// A value that a field cannot have.
#[derive(Clone, Copy)]
enum Wrong {
    /// A number as wide as the field.
    N(i64),
    /// A float at an offset within the field.
    F(usize, f32),
    /// A float of 64 bits.
    D(usize, f64),
    /// Bytes at an offset within the field.
    B(usize, &'static [u8]),
}

const fn row(field: &'static str, at: usize, size: usize, wrong: &'static [Wrong]) -> Row {
    Row { field, at, size, wrong, better: None }
}

impl Row {
    /// The same, where another field is the better answer.
    const fn better(self, at: usize, size: usize, why: &'static str) -> Row {
        Row { better: Some((at, size, why)), ..self }
    }
}

impl Base {
    fn files(&self) -> impl Iterator<Item = WrongField> + '_ {
        let sample = (self.sample)();
        self.rows.iter().flat_map(move |row| {
            let sample = sample.clone();
            row.wrong.iter().map(move |wrong| self.file(sample.clone(), row, *wrong))
        })
    }

    fn file(&self, sample: Vec<u8>, row: &Row, wrong: Wrong) -> WrongField {
        let ordered = |mut bytes: Vec<u8>| {
            if self.big {
                bytes.reverse();
            }
            bytes
        };
        let (offset, bytes) = match wrong {
            Wrong::N(number) => (0, ordered(number.to_le_bytes()[..row.size].to_vec())),
            Wrong::F(offset, number) => (offset, ordered(number.to_le_bytes().to_vec())),
            Wrong::D(offset, number) => (offset, ordered(number.to_le_bytes().to_vec())),
            Wrong::B(offset, bytes) => (offset, bytes.to_vec()),
        };
        let file = crate::bytes::patch(sample.clone(), row.at + offset, &bytes);
        assert!(file != sample, "{} {} is as it was", self.format, row.field);
        let (at, size, why) = match row.better {
            Some((at, size, why)) => (at, size, Some(why)),
            None => (row.at, row.size, None),
        };
        WrongField { format: self.format, field: row.field, sample, file, at: (at as u64, size as u64), why }
    }
}

/// Every such file of every format.
pub fn wrong_fields() -> Vec<WrongField> {
    let bases = [danmodel::BASES, das2::BASES, dgl2::BASES, dgl3::BASES, dragon::BASES, glb::BASES];
    bases.concat_files().chain(mat::files()).chain(gltf::files()).collect()
}

trait Bases {
    fn concat_files(self) -> impl Iterator<Item = WrongField>;
}

impl<const N: usize> Bases for [&'static [Base]; N] {
    fn concat_files(self) -> impl Iterator<Item = WrongField> {
        self.into_iter().flatten().flat_map(Base::files)
    }
}
