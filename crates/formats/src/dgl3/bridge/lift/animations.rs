//! Frames of bones → keys.

use findings::{Error, Place, Result};
use scene::loss::*;
use scene::{Animation, Channel, Id, Interpolation, Node, Track};
use wire::F32;

use super::super::bones::{Trs, time};
use super::super::name;
use super::Lift;
use crate::dgl3::layout::{Skeletal, SkeletalAnimation};

/// As many bytes are never too much to make of a file.
const ROOM: u64 = 64 << 20;

impl Lift<'_, '_> {
    /// Takes room for so many numbers made of so many bytes, or says that it is too much.
    pub(super) fn take(&mut self, numbers: u64, stored: u64) -> Result<()> {
        self.room.0 = self.room.0.saturating_add(numbers.saturating_mul(4));
        self.room.1 = self.room.1.saturating_add(stored);
        self.cx.charge(numbers.saturating_mul(4), || Place::path("meshes"))?;
        let limits = &self.cx.limits;
        let most = self.room.1.saturating_mul(limits.max_ratio).max(ROOM).min(limits.max_inflate);
        if self.room.0 > most {
            let message = format!("{} bytes of frames make animations of more than {most}", self.room.1);
            return Err(Error::beyond(wire::Limit::Inflate, Place::path("meshes"), message));
        }
        Ok(())
    }
}

/// The animation of bones, at every node that shows the mesh: `skins` are the joints of each.
pub(super) fn skeletal(
    lift: &mut Lift<'_, '_>,
    skeletal: &Skeletal,
    animation: &SkeletalAnimation,
    skins: &[Vec<Id<Node>>],
) -> Result<Animation> {
    let (frames, rate) = (animation.frames.len(), skeletal.frames_per_second);
    let out =
        Animation { name: name(&animation.animation_name), frame_rate: Some(rate as f32), ..Animation::default() };
    let moving = moving(skeletal, animation);
    let numbers = (frames as u64).saturating_mul(moving.len() as u64).saturating_mul(10 * skins.len() as u64);
    let stored = animation.frames.iter().map(|frame| 4 + 44 * frame.transformations.len() as u64).sum();
    lift.take(numbers, stored)?;
    let wrong = unusable(skeletal, animation);
    if wrong > 0 {
        let label = out.subject(lift.scene.animations.len());
        lift.cx.lose(&LOSS_043, &label, wrong, "transformations", "of bones that do not exist or are listed twice");
    }
    let times: Vec<f32> = (0..frames).map(|frame| time(frame, rate)).collect();
    let keys = keys(skeletal, animation, &moving);
    let mut channels = Vec::new();
    for joints in skins {
        for (&bone, keys) in moving.iter().zip(&keys) {
            let tracks: [(Track, Vec<f32>); 3] = [
                (Track::Translation, keys.iter().flat_map(|key| key.0).collect()),
                (Track::Rotation, keys.iter().flat_map(|key| key.1).collect()),
                (Track::Scale, keys.iter().flat_map(|key| key.2).collect()),
            ];
            channels.extend(tracks.into_iter().map(|(track, values)| Channel {
                node: Some(joints[bone]),
                track,
                times: times.clone(),
                values,
                interpolation: Interpolation::Linear,
                relative: false,
            }));
        }
    }
    Ok(Animation { channels, ..out })
}

/// The bones that a frame lists.
fn listed(animation: &SkeletalAnimation, frame: usize) -> impl Iterator<Item = i32> {
    animation.frames[frame].transformations.iter().map(|moved| moved.bone_index)
}

/// The bones that any frame lists, in order. Where none moves the first one rests, so that there is something to play.
fn moving(skeletal: &Skeletal, animation: &SkeletalAnimation) -> Vec<usize> {
    let mut moves = vec![false; skeletal.bones.len()];
    for bone in (0..animation.frames.len()).flat_map(|frame| listed(animation, frame)) {
        if let Some(moves) = usize::try_from(bone).ok().and_then(|bone| moves.get_mut(bone)) {
            *moves = true;
        }
    }
    let moving: Vec<usize> = (0..moves.len()).filter(|&bone| moves[bone]).collect();
    if moving.is_empty() && !animation.frames.is_empty() { vec![0] } else { moving }
}

/// How many transformations are of bones that do not exist, or of one that a frame lists again: the last one counts.
fn unusable(skeletal: &Skeletal, animation: &SkeletalAnimation) -> u64 {
    let exists = |bone: &i32| usize::try_from(*bone).is_ok_and(|bone| bone < skeletal.bones.len());
    let of_frame = |frame: usize| {
        let mut bones: Vec<i32> = listed(animation, frame).filter(exists).collect();
        bones.sort_unstable();
        bones.dedup();
        listed(animation, frame).count() - bones.len()
    };
    (0..animation.frames.len()).map(|frame| of_frame(frame) as u64).sum()
}

/// Every frame of each bone that moves; where it is not listed it rests.
fn keys(skeletal: &Skeletal, animation: &SkeletalAnimation, moving: &[usize]) -> Vec<Vec<Trs>> {
    let rest = |bone: usize| {
        let place = skeletal.bones.get(bone).unwrap_or_default().local_position.map(F32::get);
        (place, [0., 0., 0., 1.], [1.; 3])
    };
    let mut keys: Vec<Vec<Trs>> = moving.iter().map(|&bone| vec![rest(bone); animation.frames.len()]).collect();
    let mut slots = vec![usize::MAX; skeletal.bones.len()];
    moving.iter().enumerate().for_each(|(slot, &bone)| slots[bone] = slot);
    for (frame, moved) in
        animation.frames.iter().enumerate().flat_map(|(f, frame)| frame.transformations.iter().map(move |m| (f, m)))
    {
        let slot = usize::try_from(moved.bone_index).ok().and_then(|bone| slots.get(bone).copied());
        if let Some(keys) = slot.and_then(|slot| keys.get_mut(slot)) {
            let (t, r, s) = (moved.local_translation, moved.local_rotation, moved.local_scaling);
            keys[frame] = (t.map(F32::get), r.map(F32::get), s.map(F32::get));
        }
    }
    keys
}
