mod attributes;
mod compare;
mod excuses;
mod loose;
mod materials;
mod movements;
mod named;
mod pair;
mod shown;

use findings::{Losses, Result};
use formats::Info;
use scene::fit::fit;
use scene::{Capabilities, Count, Hold, Scene};
use serde::Serialize;

use self::compare::{Comparison, collapsed};
use self::excuses::Excuses;
use crate::{Asset, ConvertOptions};

/// How far a file that was written may be from what was to be written, as a share of the bounding box's diagonal.
pub const TOLERANCE: f64 = 1e-5;

/// How a file that was written compares with the scene it was made of, after all that the losses say. Errors of places
/// are shares of the bounding box's diagonal, the others are in the numbers' own measure.
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
    /// Triangles, lines and points that were compared.
    pub elements: u64,
    /// Elements that should be there and are not.
    pub missing_elements: u64,
    /// Elements that are there and should not be.
    pub extra_elements: u64,
    /// Parts that have a size in the source and none in what was written: their numbers were too large or too small.
    pub collapsed_parts: u64,
    /// The largest distance of a vertex at rest from where it should be.
    pub max_position_error: f64,
    /// The largest distance of a vertex from where skins, morph targets and movements should have it.
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
    /// Names of nodes that should be there, at the same place, and are not.
    pub missing_nodes: u64,
    /// Lights that should be there, at the same place, and are not.
    pub missing_lights: u64,
    /// Animations that should be there, under their names, and are not.
    pub missing_animations: u64,
    /// Which of these are explained by losses, by key.
    pub explained: Vec<&'static str>,
}

impl Verified {
    /// Every measure that has a bound: its key, its value, and the bound.
    pub fn rows(&self) -> [(&'static str, f64, f64); 12] {
        let count = |count: u64| count as f64;
        [
            ("max_position_error", self.max_position_error, self.tolerance),
            ("max_animated_error", self.max_animated_error, self.tolerance),
            ("max_normal_error", self.max_normal_error, self.tolerance),
            ("max_uv_error", self.max_uv_error, self.tolerance),
            ("max_color_error", self.max_color_error, self.tolerance),
            ("max_material_error", self.max_material_error, self.tolerance),
            ("missing_elements", count(self.missing_elements), 0.),
            ("extra_elements", count(self.extra_elements), 0.),
            ("collapsed_parts", count(self.collapsed_parts), 0.),
            ("missing_nodes", count(self.missing_nodes), 0.),
            ("missing_lights", count(self.missing_lights), 0.),
            ("missing_animations", count(self.missing_animations), 0.),
        ]
    }

    /// What is off, but for what losses explain at the objects that they name.
    fn judge(mut self, comparisons: &[(Comparison<'_>, &[&str])], losses: &Losses) -> Verified {
        let off: Vec<_> = self.rows().into_iter().filter(|(_, value, bound)| value > bound).collect();
        let explains = |(key, _, bound): &(&'static str, f64, f64)| {
            let mut measuring = comparisons.iter().filter(|(_, keys)| keys.is_empty() || keys.contains(key));
            measuring.all(|(comparison, _)| {
                let excuses = Excuses::new(losses, comparison.expected());
                excuses.know(key) && comparison.measured(key, Some(&excuses)).is_some_and(|rest| rest <= *bound)
            })
        };
        let (explained, rest): (Vec<_>, Vec<_>) = off.into_iter().partition(explains);
        (self.holds, self.explained) = (rest.is_empty(), explained.into_iter().map(|(key, ..)| key).collect());
        self
    }
}

/// Compares a file that [`crate::convert()`] made with what it was made of. `losses` are those of the conversion.
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
    let info = options.to.info();
    let original = source.scene()?;
    // What the target holds of the source, and what it holds of itself: both have passed the same limits.
    let can = shown_in(&info.capabilities, &original);
    let fitted = |scene: &Scene| fit(scene, &can, info.id, info.name, &mut Losses::default());
    let mut expected = original.clone();
    options.corrections.apply(&mut expected);
    let found = written.scene_of_others()?;
    loose::place(&mut expected, &found);
    let found = fitted(&found);
    let wanted = fitted(&expected);
    let posed = posed(&expected, info, &can);
    let comparison = Comparison::new(&wanted, &found, tolerance, losses);
    let at_rest = Comparison::new(&posed, &found, tolerance, losses);
    let mut measured = comparison.verified();
    measured.max_position_error = measured.max_position_error.max(at_rest.of("max_position_error"));
    measured.missing_elements = measured.missing_elements.max(at_rest.of("missing_elements") as u64);
    measured.extra_elements = measured.extra_elements.max(at_rest.extra_elements());
    // The limits of the target have made the same of both, so that nothing shows there. Corrections can go beyond all
    // limits, after which no place is known that something could be compared with.
    measured.collapsed_parts = collapsed(&original, &expected).max(collapsed(&original, &found));
    Ok(measured.judge(&[(comparison, &[]), (at_rest, &["max_position_error", "missing_elements"])], losses))
}

/// The limits of a target. Where a source has nothing but the faces of voxels, those of the target are faces too.
fn shown_in(can: &Capabilities, source: &Scene) -> Capabilities {
    let voxels = if source.voxels.is_empty() { Hold::No } else { can.voxels };
    Capabilities { voxels, ..*can }
}

/// The source in the limits of the target, but for what was multiplied into vertices there: here it is what it was, and
/// is looked at in its pose. Both ways must show the same.
fn posed(expected: &Scene, info: &Info, can: &Capabilities) -> Scene {
    let can = Capabilities {
        transforms: Hold::Yes,
        skins: Hold::Yes,
        morph_targets: Hold::Yes,
        joint_sets: Count::up_to(u8::MAX),
        ..*can
    };
    fit(expected, &can, info.id, info.name, &mut Losses::default())
}

/// JSON has no word for what is not finite.
fn finite(error: f64) -> f64 {
    if error.is_finite() { error } else { f64::MAX }
}
