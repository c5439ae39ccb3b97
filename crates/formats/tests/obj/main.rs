//! Wavefront OBJ and MTL.
#![cfg(feature = "obj")]
#![allow(clippy::print_stdout, missing_docs)]

mod files;
mod library;
mod meaning;
mod real_files;
mod writing;

use std::path::{Path, PathBuf};

use findings::{Finding, Losses, Severity};
use formats::obj::{BAD, Document, Obj};
use formats::{AnyDocument, Format, Hint, LiftCx, NoSource, ReadCx, Score, Source, by_id};
use scene::{
    AlphaMode, ColorChannel, ImageSource, Primitive, Role, Scene, Semantic, Shading, Slot, Stream, Topology,
    UvTransform, Value, Wrap,
};
use testing::Files;
use wire::{Blob, Node, Sink, Span};

fn read(text: &[u8]) -> Document {
    testing::read::<Obj>(text)
}

fn held(text: &[u8]) -> Box<dyn AnyDocument> {
    let format = by_id("obj").expect("obj is registered");
    format.read(Blob::file(text.to_vec()), &mut ReadCx::default()).expect("it is an OBJ")
}

fn check(text: &[u8]) -> Vec<Finding> {
    check_with(text, &NoSource)
}

fn check_with(text: &[u8], source: &dyn Source) -> Vec<Finding> {
    held(text).check(None, source)
}

/// Rules and messages, sorted.
fn said(findings: &[Finding]) -> Vec<(&'static str, &str)> {
    let mut said: Vec<_> = findings.iter().map(|f| (f.rule.id, f.message.as_str())).collect();
    said.sort_unstable();
    said
}

fn written(doc: &Document) -> Vec<u8> {
    testing::write::<Obj>(doc)
}

fn lift(text: &[u8]) -> Scene {
    lift_with(text, &NoSource).0
}

fn lift_with(text: &[u8], source: &dyn Source) -> (Scene, Vec<Finding>) {
    let mut cx = LiftCx::new(source);
    let scene = Obj::lift(&read(text), &mut cx).expect("it can be lifted");
    let findings = std::mem::replace(&mut cx.findings, findings::Checker::new(None)).finish(&[]);
    (scene, findings)
}

fn numbers(primitive: &Primitive, semantic: Semantic) -> Vec<f32> {
    primitive.get(&semantic).map(scene::Stream::to_f32).unwrap_or_default()
}

fn order(primitive: &Primitive) -> Vec<u32> {
    primitive.indices.as_ref().map(scene::Indices::to_vec).unwrap_or_default()
}

/// The positions of all corners in the order they are drawn.
fn corners(primitive: &Primitive) -> Vec<[f32; 3]> {
    let positions = numbers(primitive, Semantic::Position);
    let at = |i: u32| positions[i as usize * 3..i as usize * 3 + 3].try_into().expect("three numbers");
    order(primitive).into_iter().map(at).collect()
}

fn parts(scene: &Scene) -> Vec<(String, Vec<&Primitive>)> {
    let mesh = |node: &scene::Node| node.mesh.map_or(Vec::new(), |id| scene.meshes[id].primitives.iter().collect());
    scene.nodes.iter().map(|node| (node.name.to_string(), mesh(node))).collect()
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
