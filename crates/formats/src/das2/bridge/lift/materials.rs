//! Materials: Phong first, then PBR, with a texture per file that they name.

use std::collections::HashMap;

use scene::{Id, Image, ImageSource, Material, Name, Pbr, Phong, Role, Shading, Slot, Texture};
use wire::F32;

use super::super::super::layout::{MaterialPbr, MaterialPhong, MaterialType, Mesh};
use super::super::super::text::DasString;
use super::super::maps::{self, Slots, alpha_mode, channel};
use super::super::{AMBIENT_OCCLUSION, COPY_OF, EMISSION_ALPHA, name, string};
use super::Lift;

/// A material, and the sets that its textures use.
type Variant = (Option<Slots>, Id<Material>);

/// The materials of the file, and their variants for meshes with other slots.
#[derive(Default)]
pub(super) struct Materials {
    textures: HashMap<Vec<u8>, Id<Texture>>,
    /// By type and id: the sets that its textures use, once a mesh decided them.
    variants: HashMap<(MaterialType, u32), Vec<Variant>>,
}

pub(super) fn lift(lift: &mut Lift<'_, '_, '_>) {
    for (i, material) in lift.parts.phong_materials.iter().enumerate() {
        let lifted = phong(lift, material);
        add(lift, MaterialType::PHONG, i, lifted);
    }
    for (i, material) in lift.parts.pbr_materials.iter().enumerate() {
        let lifted = pbr(lift, material);
        add(lift, MaterialType::PBR, i, lifted);
    }
}

fn add(lift: &mut Lift<'_, '_, '_>, kind: MaterialType, i: usize, material: Material) {
    let id = lift.scene.materials.add(material);
    if let Ok(i) = u32::try_from(i) {
        lift.materials.variants.insert((kind, i), vec![(None, id)]);
    }
}

fn phong(lift: &mut Lift<'_, '_, '_>, material: &MaterialPhong) -> Material {
    let [diffuse, specular] = [material.diffuse, material.specular].map(|color| color.map(F32::get));
    let mut lifted = Material {
        name: name(&material.name),
        shading: Shading::Phong(Phong { diffuse, specular, ..Phong::default() }),
        alpha_mode: alpha_mode(diffuse[3]),
        ..Material::default()
    };
    emit(&mut lifted, material.emission);
    let maps = [
        (Role::BaseColor, &material.diffuse_map_uri),
        (Role::SpecularColor, &material.specular_map_uri),
        (Role::Emission, &material.emission_map_uri),
    ];
    for (role, uri) in maps {
        add_slot(lift, &mut lifted, role, uri, false);
    }
    lifted
}

fn pbr(lift: &mut Lift<'_, '_, '_>, material: &MaterialPbr) -> Material {
    let base_color = material.albedo_factor.map(F32::get);
    let (metallic, roughness) = (material.metallic.get(), material.roughness.get());
    let mut lifted = Material {
        name: name(&material.name),
        shading: Shading::Pbr(Pbr { base_color, metallic, roughness, ..Pbr::default() }),
        alpha_mode: alpha_mode(base_color[3]),
        ..Material::default()
    };
    emit(&mut lifted, material.emissive_factor);
    let none = string(&Name::default());
    let roughness = material.roughness_map.as_ref().unwrap_or(&none);
    let packed = roughness.text == material.metallic_map.text;
    let maps = [
        (Role::BaseColor, &material.albedo_map_uri),
        (Role::Emission, &material.emission_map_uri),
        (Role::Roughness, roughness),
        (Role::Metallic, &material.metallic_map),
        (Role::Occlusion, &material.ambient_occlusion_map_uri),
    ];
    for (role, uri) in maps {
        add_slot(lift, &mut lifted, role, uri, packed);
    }
    let occlusion = material.ambient_occlusion;
    match lifted.slots.iter_mut().find(|slot| slot.role == Role::Occlusion) {
        Some(slot) => slot.strength = occlusion.get(),
        None if occlusion != F32(1.) => AMBIENT_OCCLUSION.set(&mut lifted.extras, occlusion.get()),
        None => {}
    }
    lifted
}

fn emit(material: &mut Material, color: [F32; 4]) {
    let [r, g, b, alpha] = color;
    material.emissive = [r, g, b].map(F32::get);
    if alpha != F32(1.) {
        EMISSION_ALPHA.set(&mut material.extras, alpha.get());
    }
}

fn add_slot(lift: &mut Lift<'_, '_, '_>, material: &mut Material, role: Role, uri: &DasString, packed: bool) {
    if uri.is_empty() {
        return;
    }
    let texture = texture(lift, uri);
    let channel = channel(&role, packed);
    material.slots.push(Slot { role, texture, channel, uv_set: 0, strength: 1., transform: None });
}

fn texture(lift: &mut Lift<'_, '_, '_>, uri: &DasString) -> Id<Texture> {
    let scene = &mut lift.scene;
    let source = lift.cx.source;
    *lift.materials.textures.entry(uri.bytes().to_vec()).or_insert_with(|| {
        let bytes = source.load(&String::from_utf8_lossy(uri.bytes()), None).bytes();
        let source = ImageSource::File { path: name(uri), bytes };
        let image = scene.images.add(Image { name: Name::default(), source, extras: Default::default() });
        scene.textures.add(Texture::new(image))
    })
}

/// The material of a mesh whose slots name these sets. Meshes that disagree about the sets of a material get variants.
pub(super) fn of_mesh(lift: &mut Lift<'_, '_, '_>, mesh: &Mesh, slots: &Slots, place: &str) -> Option<Id<Material>> {
    let key = (mesh.material_type, mesh.material_id);
    let Some(variants) = lift.materials.variants.get_mut(&key) else {
        let names_one = key != (MaterialType::NONE, super::super::super::layout::NONE);
        lift.broken(place, usize::from(names_one), "link to a material");
        return None;
    };
    let (_, first) = variants[0];
    let materials = &mut lift.scene.materials;
    let mut wanted = [None; 8];
    for (slot, role) in maps::roles(key.0) {
        wanted[*slot] = materials[first].slot(role).map(|_| slots[*slot].unwrap_or(0));
    }
    if let Some((_, known)) = variants.iter().find(|(decided, _)| *decided == Some(wanted)) {
        return Some(*known);
    }
    let id = match variants[0].0 {
        None => first,
        Some(_) => {
            let mut copy = materials[first].clone();
            COPY_OF.set(&mut copy.extras, i64::from(key.1));
            materials.add(copy)
        }
    };
    for (slot, role) in maps::roles(key.0) {
        if let Some(used) = materials[id].slots.iter_mut().find(|used| used.role == *role) {
            used.uv_set = wanted[*slot].unwrap_or(0);
        }
    }
    if id == first {
        variants[0].0 = Some(wanted);
    } else {
        variants.push((Some(wanted), id));
    }
    Some(id)
}
