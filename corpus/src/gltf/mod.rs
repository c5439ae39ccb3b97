//! glTF files, as `.gltf` and as `.glb`.
//!
//! The base of most recipes is `TRIANGLE`: one triangle whose 36 bytes of positions stand in a data URI, or, as GLB, in
//! the binary chunk. JSON is written down as it is; a fault is one piece of it replaced, and its place is where that piece
//! stands.

mod beyond;
mod rigs;
mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::{GLB_SAMPLES, GLTF_SAMPLES};

use crate::bytes::Bytes;

/// One triangle, its positions in a data URI: (0 0 0), (1 0 0), (0 1 0).
const TRIANGLE: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36}],"#,
    r#""buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}]}"#,
);

/// The triangle alone.
pub(crate) fn triangle() -> String {
    TRIANGLE.to_owned()
}

/// The positions of the triangle.
const CORNERS: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];

/// Texts, one behind the other.
fn text(parts: &[&str]) -> Vec<u8> {
    parts.concat().into_bytes()
}

/// Floats as the binary chunk has them.
fn floats(numbers: &[f32]) -> Vec<u8> {
    Bytes::default().le_all(numbers).done()
}

/// A GLB file: lengths are multiples of four, JSON is filled up with spaces, the binary chunk with zeros.
pub(crate) fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let json_size = json.len().next_multiple_of(4);
    let bin_size = bin.len().next_multiple_of(4);
    let length = 20 + json_size + if bin.is_empty() { 0 } else { 8 + bin_size };
    let mut file = Bytes::default();
    file.raw(b"glTF").le(2_u32).le(length as u32);
    file.le(json_size as u32).raw(b"JSON").raw(json.as_bytes()).raw(&b"   "[..json_size - json.len()]);
    if !bin.is_empty() {
        file.le(bin_size as u32).raw(b"BIN\0").raw(bin).raw(&[0; 3][..bin_size - bin.len()]);
    }
    file.done()
}

/// Where the content of the binary chunk starts.
const fn bin_start(json: &str) -> u64 {
    (20 + json.len().next_multiple_of(4) + 8) as u64
}

/// Where a piece of text starts.
const fn find(text: &str, piece: &str) -> u64 {
    let (text, piece) = (text.as_bytes(), piece.as_bytes());
    let mut at = 0;
    while at + piece.len() <= text.len() {
        let mut same = 0;
        while same < piece.len() && text[at + same] == piece[same] {
            same += 1;
        }
        if same == piece.len() {
            return at as u64;
        }
        at += 1;
    }
    panic!("the text has no such piece")
}
