//! Materials and the textures they name.

use std::collections::HashMap;

use findings::Subject;
use scene::loss::*;
use scene::{AlphaMode, ColorChannel, ImageSource, Material, Role, Shading, Slot, UvTransform, Value};
use serde_json::json;

use super::super::unlit_factors;
use super::{Output, alone, images, packing};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, Json, Map, PbrMetallicRoughness, Real, TextureInfo};

/// The threshold of a mask that names none.
const DEFAULT_CUTOFF: f32 = 0.5;

/// What is known of materials that are written.
#[derive(Default)]
pub(super) struct Written {
    /// By the position of its material, each factor that fell back as its texture is not there.
    pub(super) factors: HashMap<usize, alone::Factors>,
    /// The highest set of texture coordinates that each asks for.
    pub(super) uv_sets: Vec<Option<u8>>,
    /// The material of primitives that have none.
    pub(super) default: Option<usize>,
}

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    for (id, material) in scene.materials.entries() {
        let place = material.subject(id);
        let written = lower_material(out, id.index(), material, &place);
        out.root.materials.push(written);
    }
}

/// The material of primitives without one. glTF's own default is full metal, which looks black; scenes that came from
/// glTF say that they mean just that.
pub(super) fn default_material(out: &mut Output<'_, '_, '_>) -> Option<usize> {
    if out.scene.default_material.is_some() {
        return None;
    }
    if out.materials.default.is_none() {
        let mut carry = Carry::default();
        carry.set("role", "default");
        let pbr = PbrMetallicRoughness { metallic_factor: Some(Real(0.)), ..PbrMetallicRoughness::default() };
        out.materials.default = Some(out.root.materials.len());
        out.materials.uv_sets.push(None);
        out.root.materials.push(schema::Material {
            pbr_metallic_roughness: Some(pbr),
            extras: carry.extras(&Default::default()),
            ..schema::Material::default()
        });
    }
    out.materials.default
}

fn lower_material(
    out: &mut Output<'_, '_, '_>,
    index: usize,
    material: &Material,
    place: &Subject,
) -> schema::Material {
    let mut m = Draft {
        written: schema::Material { extensions: out.foreign(&material.extras), ..schema::Material::default() },
        pbr: PbrMetallicRoughness::default(),
        specular: Map::new(),
        factors: Map::new(),
        slots: Vec::new(),
        packed: Vec::new(),
        uv_set: None,
    };
    let mut carry = Carry::default();
    m.written.name = carry.name(&material.name);
    carry.properties(&material.properties);
    carry.show(&material.properties, out.meant());
    m.factors(out, material, place);
    let packed = packing::apply(out, &mut m, index, place);
    m.textures(out, material, &packed, place);
    m.alpha(out, material, place, &mut carry);
    m.written.double_sided = material.double_sided.then_some(true);
    match &material.shading {
        Shading::Pbr(_) => {}
        Shading::Phong(phong) => {
            let list = |values: &[f32]| values.iter().map(|&v| encode(&Value::F32(v))).collect::<Json>();
            carry.set(
                "phong",
                json!({
                    "diffuse": list(&phong.diffuse),
                    "specular": list(&phong.specular),
                    "ambient": list(&phong.ambient),
                    "shininess": encode(&Value::F32(phong.shininess)),
                }),
            );
        }
        Shading::Unlit { .. } => {
            let name = out.uses("KHR_materials_unlit");
            m.written.extensions.insert(name, json!({}));
        }
    }
    if !m.specular.is_empty() {
        let name = out.uses("KHR_materials_specular");
        m.written.extensions.insert(name, Json::Object(m.specular));
    }
    if m.pbr != PbrMetallicRoughness::default() {
        m.written.pbr_metallic_roughness = Some(m.pbr);
    }
    for (role, values) in out.materials.factors.remove(&index).into_iter().flatten() {
        let list = values.iter().map(|&v| encode(&Value::F32(v))).collect::<Json>();
        m.factors.insert(role.name().replace(' ', "-"), list);
    }
    if !m.factors.is_empty() {
        carry.set("factors", Json::Object(m.factors));
    }
    if !m.slots.is_empty() {
        carry.set("slots", Json::Array(m.slots));
    }
    if !m.packed.is_empty() {
        carry.set("packed", Json::Array(m.packed));
    }
    out.materials.uv_sets.push(m.uv_set);
    let mut left = out.put_back(&mut m.written, &material.extras).into_owned();
    unlit_factors::forget(&mut left);
    m.written.extras = out.extras(carry, &left);
    m.written
}

/// A material while it is made.
pub(super) struct Draft {
    pub(super) written: schema::Material,
    pub(super) pbr: PbrMetallicRoughness,
    /// `KHR_materials_specular`.
    pub(super) specular: Map<String, Json>,
    /// Factors as the source had them, where a packed image says them, or where their texture is not there.
    factors: Map<String, Json>,
    /// Textures that glTF has no slot for.
    slots: Vec<Json>,
    /// Textures that are a part of an image now.
    pub(super) packed: Vec<Json>,
    pub(super) uv_set: Option<u8>,
}

impl Draft {
    /// Factors made to lie in the range glTF demands.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn within<const N: usize>(
        &mut self,
        out: &mut Output<'_, '_, '_>,
        place: &Subject,
        what: &str,
        values: [f32; N],
        low: f32,
        high: f32,
        instead: f32,
    ) -> [f32; N] {
        let valid = values.map(|v| if v.is_finite() { v.clamp(low, high) } else { instead });
        if valid != values {
            let (size, clamped) = (findings::moved_by(&values, &valid), format!("{what} clamped"));
            out.cx.losses.add_measured(&LOSS_023, size, place, 1, clamped, "glTF demands a range");
        }
        valid
    }

    fn factors(&mut self, out: &mut Output<'_, '_, '_>, material: &Material, place: &Subject) {
        let pbr = unlit_factors::factors(material);
        let color = self.within(out, place, "base color", pbr.base_color, 0., 1., 1.);
        let [metallic] = self.within(out, place, "metallic", [pbr.metallic], 0., 1., 0.);
        let [roughness] = self.within(out, place, "roughness", [pbr.roughness], 0., 1., 1.);
        self.pbr.base_color_factor = (color != [1.; 4]).then(|| color.map(Real::from));
        self.pbr.metallic_factor = (metallic != 1.).then(|| metallic.into());
        self.pbr.roughness_factor = (roughness != 1.).then(|| roughness.into());
        let [specular] = self.within(out, place, "specular", [pbr.specular], 0., 1., 1.);
        let specular_color = self.within(out, place, "specular color", pbr.specular_color, 0., f32::MAX, 1.);
        if specular != 1. {
            self.specular.insert("specularFactor".into(), Real::from(specular).json());
        }
        if specular_color != [1.; 3] {
            self.specular.insert("specularColorFactor".into(), list(&specular_color));
        }
        let (mut emissive, mut strength) = (material.emissive, material.emissive_strength);
        if let Some(dimmed) = dimmed(emissive, strength) {
            (emissive, strength) = dimmed;
        }
        let emissive = self.within(out, place, "emissive", emissive, 0., 1., 0.);
        let [strength] = self.within(out, place, "emissive strength", [strength], 0., f32::MAX, 1.);
        self.written.emissive_factor = (emissive != [0.; 3]).then(|| emissive.map(Real::from));
        if strength != 1. {
            let name = out.uses("KHR_materials_emissive_strength");
            self.written.extensions.insert(name, json!({ "emissiveStrength": Real::from(strength).json() }));
        }
    }

    /// How the material is mixed with what is behind it.
    fn alpha(&mut self, out: &mut Output<'_, '_, '_>, material: &Material, place: &Subject, carry: &mut Carry) {
        match material.alpha_mode {
            AlphaMode::Opaque => {}
            AlphaMode::Mask(cutoff) => {
                let cutoff = self.within(out, place, "alpha cutoff", [cutoff], 0., f32::MAX, DEFAULT_CUTOFF)[0];
                self.written.alpha_mode = Some("MASK".to_owned());
                self.written.alpha_cutoff = (cutoff != DEFAULT_CUTOFF).then(|| cutoff.into());
            }
            AlphaMode::Blend => self.written.alpha_mode = Some("BLEND".to_owned()),
            AlphaMode::Additive => {
                self.written.alpha_mode = Some("BLEND".to_owned());
                carry.set("alpha_mode", "additive");
            }
        }
    }

    /// Makes a factor 1 that an image says now; what it was is carried.
    pub(super) fn move_into_image(&mut self, material: &Material, role: &Role) {
        let pbr = unlit_factors::factors(material);
        let (key, factor, written) = match role {
            Role::Metallic => ("metallic", pbr.metallic, &mut self.pbr.metallic_factor),
            _ => ("roughness", pbr.roughness, &mut self.pbr.roughness_factor),
        };
        if written.take().is_some() {
            self.factors.insert(key.to_owned(), json!([encode(&Value::F32(factor))]));
        }
    }

    fn textures(&mut self, out: &mut Output<'_, '_, '_>, material: &Material, packed: &[bool], place: &Subject) {
        for (slot, _) in material.slots.iter().zip(packed).filter(|(_, packed)| !**packed) {
            let Some(texture) = out.scene.textures.get(slot.texture) else { continue };
            let Some(index) = out.images.textures[slot.texture.index()] else {
                self.miss(out, slot, texture, place);
                continue;
            };
            if !self.place(out, material, slot, index, place) {
                let what = format!("{} texture", slot.role.name());
                out.cx.lose(&LOSS_007, place, 1, &what, "glTF has no slot for it");
                let mut kept = description(slot);
                kept.insert("texture".into(), json!(index));
                self.slots.push(Json::Object(kept));
            }
        }
    }

    /// Remembers a texture whose image is not there.
    fn miss(&mut self, out: &mut Output<'_, '_, '_>, slot: &Slot, texture: &scene::Texture, place: &Subject) {
        let image = texture.image.and_then(|id| out.scene.images.get(id));
        let path = image.and_then(|image| match &image.source {
            ImageSource::File { path, .. } => Some(path),
            ImageSource::Embedded { .. } => None,
        });
        let named = path.or(image.map(|image| &image.name)).filter(|name| !name.is_empty());
        let what = match named {
            Some(name) => format!("{} texture {name}", slot.role.name()),
            None => format!("{} texture", slot.role.name()),
        };
        let why = image.map_or("it has no image", images::why_not);
        out.cx.lose(&LOSS_030, place, 1, &what, why);
        let mut kept = description(slot);
        if let Some(path) = path {
            kept.insert("path".into(), encode(&Value::Text(path.clone())));
        }
        images::describe(out, texture, &mut kept);
        self.slots.push(Json::Object(kept));
    }

    /// Puts a texture into glTF's slot for its role; says whether there is one.
    fn place(
        &mut self,
        out: &mut Output<'_, '_, '_>,
        material: &Material,
        slot: &Slot,
        index: usize,
        place: &Subject,
    ) -> bool {
        use ColorChannel::{All, Alpha, Red};
        let same = |role: &Role, channels: &[ColorChannel]| {
            material.slot(role).is_some_and(|other| {
                (other.texture, other.uv_set, other.transform) == (slot.texture, slot.uv_set, slot.transform)
                    && channels.contains(&other.channel)
            })
        };
        let most = if slot.role == Role::Occlusion { 1. } else { f32::MAX };
        let least = if slot.role == Role::Occlusion { 0. } else { f32::MIN };
        let what = format!("{} strength", slot.role.name());
        let [strength] = self.within(out, place, &what, [slot.strength], least, most, 1.);
        let strength = (strength != 1.).then(|| Real::from(strength));
        let mut info = || self::info(out, slot, index);
        match (&slot.role, slot.channel) {
            (Role::BaseColor, All) => self.pbr.base_color_texture = Some(info()),
            (Role::Normal, All) => self.written.normal_texture = Some(TextureInfo { scale: strength, ..info() }),
            (Role::Emission, All) => self.written.emissive_texture = Some(info()),
            (Role::Occlusion, All | Red) => {
                self.written.occlusion_texture = Some(TextureInfo { strength, ..info() });
            }
            // One image holds both: roughness is its green, metal its blue.
            (Role::Roughness | Role::Metallic, _) if packing::is_direct(material, slot) => {
                self.pbr.metallic_roughness_texture = Some(info());
            }
            (Role::Specular, Alpha) => {
                let info = json!(info());
                self.specular.insert("specularTexture".into(), info);
            }
            (Role::SpecularColor, All) => {
                let info = json!(info());
                self.specular.insert("specularColorTexture".into(), info);
            }
            // The alpha of the base colour is where glTF looks for it anyway.
            (Role::Opacity, Alpha) if same(&Role::BaseColor, &[All]) => {}
            _ => return false,
        }
        self.uv_set = self.uv_set.max(Some(slot.uv_set));
        true
    }
}

pub(super) fn info(out: &mut Output<'_, '_, '_>, slot: &Slot, index: usize) -> TextureInfo {
    let mut extensions = Map::new();
    if let Some(transform) = &slot.transform {
        extensions.insert(out.uses("KHR_texture_transform"), lower_transform(transform));
    }
    let tex_coord = (slot.uv_set > 0).then_some(slot.uv_set.into());
    TextureInfo { index, tex_coord, extensions, ..TextureInfo::default() }
}

/// The same light with a colour in the range that glTF demands, and a strength that makes up for it.
fn dimmed(color: [f32; 3], strength: f32) -> Option<([f32; 3], f32)> {
    let most = color.into_iter().fold(0_f32, f32::max);
    let valid = color.iter().all(|v| v.is_finite() && *v >= 0.) && most > 1.;
    let raised = strength * most;
    (valid && raised.is_finite()).then(|| (color.map(|v| v / most), raised))
}

fn lower_transform(transform: &UvTransform) -> Json {
    let mut all = Map::new();
    if transform.offset != [0.; 2] {
        all.insert("offset".into(), list(&transform.offset));
    }
    if transform.rotation != 0. {
        all.insert("rotation".into(), Real::from(transform.rotation).json());
    }
    if transform.scale != [1.; 2] {
        all.insert("scale".into(), list(&transform.scale));
    }
    Json::Object(all)
}

fn list(values: &[f32]) -> Json {
    values.iter().map(|&v| Real::from(v).json()).collect()
}

/// Everything about a slot but its texture.
pub(super) fn description(slot: &Slot) -> Map<String, Json> {
    let role = match &slot.role {
        Role::Other(word) => json!({ "other": word }),
        known => json!(known.name().replace(' ', "-")),
    };
    let mut all = Map::from_iter([("role".to_owned(), role)]);
    let channel = match slot.channel {
        ColorChannel::All => None,
        ColorChannel::Red => Some("red"),
        ColorChannel::Green => Some("green"),
        ColorChannel::Blue => Some("blue"),
        ColorChannel::Alpha => Some("alpha"),
    };
    if let Some(channel) = channel {
        all.insert("channel".into(), json!(channel));
    }
    if slot.uv_set > 0 {
        all.insert("uv_set".into(), json!(slot.uv_set));
    }
    if slot.strength != 1. {
        all.insert("strength".into(), encode(&Value::F32(slot.strength)));
    }
    if let Some(transform) = &slot.transform {
        all.insert("transform".into(), lower_transform(transform));
    }
    all
}
