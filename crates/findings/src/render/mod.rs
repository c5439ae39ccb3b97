//! How findings are shown: to people, as JSON, as SARIF, as JUnit XML, as commands to GitHub.

pub mod github;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod terminal;

use std::borrow::Cow;

/// Text that comes from a file, safe to print: control characters are escaped.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, is_harmless, |out, c| out.extend(c.escape_default()))
}

/// The same for a JSON document or a part of one, in JSON's own notation. JSON itself escapes only what is below a blank.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    escape_where(text, |c| c < ' ' || is_harmless(c), |out, c| out.push_str(&format!("\\u{:04x}", u32::from(c))))
}

/// Whether a terminal shows a character, and does nothing else with it.
fn is_harmless(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escape_where(text: &str, is_kept: impl Fn(char) -> bool, push: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        if is_kept(c) { out.push(c) } else { push(&mut out, c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{escape, escape_json};

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(escape("a\u{1b}\u{7f}\u{9b}\u{202e}é"), "a\\u{1b}\\u{7f}\\u{9b}\\u{202e}é");
        assert_eq!(escape_json("{\n\"a\u{7f}\u{9b}\u{202e}é\"}"), "{\n\"a\\u007f\\u009b\\u202eé\"}");
    }
}
