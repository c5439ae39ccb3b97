//! Weights of shapes that several nodes show.

use formats::Options;
use formats::dragon::Body;
use scene::{
    Animation, Attribute, Channel, Id, Instances, Interpolation, Mesh, MorphRange, MorphTarget, Node, Placement,
    Primitive, Scene, Semantic, Stream, Topology, Track, Transform,
};

use crate::scenes::{farthest, lift, lower, places};
use crate::support::{read, write};

fn at(x: f32) -> Transform {
    Transform::Trs { translation: [x, 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] }
}

/// Two nodes that show one triangle, which its morphs lift by one each.
fn twins(morphs: &[&str]) -> (Scene, [Id<Node>; 2]) {
    let mut scene = Scene::new();
    let up = Stream::from_f32(3, [0., 1., 0.].repeat(3));
    let up = MorphTarget { attributes: vec![Attribute { semantic: Semantic::Position, stream: up }] };
    let mut primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    primitive.targets = vec![up; morphs.len()];
    let range = |name: &&str| MorphRange { name: (*name).into(), default: 0., min: 0., max: 1. };
    let morphs = morphs.iter().map(range).collect();
    let mesh = scene.meshes.add(Mesh { name: "face".into(), primitives: vec![primitive], morphs, ..Mesh::default() });
    let node = |x: f32| Node { mesh: Some(mesh), transform: at(x), ..Node::default() };
    let nodes = [node(0.), node(5.)].map(|node| scene.add_root(node));
    (scene, nodes)
}

fn channel(node: Id<Node>, track: Track, values: &[f32]) -> Channel {
    let (times, values) = (vec![0., 1.], values.to_vec());
    Channel { node: Some(node), track, times, values, interpolation: Interpolation::Linear, relative: false }
}

fn animate(scene: &mut Scene, channels: impl IntoIterator<Item = Channel>) {
    scene.animations.add(Animation { channels: channels.into_iter().collect(), ..Animation::default() });
}

/// Sends a scene to a file and back, where everything must be at the same place in every animation.
fn assert_moves_alike(scene: &Scene) -> (Scene, Vec<&'static str>) {
    let (doc, losses) = lower(scene, &Options::default());
    let back = lift(&read(&write(&doc)));
    assert_eq!(back.animations.len(), scene.animations.len());
    for (i, (was, is)) in scene.animations.iter().zip(back.animations.iter()).enumerate() {
        for time in [0., 0.1, 0.5, 1.] {
            let off = farthest(&places(&back, Some(is), time), &places(scene, Some(was), time));
            assert!(off < 1e-5, "animation {i} at {time}: {off}");
        }
    }
    (back, losses)
}

#[test]
fn weights_of_one_node_do_not_move_another_that_shows_the_same() {
    let (mut scene, [first, second]) = twins(&["smile"]);
    animate(&mut scene, [channel(first, Track::Weights, &[0., 1.])]);
    animate(&mut scene, [channel(second, Track::Weights, &[1., 0.])]);
    let (back, losses) = assert_moves_alike(&scene);
    assert_eq!(back.meshes.len(), 2);
    assert!(losses.contains(&"LOSS-042"), "morphs are told apart by their names: {losses:?}");
}

#[test]
fn one_of_two_nodes_may_stay_as_it_is() {
    for name in ["", "smile"] {
        let (mut scene, [_, second]) = twins(&[name]);
        animate(&mut scene, [channel(second, Track::Weights, &[0., 1.])]);
        assert_moves_alike(&scene);
    }
}

#[test]
fn nodes_whose_weights_move_alike_share_a_shape() {
    let (mut scene, nodes) = twins(&["smile"]);
    animate(&mut scene, nodes.map(|node| channel(node, Track::Weights, &[0., 1.])));
    let (back, losses) = assert_moves_alike(&scene);
    assert_eq!((back.meshes.len(), losses.contains(&"LOSS-042")), (1, false));
    let (doc, _) = lower(&scene, &Options::default());
    let tracks = doc.sections.iter().filter(|section| matches!(section.body, Body::AniTrack(_))).count();
    assert_eq!(tracks, 1, "one track moves both");
}

#[test]
fn copies_whose_weights_move_become_nodes() {
    let (mut scene, [first, _]) = twins(&["smile"]);
    let placements = [1., 2.].map(|x| Placement { transform: at(x), material: None }).to_vec();
    scene.nodes[first].instances = Some(Instances { placements });
    scene.nodes[first].transform = at(10.);
    animate(&mut scene, [channel(first, Track::Weights, &[0., 1.])]);
    let (doc, losses) = lower(&scene, &Options::default());
    assert!(losses.contains(&"LOSS-010"), "{losses:?}");
    let back = lift(&read(&write(&doc)));
    let found = places(&back, back.animations.iter().next(), 1.);
    // The corner at x = 0 of each: of the other node, and of both copies.
    let corner = |x: f64, y: f64| found.iter().any(|place| (*place - glam::DVec3::new(x, y, 0.)).length() < 1e-5);
    assert_eq!((found.len(), corner(5., 0.), corner(11., 1.), corner(12., 1.)), (9, true, true, true), "{found:?}");
    assert_eq!((corner(5., 2.), corner(11., 0.), corner(12., 0.)), (false, false, false), "{found:?}");
}

#[test]
fn shapes_that_move_as_a_whole_have_weights_of_their_own() {
    let (mut scene, nodes) = twins(&["smile"]);
    let moves = nodes.map(|node| channel(node, Track::Translation, &[0., 0., 0., 0., 0., 2.]));
    animate(&mut scene, moves.into_iter().chain([channel(nodes[1], Track::Weights, &[0., 1.])]));
    assert_moves_alike(&scene);
}

#[test]
fn a_weight_that_leaves_the_one_of_its_node_for_that_of_the_mesh_is_written() {
    let (mut scene, [first, _]) = twins(&["smile", "frown"]);
    scene.nodes[first].weights = vec![0., 1.];
    animate(&mut scene, [channel(first, Track::Weights, &[0., 0., 1., 0.])]);
    assert_moves_alike(&scene);
}

#[test]
fn weights_that_somebody_gave_one_node_of_a_file_do_not_move_the_others() {
    let (mut scene, nodes) = twins(&["smile"]);
    animate(&mut scene, nodes.map(|node| channel(node, Track::Weights, &[0., 1.])));
    let (doc, _) = lower(&scene, &Options::default());
    let mut own = lift(&read(&write(&doc)));
    assert_eq!(own.origin.as_ref().map(|origin| &origin.format[..]), Some("dragon"));
    own.animations.iter_mut().for_each(|animation| animation.channels.truncate(1));
    assert_moves_alike(&own);
    let (doc, _) = lower(&own, &Options::default());
    let count = |is: fn(&Body) -> bool| doc.sections.iter().filter(|section| is(&section.body)).count();
    assert_eq!(count(|body| matches!(body, Body::Geometry(_))), 2);
    assert_eq!(count(|body| matches!(body, Body::Vertex(_))), 2, "vertices and their morph are there once");
}
