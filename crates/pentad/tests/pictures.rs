//! Pictures inside of a model that go to files of their own: each is written where its name leads, inside the model's folder.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use pentad::{ConvertOptions, File, convert, formats};
use serde_json::json;

const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A GLB with one picture inside that had this path once.
fn with_path(path: &str) -> Vec<u8> {
    let root = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": PIXEL.len() }],
        "bufferViews": [{ "buffer": 0, "byteLength": PIXEL.len() }],
        "images": [{ "mimeType": "image/png", "bufferView": 0, "extras": { "pentad": { "path": path } } }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
    });
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let size = (28 + text.len() + PIXEL.len()) as u32;
    let (json, bin) = ((text.len() as u32).to_le_bytes(), (PIXEL.len() as u32).to_le_bytes());
    [b"glTF\x02\0\0\0", &size.to_le_bytes()[..], &json, b"JSON", &text, &bin, b"BIN\0", PIXEL].concat()
}

#[test]
fn pictures_are_written_where_their_names_lead() {
    let written = [
        ("wood.png", false, "wood.png"),
        ("a/wood.png", false, "a/wood.png"),
        ("a\\wood.png", false, "a/wood.png"),
        // Nothing is written outside of the model's folder.
        ("..\\wood.png", true, "wood.png"),
        ("../wood.png", true, "wood.png"),
        ("/wood.png", true, "wood.png"),
        ("C:\\wood.png", true, "wood.png"),
    ];
    for (path, leads_out, expected) in written {
        let asset = File::from_bytes("model.glb", with_path(path)).read(&Default::default()).unwrap();
        for target in ["das2", "dragon"] {
            let converted = convert(&asset, &ConvertOptions::to(formats::by_id(target).unwrap())).unwrap();
            let names: Vec<&str> = converted.side_files.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(names, [expected], "{path} to {target}");
            let moved = converted.notes.iter().any(|note| note.contains("leads out of the folder"));
            assert_eq!(moved, leads_out, "{path} to {target}");
            let bytes = converted.to_vec().unwrap();
            let back = File::from_bytes("model", bytes).read(&Default::default()).unwrap();
            let links = back.document().named(&pentad::formats::NoSource).into_iter().map(|file| file.path);
            assert_eq!(links.map(|link| link.replace('\\', "/")).collect::<Vec<_>>(), [expected], "{path} to {target}");
        }
    }
}
