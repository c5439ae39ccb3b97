//! What moves a shape, on the way back: joints become bones, animations become frames.
//!
//! A skeleton that came from such a file is written as it was read. Any other is bound anew: bones of DGL3 rest without
//! rotation and scale, so the pose of a bone is Pose′ = E⁻¹ · joint · inverse bind · Bind′, with the entity's place E
//! and Bind′ the bone's place alone. A mesh that moves as a whole gets one bone.

use std::collections::{HashMap, HashSet};

use findings::{Error, Place, Result};
use glam::{DMat4, DVec3};
use scene::loss::*;
use scene::sample::{Pose, decompose, morphed, parts};
use scene::{Animation, Channel, Id, Interpolation, Node, Primitive, Scene, Semantic, Skin, Track, Transform, Value};
use wire::{Blob, Bulk, Count, F32, Flag32, FromMemory, Layout, Reader};

use super::super::layout::{
    Body, Bone, Morph, MorphAnimation, MorphFrame, MorphFrames, ORDER, Skeletal, SkeletalAnimation, SkeletalFrame,
    Transformation,
};
use super::super::weights::Weights;
use super::rig::{inverse_bind, rest_places, time};
use super::{as_i32, text};
use crate::BridgeCx;

/// Frames per second where nothing says how many.
const USUAL_RATE: i32 = 30;

/// Times and vertices at which the error of resampling is measured.
const MEASURED: usize = 128;

type Trs = ([f32; 3], [f32; 4], [f32; 3]);

/// Everything about the movements of a scene that the meshes share.
pub(super) struct Rigs<'a> {
    scene: &'a Scene,
    rest: &'a Pose,
    parents: Vec<Option<Id<Node>>>,
    /// Frames per second that the user asks for.
    asked: Option<i32>,
    /// The nodes that each animation moves.
    movers: Vec<HashSet<Id<Node>>>,
}

/// A skeleton, ready for its frames.
struct Rig<'a> {
    joints: Vec<Id<Node>>,
    /// Positions in the list, -1 for none.
    parents: Vec<i32>,
    places: Vec<[f32; 3]>,
    /// Whether the joints' own transforms are the bones'.
    direct: bool,
    /// E⁻¹, and per joint inverse bind · Bind′.
    to_entity: DMat4,
    rebind: Vec<DMat4>,
    skin: Option<&'a Skin>,
    /// Parents before children.
    order: Vec<usize>,
}

impl<'a> Rigs<'a> {
    pub(super) fn new(scene: &'a Scene, rest: &'a Pose, cx: &BridgeCx<'_>) -> Result<Rigs<'a>> {
        let asked = match cx.options.get("fps") {
            None => None,
            Some(given) => match given.parse::<i32>() {
                Ok(rate @ 1..=1000) => Some(rate),
                _ => {
                    return Err(
                        Error::usage(format!("--fps is {given}")).with_help("it is a whole number from 1 to 1000")
                    );
                }
            },
        };
        let mut parents = vec![None; scene.nodes.len()];
        for (id, node) in scene.nodes.entries() {
            for child in &node.children {
                if let Some(parent) = parents.get_mut(child.index()) {
                    *parent = Some(id);
                }
            }
        }
        let moves = |channel: &&Channel| matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale);
        let movers = scene
            .animations
            .iter()
            .map(|animation| animation.channels.iter().filter(moves).filter_map(|channel| channel.node).collect());
        Ok(Rigs { scene, rest, parents, asked, movers: movers.collect() })
    }

    /// A body with what moves it at a node.
    pub(super) fn add(
        &mut self,
        mut body: Body,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        flags: &[Flag32],
        cx: &mut BridgeCx<'_>,
    ) -> Result<Body> {
        body.skeletal = self.skeletal(node, mesh, primitive, cx)?;
        body.morph = self.morph(node, mesh, primitive, cx)?;
        let flag = |i: usize, set: bool| match flags.get(i).filter(|flag| flag.is_set() == set) {
            Some(flag) => *flag,
            None => set.into(),
        };
        body.has_skeletal_animation = flag(2, body.skeletal.is_some());
        body.has_morph_target_animation = flag(3, body.morph.is_some());
        Ok(body)
    }

    /// A node and everything above it.
    fn chain(&self, node: Id<Node>) -> impl Iterator<Item = Id<Node>> + '_ {
        let mut at = Some(node);
        // No chain is longer than there are nodes, unless it is a circle.
        (0..=self.parents.len()).map_while(move |_| {
            let here = at?;
            at = self.parents.get(here.index()).copied().flatten();
            Some(here)
        })
    }

    fn skeletal(
        &mut self,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        cx: &mut BridgeCx<'_>,
    ) -> Result<Option<Skeletal>> {
        let count = primitive.vertex_count();
        if let Some(Value::Bytes(block)) = self.scene.meshes[mesh].extras.get("dgl3.skeletal")
            && let Some(kept) = read_block(block, count)
        {
            return Ok(Some(kept));
        }
        let label = Scene::label("node", node.index(), &self.scene.nodes[node].name);
        let skin = self.scene.nodes[node].skin.and_then(|skin| self.scene.skins.get(skin));
        let skin = skin.filter(|skin| !skin.joints.is_empty() && primitive.get(&Semantic::Joints(0)).is_some());
        let Some(rig) = self.rig(node, skin) else {
            if skin.is_some() {
                cx.lose(&LOSS_002, &label, 1, "skin", "the place of its node cannot be inverted");
            }
            return Ok(None);
        };
        let moved: Vec<usize> = (0..self.scene.animations.len()).filter(|&i| self.concerns(i, &rig, mesh)).collect();
        if skin.is_none() && moved.is_empty() {
            return Ok(None);
        }
        let stored = skin.and_then(|skin| as_i32(skin.extras.get("dgl3.fps")));
        let rate = self.rate(stored, &moved);
        if !rig.direct && self.rest_differs(&rig) {
            cx.lose(&LOSS_044, &label, 1, "rest pose", "DGL3 shows the bind pose where nothing moves");
        }
        let weights = match skin {
            Some(_) => lower_weights(primitive, rig.joints.len(), &label, cx),
            None => rigid_weights(count),
        };
        let mut animations = Vec::with_capacity(moved.len());
        for i in moved {
            animations.push(self.skeletal_animation(i, &rig, node, primitive, rate, cx)?);
        }
        let bone =
            |(&parent, place): (&i32, &[f32; 3])| Bone { parent_bone_index: parent, local_position: place.map(F32) };
        Ok(Some(Skeletal {
            bones: rig.parents.iter().zip(&rig.places).map(bone).collect::<Vec<Bone>>().into(),
            weights,
            frames_per_second: rate,
            animations,
        }))
    }

    /// Frames per second: what the user asks for, what the file had, what the animations have, or the usual.
    fn rate(&self, stored: Option<i32>, animations: &[usize]) -> i32 {
        let animations = animations.iter().map(|&i| self.scene.animations.iter().nth(i));
        let whole =
            animations.flatten().filter_map(|a| a.frame_rate).find(|r| *r >= 1. && *r <= 1000. && r.fract() == 0.);
        self.asked.or(stored).or(whole.map(|rate| rate as i32)).unwrap_or(USUAL_RATE)
    }

    /// Whether an animation moves a skeleton, or says that it belongs to its mesh.
    fn concerns(&self, animation: usize, rig: &Rig<'_>, mesh: Id<scene::Mesh>) -> bool {
        let moved = &self.movers[animation];
        if !moved.is_empty() && rig.joints.iter().any(|&joint| self.chain(joint).any(|node| moved.contains(&node))) {
            return true;
        }
        let extras = self.scene.animations.iter().nth(animation).map(|animation| &animation.extras);
        extras.is_some_and(|extras| {
            as_i32(extras.get("dgl3.mesh")) == i32::try_from(mesh.index()).ok() && extras.get("dgl3.frames").is_some()
        })
    }

    fn rig(&self, node: Id<Node>, skin: Option<&'a Skin>) -> Option<Rig<'a>> {
        let joints = skin.map_or_else(|| vec![node], |skin| skin.joints.clone());
        let position: HashMap<Id<Node>, usize> = joints.iter().enumerate().map(|(i, &joint)| (joint, i)).collect();
        let parent = |joint: Id<Node>| self.chain(joint).skip(1).find_map(|above| position.get(&above).copied());
        let parents: Vec<i32> = match skin {
            Some(_) => joints.iter().map(|&joint| parent(joint).map_or(-1, |i| i as i32)).collect(),
            None => vec![-1],
        };
        let order = parents_first(&parents);
        if let Some(skin) = skin.filter(|skin| self.is_direct(node, skin, &position)) {
            let places = joints.iter().map(|&joint| parts(&self.scene.nodes[joint].transform).0).collect();
            let rebind = vec![DMat4::IDENTITY; joints.len()];
            let (direct, to_entity) = (true, DMat4::IDENTITY);
            return Some(Rig { joints, parents, places, direct, to_entity, rebind, skin: Some(skin), order });
        }
        let (t, r, s) = decompose(&self.rest.world(node)?);
        let entity = Transform::Trs { translation: t, rotation: r, scale: s }.matrix();
        let to_entity = Some(entity.inverse()).filter(|inverse| inverse.is_finite())?;
        let bind = |i: usize| {
            skin.and_then(|skin| skin.inverse_bind.get(i))
                .map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)))
        };
        let rests: Vec<DVec3> = (0..joints.len())
            .map(|i| Some(bind(i).inverse().w_axis.truncate()).filter(|place| place.is_finite()).unwrap_or_default())
            .collect();
        let place = |i: usize| {
            let above = usize::try_from(parents[i]).map_or(DVec3::ZERO, |parent| rests[parent]);
            (rests[i] - above).to_array().map(|v| v as f32)
        };
        let places: Vec<[f32; 3]> = (0..joints.len()).map(place).collect();
        let rebind = rest_places(&parents, &places);
        let rebind = rebind.into_iter().enumerate().map(|(i, p)| bind(i) * DMat4::from_translation(p.into())).collect();
        Some(Rig { joints, parents, places, direct: false, to_entity, rebind, skin, order })
    }

    /// Whether a skeleton is as this format has them: joints below the node that are bound where they rest, unturned.
    fn is_direct(&self, node: Id<Node>, skin: &Skin, position: &HashMap<Id<Node>, usize>) -> bool {
        if position.len() != skin.joints.len() {
            return false;
        }
        let moved = |id: Id<Node>| self.movers.iter().any(|movers| movers.contains(&id));
        if self.chain(node).any(moved) {
            return false;
        }
        let mut parents = Vec::with_capacity(skin.joints.len());
        let mut places = Vec::with_capacity(skin.joints.len());
        for joint in &skin.joints {
            let Some(above) = self.parents.get(joint.index()).copied().flatten() else { return false };
            match position.get(&above) {
                Some(&parent) => parents.push(parent as i32),
                None if above == node => parents.push(-1),
                None => return false,
            }
            match self.scene.nodes[*joint].transform {
                Transform::Trs { translation, rotation: [0., 0., 0., 1.], scale: [1., 1., 1.] } => {
                    places.push(translation)
                }
                _ => return false,
            }
        }
        let bound = rest_places(&parents, &places).into_iter().map(inverse_bind);
        bound.eq(skin.inverse_bind.iter().copied())
    }

    fn rest_differs(&self, rig: &Rig<'_>) -> bool {
        let rests = rest_places(&rig.parents, &rig.places);
        rig.joints.iter().enumerate().any(|(i, &joint)| {
            let pose = rig.to_entity * self.rest.world(joint).unwrap_or_default() * rig.rebind[i];
            let bind = DMat4::from_translation(rests[i].into());
            let size = pose.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
            (pose - bind).to_cols_array().iter().any(|v| v.abs() > 1e-5 * size)
        })
    }

    fn skeletal_animation(
        &self,
        index: usize,
        rig: &Rig<'_>,
        node: Id<Node>,
        primitive: &Primitive,
        rate: i32,
        cx: &mut BridgeCx<'_>,
    ) -> Result<SkeletalAnimation> {
        let animation = &self.scene.animations[Id::new(index)];
        let concerned = |channel: &&Channel| {
            let node = channel.node.filter(|_| channel.track != Track::Weights);
            node.is_some_and(|node| rig.joints.iter().any(|&joint| self.chain(joint).any(|above| above == node)))
        };
        let channels: Vec<&Channel> = animation.channels.iter().filter(concerned).collect();
        let stored = as_i32(animation.extras.get("dgl3.frames")).and_then(|n| usize::try_from(n).ok());
        let frames = if channels.is_empty() { stored.unwrap_or(0) } else { frame_count(&channels, rate) };
        let size = (frames as u64).saturating_mul(rig.joints.len() as u64).saturating_mul(44);
        if size > cx.limits.max_inflate || frames as u64 > cx.limits.max_objects {
            let message = format!("{frames} frames of animation {index}: more than the limits allow");
            return Err(Error::limit(Place::path("animations").nth(index), message));
        }
        let poses = Poses::of(self, animation, rig, frames, rate);
        let mut out = SkeletalAnimation { animation_name: text(&animation.name), frames: Vec::with_capacity(frames) };
        let listed = listed(animation, rig, &poses, frames);
        let moving: Vec<usize> = (0..rig.joints.len()).filter(|&bone| !rig.direct || poses.moves[bone]).collect();
        for (frame, pose) in poses.frames.iter().enumerate() {
            let bones = listed.as_ref().map_or(&moving, |listed| &listed[frame]);
            let transformation = |&bone: &usize| {
                let (t, r, s) = pose[bone];
                Transformation {
                    bone_index: bone as i32,
                    local_rotation: r.map(F32),
                    local_translation: t.map(F32),
                    local_scaling: s.map(F32),
                }
            };
            let transformations = bones.iter().map(transformation).collect::<Vec<_>>();
            out.frames.push(SkeletalFrame { transformations: transformations.into() });
        }
        if !(rig.direct && channels.iter().all(|channel| on_frames(channel, rate))) {
            let error = self.measure(animation, rig, &poses, node, primitive, rate);
            let label = Scene::label("animation", index, &animation.name);
            let what = format!("keys sampled at {rate} frames per second, {error:.1e} of the model's size off at most");
            cx.lose(&LOSS_040, &label, 1, &what, "DGL3 stores frames");
        }
        Ok(out)
    }

    /// How far vertices are from where they should be, at and between frames, as a share of the model's diagonal.
    fn measure(
        &self,
        animation: &Animation,
        rig: &Rig<'_>,
        poses: &Poses,
        node: Id<Node>,
        primitive: &Primitive,
        rate: i32,
    ) -> f64 {
        let Some(last) = poses.frames.len().checked_sub(1) else { return 0. };
        let count = primitive.vertex_count();
        let Some(few) = sampled(primitive, count) else { return 0. };
        let rests = rest_places(&rig.parents, &rig.places);
        let binds: Vec<DMat4> = rests.iter().map(|&p| DMat4::from_translation(-DVec3::from(p))).collect();
        let entity = if rig.direct { self.rest.world(node).unwrap_or_default() } else { rig.to_entity.inverse() };
        let mut joined = few.clone();
        if rig.skin.is_none() {
            joined = joined
                .with(Semantic::Joints(0), scene::Stream::from_u32(4, vec![0; few.vertex_count() * 4]))
                .with(Semantic::Weights(0), scene::Stream::from_f32(4, [1., 0., 0., 0.].repeat(few.vertex_count())));
        }
        let steps = (2 * last).max(1).min(MEASURED);
        let (mut most, mut low, mut high) = (0_f64, DVec3::INFINITY, DVec3::NEG_INFINITY);
        for step in 0..=steps {
            let at = last as f64 * step as f64 / steps as f64;
            let truth = Pose::at(self.scene, animation, (at / f64::from(rate.max(1))) as f32);
            let wanted = truth.positions(self.scene, node, &few);
            let locals = poses.between(at);
            let worlds = chain_up(&rig.parents, &rig.order, &locals);
            let joints: Vec<DMat4> = worlds.iter().zip(&binds).map(|(world, bind)| entity * *world * *bind).collect();
            for (found, wanted) in skinned(&joined, &joints).into_iter().zip(wanted) {
                (low, high) = (low.min(wanted), high.max(wanted));
                most = most.max((found - wanted).length());
            }
        }
        let diagonal = (high - low).length();
        if diagonal > 0. && diagonal.is_finite() { most / diagonal } else { 0. }
    }

    fn morph(
        &self,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        cx: &mut BridgeCx<'_>,
    ) -> Result<Option<Morph>> {
        let stored = as_i32(self.scene.meshes[mesh].extras.get("dgl3.morph_fps"));
        if primitive.targets.is_empty() && stored.is_none() {
            return Ok(None);
        }
        let label = Scene::label("mesh", mesh.index(), &self.scene.meshes[mesh].name);
        let weights_of = |animation: &'a Animation| {
            animation.channels.iter().find(|c| c.track == Track::Weights && c.node == Some(node) && !c.times.is_empty())
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
        if self.rest.weights(node).iter().any(|weight| *weight != 0.) {
            cx.lose(&LOSS_044, &label, 1, "weights of morph targets at rest", "DGL3 shows the base shape");
        }
        let rate = self.rate(stored, &moved);
        let mut out = Morph { frames_per_second: rate, animations: Vec::new() };
        let mut room = cx.limits.max_inflate / 24;
        if moved.is_empty() && !primitive.targets.is_empty() {
            // Shapes that nothing shows are frames that nothing plays, rather than gone.
            let frames = (0..primitive.targets.len()).map(|i| {
                let mut weights = vec![0.; primitive.targets.len()];
                weights[i] = 1.;
                weights
            });
            let frames: Vec<Vec<f32>> = frames.collect();
            out.animations.push(morph_frames("morph targets".into(), primitive, &frames, &mut room)?);
        }
        for index in moved {
            let animation = &self.scene.animations[Id::new(index)];
            let channel = weights_of(animation);
            let count = channel.map_or(0, |channel| frame_count(&[channel], rate));
            if count as u64 > cx.limits.max_objects {
                let message = format!("{count} frames: more than the limits allow");
                return Err(Error::limit(Place::path("animations").nth(index), message));
            }
            let frames = (0..count).filter_map(|frame| channel?.at(time(frame, rate)));
            let frames: Vec<Vec<f32>> = frames.collect();
            out.animations.push(morph_frames(text(&animation.name), primitive, &frames, &mut room)?);
            if let Some(channel) = channel.filter(|channel| !on_frames(channel, rate)) {
                let error = morph_error(channel, &frames, rate);
                let label = Scene::label("animation", index, &animation.name);
                let what = format!("weights sampled at {rate} frames per second, {error:.1e} off at most");
                cx.lose(&LOSS_040, &label, 1, &what, "DGL3 stores frames");
            }
        }
        Ok(Some(out))
    }
}

/// Frames of a shape at these weights.
fn morph_frames(
    name: wire::Text,
    primitive: &Primitive,
    frames: &[Vec<f32>],
    room: &mut u64,
) -> Result<MorphAnimation> {
    let need = (frames.len() as u64).saturating_mul(primitive.vertex_count() as u64);
    let Some(left) = room.checked_sub(need) else {
        return Err(Error::limit(Place::path("meshes"), "morph frames of more bytes than the limits allow"));
    };
    *room = left;
    let rows = |semantic: Semantic, weights: &[f32]| -> Bulk<[F32; 3]> {
        let points = morphed(primitive, weights, &semantic);
        let mut rows: Vec<[F32; 3]> = points.into_iter().map(|p| p.to_array().map(|v| F32(v as f32))).collect();
        rows.resize(primitive.vertex_count(), [F32(0.); 3]);
        rows.into()
    };
    let frame = |weights: &Vec<f32>| MorphFrame {
        vertices: rows(Semantic::Position, weights),
        normals: rows(Semantic::Normal, weights),
    };
    // A mesh without vertices has no frames.
    let frames = if primitive.vertex_count() == 0 { Vec::new() } else { frames.iter().map(frame).collect() };
    Ok(MorphAnimation { animation_name: name, frames: MorphFrames(frames) })
}

/// How far weights between frames are from what the keys say.
fn morph_error(channel: &Channel, frames: &[Vec<f32>], rate: i32) -> f32 {
    let mut most = 0_f32;
    let step = (frames.len() / MEASURED).max(1);
    for (i, pair) in frames.windows(2).enumerate().step_by(step) {
        let middle = (time(i, rate) + time(i + 1, rate)) / 2.;
        for (k, wanted) in channel.at(middle).unwrap_or_default().into_iter().enumerate() {
            let (a, b) = (pair[0].get(k).copied().unwrap_or(0.), pair[1].get(k).copied().unwrap_or(0.));
            most = most.max(((a + b) / 2. - wanted).abs());
        }
    }
    most
}

/// How many frames it takes until the last key.
fn frame_count(channels: &[&Channel], rate: i32) -> usize {
    let last = channels.iter().filter_map(|channel| channel.times.last()).fold(0_f32, |last, t| last.max(*t));
    let frames = f64::from(last) * f64::from(rate.max(1));
    // Times are rounded: a key at frame 100 may lie a trifle behind it.
    let slack = 1e-3 + frames * 1e-6;
    if frames.is_finite() { (frames - slack).ceil().max(0.) as usize + 1 } else { 1 }
}

/// Whether all keys lie on frames and what lies between them is what frames say.
fn on_frames(channel: &Channel, rate: i32) -> bool {
    let on_frame = |(i, &key): (usize, &f32)| time(i, rate).to_bits() == key.to_bits();
    channel.interpolation == Interpolation::Linear
        && !channel.relative
        && channel.times.iter().enumerate().all(on_frame)
}

/// Positions in an order in which parents come before children; what hangs in a circle comes last.
fn parents_first(parents: &[i32]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut order: Vec<usize> = Vec::with_capacity(parents.len());
    for (i, &parent) in parents.iter().enumerate() {
        match usize::try_from(parent).ok().and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(i),
            None => order.push(i),
        }
    }
    let mut next = 0;
    while next < order.len() {
        let bone = order[next];
        order.extend(std::mem::take(&mut children[bone]));
        next += 1;
    }
    order
}

/// Bones relative to the mesh, from bones relative to their parents.
fn chain_up(parents: &[i32], order: &[usize], locals: &[Trs]) -> Vec<DMat4> {
    let mut worlds = vec![DMat4::IDENTITY; locals.len()];
    for &bone in order {
        let (translation, rotation, scale) = locals[bone];
        let local = Transform::Trs { translation, rotation, scale }.matrix();
        let above = usize::try_from(parents[bone]).map_or(DMat4::IDENTITY, |parent| worlds[parent]);
        worlds[bone] = above * local;
    }
    worlds
}

/// The bones in every frame, relative to their parents.
struct Poses {
    frames: Vec<Vec<Trs>>,
    /// Which bones have keys of their own.
    moves: Vec<bool>,
}

impl Poses {
    fn of(rigs: &Rigs<'_>, animation: &Animation, rig: &Rig<'_>, frames: usize, rate: i32) -> Poses {
        let position: HashMap<Id<Node>, usize> = rig.joints.iter().enumerate().map(|(i, &joint)| (joint, i)).collect();
        let mut moves = vec![false; rig.joints.len()];
        for bone in animation.channels.iter().filter_map(|channel| position.get(&channel.node?)) {
            moves[*bone] = true;
        }
        let at = |frame: usize| {
            let time = time(frame, rate);
            if rig.direct { direct(rigs, animation, rig, &position, time) } else { rebound(rigs, animation, rig, time) }
        };
        Poses { frames: (0..frames).map(at).collect(), moves }
    }

    /// The bones between two frames, as a player shows them.
    fn between(&self, at: f64) -> Vec<Trs> {
        let (first, u) = (at.floor() as usize, at.fract());
        let (Some(a), b) = (self.frames.get(first), self.frames.get(first + 1)) else { return Vec::new() };
        let Some(b) = b.filter(|_| u > 0.) else { return a.clone() };
        let mix = |(a, b): (&Trs, &Trs)| {
            let line = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
            let quat = |v: [f32; 4]| glam::DQuat::from_array(v.map(f64::from)).normalize();
            let rotation = quat(a.1).slerp(quat(b.1), u).to_array().map(|v| v as f32);
            (std::array::from_fn(|i| line(a.0[i], b.0[i])), rotation, std::array::from_fn(|i| line(a.2[i], b.2[i])))
        };
        a.iter().zip(b).map(mix).collect()
    }
}

/// The joints' own transforms: what the file had, bit for bit.
fn direct(
    rigs: &Rigs<'_>,
    animation: &Animation,
    rig: &Rig<'_>,
    position: &HashMap<Id<Node>, usize>,
    time: f32,
) -> Vec<Trs> {
    let mut out: Vec<Trs> = rig.joints.iter().map(|&joint| parts(&rigs.scene.nodes[joint].transform)).collect();
    for channel in &animation.channels {
        let bone = channel.node.and_then(|node| position.get(&node));
        let (Some(&bone), Some(value)) = (bone, channel.at(time)) else { continue };
        match (&channel.track, &value[..]) {
            (Track::Translation, &[x, y, z]) => out[bone].0 = [x, y, z],
            (Track::Rotation, &[x, y, z, w]) => out[bone].1 = [x, y, z, w],
            (Track::Scale, &[x, y, z]) => out[bone].2 = [x, y, z],
            _ => {}
        }
    }
    out
}

/// Bones bound anew. Each is placed below what its parent became, so that errors do not add up along a chain.
fn rebound(rigs: &Rigs<'_>, animation: &Animation, rig: &Rig<'_>, time: f32) -> Vec<Trs> {
    let pose = Pose::at(rigs.scene, animation, time);
    let mut out: Vec<Trs> = vec![([0.; 3], [0., 0., 0., 1.], [1.; 3]); rig.joints.len()];
    let mut worlds = vec![DMat4::IDENTITY; rig.joints.len()];
    for &bone in &rig.order {
        let wanted = rig.to_entity * pose.world(rig.joints[bone]).unwrap_or_default() * rig.rebind[bone];
        let above = usize::try_from(rig.parents[bone]).map_or(DMat4::IDENTITY, |parent| worlds[parent]);
        let local = Some(above.inverse() * wanted).filter(|local| local.is_finite()).unwrap_or_default();
        let (translation, rotation, scale) = decompose(&local);
        out[bone] = (translation, rotation, scale);
        worlds[bone] = above * Transform::Trs { translation, rotation, scale }.matrix();
    }
    out
}

/// The bones that the file listed in each frame, if that still says the same.
fn listed(animation: &Animation, rig: &Rig<'_>, poses: &Poses, frames: usize) -> Option<Vec<Vec<usize>>> {
    let Some(Value::List(lists)) = animation.extras.get("dgl3.listed") else { return None };
    if lists.len() != frames || !rig.direct {
        return None;
    }
    let mut out = Vec::with_capacity(frames);
    for (list, pose) in lists.iter().zip(&poses.frames) {
        let Value::List(bones) = list else { return None };
        let bone = |v: &Value| v.as_int().and_then(|n| usize::try_from(n).ok()).filter(|&n| n < rig.joints.len());
        let bones: Vec<usize> = bones.iter().filter_map(bone).collect();
        let named: HashSet<usize> = bones.iter().copied().collect();
        let rests = |bone: usize| pose[bone] == (rig.places[bone], [0., 0., 0., 1.], [1.; 3]);
        if !(0..rig.joints.len()).all(|bone| named.contains(&bone) || rests(bone)) {
            return None;
        }
        out.push(bones);
    }
    Some(out)
}

fn read_block(block: &[u8], vertices: usize) -> Option<Skeletal> {
    let bytes = Blob::memory(block.to_vec());
    let mut r = Reader::new(&bytes, ORDER);
    let count = <Count<i32> as FromMemory<usize>>::from_memory(vertices).ok()?;
    let skeletal = Skeletal::read(&mut r, count).ok()?;
    (r.remaining() == 0).then_some(skeletal)
}

/// How far from 1 the weights of a vertex may add up before they are scaled.
const SUM_TOLERANCE: f32 = 5e-3;

fn lower_weights(primitive: &Primitive, joints: usize, label: &str, cx: &mut BridgeCx<'_>) -> Weights {
    let mut sets = Vec::new();
    for set in 0..=u8::MAX {
        let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
        let (Some(indices), Some(weights)) = streams else { break };
        sets.push((indices.count().max(1), indices.to_u32(), weights.count().max(1), weights.to_f32()));
    }
    let stored = as_i32(primitive.extras.get("dgl3.weights")).and_then(|n| usize::try_from(n).ok());
    let per_vertex = stored.filter(|n| n.div_ceil(4) == sets.len() && *n > 0).unwrap_or(sets.len() * 4);
    let count = primitive.vertex_count();
    let mut bytes = Vec::with_capacity(count * per_vertex * 8);
    let mut scaled = 0;
    for vertex in 0..count {
        let slot = |k: usize| {
            let (wide, indices, high, weights) = &sets[k / 4];
            let index = indices.get(vertex * wide + k % 4).copied().filter(|_| k % 4 < *wide);
            let weight = weights.get(vertex * high + k % 4).copied().filter(|_| k % 4 < *high);
            match index.filter(|&index| (index as usize) < joints) {
                Some(index) => (index as i32, weight.unwrap_or(0.)),
                None => (0, 0.),
            }
        };
        let mut row: Vec<(i32, f32)> = (0..per_vertex).map(slot).collect();
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        // Weights that were read are kept, right or wrong.
        if stored.is_none() && !((sum - 1.).abs() <= SUM_TOLERANCE) {
            scaled += 1;
            if sum > 0. && sum.is_finite() {
                row.iter_mut().for_each(|(_, weight)| *weight /= sum);
            } else if let Some(first) = row.first_mut() {
                *first = (0, 1.);
            }
        }
        bytes.extend(row.iter().flat_map(|(index, _)| index.to_le_bytes()));
        bytes.extend(row.iter().flat_map(|(_, weight)| weight.to_le_bytes()));
    }
    if scaled > 0 {
        cx.lose(&LOSS_018, label, scaled, "weights scaled", "the weights of a vertex add up to 1");
    }
    Weights::new(per_vertex, Blob::memory(bytes))
}

fn rigid_weights(count: usize) -> Weights {
    let row = [0_i32.to_le_bytes(), 1_f32.to_le_bytes()].concat();
    Weights::new(1, Blob::memory(row.repeat(count)))
}

/// Some vertices of a primitive: enough to see how far off a movement is.
fn sampled(primitive: &Primitive, count: usize) -> Option<Primitive> {
    if count == 0 || u32::try_from(count).is_err() {
        return None;
    }
    let step = (count / MEASURED).max(1);
    let few: Vec<u32> = (0..count as u32).step_by(step).collect();
    let mut out = Primitive::new(scene::Topology::Points);
    for attribute in &primitive.attributes {
        out = out.with(attribute.semantic.clone(), attribute.stream.gather(&few));
    }
    Some(out)
}

fn skinned(primitive: &Primitive, joints: &[DMat4]) -> Vec<DVec3> {
    let points = morphed(primitive, &[], &Semantic::Position);
    let mut out = vec![DVec3::ZERO; points.len()];
    for set in 0..=u8::MAX {
        let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
        let (Some(indices), Some(weights)) = streams else { break };
        let (width, indices, weights) = (indices.count().max(1), indices.to_u32(), weights.to_f64());
        for (i, (&index, &weight)) in indices.iter().zip(&weights).enumerate() {
            if let (Some(joint), Some(point)) = (joints.get(index as usize), points.get(i / width)) {
                out[i / width] += weight * joint.transform_point3(*point);
            }
        }
    }
    out
}
