//! Names of the files that are written beside a model.

use scene::{Id, Image, ImageSource};
use wire::Blob;

/// Bytes of a name: common systems allow 255, and a number and an extension follow.
const LONGEST: usize = 200;

/// Names that are no files on some system, whatever extension they have.
const DEVICES: [&str; 7] = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// Further ones, with a digit behind them: also one of those that stand higher.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// A name that is one file in the same folder on every system, that no program takes for an option, and that shows its
/// letters in their order.
pub(crate) fn safe_name(name: &str) -> String {
    let safe: String = name.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    let end = (0..=LONGEST.min(safe.len())).rev().find(|end| safe.is_char_boundary(*end)).unwrap_or(0);
    let safe = safe[..end].trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    match safe {
        "" => "_".to_owned(),
        dashed if dashed.starts_with('-') => format!("_{}", &dashed[1..]),
        device if is_device(device) => format!("_{device}"),
        plain => plain.to_owned(),
    }
}

fn is_unsafe(c: char) -> bool {
    // The last ones turn the direction of what follows: exe.png can be made to look like gnp.exe.
    c.is_control()
        || "/\\:*?\"<>|".contains(c)
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let numbered = |word: &&str| {
        let mut rest = stem.strip_prefix(*word).into_iter().flat_map(str::chars);
        matches!((rest.next(), rest.next()), (Some('0'..='9' | '\u{B9}' | '\u{B2}' | '\u{B3}'), None))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(numbered)
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
    fn file_names_are_safe() {
        assert_eq!(safe_name("a/b:c"), "a_b_c");
        assert_eq!(safe_name("..\u{1}"), "_");
        assert_eq!(safe_name(&"ü".repeat(300)), "ü".repeat(100));
    }

    #[test]
    fn names_keep_their_letters() {
        for name in ["Größe ★", "a-b", "console", "com", "com10", "lpt", "nulled.png", "a.con", "a b", "日本"] {
            assert_eq!(safe_name(name), name);
        }
    }

    #[test]
    fn names_of_devices_options_and_turned_letters_do_not_survive() {
        for device in ["CON", "nul", "Com1", "lpt9", "aux", "PRN", "com\u{B9}", "CONIN$"] {
            for name in [device.to_owned(), format!("{device}.png"), format!("{device}.a.b"), format!("{device} .x")] {
                assert_eq!(safe_name(&name), format!("_{name}"));
            }
        }
        assert_eq!(safe_name("-rf"), "_rf");
        assert_eq!(safe_name(" -rf"), "_rf");
        assert_eq!(safe_name("name. . ."), "name");
        assert_eq!(safe_name(".."), "_");
        assert_eq!(safe_name("a\u{202E}gnp.exe"), "a_gnp.exe");
        assert_eq!(safe_name("a\u{2066}b\u{2069}\u{202A}\n\0"), "a_b____");
        // What is cut off may leave a dot at the end.
        assert_eq!(safe_name(&format!("{}. x", "a".repeat(LONGEST - 1))), "a".repeat(LONGEST - 1));
    }

    #[test]
    fn a_safe_name_is_safe_again() {
        for name in
            ["con", "-", "--x", "..", " . ", "\u{202E}", "a/b", "nul.txt ", "- .", "-con", ".nul", &"ä.".repeat(300)]
        {
            let safe = safe_name(name);
            assert_eq!(safe_name(&safe), safe, "{name:?}");
        }
    }
}
