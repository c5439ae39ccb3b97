//! Documents for the tests of this verb.

use pentad::wire::{Blob, Node, Span};
use pentad::{File, OpenOptions};

use super::fields::Inside;

/// A DanModel of one danmaku-coloured piece; its vertices start at byte 0x39.
pub(super) fn danmodel(vertex_count: i32) -> Inside {
    let mut bytes = Vec::new();
    for (text, behind) in [("DanmakuCore DanModel", &[0, 1][..]), ("heart\x1b", &[]), ("", &[]), ("", &[])] {
        bytes.extend((text.len() as i16).to_be_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(behind);
    }
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend(0.3_f32.to_be_bytes());
    bytes.extend((9 + 52 * vertex_count).to_be_bytes());
    bytes.extend(4_i32.to_be_bytes());
    bytes.extend(vertex_count.to_be_bytes());
    bytes.push(1);
    for vertex in 0..vertex_count {
        (0..5).for_each(|i| bytes.extend(f64::from(vertex * 10 + i).to_be_bytes()));
        (0..3).for_each(|i| bytes.extend((i as f32).to_be_bytes()));
    }
    let asset = File::from_bytes("m.danmodel", bytes).read(&OpenOptions::default()).expect("a whole DanModel");
    Inside::document(asset.document().tree(), asset.file().bytes().clone())
}

/// A file whose second field inflates to ten bytes, and whose last field is in the bytes of its first.
pub(super) fn compressed() -> Inside {
    let file = Blob::file(b"HEADzzzzTAIL".to_vec());
    let body = Blob::inflated(b"0123456789".to_vec());
    let inner = vec![body.slice(..4).node("first", "bytes"), body.slice(4..).node("second", "bytes")];
    let tree = vec![
        file.slice(..4).node("header", "bytes"),
        Node::group("body", "zlib", Span::file(4, 4), inner).inflating_to(body),
        file.slice(8..).node("tail", "bytes"),
        file.slice(1..3).node("again", "bytes").sharing(),
    ];
    Inside::document(tree, file)
}
