//! Factors of textures that are not written: what they say alone, and what they were for the way back.

use std::collections::HashMap;

use ops::images;
use scene::{ColorChannel, Image, Material, Role, Scene, Slot};

use super::images::kept;
use super::{Mode, mode, packing};
use crate::LowerCx;
use crate::gltf::layout::Container;

/// Factors that fell back, and what they were.
pub(super) type Factors = Vec<(Role, Vec<f32>)>;

/// The scene with other factors, if some must be; and which, by the position of their material.
pub(super) fn fall_back(
    scene: &Scene,
    container: Container,
    cx: &mut LowerCx<'_>,
) -> (Option<Scene>, HashMap<usize, Factors>) {
    let named = mode(cx, container) == Mode::Reference;
    let mut factors = HashMap::new();
    let mut alone = None;
    for (id, material) in scene.materials.entries() {
        let place = material.subject(id);
        let is_lost = |slot: &Slot| !is_written(scene, material, slot, named);
        if let Some((fallen, changed)) = cx.without_textures(material, &place, is_lost) {
            alone.get_or_insert_with(|| scene.clone()).materials[id] = fallen;
            factors.insert(id.index(), changed);
        }
    }
    (alone, factors)
}

/// Whether glTF shows the texture of a slot.
fn is_written(scene: &Scene, material: &Material, slot: &Slot, named: bool) -> bool {
    let image = scene.textures.get(slot.texture).and_then(|texture| scene.images.get(texture.image?));
    let holds = |image: &Image| {
        let is_kind = image.bytes().is_some_and(|bytes| images::kind(bytes).is_some());
        is_kind || kept(image).is_some() || images::dimensions(image).is_some()
    };
    let has_place = match slot.role {
        Role::Emission => slot.channel == ColorChannel::All,
        Role::Metallic => !named || packing::is_direct(material, slot),
        _ => true,
    };
    has_place && image.is_some_and(|image| named || holds(image))
}
