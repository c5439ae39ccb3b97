//! Materials, textures and images.

use findings::{Result, Subject};
use scene::loss::*;
use scene::{
    ColorChannel, Extras, Filter, Id, Image, ImageSource, Material, Role, Slot, Texture, TextureProjection, Value, Wrap,
};
use wire::{Blob, CText, Text};

use super::super::{ctext, factors, filters, keys, settings, slots};
use super::Lower;
use crate::dragon::layout::body::{self, MaterialSlot};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::{ImageSampling, Projection, Wrap as StoredWrap};
use crate::images::Images;

/// What materials became, and what they are made of.
pub(super) struct Written {
    /// Links to images.
    files: Images,
    images: Vec<Guid>,
    textures: Vec<Guid>,
    pub(super) materials: Vec<Guid>,
}

impl Default for Written {
    fn default() -> Written {
        Written { files: Images::named(), images: Vec::new(), textures: Vec::new(), materials: Vec::new() }
    }
}

impl Lower<'_, '_, '_> {
    pub(super) fn materials(&mut self) -> Result<()> {
        let scene = self.scene;
        for (id, image) in scene.images.entries() {
            let path = self.materials.files.path(scene, id, self.cx).unwrap_or_default();
            let place = image.subject(id);
            // The file may be called otherwise than its image: names of files are not all that names are.
            let source = ImageSource::File { path: path.clone(), bytes: None };
            let written = Image { name: image.name.clone(), source, extras: Extras::default() };
            let stored = keys::guid(&image.extras, keys::GUID).is_some() || !written.is_named_by_its_file();
            let name = if stored { &image.name } else { &Default::default() };
            let settings = self.sections.settings_aside(name, &image.extras, &place, self.cx)?;
            let wanted = keys::guid(&image.extras, keys::GUID);
            let guid = self.sections.add(wanted, settings, body::Image { path: ctext(&path) })?;
            self.materials.images.push(guid);
        }
        for (index, texture) in scene.textures.iter().enumerate() {
            let place = texture.subject(index);
            let (filter, reduce) = filters::lower(texture);
            let reduce = reduce.unwrap_or_else(|| {
                self.cx.lose(&LOSS_041, &place, 1, "filter for reducing", "DRAGON has one filter for all sizes");
                Vec::new()
            });
            let body = self.texture(texture, filter, &place);
            let (name, extras) = (&texture.name, &texture.extras);
            let properties = settings::of_value(keys::PROPERTIES.get(extras));
            let settings = self.sections.settings(name, reduce, &properties, extras, &place, self.cx)?;
            let guid = self.sections.add(keys::guid(extras, keys::GUID), settings, body)?;
            self.materials.textures.push(guid);
        }
        for (id, material) in scene.materials.entries() {
            let guid = self.material(material, &material.subject(id))?;
            self.materials.materials.push(guid);
        }
        Ok(())
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
            image: texture
                .image
                .and_then(|image| self.materials.images.get(image.index()).copied())
                .unwrap_or_default(),
            path_of_2019: None,
        }
    }

    fn material(&mut self, material: &Material, place: &Subject) -> Result<Guid> {
        let mut written: Vec<MaterialSlot> = Vec::with_capacity(material.slots.len());
        let packed = packed(material);
        for slot in &material.slots {
            let (word, channel) = match (&slot.role, packed) {
                (Role::Metallic, Some(_)) => (slots::METALLIC_ROUGHNESS, ColorChannel::Blue),
                (Role::Roughness, Some(_)) => continue,
                (role, _) => slots::word(role),
            };
            self.lose_slot_settings(slot, channel, place);
            let texture = self.materials.textures.get(slot.texture.index()).copied().unwrap_or_default();
            let target = CText(Text::from(Blob::memory(word.replace('\0', "").into_bytes())));
            written.push(MaterialSlot { target, texture });
        }
        if let Some(Value::List(empty)) = keys::EMPTY_SLOTS.get(&material.extras) {
            let words = empty.iter().filter_map(Value::as_text);
            written.extend(words.map(|word| MaterialSlot { target: ctext(word), texture: Guid::NONE }));
        }
        let shader = match keys::SHADER.get(&material.extras) {
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
            self.cx.lose(&LOSS_041, place, 1, told(what), "slots of DRAGON have a texture and nothing else");
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
