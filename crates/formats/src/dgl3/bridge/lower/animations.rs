//! Animations → frames of bones.

use findings::Result;
use scene::loss::*;
use scene::sample::Excerpt;
use scene::{Channel, Id, Node, Primitive, Scene, Track};
use wire::{F32, Text};

use super::super::text;
use super::poses::{Poses, frame_count, on_frames};
use super::skins::{Rig, Rigs};
use crate::LowerCx;
use crate::dgl3::layout::{SkeletalAnimation, SkeletalFrame, Transformation};

/// Frames per second where nothing says how many.
const USUAL_RATE: i32 = 30;

/// Bytes of a frame, and of each bone that moves in it.
const FRAME: u64 = 64;
const BONE: u64 = 44;

/// How far off bones may be, as a share of the model's size, before that is shear and no rounding.
const SHEAR_TOLERANCE: f64 = 1e-5;

impl Rigs<'_> {
    /// Frames per second: what the user asks for, what the animations have, or the usual.
    pub(super) fn rate(&self, animations: impl Iterator<Item = usize>) -> i32 {
        let mut rates = animations.filter_map(|i| self.scene.animations.get(Id::new(i))?.frame_rate);
        let whole = rates.find(|rate| (1. ..=1000.).contains(rate) && rate.fract() == 0.);
        self.asked.or(whole.map(|rate| rate as i32)).unwrap_or(USUAL_RATE)
    }

    /// An animation as frames of the bones of what a node shows.
    pub(super) fn frames(
        &self,
        excerpt: &Excerpt<'_>,
        index: usize,
        rig: &Rig<'_>,
        shown: (Id<Node>, &Primitive),
        rate: i32,
        cx: &mut LowerCx<'_>,
    ) -> Result<SkeletalAnimation> {
        let animation = &self.scene.animations[Id::new(index)];
        let concerned = |channel: &&Channel| {
            channel.track != Track::Weights && channel.node.is_some_and(|node| rig.chain.contains(&node))
        };
        let channels: Vec<&Channel> = excerpt.channels.iter().map(|(_, channel)| *channel).filter(concerned).collect();
        let frames = if channels.is_empty() { 0 } else { frame_count(&channels, rate) };
        let size = (frames as u64).saturating_mul(rig.joints.len() as u64 * BONE + FRAME);
        let of = format!("{} bones", rig.joints.len());
        cx.charge_frames(size, (index, &animation.name), frames, &of)?;
        let poses = Poses::of(self, excerpt, rig, frames, rate);
        let mut out =
            SkeletalAnimation { animation_name: animation_name(self.scene, index), frames: Vec::with_capacity(frames) };
        let moving: Vec<usize> = (0..rig.joints.len()).filter(|&bone| !rig.direct || poses.moves[bone]).collect();
        for pose in &poses.frames {
            let transformation = |&bone: &usize| {
                let (t, r, s) = pose[bone];
                Transformation {
                    bone_index: bone as i32,
                    local_rotation: r.map(F32),
                    local_translation: t.map(F32),
                    local_scaling: s.map(F32),
                }
            };
            let transformations = moving.iter().map(transformation).collect::<Vec<_>>();
            out.frames.push(SkeletalFrame { transformations: transformations.into() });
        }
        let are_frames = channels.iter().all(|channel| on_frames(channel, rate));
        if !(rig.direct && are_frames) {
            let off = self.measure(excerpt, rig, &poses, shown, rate);
            let label = animation.subject(index);
            // A single key that is a frame is not sampled, however its bones are bound.
            if !are_frames || frames > 1 {
                let what = format!("keys sampled at {rate} frames per second");
                cx.losses.add_measured(&LOSS_040, off.sampled, &label, 1, what, "DGL3 stores frames");
            }
            if off.sheared > SHEAR_TOLERANCE {
                let why = "bones of DGL3 have translation, rotation and scale";
                cx.losses.add_measured(&LOSS_031, off.sheared, &label, 1, "shear while it moves", why);
            }
        }
        Ok(out)
    }
}

/// The name of an animation. Those without names are numbered: programs play animations by their names.
pub(super) fn animation_name(scene: &Scene, index: usize) -> Text {
    let name = &scene.animations[Id::new(index)].name;
    if name.is_empty() && scene.animations.len() > 1 {
        return format!("animation {index}").as_str().into();
    }
    text(name)
}
