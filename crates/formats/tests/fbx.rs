//! Autodesk FBX.
#![cfg(feature = "fbx")]
#![allow(missing_docs)]

use formats::fbx::{Document, Fbx};
use formats::{Document as _, Format, LiftCx, ReadCx};
use scene::{
    AlphaMode, Id, ImageSource, Interpolation, LightKind, Node, NodeRole, Projection, Role, Scene, Semantic, Shading,
    Stream, Topology, Track, UpAxis, Value,
};
use testing::Files;
use wire::Blob;

fn read(name: &str) -> Document {
    let sample = testing::sample("fbx", name);
    Fbx::read(Blob::file(sample), &mut ReadCx::default()).expect("it is an FBX")
}

/// One file, under its plain name only.
fn picture() -> Files {
    Files::default().with("paint.png", *b"\x89PNG")
}

fn lift(name: &str) -> Scene {
    Fbx::lift(&read(name), &mut LiftCx::new(&picture())).expect("it has a scene")
}

fn node<'a>(scene: &'a Scene, name: &str) -> &'a Node {
    scene.nodes.iter().find(|node| node.name.to_string() == name).unwrap()
}

#[test]
fn samples_are_what_they_say() {
    let doc = read("model");
    assert_eq!(doc.dialect(), "ascii");
    let names: Vec<&str> = doc.nodes().iter().map(|node| &node.name[..]).collect();
    assert_eq!(names, ["FBXHeaderExtension", "GlobalSettings", "Objects", "Connections"]);
    let counts = doc.facts(true).counts;
    assert_eq!((counts.nodes, counts.meshes, counts.triangles), (Some(4), Some(1), Some(1)));
    assert_eq!((counts.skins, counts.morph_targets, counts.animations), (Some(1), Some(1), Some(1)));
}

#[test]
fn axes_and_unit_are_the_root_node() {
    let scene = lift("triangle");
    assert_eq!(scene.space.up, UpAxis::PosZ);
    let root = &scene.nodes[scene.scenes[0].nodes[0]];
    assert_eq!(root.role, NodeRole::Axis);
    // Z up becomes Y up: (x, y, z) is (x, z, -y), and an inch is 0.0254 metres.
    let bounds = scene.bounds().unwrap();
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(
        near(bounds.min.to_array(), [0., 0., -0.0254]) && near(bounds.max.to_array(), [0.0254, 0., 0.]),
        "{bounds:?}"
    );
}

#[test]
fn mesh_has_corners_and_layers() {
    let scene = lift("model");
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    let numbers = |semantic: Semantic| primitive.get(&semantic).map(Stream::to_f32).unwrap_or_default();
    assert_eq!(primitive.topology, Topology::Triangles);
    assert_eq!(numbers(Semantic::Position), [0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    assert_eq!(numbers(Semantic::Normal), [0., 0., 1.].repeat(3));
    assert_eq!(numbers(Semantic::TexCoord(0)), [0., 1., 1., 1., 0., 0.75], "from the top");
    assert_eq!(node(&scene, "Triangle").properties, [("height".into(), Value::Int(7))]);
}

#[test]
fn material_shows_its_texture() {
    let scene = lift("model");
    let material = scene.materials.iter().next().unwrap();
    let Shading::Phong(phong) = &material.shading else { panic!("it is Phong") };
    assert_eq!((phong.diffuse, phong.shininess), ([1., 0.5, 0.25, 1.], 16.));
    let slot = material.slot(&Role::BaseColor).unwrap();
    let image = &scene.images[scene.textures[slot.texture].image.unwrap()];
    let expected = ImageSource::File { path: "paint.png".into(), bytes: Some(Blob::memory(b"\x89PNG".to_vec())) };
    assert_eq!(image.source, expected);
}

#[test]
fn skin_and_shape_move_the_mesh() {
    let scene = lift("model");
    let skin = scene.skins.iter().next().unwrap();
    assert_eq!(scene.nodes[skin.joints[0]].name.to_string(), "Bone");
    assert_eq!(node(&scene, "Triangle").skin.map(|id| id.index()), Some(0));
    let mesh = scene.meshes.iter().next().unwrap();
    let primitive = &mesh.primitives[0];
    assert_eq!(primitive.get(&Semantic::Weights(0)).unwrap().to_f32(), [1., 0., 0., 0.].repeat(3));
    assert_eq!((mesh.morphs[0].name.to_string(), mesh.morphs[0].default), ("taller".into(), 0.25));
    assert_eq!(primitive.targets[0].attributes[0].stream.to_f32(), [0., 0., 0., 0., 0., 0., 0., 1., 0.]);
}

#[test]
fn animation_is_sampled() {
    let scene = lift("model");
    let animation = scene.animations.iter().next().unwrap();
    assert_eq!(animation.name.to_string(), "rise");
    let channel = &animation.channels[0];
    assert_eq!((channel.track.clone(), channel.interpolation), (Track::Translation, Interpolation::Linear));
    // One second is 46186158000 ticks.
    assert_eq!((channel.times.first(), channel.times.last()), (Some(&0.), Some(&1.)));
    assert_eq!((channel.values[1], channel.values[channel.values.len() - 2]), (2., 4.));
}

#[test]
fn lamp_and_camera_stand_where_they_stood() {
    let scene = lift("model");
    let lamp = node(&scene, "Lamp");
    let light = &scene.lights[lamp.light.unwrap()];
    let LightKind::Spot { outer, .. } = light.kind else { panic!("{:?}", light.kind) };
    assert!((outer.to_degrees() - 30.).abs() < 1e-3 && light.intensity == 2.);
    let world = scene.placed(0).into_iter().find(|(id, _)| scene.nodes[*id].light.is_some()).unwrap().1;
    // FBX lights shine along -Y, those of the scene along -Z.
    let shines = world.transform_vector3(glam::DVec3::NEG_Z);
    assert!(shines.abs_diff_eq(glam::DVec3::NEG_Y, 1e-6), "{shines}");
    let camera = &scene.cameras[node(&scene, "Eye").camera.unwrap()];
    assert!(matches!(camera.projection, Projection::Perspective { .. }) && camera.near == 0.5);
}

#[test]
fn camera_sees_in_metres_whatever_the_unit_is() {
    let unit = "\"UnitScaleFactor\", \"double\", \"Number\", \"\",";
    let parallel =
        "P: \"CameraProjectionType\", \"enum\", \"\", \"\",1\nP: \"OrthoZoom\", \"double\", \"Number\", \"\",2\n";
    let near = "P: \"NearPlane\"";
    let changes = [(&format!("{unit}100")[..], &format!("{unit}1")[..]), (near, &format!("{parallel}{near}"))];
    let (scene, _) = changed(&changes);
    let camera = &scene.cameras[node(&scene, "Eye").camera.unwrap()];
    assert_eq!((camera.near, camera.far), (0.005, Some(1.)));
    // Its zoom is that of the FBX SDK: 30 units.
    let Projection::Orthographic { x, y } = camera.projection else { panic!("{:?}", camera.projection) };
    assert!(x.max(y) == 0.3, "{x} {y}");
}

#[test]
fn vertices_without_a_polygon_are_listed() {
    let (_, losses) = changed(&[]);
    assert!(losses.iter().all(|(code, _)| *code != "LOSS-064"), "{losses:?}");
    let (_, losses) = changed(&[("Vertices: *9 {\n\ta: ", "Vertices: *15 {\n\ta: 7,7,7,8,8,8,")]);
    assert!(losses.contains(&("LOSS-064", 2)), "{losses:?}");
}

#[test]
fn what_goes_through_a_material_is_its_alpha() {
    for (said, alpha) in [
        ("P: \"Opacity\", \"double\", \"Number\", \"\",0.75\n", 0.75),
        (
            "P: \"TransparentColor\", \"Color\", \"\", \"A\",1,1,1\nP: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n",
            0.75,
        ),
        (
            "P: \"TransparentColor\", \"Color\", \"\", \"A\",0,0,0\nP: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n",
            1.,
        ),
    ] {
        let sample = testing::sample("fbx", "model");
        let text = String::from_utf8(sample).expect("a text");
        let text = text.replacen("P: \"SpecularColor\"", &format!("{said}P: \"SpecularColor\""), 1);
        let doc = Fbx::read(Blob::file(text.into_bytes()), &mut ReadCx::default()).expect("readable");
        let scene = Fbx::lift(&doc, &mut LiftCx::new(&picture())).expect("a scene");
        let material = &scene.materials[Id::new(0)];
        assert!((material.color()[3] - alpha).abs() < 1e-6, "{said}: {}", material.color()[3]);
        assert_eq!(material.alpha_mode == AlphaMode::Blend, alpha < 1.);
    }
}

/// The sample after some changes of its text, and what lifting it costs.
fn changed(changes: &[(&str, &str)]) -> (Scene, Vec<(&'static str, u64)>) {
    let sample = testing::sample("fbx", "model");
    let mut text = String::from_utf8(sample).expect("a text");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let doc = Fbx::read(Blob::file(text.into_bytes()), &mut ReadCx::default()).expect("readable");
    let files = picture();
    let mut cx = LiftCx::new(&files);
    let scene = Fbx::lift(&doc, &mut cx).expect("a scene");
    (scene, cx.losses.iter().map(|loss| (loss.code, loss.count)).collect())
}

#[test]
fn only_curves_that_are_bent_are_lost() {
    let lost = |losses: Vec<(&'static str, u64)>| losses.into_iter().find(|(code, _)| *code == "LOSS-053");
    assert_eq!(lost(changed(&[]).1), None, "its keys are joined by straight lines");
    let (text, flags) = ("KeyAttrFlags: *1 {\n\ta: 4\n", "KeyAttrFlags: *1 {\n\ta: 8\n");
    assert_eq!(lost(changed(&[(text, flags)]).1), Some(("LOSS-053", 1)), "cubic");
    let (text, flags) = ("KeyAttrFlags: *1 {\n\ta: 4\n", "KeyAttrFlags: *1 {\n\ta: 2\n");
    assert_eq!(lost(changed(&[(text, flags)]).1), Some(("LOSS-053", 1)), "a step");
}

#[test]
fn textures_that_are_moved_change_their_coordinates() {
    let transform = |properties: &str| {
        let to = format!("Properties70:  {{\n{properties}}}\nType: \"TextureVideoClip\"");
        let (scene, losses) = changed(&[("Type: \"TextureVideoClip\"", &to)]);
        assert!(losses.iter().all(|(code, _)| *code != "LOSS-041"), "{losses:?}");
        scene.materials[Id::new(0)].slots[0].transform.expect("a transform")
    };
    // A picture twice as wide and four times as high, moved to the right: tex = (u - 0.25) / 2, w / 4, and w = 1 - v.
    let moved = transform(
        "P: \"Translation\", \"Vector\", \"\", \"A\",0.25,0,0\nP: \"Scaling\", \"Vector\", \"\", \"A\",2,4,1\n",
    );
    assert_eq!((moved.offset, moved.rotation, moved.scale), ([-0.125, 0.75], 0., [0.5, 0.25]));
    // Turned by a quarter: (u, w) shows (w, -u) of the picture, which is (1 - v, 1 + u) from the top.
    let turned = transform("P: \"Rotation\", \"Vector\", \"\", \"A\",0,0,90\n");
    let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
    assert!(near(turned.rotation, -std::f32::consts::FRAC_PI_2), "{turned:?}");
    assert!(near(turned.offset[0], 1.) && near(turned.offset[1], 1.), "{turned:?}");
    assert!(near(turned.scale[0], 1.) && near(turned.scale[1], 1.), "{turned:?}");
}

#[test]
fn tangents_know_which_way_they_bend() {
    let layer = |kind: &str, list: &str, vector: &str| {
        format!(
            "LayerElement{kind}: 0 {{\nVersion: 101\nName: \"\"\nMappingInformationType: \"ByPolygonVertex\"\n\
             ReferenceInformationType: \"Direct\"\n{list}: *9 {{\na: {vector},{vector},{vector}\n}}\n}}\n"
        )
    };
    let layers = layer("Tangent", "Tangents", "1,0,0") + &layer("Binormal", "Binormals", "0,-1,0");
    let entry = |kind: &str| format!("LayerElement:  {{\nType: \"LayerElement{kind}\"\nTypedIndex: 0\n}}\n");
    let entries = entry("Tangent") + &entry("Binormal");
    let (scene, losses) = changed(&[
        ("LayerElementUV: 0 {", &format!("{layers}LayerElementUV: 0 {{")),
        (
            "LayerElement:  {\nType: \"LayerElementMaterial\"",
            &format!("{entries}LayerElement:  {{\nType: \"LayerElementMaterial\""),
        ),
    ]);
    assert!(losses.iter().all(|(code, _)| *code != "LOSS-017"), "{losses:?}");
    let mesh = scene.meshes.iter().find(|mesh| !mesh.primitives.is_empty()).unwrap();
    let tangents = mesh.primitives[0].get(&Semantic::Tangent).expect("tangents").to_f32();
    // The normal is +Z: its cross product with the tangent leads up, the bitangent down.
    assert_eq!(tangents, [1., 0., 0., -1.].repeat(3));
}
