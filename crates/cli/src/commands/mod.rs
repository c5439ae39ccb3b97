//! One file per verb.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod hex;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod sample;

use pentad::findings::render::escape;
use pentad::wire::Value;
use pentad::{Asset, File, Outline};

use crate::common::Common;
use crate::output::Output;

/// Opens and reads a file, or says why not.
fn open(path: &std::path::Path, common: &Common, out: &Output) -> Option<Asset> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => {
            out.error(&error, "", None);
            return None;
        }
    };
    match file.read(&common.open_options()) {
        Ok(asset) => Some(asset),
        Err(error) => {
            out.error(&error, file.name(), Some(&file));
            None
        }
    }
}

/// Opens a file and says which field owns which of its bytes; if it cannot be read, says why, too.
fn outline(path: &std::path::Path, common: &Common, out: &Output) -> Option<(File, Outline)> {
    let file = File::open(path).map_err(|error| out.error(&error, "", None)).ok()?;
    let outline = file.outline(&common.open_options());
    if let Some(error) = &outline.error {
        out.error(error, file.name(), Some(&file));
    }
    Some((file, outline))
}

/// A number with a space between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// What a field says, on one line.
fn show(value: &Value) -> String {
    /// Longest text or byte run that is shown whole.
    const LONG: usize = 60;
    match value {
        Value::Unsigned(n) => n.to_string(),
        Value::Signed(n) => n.to_string(),
        Value::F32(n) => n.to_string(),
        Value::F64(n) => n.to_string(),
        Value::Text(bytes) => {
            // No character takes more than four bytes; a text may be as long as its file.
            let start = &bytes[..bytes.len().min(4 * (LONG + 1))];
            let text = String::from_utf8_lossy(start);
            let mut short: String = text.chars().take(LONG).collect();
            if short.len() < text.len() {
                short.push('…');
            }
            format!("\"{}\"", escape(&short))
        }
        Value::Bytes(bytes) => {
            let hex: Vec<String> = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            format!("{}{}", hex.join(" "), if bytes.len() > 16 { " …" } else { "" })
        }
        Value::Named { raw, word: Some(word) } => format!("{raw} {word}"),
        Value::Named { raw, word: None } => format!("{raw} (no such value)"),
        Value::List(values) => format!("({})", values.iter().map(show).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_are_grouped_from_the_right() {
        let shown: Vec<String> = [0, 999, 1000, 1234567].into_iter().map(super::grouped).collect();
        assert_eq!(shown, ["0", "999", "1 000", "1 234 567"]);
    }
}
