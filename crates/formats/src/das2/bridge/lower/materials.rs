//! Materials and the files of their maps.

use std::collections::HashMap;

use findings::Subject;
use scene::loss::*;
use scene::{Id, ImageSource, Material, Pbr, Phong, Role, Scene, Shading, Slot, Texture, Wrap};
use wire::F32;

use super::super::super::layout::{MaterialPbr, MaterialPhong, MaterialType, NONE};
use super::super::super::text::{DasString, LONGEST_TEXT};
use super::super::maps::{self, alpha_mode, channel};
use super::super::{AMBIENT_OCCLUSION, COPY_OF, EMISSION_ALPHA, float, number, string};
use super::Lower;
use crate::images::Images;

const WHY: &str = "das2 has no field for it";

/// The materials of the document.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) phong: Vec<MaterialPhong>,
    pub(super) pbr: Vec<MaterialPbr>,
    /// What each material of the scene became.
    links: Vec<(MaterialType, u32)>,
}

impl Materials {
    /// What a material of the scene became.
    pub(super) fn link(&self, material: Option<scene::Id<Material>>) -> (MaterialType, u32) {
        let link = material.and_then(|id| self.links.get(id.index()));
        link.copied().unwrap_or((MaterialType::NONE, NONE))
    }
}

pub(super) fn lower(lower: &mut Lower<'_, '_, '_>) -> Materials {
    let mut out = Materials::default();
    let mut images = Images::default();
    let mut links = HashMap::new();
    let sources = originals(lower);
    for (id, material) in lower.scene.materials.entries().filter(|(id, _)| !sources.contains_key(id)) {
        let place = material.subject(id);
        let kind = if matches!(material.shading, Shading::Phong(_)) { MaterialType::PHONG } else { MaterialType::PBR };
        let number = if kind == MaterialType::PHONG {
            let made = phong(lower, material, &place, &mut images);
            out.phong.push(made);
            out.phong.len() - 1
        } else {
            let made = pbr(lower, material, &place, &mut images);
            out.pbr.push(made);
            out.pbr.len() - 1
        };
        lose_settings(lower, kind, material, &place);
        let number = u32::try_from(number).unwrap_or(NONE);
        links.insert(id, (kind, number));
    }
    let link = |id: Id<Material>| links[sources.get(&id).unwrap_or(&id)];
    out.links = lower.scene.materials.ids().map(link).collect();
    out
}

/// The material that each copy is of. A copy that differs in its sets of texture coordinates is told by the slots of its
/// meshes; of several originals that look the same it is the one of its number.
fn originals(lower: &Lower<'_, '_, '_>) -> HashMap<Id<Material>, Id<Material>> {
    let materials = &lower.scene.materials;
    let copied = |material: &Material| number(&material.extras, &COPY_OF);
    let is_phong = |material: &Material| matches!(material.shading, Shading::Phong(_));
    let own: Vec<(Id<Material>, &Material)> = materials.entries().filter(|(_, m)| copied(m).is_none()).collect();
    let mut sources = HashMap::new();
    for (id, copy) in materials.entries() {
        let Some(at) = copied(copy) else { continue };
        let kind = own.iter().filter(|(_, other)| is_phong(other) == is_phong(copy));
        let mut alike = kind.enumerate().filter(|(_, (_, other))| is_copy(copy, other)).peekable();
        let first = alike.peek().map(|(_, (original, _))| *original);
        let numbered = alike.find(|(number, _)| *number == at as usize).map(|(_, (original, _))| *original);
        sources.extend(numbered.or(first).map(|original| (id, original)));
    }
    sources
}

fn is_copy(copy: &Material, original: &Material) -> bool {
    let alike = |material: &Material| {
        let mut material = Material { extras: Default::default(), ..material.clone() };
        material.slots.iter_mut().for_each(|slot| slot.uv_set = 0);
        material
    };
    alike(copy) == alike(original)
}

fn phong(lower: &mut Lower<'_, '_, '_>, material: &Material, place: &Subject, images: &mut Images) -> MaterialPhong {
    let Shading::Phong(factors) = &material.shading else { return MaterialPhong::new() };
    let usual = Phong { diffuse: factors.diffuse, specular: factors.specular, ..Phong::default() };
    if *factors != usual {
        lower.cx.lose(&LOSS_041, place, 1, "ambient colour and shininess", WHY);
    }
    let mut uri = |lower: &mut Lower<'_, '_, '_>, role| uri(lower, material, &role, false, place, images);
    MaterialPhong {
        name: string(&material.name),
        diffuse: factors.diffuse.map(F32),
        specular: factors.specular.map(F32),
        emission: emission(material),
        diffuse_map_uri: uri(lower, Role::BaseColor),
        specular_map_uri: uri(lower, Role::SpecularColor),
        emission_map_uri: uri(lower, Role::Emission),
        ..MaterialPhong::new()
    }
}

fn pbr(lower: &mut Lower<'_, '_, '_>, material: &Material, place: &Subject, images: &mut Images) -> MaterialPbr {
    let factors = material.pbr();
    if (factors.specular, factors.specular_color) != (Pbr::default().specular, Pbr::default().specular_color) {
        lower.cx.lose(&LOSS_041, place, 1, "strength or colour of reflections", WHY);
    }
    if matches!(material.shading, Shading::Unlit { .. }) {
        lower.cx.lose(&LOSS_041, place, 1, "that it is not lit", WHY);
    }
    let file = |role| material.slot(&role).map(|slot| image(lower.scene, slot));
    let (roughness, metallic) = (file(Role::Roughness), file(Role::Metallic));
    let packed = lower.form.has_roughness_map() && roughness == metallic;
    let mut uri = |lower: &mut Lower<'_, '_, '_>, role| uri(lower, material, &role, packed, place, images);
    let maps = [Role::BaseColor, Role::Emission, Role::Metallic, Role::Occlusion].map(|role| uri(lower, role));
    let [albedo_map_uri, emission_map_uri, metallic_map, ambient_occlusion_map_uri] = maps;
    let roughness_map = if lower.form.has_roughness_map() {
        Some(uri(lower, Role::Roughness))
    } else {
        if material.slot(&Role::Roughness).is_some() {
            lower.cx.lose(&LOSS_061, place, 1, "the roughness map of a material", "the library lost its field");
        }
        None
    };
    let strength = material.slot(&Role::Occlusion).map(|slot| slot.strength);
    let occlusion = strength.or_else(|| float(&material.extras, &AMBIENT_OCCLUSION)).unwrap_or(1.);
    MaterialPbr {
        name: string(&material.name),
        albedo_factor: factors.base_color.map(F32),
        emissive_factor: emission(material),
        roughness: F32(factors.roughness),
        metallic: F32(factors.metallic),
        ambient_occlusion: F32(occlusion),
        albedo_map_uri,
        emission_map_uri,
        roughness_map,
        metallic_map,
        ambient_occlusion_map_uri,
        ..MaterialPbr::new(lower.form)
    }
}

fn emission(material: &Material) -> [F32; 4] {
    let strength = material.emissive_strength;
    let [r, g, b] = material.emissive.map(|v| if strength == 1. { v } else { v * strength });
    [r, g, b, float(&material.extras, &EMISSION_ALPHA).unwrap_or(1.)].map(F32)
}

fn image<'s>(scene: &'s Scene, slot: &Slot) -> Option<&'s ImageSource> {
    let image = scene.textures.get(slot.texture)?.image?;
    scene.images.get(image).map(|image| &image.source)
}

/// The file of a map; images of the model itself are written beside it.
fn uri(
    lower: &mut Lower<'_, '_, '_>,
    material: &Material,
    role: &Role,
    packed: bool,
    place: &Subject,
    images: &mut Images,
) -> DasString {
    let Some(slot) = material.slot(role) else { return DasString::default() };
    let texture = lower.scene.textures.get(slot.texture);
    let path = texture.and_then(|texture| texture.image).and_then(|id| images.path(lower.scene, id, lower.cx));
    // A path that has backslashes means what one with slashes means.
    let path = path.map(|path| match std::str::from_utf8(path.bytes()) {
        Ok(text) if text.contains('\\') => text.replace('\\', "/").as_str().into(),
        _ => path,
    });
    let uri = path.as_ref().map(string).unwrap_or_default();
    if uri.is_empty() {
        lower.cx.lose(&LOSS_030, place, 1, format!("{} texture", role.name()), "it has no image");
        return uri;
    }
    if uri.bytes().len() > LONGEST_TEXT {
        let why = format!("its path is longer than {LONGEST_TEXT} bytes");
        lower.cx.lose(&LOSS_007, place, 1, format!("{} texture", role.name()), &why);
        return DasString::default();
    }
    let mut lost = Vec::new();
    if slot.channel != channel(role, packed) {
        lost.push("which channel counts");
    }
    if slot.transform.is_some() {
        lost.push("shift, turn and stretch");
    }
    if slot.strength != 1. && *role != Role::Occlusion {
        lost.push("strength");
    }
    let plain = |texture: &Texture| {
        let sampled = texture.magnify.is_some() || texture.reduce.is_some() || texture.wrap != [Wrap::Repeat; 2];
        !sampled && texture.projection == scene::TextureProjection::Flat
    };
    if !texture.is_some_and(plain) {
        lost.push("how it is sampled");
    }
    for what in lost {
        lower.cx.lose(&LOSS_041, place, 1, format!("{} texture: {what}", role.name()), WHY);
    }
    uri
}

fn lose_settings(lower: &mut Lower<'_, '_, '_>, kind: MaterialType, material: &Material, place: &Subject) {
    let held = |role: &Role| maps::roles(kind).iter().any(|(_, held)| held == role);
    for slot in material.slots.iter().filter(|slot| !held(&slot.role)) {
        let what = format!("{} texture", slot.role.name());
        lower.cx.lose(&LOSS_007, place, 1, &what, "das2 has no map for it");
    }
    if material.alpha_mode != alpha_mode(material.color()[3]) {
        lower.cx.lose(&LOSS_041, place, 1, "what alpha does", WHY);
    }
    if material.double_sided {
        lower.cx.lose(&LOSS_041, place, 1, "that its back is visible", WHY);
    }
}
