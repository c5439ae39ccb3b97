//! How vertices are connected: triangles for targets that draw nothing else, and corners without sharing.

use findings::Losses;

use super::Target;
use super::cut::{self, Cut, triangulate};
use crate::loss::*;
use crate::{Indexing, Original, Primitive, Scene, Semantic, Stream, Topology};

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    super::each_primitive(scene, |primitive, place| {
        leave_out_broken(primitive, target, place, losses);
        let draws = |topology| target.can.topologies.contains(&topology);
        if !draws(primitive.topology) {
            let was = primitive.topology;
            if was.is_surface() && draws(Topology::Triangles) {
                let count = face_count(primitive);
                let Cut { indices, fans } = cut::cut(primitive);
                remember_faces(primitive, target);
                primitive.topology = Topology::Triangles;
                primitive.indices = Some(indices.into());
                primitive.corners.clear();
                let what = format!("{} made triangles", was.name());
                losses.add(&LOSS_019, place, count, what, format!("{} draws no such faces", target.name));
                if fans > 0 {
                    let why = format!("outlines that cross themselves or have more than {} corners", cut::MAX_CORNERS);
                    losses.add(&LOSS_019, place, fans, "polygons cut as fans, which may cover their notches", why);
                }
            } else if !was.is_surface() && draws(Topology::Lines) {
                let indices = segments(primitive);
                remember_faces(primitive, target);
                primitive.topology = Topology::Lines;
                primitive.indices = Some(indices.into());
            }
        }
    });
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let place = Scene::label("mesh", index, &mesh.name);
        mesh.primitives.retain(|primitive| {
            let drawn = target.can.topologies.contains(&primitive.topology);
            if !drawn {
                let what = format!("{} part", primitive.topology.name());
                let thin = matches!(
                    primitive.topology,
                    Topology::Points | Topology::Lines | Topology::LineStrip | Topology::LineLoop
                );
                losses.add(&LOSS_029, &place, 1, what, target.why(if thin { "points and lines" } else { "triangles" }));
            }
            drawn
        });
    }
}

/// Corners as the target wants them: never shared, or named by indices.
pub(super) fn index(scene: &mut Scene, target: &Target<'_>) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if target.can.indices == Indexing::Never
            && let Some(indices) = primitive.indices.take()
        {
            let indices = indices.to_vec();
            for attribute in &mut primitive.attributes {
                attribute.stream = attribute.stream.gather(&indices);
            }
            for attribute in primitive.targets.iter_mut().flat_map(|target| &mut target.attributes) {
                attribute.stream = attribute.stream.gather(&indices);
            }
        }
        if target.can.indices == Indexing::Always && primitive.indices.is_none() {
            primitive.indices = Some((0..primitive.vertex_count() as u32).collect::<Vec<_>>().into());
        }
    }
}

/// Leaves out faces, lines and points of vertices that do not exist.
fn leave_out_broken(primitive: &mut Primitive, target: &Target<'_>, place: &str, losses: &mut Losses) {
    let Some(Sound { topology, indices, left_out }) = sound(primitive) else { return };
    remember_faces(primitive, target);
    if left_out > 0 {
        losses.add(&LOSS_043, place, left_out, topology.name(), "their vertices do not exist");
    }
    let incomplete = match primitive.topology {
        Topology::Triangles => primitive.draw_count() % 3,
        Topology::Quads => primitive.draw_count() % 4,
        Topology::Lines => primitive.draw_count() % 2,
        _ => 0,
    };
    if incomplete > 0 {
        losses.add(&LOSS_033, place, 1, "face or line left out", "it lacks corners");
    }
    (primitive.topology, primitive.indices) = (topology, Some(indices.into()));
    primitive.corners.clear();
}

/// What is left of a primitive without its faces, lines or points of vertices that do not exist.
pub struct Sound {
    /// Triangles, lines or points.
    pub topology: Topology,
    /// Their corners.
    pub indices: Vec<u32>,
    /// How many are left out.
    pub left_out: u64,
}

/// The part of a primitive that can be drawn; nothing if all of it can.
pub fn sound(primitive: &Primitive) -> Option<Sound> {
    let count = primitive.get(&Semantic::Position).map_or_else(|| primitive.vertex_count(), Stream::len);
    let exists = |index: &u32| (*index as usize) < count;
    if primitive.indices.as_ref()?.to_vec().iter().all(exists) {
        return None;
    }
    let (topology, size, all) = match primitive.topology {
        Topology::Points => (Topology::Points, 1, order(primitive)),
        surface if surface.is_surface() => (Topology::Triangles, 3, triangulate(primitive)),
        _ => (Topology::Lines, 2, segments(primitive)),
    };
    let indices: Vec<u32> = all.chunks_exact(size).filter(|face| face.iter().all(exists)).flatten().copied().collect();
    let left_out = (all.len() / size - indices.len() / size) as u64;
    Some(Sound { topology, indices, left_out })
}

fn remember_faces(primitive: &mut Primitive, target: &Target<'_>) {
    if target.can.carries {
        let faces = (primitive.topology, primitive.indices.clone(), primitive.corners.clone());
        primitive.original.get_or_insert_with(|| Box::new(Original::default())).faces.get_or_insert(faces);
    }
}

fn face_count(primitive: &Primitive) -> u64 {
    let count = primitive.draw_count() as u64;
    match primitive.topology {
        Topology::Quads => count / 4,
        Topology::QuadStrip => (count / 2).saturating_sub(1),
        Topology::Polygon => 1,
        Topology::Polygons => primitive.corners.len() as u64,
        other => other.triangles(count),
    }
}

/// The pairs of vertices that make its lines.
fn segments(primitive: &Primitive) -> Vec<u32> {
    let order = order(primitive);
    let pairs = order.windows(2).flat_map(|pair| [pair[0], pair[1]]);
    match primitive.topology {
        Topology::LineStrip => pairs.collect(),
        Topology::LineLoop if order.len() > 1 => pairs.chain([order[order.len() - 1], order[0]]).collect(),
        Topology::Lines => order,
        _ => Vec::new(),
    }
}

pub(super) fn order(primitive: &Primitive) -> Vec<u32> {
    match &primitive.indices {
        Some(indices) => indices.to_vec(),
        None => (0..primitive.vertex_count() as u32).collect(),
    }
}
