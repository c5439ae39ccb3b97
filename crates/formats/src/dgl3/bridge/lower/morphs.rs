//! Morph targets → frames of the vertices, sampled from their weights.

use std::collections::HashSet;

use findings::{Level, Place, Result, Subject};
use scene::loss::*;
use scene::sample::{morphed, morphed_by};
use scene::{Animation, Channel, Id, Name, Node, Primitive, Semantic, Track};
use wire::{Bulk, F32};

use super::super::bones::{frame_name, time};
use super::animations::animation_name;
use super::poses::{frame_count, moments, on_frames};
use super::skins::Rigs;
use crate::LowerCx;
use crate::dgl3::layout::{Morph, MorphAnimation, MorphFrame, MorphFrames};

impl<'a> Rigs<'a> {
    pub(super) fn morph(
        &mut self,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        cx: &mut LowerCx<'_>,
    ) -> Result<Option<Morph>> {
        if primitive.targets.is_empty() {
            return Ok(None);
        }
        let label = self.scene.meshes[mesh].subject(mesh);
        let weights_of = |animation: &'a Animation| {
            let mine = |c: &Channel| c.track == Track::Weights && c.node == Some(node) && !c.times.is_empty();
            animation.channels.iter().position(mine)
        };
        let all = self.scene.animations.iter().enumerate();
        let moved: Vec<(usize, usize)> = all.filter_map(|(i, animation)| Some((i, weights_of(animation)?))).collect();
        let first = self.told.insert(mesh);
        self.lose_rest_weights(node, mesh, &label, cx);
        let rate = self.rate(moved.iter().map(|(i, _)| *i));
        let mut out = Morph { frames_per_second: rate, animations: Vec::new() };
        // How many frames show the targets one after the other, as they are.
        let (mut plain, mut all) = (0, 0);
        let is_plain = |frame: &[f32], k: usize| frame.iter().enumerate().all(|(i, w)| *w == f32::from(i == k));
        if moved.is_empty() {
            // Targets that are never shown stay as frames that are never played.
            (plain, all) = (primitive.targets.len(), primitive.targets.len());
            let frames = (0..all).map(|target| vec![(target, 1.)]);
            out.animations.push(morph_frames("morph targets".into(), primitive, frames, cx)?);
        }
        for (index, position) in moved {
            let channel = &self.scene.animations[Id::new(index)].channels[position];
            self.tracks.animation(index);
            self.tracks.channel(index, position);
            let frames = self.weights(index, channel, primitive, rate, cx)?;
            plain += frames.iter().enumerate().filter(|(i, frame)| is_plain(frame, all + i)).count();
            all += frames.len();
            let weights = frames.iter().map(|frame| frame.iter().copied().enumerate().collect());
            out.animations.push(morph_frames(animation_name(self.scene, index), primitive, weights, cx)?);
            if !on_frames(channel, rate) {
                let off = morph_error(channel, &frames, rate, &self.reach(node, primitive));
                let label = self.scene.animations[Id::new(index)].subject(index);
                let what = format!("weights sampled at {rate} frames per second");
                cx.losses.add_measured(&LOSS_040, off, &label, 1, what, "DGL3 stores frames");
            }
        }
        if first && (plain, all) != (primitive.targets.len(), primitive.targets.len()) {
            let (count, why) = (primitive.targets.len() as u64, "DGL3 stores the vertices that targets make");
            cx.losses.add_at(Level::Changed, &LOSS_003, &label, count, "morph targets mixed into frames", why);
        }
        if first {
            lose_names(&self.scene.meshes[mesh], &out, &label, cx);
        }
        Ok(Some(out))
    }
}

impl Rigs<'_> {
    /// The weights in every frame.
    fn weights(
        &self,
        index: usize,
        channel: &Channel,
        primitive: &Primitive,
        rate: i32,
        cx: &LowerCx<'_>,
    ) -> Result<Vec<Vec<f32>>> {
        let (count, targets) = (frame_count(&[channel], rate), primitive.targets.len());
        let size = (count as u64).saturating_mul(24 + 4 * targets as u64);
        let name = &self.scene.animations[Id::new(index)].name;
        cx.charge_frames(size, (index, name), count, &format!("{targets} weights"))?;
        Ok((0..count).filter_map(|frame| channel.at(time(frame, rate))).collect())
    }

    /// Lists the weights that a node has at rest, once for each mesh.
    fn lose_rest_weights(&mut self, node: Id<Node>, mesh: Id<scene::Mesh>, label: &Subject, cx: &mut LowerCx<'_>) {
        if self.rest.weights(node).iter().any(|weight| *weight != 0.) && self.at_rest.insert(mesh) {
            let users = self.scene.nodes.entries().filter(|(_, user)| user.mesh == Some(mesh));
            let off = users.map(|(id, _)| self.rest.morphed_by(self.scene, id)).fold(0., f64::max) / self.diagonal();
            let (what, why) = ("weights of morph targets at rest", "DGL3 shows the base mesh");
            cx.losses.add_measured(&LOSS_044, off, label, 1, what, why);
        }
    }

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

fn lose_names(mesh: &scene::Mesh, stored: &Morph, label: &Subject, cx: &mut LowerCx<'_>) {
    let known: HashSet<Name> = (stored.animations.iter())
        .flat_map(|animation| (0..animation.frames.0.len()).map(move |frame| frame_name(animation, frame)))
        .collect();
    let count = mesh.morphs.iter().filter(|o| !o.name.is_empty() && !known.contains(&o.name)).count();
    if count > 0 {
        let why = "DGL3 names morph frames after their animation";
        cx.lose(&LOSS_014, label, count as u64, "names of morph targets", why);
    }
}

/// Frames of the vertices at these weights of some of its targets.
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
