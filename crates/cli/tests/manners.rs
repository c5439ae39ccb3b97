//! What the command line says, how much of it, and where.

mod common;

use std::process::{Output, Stdio};

use common::{Desk, code, json, stderr};
use serde_json::Value;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Two good files and two bad ones.
fn mixed() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.sample("one-triangle", "models/a.danmodel");
    desk.sample("engine", "models/b.danmodel");
    desk.sample("mode-10", "models/c.danmodel");
    desk.sample("file-cut", "models/d.danmodel");
    desk
}

#[test]
fn check_is_quiet_about_good_files_and_ends_with_a_total() {
    let desk = mixed();
    let text = stdout(&desk.run(&["check", "models"]));
    assert!(!text.contains("a.danmodel") && !text.contains("b.danmodel"), "{text}");
    assert!(text.contains("c.danmodel") && text.contains("d.danmodel"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("4 files, 2 with errors: 2 errors, "), "{text}");
    let text = stdout(&desk.run(&["check", "-v", "models"]));
    for name in ["a", "b", "c", "d"] {
        let line = format!("models/{name}.danmodel: danmodel, ");
        assert_eq!(text.lines().filter(|shown| shown.starts_with(&line)).count(), 1, "{text}");
    }
    assert!(text.lines().last().unwrap().starts_with("4 files, 2 with errors"), "{text}");
    // Of one file, the total says which.
    let text = stdout(&desk.run(&["check", "models/b.danmodel"]));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("models/b.danmodel: danmodel, dialect engine: 0 errors, 0 warnings, "), "{text}");
}

#[test]
fn quiet_check_shows_errors_only() {
    let desk = mixed();
    desk.write("models/e.stl", &common::sample("danmodel", "model"));
    let all = stdout(&desk.run(&["check", "models"]));
    assert!(all.contains("warning[FILE-005"), "{all}");
    let output = desk.run(&["check", "-q", "models"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1);
    assert_eq!(text.matches("error[").count(), 2, "{text}");
    assert!(!text.contains("warning") && !text.contains("files"), "{text}");
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&desk.run(&["check", "-q", "models/a.danmodel"])), "");
}

#[test]
fn findings_of_one_cause_are_one_with_their_subjects() {
    let desk = Desk::new();
    let materials: Vec<Value> = (0..6).map(|i| serde_json::json!({ "name": format!("m{i}") })).collect();
    let images: Vec<Value> = (0..6).map(|i| serde_json::json!({ "uri": format!("gone{i}.png") })).collect();
    let model = serde_json::json!({ "asset": { "version": "2.0" }, "materials": materials, "images": images });
    desk.write("a.gltf", model.to_string().as_bytes());
    let args = ["check", "a.gltf", "--format", "short", "-v"];
    let text = stdout(&desk.run(&args));
    let found: Vec<&str> = text.lines().filter(|line| line.contains("gone0.png")).collect();
    assert_eq!(found.len(), 1, "{text}");
    assert!(found[0].contains("(x6: ") && found[0].contains("gone5.png"), "-v names every one: {text}");
}

#[test]
fn every_style_names_every_file() {
    let desk = mixed();
    for style in ["short", "full", "json", "sarif", "junit", "github"] {
        let output = desk.run(&["check", "models", "--format", style]);
        assert_eq!(code(&output), 1, "{style}");
        let text = stdout(&output);
        for name in ["models/c.danmodel", "models/d.danmodel"] {
            assert!(text.contains(name), "{style}: {text}");
        }
    }
    let same = |short: &str, style: &str| {
        let [short, long] = [vec![short], vec!["--format", style]]
            .map(|style| stdout(&desk.run(&[&["check", "models"], &style[..]].concat())));
        assert_eq!(short, long, "{style}");
    };
    same("--json", "json");
    same("--sarif", "sarif");
    assert_eq!(code(&desk.run(&["check", "models", "--json", "--format", "short"])), 2);
    assert_eq!(code(&desk.run(&["check", "models", "--format", "yaml"])), 2);

    let short = stdout(&desk.run(&["check", "models", "--format", "short"]));
    let line = "models/c.danmodel: error[DAN-013 mode-unknown]: mode is 10; modes are 0 to 9  bytes 0x2b..0x2f (43..47)  pieces[0].mode";
    assert!(short.lines().any(|shown| shown == line), "{short}");
    let github = stdout(&desk.run(&["check", "models", "--format", "github"]));
    assert!(github.contains("::error file=models/c.danmodel,title=DAN-013 mode-unknown::mode is 10;"), "{github}");
    let junit = stdout(&desk.run(&["check", "models", "--format", "junit"]));
    assert!(junit.contains("<testsuite name=\"pentad check\" tests=\"4\" failures=\"2\" errors=\"0\">"), "{junit}");
}

#[test]
fn every_message_of_a_run_over_several_files_names_its_file() {
    let desk = mixed();
    desk.write("x.dragon", &common::sample("dragon", "model"));
    desk.write("a.obj", b"mtllib a.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.write("a.mtl", b"newmtl a\nKd red\n");
    let files = ["x.dragon", "a.obj", "models/c.danmodel", "gone.stl"];
    let output = desk.run(&[&["check", "--dialect", "engine"], &files[..]].concat());
    let told = stderr(&output);
    // A message begins with a line that is not indented.
    let messages: Vec<&str> = told.split("error: ").skip(1).collect();
    assert_eq!(messages.len(), 3, "{told}");
    for (message, name) in messages.iter().zip(["x.dragon", "a.obj", "gone.stl"]) {
        assert!(message.contains(name), "{told}");
    }
    let output = desk.run(&["check", "a.obj"]);
    assert!(stdout(&output).contains("a.mtl") && stdout(&output).contains("(which a.obj names)"), "{output:?}");
    let output = desk.run(&["info", "models/d.danmodel", "gone.stl", "models/a.danmodel"]);
    assert_eq!(code(&output), 2);
    let told = stderr(&output);
    assert!(told.contains("at models/d.danmodel") && told.contains("gone.stl cannot be opened"), "{told}");
    assert!(stdout(&output).starts_with("models/a.danmodel\n"), "{output:?}");
}

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

#[test]
fn help_shows_what_a_verb_has_of_its_own_first() {
    let desk = Desk::new();
    for (verb, own) in [("info", "--quick"), ("check", "--deny"), ("convert", "--carry"), ("dump", "--depth")] {
        for help in ["-h", "--help"] {
            let text = stdout(&desk.run(&[verb, help]));
            let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{verb} {help}: {word}: {text}"));
            assert!(
                at(own) < at("Options of every verb:") && at("Options of every verb:") < at("--search-path"),
                "{text}"
            );
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let runs: &[&[&str]] = &[
        &["--help"],
        &["--version"],
        &["check", "--help"],
        &["info", "a.danmodel"],
        &["info", "--json", "a.danmodel"],
        &["check", "a.danmodel"],
        &["dump", "--json", "a.danmodel"],
        &["hex", "a.danmodel"],
        &["formats"],
        &["explain", "--all"],
        &["sample", "danmodel", "-"],
        &["convert", "a.danmodel", "-", "--to", "glb"],
        &["completions", "bash"],
        &["man"],
    ];
    for args in runs {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = desk.command(args).stdout(Stdio::from(full)).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains("cannot be written"), "{args:?}: {output:?}");
    }
}

#[test]
fn completions_know_formats_dialects_rules_and_samples() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let text = stdout(&desk.run(&["completions", shell]));
        for word in ["dragon", "engine-braced", "DGL3-026", "LOSS-019", "file-cut", "junit"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn mistyped_words_get_a_suggestion() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let runs: &[(&[&str], &str)] = &[
        (&["explain", "DGL3-26"], "DGL3-026"),
        (&["explain", "mode-unknwon"], "mode-unknown"),
        (&["explain", "LOSS-9"], "LOSS-009"),
        (&["check", "a.danmodel", "--ignore", "DAN-13"], "DAN-013"),
        (&["check", "a.danmodel", "--only", "dan_013"], "DAN-013"),
        (&["check", "a.danmodel", "--dialect", "engin"], "engine"),
        (&["convert", "a.danmodel", "b.danmodel", "--dialect", "sepc"], "spec"),
        (&["convert", "a.danmodel", "b.x", "--to", "gbl"], "glb"),
        (&["convert", "a.danmodel", "b.gtlf"], "gltf"),
        (&["sample", "danmodl"], "danmodel"),
        (&["sample", "danmodel", "--kind", "modle"], "model"),
        (&["infoo", "a.danmodel"], "info"),
        (&["man", "convrt"], "convert"),
    ];
    for (args, meant) in runs {
        let output = desk.run(args);
        assert_eq!(code(&output), 2, "{args:?}");
        let told = stderr(&output);
        let suggestion = told.lines().find(|line| line.contains("did you mean") || line.contains("similar"));
        assert!(suggestion.is_some_and(|line| line.contains(meant)), "{args:?}: {told}");
    }
    let lost = stderr(&desk.run(&["explain", "quite-something-else"]));
    assert!(!lost.contains("did you mean"), "{lost}");
}

#[test]
fn delete_and_other_controls_are_escaped_everywhere() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let name = "a\u{7f}\u{9b}\u{202e}b";
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "b.danmodel", "--name", name])), 0);
    assert_eq!(code(&desk.run(&["convert", "b.danmodel", "b.glb", "--report", "r.json"])), 0);
    for args in [
        &["info", "b.danmodel"][..],
        &["info", "--json", "b.danmodel"],
        &["dump", "b.danmodel"],
        &["dump", "--json", "b.danmodel"],
        &["hex", "b.danmodel"],
        &["check", "-v", "b.danmodel"],
    ] {
        let output = desk.run(args);
        assert_eq!(code(&output), 0, "{args:?}");
        let text = stdout(&output);
        assert!(!text.contains(['\u{7f}', '\u{9b}', '\u{202e}']), "{args:?}: {text}");
    }
    let info = json(&desk.run(&["info", "--json", "b.danmodel"]));
    assert_eq!(info["title"], name, "it is the same text");
    assert!(!String::from_utf8(desk.read("r.json")).unwrap().contains('\u{7f}'));
}

#[test]
fn dump_shortens_long_texts_and_names_objects() {
    let desk = Desk::new();
    let nodes: Vec<Value> = (0..500).map(|i| serde_json::json!({ "name": format!("Wheel {i}") })).collect();
    let model = serde_json::json!({ "asset": { "version": "2.0" }, "nodes": nodes });
    desk.write("a.gltf", model.to_string().as_bytes());
    assert_eq!(code(&desk.run(&["convert", "a.gltf", "a.glb"])), 0);
    let text = stdout(&desk.run(&["dump", "a.glb"]));
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(longest < 300, "{longest}");
    assert!(text.lines().any(|line| line.contains("[3]: object \"Wheel 3\"")), "{}", &text[..2000]);
    let whole = stdout(&desk.run(&["dump", "-v", "a.glb"]));
    assert!(whole.lines().any(|line| line.contains("Wheel 0") && line.contains("Wheel 499")));
    let json = json(&desk.run(&["dump", "--json", "a.glb", "json_chunk.json"]));
    assert!(json["tree"][0]["value"].as_str().unwrap().contains("Wheel 499"));

    desk.write("a.dgl2", &common::sample("dgl2", "model"));
    let text = stdout(&desk.run(&["dump", "--depth", "1", "a.dgl2"]));
    assert!(text.lines().any(|line| line.ends_with("[1]: Chunk TRIMESH \"Mixed\"")), "{text}");
    desk.write("a.dgl3", &common::sample("dgl3", "model"));
    let text = stdout(&desk.run(&["hex", "a.dgl3", "meshes"]));
    assert!(text.contains("meshes[0].name"), "{text}");
}

/// Twenty thousand facets are a third of a million fields; all at once they take more than this.
#[test]
#[cfg(target_os = "linux")]
fn dump_does_not_hold_what_it_prints() {
    let desk = Desk::new();
    let facet = &corpus::stl::one_facet()[84..134];
    let count = 20_000_u32;
    let bytes = [&[b' '; 80][..], &count.to_le_bytes(), &facet.repeat(count as usize)].concat();
    desk.write("a.stl", &bytes);
    for json in [&[][..], &["--json"]] {
        let args = [&["dump", "--depth", "9", "a.stl", "-j", "1"], json].concat();
        let limited = format!("ulimit -v 150000; exec {} {} > out", env!("CARGO_BIN_EXE_pentad"), args.join(" "));
        let status = std::process::Command::new("sh").arg("-c").arg(limited).current_dir(desk.folder.path()).status();
        assert_eq!(status.unwrap().code(), Some(0), "{json:?}");
        assert!(desk.read("out").len() > 10_000_000, "{json:?}");
    }
}

#[test]
fn note_on_the_dialect_follows_the_line_that_says_what_was_written() {
    let desk = Desk::new();
    desk.write("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let told = stderr(&desk.run(&["convert", "a.obj", "a.danmodel"]));
    let lines: Vec<&str> = told.lines().collect();
    let wrote = lines.iter().position(|line| line.starts_with("wrote a.danmodel")).unwrap_or_else(|| panic!("{told}"));
    assert!(lines[wrote + 1].contains("--dialect engine"), "{told}");
}
