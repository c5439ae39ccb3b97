//! MATERIAL chunks → materials with their textures.

use std::collections::HashMap;

use scene::{ColorChannel, Id, Image, ImageSource, Material, Name, Role, Scene, Slot, Texture, Value};

use super::super::keys::BLEND;
use super::super::materials::{Around, Ask, alpha_mode, emission, is_known, is_usual, shading, usual_blend};
use super::super::values::typed;
use crate::dgl2::dialect::is_braced;
use crate::dgl2::layout::{self, Chunk};
use crate::dgl2::properties::{Properties, TextureSlot, texture_key};
use crate::dgl2::rules::{DGL2_035, property_place, show};
use crate::{LiftCx, Loaded};

/// Images and textures so far, by file name.
#[derive(Default)]
pub(super) struct Textures(HashMap<Vec<u8>, Id<Texture>>);

impl Textures {
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

pub(super) struct Lifting {
    /// Whether any entity has the property that exporters write since slot 1 is for normals.
    pub(super) has_bbox: bool,
    pub(super) textures: Textures,
}

impl Lifting {
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
        let mut material = look(properties, around);
        material.name = Name::from(chunk.name.bytes());
        let (mut blends, mut is_said) = (Vec::new(), true);
        for texture in &textures {
            let (role, uv_set) = role(texture.slot, texture.blend, light_maps);
            is_said &= texture.blend == usual_blend(&role);
            blends.resize(texture.slot.into(), Value::Int(0));
            blends.push(Value::Int(texture.blend.into()));
            let texture = self.textures.texture(at, texture, scene, cx);
            let channel = ColorChannel::All;
            material.slots.push(Slot { role, texture, channel, uv_set, strength: 1., transform: None });
        }
        if !is_said {
            BLEND.set(&mut material.extras, Value::List(blends));
        }
        let is_own = |name: &[u8], value: &[u8]| match is_known(name, &material.shading) {
            true => false,
            false => !is_usual(name, value),
        };
        let own = properties.0.iter().filter(|property| is_own(&property.name, &property.value));
        material.properties = own.map(|own| (Name::from(&*own.name), typed(&own.value))).collect();
        material
    }
}

fn look(properties: &Properties, around: Around) -> Material {
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
