//! Materials, and the textures they name.

use findings::Place;
use scene::{AlphaMode, ColorChannel, Id, Material, Pbr, Phong, Role, Shading, Slot, Texture, UvTransform};

use super::super::inside::Inside;
use super::super::unlit_factors;
use super::Input;
use super::carried::{Carried, float, floats, text};
use super::default_material::is_default;
use super::images::{self, Sampling};
use super::packed::{self, Packed};
use crate::gltf::extensions::{EMISSIVE_STRENGTH, SPECULAR, TEXTURE_TRANSFORM, UNLIT};
use crate::gltf::rules::{GLTF_014, GLTF_021, GLTF_039};
use crate::gltf::schema::{self, Json, Map, PbrMetallicRoughness, Real, TextureInfo};

/// How far a factor may be from the one it was made of: the Phong mapping takes a root.
const TOLERANCE: f32 = 1e-5;

pub(super) fn lift(input: &mut Input<'_, '_, '_>) {
    for (index, material) in input.root.materials.iter().enumerate() {
        let path = format!("materials[{index}]");
        let mut carried = input.carried(material.extras.as_ref());
        if carried.take("role").is_some() {
            if is_default(material) && !carried.has_own() && carried.foreign().is_none() {
                input.made.materials.push(None);
                continue;
            }
            carried.ignore("role");
        }
        let lifted = lift_material(input, material, carried, &path);
        let id = input.scene.materials.add(lifted);
        input.made.materials.push(Some(id));
    }
    // In glTF the order of images may matter to others.
    if !input.cx.travels {
        packed::leave_out(input);
    }
}

fn lift_material(
    input: &mut Input<'_, '_, '_>,
    material: &schema::Material,
    mut carried: Carried,
    path: &str,
) -> Material {
    let mut lifted = Material { name: carried.name(material.name.as_deref()), ..Material::default() };
    let none = PbrMetallicRoughness::default();
    let pbr = material.pbr_metallic_roughness.as_ref().unwrap_or(&none);
    let specular = object(input, material, SPECULAR, path);
    let mut factors = factors(pbr, specular);
    lifted.emissive = material.emissive_factor.map_or([0.; 3], |v| v.map(narrow));
    let strength = object(input, material, EMISSIVE_STRENGTH, path).and_then(|e| e.get("emissiveStrength")?.as_f64());
    lifted.emissive_strength = strength.unwrap_or(1.) as f32;
    lifted.double_sided = material.double_sided.unwrap_or(false);
    lifted.alpha_mode = alpha_mode(input, material, path);
    lifted.slots = slots(input, material, pbr, specular, path);
    let phong = carried.taken("phong", phong);
    let packed = Packed::new(input, carried.take("packed"), &lifted.slots);
    let said = carried.take("factors");
    let said = || said.as_ref().and_then(Json::as_object).into_iter().flatten();
    if packed.holds_factors() {
        said().for_each(|(key, json)| _ = move_back(&mut factors, key, json));
    }
    lifted.shading = Shading::Pbr(factors);
    if material.extensions.contains_key(UNLIT) {
        lifted.shading = Shading::Unlit { color: factors.base_color };
    } else if let Some(phong) = phong {
        match recoloured(phong, &factors) {
            Some(phong) => lifted.shading = Shading::Phong(phong),
            None => carried.ignore("phong"),
        }
    }
    let additive = carried.taken("alpha_mode", |json| (json.as_str()? == "additive").then_some(()));
    if additive.is_some() {
        if lifted.alpha_mode == AlphaMode::Blend {
            lifted.alpha_mode = AlphaMode::Additive;
        } else {
            carried.ignore("alpha_mode");
        }
    }
    packed.unpack(input, &mut lifted, &mut carried);
    if input.comes_from_elsewhere() {
        leave_out_idle(&mut lifted, &factors);
    }
    if let Some(slots) = carried.take("slots") {
        for (number, json) in slots.as_array().into_iter().flatten().enumerate() {
            match slot(input, json) {
                Some(slot) => lifted.slots.push(slot),
                None => carried.ignore(&format!("slots[{number}]")),
            }
        }
    }
    said().for_each(|(word, json)| _ = full(&mut lifted, word, json));
    lifted.properties = carried.properties();
    carried.settle(&mut lifted.properties, input.meant());
    let known = &[SPECULAR, EMISSIVE_STRENGTH, UNLIT];
    lifted.extras = carried.finish(input, path, &material.extensions, known);
    let mut inside = Inside::of(material);
    unlit_factors::keep(&lifted, &factors, &mut inside);
    inside.keep(&mut lifted.extras);
    lifted
}

fn narrow(number: Real) -> f32 {
    number.0 as f32
}

/// An extension of a material that must be an object.
fn object<'a>(
    input: &mut Input<'_, '_, '_>,
    material: &'a schema::Material,
    name: &str,
    path: &str,
) -> Option<&'a Map<String, Json>> {
    let json = material.extensions.get(name)?;
    if !json.is_object() {
        input.find(&GLTF_039, Place::path(format!("{path}.extensions.{name}")), "it is no object");
    }
    json.as_object()
}

pub(super) fn factors(pbr: &PbrMetallicRoughness, specular: Option<&Map<String, Json>>) -> Pbr {
    let number = |key: &str| Some(specular?.get(key)?.as_f64()? as f32);
    let color = || {
        let list = specular?.get("specularColorFactor")?.as_array()?;
        let list: Vec<f32> = list.iter().map(|v| Some(v.as_f64()? as f32)).collect::<Option<_>>()?;
        <[f32; 3]>::try_from(list).ok()
    };
    Pbr {
        base_color: pbr.base_color_factor.map_or([1.; 4], |color| color.map(narrow)),
        metallic: pbr.metallic_factor.map_or(1., narrow),
        roughness: pbr.roughness_factor.map_or(1., narrow),
        specular: number("specularFactor").unwrap_or(1.),
        specular_color: color().unwrap_or([1.; 3]),
    }
}

fn alpha_mode(input: &mut Input<'_, '_, '_>, material: &schema::Material, path: &str) -> AlphaMode {
    match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => AlphaMode::Mask(material.alpha_cutoff.map_or(0.5, narrow)),
        Some("BLEND") => AlphaMode::Blend,
        Some(other) => {
            input.find(&GLTF_021, Place::path(format!("{path}.alphaMode")), format!("{other} is unknown"));
            AlphaMode::Opaque
        }
    }
}

fn slots(
    input: &mut Input<'_, '_, '_>,
    material: &schema::Material,
    pbr: &PbrMetallicRoughness,
    specular: Option<&Map<String, Json>>,
    path: &str,
) -> Vec<Slot> {
    use ColorChannel::{All, Alpha, Blue, Green, Red};
    let info = |key: &str| specular.and_then(|s| serde_json::from_value::<TextureInfo>(s.get(key)?.clone()).ok());
    let (specular_texture, specular_color) = (info("specularTexture"), info("specularColorTexture"));
    let metallic_roughness = &pbr.metallic_roughness_texture;
    let named = [
        ("pbrMetallicRoughness.baseColorTexture", &pbr.base_color_texture, Role::BaseColor, All),
        ("pbrMetallicRoughness.metallicRoughnessTexture", metallic_roughness, Role::Roughness, Green),
        ("pbrMetallicRoughness.metallicRoughnessTexture", metallic_roughness, Role::Metallic, Blue),
        ("normalTexture", &material.normal_texture, Role::Normal, All),
        ("occlusionTexture", &material.occlusion_texture, Role::Occlusion, Red),
        ("emissiveTexture", &material.emissive_texture, Role::Emission, All),
        ("extensions.KHR_materials_specular.specularTexture", &specular_texture, Role::Specular, Alpha),
        ("extensions.KHR_materials_specular.specularColorTexture", &specular_color, Role::SpecularColor, All),
    ];
    let mut slots = Vec::new();
    for (field, info, role, channel) in named {
        let Some(info) = info else { continue };
        let strength = match role {
            Role::Normal => info.scale,
            Role::Occlusion => info.strength,
            _ => None,
        };
        let count = input.root.textures.len();
        if info.index >= count {
            let message = format!("it is {}, and there are {count}", info.index);
            input.find(&GLTF_014, Place::path(format!("{path}.{field}.index")), message);
            continue;
        }
        let moved = info.extensions.get(TEXTURE_TRANSFORM);
        let tex_coord = moved.and_then(|json| json.get("texCoord")?.as_u64()).or(info.tex_coord.map(|n| n as u64));
        slots.push(Slot {
            role,
            texture: Id::new(info.index),
            channel,
            uv_set: tex_coord.map_or(0, |set| u8::try_from(set).unwrap_or(u8::MAX)),
            strength: strength.map_or(1., narrow),
            transform: moved.map(transform),
        });
    }
    slots
}

fn transform(json: &Json) -> UvTransform {
    let pair = |key: &str, instead: f32| {
        let number = |i: usize| json.get(key).and_then(|list| list.get(i)).and_then(Json::as_f64);
        [0, 1].map(|i| number(i).map_or(instead, |v| v as f32))
    };
    let rotation = json.get("rotation").and_then(Json::as_f64).unwrap_or(0.) as f32;
    UvTransform { offset: pair("offset", 0.), rotation, scale: pair("scale", 1.) }
}

/// Leaves out what glTF reads in an image of roughness and metal beside the one that it is for: nothing of it shows.
fn leave_out_idle(material: &mut Material, factors: &Pbr) {
    let texture = |role: &Role| material.slot(role).map(|slot| slot.texture);
    let shared = texture(&Role::Roughness).is_some() && texture(&Role::Roughness) == texture(&Role::Metallic);
    let is_idle = |role: &Role| match role {
        Role::Metallic => factors.metallic == 0.,
        Role::Roughness => factors.roughness == 0. && factors.metallic != 0.,
        _ => false,
    };
    material.slots.retain(|slot| !shared || !is_idle(&slot.role));
}

/// Gives a factor back that was on a texture which is not there, if nobody gave it another value.
fn full(material: &mut Material, word: &str, json: &Json) -> Option<()> {
    match (role(&word.into())?, &mut material.shading) {
        (Role::Emission, _) if material.emissive == [0.; 3] => {
            let [r, g, b, strength] = floats::<4>(json)?;
            (material.emissive, material.emissive_strength) = ([r, g, b], strength);
        }
        (Role::Metallic, Shading::Pbr(pbr)) if pbr.metallic == 0. => [pbr.metallic] = floats::<1>(json)?,
        (Role::SpecularColor, Shading::Phong(phong)) if phong.specular[..3] == [0.; 3] => {
            phong.specular[..3].copy_from_slice(&floats::<3>(json)?);
        }
        _ => return None,
    }
    Some(())
}

/// Gives a factor back that a packed image says.
fn move_back(factors: &mut Pbr, key: &str, json: &Json) -> Option<()> {
    let slot = match key {
        "metallic" => &mut factors.metallic,
        "roughness" => &mut factors.roughness,
        _ => return None,
    };
    let [was] = floats::<1>(json)?;
    (*slot == 1.).then(|| *slot = was)
}

fn phong(json: &Json) -> Option<Phong> {
    Some(Phong {
        diffuse: floats(json.get("diffuse")?)?,
        specular: floats(json.get("specular")?)?,
        ambient: floats(json.get("ambient")?)?,
        shininess: float(json.get("shininess")?)?,
    })
}

/// A Phong material in the colours that glTF shows, each as it was written with unless somebody changed it. Nothing if it
/// is rough, metallic or reflects otherwise than Phong materials are written: it is none any more.
fn recoloured(mut phong: Phong, shown: &Pbr) -> Option<Phong> {
    let made = Material { shading: Shading::Phong(phong), ..Material::default() }.pbr();
    let valid = |v: f32, high: f32, instead: f32| if v.is_finite() { v.clamp(0., high) } else { instead };
    let is_near = |a: f32, b: f32, high: f32, instead: f32| {
        let (a, b) = (valid(a, high, instead), valid(b, high, instead));
        (a - b).abs() <= TOLERANCE * a.abs().max(1.)
    };
    for (own, shown) in phong.diffuse.iter_mut().zip(shown.base_color) {
        if !is_near(*own, shown, 1., 1.) {
            *own = shown;
        }
    }
    for (own, shown) in phong.specular.iter_mut().zip(shown.specular_color) {
        if !is_near(*own, shown, f32::MAX, 1.) {
            *own = shown;
        }
    }
    let shines_alike = is_near(made.metallic, shown.metallic, 1., 0.)
        && is_near(made.roughness, shown.roughness, 1., 1.)
        && is_near(made.specular, shown.specular, 1., 1.);
    shines_alike.then_some(phong)
}

/// A carried slot.
fn slot(input: &mut Input<'_, '_, '_>, json: &Json) -> Option<Slot> {
    let texture = match json.get("texture") {
        Some(number) => known_texture(input, number)?,
        None => {
            let path = match json.get("path") {
                Some(path) => Some(text(path)?),
                None => None,
            };
            images::missing(input, path, &Sampling::new(json)?, json.get("extras"))
        }
    };
    described(json, texture)
}

/// What is said of a slot beside its texture.
pub(super) fn described(json: &Json, texture: Id<Texture>) -> Option<Slot> {
    let channel = json.get("channel").map_or(Some(ColorChannel::All), channel)?;
    Some(Slot {
        role: role(json.get("role")?)?,
        texture,
        channel,
        uv_set: json.get("uv_set").map_or(Some(0), |set| u8::try_from(set.as_u64()?).ok())?,
        strength: json.get("strength").map_or(Some(1.), float)?,
        transform: json.get("transform").map(transform),
    })
}

fn known_texture(input: &Input<'_, '_, '_>, number: &Json) -> Option<Id<Texture>> {
    let number = input.kept_number(number)?;
    (number < input.root.textures.len()).then(|| Id::new(number))
}

pub(super) fn channel(json: &Json) -> Option<ColorChannel> {
    Some(match json.as_str()? {
        "all" => ColorChannel::All,
        "red" => ColorChannel::Red,
        "green" => ColorChannel::Green,
        "blue" => ColorChannel::Blue,
        "alpha" => ColorChannel::Alpha,
        _ => return None,
    })
}

pub(super) fn role(json: &Json) -> Option<Role> {
    const ROLES: [Role; 10] = [
        Role::BaseColor,
        Role::Normal,
        Role::Emission,
        Role::Occlusion,
        Role::Roughness,
        Role::Metallic,
        Role::Specular,
        Role::SpecularColor,
        Role::Opacity,
        Role::LightMap,
    ];
    if let Some(word) = json.get("other") {
        return Some(Role::Other(word.as_str()?.to_owned()));
    }
    let word = json.as_str()?.replace('-', " ");
    ROLES.into_iter().find(|role| role.name() == word)
}
