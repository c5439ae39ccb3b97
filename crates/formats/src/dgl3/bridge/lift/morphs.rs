//! Frames of the vertices → morph targets, and animations that show one after the other.

use findings::Result;
use scene::loss::*;
use scene::{Animation, Attribute, Channel, Id, Interpolation, MorphRange, MorphTarget, Node, Semantic, Stream, Track};
use wire::F32;

use super::super::bones::{frame_name, time};
use super::super::name;
use super::{Lift, Lifted};
use crate::dgl3::layout::{Body, Morph, MorphFrame};

/// Frames of the vertices: a morph target each, and animations that show one after the other.
pub(super) fn lift(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>, body: &Body, morph: &Morph) -> Result<()> {
    let frames = || morph.animations.iter().flat_map(|animation| &animation.frames.0);
    let targets = frames().count();
    let keys: u64 = morph.animations.iter().map(|animation| animation.frames.0.len() as u64).sum();
    let stored = keys.saturating_mul(24 * body.vertices.len() as u64);
    lift.take(keys.saturating_mul(targets as u64).saturating_mul(mesh.nodes.len() as u64), stored)?;
    let rate = morph.frames_per_second;
    let label = lift.scene.meshes[mesh.id].subject(mesh.id);
    let mut inexact = 0;
    let made: Vec<MorphTarget> = frames().map(|frame| target(body, frame, &mut inexact)).collect();
    if inexact > 0 {
        lift.cx.lose(&LOSS_020, &label, inexact, "differences of morph frames", "a scene stores them as 32-bit floats");
    }
    let stored = &mut lift.scene.meshes[mesh.id];
    for animation in &morph.animations {
        for frame in 0..animation.frames.0.len() {
            stored.morphs.push(MorphRange { name: frame_name(animation, frame), default: 0., min: 0., max: 1. });
        }
    }
    if let Some(primitive) = stored.primitives.first_mut() {
        primitive.targets = made;
    }
    let mut first = 0;
    for animation in &morph.animations {
        let count = animation.frames.0.len();
        let times: Vec<f32> = (0..count).map(|frame| time(frame, rate)).collect();
        let mut values = vec![0.; count * targets];
        (0..count).for_each(|frame| values[frame * targets + first + frame] = 1.);
        first += count;
        let channel = |&node: &Id<Node>| Channel {
            node: Some(node),
            track: Track::Weights,
            times: times.clone(),
            values: values.clone(),
            interpolation: Interpolation::Linear,
            relative: false,
        };
        let channels = if count == 0 { Vec::new() } else { mesh.nodes.iter().map(channel).collect() };
        lift.scene.animations.add(Animation {
            name: name(&animation.animation_name),
            frame_rate: Some(rate as f32),
            channels,
            ..Animation::default()
        });
    }
    Ok(())
}

fn target(body: &Body, frame: &MorphFrame, inexact: &mut u64) -> MorphTarget {
    let mut deltas = |base: &wire::Bulk<[F32; 3]>, moved: &wire::Bulk<[F32; 3]>| {
        let mut out = Vec::with_capacity(base.len() * 3);
        for (from, to) in base.iter().zip(moved.iter()) {
            let delta: [f32; 3] = std::array::from_fn(|i| (f64::from(to[i].get()) - f64::from(from[i].get())) as f32);
            let back = |i: usize| (f64::from(from[i].get()) + f64::from(delta[i])) as f32;
            *inexact += u64::from((0..3).any(|i| back(i).to_bits() != to[i].get().to_bits()));
            out.extend(delta);
        }
        Stream::from_f32(3, out)
    };
    let position = Attribute { semantic: Semantic::Position, stream: deltas(&body.vertices, &frame.vertices) };
    let normal = Attribute { semantic: Semantic::Normal, stream: deltas(&body.normals, &frame.normals) };
    MorphTarget { attributes: vec![position, normal] }
}
