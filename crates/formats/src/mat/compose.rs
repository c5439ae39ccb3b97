//! Scene → document: a text that says what the material says. A text that travelled along and still says it goes out
//! as it came; else new statements are written, and those of the old text that the scene has no word for follow.

use std::fmt::Write;

use findings::{Error, Result, Subject};
use scene::loss::*;
use scene::{AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Role, Scene, Shading, Slot, Value};
use wire::{Blob, Budget};

use super::bridge::{Look, TEXT, default_color, default_number, is_sampled};
use super::keys::{KEYS, Kind};
use super::layout::{Dialect, Document};
use crate::file_name::{file_of, safe_name};
use crate::images::{Images, link};
use crate::{LowerCx, Package};

pub(super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = super::dialect(cx.dialect)?;
    let Some((id, _)) = scene.materials.entries().next() else {
        return Err(Error::usage("there is no material to write").with_help("materials come from models that have one"));
    };
    let further = scene.materials.len() - 1;
    if further > 0 {
        cx.lose(&LOSS_006, "file", further as u64, "further materials", "a DGL material file holds one");
    }
    let mut images = Images::default();
    let document = lower_material(scene, id, dialect, TEXT, "", &mut images, cx);
    Ok(Package::new(document, cx))
}

/// The text of a material in a file of `folder`; one that travelled along stands under `key`.
pub(crate) fn lower_material(
    scene: &Scene,
    id: Id<Material>,
    dialect: Dialect,
    key: &str,
    folder: &str,
    images: &mut Images,
    cx: &mut LowerCx<'_>,
) -> Document {
    let material = &scene.materials[id];
    let place = material.subject(id);
    let old = match material.extras.get(key) {
        Some(Value::Text(text)) => Some(Document::of(Blob::memory(text.bytes().to_vec()))),
        _ => None,
    };
    // A text without one statement is not recognised as a material.
    let old = old.filter(|old| {
        let is_material = !old.pairs().is_empty() || old.bad().is_empty();
        if !is_material {
            cx.lose(
                &LOSS_026,
                &place,
                old.source().len() as u64,
                "bytes of text",
                "they are no statement of a material",
            );
        }
        is_material
    });
    if let Some(old) = &old
        && Look::of_text(old) == Look::of_material(scene, material)
        && !has_moved_pictures(scene, material, folder, images, cx)
    {
        use crate::Document as _;
        let in_it = old.dialect() == dialect.id() || old.pairs().is_empty();
        return if in_it { old.clone() } else { old.in_dialect(dialect) };
    }
    let has_key = |slot: &Slot| KEYS.iter().any(|key| key.role().is_some_and(|role| role == slot.role));
    let alone = cx.without_textures(material, &place, |slot| !has_key(slot));
    let material = alone.as_ref().map_or(material, |(alone, _)| alone);
    let mut text = Composer { scene, material, place, old: old.as_ref(), out: String::new(), end: end(dialect), cx };
    text.compose(dialect, folder, images);
    let out = text.out;
    Document::of(Blob::memory(out.into_bytes()))
}

/// Whether some picture is called otherwise where the text goes.
fn has_moved_pictures(
    scene: &Scene,
    material: &Material,
    folder: &str,
    images: &mut Images,
    cx: &mut LowerCx<'_>,
) -> bool {
    let shown = material.slots.iter().filter_map(|slot| scene.textures.get(slot.texture)?.image);
    let moved = shown.filter(|&id| match &scene.images[id].source {
        ImageSource::File { path, .. } => images.path_from(folder, scene, id, cx).is_some_and(|link| link != *path),
        ImageSource::Embedded { .. } => true,
    });
    moved.count() > 0
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
    old: Option<&'a Document>,
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
            let name = self.plain(&material.name.to_string());
            self.say("name", &format!("\"{name}\""));
        }
        let ambient = match &material.shading {
            Shading::Phong(phong) => phong.ambient,
            _ => self.kept_color("ambientColor"),
        };
        self.color("ambientColor", ambient);
        let diffuse = if has(Role::BaseColor) {
            self.hidden("diffuseColor", pbr.base_color != [1.; 4], "factor on the base colour texture");
            self.lose_mode();
            self.kept_color("diffuseColor")
        } else {
            self.with_alpha(pbr.base_color)
        };
        self.color("diffuseColor", diffuse);
        let [red, green, blue] = pbr.specular_color;
        let alpha = self.kept_color("specularColor")[3];
        self.color("specularColor", [red, green, blue, alpha]);
        self.emission(has(Role::Emission));
        for (key, role, value) in [
            ("roughness", Role::Roughness, pbr.roughness),
            ("specularity", Role::Specular, pbr.specular),
            ("metallic", Role::Metallic, pbr.metallic),
        ] {
            let value = if has(role.clone()) {
                self.hidden(key, value != 1. && !has_factor(role), "factor on a texture");
                self.old.and_then(|old| old.number(key)).unwrap_or_else(|| default_number(key))
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
            ("shadeless", matches!(material.shading, Shading::Unlit { .. })),
            ("doubleSided", material.double_sided),
            ("additiveBlending", material.alpha_mode == AlphaMode::Additive),
        ];
        for (key, _) in flags.into_iter().filter(|(_, on)| *on) {
            self.say(key, "1");
        }
        self.keep_others();
    }

    fn say(&mut self, key: &str, value: &str) {
        // Writing into a string cannot fail.
        _ = write!(self.out, "{key}: {value}{}", self.end);
    }

    fn color(&mut self, key: &str, color: [f32; 4]) {
        let [r, g, b, a] = color.map(|v| self.unit(v, key));
        self.say(key, &format!("[{r:?}, {g:?}, {b:?}, {a:?}]"));
    }

    fn kept_color(&self, key: &str) -> [f32; 4] {
        self.old.and_then(|old| old.color(key)).unwrap_or_else(|| default_color(key))
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
        let [r, g, b, _] = self.kept_color("emissionColor");
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
        let fits = |c: char| c != '"' && !c.is_control();
        if text.chars().all(fits) {
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

    /// What the old text says and the scene has no word for.
    fn keep_others(&mut self) {
        const SAID: [&str; 11] = [
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
        let Some(old) = self.old else { return };
        for pair in old.pairs() {
            let said = SAID.iter().any(|key| key.as_bytes() == old.name(pair));
            let texture = KEYS.iter().any(|k| k.kind == Kind::Texture && k.name.as_bytes() == old.name(pair));
            if !said && !texture {
                let name = String::from_utf8_lossy(old.name(pair)).into_owned();
                let value = String::from_utf8_lossy(old.text(pair.value)).into_owned();
                self.say(&name, &value);
            }
        }
    }
}
