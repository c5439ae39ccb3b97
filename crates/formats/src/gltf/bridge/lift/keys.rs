//! Tracks that glTF cannot play.

use scene::{Animation, Channel, Ease, Easing, Interpolation, Track, Value};

use super::Input;
use super::carried::{Carried, bulk, float, floats};
use crate::gltf::carry::decode;
use crate::gltf::schema::Json;

/// The rate of an animation, and the tracks that glTF cannot play; `insert` hears of the place of each.
pub(super) fn take_back(
    input: &mut Input<'_, '_, '_>,
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

fn track(input: &mut Input<'_, '_, '_>, json: &Json) -> Option<(usize, Channel)> {
    let number = |key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let node = match json.get("node") {
        None => None,
        Some(_) => Some(input.made.nodes.get(number("node")?).copied().flatten()?),
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
    let channel = Channel {
        node,
        track,
        times: floats_of(input, json.get("times"))?,
        values: floats_of(input, json.get("values"))?,
        interpolation: interpolation(json.get("interpolation")?)?,
        relative: json.get("relative").and_then(Json::as_bool).unwrap_or(false),
    };
    Some((number("at")?, channel))
}

fn floats_of(input: &mut Input<'_, '_, '_>, json: Option<&Json>) -> Option<Vec<f32>> {
    let Some(json) = json else { return Some(Vec::new()) };
    let bytes = match (bulk(input, json).or_else(|| decode(json)), json.get("bufferView").and_then(Json::as_u64)) {
        (Some(Value::Bytes(bytes)), _) => bytes,
        // Earlier versions said the number of the view alone.
        (None, Some(view)) => input.data.view(usize::try_from(view).ok()?).ok()?.bytes.to_vec(),
        _ => return None,
    };
    Some(bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
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
