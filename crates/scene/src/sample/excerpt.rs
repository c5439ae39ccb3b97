//! Poses of some nodes: what moves a few of many costs as much as the few.

use std::collections::{HashMap, HashSet};

use glam::DMat4;

use super::{Pose, Posed, moved};
use crate::{Animation, Channel, Id, Node, Scene, Track};

/// What it takes to tell where nodes are while animations play; worked out once for a scene.
pub struct Sampler<'a> {
    scene: &'a Scene,
    rest: &'a Pose,
    /// What each node was placed below.
    above: Vec<Option<Id<Node>>>,
    /// The channels of each node, by animation, in order.
    channels: HashMap<(usize, Id<Node>), Vec<usize>>,
    /// The animations that move each node, in order.
    movers: HashMap<Id<Node>, Vec<usize>>,
}

impl<'a> Sampler<'a> {
    /// Of a scene and its pose at rest.
    pub fn new(scene: &'a Scene, rest: &'a Pose) -> Sampler<'a> {
        let mut channels: HashMap<(usize, Id<Node>), Vec<usize>> = HashMap::new();
        let mut movers: HashMap<Id<Node>, Vec<usize>> = HashMap::new();
        for (index, animation) in scene.animations.iter().enumerate() {
            for (at, channel) in animation.channels.iter().enumerate() {
                let Some(node) = channel.node else { continue };
                channels.entry((index, node)).or_default().push(at);
                let of_node = movers.entry(node).or_default();
                let moves = matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale);
                if moves && of_node.last() != Some(&index) {
                    of_node.push(index);
                }
            }
        }
        let mut above = vec![None; scene.nodes.len()];
        Pose::walk(scene, |id, parent| above[id.index()] = parent);
        Sampler { scene, rest, above, channels, movers }
    }

    /// The animations that move any of these nodes, in order.
    pub fn movers<'n>(&self, nodes: impl IntoIterator<Item = &'n Id<Node>>) -> Vec<usize> {
        let mut out: Vec<usize> =
            nodes.into_iter().filter_map(|node| self.movers.get(node)).flatten().copied().collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Some nodes, and everything above them, while an animation plays.
    pub fn excerpt(&self, animation: usize, nodes: impl IntoIterator<Item = Id<Node>>) -> Excerpt<'_> {
        let (mut seen, mut order, mut channels) = (HashSet::new(), Vec::new(), Vec::new());
        for node in nodes.into_iter().filter(|node| self.scene.nodes.get(*node).is_some()) {
            let new = std::iter::successors(Some(node), |node| self.above[node.index()]);
            let from = order.len();
            order.extend(new.take_while(|node| seen.insert(*node)));
            order[from..].reverse();
        }
        for node in &order {
            channels.extend(self.channels.get(&(animation, *node)).into_iter().flatten().copied());
        }
        channels.sort_unstable();
        let animation: Option<&Animation> = self.scene.animations.get(Id::new(animation));
        let channels = channels.into_iter().filter_map(|at| Some((at, animation?.channels.get(at)?))).collect();
        Excerpt { sampler: self, order, channels }
    }
}

/// Some nodes of a scene while an animation plays.
pub struct Excerpt<'a> {
    sampler: &'a Sampler<'a>,
    /// Parents before their children.
    order: Vec<Id<Node>>,
    /// The channels of these nodes and their positions, in order.
    pub channels: Vec<(usize, &'a Channel)>,
}

impl Excerpt<'_> {
    /// The pose at a time: of these nodes as [`Pose::at`] says, of all others as they rest.
    pub fn at(&self, time: f32) -> Pose {
        let Sampler { scene, rest, above, .. } = self.sampler;
        let mut pose = Pose { whole: rest.whole.clone(), part: HashMap::with_capacity(self.order.len()) };
        for id in &self.order {
            let posed = Posed { local: scene.nodes[*id].transform, world: None, weights: None };
            pose.part.insert(id.index(), posed);
        }
        for (_, channel) in &self.channels {
            let Some(value) = channel.at(time) else { continue };
            let Some(id) = channel.node else { continue };
            let Some(posed) = pose.part.get_mut(&id.index()) else { continue };
            if channel.track == Track::Weights {
                posed.weights = Some(value);
            } else {
                let rest = &scene.nodes[id].transform;
                posed.local = moved(&posed.local, rest, &channel.track, &value, channel.relative);
            }
        }
        for id in &self.order {
            let parent = above[id.index()].map_or(DMat4::IDENTITY, |above| pose.world(above).unwrap_or_default());
            if let Some(posed) = pose.part.get_mut(&id.index()) {
                posed.world = Some(parent * posed.local.matrix());
            }
        }
        pose
    }
}
