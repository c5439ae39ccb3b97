//! URIs: files beside the model, and data in the URI itself.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use wire::Blob;

use crate::gltf::schema::Uri;

/// Base64 as files have it: with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What a URI leads to.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::gltf) enum Target {
    /// Bytes that it holds itself, and what they are said to be.
    Data(String, Blob),
    /// A path, its escapes resolved.
    Path(String),
    /// Somewhere that is no path, or bytes that are none.
    Nowhere(&'static str),
}

pub(in crate::gltf) fn resolve(uri: &Uri) -> Target {
    if let Some(path) = path(uri) {
        return Target::Path(path);
    }
    let Some(data) = strip_scheme(uri, "data") else {
        return Target::Nowhere("it is no path: files are looked for beside the model only");
    };
    let Some((kind, _)) = data.split_once(',') else { return Target::Nowhere("the data URI has no comma") };
    match uri.data(decode) {
        Some(bytes) => Target::Data(kind.split(';').next().unwrap_or_default().to_owned(), bytes),
        None => Target::Nowhere("the data URI is not base64"),
    }
}

/// The path that a URI is, if it is one, its escapes resolved.
pub(in crate::gltf) fn path(uri: &str) -> Option<String> {
    if strip_scheme(uri, "data").is_some() || has_scheme(uri) {
        return None;
    }
    Some(String::from_utf8(percent_decode(uri)).unwrap_or_else(|_| uri.to_owned()))
}

fn decode(uri: &str) -> Option<Vec<u8>> {
    let (kind, content) = strip_scheme(uri, "data")?.split_once(',')?;
    match kind.strip_suffix(";base64") {
        Some(_) => BASE64.decode(content).ok(),
        None => Some(percent_decode(content)),
    }
}

fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = uri.split_once(':')?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Whether it begins like `https:`. A letter alone is a drive.
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    let letters = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    scheme.len() > 1 && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(letters)
}

/// Resolves `%20`; a `%` that starts no escape stays.
fn percent_decode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let escaped = match behind {
            [high, low, ..] if *first == b'%' => digit(*high).zip(digit(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        out.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &behind[2..] } else { behind };
    }
    out
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_data_paths_or_nothing() {
        let resolve = |uri: &str| resolve(&Uri::from(uri.to_owned()));
        let data = |mime: &str, bytes: &[u8]| Target::Data(mime.to_owned(), Blob::memory(bytes.to_vec()));
        assert_eq!(resolve("data:image/png;base64,AAEC"), data("image/png", &[0, 1, 2]));
        assert_eq!(resolve("data:application/gltf-buffer;charset=x;base64,AA"), data("application/gltf-buffer", &[0]));
        assert_eq!(resolve("DATA:,a%20b"), data("", b"a b"));
        assert_eq!(resolve("old%20oak%.bin"), Target::Path("old oak%.bin".into()));
        assert_eq!(resolve("%C3%A4.bin"), Target::Path("\u{e4}.bin".into()));
        assert_eq!(resolve("a%FF.bin"), Target::Path("a%FF.bin".into()));
        assert_eq!(resolve("C:/model.bin"), Target::Path("C:/model.bin".into()));
        for bad in ["data:no comma", "data:;base64,!!!", "https://example.org/a.bin", "file:///a.bin"] {
            assert!(matches!(resolve(bad), Target::Nowhere(_)), "{bad}");
        }
    }
}
