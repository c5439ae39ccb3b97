//! Cuts faces into triangles.

use earcut::Earcut;
use glam::DVec3;
use scene::{Primitive, Semantic, Topology};

use crate::corners;

/// Most corners of a polygon with notches that is cut with care: the time grows with their square, and this many take
/// about a third of a second.
pub const MAX_CORNERS: usize = 16384;

/// Polygons of no more corners are cut without a look at whether they can be.
const FEW_CORNERS: usize = 64;

/// The triangles of a primitive.
struct Cut {
    /// Their corners, as positions in its streams.
    indices: Vec<u32>,
    /// How many polygons could be cut as a fan only, which covers more than they do unless they are convex.
    fans: u64,
}

/// The triangles of a primitive, as positions in its streams, in the order its faces are drawn. Corners that make no
/// whole face are left out.
pub fn triangles(primitive: &Primitive) -> Vec<u32> {
    cut(primitive).indices
}

/// Makes triangles of the faces of a primitive. Answers how many polygons could be cut as a fan only, which covers more
/// than they do unless they are convex.
pub fn triangulate(primitive: &mut Primitive) -> u64 {
    let Cut { indices, fans } = cut(primitive);
    primitive.topology = Topology::Triangles;
    primitive.indices = Some(indices.into());
    primitive.corners.clear();
    fans
}

fn cut(primitive: &Primitive) -> Cut {
    let v = corners(primitive);
    let mut out = Vec::with_capacity(primitive.triangle_count() as usize * 3);
    let mut fans = 0;
    match primitive.topology {
        Topology::Triangles => out.extend(&v[..v.len() - v.len() % 3]),
        Topology::TriangleStrip => {
            for (k, t) in v.windows(3).enumerate() {
                out.extend(if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
            }
        }
        Topology::TriangleFan | Topology::Polygon => fan(&v, &mut out),
        Topology::Quads => {
            let places = Places::of(primitive);
            out.extend(v.chunks_exact(4).flat_map(|q| places.cut_quad([q[0], q[1], q[2], q[3]])));
        }
        Topology::QuadStrip => {
            let places = Places::of(primitive);
            // Quad k is (2k, 2k+1, 2k+3, 2k+2).
            out.extend(v.windows(4).step_by(2).flat_map(|q| places.cut_quad([q[0], q[1], q[3], q[2]])));
        }
        Topology::Polygons => fans = cut_polygons(primitive, &v, &mut out),
        _ => {}
    }
    Cut { indices: out, fans }
}

/// Where the vertices are.
struct Places(Vec<f64>);

impl Places {
    fn of(primitive: &Primitive) -> Places {
        let positions = primitive.get(&Semantic::Position).filter(|stream| stream.count() == 3);
        Places(positions.map(|stream| stream.to_f64()).unwrap_or_default())
    }

    fn at(&self, index: u32) -> [f64; 3] {
        match self.0.get(index as usize * 3..index as usize * 3 + 3) {
            Some(p) => [p[0], p[1], p[2]],
            None => [0.; 3],
        }
    }

    fn cut_quad(&self, [a, b, c, d]: [u32; 4]) -> [u32; 6] {
        match cuts_at_second([a, b, c, d].map(|index| self.at(index))) {
            false => [a, b, c, a, c, d],
            true => [b, c, d, b, d, a],
        }
    }
}

/// Whether a quad is cut from its second to its fourth corner. The formats cut from the first to the third, which is
/// outside of a quad with a notch at the second or the fourth: such a quad, seen along its normal, is cut inside.
pub fn cuts_at_second(corners: [[f64; 3]; 4]) -> bool {
    /// A corner that is off the line of its neighbours by less than this share of the area is on it.
    const STRAIGHT: f64 = 1e-6;
    let [a, b, c, d] = corners.map(DVec3::from_array);
    let (ac, bd) = (c - a, d - b);
    let normal = ac.cross(bd);
    let outside = -STRAIGHT * normal.length_squared();
    // Twice the areas of the triangles on either side of a diagonal, times the length of the normal.
    if normal.dot((b - a).cross(ac)) >= outside && normal.dot(ac.cross(d - a)) >= outside {
        return false;
    }
    normal.dot((c - b).cross(bd)) > 0. && normal.dot(bd.cross(a - b)) > 0.
}

/// Cuts polygons, which may be concave, by ear clipping in their own plane; says how many became fans.
fn cut_polygons(primitive: &Primitive, order: &[u32], out: &mut Vec<u32>) -> u64 {
    let places = Places::of(primitive);
    let mut cutter = Earcut::new();
    let mut cut = Vec::<u32>::new();
    let mut rest = order;
    let mut fans = 0;
    for &corners in &primitive.corners {
        let Some((face, behind)) = rest.split_at_checked(corners as usize) else { break };
        rest = behind;
        match face {
            [] | [_] | [_, _] => continue,
            [a, b, c] => {
                out.extend([*a, *b, *c]);
                continue;
            }
            _ => {}
        }
        let flat = flatten(face.iter().map(|&i| places.at(i).into()));
        if face.len() <= MAX_CORNERS && (face.len() <= FEW_CORNERS || is_outline(&flat)) {
            cutter.earcut(flat.iter().copied(), &[], &mut cut);
            // Corners that are where their neighbours are make no triangle.
            if cut.len() == (face.len() - 2) * 3 || (!cut.is_empty() && covers(&flat, &cut)) {
                out.extend(cut.iter().map(|&i| face[i as usize]));
                continue;
            }
        }
        fan(face, out);
        cut.clear();
        fan(&(0..corners).collect::<Vec<_>>(), &mut cut);
        fans += u64::from(!covers(&flat, &cut));
    }
    fans
}

/// Whether corners are the outline of a polygon: few of them stand in one place, and no two edges cross. Cutting anything
/// else takes time that grows with the cube of their number, and shows nothing that a fan does not.
fn is_outline(flat: &[[f64; 2]]) -> bool {
    let mut places: Vec<[u64; 2]> = flat.iter().map(|corner| corner.map(f64::to_bits)).collect();
    places.sort_unstable();
    places.dedup();
    // A bridge to a hole is walked along twice.
    places.len() * 2 >= flat.len() && !crosses_itself(flat)
}

fn crosses_itself(flat: &[[f64; 2]]) -> bool {
    /// What is off a line by less than this share of the square of the polygon's size is on it.
    const STRAIGHT: f64 = 1e-12;
    type Edge = [[f64; 2]; 2];
    let size = flat.iter().map(|p| p[0] * p[0] + p[1] * p[1]).fold(0., f64::max);
    let (low, high) = (|[a, b]: &Edge| a[0].min(b[0]), |[a, b]: &Edge| a[0].max(b[0]));
    let mut edges: Vec<Edge> = (0..flat.len()).map(|at| [flat[at], flat[(at + 1) % flat.len()]]).collect();
    edges.sort_by(|a, b| low(a).total_cmp(&low(b)));
    let off = |[a, b]: &Edge, p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let parts = |line: &Edge, [p, q]: &Edge| {
        let (p, q) = (off(line, *p), off(line, *q));
        p.abs().min(q.abs()) > STRAIGHT * size && (p > 0.) != (q > 0.)
    };
    edges.iter().enumerate().any(|(at, a)| {
        let mut near = edges[at + 1..].iter().take_while(|b| low(b) <= high(a));
        near.any(|b| parts(a, b) && parts(b, a))
    })
}

fn fan(face: &[u32], out: &mut Vec<u32>) {
    out.extend(face.windows(2).skip(1).flat_map(|edge| [face[0], edge[0], edge[1]]));
}

/// Whether triangles cover a polygon, and nothing twice or beside it.
fn covers(flat: &[[f64; 2]], cut: &[u32]) -> bool {
    /// What adding areas leaves, as a share of the square of the polygon's size.
    const ROUNDING: f64 = 1e-9;
    let doubled = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let area = flat.windows(2).map(|edge| doubled(edge[0], edge[1])).sum::<f64>();
    let triangles = cut.chunks_exact(3).map(|t| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|corner| flat[corner as usize]);
        doubled([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]).abs()
    });
    let size = flat.iter().map(|p| p[0] * p[0] + p[1] * p[1]).fold(0., f64::max);
    (triangles.sum::<f64>() - area.abs()).abs() <= ROUNDING * size
}

/// Corners in the plane that fits them best (Newell's normal), seen so that they run counter-clockwise. The first is
/// the origin: far from it, areas would be lost in rounding.
fn flatten(corners: impl Iterator<Item = DVec3> + Clone) -> Vec<[f64; 2]> {
    let origin = corners.clone().next().unwrap_or_default();
    let corners = corners.map(|corner| corner - origin);
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
    use scene::Stream;

    fn flat(topology: Topology, count: usize) -> Primitive {
        Primitive::new(topology).with(Semantic::Position, Stream::from_f32(3, vec![0.; count * 3]))
    }

    /// The table of `danmodel.md` §3, which is OpenGL's.
    #[test]
    fn every_topology_is_cut_as_opengl_draws_it() {
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
            assert_eq!(triangles(&primitive), expected, "{}", topology.name());
            assert_eq!(primitive.triangle_count(), expected.len() as u64 / 3, "{}", topology.name());
        }
    }

    #[test]
    fn too_few_vertices_make_no_face() {
        for topology in Topology::ALL.into_iter().filter(|t| t.is_surface()) {
            for count in 0..3 {
                assert_eq!(triangles(&flat(topology, count)), [] as [u32; 0], "{} {count}", topology.name());
            }
        }
    }

    /// Twice the area of what a face is cut into, and how many fans that took.
    fn area(topology: Topology, corners: &[[f64; 2]], order: &[u32]) -> (f64, u64) {
        let flat = corners.iter().flat_map(|c| [c[0], c[1], 0.]).collect();
        let mut primitive = Primitive::new(topology).with(Semantic::Position, Stream::from_f64(3, flat));
        primitive.indices = Some(order.to_vec().into());
        primitive.corners = if topology == Topology::Polygons { vec![order.len() as u32] } else { Vec::new() };
        let Cut { indices, fans } = cut(&primitive);
        let areas = indices.chunks(3).map(|t| {
            let [a, b, c] = [corners[t[0] as usize], corners[t[1] as usize], corners[t[2] as usize]];
            (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        });
        (areas.inspect(|area| assert!(fans > 0 || *area >= 0., "a triangle is turned round")).sum(), fans)
    }

    /// An arrow head: a fan from its first corner would cover the notch, which is the last.
    const ARROW: [[f64; 2]; 4] = [[0., 0.], [4., 0.], [4., 4.], [3., 1.]];

    #[test]
    fn concave_face_keeps_its_area() {
        for topology in [Topology::Polygons, Topology::Quads] {
            for start in 0..4 {
                let order: Vec<u32> = (0..4).map(|i| (start + i) % 4).collect();
                assert_eq!(area(topology, &ARROW, &order), (8., 0), "{} from {start}", topology.name());
            }
        }
        for order in [[0, 1, 3, 2], [1, 2, 0, 3]] {
            assert_eq!(area(Topology::QuadStrip, &ARROW, &order), (8., 0));
        }
    }

    #[test]
    fn quad_is_cut_at_its_second_corner_only_if_the_other_diagonal_is_outside() {
        let flat = |corners: [[f64; 2]; 4]| cuts_at_second(corners.map(|[x, y]| [x, y, 0.]));
        assert!(flat(ARROW));
        let square = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
        let notch_first = [ARROW[3], ARROW[0], ARROW[1], ARROW[2]];
        let straight = [[0., 0.], [1., 1e-9], [2., 0.], [0., 2.]];
        let crossing = [[0., 0.], [1., 1.], [1., 0.], [0., 1.]];
        for corners in [square, notch_first, straight, crossing, [[0.; 2]; 4]] {
            assert!(!flat(corners), "{corners:?}");
        }
        // Folded sharply at its first diagonal, and still convex where its normal looks at it.
        assert!(!cuts_at_second([[0., 0., 0.], [1., 0., 5.], [1., 1., 0.], [0., 1., 5.]]));
        assert!(!cuts_at_second([[0., 0., f64::NAN], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]]));
    }

    #[test]
    fn concave_polygon_with_repeated_corners_keeps_its_area() {
        let notched = [[0., 0.], [4., 0.], [4., 4.], [2., 1.], [0., 4.], [2., 1.]];
        let whole = 20.;
        for order in [&[0_u32, 1, 2, 3, 4][..], &[0, 1, 2, 3, 4, 0], &[0, 0, 1, 2, 3, 3, 4], &[0, 1, 2, 3, 5, 5, 4]] {
            assert_eq!(area(Topology::Polygons, &notched, order), (whole, 0), "{order:?}");
        }
        let far = notched.map(|[x, y]| [x + 1e6, y - 1e6]);
        assert_eq!(area(Topology::Polygons, &far, &[0, 0, 1, 2, 3, 4]), (whole, 0));
    }

    /// A ring of teeth: no fan covers it alone.
    fn cog(corners: usize) -> Vec<[f64; 2]> {
        let at =
            |i: usize| (i as f64 / corners as f64 * std::f64::consts::TAU, if i.is_multiple_of(2) { 1. } else { 1.1 });
        (0..corners).map(at).map(|(angle, radius)| [radius * angle.cos(), radius * angle.sin()]).collect()
    }

    #[test]
    fn polygon_of_many_corners_is_cut_with_care_up_to_a_limit_and_counted_beyond() {
        let order: Vec<u32> = (0..MAX_CORNERS as u32 + 2).collect();
        let expected = |n: f64| n * 1.1 * (std::f64::consts::TAU / n).sin();
        let (doubled, fans) = area(Topology::Polygons, &cog(6000), &order[..6000]);
        assert!((doubled - expected(6000.)).abs() < 1e-9 && fans == 0, "{doubled} {fans}");
        assert_eq!(area(Topology::Polygons, &cog(order.len()), &order).1, 1);
        let round: Vec<[f64; 2]> = cog(order.len() * 2).into_iter().step_by(2).collect();
        assert_eq!(area(Topology::Polygons, &round, &order).1, 0, "a fan covers all of it");
    }

    #[test]
    fn many_corners_that_are_no_outline_are_a_fan() {
        let round = cog(200);
        assert!(is_outline(&round.iter().copied().step_by(2).collect::<Vec<_>>()) && is_outline(&round));
        // Every corner three times over, and a star whose edges all cross.
        let wound: Vec<[f64; 2]> = round.iter().copied().cycle().take(600).collect();
        let star: Vec<[f64; 2]> = (0..round.len()).map(|i| round[i * 99 % round.len()]).collect();
        assert!(!is_outline(&wound) && !is_outline(&star));
        // A hole and the bridge to it.
        let hole = round.iter().rev().map(|[x, y]| [x * 0.5, y * 0.5]);
        let bridged: Vec<[f64; 2]> =
            round.iter().copied().chain([round[0]]).chain([round[0].map(|v| v * 0.5)]).chain(hole).collect();
        assert!(is_outline(&bridged));
    }

    #[test]
    fn crossing_outline_is_counted_and_a_line_is_not() {
        let cross = [[0., 0.], [3., 3.], [3., 0.], [1., 4.], [0., 3.]];
        assert_eq!(area(Topology::Polygons, &cross, &[0, 1, 2, 3, 4]).1, 1);
        let line = [[0., 0.], [1., 1.], [2., 2.], [3., 3.], [0., 0.]];
        assert_eq!(area(Topology::Polygons, &line, &[0, 1, 2, 3, 4]).1, 0);
    }
}
