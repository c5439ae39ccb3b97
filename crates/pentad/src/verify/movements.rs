//! Animations, and which of one scene is which of the other.

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
    let [mut moving, mut moved] = [was, is].map(|scene| movements(scene, false));
    // Some formats have an animation per mesh, with or without a name.
    if moving.len() != moved.len() && moving.iter().any(|movement| movement.name.is_empty()) {
        [moving, moved] = [was, is].map(|scene| movements(scene, true));
    }
    let mut left: Vec<Option<Movement>> = moved.into_iter().map(Some).collect();
    let mut pairs: Vec<(Movement, Option<Movement>)> = Vec::with_capacity(moving.len());
    for movement in moving {
        let same = take(&mut left, |other| other.name == movement.name);
        pairs.push((movement, same));
    }
    let wanted = pairs.iter().filter(|(_, other)| other.is_none()).count();
    let in_order = wanted == left.iter().flatten().count();
    for (movement, other) in pairs.iter_mut().filter(|(_, other)| other.is_none()) {
        *other = take(&mut left, |other| in_order || movement.is_as_long_as(other));
    }
    pairs
}

fn take(left: &mut [Option<Movement>], fits: impl Fn(&Movement) -> bool) -> Option<Movement> {
    left.iter_mut().find(|other| other.as_ref().is_some_and(&fits)).and_then(Option::take)
}

/// Everything that moves under one name; what has none is one if it is `joined`.
fn movements(scene: &Scene, joined: bool) -> Vec<Movement> {
    let mut all: Vec<Movement> = Vec::new();
    for animation in scene.animations.iter().filter(|animation| animation.channels.iter().any(|c| c.node.is_some())) {
        let name = animation.name.to_string();
        let known = all.iter_mut().find(|movement| movement.name == name && (joined || !name.is_empty()));
        match known {
            Some(movement) => movement.animation.channels.extend(animation.channels.iter().cloned()),
            None => {
                let channels = animation.channels.clone();
                all.push(Movement { name, animation: Animation { channels, ..Animation::default() } });
            }
        }
    }
    all
}
