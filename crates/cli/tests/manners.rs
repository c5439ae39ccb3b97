//! What the command line says, how much of it, and where.

mod common;

use std::process::Stdio;

use common::{Desk, code, json, mixed, stderr, stdout};
use serde_json::Value;

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

/// `>&-`: the standard library opens the null device in its place.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn standard_output_that_was_closed_is_an_error_of_whoever_prints() {
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let closed = |args: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "exec \"$0\" \"$@\" >&-", env!("CARGO_BIN_EXE_pentad")]).args(args);
        shell.current_dir(desk.folder.path()).output().unwrap()
    };
    let printing: [&[&str]; 7] = [
        &["info", "a.danmodel"],
        &["check", "--json", "a.danmodel"],
        &["dump", "a.danmodel"],
        &["convert", "a.danmodel", "-", "--to", "glb"],
        &["sample", "danmodel", "-"],
        &["--help"],
        &["--version"],
    ];
    for args in printing {
        let output = closed(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains("cannot be written: it is closed"), "{args:?}: {output:?}");
    }
    // Whoever prints nothing has nothing to miss.
    assert_eq!(code(&closed(&["convert", "a.danmodel", "b.glb"])), 0);
    assert!(desk.path("b.glb").exists());
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
