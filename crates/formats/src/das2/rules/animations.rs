//! Channels.

use findings::{Severity, rule};
use wire::F32;

use super::super::channel::{AnimationChannel, AnimationTarget};
use super::super::document::{Document, Parts};
use super::super::form::Kind;
use super::super::layout::NONE;
use super::place;

rule! {
    /// ## What it finds
    /// A channel that names both a node and a joint, or neither, or a joint for weights; an unknown target or
    /// interpolation.
    ///
    /// ## Why it matters
    /// Nothing says what it moves, or how.
    ///
    /// ## Example
    /// `animation_target` is 0.
    ///
    /// ## Fix
    /// Set one of the ids to -1; targets are 1 to 4, interpolations 1 to 3.
    DAS2_042 "DAS2-042" "channel-target", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, channel) in doc.parts().channels.iter().enumerate() {
            let place = place(doc, Kind::ANIMATION_CHANNEL, i);
            match (channel.node_property_id, channel.joint_property_id) {
                (NONE, NONE) => cx.report(place.field("node_property_id"), "it names neither a node nor a joint"),
                (NONE, _) | (_, NONE) => {}
                _ => cx.report(place.field("joint_property_id"), "it names both a node and a joint"),
            }
            let (target, interpolation) = (channel.animation_target, channel.interpolation_type);
            if target == AnimationTarget::WEIGHTS && channel.joint_property_id != NONE {
                cx.report(place.field("joint_property_id"), "weights belong to the morph targets of a node");
            }
            if !target.is_known() {
                cx.report(place.field("animation_target"), format!("the target is {}; targets are 1 to 4", target.0));
            }
            if !interpolation.is_known() {
                let message = format!("the interpolation is {}; interpolations are 1 to 3", interpolation.0);
                cx.report(place.field("interpolation_type"), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Keyframes whose times are negative or do not rise; as a warning, a channel without keyframes.
    ///
    /// ## Why it matters
    /// Between two keyframes of one time nothing can be interpolated.
    ///
    /// ## Example
    /// Times 0, 1, 1.
    ///
    /// ## Fix
    /// Remove keyframes of equal times, and sort the rest.
    DAS2_043 "DAS2-043" "keyframe-times", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, channel) in doc.parts().channels.iter().enumerate() {
            let place = place(doc, Kind::ANIMATION_CHANNEL, i);
            if channel.keyframes.is_empty() {
                cx.report_as(Severity::Warning, place.field("keyframe_count"), "there are no keyframes");
            }
            let mut last: Option<f32> = None;
            for (k, time) in channel.keyframes.iter().map(F32::get).enumerate() {
                let why = match last {
                    None if time < 0. => Some("times begin at 0".to_owned()),
                    Some(last) if time <= last => Some(format!("the one before it is {last}")),
                    _ => None,
                };
                if let Some(why) = why {
                    cx.report(place.field("keyframes").nth(k), format!("the time is {time}, and {why}"));
                }
                last = Some(time);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A weights channel without weights; as a warning, one whose number of weights is not that of the node's morph
    /// targets, or a channel of another target that counts weights.
    ///
    /// ## Why it matters
    /// Values would go to morph targets that do not exist.
    ///
    /// ## Example
    /// `weight_count` is 2 for a mesh with one morph target.
    ///
    /// ## Fix
    /// Write one weight per morph target.
    DAS2_044 "DAS2-044" "weight-count", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        for (i, channel) in parts.channels.iter().enumerate() {
            let place = place(doc, Kind::ANIMATION_CHANNEL, i).field("weight_count");
            let count = channel.weight_count;
            if channel.animation_target != AnimationTarget::WEIGHTS {
                if count != 0 {
                    let message = format!("it counts {count} weights and animates something else");
                    cx.report_as(Severity::Warning, place, message);
                }
            } else if count == 0 {
                cx.report(place, "it animates weights and has none");
            } else if let Some(targets) = targets(&parts, channel).filter(|targets| *targets != count as usize) {
                let message = format!("it has {count} weights, the node {targets} morph targets");
                cx.report_as(Severity::Warning, place, message);
            }
        }
    }
}

/// The morph targets that a channel's node shows.
fn targets(parts: &Parts<'_>, channel: &AnimationChannel) -> Option<usize> {
    let node = parts.nodes.get(channel.node_property_id as usize)?;
    let group = parts.mesh_groups.get(node.mesh_group_id as usize);
    let meshes = group.into_iter().flat_map(|group| group.meshes.iter());
    let targets = meshes.filter_map(|id| parts.meshes.get(id as usize)).map(|mesh| mesh.morph_targets.len());
    Some(targets.max().unwrap_or(0))
}
