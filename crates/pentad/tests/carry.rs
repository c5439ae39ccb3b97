//! The way back from glTF with the source on board: the very bytes while nothing changed, the source's own objects where
//! only some did, and nothing believed that does not match.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;
mod glb;

use std::path::Path;

use common::{lay, sample};
use corpus::{Kind, Sample};
use glb::edited;
use pentad::formats::{self, Options};
use pentad::{Asset, Carry, ConvertOptions, Converted, Corrections, SaveOptions, convert, open, save};
use serde_json::{Value as Json, json};

fn to(id: &str) -> ConvertOptions {
    ConvertOptions::to(formats::by_id(id).unwrap())
}

fn carrying(id: &str) -> ConvertOptions {
    ConvertOptions { carry: Carry::Recipe, ..to(id) }
}

/// A converted file, in a folder of its own so that nothing of the source lies beside it.
fn put(folder: &Path, converted: &Converted, name: &str) -> Asset {
    std::fs::create_dir_all(folder).unwrap();
    save(converted, folder.join(name), &SaveOptions::default()).unwrap();
    open(folder.join(name)).unwrap()
}

/// A sample that went into a GLB and was edited there.
fn edited_sample(format: &str, name: &str, edit: impl FnOnce(&mut Json)) -> (Vec<u8>, Asset) {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample(format, name));
    let glb = convert(&source, &carrying("glb")).unwrap().to_vec().unwrap();
    let file = pentad::File::from_bytes("edited.glb", edited(&glb, edit));
    (source.file().bytes().to_vec(), file.read(&Default::default()).unwrap())
}

fn rules(converted: &Converted) -> Vec<&'static str> {
    converted.findings.iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn every_sample_comes_back_byte_for_byte() {
    let mut seen = 0;
    for sample in corpus::samples().iter().filter(|sample| sample.kind != Kind::Bad) {
        let Some(format) = formats::by_id(sample.format).filter(|format| format.info().read) else { continue };
        for through in ["glb", "gltf"].into_iter().filter(|id| *id != sample.format) {
            let what = format!("{} {} through {through}", sample.format, sample.name);
            let folder = tempfile::tempdir().unwrap();
            let source = lay(folder.path(), sample);
            // What has no scene goes nowhere, with or without the source.
            let Ok(there) = convert(&source, &carrying(through)) else { continue };
            let there = put(&folder.path().join("there"), &there, &format!("there.{through}"));
            let back = convert(&there, &ConvertOptions::to(format)).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(back.to_vec().unwrap() == (sample.bytes)(), "{what}: other bytes");
            // Files that were never there are told of on every way.
            let mut lost = back.losses.iter().filter(|loss| loss.code != "LOSS-090");
            assert!(lost.next().is_none(), "{what}: {:?}", back.losses);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// The bytes that differ, as a range; both files are as long.
fn difference(a: &[u8], b: &[u8]) -> std::ops::Range<usize> {
    assert_eq!(a.len(), b.len());
    let differs = |i: &usize| a[*i] != b[*i];
    let first = (0..a.len()).find(differs).expect("a difference");
    first..(0..a.len()).rfind(differs).unwrap() + 1
}

/// Moves one node of a sample in its GLB, and asserts that the bytes of one unit of the source differ and no others.
fn assert_only_the_moved_object_differs(format: &str, name: &str, node: &str, unit: &str) {
    let (source, edited) = edited_sample(format, name, |root| {
        let nodes = root["nodes"].as_array_mut().unwrap();
        let moved = match node.parse::<usize>() {
            Ok(number) => &mut nodes[number],
            Err(_) => nodes.iter_mut().find(|other| other["name"] == node).expect("the node"),
        };
        moved["translation"] = json!([7.5, -3.25, 11.0]);
        root["asset"]["generator"] = json!("another program");
    });
    let back = convert(&edited, &to(format)).unwrap();
    assert!(back.notes[0].contains("taken from the source"), "{:?}", back.notes);
    let again = back.to_vec().unwrap();
    let asset = pentad::File::from_bytes(format!("source.{format}"), source.clone()).read(&Default::default()).unwrap();
    let span = pentad::wire::find(&asset.document().tree(), unit).expect("the unit").span;
    let found = difference(&source, &again);
    assert!(span.offset as usize <= found.start && found.end <= span.end() as usize, "{found:?} in {span}");
}

#[test]
fn a_moved_node_changes_the_bytes_of_its_object_alone() {
    assert_only_the_moved_object_differs("danmodel", "model", "1", "pieces[1]");
    assert_only_the_moved_object_differs("dgl2", "model", "0", "chunks[3]");
    assert_only_the_moved_object_differs("dgl3", "model", "0", "entities[0]");
    // An OBJECT, a SOCKET, copies, a light and cubes, of which only the faces are in the GLB.
    for (node, section) in [("perched", 13), ("mouth", 11), ("4", 14), ("5", 15), ("7", 19)] {
        assert_only_the_moved_object_differs("dragon", "model", node, &format!("sections[{section}]"));
    }
}

fn das2(bytes: &[u8]) -> formats::das2::Document {
    let asset = pentad::File::from_bytes("x.das", bytes.to_vec()).read(&Default::default()).unwrap();
    asset.document().as_any().downcast_ref::<formats::das2::Document>().unwrap().clone()
}

#[test]
fn a_moved_node_of_das2_changes_its_own_structure_alone() {
    for name in ["model", "engine"] {
        let mut moved = String::new();
        let (source, edited) = edited_sample("das2", name, |root| {
            let plain = |node: &&mut Json| !node["mesh"].is_null() && node["skin"].is_null();
            let node = root["nodes"].as_array_mut().unwrap().iter_mut().find(plain).expect("a node");
            node["translation"] = json!([7.5, -3.25, 11.0]);
            moved = node["name"].as_str().unwrap_or_default().to_owned();
        });
        let back = convert(&edited, &to("das2")).unwrap();
        assert!(back.notes[0].contains("taken from the source"), "{:?}", back.notes);
        let (was, is) = (das2(&source), das2(&back.to_vec().unwrap()));
        assert_eq!((&was.header, was.structures.len()), (&is.header, is.structures.len()), "{name}");
        let changed: Vec<usize> =
            (0..was.structures.len()).filter(|&i| was.structures[i] != is.structures[i]).collect();
        assert_eq!(changed.len(), 1, "{name}: {changed:?}");
        let formats::das2::Structure::Node(node) = &*is.structures[changed[0]] else { panic!("{name}: no node") };
        assert_eq!((node.name.bytes(), node.translation.map(|v| v.get())), (moved.as_bytes(), [7.5, -3.25, 11.0]));
    }
}

#[test]
fn levels_of_detail_of_a_moved_node_stay_levels() {
    let (source, edited) = edited_sample("das2", "model", |root| {
        let has_levels = |node: &&mut Json| node["extensions"]["MSFT_lod"].is_object();
        let node = root["nodes"].as_array_mut().unwrap().iter_mut().find(has_levels).expect("a node with levels");
        node["translation"] = json!([7.5, -3.25, 11.0]);
    });
    let again = convert(&edited, &to("das2")).unwrap().to_vec().unwrap();
    let lods = |doc: &formats::das2::Document| {
        let parts = doc.parts();
        (parts.nodes.len(), parts.meshes.iter().map(|mesh| mesh.multiple_lods.len()).collect::<Vec<_>>())
    };
    let (was, is) = (lods(&das2(&source)), lods(&das2(&again)));
    assert!(was == is && was.1.contains(&1), "{was:?} {is:?}");
}

#[test]
fn copies_that_somebody_moved_are_not_where_they_were() {
    let (source, edited) = edited_sample("dragon", "model", |root| {
        let is_copy = |node: &&mut Json| node["extras"]["pentad"]["role"] == "instance";
        let node = root["nodes"].as_array_mut().unwrap().iter_mut().find(is_copy).expect("a copy");
        node["translation"] = json!([7.5, -3.25, 11.0]);
    });
    let back = convert(&edited, &to("dragon")).unwrap();
    let asset = pentad::File::from_bytes("x.dragon", back.to_vec().unwrap()).read(&Default::default()).unwrap();
    let doc = asset.document().as_any().downcast_ref::<formats::dragon::Document>().unwrap();
    let places = doc.sections.iter().filter_map(|section| match &section.body {
        formats::dragon::Body::Instance(body) => Some(&body.instances),
        _ => None,
    });
    let mut places = places.flatten().flat_map(|group| (0..group.placements.len()).map(|i| group.placements.get(i)));
    assert!(places.any(|place| place.unwrap().0[2].get() >= 11.), "{:?}", source.len());
}

#[test]
fn a_changed_value_of_a_material_leaves_the_model_alone() {
    let (source, edited) = edited_sample("dgl2", "model", |root| {
        root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.5, 0.25, 0.125, 1.0]);
    });
    let again = convert(&edited, &to("dgl2")).unwrap().to_vec().unwrap();
    let read = |bytes: &[u8]| {
        let doc = pentad::File::from_bytes("x.dgl2", bytes.to_vec()).read(&Default::default()).unwrap();
        let doc: formats::dgl2::Document =
            doc.document().as_any().downcast_ref::<formats::dgl2::Document>().unwrap().clone();
        doc.chunks.iter().map(|chunk| chunk.raw().unwrap().to_vec()).collect::<Vec<_>>()
    };
    let (was, is) = (read(&source), read(&again));
    assert_eq!(was.len(), is.len());
    let changed: Vec<usize> = (0..was.len()).filter(|&i| was[i] != is[i]).collect();
    // A chunk begins with its kind: 3 is MATERIAL.
    assert!(changed.len() == 1 && was[changed[0]][0] == 3, "{changed:?}");
}

#[test]
fn buffer_views_may_be_numbered_anew() {
    let (source, edited) = edited_sample("danmodel", "model", |root| {
        let views = root["bufferViews"].as_array_mut().unwrap();
        views.reverse();
        let last = views.len() - 1;
        turn_views(root, last);
        // Nobody told the number of the source.
        root["extras"]["pentad"]["source"]["bufferView"] = json!(last);
        root["asset"]["generator"] = json!("another program");
    });
    let back = convert(&edited, &to("danmodel")).unwrap();
    assert!(back.to_vec().unwrap() == source && rules(&back).is_empty(), "{:?}", back.findings);
}

/// Counts every buffer view that anything names, but for the source's, from the other end.
fn turn_views(json: &mut Json, last: usize) {
    match json {
        Json::Object(map) => {
            if let Some(view) = map.get_mut("bufferView") {
                *view = json!(last as u64 - view.as_u64().unwrap());
            }
            map.iter_mut().filter(|(key, _)| *key != "source").for_each(|(_, inner)| turn_views(inner, last));
        }
        Json::Array(list) => list.iter_mut().for_each(|inner| turn_views(inner, last)),
        _ => {}
    }
}

#[test]
fn a_source_may_lie_in_a_part_of_a_larger_view() {
    let (source, edited) = edited_sample("danmodel", "model", |root| {
        // One view that is the whole buffer; what named the last one names a part of it.
        let whole = json!({ "buffer": 0, "byteLength": root["buffers"][0]["byteLength"] });
        let views = root["bufferViews"].as_array_mut().unwrap();
        let last = views.len() - 1;
        let offset = std::mem::replace(&mut views[last], whole)["byteOffset"].take();
        let accessors = root["accessors"].as_array_mut().unwrap();
        let named = accessors.iter_mut().find(|accessor| accessor["bufferView"] == last).expect("an accessor");
        named["byteOffset"] = offset;
    });
    assert!(convert(&edited, &to("danmodel")).unwrap().to_vec().unwrap() == source);
    assert!(edited.check(None).iter().all(|finding| finding.rule.id != "GLTF-040"));
}

#[test]
fn a_source_that_lies_is_left_alone() {
    type Lie = fn(&mut Json);
    let lies: [(&str, Lie); 7] = [
        ("hash", |entry| entry["sha256"] = json!("00".repeat(32))),
        ("size", |entry| entry["size"] = json!(u64::MAX)),
        ("view", |entry| entry["bufferView"] = json!(-1)),
        ("format", |entry| entry["format"] = json!("dgl9")),
        ("other format", |entry| entry["format"] = json!("dgl3")),
        ("dialect", |entry| entry["dialect"] = json!("engine")),
        ("beside", |entry| entry["beside"] = json!([{ "name": "../out.mat" }])),
    ];
    for (what, lie) in lies {
        let (source, edited) = edited_sample("danmodel", "model", |root| lie(&mut root["extras"]["pentad"]["source"]));
        let back = convert(&edited, &to("danmodel")).unwrap();
        assert_eq!(rules(&back), ["GLTF-040"], "{what}");
        // The scene alone is enough for what it means.
        let pieces = |bytes: &[u8]| {
            let file = pentad::File::from_bytes("back.danmodel", bytes).read(&Default::default()).unwrap();
            let doc = file.document().as_any().downcast_ref::<formats::danmodel::Document>().unwrap();
            doc.pieces.iter().map(|piece| piece.danmaku_colored).collect::<Vec<_>>()
        };
        assert_eq!(pieces(&back.to_vec().unwrap()), pieces(&source), "{what}");
        assert!(edited.check(None).iter().any(|finding| finding.rule.id == "GLTF-040"), "{what}");
    }
}

/// The previous version of the list of keys put the source there as it was, with fingerprints of the scene beside it.
#[test]
fn what_an_earlier_version_wrote_comes_back() {
    let files: [(&str, &str, &[u8]); 3] = [
        ("das2", "triangle", include_bytes!("earlier/das2-triangle.glb")),
        ("dgl2", "one-triangle", include_bytes!("earlier/dgl2-one-triangle.glb")),
        ("dragon", "one-triangle", include_bytes!("earlier/dragon-one-triangle.glb")),
    ];
    for (format, name, glb) in files {
        let source = (sample(format, name).bytes)();
        let back = |glb: Vec<u8>| {
            let glb = pentad::File::from_bytes("earlier.glb", glb).read(&Default::default()).unwrap();
            convert(&glb, &to(format)).unwrap()
        };
        assert!(back(glb.to_vec()).to_vec().unwrap() == source, "{format}");
        let renamed = edited(glb, |root| root["nodes"][0]["name"] = json!("renamed"));
        let back = back(renamed);
        assert!(back.notes[0].contains("taken from the source"), "{format}: {:?}", back.notes);
    }
}

#[test]
fn a_whole_source_comes_back_from_buffers_that_were_put_together_anew() {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample("das2", "model"));
    let whole = ConvertOptions { carry: Carry::Whole, ..to("glb") };
    let glb = convert(&source, &whole).unwrap().to_vec().unwrap();
    let entry = |glb: &[u8]| {
        let mut found = Json::Null;
        edited(glb, |root| found = root["extras"]["pentad"]["source"].take());
        found
    };
    assert!(entry(&glb)["recipe"].is_null());
    assert!(!entry(&convert(&source, &carrying("glb")).unwrap().to_vec().unwrap())["recipe"].is_null());
    // Nothing that a recipe could be followed with is left.
    let gone = edited(&glb, |root| {
        let accessors = root["accessors"].as_array_mut().unwrap();
        let last = accessors.len() - 1;
        accessors[..last].iter_mut().for_each(|accessor| accessor["count"] = json!(3));
    });
    let gone = pentad::File::from_bytes("a.glb", gone).read(&Default::default()).unwrap();
    let mut cx = formats::LiftCx::new(&formats::NoSource);
    let carried = gone.document().carried(&mut cx).expect("it is there");
    assert!(carried.bytes[..] == source.file().bytes()[..]);
}

#[test]
fn a_source_travels_on_from_one_gltf_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample("dgl2", "model"));
    let glb = put(&folder.path().join("glb"), &convert(&source, &carrying("glb")).unwrap(), "a.glb");
    let gltf = put(&folder.path().join("gltf"), &convert(&glb, &to("gltf")).unwrap(), "a.gltf");
    let back = convert(&gltf, &to("dgl2")).unwrap();
    assert!(back.to_vec().unwrap() == source.file().bytes()[..]);
}

#[test]
fn another_dialect_is_made_of_the_source_and_a_correction_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample("danmodel", "model"));
    let glb = put(&folder.path().join("glb"), &convert(&source, &carrying("glb")).unwrap(), "a.glb");
    let engine = ConvertOptions { dialect: Some("engine".to_owned()), ..to("danmodel") };
    let direct = convert(&source, &engine).unwrap();
    assert!(convert(&glb, &engine).unwrap().to_vec().unwrap() == direct.to_vec().unwrap());

    let mut options = Options::default();
    options.set("author", "someone else");
    let signed = ConvertOptions { options, ..to("danmodel") };
    let direct = convert(&source, &signed).unwrap();
    assert!(convert(&glb, &signed).unwrap().to_vec().unwrap() == direct.to_vec().unwrap());

    let larger = Corrections { scale: Some(2.), ..Corrections::default() };
    let scaled = convert(&glb, &ConvertOptions { corrections: larger, ..to("danmodel") }).unwrap();
    assert!(scaled.to_vec().unwrap() != source.file().bytes()[..]);
    assert!(scaled.notes[0].contains("is not used"), "{:?}", scaled.notes);
}

#[test]
fn a_format_that_is_only_read_comes_back_until_it_changes() {
    let (source, edited) = edited_sample("dgl1", "model", |_| {});
    assert!(convert(&edited, &to("dgl1")).unwrap().to_vec().unwrap() == source);
    let (_, edited) = edited_sample("dgl1", "model", |root| root["nodes"][0]["name"] = json!("other"));
    let Err(error) = convert(&edited, &to("dgl1")) else { panic!("DGL1 was written") };
    assert!(error.to_string().contains("cannot be written"), "{error}");
}

#[test]
fn only_gltf_has_room_for_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let source = lay(folder.path(), &sample("danmodel", "model"));
    for target in ["obj", "dgl2", "danmodel"] {
        let Err(error) = convert(&source, &carrying(target)) else { panic!("{target} took it") };
        assert!(error.to_string().contains("--carry"), "{error}");
    }
}

#[test]
fn files_beside_a_source_come_back_under_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let model = (sample("dgl3", "model").bytes)();
    let asset = pentad::File::from_bytes("m.dgl3", model).read(&Default::default()).unwrap();
    let mut doc = asset.document().as_any().downcast_ref::<formats::dgl3::Document>().unwrap().clone();
    let link =
        formats::dgl3::Property::new("material".into(), formats::dgl3::PropertyValue::Text("deep/odd.mat".into()));
    for entity in &mut doc.entities {
        entity.edit().properties = vec![link.clone()];
    }
    let mut sink = pentad::wire::Sink::default();
    use formats::Format as _;
    formats::dgl3::Dgl3::write(&doc, &mut sink).unwrap();
    let bytes = sink.into_vec();
    let text = b"name: \"odd\"  ;; what is this\nroughness:0.25;";
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::write(folder.path().join("deep/odd.mat"), text).unwrap();
    std::fs::write(folder.path().join("source.dgl3"), &bytes).unwrap();
    let source = open(folder.path().join("source.dgl3")).unwrap();
    let glb = convert(&source, &carrying("glb")).unwrap().to_vec().unwrap();

    let back = |glb: Vec<u8>| {
        let asset = pentad::File::from_bytes("a.glb", glb).read(&Default::default()).unwrap();
        let back = convert(&asset, &to("dgl3")).unwrap();
        let file = back.side_files.iter().find(|file| file.name == "deep/odd.mat").expect("the material");
        assert!(file.bytes[..] == text[..]);
        back
    };
    assert!(back(glb.clone()).to_vec().unwrap() == bytes);
    let moved = edited(&glb, |root| root["nodes"][0]["translation"] = json!([9.0, 9.0, 9.0]));
    let moved = back(moved);
    difference(&bytes, &moved.to_vec().unwrap());
    let names: Vec<&str> = moved.side_files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["deep/odd.mat"], "it did not change, so it stays where it was");
}

#[test]
fn how_a_file_was_laid_out_is_no_loss_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let words = |sample: &Sample, target: &str| {
        let converted = convert(&lay(folder.path(), sample), &to(target)).unwrap();
        let own = |loss: &&pentad::findings::Loss| loss.what.starts_with("what only ");
        converted.losses.iter().filter(own).map(|loss| loss.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(words(&sample("dgl2", "one-triangle"), "dgl3"), [""; 0]);
    assert_eq!(words(&sample("dgl3", "one-triangle"), "dgl2"), [""; 0]);
    // A type that is the game's own is more than layout, and so are bytes that nobody explains.
    assert!(words(&sample("dgl2", "model"), "dgl3").contains(&"what only dgl2 says: type".to_owned()));
    let tail = convert(&lay(folder.path(), &sample("dgl2", "tail")), &to("dgl3")).unwrap();
    assert!(tail.losses.iter().any(|loss| loss.code == "LOSS-026" && loss.subject.to_string() == "tail"));
    // Three of its pieces take the colour of the shot.
    let own = ["colored", "colored", "colored", "alpha"].map(|word| format!("what only danmodel says: {word}"));
    assert_eq!(words(&sample("danmodel", "engine"), "dgl2"), own);

    let lost = |text: &str| {
        let mat = pentad::File::from_bytes("a.mat", text).read(&Default::default()).unwrap();
        let glb = convert(&mat, &to("glb")).unwrap().to_vec().unwrap();
        let glb = pentad::File::from_bytes("a.glb", glb).read(&Default::default()).unwrap();
        let losses = convert(&glb, &to("das2")).unwrap().losses;
        losses.iter().any(|loss| loss.what.starts_with("property "))
    };
    assert!(!lost("name: \"a\"\nroughness: 0.5\nuseFog: 1\n"), "the scene says all of it");
    assert!(lost("name: \"a\"\nuseFog: 0\n") && lost("name: \"a\"\nwhat: 1\n"), "the scene has no word for it");
}

#[test]
fn pictures_inside_of_a_gltf_file_are_written_where_their_paths_say() {
    let png = [&b"\x89PNG\r\n\x1a\n"[..], &[7; 9]].concat();
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 3] = [
        ("model.obj", b"mtllib model.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n"),
        ("model.mtl", b"newmtl m\nmap_Kd maps/wood.png\n"),
        ("maps/wood.png", &png),
    ];
    std::fs::create_dir(folder.path().join("maps")).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let source = open(folder.path().join("model.obj")).unwrap();
    for (textures, inside) in [("embed", true), ("reference", false)] {
        let mut options = Options::default();
        options.set("textures", textures);
        let written = convert(&source, &ConvertOptions { options, ..to("gltf") }).unwrap();
        let there = if inside { folder.path().join("elsewhere") } else { folder.path().to_owned() };
        let out = Some(there.join("model.das2"));
        let back = convert(&put(&there, &written, "model.gltf"), &ConvertOptions { out, ..to("das2") }).unwrap();
        let names: Vec<&str> = back.side_files.iter().map(|file| file.name.as_str()).collect();
        let expected: &[&str] = if inside { &["maps/wood.png"] } else { &[] };
        assert_eq!(names, expected, "{textures}");
    }
}
