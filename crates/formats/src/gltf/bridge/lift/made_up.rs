//! Names made up: programs that demand one call things what they are, and number them.

/// Whether a name says no more than one of these words, numbers aside.
pub(super) fn is_made_up(name: &str, words: &[&str]) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let said = letters(name);
    words.iter().any(|word| said.eq_ignore_ascii_case(&letters(word)))
}
