//! What the properties of a material say about its look: to whoever reads them, and to whoever writes them and asks what
//! a reader would find.
//!
//! Beside the engine's keys a few are pentad's own, written only where the engine has none and read back: `metallic`,
//! `roughness`, `specular`, `emissionColor`, `emissionStrength`, `ambientColor`, `alphaMode`, `alphaCutoff`. Others
//! ignore them, as the document allows.

use scene::{AlphaMode, Material, Name, Pbr, Phong, Role, Shading};

use crate::dgl2::dml::value;
use crate::dgl2::properties::{Properties, slot_of};

const DIFFUSE: [f32; 4] = [0.8, 0.8, 0.8, 1.];
pub(super) const SPECULAR: [f32; 4] = [1.; 4];
pub(super) const SHININESS: f32 = 64.;
const NO_AMBIENT: [f32; 4] = [0., 0., 0., 1.];
pub(super) const CUTOFF: f32 = 0.5;

/// Keys that become something of the scene, whatever the shading is.
const KEYS: &[&str] = &[
    "diffuseColor",
    "emission",
    "shadeless",
    "texturesNum",
    "doubleSided",
    "blendMode",
    "emissionColor",
    "emissionStrength",
    "alphaMode",
    "alphaCutoff",
];

/// Keys that only some shadings show. The engine has no key for metals: `shininess` is said beside `roughness`.
fn keys_of(shading: &Shading) -> &'static [&'static str] {
    match shading {
        Shading::Unlit { .. } => &[],
        Shading::Phong(_) => &["specularColor", "shininess", "ambientColor"],
        Shading::Pbr(_) => &["specularColor", "shininess", "metallic", "roughness", "specular"],
    }
}

/// Whether a key becomes something of a material of this shading; all others are properties.
pub(super) fn is_known(key: &[u8], shading: &Shading) -> bool {
    let without_blend = key.strip_suffix(b"Blend").unwrap_or(key);
    slot_of(without_blend).is_some() || KEYS.iter().chain(keys_of(shading)).any(|known| known.as_bytes() == key)
}

/// Whether a property says only what exporters write where nothing else is meant.
pub(super) fn is_usual(key: &[u8], said: &[u8]) -> bool {
    match key {
        b"specularColor" => value::array(said) == Some(SPECULAR),
        b"shininess" => value::float(said) == Some(SHININESS),
        _ => false,
    }
}

/// What is known about a material from elsewhere.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// Whether an entity that shows it as it is is transparent.
    pub(super) transparent: bool,
    /// Whether it has a texture for emission.
    pub(super) glows: bool,
}

/// Asks a text, whether read or being written.
pub(super) trait Ask {
    fn ask(&self, key: &str) -> Option<&[u8]>;
    fn float(&self, key: &str) -> Option<f32> {
        self.ask(key).and_then(value::float)
    }
    fn array<const N: usize>(&self, key: &str) -> Option<[f32; N]> {
        self.ask(key).and_then(value::array)
    }
    fn flag(&self, key: &str) -> bool {
        self.ask(key).and_then(value::boolean).unwrap_or(false)
    }
}
impl Ask for Properties {
    fn ask(&self, key: &str) -> Option<&[u8]> {
        self.get(key)
    }
}

pub(super) fn shading(text: &impl Ask) -> Shading {
    let diffuse = text.array("diffuseColor").unwrap_or(DIFFUSE);
    let specular = text.array("specularColor").unwrap_or(SPECULAR);
    let (metallic, roughness) = (text.float("metallic"), text.float("roughness"));
    if text.flag("shadeless") {
        Shading::Unlit { color: diffuse }
    } else if metallic.is_some() || roughness.is_some() {
        Shading::Pbr(Pbr {
            base_color: diffuse,
            metallic: metallic.unwrap_or(0.),
            roughness: roughness.unwrap_or(1.),
            specular: text.float("specular").unwrap_or(1.),
            specular_color: [specular[0], specular[1], specular[2]],
        })
    } else {
        let shininess = text.float("shininess").unwrap_or(SHININESS);
        Shading::Phong(Phong { diffuse, specular, ambient: ambient(text), shininess })
    }
}

/// `emission` sets ambient and emitted light to so much of the diffuse colour, if there is one.
fn glow(text: &impl Ask) -> Option<([f32; 3], f32)> {
    let [r, g, b, _] = text.array("diffuseColor")?;
    text.float("emission").filter(|value| *value != 0.).map(|value| ([r, g, b], value))
}

pub(super) fn ambient(text: &impl Ask) -> [f32; 4] {
    let given = text.array("ambientColor");
    let glowing = || glow(text).map(|([r, g, b], value)| [r * value, g * value, b * value, 1.]);
    given.or_else(glowing).unwrap_or(NO_AMBIENT)
}

/// A texture for emission glows by itself; without one it is the diffuse colour that glows.
pub(super) fn emission(text: &impl Ask, around: Around) -> ([f32; 3], f32) {
    match text.array("emissionColor") {
        Some(color) => (color, text.float("emissionStrength").unwrap_or(1.)),
        None if around.glows => ([1.; 3], 1.),
        None => glow(text).unwrap_or(([0.; 3], 1.)),
    }
}

pub(super) fn alpha_mode(text: &impl Ask, around: Around) -> AlphaMode {
    let opaque = text.array("diffuseColor").unwrap_or(DIFFUSE)[3] >= 1.;
    match text.ask("alphaMode") {
        Some(b"opaque") => AlphaMode::Opaque,
        Some(b"blend") => AlphaMode::Blend,
        Some(b"mask") => AlphaMode::Mask(text.float("alphaCutoff").unwrap_or(CUTOFF)),
        _ if text.ask("blendMode").and_then(value::int) == Some(1) => AlphaMode::Additive,
        _ if around.transparent || !opaque => AlphaMode::Blend,
        _ => AlphaMode::Opaque,
    }
}

/// Whether it depends on the entity if the material mixes with what lies behind.
pub(super) fn blends_when_transparent(properties: &Properties) -> bool {
    let shown = |transparent| alpha_mode(properties, Around { transparent, glows: false });
    shown(false) == AlphaMode::Opaque && shown(true) == AlphaMode::Blend
}

/// Whether only a transparent entity can tell the engine that the material mixes with what lies behind.
pub(super) fn needs_transparent_entity(material: &Material) -> bool {
    material.alpha_mode == AlphaMode::Blend && material.color()[3] >= 1.
}

/// How a texture in a role is mixed with those before it, if nothing else is said.
pub(super) fn usual_blend(role: &Role) -> i32 {
    if *role == Role::LightMap { 1 } else { 0 }
}

/// What the variant of a material is called that a transparent entity lets blend.
pub(super) fn variant_name(base: &Name) -> Name {
    if base.is_empty() { Name::default() } else { Name::from([base.bytes(), b" transparent"].concat().as_slice()) }
}
