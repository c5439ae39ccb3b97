//! Scenes, nodes, words, cameras and lights.

use formats::gltf::{Gltf, carry};
use formats::{Format, NoSource, Options, ReadCx};
use scene::*;
use serde_json::{Value as Json, json};
use wire::Blob;

use crate::support::*;

#[test]
fn scene_of_nothing_has_no_empty_lists() {
    let (parsed, losses) = glb("nothing", &Scene::new());
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json.as_object().unwrap().keys().collect::<Vec<_>>(), ["asset", "scene", "scenes"]);
    assert_eq!(parsed.json["scenes"], json!([{}]));
}

#[test]
fn nodes_keep_hierarchy_transforms_names_and_roles() {
    let mut scene = Scene::new();
    let columns = [0., 0., -1., 0., 0., 2., 0., 0., 1., 0., 0., 0., 5., 6., 7., 1.];
    let leaf = scene.nodes.add(Node {
        name: Name::from(&b"caf\xe9\x07"[..]),
        transform: Transform::Matrix(columns),
        visible: false,
        ..Node::default()
    });
    let middle = scene.nodes.add(Node {
        name: "\u{1b}[31m \"quoted\"\n".into(),
        children: vec![leaf],
        transform: Transform::Trs { translation: [0.1, 0., -2.5], rotation: [0., 0.6, 0., 0.8], scale: [1.; 3] },
        socket: Some(Socket { primary: true }),
        ..Node::default()
    });
    scene.add_root(Node { children: vec![middle], role: NodeRole::Axis, ..Node::default() });
    let (parsed, losses) = glb("nodes", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(
        parsed.json["nodes"],
        json!([
            {
                "name": "caf\u{fffd}\u{7}",
                "matrix": [0, 0, -1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1],
                "extensions": {"KHR_node_visibility": {"visible": false}},
                "extras": {"pentad": {"name_bytes": "636166e907"}},
            },
            {
                "name": "\u{1b}[31m \"quoted\"\n",
                "children": [0],
                "translation": [0.1, 0, -2.5],
                "rotation": [0, 0.6, 0, 0.8],
                "extras": {"pentad": {"socket": {"primary": true}}},
            },
            {"children": [1], "extras": {"pentad": {"role": "axis"}}},
        ])
    );
    assert_eq!(parsed.json["extensionsUsed"], json!(["KHR_node_visibility"]));
}

#[test]
fn bad_transforms_are_made_valid() {
    let mut scene = Scene::new();
    let rotation = [0., 0., 0., 2.];
    let transform = Transform::Trs { translation: [f32::NAN, 0., 0.], rotation, scale: [1.; 3] };
    scene.add_root(Node { transform, ..Node::default() });
    let (parsed, losses) = glb("transforms", &scene);
    assert_eq!(losses, ["LOSS-021 node 0: transform", "LOSS-031 node 0: rotation made unit"]);
    assert_eq!(parsed.json["nodes"], json!([{}]));
}

#[test]
fn matrices_that_are_no_translation_rotation_and_scale_are_replaced() {
    let mut scene = Scene::new();
    let sheared = [2., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let flat = [0., 2., 0., 0., -3., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1.];
    for columns in [sheared, flat] {
        scene.add_root(Node { transform: Transform::Matrix(columns), ..Node::default() });
    }
    let (parsed, losses) = glb("matrices", &scene);
    assert_eq!(losses, ["LOSS-031 node 0: matrix replaced by the nearest one"]);
    let nodes = &parsed.json["nodes"];
    assert_eq!(nodes[0], json!({"scale": [2, 1, 1]}));
    // Without thickness a matrix is refused, but translation, rotation and scale say the same.
    assert_eq!(nodes[1]["scale"], json!([2, 3, 0]));
}

#[test]
fn links_that_make_no_tree_are_cut_and_listed() {
    let mut scene = Scene::new();
    let child = scene.nodes.add(Node::default());
    let first = scene.add_root(Node { children: vec![child], ..Node::default() });
    scene.add_root(Node { children: vec![child], ..Node::default() });
    scene.scenes[0].nodes.push(child);
    scene.nodes[child].children = vec![first];
    let (parsed, losses) = glb("tree", &scene);
    // Links are taken in file order: 0 → 1 and 2 → 0 stay.
    assert_eq!(losses, ["LOSS-008 node 1: link to a child", "LOSS-008 scene 0: root that has a parent (x2)"]);
    assert_eq!(parsed.json["scenes"][0]["nodes"], json!([2]));
}

#[test]
fn words_and_metadata_travel_in_extras() {
    let mut scene = scene_of(vec![triangle()]);
    scene.origin = Some(Origin { format: "danmodel".into(), dialect: "engine".into() });
    scene.space.uv_origin = UvOrigin::Bottom;
    scene.metadata.title = "star".into();
    scene.metadata.copyright = "me".into();
    scene.metadata.created = Some(u64::MAX);
    scene.metadata.raw = vec![1, 2];
    scene.extras.set("danmodel.alpha", Value::F32(0.3));
    let node = &mut scene.nodes[Id::new(0)];
    node.extras.set("danmodel.colored", 1_i64);
    node.extras.foreign = Some(Value::Map(vec![("tint".into(), Value::F64(0.5))]));
    node.properties = vec![("mass".into(), Value::F32(2.5)), ("mass".into(), Value::Bytes(vec![255]))];
    let (parsed, losses) = glb("words", &scene);
    assert_eq!(losses, [""; 0]);
    let asset = &parsed.json["asset"];
    assert_eq!(asset["copyright"], "me");
    assert_eq!(asset["extras"]["pentad"], json!({"carry": 1}));
    // Editors keep what stands in a scene.
    let mut file = parsed.json["scenes"][0]["extras"]["pentad"]["file"].clone();
    file.as_object_mut().unwrap().remove("numbers");
    assert_eq!(
        file,
        json!({
            "origin": {
                "format": "danmodel", "dialect": "engine", "up": "+Y", "handedness": "right", "unit": "metre",
                "uv_origin": "bottom",
            },
            "metadata": {
                "title": "star",
                "copyright": "me",
                "created": {"u64": "18446744073709551615"},
                "raw": "0102",
            },
            "danmodel": {"alpha": {"f32": 0.3}},
            // One node that shows a mesh, and the material that stands for none; nothing has a name.
            "holds": {
                "scenes": 1,
                "nodes that show a mesh": 1,
                "nodes with extras.pentad": 1,
                "materials with extras.pentad": 1,
            },
            "names": {"nodes": [""], "meshes": [""], "materials": [""]},
        })
    );
    let extras = &parsed.json["nodes"][0]["extras"];
    assert_eq!(extras["tint"], 0.5);
    assert_eq!(extras["pentad"]["danmodel"], json!({"colored": 1}));
    let properties = &extras["pentad"]["properties"];
    assert_eq!(properties, &json!([["mass", {"f32": 2.5}], ["mass", {"bytes": "ff"}]]));
    assert_eq!(carry::decode(&properties[0][1]), Some(Value::F32(2.5)));
}

#[test]
fn cameras_and_lights() {
    let mut scene = Scene::new();
    let extras = Extras::default;
    let camera = |projection, near, far| Camera { name: "".into(), projection, near, far, extras: extras() };
    let wide = Projection::Perspective { fov_y: 1., aspect: Some(1.5) };
    let flat = Projection::Orthographic { x: 2., y: 1. };
    let light = |kind| Light { name: "".into(), kind, color: [1.; 3], intensity: 2., range: None, extras: extras() };
    let cameras =
        [camera(wide, 0.1, None), camera(flat, 0.5, None), camera(flat, 0., Some(4.)), camera(wide, 0., None)];
    let cameras = cameras.map(|camera| scene.cameras.add(camera));
    let kinds = [LightKind::Spot { inner: 0.25, outer: 0.5 }, LightKind::Ambient, LightKind::Area];
    let lights = kinds.map(|kind| scene.lights.add(light(kind)));
    for camera in cameras {
        scene.add_root(Node { camera: Some(camera), ..Node::default() });
    }
    for light in lights {
        scene.add_root(Node { light: Some(light), ..Node::default() });
    }
    let (parsed, losses) = glb("cameras", &scene);
    let area = "LOSS-045 light 2: area that gives light";
    let [endless, at_once] = [1, 3].map(|camera| format!("LOSS-031 camera {camera}: camera made valid"));
    assert_eq!(losses, [&endless, &at_once, "LOSS-004 light 1: ambient light", area]);
    let perspective = json!({"aspectRatio": 1.5, "yfov": 1, "znear": 0.1});
    assert_eq!(parsed.json["cameras"][0], json!({"type": "perspective", "perspective": perspective}));
    assert_eq!(parsed.json["cameras"][1]["orthographic"]["xmag"], 2);
    assert_eq!(parsed.json["cameras"][1]["extras"]["pentad"]["camera"]["far"], Json::Null);
    // Only a perspective cannot begin at its camera.
    let from_zero = json!({"xmag": 2, "ymag": 1, "zfar": 4, "znear": 0});
    assert_eq!(parsed.json["cameras"][2], json!({"type": "orthographic", "orthographic": from_zero}));
    assert!(parsed.json["cameras"][3]["perspective"]["znear"].as_f64().unwrap() > 0.);
    let lights = &parsed.json["extensions"]["KHR_lights_punctual"]["lights"];
    let cone = json!({"innerConeAngle": 0.25, "outerConeAngle": 0.5});
    assert_eq!(lights[0], json!({"type": "spot", "intensity": 2, "spot": cone}));
    assert_eq!(lights[1]["type"], "point");
    assert_eq!(lights[1]["extras"]["pentad"]["light"]["kind"], "area");
    assert_eq!(parsed.json["nodes"][4]["extensions"]["KHR_lights_punctual"], json!({"light": 0}));
    assert_eq!(parsed.json["nodes"][5]["extras"]["pentad"]["light"]["kind"], "ambient");
    assert_eq!(parsed.json["nodes"][6]["extensions"]["KHR_lights_punctual"], json!({"light": 1}));
}

#[test]
fn nodes_that_stand_in_two_places_are_told_when_lifted_and_when_checked() {
    let cases = [
        (r#"[{"nodes":[0]}]"#, r#"[{"children":[2]},{"children":[2]},{}]"#, "nodes[1].children[0]"),
        (r#"[{"nodes":[0]}]"#, r#"[{"children":[1]},{"children":[0]}]"#, "nodes[1].children[0]"),
        (r#"[{"nodes":[0,0]},{"nodes":[0]}]"#, r#"[{}]"#, "scenes[0].nodes[1]"),
        (r#"[{"nodes":[0,1]}]"#, r#"[{"children":[1]},{}]"#, "scenes[0].nodes[1]"),
    ];
    for (scenes, nodes, path) in cases {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":{scenes},"nodes":{nodes}}}"#);
        let read = || Gltf::read(Blob::file(text.clone()), &mut ReadCx::default()).unwrap();
        let (scene, findings) = lift_document(&read(), &NoSource);
        assert!(findings.len() == 1 && findings[0].starts_with(&format!("GLTF-015 {path}: ")), "{findings:?}");
        let doc = formats::by_id("gltf").unwrap().read(Blob::file(text.clone()), &mut ReadCx::default()).unwrap();
        let checked: Vec<String> = doc.check(None, &NoSource).iter().map(|f| f.place.path.to_string()).collect();
        assert_eq!(checked, [path], "{text}");
        let (_, _, losses) = package::<Gltf>(&scene, &Options::default());
        assert!(losses.len() == 1 && losses[0].starts_with("LOSS-008 "), "{losses:?}");
    }
}
