//! Keys of animations as the source had them, where glTF has no word for them.

use scene::{Animation, Channel, Ease, Easing, Id, Interpolation, Track};

use super::carried::{Carried, float, floats};
use super::{Input, original};
use crate::gltf::schema::Json;

/// How far the end of a track may be from the one it was made of, as a share of its size.
const TOLERANCE: f32 = 1e-5;

/// The rate of an animation, and the tracks that glTF cannot play.
pub(super) fn take_back(input: &Input<'_, '_, '_>, animation: &mut Animation, carried: &mut Carried) {
    animation.frame_rate = carried.taken("frame_rate", float);
    let kept = carried.take("channels");
    for (number, json) in kept.iter().flat_map(|json| json.as_array()).flatten().enumerate() {
        match track(input, json) {
            Some((at, channel)) => animation.channels.insert(at.min(animation.channels.len()), channel),
            None => carried.ignore(&format!("channels[{number}]")),
        }
    }
}

fn track(input: &Input<'_, '_, '_>, json: &Json) -> Option<(usize, Channel)> {
    let number = |key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let node = match json.get("node") {
        None => None,
        Some(_) => Some(input.nodes.get(number("node")?).copied().flatten()?),
    };
    let track = match json.get("track")?.as_str()? {
        word if json.get("width").is_some() => {
            Track::Other { word: word.to_owned(), width: u32::try_from(number("width")?).ok()? }
        }
        "translation" => Track::Translation,
        "rotation" => Track::Rotation,
        "scale" => Track::Scale,
        "weights" => Track::Weights,
        _ => return None,
    };
    Some((number("at")?, described(input, json, node, track)?))
}

/// A channel as it was, if it ends when and where the one in the file does.
pub(super) fn original(input: &Input<'_, '_, '_>, json: &Json, shown: &Channel) -> Option<Channel> {
    let was = described(input, json, shown.node, shown.track.clone())?;
    let near = |a: f32, b: f32| (a - b).abs() <= TOLERANCE * a.abs().max(1.) || !a.is_finite();
    let (end, shown_end) = (was.times.iter().copied().fold(0., f32::max), shown.times.last().copied()?);
    let comparable = !was.relative && was.track != Track::Rotation && was.interpolation != Interpolation::Cubic;
    let valid = comparable && shown.interpolation != Interpolation::Cubic && was.times.is_sorted();
    let per_key = was.values.len().checked_div(was.times.len())?;
    let tail = |values: &[f32]| values.iter().rev().take(per_key).copied().collect::<Vec<_>>();
    let same = !valid || tail(&was.values).into_iter().zip(tail(&shown.values)).all(|(a, b)| near(a, b));
    (near(end, shown_end) && same).then_some(was)
}

fn described(input: &Input<'_, '_, '_>, json: &Json, node: Option<Id<scene::Node>>, track: Track) -> Option<Channel> {
    let numbers = |key: &str| match json.get(key) {
        None => Some(Vec::new()),
        Some(json) => original::stream(input, json).filter(|stream| stream.count() == 1).map(|stream| stream.to_f32()),
    };
    Some(Channel {
        node,
        track,
        times: numbers("times")?,
        values: numbers("values")?,
        interpolation: interpolation(json.get("interpolation")?)?,
        relative: json.get("relative").and_then(Json::as_bool).unwrap_or(false),
    })
}

fn interpolation(json: &Json) -> Option<Interpolation> {
    if let Some(points) = json.get("bezier") {
        let [a, b, c, d] = floats(points)?;
        return Some(Interpolation::Bezier { first: [a, b], second: [c, d] });
    }
    if let Some(words) = json.get("eased") {
        let easing = match words.get(0)?.as_str()? {
            "sine" => Easing::Sine,
            "quadratic" => Easing::Quadratic,
            "cubic" => Easing::Cubic,
            "quartic" => Easing::Quartic,
            "quintic" => Easing::Quintic,
            _ => return None,
        };
        let ease = match words.get(1)?.as_str()? {
            "in" => Ease::In,
            "out" => Ease::Out,
            "in-out" => Ease::InOut,
            _ => return None,
        };
        return Some(Interpolation::Eased(easing, ease));
    }
    Some(match json.as_str()? {
        "step" => Interpolation::Step,
        "linear" => Interpolation::Linear,
        "cubic" => Interpolation::Cubic,
        _ => return None,
    })
}
