//! How far a sampled animation is off.

use std::collections::{BTreeSet, HashMap};

use glam::{DMat4, DVec3};
use scene::sample::{Excerpt, morphed};
use scene::{Channel, Id, Node, Primitive, Semantic};

use super::super::bones::{Trs, rest_places};
use super::poses::{MEASURED, Poses, bones, chain_up, moments};
use super::skins::{Rig, Rigs};

/// How far vertices are from where they should be, at and between frames, as a share of the model's diagonal.
#[derive(Default)]
pub(super) struct Off {
    /// Because bones move evenly between frames: from where bones would be, were there a frame.
    pub(super) sampled: f64,
    /// Because bones cannot be where they should be, in any frame.
    pub(super) sheared: f64,
}

impl Rigs<'_> {
    pub(super) fn measure(
        &self,
        excerpt: &Excerpt<'_>,
        rig: &Rig<'_>,
        poses: &Poses,
        (node, primitive): (Id<Node>, &Primitive),
        rate: i32,
    ) -> Off {
        let Some(last) = poses.frames.len().checked_sub(1) else { return Off::default() };
        let count = primitive.vertex_count();
        let Some(few) = sampled(primitive, count) else { return Off::default() };
        let rests = rest_places(&rig.parents, &rig.places);
        let binds: Vec<DMat4> = rests.iter().map(|&p| DMat4::from_translation(-DVec3::from(p))).collect();
        let entity = if rig.direct { self.rest.world(node).unwrap_or_default() } else { rig.to_entity.inverse() };
        let mut joined = few.clone();
        if rig.skin.is_none() {
            joined.attributes.retain(|a| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_)));
            joined = joined
                .with(Semantic::Joints(0), scene::Stream::from_u32(4, vec![0; few.vertex_count() * 4]))
                .with(Semantic::Weights(0), scene::Stream::from_f32(4, [1., 0., 0., 0.].repeat(few.vertex_count())));
        }
        let position = rig.positions();
        let shown = |locals: &[Trs]| {
            let worlds = chain_up(&rig.parents, &rig.order, locals);
            let joints: Vec<DMat4> = worlds.iter().zip(&binds).map(|(world, bind)| entity * *world * *bind).collect();
            skinned(&joined, &joints)
        };
        let mut off = Off::default();
        let concerned = |channel: &&Channel| channel.node.is_some_and(|node| rig.chain.contains(&node));
        let channels: Vec<&Channel> = excerpt.channels.iter().map(|(_, channel)| *channel).filter(concerned).collect();
        for at in moments(last, &channels, rate) {
            let time = (at / f64::from(rate.max(1))) as f32;
            let wanted = excerpt.at(time).positions(self.scene, node, &few);
            let nearest = shown(&bones(self, excerpt, rig, &position, time));
            for ((found, nearest), wanted) in shown(&poses.between(at)).into_iter().zip(nearest).zip(wanted) {
                off.sampled = off.sampled.max((found - nearest).length());
                off.sheared = off.sheared.max((nearest - wanted).length());
            }
        }
        let diagonal = self.diagonal();
        Off { sampled: off.sampled / diagonal, sheared: off.sheared / diagonal }
    }
}

/// Ways in which vertices may be farthest out.
const OUTWARD: [DVec3; 14] = [
    DVec3::X,
    DVec3::Y,
    DVec3::Z,
    DVec3::NEG_X,
    DVec3::NEG_Y,
    DVec3::NEG_Z,
    DVec3::new(1., 1., 1.),
    DVec3::new(1., 1., -1.),
    DVec3::new(1., -1., 1.),
    DVec3::new(1., -1., -1.),
    DVec3::new(-1., 1., 1.),
    DVec3::new(-1., 1., -1.),
    DVec3::new(-1., -1., 1.),
    DVec3::new(-1., -1., -1.),
];

/// Some vertices of a primitive, enough to see how far off an animation is: of each joint's those that are farthest out,
/// as what a joint moves is off the most at an end of it, and some of all.
fn sampled(primitive: &Primitive, count: usize) -> Option<Primitive> {
    if count == 0 || u32::try_from(count).is_err() {
        return None;
    }
    let points = morphed(primitive, &[], &Semantic::Position);
    let mut farthest: HashMap<u32, [Option<(f64, u32)>; OUTWARD.len()]> = HashMap::new();
    let mut reach = |joint: u32, vertex: usize| {
        let Some(point) = points.get(vertex).filter(|point| point.is_finite()) else { return };
        for (best, way) in farthest.entry(joint).or_default().iter_mut().zip(OUTWARD) {
            let far = point.dot(way);
            if best.is_none_or(|(most, _)| far > most) {
                *best = Some((far, vertex as u32));
            }
        }
    };
    match (primitive.get(&Semantic::Joints(0)), primitive.get(&Semantic::Weights(0))) {
        (Some(joints), Some(weights)) => {
            let width = joints.count().max(1);
            let held = joints.to_u32().into_iter().zip(weights.to_f64()).enumerate();
            held.filter(|(_, (_, weight))| *weight != 0.).for_each(|(i, (joint, _))| reach(joint, i / width));
        }
        _ => (0..count).for_each(|vertex| reach(0, vertex)),
    }
    let far = farthest.values().flatten().flatten().map(|(_, vertex)| *vertex);
    let some = (0..count as u32).step_by((count / MEASURED).max(1));
    let few: Vec<u32> = some.chain(far).collect::<BTreeSet<u32>>().into_iter().collect();
    let mut out = Primitive::new(scene::Topology::Points);
    for attribute in &primitive.attributes {
        out = out.with(attribute.semantic.clone(), attribute.stream.gather(&few));
    }
    Some(out)
}

fn skinned(primitive: &Primitive, joints: &[DMat4]) -> Vec<DVec3> {
    let points = morphed(primitive, &[], &Semantic::Position);
    let mut out = vec![DVec3::ZERO; points.len()];
    for set in 0..=u8::MAX {
        let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
        let (Some(indices), Some(weights)) = streams else { break };
        let (width, indices, weights) = (indices.count().max(1), indices.to_u32(), weights.to_f64());
        for (i, (&index, &weight)) in indices.iter().zip(&weights).enumerate() {
            if let (Some(joint), Some(point)) = (joints.get(index as usize), points.get(i / width)) {
                out[i / width] += weight * joint.transform_point3(*point);
            }
        }
    }
    out
}
