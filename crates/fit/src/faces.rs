//! How vertices are connected: triangles for targets that draw nothing else, and corners without sharing.

use findings::{Losses, Subject};
use ops::{Drawable, MAX_CORNERS, drawable, segments};
use scene::loss::*;
use scene::{Indexing, Primitive, Scene, Topology};

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    super::each_primitive(scene, |primitive, place| {
        leave_out_broken(primitive, place, losses);
        let draws = |topology| target.can.topologies.contains(&topology);
        if !draws(primitive.topology) {
            let was = primitive.topology;
            if was.is_surface() && draws(Topology::Triangles) {
                let count = face_count(primitive);
                let fans = ops::triangulate(primitive);
                let what = format!("{} made triangles", was.name());
                losses.add(&LOSS_019, place, count, what, format!("{} draws no such faces", target.name));
                if fans > 0 {
                    let why = format!("outlines that cross themselves or have more than {} corners", MAX_CORNERS);
                    losses.add(&LOSS_019, place, fans, "polygons cut as fans, which may cover their notches", why);
                }
            } else if !was.is_surface() && draws(Topology::Lines) {
                let indices = segments(primitive);
                primitive.topology = Topology::Lines;
                primitive.indices = Some(indices.into());
            }
        }
    });
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let place = mesh.subject(index);
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

/// Leaves out faces, lines and points of vertices that do not exist.
fn leave_out_broken(primitive: &mut Primitive, place: &Subject, losses: &mut Losses) {
    let Some(Drawable { topology, indices, left_out }) = drawable(primitive) else { return };
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

/// Corners as the target wants them: never shared, or named by indices.
pub(super) fn index(scene: &mut Scene, target: &Target) {
    let primitives = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    match target.can.indices {
        Indexing::Never => primitives.for_each(ops::unindex),
        Indexing::Always => primitives.for_each(ops::index),
        Indexing::Optional => {}
    }
}
