//! `--no-extras`: a glTF file that any program could have written, and a loss for everything that is then nowhere.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use common::{lay, sample};
use corpus::Kind;
use pentad::{Asset, ConvertOptions, Converted, File, OpenOptions, convert, formats};
use serde_json::Value;

fn lean(asset: &Asset) -> Converted {
    let gltf = formats::by_id("gltf").unwrap();
    convert(asset, &ConvertOptions { embed: true, no_extras: true, ..ConvertOptions::to(gltf) }).unwrap()
}

fn read(name: &str, bytes: Vec<u8>) -> Asset {
    File::from_bytes(name, bytes).read(&OpenOptions::default()).unwrap()
}

/// Whether some extras have a key of pentad's.
fn speaks(json: &Value) -> bool {
    match json {
        Value::Array(list) => list.iter().any(speaks),
        Value::Object(map) => {
            map.get("extras").is_some_and(|extras| extras.get("pentad").is_some()) || map.values().any(speaks)
        }
        _ => false,
    }
}

/// Buffer views that the JSON names.
fn named_views(json: &Value, found: &mut Vec<u64>) {
    match json {
        Value::Array(list) => list.iter().for_each(|value| named_views(value, found)),
        Value::Object(map) => {
            found.extend(map.get("bufferView").and_then(Value::as_u64));
            map.values().for_each(|value| named_views(value, found));
        }
        _ => {}
    }
}

#[test]
fn no_sample_of_any_format_leaves_anything_of_pentads_behind() {
    let known = |sample: &corpus::Sample| formats::by_id(sample.format).is_some();
    let good = |sample: &corpus::Sample| sample.kind == Kind::Good && known(sample);
    for sample in corpus::samples().into_iter().filter(good) {
        let folder = tempfile::tempdir().unwrap();
        let written = lean(&lay(folder.path(), &sample)).to_vec().unwrap();
        let json: Value = serde_json::from_slice(&written).unwrap();
        let name = format!("{} {}", sample.format, sample.name);
        assert!(!speaks(&json), "{name}");
        let mut named = Vec::new();
        named_views(&json, &mut named);
        let views = json["bufferViews"].as_array().map_or(0, Vec::len) as u64;
        assert!((0..views).all(|view| named.contains(&view)), "{name}: a buffer view that nothing names");
        read("model.gltf", written);
    }
}

#[test]
fn what_stood_only_in_extras_is_listed() {
    let told = |format: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        lean(&lay(folder.path(), &sample(format, "model")))
            .losses
            .iter()
            .map(|loss| format!("{} {}: {}", loss.code, loss.subject, loss.what))
            .collect()
    };
    let danmodel = told("danmodel");
    for expected in ["LOSS-016 file: author", "LOSS-016 file: description"] {
        assert!(danmodel.iter().any(|loss| loss == expected), "{expected}: {danmodel:?}");
    }
    // The only scene is called as the file is.
    assert!(!danmodel.iter().any(|loss| loss.ends_with(": title")), "{danmodel:?}");
    assert!(danmodel.iter().any(|loss| loss.ends_with("what only danmodel says: colored")), "{danmodel:?}");
    let dragon = told("dragon");
    assert!(dragon.iter().any(|loss| loss.starts_with("LOSS-013")), "{dragon:?}");
    assert!(dragon.iter().any(|loss| loss.ends_with("what only dragon says: guid")), "{dragon:?}");
}

#[test]
fn properties_and_foreign_extras_stay_in_plain_sight() {
    let folder = tempfile::tempdir().unwrap();
    let written = lean(&lay(folder.path(), &sample("dgl3", "model"))).to_vec().unwrap();
    let json: Value = serde_json::from_slice(&written).unwrap();
    let shown = json["nodes"].as_array().unwrap().iter().filter(|node| node.get("extras").is_some()).count();
    assert!(shown > 0, "properties of entities are extras");
    let foreign = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"extras":[1,2]}]}"#;
    let json: Value = serde_json::from_slice(&lean(&read("model.gltf", foreign.into())).to_vec().unwrap()).unwrap();
    assert_eq!(json["nodes"][0]["extras"], serde_json::json!([1, 2]));
}
