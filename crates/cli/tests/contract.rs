//! The command line as scripts see it: exit codes, streams, files.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use common::{Desk, code, json};
use serde_json::Value;

#[test]
fn info_prints_one_json_document_per_line() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    desk.sample("engine", "b.danmodel");
    let output = desk.run(&["info", "--json", "a.danmodel", "b.danmodel"]);
    assert_eq!(code(&output), 0);
    let lines: Vec<Value> = output
        .stdout
        .split(|&b| b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["schema"], "pentad/info/1");
    assert_eq!((&lines[0]["dialect"], &lines[1]["dialect"]), (&"spec".into(), &"engine".into()));
    assert_eq!(lines[0]["counts"]["meshes"], 10);
    assert!(lines[0]["bounds"]["min"].is_array());
}

#[test]
fn quick_info_leaves_bounds_open() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let info = json(&desk.run(&["info", "--quick", "--json", "a.danmodel"]));
    assert!(info["bounds"].is_null());
    assert_eq!(info["counts"]["vertices"], 51);
}

#[test]
fn names_that_are_not_utf8_have_their_bytes_beside_them() {
    let desk = Desk::new();
    desk.sample("name-cp1251", "a.danmodel");
    let info = json(&desk.run(&["info", "--json", "a.danmodel"]));
    assert!(info["title"].as_str().unwrap().contains('\u{fffd}'));
    assert!(info["title_bytes"].as_str().unwrap().chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
fn check_answers_one_for_damaged_and_unknown_files_and_two_for_missing_ones() {
    let desk = Desk::new();
    desk.sample("file-cut", "cut.danmodel");
    desk.sample("mode-10", "mode.danmodel");
    desk.sample("model", "good.danmodel");
    desk.write("notes.txt", b"hello");
    assert_eq!(code(&desk.run(&["check", "good.danmodel"])), 0);
    assert_eq!(code(&desk.run(&["check", "cut.danmodel"])), 1);
    assert_eq!(code(&desk.run(&["check", "mode.danmodel"])), 1);
    assert_eq!(code(&desk.run(&["check", "notes.txt"])), 1);
    assert_eq!(code(&desk.run(&["check", "missing.danmodel"])), 2);
    assert_eq!(code(&desk.run(&["check", "good.danmodel", "--ignore", "no-such-rule"])), 2);
    assert_eq!(code(&desk.run(&["check", "mode.danmodel", "--ignore", "mode-unknown"])), 0);
    assert_eq!(code(&desk.run(&["check", "mode.danmodel", "--only", "DAN-015"])), 0);
}

#[test]
fn every_finding_has_its_place() {
    let desk = Desk::new();
    desk.sample("mode-10", "mode.danmodel");
    let report = json(&desk.run(&["check", "--json", "mode.danmodel"]));
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(finding["rule"], "DAN-013");
    let place = &finding["place"];
    assert_eq!((place["space"].as_str(), place["size"].as_u64()), (Some("file"), Some(4)));
    let offset = place["offset"].as_u64().unwrap() as usize;
    assert_eq!(desk.read("mode.danmodel")[offset..offset + 4], [0, 0, 0, 10]);
}

#[test]
fn unreadable_file_still_yields_an_entry() {
    let desk = Desk::new();
    desk.sample("bad-magic", "bad.danmodel");
    let output = desk.run(&["check", "--json", "bad.danmodel"]);
    assert_eq!(code(&output), 1);
    let file = &json(&output)["files"][0];
    assert!(file["format"].is_null());
    assert_eq!(file["findings"][0]["rule"], "DAN-001");
    assert_eq!(file["findings"][0]["place"]["offset"], 0);
}

#[test]
fn check_asks_for_the_engine() {
    let desk = Desk::new();
    desk.sample("model", "spec.danmodel");
    desk.sample("engine", "engine.danmodel");
    assert_eq!(code(&desk.run(&["check", "spec.danmodel", "--deny", "warnings"])), 0);
    assert_eq!(code(&desk.run(&["check", "spec.danmodel", "--dialect", "engine"])), 1);
    assert_eq!(code(&desk.run(&["check", "engine.danmodel", "--dialect", "engine"])), 0);
    assert_eq!(code(&desk.run(&["check", "engine.danmodel", "--dialect", "martian"])), 2);
}

#[test]
fn sarif_has_rules_and_byte_regions() {
    let desk = Desk::new();
    desk.sample("mode-10", "mode 10.danmodel");
    let log = json(&desk.run(&["check", "--sarif", "mode 10.danmodel"]));
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "mode%2010.danmodel");
    assert_eq!(location["region"]["byteLength"], 4);
}

#[test]
fn convert_to_the_same_format_gives_the_same_bytes() {
    let desk = Desk::new();
    for kind in ["model", "engine", "slack", "tail", "flag-ff", "not-a-number", "mode-10"] {
        desk.sample(kind, "in.danmodel");
        assert_eq!(code(&desk.run(&["convert", "in.danmodel", "out.danmodel"])), 0, "{kind}");
        assert_eq!(desk.read("in.danmodel"), desk.read("out.danmodel"), "{kind}");
    }
}

#[test]
fn convert_in_place_changes_the_dialect() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    desk.sample("engine", "b.danmodel");
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "a.danmodel", "--dialect", "engine"])), 0);
    assert_eq!(desk.read("a.danmodel"), desk.read("b.danmodel"));
    assert_eq!(desk.names(), ["a.danmodel", "b.danmodel"], "nothing is left behind");
}

#[test]
fn writing_a_dialect_that_no_program_loads_says_so() {
    let desk = Desk::new();
    desk.sample("engine", "a.danmodel");
    let output = desk.run(&["convert", "a.danmodel", "b.danmodel", "--dialect", "spec"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--dialect engine"));
    let quiet = desk.run(&["-q", "convert", "a.danmodel", "b.danmodel", "--dialect", "spec"]);
    assert!(quiet.stderr.is_empty());
}

#[test]
fn refused_conversions_leave_nothing_behind() {
    let desk = Desk::new();
    desk.sample("file-cut", "cut.danmodel");
    desk.sample("model", "good.danmodel");
    desk.sample("slack", "slack.danmodel");
    let before = desk.names();
    assert_eq!(code(&desk.run(&["convert", "cut.danmodel", "out.danmodel"])), 2);
    assert_eq!(code(&desk.run(&["convert", "good.danmodel", "out.xyz"])), 2);
    assert_eq!(code(&desk.run(&["convert", "good.danmodel", "-"])), 2, "no extension, no --to");
    assert_eq!(code(&desk.run(&["convert", "good.danmodel", "out.danmodel", "--dialect", "martian"])), 2);
    assert_eq!(code(&desk.run(&["convert", "good.danmodel", "no/such/folder/out.danmodel"])), 2);
    assert_eq!(code(&desk.run(&["convert", "good.danmodel", "out.danmodel", "--danmaku-colored", "x"])), 2);
    assert_eq!(code(&desk.run(&["convert", "slack.danmodel", "out.obj", "--strict"])), 1);
    assert_eq!(desk.names(), before);
}

#[test]
fn report_lists_every_loss() {
    let desk = Desk::new();
    desk.sample("slack", "slack.danmodel");
    let output = desk.run(&["convert", "slack.danmodel", "out.obj", "--report", "report.json"]);
    assert_eq!(code(&output), 0);
    let report: Value = serde_json::from_slice(&desk.read("report.json")).unwrap();
    assert_eq!(report["schema"], "pentad/convert/1");
    assert_eq!(report["source"]["format"], "danmodel");
    let losses = report["losses"].as_array().unwrap();
    assert_eq!(losses[0]["code"], "LOSS-026");
    assert_eq!(losses[0]["count"], 4);
    assert_eq!(report["target"]["bytes"], desk.read("out.obj").len());
}

#[test]
fn streams_work_in_both_directions() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let mut child = desk
        .command(&["convert", "-", "-", "--to", "danmodel"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&desk.read("a.danmodel")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0);
    assert_eq!(output.stdout, desk.read("a.danmodel"));
}

#[test]
fn dump_covers_every_byte_once() {
    let desk = Desk::new();
    for kind in ["model", "slack", "tail", "mode-10"] {
        desk.sample(kind, "a.danmodel");
        let dump = json(&desk.run(&["dump", "--json", "a.danmodel"]));
        let mut leaves = Vec::new();
        let mut open: Vec<&Value> = dump["tree"].as_array().unwrap().iter().collect();
        while let Some(node) = open.pop() {
            match node["children"].as_array() {
                Some(children) => open.extend(children),
                None => leaves.push((node["offset"].as_u64().unwrap(), node["size"].as_u64().unwrap())),
            }
        }
        leaves.sort();
        let end = leaves.iter().filter(|(_, size)| *size > 0).fold(0, |at, (offset, size)| {
            assert_eq!(at, *offset, "{kind}");
            offset + size
        });
        assert_eq!(end, desk.read("a.danmodel").len() as u64, "{kind}");
    }
}

#[test]
fn dump_of_a_path_shows_that_part_alone() {
    let desk = Desk::new();
    desk.sample("one-triangle", "a.danmodel");
    let dump = json(&desk.run(&["dump", "--json", "a.danmodel", "pieces[0].vertices"]));
    let vertices = &dump["tree"][0];
    assert_eq!(vertices["count"], 3);
    assert_eq!(vertices["children"][2]["children"][0]["name"], "position");
    assert_eq!(code(&desk.run(&["dump", "a.danmodel", "pieces[7]"])), 2);
}

#[test]
fn dump_and_hex_show_a_file_that_cannot_be_read() {
    let desk = Desk::new();
    // A header of 43 bytes whose last four say 213, and 212 bytes: 9 of a piece, and the vertices without their end.
    desk.sample("file-cut", "a.danmodel");
    let output = desk.run(&["dump", "--json", "a.danmodel"]);
    assert_eq!(code(&output), 0, "the format was recognised");
    let dump = json(&output);
    assert_eq!((&dump["format"], &dump["dialect"]), (&"danmodel".into(), &Value::Null));
    let shown: Vec<_> =
        dump["tree"].as_array().unwrap().iter().map(|n| (&n["name"], &n["offset"], &n["size"])).collect();
    let expected = [("header", 0, 43), ("pieces", 43, 9), ("fault", 39, 4), ("unread", 52, 203)];
    let expected = expected.map(|(name, offset, size)| (Value::from(name), Value::from(offset), Value::from(size)));
    assert_eq!(shown, expected.iter().map(|(name, offset, size)| (name, offset, size)).collect::<Vec<_>>());
    assert_eq!(code(&desk.run(&["hex", "a.danmodel", "unread"])), 0);

    desk.write("b.bin", b"nobody knows this");
    let output = desk.run(&["dump", "--json", "b.bin"]);
    assert_eq!(code(&output), 2, "no format recognises it");
    assert_eq!(json(&output)["format"], Value::Null);
    assert_eq!(code(&desk.run(&["hex", "b.bin"])), 0, "it can be opened");
}

#[test]
fn control_characters_in_names_are_escaped() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let named = desk.run(&["convert", "a.danmodel", "b.danmodel", "--name", "red \u{1b}[31m"]);
    assert_eq!(code(&named), 0);
    for args in [&["info", "b.danmodel"][..], &["dump", "b.danmodel"], &["check", "-v", "b.danmodel"]] {
        let output = desk.run(args);
        assert!(!output.stdout.contains(&0x1b), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let mut child = desk.command(&["dump", "--depth", "9", "a.danmodel"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn replaced_file_keeps_its_permissions() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let desk = Desk::new();
        desk.sample("model", "a.danmodel");
        desk.sample("model", "b.danmodel");
        std::fs::set_permissions(desk.path("b.danmodel"), std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(code(&desk.run(&["convert", "a.danmodel", "b.danmodel"])), 0);
        assert_eq!(std::fs::metadata(desk.path("b.danmodel")).unwrap().permissions().mode() & 0o777, 0o640);
        let fresh = Path::new("c.danmodel");
        assert_eq!(code(&desk.run(&["convert", "a.danmodel", "c.danmodel"])), 0);
        let mode = std::fs::metadata(desk.folder.path().join(fresh)).unwrap().permissions().mode();
        assert_ne!(mode & 0o044, 0, "a new file is as readable as the umask lets it be");
    }
}

#[test]
fn explain_knows_every_rule_and_loss() {
    let desk = Desk::new();
    let all = desk.run(&["explain", "--all"]);
    let text = String::from_utf8(all.stdout).unwrap();
    assert!(text.lines().count() > 60);
    for line in text.lines() {
        let id = line.split_whitespace().next().unwrap();
        let page = desk.run(&["explain", id]);
        assert_eq!(code(&page), 0, "{id}");
        assert!(page.stdout.len() > 80, "{id}");
    }
    assert_eq!(code(&desk.run(&["explain", "DAN-999"])), 2);
}

#[test]
fn completions_and_man_pages_are_printed() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = desk.run(&["completions", shell]);
        assert_eq!(code(&output), 0, "{shell}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("danmaku-colored"), "{shell}");
    }
    assert!(String::from_utf8_lossy(&desk.run(&["man", "convert"]).stdout).contains(".TH"));
}

#[test]
fn samples_bring_the_files_they_name() {
    let desk = Desk::new();
    assert_eq!(code(&desk.run(&["sample", "obj"])), 0);
    assert_eq!(desk.names(), ["sample.mtl", "sample.obj", "sample.png"]);
    let checked = json(&desk.run(&["check", "sample.obj", "--json", "--deny", "warnings"]));
    assert_eq!(checked["files"][0]["warnings"], 0, "{checked}");
    assert_eq!(code(&desk.run(&["sample", "obj", "again.obj"])), 0, "the same files may be there already");

    desk.write("sample.mtl", b"newmtl mine\n");
    assert_eq!(code(&desk.run(&["sample", "obj", "third.obj"])), 2);
    assert_eq!(desk.read("sample.mtl"), b"newmtl mine\n");
    assert!(!desk.path("third.obj").exists());

    let streamed = desk.run(&["sample", "obj", "-"]);
    assert_eq!((code(&streamed), &streamed.stdout), (0, &desk.read("again.obj")));
}

#[test]
fn check_points_into_the_files_that_a_model_names() {
    let desk = Desk::new();
    desk.write("a.obj", b"mtllib a.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.write("a.mtl", b"newmtl a\nKd red\nmap_Kd gone.png\n");
    let checked = json(&desk.run(&["check", "a.obj", "--json"]));
    let places: Vec<_> = checked["files"][0]["findings"].as_array().unwrap().iter().map(|f| &f["place"]).collect();
    assert_eq!(places.len(), 2, "{checked}");
    for (place, (path, offset, size)) in places.iter().zip([("a.Kd", 9, 6), ("a.map_Kd", 23, 8)]) {
        assert_eq!((place["path"].as_str(), place["offset"].as_u64()), (Some(path), Some(offset)));
        assert_eq!(place["size"].as_u64(), Some(size));
        assert!(place["file"].as_str().is_some_and(|file| file.ends_with("a.mtl")), "{place}");
    }
    let shown = desk.run(&["check", "a.obj"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("a.mtl"), "{shown:?}");
}

#[test]
fn a_model_in_several_files_goes_with_all_of_them() {
    let desk = Desk::new();
    assert_eq!(code(&desk.run(&["sample", "gltf", "a.gltf"])), 0);
    let beside: Vec<String> = desk.names().into_iter().filter(|name| name != "a.gltf").collect();
    assert!(!beside.is_empty());
    std::fs::create_dir(desk.path("there")).unwrap();
    assert_eq!(code(&desk.run(&["convert", "a.gltf", "there/b.gltf"])), 0);
    assert_eq!(desk.read("there/b.gltf"), desk.read("a.gltf"));
    for name in beside {
        assert_eq!(desk.read(&format!("there/{name}")), desk.read(&name), "{name}");
    }
    // Alone on a stream it has to hold everything itself.
    let stream = desk.run(&["convert", "a.gltf", "-", "--to", "gltf"]);
    let uris: Vec<String> = json(&stream)["buffers"].as_array().unwrap().iter().map(|b| b["uri"].to_string()).collect();
    assert!(uris.iter().all(|uri| uri.starts_with("\"data:")), "{uris:?}");
}

#[test]
fn pictures_inside_a_glb_are_written_where_a_model_names_them() {
    let desk = Desk::new();
    assert_eq!(code(&desk.run(&["sample", "obj", "a.obj"])), 0);
    let picture = desk.names().into_iter().find(|name| name.ends_with(".png")).expect("the sample has a picture");
    assert_eq!(code(&desk.run(&["convert", "a.obj", "a.glb"])), 0);
    for (target, options, expected) in [
        ("dgl3", &[][..], true),
        ("dgl2", &[][..], true),
        ("dgl2", &["--textures", "reference"][..], false),
        ("dgl3", &["--textures", "reference"][..], false),
    ] {
        let folder = format!("{target}-{}", options.len());
        std::fs::create_dir(desk.path(&folder)).unwrap();
        let out = format!("{folder}/a.{target}");
        assert_eq!(code(&desk.run(&[&["convert", "a.glb", &out], options].concat())), 0);
        assert_eq!(desk.path(&format!("{folder}/{picture}")).exists(), expected, "{target} {options:?}");
    }
    assert_eq!(code(&desk.run(&["convert", "a.glb", "b.dgl3", "--textures", "embed"])), 2);
}

/// A glTF whose picture is a data URI: it has no path.
const PICTURE_WITHOUT_PATH: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
"images":[{"name":"paint","uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

#[test]
fn pictures_without_a_path_cannot_be_referenced_by_any_target() {
    let desk = Desk::new();
    desk.write("a.gltf", PICTURE_WITHOUT_PATH.as_bytes());
    for target in ["obj", "glb", "gltf", "dgl2", "dgl3", "das2", "dragon"] {
        let output = desk.run(&["convert", "a.gltf", &format!("b.{target}"), "--textures", "reference"]);
        assert_eq!(code(&output), 2, "{target}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("image \"paint\" is inside of the source and has no path"), "{target}: {said}");
    }
    assert_eq!(desk.names(), ["a.gltf"]);
    for target in ["stl", "ply", "danmodel"] {
        let output = desk.run(&["convert", "a.gltf", &format!("b.{target}"), "--textures", "reference"]);
        assert_eq!(code(&output), 2, "{target} has no textures");
    }
}

#[test]
fn a_report_that_cannot_be_written_stops_before_anything_is() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "a.glb", "--report", "nowhere/r.json"])), 2);
    assert_eq!(desk.names(), ["a.danmodel"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_its_device_does_not_take_leaves_out_as_it_was() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    desk.write("a.glb", b"before");
    let verify: [&[&str]; 2] = [&[], &["--verify"]];
    for verify in verify {
        let output = desk.run(&[&["convert", "a.danmodel", "a.glb", "--report", "/dev/full"], verify].concat());
        assert_eq!(code(&output), 2, "{output:?}");
        assert_eq!(desk.read("a.glb"), b"before");
        assert_eq!(desk.names(), ["a.danmodel", "a.glb"]);
    }
    let output = desk.run(&["convert", "a.danmodel", "a.glb", "--report", "/dev/stderr"]);
    assert_eq!(code(&output), 0);
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("pentad/convert/1").count(), 1, "{output:?}");
}

#[test]
fn a_report_of_what_was_not_written_is_not_written() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    std::fs::create_dir(desk.path("b.glb")).unwrap();
    let before = desk.names();
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "b.glb", "--report", "r.json"])), 2);
    assert_eq!(desk.names(), before);
}

#[test]
fn a_report_does_not_take_the_place_of_a_side_file() {
    let desk = Desk::new();
    assert_eq!(code(&desk.run(&["sample", "obj", "a.obj"])), 0);
    let before = desk.names();
    for report in ["b.bin", "./b.bin"] {
        let output = desk.run(&["convert", "a.obj", "b.gltf", "--report", report]);
        assert_eq!(code(&output), 2);
        assert!(String::from_utf8_lossy(&output.stderr).contains("b.bin, which belongs to OUT"), "{output:?}");
    }
    assert_eq!(desk.names(), before);
}

#[test]
fn a_save_that_fails_leaves_nothing_behind() {
    let desk = Desk::new();
    desk.write("a.obj", b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n");
    desk.write("a.mtl", b"newmtl m\nmap_Kd deep/down/p.png\n");
    std::fs::create_dir_all(desk.path("deep/down")).unwrap();
    desk.write("deep/down/p.png", b"\x89PNG\r\n\x1a\n");
    // The main file comes last, and a folder stands in its place.
    std::fs::create_dir_all(desk.path("out/b.gltf")).unwrap();
    let output = desk.run(&["convert", "a.obj", "out/b.gltf"]);
    assert_eq!(code(&output), 2, "{output:?}");
    let left: Vec<_> = std::fs::read_dir(desk.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["b.gltf"]);
    assert_eq!(std::fs::read_dir(desk.path("out/b.gltf")).unwrap().count(), 0);
}

#[test]
fn a_carried_source_comes_back_and_only_gltf_carries() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    for there in ["a.glb", "a.gltf"] {
        assert_eq!(code(&desk.run(&["convert", "a.danmodel", there, "--carry"])), 0);
        assert_eq!(code(&desk.run(&["convert", there, "back.danmodel", "--strict"])), 0);
        assert!(desk.read("back.danmodel") == desk.read("a.danmodel"), "{there}");
    }
    let piped = desk.run(&["convert", "a.danmodel", "-", "--to", "gltf", "--carry"]);
    assert_eq!(code(&piped), 0);
    desk.write("piped.gltf", &piped.stdout);
    assert_eq!(code(&desk.run(&["convert", "piped.gltf", "back.danmodel"])), 0);
    assert!(desk.read("back.danmodel") == desk.read("a.danmodel"));

    let refused = desk.run(&["convert", "a.danmodel", "a.dgl2", "--carry"]);
    assert_eq!(code(&refused), 2);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--carry"), "{refused:?}");
    assert!(!desk.names().contains(&"a.dgl2".to_owned()));
}

#[test]
fn verify_measures_what_was_written() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let done = desk.run(&["convert", "a.danmodel", "a.glb", "--verify", "--report", "r.json"]);
    assert_eq!(code(&done), 0);
    let report: Value = serde_json::from_slice(&desk.read("r.json")).unwrap();
    assert_eq!(report["verified"]["holds"], true);
    assert_eq!(report["verified"]["tolerance"], 1e-5);
    assert!(report["verified"]["max_position_error"].as_f64().unwrap() < 1e-5, "{report}");

    // Doubles that no 32-bit float holds: off by less than anyone sees, and by more than nothing.
    desk.sample("beyond-f32", "b.danmodel");
    let close = desk.run(&["convert", "b.danmodel", "b.dgl2", "--verify"]);
    assert_eq!(code(&close), 0, "{close:?}");
    let exact =
        desk.run(&["convert", "b.danmodel", "b.dgl2", "--verify", "--tolerance", "1e-15", "--report", "r.json"]);
    assert_eq!(code(&exact), 1);
    assert!(String::from_utf8_lossy(&exact.stderr).contains("too much"), "{exact:?}");
    let report: Value = serde_json::from_slice(&desk.read("r.json")).unwrap();
    assert_eq!(report["verified"]["holds"], false);
    assert!(desk.names().contains(&"b.dgl2".to_owned()), "it was written, and the answer is no");

    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "a.glb", "--tolerance", "1"])), 2, "it is for --verify");
    // DRAGON stores frames: there it says how far they may be off.
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "a.dragon", "--tolerance", "0.5"])), 0);
    assert_eq!(code(&desk.run(&["convert", "a.danmodel", "a.dragon", "--tolerance", "0"])), 2, "nothing is that near");
    let plain = desk.run(&["convert", "a.danmodel", "a.glb", "--report", "r.json"]);
    assert_eq!(code(&plain), 0);
    let report: Value = serde_json::from_slice(&desk.read("r.json")).unwrap();
    assert!(report.get("verified").is_none());
}

#[test]
fn a_face_that_names_no_vertex_is_listed_for_every_target() {
    let desk = Desk::new();
    // Three corners, then the indices 0 1 2 and 0 1 3.
    let corners = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.];
    let bytes = corners.iter().flat_map(|v| v.to_le_bytes()).chain([0, 1, 2, 0, 1, 3]);
    let escaped: String = bytes.map(|byte| format!("%{byte:02x}")).collect();
    let uri = format!("data:application/octet-stream,{escaped}");
    let model = serde_json::json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 42, "uri": uri }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }, { "buffer": 0, "byteOffset": 36, "byteLength": 6 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    });
    desk.write("a.gltf", model.to_string().as_bytes());
    for target in ["a.dgl3", "a.dgl2", "a.danmodel", "a.ply"] {
        let done = desk.run(&["convert", "a.gltf", target, "--report", "r.json"]);
        assert_eq!(code(&done), 0, "{done:?}");
        let report: Value = serde_json::from_slice(&desk.read("r.json")).unwrap();
        let lost = report["losses"].as_array().unwrap().iter().find(|loss| loss["code"] == "LOSS-043");
        assert_eq!(lost.unwrap_or_else(|| panic!("{target}: {report}"))["count"], 1);
        let info = json(&desk.run(&["info", "--json", target]));
        assert_eq!(info["counts"]["triangles"], 1, "{target}");
    }
    // The same document in another container is the same, faults and all.
    assert_eq!(code(&desk.run(&["convert", "a.gltf", "a.glb", "--strict"])), 0);
    assert_eq!(json(&desk.run(&["info", "--json", "a.glb"]))["counts"]["triangles"], 2);
}

#[test]
fn a_limit_names_itself_and_the_file() {
    let desk = Desk::new();
    // Two keys, a thousand million seconds apart.
    let numbers = [0_f32, 1e9, 0., 0., 0., 1., 0., 0.];
    let escaped: String = numbers.iter().flat_map(|v| v.to_le_bytes()).map(|byte| format!("%{byte:02x}")).collect();
    let model = serde_json::json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 32, "uri": format!("data:application/octet-stream,{escaped}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 24 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1e9] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" },
        ],
        "nodes": [{ "name": "far" }],
        "scenes": [{ "nodes": [0] }],
        "animations": [{ "name": "long",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 0, "output": 1 }],
        }],
    });
    desk.write("a.gltf", model.to_string().as_bytes());
    let done = desk.run(&["convert", "a.gltf", "a.dragon", "--fps", "24"]);
    assert_eq!(code(&done), 2);
    let told = String::from_utf8_lossy(&done.stderr);
    // 24 000 000 001 frames of three floats.
    assert!(told.contains("animation \"long\" is 24000000001 frames of 3 numbers: it makes 2880000000"), "{told}");
    assert!(told.contains("a.gltf  animations[0]") && told.contains("--max-memory"), "{told}");
}

/// A triangle whose numbers only Draco has.
const DRACO: &str = r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_draco_mesh_compression"],
    "extensionsRequired":["KHR_draco_mesh_compression"],"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":
    {"bufferView":0,"attributes":{"POSITION":0}}}}]}],
    "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
    "bufferViews":[{"buffer":0,"byteLength":4}],"buffers":[{"byteLength":4,"uri":"data:;base64,AAAAAA=="}]}"#;

#[test]
fn geometry_that_cannot_be_read_is_refused_before_anything_is_written() {
    let desk = Desk::new();
    desk.write("a.gltf", DRACO.as_bytes());
    assert_eq!(code(&desk.run(&["check", "--deny", "warnings", "a.gltf"])), 0);
    for args in [["convert", "a.gltf", "b.das2"].as_slice(), &["convert", "a.gltf", "b.glb", "--verify"]] {
        let output = desk.run(args);
        assert_eq!(code(&output), 2, "{args:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("KHR_draco_mesh_compression hides the geometry"), "{told}");
        assert!(!desk.path("b.das2").exists() && !desk.path("b.glb").exists(), "{args:?}");
    }
    // Nothing of it has to be read to put it into another container.
    assert_eq!(code(&desk.run(&["convert", "a.gltf", "b.glb"])), 0);
}
