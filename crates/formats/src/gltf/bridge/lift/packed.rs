//! Textures that are packed into one image: each comes back under its own name while that image is the one that was
//! written. What is shown instead of it stays.

use findings::Subject;
use ops::images::{pixel_hash, split, stem};
use scene::loss::LOSS_052;
use scene::{ColorChannel, Id, Image, ImageSource, Material, Role, Slot, Texture};
use wire::Blob;

use super::Input;
use super::carried::{Carried, text};
use super::images::{self, Sampling};
use super::materials::{channel, described, role};
use crate::gltf::schema::Json;

/// The textures of a material that went into packed images.
pub(super) struct Packed(Vec<Entry>);

struct Entry {
    json: Json,
    /// What it is, if the image it went into is still shown for that.
    still: Option<Role>,
}

/// An image that went into a packed one.
pub(super) struct Unpacked {
    /// The packed image and its channel; nothing if the image itself is there.
    from: Option<(Id<Image>, ColorChannel)>,
    pub(super) bytes: Blob,
}

impl Packed {
    pub(super) fn new(input: &Input<'_, '_, '_>, carried: Option<Json>, shown: &[Slot]) -> Packed {
        let list = match carried {
            Some(Json::Array(list)) => list,
            _ => Vec::new(),
        };
        let mut prints: Vec<(Id<Image>, Option<String>)> = Vec::new();
        let mut still = |json: &Json| {
            let role = json.get("role").and_then(role)?;
            let image = input.scene.textures.get(holder(&role, shown)?.texture)?.image?;
            if !prints.iter().any(|(known, _)| *known == image) {
                prints
                    .push((image, input.scene.images.get(image).and_then(|image| pixel_hash(image, &input.cx.limits))));
            }
            let print = prints.iter().find(|(known, _)| *known == image)?.1.as_deref()?;
            (json.get("picture")?.as_str()? == print).then_some(role)
        };
        Packed(list.into_iter().map(|json| Entry { still: still(&json), json }).collect())
    }

    fn still(&self, role: &Role) -> bool {
        self.0.iter().any(|entry| entry.still.as_ref() == Some(role))
    }

    /// Whether factors that were moved into the image of roughness and metal are still there.
    pub(super) fn holds_factors(&self) -> bool {
        self.still(&Role::Roughness) || self.still(&Role::Metallic)
    }

    /// Gives a material its own textures for the packed ones.
    pub(super) fn unpack(&self, input: &mut Input<'_, '_, '_>, material: &mut Material, carried: &mut Carried) {
        let place = material.subject(input.scene.materials.len());
        let shown = material.slots.clone();
        // Roles that a packed image has only because glTF reads all its channels.
        let made_up =
            [(Role::Roughness, Role::Metallic), (Role::Metallic, Role::Roughness), (Role::BaseColor, Role::Opacity)];
        for (role, _) in made_up.iter().filter(|(role, with)| self.still(with) && !self.still(role)) {
            material.slots.retain(|slot| slot.role != *role);
        }
        for (number, Entry { json, still }) in self.0.iter().enumerate() {
            let holder = still.as_ref().and_then(|role| Some((role, holder(role, &shown)?)));
            let Some((role, holder)) = holder else {
                carried.ignore(&format!("packed[{number}]"));
                continue;
            };
            let slot = own(input, json, holder, &place)
                .or_else(|| Some(Slot { role: role.clone(), channel: into(json)?, ..holder.clone() }));
            let Some(slot) = slot else {
                carried.ignore(&format!("packed[{number}]"));
                continue;
            };
            material.slots.retain(|shown| shown.role != *role);
            material.slots.push(slot);
        }
    }
}

/// Leaves out packed images of which everything came back: no material shows them.
pub(super) fn leave_out(input: &mut Input<'_, '_, '_>) {
    let (shown_textures, shown) = input.scene.shown_images();
    let stays = |image: Id<Image>| shown.get(image.index()) == Some(&true) || !input.images.packed.contains(&image);
    let images: Vec<bool> = input.scene.images.ids().map(stays).collect();
    let of = |texture: &Texture| texture.image.is_none_or(stays);
    let textures = input.scene.textures.iter().zip(shown_textures);
    let textures: Vec<bool> = textures.map(|(texture, shown)| shown || of(texture)).collect();
    input.scene.keep_images(&textures, &images);
}

/// The slot that shows what a role has in a packed image.
fn holder<'s>(role: &Role, shown: &'s [Slot]) -> Option<&'s Slot> {
    let holder = if *role == Role::Opacity { &Role::BaseColor } else { role };
    shown.iter().find(|slot| slot.role == *holder)
}

/// The channel of the packed image.
fn into(json: &Json) -> Option<ColorChannel> {
    json.get("into")?.get(1).and_then(channel)
}

/// The slot as it was, but for what the packed one shows otherwise. Nothing if another slot made another image of the
/// same path.
fn own(input: &mut Input<'_, '_, '_>, json: &Json, holder: &Slot, place: &Subject) -> Option<Slot> {
    let packed = input.scene.textures.get(holder.texture)?;
    let sampling = Sampling::new(json)?;
    let written = json.get("sampled").map_or(Some(sampling), Sampling::new)?;
    let sampling = if written.fits(packed) { sampling } else { Sampling::of(packed) };
    let slot = described(json, holder.texture)?;
    let from = (packed.image?, into(json)?);
    let texture = texture(input, json, &slot, from, &sampling, place)?;
    input.images.packed.insert(from.0);
    let strength = if slot.role == Role::Occlusion { holder.strength } else { slot.strength };
    Some(Slot { texture, strength, uv_set: holder.uv_set, transform: holder.transform, ..slot })
}

/// The texture of an image that went into a packed one: its own file, or the channel that it became.
fn texture(
    input: &mut Input<'_, '_, '_>,
    json: &Json,
    slot: &Slot,
    from: (Id<Image>, ColorChannel),
    sampling: &Sampling,
    place: &Subject,
) -> Option<Id<Texture>> {
    let extras = json.get("extras");
    let path = json.get("path").map_or(Some(None), |path| text(path).map(Some))?;
    if let Some(path) = &path {
        if !input.images.unpacked.contains_key(path)
            && let Some(bytes) = path.as_str().and_then(|name| input.data.find_file(name, name).bytes())
        {
            input.images.unpacked.insert(path.clone(), Unpacked { from: None, bytes });
        }
        if let Some(known) = input.images.unpacked.get(path) {
            let same = known.from.is_none_or(|known| known == from);
            return same.then(|| images::missing(input, Some(path.clone()), sampling, extras));
        }
    }
    let bytes = split(input.scene.images.get(from.0)?, from.1, slot.channel, &input.cx.limits)?;
    if !input.cx.travels {
        let what = format!("{} texture made of the packed one", slot.role.name());
        input.cx.lose(&LOSS_052, place, 1, &what, "its own image is not there");
    }
    match path {
        Some(path) if path.to_string().to_lowercase().ends_with(".png") => {
            input.images.unpacked.insert(path.clone(), Unpacked { from: Some(from), bytes });
            Some(images::missing(input, Some(path), sampling, extras))
        }
        path => {
            let name =
                path.map_or_else(|| json.get("name").and_then(text), |path| Some(stem(&path.to_string()).into()));
            let key = format!("{name:?} of {from:?}");
            let source = ImageSource::Embedded { mime: "image/png".to_owned(), bytes };
            let image = Image { name: name.unwrap_or_default(), source, extras: Default::default() };
            Some(images::added(input, &key, sampling, extras, |_| Some(image)))
        }
    }
}
