//! How vertices are connected: triangles for targets that draw nothing else, and corners without sharing.

use earcut::Earcut;
use findings::Losses;
use glam::DVec3;

use super::Target;
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
                let indices = triangulate(primitive);
                remember_faces(primitive, target);
                primitive.topology = Topology::Triangles;
                primitive.indices = Some(indices.into());
                primitive.corners.clear();
                let what = format!("{} turned into triangles", was.name());
                losses.add(&LOSS_019, place, count, what, format!("{} does not draw {}", target.name, was.name()));
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

fn order(primitive: &Primitive) -> Vec<u32> {
    match &primitive.indices {
        Some(indices) => indices.to_vec(),
        None => (0..primitive.vertex_count() as u32).collect(),
    }
}

/// The triangles of a surface, as positions in its streams, in the order its faces are drawn. Corners that make no
/// whole face are left out.
pub fn triangulate(primitive: &Primitive) -> Vec<u32> {
    let v = order(primitive);
    let mut out = Vec::with_capacity(primitive.triangle_count() as usize * 3);
    match primitive.topology {
        Topology::Triangles => out.extend(&v[..v.len() - v.len() % 3]),
        Topology::TriangleStrip => {
            for (k, t) in v.windows(3).enumerate() {
                out.extend(if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
            }
        }
        Topology::TriangleFan | Topology::Polygon => {
            out.extend(v.windows(2).skip(1).flat_map(|edge| [v[0], edge[0], edge[1]]));
        }
        Topology::Quads => out.extend(v.chunks_exact(4).flat_map(|q| [q[0], q[1], q[2], q[0], q[2], q[3]])),
        Topology::QuadStrip => {
            // Quad k is (2k, 2k+1, 2k+3, 2k+2).
            out.extend(v.windows(4).step_by(2).flat_map(|q| [q[0], q[1], q[3], q[0], q[3], q[2]]));
        }
        Topology::Polygons => cut_polygons(primitive, &v, &mut out),
        _ => {}
    }
    out
}

/// Cuts polygons, which may be concave, by ear clipping in their own plane.
fn cut_polygons(primitive: &Primitive, order: &[u32], out: &mut Vec<u32>) {
    let positions = primitive.get(&Semantic::Position).map(|s| s.to_f64()).unwrap_or_default();
    let at = |index: u32| match positions.get(index as usize * 3..index as usize * 3 + 3) {
        Some(p) => DVec3::new(p[0], p[1], p[2]),
        None => DVec3::ZERO,
    };
    let mut cutter = Earcut::new();
    let mut cut = Vec::<u32>::new();
    let mut rest = order;
    for &corners in &primitive.corners {
        let Some((face, behind)) = rest.split_at_checked(corners as usize) else { break };
        rest = behind;
        match face {
            [] | [_] | [_, _] => {}
            [a, b, c] => out.extend([*a, *b, *c]),
            _ if face.len() > MAX_CUT => fan(face, out),
            _ => {
                let flat = flatten(face.iter().map(|&i| at(i)));
                cutter.earcut(flat.iter().copied(), &[], &mut cut);
                if cut.len() == (face.len() - 2) * 3 {
                    out.extend(cut.iter().map(|&i| face[i as usize]));
                } else {
                    // Degenerate or self-crossing: a fan loses no corner.
                    fan(face, out);
                }
            }
        }
    }
}

/// Most corners of a polygon that is cut with care: the time grows with their square, and no modeller makes more.
const MAX_CUT: usize = 4096;

fn fan(face: &[u32], out: &mut Vec<u32>) {
    out.extend(face.windows(2).skip(1).flat_map(|edge| [face[0], edge[0], edge[1]]));
}

/// Corners in the plane that fits them best (Newell's normal), seen so that they run counter-clockwise.
fn flatten(corners: impl Iterator<Item = DVec3> + Clone) -> Vec<[f64; 2]> {
    let next = corners.clone().cycle().skip(1);
    let normal = corners.clone().zip(next).fold(DVec3::ZERO, |n, (a, b)| {
        n + DVec3::new((a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x), (a.x - b.x) * (a.y + b.y))
    });
    let normal = normal.try_normalize().unwrap_or(DVec3::Z);
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = if u.cross(v).dot(normal) < 0. { (v, u) } else { (u, v) };
    corners.map(|p| [p.dot(u), p.dot(v)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(topology: Topology, count: usize) -> Primitive {
        Primitive::new(topology).with(Semantic::Position, Stream::from_f32(3, vec![0.; count * 3]))
    }

    /// The table of `danmodel.md` §3, which is OpenGL's.
    #[test]
    fn every_surface_is_cut_as_opengl_draws_it() {
        let cases: [(Topology, usize, &[u32]); 6] = [
            (Topology::Triangles, 7, &[0, 1, 2, 3, 4, 5]),
            (Topology::TriangleStrip, 5, &[0, 1, 2, 2, 1, 3, 2, 3, 4]),
            (Topology::TriangleFan, 5, &[0, 1, 2, 0, 2, 3, 0, 3, 4]),
            (Topology::Quads, 9, &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]),
            (Topology::QuadStrip, 7, &[0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]),
            (Topology::Polygon, 5, &[0, 1, 2, 0, 2, 3, 0, 3, 4]),
        ];
        for (topology, count, expected) in cases {
            let primitive = flat(topology, count);
            assert_eq!(triangulate(&primitive), expected, "{}", topology.name());
            assert_eq!(primitive.triangle_count(), expected.len() as u64 / 3, "{}", topology.name());
        }
    }

    #[test]
    fn too_few_vertices_make_no_face() {
        for topology in Topology::ALL.into_iter().filter(|t| t.is_surface()) {
            for count in 0..3 {
                assert_eq!(triangulate(&flat(topology, count)), [] as [u32; 0], "{} {count}", topology.name());
            }
        }
    }

    #[test]
    fn concave_polygon_keeps_its_area() {
        // An arrow head: the fan from its first corner would cover the notch.
        let corners = [[0., 0.], [4., 0.], [4., 4.], [3., 1.]];
        let flat: Vec<f32> = corners.iter().flat_map(|c| [c[0], c[1], 0.]).collect();
        let mut primitive = Primitive::new(Topology::Polygons).with(Semantic::Position, Stream::from_f32(3, flat));
        primitive.corners = vec![4];
        let area: f32 = triangulate(&primitive)
            .chunks(3)
            .map(|t| {
                let [a, b, c] = [corners[t[0] as usize], corners[t[1] as usize], corners[t[2] as usize]];
                ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2.
            })
            .inspect(|area| assert!(*area > 0., "a triangle is turned round"))
            .sum();
        assert_eq!(area, 4.);
    }
}
