//! Strings, and the hash that some layouts store beside them.

use wire::{Fault, Layout, Reader, Row, Table, Text, Value, Writer};

use super::form::Strings;

/// Most bytes of a string: its length has 16 bits.
pub(crate) const LONGEST_TEXT: usize = u16::MAX as usize;

/// A string with the hash that stands beside it, where the layout has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DasString {
    /// Its bytes.
    pub text: Text,
    /// The stored hash. A hashed layout is written with the right one where there is none.
    pub hash: Option<u64>,
}

impl DasString {
    /// The declaration, for the reference pages.
    pub const TABLE: &'static Table = &Table {
        name: "String",
        doc: &[" Text with its length. The document does not say what a string is; the dialects differ in it."],
        rows: &[
            row("length", "Count<u16>", "", &[" Bytes of the text."]),
            row(
                "hash",
                "u64",
                "strings are hashed",
                &[
                    " CRC-64 with the polynomial of ECMA-182, reflected, started with 0, complemented; of an empty string also 0.",
                ],
            ),
            row("text", "Text{length}", "", &[" UTF-8 by convention."]),
            row("terminator", "u8", "strings end with a byte 00", &[" 00."]),
        ],
    };

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        self.text.bytes()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether the stored hash, if there is one, is that of the text. An empty string has two.
    pub fn hash_is_right(&self) -> bool {
        self.hash.is_none_or(|stored| stored == hash(self.bytes()) || (self.is_empty() && stored == 0))
    }
}

const fn row(field: &'static str, ty: &'static str, when: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when, doc, wire_only: false }
}

impl From<&str> for DasString {
    fn from(text: &str) -> DasString {
        DasString { text: text.into(), hash: None }
    }
}
impl From<Text> for DasString {
    fn from(text: Text) -> DasString {
        DasString { text, hash: None }
    }
}

/// Written by hand: what surrounds the text is the dialect.
impl Layout<Strings> for DasString {
    const MIN_SIZE: usize = 2;
    fn name() -> &'static str {
        "String"
    }
    fn read(r: &mut Reader<'_>, strings: Strings) -> Result<DasString, Fault> {
        r.note_type("String");
        let length: u16 = r.field("length", Reader::fixed)?;
        let hash = if strings.hashed() { Some(r.field("hash", Reader::fixed)?) } else { None };
        let text = r.field("text", |r| {
            let bytes = r.take(length.into()).map_err(|fault| fault.counted("length", length.into()))?;
            r.note("text", || Value::Text(bytes.clone()));
            Ok(Text::from(bytes))
        })?;
        if strings.ends_with_nul(text.len()) {
            r.field("terminator", |r| {
                let at = r.here(1);
                match r.fixed()? {
                    0_u8 => Ok(()),
                    other => Err(Fault::value(at, "a byte 00", format!("{other:02X}"))),
                }
            })?;
        }
        Ok(DasString { text, hash })
    }
    fn write(&self, w: &mut Writer<'_>, strings: Strings) -> Result<(), Fault> {
        let length = u16::try_from(self.text.len()).map_err(|_| {
            let kind = wire::FaultKind::TooLong { value: self.text.len() as u64, max: u16::MAX.into() };
            Fault::new(kind, w.here()).inside("length")
        })?;
        w.fixed(length);
        if strings.hashed() {
            w.fixed(self.hash.unwrap_or_else(|| hash(self.bytes())));
        }
        w.blob(self.text.blob());
        if strings.ends_with_nul(self.text.len()) {
            w.fixed(0_u8);
        }
        Ok(())
    }
}

/// The polynomial of ECMA-182, reflected.
const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

const TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// The hash of a string. It ends before the first byte 00: the library hashes C strings.
pub fn hash(text: &[u8]) -> u64 {
    let bytes = text.iter().take_while(|&&byte| byte != 0);
    !bytes.fold(0, |crc: u64, &byte| TABLE[((crc ^ u64::from(byte)) & 0xFF) as usize] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hashes_are_those_of_the_library() {
        let known: [(&[u8], u64); 5] = [
            (b"", 0xffff_ffff_ffff_ffff),
            (b"A", 0x2867_988b_179b_2731),
            (b"main", 0x54c0_7651_5cbe_6a03),
            (b"root", 0x58a3_d113_0e79_5c0a),
            (b"A. Author", 0x8ece_2829_aa23_19ea),
        ];
        for (text, expected) in known {
            assert_eq!(hash(text), expected, "{}", String::from_utf8_lossy(text));
        }
        assert_eq!(hash(b"A\0B"), hash(b"A"));
    }
}
