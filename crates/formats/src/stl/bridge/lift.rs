//! Document → scene.

use findings::Result;
use rayon::prelude::*;
use scene::{Mesh, Name, Node, Origin, Primitive, Scene, Semantic, Stream, Topology, Value};

use super::ATTRIBUTES;
use crate::stl::SPACE;
use crate::stl::colors::{Coloring, words};
use crate::stl::compose::{BATCH, is_plain, lose_facets, lose_tail};
use crate::stl::geometry::{Triangle, triangles};
use crate::stl::layout::Document;
use crate::{Document as _, LiftCx};

pub(in crate::stl) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = SPACE;
    scene.origin = Some(Origin { format: "stl".into(), dialect: doc.dialect().into() });
    match doc {
        Document::Binary(binary) => {
            if !is_plain(&binary.header) {
                scene.metadata.raw = binary.header.to_vec();
            }
            let mut primitive = lift_triangles(&triangles(binary));
            if let Some(colors) = Coloring::of(binary).corners(binary) {
                primitive = primitive.with(Semantic::Color(0), Stream::from_f32(4, colors));
            }
            let words = words(binary);
            if words.iter().any(|&word| word != 0) {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                ATTRIBUTES.set(&mut primitive.extras, Value::Bytes(bytes));
            }
            add(&mut scene, Name::default(), primitive);
            lose_tail(binary, &mut cx.losses);
        }
        Document::Ascii(ascii) => {
            let model = ascii.model();
            for solid in &model.solids {
                let name = Name::from(&ascii.source()[solid.name.clone()]);
                add(&mut scene, name, lift_triangles(&model.facets[solid.facets.clone()]));
            }
            lose_facets(ascii, &mut cx.losses);
        }
    }
    Ok(scene)
}

fn add(scene: &mut Scene, name: Name, primitive: Primitive) {
    let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { name, mesh: Some(mesh), ..Node::default() });
}

fn lift_triangles(triangles: &[Triangle]) -> Primitive {
    let corners = |pick: fn(&Triangle) -> [[f32; 3]; 3]| {
        let mut out = vec![0.; triangles.len() * 9];
        out.par_chunks_mut(9).zip(triangles).with_min_len(BATCH).for_each(|(row, triangle)| {
            row.copy_from_slice(pick(triangle).as_flattened());
        });
        Stream::from_f32(3, out)
    };
    Primitive::new(Topology::Triangles)
        .with(Semantic::Position, corners(|[_, a, b, c]| [*a, *b, *c]))
        .with(Semantic::Normal, corners(|[normal, ..]| [*normal; 3]))
}
