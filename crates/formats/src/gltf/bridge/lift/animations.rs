//! Animations.

use findings::{Place, Result};
use scene::{Animation, Channel, Id, Interpolation, Node, Track};

use super::super::inside::{Inside, add_words};
use super::super::pointers;
use super::{Input, accessors, keys};
use crate::gltf::extensions::POINTER;
use crate::gltf::rules::{GLTF_021, GLTF_032};
use crate::gltf::schema::{self, Json, Map, gl};

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    let mut all = Vec::with_capacity(input.root.animations.len());
    for (index, animation) in input.root.animations.iter().enumerate() {
        let path = format!("animations[{index}]");
        let mut carried = input.carried(animation.extras.as_ref());
        let mut lifted = Animation { name: carried.name(animation.name.as_deref()), ..Animation::default() };
        let mut beside = Vec::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("{path}.channels[{number}]");
            let extras = input.carried(channel.extras.as_ref());
            if let Some(shown) = lift_channel(input, animation, channel, index, &path)? {
                let pointed = matches!(&shown.track, Track::Other { word, .. } if word.starts_with('/'));
                beside.push(inside(channel, extras.foreign(), pointed).into_value());
                lifted.channels.push(shown);
            }
        }
        keys::take_back(input, &mut lifted, &mut carried, |at| beside.insert(at, None));
        lifted.extras = carried.finish(input, &path, &animation.extensions, &[]);
        let beside = beside.into_iter().enumerate().filter_map(|(i, inside)| Some((i.to_string(), inside?)));
        add_words(&mut lifted.extras, beside.collect());
        all.push(lifted);
    }
    for json in input.said.unplayable.take().iter().flat_map(|json| json.as_array()).flatten() {
        let mut carried = input.carried(json.get("extras"));
        let name = carried.name(json.get("name").and_then(Json::as_str));
        let mut lifted = Animation { name, ..Animation::default() };
        keys::take_back(input, &mut lifted, &mut carried, |_| {});
        lifted.extras = carried.finish(input, "asset", &Map::new(), &[]);
        let at = json.get("at").and_then(Json::as_u64).map_or(usize::MAX, |at| at as usize);
        all.insert(at.min(all.len()), lifted);
    }
    all.into_iter().for_each(|animation| _ = input.scene.animations.add(animation));
    Ok(())
}

/// What a channel says beside its own properties, one of which the pointer is that says what it moves.
fn inside(channel: &schema::AnimationChannel, extras: Option<&Json>, pointed: bool) -> Inside {
    let mut inside = Inside::default();
    inside.add_object("", &channel.extensions, extras);
    let mut extensions = channel.target.extensions.clone();
    if pointed && extensions.get(POINTER).and_then(Json::as_object).is_some_and(|pointer| pointer.len() == 1) {
        extensions.shift_remove(POINTER);
    }
    inside.add_object("/target", &extensions, channel.target.extras.as_ref());
    inside
}

fn lift_channel(
    input: &mut Input<'_, '_, '_>,
    animation: &schema::Animation,
    channel: &schema::AnimationChannel,
    index: usize,
    path: &str,
) -> Result<Option<Channel>> {
    let samplers = animation.samplers.len();
    let Some(number) = input.number(channel.sampler, samplers, &format!("{path}.sampler")) else { return Ok(None) };
    let sampler = &animation.samplers[number];
    let at = format!("animations[{index}].samplers[{number}]");
    let target = &channel.target;
    let node = match target.node {
        None => pointed_at(input, target, sampler.output),
        Some(node) => {
            let nodes = std::mem::take(&mut input.made.nodes);
            let node = input.refer(&nodes, node, &format!("{path}.target.node"));
            input.made.nodes = nodes;
            if node.is_none() {
                return Ok(None);
            }
            node
        }
    };
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        Some(other) => {
            let place = Place::path(format!("{at}.interpolation"));
            input.find(&GLTF_021, place, format!("{other} is unknown; taken as LINEAR"));
            Interpolation::Linear
        }
    };
    let widths = match target.path.as_str() {
        "translation" | "scale" => 3..=3,
        "rotation" => 4..=4,
        "weights" => 1..=1,
        _ => 1..=16,
    };
    let Some(times) = accessors::floats(input, sampler.input, 1..=1, &format!("{at}.input"))? else { return Ok(None) };
    let output = accessors::floats(input, sampler.output, widths.clone(), &format!("{at}.output"))?;
    let Some(values) = output else { return Ok(None) };
    let per_key = if interpolation == Interpolation::Cubic { 3 } else { 1 };
    let keys = times.len() * per_key;
    let width = values.len().checked_div(keys).unwrap_or(0);
    let fits = width > 0
        && width * keys == values.len()
        && (widths != (3..=3) || width == 3)
        && (widths != (4..=4) || width == 4);
    if !fits {
        let message = format!("{} numbers for {} keys do not fit", values.len(), times.len());
        input.find(&GLTF_032, Place::path(format!("{at}.output")), message);
        return Ok(None);
    }
    let track = match target.path.as_str() {
        "translation" => Track::Translation,
        "rotation" => Track::Rotation,
        "scale" => Track::Scale,
        "weights" => Track::Weights,
        other => Track::Other { word: word(input, target, sampler.output, other), width: width as u32 },
    };
    Ok(Some(Channel { node, track, times, values, interpolation, relative: false }))
}

/// What moves if it is no property of a node: the pointer of `KHR_animation_pointer`, or the word itself. A pointer to
/// what is no fraction cannot be written again.
fn word(input: &Input<'_, '_, '_>, target: &schema::ChannelTarget, values: usize, path: &str) -> String {
    let accessor = input.root.accessors.get(values);
    let is_float = accessor.is_some_and(|a| a.component_type == gl::FLOAT || a.normalized == Some(true));
    let word = pointer(target).filter(|pointer| {
        is_float || pointers::node_of(pointer).is_some_and(|(_, property)| pointers::is_flag(property))
    });
    word.unwrap_or(path).to_owned()
}

fn pointer(target: &schema::ChannelTarget) -> Option<&str> {
    let json = target.extensions.get(POINTER).filter(|_| target.path == "pointer")?;
    json.get("pointer")?.as_str()
}

/// The node that a pointer leads to, if its values are such that they can be written again.
fn pointed_at(input: &Input<'_, '_, '_>, target: &schema::ChannelTarget, values: usize) -> Option<Id<Node>> {
    let (number, property) = pointers::node_of(pointer(target)?)?;
    let is_float = input.root.accessors.get(values)?.component_type == gl::FLOAT;
    (is_float || pointers::is_flag(property)).then(|| input.made.nodes.get(number).copied().flatten())?
}
