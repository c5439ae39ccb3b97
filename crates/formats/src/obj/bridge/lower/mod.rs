//! Scene → document: the text is written, its numbers and faces by all threads.

mod groups;
mod part;
mod text;

use findings::{Result, Subject};
use scene::loss::*;
use scene::{Mesh, Node, Scene};
use text::Text;
use wire::Blob;

use super::DEFAULT;
use crate::obj::layout::Document;
use crate::obj::mtl::LibraryWriter;
use crate::{LowerCx, Package};

pub(in crate::obj) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let objects = objects(scene, cx);
    let mut library = LibraryWriter::new(scene, cx);
    let mut text = Text::new(&objects);
    for object in &objects {
        text.object(object, &mut library, cx)?;
    }
    let mut head = b"# Wavefront OBJ, written by pentad\n".to_vec();
    if let Some(name) = library.finish(cx) {
        head.extend_from_slice(b"mtllib ");
        head.extend_from_slice(name.as_bytes());
        head.push(b'\n');
    }
    text.parts.insert(0, head);
    let document = Document::of_text(Blob::memory(text.parts.concat()));
    Ok(Package::new(document, cx))
}

/// A node with a mesh.
struct Object<'a> {
    name: Vec<u8>,
    node: &'a Node,
    mesh: &'a Mesh,
    label: Subject,
}

fn objects<'a>(scene: &'a Scene, cx: &mut LowerCx<'_>) -> Vec<Object<'a>> {
    let mut objects = Vec::new();
    for (id, node, mesh) in scene.bodies() {
        let label = node.subject(id);
        let own = node.called(mesh);
        let name = match own.bytes() {
            [] => DEFAULT.into(),
            bytes => one_line(bytes),
        };
        if !own.is_empty() && name != own.bytes() {
            cx.lose(&LOSS_042, &label, 1, "name", "a name of OBJ is one line without blanks around it");
        }
        objects.push(Object { name, node, mesh, label });
    }
    objects
}

/// Bytes as a name: nothing that would end the line, join it with the next, or be taken for a blank around it.
pub(in crate::obj) fn one_line(name: &[u8]) -> Vec<u8> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C);
    let start = name.iter().position(|byte| !blank(byte)).unwrap_or(name.len());
    let end = name.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    let mut out: Vec<u8> = name[start..end].iter().map(|&byte| if byte < b' ' { b'_' } else { byte }).collect();
    if out.is_empty() || out.ends_with(b"\\") {
        out.push(b'_');
    }
    out
}
