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
    save(&converted, &path, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
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

/// Two triangles that name material files which are not there, as DGL3.
fn linked() -> pentad::Asset {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample("dgl3", "one-triangle"));
    let glb = convert(&source, &to("glb")).unwrap().to_vec().unwrap();
    let glb = edited(&glb, |root| {
        let mesh = root["meshes"][0].clone();
        root["meshes"].as_array_mut().unwrap().push(mesh);
        let mut node = root["nodes"][0].clone();
        node["name"] = json!("other");
        node["mesh"] = json!(1);
        root["nodes"].as_array_mut().unwrap().push(node);
        root["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(1));
        for (node, file) in ["white.mat", "floor.mat"].into_iter().enumerate() {
            root["nodes"][node]["extras"]["pentad"]["dgl3"]["file"] = json!(file);
        }
    });
    let glb = File::from_bytes("two.glb", glb).read(&Default::default()).unwrap();
    let dgl3 = convert(&glb, &to("dgl3")).unwrap().to_vec().unwrap();
    File::from_bytes("two.dgl3", dgl3).read(&Default::default()).unwrap()
}

/// The materials that entities link after a way through a GLB that was edited, what is beside them, and what was told.
fn links(edit: impl FnOnce(&mut Json)) -> (Vec<String>, Vec<String>, usize) {
    let glb = convert(&linked(), &to("glb")).unwrap().to_vec().unwrap();
    let glb = File::from_bytes("edited.glb", edited(&glb, edit)).read(&Default::default()).unwrap();
    let converted = convert(&glb, &to("dgl3")).unwrap();
    let files = converted.side_files.iter().map(|file| file.name.clone()).collect();
    let told = converted.findings.len() + converted.losses.iter().count();
    let back = File::from_bytes("back.dgl3", converted.to_vec().unwrap()).read(&Default::default()).unwrap();
    let link = |node: &Node| node.extras.get("dgl3.file").unwrap().as_text().unwrap().to_string();
    (back.scene().unwrap().nodes.iter().map(link).collect(), files, told)
}

#[test]
fn the_default_material_under_a_made_up_name_is_no_edit() {
    let links_of = |name: &'static str| {
        links(|root| {
            root["materials"][0]["name"] = json!(name);
            root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1, 1, 1, 1]);
            root["materials"][0]["doubleSided"] = json!(false);
        })
    };
    let kept = (vec!["white.mat".to_owned(), "floor.mat".to_owned()], Vec::new(), 0);
    for name in ["Material_0", "Material.001", "DefaultMaterial"] {
        assert_eq!(links_of(name), kept, "{name}");
    }
    assert_eq!(links_of("Oak").1, ["Oak.mat"], "somebody called it so");
}

#[test]
fn a_material_put_on_one_entity_changes_that_one() {
    let (found, files, _) = links(|root| {
        let materials = root["materials"].as_array_mut().unwrap();
        materials[0]["name"] = json!("Material_0");
        materials.push(json!({ "name": "red", "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }));
        root["meshes"][1]["primitives"][0]["material"] = json!(1);
    });
    assert_eq!((found, files), (vec!["white.mat".to_owned(), "red.mat".to_owned()], vec!["red.mat".to_owned()]));
    let (found, ..) =
        links(|root| root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1, 0, 0, 1]));
    assert_eq!(found, ["material-0.mat"; 2], "the default was made red for all");
}

/// Something of a sample of DRAGON, called `name` in its GLB by `rename`: the names that the way back wrote, what it lost.
fn renamed(sample: &str, rename: impl Fn(&mut Json)) -> (Vec<String>, Vec<String>) {
    let (converted, nodes) = back("dragon", sample, rename);
    let scene = File::from_bytes("back.dragon", converted.to_vec().unwrap()).read(&Default::default()).unwrap();
    let scene = scene.scene().unwrap();
    let of_cubes = scene.voxels.iter().flat_map(|cubes| cubes.materials.iter().map(|material| &material.name));
    let names = nodes.iter().map(|node| &node.name).chain(scene.meshes.iter().map(|mesh| &mesh.name));
    let names = names.chain(scene.materials.iter().map(|material| &material.name)).chain(of_cubes);
    let names = names.map(ToString::to_string).collect();
    // The files of its textures are not there, and glTF has no easings: their lines are not in frames.
    let lost = converted
        .losses
        .iter()
        .filter(|loss| !["LOSS-030", "LOSS-040"].contains(&loss.code))
        .map(|loss| format!("{} {} {}", loss.code, loss.subject, loss.what));
    (names, lost.collect())
}

/// The number of the node that shows the faces of cubes, and of its mesh.
fn cubes(root: &Json) -> (usize, usize) {
    let nodes = root["nodes"].as_array().unwrap();
    let of_cubes = |node: &Json| {
        let mesh = node["mesh"].as_u64().map(|mesh| &root["meshes"][mesh as usize]);
        mesh.is_some_and(|mesh| mesh["primitives"][0]["attributes"].get("COLOR_0").is_some())
            && node["extras"]["pentad"]["role"] == "unplaced"
    };
    let node = nodes.iter().position(of_cubes).expect("cubes");
    (node, nodes[node]["mesh"].as_u64().unwrap() as usize)
}

#[test]
fn faces_of_cubes_have_the_names_that_somebody_gave_them() {
    let has = |names: &[String], name: &str| names.iter().any(|own| own == name);
    let (names, lost) = renamed("model", |root| {
        let mesh = cubes(root).1;
        let material = root["meshes"][mesh]["primitives"][0]["material"].as_u64().unwrap() as usize;
        root["materials"][material]["name"] = json!("Bricks");
    });
    assert!(has(&names, "Bricks") && lost.is_empty(), "{names:?} {lost:?}");
    let (names, lost) = renamed("model", |root| {
        let mesh = cubes(root).1;
        root["meshes"][mesh]["name"] = json!("Tower");
    });
    assert!(has(&names, "Tower") && lost.is_empty(), "{names:?} {lost:?}");
    let (names, lost) = renamed("model", |root| {
        let (node, mesh) = cubes(root);
        root["nodes"][node]["name"] = json!("Keep");
        root["meshes"][mesh]["name"] = json!("Tower");
    });
    assert!(has(&names, "Keep") && has(&names, "Tower") && lost.is_empty(), "{names:?} {lost:?}");
}

#[test]
fn an_axis_that_somebody_renamed_is_a_node() {
    let turns = |node: &&mut Json| node["extras"]["pentad"]["role"] == "axis";
    let (names, lost) = renamed("up-z", |root| {
        let node = root["nodes"].as_array_mut().unwrap().iter_mut().find(turns).expect("an axis");
        node["name"] = json!("MyRoot");
    });
    assert!(lost.iter().any(|loss| loss.starts_with("LOSS-008") && loss.contains("MyRoot")), "{names:?} {lost:?}");
}
