//! glTF as it is read, and the way back from glTF.

use std::path::PathBuf;

use formats::gltf::{Container, Glb, Gltf};
use formats::{Format, LiftCx, NoSource, Options, ReadCx, Source};
use scene::*;
use testing::{beside, corpus_dir};
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

/// All files of the corpus that are glTF.
fn samples() -> Vec<(PathBuf, Container)> {
    let Some(corpus) = corpus_dir() else { return Vec::new() };
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
        let (fitted, losses) = testing::fitted(&scene, &Glb::INFO);
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
    for (a, b) in found.animations.iter().zip(expected.animations.iter()) {
        assert_eq!(a, b, "{what}");
    }
    assert!(found.animations == expected.animations, "{what}: animations differ");
    assert!(found == expected, "{what}: something differs");
}

/// Through GLB and back, without the changes that glTF's limits made; streams and slots in a fixed order.
fn comes_back(scene: &Scene) -> Scene {
    let (_, file, _) = package::<Glb>(scene, &Options::default());
    let (mut back, findings) = lift(Container::Binary, file, &NoSource);
    assert_eq!(findings, [""; 0]);
    sort(&mut back);
    back
}

fn sort(scene: &mut Scene) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.attributes.sort_by_key(|attribute| attribute.semantic.to_string());
    }
    scene.materials.iter_mut().for_each(|material| material.slots.sort_by_key(|slot| slot.role.name().to_owned()));
}

fn assert_comes_back(mut scene: Scene) {
    scene.origin = Some(Origin { format: "danmodel".into(), dialect: "engine".into() });
    scene.default_material = None;
    let back = comes_back(&scene);
    sort(&mut scene);
    assert_same(&back, &scene, "through GLB");
}

#[test]
fn words_and_roles_come_back() {
    let mut scene = scene_of(vec![triangle()]);
    let mesh = scene.nodes[Id::new(0)].mesh;
    let alone = Some(scene.meshes.add(Mesh { primitives: vec![triangle()], ..Mesh::default() }));
    let red = scene.materials.add(Material { name: "red".into(), ..Material::default() });
    let turn = Transform::Matrix([1., 0., 0., 0., 0., 0., -1., 0., 0., 1., 0., 0., 0., 0., 0., 1.]);
    let light = |kind| Light {
        name: Name::from(&b"\xe9"[..]),
        kind,
        color: [1., 0.5, 0.],
        intensity: 2.,
        range: Some(3.),
        extras: Extras::default(),
    };
    let [area, spot, ambient] = [LightKind::Area, LightKind::Spot { inner: 0.5, outer: 1. }, LightKind::Ambient]
        .map(|kind| Some(scene.lights.add(light(kind))));
    let camera = Some(scene.cameras.add(Camera {
        name: "far".into(),
        projection: Projection::Perspective { fov_y: 1., aspect: Some(1.5) },
        near: 0.5,
        far: None,
        extras: Extras::default(),
    }));
    let mut words = Extras::default();
    words.set("danmodel.colored", 3_i64);
    words.set("loose", Value::F32(f32::NAN));
    words.foreign = Some(Value::List(vec![Value::Int(1), Value::F64(0.5)]));
    words.extensions = vec![("EXT_x".into(), Value::Map(vec![("y".into(), Value::Null)]))];
    let properties = vec![("a".into(), Value::Uint(7)), ("a".into(), Value::Bytes(vec![1]))];
    let nodes = [
        Node { role: NodeRole::Axis, transform: turn, ..Node::default() },
        Node { role: NodeRole::Unplaced, mesh: alone, ..Node::default() },
        Node { mesh, material: Some(red), ..Node::default() },
        Node { name: Name::from(&b"caf\xe9"[..]), socket: Some(Socket { primary: true }), ..Node::default() },
        Node { extras: words, properties: properties.clone(), light: area, ..Node::default() },
        Node { visible: false, light: spot, camera, ..Node::default() },
        Node { light: ambient, ..Node::default() },
    ];
    nodes.into_iter().for_each(|node| _ = scene.add_root(node));
    scene.metadata = Metadata {
        title: "t".into(),
        copyright: Name::from(&b"\xa9"[..]),
        generator: "g".into(),
        created: Some(u64::MAX),
        raw: vec![0, 255],
        properties,
        ..Metadata::default()
    };
    scene.space.up = UpAxis::PosZ;
    scene.space.uv_origin = UvOrigin::Unknown;
    // Carried lights lose nothing but their place in the list: the ambient one is its node's, and comes last anyway.
    assert_comes_back(scene);
}

#[test]
fn zeros_keep_their_signs() {
    let mut scene = scene_of(vec![triangle()]);
    let trs = |rotation, scale| Transform::Trs { translation: [-0., 0., -0.], rotation, scale };
    scene.add_root(Node { transform: trs([0., 0., 0., 1.], [1.; 3]), ..Node::default() });
    scene.add_root(Node { transform: trs([0., -0., 0., 1.], [2.; 3]), ..Node::default() });
    assert_comes_back(scene);
}

#[test]
fn surfaces_come_back() {
    let phong = Phong { diffuse: [2., 0.5, 0., 1.], specular: [0.5; 4], ambient: [0.25; 4], shininess: 12. };
    let mut scene = scene_of(vec![triangle()]);
    for shading in [
        Shading::Phong(phong),
        Shading::Unlit { color: [0.5; 4] },
        Shading::Pbr(Pbr { metallic: 0.5, specular: 0.25, specular_color: [0.5, 2., 1.], ..Pbr::default() }),
    ] {
        for alpha_mode in [AlphaMode::Additive, AlphaMode::Mask(0.25), AlphaMode::Mask(0.5), AlphaMode::Blend] {
            let emissive = [1., 0., 0.25];
            let shading = shading.clone();
            scene.materials.add(Material {
                shading,
                alpha_mode,
                emissive,
                emissive_strength: 2.,
                ..Material::default()
            });
        }
    }
    assert_comes_back(scene);
}

#[test]
fn textures_come_back() {
    let mut scene = textured();
    // What nobody finds has no bytes.
    for image in scene.images.iter_mut().skip(1) {
        if let ImageSource::File { bytes, .. } = &mut image.source {
            *bytes = None;
        }
    }
    assert_comes_back(scene);
}

#[test]
fn morph_targets_come_back() {
    let delta = Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![0.5; 9]) };
    let color = Attribute { semantic: Semantic::Color(0), stream: Stream::from_f32(4, vec![-0.25; 12]) };
    let shifted = Attribute { semantic: Semantic::TexCoord(0), stream: Stream::from_f32(2, vec![0.5; 6]) };
    let targets = vec![MorphTarget { attributes: vec![delta, shifted, color] }, MorphTarget::default()];
    let range = |name: &str, default, max| MorphRange { name: name.into(), default, min: -1., max };
    let base = triangle()
        .with(Semantic::TexCoord(0), Stream::from_f32(2, vec![0.; 6]))
        .with(Semantic::Color(0), Stream::from_f32(4, vec![1.; 12]));
    let mut scene = scene_of(vec![Primitive { targets, ..base }]);
    scene.meshes[Id::new(0)].morphs = vec![range("smile", 0.25, 2.), range("", 0., 1.)];
    scene.nodes[Id::new(0)].weights = vec![1., 0.5];
    assert_comes_back(scene);
}

/// What the scene of one of the corpus's recipes says.
fn recipe(format: &str, name: &str) -> Scene {
    let sample = testing::sample(format, name);
    let container = if format == "glb" { Container::Binary } else { Container::Json };
    lift(container, sample, &NoSource).0
}

#[test]
fn bones_and_keys_are_read() {
    let scene = recipe("glb", "moving");
    let skin = &scene.skins[Id::new(0)];
    assert_eq!((skin.joints.len(), skin.root, skin.inverse_bind[1][13]), (2, Some(Id::new(1)), -1.));
    let animation = &scene.animations[Id::new(0)];
    let [turn, walk, grow] = &animation.channels[..] else { panic!() };
    assert_eq!(
        (&turn.track, turn.interpolation, turn.node),
        (&Track::Rotation, Interpolation::Linear, Some(Id::new(2)))
    );
    // Normalised 16-bit numbers.
    assert_eq!(turn.values, [0., 0., 0., 1., 0., 0., 1., 0.]);
    assert_eq!((walk.interpolation, walk.times.as_slice()), (Interpolation::Cubic, &[0., 1.][..]));
    assert_eq!(walk.values[3..9], [1., 2., 3., 0.5, 0., 0.]);
    assert_eq!((&grow.track, grow.interpolation), (&Track::Scale, Interpolation::Step));
}

#[test]
fn copies_and_coarser_versions_are_read() {
    let scene = recipe("glb", "moving");
    // The fifth node is nothing but the coarser version of the fourth.
    assert_eq!(scene.nodes.len(), 4);
    let node = &scene.nodes[Id::new(3)];
    let placements = &node.instances.as_ref().unwrap().placements;
    assert_eq!(placements.len(), 3);
    let Transform::Trs { translation, .. } = placements[2].transform else { panic!() };
    assert_eq!(translation, [0., 1., 0.]);
    let mesh = &scene.meshes[node.mesh.unwrap()];
    assert_eq!(mesh.lods, [Lod { mesh: Id::new(2), coverage: Some(0.5) }]);
    let vanishes = Value::List(vec![Value::F64(0.125)]);
    let inside = Value::Map(vec![("/extras/MSFT_screencoverage".to_owned(), vanishes)]);
    assert_eq!(node.extras.get("gltf.inside"), Some(&inside));
    assert_eq!(node.extras.foreign, None);
}

#[test]
fn versions_that_are_more_than_a_mesh_stay_an_extension() {
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"meshes":[{"primitives":[]},{"primitives":[]}],
        "nodes":[{"mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":1,"scale":[2,2,2]}]}"#;
    let (scene, _) = lift(Container::Json, text.into(), &NoSource);
    assert_eq!((scene.nodes.len(), scene.nodes[Id::new(0)].extras.extensions.len()), (2, 1));
}

#[test]
fn versions_that_stay_an_extension_follow_their_nodes() {
    // Node 0 is nothing but a coarser version of node 1 and goes, so that nodes 2 and 3 become 1 and 2.
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[1,2]}],
        "meshes":[{"primitives":[]},{"primitives":[]},{"primitives":[]},{"primitives":[]}],
        "nodes":[{"mesh":0},{"mesh":1,"extensions":{"MSFT_lod":{"ids":[0]}}},
            {"mesh":2,"extensions":{"MSFT_lod":{"ids":[3],"extras":7}}},{"mesh":3,"scale":[2,2,2]}]}"#;
    let (scene, _) = lift(Container::Json, text.into(), &NoSource);
    let kept = |node: usize| &scene.nodes[Id::new(node)].extras.extensions;
    let ids = ("ids".into(), Value::List(vec![Value::Int(2)]));
    assert_eq!((scene.nodes.len(), kept(0).len()), (3, 0));
    assert_eq!(*kept(1), [("MSFT_lod".to_owned(), Value::Map(vec![ids, ("extras".into(), Value::Int(7))]))]);
}

#[test]
fn versions_of_nodes_that_are_not_there_are_dropped_and_told() {
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"meshes":[{"primitives":[]}],
        "nodes":[{"name":"n","mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}}}]}"#;
    let document = Gltf::read(Blob::memory(text), &mut ReadCx::default()).unwrap();
    let mut cx = LiftCx::new(&NoSource);
    let scene = Gltf::lift(&document, &mut cx).unwrap();
    assert!(scene.nodes[Id::new(0)].extras.extensions.is_empty());
    let losses: Vec<String> = cx.losses.iter().map(|loss| loss.to_string()).collect();
    assert_eq!(losses, ["LOSS-015 node \"n\": glTF extension MSFT_lod"]);
}

#[test]
fn numbers_stay_in_the_buffer() {
    let sample = testing::sample("glb", "accessors");
    let file = Blob::file(sample);
    let doc = Glb::read(file.clone(), &mut ReadCx::default()).unwrap();
    let (scene, _) = lift_document(&doc, &NoSource);
    let mesh = &scene.meshes[Id::new(0)];
    let uvs = mesh.primitives[0].get(&Semantic::TexCoord(0)).unwrap();
    let inside = file.as_ptr_range();
    assert!(inside.contains(&uvs.data().as_ptr()));
    assert_eq!((uvs.encoding().stride, uvs.to_f32()), (20, vec![0., 0., 1., 0., 0., 1.]));
    let sparse = mesh.primitives[1].get(&Semantic::Position).unwrap();
    assert_eq!(sparse.to_f32(), [0., 0., 0., 1., 0., 0., 1., 1., 5.]);
    let from_zero = mesh.primitives[2].get(&Semantic::Position).unwrap();
    assert_eq!(from_zero.to_f32(), [0., 0., 0., 0., 0., 0., 1., 1., 5.]);
    let zeros = mesh.primitives[3].get(&Semantic::Custom("_ZERO".into())).unwrap();
    assert_eq!((zeros.len(), zeros.data().len(), zeros.to_f32()), (3, 8, vec![0.; 6]));
}

#[test]
fn padded_columns_of_matrices_are_packed() {
    // Two columns of two bytes, each at a multiple of four.
    let text = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"_M":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5121,"count":1,"type":"MAT2"}],
        "bufferViews":[{"buffer":0,"byteLength":8}],"buffers":[{"uri":"data:,%01%02..%03%04..","byteLength":8}]}"#;
    let (scene, findings) = lift(Container::Json, text.into(), &NoSource);
    assert_eq!(findings, [""; 0]);
    assert_eq!(scene.meshes[Id::new(0)].primitives[0].attributes[0].stream.to_f32(), [1., 2., 3., 4.]);
}

#[test]
fn what_nothing_shows_is_shown() {
    let text = r#"{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{}],"meshes":[{"primitives":[]}]}"#;
    let (scene, _) = lift(Container::Json, text.into(), &NoSource);
    let root = &scene.scenes[0];
    assert_eq!(root.nodes, [Id::new(0), Id::new(2)]);
    assert_eq!(scene.nodes[Id::new(2)].role, NodeRole::Unplaced);
    assert_eq!(root.extras, Extras::default());
}

#[test]
fn files_that_ask_for_too_much_are_refused() {
    let text = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"componentType":5126,"count":4000000000,"type":"VEC3"}]}"#;
    let doc = Gltf::read(Blob::file(text), &mut ReadCx::default()).unwrap();
    let error = Gltf::lift(&doc, &mut LiftCx::new(&NoSource)).unwrap_err();
    assert!(error.is_limit(), "{error}");
    let hidden = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#;
    let doc = Gltf::read(Blob::file(hidden), &mut ReadCx::default()).unwrap();
    let error = Gltf::lift(&doc, &mut LiftCx::new(&NoSource)).unwrap_err();
    assert_eq!((error.rule().id, error.kind()), ("GLTF-010", findings::ErrorKind::Unsupported));
}

#[test]
fn a_hundred_thousand_nodes_below_each_other_are_no_trouble() {
    let count = 100_000;
    let nodes: Vec<String> = (1..count).map(|n| format!(r#"{{"name":"n","children":[{n}]}}"#)).collect();
    let text =
        format!(r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{},{{}}]}}"#, nodes.join(","));
    let started = std::time::Instant::now();
    let doc = formats::by_id("gltf").unwrap().read(Blob::file(text), &mut ReadCx::default()).unwrap();
    let found = doc.check(None, &NoSource);
    assert!(found.is_empty(), "{found:?}");
    let scene = doc.lift(&mut LiftCx::new(&NoSource)).unwrap();
    assert_eq!(scene.placed(0).len(), count);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn moving_things_come_back() {
    if Glb::INFO.capabilities.animations == Hold::No {
        println!("skipped: this version does not write animations");
        return;
    }
    let mut scene = recipe("glb", "moving");
    let mut other = scene.animations[Id::new(0)].clone();
    other.name = "odd".into();
    other.frame_rate = Some(24.);
    other.channels[2].node = None;
    let word = Track::Other { word: "glow".into(), width: 3 };
    other.channels.insert(1, Channel { track: word, ..other.channels[2].clone() });
    let silent = Animation { channels: vec![other.channels[1].clone()], name: "silent".into(), ..Animation::default() };
    scene.animations.add(silent);
    scene.animations.add(other);
    let red = scene.materials.add(Material::default());
    let node = &mut scene.nodes[Id::new(3)];
    let placements = &mut node.instances.as_mut().unwrap().placements;
    placements[2].material = Some(red);
    // A joint that is named twice, and one in a tree of its own.
    let lone = scene.nodes.add(Node::default());
    // Trees that a skin joins stand where the first of them stood.
    scene.scenes[0].nodes.insert(2, lone);
    let skin = &mut scene.skins[Id::new(0)];
    skin.joints.extend([Id::new(2), lone]);
    skin.inverse_bind.extend([skin.inverse_bind[0]; 2]);
    skin.root = None;
    scene.nodes[Id::new(1)].skin = Some(Id::new(0));
    assert_comes_back(scene);
}
