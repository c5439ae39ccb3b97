//! MATERIAL chunks ⇄ materials with their textures.

use std::collections::{BTreeMap, HashMap, HashSet};

use findings::Subject;
use scene::loss::{LOSS_007, LOSS_026};
use scene::{ColorChannel, Id, Image, ImageSource, Material, Name, Role, Scene, Slot, Texture, Value, Wrap};
use wire::Text;

use super::editor::{Editor, typed};
use super::surface::{self, Around};
use super::{Dialect, carried_bytes, carried_int, carry_bytes};
use crate::dgl2::dialect::is_braced;
use crate::dgl2::dml::value;
use crate::dgl2::layout::{self, Chunk, Document, Form, Language};
use crate::dgl2::properties::{LAST_SLOT, Properties, TextureSlot, blend_key, slot_of, texture_key};
use crate::dgl2::rules::{DGL2_035, property_place, show};
use crate::images::Images;
use crate::{LiftCx, Loaded, LowerCx};

/// Images and textures so far, by file name.
#[derive(Default)]
pub(super) struct Pictures(HashMap<Vec<u8>, Id<Texture>>);

impl Pictures {
    fn texture(&mut self, chunk: usize, slot: &TextureSlot<'_>, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Id<Texture> {
        *self.0.entry(slot.file.to_vec()).or_insert_with(|| {
            let (bytes, why) = match cx.source.load(&String::from_utf8_lossy(slot.file), None) {
                Loaded::Found { bytes, .. } => (Some(bytes), String::new()),
                Loaded::Missing => (None, "was not found".to_owned()),
                Loaded::Refused(why) => (None, format!("was not opened: {why}")),
            };
            if bytes.is_none() {
                let message = format!("texture {} {why}", show(slot.file));
                cx.find(&DGL2_035, property_place(chunk, slot.property), message);
            }
            let source = ImageSource::File { path: Name::from(slot.file), bytes };
            let image = scene.images.add(Image { name: Name::default(), source, extras: Default::default() });
            scene.textures.add(Texture::new(image))
        })
    }
}

/// What a slot is for. Slot 1 was the light map until shaders made it the normal map.
fn role(slot: u8, blend: i32, light_maps: bool) -> (Role, u8) {
    match slot {
        0 => (Role::BaseColor, 0),
        1 if blend == 1 || light_maps => (Role::LightMap, 1),
        1 => (Role::Normal, 0),
        2 => (Role::Emission, 0),
        other => (Role::Other(texture_key(other)), 0),
    }
}

pub(super) struct Lifting<'a> {
    pub(super) doc: &'a Document,
    pub(super) form: Form,
    pub(super) has_bbox: bool,
    pub(super) pictures: Pictures,
}

impl Lifting<'_> {
    pub(super) fn lift(
        &mut self,
        at: usize,
        chunk: &Chunk,
        stored: &layout::Material,
        properties: &Properties,
        scene: &mut Scene,
        cx: &mut LiftCx<'_>,
    ) -> Material {
        let light_maps = is_braced(stored.text.bytes()) && !self.has_bbox;
        let textures = properties.textures();
        let around = Around { transparent: false, glows: textures.iter().any(|texture| texture.slot == 2) };
        let mut material = surface::lift(properties, around);
        material.name = Name::from(chunk.name.bytes());
        for texture in &textures {
            let (role, uv_set) = role(texture.slot, texture.blend, light_maps);
            if texture.blend != usual_blend(&role) {
                material.extras.set(&format!("dgl2.blend{}", texture.slot), i64::from(texture.blend));
            }
            let texture = self.pictures.texture(at, texture, scene, cx);
            let channel = ColorChannel::All;
            material.slots.push(Slot { role, texture, channel, uv_set, strength: 1., transform: None });
        }
        let own = properties.0.iter().filter(|property| !surface::is_known(&property.name));
        let own = own.map(|property| (Name::from(&*property.name), typed(&property.value)));
        material.properties = own.collect();
        if self.doc.language == Language::Dml {
            material.extras.set("dgl2.text", Value::Text(Name::from(stored.text.bytes())));
        }
        if stored.form() != self.form {
            material.extras.set("dgl2.form", if stored.form() == Form::Spec { "spec" } else { "engine" });
        }
        if let Some(size) = stored.text_size.filter(|&size| size as usize != stored.text.len()) {
            material.extras.set("dgl2.text_size", i64::from(size));
        }
        carry_bytes(&mut material.extras, "dgl2.slack", stored.slack.as_ref());
        material
    }
}

/// How a texture in a role is mixed with those before it, if nothing else is said.
fn usual_blend(role: &Role) -> i32 {
    if *role == Role::LightMap { 1 } else { 0 }
}

pub(super) struct Lowering<'a> {
    pub(super) scene: &'a Scene,
    pub(super) dialect: Dialect,
    pub(super) same_dialect: bool,
    pub(super) has_bbox: bool,
    /// Materials that a transparent entity shows as they are.
    pub(super) transparent: HashSet<Id<Material>>,
    pub(super) images: Images,
}

impl Lowering<'_> {
    pub(super) fn lower(&mut self, id: Id<Material>, cx: &mut LowerCx<'_>) -> layout::Material {
        let material = &self.scene.materials[id];
        let place = material.subject(id);
        let carried = material.extras.get("dgl2.text");
        let mut text = Editor::new(carried, self.same_dialect, self.dialect, place.clone(), cx);
        let light_maps = text.is_braced() && !self.has_bbox;
        let wanted = self.wanted_textures(material, light_maps, &place, cx);
        let around = Around { transparent: self.transparent.contains(&id), glows: wanted.contains_key(&2) };
        let is_lost = |slot: &Slot| match slot.role {
            Role::Emission => !around.glows,
            _ => !matches!(slot.role, Role::BaseColor | Role::Normal | Role::LightMap),
        };
        let alone = cx.without_textures(material, &place, is_lost);
        let material = alone.as_ref().map_or(material, |(alone, _)| alone);
        surface::lower(&mut text, material, around);
        self.set_textures(&mut text, &wanted);
        text.properties(&material.properties, surface::is_known);
        let stored = self.stored(text.finish(cx), material);
        if let Some(slack) = carried_bytes(&material.extras, "dgl2.slack").filter(|_| stored.slack.is_none()) {
            let why = "they stay only behind the same text with a length before it";
            cx.lose(&LOSS_026, &place, slack.len() as u64, "bytes behind the text", why);
        }
        stored
    }

    /// The text in the form of the dialect, with what was odd about it if that is the dialect it came in.
    fn stored(&self, text: Text, material: &Material) -> layout::Material {
        let form = match material.extras.get("dgl2.form").and_then(Value::as_text).and_then(Name::as_str) {
            Some("spec") if self.same_dialect => Form::Spec,
            Some("engine") if self.same_dialect => Form::Engine,
            _ => self.dialect.form,
        };
        let mut stored = layout::Material::new(text, form);
        // Around another text a wrong length would be another fault, and without a length slack would be text.
        let unchanged = material.extras.get("dgl2.text").and_then(Value::as_text);
        if unchanged.is_some_and(|was| was.bytes() == stored.text.bytes()) && form == Form::Engine {
            stored.slack = carried_bytes(&material.extras, "dgl2.slack");
            let size = material.extras.get("dgl2.text_size").and_then(Value::as_int);
            if let Some(size) = size.and_then(|size| u32::try_from(size).ok()) {
                stored.text_size = Some(size);
            }
        }
        stored
    }

    /// File and blend of every texture that has a slot.
    fn wanted_textures(
        &mut self,
        material: &Material,
        light_maps: bool,
        place: &Subject,
        cx: &mut LowerCx<'_>,
    ) -> BTreeMap<u8, (Vec<u8>, i32)> {
        let mut wanted = BTreeMap::new();
        for slot in &material.slots {
            let number = match &slot.role {
                Role::BaseColor => Some(0),
                Role::Normal if !light_maps => Some(1),
                Role::LightMap => Some(1),
                Role::Emission => Some(2),
                Role::Other(key) => slot_of(key.as_bytes()).filter(|&slot| slot > 2),
                _ => None,
            };
            let what = format!("{} texture", slot.role.name());
            let Some(number) = number.filter(|number| !wanted.contains_key(number)) else {
                cx.lose(&LOSS_007, place, 1, &what, "DGL2 has no slot for it");
                continue;
            };
            let Some(file) = self.file(slot.texture, cx) else {
                cx.lose(&LOSS_007, place, 1, &what, "it has no image");
                continue;
            };
            let laid_otherwise =
                slot.uv_set != slot.role.usual_uv_set() || slot.transform.is_some() || slot.strength != 1.;
            let usual =
                |texture: &Texture| (texture.wrap, texture.magnify, texture.reduce) == ([Wrap::Repeat; 2], None, None);
            let sampled_otherwise = self.scene.textures.get(slot.texture).is_some_and(|texture| !usual(texture));
            if laid_otherwise || slot.channel != ColorChannel::All || sampled_otherwise {
                cx.lose(&LOSS_007, place, 1, &format!("how the {what} is laid"), "DGL2 has no words for it");
            }
            let carried = carried_int(&material.extras, &format!("dgl2.blend{number}"));
            // Slot 1 is told by its blend, unless the text is so old that it can only be a light map.
            let blend = match (&slot.role, carried) {
                (Role::LightMap, _) if !light_maps => 1,
                (Role::Normal, Some(1)) => 0,
                (role, carried) => carried.unwrap_or(usual_blend(role)),
            };
            wanted.insert(number, (file, blend));
        }
        wanted
    }

    fn set_textures(&self, text: &mut Editor, wanted: &BTreeMap<u8, (Vec<u8>, i32)>) {
        let mut changed = false;
        for slot in 0..=LAST_SLOT {
            let (key, blend_key) = (texture_key(slot), blend_key(slot));
            let now = text.get(&key).map(|now| {
                let (file, blend) = value::texture(now);
                let said = || text.get(&blend_key).and_then(value::int).and_then(|n| i32::try_from(n).ok());
                (file.to_vec(), blend.or_else(said).unwrap_or(0), blend.is_some())
            });
            changed |= now.is_some() != wanted.contains_key(&slot);
            let Some((file, blend)) = wanted.get(&slot) else {
                text.remove(&key);
                text.remove(&blend_key);
                continue;
            };
            let engine = self.dialect.form == Form::Engine;
            if now.is_some_and(|(f, b, bracketed)| {
                f == *file && b == *blend && (self.same_dialect || bracketed == engine)
            }) {
                continue;
            }
            if engine {
                text.set(&key, &[b"[", &file[..], b", ", blend.to_string().as_bytes(), b"]"].concat());
                text.remove(&blend_key);
            } else {
                text.set(&key, file);
                if *blend == 0 {
                    text.remove(&blend_key);
                } else {
                    text.set(&blend_key, blend.to_string().as_bytes());
                }
            }
        }
        if changed || (text.fresh && text.get("texturesNum").is_none()) {
            let count = wanted.keys().next_back().map_or(0, |last| (last + 1).min(8));
            text.set("texturesNum", count.to_string().as_bytes());
        }
    }

    /// The name of a texture's file. An image inside the model becomes a file beside it.
    fn file(&mut self, texture: Id<Texture>, cx: &mut LowerCx<'_>) -> Option<Vec<u8>> {
        let image = self.scene.textures.get(texture)?.image?;
        let path = self.images.path(self.scene, image, cx)?.bytes().to_vec();
        // A backslash in a value looks like an escape, of which there are none.
        let own = self.same_dialect || !path.contains(&b'\\');
        Some(if own { path } else { path.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect() })
    }
}
