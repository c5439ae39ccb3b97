//! The properties of a material that say how it looks, both ways.
//!
//! Beside the engine's keys a few are pentad's own, written only where the engine has none and read back: `metallic`,
//! `roughness`, `specular`, `emissionColor`, `emissionStrength`, `ambientColor`, `alphaMode`, `alphaCutoff`. Others
//! ignore them, as the document allows.

use scene::{AlphaMode, Material, Pbr, Phong, Shading};

use super::editor::Editor;
use crate::dgl2::dml::value;
use crate::dgl2::properties::{Properties, slot_of};

const DIFFUSE: [f32; 4] = [0.8, 0.8, 0.8, 1.];
const SPECULAR: [f32; 4] = [1.; 4];
const SHININESS: f32 = 64.;
const NO_AMBIENT: [f32; 4] = [0., 0., 0., 1.];
const CUTOFF: f32 = 0.5;

/// Every key that becomes something of the scene; all others are the user's.
const KEYS: &[&str] = &[
    "diffuseColor",
    "specularColor",
    "emission",
    "shadeless",
    "texturesNum",
    "doubleSided",
    "blendMode",
    "shininess",
    "metallic",
    "roughness",
    "specular",
    "emissionColor",
    "emissionStrength",
    "ambientColor",
    "alphaMode",
    "alphaCutoff",
];

pub(super) fn is_known(key: &[u8]) -> bool {
    let without_blend = key.strip_suffix(b"Blend").unwrap_or(key);
    slot_of(without_blend).is_some() || KEYS.iter().any(|known| known.as_bytes() == key)
}

/// What is known about a material from elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Whether an entity that shows it as it is is transparent.
    pub(super) transparent: bool,
    /// Whether it has a texture for emission.
    pub(super) glows: bool,
}

/// Asks a text, whether read or being written.
trait Ask {
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
impl Ask for Editor {
    fn ask(&self, key: &str) -> Option<&[u8]> {
        self.get(key)
    }
}

pub(super) fn lift(properties: &Properties, around: Around) -> Material {
    let (emissive, emissive_strength) = emission(properties, around);
    Material {
        shading: shading(properties),
        emissive,
        emissive_strength,
        alpha_mode: alpha_mode(properties, around),
        double_sided: properties.flag("doubleSided"),
        ..Material::default()
    }
}

fn shading(text: &impl Ask) -> Shading {
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

fn ambient(text: &impl Ask) -> [f32; 4] {
    let given = text.array("ambientColor");
    let glowing = || glow(text).map(|([r, g, b], value)| [r * value, g * value, b * value, 1.]);
    given.or_else(glowing).unwrap_or(NO_AMBIENT)
}

/// A texture for emission glows by itself; without one it is the diffuse colour that glows.
fn emission(text: &impl Ask, around: Around) -> ([f32; 3], f32) {
    match text.array("emissionColor") {
        Some(color) => (color, text.float("emissionStrength").unwrap_or(1.)),
        None if around.glows => ([1.; 3], 1.),
        None => glow(text).unwrap_or(([0.; 3], 1.)),
    }
}

fn alpha_mode(text: &impl Ask, around: Around) -> AlphaMode {
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

/// Whether a text tells by itself that the material mixes with what lies behind.
pub(super) fn blends(properties: &Properties) -> bool {
    alpha_mode(properties, Around { transparent: false, glows: false }) == AlphaMode::Blend
}

/// Whether only a transparent entity can tell the engine that the material mixes with what lies behind.
pub(super) fn needs_transparent_entity(material: &Material) -> bool {
    material.alpha_mode == AlphaMode::Blend && material.color()[3] >= 1.
}

/// Makes the text say what the material is.
pub(super) fn lower(text: &mut Editor, material: &Material, around: Around) {
    lower_shading(text, &material.shading);
    if emission(text, around) != (material.emissive, material.emissive_strength) {
        lower_emission(text, material, around);
    }
    if let Shading::Phong(phong) = &material.shading
        && ambient(text) != phong.ambient
    {
        text.array("ambientColor", ambient(text), phong.ambient);
    }
    if alpha_mode(text, around) != material.alpha_mode {
        lower_alpha(text, material.alpha_mode, around);
    }
    text.boolean("doubleSided", false, material.double_sided);
}

fn lower_shading(text: &mut Editor, shading: &Shading) {
    let is_unlit = matches!(shading, Shading::Unlit { .. });
    let (color, specular) = match shading {
        Shading::Unlit { color } => (*color, None),
        Shading::Phong(phong) => (phong.diffuse, Some(phong.specular)),
        Shading::Pbr(pbr) => {
            let [r, g, b] = pbr.specular_color;
            let alpha = Ask::array::<4>(text, "specularColor").unwrap_or(SPECULAR)[3];
            (pbr.base_color, Some([r, g, b, alpha]))
        }
    };
    if text.fresh {
        // What every exporter writes.
        text.set_color("diffuseColor", color);
        text.set_color("specularColor", specular.unwrap_or(SPECULAR));
        text.set("shadeless", if is_unlit { b"1" } else { b"0" });
    }
    if !text.fresh {
        text.color("diffuseColor", DIFFUSE, color);
    }
    text.boolean("shadeless", false, is_unlit);
    if let Some(specular) = specular.filter(|_| !text.fresh) {
        text.color("specularColor", SPECULAR, specular);
    }
    match shading {
        Shading::Unlit { .. } => {}
        Shading::Phong(phong) => {
            text.remove("metallic");
            text.remove("roughness");
            text.number("shininess", SHININESS, phong.shininess);
        }
        Shading::Pbr(pbr) => {
            if text.fresh {
                // What comes nearest for programs that do not know the next two keys.
                let shininess = 2. / pbr.roughness.max(0.05).powi(2) - 2.;
                text.number("shininess", SHININESS, shininess);
            }
            text.number("metallic", f32::NAN, pbr.metallic);
            text.number("roughness", f32::NAN, pbr.roughness);
            text.number("specular", 1., pbr.specular);
        }
    }
}

fn lower_emission(text: &mut Editor, material: &Material, around: Around) {
    let wanted = (material.emissive, material.emissive_strength);
    text.remove("emissionColor");
    text.remove("emissionStrength");
    let [r, g, b, _] = material.color();
    if emission(text, around) != wanted && material.emissive == [r, g, b] && !around.glows {
        text.number("emission", 0., material.emissive_strength);
    } else if emission(text, around) != wanted && !around.glows {
        text.remove("emission");
    }
    if emission(text, around) != wanted {
        text.set("emissionColor", super::editor::vector(&material.emissive).as_bytes());
        text.number("emissionStrength", 1., material.emissive_strength);
    }
}

fn lower_alpha(text: &mut Editor, wanted: AlphaMode, around: Around) {
    text.remove("alphaMode");
    text.remove("alphaCutoff");
    let additive = text.ask("blendMode").and_then(value::int) == Some(1);
    if wanted == AlphaMode::Additive && !additive {
        text.set("blendMode", b"1");
    } else if wanted != AlphaMode::Additive && additive {
        text.set("blendMode", b"0");
    }
    if alpha_mode(text, around) != wanted {
        match wanted {
            AlphaMode::Opaque => text.set("alphaMode", b"opaque"),
            AlphaMode::Blend => text.set("alphaMode", b"blend"),
            AlphaMode::Mask(cutoff) => {
                text.set("alphaMode", b"mask");
                text.number("alphaCutoff", CUTOFF, cutoff);
            }
            AlphaMode::Additive => {}
        }
    }
}
