//! What `check` makes of the files in a folder.

mod common;

use common::{Desk, code, json, stderr};
use serde_json::Value;

fn entry<'a>(report: &'a Value, name: &str) -> &'a Value {
    let files = report["files"].as_array().unwrap();
    files.iter().find(|file| file["file"].as_str().unwrap().ends_with(name)).unwrap_or_else(|| panic!("{report}"))
}

fn rules(entry: &Value) -> Vec<(&str, &str)> {
    let findings = entry["findings"].as_array().unwrap();
    findings.iter().map(|f| (f["rule"].as_str().unwrap(), f["severity"].as_str().unwrap())).collect()
}

/// A buffer of a glTF file that looks like an STL of no facets with a long tail, and one that looks like one facet.
fn buffers() -> [Vec<u8>; 2] {
    let numbers: Vec<u8> = (0..4000).flat_map(|i| [0., 1., i as f32 * 0.25][i % 3].to_le_bytes()).collect();
    let none = [&[0; 84][..], &numbers].concat();
    let one = [&[0; 80][..], &1_u32.to_le_bytes(), &corpus::stl::one_facet()[84..], &numbers].concat();
    [none, one]
}

#[test]
fn only_extensions_make_models_in_a_folder() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.sample("model", "models/a.danmodel");
    // Whatever their bytes look like, these are none.
    desk.sample("mode-10", "models/broken-but-no-model");
    desk.write("models/real.bin", &corpus::stl::one_facet());
    for (i, buffer) in buffers().iter().enumerate() {
        desk.write(&format!("models/{i}.bin"), buffer);
    }
    desk.write("models/notes.txt", b"hello");
    desk.write("models/a.png", b"\x89PNG\r\n\x1a\n");
    let plain = desk.run(&["check", "models", "--json", "--deny", "warnings"]);
    assert_eq!(code(&plain), 0);
    let report = json(&plain);
    assert_eq!((report["files"].as_array().unwrap().len(), &report["skipped"]), (1, &6.into()), "{report}");
    assert!(!stderr(&plain).contains("notes.txt"));
    let verbose = stderr(&desk.run(&["check", "models", "-v"]));
    for name in ["real.bin", "0.bin", "1.bin", "notes.txt", "a.png", "broken-but-no-model"] {
        assert!(verbose.contains(name), "{name}: {verbose}");
    }
}

#[test]
fn a_file_that_its_own_format_cannot_read_is_an_error() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.sample("model", "models/good.danmodel");
    let broken = [
        ("empty.dgl2", &b""[..]),
        ("short.dgl3", b"DG"),
        ("text.dgl3", b"hello, this is a text and no model\n"),
        ("text.OBJ", b"hello, this is a text and no model\n"),
        ("empty.stl", b""),
        ("text.gltf", b"{}"),
        ("zeros.das2", &[0; 500]),
    ];
    for (name, bytes) in broken {
        desk.write(&format!("models/{name}"), bytes);
    }
    for deny in [&[][..], &["--deny", "warnings"]] {
        let output = desk.run(&[&["check", "models", "--json"], deny].concat());
        assert_eq!(code(&output), 1);
        let report = json(&output);
        assert_eq!(report["files"].as_array().unwrap().len(), broken.len() + 1);
        for (name, _) in broken {
            assert_eq!(entry(&report, name)["errors"], 1, "{report}");
        }
        assert_eq!(entry(&report, "good.danmodel")["errors"], 0);
    }
}

#[test]
fn content_of_another_format_is_checked_as_that_and_the_extension_is_told() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    let misnamed = [
        ("a.gltf", "glb", common::sample("glb", "one-triangle")),
        ("b.stl", "danmodel", common::sample("danmodel", "model")),
    ];
    for (name, _, bytes) in &misnamed {
        desk.write(&format!("models/{name}"), bytes);
    }
    let output = desk.run(&["check", "models", "--json"]);
    assert_eq!(code(&output), 0);
    for (name, format, bytes) in &misnamed {
        let report = json(&output);
        let entry = entry(&report, name);
        assert_eq!(entry["format"], *format);
        let told: Vec<_> = rules(entry).into_iter().filter(|(_, severity)| *severity != "info").collect();
        assert_eq!(told, [("FILE-005", "warning")], "{entry}");
        let extension = name.split('.').next_back().unwrap();
        assert!(entry["findings"][0]["message"].as_str().unwrap().contains(&format!(".{extension}")), "{entry}");
        desk.write(&format!("models/{name}"), bytes);
    }
    assert_eq!(code(&desk.run(&["check", "models", "--deny", "warnings"])), 1);
    assert_eq!(code(&desk.run(&["check", "models", "--deny", "warnings", "--ignore", "FILE-005"])), 0);
    // Whoever names a file is believed, as long as its content says what it is.
    assert_eq!(code(&desk.run(&["check", "models/a.gltf", "--deny", "warnings"])), 0);
    // With its own extension there is nothing to tell.
    std::fs::remove_dir_all(desk.path("models")).unwrap();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.write("models/A.GLB", &misnamed[0].2);
    assert_eq!(code(&desk.run(&["check", "models", "--deny", "warnings"])), 0);
}

#[test]
fn known_kinds_of_other_files_are_one_info() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("mixed")).unwrap();
    let kinds = corpus::foreign::FILES;
    for (name, _, bytes) in kinds {
        desk.write(&format!("mixed/{name}"), &bytes());
    }
    let output = desk.run(&["check", "mixed", "--json", "--deny", "warnings"]);
    assert_eq!(code(&output), 0, "{output:?}");
    let report = json(&output);
    for (name, ..) in kinds {
        assert_eq!(rules(entry(&report, name)), [("FILE-006", "info")], "{name}");
    }
    let told = desk.run(&["check", "mixed"]);
    let lines = String::from_utf8(told.stdout).unwrap();
    assert_eq!(lines.lines().count(), kinds.len() + 1, "one each, and the total: {lines}");
    for (name, word, _) in kinds {
        assert!(lines.lines().any(|line| line.contains(name) && line.contains(word)), "{name}: {lines}");
    }
    // A model with that extension is none of them.
    desk.write("mixed/model.mat", &common::sample("mat", "material"));
    let report = json(&desk.run(&["check", "mixed", "--json"]));
    assert_eq!(entry(&report, "model.mat")["format"], "mat");
    // Whoever names such a file asks about it.
    assert_eq!(code(&desk.run(&["check", "mixed/main.obj"])), 1);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.sample("model", "models/z.danmodel");
    desk.write("models/a.dragon", &common::sample("dragon", "model"));
    desk.write("models/b.dgl3", b"DG");
    let output = desk.run(&[
        "check",
        "models/a.dragon",
        "models/b.dgl3",
        "models/z.danmodel",
        "gone.stl",
        "--dialect",
        "engine",
    ]);
    assert_eq!(code(&output), 2, "DRAGON has no engine, and gone.stl is not there");
    assert!(stderr(&output).contains("no engine exists"), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("b.dgl3") && told.contains("z.danmodel"), "{told}");
}

#[test]
fn asking_for_spec_names_the_dialect_that_a_file_is_in() {
    let desk = Desk::new();
    desk.sample("engine", "engine.danmodel");
    desk.sample("model", "spec.danmodel");
    let asked = desk.run(&["check", "engine.danmodel", "--dialect", "spec", "--json"]);
    assert_eq!(code(&asked), 0);
    let report = json(&asked);
    assert_eq!(rules(&report["files"][0]), [("FILE-007", "warning")], "{report}");
    assert!(report["files"][0]["findings"][0]["message"].as_str().unwrap().contains("dialect engine"));
    assert_eq!(code(&desk.run(&["check", "engine.danmodel", "--dialect", "spec", "--deny", "warnings"])), 1);
    assert_eq!(code(&desk.run(&["check", "spec.danmodel", "--dialect", "spec", "--deny", "warnings"])), 0);
}
