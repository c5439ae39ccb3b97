//! Files beside a model: whose they are, what they are called, and which of them go where the model goes.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentad"));
        command.args(args).current_dir(self.0.path()).env("NO_COLOR", "1").output().unwrap()
    }

    /// Runs it, expects success, and answers with what was said.
    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        said
    }

    fn code(&self, args: &[&str]) -> i32 {
        self.run(args).status.code().expect("an exit code")
    }

    fn info(&self, name: &str) -> Value {
        serde_json::from_slice(&self.run(&["info", "--json", name]).stdout).unwrap()
    }

    /// The losses of a conversion: level, subjects and why.
    fn losses(&self, args: &[&str]) -> Vec<(String, String, String)> {
        self.run(&[args, &["--report", "report.json"]].concat());
        let report: Value = serde_json::from_slice(&self.read("report.json")).unwrap();
        std::fs::remove_file(self.path("report.json")).unwrap();
        let word = |loss: &Value, key: &str| loss[key].as_str().unwrap_or_default().to_owned();
        let losses = report["losses"].as_array().unwrap().iter();
        losses.map(|loss| (word(loss, "level"), loss["subjects"].to_string(), word(loss, "why"))).collect()
    }

    /// Every file of a folder.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A picture of one pixel; the last byte, behind its end, tells one from another.
fn picture(mark: u8) -> Vec<u8> {
    let pixel = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x04\0\0\0\xb5\x1c\x0c\x02\0\0\0\x0bIDATx\xdac\
        d\xf8\x0f\0\x01\x05\x01\x01'\x18\xe3f\0\0\0\0IEND\xaeB`\x82";
    [pixel, &[mark][..]].concat()
}

fn base64(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:application/octet-stream,{escaped}")
}

/// A triangle with a material of that roughness, and these images, the first of which is its base colour.
fn model(rough: f64, images: Value) -> String {
    let numbers = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 1., 0., 0., 1.];
    let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
    let count = images.as_array().map_or(0, Vec::len);
    let mut surface = json!({ "baseColorFactor": [1, 1, 1, 1], "metallicFactor": 0, "roughnessFactor": rough });
    if count > 0 {
        surface["baseColorTexture"] = json!({ "index": 0 });
    }
    let mut root = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "thing", "mesh": 0 }],
        "meshes": [{ "name": "thing", "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 2, "TEXCOORD_0": 1 }, "material": 0 }] }],
        "materials": [{ "name": "Material", "pbrMetallicRoughness": surface }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC2" },
            { "bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3" },
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 72 }],
        "buffers": [{ "byteLength": 72, "uri": base64(&bytes) }],
    });
    if count > 0 {
        root["images"] = images;
        root["textures"] = (0..count).map(|source| json!({ "source": source })).collect();
    }
    root.to_string()
}

fn inside(name: &str, mark: u8) -> Value {
    json!([{ "name": name, "uri": base64(&picture(mark)).replace("application/octet-stream", "image/png") }])
}

#[test]
fn two_models_with_one_material_name_have_a_file_each() {
    let desk = Desk::new();
    desk.write("a.gltf", model(1., json!([])));
    desk.write("b.gltf", model(0., json!([])));
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.done(&["convert", "a.gltf", "out/a.dgl3"]);
    let first = desk.read("out/Material.mat");
    let said = desk.done(&["convert", "b.gltf", "out/b.dgl3"]);
    assert!(said.contains("Material.mat is there with other content; written as Material-2.mat"), "{said}");
    assert_eq!(desk.names("out"), ["Material-2.mat", "Material.mat", "a.dgl3", "b.dgl3"]);
    assert_eq!(desk.read("out/Material.mat"), first, "the first model looks as it did");
    assert_eq!(desk.info("out/b.dgl3")["names"]["materials"], json!(["Material-2.mat"]), "the link follows");
    // The same content is the same file.
    desk.done(&["convert", "a.gltf", "out/c.dgl3"]);
    assert_eq!(desk.info("out/c.dgl3")["names"]["materials"], json!(["Material.mat"]));
    // Whoever says so replaces it.
    desk.done(&["convert", "b.gltf", "out/d.dgl3", "--force"]);
    assert_eq!(desk.info("out/d.dgl3")["names"]["materials"], json!(["Material.mat"]));
    assert_ne!(desk.read("out/Material.mat"), first);
}

#[test]
fn a_model_that_is_written_again_replaces_its_own_files() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    for (target, files) in [
        ("dgl3", &["Material.mat", "skin.png", "x.dgl3"][..]),
        ("dgl2", &["skin.png", "x.dgl2"]),
        ("das2", &["skin.png", "x.das2"]),
        ("dragon", &["skin.png", "x.dragon"]),
        ("obj", &["skin.png", "x.mtl", "x.obj"]),
        ("gltf", &["skin.png", "x.bin", "x.gltf"]),
    ] {
        for again in 1..4_u8 {
            desk.write("in.gltf", model(f64::from(again) / 4., inside("skin", again)));
            desk.done(&["convert", "in.gltf", "in.glb"]);
            desk.done(&["convert", "in.glb", &format!("out/x.{target}")]);
            assert_eq!(desk.names("out"), files, "{target}, time {again}");
            assert_eq!(desk.read("out/skin.png"), picture(again), "{target}");
        }
        std::fs::remove_dir_all(desk.path("out")).unwrap();
        std::fs::create_dir(desk.path("out")).unwrap();
    }
}

#[test]
fn files_that_another_model_shows_are_not_replaced() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.write("in.gltf", model(1., inside("skin", 1)));
    desk.done(&["convert", "in.gltf", "out/a.dgl3"]);
    desk.done(&["convert", "in.gltf", "out/b.dgl3"]);
    assert_eq!(desk.names("out"), ["Material.mat", "a.dgl3", "b.dgl3", "skin.png"], "they share");
    let shared = desk.read("out/Material.mat");
    for again in 2..5_u8 {
        desk.write("in.gltf", model(1. / f64::from(again), inside("skin", again)));
        desk.done(&["convert", "in.gltf", "out/b.dgl3"]);
        let expected = ["Material-2.mat", "Material.mat", "a.dgl3", "b.dgl3", "skin-2.png", "skin.png"];
        assert_eq!(desk.names("out"), expected, "time {again}");
        assert_eq!((desk.read("out/Material.mat"), desk.read("out/skin.png")), (shared.clone(), picture(1)));
        assert_eq!(desk.read("out/skin-2.png"), picture(again));
        assert!(desk.text("out/Material-2.mat").contains("skin-2.png"));
    }
    // One that cannot be read may show what it mentions.
    desk.write("out/broken.dgl3", b"DGL3 .. Material-2.mat");
    desk.write("in.gltf", model(0.9, inside("skin", 5)));
    desk.done(&["convert", "in.gltf", "out/b.dgl3"]);
    assert!(desk.path("out/Material-3.mat").exists());
}

#[test]
fn files_that_nobody_names_stay() {
    let desk = Desk::new();
    desk.write("in.gltf", model(1., inside("skin", 1)));
    desk.done(&["convert", "in.gltf", "in.glb"]);
    for (target, names) in [
        ("gltf", &["skin-2.png", "skin.png", "x-2.bin", "x.bin", "x.gltf", "x.mtl"][..]),
        ("obj", &["skin-2.png", "skin.png", "x-2.mtl", "x.bin", "x.mtl", "x.obj"]),
    ] {
        for name in ["x.bin", "x.mtl", "skin.png"] {
            desk.write(&format!("{target}/{name}"), "mine");
        }
        desk.done(&["convert", "in.glb", &format!("{target}/x.{target}")]);
        assert_eq!(desk.names(target), names);
        for name in ["x.bin", "x.mtl", "skin.png"] {
            assert_eq!(desk.text(&format!("{target}/{name}")), "mine");
        }
        assert_eq!(desk.info(&format!("{target}/x.{target}"))["textures"]["missing"], json!([]));
        assert_eq!(desk.info(&format!("{target}/x.{target}"))["counts"]["materials"], 1);
    }
}

#[test]
fn an_existing_file_is_left_alone_if_asked() {
    let desk = Desk::new();
    desk.write("in.gltf", model(1., json!([])));
    desk.done(&["convert", "in.gltf", "a.dgl3", "--no-clobber"]);
    let (model_bytes, material) = (desk.read("a.dgl3"), desk.read("Material.mat"));
    desk.write("in.gltf", model(0., json!([])));
    assert_eq!(desk.code(&["convert", "in.gltf", "a.dgl3", "--no-clobber"]), 2);
    assert_eq!(desk.code(&["convert", "in.gltf", "a.dgl3", "--no-clobber", "--force"]), 2);
    assert_eq!((desk.read("a.dgl3"), desk.read("Material.mat")), (model_bytes, material));
}

/// Every target that names pictures by their paths.
const TARGETS: [&str; 6] = ["gltf", "obj", "dgl2", "dgl3", "das2", "dragon"];

#[test]
fn textures_go_where_the_model_goes() {
    let desk = Desk::new();
    desk.write("in/tex/skin.png", picture(1));
    desk.write("in/m.gltf", model(1., json!([{ "uri": "tex/skin.png" }])));
    for target in TARGETS {
        desk.done(&["convert", "in/m.gltf", &format!("in/m2.{target}")]);
        desk.write(&format!("{target}/keep"), "");
        let elsewhere = format!("{target}/m.{target}");
        desk.done(&["convert", "in/m.gltf", &elsewhere, "--strict"]);
        assert_eq!(desk.read(&format!("{target}/tex/skin.png")), picture(1), "{target}: with its path");
        for model in [elsewhere.as_str(), &format!("in/m2.{target}")] {
            let info = desk.info(model);
            assert_eq!(info["textures"], json!({ "found": ["tex/skin.png"], "missing": [] }), "{model}");
            assert_eq!(info["files"]["missing"], json!([]), "{model}");
        }
        // The same format, the same bytes, and the files with them.
        let again = format!("again/{target}/m.{target}");
        desk.write(&format!("again/{target}/keep"), "");
        desk.done(&["convert", &elsewhere, &again, "--strict"]);
        assert_eq!(desk.read(&elsewhere), desk.read(&again), "{target}");
        assert_eq!(desk.info(&again)["textures"]["missing"], json!([]), "{target}");
        assert_eq!(desk.info(&again)["files"]["missing"], json!([]), "{target}");
    }
    assert_eq!(desk.names("in/tex"), ["skin.png"], "nothing was copied where it was");
}

#[test]
fn paths_that_lead_out_are_flattened_and_links_follow() {
    let desk = Desk::new();
    desk.write("tex/skin.png", picture(1));
    desk.write("in/m.gltf", model(1., json!([{ "uri": "../tex/skin.png" }])));
    for target in TARGETS {
        std::fs::create_dir(desk.path(target)).unwrap();
        let out = format!("{target}/m.{target}");
        // A rewrite in the same format changes no link.
        let scale: &[&str] = if target == "gltf" { &["--scale", "2"] } else { &[] };
        let said = desk.done(&[&["convert", "in/m.gltf", &out, "--allow-root", "."], scale].concat());
        assert!(said.contains("../tex/skin.png leads out of the folder; its content is in skin.png"), "{said}");
        let info = desk.info(&out);
        // glTF remembers what it was called.
        let name = if target == "gltf" { "../tex/skin.png" } else { "skin.png" };
        assert_eq!(info["textures"], json!({ "found": [name], "missing": [] }), "{target}");
        assert_eq!(desk.read(&format!("{target}/skin.png")), picture(1));
        // In a rewrite the bytes win, and what stays behind is listed.
        std::fs::create_dir_all(desk.path("deep/er")).unwrap();
        let native = format!("in/n.{target}");
        desk.done(&["convert", "in/m.gltf", &native, "--allow-root", "."]);
        let args = ["convert", &native, &format!("deep/er/n.{target}"), "--allow-root", "."];
        let losses = desk.losses(&args);
        let listed = losses.iter().any(|(level, subject, _)| level == "dropped" && subject.contains("skin.png"));
        assert!(listed, "{target}: {losses:?}");
        assert_eq!(desk.read(&native), desk.read(&format!("deep/er/n.{target}")), "{target}");
        std::fs::remove_dir_all(desk.path("deep")).unwrap();
    }
}

#[test]
fn textures_of_another_folder_are_taken_along() {
    let desk = Desk::new();
    desk.write("far/skin.png", picture(1));
    desk.write("m.gltf", model(1., json!([{ "uri": "skin.png" }])));
    for target in TARGETS {
        let out = format!("n.{target}");
        desk.done(&["convert", "m.gltf", &out, "--search-path", "far", "--strict"]);
        assert_eq!(desk.info(&out)["textures"]["missing"], json!([]), "{target} finds what IN found");
        std::fs::remove_file(desk.path("skin.png")).unwrap();
    }
}

#[test]
fn what_is_not_found_is_listed() {
    let desk = Desk::new();
    desk.write("m.gltf", model(1., json!([{ "uri": "gone.png" }])));
    for target in TARGETS {
        let out = format!("n.{target}");
        if target != "gltf" {
            let losses = desk.losses(&["convert", "m.gltf", &out]);
            let listed = losses.iter().filter(|(level, subject, _)| level == "dropped" && subject.contains("gone.png"));
            assert_eq!(listed.count(), 1, "{target}: {losses:?}");
            std::fs::remove_file(desk.path(&out)).unwrap();
            assert_eq!(desk.code(&["convert", "m.gltf", &out, "--strict"]), 1, "{target}");
            assert!(!desk.path(&out).exists(), "{target}");
        }
    }
    // A file that is what it was has lost nothing.
    assert_eq!(desk.code(&["convert", "m.gltf", "n.gltf", "--strict"]), 0);
    assert_eq!(desk.read("m.gltf"), desk.read("n.gltf"));
}

#[test]
fn paths_are_written_as_they_are_if_asked() {
    let desk = Desk::new();
    desk.write("in/tex/skin.png", picture(1));
    desk.write("in/m.gltf", model(1., json!([{ "uri": "tex/skin.png" }, { "uri": "gone.png" }])));
    for target in TARGETS {
        std::fs::create_dir(desk.path(target)).unwrap();
        let out = format!("{target}/m.{target}");
        let losses = desk.losses(&["convert", "in/m.gltf", &out, "--textures", "reference"]);
        assert!(losses.iter().any(|(_, subject, _)| subject.contains("tex/skin.png")), "{target}: {losses:?}");
        let missing = desk.info(&out)["textures"]["missing"].to_string();
        assert!(missing.contains("tex/skin.png"), "{target}: {missing}");
        assert!(!desk.path(&format!("{target}/tex")).exists());
    }
}

/// A glTF whose surface glows and is metal by textures that are not there.
fn glowing() -> String {
    let mut root: Value =
        serde_json::from_str(&model(0.5, json!([{ "uri": "gone.png" }, { "uri": "lost.png" }]))).unwrap();
    root["materials"][0]["emissiveFactor"] = json!([1, 1, 1]);
    root["materials"][0]["emissiveTexture"] = json!({ "index": 0 });
    root["materials"][0]["pbrMetallicRoughness"]["metallicFactor"] = json!(1);
    root["materials"][0]["pbrMetallicRoughness"]["metallicRoughnessTexture"] = json!({ "index": 1 });
    root.to_string()
}

#[test]
fn a_factor_whose_texture_is_missing_falls_back_and_comes_back() {
    let desk = Desk::new();
    desk.write("m.gltf", glowing());
    // By way of a format that names what is not there, so that glTF has to do without.
    let losses = desk.losses(&["convert", "m.gltf", "m.das2"]);
    assert!(losses.iter().all(|(_, _, why)| !why.contains("alone")), "das2 goes on to name them: {losses:?}");
    for (source, seen) in [("m.das2", "seen.gltf"), ("m.gltf", "seen.glb")] {
        let losses = desk.losses(&["convert", source, seen]);
        let fell = losses.iter().filter(|(level, _, why)| level == "changed" && why.contains("alone")).count();
        assert_eq!(fell, 2, "{source}: {losses:?}");
        assert_eq!(desk.code(&["convert", source, "strict.glb", "--strict"]), 1);
    }
    let shown: Value = serde_json::from_slice(&desk.read("seen.gltf")).unwrap();
    let material = &shown["materials"][0];
    assert_eq!(material["emissiveFactor"], Value::Null, "it does not glow");
    assert_eq!(material["pbrMetallicRoughness"]["metallicFactor"], 0, "it is no metal");
    assert_eq!(shown["images"], Value::Null, "what is not there is no image");
    assert!(material["extras"].to_string().contains("gone.png"));
    // The way back has what was there.
    desk.done(&["convert", "seen.gltf", "back.das2"]);
    assert_eq!(desk.read("back.das2"), desk.read("m.das2"));
}

/// Files of DGL3 that name others: a mesh `part/x.dgl3`, and a scene `room.dgl3` with a material and a texture.
fn lay_scenes(desk: &Desk, folder: &str) {
    let material = "name: \"wall\";\ndiffuseTexture: \"brick.png\";\n";
    desk.write("make.gltf", model(0.5, json!([])));
    desk.done(&["convert", "make.gltf", "make.dgl3", "--dialect", "engine"]);
    let room = desk.read("make.dgl3");
    // The name of its material file is as long as the one it gets.
    let at = room.windows(12).position(|window| window == b"Material.mat").unwrap();
    let room = [&room[..at], b"part/w-1.mat", &room[at + 12..]].concat();
    desk.write(&format!("{folder}/room.dgl3"), room);
    desk.write(&format!("{folder}/part/w-1.mat"), material);
    desk.write(&format!("{folder}/part/brick.png"), picture(7));
    desk.write(&format!("{folder}/part/x.dgl3"), corpus::dgl3::one_triangle());
    let naming = corpus::dgl3::naming("part/x.dgl3", "room.dgl3");
    desk.write(&format!("{folder}/all.dgl3"), naming);
    std::fs::remove_file(desk.path("make.gltf")).unwrap();
}

#[test]
fn meshes_and_scenes_of_other_files_go_where_the_model_goes() {
    let desk = Desk::new();
    lay_scenes(&desk, "in");
    let files = ["part/brick.png", "part/w-1.mat", "part/x.dgl3", "room.dgl3"];
    for options in [&[][..], &["--scale", "2"], &["--dialect", "spec"]] {
        desk.write("out/keep", "");
        desk.done(&[&["convert", "in/all.dgl3", "out/all.dgl3"], options].concat());
        for file in files {
            assert_eq!(desk.read(&format!("out/{file}")), desk.read(&format!("in/{file}")), "{options:?}");
        }
        let info = desk.info("out/all.dgl3");
        assert_eq!((&info["files"]["missing"], &info["textures"]["missing"]), (&json!([]), &json!([])), "{options:?}");
        std::fs::remove_dir_all(desk.path("out")).unwrap();
        // Where it was, everything is found.
        desk.done(&[&["convert", "in/all.dgl3", "in/again.dgl3"], options].concat());
        let info = desk.info("in/again.dgl3");
        assert_eq!(info["files"]["missing"], json!([]), "{options:?}");
        assert_eq!(desk.names("in/part"), ["brick.png", "w-1.mat", "x.dgl3"], "{options:?}");
        std::fs::remove_file(desk.path("in/again.dgl3")).unwrap();
    }
    let (before, after) = (desk.info("in/all.dgl3"), {
        desk.write("out/keep", "");
        desk.done(&["convert", "in/all.dgl3", "out/all.dgl3", "--scale", "2"]);
        desk.info("out/all.dgl3")
    });
    let corner = |info: &Value| info["bounds"]["max"][0].as_f64().unwrap();
    assert!((corner(&after) - 2. * corner(&before)).abs() < 1e-6, "everything is twice as large");
}

#[test]
fn an_edit_inside_a_scene_of_another_file_survives() {
    let desk = Desk::new();
    lay_scenes(&desk, "in");
    desk.done(&["convert", "in/all.dgl3", "in/all.gltf"]);
    // Unedited, the way back names what it named.
    desk.done(&["convert", "in/all.gltf", "in/back.dgl3"]);
    assert_eq!(desk.info("in/back.dgl3")["external_references"], 2);
    assert_eq!(desk.info("in/back.dgl3")["bounds"], desk.info("in/all.dgl3")["bounds"]);
    let mut root: Value = serde_json::from_slice(&desk.read("in/all.gltf")).unwrap();
    let nodes = root["nodes"].as_array_mut().unwrap();
    let inner = nodes.iter_mut().find(|node| node["name"] == "thing").expect("a node of the other file");
    inner["translation"] = json!([0, 0, 100]);
    desk.write("in/all.gltf", root.to_string());
    let losses = desk.losses(&["convert", "in/all.gltf", "in/moved.dgl3"]);
    assert!(losses.iter().any(|(_, _, why)| why == "it is not what the file says"), "{losses:?}");
    assert_eq!(desk.info("in/moved.dgl3")["bounds"]["max"][2], 100., "what was moved is where it was moved to");
    assert_eq!(desk.info("in/moved.dgl3")["files"]["missing"], json!([]));
}

#[test]
fn a_missing_mesh_or_scene_is_listed_and_an_error() {
    let desk = Desk::new();
    desk.write("a.dgl3", corpus::dgl3::naming("gone.dgl3", "lost.dgl3"));
    for target in ["b.dgl3", "b.glb", "b.das2"] {
        let losses = desk.losses(&["convert", "a.dgl3", target]);
        for file in ["gone.dgl3", "lost.dgl3"] {
            let listed = losses.iter().any(|(level, subject, _)| level == "dropped" && subject.contains(file));
            assert!(listed, "{target}: {losses:?}");
        }
        std::fs::remove_file(desk.path(target)).unwrap();
        assert_eq!(desk.code(&["convert", "a.dgl3", target, "--strict"]), 1, "{target}");
        assert!(!desk.path(target).exists());
    }
    let output = desk.run(&["check", "--json", "a.dgl3"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["files"][0]["errors"]), (Some(1), &json!(2)));
}

#[test]
fn files_that_are_not_found_are_told_by_name() {
    let desk = Desk::new();
    desk.write("a.dgl3", corpus::dgl3::of_materials(&["white.mat", "red.mat", "white.mat", "dark oak.mat"]));
    let output = desk.run(&["check", "--json", "a.dgl3"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["files"][0]["findings"].as_array().unwrap().iter();
    // Each has a place of its own, so that none stands for another.
    let missing = found.filter(|finding| finding["rule"] == "DGL3-026").map(|f| (&f["count"], &f["subjects"]));
    let each = ["white.mat", "red.mat", "white.mat", "dark oak.mat"].map(|name| (json!(1), json!([name])));
    assert_eq!(missing.map(|(count, names)| (count.clone(), names.clone())).collect::<Vec<_>>(), each);
    let names = json!(["white.mat", "red.mat", "dark oak.mat"]).to_string();
    let losses = desk.losses(&["convert", "a.dgl3", "a.glb"]);
    assert!(losses.iter().any(|(level, subjects, _)| level == "dropped" && *subjects == names), "{losses:?}");
}

#[test]
fn three_hundred_files_beside_a_model_are_all_there_and_nothing_else_is() {
    let desk = Desk::new();
    let materials: Vec<Value> = (0..300).map(|i| json!({"name": format!("m{i}")})).collect();
    let primitives: Vec<Value> = (0..300).map(|i| json!({"attributes": {"POSITION": 0}, "material": i})).collect();
    let corners: Vec<u8> = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
    desk.write("corners.bin", &corners);
    let model = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": primitives}], "materials": materials,
        "buffers": [{"uri": "corners.bin", "byteLength": 36}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0., 0., 0.], "max": [1., 1., 0.]}],
    });
    desk.write("many.gltf", model.to_string());
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.done(&["convert", "many.gltf", "out/many.dgl3"]);
    let mut names: Vec<String> = std::fs::read_dir(desk.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut expected: Vec<String> = (0..300).map(|i| format!("m{i}.mat")).chain(["many.dgl3".to_owned()]).collect();
    expected.sort();
    assert_eq!(names, expected);
    assert!((0..300).all(|i| !desk.read(&format!("out/m{i}.mat")).is_empty()));
}
