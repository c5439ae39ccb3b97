//! What was written is measured against what should have been: every conversion of every sample holds, and every kind of
//! fault shows in its own measure.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use corpus::Kind;
use pentad::findings::{Losses, Subject, SubjectKind};
use pentad::formats::{self, AnyFormat, FORMATS};
use pentad::{
    Asset, ConvertOptions, Corrections, File, Measure, SaveOptions, TOLERANCE, Verified, convert, open, save, verify,
};
use serde_json::{Value as Json, json};

mod alike;
mod shown;

fn to(id: &str) -> ConvertOptions {
    ConvertOptions::to(formats::by_id(id).unwrap())
}

#[test]
fn every_conversion_of_a_good_sample_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (mut seen, mut moments) = (0, 0);
    let mut off = Vec::new();
    for sample in corpus::samples().iter().filter(|sample| sample.kind != Kind::Bad) {
        let Some(format) = formats::by_id(sample.format).filter(|format| format.info().read) else { continue };
        let source = folder.path().join(format!("source.{}", format.info().extensions[0]));
        for (name, bytes) in (sample.beside)() {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        std::fs::write(&source, (sample.bytes)()).unwrap();
        let Ok(source) = open(source) else { continue };
        let targets = || FORMATS.iter().filter(|target| target.info().read && target.info().write);
        let dialects = |target: &'static dyn AnyFormat| target.info().dialects.iter().filter(|dialect| dialect.write);
        let plain = targets().flat_map(|target| {
            let to = |id: &str| ConvertOptions { dialect: Some(id.to_owned()), ..ConvertOptions::to(*target) };
            dialects(*target).map(move |dialect| to(dialect.id)).collect::<Vec<_>>()
        });
        let larger = targets().map(|target| {
            let corrections = Corrections { scale: Some(2.), ..Corrections::default() };
            ConvertOptions { corrections, ..ConvertOptions::to(*target) }
        });
        for options in plain.chain(larger) {
            let target = options.to;
            let Ok(converted) = convert(&source, &options) else { continue };
            let there = folder.path().join(format!("there.{}", target.info().extensions[0]));
            save(&converted, &there, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
            let Ok(verified) = verify(&source, &options, &converted.losses, &open(there).unwrap(), TOLERANCE) else {
                continue;
            };
            let scale = options.corrections.scale.unwrap_or(1.);
            let written = converted.document.dialect();
            let what = format!("{} {} as {} {written}, times {scale}", sample.format, sample.name, target.info().id);
            if !verified.holds {
                off.push(format!("{what}: {verified:?}"));
            }
            (seen, moments) = (seen + 1, moments + verified.samples);
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
    assert!(seen > 50 && moments > 100, "{seen} conversions, {moments} moments");
}

/// A triangle with everything that is measured; it and a light stand still, a second triangle moves.
fn model() -> Json {
    let numbers = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let corners = numbers(&[0., 0., 0., 2., 0., 0., 0., 1., 0.]);
    let normals = numbers(&[0., 0., 1., 0., 0., 1., 0., 0., 1.]);
    let uvs = numbers(&[0., 0., 1., 0., 0., 1.]);
    let colors = numbers(&[1., 0.5, 0.25, 0., 1., 0., 0., 0., 1.]);
    let times = numbers(&[0., 1.]);
    let ways = numbers(&[0., 0., 0., 0., 3., 0.]);
    let parts = [corners, normals, uvs, colors, times, ways];
    let mut views = Vec::new();
    let mut offset = 0;
    for part in &parts {
        views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": part.len() }));
        offset += part.len();
    }
    let bytes: String = parts.concat().iter().map(|byte| format!("%{byte:02x}")).collect();
    let accessor = |view: usize, count: usize, kind: &str| json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind });
    json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": offset, "uri": format!("data:application/octet-stream,{bytes}") }],
        "bufferViews": views,
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [2, 1, 0] },
            accessor(1, 3, "VEC3"), accessor(2, 3, "VEC2"), accessor(3, 3, "VEC3"),
            { "bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            accessor(5, 2, "VEC3"),
        ],
        "materials": [{ "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.5, 0.25, 1.0], "metallicFactor": 0.0 } }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "COLOR_0": 3 }, "material": 0
        }] }],
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": { "KHR_lights_punctual": { "lights": [{ "type": "point", "color": [1.0, 0.5, 0.0] }] } },
        "nodes": [
            { "name": "still", "mesh": 0, "translation": [1.0, 0.0, 0.0] },
            { "name": "moving", "mesh": 0 },
            { "name": "lamp", "extensions": { "KHR_lights_punctual": { "light": 0 } } },
        ],
        "scenes": [{ "nodes": [0, 1, 2] }],
        "scene": 0,
        "animations": [{ "name": "rise",
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }],
            "samplers": [{ "input": 4, "output": 5 }],
        }],
    })
}

fn asset(root: &Json) -> Asset {
    File::from_bytes("model.gltf", root.to_string()).read(&Default::default()).unwrap()
}

fn measured(edit: impl FnOnce(&mut Json)) -> Verified {
    let mut written = model();
    edit(&mut written);
    verify(&asset(&model()), &to("gltf"), &Losses::default(), &asset(&written), TOLERANCE).unwrap()
}

/// The measures that are off.
fn off(verified: &Verified) -> Vec<&'static str> {
    verified.off().map(Measure::key).collect()
}

#[test]
fn every_fault_shows_in_its_own_measure() {
    let same = measured(|_| {});
    assert!(same.holds && off(&same).is_empty() && same.samples == 8 && same.elements == 2, "{same:?}");
    assert!((same.diagonal - 10_f64.sqrt()).abs() < 1e-12, "{same:?}");

    type Edit = fn(&mut Json);
    let faults: [(&[&str], Edit); 10] = [
        (&["max_position_error", "missing_nodes"], |root| {
            root["nodes"][0]["translation"] = json!([1.25, 0.0, 0.0]);
        }),
        (&["max_animated_error"], |root| root["animations"][0]["samplers"][0]["interpolation"] = json!("STEP")),
        (&["missing_animations"], |root| root["animations"] = json!([])),
        (&["max_normal_error"], |root| root["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(0)),
        (&["max_uv_error"], |root| root["accessors"][2]["bufferView"] = json!(3)),
        (&["max_color_error"], |root| root["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(1)),
        (&["max_material_error"], |root| {
            root["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.5);
        }),
        (&["missing_nodes"], |root| root["nodes"][1]["name"] = json!("other")),
        (&["missing_lights"], |root| {
            root["extensions"]["KHR_lights_punctual"]["lights"][0]["color"] = json!([1.0, 1.0, 0.0]);
        }),
        (&["missing_elements"], |root| {
            root["nodes"][0].as_object_mut().unwrap().remove("mesh");
        }),
    ];
    for (expected, edit) in faults {
        let verified = measured(edit);
        assert!(!verified.holds, "{expected:?}");
        assert_eq!(off(&verified), expected, "{verified:?}");
    }
    let moved = measured(|root| root["nodes"][0]["translation"] = json!([1.25, 0.0, 0.0]));
    assert!((moved.max_position_error - 0.25 / 10_f64.sqrt()).abs() < 1e-12, "{moved:?}");
}

#[test]
fn movement_is_looked_at_between_keys() {
    let mut stepped = model();
    stepped["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    let source = asset(&stepped);
    // A frame where each key is: between them DGL3 moves evenly, and a loss tells how far off that is.
    let mut options = to("dgl3");
    options.options.set("fps", "1");
    let converted = convert(&source, &options).unwrap();
    let told: Vec<f64> =
        converted.losses.iter().filter(|loss| loss.code == "LOSS-040").filter_map(|loss| loss.size).collect();
    let folder = tempfile::tempdir().unwrap();
    save(&converted, folder.path().join("there.dgl3"), &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
    let written = open(folder.path().join("there.dgl3")).unwrap();
    let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
    // The step is three metres of a model whose diagonal is √10.
    assert!(verified.holds && verified.explained.contains(&Measure::MaxAnimatedError), "{verified:?}");
    assert!((told[0] - 3. / 10_f64.sqrt()).abs() < 0.01, "{told:?}");
    assert!((verified.max_animated_error - 3. / 10_f64.sqrt()).abs() < 0.1, "{verified:?}");
    // One that says less than what it is explains nothing.
    let mut losses = Losses::default();
    losses.add_measured(
        &pentad::scene::loss::LOSS_040,
        0.1,
        Subject::new(SubjectKind::Animation, 0, "rise"),
        1,
        "keys",
        "they are frames",
    );
    let verified = verify(&source, &options, &losses, &written, TOLERANCE).unwrap();
    assert!(!verified.holds && verified.unexplained[0].measure == Measure::MaxAnimatedError, "{verified:?}");
}

#[test]
fn a_distance_is_explained_by_a_loss_that_states_it() {
    let mut morphed = model();
    morphed["meshes"][0]["weights"] = json!([0.5]);
    morphed["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    let (source, options) = (asset(&morphed), to("das2"));
    let converted = convert(&source, &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.das2");
    save(&converted, &there, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
    let written = open(there).unwrap();
    let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
    assert!(verified.holds && verified.explained.contains(&Measure::MaxPositionError), "{verified:?}");
    // Half of a target that is the shape again moves the corner at two metres by one: the box is 4 by 1.5 metres.
    let told: Vec<f64> =
        converted.losses.iter().filter(|loss| loss.code == "LOSS-044").filter_map(|loss| loss.size).collect();
    let expected = 1. / (16_f64 + 2.25).sqrt();
    assert!(told.len() == 1 && (told[0] - expected).abs() < 1e-6, "{told:?} {expected}");
    // A loss that states no size, and one that states less, explain nothing.
    let info = &pentad::scene::loss::LOSS_044;
    let mut silent = Losses::default();
    silent.add(info, Subject::new(SubjectKind::Mesh, 0, ""), 1, "weights", "it stores none");
    let mut small = Losses::default();
    small.add_measured(info, expected / 2., Subject::new(SubjectKind::Mesh, 0, ""), 1, "weights", "it stores none");
    for losses in [silent, small] {
        let verified = verify(&source, &options, &losses, &written, TOLERANCE).unwrap();
        assert!(verified.unexplained.iter().any(|off| off.measure == Measure::MaxPositionError), "{verified:?}");
    }
}

/// A second animation, half as long and the other way; both have names, which das2's document has no field for.
fn two_animations() -> Json {
    let mut root = model();
    root["animations"][0]["name"] = json!("up");
    root["accessors"].as_array_mut().unwrap().extend([
        json!({ "bufferView": 4, "byteOffset": 0, "componentType": 5126, "count": 1, "type": "SCALAR" }),
        json!({ "bufferView": 5, "byteOffset": 12, "componentType": 5126, "count": 1, "type": "VEC3" }),
    ]);
    let last = root["accessors"].as_array().unwrap().len();
    root["animations"].as_array_mut().unwrap().push(json!({
        "name": "aside",
        "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }],
        "samplers": [{ "input": last - 2, "output": last - 1 }],
    }));
    root
}

#[test]
fn animations_are_looked_at_under_whatever_name() {
    let source = asset(&two_animations());
    let converted = convert(&source, &to("das2")).unwrap();
    assert_eq!(converted.losses.iter().filter(|loss| loss.code == "LOSS-060").count(), 2);
    let whole = written(&source, "das2");
    assert!(whole.holds && whole.samples > 1 && whole.max_animated_error < TOLERANCE, "{whole:?}");

    let compared = |edit: &dyn Fn(&mut Json)| {
        let mut other = two_animations();
        edit(&mut other);
        verify(&source, &to("gltf"), &converted.losses, &asset(&other), TOLERANCE).unwrap()
    };
    let nameless = compared(&|root| {
        root["animations"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|a| _ = a.as_object_mut().unwrap().remove("name"));
    });
    assert!(nameless.holds && nameless.explained == [Measure::RenamedAnimations], "{nameless:?}");
    assert_eq!(nameless.max_animated_error, 0.);
    // That names are lost explains no animation that is lost.
    let gone = compared(&|root| {
        let animations = root["animations"].as_array_mut().unwrap();
        animations.remove(0);
        animations[0].as_object_mut().unwrap().remove("name");
    });
    assert!(
        !gone.holds && (gone.missing_animations, gone.renamed_animations) == (1, 1) && gone.max_animated_error == 0.,
        "{gone:?}"
    );
}

#[test]
fn elements_may_stand_in_another_order() {
    let turned = measured(|root| root["scenes"][0]["nodes"] = json!([2, 1, 0]));
    assert!(turned.holds && turned.max_position_error == 0., "{turned:?}");
}

#[test]
fn what_a_loss_explains_is_told_and_does_not_count() {
    let mut written = model();
    written["animations"] = json!([]);
    let mut losses = Losses::default();
    losses.add(
        &pentad::scene::loss::LOSS_001,
        Subject::new(SubjectKind::Animation, 0, "rise"),
        1,
        "animation",
        "there are none",
    );
    let verified = verify(&asset(&model()), &to("gltf"), &losses, &asset(&written), TOLERANCE).unwrap();
    assert!(verified.holds && verified.explained == [Measure::MissingAnimations], "{verified:?}");
}

#[test]
fn a_loss_explains_nothing_at_objects_that_it_does_not_name() {
    use pentad::scene::loss::{LOSS_014, LOSS_031, LOSS_041};
    let mut source = model();
    source["materials"][0]["name"] = json!("paint");
    let moved = |root: &mut Json| root["nodes"][0]["translation"] = json!([1.25, 0.0, 0.0]);
    let painted = |root: &mut Json| root["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.5);
    let renamed = |root: &mut Json| root["nodes"][1]["name"] = json!("other");
    let node = |i: usize| Subject::new(SubjectKind::Node, i, source["nodes"][i]["name"].as_str().unwrap());
    let [still, other] = [0, 1].map(node);
    let paint = Subject::new(SubjectKind::Material, 0, "paint");
    let main = Subject::new(SubjectKind::Scene, 0, "main");
    type Case<'a> = (&'a dyn Fn(&mut Json), Vec<(&'static pentad::findings::LossInfo, Subject)>, bool);
    let cases: [Case<'_>; 7] = [
        (&moved, vec![(&LOSS_031, still.clone()), (&LOSS_014, still.clone())], true),
        (&moved, vec![(&LOSS_031, other.clone()), (&LOSS_014, still)], false),
        (&painted, vec![(&LOSS_041, paint)], true),
        (&painted, vec![(&LOSS_041, other.clone())], false),
        (&renamed, vec![(&LOSS_014, other)], true),
        (&renamed, vec![(&LOSS_014, main)], false),
        (&renamed, vec![(&LOSS_014, "file".into())], true),
    ];
    for (number, (edit, told, holds)) in cases.into_iter().enumerate() {
        let mut written = source.clone();
        edit(&mut written);
        let mut losses = Losses::default();
        for (info, subject) in told {
            losses.add_measured(info, 0.25, subject, 1, "something", "it is so");
        }
        let verified = verify(&asset(&source), &to("gltf"), &losses, &asset(&written), TOLERANCE).unwrap();
        assert_eq!(verified.holds, holds, "{number}: {verified:?}");
    }
}

#[test]
fn what_only_pentad_reads_does_not_count() {
    let mut sheared = model();
    sheared["nodes"][0] = json!({ "name": "still", "mesh": 0,
        "matrix": [1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0] });
    let corrections = Corrections { scale: Some(2.), ..Corrections::default() };
    let (source, options) = (asset(&sheared), ConvertOptions { corrections, ..to("glb") });
    let converted = convert(&source, &options).unwrap();
    let file = File::from_bytes("model.glb", converted.to_vec().unwrap());
    let written = file.read(&Default::default()).unwrap();
    // pentad brings the shear back; other programs see the third corner at (0, 2, 0) instead of (1, 2, 0).
    let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
    assert!((verified.max_position_error - 1. / verified.diagonal).abs() < 1e-6, "{verified:?}");
    assert!(verified.holds && verified.explained.contains(&Measure::MaxPositionError), "{verified:?}");
    let untold = verify(&source, &options, &Losses::default(), &written, TOLERANCE).unwrap();
    assert!(!untold.holds, "{untold:?}");
}

/// A model, written and read again.
fn written(source: &Asset, target: &str) -> Verified {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join(format!("there.{target}"));
    let converted = convert(source, &to(target)).unwrap();
    save(&converted, &there, &SaveOptions { force: true, ..SaveOptions::default() }).unwrap();
    verify(source, &to(target), &converted.losses, &open(there).unwrap(), TOLERANCE).unwrap()
}

/// A sample, as the bytes of a GLB.
fn travelled(format: &str, name: &str) -> Vec<u8> {
    let sample = corpus::samples().into_iter().find(|sample| sample.format == format && sample.name == name).unwrap();
    let source = File::from_bytes(format!("source.{format}"), (sample.bytes)()).read(&Default::default()).unwrap();
    convert(&source, &to("glb")).unwrap().to_vec().unwrap()
}

#[test]
fn faces_of_voxels_are_the_voxels_that_come_back() {
    let glb = File::from_bytes("source.glb", travelled("dragon", "model")).read(&Default::default()).unwrap();
    let verified = written(&glb, "dragon");
    assert!(verified.holds && verified.missing_elements + verified.extra_elements == 0, "{verified:?}");
}

#[test]
fn a_mesh_that_nothing_shows_is_where_the_target_has_it() {
    let mut loose = model();
    let still = loose["nodes"][0].as_object_mut().unwrap();
    still.remove("mesh");
    loose["nodes"][1]["mesh"] = json!(0);
    let another = loose["meshes"][0].clone();
    loose["meshes"].as_array_mut().unwrap().push(another);
    // Only files that pentad wrote have meshes that are meant to be nowhere.
    loose["asset"]["extras"] = json!({ "pentad": { "carry": 1 } });
    for target in ["das2", "dgl2", "dgl3", "dragon", "obj", "glb"] {
        let verified = written(&asset(&loose), target);
        assert!(verified.holds && verified.extra_elements == 0, "{target}: {verified:?}");
    }
}

#[test]
fn what_is_mirrored_is_seen_with_its_corners_turned_round() {
    let mut mirrored = model();
    mirrored["nodes"].as_array_mut().unwrap().push(json!({ "scale": [-1.0, 1.0, 1.0], "children": [1] }));
    mirrored["scenes"][0]["nodes"] = json!([0, 3, 2]);
    let verified = written(&asset(&mirrored), "dragon");
    assert!(verified.holds && verified.max_position_error < TOLERANCE, "{verified:?}");
    assert!(verified.max_normal_error < TOLERANCE && verified.max_animated_error < TOLERANCE, "{verified:?}");
}

/// The model with its first triangle on a joint, which is the lamp.
fn bent() -> Json {
    let mut bent = model();
    // Every vertex hangs on the first joint alone.
    let whole = "%ff%00%00%00".repeat(3);
    let mut push = |key: &str, value: Json| bent[key].as_array_mut().unwrap().push(value);
    push("buffers", json!({ "byteLength": 12, "uri": format!("data:application/octet-stream,{whole}") }));
    push("bufferViews", json!({ "buffer": 1, "byteLength": 12 }));
    push("accessors", json!({ "componentType": 5121, "count": 3, "type": "VEC4" }));
    push(
        "accessors",
        json!({ "bufferView": 6, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4" }),
    );
    bent["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(6);
    bent["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(7);
    bent["skins"] = json!([{ "joints": [2] }]);
    bent["nodes"][0]["skin"] = json!(0);
    bent
}

#[test]
fn normals_of_a_bent_shape_follow_its_joints() {
    let bent = bent();
    // The place of the node itself means nothing.
    let mut turned = bent.clone();
    turned["nodes"][0]["rotation"] = json!([1.0, 0.0, 0.0, 0.0]);
    let verified = verify(&asset(&bent), &to("gltf"), &Losses::default(), &asset(&turned), TOLERANCE).unwrap();
    assert!(verified.holds && verified.max_normal_error == 0., "{verified:?}");
}

#[test]
fn joints_stand_where_their_parents_have_them_whichever_scene_shows_them() {
    let mut source = bent();
    source["nodes"].as_array_mut().unwrap().extend([
        json!({ "name": "base", "translation": [0.0, 0.0, 2.0], "children": [4] }),
        json!({ "name": "joint", "translation": [0.0, 1.0, 0.0] }),
    ]);
    source["skins"] = json!([{ "joints": [4] }]);
    source["nodes"][1].as_object_mut().unwrap().remove("mesh");
    source["animations"] = json!([]);
    for scenes in [json!([{ "nodes": [0, 2] }]), json!([{ "nodes": [0, 2] }, { "nodes": [3] }])] {
        let mut source = source.clone();
        source["scenes"] = scenes;
        // By hand: the joint is at (0, 1, 2), and nothing was bound anywhere else.
        let stl = convert(&asset(&source), &to("stl")).unwrap().to_vec().unwrap();
        let float = |at: usize| f32::from_le_bytes(stl[at..at + 4].try_into().unwrap());
        let corners: Vec<f32> = (0..9).map(|i| float(84 + 12 + 4 * i)).collect();
        assert_eq!(corners, [0., 1., 2., 2., 1., 2., 0., 2., 2.]);
        let targets = FORMATS.iter().map(|target| target.info()).filter(|info| info.read && info.write);
        for target in targets.filter(|info| info.id != "mat") {
            let verified = written(&asset(&source), target.id);
            assert!(verified.holds && verified.elements == 1, "{}: {verified:?}", target.id);
            assert!(verified.max_position_error == 0., "{}: {verified:?}", target.id);
        }
        // A file that has the joint at the origin does not pass.
        let mut wrong = source.clone();
        (wrong["nodes"][3]["translation"], wrong["nodes"][4]["translation"]) = (json!([0, 0, 0]), json!([0, 0, 0]));
        let stl = convert(&asset(&wrong), &to("stl")).unwrap().to_vec().unwrap();
        let stl = File::from_bytes("model.stl", stl).read(&Default::default()).unwrap();
        let verified = verify(&asset(&source), &to("stl"), &Losses::default(), &stl, TOLERANCE).unwrap();
        assert!(!verified.holds && off(&verified).contains(&"max_position_error"), "{verified:?}");
    }
}

/// A vertex with such a weight stands nowhere; what is written has it somewhere, and says so.
#[test]
fn weights_that_were_no_numbers_explain_vertices_that_stood_nowhere_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let case = |rule: &str| corpus::samples().into_iter().find(|sample| (sample.format, sample.name) == ("glb", rule));
    let bytes = (case("moving").expect("a sample with a skin").bytes)();
    let weights: Vec<u8> = [0.5_f32, 0.5, 0., 0.].iter().flat_map(|v| v.to_le_bytes()).collect();
    let at = bytes.windows(16).position(|window| window == weights).expect("its first weights");
    let mut broken = bytes.clone();
    broken[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let read = |bytes: &[u8]| File::from_bytes("a.glb", bytes.to_vec()).read(&Default::default()).unwrap();
    let source = read(&broken);
    for target in ["das2", "dragon", "dgl3"] {
        let options = to(target);
        let converted = convert(&source, &options).unwrap();
        let there = folder.path().join(format!("there.{target}"));
        save(&converted, &there, &SaveOptions::default()).unwrap();
        let written = open(there).unwrap();
        let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
        let unexplained = |verified: &Verified, measure| verified.unexplained.iter().any(|off| off.measure == measure);
        assert!(!unexplained(&verified, Measure::MaxPositionError), "{target}: {verified:?}");
        let silent = verify(&source, &options, &Losses::default(), &written, TOLERANCE).unwrap();
        assert!(unexplained(&silent, Measure::MaxPositionError), "{target}: {silent:?}");
    }
}

#[test]
fn numbers_beyond_the_target_do_not_hold() {
    let source = asset(&model());
    for (target, scale) in [("das2", 1e300), ("das2", 1e-300), ("stl", 1e300), ("glb", 1e60)] {
        let corrections = Corrections { scale: Some(scale), ..Corrections::default() };
        let options = ConvertOptions { corrections, ..to(target) };
        let converted = convert(&source, &options).unwrap();
        let file = File::from_bytes(format!("model.{target}"), converted.to_vec().unwrap());
        let written = file.read(&Default::default()).unwrap();
        let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
        // What does not fit is nothing, or as large as there are numbers.
        let gone = verified.collapsed_parts > 0 || verified.max_position_error > 0.5;
        assert!(!verified.holds && gone, "{target} {scale}: {verified:?}");
    }
}
