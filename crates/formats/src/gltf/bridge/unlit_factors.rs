//! Factors of an unlit material. Nothing shows them, and a scene has no room for them: they travel with what else a glTF
//! file says inside of its objects.

use scene::{Extras, Material, Pbr, Shading, Value};

use super::inside::{self, Inside};

const METALLIC: &str = "/pbrMetallicRoughness/metallicFactor";
const ROUGHNESS: &str = "/pbrMetallicRoughness/roughnessFactor";
const SPECULAR: &str = "/extensions/KHR_materials_specular/specularFactor";
const SPECULAR_COLOR: &str = "/extensions/KHR_materials_specular/specularColorFactor";

/// Lets the factors of the file travel with an unlit material.
pub(super) fn keep(material: &Material, factors: &Pbr, inside: &mut Inside) {
    let usual = material.pbr();
    let Shading::Unlit { .. } = material.shading else { return };
    let numbers = [
        (METALLIC, factors.metallic, usual.metallic),
        (ROUGHNESS, factors.roughness, usual.roughness),
        (SPECULAR, factors.specular, usual.specular),
    ];
    numbers.into_iter().filter(|(_, is, usual)| is != usual).for_each(|(at, is, _)| inside.add_value(at, is.into()));
    if factors.specular_color != usual.specular_color {
        inside.add_value(SPECULAR_COLOR, Value::List(factors.specular_color.map(Value::F32).to_vec()));
    }
}

/// The factors of a material, with those that are not shown.
pub(super) fn factors(material: &Material) -> Pbr {
    let usual = material.pbr();
    let Shading::Unlit { .. } = material.shading else { return usual };
    let float = |value: &Value| value.as_f64().map(|value| value as f32);
    let number = |at: &str| float(inside::at(&material.extras, at)?);
    let color = || match inside::at(&material.extras, SPECULAR_COLOR)? {
        Value::List(list) => list.iter().map(float).collect::<Option<Vec<f32>>>()?.try_into().ok(),
        _ => None,
    };
    Pbr {
        metallic: number(METALLIC).unwrap_or(usual.metallic),
        roughness: number(ROUGHNESS).unwrap_or(usual.roughness),
        specular: number(SPECULAR).unwrap_or(usual.specular),
        specular_color: color().unwrap_or(usual.specular_color),
        ..usual
    }
}

/// Forgets those factors, which the file says in its own words.
pub(super) fn forget(extras: &mut Extras) {
    inside::forget(extras, &[METALLIC, ROUGHNESS, SPECULAR, SPECULAR_COLOR]);
}
