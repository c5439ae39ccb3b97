//! glTF as it is read, and the way back from glTF.

use std::path::{Path, PathBuf};

use findings::Losses;
use formats::gltf::{Container, Document, Glb, Gltf};
use formats::{BridgeCx, Folder, Format, NoSource, Options, ReadCx, Source};
use scene::*;
use wire::Blob;

use crate::support::*;

/// Reads a file and lifts it; nothing may be noticed on the way.
fn lift(container: Container, file: Vec<u8>, source: &dyn Source) -> (Scene, Vec<String>) {
    let doc = match container {
        Container::Binary => Glb::read(Blob::file(file), &mut ReadCx::default()).unwrap(),
        Container::Json => Gltf::read(Blob::file(file), &mut ReadCx::default()).unwrap(),
    };
    lift_document(&doc, source)
}

fn lift_document(doc: &Document, source: &dyn Source) -> (Scene, Vec<String>) {
    let mut cx = BridgeCx::new(source, "standard");
    let scene = Glb::lift(doc, &mut cx).unwrap();
    let words = |f: &findings::Finding| format!("{} {}: {}", f.rule.id, f.place.path, f.message);
    (scene, cx.findings.finish(&[]).iter().map(words).collect())
}

fn open(path: &Path) -> std::io::Result<Blob> {
    std::fs::read(path).map(Blob::file)
}

fn beside(path: &Path) -> Folder {
    Folder { search: vec![path.parent().unwrap().to_owned()], allow: Vec::new(), open }
}

/// All files of the corpus that are glTF.
fn samples() -> Vec<(PathBuf, Container)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![corpus.join("gltf")];
    while let Some(path) = open.pop() {
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path())),
            Some("glb") => found.push((path, Container::Binary)),
            Some("gltf") => found.push((path, Container::Json)),
            _ => {}
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn files_of_others_keep_their_scene() {
    for (path, container) in samples() {
        let (mut scene, findings) = lift(container, std::fs::read(&path).unwrap(), &beside(&path));
        assert_eq!(findings, [""; 0], "{}", path.display());
        let mut losses = Losses::default();
        let fitted = fit::fit(&scene, &Glb::INFO.capabilities, "glb", "glTF", &mut losses);
        let expected = if losses.is_empty() { &mut scene } else { &mut fitted.clone() };
        let (_, file, losses) = package::<Glb>(&fitted, &Options::default());
        println!("{}: {losses:?}", path.display());
        let (again, findings) = lift(Container::Binary, file, &NoSource);
        assert_eq!(findings, [""; 0], "{}", path.display());
        expected.origin = again.origin.clone();
        assert_same(&again, expected, &path.display().to_string());
    }
}

/// Compares scenes part by part, without printing their numbers.
fn assert_same(found: &Scene, expected: &Scene, what: &str) {
    assert_eq!(found.extras, expected.extras, "{what}");
    assert_eq!(found.scenes, expected.scenes, "{what}");
    assert_eq!(found.metadata, expected.metadata, "{what}");
    assert_eq!(found.space, expected.space, "{what}");
    for (a, b) in found.nodes.iter().zip(expected.nodes.iter()) {
        assert_eq!(a, b, "{what}");
    }
    for (a, b) in found.materials.iter().zip(expected.materials.iter()) {
        assert_eq!(a, b, "{what}");
    }
    assert_eq!(found.textures, expected.textures, "{what}");
    assert_eq!(found.lights, expected.lights, "{what}");
    assert_eq!(found.cameras, expected.cameras, "{what}");
    for (a, b) in found.meshes.iter().zip(expected.meshes.iter()) {
        for (a, b) in a.primitives.iter().zip(&b.primitives) {
            for (a, b) in a.attributes.iter().zip(&b.attributes) {
                assert_eq!((&a.semantic, a.stream.encoding()), (&b.semantic, a.stream.encoding()), "{what}");
                assert!(a.stream == b.stream, "{what}: {} differs", a.semantic);
            }
            assert!(a == b, "{what}: a primitive differs:\n{a:?}\n{b:?}");
        }
        assert!(a == b, "{what}: a mesh differs");
    }
    assert!(found.images == expected.images, "{what}: images differ:\n{:?}\n{:?}", found.images, expected.images);
    assert!(found.skins == expected.skins, "{what}: skins differ");
    assert!(found.animations == expected.animations, "{what}: animations differ");
    assert!(found == expected, "{what}: something differs");
}

#[cfg(feature = "danmodel")]
mod danmodel {
    use formats::danmodel::{DanModel, Document};

    use super::*;

    fn read(bytes: Vec<u8>) -> Option<Document> {
        DanModel::read(Blob::file(bytes), &mut ReadCx::default()).ok()
    }

    /// DanModel → GLB → DanModel.
    fn there_and_back(doc: &Document, what: &str) {
        let dialect = formats::Document::dialect(doc);
        let mut cx = BridgeCx::new(&NoSource, dialect);
        let scene = DanModel::lift(doc, &mut cx).unwrap();
        let (_, file, losses) = package::<Glb>(&scene, &Options::default());
        let (back, findings) = lift(Container::Binary, file, &NoSource);
        assert_eq!(findings, [""; 0], "{what}");
        assert_eq!(back.origin, scene.origin, "{what}");
        assert_eq!(back.metadata, scene.metadata, "{what}");
        let mut again = Losses::default();
        let info = &DanModel::INFO;
        let fitted = fit::fit(&back, &info.capabilities, info.id, info.name, &mut again);
        let lowered = DanModel::lower(&fitted, &mut BridgeCx::new(&NoSource, dialect)).unwrap().document;
        let mut expected = doc.clone();
        // glTF holds no part without a whole face: what it cannot hold is listed.
        if losses.iter().any(|loss| loss.starts_with("LOSS-024")) {
            println!("{what}: {losses:?}");
            return;
        }
        expected.slack = Blob::default();
        expected.tail = Blob::default();
        expected.header.edit().model_length = lowered.header.model_length;
        assert_eq!(expected.pieces.len(), lowered.pieces.len(), "{what}");
        for (i, (a, b)) in expected.pieces.iter().zip(&lowered.pieces).enumerate() {
            assert_eq!((a.mode, a.danmaku_colored), (b.mode, b.danmaku_colored), "{what} piece {i}");
            assert!(a.vertices == b.vertices, "{what} piece {i}: vertices differ");
        }
        assert!(lowered == expected, "{what}: {:?} {:?}", lowered.header, expected.header);
    }

    #[test]
    fn samples_come_back_as_they_were() {
        let samples = ::corpus::samples().into_iter().filter(|sample| sample.format == "danmodel");
        for sample in samples {
            if let Some(doc) = read((sample.bytes)()) {
                there_and_back(&doc, sample.name);
            }
        }
    }

    #[test]
    fn real_files_come_back_as_they_were() {
        let Some(corpus) = corpus() else { return };
        for entry in std::fs::read_dir(corpus.join("danmodel")).unwrap() {
            let path = entry.unwrap().path();
            if let Some(doc) = read(std::fs::read(&path).unwrap()) {
                there_and_back(&doc, &path.display().to_string());
            }
        }
    }
}
