//! Keys on frames: as they are, or sampled, and how far that is from the animation of the source.

use std::collections::HashSet;

use findings::{Error, Result};
use glam::DMat4;
use scene::sample::{self, Pose};
use scene::{Animation, Channel, Forest, Id, Interpolation, Node, Track, undone};

use super::super::super::tracks::time;
use super::super::Lower;
use super::super::animations::poses::Measure;
use super::super::skins::{Rig, is_near};
use crate::LowerCx;

/// How far from the animation of the source frames may be between two of them, by the diagonal of the box around it.
const TOLERANCE: f64 = 1e-3;
/// Frames per second where nothing says how many.
const USUAL_RATE: f32 = 30.;
/// Most frames per second.
const FASTEST: f32 = 960.;
/// Rates that real files have, tried where keys may lie on their frames.
const RATES: [f32; 9] = [30., 24., 25., 60., 48., 50., 120., 100., 240.];
/// How far from a frame a key may lie and still be on it, in frames.
const ON_FRAME: f64 = 1e-3;
/// Most times between frames, and most keys of the source, at which the error is measured.
const MEASURED: usize = 512;
/// More frames than this are not made to come nearer to the source.
const MANY: usize = 1 << 16;

/// How finely animations are sampled.
pub(in super::super) struct Rate {
    /// Frames per second that the user asks for.
    asked: Option<f32>,
    /// Whether that rate stays, however far frames are off.
    fixed: bool,
    pub(in super::super) tolerance: f64,
}

impl Rate {
    pub(in super::super) fn of(cx: &LowerCx<'_>) -> Result<Rate> {
        let number = |name: &str| {
            let given = cx.options.get(name)?;
            Some((given, given.parse::<f64>().ok().filter(|number| *number > 0. && number.is_finite())))
        };
        let asked = match number("fps") {
            None => None,
            Some((_, Some(rate))) if rate <= f64::from(FASTEST) => Some(rate as f32),
            Some((given, _)) => {
                let help = format!("it is a number above 0, at most {FASTEST}");
                return Err(Error::usage(format!("--fps is {given}")).with_help(help));
            }
        };
        let tolerance = match number("tolerance") {
            None => None,
            Some((_, Some(tolerance))) => Some(tolerance),
            Some((given, None)) => {
                return Err(Error::usage(format!("--tolerance is {given}")).with_help("it is a number above 0"));
            }
        };
        Ok(Rate { asked, fixed: asked.is_some() && tolerance.is_none(), tolerance: tolerance.unwrap_or(TOLERANCE) })
    }
}

/// An animation, and its number in the scene.
#[derive(Clone, Copy)]
pub(in super::super) struct Played<'a> {
    pub(in super::super) index: usize,
    /// Without what DRAGON has no field for.
    pub(in super::super) animation: &'a Animation,
}

/// What a bone's part is written as.
pub(in super::super) struct Written {
    pub(in super::super) bone: usize,
    pub(in super::super) channel: Channel,
}

/// Whether the keys of a channel are frames as they are.
pub(in super::super) fn on_frames(channel: &Channel, rate: f32) -> bool {
    let on_frame = |(i, key): (usize, &f32)| time(i, rate).to_bits() == key.to_bits();
    channel.interpolation != Interpolation::Cubic && channel.times.iter().enumerate().all(on_frame)
}

/// The value of a channel at a frame; a key a trifle beside it is on it.
fn value_at(channel: &Channel, frame: usize, rate: f32) -> Option<Vec<f32>> {
    let at = time(frame, rate);
    let next = channel.times.partition_point(|key| *key < at);
    let near =
        |i: &usize| channel.times.get(*i).is_some_and(|key| f64::from((*key - at).abs()) * f64::from(rate) < ON_FRAME);
    match [next, next.wrapping_sub(1)].into_iter().find(near) {
        Some(key) => channel.at(channel.times[key]),
        None => channel.at(at),
    }
}

/// How many frames it takes until a time.
fn frames_until(last: f32, rate: f32) -> usize {
    let frames = f64::from(last.max(0.)) * f64::from(rate);
    if frames.is_finite() { ((frames - ON_FRAME).ceil().max(0.) as usize).saturating_add(1) } else { 1 }
}

/// A channel with a key on every frame.
pub(in super::super) fn sampled(channel: &Channel, rate: f32) -> Channel {
    if on_frames(channel, rate) {
        return channel.clone();
    }
    let frames = frames_until(channel.times.last().copied().unwrap_or(0.), rate);
    let frames = if channel.times.is_empty() { 0 } else { frames };
    let mut values = Vec::with_capacity(frames * channel.width());
    for frame in 0..frames {
        values.extend(value_at(channel, frame, rate).unwrap_or_default());
    }
    let interpolation = match channel.interpolation {
        Interpolation::Step => Interpolation::Step,
        _ => Interpolation::Linear,
    };
    let times = (0..frames).map(|frame| time(frame, rate)).collect();
    Channel { times, values, interpolation, ..channel.clone() }
}

impl Lower<'_, '_, '_> {
    /// Frames per second to begin with: what the user asks for, what the source has, what its keys lie on, or the usual.
    pub(in super::super) fn first_rate(&self, animation: &Animation) -> f32 {
        let told = animation.frame_rate.filter(|rate| *rate > 0. && *rate <= FASTEST);
        if let Some(rate) = self.rate.asked.or(told) {
            return rate;
        }
        let on = |rate: &f32| {
            let mut keys = animation.channels.iter().flat_map(|channel| &channel.times);
            keys.all(|key| is_frame(*key, *rate))
        };
        RATES.into_iter().find(on).unwrap_or(USUAL_RATE)
    }

    /// Refuses animations that would fill the disk.
    pub(in super::super) fn limit_frames(&self, index: usize, animation: &Animation, rate: f32) -> Result<()> {
        for channel in animation.channels.iter().filter(|channel| !on_frames(channel, rate)) {
            let frames = frames_until(channel.times.last().copied().unwrap_or(0.), rate);
            let size = (frames as u64).saturating_mul(channel.width() as u64 * 4);
            let of = format!("{} numbers", channel.width());
            self.cx.charge_frames(size, (index, &animation.name), frames, &of)?;
        }
        Ok(())
    }

    /// What is written for the bones of the skeleton of each of these nodes.
    pub(in super::super) fn bones(&self, played: Played<'_>, owners: &[Id<Node>], rate: f32) -> Vec<Vec<Written>> {
        let mut all: Vec<Vec<Written>> =
            owners.iter().map(|owner| self.own_keys(played.animation, &self.skins.of_nodes[owner], rate)).collect();
        let skinned =
            owners.iter().map(|owner| &*self.skins.of_nodes[owner]).zip(&mut all).filter(|(rig, _)| !rig.direct);
        self.hold_the_rest(played, skinned.collect(), rate);
        all
    }

    /// The keys of joints that are those of their bones.
    fn own_keys(&self, animation: &Animation, rig: &Rig, rate: f32) -> Vec<Written> {
        let mut out = Vec::new();
        let own_place = |bone: usize| rig.direct || self.follows(rig, bone);
        for channel in &animation.channels {
            if channel.track == Track::Weights {
                continue;
            }
            let bone = channel.node.and_then(|node| rig.positions.get(&node).copied());
            let Some(bone) = bone.filter(|bone| own_place(*bone) || matches!(channel.track, Track::Other { .. }))
            else {
                continue;
            };
            let relative = channel.relative && rig.direct;
            let absolute =
                if channel.relative && !rig.direct { self.absolute(rig, bone, channel) } else { channel.clone() };
            let channel = Channel { node: None, relative, ..sampled(&absolute, rate) };
            out.push(Written { bone, channel });
        }
        out
    }

    /// Whether a bone hangs on the bone that its joint hangs on, so that the joint's own keys are the bone's.
    pub(in super::super) fn follows(&self, rig: &Rig, bone: usize) -> bool {
        let above = self.motion.forest.parent(rig.joints[bone]);
        rig.parents[bone].is_some_and(|parent| above == Some(rig.joints[parent]))
    }

    /// A channel of differences as one of places: bones rest elsewhere than their joints.
    fn absolute(&self, rig: &Rig, bone: usize, channel: &Channel) -> Channel {
        let rest = self.scene.nodes[rig.joints[bone]].transform;
        let width = channel.width().max(1);
        let whole = |row: &[f32]| {
            let (t, r, s) = sample::parts(&sample::moved(&rest, &rest, &channel.track, row, true));
            match channel.track {
                Track::Translation => t.to_vec(),
                Track::Rotation => r.to_vec(),
                Track::Scale => s.to_vec(),
                _ => row.to_vec(),
            }
        };
        let values = channel.values.chunks(width).flat_map(whole).collect();
        Channel { values, relative: false, ..channel.clone() }
    }

    /// Adds what joints have no keys for: places that bones are not bound at, and tracks of what is above them.
    fn hold_the_rest(&self, played: Played<'_>, rigs: Vec<(&Rig, &mut Vec<Written>)>, rate: f32) {
        if rigs.is_empty() {
            return;
        }
        let animation = played.animation;
        let last = animation.channels.iter().filter_map(|c| c.times.last()).fold(0_f32, |last, t| last.max(*t));
        let frames = frames_until(last, rate);
        let mut sampled: Vec<Sampled> = rigs.iter().map(|(rig, _)| self.sampled(animation, rig)).collect();
        let joints = rigs.iter().zip(&sampled).flat_map(|((rig, _), sampled)| {
            let moving = sampled.bones.iter().zip(&sampled.moves).filter(|(_, moves)| **moves);
            moving.map(|(bone, _)| rig.joints[*bone])
        });
        let excerpt = self.motion.sampler.excerpt(played.index, joints.collect::<Vec<_>>());
        // One pose serves all skeletons.
        for frame in 0..frames {
            let pose = excerpt.at(time(frame, rate));
            rigs.iter().zip(&mut sampled).for_each(|((rig, _), sampled)| sampled.add(rig, &pose, frame == 0));
        }
        let times: Vec<f32> = (0..frames).map(|frame| time(frame, rate)).collect();
        let forest = &self.motion.forest;
        let flowing = |c: &&Channel| c.track != Track::Weights && c.interpolation != Interpolation::Step;
        let flowing = animation.channels.iter().filter(flowing).filter_map(|channel| channel.node).collect();
        for ((rig, out), sampled) in rigs.into_iter().zip(sampled) {
            self.add_sampled(&flowing, rig, sampled, &times, forest, out);
            self.add_resting(rig, out);
        }
    }

    fn sampled(&self, animation: &Animation, rig: &Rig) -> Sampled {
        let moved = self.moved(animation, rig);
        let mut bones = [&moved[..], &self.as_bound(rig).restless].concat();
        bones.retain(|bone| !self.follows(rig, *bone));
        bones.sort_unstable();
        bones.dedup();
        let moves: Vec<bool> = bones.iter().map(|bone| moved.binary_search(bone).is_ok()).collect();
        let values = vec![Default::default(); bones.len()];
        Sampled { to_mesh: rig.object.matrix().inverse(), rests: vec![true; bones.len()], moves, bones, values }
    }

    fn add_sampled(
        &self,
        flowing: &HashSet<Id<Node>>,
        rig: &Rig,
        sampled: Sampled,
        times: &[f32],
        forest: &Forest,
        out: &mut Vec<Written>,
    ) {
        let moving = sampled.values.into_iter().zip(sampled.bones).zip(sampled.rests).filter(|(_, rests)| !rests);
        for ((values, bone), _) in moving {
            let interpolation = between(flowing, rig, bone, forest);
            let tracks = [(Track::Translation, 3), (Track::Rotation, 4), (Track::Scale, 3)];
            for ((track, width), values) in tracks.into_iter().zip(values) {
                let still = values.chunks_exact(width).all(|row| row == &values[..width]);
                let keys = if still { 1 } else { times.len() };
                let channel = Channel {
                    node: None,
                    track,
                    times: times[..keys].to_vec(),
                    values: values[..keys * width].to_vec(),
                    interpolation,
                    relative: false,
                };
                if !(still && rests_at(rig, bone, &channel)) {
                    out.push(Written { bone, channel });
                }
            }
        }
    }

    /// Bones whose joints have no keys, and rest elsewhere than they are bound.
    fn add_resting(&self, rig: &Rig, out: &mut Vec<Written>) {
        let said: HashSet<(usize, Track)> =
            out.iter().map(|written| (written.bone, written.channel.track.clone())).collect();
        let mut bones = self.as_bound(rig).restless.clone();
        bones.extend(out.iter().map(|written| written.bone));
        bones.retain(|bone| self.follows(rig, *bone));
        bones.sort_unstable();
        bones.dedup();
        for bone in bones {
            let rest = &self.scene.nodes[rig.joints[bone]].transform;
            let (t, r, s) = sample::parts(rest);
            let parts: [(Track, &[f32]); 3] = [(Track::Translation, &t), (Track::Rotation, &r), (Track::Scale, &s)];
            for (track, values) in parts {
                let said = said.contains(&(bone, track.clone()));
                let channel = Channel {
                    node: None,
                    track,
                    times: vec![0.],
                    values: values.to_vec(),
                    interpolation: Interpolation::Linear,
                    relative: false,
                };
                if !said && !rests_at(rig, bone, &channel) {
                    out.push(Written { bone, channel });
                }
            }
        }
    }

    /// How far frames are from the animation of the source between them, by the diagonal of the box around the meshes.
    pub(in super::super) fn error(
        &self,
        played: Played<'_>,
        owners: &[Id<Node>],
        written: &[Vec<Written>],
        rate: f32,
    ) -> f64 {
        let owned = owners.iter().zip(written);
        let measures: Vec<Measure<'_>> = owned
            .filter_map(|(owner, made)| self.measure(played.animation, &self.skins.of_nodes[owner], made))
            .collect();
        if measures.is_empty() {
            return 0.;
        }
        let times = written.iter().flatten().filter_map(|w| w.channel.times.last());
        let last = times.fold(0_f32, |last, t| last.max(*t));
        let joints = measures.iter().flat_map(|of| of.moved.iter().map(|bone| of.rig.joints[*bone]));
        let excerpt = self.motion.sampler.excerpt(played.index, joints);
        let mut worst = measures.iter().map(|of| of.resting()).fold(0., f64::max);
        for (moment, at) in measured(played.animation, last, rate).into_iter().enumerate() {
            let pose = excerpt.at(at);
            for of in &measures {
                let off = match moment {
                    0 => of.off(&pose, at, of.moved.iter().chain(of.restless()).copied()),
                    _ => of.off(&pose, at, of.moved.iter().copied()),
                };
                worst = worst.max(off);
            }
        }
        worst
    }

    /// The next rate to try, if frames are too far from the source.
    pub(in super::super) fn faster(&self, animation: &Animation, rate: f32) -> Option<f32> {
        let last = animation.channels.iter().filter_map(|c| c.times.last()).fold(0_f32, |last, t| last.max(*t));
        let next = rate * 2.;
        (!self.rate.fixed && next <= FASTEST && frames_until(last, next) < MANY).then_some(next)
    }
}

/// Places of bones that do not hang where their joints do, frame by frame.
struct Sampled {
    to_mesh: DMat4,
    bones: Vec<usize>,
    /// Whether the animation moves each; those that it does not are looked at once.
    moves: Vec<bool>,
    /// Whether each stands where it is bound, all the time.
    rests: Vec<bool>,
    /// Translations, rotations and scales of each.
    values: Vec<[Vec<f32>; 3]>,
}

impl Sampled {
    fn add(&mut self, rig: &Rig, pose: &Pose, all: bool) {
        let world = |bone: usize| self.to_mesh * pose.world(rig.joints[bone]).unwrap_or_default();
        let each = self.values.iter_mut().zip(&mut self.rests).zip(self.bones.iter().zip(&self.moves));
        for ((values, rests), (bone, _)) in each.filter(|(_, (_, moves))| all || **moves) {
            let above = rig.parents[*bone].map_or(Some(DMat4::IDENTITY), |parent| undone(&world(parent)));
            // Below what has no size there is no place: it stays where it is bound.
            let local = above.map(|above| above * world(*bone)).filter(|local| local.is_finite());
            let local = local.unwrap_or_else(|| rig.rests[*bone].matrix());
            *rests &= is_near(&local, &rig.rests[*bone].matrix());
            let (t, r, s) = sample::decompose(&local);
            values[0].extend(t);
            values[1].extend(r);
            values[2].extend(s);
        }
    }
}

/// How a bone moves between frames: in steps, unless something flows that moves it relative to its parent.
fn between(flowing: &HashSet<Id<Node>>, rig: &Rig, bone: usize, forest: &Forest) -> Interpolation {
    let end = rig.parents[bone].map(|parent| rig.joints[parent]);
    let mut moved = forest.chain(rig.joints[bone]).take_while(|node| Some(*node) != end);
    if moved.any(|node| flowing.contains(&node)) { Interpolation::Linear } else { Interpolation::Step }
}

/// Whether a time is that of a frame, but for rounding.
pub(in super::super) fn is_frame(time: f32, rate: f32) -> bool {
    let frame = f64::from(time) * f64::from(rate);
    (frame - frame.round()).abs() < ON_FRAME
}

/// Times at which frames may be off: between two of them, at keys of the source, and where bones have no shear
/// at the frames themselves. Not only in the middle, where what starts and ends slowly is right.
fn measured(animation: &Animation, last: f32, rate: f32) -> Vec<f32> {
    let gaps = frames_until(last, rate).saturating_sub(1);
    let steps = gaps.min(MEASURED);
    let inside = |step: usize| {
        [0., 0.25, 0.5, 0.75].map(|share| (((step * gaps / steps) as f64 + share) / f64::from(rate)) as f32)
    };
    let keys = animation.channels.iter().flat_map(|channel| channel.times.iter().copied());
    let mut keys: Vec<f32> = keys.filter(|key| !is_frame(*key, rate)).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let every = keys.len().div_ceil(MEASURED).max(1);
    (0..steps).flat_map(inside).chain([time(gaps, rate)]).chain(keys.into_iter().step_by(every)).collect()
}

/// Whether a part stands where its bone is bound; bones that are matrices have no parts to compare.
fn rests_at(rig: &Rig, bone: usize, channel: &Channel) -> bool {
    let (t, r, s) = match rig.rests[bone] {
        scene::Transform::Trs { translation, rotation, scale } => (translation, rotation, scale),
        scene::Transform::Matrix(_) => return false,
    };
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs().max(1.));
    match channel.track {
        Track::Translation => near(&channel.values, &t),
        Track::Scale => near(&channel.values, &s),
        Track::Rotation => near(&channel.values, &r) || near(&channel.values, &r.map(|v| -v)),
        _ => false,
    }
}
