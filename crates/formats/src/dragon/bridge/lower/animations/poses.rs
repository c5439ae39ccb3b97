//! Where bones are while animations play, and how far what is written is from that. An animation costs as much as the
//! bones that it moves.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::{DMat4, DVec3};
use scene::sample::{self, Pose, Sampler};
use scene::{Animation, Forest, Id, Scene, Semantic, Skin, Track, undone};

use super::super::Lower;
use super::super::animations::frames::Written;
use super::super::skins::{Rig, inverse_bind, is_near};
use crate::dragon::layout::guid::Guid;

/// What is worked out once for all animations.
pub(in super::super) struct Motion<'a> {
    pub(in super::super) sampler: Sampler<'a>,
    pub(in super::super) forest: Forest,
    rest: &'a Pose,
    bound: RefCell<HashMap<Guid, Rc<Bound>>>,
}

impl<'a> Motion<'a> {
    /// Of a scene and its pose at rest.
    pub(in super::super) fn new(scene: &'a Scene, rest: &'a Pose) -> Motion<'a> {
        Motion { sampler: Sampler::new(scene, rest), forest: Forest::of(scene), rest, bound: RefCell::default() }
    }
}

/// A skeleton as it is bound.
pub(in super::super) struct Bound {
    /// The box around the vertices that each bone moves.
    boxes: Vec<Option<(DVec3, DVec3)>>,
    /// The box around all of them.
    extent: Option<(DVec3, DVec3)>,
    /// From the mesh to each bone.
    unbind: Vec<DMat4>,
    /// Bones that rest elsewhere than they are bound, and those below them: every animation has to say where they are.
    pub(in super::super) restless: Vec<usize>,
    /// How far the others are off at most where nothing moves them.
    resting: f64,
    /// Bones whose joint was a bone before.
    repeated: Vec<usize>,
}

/// What it takes to say how far the frames of a skeleton are off.
pub(in super::super) struct Measure<'r> {
    pub(in super::super) rig: &'r Rig,
    /// By bone.
    written: HashMap<usize, Vec<&'r Written>>,
    skin: &'r Skin,
    bound: Rc<Bound>,
    diagonal: f64,
    /// Bones that the animation moves; the others are as far off all the time.
    pub(in super::super) moved: Vec<usize>,
}

impl Lower<'_, '_, '_> {
    pub(in super::super) fn measure<'r>(
        &'r self,
        animation: &Animation,
        rig: &'r Rig,
        made: &'r [Written],
    ) -> Option<Measure<'r>> {
        let bound = self.as_bound(rig);
        let (low, high) = bound.extent?;
        let diagonal = rig.object.matrix().transform_vector3(high - low).length();
        let skin = &self.scene.skins[rig.skin];
        let mut written: HashMap<usize, Vec<&Written>> = HashMap::new();
        made.iter().for_each(|one| written.entry(one.bone).or_default().push(one));
        let moved = self.moved(animation, rig);
        (diagonal > 0.).then_some(Measure { rig, written, skin, bound, diagonal, moved })
    }

    /// The bones of a skeleton that an animation moves, be it through what is above their joints; in order.
    pub(in super::super) fn moved(&self, animation: &Animation, rig: &Rig) -> Vec<usize> {
        let moving = animation.channels.iter().filter(|channel| channel.track != Track::Weights);
        let mut open: Vec<usize> = moving.filter_map(|channel| channel.node).map(Id::index).collect();
        let mut met: HashSet<usize> = HashSet::new();
        while let Some(node) = open.pop() {
            if met.insert(node) {
                open.extend(self.motion.forest.children.get(node).into_iter().flatten());
            }
        }
        let mut moved: Vec<usize> = met.iter().filter_map(|node| rig.positions.get(&Id::new(*node)).copied()).collect();
        let repeated = &self.as_bound(rig).repeated;
        moved.extend(repeated.iter().filter(|bone| met.contains(&rig.joints[**bone].index())));
        moved.sort_unstable();
        moved
    }

    pub(in super::super) fn as_bound(&self, rig: &Rig) -> Rc<Bound> {
        if let Some(known) = self.motion.bound.borrow().get(&rig.skeleton) {
            return Rc::clone(known);
        }
        let bound = Rc::new(self.bind(rig));
        self.motion.bound.borrow_mut().insert(rig.skeleton, Rc::clone(&bound));
        bound
    }

    fn bind(&self, rig: &Rig) -> Bound {
        let rest_worlds = rig.rest_worlds();
        let unbind: Vec<DMat4> = rest_worlds.iter().map(DMat4::inverse).collect();
        let boxes = self.boxes(rig);
        let (object, skin) = (rig.object.matrix(), &self.scene.skins[rig.skin]);
        let to_mesh = object.inverse();
        let world = |bone: usize| self.motion.rest.world(rig.joints[bone]).unwrap_or_default();
        let rests = |bone: usize| {
            let local = if self.follows(rig, bone) {
                self.scene.nodes[rig.joints[bone]].transform.matrix()
            } else {
                let above = rig.parents[bone].map_or(Some(DMat4::IDENTITY), |up| undone(&(to_mesh * world(up))));
                above.map_or(DMat4::NAN, |above| above * to_mesh * world(bone))
            };
            is_near(&local, &rig.rests[bone].matrix())
        };
        let own: Vec<bool> = (0..rig.joints.len()).map(|bone| !rests(bone)).collect();
        let restless = below(&rig.parents, own);
        let quiet = (0..rig.joints.len()).filter(|bone| !restless[*bone]);
        let off = |bone: usize| {
            let corners = boxes[bone].map(|(low, high)| corners(low, high)).into_iter().flatten();
            let meant = world(bone) * inverse_bind(skin, bone);
            let shown = object * rest_worlds[bone] * unbind[bone];
            apart(&meant, &shown, corners)
        };
        Bound {
            extent: joined(boxes.iter().flatten().copied()),
            resting: quiet.map(off).fold(0., f64::max),
            restless: (0..rig.joints.len()).filter(|bone| restless[*bone]).collect(),
            repeated: (0..rig.joints.len()).filter(|bone| rig.positions[&rig.joints[*bone]] != *bone).collect(),
            boxes,
            unbind,
        }
    }

    fn boxes(&self, rig: &Rig) -> Vec<Option<(DVec3, DVec3)>> {
        let mut boxes: Vec<Option<(DVec3, DVec3)>> = vec![None; rig.joints.len()];
        let users = self.skins.of_nodes.iter().filter(|(_, other)| other.skeleton == rig.skeleton);
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
    /// Bones that every animation has to say the place of.
    pub(in super::super) fn restless(&self) -> &[usize] {
        &self.bound.restless
    }

    /// How far bones without tracks are off at most.
    pub(in super::super) fn resting(&self) -> f64 {
        self.bound.resting / self.diagonal
    }

    /// How far what is written for some bones is from a pose of the source at most.
    pub(in super::super) fn off(&self, pose: &Pose, at: f32, bones: impl Iterator<Item = usize>) -> f64 {
        let rig = self.rig;
        let object = rig.object.matrix();
        let mut placed = HashMap::new();
        let mut worst = 0_f64;
        for bone in bones {
            let Some((low, high)) = self.bound.boxes[bone] else { continue };
            let meant = pose.world(rig.joints[bone]).unwrap_or_default() * inverse_bind(self.skin, bone);
            let shown = object * self.placed(bone, at, &mut placed) * self.bound.unbind[bone];
            worst = worst.max(apart(&meant, &shown, corners(low, high)));
        }
        worst / self.diagonal
    }

    /// Where a bone is written to be, relative to the mesh.
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

/// Which bones are marked, or below one that is.
fn below(parents: &[Option<usize>], mut marked: Vec<bool>) -> Vec<bool> {
    let mut known = vec![false; parents.len()];
    for start in 0..parents.len() {
        let mut way = Vec::new();
        let mut next = Some(start);
        while let Some(bone) = next.filter(|bone| !known[*bone]) {
            known[bone] = true;
            way.push(bone);
            next = parents[bone];
        }
        let mut above = next.is_some_and(|bone| marked[bone]);
        for bone in way.into_iter().rev() {
            marked[bone] |= above;
            above = marked[bone];
        }
    }
    marked
}

/// How far two maps bring points apart at most.
fn apart(meant: &DMat4, shown: &DMat4, points: impl Iterator<Item = DVec3>) -> f64 {
    let off = points.map(|point| (meant.transform_point3(point) - shown.transform_point3(point)).length());
    off.fold(0., f64::max)
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
