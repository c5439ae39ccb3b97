//! Factors of an unlit material. Nothing shows them, and a scene has no room for them.

use scene::{Extras, Material, Pbr, Shading, Value};

const METALLIC: &str = "gltf.metallic";
const ROUGHNESS: &str = "gltf.roughness";
const SPECULAR: &str = "gltf.specular";
const SPECULAR_COLOR: &str = "gltf.specular_color";

/// Lets the factors of the file travel with an unlit material.
pub(super) fn keep(material: &mut Material, factors: &Pbr) {
    let usual = material.pbr();
    let Shading::Unlit { .. } = material.shading else { return };
    let extras = &mut material.extras;
    let numbers = [
        (METALLIC, factors.metallic, usual.metallic),
        (ROUGHNESS, factors.roughness, usual.roughness),
        (SPECULAR, factors.specular, usual.specular),
    ];
    numbers.into_iter().filter(|(_, is, usual)| is != usual).for_each(|(key, is, _)| extras.set(key, is));
    if factors.specular_color != usual.specular_color {
        let list = factors.specular_color.into_iter().map(Value::F32).collect();
        extras.set(SPECULAR_COLOR, Value::List(list));
    }
}

/// The factors of a material, with those that nothing shows.
pub(super) fn factors(material: &Material) -> Pbr {
    let usual = material.pbr();
    let Shading::Unlit { .. } = material.shading else { return usual };
    let float = |value: &Value| match value {
        Value::F32(value) => Some(*value),
        _ => None,
    };
    let number = |key: &str| float(material.extras.get(key)?);
    let color = || match material.extras.get(SPECULAR_COLOR)? {
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

/// Extras without those factors, which the file says in its own words.
pub(super) fn forget(extras: &mut Extras) {
    extras.own.retain(|(key, _)| ![METALLIC, ROUGHNESS, SPECULAR, SPECULAR_COLOR].contains(&key.as_str()));
}
