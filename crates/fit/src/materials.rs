//! Materials and textures, for targets that have none.

use findings::Losses;
use ops::{MeshUsers, tint};
use scene::extras::NUMBER;
use scene::loss::*;
use scene::{Id, Image, Named, Primitive, Scene};

use super::Target;

/// Gives parts without a material the one that the source takes for granted, for targets that take none, or another one,
/// for granted. Nothing is lost where there are no materials at all.
pub(super) fn assign_default(scene: &mut Scene, target: &Target) {
    if target.can.carries || target.can.materials.is_lost() || target.is_own(scene) {
        return;
    }
    let Some(mut material) = scene.default_material.take() else { return };
    if target.can.names.contains(&Named::Materials) {
        material.name = "gltf-default".into();
    }
    let bare = |part: &&mut Primitive| part.material.is_none();
    let parts: Vec<_> = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).filter(bare).collect();
    if !parts.is_empty() {
        let id = scene.materials.add(material);
        parts.into_iter().for_each(|part| part.material = Some(id));
    }
}

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if target.can.loose_images.is_lost() {
        drop_loose(scene, target, losses);
    }
    if target.can.carries {
        tell_changed_values(scene, target, losses);
    }
    if target.can.textures.is_lost() {
        for (index, material) in scene.materials.iter_mut().enumerate() {
            let place = material.subject(index);
            for slot in std::mem::take(&mut material.slots) {
                losses.add(&LOSS_007, &place, 1, format!("{} texture", slot.role.name()), target.why("textures"));
            }
        }
        scene.textures.clear();
        scene.images.clear();
    }
    if !target.can.materials.is_lost() {
        return;
    }
    override_materials(scene);
    let materials = std::mem::take(&mut scene.materials);
    for (index, material) in materials.iter().enumerate() {
        let place = material.subject(index);
        losses.add(&LOSS_006, place, 1, "all of a material but its colour", target.why("materials"));
    }
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let material = primitive.material.take();
        if target.can.color_sets.max > 0
            && let Some(material) = material.and_then(|id| materials.get(id))
        {
            tint(primitive, material.color());
        }
    }
    scene.nodes.iter_mut().for_each(|node| node.material = None);
}

/// A change of an image's values travels along, but is not seen; where it does not travel, it is told.
fn tell_changed_values(scene: &Scene, target: &Target, losses: &mut Losses) {
    for (id, texture) in scene.textures.entries().filter(|(_, texture)| texture.extras.get("obj.values").is_some()) {
        let place = texture.subject(id);
        losses.add(&LOSS_041, place, 1, "change of the image's values", target.why("field for it"));
    }
}

/// Images that no material shows.
fn drop_loose(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let (textures, images) = scene.shown_images();
    let why = || target.why("images but those of materials");
    let mut told = images.clone();
    for (id, texture) in scene.textures.entries().filter(|(id, _)| !textures[id.index()]) {
        let place = texture.subject(id);
        // What only an extension shows goes with it, and is told there.
        if texture.extras.get(NUMBER).is_none() {
            losses.add(&LOSS_007, place, 1, "texture that no material shows", why());
        }
        texture.image.and_then(|image| told.get_mut(image.index())).into_iter().for_each(|told| *told = true);
    }
    let loose = |id: Id<Image>, image: &Image| !told[id.index()] && image.extras.get(NUMBER).is_none();
    for (id, image) in scene.images.entries().filter(|(id, image)| loose(*id, image)) {
        let place = image.subject(id);
        losses.add(&LOSS_007, place, 1, "image that no material shows", why());
    }
    scene.keep_images(&textures, &images);
}

/// Gives every node that replaces the materials of its mesh a mesh of its own.
fn override_materials(scene: &mut Scene) {
    let mut users = MeshUsers::of(scene);
    for id in scene.nodes.ids() {
        let Some(material) = scene.nodes[id].material else { continue };
        for primitive in users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives) {
            primitive.material = Some(material);
        }
    }
}
