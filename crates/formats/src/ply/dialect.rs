//! The encodings that are the dialects.

use findings::{Error, Result};

use super::header::Encoding;

pub(super) fn encoding(dialect: &str) -> Result<Encoding> {
    let known = Encoding::ALL.iter().find(|(.., id)| *id == dialect);
    known.map(|(encoding, ..)| *encoding).ok_or_else(|| {
        Error::usage(format!("PLY has no dialect {dialect}"))
            .with_help("it has binary-little-endian, binary-big-endian and ascii")
    })
}
