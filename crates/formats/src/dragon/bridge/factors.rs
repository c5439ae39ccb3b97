//! Factors of materials: the format has no fields for them, so they are settings.

use scene::{AlphaMode, Material, Name, Pbr, Properties, Role, Shading, Value};

use super::settings::Said;

const ALPHA_MODE: &str = "alpha_mode";
const ALPHA_CUTOFF: &str = "alpha_cutoff";
const DOUBLE_SIDED: &str = "double_sided";

/// The factors of a material that says nothing about them: metal only where a texture says how much.
pub(super) fn plain(material: &Material) -> Pbr {
    let metallic = if material.slot(&Role::Metallic).is_some() { 1. } else { 0. };
    Pbr { metallic, ..Pbr::default() }
}

/// The shader that is written for a material.
pub(super) fn shader(material: &Material) -> &'static str {
    match material.shading {
        Shading::Pbr(_) => "pbr",
        Shading::Phong(_) => "phong",
        Shading::Unlit { .. } => "unlit",
    }
}

/// A number or a few of them, under a key.
struct Factor<'a> {
    key: &'static str,
    now: &'a mut [f32],
    plain: Vec<f32>,
}

/// All factors of a material with those of one that says nothing.
fn table(material: &mut Material) -> Vec<Factor<'_>> {
    let plain = plain(material);
    let phong = scene::Phong::default();
    let factor = |key, now, plain: &[f32]| Factor { key, now, plain: plain.to_vec() };
    let mut out = vec![
        factor("emissive", &mut material.emissive[..], &[0.; 3]),
        factor("emissive_strength", std::slice::from_mut(&mut material.emissive_strength), &[1.]),
    ];
    match &mut material.shading {
        Shading::Pbr(pbr) => out.extend([
            factor("base_color", &mut pbr.base_color[..], &plain.base_color),
            factor("metallic", std::slice::from_mut(&mut pbr.metallic), &[plain.metallic]),
            factor("roughness", std::slice::from_mut(&mut pbr.roughness), &[plain.roughness]),
            factor("specular", std::slice::from_mut(&mut pbr.specular), &[plain.specular]),
            factor("specular_color", &mut pbr.specular_color[..], &plain.specular_color),
        ]),
        Shading::Phong(own) => out.extend([
            factor("diffuse", &mut own.diffuse[..], &phong.diffuse),
            factor("specular", &mut own.specular[..], &phong.specular),
            factor("ambient", &mut own.ambient[..], &phong.ambient),
            factor("shininess", std::slice::from_mut(&mut own.shininess), &[phong.shininess]),
        ]),
        Shading::Unlit { color } => out.push(factor("base_color", &mut color[..], &[1.; 4])),
    }
    out
}

/// Takes the factors out of what settings say.
pub(super) fn lift(material: &mut Material, said: &mut Said) {
    for Factor { key, now, .. } in table(material) {
        match now.len() {
            1 => said.take_floats::<1>(key).into_iter().for_each(|v| now.copy_from_slice(&v)),
            3 => said.take_floats::<3>(key).into_iter().for_each(|v| now.copy_from_slice(&v)),
            _ => said.take_floats::<4>(key).into_iter().for_each(|v| now.copy_from_slice(&v)),
        }
    }
    let cutoff = said.take_floats::<1>(ALPHA_CUTOFF);
    material.alpha_mode = match said.take_text(ALPHA_MODE).as_ref().and_then(Name::as_str) {
        Some("blend") => AlphaMode::Blend,
        Some("additive") => AlphaMode::Additive,
        _ => cutoff.map_or(AlphaMode::Opaque, |[cutoff]| AlphaMode::Mask(cutoff)),
    };
    material.double_sided = said.take_true(DOUBLE_SIDED);
}

/// The factors that say something.
pub(super) fn lower(material: &Material) -> Properties {
    let mut copy = material.clone();
    let mut out: Properties = Vec::new();
    for Factor { key, now, plain } in table(&mut copy) {
        let same = now.iter().zip(&plain).all(|(a, b)| a.to_bits() == b.to_bits());
        let value = match now {
            [one] => Value::F32(*one),
            several => Value::List(several.iter().map(|v| Value::F32(*v)).collect()),
        };
        if !same {
            out.push((key.into(), value));
        }
    }
    match material.alpha_mode {
        AlphaMode::Opaque => {}
        AlphaMode::Mask(cutoff) => out.push((ALPHA_CUTOFF.into(), Value::F32(cutoff))),
        AlphaMode::Blend => out.push((ALPHA_MODE.into(), "blend".into())),
        AlphaMode::Additive => out.push((ALPHA_MODE.into(), "additive".into())),
    }
    if material.double_sided {
        out.push((DOUBLE_SIDED.into(), Value::Bool(true)));
    }
    out
}
