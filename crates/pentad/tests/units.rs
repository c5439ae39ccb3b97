//! What an edit of one object changes in the file that travelled: the units of that object and no others, for every
//! sample, every real file of `PENTAD_CORPUS`, and each kind of edit that its format can express.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;
mod glb;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use common::lay;
use corpus::Kind;
use glb::list;
use pentad::formats::{self, das2, dgl2};
use pentad::wire::{Blob, Node, Value};
use pentad::{Asset, Carry, ConvertOptions, File, Measure, SaveOptions, Verified, convert, open, save, verify};
use serde_json::{Value as Json, json};

/// An edit, and by formats that can express it which units it may change, and how many of each. A format that has
/// several lines may change the units of any one of them.
struct Edit {
    name: &'static str,
    /// Does it to the nth object that it can be done to; answers whether there is one.
    change: fn(&mut Model, usize) -> bool,
    may: &'static [(&'static str, Units)],
}

/// Kinds of units, and how many of each.
type Units = &'static [(&'static str, usize)];

const EDITS: [Edit; 4] = [
    Edit {
        name: "a moved node",
        change: move_node,
        may: &[
            ("danmodel", &[("Piece", 1)]),
            ("das2", &[("Node", 1)]),
            ("dgl2", &[("ENTITY", 1)]),
            ("dgl3", &[("Entity", 1)]),
            ("dgl3", &[("Light", 1)]),
            ("dragon", &[("OBJECT", 1)]),
            ("dragon", &[("INSTANCE", 1)]),
            ("dragon", &[("LIGHT", 1)]),
            ("dragon", &[("SOCKET", 1)]),
            ("dragon", &[("VOXELOBJ", 1)]),
            // An INSTANCE without a place or a mesh is a node that shows nothing, and where that is moved, an OBJECT.
            ("dragon", &[("INSTANCE", 1), ("OBJECT", 1)]),
        ],
    },
    Edit {
        name: "a recoloured material",
        change: recolour_material,
        may: &[
            ("das2", &[("MaterialPhong", 1)]),
            ("das2", &[("MaterialPbr", 1)]),
            ("dgl2", &[("MATERIAL", 1)]),
            // The material is a file beside it.
            ("dgl3", &[]),
            // A colour is one of its SETTINGS.
            ("dragon", &[("MATERIAL", 1), ("SETTINGS", 1)]),
        ],
    },
    Edit {
        name: "a changed vertex",
        change: change_vertex,
        may: &[
            ("danmodel", &[("Piece", 1)]),
            ("das2", &[("buffer range", 1)]),
            ("dgl2", &[("TRIMESH", 1)]),
            ("dgl3", &[("Mesh", 1)]),
            // A mesh is all of these, and is written anew as a whole if its vertices were laid out in another way.
            ("dragon", &[("VERTEX", 2), ("GEOMETRY", 1), ("INDICE", 1), ("MORPH", 1)]),
            // Faces that are not those of its cubes any more are a mesh, with an object and materials; the colours of
            // those are SETTINGS.
            (
                "dragon",
                &[
                    ("VOXELOBJ", 1),
                    ("OBJECT", 1),
                    ("GEOMETRY", 1),
                    ("VERTEX", 1),
                    ("INDICE", 1),
                    ("MATERIAL", 2),
                    ("SETTINGS", 1),
                ],
            ),
        ],
    },
    Edit {
        name: "a renamed mesh",
        change: rename_mesh,
        may: &[
            ("das2", &[("MeshGroup", 1)]),
            ("dgl2", &[("TRIMESH", 1)]),
            ("dgl3", &[("Mesh", 1)]),
            ("dragon", &[("GEOMETRY", 1)]),
        ],
    },
];

/// A kind of structure of a format, and which of its fields follow.
type Following = (&'static str, &'static str, fn(&str) -> bool);

/// Fields that follow from what is elsewhere in the file: how large it is, and where the ranges of its buffers are,
/// which are compared by what they hold.
const FOLLOWING: [Following; 3] = [
    ("danmodel", "Header", |field| field == "model_length"),
    ("dragon", "Dragon", |field| ["count", "total_size"].contains(&field)),
    ("das2", "Mesh", |field| {
        ["_buffer_id", "_buffer_ids", "_offset", "_offsets"].iter().any(|end| field.ends_with(end))
    }),
];

/// How many objects of each kind are edited in a file, one after the other.
const MOST: usize = 4;

/// A model in glTF, and the format that it was made of.
struct Model {
    format: &'static str,
    root: Json,
    buffer: Vec<u8>,
}

fn move_node(model: &mut Model, nth: usize) -> bool {
    let joints: HashSet<u64> = list(&mut model.root, "skins")
        .iter()
        .flat_map(|skin| skin["joints"].as_array().unwrap().iter().filter_map(Json::as_u64))
        .collect();
    let is_plain = |node: &Json| {
        let own = &node["extras"]["pentad"];
        // Only a mesh has a skeleton in DRAGON: one whose mesh is broken stands nowhere.
        let stands = model.format != "dragon" || own["skin"].is_null();
        stands && (own["role"].is_null() || own["role"] == "skinned") && node["matrix"].is_null()
    };
    let nodes = list(&mut model.root, "nodes").iter_mut().enumerate();
    let mut plain = nodes.filter(|(at, node)| is_plain(node) && !joints.contains(&(*at as u64)));
    let Some((_, node)) = plain.nth(nth) else { return false };
    node["translation"] = json!([7.5, -3.25, 11.0]);
    true
}

fn recolour_material(model: &mut Model, nth: usize) -> bool {
    let all = model.root.clone();
    let materials = list(&mut model.root, "materials").iter_mut().enumerate();
    let is_one = |(at, material): &(usize, &mut Json)| {
        let is_default = material["extras"]["pentad"]["role"] == "default";
        !is_default && !stands_for(&all, "materials", *at) && !is_of_cubes(model.format, &all, *at)
    };
    let Some((_, material)) = materials.filter(is_one).nth(nth) else { return false };
    material["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.5, 0.25, 0.125, 1.0]);
    true
}

fn change_vertex(model: &mut Model, nth: usize) -> bool {
    let root = &mut model.root;
    let parts = list(root, "meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let positions: BTreeSet<u64> = parts.filter_map(|part| part["attributes"]["POSITION"].as_u64()).collect();
    let accessors = positions.into_iter().map(|at| &root["accessors"][at as usize]);
    let Some(accessor) = accessors.filter(|accessor| accessor["bufferView"].is_u64()).nth(nth) else { return false };
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let at = [view, accessor].map(|object| object["byteOffset"].as_u64().unwrap_or(0) as usize);
    let at = at[0] + at[1];
    model.buffer[at..at + 4].copy_from_slice(&0.8125_f32.to_le_bytes());
    true
}

fn rename_mesh(model: &mut Model, nth: usize) -> bool {
    let all = model.root.clone();
    let nodes = list(&mut model.root, "nodes");
    // Once a name is another one, words that name a skin by its number do not count.
    if nodes.iter().any(|node| node["extras"]["pentad"]["skin"].is_u64()) {
        return false;
    }
    // A mesh that is not placed is shown by a node of its name, and somebody who renames it places it.
    let places = |node: &&Json| node["extras"]["pentad"]["role"] != "unplaced";
    let shown: HashSet<usize> =
        nodes.iter().filter(places).filter_map(|node| node["mesh"].as_u64()).map(|mesh| mesh as usize).collect();
    let meshes = list(&mut model.root, "meshes");
    let is_one = |at: &usize| shown.contains(at) && meshes[*at]["name"].is_string() && !stands_for(&all, "meshes", *at);
    let Some(at) = (0..meshes.len()).filter(is_one).nth(nth) else { return false };
    // A mesh with the materials of another node is the same one.
    let is_same = |(other, mesh): &(usize, &mut Json)| *other == at || mesh_of_copy(mesh) == Some(at as u64);
    meshes.iter_mut().enumerate().filter(is_same).for_each(|(_, mesh)| mesh["name"] = json!("renamed"));
    true
}

fn mesh_of_copy(mesh: &Json) -> Option<u64> {
    mesh["extras"]["pentad"]["role"]["copy"].as_u64()
}

/// Whether one object of the source is several in glTF, of which this is one: to change one of them parts them.
fn stands_for(root: &Json, kind: &str, at: usize) -> bool {
    let objects = root[kind].as_array().unwrap();
    let of = |object: &Json| {
        let own = &object["extras"]["pentad"];
        let words = [&own["dgl2"]["copy_of"], &own["dgl2"]["variant_of"], &own["das2"]["copy_of"]];
        words.into_iter().find_map(Json::as_u64)
    };
    let is_copy = mesh_of_copy(&objects[at]).is_some();
    is_copy || of(&objects[at]).is_some() || objects.iter().any(|other| of(other) == Some(at as u64))
}

/// Whether a material is that of cubes of DRAGON, whose colours are those of their vertices. Other meshes have a GUID.
fn is_of_cubes(format: &str, root: &Json, material: usize) -> bool {
    let is_mesh = |mesh: &&Json| mesh["extras"]["pentad"]["dragon"]["guid"].is_null() && mesh_of_copy(mesh).is_none();
    let meshes = root["meshes"].as_array().into_iter().flatten().filter(is_mesh);
    let mut parts = meshes.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    format == "dragon" && parts.any(|part| part["material"] == material)
}

/// A unit of a file: what it is, and its bytes.
type Unit = (String, Vec<u8>);

/// The units of a file as `dump` has them: the elements of its lists, and what is in none. Offsets of compressed bodies
/// are those of what they inflate to.
fn units(asset: &Asset) -> Vec<Unit> {
    let mut units = Vec::new();
    add_units(&asset.document().tree(), asset.file().bytes(), asset.format().id, &mut units);
    if let Some(doc) = asset.document().as_any().downcast_ref::<das2::Document>() {
        let ranges = ranges(doc).into_keys().collect::<BTreeSet<_>>();
        let bytes = ranges.into_iter().filter_map(|range| doc.parts().bytes(range.slot, range.size));
        units.extend(bytes.map(|bytes| ("buffer range".to_owned(), bytes.to_vec())));
    }
    units
}

fn add_units(nodes: &[Node], bytes: &Blob, format: &'static str, units: &mut Vec<Unit>) {
    for node in nodes {
        let children = node.children().unwrap();
        let is_list = children.first().is_some_and(|child| child.name.starts_with('['));
        let is_of_lists = node.inflated().is_some() || node.name == "body";
        if format == "das2" && node.name == "buffers" {
            // They are compared by the ranges that meshes name.
        } else if is_list {
            children.iter().for_each(|child| add_unit(child, bytes, format, units));
        } else if is_of_lists {
            add_units(&children, node.inflated().unwrap_or(bytes), format, units);
        } else {
            add_unit(node, bytes, format, units);
        }
    }
}

/// Adds a unit, and beside it the fields that follow from others.
fn add_unit(node: &Node, bytes: &Blob, format: &'static str, units: &mut Vec<Unit>) {
    let kind = node.child(pentad::wire::Element::Field("kind")).and_then(|kind| kind.value);
    let name = match kind {
        Some(Value::Named { word: Some(word), .. }) => word.to_owned(),
        _ => node.ty.clone(),
    };
    let own = |node: &Node| bytes[node.span.offset as usize..node.span.end() as usize].to_vec();
    let Some((.., follows)) = FOLLOWING.iter().find(|row| (row.0, row.1) == (format, name.as_str())) else {
        return units.push((name, own(node)));
    };
    let (mut said, mut following) = (Vec::new(), Vec::new());
    let mut open = vec![node.clone()];
    while let Some(node) = open.pop() {
        let children = node.children().unwrap();
        if children.is_empty() {
            if follows(&node.name) { &mut following } else { &mut said }.extend(own(&node));
        }
        open.extend(children);
    }
    units.push((format!("{name} following"), following));
    units.push((name, said));
}

/// A range of a buffer of das2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Range {
    slot: das2::Slot,
    size: usize,
}

/// The ranges of the buffers of das2 that its meshes name, and for what.
fn ranges(doc: &das2::Document) -> HashMap<Range, Vec<das2::Attribute>> {
    let mut named: HashMap<Range, Vec<das2::Attribute>> = HashMap::new();
    let parts = doc.parts();
    let mut meshes: Vec<&das2::Mesh> = parts.meshes.clone();
    while let Some(mesh) = meshes.pop() {
        meshes.extend(&mesh.multiple_lods);
        let vertices = parts.vertex_count(mesh).unwrap_or(0) as usize;
        for attribute in das2::Attribute::all() {
            let count = if attribute == das2::Attribute::Index { mesh.draw_count as usize } else { vertices };
            let targets = mesh.morph_targets.iter().filter_map(|target| target.slot(attribute, mesh));
            for slot in mesh.slot(attribute).into_iter().chain(targets) {
                named.entry(Range { slot, size: count * attribute.size() }).or_default().push(attribute);
            }
        }
    }
    named
}

/// Whether positions of a mesh of das2 are also something else: another level of it, or an attribute of another mesh.
/// Who changes one of both gives it a range of its own.
fn shares_positions(source: &Asset) -> bool {
    let Some(doc) = source.document().as_any().downcast_ref::<das2::Document>() else { return false };
    let ranges = ranges(doc);
    let overlap = |a: &Range, b: &Range| {
        let end = |range: &Range| range.slot.offset as usize + range.size;
        a.slot.buffer == b.slot.buffer && (a.slot.offset as usize) < end(b) && (b.slot.offset as usize) < end(a)
    };
    ranges
        .iter()
        .filter(|(_, uses)| uses.contains(&das2::Attribute::Position))
        .any(|(own, uses)| uses.len() > 1 || ranges.keys().any(|other| other != own && overlap(own, other)))
}

/// The units that are no longer there, and those that were not: whichever are more.
fn differing(was: &[Unit], is: &[Unit]) -> BTreeMap<String, usize> {
    let mut counts: HashMap<&Unit, i64> = HashMap::new();
    was.iter().for_each(|unit| *counts.entry(unit).or_default() -= 1);
    is.iter().for_each(|unit| *counts.entry(unit).or_default() += 1);
    let mut names: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for ((name, _), count) in counts {
        let (gone, new) = names.entry(name.clone()).or_default();
        *gone += (-count).max(0);
        *new += count.max(0);
    }
    let most = |(name, (gone, new)): (String, (i64, i64))| (name, gone.max(new) as usize);
    names.into_iter().map(most).filter(|(_, count)| *count > 0).collect()
}

/// A file on its way through GLB, with the source on board.
struct Way<'a> {
    format: &'static str,
    source: &'a Asset,
    folder: &'a Path,
    /// What another program does to the GLB.
    pack: fn(&[u8]) -> Vec<u8>,
}

impl Way<'_> {
    /// What comes back of a GLB, what was noted, and how that differs from the GLB.
    fn back(&self, glb: &[u8]) -> Result<(Asset, Vec<String>, Verified), String> {
        let target = ConvertOptions::to(formats::by_id(self.format).unwrap());
        let edited = File::from_bytes("edited.glb", (self.pack)(glb)).read(&Default::default()).unwrap();
        let back = convert(&edited, &target).map_err(|error| error.to_string())?;
        let path = self.folder.join(format!("back.{}", self.format));
        _ = save(&back, &path, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
        let written = open(&path).unwrap();
        let verified = verify(&edited, &target, &back.losses, &written, pentad::TOLERANCE).unwrap();
        Ok((written, back.notes, verified))
    }

    /// What is wrong with what one edit changed. Numbers that glTF refuses and easings that it does not have come back
    /// with the source, so that some files are not what their GLB shows when nobody edits it: no edit makes that worse,
    /// but that a vertex further out swings further.
    fn fault(&self, glb: &[u8], edit: &Edit, unedited: &Verified) -> Option<String> {
        let (written, notes, verified) = match self.back(glb) {
            Ok(back) => back,
            Err(error) => return Some(error),
        };
        let swing = |measure: Measure| if measure == Measure::MaxAnimatedError { 2. } else { 1. };
        let worse = |measure: &Measure| verified.value(*measure) > unedited.value(*measure) * swing(*measure);
        let off: Vec<Measure> = verified.off().filter(|own| !verified.explained.contains(own)).filter(worse).collect();
        if !off.is_empty() {
            return Some(format!("it does not say what was edited: {off:?}"));
        }
        let changed = differing(&units(self.source), &units(&written));
        let follows = |unit: &str| match unit {
            "Mesh following" => edit.name == "a changed vertex" && shares_positions(self.source),
            _ => unit.ends_with(" following"),
        };
        let most = |may: &[(&str, usize)], unit: &str| {
            let own = may.iter().find(|(own, _)| *own == unit).map(|(_, most)| *most);
            own.unwrap_or(usize::from(follows(unit)))
        };
        let mut rows = edit.may.iter().filter(|(format, _)| *format == self.format);
        let fits = rows.any(|(_, may)| changed.iter().all(|(unit, count)| *count <= most(may, unit)));
        (!fits).then(|| format!("changed {changed:?}; {notes:?}"))
    }

    /// Every edit; answers how many could be done.
    fn edit_all(&self, carry: Carry, faults: &mut Vec<String>) -> usize {
        let carrying = ConvertOptions { carry, ..ConvertOptions::to(formats::by_id("glb").unwrap()) };
        let Ok(glb) = convert(self.source, &carrying) else { return 0 };
        let glb = glb.to_vec().unwrap();
        let unedited = match self.back(&glb) {
            Ok((back, _, verified)) if back.file().bytes()[..] == self.source.file().bytes()[..] => verified,
            Ok((_, notes, _)) => {
                faults.push(format!("unedited: it comes back as other bytes; {notes:?}"));
                return 0;
            }
            Err(error) => {
                faults.push(format!("unedited: {error}"));
                return 0;
            }
        };
        let mut seen = 0;
        let known = |edit: &&Edit| edit.may.iter().any(|(format, _)| *format == self.format);
        for edit in EDITS.iter().filter(known) {
            for nth in 0..MOST {
                let (root, buffer) = glb::opened(&glb);
                let mut model = Model { format: self.format, root, buffer };
                if !(edit.change)(&mut model, nth) {
                    break;
                }
                let edited = glb::closed(&model.root, &model.buffer);
                if edited != glb {
                    seen += 1;
                    faults
                        .extend(self.fault(&edited, edit, &unedited).map(|why| format!("{} {nth}: {why}", edit.name)));
                }
            }
        }
        seen
    }
}

const FORMATS: [&str; 5] = ["danmodel", "das2", "dgl2", "dgl3", "dragon"];

/// Whether a file is in a dialect that an edit keeps. DGL2 has none for braces without lengths: an edit takes them, and V
/// runs the other way in all of the file.
fn keeps(source: &Asset) -> bool {
    let (info, dialect) = (source.format(), source.document().dialect());
    let braced = source.document().as_any().downcast_ref().is_some_and(|doc: &dgl2::Document| {
        dialect == "spec" && doc.texts().any(|(_, text)| text.bytes().starts_with(b"{"))
    });
    FORMATS.contains(&info.id) && info.written(dialect) == dialect && !braced
}

/// Every edit of a file in a dialect that an edit keeps; answers how many could be done.
fn edit_all(what: &str, source: &Asset, folder: &Path, faults: &mut Vec<String>) -> usize {
    if !keeps(source) {
        return 0;
    }
    let (info, mut seen) = (source.format(), 0);
    for (carry, pack) in [(Carry::Recipe, <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>), (Carry::Whole, glb::repacked)] {
        let mut own = Vec::new();
        seen += Way { format: info.id, source, folder, pack }.edit_all(carry, &mut own);
        let way = if carry == Carry::Whole { "repacked" } else { "edited" };
        faults.extend(own.into_iter().map(|fault| format!("{what}, {way}, {fault}")));
    }
    seen
}

#[test]
fn an_edit_of_one_object_changes_its_units_and_no_others() {
    let (mut seen, mut faults) = (0, Vec::new());
    for sample in corpus::samples().iter().filter(|sample| sample.kind != Kind::Bad) {
        if FORMATS.contains(&sample.format) {
            let folder = tempfile::tempdir().unwrap();
            let source = lay(folder.path(), sample);
            seen += edit_all(&format!("{} {}", sample.format, sample.name), &source, folder.path(), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{} of {seen}:\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 500, "{seen}");
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
    for path in FORMATS.into_iter().chain(["literal", "scenes"]).flat_map(|id| files_below(&corpus.join(id))) {
        let Ok(source) = open(&path) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let what = path.strip_prefix(&corpus).unwrap().display().to_string();
        seen += edit_all(&what, &source, folder.path(), &mut faults);
    }
    assert!(faults.is_empty(), "{} of {seen}:\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 1000, "{seen}");
}
