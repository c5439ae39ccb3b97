mod animations;
mod attributes;
mod compare;
mod corrected;
mod explained;
mod images;
mod materials;
mod measure;
mod nodes;
mod pair;
mod shown;
mod voxels;

use findings::{Losses, Result};
use serde::Serialize;

pub use self::measure::Measure;

use self::compare::Comparison;
use self::corrected::Similarity;
use self::explained::Explanations;
use crate::{Asset, ConvertOptions};

/// How far a file that was written may be from what was to be written, as a share of the bounding box's diagonal.
pub const TOLERANCE: f64 = 1e-5;

/// How a file that was written compares with the source: what its scenes show, triangle by triangle, at rest and while
/// it moves. Errors of places are shares of the bounding box's diagonal, the others are in the numbers' own measure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[must_use]
pub struct Verified {
    /// Whether no error is beyond the tolerance and nothing is missing, but for what the losses explain.
    pub holds: bool,
    /// The tolerance.
    pub tolerance: f64,
    /// The diagonal of the bounding box, in metres.
    pub diagonal: f64,
    /// Triangles, lines, points and voxels that all scenes of the source show; instances count each.
    pub elements: u64,
    /// Elements that should be there and are not.
    pub missing_elements: u64,
    /// Elements that are there and should not be.
    pub extra_elements: u64,
    /// Parts that have a size in the source and none in what was written: their numbers were too large or too small.
    pub collapsed_parts: u64,
    /// The largest distance of a vertex at rest from where it should be.
    pub max_position_error: f64,
    /// The largest distance of a vertex from where skins, morph targets and animations should have it.
    pub max_animated_error: f64,
    /// Times at which animations were looked at.
    pub samples: u64,
    /// The largest difference of a normal's coordinate.
    pub max_normal_error: f64,
    /// The largest difference of a texture coordinate.
    pub max_uv_error: f64,
    /// The largest difference of a vertex colour.
    pub max_color_error: f64,
    /// The largest difference of a material's factor on a face that shows it.
    pub max_material_error: f64,
    /// The largest difference of a pixel, times the factor of its material, on a face that shows it; 1 where an image is
    /// missing or its pixels cannot be compared.
    pub max_image_error: f64,
    /// Names of nodes that should be there, at the same place, and are not.
    pub missing_nodes: u64,
    /// Lights that should be there, at the same place, and are not.
    pub missing_lights: u64,
    /// Animations that should be there and are not.
    pub missing_animations: u64,
    /// Animations that are there under other names, or under none.
    pub renamed_animations: u64,
    /// Which of these are off only as far as losses explain it.
    pub explained: Vec<Measure>,
    /// Where it is off further than that, the worst first.
    pub unexplained: Vec<Unexplained>,
}

/// Where a measure is off, and no loss says why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unexplained {
    /// What is off.
    pub measure: Measure,
    /// How far, or how many.
    pub amount: f64,
    /// The object of the source, if it is about one.
    pub r#where: String,
}

/// At most so many objects are told of each measure.
const TOLD: usize = 8;

impl Verified {
    /// The value of a measure.
    pub fn value(&self, measure: Measure) -> f64 {
        match measure {
            Measure::MaxPositionError => self.max_position_error,
            Measure::MaxAnimatedError => self.max_animated_error,
            Measure::MaxNormalError => self.max_normal_error,
            Measure::MaxUvError => self.max_uv_error,
            Measure::MaxColorError => self.max_color_error,
            Measure::MaxMaterialError => self.max_material_error,
            Measure::MaxImageError => self.max_image_error,
            Measure::MissingElements => self.missing_elements as f64,
            Measure::ExtraElements => self.extra_elements as f64,
            Measure::CollapsedParts => self.collapsed_parts as f64,
            Measure::MissingNodes => self.missing_nodes as f64,
            Measure::MissingLights => self.missing_lights as f64,
            Measure::MissingAnimations => self.missing_animations as f64,
            Measure::RenamedAnimations => self.renamed_animations as f64,
        }
    }

    /// What a measure may be at most.
    pub fn bound(&self, measure: Measure) -> f64 {
        if measure.is_count() { 0. } else { self.tolerance }
    }

    /// The measures that are off, whether or not losses explain it.
    pub fn off(&self) -> impl Iterator<Item = Measure> + '_ {
        Measure::ALL.into_iter().filter(|measure| self.value(*measure) > self.bound(*measure))
    }
}

/// Compares a file that [`crate::convert()`] made with what it was made of, as it was read. `losses` are those of the
/// conversion.
///
/// # Errors
/// If either has no scene.
pub fn verify(
    source: &Asset,
    options: &ConvertOptions,
    losses: &Losses,
    written: &Asset,
    tolerance: f64,
) -> Result<Verified> {
    let carries = |asset: &Asset| asset.format().capabilities.carries;
    // What only pentad reads of a file stays what it is where it goes into a file of the same kind.
    let read = source.scene()?;
    let space = read.space;
    let expected = if carries(source) && carries(written) { source.scene_of_others()? } else { read };
    let found = written.scene_of_others()?;
    let similarity = Similarity::of(&options.corrections, &space);
    let comparison = Comparison::new(&expected, similarity, &found, tolerance);
    let found = comparison.found();
    let largest = |measure: Measure| {
        let amounts = found.deviations.iter().filter(|deviation| deviation.measure == measure);
        finite(amounts.map(|deviation| deviation.amount).fold(0., f64::max))
    };
    let count = |measure: Measure| {
        let amounts = found.deviations.iter().filter(|deviation| deviation.measure == measure);
        amounts.map(|deviation| deviation.amount as u64).sum()
    };
    let mut verified = Verified {
        holds: false,
        tolerance,
        diagonal: comparison.diagonal,
        elements: found.elements,
        missing_elements: count(Measure::MissingElements),
        extra_elements: count(Measure::ExtraElements),
        collapsed_parts: count(Measure::CollapsedParts),
        max_position_error: largest(Measure::MaxPositionError),
        max_animated_error: largest(Measure::MaxAnimatedError),
        samples: found.samples,
        max_normal_error: largest(Measure::MaxNormalError),
        max_uv_error: largest(Measure::MaxUvError),
        max_color_error: largest(Measure::MaxColorError),
        max_material_error: largest(Measure::MaxMaterialError),
        max_image_error: largest(Measure::MaxImageError),
        missing_nodes: count(Measure::MissingNodes),
        missing_lights: count(Measure::MissingLights),
        missing_animations: count(Measure::MissingAnimations),
        renamed_animations: count(Measure::RenamedAnimations),
        explained: Vec::new(),
        unexplained: Vec::new(),
    };
    let mut explanations = Explanations::new(losses, &expected, &comparison.was.parts, tolerance);
    let off: Vec<Measure> = verified.off().collect();
    for measure in off {
        let bound = verified.bound(measure);
        let beyond = found.deviations.iter().filter(|d| d.measure == measure && d.amount > bound);
        let mut left: Vec<_> = beyond.filter(|deviation| !explanations.explain(deviation)).collect();
        if left.is_empty() {
            verified.explained.push(measure);
        }
        left.sort_by(|a, b| b.amount.total_cmp(&a.amount));
        verified.unexplained.extend(left.into_iter().take(TOLD).map(|deviation| Unexplained {
            measure,
            amount: finite(deviation.amount),
            r#where: explanations.label(deviation.object),
        }));
    }
    verified.holds = verified.unexplained.is_empty();
    Ok(verified)
}

/// JSON holds finite numbers only.
fn finite(error: f64) -> f64 {
    if error.is_finite() { error } else { f64::MAX }
}
