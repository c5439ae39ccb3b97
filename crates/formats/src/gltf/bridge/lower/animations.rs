//! Animations. A track that glTF can play becomes a channel, exactly where possible; what it cannot say is carried.

use std::collections::{BTreeMap, HashSet};

use findings::Subject;
use ops::Played;
use scene::extras::INSIDE;
use scene::loss::*;
use scene::sample::Pose;
use scene::{Animation, Channel, Ease, Easing, Extras, Id, Interpolation, Scene, Track, Value};
use serde_json::json;
use wire::Blob;

use super::super::inside::PutBack;
use super::super::{numbers, pointers};
use super::numbers::Now;
use super::source::lower_bytes;
use super::{Output, is_gltf, streams, without};
use crate::gltf::carry::{Carry, MANY, encode};
use crate::gltf::extensions::POINTER;
use crate::gltf::schema::{self, AnimationChannel, AnimationSampler, ChannelTarget, Json, Map};

/// The property of a node that has as many numbers per key as there are morph targets.
const WEIGHTS: &str = "weights";

/// Marks the nodes that are moved, which then have no matrix, and those that come and go.
pub(super) fn plan(out: &mut Output<'_, '_, '_>) {
    for channel in out.scene.animations.iter().flat_map(|animation| &animation.channels) {
        let moves = matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale);
        let property = property(out.scene, channel);
        let moves = moves || matches!(property, Some("translation" | "rotation" | "scale"));
        let shows = property.is_some_and(pointers::is_flag);
        let Some(node) = channel.node.map(Id::index).filter(|node| *node < out.nodes.moved.len()) else { continue };
        out.nodes.moved[node] |= moves;
        out.nodes.visibility_animated[node] |= shows;
    }
}

/// Writes the animations, and answers those that move nothing glTF can move.
pub(super) fn lower(out: &mut Output<'_, '_, '_>) -> Vec<Json> {
    let scene = out.scene;
    let mut unplayable: Vec<Json> = Vec::new();
    let now = Now::of(out);
    for (id, animation) in scene.animations.entries() {
        let place = animation.subject(id);
        let written = lower_animation(out, animation, &now, &place);
        if !written.channels.is_empty() {
            out.root.animations.push(written);
            continue;
        }
        // glTF demands a channel.
        let mut all = Map::from_iter([("at".to_owned(), json!(id.index()))]);
        all.extend(written.name.map(|name| ("name".to_owned(), json!(name))));
        all.extend(written.extras.map(|extras| ("extras".to_owned(), extras)));
        unplayable.push(Json::Object(all));
    }
    unplayable
}

fn lower_animation(
    out: &mut Output<'_, '_, '_>,
    animation: &Animation,
    now: &Now,
    place: &Subject,
) -> schema::Animation {
    let mut carry = Carry::default();
    let mut written = schema::Animation {
        name: carry.name(&animation.name),
        extensions: out.foreign(&animation.extras),
        ..schema::Animation::default()
    };
    let mut taken = HashSet::new();
    let mut kept: Vec<Json> = Vec::new();
    let mut inside = inside(&animation.extras);
    for (at, channel) in animation.channels.iter().enumerate() {
        let lowered = match target(out, channel, now) {
            Ok(_) if !taken.insert((channel.node, channel.track.word())) => Err(Some("another track moves the same")),
            Ok(target) => lower_channel(out, channel, place)
                .map(|sampler| (target, sampler))
                .ok_or((!channel.times.is_empty()).then_some("it has not as many values as keys")),
            Err(why) => Err(Some(why)),
        };
        match lowered {
            Ok((target, sampler)) => {
                let sampler = shared(&mut written.samplers, sampler);
                out.used.extend(target.extensions.keys().cloned());
                let mut channel = AnimationChannel { sampler, target, ..AnimationChannel::default() };
                if let Some(said) = inside.remove(&at) {
                    let done = PutBack::into(&mut channel, &said);
                    out.used.extend(done.used);
                    inside.extend(done.left.into_value().map(|left| (at, left)));
                }
                written.channels.push(channel);
            }
            Err(why) => {
                if let Some(why) = why {
                    out.cx.lose(&LOSS_054, place, 1, format!("{} track", channel.track.word()), why);
                }
                let mut all = describe(out, channel);
                all.insert("at".into(), json!(at));
                all.extend(channel.node.map(|node| ("node".to_owned(), json!(node.index()))));
                all.insert("track".into(), json!(channel.track.word()));
                if let Track::Other { width, .. } = channel.track {
                    all.insert("width".into(), json!(width));
                }
                kept.push(Json::Object(all));
            }
        }
    }
    if !kept.is_empty() {
        carry.set("channels", Json::Array(kept));
    }
    if let Some(rate) = animation.frame_rate {
        carry.set("frame_rate", encode(&Value::F32(rate)));
    }
    let mut left = without(&animation.extras, INSIDE);
    if !inside.is_empty() {
        let inside = inside.into_iter().map(|(at, said)| (at.to_string(), said)).collect();
        left.to_mut().set(INSIDE, Value::Map(inside));
    }
    written.extras = out.extras(carry, &left);
    written
}

/// What channels say inside, by their numbers.
fn inside(extras: &Extras) -> BTreeMap<usize, Value> {
    let Some(Value::Map(all)) = extras.get(INSIDE) else { return BTreeMap::new() };
    all.iter().filter_map(|(at, said)| Some((at.parse().ok()?, said.clone()))).collect()
}

fn shared(samplers: &mut Vec<AnimationSampler>, sampler: AnimationSampler) -> usize {
    samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
        samplers.push(sampler);
        samplers.len() - 1
    })
}

/// What a channel moves in glTF's words, or why glTF cannot move it.
fn target(out: &Output<'_, '_, '_>, channel: &Channel, now: &Now) -> Result<ChannelTarget, &'static str> {
    let path = channel.track.word();
    let node = channel.node.filter(|id| out.scene.nodes.get(*id).is_some()).ok_or("it moves no node");
    if matches!(channel.track, Track::Other { .. }) {
        let to_node = node.ok().zip(property(out.scene, channel));
        let to_node = to_node.map(|(node, property)| pointers::to_node(node.index(), property));
        let pointer = to_node.or_else(|| pointer(out.scene, channel, now)).ok_or("glTF has no field for it")?;
        let pointer = json!({ "pointer": pointer });
        let extensions = Map::from_iter([(POINTER.to_owned(), pointer)]);
        return Ok(ChannelTarget { path: "pointer".to_owned(), extensions, ..ChannelTarget::default() });
    }
    let node = node?;
    if path == "weights" && targets(out, channel) == 0 {
        return Err("its node shows nothing with morph targets");
    }
    Ok(ChannelTarget { node: Some(node.index()), path: path.to_owned(), ..ChannelTarget::default() })
}

/// The property of its node that a channel moves, if a file that is glTF says so in an extension.
fn property<'c>(scene: &Scene, channel: &'c Channel) -> Option<&'c str> {
    let Track::Other { word, width } = &channel.track else { return None };
    let (_, property) = pointers::node_of(word).filter(|_| is_gltf(scene) && channel.node.is_some())?;
    (*width <= 4 || property == WEIGHTS).then_some(property)
}

/// The pointer to what a channel moves that is no property of a node, where that is now.
fn pointer(scene: &Scene, channel: &Channel, now: &Now) -> Option<String> {
    let Track::Other { word, width } = &channel.track else { return None };
    let (object, number, property) = numbers::pointed_at(word).filter(|_| is_gltf(scene) && *width <= 4)?;
    Some(numbers::pointer_to(object, now.at(object, number)?, property))
}

/// How many morph targets the node of a channel has.
fn targets(out: &Output<'_, '_, '_>, channel: &Channel) -> usize {
    let node = channel.node.and_then(|id| out.root.nodes.get(id.index()));
    let mesh = node.and_then(|node| node.mesh).and_then(|mesh| out.root.meshes.get(mesh));
    mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len())
}

/// The sampler of a channel.
fn lower_channel(out: &mut Output<'_, '_, '_>, channel: &Channel, place: &Subject) -> Option<AnimationSampler> {
    let width = match channel.track {
        Track::Weights => targets(out, channel),
        Track::Other { width, .. } => width as usize,
        _ => 0,
    };
    let played = Played::of(out.scene, channel, width)?;
    let what = format!("{} track", channel.track.word());
    if played.mended > 0 {
        let why = "glTF demands growing times from 0 on, finite values and unit rotations";
        let alone = |channel: Channel| Animation { channels: vec![channel], ..Animation::default() };
        let Played { times, values, interpolation, .. } = &played;
        let (times, values, interpolation) = (times.clone(), values.clone(), *interpolation);
        let mended = Channel { times, values, interpolation, relative: false, ..channel.clone() };
        let off = Pose::animated_distance(out.scene, &alone(channel.clone()), &alone(mended));
        out.cx.losses.add_measured(&LOSS_051, off, place, played.mended, format!("keys of a {what}"), why);
    }
    if let Some(error) = played.error {
        let why = "glTF has no such easing, so straight lines follow it";
        out.cx.losses.add_measured(&LOSS_053, error, place, 1, what, why);
    }
    let property = property(out.scene, channel);
    let kind = match channel.track {
        Track::Rotation => ("VEC4", 4),
        Track::Weights => ("SCALAR", 1),
        Track::Other { .. } if property == Some(WEIGHTS) => ("SCALAR", 1),
        Track::Other { .. } => (streams::kind(width), width),
        _ => ("VEC3", 3),
    };
    let input = streams::numbers(out, "SCALAR", 1, played.times, true);
    let output = match property.is_some_and(pointers::is_flag) {
        true => streams::flags(out, &played.values),
        false if kind.1 == 1 => streams::weights(out, played.values),
        false => streams::numbers(out, kind.0, kind.1, played.values, false),
    };
    Some(AnimationSampler {
        input,
        interpolation: match played.interpolation {
            Interpolation::Step => Some("STEP".to_owned()),
            Interpolation::Cubic => Some("CUBICSPLINE".to_owned()),
            _ => None,
        },
        output,
        ..AnimationSampler::default()
    })
}

/// The keys of a channel that glTF cannot play.
fn describe(out: &mut Output<'_, '_, '_>, channel: &Channel) -> Map<String, Json> {
    let mut all = Map::new();
    let interpolation = match channel.interpolation {
        Interpolation::Step => json!("step"),
        Interpolation::Linear => json!("linear"),
        Interpolation::Cubic => json!("cubic"),
        Interpolation::Bezier { first, second } => {
            let numbers = [first[0], first[1], second[0], second[1]].map(|v| encode(&Value::F32(v)));
            json!({ "bezier": numbers })
        }
        Interpolation::Eased(easing, ease) => json!({ "eased": [easing_word(easing), ease_word(ease)] }),
    };
    all.insert("interpolation".into(), interpolation);
    if channel.relative {
        all.insert("relative".into(), json!(true));
    }
    for (key, values) in [("times", &channel.times), ("values", &channel.values)] {
        if !values.is_empty() {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let json = match bytes.len() {
                MANY.. => json!({ "bytes": lower_bytes(out, &Blob::memory(bytes)) }),
                _ => encode(&Value::Bytes(bytes)),
            };
            all.insert(key.into(), json);
        }
    }
    all
}

fn easing_word(easing: Easing) -> &'static str {
    match easing {
        Easing::Sine => "sine",
        Easing::Quadratic => "quadratic",
        Easing::Cubic => "cubic",
        Easing::Quartic => "quartic",
        Easing::Quintic => "quintic",
    }
}

fn ease_word(ease: Ease) -> &'static str {
    match ease {
        Ease::In => "in",
        Ease::Out => "out",
        Ease::InOut => "in-out",
    }
}
