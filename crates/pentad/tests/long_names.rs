//! A law over the registry: whatever the parts of a model are called, it can be converted.

mod common;

use findings::Losses;
use pentad::formats::FORMATS;
use pentad::{Asset, ConvertOptions, File, convert};
use serde_json::json;

/// More than 16 bits count, and an odd number of bytes cuts its letters in two.
fn long() -> String {
    "é".repeat(40_000)
}

fn model() -> Asset {
    let name = long();
    let floats: Vec<u8> =
        [0_f32, 1., 0., 0., 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|v| v.to_le_bytes()).collect();
    let escaped: String = floats.iter().map(|byte| format!("%{byte:02x}")).collect();
    let model = json!({
        "asset": { "version": "2.0", "copyright": name, "generator": name },
        "scenes": [{ "name": name, "nodes": [0] }],
        "nodes": [{ "name": name, "mesh": 0 }],
        "meshes": [{ "name": name, "primitives": [{ "attributes": { "POSITION": 1 }, "material": 0 }] }],
        "materials": [{ "name": name }],
        "animations": [{ "name": name,
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 0, "output": 2 }] }],
        "buffers": [{ "byteLength": 48, "uri": format!("data:,{escaped}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 12, "byteLength": 36 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" },
        ],
    });
    File::from_bytes("long.gltf", model.to_string().into_bytes()).read(&Default::default()).unwrap()
}

fn cut(losses: &Losses) -> Vec<String> {
    let cut = losses.groups().into_iter().filter(|group| group.first.code == "LOSS-042");
    cut.flat_map(|group| group.subjects.iter().map(ToString::to_string).collect::<Vec<_>>()).collect()
}

#[test]
fn names_of_any_length_can_be_converted() {
    let source = model();
    for format in FORMATS.iter().filter(|format| format.info().write && format.info().id != "mat") {
        let id = format.info().id;
        let converted = convert(&source, &ConvertOptions::to(*format)).unwrap_or_else(|e| panic!("{id}: {e}"));
        let bytes = converted.to_vec().unwrap_or_else(|e| panic!("{id}: {e}"));
        let read = File::from_bytes("out", bytes).read(&Default::default()).unwrap_or_else(|e| panic!("{id}: {e}"));
        if id == "das2" {
            let scene = read.scene().unwrap();
            let name = &scene.nodes.iter().next().unwrap().name;
            assert_eq!(name.as_str(), Some(&long()[..65534]), "cut between two letters");
            let cut = cut(&converted.losses);
            for object in ["node 0", "mesh 0", "material 0", "scene 0"] {
                assert!(cut.iter().any(|subject| subject == object), "{object} is not among {cut:?}");
            }
        }
    }
}
