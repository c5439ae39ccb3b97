//! What the way into the scene and out of it costs, and that it is listed.

use findings::Losses;
use formats::dragon::{
    AniTrack, Animate, Asset, Body, Bone, Document, Dragon, Guid, Morph, MorphTarget, Pair, Rotation, RotationType,
    Sampling, Section, Settings, Skeleton, Smoothing, Socket, Track, Voxel, VoxelMat, VoxelMatSlot, VoxelObj, VoxelPlt,
};
use formats::{Format, LiftCx, NoSource, Options};
use scene::{Animation, Channel, Indices, Interpolation, Light, LightKind, Mesh, Name, Node, Scene, Value};
use wire::{Blob, Bool8, CText, F32, Kept, Order, Text};

use crate::scenes::{curved, lift, lower, options, rate_of};
use crate::support::*;

/// Losses as lines: code, place, count and what.
fn lines(losses: &Losses) -> Vec<String> {
    losses.iter().map(|loss| format!("{} {}: {} x{}", loss.code, loss.subject, loss.what, loss.count)).collect()
}

/// The scene of a GLB file made of a scene, and what that costs.
fn through_glb(scene: &Scene) -> (Scene, Vec<String>) {
    let (back, losses) = testing::through_glb(scene);
    (back, lines(&losses))
}

/// What the scene of a document costs.
fn lift_losses(doc: &Document) -> Vec<String> {
    let mut cx = LiftCx::new(&NoSource);
    Dragon::lift(doc, &mut cx).expect("it has a scene");
    lines(&cx.losses)
}

const fn g(number: u8) -> Guid {
    Guid([number; 16])
}

fn text(text: &str) -> CText {
    CText(Text::from(text))
}

fn document(sections: impl IntoIterator<Item = Section>) -> Document {
    let mut doc = Document::new(Order::Little);
    doc.sections = sections.into_iter().map(Kept::new).collect();
    doc
}

/// Settings with one pair: this key is 7.
fn settings(number: u8, key: &str) -> Section {
    let pair = Pair::new(text(key), text("int32"), Blob::memory(vec![7, 0, 0, 0]), Order::Little);
    Section::new(g(number), Settings { pairs: vec![pair] })
}

fn with_settings(number: u8, mut section: Section) -> Section {
    section.settings = g(number);
    section
}

/// One triangle of vertices 0 1 2 as bytes, some of them changed.
fn triangle(at: usize, bytes: &[u8]) -> Document {
    let mut file = corpus::dragon::one_triangle();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    read(&file)
}

#[test]
fn a_triangle_of_a_vertex_that_is_not_there_is_left_out_of_glb() {
    // Six indices, 0 1 2 and 0 1 7, instead of three.
    let mut doc = triangle(0, &[]);
    for section in &mut doc.sections {
        match &mut section.edit().body {
            Body::Indice(indice) => indice.indices = formats::dragon::Indices::U16(vec![0, 1, 2, 0, 1, 7].into()),
            Body::Geometry(geometry) => geometry.meshes[0].face_count = 6,
            _ => {}
        }
    }
    let (back, losses) = through_glb(&lift(&doc));
    assert_eq!(losses, [r#"LOSS-043 mesh "g": triangles x1"#]);
    let mesh = back.meshes.iter().next().expect("a mesh");
    assert_eq!(mesh.primitives[0].indices.as_ref().map(Indices::to_vec), Some(vec![0, 1, 2]));
}

#[test]
fn a_mesh_without_whole_vertices_is_listed() {
    // A stride of 4096, and 36 bytes of vertices: not one of them is whole.
    let (_, losses) = through_glb(&lift(&triangle(109, &[0, 16])));
    let nothing = ["part", "mesh"].map(|what| format!(r#"LOSS-024 mesh "g": {what} that draws nothing x1"#));
    let [part, mesh] = nothing;
    assert_eq!(losses, [r#"LOSS-043 mesh "g": triangles x1"#.to_owned(), part, mesh]);
}

#[test]
fn settings_of_voxels_are_properties_and_those_of_their_palette_are_listed() {
    let slot = |word: &str, value| VoxelMatSlot { target: text(word), value: F32(value) };
    let slots = vec![slot("roughness", 0.5), slot("hardness", 3.)];
    let voxel = Voxel { position: [F32(0.); 3], voxel_material: g(2), color_index: 0 };
    let scene = lift(&document([
        settings(11, "tint"),
        settings(12, "mined"),
        settings(13, "owner"),
        with_settings(11, Section::new(g(1), VoxelPlt { palette: vec![0xFF00_00FF].into() })),
        with_settings(12, Section::new(g(2), VoxelMat { slots })),
        with_settings(13, Section::new(g(3), VoxelObj { voxel_palette: g(1), voxels: vec![voxel].into() })),
    ]));
    let (back, losses) = through_glb(&scene);
    // The palette travels with the cubes.
    assert_eq!(losses, ["LOSS-011 voxel object 0: voxels turned into faces x1"]);
    let (_, losses) = testing::fitted(&scene, formats::by_id("obj").expect("it is registered").info());
    assert_eq!(lines(&losses)[0], "LOSS-015 voxel object 0: property tint of the palette x1");
    let seven = |key: &str| (Name::from(key), Value::Int(7));
    let material = back.materials.iter().next().expect("a material");
    assert_eq!(material.properties, [seven("mined"), ("hardness".into(), Value::F32(3.))]);
    let node = back.nodes.iter().find(|node| node.mesh.is_some()).expect("a node");
    assert_eq!(node.properties, [seven("owner")]);
    let (doc, losses) = lower(&back, &Options::default());
    assert_eq!(losses, [""; 0]);
    let again = lift(&doc);
    assert!(again.nodes.iter().any(|node| node.properties == [seven("owner")]), "it is not lost on the way back");
}

#[test]
fn settings_of_vertices_are_listed() {
    let mut doc = triangle(0, &[]);
    doc.sections[0].edit().settings = g(9);
    doc.sections.push(Kept::new(settings(9, "welded")));
    assert_eq!(lift_losses(&doc), [r#"LOSS-015 geometry "g": property welded of VERTEX x1"#]);
}

#[test]
fn names_of_scenes_and_lights_and_extras_of_animations_are_listed() {
    let mut scene = curved(Interpolation::Linear, &[0., 1.]);
    scene.scenes[0].name = "stage".into();
    let light = Light {
        name: "bulb".into(),
        kind: LightKind::Point,
        color: [1.; 3],
        intensity: 1.,
        range: None,
        extras: Default::default(),
    };
    let light = Some(scene.lights.add(light));
    scene.add_root(Node { name: "lamp".into(), light, ..Node::default() });
    scene.animations.iter_mut().for_each(|animation| animation.extras.foreign = Some(Value::Bool(true)));
    let (_, losses) = lower(&scene, &options(&[("fps", "1")]));
    assert_eq!(losses.iter().filter(|code| **code == "LOSS-014").count(), 2, "{losses:?}");
    assert_eq!(losses.iter().filter(|code| **code == "LOSS-015").count(), 1, "{losses:?}");
}

#[test]
fn a_time_of_making_is_not_made_up() {
    let mut scene = Scene::new();
    scene.metadata.project = "p".into();
    let (doc, _) = lower(&scene, &Options::default());
    let asset = doc.sections.iter().find_map(|section| match &section.body {
        Body::Asset(Asset { time, .. }) => Some(*time),
        _ => None,
    });
    assert_eq!(asset, Some(0));
    assert_eq!(lift(&doc).metadata.created, None);
}

#[test]
fn a_rate_that_is_asked_for_stays() {
    let scene = curved(Interpolation::Cubic, &[0., 0.3, 1.]);
    let (doc, losses) = lower(&scene, &options(&[("fps", "1")]));
    assert_eq!(rate_of(&doc), 1.);
    assert!(losses.contains(&"LOSS-040"), "{losses:?}");
    let (doc, _) = lower(&scene, &options(&[("fps", "1"), ("tolerance", "0.01")]));
    assert!(rate_of(&doc) > 1., "a tolerance that is asked for is kept");
}

/// A bone at (1, 2, 3), as large as it is told.
fn skeleton(scale: f32) -> Skeleton {
    let bone = Bone {
        name: text("root"),
        enabled: Bool8::from(true),
        parent: -1,
        position: Some([F32(1.), F32(2.), F32(3.)]),
        rotation: Rotation::Quaternion([F32(0.), F32(0.), F32(0.), F32(1.)]),
        scale: Some([F32(scale); 3]),
    };
    Skeleton { name: text("rig"), rotation_type: RotationType::VEC4, bones: vec![bone] }
}

fn track(target: &str, width: u8, data: &[f32]) -> AniTrack {
    AniTrack {
        target: text(target),
        sampling_type: Sampling::LINEAR,
        smoothing_type: Smoothing::EASE_IN_OUT,
        width,
        data: data.iter().map(|v| F32(*v)).collect::<Vec<_>>().into(),
        ..AniTrack::default()
    }
}

fn animate(framerate: f32, skeleton: Guid, tracks: &[(i32, Guid)]) -> Animate {
    let tracks = tracks.iter().map(|(bone, track)| Track { bone: *bone, track: *track }).collect::<Vec<_>>();
    Animate { framerate: F32(framerate), skeleton, tracks: tracks.into() }
}

#[test]
fn skeletons_and_sockets_of_no_shape_are_turned() {
    let socket = Socket {
        name: text("hook"),
        rotation_type: RotationType::VEC4,
        offset: [F32(1.), F32(2.), F32(3.)],
        rotation: Rotation::Quaternion([F32(0.), F32(0.), F32(0.), F32(1.)]),
        skeleton: Guid::NONE,
        bone: -1,
    };
    let scene = lift(&document([
        Section::new(g(1), skeleton(1.)),
        Section::new(g(2), socket),
        Section::new(g(3), track("POSITION", 3, &[4., 5., 6.])),
        Section::new(g(4), animate(30., g(1), &[(0, g(3))])),
    ]));
    let (doc, losses) = lower(&scene, &options(&[("target-up", "+Z")]));
    assert_eq!(losses, [""; 0]);
    // Up is z: what was (x, y, z) is (x, -z, y).
    for section in &doc.sections {
        match &section.body {
            Body::Skeleton(rig) => assert_eq!(rig.bones[0].position, Some([F32(1.), F32(-3.), F32(2.)])),
            Body::Socket(socket) => assert_eq!(socket.offset, [F32(1.), F32(-3.), F32(2.)]),
            Body::AniTrack(track) => assert_eq!(track.data.iter().collect::<Vec<_>>(), [F32(4.), F32(-6.), F32(5.)]),
            _ => {}
        }
    }
    assert_eq!(doc.sections.len(), 4);
}

#[test]
fn turned_voxels_are_exactly_one_apart() {
    let places = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let voxel = |place: [f32; 3]| Voxel { position: place.map(F32), ..Voxel::default() };
    let voxels = places.map(voxel).to_vec().into();
    let scene = lift(&document([Section::new(g(1), VoxelObj { voxel_palette: Guid::NONE, voxels })]));
    for (axis, expected) in [
        ("+Z", [[0., 0., 0.], [1., 0., 0.], [0., 0., 1.], [0., -1., 0.]]),
        ("-X", [[0., 0., 0.], [0., 1., 0.], [-1., 0., 0.], [0., 0., 1.]]),
    ] {
        let (doc, losses) = lower(&scene, &options(&[("target-up", axis)]));
        assert_eq!(losses, [""; 0], "{axis}");
        let Body::VoxelObj(object) = &doc.sections[0].body else { panic!("a voxel object") };
        let found: Vec<[f32; 3]> = object.voxels.iter().map(|voxel| voxel.position.map(F32::get)).collect();
        assert_eq!(found, expected, "{axis}");
    }
}

#[test]
fn a_nul_in_a_name_is_left_out_and_listed() {
    let mut scene = Scene::new();
    let mesh = Some(scene.meshes.add(Mesh { name: "a\0b".into(), ..Mesh::default() }));
    scene.add_root(Node { mesh, ..Node::default() });
    scene.metadata.author = "me\0".into();
    let (doc, losses) = lower(&scene, &Options::default());
    assert_eq!(losses, ["LOSS-042"; 2]);
    let again = lift(&read(&write(&doc)));
    assert_eq!(again.meshes.iter().next().map(|mesh| mesh.name.clone()), Some("ab".into()));
    assert_eq!(again.metadata.author, "me".into());
}

#[test]
fn a_track_that_dragon_has_no_word_for_is_lost() {
    let mut scene = Scene::new();
    let word = "/materials/0/emissiveFactor".to_owned();
    let channel = Channel {
        node: None,
        track: scene::Track::Other { word, width: 3 },
        times: vec![0., 0.7],
        values: vec![0., 0., 0., 1., 1., 1.],
        interpolation: Interpolation::Linear,
        relative: false,
    };
    scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
    let (doc, losses) = lower(&scene, &Options::default());
    assert_eq!(losses, ["LOSS-054"], "the track; the animation stays, without any");
    assert!(!doc.sections.iter().any(|section| matches!(section.body, Body::AniTrack(_))));
}

#[test]
fn weights_of_different_easings_are_followed_finely() {
    let mut doc = triangle(0, &[]);
    let morph = |name: &str| MorphTarget {
        name: text(name),
        index_offset: 0,
        vertex_buffer: g(1),
        min: F32(0.),
        max: F32(1.),
        default: F32(0.),
    };
    let eased = AniTrack {
        sampling_type: Sampling::CUBIC,
        smoothing_type: Smoothing::EASE_IN,
        ..track("MORPH:a", 1, &[0., 1.])
    };
    let more = [
        Section::new(g(4), Morph { morphs: vec![morph("a"), morph("b")] }),
        Section::new(g(5), eased),
        Section::new(g(6), track("MORPH:b", 1, &[0., 1.])),
        Section::new(g(7), animate(10., Guid::NONE, &[(-1, g(5)), (-1, g(6))])),
    ];
    doc.sections.extend(more.into_iter().map(Kept::new));
    for section in &mut doc.sections {
        if let Body::Geometry(_) = &section.body
            && let Body::Geometry(geometry) = &mut section.edit().body
        {
            geometry.morph_buffers = g(4);
        }
    }
    let scene = lift(&doc);
    let animation = scene.animations.iter().next().expect("an animation");
    // A quarter of the way from the first frame to the second: 0.25³ and 0.25.
    let found = animation.channels[0].at(0.025).expect("weights");
    assert!((found[0] - 0.015_625).abs() < 1e-6 && (found[1] - 0.25).abs() < 1e-6, "{found:?}");
    assert_eq!(lift_losses(&doc), ["LOSS-053 animation 0: easing of a weight x1"]);
}

#[test]
fn a_rotation_of_nine_numbers_leaves_the_size_alone() {
    let identity = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    let scene = lift(&document([
        Section::new(g(1), skeleton(2.)),
        Section::new(g(2), track("ROTATION", 9, &identity)),
        Section::new(g(3), animate(30., g(1), &[(0, g(2))])),
    ]));
    let animation = scene.animations.iter().next().expect("an animation");
    let tracks: Vec<_> = animation.channels.iter().map(|channel| &channel.track).collect();
    assert_eq!(tracks, [&scene::Track::Rotation]);
    let joint = scene.skins.iter().next().expect("a skin").joints[0];
    let world = scene::sample::Pose::at(&scene, animation, 0.).world(joint).expect("a place");
    assert_eq!(world.x_axis.x, 2.);
}

/// A file of one INSTANCE whose groups all name the same two placements, neither of which is turned by a rotation.
fn shared_placements(groups: u32) -> Vec<u8> {
    let group = 24;
    let mut body = vec![2];
    body.extend([0; 16]);
    body.extend(groups.to_le_bytes());
    body.extend(4_u32.to_le_bytes());
    for i in 0..groups {
        body.extend([0; 16]);
        body.extend(2_u32.to_le_bytes());
        // From the offset itself to behind the last group.
        body.extend((4 + group * (groups - 1 - i)).to_le_bytes());
    }
    body.extend([0; 2 * 40]);
    let size = 52 + body.len() as u32;
    let head = |tag: &[u8; 8], guid: [u8; 16], size: u32, count: u32| {
        [&tag[..], &1_u32.to_le_bytes(), &guid, &size.to_le_bytes(), &count.to_le_bytes(), &[0; 16]].concat()
    };
    let mut file = head(b"DRAGON\x1A\n", Guid::FILE.0, 57, 1);
    file.extend((57 + size).to_le_bytes());
    file.push(0);
    file.extend(head(b"INSTANCE", [1; 16], size, groups));
    file.extend(body);
    file
}

#[test]
fn placements_that_groups_share_are_looked_at_once() {
    let found = findings(&shared_placements(50));
    let odd = found.iter().find(|finding| finding.rule.id == "DRG-029").expect("a quaternion of no length");
    assert_eq!(odd.count, 2);
}

#[test]
fn a_single_placement_becomes_a_node_and_comes_back() {
    let mut scene = lift(&triangle(0, &[]));
    let mesh = scene.meshes.ids().next();
    let at = |x: f32| scene::Placement {
        transform: scene::Transform::Trs { translation: [x, 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] },
        material: None,
    };
    for places in [vec![at(5.)], vec![at(6.), at(7.)]] {
        let instances = Some(scene::Instances { placements: places });
        scene.add_root(Node { mesh, instances, ..Node::default() });
    }
    let (back, losses) = through_glb(&scene);
    assert_eq!(losses, [""; 0]);
    let copies = |scene: &Scene| scene.nodes.iter().filter_map(|node| node.instances.clone()).collect::<Vec<_>>();
    assert_eq!(copies(&back), copies(&scene));
}
