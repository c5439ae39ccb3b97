//! Every good sample of the formats with an engine, to glTF, through the editors people use, and back: what the file
//! means is still there, but for what the editor itself leaves out, which is listed here and told to the user.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use pentad::formats;
use serde_json::Value;

use crate::Result;
use crate::test::Outcome;
use crate::validate::pentad;
use crate::workspace::{cargo, have, output, program, root, run as start, target};

/// The editors as npm packages.
const PACKAGES: &[&str] = &["@gltf-transform/cli@4.5.1", "gltfpack@1.3.0"];
const FORMATS: &[&str] = &["danmodel", "dgl2", "dgl3", "das2", "dragon"];
const IN_NODE: &[&str] = &["copy", "dedup", "weld", "optimize", "gltfpack"];
const BLENDER: &str = "blender";
/// What changes nothing: a source that travels as a whole comes back byte for byte.
const COPY: &str = "copy";
const WHOLE: &str = "whole-copy";
/// The rules that tell of what an editor dropped: there is less than there was, or what was said does not fit any more.
const TELLS: &[&str] = &["GLTF-050", "GLTF-036"];

/// What an editor changes: the editor, samples (the beginning of format and kind), facts, and why. Measured on the
/// files that the editors write. A fact that nothing needs any more fails the step.
struct Change {
    editor: &'static str,
    samples: &'static [&'static str],
    facts: &'static [&'static str],
    why: &'static str,
    /// Whether something is gone, which whoever converts is told.
    drops: bool,
}

const fn drops(
    editor: &'static str,
    samples: &'static [&'static str],
    facts: &'static [&'static str],
    why: &'static str,
) -> Change {
    Change { editor, samples, facts, why, drops: true }
}

/// Nothing is gone, but something is another.
const fn alters(
    editor: &'static str,
    samples: &'static [&'static str],
    facts: &'static [&'static str],
    why: &'static str,
) -> Change {
    Change { drops: false, ..drops(editor, samples, facts, why) }
}

const CHANGES: &[Change] = &[
    drops(
        "optimize",
        &["danmodel-"],
        &["danmaku_colored", "names of meshes", "names of nodes"],
        "meshes of one material are joined",
    ),
    drops("optimize", &["das2-"], &["lods"], "nodes that no scene shows are pruned, and coarser levels are such"),
    drops(
        "optimize",
        &["das2-"],
        &["names of nodes"],
        "a quantised mesh stands in a node of its own below one that is animated",
    ),
    drops(
        "optimize",
        &["dgl2-"],
        &["entity_types", "ids", "names of meshes", "names of nodes", "properties"],
        "nodes that show nothing are pruned, and meshes of one material are joined",
    ),
    drops(
        "optimize",
        &["dgl3-"],
        &["ids", "names of nodes", "properties"],
        "nodes that show nothing are pruned, and quantised meshes are moved by their nodes",
    ),
    drops(
        "optimize",
        &["dragon-"],
        &["ids", "joints", "names of nodes", "properties", "skins"],
        "skins of no mesh are pruned, and quantised meshes are moved by their nodes",
    ),
    drops(
        "optimize",
        &["dragon-"],
        &["instances", "materials", "morph_targets", "names of materials", "names of meshes"],
        "materials that nothing shows are pruned, and meshes are quantised each in its own way",
    ),
    alters("weld", &["dragon-"], &["ids"], "a buffer is called by what it holds, and equal vertices are one"),
    drops("gltfpack", &[""], &["names of meshes"], "meshes have no names"),
    drops(
        "gltfpack",
        &["danmodel-"],
        &["danmaku_colored", "names of nodes"],
        "meshes of one material are joined where their nodes say the same",
    ),
    drops("gltfpack", &["dgl2-", "dgl3-", "dragon-"], &["ids"], "meshes and skins have no extras"),
    drops("gltfpack", &["dgl2-", "dragon-"], &["properties"], "meshes have no extras and no name"),
    drops(
        "gltfpack",
        &["dgl2-", "dgl3-", "dragon-"],
        &["names of nodes"],
        "parts of a mesh are meshes of their own, which nodes without names show",
    ),
    drops("gltfpack", &["dgl2-"], &["materials", "names of materials"], "meshes have no extras that tell of copies"),
    drops(
        "gltfpack",
        &["dgl3-"],
        &["animations", "joints", "morph_targets", "names of animations", "skins"],
        "a mesh of two skins is shown twice by one node, and animations have no extras",
    ),
    alters(
        "gltfpack",
        &["dgl3-"],
        &["properties"],
        "parts of a mesh are meshes of their own, and one that lost its name is placed by the node that shows it",
    ),
    drops("gltfpack", &["dragon-"], &["instances", "morph_targets"], "every instance has a mesh of its own"),
    drops(
        "blender",
        &["danmodel-"],
        &["danmaku_colored", "names of meshes", "names of nodes"],
        "points and lines are left out",
    ),
    alters("blender", &["dgl2-"], &["properties"], "a light without an intensity has the one of Blender"),
    alters(
        "blender",
        &["dgl2-engine"],
        &["ids", "materials", "names of materials", "names of meshes"],
        "vertices that nothing shows are left out, so that copies of a mesh differ",
    ),
    drops(
        "blender",
        &["dgl3-"],
        &["animations", "ids", "joints", "names of animations", "names of meshes", "skins"],
        "a mesh of two skins is two, each where its skeleton stands",
    ),
    drops(
        "blender",
        &["dragon-"],
        &["ids", "joints", "names of nodes", "properties", "skins"],
        "skins of no mesh are left out, skins have no extras, and lights without a name get one",
    ),
    drops(
        "blender",
        &["dragon-"],
        &["instances", "materials", "morph_targets", "names of materials", "names of meshes", "voxels"],
        "primitives have no extras and those of one material are joined; materials that nothing shows are left out",
    ),
];

pub(crate) fn check() -> Result<Outcome> {
    if !have("node") || !have("npm") {
        return Outcome::skipped("no node, no npm");
    }
    let Ok(tools) = installed() else { return Outcome::skipped("gltf-transform and gltfpack could not be installed") };
    // As xtask itself was built, so that nothing is built twice.
    start(&mut cargo("build --quiet -p xtask -p pentad-cli --bin pentad"))?;
    let folder = target("editors")?;
    fs::remove_dir_all(&folder)?;
    let samples = samples(&folder)?;
    edit(program("node").arg(root().join("xtask/src/edit.mjs")).arg(tools), IN_NODE, &samples)?;
    let python = std::env::var("PENTAD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let asked = program(&python).args(["-c", "import bpy"]).output();
    let has_blender = asked.is_ok_and(|asked| asked.status.success());
    if has_blender {
        edit(program(&python).arg(root().join("xtask/src/edit.py")), &[BLENDER], &samples)?;
    }
    let mut editors = IN_NODE.to_vec();
    editors.extend(has_blender.then_some(BLENDER));
    let mut ways = Ways::default();
    for sample in &samples {
        ways.go(sample, &editors)?;
    }
    ways.end(&editors)?;
    let note = if has_blender { "" } else { "; without Blender, as no python3 (or PENTAD_PYTHON) has bpy" };
    Ok(Outcome::Done(format!("{} samples, {} ways{note}", samples.len(), ways.count)))
}

fn installed() -> Result<PathBuf> {
    let folder = target("tools/editors")?;
    if !folder.join("node_modules/gltfpack").is_dir() {
        let mut npm = program("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]).arg(&folder).args(PACKAGES);
        start(&mut npm)?;
    }
    Ok(folder)
}

/// A sample and the glTF file made of it.
struct Sample {
    name: String,
    path: PathBuf,
}

impl Sample {
    fn gltf(&self) -> PathBuf {
        self.path.with_file_name("model.glb")
    }
    /// The same with the source in it.
    fn whole(&self) -> PathBuf {
        self.path.with_file_name("whole.glb")
    }
    fn edited(&self, editor: &str) -> PathBuf {
        self.path.with_file_name(format!("{editor}.glb"))
    }
}

fn samples(folder: &Path) -> Result<Vec<Sample>> {
    let mut all = Vec::new();
    for sample in corpus::samples() {
        let Some(info) = formats::by_id(sample.format).map(|format| format.info()) else { continue };
        if sample.kind != corpus::Kind::Good || !FORMATS.contains(&sample.format) {
            continue;
        }
        let name = format!("{}-{}", info.id, sample.name);
        let folder = folder.join(&name);
        fs::create_dir_all(&folder)?;
        for (beside, bytes) in (sample.beside)() {
            fs::write(folder.join(beside), bytes)?;
        }
        let path = folder.join("model").with_extension(info.extensions.first().unwrap_or(&info.id));
        fs::write(&path, (sample.bytes)())?;
        let sample = Sample { name, path };
        for (carry, gltf) in [(None, sample.gltf()), (Some("--carry=whole"), sample.whole())] {
            let mut convert = program(pentad());
            if !convert.arg("convert").args(carry).args([&sample.path, &gltf]).output()?.status.success() {
                return Err(format!("{} does not convert", sample.name).into());
            }
        }
        all.push(sample);
    }
    Ok(all)
}

/// Lets a program open and save every sample with each of the editors.
fn edit(command: &mut std::process::Command, editors: &[&str], samples: &[Sample]) -> Result {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut jobs = String::new();
    for (sample, editor) in samples.iter().flat_map(|sample| editors.iter().map(move |editor| (sample, editor))) {
        jobs += &format!("{editor}\t{}\t{}\n", sample.gltf().display(), sample.edited(editor).display());
        if *editor == COPY {
            jobs += &format!("{editor}\t{}\t{}\n", sample.whole().display(), sample.edited(WHOLE).display());
        }
    }
    child.stdin.take().ok_or("the editor has no standard input")?.write_all(jobs.as_bytes())?;
    if child.wait()?.success() { Ok(()) } else { Err("an editor ended early".into()) }
}

/// What was found on the ways back.
#[derive(Default)]
struct Ways {
    count: usize,
    faults: Vec<String>,
    /// Positions of the lines of [`CHANGES`] that something needed, and the facts.
    needed: BTreeSet<(usize, String)>,
}

impl Ways {
    /// Takes a sample back from each editor.
    fn go(&mut self, sample: &Sample, editors: &[&str]) -> Result {
        let extension = sample.path.extension().unwrap_or_default();
        let back = |name: &str| sample.path.with_file_name(format!("back-{name}")).with_extension(extension);
        let convert = |from: &Path, to: &Path| program(pentad()).arg("convert").args([from, to]).output();
        // What does not travel without the source is not what an editor loses.
        convert(&sample.gltf(), &back("unedited"))?;
        let was = facts(&back("unedited"))?;
        let ran = convert(&sample.edited(WHOLE), &back(WHOLE))?;
        if !ran.status.success() || fs::read(back(WHOLE))? != fs::read(&sample.path)? {
            self.faults.push(format!("{} after {COPY} with the source in it comes back otherwise", sample.name));
        }
        for editor in editors {
            self.count += 1;
            let back = back(editor);
            let ran = convert(&sample.edited(editor), &back)?;
            if !ran.status.success() {
                let why = String::from_utf8_lossy(&ran.stderr).into_owned();
                self.faults.push(format!("{} after {editor} does not come back: {why}", sample.name));
                continue;
            }
            let is = facts(&back)?;
            let said = String::from_utf8_lossy(&ran.stderr);
            let mut untold = Vec::new();
            let keys: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
            for fact in keys.into_iter().filter(|fact| was.get(*fact) != is.get(*fact)) {
                let line = CHANGES.iter().position(|change| {
                    change.editor == *editor
                        && change.samples.iter().any(|name| sample.name.starts_with(name))
                        && change.facts.contains(&fact.as_str())
                });
                let show =
                    |all: &BTreeMap<String, String>| all.get(fact).cloned().unwrap_or_else(|| "nothing".to_owned());
                match line {
                    Some(line) => {
                        self.needed.insert((line, fact.clone()));
                        untold.extend(CHANGES[line].drops.then_some(fact.as_str()));
                    }
                    None => self.faults.push(format!(
                        "{} after {editor}: {fact} was {}, and is {}",
                        sample.name,
                        show(&was),
                        show(&is)
                    )),
                }
            }
            // What the editor dropped is said.
            if !untold.is_empty() && !TELLS.iter().any(|rule| said.contains(rule)) {
                self.faults.push(format!("{} after {editor}: nothing tells of {}", sample.name, untold.join(", ")));
            }
        }
        Ok(())
    }

    fn end(&mut self, editors: &[&str]) -> Result {
        for (line, change) in CHANGES.iter().enumerate().filter(|(_, change)| editors.contains(&change.editor)) {
            let Change { editor, samples, facts, why, .. } = change;
            for fact in facts.iter().filter(|fact| !self.needed.contains(&(line, (**fact).to_owned()))) {
                self.faults.push(format!("nothing needs: {editor} changes {fact} of {}: {why}", samples.join(", ")));
            }
        }
        self.faults.iter().for_each(|fault| println!("{fault}"));
        if self.faults.is_empty() { Ok(()) } else { Err(format!("{} differences", self.faults.len()).into()) }
    }
}

/// What is compared of `info`.
const SAID: &[&str] = &[
    "dialect",
    "title",
    "author",
    "comment",
    "copyright",
    "project",
    "created",
    "creator",
    "danmaku_colored",
    "danmaku_alpha",
    "entity_types",
    "endian",
];
const COUNTED: &[&str] =
    &["materials", "lights", "skins", "joints", "morph_targets", "animations", "instances", "voxels", "lods"];

/// What a file means, by name.
fn facts(path: &Path) -> Result<BTreeMap<String, String>> {
    let json = |verb: &str| -> Result<Value> {
        Ok(serde_json::from_str(&output(program(pentad()).args([verb, "--json"]).arg(path))?)?)
    };
    let (info, dump) = (json("info")?, json("dump")?);
    let mut facts: BTreeMap<String, String> = BTreeMap::new();
    for key in SAID.iter().filter(|key| !info[**key].is_null()) {
        facts.insert((*key).to_owned(), info[*key].to_string());
    }
    for key in COUNTED {
        facts.insert((*key).to_owned(), info["counts"][key].to_string());
    }
    for (kind, names) in info["names"].as_object().into_iter().flatten() {
        let mut names: Vec<&str> = names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        names.sort_unstable();
        facts.insert(format!("names of {kind}"), format!("{names:?}"));
    }
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    gather(&dump, false, &mut found);
    for (kind, mut all) in found {
        all.sort_unstable();
        facts.insert(kind.to_owned(), all.join(" "));
    }
    Ok(facts)
}

/// Fields of a dump that are ids of objects.
const IDS: &[&str] = &["guid", "mesh_id", "entity_id", "light_id", "id"];
/// Fields of a dump that hold properties of users.
const PROPERTIES: &[&str] = &["properties", "pairs", "text"];

/// Collects ids, and names and values of properties.
fn gather(field: &Value, in_properties: bool, found: &mut BTreeMap<&'static str, Vec<String>>) {
    if let Value::Array(all) = field {
        return all.iter().for_each(|field| gather(field, in_properties, found));
    }
    let Value::Object(all) = field else { return };
    let name = all.get("name").and_then(Value::as_str).unwrap_or_default();
    if let Some(value) = all.get("value") {
        if IDS.contains(&name) {
            found.entry("ids").or_default().push(value.to_string());
        } else if in_properties && ["name", "key", "value", "text"].contains(&name) {
            found.entry("properties").or_default().push(value.to_string());
        }
    }
    let inside = in_properties || PROPERTIES.contains(&name);
    all.values().filter(|value| value.is_array()).for_each(|value| gather(value, inside, found));
}
