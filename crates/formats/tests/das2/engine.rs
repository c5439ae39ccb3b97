//! What the library at its last commit would make of a file.

use findings::Severity;
use scene::{Id, Mesh, Node, Primitive, Scene, Semantic, Stream, Topology};
use testing::sample;

use crate::bridge::{lift, lower};
use crate::support::*;

fn errors(bytes: &[u8], asked: Option<&str>) -> Vec<&'static str> {
    let mut found = check(bytes, asked);
    found.retain(|finding| finding.severity == Severity::Error);
    rules(&found)
}

#[test]
fn the_library_loads_a_plain_triangle_of_its_own_layout() {
    assert!(errors(&corpus::das2::engine_triangle(), Some("engine")).is_empty());
    assert!(errors(&sample("das2", "zstd"), Some("engine")).is_empty());
    assert!(errors(&sample("das2", "zstd-frames"), Some("engine")).is_empty());
}

#[test]
fn the_library_fails_where_it_is_known_to() {
    for (name, rule) in [
        ("triangle", "DAS2-050"),
        ("engine-zlib", "DAS2-050"),
        ("engine", "DAS2-050"),
        ("level-lies", "DAS2-013"),
        ("converter", "DAS2-008"),
        ("v3", "DAS2-050"),
    ] {
        assert!(errors(&sample("das2", name), Some("engine")).contains(&rule), "{name}");
    }
    // None of that is a fault of a file in its own dialect.
    for name in ["triangle", "engine-zlib", "engine", "v3", "v2", "head-text", "table-ids", "nul", "hash"] {
        let found = check(&sample("das2", name), None);
        assert!(found.iter().all(|finding| finding.severity == Severity::Info), "{name}: {found:?}");
    }
}

/// An indexed triangle with or without colours as a file of the library.
fn indexed(colors: bool) -> (Vec<u8>, scene::Scene) {
    let mut part = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]));
    part.indices = Some(scene::Indices(Stream::from_u32(1, vec![0, 2, 1])));
    if colors {
        part = part.with(Semantic::Color(0), Stream::from_f32(4, vec![0.5; 12]));
    }
    let mut scene = Scene::new();
    let mesh = Some(scene.meshes.add(Mesh { primitives: vec![part], ..Mesh::default() }));
    scene.add_root(Node { mesh, ..Node::default() });
    let (doc, losses) = lower(&scene, "engine");
    assert!(losses.is_empty());
    let back = lift(&doc);
    (write(&doc), back)
}

#[test]
fn the_offset_of_colours_does_no_harm_where_there_are_none() {
    let (bytes, back) = indexed(false);
    assert_eq!(errors(&bytes, Some("engine")), [""; 0]);
    let part = &back.meshes[Id::new(0)].primitives[0];
    assert_eq!(part.get(&Semantic::Color(0)), None);
    assert_eq!(part.indices.as_ref().map(|indices| indices.0.to_u32()), Some(vec![0, 2, 1]));
    assert!(write(&lower(&back, "engine").0) == bytes, "it comes back as it was");
    let (bytes, back) = indexed(true);
    assert_eq!(errors(&bytes, Some("engine")), ["DAS2-050"], "nothing helps where there are both");
    assert!(back.meshes[Id::new(0)].primitives[0].get(&Semantic::Color(0)).is_some());
}
