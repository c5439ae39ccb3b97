//! DGL3 against bytes written down by hand, against its own ledger (`src/dgl3/SPEC.md`), and against facts that an
//! independent reader measured.

#![cfg(feature = "dgl3")]

mod files;
mod movement;
mod order;
mod real_files;
mod support;
mod surfaces;

use formats::Format;
use formats::dgl3::{Dgl3, Mesh};
use wire::{Blob, Sink, Text};

use support::read;

#[test]
fn a_text_beyond_its_field_is_refused() {
    // DGL3-036. The room is never touched, so it takes none.
    let mut doc = read(&corpus::dgl3::one_triangle());
    doc.meshes[0].edit().name = Text::from(Blob::memory(vec![0; 1 << 31]));
    let error = Dgl3::write(&doc, &mut Sink::default()).expect_err("too long");
    assert_eq!((error.rule().id, error.place().path.as_str()), ("DGL3-036", "meshes[0].name_size"));
}

#[test]
fn arrays_of_different_lengths_are_refused() {
    // DGL3-037
    let mut doc = read(&corpus::dgl3::one_triangle());
    let mesh: &mut Mesh = doc.meshes[0].edit();
    mesh.body.as_mut().expect("inline").normals.to_mut().pop();
    let error = Dgl3::write(&doc, &mut Sink::default()).expect_err("a lie");
    assert_eq!((error.rule().id, error.place().path.as_str()), ("DGL3-037", "meshes[0].body.normals"));
}

#[test]
fn entities_of_one_name_are_numbered() {
    let mut scene = scene::Scene::new();
    for name in ["", "Entity.001", "", "", "a", "a", "a.001", "a"] {
        scene.add_root(scene::Node { name: name.into(), ..scene::Node::default() });
    }
    let doc = support::lower(&scene, "spec").doc;
    let names: Vec<String> = doc.entities.iter().map(|entity| entity.name.to_string()).collect();
    let expected = ["Entity", "Entity.001", "Entity.002", "Entity.003", "a", "a.001", "a.001.001", "a.002"];
    assert_eq!(names, expected);
}

/// Counting every name from the start takes minutes.
#[test]
fn a_hundred_thousand_entities_of_one_name_are_no_trouble() {
    let mut scene = scene::Scene::new();
    (0..100_000).for_each(|_| _ = scene.add_root(scene::Node { name: "n".into(), ..scene::Node::default() }));
    let doc = support::lower(&scene, "spec").doc;
    assert_eq!(doc.entities.last().unwrap().name.to_string(), "n.99999");
}
