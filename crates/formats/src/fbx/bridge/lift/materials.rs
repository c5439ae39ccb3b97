//! Materials, textures and images.

use std::collections::HashMap;

use findings::{Loaded, Subject, SubjectKind};
use scene::loss::*;
use scene::{
    AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Pbr, Phong, Role, Scene, Shading, Slot, Texture,
    UvTransform, Wrap,
};
use wire::Blob;

use super::name;
use crate::LiftCx;

pub(super) fn lift(source: &ufbx::Scene, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Vec<Id<Material>> {
    let mut images = Images::default();
    let lift = |material: &ufbx::Material| {
        let lifted = lift_material(source, material, scene, &mut images, cx);
        scene.materials.add(lifted)
    };
    source.materials.into_iter().map(lift).collect()
}

fn rgb(map: &ufbx::MaterialMap) -> [f32; 3] {
    let v = &map.value_vec4;
    [v.x as f32, v.y as f32, v.z as f32]
}

/// A factor, or 1 if the material does not say.
fn factor(map: &ufbx::MaterialMap) -> f32 {
    if map.has_value { map.value_vec4.x as f32 } else { 1. }
}

fn times(color: [f32; 3], factor: f32) -> [f32; 3] {
    color.map(|part| part * factor)
}

/// How much of the light stops: said as such, or as how much of which colour goes through.
fn opacity(material: &ufbx::Material) -> f32 {
    let mean = |map: &ufbx::MaterialMap| rgb(map).iter().sum::<f32>() / 3.;
    let (opacity, fbx) = (&material.pbr.opacity, &material.fbx);
    match ufbx::find_prop(&material.element.props, "Opacity") {
        _ if opacity.has_value => mean(opacity),
        Some(said) => said.value_vec4.x as f32,
        None if fbx.transparency_factor.has_value => {
            let color = if fbx.transparency_color.has_value { mean(&fbx.transparency_color) } else { 1. };
            1. - factor(&fbx.transparency_factor) * color
        }
        None => 1.,
    }
}

fn lift_material(
    source: &ufbx::Scene,
    material: &ufbx::Material,
    scene: &mut Scene,
    images: &mut Images,
    cx: &mut LiftCx<'_>,
) -> Material {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let is_pbr = material.features.pbr.enabled;
    let alpha = opacity(material);
    let with = |color: [f32; 3], alpha: f32| [color[0], color[1], color[2], alpha];
    let shading = if is_pbr {
        Shading::Pbr(Pbr {
            base_color: with(times(rgb(&pbr.base_color), factor(&pbr.base_factor)), alpha),
            metallic: if pbr.metalness.has_value { factor(&pbr.metalness) } else { 0. },
            roughness: factor(&pbr.roughness),
            ..Pbr::default()
        })
    } else {
        Shading::Phong(Phong {
            diffuse: with(times(rgb(&fbx.diffuse_color), factor(&fbx.diffuse_factor)), alpha),
            specular: with(times(rgb(&fbx.specular_color), factor(&fbx.specular_factor)), 1.),
            ambient: with(times(rgb(&fbx.ambient_color), factor(&fbx.ambient_factor)), 1.),
            shininess: fbx.specular_exponent.value_vec4.x as f32,
        })
    };
    let (emission, emission_factor) = match is_pbr {
        true => (&pbr.emission_color, &pbr.emission_factor),
        false => (&fbx.emission_color, &fbx.emission_factor),
    };
    let maps: [(Role, &ufbx::MaterialMap); 9] = [
        (Role::BaseColor, if is_pbr { &pbr.base_color } else { &fbx.diffuse_color }),
        (Role::Normal, if is_pbr { &pbr.normal_map } else { &fbx.normal_map }),
        (Role::Emission, emission),
        (Role::Roughness, &pbr.roughness),
        (Role::Metallic, &pbr.metalness),
        (Role::Occlusion, &pbr.ambient_occlusion),
        (Role::Opacity, &pbr.opacity),
        (Role::SpecularColor, if is_pbr { &pbr.specular_color } else { &fbx.specular_color }),
        (Role::Other("bump".into()), &fbx.bump),
    ];
    let label = Subject::new(SubjectKind::Material, material.element.typed_id as usize, name(&material.element.name));
    let mut slots: Vec<Slot> = Vec::new();
    for (role, map) in maps {
        let Some(texture) = map.texture.as_ref().filter(|_| map.texture_enabled) else { continue };
        // The PBR view of a Phong material repeats its textures.
        if !is_pbr && matches!(role, Role::Roughness | Role::Metallic) {
            continue;
        }
        let Some(id) = images.texture(texture, scene, cx) else {
            cx.lose(&LOSS_007, &label, 1, format!("{} texture", role.name()), "it is no image");
            continue;
        };
        let transform = texture.has_uv_transform.then(|| uv_transform(&texture.uv_to_texture)).flatten();
        if texture.has_uv_transform && transform.is_none() {
            let why = "it is no shift, turn and stretch of the plane";
            cx.lose(&LOSS_041, &label, 1, "change of texture coordinates", why);
        }
        let uv_set = uv_set(source, &texture.uv_set);
        slots.push(Slot { role, texture: id, channel: ColorChannel::All, uv_set, strength: 1., transform });
    }
    let blends = alpha < 1. || slots.iter().any(|slot| slot.role == Role::Opacity);
    Material {
        name: name(&material.element.name),
        shading,
        emissive: if emission.has_value { times(rgb(emission), factor(emission_factor)) } else { [0.; 3] },
        alpha_mode: if blends { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: material.features.double_sided.enabled,
        slots,
        ..Material::default()
    }
}

/// How a texture changes coordinates, counted from the top: the map of the file, which counts from the bottom, between
/// two flips. Turns run as in glTF, from u to up.
fn uv_transform(map: &ufbx::Matrix) -> Option<UvTransform> {
    let (across, down) = ([map.m00, -map.m10], [-map.m01, map.m11]);
    let offset = [map.m03 + map.m01, 1. - map.m11 - map.m13];
    let width = across[0].hypot(across[1]);
    let (cos, sin) = (across[0] / width, -across[1] / width);
    let height = down[0] * sin + down[1] * cos;
    let shear = (down[0] - height * sin).hypot(down[1] - height * cos);
    let numbers = [offset[0], offset[1], width, height];
    let sound = numbers.iter().all(|v| v.is_finite()) && width > 0. && shear <= 1e-6 * height.abs().max(1.);
    let flat = map.m02 == 0. && map.m12 == 0. && map.m20 == 0. && map.m21 == 0.;
    sound.then_some(())?;
    flat.then(|| UvTransform {
        offset: offset.map(|v| v as f32),
        rotation: sin.atan2(cos) as f32,
        scale: [width as f32, height as f32],
    })
}

/// The number of a set of texture coordinates: its place in the first mesh that has one of this name.
fn uv_set(source: &ufbx::Scene, wanted: &str) -> u8 {
    let place = |mesh: &ufbx::Mesh| mesh.uv_sets.iter().position(|set| &*set.name == wanted);
    let found = source.meshes.into_iter().find_map(place).unwrap_or(0);
    u8::try_from(found).unwrap_or(0)
}

/// Paths under which the file of a texture is looked for: as the model says, and its name alone.
pub(in crate::fbx) fn texture_paths(relative: &str, full: &str) -> Vec<String> {
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let mut paths: Vec<String> = Vec::new();
    for path in [relative.replace('\\', "/"), full.replace('\\', "/"), last(relative), last(full)] {
        if !path.is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Textures so far, by their number in the file.
#[derive(Default)]
struct Images {
    textures: HashMap<u32, Option<Id<Texture>>>,
    images: HashMap<u32, Id<Image>>,
}

impl Images {
    fn texture(&mut self, texture: &ufbx::Texture, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Option<Id<Texture>> {
        if let Some(known) = self.textures.get(&texture.element.typed_id) {
            return *known;
        }
        // Of layers the first one is shown.
        let file = match texture.type_ {
            ufbx::TextureType::File => Some(texture),
            _ => texture.file_textures.first().map(|file| &**file),
        };
        let file = file.filter(|file| file.has_file);
        let id = file.map(|file| {
            let image = self.image(file, scene, cx);
            let wrap = |mode| if mode == ufbx::WrapMode::Clamp { Wrap::Clamp } else { Wrap::Repeat };
            let wrap = [wrap(file.wrap_u), wrap(file.wrap_v)];
            scene.textures.add(Texture { name: name(&texture.element.name), wrap, ..Texture::new(image) })
        });
        if texture.type_ != ufbx::TextureType::File && id.is_some() {
            let label =
                Subject::new(SubjectKind::Texture, texture.element.typed_id as usize, name(&texture.element.name));
            cx.lose(&LOSS_041, &label, 1, "all layers but the first", "the scene has one texture per role");
        }
        self.textures.insert(texture.element.typed_id, id);
        id
    }

    fn image(&mut self, file: &ufbx::Texture, scene: &mut Scene, cx: &LiftCx<'_>) -> Id<Image> {
        *self.images.entry(file.file_index).or_insert_with(|| {
            let paths = texture_paths(&file.relative_filename, &file.filename);
            let last = paths.last().cloned().unwrap_or_default();
            let (name, source) = if file.content.is_empty() {
                let found = paths.iter().find_map(|path| match cx.source.load(path, None) {
                    Loaded::Found { bytes, .. } => Some((path.clone(), bytes)),
                    _ => None,
                });
                let (path, bytes) =
                    found.map_or((paths.first().cloned().unwrap_or_default(), None), |(p, b)| (p, Some(b)));
                (Name::default(), ImageSource::File { path: Name::from(path), bytes })
            } else {
                let mime = match &file.content[..] {
                    [0x89, b'P', b'N', b'G', ..] => "image/png",
                    [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
                    _ => "application/octet-stream",
                };
                let bytes = Blob::memory(file.content.to_vec());
                (Name::from(last), ImageSource::Embedded { mime: mime.into(), bytes })
            };
            scene.images.add(Image { name, source, extras: Default::default() })
        })
    }
}
