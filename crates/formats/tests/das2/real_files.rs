//! Real files against facts that an independent reader measured.

use formats::Document as _;
use formats::das2::{Attribute, Compression, Document, Mesh, Parts};
use serde_json::Value;
use sha2::Digest;
use testing::corpus_dir;

use crate::support::*;

/// The files of the corpus with the facts about each.
fn each_file(mut see: impl FnMut(&str, &[u8], &Value)) {
    let Some(dir) = corpus_dir() else { return };
    let text = std::fs::read(dir.join("golden/das2.json")).expect("golden facts");
    let facts: Vec<Value> = serde_json::from_slice(&text).expect("a list");
    assert!(!facts.is_empty());
    for fact in &facts {
        let file = fact["file"].as_str().expect("a name");
        see(file, &std::fs::read(dir.join("das2").join(file)).expect("a file"), fact);
    }
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("numbers").iter().filter_map(Value::as_u64).collect()
}

fn dialect_of(variant: &str, file: &str) -> &'static str {
    match variant {
        "V4" => "engine",
        "V3" => "v3",
        "V2" => "v2",
        "Sz" => "spec-nul",
        "Sp" if file.contains("tableids") => "spec-table-ids",
        "Sp" => "spec",
        other => panic!("{other}"),
    }
}

#[test]
fn real_files_are_in_the_layout_that_was_measured() {
    each_file(|file, bytes, fact| {
        let doc = read(bytes);
        assert_eq!(doc.dialect(), dialect_of(fact["variant"].as_str().expect("text"), file), "{file}");
        let compression = match fact["encoding"].as_str().expect("text") {
            "raw" | "raw-despite-level" => Compression::None,
            "zlib" => Compression::Zlib,
            "zstd" => Compression::Zstd,
            "split" => Compression::Split,
            _ => Compression::Tail,
        };
        assert_eq!(doc.compression, compression, "{file}");
        let header = &fact["header"];
        assert_eq!(doc.header.author_name.text.to_string(), header["author"].as_str().expect("text"), "{file}");
        assert_eq!(doc.header.comment.text.to_string(), header["comment"].as_str().expect("text"), "{file}");
        let counts = [doc.header.vertices_count, doc.header.mesh_count, doc.header.animation_count];
        for (stored, field) in counts.into_iter().zip(["vertices", "meshes", "animations"]) {
            assert_eq!(Some(u64::from(stored)), header[field].as_u64(), "{file} {field}");
        }
        assert_eq!(Some(u64::from(doc.header.default_scene_index)), header["default_scene"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(doc.header.level)), header["level"].as_u64(), "{file}");
        assert_eq!(doc.header.at().map(|span| span.size), header["size"].as_u64(), "{file}");
    });
}

#[test]
fn real_files_hold_what_was_measured() {
    each_file(|file, bytes, fact| {
        let doc = read(bytes);
        let order: Vec<&str> = doc.structures.iter().filter_map(|s| s.kind().word()).collect();
        let expected: Vec<&str> = fact["order"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(order, expected, "{file}");
        let parts = doc.parts();
        for (buffer, fact) in parts.buffers.iter().zip(fact["buffers"].as_array().expect("buffers")) {
            assert_eq!(Some(buffer.data.len() as u64), fact["length"].as_u64(), "{file}");
        }
        for (mesh, fact) in parts.meshes.iter().zip(fact["meshes"].as_array().expect("meshes")) {
            same_mesh(&parts, mesh, fact, file);
        }
        names_and_links(&doc, fact, file);
    });
}

fn same_mesh(parts: &Parts<'_>, mesh: &Mesh, fact: &Value, file: &str) {
    assert_eq!(Some(u64::from(mesh.draw_count)), fact["draw"].as_u64(), "{file}");
    let offset = |attribute| u64::from(mesh.stored(attribute).1);
    assert_eq!(Some(offset(Attribute::Index)), fact["index_off"].as_u64(), "{file}");
    assert_eq!(Some(offset(Attribute::Position)), fact["pos_off"].as_u64(), "{file}");
    assert_eq!(Some(offset(Attribute::Normal)), fact["nrm_off"].as_u64(), "{file}");
    assert_eq!((0..8).map(|i| offset(Attribute::Uv(i))).collect::<Vec<_>>(), numbers(&fact["uv_offs"]), "{file}");
    let joints: Vec<u64> = (0..8).map(|i| offset(Attribute::JointIndices(i))).collect();
    assert_eq!(joints, numbers(&fact["ji_offs"]), "{file}");
    let weights: Vec<u64> = (0..8).map(|i| offset(Attribute::JointWeights(i))).collect();
    assert_eq!(weights, numbers(&fact["jw_offs"]), "{file}");
    assert_eq!(Some(u64::from(mesh.material_id)), fact["mat_id"].as_u64(), "{file}");
    assert_eq!(Some(u64::from(mesh.material_type.0)), fact["mat_type"].as_u64(), "{file}");
    assert_eq!(Some(mesh.structure == 0), fact["bad_id0"].as_bool(), "{file}");
    assert_eq!(Some(mesh.slot(Attribute::Index).is_some()), fact["indexed"].as_bool(), "{file}");
    assert_eq!(parts.vertex_count(mesh), fact["vertex_count"].as_u64(), "{file}");
    assert_eq!(Some(mesh.morph_targets.len() as u64), fact["morphs"].as_u64(), "{file}");
    assert_eq!(Some(mesh.multiple_lods.len()), fact["lods"].as_array().map(Vec::len), "{file}");
    if fact["pos_in_bounds"] == true {
        let slot = mesh.slot(Attribute::Position).expect("positions");
        let count = fact["vertex_count"].as_u64().expect("a number") as usize;
        let bytes = parts.bytes(slot, count * 12).expect("inside");
        let hash = fact["pos_sha256"].as_str().expect("hex");
        assert!(sha256(&bytes).starts_with(hash), "{file}: {}", sha256(&bytes));
    }
}

fn names_and_links(doc: &Document, fact: &Value, file: &str) {
    let parts = doc.parts();
    let facts = |kind: &str| fact[kind].as_array().cloned().unwrap_or_default();
    for (group, fact) in parts.mesh_groups.iter().zip(facts("MeshGroup")) {
        assert_eq!(group.name.text.to_string(), fact["name"].as_str().expect("text"), "{file}");
        assert_eq!(group.meshes.iter().map(u64::from).collect::<Vec<_>>(), numbers(&fact["meshes"]), "{file}");
    }
    for (node, fact) in parts.nodes.iter().zip(facts("Node")) {
        assert_eq!(node.name.text.to_string(), fact["name"].as_str().expect("text"), "{file}");
        assert_eq!(node.children.iter().map(u64::from).collect::<Vec<_>>(), numbers(&fact["children"]), "{file}");
        assert_eq!(Some(u64::from(node.mesh_group_id)), fact["group"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(node.skeleton_id)), fact["skeleton"].as_u64(), "{file}");
    }
    for (scene, fact) in parts.scenes.iter().zip(facts("Scene")) {
        assert_eq!(scene.name.text.to_string(), fact["name"].as_str().expect("text"), "{file}");
        assert_eq!(scene.root_nodes.iter().map(u64::from).collect::<Vec<_>>(), numbers(&fact["roots"]), "{file}");
    }
    for (channel, fact) in parts.channels.iter().zip(facts("AnimationChannel")) {
        assert_eq!(Some(u64::from(channel.node_property_id)), fact["node"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(channel.joint_property_id)), fact["joint"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(channel.animation_target.0)), fact["target"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(channel.interpolation_type.0)), fact["interp"].as_u64(), "{file}");
        assert_eq!(Some(u64::from(channel.weight_count)), fact["weights"].as_u64(), "{file}");
    }
}

#[test]
fn real_files_go_back_byte_for_byte() {
    each_file(|file, bytes, _| {
        let doc = read(bytes);
        assert!(write(&doc) == bytes, "{file}: as read");
        let mut anew = doc.clone();
        anew.forget_raw();
        let again = write(&anew);
        if doc.compression == Compression::None {
            assert!(again == bytes, "{file}: written anew");
        }
        assert!(read(&again) == doc, "{file}: written anew, it says something else");
        assert_eq!(read(&again).dialect(), doc.dialect(), "{file}");
    });
}

#[test]
fn real_files_go_through_the_other_dialect_and_back() {
    each_file(|file, bytes, _| {
        if file.starts_with("reference-converter-broken") {
            return;
        }
        let doc = read(bytes);
        let (back, over) = if doc.form.has_buffer_ids() { ("spec", "engine") } else { ("engine", "spec") };
        let (other, _) = transcode(&doc, over, &[]);
        let other = read(&write(&other));
        assert_eq!(other.dialect(), over, "{file}");
        let (again, _) = transcode(&other, back, &[]);
        let again = read(&write(&again));
        assert_eq!(again.dialect(), back, "{file}");
        let (a, b) = (doc.parts(), again.parts());
        for (mesh, same) in a.meshes.iter().zip(&b.meshes) {
            for attribute in Attribute::all() {
                let count = if attribute == Attribute::Index {
                    mesh.draw_count.into()
                } else {
                    a.vertex_count(mesh).expect("a count")
                };
                let bytes = |parts: &Parts<'_>, mesh: &Mesh| {
                    parts.bytes(mesh.slot(attribute)?, count as usize * attribute.size())
                };
                assert_eq!(
                    bytes(&a, mesh).map(|b| b.to_vec()),
                    bytes(&b, same).map(|b| b.to_vec()),
                    "{file} {attribute:?}"
                );
            }
        }
    });
}

fn sha256(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
