//! Where bones are while animations play, and how far what is written is from that. An animation costs as much as the
//! bones that it moves.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::{DMat4, DVec3};
use scene::sample::{self, Pose, Sampler};
use scene::{Animation, Forest, Id, Node, Scene, Semantic, Skin, Track};

use super::super::super::guid::Guid;
use super::Lower;
use super::frames::Written;
use super::rigs::{Rig, inverse_bind};

/// What is worked out once for all animations.
pub(super) struct Motion<'a> {
    pub(super) sampler: Sampler<'a>,
    pub(super) forest: Forest,
    bound: RefCell<HashMap<Guid, Rc<Bound>>>,
}

impl<'a> Motion<'a> {
    /// Of a scene and its pose at rest.
    pub(super) fn new(scene: &'a Scene, rest: &'a Pose) -> Motion<'a> {
        Motion { sampler: Sampler::new(scene, rest), forest: Forest::of(scene), bound: RefCell::default() }
    }

    /// Whether each bone of a skeleton is moved by an animation, be it through what is above its joint.
    pub(super) fn moved(&self, animation: &Animation, rig: &Rig) -> Vec<bool> {
        let moving = animation.channels.iter().filter(|channel| channel.track != Track::Weights);
        let moving: HashSet<Id<Node>> = moving.filter_map(|channel| channel.node).collect();
        let mut known: HashMap<Id<Node>, bool> = HashMap::new();
        let mut is_moved = |joint: Id<Node>| {
            let mut open = Vec::new();
            let mut found = false;
            for node in self.forest.chain(joint) {
                if let Some(known) = known.get(&node) {
                    found = *known;
                    break;
                }
                open.push(node);
                if moving.contains(&node) {
                    found = true;
                    break;
                }
            }
            open.into_iter().for_each(|node| _ = known.insert(node, found));
            found
        };
        rig.joints.iter().map(|joint| is_moved(*joint)).collect()
    }
}

/// A skeleton as it is bound.
struct Bound {
    /// The box around the vertices that each bone moves.
    boxes: Vec<Option<(DVec3, DVec3)>>,
    /// From the shape to each bone.
    unbind: Vec<DMat4>,
}

/// What it takes to say how far the frames of a skeleton are off.
pub(super) struct Measure<'r> {
    pub(super) rig: &'r Rig,
    /// By bone.
    written: HashMap<usize, Vec<&'r Written>>,
    skin: &'r Skin,
    bound: Rc<Bound>,
    diagonal: f64,
    /// Bones that the animation moves; the others are as far off all the time.
    pub(super) moved: Vec<usize>,
}

impl Lower<'_, '_, '_> {
    pub(super) fn measure<'r>(
        &'r self,
        animation: &Animation,
        rig: &'r Rig,
        made: &'r [Written],
    ) -> Option<Measure<'r>> {
        let bound = self.as_bound(rig);
        let (low, high) = joined(bound.boxes.iter().flatten().copied())?;
        let diagonal = rig.object.matrix().transform_vector3(high - low).length();
        let skin = &self.scene.skins[rig.skin];
        let mut written: HashMap<usize, Vec<&Written>> = HashMap::new();
        made.iter().for_each(|one| written.entry(one.bone).or_default().push(one));
        let moved = self.motion.moved(animation, rig).into_iter().enumerate().filter(|(_, moved)| *moved);
        let moved = moved.map(|(bone, _)| bone).collect();
        (diagonal > 0.).then_some(Measure { rig, written, skin, bound, diagonal, moved })
    }

    fn as_bound(&self, rig: &Rig) -> Rc<Bound> {
        if let Some(known) = self.motion.bound.borrow().get(&rig.skeleton) {
            return Rc::clone(known);
        }
        let unbind = rig.rest_worlds().iter().map(DMat4::inverse).collect();
        let bound = Rc::new(Bound { boxes: self.boxes(rig), unbind });
        self.motion.bound.borrow_mut().insert(rig.skeleton, Rc::clone(&bound));
        bound
    }

    fn boxes(&self, rig: &Rig) -> Vec<Option<(DVec3, DVec3)>> {
        let mut boxes: Vec<Option<(DVec3, DVec3)>> = vec![None; rig.joints.len()];
        let users = self.rigs.iter().filter(|(_, other)| other.skeleton == rig.skeleton);
        let meshes: std::collections::BTreeSet<usize> =
            users.filter_map(|(node, _)| Some(self.scene.nodes[*node].mesh?.index())).collect();
        let primitives = meshes.iter().flat_map(|mesh| &self.scene.meshes[Id::new(*mesh)].primitives);
        for primitive in primitives {
            let Some(places) = primitive.get(&Semantic::Position) else { continue };
            let (width, places) = (places.count().max(1), places.to_f64());
            for set in 0..=u8::MAX {
                let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
                let (Some(joints), Some(weights)) = streams else { break };
                let (count, joints, weights) = (joints.count().max(1), joints.to_u32(), weights.to_f32());
                for (i, (joint, weight)) in joints.iter().zip(&weights).enumerate() {
                    let row = places.get(i / count * width..i / count * width + 3);
                    let (Some(row), Some(extent)) = (row, boxes.get_mut(*joint as usize)) else { continue };
                    let place = DVec3::new(row[0], row[1], row[2]);
                    if *weight != 0. && place.is_finite() {
                        let (low, high) = extent.unwrap_or((place, place));
                        *extent = Some((low.min(place), high.max(place)));
                    }
                }
            }
        }
        boxes
    }
}

impl Measure<'_> {
    /// How far what is written for some bones is from a pose of the source at most.
    pub(super) fn off(&self, pose: &Pose, at: f32, bones: impl Iterator<Item = usize>) -> f64 {
        let rig = self.rig;
        let object = rig.object.matrix();
        let mut placed = HashMap::new();
        let mut worst = 0_f64;
        for bone in bones {
            let Some((low, high)) = self.bound.boxes[bone] else { continue };
            let meant = pose.world(rig.joints[bone]).unwrap_or_default() * inverse_bind(self.skin, bone);
            let shown = object * self.placed(bone, at, &mut placed) * self.bound.unbind[bone];
            for corner in corners(low, high) {
                let off = (meant.transform_point3(corner) - shown.transform_point3(corner)).length();
                worst = if off.is_nan() { worst } else { worst.max(off) };
            }
        }
        worst / self.diagonal
    }

    /// Where a bone is written to be, relative to the shape.
    fn placed(&self, bone: usize, at: f32, known: &mut HashMap<usize, DMat4>) -> DMat4 {
        let mut open = Vec::new();
        let mut next = Some(bone);
        while let Some(bone) = next.filter(|bone| !known.contains_key(bone)) {
            open.push(bone);
            next = self.rig.parents[bone];
        }
        let mut world = next.and_then(|bone| known.get(&bone).copied()).unwrap_or(DMat4::IDENTITY);
        for bone in open.into_iter().rev() {
            world *= self.local(bone, at);
            known.insert(bone, world);
        }
        known.get(&bone).copied().unwrap_or(world)
    }

    fn local(&self, bone: usize, at: f32) -> DMat4 {
        let rest = &self.rig.rests[bone];
        let mut local = *rest;
        for one in self.written.get(&bone).into_iter().flatten() {
            if let Some(value) = one.channel.at(at) {
                local = sample::moved(&local, rest, &one.channel.track, &value, one.channel.relative);
            }
        }
        local.matrix()
    }
}

fn joined(boxes: impl Iterator<Item = (DVec3, DVec3)>) -> Option<(DVec3, DVec3)> {
    boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn corners(low: DVec3, high: DVec3) -> impl Iterator<Item = DVec3> {
    (0..8_u8).map(move |k| {
        let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}
