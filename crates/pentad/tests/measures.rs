//! Lengths, turns, colours and names that are the source's: what a conversion makes of them, and what it says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use pentad::scene::{LightKind, Projection, Scene, Transform, UpAxis};
use pentad::{
    Asset, ConvertOptions, Converted, Corrections, File, Measure, TOLERANCE, Verified, convert, formats, verify,
};
use serde_json::{Value as Json, json};

fn read(name: &str, bytes: impl Into<Vec<u8>>) -> Asset {
    File::from_bytes(name, bytes).read(&Default::default()).unwrap()
}

fn to(id: &str) -> ConvertOptions {
    ConvertOptions::to(formats::by_id(id).unwrap())
}

/// What is written, read again, and how it compares.
fn there(source: &Asset, options: &ConvertOptions) -> (Converted, Asset, Verified) {
    let converted = convert(source, options).unwrap();
    let written = read(&format!("it.{}", options.to.info().extensions[0]), converted.to_vec().unwrap());
    let verified = verify(source, options, &converted.losses, &written, TOLERANCE).unwrap();
    (converted, written, verified)
}

fn losses(converted: &Converted) -> Vec<(&'static str, &str, u64)> {
    converted.losses.iter().map(|loss| (loss.code, loss.what.as_str(), loss.count)).collect()
}

/// A triangle at these nodes, and further data behind its corners.
fn triangle(nodes: Json, data: &[u8]) -> Json {
    let corners = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].into_iter().flat_map(f32::to_le_bytes);
    let bytes: Vec<u8> = corners.chain(data.iter().copied()).collect();
    let text: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let roots: Vec<usize> = (0..nodes.as_array().unwrap().len()).collect();
    let (min, max) = ([0, 0, 0], [1, 1, 0]);
    json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream,{text}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": min, "max": max }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "nodes": nodes,
        "scenes": [{ "nodes": roots }],
        "scene": 0,
    })
}

#[test]
fn turns_of_copies_in_whole_numbers_are_of_unit_length() {
    // 90 and 45 degrees about X; both are as long as their rounding makes them.
    let turns: [[i8; 4]; 2] = [[90, 0, 0, 90], [49, 0, 0, 117]];
    let turns: Vec<u8> = turns.as_flattened().iter().map(|v| v.cast_unsigned()).collect();
    let attributes = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "ROTATION": 1 } } });
    let mut root = triangle(json!([{ "mesh": 0, "extensions": attributes }]), &turns);
    root["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let view = json!({ "buffer": 0, "byteOffset": 36, "byteLength": 8 });
    root["bufferViews"].as_array_mut().unwrap().push(view);
    let accessor = json!({ "bufferView": 1, "componentType": 5120, "normalized": true, "count": 2, "type": "VEC4" });
    root["accessors"].as_array_mut().unwrap().push(accessor);
    let source = read("copies.gltf", root.to_string());
    let scene = source.scene().unwrap();
    let copies = &scene.nodes.iter().find_map(|node| node.instances.as_ref()).unwrap().placements;
    for (copy, degrees) in copies.iter().zip([90_f32, 45.]) {
        let Transform::Trs { rotation: [x, y, z, w], .. } = copy.transform else { panic!("{copy:?}") };
        assert!((x * x + w * w - 1.).abs() < 1e-6 && (y, z) == (0., 0.), "{copy:?}");
        assert!((2. * x.atan2(w).to_degrees() - degrees).abs() < 1., "{copy:?}");
    }
    for id in ["glb", "das2", "dragon", "dgl2", "dgl3"] {
        let (_, _, verified) = there(&source, &to(id));
        assert!(verified.holds && verified.explained.is_empty(), "{id}: {verified:?}");
    }
}

/// Cameras and a light, with their lengths multiplied.
fn assert_lengths(scene: &Scene, factor: f32) {
    let cameras: Vec<_> = scene.cameras.iter().map(|camera| (camera.projection, camera.near, camera.far)).collect();
    let perspective = Projection::Perspective { fov_y: 1., aspect: None };
    let parallel = Projection::Orthographic { x: 2. * factor, y: factor };
    let expected = [(perspective, 0.5 * factor, Some(8. * factor)), (parallel, 0., Some(4. * factor))];
    assert_eq!(cameras, expected);
    let lights: Vec<_> = scene.lights.iter().map(|light| (light.kind, light.intensity, light.range)).collect();
    assert_eq!(lights, [(LightKind::Point, 7., Some(4. * factor))]);
}

#[test]
fn cameras_and_lights_are_scaled_with_the_scene() {
    let lights = "KHR_lights_punctual";
    let nodes = json!([{ "mesh": 0 }, { "camera": 0 }, { "camera": 1 }, { "extensions": { lights: { "light": 0 } } }]);
    let mut root = triangle(nodes, &[]);
    root["cameras"] = json!([
        { "type": "perspective", "perspective": { "yfov": 1, "znear": 0.5, "zfar": 8 } },
        { "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 1, "znear": 0, "zfar": 4 } },
    ]);
    root["extensionsUsed"] = json!([lights]);
    root["extensions"] = json!({ lights: { "lights": [{ "type": "point", "intensity": 7, "range": 4 }] } });
    let source = read("lengths.gltf", root.to_string());
    for (unit, scale) in [(None, None), (None, Some(100.)), (Some(0.25), None), (Some(0.25), Some(100.))] {
        let factor = unit.unwrap_or(1.) * scale.unwrap_or(1.);
        let options = ConvertOptions { corrections: Corrections { unit, scale, ..Default::default() }, ..to("glb") };
        let (converted, glb, verified) = there(&source, &options);
        assert!(verified.holds && converted.losses.is_empty(), "{factor}: {verified:?} {:?}", converted.losses);
        assert_lengths(&glb.scene().unwrap(), factor as f32);
    }
}

#[test]
fn colour_that_is_clamped_explains_what_is_off() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.mtl"), "newmtl A\nKd 2 1 1\n").unwrap();
    let path = folder.path().join("k.obj");
    std::fs::write(&path, "mtllib k.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl A\nf 1 2 3\n").unwrap();
    let (converted, _, verified) = there(&pentad::open(path).unwrap(), &to("glb"));
    assert!(losses(&converted).iter().any(|(code, ..)| *code == "LOSS-023"), "{:?}", converted.losses);
    assert!(verified.holds && verified.explained == [Measure::MaxMaterialError], "{verified:?}");
}

#[test]
fn name_that_the_reader_made_up_is_not_lost() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (text, names) in [("f 1 2 3\n", 0), ("o A\nf 1 2 3\n", 2), ("f 1 2 3\no Default\nf 1 2 3\n", 4)] {
        let (converted, _, verified) = there(&read("it.obj", format!("{corners}{text}")), &to("ply"));
        assert!(verified.holds, "{text}: {verified:?}");
        let lost = losses(&converted).into_iter().filter(|(code, ..)| *code == "LOSS-014").map(|(.., count)| count);
        assert_eq!(lost.sum::<u64>(), names, "{text}");
    }
}

#[test]
fn vertices_that_nothing_draws_and_third_texture_coordinates_are_listed() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nv 8 8 8\nvt 0 0 0\nvt 1 0 0.5\nvt 0 1\n";
    let loose = ("LOSS-064", "vertices that are not drawn", 2);
    let deep = ("LOSS-017", "third texture coordinates", 1);
    let cases: [(&str, &[_]); 3] =
        [("f 1/1 2/2 3/3\n", &[loose, deep]), ("f 1/1 2/2 3/3\np 4 5\n", &[deep]), ("p 1 2 3\nl 4 5\n", &[deep])];
    for (text, expected) in cases {
        let (converted, ..) = there(&read("it.obj", format!("{corners}{text}")), &to("glb"));
        assert_eq!(losses(&converted), expected, "{text}");
    }
    let (converted, ..) = there(&read("it.obj", "v 0 0 0\nv 1 0 0\n"), &to("glb"));
    assert_eq!(losses(&converted), [], "vertices alone are points");
}

/// The default scene's box, rounded.
fn bounds(scene: &Scene) -> [[i32; 3]; 2] {
    let bounds = scene.bounds().unwrap();
    [bounds.min, bounds.max].map(|corner| corner.to_array().map(|v| (v * 100.).round() as i32))
}

/// SCENE.md: +Z is (x, z, -y), +X (-y, x, z), and so on.
#[test]
fn axis_that_the_file_names_is_replaced() {
    let text = "v 1 2 3\nv 4 2 3\nv 1 5 3\nf 1 2 3\n";
    let turned = [
        ("+Y", [[100, 200, 300], [400, 500, 300]]),
        ("+Z", [[100, 300, -500], [400, 300, -200]]),
        ("+X", [[-500, 100, 300], [-200, 400, 300]]),
        ("-Y", [[100, -500, -300], [400, -200, -300]]),
        ("-Z", [[100, -300, 200], [400, -300, 500]]),
        ("-X", [[200, -400, 300], [500, -100, 300]]),
    ];
    let axis = |name: &str| UpAxis::ALL.into_iter().find(|axis| axis.name() == name);
    let correct =
        |up: &str| ConvertOptions { corrections: Corrections { up: axis(up), ..Default::default() }, ..to("glb") };
    for (first, expected) in turned {
        let (_, once, _) = there(&read("it.obj", text), &correct(first));
        assert_eq!(bounds(&once.scene().unwrap()), expected, "{first}");
        for (second, expected) in turned {
            let (converted, twice, verified) = there(&once, &correct(second));
            assert!(converted.losses.is_empty() && verified.holds, "{first} {second}: {:?}", converted.losses);
            assert_eq!(bounds(&twice.scene().unwrap()), expected, "{first} {second}");
        }
    }
}

#[test]
fn size_stays_when_the_axis_is_replaced() {
    let text = "v 1 2 3\nv 4 2 3\nv 1 5 3\nf 1 2 3\n";
    let larger = ConvertOptions { corrections: Corrections { scale: Some(2.), ..Default::default() }, ..to("glb") };
    let (_, larger, _) = there(&read("it.obj", text), &larger);
    let corrections = Corrections { up: Some(UpAxis::PosZ), ..Default::default() };
    let (_, turned, _) = there(&larger, &ConvertOptions { corrections, ..to("glb") });
    assert_eq!(bounds(&turned.scene().unwrap()), [[200, 600, -1000], [800, 600, -400]]);
}

#[test]
fn roots_that_scenes_share_are_corrected_once() {
    let places = [[0, 0, 0], [5, 0, 0], [0, 5, 0]].map(|place| json!({ "mesh": 0, "translation": place }));
    let mut root = triangle(json!(places), &[]);
    root["scenes"] = json!([{ "nodes": [0, 2] }, { "nodes": [1, 2] }]);
    root["scene"] = json!(1);
    let source = read("shared.gltf", root.to_string());
    for corrections in [
        Corrections { scale: Some(2.), ..Default::default() },
        Corrections { up: Some(UpAxis::NegX), unit: Some(2.), ..Default::default() },
    ] {
        let (converted, written, verified) = there(&source, &ConvertOptions { corrections, ..to("glb") });
        assert!(converted.losses.is_empty() && verified.holds, "{:?}", converted.losses);
        let scene = written.scene().unwrap();
        assert_eq!(scene.scenes.iter().map(|scene| scene.nodes.len()).collect::<Vec<_>>(), [2, 2]);
        let expected =
            if corrections.up.is_none() { [[0, 0, 0], [1200, 1200, 0]] } else { [[0, -1200, 0], [1200, 0, 0]] };
        assert_eq!(bounds(&scene), expected);
    }
}

#[test]
fn numbers_that_mean_nothing_are_told() {
    for (rule, path, code) in
        [("DAN-013", "pieces[0].mode", "LOSS-027"), ("DAS2-042", "body.channels[0].interpolation_type", "LOSS-063")]
    {
        let case = corpus::rule_cases().into_iter().find(|c| c.rule == rule && c.at.is_some_and(|at| at.0 == path));
        let case = case.expect("a recipe");
        let told = |bytes: Vec<u8>| {
            let converted =
                convert(&pentad::File::from_bytes("it", bytes).read(&Default::default()).unwrap(), &to("glb"));
            converted.unwrap().losses.iter().any(|loss| loss.code == code)
        };
        assert_eq!((told((case.fail)()), told((case.pass)())), (true, false), "{code}");
    }
}
