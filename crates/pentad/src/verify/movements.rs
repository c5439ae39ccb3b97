//! Animations, and which of one scene is which of the other.

use std::collections::{HashMap, HashSet, VecDeque};

use scene::{Animation, Scene};

/// How far apart the ends of one animation may be, as a share: formats round times, or count frames.
const SAME_END: f32 = 1e-3;

/// What moves under one name.
pub(super) struct Movement {
    pub(super) name: String,
    pub(super) animation: Animation,
}

impl Movement {
    fn end(&self) -> f32 {
        let times = self.animation.channels.iter().flat_map(|channel| channel.times.iter().copied());
        times.filter(|time| time.is_finite()).fold(0., f32::max)
    }

    fn is_as_long_as(&self, other: &Movement) -> bool {
        let (end, other) = (self.end(), other.end());
        (end - other).abs() <= SAME_END * end.max(other)
    }
}

/// Every movement of a scene, with its counterpart in another one: the one of the same name, or else of those that are
/// left the one in the same place; if some are missing there, the next that takes as long.
pub(super) fn counterparts(was: &Scene, is: &Scene) -> Vec<(Movement, Option<Movement>)> {
    let parts = parts(was, is);
    let [mut moving, mut moved] = [was, is].map(|scene| movements(scene, &parts, false));
    // Some formats have an animation per mesh, with or without a name.
    if moving.len() != moved.len() && moving.iter().any(|movement| movement.name.is_empty()) {
        [moving, moved] = [was, is].map(|scene| movements(scene, &parts, true));
    }
    let mut by_name: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (i, movement) in moved.iter().enumerate() {
        by_name.entry(movement.name.clone()).or_default().push_back(i);
    }
    let mut left: Vec<Option<Movement>> = moved.into_iter().map(Some).collect();
    let mut pairs: Vec<(Movement, Option<Movement>)> = Vec::with_capacity(moving.len());
    for movement in moving {
        let same = by_name.get_mut(&movement.name).and_then(VecDeque::pop_front).and_then(|i| left[i].take());
        pairs.push((movement, same));
    }
    let mut rest: VecDeque<Movement> = left.into_iter().flatten().collect();
    let in_order = rest.len() == pairs.iter().filter(|(_, other)| other.is_none()).count();
    for (movement, other) in pairs.iter_mut().filter(|(_, other)| other.is_none()) {
        let next = rest.iter().position(|other| in_order || movement.is_as_long_as(other));
        *other = next.and_then(|next| rest.remove(next));
    }
    pairs
}

/// The animations of a scene that move something.
fn moving(scene: &Scene) -> impl Iterator<Item = &Animation> {
    scene.animations.iter().filter(|animation| animation.channels.iter().any(|channel| channel.node.is_some()))
}

/// Names of animations that one scene has in more parts than the other. Two animations may also have one name, and then
/// both scenes have two, or the names are lost.
fn parts(was: &Scene, is: &Scene) -> HashSet<String> {
    let mut counts: HashMap<String, [usize; 2]> = HashMap::new();
    for (side, scene) in [was, is].into_iter().enumerate() {
        moving(scene).for_each(|animation| counts.entry(animation.name.to_string()).or_default()[side] += 1);
    }
    let as_many = moving(was).count() == moving(is).count();
    let cut = |[was, is]: [usize; 2]| (was > 0 && is > was) || (is > 0 && was > is && !as_many);
    counts.into_iter().filter(|(name, counts)| !name.is_empty() && cut(*counts)).map(|(name, _)| name).collect()
}

/// Everything that moves, `parts` of one name together; what has no name is one if it is `joined`.
fn movements(scene: &Scene, parts: &HashSet<String>, joined: bool) -> Vec<Movement> {
    let mut all: Vec<Movement> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for animation in moving(scene) {
        let name = animation.name.to_string();
        let is_part = parts.contains(&name) || (joined && name.is_empty());
        let at = if is_part { *known.entry(name.clone()).or_insert(all.len()) } else { all.len() };
        if at == all.len() {
            all.push(Movement { name, animation: Animation::default() });
        }
        all[at].animation.channels.extend(animation.channels.iter().cloned());
    }
    all
}
