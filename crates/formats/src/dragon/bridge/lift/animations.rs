//! Animations: tracks of frames become channels of the joints they move.

use std::collections::HashMap;

use findings::{Result, Subject, SubjectKind};
use glam::{DMat3, DMat4, DQuat, DVec3};
use scene::loss::*;
use scene::{Animation, Channel, Ease, Easing, Extras, Id, Interpolation, Node, Track};
use wire::F32;

use super::super::tracks::{MORPH, time};
use super::super::transforms;
use super::{Key, Lift};
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{AniTrack, Animate, Body};
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::words::{AnimationType, Sampling, Smoothing};

/// A part of a bone over time.
struct Part {
    track: Track,
    values: Vec<f32>,
}

/// A track of a morph's weight.
struct Weight<'d> {
    name: &'d str,
    track: &'d AniTrack,
}

/// The channels of an animation.
#[derive(Default)]
struct Channels {
    all: Vec<Option<Channel>>,
    /// The last channel that moves a property of a node.
    last: HashMap<(Id<Node>, Track), usize>,
}

impl Channels {
    /// Adds a channel. Of two that move the same the last one counts: answers whether there was one before.
    fn add(&mut self, channel: Channel) -> bool {
        let moved = channel.node.map(|node| (node, channel.track.clone()));
        let before = moved.and_then(|moved| self.last.insert(moved, self.all.len()));
        before.into_iter().for_each(|before| self.all[before] = None);
        self.all.push(Some(channel));
        before.is_some()
    }
}

impl<'d> Lift<'d, '_, '_> {
    pub(super) fn animation(&mut self, section: &'d Section, animate: &'d Animate) -> Result<()> {
        let mut extras = Extras::default();
        let name = self.said_aside(section, true, &mut extras);
        let label = Subject::new(SubjectKind::Animation, self.scene.animations.len(), &name);
        let rate = animate.framerate.get();
        let skeleton = self.find(animate.skeleton, Kind::Skeleton, &label);
        let mut channels = Channels::default();
        let mut weights: Vec<Weight<'d>> = Vec::new();
        for bound in animate.tracks.iter() {
            let Some(section) = self.find(bound.track, Kind::AniTrack, &label) else { continue };
            let Body::AniTrack(track) = &section.body else { continue };
            if let Some(name) = morph_name(track) {
                weights.push(Weight { name, track });
                continue;
            }
            let nodes = self.bound_to(skeleton, bound.bone, &label);
            for part in parts(track) {
                self.count_numbers(nodes.len().saturating_mul(part.values.len()))?;
                for node in &nodes {
                    self.count(1)?;
                    let channel = channel(*node, &part, track, rate);
                    self.add(&mut channels, channel, &label);
                }
            }
        }
        self.weights(&mut channels, &weights, skeleton, rate, &label)?;
        let channels = channels.all.into_iter().flatten().collect();
        self.scene.animations.add(Animation { name, frame_rate: Some(rate), channels, extras });
        Ok(())
    }

    /// The joints that a number stands for, one in each place of the skeleton; nothing if it stands for none.
    fn bound_to(&mut self, skeleton: Option<&'d Section>, bone: i32, label: &Subject) -> Vec<Option<Id<Node>>> {
        let key = skeleton.map(|section| -> Key { section });
        let uses = key.and_then(|key| self.skins.uses.get(&key)).map_or(&[][..], Vec::as_slice);
        let joint = |bone: usize| uses.iter().filter_map(move |used| used.joints.get(bone).copied().map(Some));
        let found: Vec<_> = usize::try_from(bone).ok().into_iter().flat_map(joint).collect();
        if found.is_empty() {
            self.cx.lose(&LOSS_054, label, 1, "track of no bone", "nothing says what it moves");
            return vec![None];
        }
        found
    }

    fn add(&mut self, to: &mut Channels, channel: Channel, label: &Subject) {
        if to.add(channel) {
            self.cx.lose(&LOSS_054, label, 1, "track", "another one moves the same bone in the same way");
        }
    }

    /// Tracks of weights become one channel per node, with a number for every morph.
    fn weights(
        &mut self,
        channels: &mut Channels,
        weights: &[Weight<'d>],
        skeleton: Option<&'d Section>,
        own_rate: f32,
        label: &Subject,
    ) -> Result<()> {
        if weights.is_empty() {
            return Ok(());
        }
        let rate = own_rate;
        let mut used = vec![false; weights.len()];
        for (node, mesh, rig) in self.skins.shown.clone() {
            if skeleton.is_some() && rig != skeleton.map(|section| -> Key { section }) {
                continue;
            }
            let morphs = &self.scene.meshes[mesh].morphs;
            let of = |name: &scene::Name| weights.iter().rposition(|w| name.bytes() == w.name.as_bytes());
            let tracks: Vec<Option<usize>> = morphs.iter().map(|morph| of(&morph.name)).collect();
            if tracks.iter().all(Option::is_none) {
                continue;
            }
            tracks.iter().flatten().for_each(|at| used[*at] = true);
            let moving: Vec<&AniTrack> = tracks.iter().flatten().map(|at| weights[*at].track).collect();
            let kinds = moving.iter().map(|track| interpolation(track));
            let first = kinds.clone().next().unwrap_or(Interpolation::Linear);
            let same = kinds.clone().all(|kind| kind == first);
            let frames = moving.iter().map(|track| track.frames()).max().unwrap_or(0);
            // Weights of one mesh move together in the scene: different easings are followed by straight lines.
            let (frames, rate) = match same {
                true => (frames, rate),
                false => finer(frames, rate),
            };
            let count = morphs.len();
            self.count(1)?;
            self.count_numbers(frames.saturating_mul(count))?;
            let morphs = &self.scene.meshes[mesh].morphs;
            let mut values = vec![0.; frames * count];
            for (i, (track, morph)) in tracks.iter().zip(morphs).enumerate() {
                let relative = track.is_some_and(|at| is_relative(weights[at].track));
                let base = if relative { morph.default } else { 0. };
                let data = track.map_or(Vec::new(), |at| floats(weights[at].track));
                let own = track.filter(|_| !same).map(|at| {
                    let part = Part { track: Track::Other { word: String::new(), width: 1 }, values: data.clone() };
                    channel(None, &part, weights[at].track, own_rate)
                });
                for (frame, row) in values.chunks_exact_mut(count).enumerate() {
                    let value = match &own {
                        Some(own) => own.at(time(frame, rate)).and_then(|value| value.first().copied()),
                        None => data.get(frame).or(data.last()).copied(),
                    };
                    row[i] = value.map_or(morph.default, |v| v + base);
                }
            }
            if !same {
                let why = "weights of one mesh move together in the scene";
                self.cx.lose(&LOSS_053, label, 1, "easing of a weight", why);
            }
            let channel = Channel {
                node: Some(node),
                track: Track::Weights,
                times: times(frames, rate),
                values,
                interpolation: if same { first } else { Interpolation::Linear },
                relative: false,
            };
            self.add(channels, channel, label);
        }
        for (weight, _) in weights.iter().zip(&used).filter(|(_, used)| !**used) {
            self.cx.lose(&LOSS_054, label, 1, "track of no morph", "no mesh that it moves has one of this name");
            let word = weight.track.target.to_string();
            let part = Part { track: Track::Other { word, width: 1 }, values: floats(weight.track) };
            let channel = channel(None, &part, weight.track, rate);
            self.add(channels, channel, label);
        }
        Ok(())
    }
}

/// Least frames per second where curves are followed by straight lines.
const FINE: f32 = 120.;

/// As many frames as it takes, and their rate, with every old frame among them.
fn finer(frames: usize, rate: f32) -> (usize, f32) {
    let times = if rate > 0. { (FINE / rate).ceil().clamp(1., FINE) } else { 1. };
    (frames.saturating_sub(1).saturating_mul(times as usize).saturating_add(frames.min(1)), rate * times)
}

/// The morph whose weight a track says.
pub(super) fn morph_name(track: &AniTrack) -> Option<&str> {
    let target = track.target.as_str()?;
    let (head, name) = target.split_at_checked(MORPH.len())?;
    (head.eq_ignore_ascii_case(MORPH) && track.width == 1).then_some(name)
}

fn is_relative(track: &AniTrack) -> bool {
    track.animation_type != AnimationType::ABSOLUTE
}

fn floats(track: &AniTrack) -> Vec<f32> {
    let whole = track.frames() * usize::from(track.width);
    track.data.iter().take(whole).map(F32::get).collect()
}

fn times(frames: usize, rate: f32) -> Vec<f32> {
    (0..frames).map(|frame| time(frame, rate)).collect()
}

fn channel(node: Option<Id<Node>>, part: &Part, track: &AniTrack, rate: f32) -> Channel {
    Channel {
        node,
        track: part.track.clone(),
        times: times(track.frames(), rate),
        values: part.values.clone(),
        interpolation: interpolation(track),
        relative: is_relative(track),
    }
}

fn interpolation(track: &AniTrack) -> Interpolation {
    let easing = match track.sampling_type {
        Sampling::CONSTANT => return Interpolation::Step,
        Sampling::BEZIER => {
            let bezier = track.bezier.unwrap_or_default();
            let point = |p: [F32; 2]| [p[0].get().clamp(0., 1.), p[1].get()];
            return Interpolation::Bezier { first: point(bezier.d1), second: point(bezier.d2) };
        }
        Sampling::SIN => Easing::Sine,
        Sampling::QUAD => Easing::Quadratic,
        Sampling::CUBIC => Easing::Cubic,
        Sampling::QUAT => Easing::Quartic,
        Sampling::QUINT => Easing::Quintic,
        _ => return Interpolation::Linear,
    };
    match track.smoothing_type {
        Smoothing::EASE_IN => Interpolation::Eased(easing, Ease::In),
        Smoothing::EASE_OUT => Interpolation::Eased(easing, Ease::Out),
        Smoothing::EASE_IN_OUT => Interpolation::Eased(easing, Ease::InOut),
        _ => Interpolation::Linear,
    }
}

/// What a track moves: one part of a bone, or all of them by a matrix.
fn parts(track: &AniTrack) -> Vec<Part> {
    let word = track.target.to_string().to_ascii_uppercase();
    let mut values = floats(track);
    let width = usize::from(track.width);
    let part = |track, values| vec![Part { track, values }];
    let mut out = match (word.as_str(), width) {
        ("POSITION" | "TRANSLATION" | "LOCATION", 3) => part(Track::Translation, values),
        ("ROTATION", 4) => part(Track::Rotation, values),
        ("ROTATION", 3) => {
            let turn = |angles: &[f32]| transforms::quaternion([angles[0], angles[1], angles[2]]);
            part(Track::Rotation, values.chunks_exact(3).flat_map(turn).collect())
        }
        ("SCALE", 3) => part(Track::Scale, values),
        ("SCALE", 1) => part(Track::Scale, values.iter().flat_map(|v| [*v; 3]).collect()),
        ("ROTATION", 9) => {
            let matrix = |m: &[f32]| DMat4::from_mat3(DMat3::from_cols_slice(&wide(m)));
            // Only a matrix of four rows says where and how large a bone is.
            vec![whole(values.chunks_exact(9).map(matrix)).swap_remove(1)]
        }
        ("ROTATION" | "TRANSFORM" | "MATRIX", 16) => {
            whole(values.chunks_exact(16).map(|m| DMat4::from_cols_slice(&wide(m))))
        }
        _ => {
            values.truncate(track.frames() * width);
            part(Track::Other { word: track.target.to_string(), width: width as u32 }, values)
        }
    };
    if track.animation_type == AnimationType::DELTA_2019 {
        out.iter_mut().for_each(add_up);
    }
    out
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|v| f64::from(*v)).collect()
}

/// Translation, rotation and scale of every matrix.
fn whole(matrices: impl Iterator<Item = DMat4>) -> Vec<Part> {
    let (mut t, mut r, mut s) = (Vec::new(), Vec::new(), Vec::new());
    for matrix in matrices {
        let (translation, rotation, scale) = scene::sample::decompose(&matrix);
        t.extend(translation);
        r.extend(rotation);
        s.extend(scale);
    }
    let part = |track, values| Part { track, values };
    vec![part(Track::Translation, t), part(Track::Rotation, r), part(Track::Scale, s)]
}

/// Steps from frame to frame become what they add up to.
fn add_up(part: &mut Part) {
    match part.track {
        Track::Translation => {
            let mut sum = DVec3::ZERO;
            for row in part.values.chunks_exact_mut(3) {
                sum += DVec3::new(row[0].into(), row[1].into(), row[2].into());
                row.copy_from_slice(&sum.to_array().map(|v| v as f32));
            }
        }
        Track::Scale => {
            let mut product = DVec3::ONE;
            for row in part.values.chunks_exact_mut(3) {
                product *= DVec3::new(row[0].into(), row[1].into(), row[2].into());
                row.copy_from_slice(&product.to_array().map(|v| v as f32));
            }
        }
        Track::Rotation => {
            let mut turn = DQuat::IDENTITY;
            for row in part.values.chunks_exact_mut(4) {
                turn *= DQuat::from_xyzw(row[0].into(), row[1].into(), row[2].into(), row[3].into());
                row.copy_from_slice(&turn.to_array().map(|v| v as f32));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::finer;

    #[test]
    fn finer_frames_hold_the_old_ones() {
        // 24 frames per second become 120: four between each two.
        assert_eq!(finer(3, 24.), (11, 120.));
        assert_eq!(finer(2, 240.), (2, 240.));
        assert_eq!((finer(1, 30.).0, finer(0, 30.).0, finer(5, 0.).0), (1, 0, 5));
    }
}
