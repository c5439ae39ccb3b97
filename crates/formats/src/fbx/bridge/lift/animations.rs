//! Animations, sampled by `ufbx` so that straight lines between keys follow the curves.

use std::collections::HashMap;

use findings::{Subject, SubjectKind};
use scene::loss::*;
use scene::{Animation, Channel, Id, Interpolation, Node, Scene, Track};

use super::meshes::channels;
use super::{name, node_id};
use crate::LiftCx;

/// The property of a blend channel that animations change, in hundredths.
const WEIGHT: &str = "DeformPercent";

pub(super) fn lift(source: &ufbx::Scene, scene: &mut Scene, cx: &mut LiftCx<'_>) {
    for stack in &source.anim_stacks {
        let label = Subject::new(SubjectKind::Animation, stack.element.typed_id as usize, name(&stack.element.name));
        let Ok(baked) = ufbx::bake_anim(source, &stack.anim, ufbx::BakeOpts::default()) else {
            cx.lose(&LOSS_001, &label, 1, "animation", "it cannot be sampled");
            continue;
        };
        let mut animation = Animation {
            name: name(&stack.element.name),
            frame_rate: Some(source.settings.frames_per_second as f32).filter(|rate| *rate > 0.),
            ..Animation::default()
        };
        let mut curved = 0;
        for node in baked.nodes.iter() {
            animation.channels.extend(tracks(node, &mut curved));
        }
        weights(source, &baked, &mut animation, &mut curved);
        if curved > 0 {
            let why = "curves are followed by straight lines between samples";
            cx.lose(&LOSS_053, &label, curved, "curves", why);
        }
        scene.animations.add(animation);
    }
}

/// Whether keys were added to follow a curve or a step: straight lines between the keys of the file are no loss.
fn is_sampled(mut flags: impl Iterator<Item = ufbx::BakedKeyFlags>) -> bool {
    use ufbx::BakedKeyFlags as Flags;
    let steps = |flags: Flags| [Flags::STEP_LEFT, Flags::STEP_RIGHT, Flags::STEP_KEY].iter().any(|f| flags.has_any(*f));
    flags.any(|flags| !flags.has_any(Flags::KEYFRAME) || steps(flags))
}

fn tracks(node: &ufbx::BakedNode, curved: &mut u64) -> Vec<Channel> {
    let id: Id<Node> = Id::new(node.typed_id as usize);
    let channel = |track: Track, times: Vec<f32>, values: Vec<f32>| Channel {
        node: Some(id),
        track,
        times,
        values,
        interpolation: Interpolation::Linear,
        relative: false,
    };
    let vectors = |track: Track, keys: &[ufbx::BakedVec3]| {
        let times = keys.iter().map(|key| key.time as f32).collect();
        channel(track, times, keys.iter().flat_map(|key| super::three(&key.value)).collect())
    };
    let mut out = Vec::new();
    if !node.constant_translation {
        out.push(vectors(Track::Translation, &node.translation_keys));
    }
    if !node.constant_rotation {
        let times = node.rotation_keys.iter().map(|key| key.time as f32).collect();
        let turn = |key: &ufbx::BakedQuat| [key.value.x, key.value.y, key.value.z, key.value.w].map(|v| v as f32);
        out.push(channel(Track::Rotation, times, node.rotation_keys.iter().flat_map(turn).collect()));
    }
    if !node.constant_scale {
        out.push(vectors(Track::Scale, &node.scale_keys));
    }
    let moving = [(node.constant_translation, &node.translation_keys), (node.constant_scale, &node.scale_keys)];
    let moving = moving.iter().filter(|(constant, _)| !constant);
    *curved += moving.filter(|(_, keys)| is_sampled(keys.iter().map(|key| key.flags))).count() as u64;
    *curved += u64::from(!node.constant_rotation && is_sampled(node.rotation_keys.iter().map(|key| key.flags)));
    out
}

/// Weights of morph targets: one channel per node, with a key wherever one of its morph targets has one.
fn weights(source: &ufbx::Scene, baked: &ufbx::BakedAnim, animation: &mut Animation, curved: &mut u64) {
    let moving: HashMap<u32, &ufbx::BakedProp> = baked
        .elements
        .iter()
        .filter_map(|element| {
            let property = element.props.iter().find(|property| &*property.name == WEIGHT)?;
            (!property.constant_value).then_some((element.element_id, property))
        })
        .collect();
    for node in &source.nodes {
        let Some(mesh) = &node.mesh else { continue };
        let own: Vec<&ufbx::BlendChannel> = channels(mesh).collect();
        let keys = |channel: &ufbx::BlendChannel| moving.get(&channel.element.element_id).copied();
        let mut times: Vec<f64> =
            own.iter().filter_map(|c| keys(c)).flat_map(|property| property.keys.iter().map(|key| key.time)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.is_empty() {
            continue;
        }
        let is_curved = own.iter().filter_map(|c| keys(c)).any(|p| is_sampled(p.keys.iter().map(|key| key.flags)));
        *curved += u64::from(is_curved);
        let mut values = Vec::with_capacity(times.len() * own.len());
        for &time in &times {
            for channel in &own {
                let value = keys(channel).map_or(channel.weight, |property| at(&property.keys, time) / 100.);
                values.push(value as f32);
            }
        }
        animation.channels.push(Channel {
            node: Some(node_id(node)),
            track: Track::Weights,
            times: times.into_iter().map(|time| time as f32).collect(),
            values,
            interpolation: Interpolation::Linear,
            relative: false,
        });
    }
}

/// The value of keys at a time, along a straight line between two of them.
fn at(keys: &[ufbx::BakedVec3], time: f64) -> f64 {
    let next = keys.partition_point(|key| key.time < time);
    match (next.checked_sub(1).and_then(|i| keys.get(i)), keys.get(next)) {
        (Some(a), Some(b)) if b.time > a.time => {
            a.value.x + (b.value.x - a.value.x) * (time - a.time) / (b.time - a.time)
        }
        (_, Some(key)) | (Some(key), None) => key.value.x,
        (None, None) => 0.,
    }
}
