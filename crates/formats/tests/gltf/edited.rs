//! Files that pentad wrote and somebody changed: what travels beside the file's own words never undoes the change.

use formats::gltf::{Document, Glb};
use formats::{NoSource, Options};
use scene::*;
use wire::Blob;

use crate::support::*;

#[test]
fn edited_files_are_taken_as_they_are() {
    let positions = Stream::from_f64(3, (0..12).map(|n| f64::from(n) * 0.1).collect());
    let mut scene = scene_of(vec![Primitive::new(Topology::Quads).with(Semantic::Position, positions)]);
    scene.nodes[Id::new(0)].transform =
        Transform::Matrix([2., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 3., 0., 0., 1.]);
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let mut doc = package.document;
    let mut bin: Vec<u8> = doc.chunks[0].data.iter().flat_map(|part| part.to_vec()).collect();
    bin[..4].copy_from_slice(&9_f32.to_le_bytes());
    doc.chunks[0].data = vec![Blob::memory(bin)];
    let root = doc.root.edit();
    root.nodes[0].translation = Some([formats::gltf::schema::Real(0.); 3]);
    let (back, findings) = lift_document(&doc, &NoSource);
    let primitive = &back.meshes[Id::new(0)].primitives[0];
    let shown = primitive.get(&Semantic::Position).unwrap();
    assert_eq!((shown.encoding().component, shown.to_f32()[0]), (Component::F32, 9.));
    // The faces still are what they were.
    assert_eq!(primitive.topology, Topology::Quads);
    assert!(matches!(back.nodes[Id::new(0)].transform, Transform::Trs { .. }));
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert!(findings.iter().all(|finding| finding.starts_with("GLTF-036 ")), "{findings:?}");
}

/// What pentad carries is believed only as far as it is what the file shows.
#[test]
fn edited_copies_binds_and_lights_are_taken_as_they_are() {
    let sheared = Transform::Matrix([2., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 3., 0., 0., 1.]);
    let placements = vec![Placement { transform: sheared, material: None }, Placement::default()];
    let mut scene = scene_of(vec![triangle()]);
    scene.nodes[Id::new(0)].instances = Some(Instances { placements });
    let light = scene.lights.add(Light {
        name: Name::default(),
        kind: LightKind::Point,
        color: [3., 0.5, 0.],
        intensity: 1.,
        range: None,
        extras: Extras::default(),
    });
    let joint = scene.add_root(Node { light: Some(light), ..Node::default() });
    let projective = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.5, 0., 0., 0., 1.];
    scene.skins.add(Skin { joints: vec![joint], inverse_bind: vec![projective], ..Skin::default() });
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let (whole, findings) = lift_document(&package.document, &NoSource);
    assert_eq!(findings, [""; 0]);
    assert_eq!(whole.nodes[Id::new(0)].instances.as_ref().unwrap().placements[0].transform, sheared);
    assert_eq!(whole.lights[Id::new(0)].color, [3., 0.5, 0.]);
    assert_eq!(whole.skins[Id::new(0)].inverse_bind, [projective]);

    let mut doc = package.document;
    let root = doc.root.edit();
    let instancing = root.nodes[0].extensions["EXT_mesh_gpu_instancing"]["attributes"].clone();
    let views = [instancing["TRANSLATION"].as_u64().unwrap() as usize, root.skins[0].inverse_bind_matrices.unwrap()];
    let starts = views.map(|accessor| root.buffer_views[root.accessors[accessor].buffer_view.unwrap()].byte_offset);
    root.extensions["KHR_lights_punctual"]["lights"][0]["color"] = serde_json::json!([0.5, 0.5, 0.0]);
    let mut bin: Vec<u8> = doc.chunks[0].data.iter().flat_map(|part| part.to_vec()).collect();
    for start in starts {
        let start = start.unwrap_or(0);
        bin[start..start + 4].copy_from_slice(&9_f32.to_le_bytes());
    }
    doc.chunks[0].data = vec![Blob::memory(bin)];
    let (back, findings) = lift_document(&doc, &NoSource);
    let placed = back.nodes[Id::new(0)].instances.as_ref().unwrap().placements[0].transform;
    assert!(matches!(placed, Transform::Trs { translation: [9., 0., 0.], .. }), "{placed:?}");
    assert_eq!(back.lights[Id::new(0)].color, [0.5, 0.5, 0.]);
    assert_eq!(back.skins[Id::new(0)].inverse_bind[0][0], 9.);
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(findings.iter().all(|finding| finding.starts_with("GLTF-036 ")), "{findings:?}");
}

#[test]
fn edited_joints_are_taken_as_they_are() {
    let mut scene = scene_of(vec![triangle()]);
    let joints: Vec<Id<Node>> = (0..2).map(|_| scene.add_root(Node::default())).collect();
    let skin = scene.skins.add(Skin { joints, inverse_bind: Vec::new(), ..Skin::default() });
    scene.nodes[Id::new(0)].skin = Some(skin);
    let primitive = &mut scene.meshes[Id::new(0)].primitives[0];
    // One joint per vertex, where glTF wants four.
    primitive.set(Semantic::Joints(0), Stream::from_u32(1, vec![0, 1, 1]));
    primitive.set(Semantic::Weights(0), Stream::from_f32(1, vec![1.; 3]));
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let mut doc = package.document;
    let joints = |doc: &Document| {
        let (back, findings) = lift_document(doc, &NoSource);
        let joints = back.meshes[Id::new(0)].primitives[0].get(&Semantic::Joints(0)).unwrap().clone();
        (joints.count(), joints.to_u32(), findings.len())
    };
    assert_eq!(joints(&doc), (1, vec![0, 1, 1], 0));
    // A program that gathers the buffers anew drops the views that only extras name; joints are still there.
    let mut gathered = doc.clone();
    let root = gathered.root.edit();
    let named: Vec<usize> = root.accessors.iter().filter_map(|accessor| accessor.buffer_view).collect();
    for (i, view) in root.buffer_views.iter_mut().enumerate().filter(|(i, _)| !named.contains(i)) {
        assert!(i > 0);
        view.byte_length = 1;
    }
    assert_eq!(joints(&gathered).1, [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    let root = doc.root.edit();
    let view = root.accessors[root.meshes[0].primitives[0].attributes["JOINTS_0"]].buffer_view.unwrap();
    let start = root.buffer_views[view].byte_offset.unwrap_or(0);
    let mut bin: Vec<u8> = doc.chunks[0].data.iter().flat_map(|part| part.to_vec()).collect();
    assert_eq!(bin[start..start + 12], [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    bin[start] = 1;
    doc.chunks[0].data = vec![Blob::memory(bin)];
    let (count, back, findings) = joints(&doc);
    assert_eq!((count, back, findings), (4, vec![1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 1));
}

/// A node that a channel moves: the file, and where times and values of its sampler begin.
fn played(channel: Channel) -> (Document, [usize; 2]) {
    let mut scene = Scene::new();
    let rest = Transform::Trs { translation: [1., 2., 3.], rotation: [0., 0.6, 0., 0.8], scale: [2., 2., 2.] };
    scene.add_root(Node { transform: rest, ..Node::default() });
    scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let root = &package.document.root;
    let sampler = &root.animations[0].samplers[0];
    let start = |accessor: usize| root.buffer_views[root.accessors[accessor].buffer_view.unwrap()].byte_offset;
    let starts = [sampler.input, sampler.output].map(|accessor| start(accessor).unwrap_or(0));
    (package.document, starts)
}

/// Adds to a float of the file's buffer.
fn nudge(doc: &mut Document, at: usize, by: f32) {
    let mut bin: Vec<u8> = doc.chunks[0].data.iter().flat_map(|part| part.to_vec()).collect();
    let old = f32::from_le_bytes(bin[at..at + 4].try_into().unwrap());
    bin[at..at + 4].copy_from_slice(&(old + by).to_le_bytes());
    doc.chunks[0].data = vec![Blob::memory(bin)];
}

fn lifted(doc: &Document) -> (Channel, Vec<String>) {
    let (scene, findings) = lift_document(doc, &NoSource);
    (scene.animations[Id::new(0)].channels[0].clone(), findings)
}

/// Channels of every kind that glTF cannot say as they are.
fn carried_channels() -> Vec<Channel> {
    let base = Channel {
        node: Some(Id::new(0)),
        track: Track::Translation,
        times: vec![0., 1., 3.],
        values: vec![0., 0., 0., 4., 1., 2., -4., -1., -2.],
        interpolation: Interpolation::Eased(Easing::Sine, Ease::InOut),
        relative: false,
    };
    // Turns by 0, 90 and 180 degrees.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = vec![0., 0., 0., 1., 0., 0., half, half, 0., 0., 1., 0.];
    let turned = Channel { track: Track::Rotation, values: turns, ..base.clone() };
    let bezier = Interpolation::Bezier { first: [0.25, 0.], second: [0.75, 1.] };
    let quadratic = Interpolation::Eased(Easing::Quadratic, Ease::Out);
    let spline = vec![1., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 2., 1., 1., 1., 0., 3., 0.];
    vec![
        Channel { interpolation: quadratic, ..base.clone() },
        Channel { interpolation: bezier, ..turned.clone() },
        Channel { relative: true, interpolation: Interpolation::Linear, ..turned.clone() },
        Channel { relative: true, interpolation: Interpolation::Step, track: Track::Scale, ..base.clone() },
        Channel {
            relative: true,
            interpolation: Interpolation::Cubic,
            times: vec![0., 2.],
            values: spline,
            ..base.clone()
        },
        Channel { times: vec![-5., -1., 3.], ..turned },
        // Twice the same time, then backwards.
        Channel { times: vec![0., 1., 1., 0.5, 3.], values: vec![1.; 15], ..base.clone() },
        base,
    ]
}

#[test]
fn untouched_keys_come_back_as_the_source_had_them() {
    for channel in carried_channels() {
        let (back, findings) = lifted(&played(channel.clone()).0);
        assert_eq!((back, findings.len()), (channel, 0), "{findings:?}");
    }
}

#[test]
fn edited_keys_are_taken_as_they_are() {
    for channel in carried_channels() {
        let (doc, [times, values]) = played(channel.clone());
        let (shown, _) = lifted(&bare(doc.clone()));
        let keys = shown.times.len();
        let per_key = shown.values.len() / keys;
        type Edit<'a> = &'a dyn Fn(&mut Document);
        let value: Edit<'_> = &|doc| nudge(doc, values + 4 * (keys / 2 * per_key), 0.001);
        let last_value: Edit<'_> = &|doc| nudge(doc, values + 4 * (shown.values.len() - 1), 0.001);
        let time: Edit<'_> = &|doc| nudge(doc, times + 4 * (keys / 2), 0.001);
        let end: Edit<'_> = &|doc| {
            let root = doc.root.edit();
            let sampler = root.animations[0].samplers[0].clone();
            root.accessors[sampler.input].count -= 1;
            root.accessors[sampler.output].count -= if shown.interpolation == Interpolation::Cubic { 3 } else { 1 };
        };
        let kind: Edit<'_> = &|doc| {
            let sampler = &mut doc.root.edit().animations[0].samplers[0];
            sampler.interpolation = match sampler.interpolation.as_deref() {
                Some("STEP") => None,
                _ => Some("STEP".to_owned()),
            };
        };
        let mut edits = vec![value, last_value, time, end];
        if shown.interpolation != Interpolation::Cubic {
            edits.push(kind);
        }
        for (number, edit) in edits.into_iter().enumerate() {
            let mut doc = doc.clone();
            edit(&mut doc);
            let (expected, _) = lifted(&bare(doc.clone()));
            let (back, findings) = lifted(&doc);
            assert_eq!(back, expected, "edit {number} of {channel:?}");
            let path = "GLTF-036 animations[0].channels[0].extras.pentad: original ";
            assert!(findings.len() == 1 && findings[0].starts_with(path), "edit {number}: {findings:?}");
        }
    }
}

/// The same without what travels along.
fn bare(mut doc: Document) -> Document {
    doc.root.edit().animations[0].channels[0].extras = None;
    doc
}

#[test]
fn rest_pose_that_was_edited_leaves_the_keys_as_they_are() {
    let relative = carried_channels().into_iter().filter(|channel| channel.relative && channel.track != Track::Scale);
    for channel in relative {
        let (mut doc, _) = played(channel);
        let node = &mut doc.root.edit().nodes[0];
        (node.translation, node.rotation) = (None, None);
        let (expected, _) = lifted(&bare(doc.clone()));
        let (back, findings) = lifted(&doc);
        assert_eq!((back, findings.len()), (expected, 1), "{findings:?}");
    }
}

#[test]
fn a_default_material_that_somebody_gave_words_is_a_material() {
    let (package, ..) = package::<Glb>(&scene_of(vec![triangle()]), &Options::default());
    let material = |edit: &dyn Fn(&mut formats::gltf::schema::Material)| {
        let mut doc = package.document.clone();
        edit(&mut doc.root.edit().materials[0]);
        let (scene, findings) = lift_document(&doc, &NoSource);
        (scene.meshes[Id::new(0)].primitives[0].material.map(|id| scene.materials[id].clone()), findings.len())
    };
    assert_eq!(material(&|_| ()), (None, 0));
    let (named, findings) = material(&|material| material.name = Some("mine".into()));
    assert_eq!((named.unwrap().name, findings), ("mine".into(), 1));
    let (worded, findings) = material(&|material| material.extras.as_mut().unwrap()["mine"] = serde_json::json!(1));
    let words = Value::Map([("mine".to_owned(), Value::Int(1))].into_iter().collect());
    assert_eq!((worded.unwrap().extras.foreign, findings), (Some(words), 1));
}

/// Blender's own types have no lists of different types and no nothing: it writes such words back as Python prints them.
#[test]
fn words_that_blender_printed_are_read() {
    let mut scene = scene_of(vec![triangle()]);
    let node = &mut scene.nodes[Id::new(0)];
    node.properties.push(("count".into(), Value::Int(-7)));
    node.properties.push(("it's".into(), Value::Null));
    let mut doc = package::<Glb>(&scene, &Options::default()).0.document;
    let extras = doc.root.edit().nodes[0].extras.as_mut().unwrap();
    assert_eq!(extras["pentad"], serde_json::json!({ "properties": [["count", -7], ["it's", null]] }));
    extras["pentad"] = r#"{'properties': [['count', -7], ["it's", None]]}"#.into();
    let (back, findings) = lift_document(&doc, &NoSource);
    assert_eq!((&back.nodes[Id::new(0)].properties, findings), (&scene.nodes[Id::new(0)].properties, vec![]));
}

/// Programs that take pictures out of a GLB name their files after them.
#[test]
fn pictures_are_called_like_their_files() {
    let scene = textured();
    let (package, file, _) = package::<Glb>(&scene, &Options::default());
    assert_eq!(Parsed::new(&file).json["images"][0]["name"], "wood grain");
    let image = |doc: &Document| lift_document(doc, &NoSource).0.images[Id::new(0)].name.to_string();
    assert_eq!(image(&package.document), "", "it had no name");
    let mut doc = package.document;
    doc.root.edit().images[0].name = Some("elm".to_owned());
    assert_eq!(image(&doc), "elm");
}
