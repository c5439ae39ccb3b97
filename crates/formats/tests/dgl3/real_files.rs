//! Real files against facts that an independent reader measured.

use findings::Severity;
use formats::dgl3::{Document, PropertyValue};
use formats::{Document as _, Format as _};
use serde_json::Value;
use testing::{corpus_dir, golden};
use wire::{Blob, F32};

use crate::support::*;

fn near(found: &[F32], expected: &Value, what: &str) {
    let expected: Vec<f64> = expected.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((f64::from(a.get()) - b).abs() <= 1e-6 * b.abs().max(1.), "{what}: {found:?}");
    }
}

/// CRC-32 of the bytes, bit by bit: the facts name arrays by it.
fn crc32(bytes: &[u8]) -> String {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    format!("{:08x}", !crc)
}

fn rewrites(doc: &Document, bytes: &[u8], file: &str) {
    assert!(write(doc) == bytes, "{file}: as read");
    let mut anew = doc.clone();
    anew.forget_raw();
    assert!(write(&anew) == bytes, "{file}: written anew");
}

#[test]
fn real_files_are_as_measured() {
    let Some(dir) = corpus_dir() else { return };
    let facts = golden(&dir, "dgl3.json");
    assert!(!facts.is_empty());
    for fact in &facts {
        let file = fact["file"].as_str().expect("a name");
        let bytes = std::fs::read(dir.join("dgl3").join(file)).expect("a file");
        let doc = read(&bytes);
        rewrites(&doc, &bytes, file);
        assert_eq!(doc.dialect(), "engine", "{file}");
        assert_eq!(
            (doc.header.name.to_string().as_str(), doc.header.creator_name.to_string().as_str()),
            (fact["name"].as_str().expect("text"), fact["creator"].as_str().expect("text"))
        );
        let counts = [doc.header.num_meshes, doc.header.num_entities, doc.header.num_lights].map(i64::from);
        assert_eq!(
            Some(&counts[..]),
            fact["counts"].as_array().map(|c| c.iter().filter_map(Value::as_i64).collect::<Vec<_>>()).as_deref()
        );
        for (mesh, fact) in doc.meshes.iter().zip(fact["meshes"].as_array().expect("meshes")) {
            let body = mesh.body.as_ref().expect("inline");
            assert_eq!(mesh.name.to_string(), fact["name"].as_str().expect("text"));
            assert_eq!(mesh.at().map(|span| span.offset), fact["offset"].as_u64());
            assert_eq!(Some(body.vertices.len() as u64), fact["vertices"].as_u64());
            assert_eq!(Some(body.triangles.len() as u64), fact["triangles"].as_u64());
            let order = wire::Order::Little;
            assert_eq!(crc32(&body.vertices.to_blob(order)), fact["crc32_positions"].as_str().expect("text"));
            assert_eq!(crc32(&body.triangles.to_blob(order)), fact["crc32_indices"].as_str().expect("text"));
        }
        let entities = fact["entities"].as_array().expect("entities");
        assert_eq!(doc.entities.len(), entities.len());
        for (entity, fact) in doc.entities.iter().zip(entities) {
            assert_eq!(entity.name.to_string(), fact["name"].as_str().expect("text"));
            assert_eq!(entity.at().map(|span| span.offset), fact["offset"].as_u64());
            near(&entity.transform.position, &fact["position"], file);
            near(&entity.transform.rotation, &fact["rotation"], file);
            near(&entity.transform.scale, &fact["scale"], file);
            for (property, fact) in entity.properties.iter().zip(fact["props"].as_array().expect("properties")) {
                assert_eq!(property.name.to_string(), fact[0].as_str().expect("text"));
                let PropertyValue::Text(text) = &property.value else { panic!("{file}: text") };
                assert_eq!(text.to_string(), fact[2].as_str().expect("text"));
            }
        }
        assert_eq!(doc.lights.len(), fact["lights"].as_array().expect("lights").len());
        let errors = check(&bytes, Some("engine"), &formats::NoSource);
        assert!(errors.iter().all(|f| f.severity < Severity::Error), "{file}: {errors:?}");
        let lowered = lower(&lift(&doc), "engine");
        assert!(are_alike(&lowered.doc, &doc), "{file}: through the scene");
    }
}

#[test]
fn the_atrium_comes_with_its_materials() {
    let Some(dir) = corpus_dir() else { return };
    for (folder, file) in [("level", "level.dgl3"), ("level", "box.dgl3"), ("gravitygun", "gravitygun.dgl3")] {
        let path = dir.join("scenes/atrium").join(folder).join(file);
        let bytes = std::fs::read(&path).expect("a file");
        let doc = read(&bytes);
        rewrites(&doc, &bytes, file);
        let source = testing::beside(&path);
        let (scene, found) = lift_from(&doc, &source);
        let missing: Vec<_> = found.iter().filter(|f| f.severity > Severity::Info).collect();
        assert!(missing.is_empty(), "{file}: {missing:?}");
        assert!(!scene.materials.is_empty() && !scene.images.is_empty(), "{file}");
        let lowered = lower_with(&scene, doc.dialect(), &Default::default(), &source);
        assert!(are_alike(&lowered.doc, &doc), "{file}: through the scene");
        for side in &lowered.files {
            let bytes = Blob::memory(std::fs::read(path.with_file_name(&side.name)).expect("it was read"));
            let says = |bytes: Blob| {
                let doc = formats::mat::Document::of(bytes);
                let scene =
                    formats::mat::Mat::lift(&doc, &mut formats::LiftCx::new(&formats::NoSource)).expect("liftable");
                scene.materials.iter().next().cloned()
            };
            let same = match side.name.ends_with(".mat") {
                true => says(side.bytes.clone()) == says(bytes),
                false => side.bytes == bytes,
            };
            assert!(same, "{}", side.name);
        }
    }
}

#[test]
fn literal_files_are_in_the_dialect_they_were_made_in() {
    let Some(dir) = corpus_dir() else { return };
    for fact in golden(&dir, "literal.json") {
        let file = fact["file"].as_str().expect("a name");
        if file.ends_with(".dgl3") {
            let bytes = std::fs::read(dir.join("literal").join(file)).expect("a file");
            let doc = read(&bytes);
            rewrites(&doc, &bytes, file);
            assert_eq!(Some(doc.dialect()), fact["dialect"].as_str(), "{file}");
            let lowered = lower(&lift(&doc), doc.dialect());
            let (scene, mut again) = (lift(&doc), lift(&read(&write(&lowered.doc))));
            again.metadata.generator = scene.metadata.generator.clone();
            assert!(again == scene || !lowered.losses.is_empty(), "{file}: through the scene");
        }
    }
}
