//! Everything that is measured, at rest and while it moves.

use std::collections::BTreeMap;

use scene::sample::Pose;
use scene::{Animation, Scene, Semantic};

use super::attributes::attribute_error;
use super::materials::materials;
use super::named::{lights, missing, nodes};
use super::pair::{diagonal, distance, pair, size};
use super::shown::{Places, Shown};
use super::{Verified, finite};

/// Times at which an animation is looked at.
const SAMPLES: usize = 30;

/// How exact a moment is, as a share of it: frames are counted in 32-bit floats.
const TIME_ROUNDING: f32 = 1e-6;

/// Measures how far one scene is from another.
pub(super) fn compare(expected: &Scene, found: &Scene, tolerance: f64) -> Verified {
    let (was, is) = (Shown::of(expected), Shown::of(found));
    let (was_rest, is_rest) = (was.places(&Pose::rest(expected)), is.places(&Pose::rest(found)));
    let diagonal = diagonal(&was_rest);
    let pairs = pair((&was_rest, &was.kinds()), (&is_rest, &is.kinds()), tolerance * diagonal);
    let farthest = |was: &[Places], is: &[Places]| {
        let gaps = pairs.iter().map(|pair| distance(&was[pair.was], &is[pair.is], pair.turn));
        gaps.fold(0., f64::max) / diagonal
    };
    let mut verified = Verified {
        holds: false,
        tolerance,
        diagonal,
        elements: was_rest.len() as u64,
        missing_elements: (was_rest.len() - pairs.len()) as u64,
        extra_elements: (is_rest.len() - pairs.len()) as u64,
        collapsed_parts: 0,
        max_position_error: finite(farthest(&was_rest, &is_rest)),
        max_animated_error: 0.,
        samples: 0,
        max_normal_error: 0.,
        max_uv_error: 0.,
        max_color_error: 0.,
        max_material_error: materials(&was, &is, &pairs),
        missing_nodes: missing(&nodes(expected), &nodes(found), tolerance * diagonal),
        missing_lights: missing(&lights(expected), &lights(found), tolerance * diagonal),
        missing_animations: 0,
        explained: Vec::new(),
    };
    let attribute = |semantic: &Semantic| attribute_error(&was, &is, &pairs, semantic);
    verified.max_normal_error = attribute(&Semantic::Normal);
    for semantic in was.semantics() {
        match semantic {
            Semantic::TexCoord(_) => verified.max_uv_error = verified.max_uv_error.max(attribute(&semantic)),
            Semantic::Color(_) => verified.max_color_error = verified.max_color_error.max(attribute(&semantic)),
            _ => {}
        }
    }
    let (moving, moved) = (movements(expected), movements(found));
    for (name, movement) in &moving {
        let Some(other) = moved.get(name) else {
            verified.missing_animations += 1;
            continue;
        };
        for time in times(movement, other) {
            let is = is.places(&Pose::at(found, other, time));
            let error = |time: f32| farthest(&was.places(&Pose::at(expected, movement, time)), &is);
            let mut least = error(time);
            // A step that falls on this moment may come a rounding earlier or later.
            for shift in [-TIME_ROUNDING, TIME_ROUNDING] {
                if least > tolerance {
                    least = least.min(error(time + shift * time.abs().max(1.)));
                }
            }
            verified.max_animated_error = verified.max_animated_error.max(finite(least));
            verified.samples += 1;
        }
    }
    verified
}

/// How many parts of a scene have a size at rest, and have none in what became of it. They may be in another order; if
/// they are not as many, the whole is one.
pub(super) fn collapsed(was: &Scene, is: &Scene) -> u64 {
    let sized = |scene: &Scene| {
        let shown = Shown::of(scene);
        let places = shown.places(&Pose::rest(scene));
        let parts: Vec<f64> = shown.by_part(&places).filter(|part| !part.is_empty()).map(size).collect();
        (parts.len(), parts.iter().filter(|size| **size > 0.).count())
    };
    let ((was, was_sized), (is, is_sized)) = (sized(was), sized(is));
    match is {
        // What was left out is missing, which is another measure.
        0 => 0,
        _ if was == is => was_sized.saturating_sub(is_sized) as u64,
        _ => u64::from(was_sized > 0 && is_sized == 0),
    }
}

/// Everything that moves under one name: some formats have an animation per mesh.
fn movements(scene: &Scene) -> BTreeMap<String, Animation> {
    let mut all: BTreeMap<String, Animation> = BTreeMap::new();
    for animation in scene.animations.iter().filter(|animation| animation.channels.iter().any(|c| c.node.is_some())) {
        let entry = all.entry(animation.name.to_string()).or_default();
        entry.channels.extend(animation.channels.iter().cloned());
    }
    all
}

/// Where both say something: evenly over the whole if they have the same keys, else at those of the one that was
/// written, between which its curves are its own.
fn times(was: &Animation, is: &Animation) -> Vec<f32> {
    let keys = |animation: &Animation| {
        let mut keys: Vec<f32> = animation.channels.iter().flat_map(|channel| channel.times.iter().copied()).collect();
        keys.retain(|key| key.is_finite());
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        keys
    };
    let (was, is) = (keys(was), keys(is));
    let (Some(&first), Some(&last)) = (is.first(), is.last()) else { return Vec::new() };
    if was == is {
        let step = (last - first) / (SAMPLES - 1) as f32;
        let count = if step > 0. { SAMPLES } else { 1 };
        return (0..count).map(|i| first + step * i as f32).collect();
    }
    let count = is.len().min(SAMPLES);
    (0..count).map(|i| is[i * (is.len() - 1) / (count - 1).max(1)]).collect()
}
