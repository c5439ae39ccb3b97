//! Materials, lights, properties and scenes of other formats.

use findings::Severity;
use formats::dgl3::{LightType, PropertyValue};
use formats::{Document as _, NoSource};
use scene::{
    Image, ImageSource, Light, LightKind, Material, Mesh, Name, Node, Pbr, Primitive, Role, Scene, Semantic, Shading,
    Slot, Stream, Texture, Topology, Transform, Value,
};
use testing::Files;
use wire::{Blob, F32};

use crate::support::*;

const CRATE: &[u8] = b"name: \"crate\";\nroughness: 0.5;\ndiffuseTexture: \"wood.png\";\nuseFog: 0;\n";

/// The triangle with this material.
fn with_material(file: &str) -> Vec<u8> {
    let mut doc = read(&corpus::dgl3::one_triangle());
    doc.entities[0].edit().properties[0].value = PropertyValue::Text(file.into());
    write(&doc)
}

#[test]
fn a_material_is_found_beside_the_model_and_written_there() {
    let files = Files::default().with("crate.mat", CRATE).with("wood.png", b"PNG".to_vec());
    let (scene, found) = lift_from(&read(&with_material("crate.mat")), &files);
    assert!(found.is_empty(), "{found:?}");
    let node = scene.nodes.iter().next().expect("one");
    let material = &scene.materials[node.material.expect("a material")];
    assert_eq!((material.name.to_string(), material.pbr().roughness), ("crate".to_owned(), 0.5));
    assert!(matches!(&scene.images.iter().next().expect("one").source, ImageSource::File { bytes: Some(_), .. }));
    let lowered = lower_with(&scene, "engine", &Default::default(), &files);
    assert!(are_alike(&lowered.doc, &read(&with_material("crate.mat"))));
    let names: Vec<&str> = lowered.files.iter().map(|file| &file.name[..]).collect();
    assert_eq!(names, ["wood.png", "crate.mat"]);
    assert_eq!(&lowered.files[0].bytes[..], b"PNG");
    let doc = formats::mat::Document::of(lowered.files[1].bytes.clone());
    assert_eq!((doc.string("name").as_deref(), doc.number("roughness")), (Some(&b"crate"[..]), Some(0.5)));
    assert_eq!((doc.flag("useFog"), doc.textures().len()), (Some(false), 1));
}

/// The property that names the file travels beside the node; it is true only while the node shows that material.
#[test]
fn a_material_that_was_taken_away_is_linked_no_more() {
    let files = Files::default().with("crate.mat", CRATE).with("wood.png", b"PNG".to_vec());
    let (mut scene, _) = lift_from(&read(&with_material("crate.mat")), &files);
    scene.nodes.iter_mut().for_each(|node| node.material = None);
    let lowered = lower_with(&scene, "engine", &Default::default(), &files);
    assert!(are_alike(&lowered.doc, &read(&with_material("__default__.mat"))));
    let lost: Vec<String> = lowered.losses.iter().map(ToString::to_string).collect();
    assert_eq!(lost, ["LOSS-006 material \"crate\": unused material"]);
}

#[test]
fn missing_materials_are_told_and_kept() {
    let bytes = with_material("gone.mat");
    let (scene, found) = lift_from(&read(&bytes), &Files::default());
    assert_eq!((found.len(), found[0].rule.id), (1, "DGL3-026"));
    assert!(are_alike(&lower(&scene, "engine").doc, &read(&bytes)));
    let misnamed = Files::default().with("box.mat", CRATE);
    let told = check(&with_material("box.mat"), None, &misnamed);
    assert!(told.iter().any(|f| f.rule.id == "DGL3-026" && f.severity == Severity::Info), "{told:?}");
}

/// A scene as another format might give it: two boxes of one mesh with two parts, and no names.
fn foreign() -> Scene {
    let mut scene = Scene::new();
    let image = Image {
        name: "wood".into(),
        source: ImageSource::Embedded { mime: "image/png".into(), bytes: Blob::memory(vec![1, 2, 3]) },
        extras: Default::default(),
    };
    let image = scene.images.add(image);
    let texture = scene.textures.add(Texture::new(image));
    let slot =
        Slot { role: Role::BaseColor, texture, channel: Default::default(), uv_set: 0, strength: 1., transform: None };
    let shiny = Shading::Pbr(Pbr { roughness: 0.25, metallic: 0., ..Pbr::default() });
    let named =
        |name: &str, slots| Material { name: name.into(), shading: shiny.clone(), slots, ..Material::default() };
    let red = scene.materials.add(named("red/wood", vec![slot]));
    let blue = scene.materials.add(named("Red:wood", Vec::new()));
    let part = |material| {
        let mut part = Primitive::new(Topology::Quads)
            .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.]));
        part.material = Some(material);
        part
    };
    let mesh = Mesh { primitives: vec![part(red), part(blue)], ..Mesh::default() };
    let mesh = scene.meshes.add(mesh);
    let place = |x: f32| Transform::Trs { translation: [x, 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let child = scene.nodes.add(Node { mesh: Some(mesh), transform: place(2.), ..Node::default() });
    let parent = Node { children: vec![child], transform: place(1.), mesh: Some(mesh), ..Node::default() };
    scene.add_root(parent);
    let light = Light {
        name: "sun".into(),
        kind: LightKind::Directional,
        color: [1., 1., 0.5],
        intensity: 3.,
        range: None,
        extras: Default::default(),
    };
    let light = scene.lights.add(light);
    scene.add_root(Node { name: "sun".into(), light: Some(light), ..Node::default() });
    let properties: Vec<(Name, Value)> = vec![
        ("on".into(), Value::Bool(true)),
        ("map".into(), Value::Map(Vec::new())),
        ("pair".into(), Value::List(vec![Value::F64(0.5), Value::Int(2)])),
    ];
    scene.add_root(Node { name: "spot".into(), properties, ..Node::default() });
    scene
}

#[test]
fn any_scene_becomes_a_file_without_warnings() {
    for dialect in ["spec", "engine"] {
        let lowered = lower(&foreign(), dialect);
        let doc = &lowered.doc;
        assert_eq!(doc.header.creator_name.to_string(), format!("pentad {dialect}"));
        assert_eq!(
            (doc.meshes.len(), doc.entities.len(), doc.lights.len()),
            (2, 5, 1),
            "parts once, entities per part"
        );
        let names: Vec<&str> = lowered.files.iter().map(|file| &file.name[..]).collect();
        assert_eq!(names, ["wood.png", "red_wood.mat", "Red_wood-2.mat"], "safe names that differ on every system");
        let files = lowered.files.iter().fold(Files::default(), |all, f| all.with(&f.name, f.bytes.to_vec()));
        let loud: Vec<_> =
            check(&write(doc), None, &files).into_iter().filter(|f| f.severity > Severity::Info).collect();
        assert!(loud.is_empty(), "{loud:?}");
        let (scene, _) = lift_from(&read(&write(doc)), &files);
        let again = lower_with(&scene, dialect, &Default::default(), &files);
        assert!(again.losses.is_empty(), "{:?}", again.losses);
        assert_eq!(write(&again.doc), write(doc), "what was fitted once stays");
        assert_eq!(scene.bounds(), foreign().bounds());
    }
}

#[test]
fn what_does_not_fit_is_listed() {
    let losses = lower(&foreign(), "spec").losses;
    let codes: Vec<&str> = losses.iter().map(|loss| loss.code).collect();
    for code in ["LOSS-008", "LOSS-015", "LOSS-018", "LOSS-019", "LOSS-045"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
}

#[test]
fn a_directional_light_shines_down_in_the_file_and_forward_in_the_scene() {
    let scene = lift(&read(&corpus::dgl3::model(true)));
    let sun = scene.nodes.iter().find(|node| node.name.to_string() == "Sun").expect("a sun");
    // Turned by 90 degrees about x, the file's -Y is -Z, and so is the node's -Z.
    let forward = sun.transform.matrix().transform_vector3(glam_down());
    assert!((forward - glam::DVec3::new(0., 0., -1.)).length() < 1e-6, "{forward}");
    let foreign = lower(&foreign(), "engine").doc;
    let light = &foreign.lights[0];
    assert_eq!(light.light_type, LightType::DIRECTIONAL);
    let rotation = glam::DQuat::from_array(light.rotation.map(|v| f64::from(F32::get(v))));
    let down = rotation * glam::DVec3::new(0., -1., 0.);
    assert!((down - glam::DVec3::new(0., 0., -1.)).length() < 1e-6, "{down}");
}

/// Where a node looks.
fn glam_down() -> glam::DVec3 {
    glam::DVec3::new(0., 0., -1.)
}

#[test]
fn facts_count_what_is_stored() {
    let facts = read(&corpus::dgl3::model(true)).facts(true);
    let counts = facts.counts;
    assert_eq!((counts.nodes, counts.meshes, counts.primitives, counts.lights), (Some(7), Some(5), Some(5), Some(2)));
    assert_eq!((counts.vertices, counts.triangles), (Some(16), Some(6)));
    assert_eq!(
        (counts.skins, counts.joints, counts.morph_targets, counts.animations),
        (Some(3), Some(7), Some(2), Some(5))
    );
    assert_eq!(counts.materials, Some(0), "the default material is none");
    assert!(check(&corpus::dgl3::model(true), None, &NoSource).iter().all(|f| f.severity == Severity::Info));
}

fn told(scene: &Scene, code: &str) -> Vec<String> {
    let losses = lower(scene, "engine").losses;
    let told = losses.iter().filter(|loss| loss.code == code);
    told.map(|loss| format!("{} {} {}", loss.subject, loss.count, loss.what)).collect()
}

#[test]
fn a_material_that_nothing_uses_is_listed() {
    let mut scene = foreign();
    assert!(told(&scene, "LOSS-006").is_empty());
    scene.materials.add(Material { name: "spare".into(), ..Material::default() });
    assert_eq!(told(&scene, "LOSS-006"), ["material \"spare\" 1 unused material"]);
}

#[test]
fn a_light_is_named_after_its_node() {
    let mut scene = foreign();
    assert!(told(&scene, "LOSS-014").is_empty());
    let shines = |node: &&mut Node| node.light.is_some();
    scene.nodes.iter_mut().filter(shines).for_each(|node| node.name = "day".into());
    assert_eq!(lower(&scene, "engine").doc.lights[0].name.to_string(), "day");
    assert_eq!(told(&scene, "LOSS-014"), ["light \"sun\" 1 name of a light beside its node's"]);
    scene.nodes.iter_mut().filter(shines).for_each(|node| node.name = Name::default());
    assert_eq!(lower(&scene, "engine").doc.lights[0].name.to_string(), "sun");
    assert!(told(&scene, "LOSS-014").is_empty());
}

#[test]
fn a_scene_lends_its_name_to_a_file_without_title() {
    let mut scene = foreign();
    scene.scenes[0].name = "yard".into();
    assert_eq!(lower(&scene, "engine").doc.header.name.to_string(), "yard");
    scene.metadata.title = "Castle".into();
    assert_eq!(lower(&scene, "engine").doc.header.name.to_string(), "Castle");
}

#[test]
fn images_without_names_are_named_after_the_model() {
    let mut scene = foreign();
    scene.images.iter_mut().for_each(|image| image.name = Default::default());
    let files = lower(&scene, "engine").files;
    assert!(files.iter().any(|file| file.name == "model-0.png"), "two models in one folder need two names");
}
