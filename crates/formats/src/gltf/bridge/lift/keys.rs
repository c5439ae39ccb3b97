//! Keys of animations as the source had them, where glTF has no word for them.

use ops::Played;
use scene::{Animation, Channel, Ease, Easing, Id, Interpolation, Track};

use super::carried::{Carried, float, floats};
use super::{Input, original};
use crate::gltf::schema::Json;

/// What two machines may make of the same keys: a few units in the last place of a 32-bit float, as a share of its
/// size. Sines and cosines are not the same everywhere.
const ROUNDING: f32 = 4. * f32::EPSILON;
/// The same for doubles, which is what is left of the largest number of a track where a way crosses zero.
const DOUBLE_ROUNDING: f32 = 1e-12;

/// The rate of an animation, and the tracks that glTF cannot play; `insert` hears of the place of each.
pub(super) fn take_back(
    input: &Input<'_, '_, '_>,
    animation: &mut Animation,
    carried: &mut Carried,
    mut insert: impl FnMut(usize),
) {
    animation.frame_rate = carried.taken("frame_rate", float);
    let kept = carried.take("channels");
    for (number, json) in kept.iter().flat_map(|json| json.as_array()).flatten().enumerate() {
        match track(input, json) {
            Some((at, channel)) => {
                let at = at.min(animation.channels.len());
                animation.channels.insert(at, channel);
                insert(at);
            }
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

/// A channel as it was, if the one in the file is still what glTF plays for it.
pub(super) fn original(input: &Input<'_, '_, '_>, json: &Json, shown: &Channel) -> Option<Channel> {
    let was = described(input, json, shown.node, shown.track.clone())?;
    let parts = if shown.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let width = shown.values.len().checked_div(shown.times.len() * parts)?;
    let played = Played::within(shown.times.len(), &input.scene, &was, width)?;
    (played.interpolation == shown.interpolation
        && alike(&played.times, &shown.times, 1)
        && match shown.track {
            Track::Rotation if parts == 1 => turn_alike(&played.values, &shown.values),
            _ => alike(&played.values, &shown.values, width * parts),
        })
    .then_some(was)
}

/// Whether numbers differ by no more than rounding explains: that of a key to its floats, and that of a way to doubles.
fn alike(a: &[f32], b: &[f32], per_key: usize) -> bool {
    let size = |values: &[f32]| values.iter().fold(0_f32, |size, v| size.max(v.abs()));
    let way = DOUBLE_ROUNDING * size(a);
    let near = |(a, b): (&[f32], &[f32])| {
        let most = way.max(ROUNDING * size(a));
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most)
    };
    a.len() == b.len() && a.chunks(per_key).zip(b.chunks(per_key)).all(near)
}

/// The same for rotations, which are the same with all signs turned.
fn turn_alike(a: &[f32], b: &[f32]) -> bool {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let near = |(a, b): (&[f32], &[f32])| {
        let cosine = dot(a, b).abs() / (dot(a, a) * dot(b, b)).sqrt();
        1. - cosine <= f64::from(ROUNDING).powi(2)
    };
    a.len() == b.len() && a.chunks(4).zip(b.chunks(4)).all(near)
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
