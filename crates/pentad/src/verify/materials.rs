//! Materials: their factors and images.

use std::collections::HashMap;

use scene::{AlphaMode, Id, Material, Role};

use super::attributes::number_error;
use super::images::{Decoded, ImageError, Seen, image_error};
use super::pair::Pair;
use super::shown::Shown;

/// How the material of a part differs from that of what it is paired with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MaterialError {
    pub(super) factors: f64,
    pub(super) image: ImageError,
}

/// The largest differences of the materials of each part. Pairs come part by part. What has no material shows the
/// default one.
pub(super) fn material_errors(was: &Shown<'_>, is: &Shown<'_>, pairs: &[Pair]) -> Vec<(usize, MaterialError)> {
    let decoded = Decoded::default();
    let mut known: HashMap<(Id<Material>, Option<Id<Material>>), MaterialError> = HashMap::new();
    let mut errors: Vec<(usize, MaterialError)> = Vec::new();
    for pair in pairs {
        let (part, other) = (was.elements[pair.was].0, is.elements[pair.is].0);
        let Some(material) = was.parts[part].material else { continue };
        let Some(expected) = was.scene.materials.get(material) else { continue };
        let other = is.parts[other].material.filter(|id| is.scene.materials.get(*id).is_some());
        let error = *known.entry((material, other)).or_insert_with(|| {
            let Some(other) = other else { return MaterialError { factors: 1., ..MaterialError::default() } };
            compared(was, expected, is, &is.scene.materials[other], &decoded)
        });
        match errors.last_mut().filter(|(last, _)| *last == part) {
            Some((_, largest)) => {
                largest.factors = largest.factors.max(error.factors);
                if error.image.amount > largest.image.amount {
                    largest.image = error.image;
                }
            }
            None => errors.push((part, error)),
        }
    }
    errors
}

fn compared(
    was: &Shown<'_>,
    expected: &Material,
    is: &Shown<'_>,
    found: &Material,
    decoded: &Decoded,
) -> MaterialError {
    let mut out = MaterialError::default();
    if expected.double_sided != found.double_sided {
        out.factors = 1.;
    }
    out.factors = out.factors.max(match (expected.alpha_mode, found.alpha_mode) {
        (AlphaMode::Mask(a), AlphaMode::Mask(b)) => number_error(a.into(), b.into()),
        // glTF notes what adds to what is behind it, and others see it mixed.
        (AlphaMode::Additive, AlphaMode::Blend) => 0.,
        (a, b) => f64::from(u8::from(a != b)),
    });
    let (was_factors, is_factors) = (factors(expected), factors(found));
    for ((role, was_factor), (_, is_factor)) in was_factors.iter().zip(&is_factors) {
        let was_seen = Seen { scene: was.scene, material: expected, factor: was_factor };
        let is_seen = Seen { scene: is.scene, material: found, factor: is_factor };
        let image = image_error(&was_seen, &is_seen, role, decoded);
        if image.amount > out.image.amount {
            out.image = image;
        }
        // A factor that an image was made of, or multiplied with, is 1, and the images tell whether that is right.
        let multiplied = found.slot(role).is_some() && is_factor.iter().all(|factor| *factor == 1.);
        if !multiplied || image.amount > 0. || was_factor == is_factor {
            let differ = was_factor.iter().zip(is_factor).map(|(a, b)| number_error((*a).into(), (*b).into()));
            out.factors = differ.fold(out.factors, f64::max);
        }
    }
    let roles = expected.slots.iter().map(|slot| &slot.role);
    for role in roles.filter(|role| !was_factors.iter().any(|(factored, _)| factored == *role)) {
        let [was_seen, is_seen] =
            [(was, expected), (is, found)].map(|(shown, material)| Seen { scene: shown.scene, material, factor: &[] });
        let image = image_error(&was_seen, &is_seen, role, decoded);
        if image.amount > out.image.amount {
            out.image = image;
        }
    }
    out
}

/// The factors of a material, by what they are multiplied with.
fn factors(material: &Material) -> [(Role, Vec<f32>); 6] {
    let pbr = material.pbr();
    [
        (Role::BaseColor, pbr.base_color.to_vec()),
        (Role::Metallic, vec![pbr.metallic]),
        (Role::Roughness, vec![pbr.roughness]),
        (Role::Specular, vec![pbr.specular]),
        (Role::SpecularColor, pbr.specular_color.to_vec()),
        (Role::Emission, material.emissive.map(|v| v * material.emissive_strength).to_vec()),
    ]
}
