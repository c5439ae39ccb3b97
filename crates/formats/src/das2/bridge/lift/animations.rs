//! Animations. A channel of a joint moves every node that the joint became.

use findings::Result;
use scene::loss::*;
use scene::{Animation, Channel, Id, Node, Track};
use wire::F32;

use super::super::super::channel::{AnimationChannel, AnimationTarget, Interpolation};
use super::super::super::form::Kind;
use super::super::super::layout::NONE;
use super::super::{UNKNOWN, name};
use super::{Lift, ROOM};

pub(super) fn lift(lift: &mut Lift<'_, '_, '_>) -> Result<()> {
    let parts = lift.parts;
    let mut played = vec![false; parts.channels.len()];
    for (i, stored) in parts.animations.iter().enumerate() {
        let ids: Vec<usize> =
            stored.animation_channels.iter().map(|id| id as usize).filter(|id| *id < played.len()).collect();
        let place = format!("{}[{i}]", Kind::ANIMATION.list());
        lift.broken(&place, stored.animation_channels.len() - ids.len(), "links to channels");
        let mut animation = animation(lift, &ids, &mut played)?;
        animation.name = stored.name.as_ref().map(name).unwrap_or_default();
        lift.scene.animations.add(animation);
    }
    let rest: Vec<usize> = (0..played.len()).filter(|id| !played[*id]).collect();
    if !rest.is_empty() {
        let animation = animation(lift, &rest, &mut played)?;
        lift.scene.animations.add(animation);
    }
    Ok(())
}

fn animation(lift: &mut Lift<'_, '_, '_>, ids: &[usize], played: &mut [bool]) -> Result<Animation> {
    let mut out = Animation::default();
    for &id in ids {
        let stored = lift.parts.channels[id];
        let place = format!("{}[{id}]", Kind::ANIMATION_CHANNEL.list());
        let nodes = targets(lift, stored, &place);
        // Every further channel takes room that the file does not.
        let further = nodes.len() - usize::from(!std::mem::replace(&mut played[id], true));
        let keys = stored.keyframes.len() + stored.tangents.len() + stored.target_values.len();
        lift.take(further.saturating_mul(1 + keys / ROOM as usize))?;
        let channel = channel(lift, stored, &place);
        out.channels.extend(nodes.into_iter().map(|node| Channel { node, ..channel.clone() }));
    }
    Ok(out)
}

/// The nodes that a channel moves; one that is not there if it moves nothing.
fn targets(lift: &mut Lift<'_, '_, '_>, stored: &AnimationChannel, place: &str) -> Vec<Option<Id<Node>>> {
    let (node, joint) = (stored.node_property_id, stored.joint_property_id);
    if node != NONE {
        let weights = stored.animation_target == AnimationTarget::WEIGHTS;
        let found = match lift.holders.get(node as usize) {
            Some(holder) if weights => Some(*holder),
            Some(_) => Some(Id::new(node as usize)),
            None => None,
        };
        lift.broken(place, usize::from(found.is_none()), "links of a channel");
        lift.cut(place, usize::from(joint != NONE), "links of a channel", "it names a node as well, and that counts");
        return vec![found];
    }
    match lift.joints.get(joint as usize) {
        Some(nodes) if !nodes.is_empty() => nodes.iter().copied().map(Some).collect(),
        _ => {
            lift.broken(place, usize::from(joint != NONE), "links of a channel");
            vec![None]
        }
    }
}

fn channel(lift: &mut Lift<'_, '_, '_>, stored: &AnimationChannel, place: &str) -> Channel {
    let width = stored.width();
    let track = match stored.animation_target {
        AnimationTarget::WEIGHTS => Track::Weights,
        AnimationTarget::TRANSLATION => Track::Translation,
        AnimationTarget::ROTATION => Track::Rotation,
        AnimationTarget::SCALE => Track::Scale,
        _ => Track::Other { word: UNKNOWN.to_owned(), width: 0 },
    };
    let interpolation = match stored.interpolation_type {
        Interpolation::LINEAR => scene::Interpolation::Linear,
        Interpolation::STEP => scene::Interpolation::Step,
        Interpolation::CUBIC_SPLINE => scene::Interpolation::Cubic,
        _ => {
            lift.cx.lose(&LOSS_063, place, 1, "interpolation", "its number has no meaning; lines join the keys");
            scene::Interpolation::Linear
        }
    };
    let floats = |bulk: &wire::Bulk<F32>| bulk.iter().map(F32::get).collect::<Vec<f32>>();
    let (values, tangents) = (floats(&stored.target_values), floats(&stored.tangents));
    let mut keys =
        if interpolation == scene::Interpolation::Cubic { interleaved(&tangents, &values, width) } else { values };
    if track == Track::Scale {
        keys = keys.into_iter().flat_map(|scale| [scale; 3]).collect();
    }
    Channel { node: None, track, times: floats(&stored.keyframes), values: keys, interpolation, relative: false }
}

/// Tangents before all values become in-tangent, value, out-tangent of each key.
fn interleaved(tangents: &[f32], values: &[f32], width: usize) -> Vec<f32> {
    if width == 0 {
        return Vec::new();
    }
    let pairs = tangents.chunks_exact(width * 2).zip(values.chunks_exact(width));
    pairs.flat_map(|(pair, value)| [&pair[..width], value, &pair[width..]].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_stand_around_their_values() {
        // Two keys of two numbers whose tangents before and behind differ.
        let tangents = [1., 2., 3., 4., 5., 6., 7., 8.];
        let values = [10., 20., 30., 40.];
        assert_eq!(interleaved(&tangents, &values, 2), [1., 2., 10., 20., 3., 4., 5., 6., 30., 40., 7., 8.]);
        assert!(interleaved(&tangents, &values, 0).is_empty());
    }
}
