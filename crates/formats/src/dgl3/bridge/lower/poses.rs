//! Bones in frames: sampled from the joints' own keys, or bound anew.

use std::collections::HashMap;

use glam::DMat4;
use scene::sample::{Excerpt, decompose, parts};
use scene::{Channel, Id, Interpolation, Node, Track, Transform, undone};

use super::super::bones::{Trs, time};
use super::skins::{Rig, Rigs};

/// Vertices, and gaps between frames, at which the error of resampling is measured.
pub(super) const MEASURED: usize = 128;

/// Frames and moments between them at which an animation is compared with its source. Quarters: what starts and ends slowly
/// is right in the middle; just before and behind frames, where a step is farthest from an even one; and keys, where
/// what is straight between them has its corners.
pub(super) fn moments(last: usize, channels: &[&Channel], rate: i32) -> Vec<f64> {
    let gaps = last.min(MEASURED);
    let inside = |gap: usize| [0., 0.001, 0.25, 0.5, 0.75, 0.999].map(|share| (gap * last / gaps) as f64 + share);
    let keys = channels.iter().flat_map(|channel| &channel.times).map(|key| f64::from(*key) * f64::from(rate.max(1)));
    let mut keys: Vec<f64> = keys.filter(|key| (0. ..last as f64).contains(key)).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let picked = (0..keys.len().min(MEASURED)).map(|i| keys[i * keys.len() / keys.len().min(MEASURED)]);
    let at_keys = picked.flat_map(|key| [(key - 0.001).max(0.), key]);
    (0..gaps).flat_map(inside).chain(at_keys).chain([last as f64]).collect()
}

/// How many frames it takes until the last key.
pub(super) fn frame_count(channels: &[&Channel], rate: i32) -> usize {
    let last = channels.iter().filter_map(|channel| channel.times.last()).fold(0_f32, |last, t| last.max(*t));
    let frames = f64::from(last) * f64::from(rate.max(1));
    // Times are rounded: a key at frame 100 may lie a trifle behind it.
    let slack = 1e-3 + frames * 1e-6;
    if frames.is_finite() { ((frames - slack).ceil().max(0.) as usize).saturating_add(1) } else { 1 }
}

/// Whether all keys lie on frames and what lies between them is what frames say.
pub(super) fn on_frames(channel: &Channel, rate: i32) -> bool {
    let on_frame = |(i, &key): (usize, &f32)| time(i, rate).to_bits() == key.to_bits();
    channel.interpolation == Interpolation::Linear
        && !channel.relative
        && channel.times.iter().enumerate().all(on_frame)
}

/// Positions in an order in which parents come before children; what hangs in a circle comes last.
pub(super) fn parents_first(parents: &[i32]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut order: Vec<usize> = Vec::with_capacity(parents.len());
    for (i, &parent) in parents.iter().enumerate() {
        match usize::try_from(parent).ok().and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(i),
            None => order.push(i),
        }
    }
    let mut next = 0;
    while next < order.len() {
        let bone = order[next];
        order.extend(std::mem::take(&mut children[bone]));
        next += 1;
    }
    order
}

/// Bones relative to the mesh, from bones relative to their parents.
pub(super) fn chain_up(parents: &[i32], order: &[usize], locals: &[Trs]) -> Vec<DMat4> {
    let mut worlds = vec![DMat4::IDENTITY; locals.len()];
    for &bone in order {
        let (translation, rotation, scale) = locals[bone];
        let local = Transform::Trs { translation, rotation, scale }.matrix();
        let above = usize::try_from(parents[bone]).map_or(DMat4::IDENTITY, |parent| worlds[parent]);
        worlds[bone] = above * local;
    }
    worlds
}

/// The bones in every frame, relative to their parents.
pub(super) struct Poses {
    pub(super) frames: Vec<Vec<Trs>>,
    /// Which bones have keys of their own.
    pub(super) moves: Vec<bool>,
}

impl Poses {
    pub(super) fn of(rigs: &Rigs<'_>, excerpt: &Excerpt<'_>, rig: &Rig<'_>, frames: usize, rate: i32) -> Poses {
        let position = rig.positions();
        let mut moves = vec![false; rig.joints.len()];
        for bone in excerpt.channels.iter().filter_map(|(_, channel)| position.get(&channel.node?)) {
            moves[*bone] = true;
        }
        let at = |frame: usize| bones(rigs, excerpt, rig, &position, time(frame, rate));
        Poses { frames: (0..frames).map(at).collect(), moves }
    }

    /// The bones between two frames, as a player shows them.
    pub(super) fn between(&self, at: f64) -> Vec<Trs> {
        let (first, u) = (at.floor() as usize, at.fract());
        let (Some(a), b) = (self.frames.get(first), self.frames.get(first + 1)) else { return Vec::new() };
        let Some(b) = b.filter(|_| u > 0.) else { return a.clone() };
        let mix = |(a, b): (&Trs, &Trs)| {
            let line = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
            let quat = |v: [f32; 4]| glam::DQuat::from_array(v.map(f64::from)).normalize();
            let rotation = quat(a.1).slerp(quat(b.1), u).to_array().map(|v| v as f32);
            (std::array::from_fn(|i| line(a.0[i], b.0[i])), rotation, std::array::from_fn(|i| line(a.2[i], b.2[i])))
        };
        a.iter().zip(b).map(mix).collect()
    }
}

/// The bones at a moment, as far as translation, rotation and scale can say it: the joints' own transforms where those
/// are the bones', which is what the file had, bit for bit.
pub(super) fn bones(
    rigs: &Rigs<'_>,
    excerpt: &Excerpt<'_>,
    rig: &Rig<'_>,
    position: &HashMap<Id<Node>, usize>,
    time: f32,
) -> Vec<Trs> {
    if !rig.direct {
        return rebound(excerpt, rig, time);
    }
    let mut out: Vec<Trs> = rig.joints.iter().map(|&joint| parts(&rigs.scene.nodes[joint].transform)).collect();
    for (_, channel) in &excerpt.channels {
        let bone = channel.node.and_then(|node| position.get(&node));
        let (Some(&bone), Some(value)) = (bone, channel.at(time)) else { continue };
        match (&channel.track, &value[..]) {
            (Track::Translation, &[x, y, z]) => out[bone].0 = [x, y, z],
            (Track::Rotation, &[x, y, z, w]) => out[bone].1 = [x, y, z, w],
            (Track::Scale, &[x, y, z]) => out[bone].2 = [x, y, z],
            _ => {}
        }
    }
    out
}

/// Bones bound anew. Each is placed below what its parent became, so that errors do not add up along a chain.
fn rebound(excerpt: &Excerpt<'_>, rig: &Rig<'_>, time: f32) -> Vec<Trs> {
    let pose = excerpt.at(time);
    let mut out: Vec<Trs> = vec![([0.; 3], [0., 0., 0., 1.], [1.; 3]); rig.joints.len()];
    let mut worlds = vec![DMat4::IDENTITY; rig.joints.len()];
    for &bone in &rig.order {
        let wanted = rig.to_entity * pose.world(rig.joints[bone]).unwrap_or_default() * rig.rebind[bone];
        let above = usize::try_from(rig.parents[bone]).map_or(DMat4::IDENTITY, |parent| worlds[parent]);
        let local = undone(&above).map(|back| back * wanted).filter(|local| local.is_finite()).unwrap_or_default();
        let (translation, rotation, scale) = decompose(&local);
        out[bone] = (translation, rotation, scale);
        worlds[bone] = above * Transform::Trs { translation, rotation, scale }.matrix();
    }
    out
}
