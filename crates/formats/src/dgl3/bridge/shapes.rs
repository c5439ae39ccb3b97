//! Frames of the shape itself, sampled from the weights of morph targets.

use std::collections::HashSet;

use findings::{Level, Place, Result, Subject};
use scene::loss::*;
use scene::sample::{morphed, morphed_by};
use scene::{Animation, Channel, Id, Name, Node, Primitive, Semantic, Track};
use wire::{Bulk, F32};

use super::super::layout::{Morph, MorphAnimation, MorphFrame, MorphFrames};
use super::as_i32;
use super::frames::{Rigs, animation_name};
use super::poses::{frame_count, moments, on_frames};
use super::rig::time;
use crate::LowerCx;

impl<'a> Rigs<'a> {
    pub(super) fn morph(
        &mut self,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        cx: &mut LowerCx<'_>,
    ) -> Result<Option<Morph>> {
        let stored = as_i32(self.scene.meshes[mesh].extras.get("dgl3.morph_fps"));
        if primitive.targets.is_empty() && stored.is_none() {
            return Ok(None);
        }
        let label = self.scene.meshes[mesh].subject(mesh);
        let weights_of = |animation: &'a Animation| {
            let mine = |c: &Channel| c.track == Track::Weights && c.node == Some(node) && !c.times.is_empty();
            animation.channels.iter().position(mine)
        };
        let own = i32::try_from(mesh.index()).ok();
        let mine = |animation: &Animation| {
            as_i32(animation.extras.get("dgl3.mesh")) == own && animation.extras.get("dgl3.morph_frames").is_some()
        };
        let moved: Vec<usize> = self
            .scene
            .animations
            .iter()
            .enumerate()
            .filter(|(_, animation)| weights_of(animation).is_some() || mine(animation))
            .map(|(i, _)| i)
            .collect();
        let first = self.told.insert(mesh);
        if self.rest.weights(node).iter().any(|weight| *weight != 0.) && self.at_rest.insert(mesh) {
            let users = self.scene.nodes.entries().filter(|(_, user)| user.mesh == Some(mesh));
            let off = users.map(|(id, _)| self.rest.morphed_by(self.scene, id)).fold(0., f64::max) / self.diagonal();
            let (what, why) = ("weights of morph targets at rest", "DGL3 shows the base shape");
            cx.losses.add_measured(&LOSS_044, off, &label, 1, what, why);
        }
        let rate = self.rate(stored, &moved);
        let mut out = Morph { frames_per_second: rate, animations: Vec::new() };
        // How many frames show the targets one after the other, as they are.
        let (mut plain, mut all) = (0, 0);
        let is_plain = |frame: &[f32], k: usize| frame.iter().enumerate().all(|(i, w)| *w == f32::from(i == k));
        if moved.is_empty() && !primitive.targets.is_empty() {
            // Shapes that nothing shows are frames that nothing plays, rather than gone.
            (plain, all) = (primitive.targets.len(), primitive.targets.len());
            let frames = (0..all).map(|target| vec![(target, 1.)]);
            out.animations.push(morph_frames("morph targets".into(), primitive, frames, cx)?);
        }
        for index in moved {
            let animation = &self.scene.animations[Id::new(index)];
            let position = weights_of(animation);
            let channel = position.map(|k| &animation.channels[k]);
            self.arrivals.animation(index);
            if let Some(position) = position {
                self.arrivals.channel(index, position);
            }
            let count = channel.map_or(0, |channel| frame_count(&[channel], rate));
            let weights = 24 + 4 * primitive.targets.len() as u64;
            let (size, of) = ((count as u64).saturating_mul(weights), format!("{} weights", primitive.targets.len()));
            cx.charge_frames(size, (index, &animation.name), count, &of)?;
            let frames = (0..count).filter_map(|frame| channel?.at(time(frame, rate)));
            let frames: Vec<Vec<f32>> = frames.collect();
            plain += frames.iter().enumerate().filter(|(i, frame)| is_plain(frame, all + i)).count();
            all += frames.len();
            let weights = frames.iter().map(|frame| frame.iter().copied().enumerate().collect());
            out.animations.push(morph_frames(animation_name(self.scene, index), primitive, weights, cx)?);
            if let Some(channel) = channel.filter(|channel| !on_frames(channel, rate)) {
                let off = morph_error(channel, &frames, rate, &self.reach(node, primitive));
                let label = animation.subject(index);
                let what = format!("weights sampled at {rate} frames per second");
                cx.losses.add_measured(&LOSS_040, off, &label, 1, what, "DGL3 stores frames");
            }
        }
        if first && (plain, all) != (primitive.targets.len(), primitive.targets.len()) {
            let (count, why) = (primitive.targets.len() as u64, "DGL3 stores the shapes that targets make");
            cx.losses.add_at(Level::Changed, &LOSS_003, &label, count, "morph targets mixed into frames", why);
        }
        if first {
            lose_names(&self.scene.meshes[mesh], &out, &label, cx);
        }
        Ok(Some(out))
    }
}

impl Rigs<'_> {
    /// How far each morph target moves a vertex at a node at most, as a share of the model's size.
    fn reach(&self, node: Id<Node>, primitive: &Primitive) -> Vec<f64> {
        let points = morphed(primitive, &[], &Semantic::Position);
        let world = [self.rest.world(node).unwrap_or_default()];
        let skinned = self.rest.skinning(self.scene, node, primitive, points.len());
        let matrices = skinned.as_deref().unwrap_or(&world);
        let one = |k: usize| {
            let moved = morphed_by(primitive, [(k, 1.)], &Semantic::Position);
            let gaps = points.iter().zip(moved).zip(matrices.iter().cycle());
            gaps.map(|((a, b), m)| m.transform_vector3(b - *a).length()).fold(0., f64::max) / self.diagonal()
        };
        (0..primitive.targets.len()).map(one).collect()
    }
}

/// What a reader calls the shape of a frame.
pub(super) fn frame_name(animation: &MorphAnimation, frame: usize) -> Name {
    format!("{} {frame}", animation.animation_name).into()
}

fn lose_names(mesh: &scene::Mesh, stored: &Morph, label: &Subject, cx: &mut LowerCx<'_>) {
    let known: HashSet<Name> = (stored.animations.iter())
        .flat_map(|animation| (0..animation.frames.0.len()).map(move |frame| frame_name(animation, frame)))
        .collect();
    let count = mesh.morphs.iter().filter(|o| !o.name.is_empty() && !known.contains(&o.name)).count();
    if count > 0 {
        let why = "DGL3 names the frames of a shape after their animation";
        cx.lose(&LOSS_014, label, count as u64, "names of morph targets", why);
    }
}

/// Frames of a shape at these weights of some of its targets.
fn morph_frames(
    name: wire::Text,
    primitive: &Primitive,
    frames: impl ExactSizeIterator<Item = Vec<(usize, f32)>>,
    cx: &LowerCx<'_>,
) -> Result<MorphAnimation> {
    let need = (frames.len() as u64).saturating_mul(primitive.vertex_count() as u64);
    // A place and a normal for each vertex.
    cx.charge(need.saturating_mul(24), || Place::path("meshes"))?;
    let rows = |semantic: Semantic, weights: &[(usize, f32)]| -> Bulk<[F32; 3]> {
        let points = morphed_by(primitive, weights.iter().copied(), &semantic);
        let mut rows: Vec<[F32; 3]> = points.into_iter().map(|p| p.to_array().map(|v| F32(v as f32))).collect();
        rows.resize(primitive.vertex_count(), [F32(0.); 3]);
        rows.into()
    };
    let frame = |weights: Vec<(usize, f32)>| MorphFrame {
        vertices: rows(Semantic::Position, &weights),
        normals: rows(Semantic::Normal, &weights),
    };
    // A mesh without vertices has no frames.
    let frames = if primitive.vertex_count() == 0 { Vec::new() } else { frames.map(frame).collect() };
    Ok(MorphAnimation { animation_name: name, frames: MorphFrames(frames) })
}

/// How far weights between frames are from what the keys say.
fn morph_error(channel: &Channel, frames: &[Vec<f32>], rate: i32, reach: &[f64]) -> f64 {
    let mut most = 0_f64;
    for at in moments(frames.len().saturating_sub(1), &[channel], rate) {
        let (before, share) = (at as usize, at.fract() as f32);
        let weight = |frame: usize, k: usize| frames.get(frame).and_then(|frame| frame.get(k)).copied();
        let wanted = channel.at((at / f64::from(rate.max(1))) as f32).unwrap_or_default();
        let off = wanted.into_iter().zip(reach).enumerate().map(|(k, (wanted, reach))| {
            let a = weight(before, k).unwrap_or(0.);
            let b = weight(before + 1, k).unwrap_or(a);
            f64::from((a + (b - a) * share - wanted).abs()) * reach
        });
        most = most.max(off.sum());
    }
    most
}
