//! What `info` says about a file, a folder, and what cannot be read.

mod common;

use common::{Desk, code, json, mixed, stderr, stdout};
use serde_json::Value;

#[test]
fn info_of_a_folder_is_info_of_its_models() {
    let desk = mixed();
    desk.write("models/notes.txt", b"hello");
    desk.write("models/other.mat", b"%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n");
    let output = desk.run(&["info", "models", "--json"]);
    assert_eq!(code(&output), 2, "one of them cannot be read");
    let documents: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = documents.iter().map(|document| document["file"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c", "d"].map(|name| format!("models/{name}.danmodel")));
    assert!(stderr(&output).contains("other.mat: this is"), "{output:?}");
    assert!(stderr(&output).contains("1 other file is no model"), "{output:?}");
    assert!(stderr(&desk.run(&["info", "models", "-v"])).contains("notes.txt"));
}

#[test]
fn info_of_an_unreadable_file_is_a_document_with_the_error() {
    let desk = mixed();
    let output = desk.run(&["info", "--json", "models/d.danmodel"]);
    assert_eq!(code(&output), 2);
    let info = json(&output);
    assert_eq!((&info["schema"], &info["format"]), (&"pentad/info/1".into(), &"danmodel".into()));
    assert_eq!(info["bytes"], desk.read("models/d.danmodel").len());
    assert_eq!(info["error"]["rule"], "DAN-007");
    assert_eq!(info["error"]["message"], "model_length is 213, but 212 bytes remain");
    assert_eq!(
        info["error"]["place"],
        serde_json::json!({
            "space": "file", "offset": 39, "size": 4, "path": "header.model_length",
        })
    );
    assert!(info["error"]["help"].as_str().unwrap().starts_with("Get the file again"), "{info}");
    for key in ["dialect", "bounds", "space", "textures", "files", "meshes", "images"] {
        assert!(info.get(key).is_some_and(Value::is_null), "{key}: {info}");
    }
    desk.write("notes.txt", b"hello");
    let info = json(&desk.run(&["info", "--json", "notes.txt"]));
    assert_eq!((&info["format"], &info["error"]["rule"]), (&Value::Null, &"FILE-001".into()));
    let info = json(&desk.run(&["info", "--json", "gone.stl"]));
    assert_eq!((&info["file"], &info["bytes"]), (&"gone.stl".into(), &Value::Null));
    assert!(info["error"]["message"].as_str().unwrap().contains("gone.stl cannot be opened"), "{info}");
}

/// Two triangles and one, a picture of 2 x 1 pixels inside, another beside that is not there, and half a second.
fn told() -> Value {
    let numbers = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0., 0., 0.5, 0., 0., 0., 0., 0., 1.];
    let bytes: String = numbers.iter().flat_map(|v| v.to_le_bytes()).map(|byte| format!("%{byte:02x}")).collect();
    let corners = |indices: &str| serde_json::json!({ "attributes": { "POSITION": 0 }, "indices": if indices.is_empty() { 2 } else { 1 } });
    let glb = corpus::samples().into_iter().find(|sample| sample.format == "glb" && sample.name == "model").unwrap();
    let glb = (glb.bytes)();
    let start = glb.windows(4).rposition(|bytes| bytes == b"\x89PNG").unwrap();
    let end = glb.windows(4).rposition(|bytes| bytes == b"IEND").unwrap() + 8;
    let picture: String = glb[start..end].iter().map(|byte| format!("%{byte:02x}")).collect();
    serde_json::json!({
        "asset": { "version": "2.0" },
        "buffers": [
            { "byteLength": 80, "uri": format!("data:application/octet-stream,{bytes}") },
            { "byteLength": 9, "uri": "data:application/octet-stream,%00%01%02%01%03%02%00%01%02" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 }, { "buffer": 1, "byteLength": 6 },
            { "buffer": 1, "byteOffset": 6, "byteLength": 3 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 8 }, { "buffer": 0, "byteOffset": 56, "byteLength": 24 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR" },
            { "bufferView": 2, "componentType": 5121, "count": 3, "type": "SCALAR" },
            { "bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [0.5] },
            { "bufferView": 4, "componentType": 5126, "count": 2, "type": "VEC3" },
        ],
        "meshes": [
            { "name": "square", "primitives": [corners("all")] }, { "primitives": [corners("")] },
        ],
        "nodes": [{ "mesh": 0 }, { "mesh": 1 }],
        "scenes": [{ "nodes": [0, 1] }],
        "materials": [{ "name": "plain" }],
        "images": [
            { "name": "inside", "uri": format!("data:image/png,{picture}") }, { "uri": "gone.png" },
        ],
        "animations": [{ "name": "rise",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 3, "output": 4 }],
        }],
    })
}

#[test]
fn info_has_a_table_for_what_a_model_is_made_of() {
    let desk = Desk::new();
    desk.write("a.gltf", told().to_string().as_bytes());
    let info = json(&desk.run(&["info", "--json", "a.gltf"]));
    // Four corners of twelve bytes, and an index of one byte per corner of a triangle.
    let meshes = serde_json::json!([
        { "name": "square", "bytes": 54, "triangles": 2, "vertices": 4 },
        { "name": "", "bytes": 51, "triangles": 1, "vertices": 4 },
    ]);
    assert_eq!(info["meshes"], meshes);
    assert_eq!(info["materials"], serde_json::json!([{ "name": "plain" }]));
    assert_eq!(info["animations"], serde_json::json!([{ "name": "rise", "seconds": 0.5 }]));
    let images = info["images"].as_array().unwrap();
    assert_eq!((&images[0]["name"], &images[0]["stored"]), (&"inside".into(), &"embedded".into()));
    assert_eq!(images[0]["pixels"], serde_json::json!([2, 1]));
    assert!(images[0]["bytes"].as_u64().is_some_and(|bytes| bytes > 60), "{info}");
    let missing = serde_json::json!({ "name": "gone.png", "bytes": null, "pixels": null, "stored": "missing" });
    assert_eq!(images[1], missing);

    let text = stdout(&desk.run(&["info", "a.gltf"]));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        vec!["meshes", "name", "triangles", "vertices", "bytes"],
        vec!["square", "2", "4", "54"],
        vec!["[1]", "1", "4", "51"],
        vec!["rise", "0.500"],
        vec!["missing", "gone.png"],
    ] {
        assert!(rows.contains(&row), "{row:?}: {text}");
    }
    assert!(
        rows.iter().any(|row| row.starts_with(&["inside", "2", "x", "1"]) && row.ends_with(&["embedded"])),
        "{text}"
    );
    let quick = json(&desk.run(&["info", "--json", "--quick", "a.gltf"]));
    assert!(quick["meshes"].is_null() && quick["images"].is_null(), "{quick}");
}

#[test]
fn verbose_info_leaves_nothing_out() {
    let desk = Desk::new();
    let named = |kind: &str| -> Vec<Value> {
        (0..34).map(|i| serde_json::json!({ "name": format!("{kind}{i}"), "primitives": [] })).collect()
    };
    let model = serde_json::json!({
        "asset": { "version": "2.0" }, "nodes": named("node"), "materials": named("material"), "meshes": named("mesh"),
    });
    desk.write("a.gltf", model.to_string().as_bytes());
    let text = stdout(&desk.run(&["info", "a.gltf"]));
    assert_eq!(text.matches("and 26 more (-v shows them)").count(), 3, "{text}");
    let text = stdout(&desk.run(&["info", "-v", "a.gltf"]));
    assert!(!text.contains(" more"), "{text}");
    for name in ["node33", "material33", "mesh33"] {
        assert!(text.contains(name), "{name}: {text}");
    }
}

#[test]
fn info_shows_the_header_data_of_dgl2() {
    let desk = Desk::new();
    desk.write("a.dgl2", &common::sample("dgl2", "model"));
    let info = json(&desk.run(&["info", "--json", "a.dgl2"]));
    assert_eq!((&info["header_data"], &info["header_content"]), (&12.into(), &"made by hand".into()));
    let text = stdout(&desk.run(&["info", "a.dgl2"]));
    assert!(text.contains("12 bytes") && text.contains("made by hand"), "{text}");
}
