//! Textures that glTF wants in one image: roughness in green and metal in blue, with occlusion in red; specular
//! strength in alpha; opacity in the alpha of the base colour.

use std::collections::HashMap;

use findings::Subject;
use ops::images::{self as pixels, Source};
use scene::loss::*;
use scene::{ColorChannel, Extras, Id, Image, ImageSource, Material, Role, Scene, Slot, Value};
use serde_json::json;

use super::materials::{Draft, description, info};
use super::{Output, images};
use crate::gltf::carry::encode;
use crate::gltf::schema::{Json, Real, TextureInfo};

/// Where the alpha of an opacity texture goes, and what glTF calls the other three.
const BASE_COLOR: &str = "baseColorTexture";
const METALLIC_ROUGHNESS: &str = "metallicRoughnessTexture";
const OCCLUSION: &str = "occlusionTexture";
const SPECULAR: &str = "specularTexture";

/// Channels of an image by their names.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// Slots of a material that become one texture.
pub(super) struct Pack {
    into: &'static str,
    /// Whose texture coordinates and sampling it has.
    lead: usize,
    /// Slots with the channel each fills; three for a whole colour.
    slots: Vec<(usize, &'static str)>,
    /// Factors that are in the image now.
    factors: Vec<Role>,
    /// Position in the images of the output.
    image: usize,
}

/// Packed images, and which materials use them.
#[derive(Default)]
pub(super) struct Packs {
    /// For each material of the scene.
    packs: Vec<Vec<Pack>>,
    /// As images that the scene does not have.
    pub(super) made: Vec<Image>,
    /// By which those are known again.
    prints: Vec<String>,
    /// Where those went.
    pub(super) images: Vec<Option<usize>>,
    /// Textures of them, by image and the texture whose sampling they have.
    pub(super) textures: HashMap<(usize, usize), usize>,
}

/// A pack before its image is made.
struct Wish {
    into: &'static str,
    lead: usize,
    slots: Vec<(usize, &'static str)>,
    factors: Vec<Role>,
    channels: Vec<Source<Id<Image>>>,
}

/// Makes the images that the materials need.
pub(super) fn plan(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let mut made: HashMap<Vec<Source<Id<Image>>>, Option<usize>> = HashMap::new();
    for (id, material) in scene.materials.entries() {
        let place = material.subject(id);
        let mut packs = Vec::new();
        for wish in wishes(scene, material) {
            let image = match made.get(&wish.channels) {
                Some(&known) => known,
                None => {
                    let image = make(out, material, &wish, &place);
                    made.insert(wish.channels.clone(), image);
                    image
                }
            };
            let Wish { into, lead, slots, factors, .. } = wish;
            packs.extend(image.map(|image| Pack { into, lead, slots, factors, image }));
        }
        out.images.packs.packs.push(packs);
    }
}

/// Which textures of the scene are needed nowhere but in packed images.
pub(super) fn consumed(out: &Output<'_, '_, '_>) -> Vec<bool> {
    let scene = out.scene;
    let (mut packed, mut whole) = (vec![false; scene.textures.len()], vec![false; scene.textures.len()]);
    for (material, packs) in scene.materials.iter().zip(&out.images.packs.packs) {
        for (at, slot) in material.slots.iter().enumerate() {
            let list = if is_packed(packs, at) { &mut packed } else { &mut whole };
            if let Some(used) = list.get_mut(slot.texture.index()) {
                *used = true;
            }
        }
    }
    packed.into_iter().zip(whole).map(|(packed, whole)| packed && !whole).collect()
}

fn is_packed(packs: &[Pack], slot: usize) -> bool {
    packs.iter().any(|pack| pack.slots.iter().any(|(at, _)| *at == slot))
}

/// Whether glTF reads roughness and metal from where this slot has them.
pub(super) fn is_direct(material: &Material, slot: &Slot) -> bool {
    let (pbr, partner) = match slot.role {
        Role::Roughness => (material.pbr().metallic, material.slot(&Role::Metallic)),
        Role::Metallic => (material.pbr().roughness, material.slot(&Role::Roughness)),
        _ => return false,
    };
    let own = |slot: &Slot| match slot.role {
        Role::Roughness => slot.channel == ColorChannel::Green,
        _ => slot.channel == ColorChannel::Blue,
    };
    match partner {
        Some(other) => own(slot) && own(other) && slot.texture == other.texture && lies_alike(slot, other),
        // What is multiplied by nothing may be anything.
        None => own(slot) && pbr == 0.,
    }
}

fn lies_alike(a: &Slot, b: &Slot) -> bool {
    (a.uv_set, a.transform) == (b.uv_set, b.transform)
}

fn wishes(scene: &Scene, material: &Material) -> Vec<Wish> {
    let image = |slot: &Slot| {
        let image = scene.textures.get(slot.texture)?.image?;
        pixels::dimensions(scene.images.get(image)?).and(Some(image))
    };
    let find = |role: &Role| {
        let at = material.slots.iter().position(|slot| slot.role == *role)?;
        Some((at, &material.slots[at], image(&material.slots[at])?))
    };
    let of = |(_, slot, image): (usize, &Slot, Id<Image>)| Source::Of(image, slot.channel);
    let mut wishes = Vec::new();
    let mut occlusion = find(&Role::Occlusion);
    let needs_packing = |(_, slot, _): &(usize, &Slot, Id<Image>)| !is_direct(material, slot);
    let roughness = find(&Role::Roughness).filter(needs_packing);
    let mut metallic = find(&Role::Metallic).filter(needs_packing);
    if let Some(lead) = roughness.or(metallic) {
        metallic = metallic.filter(|(_, slot, _)| lies_alike(slot, lead.1));
        let with = occlusion.take_if(|(_, slot, _)| lies_alike(slot, lead.1));
        let fill = |factor: f32| Source::Fill((factor.clamp(0., 1.) * 255.).round() as u8);
        let pbr = material.pbr();
        let channels = vec![
            with.map_or(Source::Fill(u8::MAX), of),
            roughness.map_or(fill(pbr.roughness), of),
            metallic.map_or(fill(pbr.metallic), of),
        ];
        let slots = [with, roughness, metallic].into_iter().zip(CHANNELS);
        let slots = slots.filter_map(|(found, channel)| Some((found?.0, channel))).collect();
        // A texture that cannot be packed keeps its factor for those who look for it.
        let missing = |role: Role, found: bool| (!found).then_some(role);
        let factors = [missing(Role::Roughness, roughness.is_some()), missing(Role::Metallic, metallic.is_some())];
        let factors = factors.into_iter().flatten().collect();
        wishes.push(Wish { into: METALLIC_ROUGHNESS, lead: lead.0, slots, factors, channels });
    }
    if let Some(found) = occlusion.filter(|(_, slot, _)| !matches!(slot.channel, ColorChannel::All | ColorChannel::Red))
    {
        let slots = vec![(found.0, "red")];
        wishes.push(Wish { into: OCCLUSION, lead: found.0, slots, factors: Vec::new(), channels: vec![of(found); 3] });
    }
    if let Some(found) = find(&Role::Specular).filter(|(_, slot, _)| slot.channel != ColorChannel::Alpha) {
        let white = Source::Fill(u8::MAX);
        let channels = vec![white, white, white, of(found)];
        let slots = vec![(found.0, "alpha")];
        wishes.push(Wish { into: SPECULAR, lead: found.0, slots, factors: Vec::new(), channels });
    }
    wishes.extend(opacity(material, find(&Role::BaseColor), find(&Role::Opacity)));
    wishes
}

fn opacity(
    material: &Material,
    base: Option<(usize, &Slot, Id<Image>)>,
    opacity: Option<(usize, &Slot, Id<Image>)>,
) -> Option<Wish> {
    let (at, slot, image) = opacity?;
    let alpha = Source::Of(image, slot.channel);
    let white = Source::Fill(u8::MAX);
    match (material.slot(&Role::BaseColor), base) {
        (None, _) => Some(Wish {
            into: BASE_COLOR,
            lead: at,
            slots: vec![(at, "alpha")],
            factors: Vec::new(),
            channels: vec![white, white, white, alpha],
        }),
        (Some(_), Some((base_at, base, base_image)))
            if lies_alike(slot, base)
                && base.channel == ColorChannel::All
                && (slot.texture, slot.channel) != (base.texture, ColorChannel::Alpha) =>
        {
            let rgb = [ColorChannel::Red, ColorChannel::Green, ColorChannel::Blue];
            let channels = rgb.map(|channel| Source::Of(base_image, channel)).into_iter().chain([alpha]).collect();
            let slots = vec![(base_at, "all"), (at, "alpha")];
            Some(Wish { into: BASE_COLOR, lead: base_at, slots, factors: Vec::new(), channels })
        }
        _ => None,
    }
}

/// The one image that has all channels where they are wanted.
fn has_all(wish: &Wish) -> Option<Id<Image>> {
    const PLACES: [ColorChannel; 4] = [ColorChannel::Red, ColorChannel::Green, ColorChannel::Blue, ColorChannel::Alpha];
    // Nobody looks for occlusion in a texture for roughness and metal.
    let is_ignored = |at: usize| at == 0 && wish.into == METALLIC_ROUGHNESS;
    let mut found = None;
    for (at, channel) in wish.channels.iter().enumerate() {
        match *channel {
            Source::Of(image, channel) if channel == PLACES[at] && found.is_none_or(|known| known == image) => {
                found = Some(image);
            }
            Source::Fill(_) if is_ignored(at) => {}
            _ => return None,
        }
    }
    found
}

/// Makes an image; nothing if one of its sources cannot be decoded after all.
fn make(out: &mut Output<'_, '_, '_>, material: &Material, wish: &Wish, place: &Subject) -> Option<usize> {
    let scene = out.scene;
    if let Some(image) = has_all(wish).map(|image| &scene.images[image])
        && let Some((bytes, mime)) = images::as_it_is(image)
    {
        let source = ImageSource::Embedded { mime: mime.to_owned(), bytes };
        out.images.packs.prints.push(pixels::pixel_hash(image, &out.cx.limits)?);
        out.images.packs.made.push(Image { name: images::stem(image).into(), source, extras: Extras::default() });
        return Some(out.images.packs.made.len() - 1);
    }
    let sources: Vec<Source<&Image>> = wish
        .channels
        .iter()
        .map(|channel| match *channel {
            Source::Fill(value) => Source::Fill(value),
            Source::Of(image, channel) => Source::Of(&scene.images[image], channel),
        })
        .collect();
    let packed = pixels::pack(&sources, &out.cx.limits)?;
    for &(at, channel) in &wish.slots {
        let first = CHANNELS.iter().position(|name| *name == channel).unwrap_or(0);
        let Some(&Some((size, deep))) = packed.sources.get(first) else { continue };
        let role = material.slots[at].role.name();
        let changed = [
            (size != packed.size, format!("scaled to {} x {}", packed.size.0, packed.size.1)),
            (deep, "reduced to 8 bits".to_owned()),
        ];
        for (_, what) in changed.iter().filter(|(changed, _)| *changed) {
            out.cx.lose(
                &LOSS_052,
                place,
                1,
                format!("{role} texture {what}"),
                "glTF wants it in one image with others",
            );
        }
    }
    let mut names: Vec<String> = Vec::new();
    for &(at, _) in &wish.slots {
        let image = scene.textures.get(material.slots[at].texture).and_then(|texture| texture.image);
        let name = image.map(|image| images::stem(&scene.images[image])).unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let source = ImageSource::Embedded { mime: "image/png".to_owned(), bytes: packed.png };
    out.images.packs.made.push(Image { name: names.join("-").into(), source, extras: Extras::default() });
    out.images.packs.prints.push(packed.hash);
    Some(out.images.packs.made.len() - 1)
}

/// Gives a material its packed textures, and answers which of its slots are in them.
pub(super) fn apply(out: &mut Output<'_, '_, '_>, draft: &mut Draft, index: usize, place: &Subject) -> Vec<bool> {
    let material = &out.scene.materials[Id::new(index)];
    let packs = out.images.packs.packs.get_mut(index).map(std::mem::take).unwrap_or_default();
    let mut done = vec![false; material.slots.len()];
    for pack in &packs {
        let lead = &material.slots[pack.lead];
        let Some(texture) = images::packed_texture(out, pack.image, lead.texture) else { continue };
        let plain = info(out, lead, texture);
        draft.uv_set = draft.uv_set.max(Some(lead.uv_set));
        for &(at, channel) in &pack.slots {
            done[at] = true;
            let slot = &material.slots[at];
            if slot.role == Role::Occlusion {
                let [strength] = draft.within(out, place, "occlusion strength", [slot.strength], 0., 1., 1.);
                let strength = (strength != 1.).then(|| Real::from(strength));
                draft.written.occlusion_texture = Some(TextureInfo { strength, ..plain.clone() });
            }
            let mut kept = description(slot);
            kept.insert("into".into(), json!([pack.into, channel]));
            kept.insert("picture".into(), json!(out.images.packs.prints.get(pack.image)));
            describe_image(out, slot, &mut kept);
            describe_sampling(out, slot, lead, &mut kept);
            draft.packed.push(Json::Object(kept));
        }
        match pack.into {
            METALLIC_ROUGHNESS => draft.pbr.metallic_roughness_texture = Some(plain),
            SPECULAR => drop(draft.specular.insert(SPECULAR.into(), json!(plain))),
            BASE_COLOR => draft.pbr.base_color_texture = Some(plain),
            _ => {}
        }
        for role in &pack.factors {
            draft.move_into_image(material, role);
        }
    }
    done
}

/// The image of a slot in the source's words, and how it is sampled.
fn describe_image(out: &mut Output<'_, '_, '_>, slot: &Slot, kept: &mut serde_json::Map<String, Json>) {
    let Some(texture) = out.scene.textures.get(slot.texture) else { return };
    let image = texture.image.and_then(|id| out.scene.images.get(id));
    match image.map(|image| (&image.source, &image.name)) {
        Some((ImageSource::File { path, .. }, _)) => {
            kept.insert("path".into(), encode(&Value::Text(path.clone())));
        }
        Some((_, name)) if !name.is_empty() => {
            kept.insert("name".into(), encode(&Value::Text(name.clone())));
        }
        _ => {}
    }
    images::describe(out, texture, kept);
}

/// How the packed texture is sampled, if that is another way.
fn describe_sampling(out: &Output<'_, '_, '_>, slot: &Slot, lead: &Slot, kept: &mut serde_json::Map<String, Json>) {
    let sampling = |slot: &Slot| out.scene.textures.get(slot.texture).map(images::sampling).unwrap_or_default();
    if sampling(slot) != sampling(lead) {
        kept.insert("sampled".into(), Json::Object(sampling(lead)));
    }
}
