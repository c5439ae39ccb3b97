//! Animations. A track that glTF can play becomes a channel, exactly where possible; what it cannot say is carried.

use std::collections::{BTreeMap, HashSet};

use scene::loss::*;
use scene::{Animation, Channel, Ease, Easing, Extras, Interpolation, Scene, Stream, Track, Value, same_bits};
use serde_json::json;

use super::super::CHANNELS;
use super::super::inside::PutBack;
use super::original::lower_stream;
use super::{Output, streams, without};
use crate::gltf::bridge::keys::Played;
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, AnimationChannel, AnimationSampler, ChannelTarget, Json, Map};

/// Marks the nodes that are moved, which then have no matrix.
pub(super) fn plan(out: &mut Output<'_, '_, '_>) {
    for channel in out.scene.animations.iter().flat_map(|animation| &animation.channels) {
        let moves = matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale);
        if let Some(moved) = channel.node.filter(|_| moves).and_then(|id| out.moved.get_mut(id.index())) {
            *moved = true;
        }
    }
}

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let mut silent: Vec<Json> = Vec::new();
    for (id, animation) in scene.animations.entries() {
        let place = Scene::label("animation", id.index(), &animation.name);
        let written = lower_animation(out, animation, &place);
        if !written.channels.is_empty() {
            out.root.animations.push(written);
            continue;
        }
        // glTF demands a channel.
        let mut all = Map::from_iter([("at".to_owned(), json!(id.index()))]);
        all.extend(written.name.map(|name| ("name".to_owned(), json!(name))));
        all.extend(written.extras.map(|extras| ("extras".to_owned(), extras)));
        silent.push(Json::Object(all));
    }
    out.silent = silent;
}

fn lower_animation(out: &mut Output<'_, '_, '_>, animation: &Animation, place: &str) -> schema::Animation {
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
        let lowered = match target(out, channel) {
            Ok(target) if !taken.insert((target.node, target.path.clone())) => {
                Err(Some("another track moves the same"))
            }
            Ok(target) => lower_channel(out, channel, place)
                .map(|(sampler, original)| (target, sampler, original))
                .ok_or((!channel.times.is_empty()).then_some("it has not as many values as keys")),
            Err(why) => Err(Some(why)),
        };
        match lowered {
            Ok((target, sampler, original)) => {
                let sampler = shared(&mut written.samplers, sampler);
                let mut carry = Carry::default();
                if let Some(original) = original {
                    carry.set("original", original);
                }
                let mut channel = AnimationChannel { sampler, target, ..AnimationChannel::default() };
                channel.extras = carry.extras(&Default::default());
                if let Some(said) = inside.remove(&at) {
                    let done = PutBack::into(&mut channel, &said);
                    out.used.extend(done.used);
                    inside.extend(done.left.into_value().map(|left| (at, left)));
                }
                written.channels.push(channel);
            }
            Err(why) => {
                if let Some(why) = why {
                    out.cx.lose(&LOSS_054, place, 1, &format!("{} track", channel.track.word()), why);
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
    let mut left = without(&animation.extras, CHANNELS);
    if !inside.is_empty() {
        let inside = inside.into_iter().map(|(at, said)| (at.to_string(), said)).collect();
        left.to_mut().set(CHANNELS, Value::Map(inside));
    }
    written.extras = out.extras(carry, &left);
    written
}

/// What channels say inside, by their numbers.
fn inside(extras: &Extras) -> BTreeMap<usize, Value> {
    let Some(Value::Map(all)) = extras.get(CHANNELS) else { return BTreeMap::new() };
    all.iter().filter_map(|(at, said)| Some((at.parse().ok()?, said.clone()))).collect()
}

fn shared(samplers: &mut Vec<AnimationSampler>, sampler: AnimationSampler) -> usize {
    samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
        samplers.push(sampler);
        samplers.len() - 1
    })
}

/// What a channel moves in glTF's words, or why glTF cannot move it.
fn target(out: &Output<'_, '_, '_>, channel: &Channel) -> Result<ChannelTarget, &'static str> {
    if matches!(channel.track, Track::Other { .. }) {
        return Err("glTF has no word for it");
    }
    let path = channel.track.word();
    let node = channel.node.filter(|id| out.scene.nodes.get(*id).is_some()).ok_or("it moves no node")?;
    if path == "weights" && targets(out, channel) == 0 {
        return Err("its node shows nothing with morph targets");
    }
    Ok(ChannelTarget { node: Some(node.index()), path: path.to_owned(), ..ChannelTarget::default() })
}

/// How many morph targets the node of a channel has.
fn targets(out: &Output<'_, '_, '_>, channel: &Channel) -> usize {
    let node = channel.node.and_then(|id| out.root.nodes.get(id.index()));
    let mesh = node.and_then(|node| node.mesh).and_then(|mesh| out.root.meshes.get(mesh));
    mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len())
}

/// The sampler of a channel, and the keys as they were if the sampler does not say them.
fn lower_channel(
    out: &mut Output<'_, '_, '_>,
    channel: &Channel,
    place: &str,
) -> Option<(AnimationSampler, Option<Json>)> {
    let width = if channel.track == Track::Weights { targets(out, channel) } else { 0 };
    let played = Played::of(out.scene, channel, width)?;
    let what = format!("{} track", channel.track.word());
    if played.mended > 0 {
        let why = "glTF demands growing times from 0 on, finite values and unit rotations";
        out.cx.lose(&LOSS_051, place, played.mended, &format!("keys of a {what}"), why);
    }
    if let Some(error) = played.error {
        let why = format!("glTF has no such easing; the straight lines are off by {error:.1e} at most");
        out.cx.lose(&LOSS_053, place, 1, &what, &why);
    }
    let changed = channel.relative || played.times != channel.times || !same_bits(&played.values, &channel.values);
    let original = (changed || played.interpolation != channel.interpolation).then(|| describe(out, channel));
    let kind = match channel.track {
        Track::Rotation => ("VEC4", 4),
        Track::Weights => ("SCALAR", 1),
        _ => ("VEC3", 3),
    };
    let sampler = AnimationSampler {
        input: streams::numbers(out, "SCALAR", 1, played.times, true),
        interpolation: match played.interpolation {
            Interpolation::Step => Some("STEP".to_owned()),
            Interpolation::Cubic => Some("CUBICSPLINE".to_owned()),
            _ => None,
        },
        output: streams::numbers(out, kind.0, kind.1, played.values, false),
        ..AnimationSampler::default()
    };
    Some((sampler, original.map(Json::Object)))
}

/// The keys of a channel as the source has them.
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
            let stream = lower_stream(out, &Stream::from_f32(1, values.clone()));
            all.insert(key.into(), stream);
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
