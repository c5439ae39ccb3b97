//! DGL2 and DGL1 against real files and facts about them that others measured. Skipped without `PENTAD_CORPUS`.

use findings::Losses;
use formats::{AnyDocument, Document as _, Format, Hint, LiftCx, LowerCx, NoSource, ReadCx, dgl2};
use scene::{Scene, Semantic, UvOrigin};
use serde_json::Value as Json;
use testing::{EveryFile, corpus_dir, golden};
use wire::{Blob, F32, Sink};

struct File {
    name: String,
    bytes: Vec<u8>,
    doc: Box<dyn AnyDocument>,
    facts: Json,
}

impl File {
    fn document(&self) -> &dgl2::Document {
        self.doc.as_any().downcast_ref().unwrap()
    }
}

fn open(path: &std::path::Path) -> Option<(Vec<u8>, Box<dyn AnyDocument>)> {
    let bytes = std::fs::read(path).unwrap();
    let hint = Hint { extension: path.extension().and_then(|e| e.to_str()).map(str::to_owned) };
    let format = formats::recognise(&Blob::file(bytes.clone()), &hint)?;
    let doc = format.read(Blob::file(bytes.clone()), &mut ReadCx::default()).ok()?;
    Some((bytes, doc))
}

fn files() -> Vec<File> {
    let Some(folder) = corpus_dir() else { return Vec::new() };
    let file = |facts: Json| {
        let name = facts["file"].as_str().unwrap().to_owned();
        let path = ["dgl1", "dgl2"].map(|d| folder.join(d).join(&name)).into_iter().find(|path| path.exists())?;
        let (bytes, doc) = open(&path).unwrap_or_else(|| panic!("{name} cannot be read"));
        Some(File { name, bytes, doc, facts })
    };
    let files: Vec<File> = golden(&folder, "dgl1-dgl2.json").into_iter().filter_map(file).collect();
    assert!(files.len() >= 19, "only {} files", files.len());
    files
}

#[test]
fn every_file_says_what_was_measured() {
    for file in files() {
        let (doc, facts) = (file.document(), &file.facts);
        let is_json = file.name.ends_with(".dgl");
        assert_eq!(file.doc.format().info().id, if is_json { "dgl1" } else { "dgl2" }, "{}", file.name);
        let chunks: Vec<Json> = doc
            .chunks
            .iter()
            .map(|c| serde_json::json!([c.kind.word().unwrap(), c.id, c.name.to_string(), c.data.size()]))
            .collect();
        assert_eq!(Json::from(chunks), facts["chunks"], "{}", file.name);
        for ((_, chunk, mesh), facts) in doc.meshes().zip(facts["meshes"].as_array().unwrap()) {
            assert_eq!(mesh.triangles.len() as u64, facts["triangles"], "{} {}", file.name, chunk.name);
            let corners = || mesh.triangles.iter().flat_map(|t| t.positions).map(|p| p.map(F32::get));
            for axis in 0..3 {
                let low = corners().map(|p| p[axis]).fold(f32::INFINITY, f32::min);
                let high = corners().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max);
                let measured = |end: usize| facts["bbox"][end][axis].as_f64().unwrap();
                // Measured values are printed with seven digits.
                let near = |own: f32, end| (f64::from(own) - measured(end)).abs() <= 1e-6 * measured(end).abs().max(1.);
                assert!(near(low, 0) && near(high, 1), "{} {}", file.name, chunk.name);
            }
        }
        for ((_, _, entity), facts) in doc.entities().zip(facts["entities"].as_array().unwrap()) {
            assert_eq!(
                (u64::from(entity.kind.0), i64::from(entity.mesh_id)),
                (facts["type"].as_u64().unwrap(), facts["meshID"].as_i64().unwrap())
            );
            assert_eq!(entity.text.to_string(), facts["raw"].as_str().unwrap());
        }
        for ((_, _, material), facts) in doc.materials().zip(facts["materials"].as_array().unwrap()) {
            assert_eq!(material.text.to_string(), facts["raw"].as_str().unwrap());
            if let Some(pairs) = facts["dml"].as_array() {
                let own: Vec<Json> = doc
                    .properties(&material.text)
                    .iter()
                    .map(|p| serde_json::json!([String::from_utf8_lossy(&p.name), String::from_utf8_lossy(&p.value)]))
                    .collect();
                assert_eq!(&own, pairs, "{}", file.name);
            }
        }
    }
}

#[test]
fn triangles_are_degenerate_and_turned_as_measured() {
    for file in files() {
        let findings = file.doc.check(None, &NoSource);
        let found = |rule: &str| findings.iter().filter(|f| f.rule.id == rule).map(|f| f.count).sum::<u64>();
        let meshes = file.facts["meshes"].as_array().unwrap();
        let measured = |key: &str| meshes.iter().map(|m| m["winding"][key].as_u64().unwrap()).sum::<u64>();
        assert_eq!(found("DGL2-014"), measured("degenerate"), "{}", file.name);
        assert_eq!(found("DGL2-015"), measured("disagree"), "{}", file.name);
        assert!(findings.iter().all(|f| f.severity == findings::Severity::Info), "{}", file.name);
    }
}

#[test]
fn every_file_is_written_back_byte_for_byte() {
    for mut file in files() {
        let write = |doc: &dyn AnyDocument| {
            let mut sink = Sink::default();
            doc.write(&mut sink).unwrap();
            sink.into_vec()
        };
        assert!(write(&*file.doc) == file.bytes, "{} as read", file.name);
        file.doc.forget_raw();
        assert!(write(&*file.doc) == file.bytes, "{} written anew", file.name);
    }
}

/// V by comparison of revisions and by date: `dgl2.md` §11.
const FROM_BOTTOM: [&str; 8] =
    ["4cfdcdb9", "9ce26105", "4c68c58a", "c67f87b0", "e20fad81", "ff3cfddf", "4d9de836", ".dgl"];

#[test]
fn v_counts_as_the_history_of_the_files_says() {
    for file in files() {
        let bottom = FROM_BOTTOM.iter().any(|id| file.name.contains(id) && (*id != ".dgl" || file.name.ends_with(id)));
        let expected = if bottom { UvOrigin::Bottom } else { UvOrigin::Top };
        assert_eq!(lift(&*file.doc).space.uv_origin, expected, "{}", file.name);
    }
}

fn lift(doc: &dyn AnyDocument) -> Scene {
    doc.lift(&mut LiftCx::new(&EveryFile)).unwrap()
}

fn lower(scene: &Scene, dialect: &'static str, losses: &mut Losses) -> dgl2::Document {
    let lowered = testing::lower_in::<dgl2::Dgl2>(scene, LowerCx::new(&EveryFile, dialect));
    losses.extend(lowered.losses);
    lowered.doc
}

/// Corners of every triangle, without sharing: position, normal, both texture coordinates.
fn soup(scene: &Scene) -> Vec<Vec<f32>> {
    let semantics = [Semantic::Position, Semantic::Normal, Semantic::TexCoord(0), Semantic::TexCoord(1)];
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives
        .flat_map(|p| {
            let indices = p.indices.as_ref().map(scene::Indices::to_vec).unwrap_or_default();
            // Where the second coordinates are the first again, they are there once.
            let stream = |s| p.get(s).or_else(|| p.get(&Semantic::TexCoord(0))).unwrap();
            semantics.iter().map(|s| stream(s).gather(&indices).to_f32()).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_file_survives_the_way_through_the_scene() {
    for file in files() {
        let scene = lift(&*file.doc);
        let is_dgl2 = file.doc.format().info().id == "dgl2";
        if is_dgl2 {
            let mut losses = Losses::default();
            let same = lower(&scene, file.doc.dialect(), &mut losses);
            assert!(losses.is_empty(), "{} {losses:?}", file.name);
            let again = dgl2::Dgl2::lift(&same, &mut LiftCx::new(&EveryFile)).unwrap();
            assert!(again == scene, "{} comes back changed", file.name);
        }
        for dialect in ["spec", "engine"] {
            let mut losses = Losses::default();
            let lowered = lower(&scene, dialect, &mut losses);
            assert!(losses.iter().all(|loss| loss.code == "LOSS-020"), "{} {losses:?}", file.name);
            let mut sink = Sink::default();
            dgl2::Dgl2::write(&lowered, &mut sink).unwrap();
            let again = dgl2::Dgl2::read(Blob::file(sink.into_vec()), &mut ReadCx::default()).unwrap();
            assert!(scene.materials.is_empty() || again.dialect() == dialect);
            let again = dgl2::Dgl2::lift(&again, &mut LiftCx::new(&EveryFile)).unwrap();
            compare(&file.name, &scene, &again);
        }
    }
}

fn compare(name: &str, scene: &Scene, again: &Scene) {
    let nodes = |scene: &Scene| -> Vec<_> {
        scene
            .nodes
            .iter()
            .map(|n| (n.name.clone(), n.transform, n.mesh, n.visible, n.light.is_some(), n.role))
            .collect()
    };
    assert!(nodes(again) == nodes(scene), "{name}: nodes");
    let materials = |scene: &Scene| -> Vec<_> {
        scene
            .materials
            .iter()
            .map(|m| {
                (m.name.clone(), m.shading.clone(), m.emissive, m.alpha_mode, m.slots.clone(), m.properties.clone())
            })
            .collect()
    };
    assert!(materials(again) == materials(scene), "{name}: materials");
    assert!(again.lights == scene.lights, "{name}: lights");
    let (a, b) = (soup(scene), soup(again));
    assert_eq!(a.iter().map(Vec::len).collect::<Vec<_>>(), b.iter().map(Vec::len).collect::<Vec<_>>(), "{name}");
    // V that is turned round is rounded to a 32-bit float; nothing else changes a bit.
    let off = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0., f32::max);
    assert!(off <= 1e-6, "{name}: {off}");
}

#[test]
fn literal_files_are_in_the_dialects_they_are_in() {
    let Some(folder) = corpus_dir() else { return };
    for facts in golden(&folder, "literal.json") {
        let name = facts["file"].as_str().unwrap();
        if !name.ends_with(".dgl2") {
            continue;
        }
        let opened = open(&folder.join("literal").join(name));
        assert_eq!(opened.is_some(), facts["readable"] == true, "{name}");
        let Some((bytes, doc)) = opened else { continue };
        assert_eq!(doc.format().info().id, "dgl2");
        if let Some(dialect) = facts["dialect"].as_str() {
            assert_eq!(doc.dialect(), dialect, "{name}");
        }
        let mut sink = Sink::default();
        doc.write(&mut sink).unwrap();
        assert!(sink.into_vec() == bytes, "{name}");
    }
}
