//! Images for programs that load only some of what their format can name.

use std::collections::HashSet;

use findings::Losses;
use ops::images::to_png;
use scene::loss::{LOSS_030, LOSS_042, LOSS_052};
use scene::{Id, Image, ImageSource, Role, Scene};
use wire::{Blob, Budget};

use crate::Lack;

/// Makes every image one that a program with these lacks loads: what is no PNG is converted, and a name that the
/// program cannot read is changed. Images that are not there, or that cannot be decoded, are left out.
pub fn make_images_loadable(scene: &mut Scene, lacks: &[Lack], losses: &mut Losses, limits: &Budget) {
    if !lacks.contains(&Lack::OtherImages) {
        return;
    }
    let listed = lacks.contains(&Lack::ListedNames);
    let mut gone = HashSet::new();
    for (index, image) in scene.images.iter_mut().enumerate() {
        let label = image.subject(index);
        match loadable(image, listed, limits) {
            Loadable::Loads => {}
            Loadable::Changes { png, name, converted } => {
                if converted {
                    losses.add(&LOSS_052, &label, 1, "image converted to PNG", "the engine loads PNG only");
                } else {
                    let why = "the engine finds no such name";
                    losses.add(&LOSS_042, &label, 1, format!("file of the image called {name}"), why);
                }
                image.source = ImageSource::Embedded { mime: "image/png".to_owned(), bytes: png };
                image.name = name.into();
            }
            Loadable::Fails(why) => {
                losses.add(&LOSS_030, &label, 1, "image", why);
                gone.insert(Id::<Image>::new(index));
            }
        }
    }
    leave_out(scene, &gone);
}

/// Makes images that only extensions of glTF allow into such as other formats name: WebP becomes PNG, and what
/// cannot be decoded is left out.
#[cfg(feature = "gltf")]
pub fn decode_images(scene: &mut Scene, target: &str, losses: &mut Losses, limits: &Budget) {
    let mut gone = HashSet::new();
    for (index, image) in scene.images.iter_mut().enumerate() {
        let Some(kind) = crate::gltf::image_beyond(image) else { continue };
        let label = image.subject(index);
        let Some(png) = to_png(image, limits) else {
            losses.add(
                &LOSS_030,
                &label,
                1,
                "image",
                format!("{} cannot be decoded, and {target} holds no such", kind.mime),
            );
            gone.insert(Id::<Image>::new(index));
            continue;
        };
        losses.add(&LOSS_052, &label, 1, "image converted to PNG", format!("few programs read {}", kind.mime));
        match &mut image.source {
            ImageSource::File { path, bytes } => {
                let named = path.to_string();
                *path = format!("{}.png", named.strip_suffix(&format!(".{}", kind.suffix)).unwrap_or(&named))
                    .as_str()
                    .into();
                *bytes = Some(png);
            }
            source => *source = ImageSource::Embedded { mime: "image/png".to_owned(), bytes: png },
        }
    }
    leave_out(scene, &gone);
    if !gone.is_empty() {
        let images: Vec<bool> = scene.images.ids().map(|id| !gone.contains(&id)).collect();
        let textures = scene.textures.iter().map(|texture| texture.image.is_none_or(|image| !gone.contains(&image)));
        let textures: Vec<bool> = textures.collect();
        scene.keep_images(&textures, &images);
    }
}

/// Nothing else reads glTF.
#[cfg(not(feature = "gltf"))]
pub fn decode_images(_: &mut Scene, _: &str, _: &mut Losses, _: &Budget) {}

/// What has to become of an image.
enum Loadable {
    Loads,
    Changes { png: Blob, name: String, converted: bool },
    Fails(&'static str),
}

fn loadable(image: &Image, listed: bool, limits: &Budget) -> Loadable {
    let (bytes, named, name) = match &image.source {
        ImageSource::File { path, bytes } => {
            let path = path.to_string();
            (bytes.as_ref(), path.to_ascii_lowercase().ends_with(".png"), path)
        }
        ImageSource::Embedded { bytes, .. } => (Some(bytes), true, image.name.to_string()),
    };
    let is_list = |c: char| matches!(c, ',' | '[' | ']');
    let speakable = !(listed && name.contains(is_list));
    let is_png = bytes.is_none_or(|bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    if named && speakable && is_png {
        return Loadable::Loads;
    }
    let Some(bytes) = bytes else { return Loadable::Fails("the engine loads PNG only, and its file was not found") };
    let png = if is_png { Some(bytes.clone()) } else { to_png(image, limits) };
    let Some(png) = png else { return Loadable::Fails("the engine loads PNG only, and it cannot be converted") };
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = match last.rsplit_once('.') {
        Some((stem, kind)) if !stem.is_empty() && kind.len() <= 4 => stem,
        _ => last,
    };
    let name = stem.chars().map(|c| if listed && is_list(c) { '_' } else { c }).collect();
    Loadable::Changes { png, name, converted: !is_png }
}

/// Takes images away from the materials that show them. What only glows where an image says so glows no more.
fn leave_out(scene: &mut Scene, gone: &HashSet<Id<Image>>) {
    if gone.is_empty() {
        return;
    }
    let textures = &scene.textures;
    for material in scene.materials.iter_mut() {
        let is_gone = |texture| textures.get(texture).and_then(|t| t.image).is_some_and(|image| gone.contains(&image));
        for slot in material.slots.extract_if(.., |slot| is_gone(slot.texture)) {
            if slot.role == Role::Emission {
                material.emissive = [0.; 3];
            }
        }
    }
}
