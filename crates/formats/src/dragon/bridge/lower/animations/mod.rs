//! Animations: one for every skeleton that they move.

pub(super) mod frames;
pub(super) mod poses;

use std::borrow::Cow;
use std::collections::HashSet;

use findings::{Result, Subject};
use scene::loss::*;
use scene::{Animation, Channel, Ease, Easing, Id, Interpolation, Mesh, Node, Track};
use wire::{CText, F32, Text};

use self::frames::{Played, is_frame, on_frames, sampled};
use super::super::keys;
use super::super::tracks::MORPH;
use super::Lower;
use crate::dragon::layout::body::{self, AniTrack, Animate, Bezier};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::{AnimationType, Sampling, Smoothing};

/// Errors that differ by no more than this factor are about the same.
const ABOUT: f64 = 1.25;

/// The tracks of one skeleton, in order.
struct Part {
    skeleton: Guid,
    tracks: Vec<body::Track>,
}

impl Lower<'_, '_, '_> {
    pub(super) fn animations(&mut self) -> Result<()> {
        for (index, animation) in self.scene.animations.iter().enumerate() {
            self.animation(index, animation)?;
        }
        Ok(())
    }

    /// The animation without channels that move no node.
    fn playable<'a>(&mut self, animation: &'a Animation, label: &Subject) -> Cow<'a, Animation> {
        if animation.channels.iter().all(|channel| channel.node.is_some()) {
            return Cow::Borrowed(animation);
        }
        let mut left = animation.clone();
        for channel in left.channels.extract_if(.., |channel| channel.node.is_none()) {
            match &channel.track {
                Track::Other { word, .. } => {
                    self.cx.lose(&LOSS_054, label, 1, format!("track of {word}"), "DRAGON has no field for it");
                }
                _ => self.cx.lose(&LOSS_054, label, 1, "track", "what it moves is not shown"),
            }
        }
        Cow::Owned(left)
    }

    fn animation(&mut self, index: usize, animation: &Animation) -> Result<()> {
        let label = animation.subject(index);
        let has_none = animation.channels.is_empty();
        let animation = &*self.playable(animation, &label);
        let owners = self.owners(animation);
        let first = self.first_rate(animation);
        self.limit_frames(index, animation, first)?;
        let played = Played { index, animation };
        let (rate, error) = self.rate_of(played, &owners, first);
        let mut parts: Vec<Part> = Vec::new();
        for (owner, made) in owners.iter().zip(self.bones(played, &owners, rate)) {
            let skeleton = self.skins.of_nodes[owner].skeleton;
            let mut tracks: Vec<body::Track> = Vec::with_capacity(made.len());
            for one in made {
                tracks.push(body::Track { bone: one.bone as i32, track: self.track(&one.channel)? });
            }
            // What stands still while others move says nothing.
            if !tracks.is_empty() {
                parts.push(Part { skeleton, tracks });
            }
        }
        self.loose_tracks(animation, &label, rate, &mut parts)?;
        if has_none {
            parts.push(Part { skeleton: Guid::NONE, tracks: Vec::new() });
        }
        if parts.is_empty() {
            self.cx.lose(&LOSS_001, &label, 1, "animation", "DRAGON can move nothing of what it moves");
            return Ok(());
        }
        self.lose_between_frames(animation, error, rate, &label);
        if parts.len() > 1 {
            let why = "an animation of DRAGON moves one skeleton";
            self.cx.lose(&LOSS_073, &label, parts.len() as u64, "one animation of several skeletons", why);
        }
        let settings = self.sections.settings_aside(&animation.name, &animation.extras, &label, self.cx)?;
        for (part, Part { skeleton, tracks }) in parts.into_iter().enumerate() {
            let body = Animate { framerate: F32(rate), skeleton, tracks: tracks.into() };
            let wanted = keys::guid(&animation.extras, keys::GUID).filter(|_| part == 0);
            self.sections.add(wanted, settings, body)?;
        }
        Ok(())
    }

    fn lose_between_frames(&mut self, animation: &Animation, error: Option<f64>, rate: f32, label: &Subject) {
        let is_whole = |channel: &Channel| on_frames(channel, rate);
        // Keys that are frames already are as they were, but for rounding.
        let kept = |error: &f64| *error < findings::ROUNDING && animation.channels.iter().all(is_whole);
        let Some(error) = error.filter(|error| !kept(error)) else { return };
        // No rate that is allowed comes nearer.
        let beyond = if error > self.rate.tolerance { ", which is not enough for the tolerance" } else { "" };
        let what = format!("keys sampled at {rate} frames per second{beyond}");
        self.cx.losses.add_measured(&LOSS_040, error, label, 1, what, "DRAGON stores frames");
    }

    /// The fewest frames per second, from `first` on, that are as near to the source as is asked for, and how far they
    /// are off if keys are not frames already. Where no rate is near enough, as between two steps, it is the fewest that
    /// are about as near as any.
    fn rate_of(&self, played: Played<'_>, owners: &[Id<Node>], first: f32) -> (f32, Option<f64>) {
        let animation = played.animation;
        let direct = owners.iter().all(|owner| self.skins.of_nodes[owner].direct);
        let mut tried: Vec<(f32, f64)> = Vec::new();
        let mut next = Some(first);
        while let Some(rate) = next {
            if direct && animation.channels.iter().all(|channel| on_frames(channel, rate)) {
                return (rate, None);
            }
            let of_bones = self.error(played, owners, &self.bones(played, owners, rate), rate);
            let of_weights = animation.channels.iter().map(|channel| self.error_of_weights(channel, rate));
            let error = of_weights.fold(of_bones, f64::max);
            if error <= self.rate.tolerance {
                return (rate, Some(error));
            }
            tried.push((rate, error));
            next = self.faster(animation, rate);
        }
        let least = tried.iter().map(|(_, error)| *error).fold(f64::INFINITY, f64::min);
        let near = tried.into_iter().find(|(_, error)| *error <= least * ABOUT);
        near.map_or((first, None), |(rate, error)| (rate, Some(error)))
    }

    /// The first node of each skeleton that an animation moves, in the order of its channels.
    fn owners(&self, animation: &Animation) -> Vec<Id<Node>> {
        let (mut out, mut met) = (Vec::new(), HashSet::new());
        for channel in animation.channels.iter().filter(|channel| channel.track != Track::Weights) {
            let owners = channel.node.and_then(|node| self.skins.moved.get(&node));
            out.extend(owners.into_iter().flatten().copied().filter(|owner| met.insert(*owner)));
        }
        out
    }

    /// Tracks of weights.
    fn loose_tracks(&mut self, animation: &Animation, label: &Subject, rate: f32, parts: &mut Vec<Part>) -> Result<()> {
        let mut done: HashSet<(Guid, Id<Mesh>)> = HashSet::new();
        let bones_move: bool = !parts.is_empty();
        let weights = animation.channels.iter().filter(|channel| channel.track == Track::Weights);
        let skeletons: HashSet<Guid> =
            weights.filter_map(|channel| channel.node).map(|node| self.skeleton_of(node)).collect();
        for channel in &animation.channels {
            let Some(node) = channel.node else { continue };
            if channel.track != Track::Weights {
                if !self.skins.moved.contains_key(&node) {
                    let what = format!("animation of {}", self.scene.nodes[node].subject(node));
                    self.cx.lose(&LOSS_054, label, 1, &what, "only meshes move in DRAGON");
                }
                continue;
            }
            let shared = !bones_move && skeletons.len() > 1;
            let skeleton = if shared { Guid::NONE } else { self.skeleton_of(node) };
            let mesh = self.scene.nodes.get(node).and_then(|node| node.mesh);
            // Nodes that show one mesh move alike.
            if mesh.is_some_and(|mesh| !done.insert((skeleton, mesh))) {
                continue;
            }
            let tracks = self.weight_tracks(mesh, channel, rate, label)?;
            if tracks.is_empty() {
                continue;
            }
            let tracks = tracks.into_iter().map(|track| body::Track { bone: -1, track });
            match parts.iter_mut().find(|part| part.skeleton == skeleton) {
                Some(part) => part.tracks.extend(tracks),
                None => parts.push(Part { skeleton, tracks: tracks.collect() }),
            }
        }
        Ok(())
    }

    fn skeleton_of(&self, node: Id<Node>) -> Guid {
        self.skins.of_nodes.get(&node).map_or(Guid::NONE, |rig| rig.skeleton)
    }

    fn weight_tracks(
        &mut self,
        mesh: Option<Id<Mesh>>,
        channel: &Channel,
        rate: f32,
        label: &Subject,
    ) -> Result<Vec<Guid>> {
        let Some(mesh) = mesh.filter(|mesh| !self.scene.meshes[*mesh].primitives.is_empty()) else {
            self.cx.lose(&LOSS_054, label, 1, "weights of nothing", "the node shows no mesh");
            return Ok(Vec::new());
        };
        let sampled = sampled(channel, rate);
        let width = sampled.width();
        let morphs = &self.scene.meshes[mesh].morphs;
        let columns: Vec<Vec<f32>> = (0..width.min(morphs.len()))
            .map(|k| sampled.values.iter().skip(k).step_by(width.max(1)).copied().collect())
            .collect();
        let users: Vec<&Node> = self.scene.nodes.iter().filter(|node| node.mesh == Some(mesh)).collect();
        let says = |k: usize| {
            let mut rests = users.iter().map(|node| node.weights.get(k).copied().unwrap_or(morphs[k].default));
            rests.any(|rest| columns[k].iter().any(|v| v.to_bits() != rest.to_bits()))
        };
        let any = (0..columns.len()).any(says);
        let mut out = Vec::with_capacity(columns.len());
        for (k, column) in columns.iter().enumerate().filter(|(k, _)| says(*k) || (!any && *k == 0)) {
            let name = self.meshes.morph_names[mesh.index()].get(k).map(ToString::to_string).unwrap_or_default();
            let one = Channel {
                node: None,
                track: Track::Other { word: format!("{MORPH}{name}"), width: 1 },
                values: column.clone(),
                ..sampled.clone()
            };
            out.push(self.track(&one)?);
        }
        Ok(out)
    }

    /// How far weights are off between frames, as far as that moves vertices.
    fn error_of_weights(&self, channel: &Channel, rate: f32) -> f64 {
        let mesh = channel.node.and_then(|node| self.scene.nodes.get(node)?.mesh);
        let (Some(mesh), Track::Weights, false) = (mesh, &channel.track, on_frames(channel, rate)) else { return 0. };
        let (reach, size) = reach(&self.scene.meshes[mesh]);
        let made = sampled(channel, rate);
        let mut worst = 0_f64;
        let middles = made.times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.);
        let keys = channel.times.iter().copied().filter(|key| !is_frame(*key, rate));
        for at in middles.chain(keys) {
            let (Some(meant), Some(shown)) = (channel.at(at), made.at(at)) else { continue };
            let off = meant.iter().zip(&shown).zip(&reach).map(|((a, b), reach)| f64::from((a - b).abs()) * reach);
            worst = worst.max(off.sum());
        }
        if size > 0. { worst / size } else { 0. }
    }

    fn track(&mut self, channel: &Channel) -> Result<Guid> {
        self.sections.add(None, Guid::NONE, track_of(channel))
    }
}

/// The track that a channel of frames is.
fn track_of(channel: &Channel) -> AniTrack {
    let (word, width) = match &channel.track {
        Track::Translation => ("POSITION".to_owned(), 3),
        Track::Rotation => ("ROTATION".to_owned(), 4),
        Track::Scale => ("SCALE".to_owned(), 3),
        Track::Weights => (MORPH.to_owned(), 1),
        Track::Other { word, width } => (word.replace('\0', ""), *width),
    };
    let (sampling_type, smoothing_type, bezier) = sampling(channel.interpolation);
    AniTrack {
        target: CText(Text::from(word)),
        animation_type: if channel.relative { AnimationType::RELATIVE } else { AnimationType::ABSOLUTE },
        sampling_type,
        smoothing_type,
        bezier,
        width: u8::try_from(width).unwrap_or(u8::MAX),
        data: channel.values.iter().map(|v| F32(*v)).collect::<Vec<_>>().into(),
    }
}

/// How far each morph moves a vertex at most, and the size of the mesh.
fn reach(mesh: &Mesh) -> (Vec<f64>, f64) {
    let mut reach = vec![0_f64; mesh.morphs.len()];
    let mut bounds: Option<(glam::DVec3, glam::DVec3)> = None;
    let vectors = |stream: &scene::Stream| {
        let width = stream.count().max(1);
        let rows = stream.to_f64();
        rows.chunks_exact(width).filter(|row| row.len() >= 3).map(glam::DVec3::from_slice).collect::<Vec<_>>()
    };
    for primitive in &mesh.primitives {
        for place in primitive.get(&scene::Semantic::Position).map(vectors).unwrap_or_default() {
            let (low, high) = bounds.unwrap_or((place, place));
            bounds = Some((low.min(place), high.max(place)));
        }
        for (reach, target) in reach.iter_mut().zip(&primitive.targets) {
            let moves = target.attributes.iter().find(|a| a.semantic == scene::Semantic::Position);
            let longest =
                moves.map(|a| vectors(&a.stream)).unwrap_or_default().iter().map(|v| v.length()).fold(0., f64::max);
            *reach = reach.max(longest);
        }
    }
    (reach, bounds.map_or(0., |(low, high)| (high - low).length()))
}

fn sampling(interpolation: Interpolation) -> (Sampling, Smoothing, Option<Bezier>) {
    let (easing, ease) = match interpolation {
        Interpolation::Step => return (Sampling::CONSTANT, Smoothing::EASE_IN_OUT, None),
        Interpolation::Linear | Interpolation::Cubic => return (Sampling::LINEAR, Smoothing::EASE_IN_OUT, None),
        Interpolation::Bezier { first, second } => {
            let bezier = Bezier { d1: first.map(F32), d2: second.map(F32) };
            return (Sampling::BEZIER, Smoothing::EASE_IN_OUT, Some(bezier));
        }
        Interpolation::Eased(easing, ease) => (easing, ease),
    };
    let sampling = match easing {
        Easing::Sine => Sampling::SIN,
        Easing::Quadratic => Sampling::QUAD,
        Easing::Cubic => Sampling::CUBIC,
        Easing::Quartic => Sampling::QUAT,
        Easing::Quintic => Sampling::QUINT,
    };
    let smoothing = match ease {
        Ease::In => Smoothing::EASE_IN,
        Ease::Out => Smoothing::EASE_OUT,
        Ease::InOut => Smoothing::EASE_IN_OUT,
    };
    (sampling, smoothing, None)
}
