//! Materials → MATERIAL chunks.

use std::collections::{BTreeMap, HashSet};

use findings::Subject;
use scene::loss::LOSS_007;
use scene::{AlphaMode, ColorChannel, Id, Material, Role, Scene, Shading, Slot, Texture, Value, Wrap};

use super::super::keys::BLEND;
use super::super::materials::{
    Around, CUTOFF, SHININESS, SPECULAR, alpha_mode, ambient, emission, is_known, usual_blend,
};
use super::text::Composer;
use crate::LowerCx;
use crate::dgl2::dialect::Dialect;
use crate::dgl2::dml::value;
use crate::dgl2::layout::{self, Form};
use crate::dgl2::properties::{blend_key, slot_of, texture_key};
use crate::images::Images;

/// What is known about all materials.
pub(super) struct Lowering<'a> {
    pub(super) scene: &'a Scene,
    pub(super) dialect: Dialect,
    pub(super) has_bbox: bool,
    /// Materials that a transparent entity shows as they are.
    pub(super) transparent: HashSet<Id<Material>>,
    pub(super) images: Images,
}

/// File and blend of a texture, by slot.
type Textures = BTreeMap<u8, (Vec<u8>, i32)>;

impl Lowering<'_> {
    pub(super) fn lower(&mut self, id: Id<Material>, cx: &mut LowerCx<'_>) -> layout::Material {
        let material = &self.scene.materials[id];
        let place = material.subject(id);
        let mut text = Composer::new(self.dialect, place.clone());
        let light_maps = self.dialect.is_braced() && !self.has_bbox;
        let textures = self.textures(material, light_maps, &place, cx);
        let around = Around { transparent: self.transparent.contains(&id), glows: textures.contains_key(&2) };
        let is_lost = |slot: &Slot| match slot.role {
            Role::Emission => !around.glows,
            _ => !matches!(slot.role, Role::BaseColor | Role::Normal | Role::LightMap),
        };
        let alone = cx.without_textures(material, &place, is_lost);
        let material = alone.as_ref().map_or(material, |(alone, _)| alone);
        say_look(&mut text, material, around);
        say_textures(&mut text, &textures, self.dialect.form());
        text.properties(&material.properties, |key| is_known(key, &material.shading));
        layout::Material::new(text.finish(cx), self.dialect.form())
    }

    /// File and blend of every texture that has a slot.
    fn textures(&mut self, material: &Material, light_maps: bool, place: &Subject, cx: &mut LowerCx<'_>) -> Textures {
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
                cx.lose(&LOSS_007, place, 1, format!("how the {what} is laid"), "DGL2 has no field for it");
            }
            let carried = blend_of(material, number);
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

    /// The name of a texture's file. An image inside the model becomes a file beside it.
    fn file(&mut self, texture: Id<Texture>, cx: &mut LowerCx<'_>) -> Option<Vec<u8>> {
        let image = self.scene.textures.get(texture)?.image?;
        let path = self.images.path(self.scene, image, cx)?.bytes().to_vec();
        // A backslash in a value looks like an escape, of which there are none.
        Some(path.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect())
    }
}

/// How the texture of a slot is mixed with those before it, if the material says so.
fn blend_of(material: &Material, slot: u8) -> Option<i32> {
    let Some(Value::List(blends)) = BLEND.get(&material.extras) else { return None };
    blends.get(usize::from(slot)).and_then(Value::as_int).and_then(|blend| i32::try_from(blend).ok())
}

fn say_textures(text: &mut Composer, textures: &Textures, form: Form) {
    let count = textures.keys().next_back().map_or(0, |last| (last + 1).min(8));
    text.set("texturesNum", count.to_string().as_bytes());
    for (&slot, (file, blend)) in textures {
        let number = blend.to_string();
        let bracketed = [b"[", &file[..], b", ", number.as_bytes(), b"]"].concat();
        // A name with a comma is none between brackets.
        if form == Form::Engine && value::texture(&bracketed) == (&file[..], Some(*blend)) {
            text.set(&texture_key(slot), &bracketed);
            continue;
        }
        text.set(&texture_key(slot), file);
        if *blend != 0 {
            text.set(&blend_key(slot), number.as_bytes());
        }
    }
}

/// Makes the text say what the material looks like.
fn say_look(text: &mut Composer, material: &Material, around: Around) {
    say_shading(text, material);
    if emission(text, around) != (material.emissive, material.emissive_strength) {
        say_emission(text, material, around);
    }
    if let Shading::Phong(phong) = &material.shading
        && ambient(text) != phong.ambient
    {
        text.vector("ambientColor", &phong.ambient);
    }
    if alpha_mode(text, around) != material.alpha_mode {
        say_alpha(text, material.alpha_mode, around);
    }
    text.boolean("doubleSided", false, material.double_sided);
}

/// Colours and `shadeless` are what every exporter writes.
fn say_shading(text: &mut Composer, material: &Material) {
    let has_property = |key: &[u8]| material.properties.iter().any(|(name, _)| name.bytes() == key);
    text.color("diffuseColor", material.color());
    match &material.shading {
        Shading::Unlit { .. } if has_property(b"specularColor") => {}
        Shading::Unlit { .. } => text.vector("specularColor", &SPECULAR),
        Shading::Phong(phong) => text.color("specularColor", phong.specular),
        Shading::Pbr(pbr) => {
            let [r, g, b] = pbr.specular_color;
            text.color("specularColor", [r, g, b, 1.]);
        }
    }
    match &material.shading {
        Shading::Unlit { .. } => text.set("shadeless", b"1"),
        Shading::Phong(phong) => {
            text.set("shadeless", b"0");
            text.number("shininess", SHININESS, phong.shininess);
        }
        Shading::Pbr(pbr) => {
            text.set("shadeless", b"0");
            // What comes nearest for programs that do not know the next two keys.
            text.number("shininess", SHININESS, 2. / pbr.roughness.max(0.05).powi(2) - 2.);
            text.number("metallic", f32::NAN, pbr.metallic);
            text.number("roughness", f32::NAN, pbr.roughness);
            text.number("specular", 1., pbr.specular);
        }
    }
}

fn say_emission(text: &mut Composer, material: &Material, around: Around) {
    let wanted = (material.emissive, material.emissive_strength);
    let [r, g, b, _] = material.color();
    if material.emissive == [r, g, b] && !around.glows {
        text.number("emission", 0., material.emissive_strength);
    }
    if emission(text, around) != wanted {
        text.vector("emissionColor", &material.emissive);
        text.number("emissionStrength", 1., material.emissive_strength);
    }
}

fn say_alpha(text: &mut Composer, wanted: AlphaMode, around: Around) {
    if wanted == AlphaMode::Additive {
        text.set("blendMode", b"1");
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
