//! Scene → document: a text that says what the material says.

use std::collections::HashMap;
use std::fmt::Write;

use findings::{Error, Result, Subject};
use scene::loss::*;
use scene::{AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Role, Scene, Shading, Slot, Value};
use wire::{Blob, Budget};

use super::super::dialect::Dialect;
use super::super::keys::{KEYS, Key, Kind};
use super::super::layout::Document;
use super::{default_color, default_number, is_sampled};
use crate::file_name::{file_of, safe_name};
use crate::images::{Images, link};
use crate::{LowerCx, Package};

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = Dialect::named(cx.dialect)?;
    let Some((id, _)) = scene.materials.entries().next() else {
        return Err(Error::usage("there is no material to write").with_help("materials come from models that have one"));
    };
    let further = scene.materials.len() - 1;
    if further > 0 {
        cx.lose(&LOSS_006, "file", further as u64, "further materials", "a DGL material file holds one");
    }
    let mut images = Images::default();
    let document = lower_material(scene, id, dialect, "", &mut images, cx);
    Ok(Package::new(document, cx))
}

/// The text of a material in a file of `folder`.
pub(crate) fn lower_material(
    scene: &Scene,
    id: Id<Material>,
    dialect: Dialect,
    folder: &str,
    images: &mut Images,
    cx: &mut LowerCx<'_>,
) -> Document {
    let material = &scene.materials[id];
    let place = material.subject(id);
    let has_key = |slot: &Slot| KEYS.iter().any(|key| key.role().is_some_and(|role| role == slot.role));
    let alone = cx.without_textures(material, &place, |slot| !has_key(slot));
    let material = alone.as_ref().map_or(material, |(alone, _)| alone);
    let (out, end) = (String::new(), end(dialect));
    let mut text = Composer { scene, material, place, used: Vec::new(), out, end, cx };
    text.compose(dialect, folder, images);
    Document::of(Blob::memory(text.out.into_bytes()))
}

fn end(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Spec => "\n",
        Dialect::Engine => ";\n",
    }
}

/// A texture as it is written.
struct Written {
    role: Role,
    key: &'static str,
    file: String,
    /// Whether its image is multiplied by the factor already.
    has_factor: bool,
}

/// A channel of an image times a factor as an image of its own, where images can be read.
fn channel(image: &Image, channel: ColorChannel, factor: f32, limits: &Budget) -> Option<Blob> {
    let factor = Some(factor).filter(|f| (0. ..=1.).contains(f))?;
    ops::images::channel(image, channel, factor, limits)
}

struct Composer<'a, 'c, 's> {
    scene: &'a Scene,
    material: &'a Material,
    place: Subject,
    /// Properties that say what is hidden in the scene, and went out as that.
    used: Vec<&'static str>,
    out: String,
    /// What ends a statement.
    end: &'static str,
    cx: &'c mut LowerCx<'s>,
}

impl Composer<'_, '_, '_> {
    fn compose(&mut self, dialect: Dialect, folder: &str, images: &mut Images) {
        let material = self.material;
        let slots = self.slots(dialect, folder, images);
        let has = |role: Role| slots.iter().any(|slot| slot.role == role);
        let has_factor = |role: Role| slots.iter().any(|slot| slot.role == role && slot.has_factor);
        let pbr = material.pbr();
        if !material.name.is_empty() {
            if material.name.as_str().is_none() {
                self.lose(&LOSS_042, "name written as UTF-8", "texts of DGL materials are UTF-8");
            }
            let name = self.plain(&material.name.to_string());
            self.say("name", &format!("\"{name}\""));
        }
        let ambient = match &material.shading {
            Shading::Phong(phong) => phong.ambient,
            _ => self.hidden_color("ambientColor"),
        };
        self.color("ambientColor", ambient);
        let diffuse = if has(Role::BaseColor) {
            self.hidden("diffuseColor", pbr.base_color != [1.; 4], "factor on the base colour texture");
            self.lose_mode();
            self.hidden_color("diffuseColor")
        } else {
            self.with_alpha(pbr.base_color)
        };
        self.color("diffuseColor", diffuse);
        let unlit = matches!(material.shading, Shading::Unlit { .. });
        let [red, green, blue] = pbr.specular_color;
        let specular = if unlit { self.hidden_color("specularColor") } else { [red, green, blue, 1.] };
        self.color("specularColor", specular);
        self.emission(has(Role::Emission));
        for (key, role, value) in [
            ("roughness", Role::Roughness, pbr.roughness),
            ("specularity", Role::Specular, pbr.specular),
            ("metallic", Role::Metallic, pbr.metallic),
        ] {
            let value = if has(role.clone()) {
                self.hidden(key, value != 1. && !has_factor(role), "factor on a texture");
                self.hidden_number(key)
            } else if unlit {
                self.hidden_number(key)
            } else {
                value
            };
            let value = self.unit(value, key);
            self.say(key, &format!("{value:?}"));
        }
        for slot in &slots {
            self.say(slot.key, &format!("\"{}\"", slot.file));
        }
        let flags = [
            ("shadeless", unlit),
            ("doubleSided", material.double_sided),
            ("additiveBlending", material.alpha_mode == AlphaMode::Additive),
        ];
        for (key, _) in flags.into_iter().filter(|(_, on)| *on) {
            self.say(key, "1");
        }
        self.properties();
    }

    fn say(&mut self, key: &str, value: &str) {
        // Writing into a string cannot fail.
        _ = write!(self.out, "{key}: {value}{}", self.end);
    }

    fn color(&mut self, key: &str, color: [f32; 4]) {
        let [r, g, b, a] = color.map(|v| self.unit(v, key));
        self.say(key, &format!("[{r:?}, {g:?}, {b:?}, {a:?}]"));
    }

    /// What a property says of something that is hidden in the scene.
    fn hidden_value(&mut self, key: &'static str) -> Option<&Value> {
        let found = self.material.properties.iter().rev().find(|(name, _)| name.bytes() == key.as_bytes());
        self.used.extend(found.map(|_| key));
        found.map(|(_, value)| value)
    }

    fn hidden_color(&mut self, key: &'static str) -> [f32; 4] {
        let Some(Value::List(list)) = self.hidden_value(key) else { return default_color(key) };
        let numbers: Option<Vec<f32>> = list.iter().map(|number| number.as_f64().map(|number| number as f32)).collect();
        numbers.and_then(|numbers| numbers.try_into().ok()).unwrap_or_else(|| default_color(key))
    }

    fn hidden_number(&mut self, key: &'static str) -> f32 {
        let number = self.hidden_value(key).and_then(Value::as_f64).map(|number| number as f32);
        number.unwrap_or_else(|| default_number(key))
    }

    /// A number within 0 to 1.
    fn unit(&mut self, value: f32, key: &str) -> f32 {
        if (0. ..=1.).contains(&value) {
            return value;
        }
        let valid = if value.is_nan() { 0. } else { value.clamp(0., 1.) };
        let (size, what) = (findings::moved_by(&[value], &[valid]), format!("{key} clamped to 0…1"));
        self.cx.losses.add_measured(&LOSS_023, size, &self.place, 1, what, "the engine's shaders expect that range");
        valid
    }

    fn lose(&mut self, info: &'static findings::LossInfo, what: &str, why: &str) {
        let place = self.place.clone();
        self.cx.lose(info, &place, 1, what, why);
    }

    /// A factor that a texture replaces in the engine.
    fn hidden(&mut self, key: &str, differs: bool, what: &str) {
        if differs {
            self.lose(&LOSS_041, &format!("{what} ({key})"), "a texture replaces it in the engine");
        }
    }

    /// The base colour with the alpha that says what the material's mode says.
    fn with_alpha(&mut self, color: [f32; 4]) -> [f32; 4] {
        let [r, g, b, a] = color;
        match self.material.alpha_mode {
            // Nothing is seen of an alpha that is not blended.
            AlphaMode::Opaque => [r, g, b, 1.],
            AlphaMode::Blend if a < 1. => color,
            AlphaMode::Blend | AlphaMode::Additive => {
                self.lose_mode();
                color
            }
            AlphaMode::Mask(_) => {
                self.lose_mode();
                [r, g, b, 1.]
            }
        }
    }

    /// A mode that only a base colour says, where it does not.
    fn lose_mode(&mut self) {
        match self.material.alpha_mode {
            AlphaMode::Opaque | AlphaMode::Additive => {}
            AlphaMode::Blend => self.lose(&LOSS_041, "blending by a texture's alpha", "there is no key for it"),
            AlphaMode::Mask(_) => self.lose(&LOSS_041, "cut-out by alpha", "there is no key for it"),
        }
    }

    fn emission(&mut self, textured: bool) {
        let strength = self.material.emissive_strength;
        let color = self.material.emissive.map(|v| v * strength);
        if !textured {
            return self.color("emissionColor", [color[0], color[1], color[2], 1.]);
        }
        let grey = color[0] == color[1] && color[1] == color[2];
        self.hidden("emissionColor", !grey, "colour of the emission texture");
        let [r, g, b, _] = self.hidden_color("emissionColor");
        self.color("emissionColor", [r, g, b, color[0].max(color[1]).max(color[2])]);
    }

    /// The textures that a key exists for.
    fn slots(&mut self, dialect: Dialect, folder: &str, images: &mut Images) -> Vec<Written> {
        let mut out: Vec<Written> = Vec::new();
        for slot in &self.material.slots {
            let word = format!("{} texture", slot.role.name());
            let wanted = KEYS.iter().find(|key| {
                let spelling = match dialect {
                    Dialect::Spec => "speculatiryTexture",
                    Dialect::Engine => "specularityTexture",
                };
                key.role().is_some_and(|role| role == slot.role) && key.name != spelling
            });
            let Some(key) = wanted.filter(|key| !out.iter().any(|slot| slot.key == key.name)) else {
                self.lose(&LOSS_007, &word, "a DGL material has no key for it");
                continue;
            };
            let image = self.scene.textures.get(slot.texture).and_then(|texture| texture.image);
            let alone = image.and_then(|id| self.channel_alone(slot, id, folder));
            let has_factor = alone.is_some();
            let Some(file) = alone.or_else(|| images.path_from(folder, self.scene, image?, self.cx)) else {
                self.lose(&LOSS_030, &word, "it has no image");
                continue;
            };
            self.lose_settings(slot, &word, has_factor);
            let file = self.plain(&file.to_string());
            out.push(Written { role: slot.role.clone(), key: key.name, file, has_factor });
        }
        // In the order of the keys, whatever the order of the slots.
        out.sort_by_key(|slot| KEYS.iter().position(|key| key.name == slot.key));
        out
    }

    /// The link to a new image of the channel that a slot reads, times the factor on it: the engine reads red, and no
    /// factor. Nothing if the image says that already, or cannot be read.
    fn channel_alone(&mut self, slot: &Slot, id: Id<Image>, folder: &str) -> Option<Name> {
        let pbr = self.material.pbr();
        let factor = match slot.role {
            Role::Roughness => pbr.roughness,
            Role::Metallic => pbr.metallic,
            Role::Specular => pbr.specular,
            _ => return None,
        };
        let is_red = matches!(slot.channel, ColorChannel::Red | ColorChannel::All);
        let image = self.scene.images.get(id).filter(|_| !(is_red && factor == 1.))?;
        let bytes = channel(image, slot.channel, factor, &self.cx.limits)?;
        let (of, _) = file_of(image, id, &safe_name(self.cx.stem));
        let source = ImageSource::Embedded { mime: "image/png".to_owned(), bytes: bytes.clone() };
        let made = Image { name: format!("{of}-{}", slot.role.name()).into(), source, extras: Default::default() };
        let what = format!("{} texture made of a channel of another", slot.role.name());
        self.lose(&LOSS_052, &what, "the engine reads red, and no factor");
        Some(link(&made, id, &bytes, None, folder, self.cx))
    }

    fn lose_settings(&mut self, slot: &Slot, word: &str, alone: bool) {
        let red = matches!(slot.role, Role::Specular | Role::Roughness | Role::Metallic);
        let channel = match slot.channel {
            ColorChannel::Red => red,
            ColorChannel::All => true,
            _ => false,
        };
        let plain = slot.uv_set == 0 && slot.strength == 1. && slot.transform.is_none();
        if !channel && !alone {
            self.lose(&LOSS_041, &format!("channel of the {word}"), "the engine reads red");
        }
        if self.scene.textures.get(slot.texture).is_some_and(is_sampled) {
            self.lose(&LOSS_041, &format!("sampling of the {word}"), "a DGL material names a file and nothing else");
        }
        if !plain {
            self.lose(&LOSS_041, &format!("settings of the {word}"), "a DGL material names a file and nothing else");
        }
    }

    /// Text that can stand in quotes.
    fn plain(&mut self, text: &str) -> String {
        if text.chars().all(is_plain) {
            return text.to_owned();
        }
        self.lose(&LOSS_042, &format!("\"{text}\" written with ' and _"), "strings have no escapes");
        text.chars()
            .map(|c| {
                if c == '"' {
                    '\''
                } else if c.is_control() {
                    '_'
                } else {
                    c
                }
            })
            .collect()
    }

    /// What somebody said that is no look of a material.
    fn properties(&mut self) {
        let material = self.material;
        let last: HashMap<&[u8], usize> =
            material.properties.iter().enumerate().map(|(at, (name, _))| (name.bytes(), at)).collect();
        for (at, (name, value)) in material.properties.iter().enumerate() {
            let (key, what) = (name.to_string(), format!("property {name}"));
            if last.get(name.bytes()) != Some(&at) {
                self.lose(&LOSS_015, &what, "a further one has that name, and the last one counts");
                continue;
            }
            if self.used.contains(&&*key) {
                continue;
            }
            let is_look = LOOK.contains(&&*key) || Key::of(name.bytes()).is_some_and(|key| key.kind == Kind::Texture);
            if is_look {
                self.lose(&LOSS_015, &what, "in a DGL material that name has a meaning");
                continue;
            }
            let Some(said) = words(value) else {
                self.lose(&LOSS_015, &what, "a value of a DGL material is a number, a vector or text without quotes");
                continue;
            };
            let alone = Document::of(Blob::memory(format!("{key}: {said}\n").into_bytes()));
            match alone.pairs() {
                [pair] if alone.bad().is_empty() && alone.name(pair) == name.bytes() => self.say(&key, &said),
                _ => self.lose(&LOSS_015, &what, "it is no name of a DGL material"),
            }
        }
    }
}

/// A value as a text has it; strings have no escapes.
fn words(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(text) => {
            let text = text.as_str().filter(|text| text.chars().all(is_plain))?;
            format!("\"{text}\"")
        }
        Value::Bool(on) => u8::from(*on).to_string(),
        Value::Int(n) => n.to_string(),
        Value::Uint(n) => n.to_string(),
        Value::F32(n) => format!("{n:?}"),
        Value::F64(n) => format!("{n:?}"),
        Value::List(items) => {
            let numbers = items.iter().map(|item| item.as_f64().and_then(|_| words(item)));
            format!("[{}]", numbers.collect::<Option<Vec<String>>>()?.join(", "))
        }
        Value::Null | Value::Bytes(_) | Value::Map(_) => return None,
    })
}

/// Whether a letter can stand in quotes.
fn is_plain(c: char) -> bool {
    c != '"' && !c.is_control()
}

/// Keys beside textures that say how a material looks.
const LOOK: [&str; 11] = [
    "name",
    "ambientColor",
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
