//! Animations and their channels.

use findings::Subject;
use scene::loss::*;
use scene::{Channel, Scene, Track};
use wire::F32;

use super::super::super::channel::{AnimationChannel, AnimationTarget, Interpolation};
use super::super::super::layout::{Animation, NONE};
use super::super::{UNKNOWN, string};
use super::Lower;
use super::nodes::Nodes;
use super::skins::{Skeletons, Uneven};

/// Animations and channels of the document.
#[derive(Default)]
pub(super) struct Animations {
    pub(super) animations: Vec<Animation>,
    pub(super) channels: Vec<AnimationChannel>,
}

/// Straight lines that stand in for a curve between two keys.
const LINES: u32 = 32;

pub(super) fn lower(lower: &mut Lower<'_, '_, '_>, nodes: &Nodes, skeletons: &Skeletons) -> Animations {
    let scene = lower.scene;
    let mut out = Animations::default();
    for (id, animation) in scene.animations.entries() {
        let place = animation.subject(id);
        let mut made = Animation::new(lower.form);
        match &mut made.name {
            Some(name) => *name = string(&animation.name),
            None if !animation.name.is_empty() => {
                let why = "the document has no field for it";
                lower.cx.lose(&LOSS_060, &place, 1, "the name of an animation", why);
            }
            None => {}
        }
        if animation.frame_rate.is_some() {
            lower.cx.lose(&LOSS_015, &place, 1, "frame rate", "das2 has seconds");
        }
        let first = out.channels.len();
        let mut uneven = Uneven::default();
        for channel in &animation.channels {
            for (node, joint) in targets(lower, nodes, skeletons, channel, &place) {
                out.channels.extend(make(lower, channel, node, joint, &mut uneven, &place));
            }
        }
        uneven.lose(lower, &place, "keys");
        let ids = (first..out.channels.len()).map(|id| u32::try_from(id).unwrap_or(u32::MAX));
        made.animation_channels = ids.collect::<Vec<u32>>().into();
        out.animations.push(made);
    }
    out
}

/// The node and the joint of every channel that a channel of the scene becomes.
fn targets(
    lower: &mut Lower<'_, '_, '_>,
    nodes: &Nodes,
    skeletons: &Skeletons,
    channel: &Channel,
    place: &Subject,
) -> Vec<(u32, u32)> {
    let Some(node) = channel.node.map(|node| node.index()).filter(|node| *node < nodes.moves.len()) else {
        lower.cx.lose(&LOSS_054, place, 1, "track", "it moves no node");
        return Vec::new();
    };
    if skeletons.is_copy(node) {
        return Vec::new();
    }
    let of_node = match channel.track {
        Track::Weights => nodes.shows[node],
        _ => nodes.moves[node],
    };
    let joints = skeletons.of_node.get(&node).into_iter().flatten();
    let mut all: Vec<(u32, u32)> = of_node.map(|id| (id, NONE)).into_iter().collect();
    if channel.track != Track::Weights || of_node.is_none() {
        all.extend(joints.map(|joint| (NONE, *joint)));
    }
    if all.is_empty() {
        lower.cx.lose(&LOSS_054, place, 1, "track", "what it moves is nothing that das2 holds");
    }
    all
}

fn make(
    lower: &mut Lower<'_, '_, '_>,
    channel: &Channel,
    node: u32,
    joint: u32,
    uneven: &mut Uneven,
    place: &Subject,
) -> Option<AnimationChannel> {
    let target = match &channel.track {
        Track::Weights => AnimationTarget::WEIGHTS,
        Track::Translation => AnimationTarget::TRANSLATION,
        Track::Rotation => AnimationTarget::ROTATION,
        Track::Scale => AnimationTarget::SCALE,
        Track::Other { word, .. } if word == UNKNOWN => AnimationTarget::UNKNOWN,
        Track::Other { word, .. } => {
            lower.cx.lose(&LOSS_054, place, 1, format!("{word} track"), "das2 has no such target");
            return None;
        }
    };
    let straight;
    let mut channel = channel;
    if matches!(channel.interpolation, scene::Interpolation::Bezier { .. } | scene::Interpolation::Eased(..)) {
        straight = straightened(channel);
        let off = off_between(channel, &straight);
        lower.cx.losses.add_measured(&LOSS_053, off, place, 1, "track", "das2 has no such easing");
        channel = &straight;
    }
    let absolute;
    if channel.relative {
        absolute = made_absolute(lower.scene, channel);
        channel = &absolute;
    }
    let mut width = channel.width();
    let (times, mut values) = (channel.times.clone(), channel.values.clone());
    if target == AnimationTarget::SCALE {
        values = values.chunks_exact(3).map(|scale| uneven.even(scale)).collect();
        width = 1;
    }
    let (interpolation, tangents) = match channel.interpolation {
        scene::Interpolation::Step => (Interpolation::STEP, Vec::new()),
        scene::Interpolation::Cubic => {
            let (tangents, own) = taken_apart(&values, width);
            values = own;
            (Interpolation::CUBIC_SPLINE, tangents)
        }
        _ => (Interpolation::LINEAR, Vec::new()),
    };
    let whole =
        if target == AnimationTarget::UNKNOWN { values.is_empty() } else { values.len() == times.len() * width };
    if !whole || (interpolation == Interpolation::CUBIC_SPLINE && tangents.len() != values.len() * 2) {
        lower.cx.lose(&LOSS_054, place, 1, "track", "it has not as many values as keys");
        return None;
    }
    let floats = |values: Vec<f32>| values.into_iter().map(F32).collect::<Vec<F32>>().into();
    let weight_count = if target == AnimationTarget::WEIGHTS { u32::try_from(width).unwrap_or(0) } else { 0 };
    Some(AnimationChannel {
        node_property_id: node,
        joint_property_id: joint,
        animation_target: target,
        interpolation_type: interpolation,
        weight_count,
        keyframes: floats(times),
        tangents: floats(tangents),
        target_values: floats(values),
        ..AnimationChannel::default()
    })
}

/// In-tangent, value, out-tangent of each key become the tangents of all keys and the values of all keys.
fn taken_apart(keys: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
    if width == 0 {
        return (Vec::new(), Vec::new());
    }
    let keys = || keys.chunks_exact(width * 3);
    let tangents = keys().flat_map(|key| [&key[..width], &key[width * 2..]].concat()).collect();
    (tangents, keys().flat_map(|key| key[width..width * 2].to_vec()).collect())
}

/// The same track with straight lines between more keys.
fn straightened(channel: &Channel) -> Channel {
    let mut out = Channel {
        times: Vec::new(),
        values: Vec::new(),
        interpolation: scene::Interpolation::Linear,
        ..channel.clone()
    };
    for (i, &time) in channel.times.iter().enumerate() {
        let next = channel.times.get(i + 1).copied();
        for step in 0..next.map_or(1, |_| LINES) {
            let at = next.map_or(time, |next| time + (next - time) * (step as f32 / LINES as f32));
            let rising = out.times.last().is_none_or(|last| at > *last);
            if let Some(value) = channel.at(at).filter(|_| rising) {
                out.times.push(at);
                out.values.extend(value);
            }
        }
    }
    out
}

/// How far straight lines are from the track they stand for in their middles, as a share of what is between its
/// smallest and its largest number.
fn off_between(meant: &Channel, made: &Channel) -> f64 {
    let all = || meant.values.iter().map(|v| f64::from(*v));
    let range = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
    let mut worst = 0_f64;
    for at in made.times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.) {
        let (Some(meant), Some(made)) = (meant.at(at), made.at(at)) else { continue };
        worst = meant.iter().zip(&made).map(|(a, b)| f64::from((a - b).abs())).fold(worst, f64::max);
    }
    if range > 0. { worst / range } else { 0. }
}

/// The same track with values that replace those of the node at rest.
fn made_absolute(scene: &Scene, channel: &Channel) -> Channel {
    let mut out = Channel { relative: false, ..channel.clone() };
    let rest = channel.node.and_then(|node| scene.nodes.get(node)).map(|node| node.transform).unwrap_or_default();
    let (translation, rotation, scale) = scene::sample::parts(&rest);
    let cubic = channel.interpolation == scene::Interpolation::Cubic;
    let width = channel.width();
    for (i, value) in out.values.chunks_mut(width.max(1)).enumerate() {
        let tangent = cubic && i % 3 != 1;
        match channel.track {
            Track::Translation if !tangent => value.iter_mut().zip(translation).for_each(|(v, rest)| *v += rest),
            Track::Scale => value.iter_mut().zip(scale).for_each(|(v, rest)| *v *= rest),
            Track::Rotation => {
                let quat = |v: [f32; 4]| glam::DQuat::from_array(v.map(f64::from));
                if let Ok(own) = <[f32; 4]>::try_from(&value[..]) {
                    let turned = (quat(rotation) * quat(own)).to_array().map(|v| v as f32);
                    value.copy_from_slice(&turned);
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_stand_before_all_values() {
        // Two keys of two numbers whose tangents before and behind differ.
        let keys = [1., 2., 10., 20., 3., 4., 5., 6., 30., 40., 7., 8.];
        let (tangents, values) = taken_apart(&keys, 2);
        assert_eq!(tangents, [1., 2., 3., 4., 5., 6., 7., 8.]);
        assert_eq!(values, [10., 20., 30., 40.]);
    }
}
