//! Materials, textures and images.

use std::collections::HashSet;
use std::rc::Rc;

use findings::{Result, Subject};
use scene::loss::*;
use scene::{
    ColorChannel, Extras, Filter, Id, Image, ImageSource, Material, Role, Slot, Texture, TextureProjection, Value, Wrap,
};
use wire::{Blob, CText, Text};

use super::super::super::body::{self, Body, MaterialSlot};
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::super::words::{ImageSampling, Projection, Wrap as StoredWrap};
use super::super::{ctext, factors, keys, sampling, slots, values};
use super::Lower;

impl Lower<'_, '_, '_> {
    pub(super) fn surfaces(&mut self) -> Result<()> {
        let scene = self.scene;
        let own = scene.images.iter().map(|image| &image.extras);
        let own = own.chain(scene.textures.iter().map(|texture| &texture.extras));
        let known: HashSet<Guid> = own.filter_map(|extras| keys::guid(extras, keys::GUID)).collect();
        for (id, image) in scene.images.entries() {
            let path = self.files.path(scene, id, self.cx).unwrap_or_default();
            let place = image.subject(id);
            // The file may be called otherwise than its image: names of files are not all that names are.
            let source = ImageSource::File { path: path.clone(), bytes: None };
            let written = Image { name: image.name.clone(), source, extras: Extras::default() };
            let stored = keys::guid(&image.extras, keys::GUID).is_some() || !written.is_named_by_its_file();
            let name = if stored { &image.name } else { &Default::default() };
            let body = Body::from(body::Image { path: ctext(&path) });
            let guid = match self.lost(&image.extras, &body, &known) {
                Some(guid) => guid,
                None => {
                    let settings = self.sections.settings_aside(name, &image.extras, &place, self.cx)?;
                    self.sections.add(keys::guid(&image.extras, keys::GUID), settings, body)?
                }
            };
            self.images.push(guid);
        }
        for (index, texture) in scene.textures.iter().enumerate() {
            let place = texture.subject(index);
            let (filter, reduce) = sampling::lower(texture);
            let reduce = reduce.unwrap_or_else(|| {
                self.cx.lose(&LOSS_041, &place, 1, "filter for reducing", "DRAGON has one filter for all sizes");
                Vec::new()
            });
            let body = Body::from(self.texture(texture, filter, &place));
            let guid = match self.lost(&texture.extras, &body, &known) {
                Some(guid) => guid,
                None => {
                    let properties = values::of_value(texture.extras.get(keys::PROPERTIES));
                    let (name, extras) = (&texture.name, &texture.extras);
                    let settings = self.sections.settings(name, reduce, &properties, extras, &place, self.cx)?;
                    self.sections.add(keys::guid(&texture.extras, keys::GUID), settings, body)?
                }
            };
            self.textures.push(guid);
        }
        for (id, material) in scene.materials.entries() {
            let guid = match self.made.contains(&id) {
                true => Guid::NONE,
                false => self.material(material, &material.subject(id))?,
            };
            self.materials.push(guid);
        }
        Ok(())
    }

    /// What a texture or picture was called that came back without its name, as its file was missing.
    fn lost(&mut self, extras: &Extras, body: &Body, known: &HashSet<Guid>) -> Option<Guid> {
        if keys::guid(extras, keys::GUID).is_some() {
            return None;
        }
        let kept = Rc::clone(&self.kept);
        let mut all = kept.all(body.kind()?);
        let found = all.find(|old| {
            old.body == *body && !old.guid.is_none() && !known.contains(&old.guid) && !self.sections.has(old.guid)
        });
        found.map(|section| self.sections.take(section, false))
    }

    fn texture(&mut self, texture: &Texture, filter: Filter, place: &Subject) -> body::Texture {
        let mut lose = |what: &str, why: &str| self.cx.lose(&LOSS_041, place, 1, what, why);
        let mut wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => StoredWrap::REPEAT,
            Wrap::Clamp => StoredWrap::STRETCH,
            Wrap::Clip => StoredWrap::CLIP,
            Wrap::Mirror => {
                lose("mirrored repetition", "DRAGON repeats textures as they are");
                StoredWrap::REPEAT
            }
        };
        let [wrap_x, wrap_y] = texture.wrap.map(&mut wrap);
        body::Texture {
            sampling: match filter {
                Filter::Linear => ImageSampling::LINEAR,
                Filter::Nearest => ImageSampling::STEP,
                Filter::Cubic => ImageSampling::CUBIC,
            },
            projection: match texture.projection {
                TextureProjection::Flat => Projection::FLAT,
                TextureProjection::Box => Projection::BOX,
                TextureProjection::Sphere => Projection::SPHERE,
                TextureProjection::Cube => Projection::CUBE,
                TextureProjection::Cylinder => Projection::CYLINDER,
            },
            wrap_x,
            wrap_y,
            image: texture.image.and_then(|image| self.images.get(image.index()).copied()).unwrap_or_default(),
            path_of_2019: None,
        }
    }

    fn material(&mut self, material: &Material, place: &Subject) -> Result<Guid> {
        let kept = Rc::clone(&self.kept);
        if let Some(guid) = keys::guid(&material.extras, keys::GUID)
            && let Some(section) = kept.get(guid, Kind::Material)
            && !self.sections.has(guid)
            && kept.says(guid, self.scene, material)
        {
            return Ok(self.sections.take(section, false));
        }
        let mut written: Vec<MaterialSlot> = Vec::with_capacity(material.slots.len());
        let packed = packed(material);
        for slot in &material.slots {
            let (word, channel) = match (&slot.role, packed) {
                (Role::Metallic, Some(_)) => (slots::METALLIC_ROUGHNESS, ColorChannel::Blue),
                (Role::Roughness, Some(_)) => continue,
                (role, _) => slots::word(role),
            };
            self.lose_slot_settings(slot, channel, place);
            let texture = self.textures.get(slot.texture.index()).copied().unwrap_or_default();
            let target = CText(Text::from(Blob::memory(word.replace('\0', "").into_bytes())));
            written.push(MaterialSlot { target, texture });
        }
        if let Some(Value::List(empty)) = material.extras.get(keys::EMPTY_SLOTS) {
            let words = empty.iter().filter_map(Value::as_text);
            written.extend(words.map(|word| MaterialSlot { target: ctext(word), texture: Guid::NONE }));
        }
        let shader = match material.extras.get(keys::SHADER) {
            Some(Value::Text(shader)) => ctext(shader),
            _ => CText(Text::from(factors::shader(material))),
        };
        let needed = factors::lower(material);
        let (properties, extras) = (&material.properties, &material.extras);
        let settings = self.sections.settings(&Default::default(), needed, properties, extras, place, self.cx)?;
        let body = body::Material { name: ctext(&material.name), shader, slots: written };
        self.sections.add(keys::guid(extras, keys::GUID), settings, body)
    }

    fn lose_slot_settings(&mut self, slot: &Slot, channel: ColorChannel, place: &Subject) {
        let told = |what: &str| format!("{what} of the {} texture", slot.role.name());
        let mut lose = |what: &str| {
            self.cx.lose(&LOSS_041, place, 1, &told(what), "slots of DRAGON have a texture and nothing else");
        };
        if slot.uv_set != slot.role.usual_uv_set() {
            lose("set of coordinates");
        }
        if slot.strength != 1. {
            lose("strength");
        }
        if slot.transform.is_some() {
            lose("shift of coordinates");
        }
        if slot.channel != channel && slot.channel != ColorChannel::All {
            lose("channel");
        }
    }
}

/// The texture whose blue channel is metal and whose green one is roughness.
fn packed(material: &Material) -> Option<Id<Texture>> {
    let (metal, rough) = (material.slot(&Role::Metallic)?, material.slot(&Role::Roughness)?);
    let same = metal.texture == rough.texture;
    (same && (metal.channel, rough.channel) == (ColorChannel::Blue, ColorChannel::Green)).then_some(metal.texture)
}
