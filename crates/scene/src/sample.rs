//! What an animation says at a time: channels, poses, and the vertices they move.

mod excerpt;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use glam::{DMat3, DMat4, DQuat, DVec3};

pub use self::excerpt::{Excerpt, Sampler};

use crate::{
    Animation, Channel, Id, Interpolation, Mesh, Node, NodeRole, Primitive, Scene, Semantic, Skin, Stream, Track,
    Transform,
};

/// How far apart numbers of a joint's matrix may be, as a share of the largest, to have the mesh at one place: chains
/// of 32-bit floats and their inverses are off by so much.
const STAND_TOLERANCE: f64 = 1e-5;

/// Weights that are so near to 1 in all are as their file rounds them.
const WHOLE: f64 = 1e-4;

impl Channel {
    /// Numbers per key.
    pub fn width(&self) -> usize {
        match &self.track {
            Track::Translation | Track::Scale => 3,
            Track::Rotation => 4,
            Track::Other { width, .. } => *width as usize,
            Track::Weights => {
                let per_key = if self.interpolation == Interpolation::Cubic { 3 } else { 1 };
                self.values.len().checked_div(self.times.len() * per_key).unwrap_or(0)
            }
        }
    }

    /// The value at a time. At a key it is the key's value, bit for bit; before the first and behind the last key it is
    /// theirs. Nothing if there are no keys.
    pub fn at(&self, time: f32) -> Option<Vec<f32>> {
        let width = self.width();
        let after = self.times.partition_point(|&key| key <= time);
        let before = after.saturating_sub(1);
        let (from, to) = (self.key(before, width)?, self.key(after.min(self.times.len() - 1), width)?);
        let start = self.times[before];
        if after == 0 || after == self.times.len() || start == time {
            return Some(from.to_vec());
        }
        let span = self.times[after] - start;
        let u = f64::from((time - start) / span);
        Some(match self.interpolation {
            Interpolation::Step => from.to_vec(),
            Interpolation::Cubic => self.hermite(before, width, u, span.into())?,
            curve => self.mix(from, to, curve.progress(u)),
        })
    }

    /// The value of a key, without its tangents.
    fn key(&self, index: usize, width: usize) -> Option<&[f32]> {
        let at = match self.interpolation {
            Interpolation::Cubic => index * 3 + 1,
            _ => index,
        };
        self.values.get(at * width..(at + 1) * width).filter(|_| index < self.times.len())
    }

    fn mix(&self, from: &[f32], to: &[f32], u: f64) -> Vec<f32> {
        if self.track == Track::Rotation && from.len() == 4 && to.len() == 4 {
            return slerp(from, to, u).to_array().map(|v| v as f32).to_vec();
        }
        let line = |(&a, &b): (&f32, &f32)| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
        from.iter().zip(to).map(line).collect()
    }

    /// Hermite splines as glTF defines them: tangents are per second.
    fn hermite(&self, before: usize, width: usize, u: f64, span: f64) -> Option<Vec<f32>> {
        let part = |key: usize, part: usize| self.values.get((key * 3 + part) * width..(key * 3 + part + 1) * width);
        let (from, out) = (part(before, 1)?, part(before, 2)?);
        let (enter, to) = (part(before + 1, 0)?, part(before + 1, 1)?);
        let (u2, u3) = (u * u, u * u * u);
        let value = |i: usize| {
            let [p, m, q, n] = [from[i], out[i], to[i], enter[i]].map(f64::from);
            (2. * u3 - 3. * u2 + 1.) * p
                + span * (u3 - 2. * u2 + u) * m
                + (3. * u2 - 2. * u3) * q
                + span * (u3 - u2) * n
        };
        let mut values: Vec<f64> = (0..width).map(value).collect();
        if self.track == Track::Rotation {
            let length = values.iter().map(|v| v * v).sum::<f64>().sqrt();
            values.iter_mut().filter(|_| length > 0.).for_each(|v| *v /= length);
        }
        Some(values.into_iter().map(|v| v as f32).collect())
    }
}

/// Turns evenly from one rotation to the other, the short way.
fn slerp(from: &[f32], to: &[f32], u: f64) -> DQuat {
    let quat = |v: &[f32]| DQuat::from_xyzw(v[0].into(), v[1].into(), v[2].into(), v[3].into());
    let (a, b) = (quat(from), quat(to));
    match (a.length() > 0., b.length() > 0.) {
        (true, true) => a.normalize().slerp(b.normalize(), u),
        _ => a,
    }
}

/// Where every node is, and how far every morph target is in force.
#[derive(Clone, Debug)]
pub struct Pose {
    whole: Arc<Whole>,
    /// What is otherwise, by the positions of nodes.
    part: HashMap<usize, Posed>,
}

/// All nodes.
#[derive(Clone, Debug)]
struct Whole {
    locals: Vec<Transform>,
    worlds: Vec<Option<DMat4>>,
    weights: Vec<Vec<f32>>,
    /// Where all joints of each skin have what it moves, once it was asked for: many nodes can share a skin.
    agreed: Vec<OnceLock<Option<DMat4>>>,
}

/// A node that is elsewhere.
#[derive(Clone, Debug)]
struct Posed {
    local: Transform,
    world: Option<DMat4>,
    /// Where they are not those of the whole.
    weights: Option<Vec<f32>>,
}

/// At most so many times of an animation are looked at to measure what changed.
const MOMENTS: usize = 64;

impl Pose {
    /// The pose of a scene at rest.
    pub fn rest(scene: &Scene) -> Pose {
        let locals = scene.nodes.iter().map(|node| node.transform).collect();
        Pose::of(scene, locals, scene.nodes.iter().map(|node| rest_weights(scene, node)).collect())
    }

    /// The pose of a scene at a time of one of its animations.
    pub fn at(scene: &Scene, animation: &Animation, time: f32) -> Pose {
        let mut locals: Vec<Transform> = scene.nodes.iter().map(|node| node.transform).collect();
        let mut weights: Vec<Vec<f32>> = scene.nodes.iter().map(|node| rest_weights(scene, node)).collect();
        for channel in &animation.channels {
            let (Some(node), Some(value)) = (channel.node, channel.at(time)) else { continue };
            let Some(rest) = scene.nodes.get(node) else { continue };
            if channel.track == Track::Weights {
                weights[node.index()] = value;
            } else {
                let local = &mut locals[node.index()];
                *local = moved(local, &rest.transform, &channel.track, &value, channel.relative);
            }
        }
        Pose::of(scene, locals, weights)
    }

    fn of(scene: &Scene, locals: Vec<Transform>, weights: Vec<Vec<f32>>) -> Pose {
        let mut worlds: Vec<Option<DMat4>> = vec![None; scene.nodes.len()];
        Pose::walk(scene, |id, above| {
            let above = above.map_or(DMat4::IDENTITY, |above| worlds[above.index()].unwrap_or_default());
            worlds[id.index()] = Some(above * locals[id.index()].matrix());
        });
        let agreed = vec![OnceLock::new(); scene.skins.len()];
        Pose { whole: Arc::new(Whole { locals, worlds, weights, agreed }), part: HashMap::new() }
    }

    /// Comes to every node once, after the one that it is placed below.
    fn walk(scene: &Scene, mut each: impl FnMut(Id<Node>, Option<Id<Node>>)) {
        let mut below = vec![false; scene.nodes.len()];
        for child in scene.nodes.iter().flat_map(|node| &node.children) {
            below.get_mut(child.index()).into_iter().for_each(|below| *below = true);
        }
        let shown = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
        // A joint stands where its parents have it, whichever scene shows them, if any; what hangs in a circle comes last.
        let tops = scene.nodes.ids().filter(|id| !below[id.index()]);
        let mut met = vec![false; scene.nodes.len()];
        for top in shown.iter().copied().chain(tops).chain(scene.nodes.ids()) {
            let mut open = vec![(top, None)];
            while let Some((id, above)) = open.pop() {
                let Some(node) = scene.nodes.get(id).filter(|_| !met[id.index()]) else { continue };
                met[id.index()] = true;
                each(id, above);
                open.extend(node.children.iter().map(|&child| (child, Some(id))));
            }
        }
    }

    /// Where a node is relative to its parent.
    pub fn local(&self, node: Id<Node>) -> Option<&Transform> {
        match self.part.get(&node.index()) {
            Some(posed) => Some(&posed.local),
            None => self.whole.locals.get(node.index()),
        }
    }

    /// Where a node is in the world, whether or not a scene shows it.
    pub fn world(&self, node: Id<Node>) -> Option<DMat4> {
        match self.part.get(&node.index()) {
            Some(posed) => posed.world,
            None => self.whole.worlds.get(node.index()).copied().flatten(),
        }
    }

    /// The weights of the morph targets of a node's mesh.
    pub fn weights(&self, node: Id<Node>) -> &[f32] {
        let own = self.part.get(&node.index()).and_then(|posed| posed.weights.as_ref());
        own.or_else(|| self.whole.weights.get(node.index())).map_or(&[], Vec::as_slice)
    }

    /// The positions of a primitive that a node shows: its morph targets, then its skin or the node's own place.
    pub fn positions(&self, scene: &Scene, node: Id<Node>, primitive: &Primitive) -> Vec<DVec3> {
        let mut points = morphed(primitive, self.weights(node), &Semantic::Position);
        match self.skinning(scene, node, primitive, points.len()) {
            Some(matrices) => points.iter_mut().zip(&matrices).for_each(|(p, matrix)| *p = matrix.transform_point3(*p)),
            None => {
                let world = self.world(node).unwrap_or_default();
                points.iter_mut().for_each(|p| *p = world.transform_point3(*p));
            }
        }
        points
    }

    /// Where the vertices of all are that a scene shows, node by node and instance by instance.
    fn places(&self, scene: &Scene, root: usize) -> Vec<DVec3> {
        let mut out = Vec::new();
        let mut hidden = vec![false; scene.nodes.len()];
        for (id, _) in scene.placed(root) {
            let node = &scene.nodes[id];
            if !node.visible || node.role == NodeRole::Unplaced || hidden[id.index()] {
                for child in &node.children {
                    hidden.get_mut(child.index()).into_iter().for_each(|hidden| *hidden = true);
                }
                continue;
            }
            for primitive in node.mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.primitives)
            {
                let Some(instances) = &node.instances else {
                    out.extend(self.positions(scene, id, primitive));
                    continue;
                };
                let points = morphed(primitive, self.weights(id), &Semantic::Position);
                for placement in &instances.placements {
                    let world = self.world(id).unwrap_or_default() * placement.transform.matrix();
                    out.extend(points.iter().map(|point| world.transform_point3(*point)));
                }
            }
        }
        out
    }

    /// The size of what a scene shows first: the diagonal of the box around its vertices, or 1 if that is no measure.
    pub fn diagonal(&self, scene: &Scene) -> f64 {
        let finite = self.places(scene, scene.default_scene.unwrap_or(0)).into_iter().filter(|place| place.is_finite());
        let (low, high) =
            finite.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        let diagonal = (high - low).length();
        if diagonal > 0. && diagonal.is_finite() { diagonal } else { 1. }
    }

    /// How far vertices are from where another pose of the same scene has them, at most, as a share of the size of what
    /// the scene shows; infinite where only one of the poses has them somewhere.
    pub fn distance(&self, other: &Pose, scene: &Scene) -> f64 {
        let gap = |(a, b): (DVec3, DVec3)| match (a.is_finite(), b.is_finite()) {
            (true, true) => a.distance(b),
            (false, false) => 0.,
            _ => f64::INFINITY,
        };
        let roots = 0..scene.scenes.len();
        let gaps = roots.flat_map(|root| self.places(scene, root).into_iter().zip(other.places(scene, root)).map(gap));
        gaps.fold(0., f64::max) / self.diagonal(scene)
    }

    /// How far vertices are off, at most, if one animation is played instead of another, as a share of the size of what
    /// the scene shows: at the keys of both and between them, where both have them somewhere.
    pub fn animated_distance(scene: &Scene, was: &Animation, is: &Animation) -> f64 {
        let keys = |animation: &Animation| -> Vec<f32> {
            animation.channels.iter().flat_map(|channel| channel.times.iter().copied()).collect()
        };
        let mut times = [keys(was), keys(is)].concat();
        times.retain(|time| time.is_finite());
        times.sort_by(f32::total_cmp);
        times.dedup();
        let between: Vec<f32> = times.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2.).collect();
        times.extend(between);
        let step = times.len().div_ceil(MOMENTS).max(1);
        let gap = |time: &f32| Pose::at(scene, was, *time).distance(&Pose::at(scene, is, *time), scene);
        times.iter().step_by(step).map(gap).filter(|gap| gap.is_finite()).fold(0., f64::max)
    }

    /// How far the weights of a node's morph targets have its vertices from where they would be without them, at most.
    pub fn morphed_by(&self, scene: &Scene, node: Id<Node>) -> f64 {
        let mut base = self.clone();
        if let (Some(local), world) = (self.local(node).copied(), self.world(node)) {
            let weights = Some(vec![0.; self.weights(node).len()]);
            base.part.insert(node.index(), Posed { local, world, weights });
        }
        let mesh = scene.nodes.get(node).and_then(|node| scene.meshes.get(node.mesh?));
        let parts = mesh.map_or(&[][..], |mesh| &mesh.primitives);
        let gaps = parts.iter().flat_map(|part| {
            let pairs = self.positions(scene, node, part).into_iter().zip(base.positions(scene, node, part));
            pairs.map(|(is, was)| is.distance(was))
        });
        gaps.filter(|gap| !gap.is_nan()).fold(0., f64::max)
    }

    /// How far the vertices of a node's mesh are apart if it stands at one of two places in the world, at most; infinite
    /// if one is nowhere.
    pub fn apart(&self, scene: &Scene, node: Id<Node>, was: &DMat4, is: &DMat4) -> f64 {
        let mesh = scene.nodes.get(node).and_then(|node| scene.meshes.get(node.mesh?));
        let parts = mesh.map_or(&[][..], |mesh| &mesh.primitives);
        let points = parts.iter().flat_map(|part| morphed(part, self.weights(node), &Semantic::Position));
        let gaps = points.map(|point| was.transform_point3(point).distance(is.transform_point3(point)));
        gaps.fold(0., |most, gap| if gap.is_nan() { f64::INFINITY } else { most.max(gap) })
    }

    /// The same pose, but for the transform of one node, which moves all that is below it.
    pub fn with(&self, scene: &Scene, node: Id<Node>, transform: Transform) -> Pose {
        let mut locals: Vec<Transform> = scene.nodes.ids().filter_map(|id| self.local(id).copied()).collect();
        locals.get_mut(node.index()).into_iter().for_each(|local| *local = transform);
        Pose::of(scene, locals, scene.nodes.ids().map(|id| self.weights(id).to_vec()).collect())
    }

    /// What each joint of a skin does with what is bound to it alone.
    fn joints(&self, skin: &Skin) -> Vec<DMat4> {
        (0..skin.joints.len()).filter_map(|i| self.joint(skin, i)).collect()
    }

    /// What a joint of a skin does with what is bound to it alone.
    fn joint(&self, skin: &Skin, index: usize) -> Option<DMat4> {
        let bind = skin.inverse_bind.get(index);
        let bind = bind.map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)));
        Some(self.world(*skin.joints.get(index)?).unwrap_or_default() * bind)
    }

    /// Where the mesh of a node stands as a whole: at its node, unless it has a skin whose joints all have it at one
    /// other place. A skin whose joints do not agree bends it, and there is no such place.
    pub fn stand(&self, scene: &Scene, node: Id<Node>) -> Option<DMat4> {
        let world = self.world(node)?;
        let elsewhere = scene.nodes.get(node)?.skin.and_then(|skin| self.agreed(scene, skin));
        Some(elsewhere.filter(|place| !stands_near(place, &world)).unwrap_or(world))
    }

    /// Where all joints of a skin have what it moves, if they agree.
    fn agreed(&self, scene: &Scene, skin: Id<Skin>) -> Option<DMat4> {
        let of_all = |skin: &Skin| {
            let first = self.joint(skin, 0)?;
            let mut joints = (1..skin.joints.len()).filter_map(|joint| self.joint(skin, joint));
            joints.all(|joint| stands_near(&joint, &first)).then_some(first)
        };
        let agreed = || scene.skins.get(skin).and_then(of_all);
        match self.whole.agreed.get(skin.index()).filter(|_| self.part.is_empty()) {
            Some(known) => *known.get_or_init(agreed),
            None => agreed(),
        }
    }

    /// What moves each of so many vertices of a primitive that a node shows, if a skin does: its joints, by their weights.
    pub fn skinning(&self, scene: &Scene, node: Id<Node>, primitive: &Primitive, count: usize) -> Option<Vec<DMat4>> {
        let skin = scene.skins.get(scene.nodes.get(node)?.skin?)?;
        // Of many joints that move few vertices only those are worked out that do.
        let joints = (skin.joints.len() <= 4 * count).then(|| self.joints(skin));
        let joint = |index: usize| match &joints {
            Some(joints) => joints.get(index).copied(),
            None => self.joint(skin, index),
        };
        let mut moved = vec![(DMat4::ZERO, 0.); count];
        for set in 0..=u8::MAX {
            let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
            let (Some(indices), Some(weights)) = streams else { break };
            let (width, indices, weights) = (indices.count().max(1), indices.to_u32(), weights.to_f64());
            for (i, (&index, &weight)) in indices.iter().zip(&weights).enumerate() {
                let Some(matrix) = Some(index).filter(|_| weight != 0.).and_then(|index| joint(index as usize)) else {
                    continue;
                };
                let Some((to, sum)) = moved.get_mut(i / width) else { continue };
                *to += matrix * weight;
                *sum += weight;
            }
        }
        // Weights are shares, whatever they add up to.
        let share = |(matrix, sum): (DMat4, f64)| {
            let is_whole = (sum - 1.).abs() < WHOLE || sum <= 0.;
            if is_whole { matrix } else { matrix * (1. / sum) }
        };
        Some(moved.into_iter().map(share).collect())
    }
}

fn stands_near(a: &DMat4, b: &DMat4) -> bool {
    let size = a.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
    (*a - *b).to_cols_array().iter().all(|v| v.abs() <= STAND_TOLERANCE * size)
}

fn rest_weights(scene: &Scene, node: &Node) -> Vec<f32> {
    let defaults = |mesh: &Mesh| mesh.morphs.iter().map(|morph| morph.default).collect();
    match node.mesh.and_then(|mesh| scene.meshes.get(mesh)) {
        Some(mesh) if node.weights.is_empty() => defaults(mesh),
        _ => node.weights.clone(),
    }
}

/// A transform with one of its parts replaced, or added to the one at rest.
pub fn moved(local: &Transform, rest: &Transform, track: &Track, value: &[f32], relative: bool) -> Transform {
    let (mut translation, mut rotation, mut scale) = parts(local);
    let (rest_t, rest_r, rest_s) = parts(rest);
    let three = |add: [f32; 3]| std::array::from_fn(|i| value.get(i).copied().unwrap_or(0.) + add[i]);
    match track {
        Track::Translation => translation = three(if relative { rest_t } else { [0.; 3] }),
        Track::Scale if relative => {
            scale = std::array::from_fn(|i| value.get(i).copied().unwrap_or(1.) * rest_s[i]);
        }
        Track::Scale => scale = three([0.; 3]),
        Track::Rotation => {
            let turned: [f32; 4] = std::array::from_fn(|i| value.get(i).copied().unwrap_or(0.));
            rotation = turned;
            if relative {
                let quat = |v: [f32; 4]| DQuat::from_array(v.map(f64::from));
                rotation = (quat(rest_r) * quat(turned)).to_array().map(|v| v as f32);
            }
        }
        _ => {}
    }
    Transform::Trs { translation, rotation, scale }
}

/// Translation, rotation and scale of a transform; of a matrix those that come nearest.
pub fn parts(transform: &Transform) -> ([f32; 3], [f32; 4], [f32; 3]) {
    match transform {
        Transform::Trs { translation, rotation, scale } => (*translation, *rotation, *scale),
        Transform::Matrix(_) => decompose(&transform.matrix()),
    }
}

/// Translation, rotation and scale that come nearest to a matrix.
pub fn decompose(matrix: &DMat4) -> ([f32; 3], [f32; 4], [f32; 3]) {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = if rotation.is_finite() && rotation.length() > 0. { rotation.normalize() } else { flat(matrix) };
    (
        translation.to_array().map(|v| v as f32),
        rotation.to_array().map(|v| v as f32),
        scale.to_array().map(|v| if v.is_finite() { v as f32 } else { 1. }),
    )
}

/// A rotation of a matrix some of whose axes have no length: the others are kept, and these follow.
fn flat(matrix: &DMat4) -> DQuat {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().try_normalize());
    let Some(i) = axes.iter().position(Option::is_some) else { return DQuat::IDENTITY };
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let first = axes[i].unwrap_or(DVec3::X);
    let across = |axis: DVec3| axis.reject_from_normalized(first).try_normalize();
    let second = axes[j].and_then(across).or_else(|| axes[k].and_then(across).map(|third| third.cross(first)));
    let second = second.unwrap_or_else(|| first.any_orthonormal_vector());
    let mut columns = [DVec3::ZERO; 3];
    (columns[i], columns[j], columns[k]) = (first, second, first.cross(second));
    DQuat::from_mat3(&DMat3::from_cols(columns[0], columns[1], columns[2])).normalize()
}

/// The vectors of an attribute with the morph targets in force.
pub fn morphed(primitive: &Primitive, weights: &[f32], semantic: &Semantic) -> Vec<DVec3> {
    morphed_by(primitive, weights.iter().copied().enumerate(), semantic)
}

/// The same by the weights of some morph targets, which are told by their positions.
pub fn morphed_by(
    primitive: &Primitive,
    weights: impl IntoIterator<Item = (usize, f32)>,
    semantic: &Semantic,
) -> Vec<DVec3> {
    let vectors = |stream: &Stream| {
        let width = stream.count();
        let values = stream.to_f64();
        let vector = |row: &[f64]| if row.len() < 3 { DVec3::ZERO } else { DVec3::new(row[0], row[1], row[2]) };
        values.chunks(width.max(1)).map(vector).collect::<Vec<DVec3>>()
    };
    let mut out = primitive.get(semantic).map(vectors).unwrap_or_default();
    for (target, weight) in weights.into_iter().filter(|(_, weight)| *weight != 0.) {
        let Some(target) = primitive.targets.get(target) else { continue };
        let deltas = target.attributes.iter().find(|a| a.semantic == *semantic).map(|a| vectors(&a.stream));
        for (point, delta) in out.iter_mut().zip(deltas.unwrap_or_default()) {
            *point += f64::from(weight) * delta;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_without_length_leave_the_others_as_they_are() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        for scale in [[2., 0., 0.], [0., 3., 0.], [0., 0., 0.5], [2., 3., 0.], [0., 3., 0.5], [2., 0., 0.5], [0.; 3]] {
            let matrix = DMat4::from_scale_rotation_translation(scale.into(), turn, DVec3::ONE);
            let (t, r, s) = decompose(&matrix);
            let again = Transform::Trs { translation: t, rotation: r, scale: s }.matrix();
            assert!(again.abs_diff_eq(matrix, 1e-6), "{scale:?}: {again} instead of {matrix}");
        }
    }

    fn channel(track: Track, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
        let (times, values) = (times.to_vec(), values.to_vec());
        Channel { node: None, track, times, values, interpolation, relative: false }
    }

    #[test]
    fn keys_come_back_bit_for_bit() {
        let odd = [0.1, 0.2, 0.3, 0.5, -0.7, 0., 0., 0.9];
        let turn = channel(Track::Rotation, Interpolation::Linear, &[0., 1. / 3.], &odd);
        assert_eq!(turn.at(1. / 3.).unwrap(), odd[4..]);
        assert_eq!(turn.at(-1.).unwrap(), odd[..4]);
        assert_eq!(turn.at(9.).unwrap(), odd[4..]);
        assert_eq!(channel(Track::Scale, Interpolation::Step, &[], &[]).at(0.), None);
    }

    #[test]
    fn steps_lines_and_turns() {
        let line = [0., 0., 0., 2., 4., 6.];
        let at = |interpolation| channel(Track::Translation, interpolation, &[1., 3.], &line).at(2.).unwrap();
        assert_eq!(at(Interpolation::Step), [0.; 3]);
        assert_eq!(at(Interpolation::Linear), [1., 2., 3.]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turn = channel(Track::Rotation, Interpolation::Linear, &[0., 1.], &[0., 0., 0., 1., 0., 0., half, half]);
        let eighth = std::f32::consts::FRAC_PI_8;
        let found = turn.at(0.5).unwrap();
        assert!((found[2] - eighth.sin()).abs() < 1e-6 && (found[3] - eighth.cos()).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn cubic_tangents_are_in_value_out_of_each_key() {
        // Two keys whose in and out tangents differ: only the first's out and the second's in count.
        let values = [9., 9., 9., 0., 0., 0., 1., 0., 0., /* second key */ 0., 2., 0., 1., 1., 1., 9., 9., 9.];
        let spline = channel(Track::Translation, Interpolation::Cubic, &[0., 2.], &values);
        // Halfway: (p + q) / 2 + span / 8 (m - n).
        assert_eq!(spline.at(1.).unwrap(), [0.5 + 0.25, 0.5 - 0.5, 0.5]);
    }

    #[test]
    fn skins_move_vertices_by_their_joints() {
        let mut scene = Scene::new();
        let up = Transform::Trs { translation: [0., 1., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
        let joint = scene.nodes.add(Node { transform: up, ..Node::default() });
        let primitive = Primitive::new(crate::Topology::Points)
            .with(Semantic::Position, Stream::from_f32(3, vec![0., 2., 0.]))
            .with(Semantic::Joints(0), Stream::from_u32(4, vec![0; 4]))
            .with(Semantic::Weights(0), Stream::from_f32(4, vec![1., 0., 0., 0.]));
        let mut bind = DMat4::IDENTITY.to_cols_array().map(|v| v as f32);
        bind[13] = -1.;
        let skin = crate::Skin { joints: vec![joint], inverse_bind: vec![bind], ..crate::Skin::default() };
        let skin = scene.skins.add(skin);
        let node = scene.add_root(Node { skin: Some(skin), children: vec![joint], ..Node::default() });
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turn = channel(Track::Rotation, Interpolation::Linear, &[0.], &[0., 0., half, half]);
        let animation = Animation { channels: vec![Channel { node: Some(joint), ..turn }], ..Animation::default() };
        assert_eq!(Pose::rest(&scene).positions(&scene, node, &primitive), [DVec3::new(0., 2., 0.)]);
        let moved = Pose::at(&scene, &animation, 0.).positions(&scene, node, &primitive)[0];
        assert!((moved - DVec3::new(-1., 1., 0.)).length() < 1e-6, "{moved}");
    }
}
