//! What the command line prints as JSON, as data. The keys are a contract; `docs/schema/` holds their JSON Schemas.

mod check;
mod convert;
mod dump;
mod formats;
mod info;
mod tables;

pub use check::{Check, Checked, CheckedFile, check, stored};
pub use convert::{Conversion, End, conversion};
pub use dump::{Dump, DumpNode, Expand, Inside, dump};
pub use formats::{Formats, formats};
pub use info::{ErrorEntry, Info, info, unreadable};
pub use tables::{AnimationRow, ImageRow, MaterialRow, MeshRow};

use std::path::Path;

use serde_json::{Number, Value as Json};

/// Bytes that should be UTF-8, as text; what is not shows as U+FFFD.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The bytes themselves in hex, where they are not UTF-8.
fn odd_bytes(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).is_err().then(|| hex(bytes))
}

/// The bytes of a path in hex, where it is not UTF-8.
pub fn odd_path(path: Option<&Path>) -> Option<String> {
    odd_bytes(path?.as_os_str().as_encoded_bytes())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A float with as many digits as it needs; JSON holds only finite numbers, so others become text.
fn float(shortest: String) -> Json {
    match shortest.parse().ok().and_then(Number::from_f64) {
        Some(number) => Json::Number(number),
        None => Json::String(shortest),
    }
}
