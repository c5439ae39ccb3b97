//! What of the animations is in the file, and what is not.

use std::collections::{BTreeMap, HashMap, HashSet};

use scene::loss::*;
use scene::{Channel, Id, Node, Scene, Track};

use super::plan::Plan;
use super::skins::Rigs;
use crate::LowerCx;

/// The animations and channels that were written, by position.
#[derive(Default)]
pub(super) struct Tracks {
    animations: HashSet<usize>,
    /// Those of the part at hand, once for each animation of the file.
    at_hand: Vec<usize>,
    /// How many animations of the file each became.
    written: HashMap<usize, u64>,
    channels: HashSet<(usize, usize)>,
}

impl Tracks {
    pub(super) fn animation(&mut self, animation: usize) {
        self.animations.insert(animation);
        self.at_hand.push(animation);
    }

    /// Begins with another part.
    pub(super) fn start(&mut self) {
        self.at_hand.clear();
    }

    /// The animations of the part at hand.
    pub(super) fn started(&self) -> Vec<usize> {
        self.at_hand.clone()
    }

    /// Counts animations that a record of the file got.
    pub(super) fn write(&mut self, animations: &[usize]) {
        animations.iter().for_each(|animation| *self.written.entry(*animation).or_default() += 1);
    }

    pub(super) fn channel(&mut self, animation: usize, channel: usize) {
        self.channels.insert((animation, channel));
    }
}

/// Whether a channel moves its node.
pub(super) fn moves(channel: &Channel) -> bool {
    matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale)
}

/// Nodes and everything below them.
fn below(scene: &Scene, tops: impl Iterator<Item = Id<Node>>) -> HashSet<Id<Node>> {
    let mut open: Vec<Id<Node>> = tops.collect();
    let mut out = HashSet::new();
    while let Some(id) = open.pop() {
        if let Some(node) = scene.nodes.get(id).filter(|_| out.insert(id)) {
            open.extend(&node.children);
        }
    }
    out
}

impl Rigs<'_> {
    /// Lists the animations and channels that move nothing of the file, and what stands still although it is moved.
    pub(super) fn lose_rest(&self, plan: &Plan, cx: &mut LowerCx<'_>) {
        let mut movers = Vec::new();
        for (i, animation) in self.scene.animations.iter().enumerate() {
            let mut lost: BTreeMap<String, u64> = BTreeMap::new();
            let mut arrived = self.tracks.animations.contains(&i);
            for (k, channel) in animation.channels.iter().enumerate() {
                let written = self.tracks.channels.contains(&(i, k));
                if written {
                    arrived = true;
                    movers.extend(channel.node.filter(|_| moves(channel)));
                } else {
                    *lost.entry(what(channel)).or_default() += 1;
                }
            }
            let label = animation.subject(i);
            if !arrived {
                cx.lose(&LOSS_001, &label, 1, "animation", "it moves no mesh of the file");
                continue;
            }
            if let Some(&count) = self.tracks.written.get(&i).filter(|count| **count > 1) {
                let why = "an animation of DGL3 moves the bones or the vertices of one mesh";
                cx.lose(&LOSS_073, &label, count, "one animation of several meshes", why);
            }
            for (what, count) in lost {
                cx.lose(&LOSS_054, &label, count, &what, "animations of DGL3 move meshes");
            }
        }
        let moved = below(self.scene, movers.into_iter());
        // What stands above a mesh moves it, and that is written.
        let is_end = |node: Id<Node>| self.scene.nodes[node].children.is_empty();
        let ends = plan.entities.iter().filter(|placed| placed.mesh.is_none() && is_end(placed.node));
        let ends = ends.map(|placed| (placed.node, "node"));
        let lights = plan.lights.iter().map(|(node, _)| (*node, "light"));
        let mut all: Vec<(Id<Node>, &str)> = ends.chain(lights).filter(|(id, _)| moved.contains(id)).collect();
        let stirred = self.stirred(all.iter().map(|(id, _)| *id).collect());
        all.retain(|(id, _)| stirred.contains(id));
        for (id, word) in all {
            let label = self.scene.nodes[id].subject(id);
            cx.lose(&LOSS_054, &label, 1, format!("animation of a {word}"), "animations of DGL3 move meshes");
        }
    }
}

/// Moments of an animation that are looked at.
const MOMENTS: usize = 32;

impl Rigs<'_> {
    /// Which of these nodes do not stay where they rest.
    fn stirred(&self, mut still: HashSet<Id<Node>>) -> HashSet<Id<Node>> {
        let mut out = HashSet::new();
        for (i, animation) in self.scene.animations.iter().enumerate() {
            let moved = below(self.scene, animation.channels.iter().filter_map(|channel| channel.node));
            let concerned: Vec<Id<Node>> = moved.into_iter().filter(|id| still.contains(id)).collect();
            if concerned.is_empty() {
                continue;
            }
            let excerpt = self.sampler.excerpt(i, concerned.iter().copied());
            let times = animation.channels.iter().flat_map(|channel| &channel.times);
            let (from, to) = times.fold((0_f32, 0_f32), |(from, to), t| (from.min(*t), to.max(*t)));
            for moment in 0..=MOMENTS {
                if still.is_empty() {
                    return out;
                }
                let pose = excerpt.at(from + (to - from) * moment as f32 / MOMENTS as f32);
                let stays = |id: &Id<Node>| match (pose.world(*id), self.rest.world(*id)) {
                    (Some(now), Some(rest)) => now.abs_diff_eq(rest, 1e-6),
                    _ => true,
                };
                let moved = concerned.iter().filter(|id| still.contains(id) && !stays(id)).copied();
                let moved: Vec<Id<Node>> = moved.collect();
                moved.iter().for_each(|id| _ = still.remove(id));
                out.extend(moved);
            }
        }
        out
    }
}

fn what(channel: &Channel) -> String {
    match (&channel.track, channel.node) {
        (Track::Other { word, .. }, _) => format!("track \"{word}\""),
        (_, None) => "track that moves no node".to_owned(),
        (Track::Weights, _) => "weights of morph targets".to_owned(),
        _ => "track that moves no mesh".to_owned(),
    }
}
