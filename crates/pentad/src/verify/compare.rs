//! Everything that is measured, at rest and while it moves.

use std::cell::OnceCell;

use findings::Losses;
use scene::loss::LOSS_040;
use scene::sample::Pose;
use scene::{Animation, Scene, Semantic};

use super::attributes::attribute_error;
use super::excuses::{Excuses, GONE};
use super::materials::materials;
use super::movements::{Movement, counterparts};
use super::named::{lights, missing, nodes};
use super::pair::{Pair, diagonal, distance, pair, size};
use super::shown::{Places, Shown};
use super::{Verified, finite};

/// Times at which an animation is looked at.
const SAMPLES: usize = 30;

/// How exact a moment is, as a share of it: frames are counted in 32-bit floats.
const TIME_ROUNDING: f32 = 1e-6;

/// Two scenes, and which element of one is which of the other.
pub(super) struct Comparison<'a> {
    was: Shown<'a>,
    is: Shown<'a>,
    was_rest: Vec<Places>,
    is_rest: Vec<Places>,
    pairs: Vec<Pair>,
    /// Animations that should be there, and those that are.
    movements: OnceCell<Vec<(Movement, Option<Movement>)>>,
    tolerance: f64,
    diagonal: f64,
    /// Whether the losses tell how far movement is off between keys.
    sampled: bool,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(expected: &'a Scene, found: &'a Scene, tolerance: f64, losses: &Losses) -> Comparison<'a> {
        let bent = !expected.skins.is_empty() && !found.skins.is_empty();
        let (was, is) = (Shown::of(expected, bent), Shown::of(found, bent));
        let (was_rest, is_rest) = (was.places(&Pose::rest(expected)), is.places(&Pose::rest(found)));
        let diagonal = diagonal(&was_rest);
        let pairs = pair((&was_rest, &was.kinds()), (&is_rest, &is.kinds()), tolerance * diagonal);
        let sampled = losses.iter().any(|loss| loss.code == LOSS_040.code);
        Comparison { was, is, was_rest, is_rest, pairs, movements: OnceCell::new(), tolerance, diagonal, sampled }
    }

    /// Everything that is measured.
    pub(super) fn verified(&self) -> Verified {
        let measured = |key: &str| self.of(key);
        let (max_animated_error, samples) = self.animated(&self.pairs, &|_| true);
        Verified {
            holds: false,
            tolerance: self.tolerance,
            diagonal: self.diagonal,
            elements: self.was_rest.len() as u64,
            missing_elements: measured("missing_elements") as u64,
            extra_elements: self.extra_elements(),
            collapsed_parts: 0,
            max_position_error: measured("max_position_error"),
            max_animated_error,
            samples,
            max_normal_error: measured("max_normal_error"),
            max_uv_error: measured("max_uv_error"),
            max_color_error: measured("max_color_error"),
            max_material_error: measured("max_material_error"),
            missing_nodes: measured("missing_nodes") as u64,
            missing_lights: measured("missing_lights") as u64,
            missing_animations: measured("missing_animations") as u64,
            explained: Vec::new(),
        }
    }

    /// The scene that should be there.
    pub(super) fn expected(&self) -> &'a Scene {
        self.was.scene
    }

    /// Elements that should not be there.
    pub(super) fn extra_elements(&self) -> u64 {
        (self.is_rest.len() - self.pairs.len()) as u64
    }

    /// One measure.
    pub(super) fn of(&self, key: &str) -> f64 {
        self.measured(key, None).unwrap_or_default()
    }

    /// One measure, less what is excused; nothing if there is no such measure here.
    pub(super) fn measured(&self, key: &str, excuses: Option<&Excuses<'_>>) -> Option<f64> {
        let excused = |own: &[String]| excuses.is_some_and(|excuses| excuses.explain(key, own));
        let of_part = |part| !excuses.is_some_and(|excuses| excuses.explain_part(key, part));
        let parts: Vec<bool> = self.was.parts.iter().map(of_part).collect();
        let counts = |pair: &&Pair| parts[self.was.elements[pair.was].0];
        let pairs: Vec<Pair> = self.pairs.iter().filter(counts).copied().collect();
        let labelled = |kind: &str, name: &str| !excused(&[Scene::label(kind, 0, &name.into())]);
        Some(match key {
            "max_position_error" => finite(self.farthest(&pairs, &self.was_rest, &self.is_rest)),
            "max_animated_error" => self.animated(&pairs, &|name| labelled("animation", name)).0,
            "max_normal_error" => attribute_error(&self.was, &self.is, &pairs, &Semantic::Normal),
            "max_uv_error" => self.attributes(&pairs, |semantic| matches!(semantic, Semantic::TexCoord(_))),
            "max_color_error" => self.attributes(&pairs, |semantic| matches!(semantic, Semantic::Color(_))),
            "max_material_error" => materials(&self.was, &self.is, &pairs),
            "missing_elements" => {
                let wanted = self.was.elements.iter().filter(|(part, _)| parts[*part]).count();
                (wanted - pairs.len()) as f64
            }
            "missing_nodes" => {
                let mut wanted = nodes(self.was.scene);
                wanted.retain(|(name, _)| labelled("node", name));
                missing(&wanted, &nodes(self.is.scene), self.tolerance * self.diagonal) as f64
            }
            "missing_lights" => {
                let wanted = lights(self.was.scene, &|own| !excused(own));
                let found = lights(self.is.scene, &|_| true);
                missing(&wanted, &found, self.tolerance * self.diagonal) as f64
            }
            "missing_animations" => {
                let missing = |movement: &Movement, other: Option<&Movement>| {
                    let label = Scene::label("animation", 0, &movement.name[..].into());
                    match other {
                        None => !excuses.is_some_and(|excuses| excuses.explain(GONE, &[label])),
                        Some(other) => other.name != movement.name && !movement.name.is_empty() && !excused(&[label]),
                    }
                };
                self.movements().iter().filter(|(movement, other)| missing(movement, other.as_ref())).count() as f64
            }
            _ => return None,
        })
    }

    fn farthest(&self, pairs: &[Pair], was: &[Places], is: &[Places]) -> f64 {
        let gaps = pairs.iter().map(|pair| distance(&was[pair.was], &is[pair.is], pair.turn));
        gaps.fold(0., f64::max) / self.diagonal
    }

    fn attributes(&self, pairs: &[Pair], is_wanted: impl Fn(&Semantic) -> bool) -> f64 {
        let wanted = self.was.semantics().into_iter().filter(is_wanted);
        wanted.map(|semantic| attribute_error(&self.was, &self.is, pairs, &semantic)).fold(0., f64::max)
    }

    fn movements(&self) -> &[(Movement, Option<Movement>)] {
        self.movements.get_or_init(|| counterparts(self.was.scene, self.is.scene))
    }

    /// The error while things move, and the number of moments.
    fn animated(&self, pairs: &[Pair], counts: &dyn Fn(&str) -> bool) -> (f64, u64) {
        let (mut largest, mut samples) = (0_f64, 0);
        for (movement, other) in self.movements().iter().filter(|(movement, _)| counts(&movement.name)) {
            let (movement, Some(other)) = (&movement.animation, other) else { continue };
            let other = &other.animation;
            for time in times(movement, other, self.sampled) {
                let is = self.is.places(&Pose::at(self.is.scene, other, time));
                let was = |time: f32| self.was.places(&Pose::at(self.was.scene, movement, time));
                let error = |time: f32| self.farthest(pairs, &was(time), &is);
                let mut least = error(time);
                // A step that falls on this moment may come a rounding earlier or later.
                for shift in [-TIME_ROUNDING, TIME_ROUNDING] {
                    if least > self.tolerance {
                        least = least.min(error(time + shift * time.abs().max(1.)));
                    }
                }
                largest = largest.max(finite(least));
                samples += 1;
            }
        }
        (largest, samples)
    }
}

/// How many parts of a scene have a size at rest, and have none in what became of it. They may be in another order; if
/// they are not as many, the whole is one.
pub(super) fn collapsed(was: &Scene, is: &Scene) -> u64 {
    let sized = |scene: &Scene| {
        let shown = Shown::of(scene, false);
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

/// Where both say something: evenly over the whole if they have the same keys, else, and where the one that was written
/// is `sampled`, at its keys, between which its curves are its own.
fn times(was: &Animation, is: &Animation, sampled: bool) -> Vec<f32> {
    let keys = |animation: &Animation| {
        let mut keys: Vec<f32> = animation.channels.iter().flat_map(|channel| channel.times.iter().copied()).collect();
        keys.retain(|key| key.is_finite());
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        keys
    };
    let (was, is) = (keys(was), keys(is));
    let (Some(&first), Some(&last)) = (is.first(), is.last()) else { return Vec::new() };
    if was == is && !sampled {
        let step = (last - first) / (SAMPLES - 1) as f32;
        let count = if step > 0. { SAMPLES } else { 1 };
        return (0..count).map(|i| first + step * i as f32).collect();
    }
    let count = is.len().min(SAMPLES);
    (0..count).map(|i| is[i * (is.len() - 1) / (count - 1).max(1)]).collect()
}
