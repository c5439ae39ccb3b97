//! Whatever is written passes the check of its own format, in the dialect it was written in: no error and no warning, but
//! for a condition that the source has too.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use common::{lay, sample};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use corpus::{Kind, Sample};
use pentad::findings::{Finding, Severity};
use pentad::formats::{self, AnyFormat, Beside, Engine, FORMATS, ReadCx};
use pentad::scene::{ImageSource, Name, Primitive, Properties, Scene, Semantic, Stream, Topology, Transform, Value};
use pentad::wire::Blob;
use pentad::{Asset, Carry, ConvertOptions, Converted, File, OpenOptions, convert};

/// What a check in the dialect that a file was written in finds, in the file and in the materials beside it.
fn faults(converted: &Converted, asset: &Asset, dialect: &str) -> Vec<Finding> {
    let source = asset.source();
    let beside = Beside::new(&converted.side_files, &*source);
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
        let options = ConvertOptions { carry: Carry::Recipe, ..ConvertOptions::to(formats::by_id("glb").unwrap()) };
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

/// Every sample, and for every rule a file that breaks it and one that does not.
fn sources() -> Vec<Sample> {
    let format = |rule: &str| match rule.split('-').next().unwrap_or_default() {
        "DAN" => "danmodel".to_owned(),
        "DML" => "dgl2".to_owned(),
        "DRG" => "dragon".to_owned(),
        other => other.to_lowercase(),
    };
    let mut sources = corpus::samples();
    for case in corpus::rule_cases() {
        let format = FORMATS.iter().map(|f| f.info().id).find(|id| *id == format(case.rule));
        let one = |format, bytes| Sample {
            format,
            name: case.rule,
            kind: Kind::Odd,
            about: "",
            bytes,
            beside: case.beside,
            dialect: None,
            complete_cuts: |_| Vec::new(),
        };
        sources.extend(format.into_iter().flat_map(|format| [one(format, case.fail), one(format, case.pass)]));
    }
    sources.retain(|sample| sample.kind != Kind::Bad);
    sources
}

/// A source on disk, if it can be read.
fn source(folder: &Path, sample: &Sample) -> Option<Asset> {
    let format = formats::by_id(sample.format)?;
    for (name, bytes) in (sample.beside)() {
        std::fs::write(folder.join(name), bytes).ok()?;
    }
    let path = folder.join(format!("source.{}", format.info().extensions[0]));
    std::fs::write(&path, (sample.bytes)()).ok()?;
    pentad::open(path).ok()
}

/// What a finding may say because the source has the same.
type Condition = fn(&Scene) -> bool;

/// By the rules of the outputs: what the source must have for them to speak.
const CONDITIONS: &[(&[&str], Condition)] = &[
    (&["DAN-015", "DRG-042", "DAS2-027", "DRG-038"], has_left_overs),
    (&["DAN-019", "OBJ-029"], has_odd_colors),
    (&["DAN-021", "OBJ-028", "PLY-014", "DAS2-031"], has_odd_normals),
    (&["DAN-005", "DAS2-012", "DRG-025", "OBJ-008", "STL-011"], has_odd_names),
    (&["DGL2-021", "DGL3-023"], has_flat_places),
    (&["DGL2-028", "MAT-008", "DAS2-046", "OBJ-025"], has_distant_pictures),
    (&["DML-003", "DGL3-025", "DRG-054"], has_equal_properties),
    (&["DAS2-029"], has_flat_faces),
    (&["DAS2-037", "DAS2-038", "DAS2-039", "DRG-044"], has_odd_skins),
    (&["DAS2-043"], |scene| {
        scene.animations.iter().any(|a| a.channels.iter().any(|c| c.times.iter().any(|t| *t < 0.)))
    }),
    (&["DRG-029"], has_odd_turns),
    (&["DAS2-049"], has_idle_movements),
    // The library's own defects, which the document cannot help.
    (&["DAS2-050"], |_| true),
];

fn parts(scene: &Scene) -> impl Iterator<Item = &Primitive> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives)
}

/// Whether a number is 1; what is none is not.
fn is_near(number: f64, tolerance: f64) -> bool {
    (number - 1.).abs() <= tolerance
}

fn any_row(stream: Option<&Stream>, odd: impl Fn(&[f64]) -> bool) -> bool {
    stream.is_some_and(|stream| stream.to_f64().chunks(stream.count().max(1)).any(odd))
}

fn has_left_overs(scene: &Scene) -> bool {
    let over = |part: &Primitive| match part.topology {
        Topology::Triangles => !part.draw_count().is_multiple_of(3),
        Topology::Quads => !part.draw_count().is_multiple_of(4),
        Topology::Lines => !part.draw_count().is_multiple_of(2),
        _ => part.draw_count() < 3,
    };
    let whole = |part: &Primitive| part.draw_count() > 0 && part.get(&Semantic::Position).is_some();
    // A face whose corners are no vertices is none.
    let broken = |part: &Primitive| {
        let count = part.get(&Semantic::Position).map_or(0, Stream::len);
        pentad::ops::triangles(part).chunks(3).all(|face| face.iter().any(|&corner| corner as usize >= count))
    };
    parts(scene).any(|part| over(part) || !whole(part) || broken(part))
}

fn has_odd_colors(scene: &Scene) -> bool {
    let odd = |row: &[f64]| row.iter().any(|v| !(0. ..=1.).contains(v));
    let of_vertices = parts(scene)
        .flat_map(|part| &part.attributes)
        .any(|attribute| matches!(attribute.semantic, Semantic::Color(_)) && any_row(Some(&attribute.stream), odd));
    of_vertices || scene.materials.iter().any(|material| odd(&material.color().map(f64::from)))
}

fn has_odd_normals(scene: &Scene) -> bool {
    let length = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>().sqrt();
    let odd = |row: &[f64]| !is_near(length(row), 1e-3);
    // What is not finite anywhere may leave no face to take a normal from.
    let wild = |row: &[f64]| row.iter().any(|v| !v.is_finite());
    parts(scene).any(|part| any_row(part.get(&Semantic::Normal), odd) || any_row(part.get(&Semantic::Position), wild))
        || has_flat_places(scene)
        || has_odd_turns(scene)
}

fn has_odd_names(scene: &Scene) -> bool {
    let metadata = &scene.metadata;
    let of_file = [&metadata.title, &metadata.author, &metadata.description, &metadata.comment];
    let of_nodes = scene.nodes.iter().map(|node| &node.name).chain(scene.meshes.iter().map(|mesh| &mesh.name));
    let of_looks = scene.materials.iter().map(|m| &m.name).chain(scene.animations.iter().map(|a| &a.name));
    let of_scenes = scene.scenes.iter().map(|root| &root.name);
    let words = properties(scene).flat_map(|(name, value)| [Some(name), value.as_text()]).flatten();
    let odd = |name: &Name| name.as_str().is_none();
    of_file.into_iter().chain(of_nodes).chain(of_looks).chain(of_scenes).chain(words).any(odd)
}

fn scales(scene: &Scene) -> impl Iterator<Item = [f32; 3]> {
    let of = |transform: &Transform| match transform.nearest_trs().0 {
        Transform::Trs { scale, .. } => scale,
        Transform::Matrix(_) => [0.; 3],
    };
    scene.nodes.iter().map(move |node| of(&node.transform))
}

fn has_flat_places(scene: &Scene) -> bool {
    scales(scene).any(|scale| scale.iter().any(|s| s.abs() < 1e-6 || !s.is_finite()))
}

fn has_odd_turns(scene: &Scene) -> bool {
    let odd = |transform: &Transform| match transform {
        Transform::Trs { rotation, .. } => {
            let length = rotation.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
            !is_near(length, 1e-3)
        }
        Transform::Matrix(_) => false,
    };
    scene.nodes.iter().any(|node| odd(&node.transform))
}

fn has_distant_pictures(scene: &Scene) -> bool {
    scene.images.iter().any(|image| match &image.source {
        ImageSource::File { path, bytes } => bytes.is_none() || path.bytes().iter().any(|b| b"/\\:".contains(b)),
        ImageSource::Embedded { .. } => false,
    })
}

fn properties(scene: &Scene) -> impl Iterator<Item = &(Name, Value)> {
    let of_objects = scene.nodes.iter().map(|node| &node.properties);
    let of_looks = scene.materials.iter().map(|material| &material.properties);
    let of_meshes = scene.meshes.iter().map(|mesh| &mesh.properties);
    of_objects.chain(of_looks).chain(of_meshes).chain([&scene.metadata.properties]).flatten()
}

fn has_equal_properties(scene: &Scene) -> bool {
    let twice = |properties: &Properties| {
        let mut seen = HashSet::new();
        properties.iter().any(|(name, _)| !seen.insert(name.bytes()))
    };
    scene.nodes.iter().any(|node| twice(&node.properties))
        || scene.materials.iter().any(|material| twice(&material.properties))
}

fn has_flat_faces(scene: &Scene) -> bool {
    let flat = |part: &Primitive| {
        let places = part.get(&Semantic::Position).map(Stream::to_f64).unwrap_or_default();
        let at = |i: u32| places.get(i as usize * 3..i as usize * 3 + 3);
        let same = |t: &[u32]| at(t[0]) == at(t[1]) || at(t[1]) == at(t[2]) || at(t[0]) == at(t[2]);
        pentad::ops::triangles(part).chunks_exact(3).any(same)
    };
    // What is not finite has no place of its own.
    let wild = |row: &[f64]| row.iter().any(|v| !v.is_finite());
    parts(scene).any(|part| flat(part) || any_row(part.get(&Semantic::Position), wild)) || has_flat_places(scene)
}

fn has_odd_skins(scene: &Scene) -> bool {
    let odd = |row: &[f64]| !is_near(row.iter().sum(), 1e-2) || row.iter().any(|weight| *weight < 0.);
    let bare = |part: &Primitive| !scene.skins.is_empty() && part.get(&Semantic::Weights(0)).is_none();
    let most = scene.skins.iter().map(|skin| skin.joints.len()).min().unwrap_or_default() as f64;
    let beyond = |row: &[f64]| row.iter().any(|joint| *joint >= most);
    scene.skins.iter().any(|skin| skin.joints.is_empty())
        || parts(scene).any(|part| any_row(part.get(&Semantic::Joints(0)), beyond))
        || parts(scene).any(|part| any_row(part.get(&Semantic::Weights(0)), odd) || bare(part))
}

fn has_idle_movements(scene: &Scene) -> bool {
    let shows =
        |node: pentad::scene::Id<pentad::scene::Node>| scene.nodes.get(node).is_some_and(|node| node.mesh.is_some());
    scene.animations.iter().flat_map(|animation| &animation.channels).any(|c| !c.node.is_some_and(shows))
}

/// Formats whose outputs are held to the law by the tests of their own folders.
const ELSEWHERE: &[&str] = &["gltf", "glb"];

#[test]
fn whatever_is_written_passes_its_own_check() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let targets: Vec<_> =
        FORMATS.iter().copied().filter(|f| f.info().write && !ELSEWHERE.contains(&f.info().id)).collect();
    for sample in sources() {
        let folder = tempfile::tempdir().unwrap();
        let Some(asset) = source(folder.path(), &sample) else { continue };
        let Ok(scene) = asset.scene() else { continue };
        let excused = |fault: &Finding| {
            CONDITIONS.iter().any(|(rules, condition)| rules.contains(&fault.rule.id) && condition(&scene))
        };
        for target in targets.iter().filter(|target| target.info().id != asset.format().id) {
            for dialect in target.info().dialects.iter().filter(|dialect| dialect.write) {
                let options = ConvertOptions { dialect: Some(dialect.id.to_owned()), ..ConvertOptions::to(*target) };
                let Ok(converted) = convert(&asset, &options) else { continue };
                let faults = faults(&converted, &asset, dialect.id);
                for fault in faults.iter().filter(|fault| fault.severity > Severity::Info && !excused(fault)) {
                    let kind = format!("{} {} {}", target.info().id, dialect.id, fault.rule.id);
                    let what = format!("{} {}: {}", sample.format, sample.name, fault.message);
                    found.entry(kind).or_default().push(what);
                }
            }
        }
    }
    let lines: Vec<String> = found.iter().map(|(kind, all)| format!("{kind}: {}", all.join("; "))).collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}
