//! Real files.

use formats::gltf::{Container, Document, Glb, Gltf};
use formats::{Document as _, Format, LiftCx, LowerCx, NoSource, Options, ReadCx};
use testing::{assert_covered, corpus_dir};
use wire::Blob;

use crate::support::*;

fn read(container: Container, file: Vec<u8>) -> Document {
    match container {
        Container::Binary => Glb::read(Blob::file(file), &mut ReadCx::default()).unwrap(),
        Container::Json => Gltf::read(Blob::file(file), &mut ReadCx::default()).unwrap(),
    }
}

#[test]
fn files_of_others_are_kept_byte_for_byte() {
    let Some(corpus) = corpus_dir() else { return };
    let mut seen = 0;
    let mut open = vec![corpus.join("gltf")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let container = match path.extension().and_then(|e| e.to_str()) {
            Some("glb") => Container::Binary,
            Some("gltf") => Container::Json,
            _ => continue,
        };
        seen += 1;
        let file = std::fs::read(&path).unwrap();
        let doc = read(container, file.clone());
        assert_eq!(testing::write::<Glb>(&doc), file, "{}", path.display());
        assert_covered(&doc.tree(), file.len() as u64);
        let mut anew = doc.clone();
        anew.forget_raw();
        assert!(read(container, testing::write::<Glb>(&anew)) == doc, "{}", path.display());
    }
    assert!(seen > 0);
}

#[cfg(feature = "danmodel")]
#[test]
fn danmodels_become_valid_gltf() {
    use formats::danmodel::DanModel;
    let Some(corpus) = corpus_dir() else { return };
    let folder = folder("corpus");
    let mut written = Vec::new();
    for entry in std::fs::read_dir(corpus.join("danmodel")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let Ok(doc) = DanModel::read(Blob::file(bytes), &mut ReadCx::default()) else { continue };
        let scene = DanModel::lift(&doc, &mut LiftCx::new(&NoSource)).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let (_, file, losses) = package::<Glb>(&scene, &Options::default());
        println!("{stem}: {losses:#?}");
        written.push(folder.join(format!("{stem}.glb")));
        std::fs::write(written.last().unwrap(), file).unwrap();
        let cx = LowerCx { stem, ..LowerCx::new(&NoSource, "standard") };
        let (package, file, _) = package_in::<Gltf>(&scene, cx);
        written.push(folder.join(format!("{stem}.gltf")));
        std::fs::write(written.last().unwrap(), file).unwrap();
        for side in package.side_files {
            std::fs::write(folder.join(side.name), &side.bytes).unwrap();
        }
    }
    assert!(!written.is_empty());
    validate(&written);
}
