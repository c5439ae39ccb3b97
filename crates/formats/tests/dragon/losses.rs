//! What the way into the scene and out of it costs, and that it is listed.

use formats::dragon::{Body, Document};
use formats::{BridgeCx, FORMATS, NoSource, ReadCx};
use scene::{Indices, Scene};
use wire::{Blob, Sink};

use crate::scenes::lift;
use crate::support::*;

/// Losses as lines: code, place, count and what.
fn lines(cx: &BridgeCx<'_>) -> Vec<String> {
    cx.losses.iter().map(|loss| format!("{} {}: {} x{}", loss.code, loss.place, loss.what, loss.count)).collect()
}

/// The scene of a GLB file made of a scene, and what that costs.
fn through_glb(scene: &Scene) -> (Scene, Vec<String>) {
    let glb = FORMATS.iter().find(|format| format.info().id == "glb").expect("it is registered");
    let info = glb.info();
    let mut cx = BridgeCx::new(&NoSource, "standard");
    let fitted = scene::fit::fit(scene, &info.capabilities, info.id, info.name, &mut cx.losses);
    let package = glb.lower(&fitted, &mut cx).expect("it has a file");
    let mut sink = Sink::default();
    package.document.write(&mut sink, &mut formats::WriteCx::default()).expect("it can be written");
    let doc = glb.read(Blob::file(sink.into_vec()), &mut ReadCx::default()).expect("it can be read");
    let back = doc.lift(&mut BridgeCx::new(&NoSource, "standard")).expect("it has a scene");
    (back, lines(&cx))
}

/// One triangle of vertices 0 1 2 as bytes, some of them changed.
fn triangle(at: usize, bytes: &[u8]) -> Document {
    let mut file = corpus::dragon::one_triangle();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    read(&file)
}

#[test]
fn a_triangle_of_a_vertex_that_is_not_there_is_left_out_of_glb_and_comes_back() {
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
    assert_eq!(mesh.primitives[0].indices.as_ref().map(Indices::to_vec), Some(vec![0, 1, 2, 0, 1, 7]));
}

#[test]
fn a_mesh_without_whole_vertices_is_listed() {
    // A stride of 4096, and 36 bytes of vertices: not one of them is whole.
    let (_, losses) = through_glb(&lift(&triangle(109, &[0, 16])));
    let expected = [r#"LOSS-043 mesh "g": triangles x1"#, r#"LOSS-024 mesh "g": part without vertices x1"#];
    assert_eq!(losses, expected);
}
