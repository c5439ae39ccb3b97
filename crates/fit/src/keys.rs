//! Keys of animations, for targets that play them in the order of their times.

use findings::Losses;
use ops::make_channel_times_grow;
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Scene};

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    // What a format itself stored is its own affair; who carries the keys as they were mends them alongside.
    if target.is_own(scene) || target.can.carries {
        return;
    }
    for index in 0..scene.animations.len() {
        let id = Id::new(index);
        let was = scene.animations[id].clone();
        let changed: Vec<u64> = scene.animations[id].channels.iter_mut().map(make_channel_times_grow).collect();
        if changed.iter().all(|count| *count == 0) {
            continue;
        }
        let off = Pose::animated_distance(scene, &was, &scene.animations[id]);
        let place = was.subject(index);
        for (channel, count) in was.channels.iter().zip(changed).filter(|(_, count)| *count > 0) {
            let why = format!("{} demands times that grow", target.name);
            let what = format!("keys of a {} track", channel.track.word());
            losses.add_measured(&LOSS_051, off, &place, count, what, why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use scene::{Animation, Capabilities, Channel, Hold, Interpolation, Node, Origin, Track};

    fn moving(times: &[f32], interpolation: Interpolation) -> Scene {
        let mut scene = Scene::new();
        scene.add_root(Node::default());
        let per_key = if interpolation == Interpolation::Cubic { 9 } else { 3 };
        let values = (0..times.len() * per_key).map(|i| (i / per_key) as f32).collect();
        let node = Some(Id::new(0));
        let times = times.to_vec();
        let channel = Channel { node, track: Track::Translation, times, values, interpolation, relative: false };
        scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
        scene
    }

    /// Times, the first value of each key, and how many keys were changed.
    fn fitted(scene: &Scene, can: &Capabilities) -> (Vec<f32>, Vec<f32>, u64) {
        let mut losses = Losses::default();
        let fitted = fit(scene, can, &mut losses);
        let channel = &fitted.animations[Id::new(0)].channels[0];
        let per_key = channel.values.len() / channel.times.len();
        let firsts = channel.values.iter().step_by(per_key).copied().collect();
        let count = losses.iter().filter(|loss| loss.code == "LOSS-051").map(|loss| loss.count).sum();
        (channel.times.clone(), firsts, count)
    }

    #[test]
    fn keys_out_of_order_are_left_out_and_listed() {
        let can = flat(Hold::Yes, Hold::Yes);
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let fitted = |times: &[f32]| fitted(&moving(times, interpolation), &can);
            let odd = [f32::NAN, 0., 2., 1., f32::INFINITY, 3.];
            assert_eq!(fitted(&odd), (vec![0., 2., 3.], vec![1., 2., 5.], 3));
            assert_eq!(fitted(&[0., 1., 1.]), (vec![0., 1., 1_f32.next_up()], vec![0., 1., 2.], 1), "a jump");
            assert_eq!(fitted(&[f32::NAN, f32::NAN]), (vec![0.], vec![0.], 2));
            assert_eq!(fitted(&[0., 1.]), (vec![0., 1.], vec![0., 1.], 0));
        }
    }

    #[test]
    fn keys_of_the_format_itself_and_keys_that_are_carried_stay() {
        let mut scene = moving(&[1., 0.], Interpolation::Linear);
        let carries = Capabilities { carries: true, ..flat(Hold::Yes, Hold::Yes) };
        assert_eq!(fitted(&scene, &carries).0, [1., 0.]);
        scene.origin = Some(Origin { format: "target".into(), dialect: "spec".into() });
        assert_eq!(fitted(&scene, &flat(Hold::Yes, Hold::Yes)).0, [1., 0.]);
    }
}
