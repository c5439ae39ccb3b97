//! Who may use whom. Crates: from their manifests. Files of a format: from the paths they name.

use std::path::Path;

use serde_json::Value;

use crate::Result;
use crate::test::{Outcome, dependencies};
use crate::workspace::{files_below, packages, root};

/// A crate of the workspace and those it may use; `None` for the ones that see all.
const CRATES: &[(&str, Option<&[&str]>)] = &[
    ("pentad-wire", Some(&[])),
    ("pentad-mmap", Some(&[])),
    ("pentad-signals", Some(&[])),
    ("pentad-findings", Some(&["pentad-wire"])),
    ("pentad-scene", Some(&["pentad-wire", "pentad-findings"])),
    ("pentad-ops", Some(&["pentad-wire", "pentad-scene"])),
    ("pentad-fit", Some(&["pentad-wire", "pentad-findings", "pentad-scene", "pentad-ops"])),
    ("pentad-formats", Some(&["pentad-wire", "pentad-findings", "pentad-scene", "pentad-ops", "pentad-fit"])),
    // Its files are evidence only while they are made without the code they test.
    ("pentad-corpus", Some(&[])),
    // It serves tests alone.
    ("pentad-testing", None),
    ("pentad", None),
    ("pentad-cli", None),
    ("xtask", None),
];

/// What a file of a format's folder must not name.
struct Rule {
    /// Its name, or that of the folder it has grown into.
    file: &'static str,
    path: &'static str,
    except: &'static [&'static str],
    why: &'static str,
}

const FILES: &[Rule] = &[
    Rule {
        file: "layout",
        path: "scene",
        except: &["Topology"],
        why: "a layout says what is in the file, not what it means",
    },
    Rule { file: "read", path: "scene", except: &[], why: "read makes a document; lift makes a scene of it" },
    Rule { file: "write", path: "scene", except: &[], why: "write takes a document; lower makes it from a scene" },
    Rule { file: "rules", path: "wire::Reader", except: &[], why: "rules look at what was read" },
    Rule { file: "bridge", path: "wire::Reader", except: &[], why: "a bridge sees a document, not bytes" },
];

/// Files of a way back that is still elsewhere than in `restore`.
const TO_CONVERT: &[&str] = &[];

/// What no format does: a scene is lowered alike wherever it comes from.
const TELLS_ITS_OWN: &[&str] = &["own: bool", "origin.format =="];

pub(crate) fn check() -> Result<Outcome> {
    let mut faults = Vec::new();
    let packages = packages()?;
    packages.iter().for_each(|package| faults.extend(crate_faults(package)));
    let formats = root().join("crates/formats/src");
    let files: Vec<_> =
        files_below(&formats)?.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rs")).collect();
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        faults.extend(file_faults(file.strip_prefix(&formats)?, &text));
    }
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    Ok(Outcome::Done(format!("{} crates, {} files", packages.len(), files.len())))
}

fn crate_faults(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else {
        return vec![format!("{name} has no line in xtask/src/layers.rs")];
    };
    let Some(allowed) = allowed else { return Vec::new() };
    let ours = |used: &&str| CRATES.iter().any(|(known, _)| known == used);
    let used = dependencies(package, &Value::Null).into_iter().filter(ours);
    used.filter(|used| !allowed.contains(used)).map(|used| format!("{name} must not use {used}")).collect()
}

/// `file` is relative to the folder of all formats.
fn file_faults(file: &Path, text: &str) -> Vec<String> {
    let mut parts = file.iter().skip(1).map(|part| part.to_string_lossy());
    let Some(first) = parts.next() else { return Vec::new() };
    let step = first.trim_end_matches(".rs").to_owned();
    let paths = paths(text);
    let mut faults = own_ways(&file.to_string_lossy().replace('\\', "/"), text);
    for rule in FILES.iter().filter(|rule| is_step(&step, rule.file)) {
        let named = paths.iter().filter(|path| is_below(path, rule.path));
        let allowed = |path: &&String| rule.except.iter().any(|name| is_below(path, &format!("{}::{name}", rule.path)));
        for path in named.filter(|path| !allowed(path)) {
            faults.push(format!("crates/formats/src/{} uses {path}: {}", file.display(), rule.why));
        }
    }
    faults
}

/// Ways of lowering that know where a scene came from.
fn own_ways(file: &str, text: &str) -> Vec<String> {
    if TO_CONVERT.iter().any(|folder| file.starts_with(folder)) {
        return Vec::new();
    }
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut faults: Vec<String> = TELLS_ITS_OWN
        .iter()
        .filter(|words| says(&code, words))
        .map(|words| format!("crates/formats/src/{file} has \"{words}\": what a file was comes back through the merge"))
        .collect();
    let names_lift = paths(text).iter().any(|path| path.split("::").any(|step| step == "lift"));
    if file.contains("/bridge/lower") && names_lift {
        faults.push(format!("crates/formats/src/{file} names lift: what both need is in a file of neither"));
    }
    faults
}

/// Whether a text has some words, and not only as the end of longer ones.
fn says(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// `bridge`, `bridge_meshes`; not `bridges`.
fn is_step(file: &str, step: &str) -> bool {
    file.strip_prefix(step).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Every path that a file names, in `use` or in place: `scene::Topology`. Tests at its end may use what they like.
fn paths(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found: Vec<String> = Vec::new();
    // Paths before each open brace: `use wire::{Blob, …}`.
    let mut around: Vec<String> = Vec::new();
    let mut path = String::new();
    for c in code.chars().chain(['\n']) {
        match c {
            c if c.is_alphanumeric() || c == '_' || c == ':' || c == '*' => path.push(c),
            '{' => {
                let open = if path.ends_with("::") { path.clone() } else { String::new() };
                around.push(around.last().cloned().unwrap_or_default() + &open);
                path.clear();
            }
            _ => {
                let whole = around.last().cloned().unwrap_or_default() + &path;
                if whole.contains("::") && !path.is_empty() {
                    found.push(whole.trim_start_matches(':').to_owned());
                }
                path.clear();
                if c == '}' {
                    around.pop();
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_nested_uses_and_of_code_are_found() {
        let text = "use wire::{Blob, text::{Text, CText}};\nfn f(x: scene::Node) { X { a: b::C } } // scene::Mesh\n\
                    #[cfg(test)]\nmod tests { use scene::Scene; }";
        assert_eq!(paths(text), ["b::C", "scene::Node", "wire::Blob", "wire::text::CText", "wire::text::Text"]);
    }

    #[test]
    fn lowering_that_knows_how_a_scene_was_lifted_is_a_fault() {
        let faults = |file: &str, text: &str| file_faults(Path::new(file), text).len();
        assert_eq!(faults("gltf/bridge/lower/nodes.rs", "use super::super::lift::Input;"), 1);
        assert_eq!(faults("gltf/bridge/lower.rs", "fn lower() { lift::value(); }"), 1);
        assert_eq!(faults("gltf/bridge/lift/nodes.rs", "use super::lift::Input; // own: bool"), 0);
        assert_eq!(faults("gltf/bridge/lower.rs", "struct Lower { own: bool, known: bool }"), 1);
        assert_eq!(faults("gltf/bridge/lower.rs", "struct Lower { known: bool }"), 0);
        assert_eq!(faults("fbx/bridge/lift.rs", "if origin.format == \"fbx\" {}"), 1);
    }

    #[test]
    fn reader_in_a_bridge_is_a_fault() {
        let faults = |file: &str, text: &str| file_faults(Path::new(file), text).len();
        assert_eq!(faults("das2/bridge.rs", "use wire::{Blob, Reader};"), 1);
        assert_eq!(faults("das2/bridge/meshes.rs", "use wire::Reader;"), 1);
        assert_eq!(faults("das2/read.rs", "use wire::Reader;"), 0);
        assert_eq!(faults("das2/read.rs", "let x = scene::Scene::default();"), 1);
        assert_eq!(faults("das2/layout.rs", "use scene::Topology;"), 0);
        assert_eq!(faults("das2/layout.rs", "use scene::{Mesh, Topology};"), 1);
        assert_eq!(faults("format.rs", "use scene::Scene;"), 0);
    }
}
