//! What users say beside the objects of a glTF file: it becomes properties where a format holds them, and comes back as
//! plain `extras` under the same keys.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use pentad::findings::{Level, Subject, SubjectKind};
use pentad::{Asset, ConvertOptions, Converted, File, OpenOptions, convert, formats};
use serde_json::{Value, json};

/// A triangle whose node, mesh, material and scene have these extras.
fn triangle(node: &Value, mesh: &Value, material: &Value, scene: &Value) -> Asset {
    let root = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0], "extras": scene }],
        "nodes": [{ "name": "post", "mesh": 0, "extras": node }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }], "extras": mesh }],
        "materials": [{ "name": "paint", "extras": material }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0],
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{
            "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA", "byteLength": 36,
        }],
    });
    read("model.gltf", root.to_string().into_bytes())
}

fn read(name: &str, bytes: Vec<u8>) -> Asset {
    File::from_bytes(name, bytes).read(&OpenOptions::default()).unwrap()
}

fn to(asset: &Asset, format: &str, dialect: Option<&str>) -> Converted {
    let options = ConvertOptions {
        dialect: dialect.map(str::to_owned),
        embed: true,
        ..ConvertOptions::to(formats::by_id(format).unwrap())
    };
    convert(asset, &options).unwrap()
}

/// The JSON of what comes back from a format, and what was lost on the way there.
fn back(asset: &Asset, format: &str, dialect: &str) -> (Value, Vec<(Subject, String, Level)>) {
    let there = to(asset, format, Some(dialect));
    let losses = there.losses.iter().filter(|loss| loss.code == "LOSS-015");
    let losses = losses.map(|loss| (loss.subject.clone(), loss.what.clone(), loss.level)).collect();
    let again = read(&format!("model.{format}"), there.to_vec().unwrap());
    let json = serde_json::from_slice(&to(&again, "gltf", None).to_vec().unwrap()).unwrap();
    (json, losses)
}

/// The node whose extras are tried.
fn post() -> Subject {
    Subject::new(SubjectKind::Node, 0, "post")
}

/// The extras of an object without pentad's own words.
fn plain(object: &Value) -> Value {
    let mut extras = object["extras"].clone();
    extras.as_object_mut().map(|all| all.remove("pentad"));
    if extras.as_object().is_none_or(serde_json::Map::is_empty) { json!({}) } else { extras }
}

/// The same with all numbers as floats: 1 is 1.0.
fn floats(json: &Value) -> Value {
    match json {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(list) => list.iter().map(floats).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), floats(value))).collect(),
        other => other.clone(),
    }
}

fn node<'a>(json: &'a Value, name: &str) -> &'a Value {
    json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap()
}

const WAYS: &[(&str, &str)] = &[
    ("dgl2", "spec"),
    ("dgl2", "engine"),
    ("dgl2", "engine-braced"),
    ("dgl3", "spec"),
    ("dgl3", "engine"),
    ("dragon", "spec"),
];

#[test]
fn scalars_vectors_and_texts_of_nodes_come_back_under_their_keys() {
    let said = json!({
        "weight": 2.5, "count": 7, "below": -3, "tenth": 0.1, "place": [1.0, 2.0, 3.5], "pair": [0.25, 4.0],
        "team": "red and blue", "umlaut": "Tür", "lines": "one\ntwo", "empty": "",
    });
    for (format, dialect) in WAYS {
        let (json, losses) = back(&triangle(&said, &json!({}), &json!({}), &json!({})), format, dialect);
        assert_eq!(floats(&plain(node(&json, "post"))), floats(&said), "{format} {dialect}");
        assert!(losses.is_empty(), "{format} {dialect}: {losses:?}");
    }
}

#[test]
fn truth_values_stay_where_a_format_has_them() {
    let said = json!({ "solid": true, "ghost": false });
    for (format, dialect) in WAYS {
        let (json, losses) = back(&triangle(&said, &json!({}), &json!({}), &json!({})), format, dialect);
        if *format == "dgl3" {
            assert_eq!(plain(node(&json, "post")), json!({ "solid": 1, "ghost": 0 }));
            let changed = |key: &str| (post(), format!("property {key} as it was"), Level::Changed);
            assert_eq!(losses, [changed("solid"), changed("ghost")]);
        } else {
            assert_eq!((plain(node(&json, "post")), losses), (said.clone(), Vec::new()), "{format} {dialect}");
        }
    }
}

#[test]
fn what_has_no_place_is_listed_with_its_object() {
    let said = json!({ "nested": { "a": 1 }, "mixed": [1, "a"], "nothing": null, "kept": 1 });
    for (format, dialect) in WAYS {
        let (json, losses) = back(&triangle(&said, &json!({}), &json!({}), &json!({})), format, dialect);
        assert_eq!(plain(node(&json, "post")), json!({ "kept": 1 }), "{format} {dialect}");
        let lost = |key: &str| (post(), format!("extras {key}"), Level::Dropped);
        let mut losses = losses;
        losses.sort_by(|a, b| a.1.cmp(&b.1));
        assert_eq!(losses, [lost("mixed"), lost("nested"), lost("nothing")], "{format} {dialect}");
    }
}

#[test]
fn names_with_a_meaning_and_values_that_do_not_fit_are_listed() {
    let of_node = json!({
        "visible": 0, "transparent": 1, "material": "glass.mat", "name": "other", "quoted": "5\" pipe", "huge": 1e300,
        "long": [1, 2, 3, 4, 5], "return": "a\rb", "blank word": 1,
    });
    let refused: &[(&str, &[&str])] = &[
        ("dgl2", &["visible", "transparent", "quoted", "return", "blank word"]),
        ("dgl3", &["material", "huge", "long"]),
        ("dragon", &["name"]),
    ];
    for (format, keys) in refused {
        let dialect = if *format == "dgl2" { "engine" } else { "spec" };
        let (json, losses) = back(&triangle(&of_node, &json!({}), &json!({}), &json!({})), format, dialect);
        let mut rest = of_node.clone();
        keys.iter().for_each(|key| _ = rest.as_object_mut().unwrap().remove(*key));
        assert_eq!(plain(node(&json, "post")), rest, "{format}");
        for key in *keys {
            let told = losses.iter().any(|(subject, what, _)| *subject == post() && what.contains(key));
            assert!(told, "{format} {key}: {losses:?}");
        }
    }
    // What the node itself says is as it was.
    let doc = to(&triangle(&of_node, &json!({}), &json!({}), &json!({})), "dgl2", Some("engine"));
    let scene = read("model.dgl2", doc.to_vec().unwrap()).scene().unwrap();
    assert!(scene.nodes.iter().all(|node| node.visible));
}

#[test]
fn texts_that_look_like_numbers_change_in_a_language_without_types() {
    let (json, losses) =
        back(&triangle(&json!({ "code": "007", "size": "12" }), &json!({}), &json!({}), &json!({})), "dgl2", "spec");
    assert_eq!(plain(node(&json, "post")), json!({ "code": "007", "size": 12 }));
    assert_eq!(losses, [(post(), "property size as text".to_owned(), Level::Changed)]);
}

#[test]
fn materials_scenes_and_meshes_keep_theirs_where_there_is_room() {
    let (mesh, material, scene) = (json!({ "m": 1 }), json!({ "gloss": "high", "grip": 0.5 }), json!({ "level": 3 }));
    for (format, dialect) in WAYS {
        let (json, losses) = back(&triangle(&json!({}), &mesh, &material, &scene), format, dialect);
        let (of_material, of_file, of_mesh) = match *format {
            "dgl2" => (&material, &scene, &json!({})),
            "dgl3" => (&material, &json!({}), &json!({})),
            "dragon" => (&material, &scene, &mesh),
            _ => (&json!({}), &json!({}), &json!({})),
        };
        // Its materials are in files beside it.
        if *format != "dgl3" {
            assert_eq!(plain(&json["materials"][0]), *of_material, "{format} {dialect}");
        }
        assert_eq!(plain(&json["scenes"][0]), *of_file, "{format} {dialect}");
        assert_eq!(plain(&json["meshes"][0]), *of_mesh, "{format} {dialect}");
        let expected = [(of_material, "material"), (of_file, "scene"), (of_mesh, "mesh")];
        for (_, kind) in expected.iter().filter(|(kept, _)| **kept == json!({})) {
            assert!(
                losses.iter().any(|(subject, ..)| subject.kind.word() == *kind),
                "{format} {dialect} {kind}: {losses:?}"
            );
        }
    }
}

#[test]
fn a_property_that_was_changed_in_gltf_is_changed() {
    let asset = triangle(&json!({ "weight": 2.5, "team": "red", "gone": 1 }), &json!({}), &json!({}), &json!({}));
    let there = read("model.dgl3", to(&asset, "dgl3", Some("engine")).to_vec().unwrap());
    let mut json: Value = serde_json::from_slice(&to(&there, "gltf", None).to_vec().unwrap()).unwrap();
    let at = json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == "post").unwrap();
    let extras = json["nodes"][at]["extras"].as_object_mut().unwrap();
    extras.insert("weight".to_owned(), json!(4.5));
    extras.insert("new".to_owned(), json!(true));
    extras.remove("gone");
    let edited = read("model.gltf", json.to_string().into_bytes());
    let (json, _) = back(&edited, "dgl3", "engine");
    assert_eq!(plain(node(&json, "post")), json!({ "weight": 4.5, "team": "red", "new": 1 }));
}
