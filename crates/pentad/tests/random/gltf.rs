//! An own, small reading of glTF: JSON and numbers. It shares nothing with the code it judges.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// A file with the numbers it names.
pub(crate) struct Gltf {
    pub(crate) root: Json,
    folder: PathBuf,
    buffers: Vec<Vec<u8>>,
}

/// The items of a list that may not be there.
pub(crate) fn items<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

pub(crate) fn index(json: &Json, key: &str) -> Option<usize> {
    json.get(key)?.as_u64().map(|index| index as usize)
}

pub(crate) fn number(json: &Json, key: &str, missing: f64) -> f64 {
    json.get(key).and_then(Json::as_f64).unwrap_or(missing)
}

pub(crate) fn numbers<const N: usize>(json: &Json, key: &str, missing: [f64; N]) -> [f64; N] {
    let mut out = missing;
    out.iter_mut().zip(items(json, key)).for_each(|(to, from)| *to = from.as_f64().unwrap_or(f64::NAN));
    out
}

pub(crate) fn indices(json: &Json, key: &str) -> Vec<usize> {
    items(json, key).iter().filter_map(Json::as_u64).map(|index| index as usize).collect()
}

pub(crate) fn extension<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    json.get("extensions")?.get(name)
}

/// Numbers in rows of `width`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) width: usize,
    pub(crate) values: Vec<f64>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    pub(crate) fn row<const N: usize>(&self, at: usize) -> [f64; N] {
        let mut out = [0.; N];
        out.iter_mut().zip(&self.values[at * self.width..]).for_each(|(to, from)| *to = *from);
        out
    }
}

impl Gltf {
    pub(crate) fn open(path: &Path) -> Gltf {
        let bytes = std::fs::read(path).unwrap();
        let folder = path.parent().unwrap().to_owned();
        let (root, bin) = if bytes.starts_with(b"glTF") {
            let size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let root: Json = serde_json::from_slice(&bytes[20..20 + size]).unwrap();
            (root, bytes.get(28 + size..).map(<[u8]>::to_vec))
        } else {
            (serde_json::from_slice(&bytes).unwrap(), None)
        };
        let mut file = Gltf { root, folder, buffers: Vec::new() };
        let buffers: Vec<Option<&str>> = file.list("buffers").iter().map(|buffer| buffer["uri"].as_str()).collect();
        let read =
            |uri: &Option<&str>| uri.map_or_else(|| bin.clone(), |uri| file.uri(uri)).expect("a buffer is there");
        file.buffers = buffers.iter().map(read).collect();
        file
    }

    pub(crate) fn list(&self, key: &str) -> &[Json] {
        items(&self.root, key)
    }

    /// The bytes behind a URI, if they are there.
    fn uri(&self, uri: &str) -> Option<Vec<u8>> {
        match uri.strip_prefix("data:") {
            Some(data) => Some(base64(data.split_once(',')?.1)),
            None => std::fs::read(self.folder.join(unescaped(uri))).ok(),
        }
    }

    fn view(&self, view: usize) -> &[u8] {
        let view = &self.list("bufferViews")[view];
        let from = index(view, "byteOffset").unwrap_or(0);
        &self.buffers[index(view, "buffer").unwrap()][from..from + index(view, "byteLength").unwrap()]
    }

    /// What an image shows: a number made from its bytes, or nothing if they are not there.
    pub(crate) fn image(&self, image: usize) -> Option<u64> {
        let image = &self.list("images")[image];
        let bytes = match (index(image, "bufferView"), image["uri"].as_str()) {
            (Some(view), _) => Some(self.view(view).to_vec()),
            (None, uri) => self.uri(uri?),
        };
        let mut hasher = DefaultHasher::new();
        bytes?.hash(&mut hasher);
        Some(hasher.finish())
    }

    pub(crate) fn accessor(&self, at: usize) -> Rows {
        let accessor = &self.list("accessors")[at];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("accessor of {other}"),
        };
        let count = index(accessor, "count").unwrap();
        let kind = index(accessor, "componentType").unwrap();
        let normalized = accessor["normalized"] == true;
        let mut values = vec![0.; count * width];
        if let Some(view) = index(accessor, "bufferView") {
            let stride = index(&self.list("bufferViews")[view], "byteStride");
            let from = index(accessor, "byteOffset").unwrap_or(0);
            let bytes = &self.view(view)[from..];
            for row in 0..count {
                for column in 0..width {
                    let at = row * stride.unwrap_or(width * size(kind)) + column * size(kind);
                    values[row * width + column] = component(&bytes[at..], kind, normalized);
                }
            }
        }
        if let Some(sparse) = accessor.get("sparse") {
            let (places, kept) = (&sparse["indices"], &sparse["values"]);
            let place_kind = index(places, "componentType").unwrap();
            let start = |part: &Json| index(part, "byteOffset").unwrap_or(0);
            let place_bytes = &self.view(index(places, "bufferView").unwrap())[start(places)..];
            let value_bytes = &self.view(index(kept, "bufferView").unwrap())[start(kept)..];
            for at in 0..index(sparse, "count").unwrap() {
                let row = component(&place_bytes[at * size(place_kind)..], place_kind, false) as usize;
                for column in 0..width {
                    let at = (at * width + column) * size(kind);
                    values[row * width + column] = component(&value_bytes[at..], kind, normalized);
                }
            }
        }
        Rows { width, values }
    }
}

fn size(kind: usize) -> usize {
    match kind {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    }
}

fn component(bytes: &[u8], kind: usize, normalized: bool) -> f64 {
    let (value, most) = match kind {
        5120 => (f64::from(bytes[0] as i8), 127.),
        5121 => (f64::from(bytes[0]), 255.),
        5122 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.),
        5123 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.),
        5125 => (f64::from(u32::from_le_bytes(bytes[..4].try_into().unwrap())), 4294967295.),
        _ => return f64::from(f32::from_le_bytes(bytes[..4].try_into().unwrap())),
    };
    if normalized { (value / most).max(-1.) } else { value }
}

fn base64(text: &str) -> Vec<u8> {
    let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
    for digit in text.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        (bits, held) = (bits << 6 | u32::from(value), held + 6);
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// A path whose `%20` are blanks again.
pub(crate) fn unescaped(uri: &str) -> String {
    let (bytes, mut out, mut at) = (uri.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = uri.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap()
}
