//! How findings are shown: to people, as JSON, as SARIF.

pub mod json;
pub mod sarif;
pub mod terminal;

use std::borrow::Cow;

/// Text that comes from a file, safe to print: control characters are escaped.
pub fn escape(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        if harmless(c) { out.push(c) } else { out.extend(c.escape_default()) }
    }
    Cow::Owned(out)
}
