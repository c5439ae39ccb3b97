//! Document → scene.
//!
//! | key | scene |
//! |---|---|
//! | diffuseColor, diffuseTexture | base colour; the texture replaces the colour, as in the engine's shader |
//! | roughness, metallic, specularity and their textures | the factors, 1 where a texture replaces one; red counts |
//! | specularColor | specular colour |
//! | emissionColor, emissionTexture | emission; with a texture the fourth number is its strength |
//! | normalTexture | normals, green up |
//! | shadeless, doubleSided, additiveBlending | unlit, double sided, additive |
//! | name | name |
//! | obsolete textures | slots by their word |
//! | the text itself | `mat.text`: the way back finds everything else there |

use std::collections::HashMap;

use findings::{FileId, Finding, Loaded, Place, Result};
use scene::{
    AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Origin, Pbr, Role, Scene, Shading, Slot, Texture,
    TextureProjection, UvTransform, Value, Wrap,
};
use wire::Blob;

use super::keys::{KEYS, Key, Kind};
use super::layout::Document;
use super::lex::Pair;
use super::rules::{MAT_008, link_fault};
use crate::Document as _;
use crate::LiftCx;

/// The key that the text travels under.
pub(super) const TEXT: &str = "mat.text";

pub(super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::SPACE;
    scene.origin = Some(Origin { format: "mat".into(), dialect: doc.dialect().into() });
    let material = lift_material(doc, None, TEXT, &mut scene, &mut Pictures::default(), cx);
    scene.materials.add(material);
    Ok(scene)
}

/// A material of a scene; its text travels under `key`, its textures are looked for beside `from`.
pub(crate) fn lift_material(
    doc: &Document,
    from: Option<&FileId>,
    key: &str,
    scene: &mut Scene,
    pictures: &mut Pictures,
    cx: &mut LiftCx<'_>,
) -> Material {
    let look = Look::of_text(doc);
    let slots = look.slots.iter().map(|picture| Slot {
        role: picture.role.clone(),
        texture: pictures.find(&picture.path, from, scene, cx),
        channel: picture.channel,
        uv_set: picture.uv_set,
        strength: picture.strength,
        transform: picture.transform,
    });
    let slots = slots.collect();
    let mut material = Material {
        name: look.name,
        shading: look.shading,
        emissive: look.emissive,
        emissive_strength: look.emissive_strength,
        alpha_mode: look.alpha_mode,
        double_sided: look.double_sided,
        slots,
        ..Material::default()
    };
    material.extras.set(key, Value::Text(Name::from(&doc.source()[..])));
    material
}

/// Whether a text says nothing that the scene's material does not.
pub(crate) fn is_all_lifted(text: &[u8]) -> bool {
    const LIFTED: [&str; 10] = [
        "name",
        "diffuseColor",
        "specularColor",
        "emissionColor",
        "roughness",
        "specularity",
        "metallic",
        "shadeless",
        "doubleSided",
        "additiveBlending",
    ];
    let doc = Document::of(Blob::memory(text.to_vec()));
    let says_nothing = |key: &Key| match key.kind {
        Kind::Flag(default) => doc.flag(key.name) == Some(default),
        Kind::Number(default) => doc.number(key.name) == Some(default),
        Kind::Color(default) => doc.color(key.name) == Some(default),
        Kind::Text | Kind::Texture => false,
    };
    let is_lifted = |key: &Key| key.kind == Kind::Texture || LIFTED.contains(&key.name) || says_nothing(key);
    let says =
        |pair: &Pair| Key::of(doc.name(pair)).is_some_and(|key| is_lifted(key) && doc.is_of_kind(pair, key.kind));
    doc.bad().is_empty() && doc.pairs().iter().all(says)
}

/// Everything a scene's material says, without the ids of its textures: what a text means, and what a material of a
/// scene that may have changed since means, are compared through it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) name: Name,
    pub(super) shading: Shading,
    pub(super) emissive: [f32; 3],
    pub(super) emissive_strength: f32,
    pub(super) alpha_mode: AlphaMode,
    pub(super) double_sided: bool,
    pub(super) slots: Vec<Picture>,
}

/// A texture in a role, by its file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) role: Role,
    pub(super) path: Vec<u8>,
    pub(super) channel: ColorChannel,
    pub(super) uv_set: u8,
    pub(super) strength: f32,
    pub(super) transform: Option<UvTransform>,
    /// Whether the texture says how it is sampled, which a text cannot.
    pub(super) sampled: bool,
}

impl Look {
    pub(super) fn of_text(doc: &Document) -> Look {
        let slots = pictures(doc);
        let has = |role: Role| slots.iter().any(|picture| picture.role == role);
        let color = |key: &str| doc.color(key).unwrap_or_else(|| default_color(key));
        let factor = |key: &str, role: Role| match doc.number(key) {
            _ if has(role) => 1.,
            Some(number) => number,
            None => default_number(key),
        };
        let on = |key: &str| doc.flag(key).unwrap_or(false);
        let base_color = if has(Role::BaseColor) { [1.; 4] } else { color("diffuseColor") };
        let specular_color = color("specularColor");
        let emission = color("emissionColor");
        let shading = if on("shadeless") {
            Shading::Unlit { color: base_color }
        } else {
            Shading::Pbr(Pbr {
                base_color,
                metallic: factor("metallic", Role::Metallic),
                roughness: factor("roughness", Role::Roughness),
                specular: factor("specularity", Role::Specular),
                specular_color: [specular_color[0], specular_color[1], specular_color[2]],
            })
        };
        let glows = has(Role::Emission);
        let alpha_mode = match () {
            () if on("additiveBlending") => AlphaMode::Additive,
            () if base_color[3] < 1. => AlphaMode::Blend,
            () => AlphaMode::Opaque,
        };
        Look {
            name: Name::from(&*doc.string("name").unwrap_or_default()),
            shading,
            emissive: if glows { [1.; 3] } else { [emission[0], emission[1], emission[2]] },
            emissive_strength: if glows { emission[3] } else { 1. },
            alpha_mode,
            double_sided: on("doubleSided"),
            slots,
        }
    }

    pub(super) fn of_material(scene: &Scene, material: &Material) -> Look {
        let slots = material.slots.iter().filter_map(|slot| {
            let texture = scene.textures.get(slot.texture)?;
            let path = match &scene.images.get(texture.image?)?.source {
                ImageSource::File { path, .. } => path.bytes().to_vec(),
                ImageSource::Embedded { .. } => return None,
            };
            let Slot { role, channel, uv_set, strength, transform, .. } = slot.clone();
            Some(Picture { role, path, channel, uv_set, strength, transform, sampled: is_sampled(texture) })
        });
        Look {
            name: material.name.clone(),
            shading: material.shading.clone(),
            emissive: material.emissive,
            emissive_strength: material.emissive_strength,
            alpha_mode: material.alpha_mode,
            double_sided: material.double_sided,
            slots: slots.collect(),
        }
    }
}

/// The textures of a text; of two keys for one role the engine's own spelling counts.
fn pictures(doc: &Document) -> Vec<Picture> {
    let mut out: Vec<Picture> = Vec::new();
    for (key, path) in doc.textures() {
        let Some(role) = key.role().filter(|role| !out.iter().any(|picture| picture.role == *role)) else { continue };
        let channel = match role {
            Role::Specular | Role::Roughness | Role::Metallic => ColorChannel::Red,
            _ => ColorChannel::All,
        };
        out.push(Picture {
            role,
            path: path.into_owned(),
            channel,
            uv_set: 0,
            strength: 1.,
            transform: None,
            sampled: false,
        });
    }
    out
}

/// Whether a texture says anything about how it is laid on a surface and sampled.
pub(super) fn is_sampled(texture: &Texture) -> bool {
    let filtered = texture.magnify.is_some() || texture.reduce.is_some();
    filtered || texture.wrap != [Wrap::Repeat; 2] || texture.projection != TextureProjection::Flat
}

pub(super) fn default_color(key: &str) -> [f32; 4] {
    KEYS.iter().find(|k| k.name == key).map_or([1.; 4], |key| match key.kind {
        Kind::Color(color) => color,
        _ => [1.; 4],
    })
}

pub(super) fn default_number(key: &str) -> f32 {
    KEYS.iter().find(|k| k.name == key).map_or(1., |key| match key.kind {
        Kind::Number(number) => number,
        _ => 1.,
    })
}

/// The textures so far: one per file that a text names.
#[derive(Default)]
pub(crate) struct Pictures(HashMap<(Option<FileId>, Vec<u8>), Id<Texture>>);

impl Pictures {
    fn find(&mut self, path: &[u8], from: Option<&FileId>, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Id<Texture> {
        // A file that was found is the same one under every name and from every folder.
        let loaded = cx.source.load(&String::from_utf8_lossy(path), from);
        let id = match &loaded {
            Loaded::Found { id, .. } => Some(id.clone()),
            _ => None,
        };
        *self.0.entry((id, path.to_vec())).or_insert_with(|| {
            if let Some((severity, why)) = link_fault(path, || loaded.clone()) {
                let mut place = Place::path("");
                if let Some(from) = from {
                    place = place.in_file(from.clone());
                }
                let mut finding = Finding::new(&MAT_008.info, place, why);
                finding.severity = severity;
                cx.findings.add(finding);
            }
            let source = ImageSource::File { path: Name::from(path), bytes: loaded.bytes() };
            let image = scene.images.add(Image { name: Name::default(), source, extras: Default::default() });
            scene.textures.add(Texture::new(image))
        })
    }
}
