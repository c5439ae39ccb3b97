//! What moves a shape: bones become joints below every node that shows the mesh, frames become keys.

use findings::{Error, Place, Result};
use scene::loss::*;
use scene::{
    Animation, Attribute, Channel, Component, Encoding, Id, Interpolation, MorphRange, MorphTarget, Node, Scene,
    Semantic, Skin, Stream, Track, Transform, Value,
};
use wire::{Blob, Count, F32, FromMemory, Layout, Sink, Writer};

use super::super::layout::{Body, Morph, MorphFrame, ORDER, Skeletal, SkeletalAnimation};
use super::super::rules::broken_bones;
use super::lift::{Lift, Lifted};
use super::name;
use super::shapes::frame_name;

/// Translation, rotation and scale.
pub(super) type Trs = ([f32; 3], [f32; 4], [f32; 3]);

/// Sets of four joints that a vertex may have in a scene.
const MOST_SETS: usize = 255;

pub(super) fn lift(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>) -> Result<()> {
    let Some(body) = &mesh.body else { return Ok(()) };
    if let Some(skeletal) = &body.skeletal {
        if is_sound(skeletal, body.vertices.len()) {
            skeleton(lift, mesh, body, skeletal)?;
        } else {
            let block = bytes_of(skeletal, body.vertices.len());
            lift.scene.meshes[mesh.id].extras.set("dgl3.skeletal", Value::Bytes(block));
            let label = lift.scene.meshes[mesh.id].subject(mesh.id);
            lift.cx.lose(&LOSS_043, &label, 1, "skeleton", "its bones do not hang together or move no vertex");
        }
    }
    if let Some(morph) = &body.morph {
        morph_targets(lift, mesh, body, morph)?;
    }
    Ok(())
}

/// Whether a skeleton means something: bones that hang together and move vertices.
fn is_sound(skeletal: &Skeletal, vertices: usize) -> bool {
    let sets = skeletal.weights.per_vertex().div_ceil(4);
    vertices > 0 && !skeletal.bones.is_empty() && (1..=MOST_SETS).contains(&sets) && broken_bones(skeletal).is_empty()
}

pub(super) fn bytes_of(skeletal: &Skeletal, vertices: usize) -> Vec<u8> {
    let mut sink = Sink::default();
    if let Ok(count) = <Count<i32> as FromMemory<usize>>::from_memory(vertices) {
        // It was read from such bytes, so it can be written as such.
        _ = skeletal.write(&mut Writer::new(&mut sink, ORDER), count);
    }
    sink.into_vec()
}

/// As many bytes are never too much to make of a file.
const ROOM: u64 = 64 << 20;

impl Lift<'_, '_> {
    /// Takes room for so many numbers made of so many bytes, or says that it is too much.
    fn take(&mut self, numbers: u64, stored: u64) -> Result<()> {
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

fn skeleton(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>, body: &Body, skeletal: &Skeletal) -> Result<()> {
    add_weights(lift, mesh.id, body, skeletal);
    let joints = (skeletal.bones.len() as u64).saturating_mul(mesh.nodes.len() as u64);
    lift.cx.charge_objects(joints, || Place::path("meshes"))?;
    let mut skins = Vec::new();
    for &node in &mesh.nodes {
        let joints = add_joints(&mut lift.scene, node, skeletal);
        let mut skin = Skin { inverse_bind: inverse_binds(skeletal), joints: joints.clone(), ..Skin::default() };
        skin.extras.set("dgl3.fps", i64::from(skeletal.frames_per_second));
        let skin = lift.scene.skins.add(skin);
        lift.scene.nodes[node].skin = Some(skin);
        skins.push(joints);
    }
    for animation in &skeletal.animations {
        let lifted = skeletal_animation(lift, mesh, skeletal, animation, &skins)?;
        lift.scene.animations.add(lifted);
    }
    Ok(())
}

fn add_joints(scene: &mut Scene, node: Id<Node>, skeletal: &Skeletal) -> Vec<Id<Node>> {
    let place = |position: [F32; 3]| Transform::Trs {
        translation: position.map(F32::get),
        rotation: [0., 0., 0., 1.],
        scale: [1.; 3],
    };
    let joints: Vec<Id<Node>> = skeletal
        .bones
        .iter()
        .map(|bone| scene.nodes.add(Node { transform: place(bone.local_position), ..Node::default() }))
        .collect();
    for (bone, &joint) in skeletal.bones.iter().zip(&joints) {
        let parent = usize::try_from(bone.parent_bone_index).ok().and_then(|parent| joints.get(parent));
        scene.nodes[*parent.unwrap_or(&node)].children.push(joint);
    }
    joints
}

/// Where bones rest relative to the mesh: the sum of the places along their chain.
pub(super) fn rest_places(parents: &[i32], places: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let mut sums: Vec<Option<[f64; 3]>> = vec![None; places.len()];
    for start in 0..places.len() {
        let (mut way, mut at) = (Vec::new(), Some(start));
        while let Some(bone) = at.filter(|&bone| bone < places.len() && sums[bone].is_none()) {
            // A chain is never longer than there are bones; the bones were found to hang together.
            if way.len() > places.len() {
                break;
            }
            way.push(bone);
            at = usize::try_from(parents[bone]).ok();
        }
        let mut sum = at.and_then(|bone| sums.get(bone).copied().flatten()).unwrap_or_default();
        for bone in way.into_iter().rev() {
            for axis in 0..3 {
                sum[axis] += f64::from(places[bone][axis]);
            }
            sums[bone] = Some(sum);
        }
    }
    sums.into_iter().map(Option::unwrap_or_default).collect()
}

fn inverse_binds(skeletal: &Skeletal) -> Vec<[f32; 16]> {
    let parents: Vec<i32> = skeletal.bones.iter().map(|bone| bone.parent_bone_index).collect();
    let places: Vec<[f32; 3]> = skeletal.bones.iter().map(|bone| bone.local_position.map(F32::get)).collect();
    rest_places(&parents, &places).into_iter().map(inverse_bind).collect()
}

pub(super) fn inverse_bind([x, y, z]: [f64; 3]) -> [f32; 16] {
    let [x, y, z] = [-x, -y, -z].map(|v| v as f32);
    [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.]
}

/// Gives the mesh its joints and weights: the file's own bytes where they come in fours.
fn add_weights(lift: &mut Lift<'_, '_>, mesh: Id<scene::Mesh>, body: &Body, skeletal: &Skeletal) {
    let (weights, bones) = (&skeletal.weights, skeletal.bones.len());
    let (count, per_vertex) = (body.vertices.len(), weights.per_vertex());
    let sets = per_vertex.div_ceil(4);
    let exists = |bone: i32| usize::try_from(bone).is_ok_and(|bone| bone < bones);
    let mut missing = 0;
    weights.each(|_, indices, _| missing += indices.iter().filter(|&&bone| !exists(bone)).count());
    let mut streams = Vec::new();
    if missing == 0 && per_vertex % 4 == 0 {
        for set in 0..sets {
            let stream = |offset: usize, component| {
                let encoding = Encoding { stride: per_vertex * 8, ..Encoding::packed(component, 4) };
                Stream::new(weights.bytes().slice(offset..), count, encoding)
            };
            streams.push((stream(set * 16, Component::I32), stream(per_vertex * 4 + set * 16, Component::F32)));
        }
    } else {
        let mut made = vec![(vec![0_u8; count * 16], vec![0_f32; count * 4]); sets];
        weights.each(|vertex, indices, weights| {
            for (k, (&bone, &weight)) in indices.iter().zip(weights).enumerate() {
                let (joints, shares) = &mut made[k / 4];
                let slot = vertex * 4 + k % 4;
                if exists(bone) {
                    joints[slot * 4..slot * 4 + 4].copy_from_slice(&bone.to_le_bytes());
                    shares[slot] = weight;
                }
            }
        });
        for (joints, shares) in made {
            let joints = Stream::new(Blob::memory(joints), count, Encoding::packed(Component::I32, 4));
            streams.push((joints, Stream::from_f32(4, shares)));
        }
    }
    if missing > 0 {
        let label = lift.scene.meshes[mesh].subject(mesh);
        lift.cx.lose(&LOSS_043, &label, missing as u64, "weights", "their bones do not exist");
    }
    let Some(primitive) = lift.scene.meshes[mesh].primitives.first_mut() else { return };
    for (set, (joints, shares)) in (0_u8..).zip(streams) {
        primitive.set(Semantic::Joints(set), joints);
        primitive.set(Semantic::Weights(set), shares);
    }
    if per_vertex % 4 != 0 {
        primitive.extras.set("dgl3.weights", per_vertex as i64);
    }
}

/// When a frame is shown; without a rate, one per second.
pub(super) fn time(frame: usize, rate: i32) -> f32 {
    frame as f32 / rate.max(1) as f32
}

fn skeletal_animation(
    lift: &mut Lift<'_, '_>,
    mesh: &Lifted<'_>,
    skeletal: &Skeletal,
    animation: &SkeletalAnimation,
    skins: &[Vec<Id<Node>>],
) -> Result<Animation> {
    let (frames, bones, rate) = (animation.frames.len(), skeletal.bones.len(), skeletal.frames_per_second);
    let mut out =
        Animation { name: name(&animation.animation_name), frame_rate: Some(rate as f32), ..Animation::default() };
    let listed = |frame: usize| animation.frames[frame].transformations.iter().map(|moved| moved.bone_index);
    let mut moves = vec![false; bones];
    let mut broken = 0;
    for bone in (0..frames).flat_map(listed) {
        match usize::try_from(bone).ok().and_then(|bone| moves.get_mut(bone)) {
            Some(moves) => *moves = true,
            None => broken += 1,
        }
    }
    let moving: Vec<usize> = (0..bones).filter(|&bone| moves[bone]).collect();
    let plain = (0..frames).all(|frame| listed(frame).map(|bone| bone as usize).eq(moving.iter().copied()));
    let numbers = (frames as u64).saturating_mul(moving.len() as u64).saturating_mul(10 * skins.len() as u64);
    let stored: u64 = (0..frames).map(|frame| 4 + 44 * listed(frame).len() as u64).sum();
    lift.take(numbers, stored)?;
    if !plain {
        lift.take((0..frames).map(|frame| 1 + listed(frame).len() as u64).sum(), 0)?;
        let list = |frame| Value::List(listed(frame).map(|bone| Value::Int(bone.into())).collect());
        out.extras.set("dgl3.listed", Value::List((0..frames).map(list).collect()));
    }
    if moving.is_empty() {
        out.extras.set("dgl3.mesh", mesh.id.index() as i64);
        out.extras.set("dgl3.frames", frames as i64);
    }
    // A bone that is listed twice is where the last one says.
    let twice = (0..frames).any(|frame| {
        let mut bones: Vec<i32> = listed(frame).collect();
        let before = bones.len();
        bones.sort_unstable();
        bones.dedup();
        bones.len() < before
    });
    if broken > 0 || twice {
        let label = out.subject(lift.scene.animations.len());
        lift.cx.lose(
            &LOSS_043,
            &label,
            broken.max(1),
            "transformations",
            "of bones that do not exist or are listed twice",
        );
    }
    let times: Vec<f32> = (0..frames).map(|frame| time(frame, rate)).collect();
    let rest = |bone: usize| {
        let place = skeletal.bones.get(bone).unwrap_or_default().local_position.map(F32::get);
        (place, [0., 0., 0., 1.], [1.; 3])
    };
    let mut keys: Vec<Vec<Trs>> = moving.iter().map(|&b| vec![rest(b); frames]).collect();
    let mut slots = vec![usize::MAX; bones];
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
    for joints in skins {
        for (&bone, keys) in moving.iter().zip(&keys) {
            let tracks: [(Track, Vec<f32>); 3] = [
                (Track::Translation, keys.iter().flat_map(|key| key.0).collect()),
                (Track::Rotation, keys.iter().flat_map(|key| key.1).collect()),
                (Track::Scale, keys.iter().flat_map(|key| key.2).collect()),
            ];
            out.channels.extend(tracks.into_iter().map(|(track, values)| Channel {
                node: Some(joints[bone]),
                track,
                times: times.clone(),
                values,
                interpolation: Interpolation::Linear,
                relative: false,
            }));
        }
    }
    Ok(out)
}

/// Frames of the shape: a morph target each, and animations that show one after the other.
fn morph_targets(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>, body: &Body, morph: &Morph) -> Result<()> {
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
    stored.extras.set("dgl3.morph_fps", i64::from(rate));
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
        let mut out = Animation {
            name: name(&animation.animation_name),
            frame_rate: Some(rate as f32),
            channels,
            ..Animation::default()
        };
        if count == 0 {
            out.extras.set("dgl3.mesh", mesh.id.index() as i64);
            out.extras.set("dgl3.morph_frames", 0_i64);
        }
        lift.scene.animations.add(out);
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
