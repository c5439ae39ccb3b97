//! Transforms multiplied into vertices.

use glam::{DMat3, DMat4, DVec3};
use scene::{Component, Id, Node, Primitive, Scene, Semantic, Stream, Topology, undone};

use crate::{MeshUsers, triangles};

/// Multiplies a transform into the vertices of a primitive; numbers stay as wide as they were.
pub fn transform_rounded(primitive: &mut Primitive, world: &DMat4) -> Option<Reversed> {
    let wide: Vec<bool> =
        primitive.attributes.iter().map(|a| a.stream.encoding().component == Component::F64).collect();
    let reversed = transform_primitive(primitive, world);
    let narrow = |stream: &mut Stream, wide: bool| {
        if stream.encoding().component == Component::F64 && !wide {
            *stream = Stream::from_f32(stream.encoding().count, stream.to_f32());
        }
    };
    primitive.attributes.iter_mut().zip(wide).for_each(|(attribute, wide)| narrow(&mut attribute.stream, wide));
    let deltas = primitive.targets.iter_mut().flat_map(|target| &mut target.attributes);
    deltas.for_each(|attribute| narrow(&mut attribute.stream, false));
    reversed
}

/// Multiplies a transform into the vertices of a primitive and into its morph targets; what mirrors turns its corners
/// round.
pub fn transform_primitive(primitive: &mut Primitive, world: &DMat4) -> Option<Reversed> {
    let linear = DMat3::from_mat4(*world);
    let back = undone(world).map(DMat3::from_mat4);
    let mirrored = back.is_some() && linear.determinant() < 0.;
    // Normals follow the inverse transpose; a flat map has none, and then the map itself is as good as anything.
    let normals = back.map_or(linear, |back| back.transpose());
    let (normal_turn, tangent_turn) = (axis_turn(&normals), axis_turn(&linear));
    for attribute in &mut primitive.attributes {
        let map: &dyn Fn(DVec3) -> DVec3 = match attribute.semantic {
            Semantic::Position => &|p| world.transform_point3(p),
            Semantic::Normal => &|n| normal_turn.map_or_else(|| (normals * n).normalize_or_zero(), |turn| turn * n),
            Semantic::Tangent => &|t| tangent_turn.map_or_else(|| (linear * t).normalize_or_zero(), |turn| turn * t),
            _ => continue,
        };
        attribute.stream = mapped(&attribute.stream, map, mirrored);
    }
    for attribute in primitive.targets.iter_mut().flat_map(|target| &mut target.attributes) {
        let map: &dyn Fn(DVec3) -> DVec3 = match attribute.semantic {
            Semantic::Position | Semantic::Tangent => &|p| linear * p,
            Semantic::Normal => &|n| normals * n,
            _ => continue,
        };
        attribute.stream = mapped(&attribute.stream, map, false);
    }
    if mirrored { reverse(primitive) } else { None }
}

/// What a map does to directions, if it leads axes to axes and stretches all alike: digits of directions stay as they
/// are.
fn axis_turn(map: &DMat3) -> Option<DMat3> {
    let size = map.x_axis.abs().max_element();
    let turn = map.to_cols_array().map(|v| v / size);
    let plain = |v: f64| v == 0. || v.abs() == 1.;
    let turn = turn.into_iter().all(plain).then(|| DMat3::from_cols_array(&turn))?;
    Some(turn).filter(|turn| turn.determinant().abs() == 1.)
}

/// Faces that became triangles as their corners were turned round.
#[derive(Clone, Copy, Debug)]
pub struct Reversed {
    /// What they were.
    pub was: Topology,
    /// How many triangles they are.
    pub count: u64,
}

/// Nodes, and what became triangles in their meshes.
pub type ReversedNodes = Vec<(Id<Node>, Reversed)>;

/// Turns the corners of faces round.
pub fn reverse(primitive: &mut Primitive) -> Option<Reversed> {
    if !primitive.topology.is_surface() {
        return None;
    }
    let was = primitive.topology;
    let mut indices = triangles(primitive);
    indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
    primitive.topology = Topology::Triangles;
    primitive.corners.clear();
    primitive.indices = Some(indices.into());
    (was != Topology::Triangles).then(|| Reversed { was, count: primitive.draw_count() as u64 / 3 })
}

/// The scene with the corners of some skinned meshes turned round, if there are any: a node tells which side of its
/// mesh is the front, also where joints place the vertices. What is written at another place, which mirrors while the
/// node does not, or the other way round, would show its back. With it, the nodes whose faces became triangles by that.
pub fn reverse_skinned(scene: &Scene, is_turned: impl Fn(Id<Node>) -> bool) -> Option<(Scene, ReversedNodes)> {
    let skinned = scene.nodes.entries().filter(|(_, node)| node.skin.is_some() && node.mesh.is_some());
    let turned: Vec<Id<Node>> = skinned.map(|(id, _)| id).filter(|id| is_turned(*id)).collect();
    if turned.is_empty() {
        return None;
    }
    let mut out = scene.clone();
    let mut users = MeshUsers::of(&out);
    let mut reversed = Vec::new();
    for node in turned {
        let mesh = users.own_mesh(&mut out, node);
        let parts = mesh.into_iter().flat_map(|mesh| &mut mesh.primitives);
        let parts = parts.filter(|part| part.get(&Semantic::Joints(0)).is_some());
        reversed.extend(parts.filter_map(reverse).map(|part| (node, part)));
    }
    Some((out, reversed))
}

/// A stream whose first three numbers were passed through a map; the sign of a tangent changes where it is mirrored.
fn mapped(stream: &Stream, map: &dyn Fn(DVec3) -> DVec3, mirrored: bool) -> Stream {
    let width = stream.count();
    let mut values = stream.to_f64();
    for row in values.chunks_mut(width.max(1)).filter(|row| row.len() >= 3) {
        let moved = map(DVec3::new(row[0], row[1], row[2]));
        row[..3].copy_from_slice(&moved.to_array());
        if mirrored && row.len() == 4 {
            row[3] = -row[3];
        }
    }
    Stream::from_f64(width as u8, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_keep_their_digits_where_axes_lead_to_axes() {
        let row = vec![0.36_f32, 0.48, 0.8];
        let placed = |world: DMat4| {
            let normals = Stream::from_f32(3, row.clone());
            let mut primitive = Primitive::new(Topology::Points).with(Semantic::Normal, normals);
            transform_primitive(&mut primitive, &world);
            primitive.get(&Semantic::Normal).unwrap().to_f64()
        };
        let [x, y, z] = [0, 1, 2].map(|i| f64::from(row[i]));
        assert_eq!(placed(DMat4::from_scale(DVec3::splat(0.5))), [x, y, z]);
        let turn = DMat4::from_cols_array(&[0., 3., 0., 0., -3., 0., 0., 0., 0., 0., 3., 0., 1., 2., 3., 1.]);
        assert_eq!(placed(turn), [-y, x, z]);
        assert_ne!(placed(DMat4::from_scale(DVec3::new(1., 2., 1.))), [x, y, z]);
    }

    #[test]
    fn what_is_flat_but_for_rounding_mirrors_nothing() {
        let turn = |angle: f64| DMat4::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), angle);
        for angle in [0.3, 0.7, 1.9, 2.5] {
            let world = turn(angle) * DMat4::from_scale(DVec3::new(1., 0., 1.)) * turn(angle + 1.);
            let mut primitive = Primitive::new(Topology::Triangles);
            transform_primitive(&mut primitive, &world);
            assert_eq!(primitive.indices, None, "{angle}: its corners were turned round");
        }
    }
}
