//! Animations: which of one scene is which of the other, and when they are looked at.

use std::collections::{HashMap, HashSet};

use scene::{Animation, Forest, Id, Node, Scene, Track};

use super::shown::Shown;

/// How far apart the ends of one animation may be, as a share: formats round times, or count frames.
const SAME_END: f32 = 1e-3;

/// At most so many keys of an animation are looked at, and as many times between them.
const KEYS: usize = 32;

/// Shares of an animation at which it is looked at wherever its keys are.
const ANYWHERE: [f32; 5] = [0.071_8, 0.237_9, 0.459_1, 0.683_7, 0.914_3];

/// An animation of each scene that should move some parts alike; parts are those of the first scene.
pub(super) struct Played {
    pub(super) was: usize,
    pub(super) is: usize,
    pub(super) parts: Vec<usize>,
}

/// Which animation is which.
#[derive(Default)]
pub(super) struct Matched {
    pub(super) played: Vec<Played>,
    /// Animations that are not there.
    pub(super) missing: Vec<usize>,
    /// Animations that are there under other names.
    pub(super) renamed: Vec<usize>,
}

/// An animation that moves something, by its position.
struct Moving<'a> {
    at: usize,
    animation: &'a Animation,
    /// The parts that it moves.
    parts: HashSet<usize>,
}

impl Moving<'_> {
    fn name(&self) -> String {
        self.animation.name.to_string()
    }

    fn is_as_long_as(&self, other: &Moving<'_>) -> bool {
        let [end, other] = [self, other].map(|moving| keys(moving.animation).last().copied().unwrap_or(0.));
        (end - other).abs() <= SAME_END * end.max(other)
    }
}

/// The animations of a scene that move something.
fn moving<'a>(shown: &Shown<'a>) -> Vec<Moving<'a>> {
    let scene = shown.scene;
    let deciding = deciding(shown);
    let mut out = Vec::new();
    for (at, animation) in scene.animations.iter().enumerate() {
        let of = |weights: bool| {
            let channels = animation.channels.iter().filter(move |channel| match &channel.track {
                Track::Other { .. } => false,
                track => (*track == Track::Weights) == weights,
            });
            channels.filter_map(|channel| channel.node).collect::<HashSet<Id<Node>>>()
        };
        let (moved, morphed) = (of(false), of(true));
        if animation.channels.iter().all(|channel| channel.node.is_none()) {
            continue;
        }
        let moves = |&part: &usize| {
            let node = shown.parts[part].node;
            morphed.contains(&node) || deciding[&node].iter().any(|node| moved.contains(node))
        };
        out.push(Moving { at, animation, parts: (0..shown.parts.len()).filter(moves).collect() });
    }
    out
}

/// The nodes that decide where each node's mesh is: those above it, or above its joints.
fn deciding(shown: &Shown<'_>) -> HashMap<Id<Node>, HashSet<Id<Node>>> {
    let scene: &Scene = shown.scene;
    let forest = Forest::of(scene);
    let mut out = HashMap::new();
    for node in shown.parts.iter().map(|part| part.node) {
        out.entry(node).or_insert_with(|| {
            let skin = scene.nodes[node].skin.and_then(|skin| scene.skins.get(skin));
            let joints = skin.map_or(&[][..], |skin| &skin.joints);
            [node].iter().chain(joints).flat_map(|node| forest.chain(*node)).collect()
        });
    }
    out
}

/// Which animation is which: of equal names the one in the same place, and the rest by their order. Where one scene has
/// more of them than the other, some may be one animation of several meshes; then each mesh tells, by the animations that
/// move it. `counterparts` are the parts of the second scene that stand for each of the first.
pub(super) fn matched(was: &Shown<'_>, is: &Shown<'_>, counterparts: &[HashSet<usize>]) -> Matched {
    let (moving, moved) = (moving(was), moving(is));
    let (mut global, left, free) = by_name(&moving, &moved);
    let mut out = Matched::default();
    let mut rest = Vec::new();
    if left.len() == free.len() {
        global.extend(left.into_iter().zip(free));
    } else {
        rest = by_part(&moving, &moved, &left, &free, counterparts);
        let known: HashSet<usize> = rest.iter().map(|(one, ..)| *one).collect();
        let taken: HashSet<usize> = rest.iter().map(|(_, other, _)| *other).collect();
        let mut free: Vec<usize> = free.into_iter().filter(|other| !taken.contains(other)).collect();
        for one in left.into_iter().filter(|one| !known.contains(one)) {
            match free.iter().position(|other| moving[one].is_as_long_as(&moved[*other])) {
                Some(found) => global.push((one, free.remove(found))),
                None => out.missing.push(moving[one].at),
            }
        }
    }
    let stands_for = |part: &usize, other: usize| counterparts[*part].iter().any(|p| moved[other].parts.contains(p));
    for (one, other) in global {
        let parts = (0..counterparts.len()).filter(|p| moving[one].parts.contains(p) || stands_for(p, other));
        rest.push((one, other, parts.collect()));
    }
    rest.sort_by_key(|(one, other, _)| (*one, *other));
    for played in rest.chunk_by(|a, b| a.0 == b.0) {
        let one = &moving[played[0].0];
        // A name that the source does not give is nobody's loss.
        if !one.animation.name.is_empty() && played.iter().all(|(_, other, _)| moved[*other].name() != one.name()) {
            out.renamed.push(one.at);
        }
    }
    let played = rest.into_iter();
    out.played = played.map(|(one, other, parts)| Played { was: moving[one].at, is: moved[other].at, parts }).collect();
    out
}

/// Pairs of animations of one name, if both scenes have as many of them, and what is left of both.
fn by_name(was: &[Moving<'_>], is: &[Moving<'_>]) -> (Vec<(usize, usize)>, Vec<usize>, Vec<usize>) {
    let mut names: HashMap<String, [Vec<usize>; 2]> = HashMap::new();
    for (side, list) in [was, is].into_iter().enumerate() {
        for (i, moving) in list.iter().enumerate() {
            names.entry(moving.name()).or_default()[side].push(i);
        }
    }
    let whole = names.iter().filter(|(name, [was, is])| !name.is_empty() && was.len() == is.len());
    let pairs: Vec<(usize, usize)> =
        whole.flat_map(|(_, [was, is])| was.iter().copied().zip(is.iter().copied())).collect();
    let left = (0..was.len()).filter(|i| !pairs.iter().any(|(one, _)| one == i)).collect();
    let free = (0..is.len()).filter(|i| !pairs.iter().any(|(_, other)| other == i)).collect();
    (pairs, left, free)
}

/// Which of some animations is which, by the parts that they move: those that move one part are in the same order.
fn by_part(
    was: &[Moving<'_>],
    is: &[Moving<'_>],
    left: &[usize],
    free: &[usize],
    counterparts: &[HashSet<usize>],
) -> Vec<(usize, usize, Vec<usize>)> {
    let mut out: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for (part, others) in counterparts.iter().enumerate() {
        let moving: Vec<usize> = left.iter().copied().filter(|i| was[*i].parts.contains(&part)).collect();
        let mut moved: Vec<usize> =
            free.iter().copied().filter(|i| others.iter().any(|other| is[*i].parts.contains(other))).collect();
        let as_many = moving.len() == moved.len();
        for one in moving {
            let named = moved.iter().position(|other| is[*other].name() == was[one].name());
            let same = |other: &usize| as_many || was[one].is_as_long_as(&is[*other]);
            let Some(found) = named.or_else(|| moved.iter().position(same)) else { continue };
            let other = moved.remove(found);
            match out.iter_mut().find(|(a, b, _)| (*a, *b) == (one, other)) {
                Some((.., parts)) => parts.push(part),
                None => out.push((one, other, vec![part])),
            }
        }
    }
    out
}

/// The times of all keys, in order.
fn keys(animation: &Animation) -> Vec<f32> {
    let mut keys: Vec<f32> = animation.channels.iter().flat_map(|channel| channel.times.iter().copied()).collect();
    keys.retain(|key| key.is_finite());
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    keys
}

/// When two animations are looked at: at the keys of both, between them, and at some times that have nothing to do with
/// keys.
pub(super) fn times(was: &Animation, is: &Animation) -> Vec<f32> {
    let mut all = keys(was);
    all.extend(keys(is));
    all.sort_by(f32::total_cmp);
    all.dedup();
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else { return Vec::new() };
    let count = all.len().min(KEYS);
    let picked = (0..count).map(|i| i * (all.len() - 1) / (count - 1).max(1));
    let mut times: Vec<f32> = Vec::with_capacity(2 * KEYS + ANYWHERE.len());
    for key in picked {
        times.push(all[key]);
        times.extend(all.get(key + 1).map(|next| all[key] + (next - all[key]) / 2.));
    }
    if last > first {
        times.extend(ANYWHERE.map(|share| first + (last - first) * share));
    }
    times
}
