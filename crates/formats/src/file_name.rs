//! Names of the files that are written beside a model.

use scene::{Id, Image, ImageSource};
use wire::Blob;

/// Bytes of a name: common systems allow 255, and a number and an extension follow.
const LONGEST: usize = 200;

/// A name that is one file in the same folder on every system.
pub(crate) fn safe_name(name: &str) -> String {
    let unsafe_char = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let safe: String = name.chars().map(|c| if unsafe_char(c) { '_' } else { c }).collect();
    let end = (0..=LONGEST.min(safe.len())).rev().find(|end| safe.is_char_boundary(*end)).unwrap_or(0);
    let safe = safe[..end].trim_start_matches('.').trim_end_matches(['.', ' ']).to_owned();
    if safe.is_empty() { "_".to_owned() } else { safe }
}

/// The first of `stem.ext`, `stem-2.ext`, … that is not taken.
pub(crate) fn numbered(stem: &str, extension: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = format!("{stem}{extension}");
    let mut number = 2;
    while taken(&name) {
        name = format!("{stem}-{number}{extension}");
        number += 1;
    }
    name
}

/// What the file of an image is called, and its extension with the dot: the content says it better than the type.
pub(crate) fn file_of(image: &Image, id: Id<Image>, model: &str) -> (String, String) {
    let (mime, bytes) = match &image.source {
        ImageSource::Embedded { mime, bytes } => (mime.as_str(), &bytes[..]),
        ImageSource::File { bytes, .. } => ("", bytes.as_ref().map_or(&[][..], Blob::as_ref)),
    };
    let extension = match (bytes, mime.rsplit('/').next()) {
        ([0x89, b'P', b'N', b'G', ..], _) => ".png".to_owned(),
        ([0xFF, 0xD8, 0xFF, ..], _) | (_, Some("jpeg")) => ".jpg".to_owned(),
        (_, Some("")) | (_, None) => ".bin".to_owned(),
        (_, Some(kind)) => format!(".{}", safe_name(kind)),
    };
    let name = image.name.to_string();
    let stem = name.strip_suffix(&extension).unwrap_or(&name);
    let stem = if stem.is_empty() { format!("{model}-{}", id.index()) } else { safe_name(stem) };
    (stem, extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_numbered() {
        assert_eq!(safe_name("a/b:c"), "a_b_c");
        assert_eq!(safe_name("..\u{1}"), "_");
        assert_eq!(safe_name(&"ü".repeat(300)), "ü".repeat(100));
        assert_eq!(numbered("a", ".mat", |name| name == "a.mat"), "a-2.mat");
    }

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(safe_name("Größe ★"), "Größe ★");
    }
}
