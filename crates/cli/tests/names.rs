//! What files beside a model are called, whatever its parts are called.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{Desk, code, stderr};
use serde_json::json;

/// Names that are no file on some system, that a program takes for an option, or that look like another name. The last two
/// pairs are one name each, to systems that do not tell case or composed letters apart.
const NAMES: &[&str] = &[
    "CON",
    "nul",
    "com1.png",
    "LPT9",
    "aux.tar.gz",
    "PRN .x",
    "-rf",
    "--help",
    "dots...",
    "blank ",
    " . ",
    "",
    "a/b",
    "..",
    "../../up",
    "C:\\up",
    "turn\u{202E}gnp",
    "iso\u{2066}late\u{2069}",
    "embed\u{202A}",
    "line\nfeed",
    "bell\u{7}",
    "nul\0l",
    "Caf\u{E9}",
    "Cafe\u{301}",
    "Wood",
    "wood",
];

/// One material and one picture of each name; the pictures are inside of the model, and no two are the same.
fn model() -> Vec<u8> {
    let png = corpus::samples().into_iter().find(|s| s.format == "obj").map(|s| (s.beside)()).unwrap_or_default();
    let png = png.into_iter().find(|(name, _)| name.ends_with(".png")).unwrap().1;
    let uri = |i: usize| {
        // What follows the end of a picture is no part of it.
        let bytes = png.iter().copied().chain([i as u8]);
        format!("data:image/png,{}", bytes.map(|byte| format!("%{byte:02x}")).collect::<String>())
    };
    let corners = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.];
    let bytes: String = corners.iter().flat_map(|v| v.to_le_bytes()).map(|byte| format!("%{byte:02x}")).collect();
    let each = |make: &dyn Fn(usize, &str) -> serde_json::Value| -> Vec<_> {
        NAMES.iter().enumerate().map(|(i, name)| make(i, name)).collect()
    };
    let model = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 36, "uri": format!("data:application/octet-stream,{bytes}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC2" },
        ],
        "images": each(&|i, name| json!({ "name": name, "uri": uri(i) })),
        "textures": each(&|i, _| json!({ "source": i })),
        "materials": each(&|i, name| json!({
            "name": name,
            "pbrMetallicRoughness": { "baseColorTexture": { "index": i }, "roughnessFactor": 1.0 / (i + 1) as f64 },
        })),
        "meshes": each(&|i, name| json!({
            "name": name,
            "primitives": [{ "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "material": i }],
        })),
        "nodes": each(&|i, name| json!({ "name": name, "mesh": i })),
        "scenes": [{ "nodes": (0..NAMES.len()).collect::<Vec<_>>() }],
    });
    model.to_string().into_bytes()
}

/// Whether a name is one file everywhere, by the rules of Windows, of shells, and of the Unicode standard for directions.
fn is_safe(name: &str) -> bool {
    let stem = name.split('.').next().unwrap().trim_end().to_lowercase();
    let numbered = |word: &str| stem.strip_prefix(word).is_some_and(|rest| rest.len() == 1);
    let device = ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt");
    let odd = |c: char| {
        c.is_control()
            || "\\/:*?\"<>|".contains(c)
            || ('\u{202A}'..='\u{202E}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    !device && !name.starts_with(['-', ' ']) && !name.ends_with(['.', ' ']) && !name.contains(odd) && !name.is_empty()
}

fn files_below(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        names.push(entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            files_below(&entry.path(), names);
        }
    }
}

#[test]
fn every_side_file_of_every_format_has_a_name_of_its_own_on_every_system() {
    let desk = Desk::new();
    desk.write("in.gltf", &model());
    for (target, options) in [
        ("gltf", &["--textures", "copy"][..]),
        ("obj", &[]),
        ("dgl2", &[]),
        ("dgl3", &[]),
        ("das2", &[]),
        ("dragon", &[]),
        ("dgl3", &["--dialect", "engine"]),
    ] {
        let folder = format!("{target}-{}", options.len());
        std::fs::create_dir(desk.path(&folder)).unwrap();
        let out = format!("{folder}/out.{target}");
        let output = desk.run(&[&["convert", "in.gltf", &out], options].concat());
        assert_eq!(code(&output), 0, "{target}: {}", stderr(&output));
        let mut names = Vec::new();
        files_below(&desk.path(&folder), &mut names);
        let odd: Vec<_> = names.iter().filter(|name| !is_safe(name)).collect();
        assert!(odd.is_empty(), "{target}: {odd:?}");
        let same: BTreeSet<String> =
            names.iter().map(|name| name.replace("e\u{301}", "\u{E9}").to_lowercase()).collect();
        assert_eq!(same.len(), names.len(), "{target}: {names:?}");
        assert!(names.len() > NAMES.len(), "{target}: every picture has a file: {names:?}");
        // The model finds every one of them.
        let report = common::json(&desk.run(&["info", "--json", &out]));
        assert_eq!(report["textures"]["missing"], json!([]), "{target}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf_8_is_told_by_its_bytes_too() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    desk.sample("model", "a.danmodel");
    let name = std::ffi::OsStr::from_bytes(b"m\xFF.danmodel");
    std::fs::rename(desk.path("a.danmodel"), desk.folder.path().join(name)).unwrap();
    let broken = std::ffi::OsStr::from_bytes(b"\xFE.danmodel");
    std::fs::write(desk.folder.path().join(broken), b"nothing").unwrap();
    let run = |args: &[&str], name: &std::ffi::OsStr| common::json(&desk.command(args).arg(name).output().unwrap());
    for (name, shown, hex) in
        [(name, "m\u{FFFD}.danmodel", "6dff2e64616e6d6f64656c"), (broken, "\u{FFFD}.danmodel", "fe2e64616e6d6f64656c")]
    {
        let check = run(&["check", "--json"], name)["files"][0].clone();
        for said in [run(&["info", "--json"], name), run(&["dump", "--json"], name), check] {
            assert_eq!((&said["file"], &said["file_bytes"]), (&shown.into(), &hex.into()), "{said}");
        }
    }
    desk.sample("model", "plain.danmodel");
    let said = run(&["info", "--json"], "plain.danmodel".as_ref());
    assert!(said.get("file_bytes").is_none(), "{said}");
}
