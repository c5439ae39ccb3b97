//! What somebody changes in a GLB is what the way back writes, whatever travels beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;
mod glb;

use common::{lay, sample};
use glb::edited;
use pentad::scene::{Node, NodeRole};
use pentad::{ConvertOptions, Converted, File, SaveOptions, convert, formats, open, save, verify};
use serde_json::{Value as Json, json};

fn to(id: &str) -> ConvertOptions {
    ConvertOptions::to(formats::by_id(id).unwrap())
}

/// A sample that went to GLB, was edited there and came back; and whether that holds.
fn back(format: &str, name: &str, edit: impl FnOnce(&mut Json)) -> (Converted, Vec<Node>) {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample(format, name));
    let glb = convert(&source, &to("glb")).unwrap().to_vec().unwrap();
    let glb = File::from_bytes("edited.glb", edited(&glb, edit)).read(&Default::default()).unwrap();
    let converted = convert(&glb, &to(format)).unwrap();
    let path = folder.path().join(format!("back.{format}"));
    save(&converted, &path, &SaveOptions { force: true }).unwrap();
    let written = open(&path).unwrap();
    let verified = verify(&glb, &to(format), &converted.losses, &written, pentad::TOLERANCE).unwrap();
    assert!(verified.holds, "{verified:?}");
    let nodes = written.scene().unwrap().nodes.iter().cloned().collect();
    (converted, nodes)
}

/// The number of a node that shows what nothing places.
fn unplaced(root: &Json) -> usize {
    let role = |node: &Json| node["extras"]["pentad"]["role"] == "unplaced" && node.get("mesh").is_some();
    root["nodes"].as_array().unwrap().iter().position(role).expect("there is one")
}

#[test]
fn what_nothing_placed_is_placed_by_who_changes_it() {
    let placed = |nodes: &[Node]| nodes.iter().filter(|node| node.role == NodeRole::Own && node.mesh.is_some()).count();
    let (_, before) = back("dgl3", "model", |_| {});
    let changes: [fn(&mut Json); 4] = [
        |root| {
            let node = unplaced(root);
            root["nodes"][node]["translation"] = json!([1.0, 2.0, 3.0]);
        },
        |root| {
            let node = unplaced(root);
            root["nodes"][node]["name"] = json!("renamed");
        },
        |root| {
            let node = unplaced(root);
            let mesh = root["nodes"][node]["mesh"].as_u64().unwrap() as usize;
            let materials = root["materials"].as_array_mut().unwrap();
            materials.push(json!({ "name": "new" }));
            let material = materials.len() - 1;
            root["meshes"][mesh]["primitives"][0]["material"] = json!(material);
        },
        |root| {
            let node = unplaced(root);
            let nodes = root["nodes"].as_array().unwrap();
            let other = nodes.iter().find(|other| other.get("mesh").is_some() && **other != nodes[node]);
            let mesh = other.expect("another is placed")["mesh"].clone();
            root["nodes"][node]["mesh"] = mesh;
        },
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let (converted, after) = back("dgl3", "model", change);
        assert_eq!(placed(&after), placed(&before) + 1, "change {i}: {:?}", converted.losses);
    }
}
