//! `.gltf` and `.glb` become each other: only where bytes are changes.

use formats::gltf::{Document, Glb, Gltf};
use formats::{Format, LiftCx, LowerCx, NoSource, Package, ReadCx, Textures};
use serde_json::{Value as Json, json};
use wire::Blob;

use crate::support::{Parsed, uri};

const PNG: &[u8] = b"\x89PNG\r\n\x1A\n and so on";

/// Everything that a scene has no place for, beside one triangle.
fn odd() -> Json {
    let corners: Vec<u8> = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|v| v.to_le_bytes()).collect();
    json!({
        "asset": { "version": "2.0", "generator": "someone", "extensions": { "X_packet": { "packet": 0 } } },
        "extensionsUsed": ["X_table", "X_packet", "EXT_texture_webp"],
        "extensionsRequired": ["X_table"],
        "extensions": { "X_table": { "values": 1 } },
        "extras": { "of": "the root" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "extras": [1, 0.5, null] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 1, "extras": 3 }, "extras": 4 },
            "extensions": { "X_coat": { "texture": { "index": 1 } } } }],
        "textures": [{ "extensions": { "EXT_texture_webp": { "source": 0 } } }, { "source": 0, "sampler": 1 }],
        "samplers": [{ "name": "unused" }, { "extras": "of a sampler" }],
        "images": [{ "uri": uri(PNG), "name": "oak bark" }],
        "accessors": [{ "name": "corners", "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0, 0, 0], "max": [1, 1, 0], "extras": { "of": "an accessor" } }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36, "name": "view" },
            { "buffer": 0, "byteOffset": 36, "byteLength": 2, "extras": true },
        ],
        "buffers": [{ "name": "bytes", "byteLength": 38, "uri": uri(&[&corners[..], b"hi"].concat()) }],
    })
}

fn read<F: Format<Document = Document>>(bytes: Vec<u8>) -> Document {
    F::read(Blob::file(bytes), &mut ReadCx::default()).expect("it can be read")
}

/// The document of another container, and what that cost.
fn repacked<F: Format<Document = Document>>(
    doc: &Document,
    textures: Option<Textures>,
) -> (Package<Document>, Vec<String>) {
    let textures = textures.unwrap_or_default();
    let mut cx = LowerCx { textures, ..LowerCx::new(&NoSource, "standard") };
    let package = F::repack(doc, &mut cx).expect("the options fit").expect("nothing is missing");
    (package, cx.losses.iter().map(ToString::to_string).collect())
}

fn as_glb(root: &Json) -> (Parsed, Vec<String>) {
    let (package, losses) = repacked::<Glb>(&read::<Gltf>(root.to_string().into()), None);
    assert!(package.side_files.is_empty());
    (Parsed::new(&testing::write::<Glb>(&package.document)), losses)
}

/// All but what says where bytes are.
fn words(root: &Json) -> Json {
    let mut root = root.clone();
    for image in root["images"].as_array_mut().expect("images") {
        ["uri", "bufferView", "mimeType"].iter().for_each(|key| drop(image.as_object_mut().unwrap().remove(*key)));
    }
    ["buffers", "bufferViews"].iter().for_each(|key| drop(root.as_object_mut().unwrap().remove(*key)));
    root
}

#[test]
fn nothing_changes_but_where_bytes_are() {
    let (glb, losses) = as_glb(&odd());
    assert_eq!(losses, [""; 0]);
    assert_eq!(words(&glb.json), words(&odd()));
    assert_eq!(glb.json["bufferViews"][1], odd()["bufferViews"][1]);
    assert_eq!((glb.view(&json!(1)), glb.view(&json!(2))), (&b"hi"[..], PNG));
    assert_eq!(glb.floats(&json!(0))[3], 1.);
    assert_eq!(
        (&glb.json["images"][0]["bufferView"], &glb.json["images"][0]["mimeType"]),
        (&json!(2), &json!("image/png"))
    );
    assert_eq!(glb.json["buffers"][0]["name"], "bytes");
}

#[test]
fn pictures_go_back_into_files_and_their_views_with_them() {
    let (package, _) = repacked::<Glb>(&read::<Gltf>(odd().to_string().into()), None);
    let (package, losses) = repacked::<Gltf>(&package.document, None);
    assert_eq!(losses, [""; 0]);
    let files: Vec<(&str, usize)> = package.side_files.iter().map(|f| (f.name.as_str(), f.bytes.len())).collect();
    assert_eq!(files, [("oak bark.png", PNG.len()), ("model.bin", 40)]);
    let root: Json = serde_json::from_slice(&testing::write::<Gltf>(&package.document)).expect("JSON");
    assert_eq!(
        (&root["images"][0]["uri"], &root["buffers"][0]["uri"]),
        (&json!("oak%20bark.png"), &json!("model.bin"))
    );
    assert_eq!(words(&root), words(&odd()));
    assert_eq!(root["bufferViews"], odd()["bufferViews"], "the picture's was the last");
}

#[test]
fn views_behind_a_picture_get_other_numbers_and_unknown_extensions_are_told() {
    let (package, _) = repacked::<Glb>(&read::<Gltf>(odd().to_string().into()), None);
    let mut doc = package.document;
    // The same, with the picture's view first.
    let root = doc.root.edit();
    root.buffer_views.rotate_right(1);
    root.images[0].buffer_view = Some(0);
    root.accessors[0].buffer_view = Some(1);
    root.accessors[0].extras = Some(json!({ "bufferView": 1, "pentad": { "bufferView": 1 } }));
    let (package, losses) = repacked::<Gltf>(&doc, Some(Textures::Copy));
    let accessor = &package.document.root.accessors[0];
    assert_eq!(accessor.buffer_view, Some(0));
    assert_eq!(accessor.extras, Some(json!({ "bufferView": 1, "pentad": { "bufferView": 0 } })));
    let told = |name: &str| format!("LOSS-055 file: numbers of buffer views in {name}");
    // Numbers in extensions that are known follow.
    assert_eq!(losses, ["X_table", "X_packet"].map(told));
}

#[test]
fn bytes_of_pictures_leave_the_buffer() {
    let mut root = odd();
    let corners: Vec<u8> = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|v| v.to_le_bytes()).collect();
    // One byte, a picture that ends at no multiple of four, its padding, the corners, and the picture's end once more.
    let bytes = [&b"a   "[..], PNG, b"  ", &corners, b"bc"].concat();
    let behind = 4 + PNG.len() + 2;
    assert_eq!((behind % 4, PNG.len() % 4), (0, 2));
    root["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri(&bytes) }]);
    root["images"] =
        json!([{ "bufferView": 1, "mimeType": "image/png" }, { "bufferView": 3, "mimeType": "image/png" }]);
    root["bufferViews"] = json!([
        { "buffer": 0, "byteOffset": behind, "byteLength": 36 },
        { "buffer": 0, "byteOffset": 4, "byteLength": PNG.len() },
        { "buffer": 0, "byteLength": 1 },
        { "buffer": 0, "byteOffset": behind + 36, "byteLength": 2 },
        { "buffer": 0, "byteOffset": behind + 37, "byteLength": 1 },
    ]);
    let (package, _) = repacked::<Glb>(&read::<Gltf>(root.to_string().into()), None);
    let (package, _) = repacked::<Gltf>(&package.document, None);
    let views = &package.document.root.buffer_views;
    let places: Vec<(Option<usize>, usize)> = views.iter().map(|v| (v.byte_offset, v.byte_length)).collect();
    assert_eq!(places, [(Some(4), 36), (None, 1), (Some(41), 1)], "the last picture shares a byte, and stays");
    let files: Vec<&[u8]> = package.side_files.iter().map(|file| &file.bytes[..]).collect();
    assert_eq!(files, [PNG, b"bc", &[&b"a   "[..], &corners, b"bc\0\0"].concat()]);
}

#[test]
fn several_buffers_become_one() {
    let mut root = odd();
    root["buffers"].as_array_mut().unwrap().push(json!({ "byteLength": 3, "uri": uri(b"abc"), "extras": 1 }));
    root["bufferViews"].as_array_mut().unwrap().push(json!({ "buffer": 1, "byteLength": 3 }));
    let (glb, losses) = as_glb(&root);
    assert_eq!(glb.view(&json!(2)), b"abc");
    assert_eq!(glb.json["buffers"].as_array().map(Vec::len), Some(1));
    assert_eq!(losses[0], "LOSS-015 buffers[1]: name, extras and extensions of the buffer");
    assert_eq!(losses.len(), 3, "and two extensions that may name buffers: {losses:?}");
}

#[test]
fn what_is_missing_goes_through_a_scene() {
    for (list, key) in [("buffers", "lost.bin"), ("images", "lost.png")] {
        let mut root = odd();
        root[list][0]["uri"] = json!(key);
        let doc = read::<Gltf>(root.to_string().into());
        assert!(Glb::repack(&doc, &mut LowerCx::new(&NoSource, "standard")).unwrap().is_none(), "{key}");
    }
}

#[test]
fn a_scene_numbers_anew_and_tells() {
    let mut lifting = LiftCx::new(&NoSource);
    let scene = Gltf::lift(&read::<Gltf>(odd().to_string().into()), &mut lifting).expect("it has a scene");
    let mut cx = LowerCx { losses: lifting.losses, ..LowerCx::new(&NoSource, "standard") };
    Glb::lower(&scene, &mut cx).expect("it can be lowered");
    let told: Vec<String> = cx.losses.iter().map(ToString::to_string).collect();
    let expected = [
        "LOSS-015 file: extras of accessors",
        "LOSS-015 file: extras of buffer views",
        "LOSS-055 file: numbers of accessors and buffer views in X_table",
    ];
    assert!(expected.iter().all(|loss| told.iter().any(|told| told == loss)), "{told:?}");
}

#[test]
fn a_kind_of_picture_that_is_no_word_becomes_no_file() {
    let mut root = odd();
    root["buffers"][0]["uri"] = json!(uri(&[0; 38]));
    root["images"] = json!([{ "bufferView": 1, "mimeType": "image/..\\..\\\u{1b}[2J" }]);
    let (package, _) = repacked::<Glb>(&read::<Gltf>(root.to_string().into()), None);
    let mut cx = LowerCx::new(&NoSource, "standard");
    assert!(Gltf::repack(&package.document, &mut cx).unwrap().is_none());
}

#[test]
fn pictures_of_one_name_are_numbered() {
    let mut root = odd();
    root["images"] = json!(vec![json!({ "uri": uri(PNG), "name": "Oak" }); 3]);
    root["images"][1]["name"] = json!("oak-2");
    root["images"].as_array_mut().unwrap().push(json!({ "uri": uri(&[PNG, b"other"].concat()), "name": "Oak" }));
    let (package, _) = repacked::<Gltf>(&read::<Gltf>(root.to_string().into()), Some(Textures::Copy));
    let names: Vec<&str> = package.side_files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["Oak.png", "oak-2.png", "Oak-3.png"], "those of one name and content are one");
}
