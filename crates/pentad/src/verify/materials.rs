//! Factors of materials.

use std::collections::HashMap;

use scene::{ImageSource, Material, Role, Scene};

use super::attributes::number_error;
use super::finite;
use super::pair::Pair;
use super::shown::Shown;

/// The largest difference of the materials of all pairs. What has no material shows the default one.
pub(super) fn materials(was: &Shown<'_>, is: &Shown<'_>, pairs: &[Pair]) -> f64 {
    let mut known: HashMap<(usize, usize), f64> = HashMap::new();
    let mut largest = 0_f64;
    for pair in pairs {
        let parts = (was.elements[pair.was].0, is.elements[pair.is].0);
        let error = known.entry(parts).or_insert_with(|| {
            let (was_part, is_part) = (was.parts[parts.0].material, is.parts[parts.1].material);
            was_part.map_or(0., |part| material_error((was.scene, part), is_part.map(|part| (is.scene, part))))
        });
        largest = largest.max(*error);
    }
    finite(largest)
}

/// A material in its scene.
type Painted<'a> = (&'a Scene, &'a Material);

fn material_error(was: Painted<'_>, is: Option<Painted<'_>>) -> f64 {
    let Some(is) = is else { return 1. };
    let (was_factors, is_factors) = (factors(was.1), factors(is.1));
    let mut largest = if was.1.double_sided == is.1.double_sided { 0. } else { 1. };
    for ((role, was_factor), (_, is_factor)) in was_factors.iter().zip(&is_factors) {
        let differ = was_factor.iter().zip(is_factor).map(|(a, b)| number_error((*a).into(), (*b).into()));
        let error = differ.fold(0., f64::max);
        let one = is_factor.iter().all(|factor| *factor == 1.);
        if !(one && error > 0. && picture(is, role).is_some() && picture(was, role) != picture(is, role)) {
            largest = error.max(largest);
        }
    }
    largest
}

/// The factors of a material, by what they are multiplied with. One that a picture was made of is 1.
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

/// The picture that a material has in a role, if it is there.
fn picture<'a>((scene, material): Painted<'a>, role: &Role) -> Option<&'a [u8]> {
    let texture = scene.textures.get(material.slot(role)?.texture)?;
    match &scene.images.get(texture.image?)?.source {
        ImageSource::File { bytes, .. } => bytes.as_deref(),
        ImageSource::Embedded { bytes, .. } => Some(bytes),
    }
}
