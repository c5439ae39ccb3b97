//! Materials, textures and images.

use findings::{Subject, SubjectKind};
use scene::loss::*;
use scene::{
    Extras, Filter, Id, Image, ImageSource, Material, Name, Shading, Slot, Texture, TextureProjection, Value, Wrap,
};

use super::super::{factors, filters, keys, name, slots};
use super::{Key, Lift, keep_aside};
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{self, Body};
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::words::{ImageSampling, Projection, Wrap as StoredWrap};

impl<'d> Lift<'d, '_, '_> {
    pub(super) fn image(&mut self, section: &'d Section) -> Option<Id<Image>> {
        let Body::Image(body) = &section.body else { return None };
        let key: Key = section;
        if let Some(known) = self.known.images.get(&key) {
            return Some(*known);
        }
        let mut extras = Extras::default();
        let said = self.said_aside(section, true, &mut extras);
        // Paths of other systems are written with backslashes.
        let path = body.path.to_string().replace('\\', "/");
        let bytes = self.cx.source.load(&path, None).bytes();
        let image = Image { name: said, source: ImageSource::File { path: name(&body.path), bytes }, extras };
        let id = self.scene.images.add(image);
        self.known.images.insert(key, id);
        Some(id)
    }

    pub(super) fn texture(&mut self, section: &'d Section) -> Option<Id<Texture>> {
        let Body::Texture(body) = &section.body else { return None };
        let key: Key = section;
        if let Some(known) = self.known.textures.get(&key) {
            return Some(*known);
        }
        let mut extras = Extras::default();
        let mut said = self.own_settings(section, true);
        let magnify = filter(body);
        let reduce = filters::lift(magnify, &mut said);
        let name = keep_aside(section, said, &mut extras);
        let image = match self.find(body.image, Kind::Image, "TEXTURE") {
            Some(section) => self.image(section),
            None => None,
        };
        let (magnify, wrap, projection) = (Some(magnify), [body.wrap_x, body.wrap_y].map(wrap), projection(body));
        let texture = Texture { name, image, magnify, reduce, wrap, projection, extras };
        let id = self.scene.textures.add(texture);
        self.known.textures.insert(key, id);
        Some(id)
    }

    pub(super) fn material(&mut self, section: &'d Section) -> Option<Id<Material>> {
        let Body::Material(body) = &section.body else { return None };
        let key: Key = section;
        if let Some(known) = self.known.materials.get(&key) {
            return Some(*known);
        }
        let label = Subject::new(SubjectKind::Material, self.scene.materials.len(), name(&body.name));
        let mut material = Material { name: name(&body.name), ..Material::default() };
        keys::remember(&mut material.extras, keys::GUID, section.guid);
        keys::remember(&mut material.extras, keys::SETTINGS, section.settings);
        let mut empty = Vec::new();
        for slot in &body.slots {
            let found = self.find(slot.texture, Kind::Texture, &label);
            match found.and_then(|section| self.texture(section)) {
                Some(texture) => self.add_slots(&mut material, &name(&slot.target), texture, &label),
                None => empty.push(Value::Text(name(&slot.target))),
            }
        }
        let mut said = self.settings(section.settings, false, &label);
        material.shading = shading(&body.shader, &material);
        factors::lift(&mut material, &mut said);
        said.remember_types(&mut material.extras);
        material.properties = said.properties;
        if body.shader.bytes() != factors::shader(&material).as_bytes() {
            keys::SHADER.set(&mut material.extras, Value::Text(name(&body.shader)));
        }
        if !empty.is_empty() {
            keys::EMPTY_SLOTS.set(&mut material.extras, Value::List(empty));
        }
        let id = self.scene.materials.add(material);
        self.known.materials.insert(key, id);
        Some(id)
    }

    fn add_slots(&mut self, material: &mut Material, target: &Name, texture: Id<Texture>, label: &Subject) {
        for (role, channel) in slots::roles(target) {
            if material.slot(&role).is_some() {
                let why = "a texture for it is there already";
                self.cx.lose(&LOSS_007, label, 1, format!("texture for {}", role.name()), why);
                continue;
            }
            let uv_set = role.usual_uv_set();
            material.slots.push(Slot { role, texture, channel, uv_set, strength: 1., transform: None });
        }
    }
}

fn shading(shader: &wire::CText, material: &Material) -> Shading {
    match shader.as_str() {
        Some("unlit") => Shading::Unlit { color: [1.; 4] },
        Some("phong") => Shading::Phong(scene::Phong::default()),
        _ => Shading::Pbr(factors::plain(material)),
    }
}

fn filter(body: &body::Texture) -> Filter {
    match body.sampling {
        ImageSampling::STEP => Filter::Nearest,
        ImageSampling::CUBIC => Filter::Cubic,
        _ => Filter::Linear,
    }
}

fn wrap(wrap: StoredWrap) -> Wrap {
    match wrap {
        StoredWrap::STRETCH => Wrap::Clamp,
        StoredWrap::CLIP => Wrap::Clip,
        _ => Wrap::Repeat,
    }
}

fn projection(body: &body::Texture) -> TextureProjection {
    match body.projection {
        Projection::BOX => TextureProjection::Box,
        Projection::SPHERE => TextureProjection::Sphere,
        Projection::CUBE => TextureProjection::Cube,
        Projection::CYLINDER => TextureProjection::Cylinder,
        _ => TextureProjection::Flat,
    }
}
