//! Document → scene.

use findings::Result;
use scene::loss::*;
use scene::{Mesh, Name, Node, Origin, Primitive, Scene, Stream, Topology, Value};
use wire::Text;

use super::super::layout::{Document, ORDER, Vertices};
use super::{ALPHA, COLORED, FIELDS, stride};
use crate::LiftCx;

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::super::SPACE;
    scene.origin = Some(Origin { format: "danmodel".into(), dialect: doc.dialect.id().into() });
    let name = |text: &Text| Name::from(text.bytes());
    scene.metadata.title = name(&doc.header.name);
    scene.metadata.description = name(&doc.header.description);
    scene.metadata.author = name(&doc.header.author);
    if let Some(alpha) = doc.header.danmaku_alpha {
        ALPHA.set(&mut scene.extras, Value::F32(alpha.get()));
    }
    for (bytes, what) in [(&doc.slack, "slack"), (&doc.tail, "tail")] {
        if !bytes.is_empty() {
            cx.lose(&LOSS_026, what, bytes.len() as u64, "bytes", "no field of the format owns them");
        }
    }
    for (i, piece) in doc.pieces.iter().enumerate() {
        let mut node = Node::default();
        if piece.danmaku_colored.is_set() {
            COLORED.set(&mut node.extras, Value::Bool(true));
        }
        let topology = piece.mode.topology().unwrap_or_else(|| {
            let what = format!("mode {}", piece.mode.0);
            cx.lose(&LOSS_027, format!("piece {i}"), 1, &what, "modes are 0 to 9");
            Topology::Points
        });
        let primitive = lift_vertices(&piece.vertices, topology);
        node.mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() }));
        scene.add_root(node);
    }
    Ok(scene)
}

fn lift_vertices(vertices: &Vertices, topology: Topology) -> Primitive {
    let (rows, colored) = match vertices {
        Vertices::Plain(bulk) => (bulk.to_blob(ORDER), false),
        Vertices::Colored(bulk) => (bulk.to_blob(ORDER), true),
    };
    let mut primitive = Primitive::new(topology);
    for field in &FIELDS {
        let Some(offset) = field.offset(colored) else { continue };
        let data = rows.slice(offset.min(rows.len())..);
        let stream = Stream::new(data, vertices.len(), field.encoding(stride(colored)));
        primitive = primitive.with(field.semantic.clone(), stream);
    }
    primitive
}
