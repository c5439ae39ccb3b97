//! Whatever is written passes the check of its own format, in the dialect it was written in.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use common::{lay, sample};
use corpus::Kind;
use pentad::findings::{Finding, Severity};
use pentad::formats::{self, AnyFormat, Beside, Engine, FORMATS, ReadCx};
use pentad::wire::Blob;
use pentad::{Asset, ConvertOptions, Converted, File, OpenOptions, convert};

/// What a check in the dialect that a file was written in finds, in the file and in the materials beside it.
fn faults(converted: &Converted, asset: &Asset, dialect: &str) -> Vec<Finding> {
    let source = asset.source();
    let beside = Beside { files: &converted.side_files, behind: &*source };
    let main = (converted.document.format(), Blob::file(converted.to_vec().unwrap()));
    let materials = converted.side_files.iter().filter(|file| file.name.ends_with(".mat"));
    let materials = materials.map(|file| (formats::by_id("mat").unwrap(), file.bytes.clone()));
    let mut faults = Vec::new();
    for (format, bytes) in std::iter::once(main).chain(materials) {
        let mut cx = ReadCx::default();
        let document = format.read(bytes, &mut cx).expect("what was written can be read");
        faults.append(&mut cx.findings.finish(&[]));
        faults.append(&mut document.check(Some(dialect), &beside));
    }
    faults
}

/// The formats whose engine loads only a part of them.
fn loaded_in_part() -> impl Iterator<Item = &'static dyn AnyFormat> {
    let in_part = |format: &&dyn AnyFormat| {
        format.info().dialect("engine").is_some_and(|dialect| matches!(dialect.engine, Engine::LoadsWithout(_)))
    };
    FORMATS.iter().copied().filter(in_part)
}

fn for_engine(target: &'static dyn AnyFormat) -> ConvertOptions {
    ConvertOptions { dialect: Some("engine".to_owned()), ..ConvertOptions::to(target) }
}

fn codes(converted: &Converted) -> Vec<&str> {
    converted.losses.iter().map(|loss| loss.code).collect()
}

#[test]
fn what_is_made_for_the_engine_is_what_it_loads() {
    for sample in corpus::samples().iter().filter(|sample| sample.kind == Kind::Good) {
        let folder = tempfile::tempdir().unwrap();
        if formats::by_id(sample.format).is_none() {
            continue;
        }
        let asset = lay(folder.path(), sample);
        for target in loaded_in_part().filter(|target| target.info().id != sample.format) {
            let Ok(converted) = convert(&asset, &for_engine(target)) else { continue };
            let errors: Vec<String> = faults(&converted, &asset, "engine")
                .into_iter()
                .filter(|fault| fault.severity == Severity::Error)
                .map(|fault| format!("{} {}", fault.rule.id, fault.message))
                .collect();
            assert!(errors.is_empty(), "{} {} to {}: {errors:?}", sample.format, sample.name, target.info().id);
            assert!(converted.notes.is_empty(), "{} {}: {:?}", sample.format, sample.name, converted.notes);
        }
    }
}

#[test]
fn faults_that_travelled_through_glb_are_not_written_for_the_engine() {
    let glb = formats::by_id("glb").unwrap();
    for sample in corpus::samples().iter().filter(|sample| ["dgl2", "dgl3"].contains(&sample.format)) {
        let folder = tempfile::tempdir().unwrap();
        if sample.kind == Kind::Bad {
            continue;
        }
        let travelled = convert(&lay(folder.path(), sample), &ConvertOptions::to(glb)).unwrap().to_vec().unwrap();
        let asset = File::from_bytes("model.glb", travelled).read(&OpenOptions::default()).unwrap();
        let target = formats::by_id(sample.format).unwrap();
        let converted = convert(&asset, &for_engine(target)).unwrap();
        let of_engine = |fault: &Finding| fault.severity == Severity::Error && fault.rule.severity < Severity::Error;
        let stops: Vec<String> = faults(&converted, &asset, "engine")
            .iter()
            .filter(|f| of_engine(f))
            .map(|f| f.rule.id.to_owned())
            .collect();
        assert!(stops.is_empty(), "{} {}: {stops:?}", sample.format, sample.name);
    }
}

#[test]
fn what_the_engine_cannot_move_stands_at_rest_and_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let asset = lay(folder.path(), &sample("glb", "moving"));
    let dgl3 = formats::by_id("dgl3").unwrap();
    let still = convert(&asset, &for_engine(dgl3)).unwrap();
    for (code, why) in [("LOSS-001", "the engine loads no animations"), ("LOSS-002", "the engine loads no skins")] {
        let told = still.losses.iter().filter(|loss| loss.code == code);
        assert!(told.clone().count() > 0 && told.clone().all(|loss| loss.why == why), "{code}");
    }
    assert_eq!(still.document.facts(true).counts.skins, Some(0));

    let whole = convert(&asset, &ConvertOptions { keep_unloadable: true, ..for_engine(dgl3) }).unwrap();
    assert!(!codes(&whole).contains(&"LOSS-002"));
    assert_ne!(whole.document.facts(true).counts.skins, Some(0));
    let told = whole.notes.iter().filter(|note| note.contains("DGL3-029"));
    assert_eq!(told.count(), 1, "{:?}", whole.notes);

    // Nobody asked for the engine.
    let spec = convert(&asset, &ConvertOptions::to(dgl3)).unwrap();
    assert!(!codes(&spec).contains(&"LOSS-002"));
}

#[test]
fn a_file_in_its_own_format_stays_whole_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let asset = lay(folder.path(), &sample("dgl3", "skinned"));
    let dgl3 = formats::by_id("dgl3").unwrap();
    let carried = {
        let options = ConvertOptions { carry: true, ..ConvertOptions::to(formats::by_id("glb").unwrap()) };
        let glb = convert(&asset, &options).unwrap().to_vec().unwrap();
        File::from_bytes("model.glb", glb).read(&OpenOptions::default()).unwrap()
    };
    for asset in [asset, carried] {
        let converted = convert(&asset, &for_engine(dgl3)).unwrap();
        assert!(converted.losses.is_empty());
        assert_eq!(converted.document.facts(true).counts.skins, Some(1));
        let told = converted.notes.iter().filter(|note| note.contains("DGL3-029"));
        assert_eq!(told.count(), 1, "{:?}", converted.notes);
    }
}

#[test]
fn pictures_become_png_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let asset = lay(folder.path(), &sample("gltf", "photo"));
    for (target, name) in
        [("dgl2", "a _photo__ one.png"), ("dgl3", "a [photo], one.png"), ("mat", "a [photo], one.png")]
    {
        let target = formats::by_id(target).unwrap();
        let converted = convert(&asset, &for_engine(target)).unwrap();
        assert!(codes(&converted).contains(&"LOSS-052"), "{:?}", converted.losses);
        let picture = converted.side_files.iter().find(|file| file.name == name);
        assert!(picture.is_some_and(|file| file.bytes.starts_with(b"\x89PNG")), "{:?}", converted.side_files);
        let texts =
            [converted.to_vec().unwrap()].into_iter().chain(converted.side_files.iter().map(|f| f.bytes.to_vec()));
        assert!(texts.into_iter().any(|text| text.windows(name.len()).any(|part| part == name.as_bytes())));

        let kept = convert(&asset, &ConvertOptions { keep_unloadable: true, ..for_engine(target) }).unwrap();
        assert!(!codes(&kept).contains(&"LOSS-052"));
    }
}
