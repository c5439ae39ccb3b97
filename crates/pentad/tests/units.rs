//! What an edit of one object changes in the file that travelled: the units of that object and no others, for every
//! sample, every real file of `PENTAD_CORPUS`, and each kind of edit that its format can express.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;
mod glb;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use common::lay;
use corpus::Kind;
use pentad::formats::{self, AnyDocument, danmodel, das2, dgl2, dgl3, dragon};
use pentad::{Asset, Carry, ConvertOptions, File, SaveOptions, convert, open, save, verify};
use serde_json::{Value as Json, json};

/// A unit of a file: what it is, its place among those of its list, and its bytes.
type Unit = (String, Vec<u8>);

fn typed<D: 'static>(document: &dyn AnyDocument) -> Option<&D> {
    document.as_any().downcast_ref()
}

/// The units of a document that was read from bytes.
fn units(document: &dyn AnyDocument) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut add = |name: &str, raw: Option<&pentad::wire::Blob>| {
        units.push((name.to_owned(), raw.expect("it was read from bytes").to_vec()));
    };
    if let Some(doc) = typed::<danmodel::Document>(document) {
        add("header", doc.header.raw());
        doc.pieces.iter().for_each(|unit| add("piece", unit.raw()));
    } else if let Some(doc) = typed::<das2::Document>(document) {
        add("header", doc.header.raw());
        let others = doc.structures.iter().filter(|unit| unit.kind() != das2::Kind::BUFFER);
        others.for_each(|unit| add(unit.kind().list(), unit.raw()));
        ranges(doc).iter().for_each(|range| add("buffer range", Some(range)));
    } else if let Some(doc) = typed::<dgl2::Document>(document) {
        doc.chunks.iter().for_each(|unit| add(&format!("chunk {}", unit.kind.0), unit.raw()));
    } else if let Some(doc) = typed::<dgl3::Document>(document) {
        add("header", doc.header.raw());
        doc.meshes.iter().for_each(|unit| add("mesh", unit.raw()));
        doc.entities.iter().for_each(|unit| add("entity", unit.raw()));
        doc.lights.iter().for_each(|unit| add("light", unit.raw()));
    } else if let Some(doc) = typed::<dragon::Document>(document) {
        add("header", doc.header.raw());
        doc.sections.iter().for_each(|unit| add(unit.kind().map_or("?", dragon::Kind::name), unit.raw()));
    }
    units
}

/// The ranges of the buffers of das2 that its meshes name, each once.
fn ranges(doc: &das2::Document) -> Vec<pentad::wire::Blob> {
    let mut named: BTreeSet<(das2::Slot, usize)> = BTreeSet::new();
    let parts = doc.parts();
    let mut meshes: Vec<&das2::Mesh> = parts.meshes.clone();
    while let Some(mesh) = meshes.pop() {
        meshes.extend(&mesh.multiple_lods);
        let vertices = parts.vertex_count(mesh).unwrap_or(0) as usize;
        for attribute in das2::Attribute::all() {
            let count = if attribute == das2::Attribute::Index { mesh.draw_count as usize } else { vertices };
            let targets = mesh.morph_targets.iter().filter_map(|target| target.slot(attribute, mesh));
            named.extend(mesh.slot(attribute).into_iter().chain(targets).map(|slot| (slot, count * attribute.size())));
        }
    }
    named.into_iter().filter_map(|(slot, size)| parts.bytes(slot, size)).collect()
}

/// What an edit may change, by the format: lists of units, and how many of each.
type May = &'static [(&'static str, &'static [(&'static str, usize)])];

struct Edit {
    name: &'static str,
    /// Does it to the nth object that it can be done to; answers whether there is one.
    change: fn(&mut Json, &mut [u8], usize) -> bool,
    may: May,
}

const EDITS: [Edit; 4] = [
    Edit {
        name: "a moved node",
        change: |root, _, nth| {
            let plain = |node: &&mut Json| {
                let own = &node["extras"]["pentad"];
                node["mesh"].is_u64() && node["skin"].is_null() && own["role"].is_null() && node["matrix"].is_null()
            };
            let Some(node) = list(root, "nodes").iter_mut().filter(plain).nth(nth) else { return false };
            node["translation"] = json!([7.5, -3.25, 11.0]);
            true
        },
        may: &[
            ("danmodel", &[("piece", 1)]),
            ("das2", &[("nodes", 1)]),
            ("dgl2", &[("chunk 4", 1)]),
            ("dgl3", &[("entity", 1)]),
            ("dragon", &[("OBJECT", 1), ("INSTANCE", 1), ("VOXELOBJ", 1), ("LIGHT", 1), ("SOCKET", 1)]),
        ],
    },
    Edit {
        name: "a recoloured material",
        change: |root, _, nth| {
            let all = root.clone();
            let Some(material) = list(root, "materials").get_mut(nth) else { return false };
            let own = &material["extras"]["pentad"];
            if own["role"] == "default" || stands_for(&all, "materials", nth) {
                return false;
            }
            material["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.5, 0.25, 0.125, 1.0]);
            true
        },
        may: &[
            ("danmodel", &[]),
            ("das2", &[("phong_materials", 1), ("pbr_materials", 1)]),
            ("dgl2", &[("chunk 3", 1)]),
            ("dgl3", &[("entity", 99)]),
            ("dragon", &[("MATERIAL", 1), ("VOXELMAT", 1), ("SETTINGS", 1)]),
        ],
    },
    Edit {
        name: "a changed vertex",
        change: |root, buffer, nth| {
            let parts = list(root, "meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
            let corners = parts.filter_map(|part| part["attributes"]["POSITION"].as_u64());
            let Some(accessor) = corners.clone().nth(nth).map(|at| root["accessors"][at as usize].clone()) else {
                return false;
            };
            let Some(view) = accessor["bufferView"].as_u64().map(|at| &root["bufferViews"][at as usize]) else {
                return false;
            };
            let at = (view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0)) as usize;
            buffer[at..at + 4].copy_from_slice(&0.8125_f32.to_le_bytes());
            true
        },
        may: &[
            ("danmodel", &[("piece", 99)]),
            ("das2", &[("buffer range", 1)]),
            ("dgl2", &[("chunk 2", 99)]),
            ("dgl3", &[("mesh", 99)]),
            ("dragon", &[("VERTEX", 9), ("GEOMETRY", 9), ("INDICE", 9), ("MORPH", 9), ("VOXELOBJ", 9)]),
        ],
    },
    Edit {
        name: "a renamed mesh",
        change: |root, _, nth| {
            // What nothing places is shown by a node of its name, and somebody who renames it places it.
            let shows = |node: &&Json| node["mesh"].is_u64() && node["extras"]["pentad"]["role"].is_null();
            let shown = list(root, "nodes").iter().filter(shows).map(|node| node["mesh"].as_u64().unwrap() as usize);
            let shown: HashSet<usize> = shown.collect();
            // Once a name is another one, words that name a skin by its number do not count.
            let all = root.clone();
            if list(root, "nodes").iter().any(|node| node["extras"]["pentad"]["skin"].is_u64()) {
                return false;
            }
            let own = |at: usize| shown.contains(&at) && !stands_for(&all, "meshes", at);
            let meshes = list(root, "meshes").iter_mut().enumerate();
            let Some((_, mesh)) = meshes.filter(|(at, mesh)| own(*at) && mesh["name"].is_string()).nth(nth) else {
                return false;
            };
            mesh["name"] = json!("renamed");
            true
        },
        may: &[
            ("danmodel", &[]),
            ("das2", &[("mesh_groups", 1)]),
            ("dgl2", &[("chunk 2", 1)]),
            ("dgl3", &[("mesh", 1)]),
            ("dragon", &[("GEOMETRY", 1)]),
        ],
    },
];

/// Whether one object of the source is several in glTF, of which this is one: to change one of them parts them. So do
/// the faces of cubes, whose colours are those of their vertices.
fn stands_for(root: &Json, kind: &str, at: usize) -> bool {
    let objects = root[kind].as_array().unwrap();
    let of = |object: &Json| {
        let own = &object["extras"]["pentad"];
        let words =
            [&own["role"]["copy"], &own["dgl2"]["copy_of"], &own["dgl2"]["variant_of"], &own["das2"]["copy_of"]];
        words.into_iter().find_map(Json::as_u64)
    };
    let is_cubes = |mesh: &Json| {
        let parts = mesh["primitives"].as_array().unwrap();
        parts.iter().any(|part| part["material"] == at && part["attributes"]["COLOR_0"].is_u64())
    };
    let shows_cubes = kind == "materials" && root["meshes"].as_array().into_iter().flatten().any(is_cubes);
    of(&objects[at]).is_some() || objects.iter().any(|other| of(other) == Some(at as u64)) || shows_cubes
}

/// A list of the JSON, which may be missing.
fn list<'a>(root: &'a mut Json, key: &str) -> &'a mut Vec<Json> {
    if root[key].is_null() {
        root[key] = json!([]);
    }
    root[key].as_array_mut().unwrap()
}

/// A GLB with something done to its JSON and its buffer.
fn changed(glb: &[u8], edit: &Edit, nth: usize) -> Option<Vec<u8>> {
    let size = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut bytes = glb.to_vec();
    let (_, rest) = bytes.split_at_mut(20 + size);
    let mut nothing = [0; 8];
    let buffer = rest.get_mut(8..).unwrap_or(&mut nothing);
    let mut found = false;
    let json: Json = serde_json::from_slice(&glb[20..20 + size]).unwrap();
    let mut root = json.clone();
    found |= (edit.change)(&mut root, buffer, nth);
    (found && (root != json || bytes != glb)).then(|| glb::edited(&bytes, |json| *json = root))
}

/// The lists of units that are no longer there, and of those that were not: whichever are more.
fn differing(was: &[Unit], is: &[Unit]) -> HashMap<String, usize> {
    let mut counts: HashMap<&Unit, i64> = HashMap::new();
    was.iter().for_each(|unit| *counts.entry(unit).or_default() -= 1);
    is.iter().for_each(|unit| *counts.entry(unit).or_default() += 1);
    let mut lists: HashMap<String, (i64, i64)> = HashMap::new();
    for ((list, _), count) in counts {
        let (gone, new) = lists.entry(list.clone()).or_default();
        *gone += (-count).max(0);
        *new += count.max(0);
    }
    let most = |(list, (gone, new)): (String, (i64, i64))| (list, gone.max(new) as usize);
    lists.into_iter().map(most).filter(|(_, count)| *count > 0).collect()
}

/// What comes back of a GLB, and whether it says what the GLB does.
fn back(folder: &Path, format: &str, glb: &[u8]) -> Result<(Asset, Vec<String>, bool), String> {
    let target = ConvertOptions::to(formats::by_id(format).unwrap());
    let edited = File::from_bytes("edited.glb", glb).read(&Default::default()).unwrap();
    let back = convert(&edited, &target).map_err(|error| error.to_string())?;
    let path = folder.join(format!("back.{format}"));
    _ = save(&back, &path, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
    let written = open(&path).unwrap();
    let verified = verify(&edited, &target, &back.losses, &written, pentad::TOLERANCE).unwrap();
    Ok((written, back.notes, verified.holds))
}

/// What is wrong with what one edit changed. Numbers that glTF refuses come back with the source, so that some files do
/// not even show what their GLB does when nobody edits it.
fn fault(folder: &Path, format: &str, source: &Asset, glb: &[u8], edit: &Edit, shows: bool) -> Option<String> {
    let (written, notes, holds) = match back(folder, format, glb) {
        Ok(back) => back,
        Err(error) => return Some(error),
    };
    if shows && !holds {
        return Some("it does not say what was edited".to_owned());
    }
    let changed = differing(&units(source.document()), &units(written.document()));
    let may = edit.may.iter().find(|(id, _)| *id == format).map_or(&[][..], |(_, may)| may);
    let most = |list: &str| may.iter().find(|(own, _)| own.eq_ignore_ascii_case(list)).map_or(0, |(_, most)| *most);
    // The headers of DRAGON and DanModel have the size of the file and count its units.
    // Faces that are those of its cubes no more are a mesh with a node, a material and what is set about that.
    let no_cubes = changed.contains_key("VOXELOBJ") && most("VERTEX") > 0;
    let of_mesh = |list: &str| no_cubes && ["OBJECT", "MATERIAL", "SETTINGS"].contains(&list);
    let has_sizes = |list: &str| ["dragon", "danmodel"].contains(&format) && list == "header";
    let follows = |list: &str| has_sizes(list) || format == "dragon" && of_mesh(list);
    let wrong = changed.iter().any(|(list, count)| *count > most(list) && !follows(list));
    wrong.then(|| format!("changed {changed:?}; {notes:?}"))
}

/// Every edit of one source; answers how many could be done.
fn edit_all(what: &str, format: &str, source: &Asset, folder: &Path, faults: &mut Vec<String>) -> usize {
    let carrying = ConvertOptions { carry: Carry::Recipe, ..ConvertOptions::to(formats::by_id("glb").unwrap()) };
    let Ok(glb) = convert(source, &carrying) else { return 0 };
    let glb = glb.to_vec().unwrap();
    let Ok((_, _, shows)) = back(folder, format, &glb) else { return 0 };
    let mut seen = 0;
    for edit in &EDITS {
        for nth in 0..2 {
            let Some(edited) = changed(&glb, edit, nth) else { break };
            seen += 1;
            if let Some(fault) = fault(folder, format, source, &edited, edit, shows) {
                faults.push(format!("{what}, {} {nth}: {fault}", edit.name));
            }
        }
    }
    seen
}

const FORMATS: [&str; 5] = ["danmodel", "das2", "dgl2", "dgl3", "dragon"];

/// Whether a file is in a dialect that an edit keeps.
fn keeps(source: &Asset) -> bool {
    let dialect = source.document().dialect();
    let info = source.document().format().info();
    FORMATS.contains(&info.id) && info.written(dialect) == dialect
}

#[test]
fn an_edit_of_one_object_changes_its_units_and_no_others() {
    let (mut seen, mut faults) = (0, Vec::new());
    for sample in corpus::samples().iter().filter(|sample| sample.kind != Kind::Bad) {
        if !FORMATS.contains(&sample.format) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let source = lay(folder.path(), sample);
        if keeps(&source) {
            let what = format!("{} {}", sample.format, sample.name);
            seen += edit_all(&what, sample.format, &source, folder.path(), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{} of {seen}:\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 200, "{seen}");
}

/// The files below a folder, in order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn an_edit_of_one_object_of_a_real_file_changes_its_units_and_no_others() {
    let Some(corpus) = std::env::var_os("PENTAD_CORPUS").map(PathBuf::from) else {
        return;
    };
    let (mut seen, mut faults) = (0, Vec::new());
    for (format, path) in FORMATS.iter().flat_map(|id| files_below(&corpus.join(id)).into_iter().map(move |p| (id, p)))
    {
        let Some(source) = open(&path).ok().filter(|source| source.format().id == *format && keeps(source)) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        let what = path.strip_prefix(&corpus).unwrap().display().to_string();
        seen += edit_all(&what, format, &source, folder.path(), &mut faults);
    }
    assert!(faults.is_empty(), "{} of {seen}:\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 200, "{seen}");
}
