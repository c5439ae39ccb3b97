//! Images, samplers and textures.

use std::collections::HashSet;

use findings::Subject;
use ops::images::{kind, stem as stem_of, to_png};
use scene::extras::{INSIDE, NUMBER};
use scene::loss::*;
use scene::{Filter, Id, Image, ImageSource, Scene, Texture, TextureProjection, Value, Wrap};
use serde_json::json;
use wire::Blob;

use super::super::{SAMPLER, inside, numbers};
use super::{Output, data_uri, packing, without};
use crate::gltf::carry::{Carry, encode, extensions, plain};
use crate::gltf::extensions::image_kind;
use crate::gltf::layout::Container;
use crate::gltf::schema::{self, Json, Map, gl};
use crate::{LowerCx, Textures};

/// Images that are written.
#[derive(Default)]
pub(super) struct Written {
    /// Where each image of the scene went.
    pub(super) images: Vec<Option<usize>>,
    /// Where each texture of the scene went.
    pub(super) textures: Vec<Option<usize>>,
    /// The same, with those that have no image and are called by an extension.
    pub(super) called_textures: Vec<Option<usize>>,
    pub(super) packs: packing::Packs,
}

/// Where images go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::gltf::bridge) enum Mode {
    /// Into the file.
    Embed,
    /// Beside it, unless they are there already.
    Beside,
    /// Nowhere: the path is written as the source has it.
    Reference,
}

pub(in crate::gltf::bridge) fn mode(cx: &LowerCx<'_>, container: Container) -> Mode {
    match (cx.textures, container) {
        (Textures::Embed, _) | (Textures::Near | Textures::Away, Container::Binary) => Mode::Embed,
        (Textures::Near | Textures::Away, Container::Json) if cx.embed => Mode::Embed,
        (Textures::Near | Textures::Away | Textures::Copy, _) => Mode::Beside,
        (Textures::Reference, _) => Mode::Reference,
    }
}

/// The kind of an image that stays as it is because an extension calls it.
pub(super) fn kept(image: &Image) -> Option<(&'static str, &'static str)> {
    image.extras.get(NUMBER)?;
    let (_, kind) = image_kind(image.bytes()?)?;
    Some((kind.mime, kind.suffix))
}

/// The bytes of an image that glTF holds as they are, and their MIME type.
pub(super) fn as_it_is(image: &Image) -> Option<(Blob, &'static str)> {
    let stored = image.bytes()?;
    Some((stored.clone(), kind(stored)?.0))
}

/// Why an image cannot be written, in words.
pub(super) fn why_not(image: &Image) -> &'static str {
    if image.bytes().is_none() { "its file was not found" } else { "glTF holds PNG and JPEG" }
}

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    let mode = mode(out.cx, out.container);
    // Nothing is written of images that are only named.
    if mode != Mode::Reference {
        packing::plan(out);
    }
    let consumed = packing::consumed(out);
    let (mut needed, mut named) = (vec![false; scene.images.len()], vec![false; scene.images.len()]);
    for (texture, consumed) in scene.textures.iter().zip(&consumed) {
        let Some(image) = texture.image.map(|id| id.index()).filter(|&image| image < named.len()) else { continue };
        named[image] = true;
        needed[image] |= !consumed;
    }
    let mut images = vec![None; scene.images.len()];
    for (id, image) in scene.images.entries() {
        if needed[id.index()] || !named[id.index()] {
            let place = image.subject(id);
            images[id.index()] = lower_image(out, image, id, mode, &place);
        }
    }
    for made in std::mem::take(&mut out.images.packs.made) {
        let image = lower_image(out, &made, Id::new(scene.images.len()), mode, &"".into());
        out.images.packs.images.push(image);
    }
    for texture in scene.textures.iter() {
        let source = texture.image.and_then(|id| images.get(id.index()).copied().flatten());
        let called = texture.extras.get(NUMBER).is_some();
        let index = (source.is_some() || called).then(|| lower_texture(out, texture, source));
        out.images.textures.push(index.filter(|_| source.is_some()));
        out.images.called_textures.push(index);
    }
    lose_unshown(out, &images, &named);
    out.images.images = images;
}

/// Tells of images that cannot be written and that no material shows: nobody else will.
fn lose_unshown(out: &mut Output<'_, '_, '_>, images: &[Option<usize>], named: &[bool]) {
    let scene = out.scene;
    let shown: HashSet<Id<Texture>> =
        scene.materials.iter().flat_map(|material| &material.slots).map(|slot| slot.texture).collect();
    for (id, texture) in scene.textures.entries().filter(|(id, _)| !shown.contains(id)) {
        let gone = texture.image.and_then(|image| scene.images.get(image)).map_or("it has no image", why_not);
        if out.images.textures[id.index()].is_none() {
            let place = texture.subject(id);
            out.cx.lose(&LOSS_030, &place, 1, "texture that no material shows", gone);
        }
    }
    for (id, image) in scene.images.entries().filter(|(id, _)| !named[id.index()] && images[id.index()].is_none()) {
        let place = image.subject(id);
        out.cx.lose(&LOSS_030, &place, 1, "image that no texture shows", why_not(image));
    }
}

/// The texture of a packed image, sampled as one of the scene is.
pub(super) fn packed_texture(out: &mut Output<'_, '_, '_>, image: usize, like: Id<Texture>) -> Option<usize> {
    let source = out.images.packs.images.get(image).copied().flatten();
    let key = (image, like.index());
    if let Some(&known) = out.images.packs.textures.get(&key) {
        return Some(known);
    }
    let sampler = lower_sampler(out, out.scene.textures.get(like)?);
    out.root.textures.push(schema::Texture { sampler, source: Some(source?), ..schema::Texture::default() });
    out.images.packs.textures.insert(key, out.root.textures.len() - 1);
    Some(out.root.textures.len() - 1)
}

/// The bytes that glTF holds of an image, with their MIME type and extension; others are converted.
fn held(out: &mut Output<'_, '_, '_>, image: &Image, place: &Subject) -> Option<(Blob, (&'static str, &'static str))> {
    let stored = image.bytes()?;
    if let Some(kind) = kind(stored).or_else(|| kept(image)) {
        return Some((stored.clone(), kind));
    }
    let png = to_png(image, &out.cx.limits)?;
    out.cx.lose(&LOSS_052, place, 1, "image converted to PNG", "glTF holds PNG and JPEG");
    let kind = kind(&png)?;
    Some((png, kind))
}

fn lower_image(
    out: &mut Output<'_, '_, '_>,
    image: &Image,
    id: Id<Image>,
    mode: Mode,
    place: &Subject,
) -> Option<usize> {
    let mut carry = Carry::default();
    let name = carry.name(&image.name);
    let path = match &image.source {
        ImageSource::File { path, .. } => Some(path),
        ImageSource::Embedded { .. } => None,
    };
    let referenced = path.filter(|_| mode == Mode::Reference);
    let held = if referenced.is_none() { held(out, image, place) } else { None };
    let mut written = schema::Image { name, extensions: out.foreign(&image.extras), ..schema::Image::default() };
    match (mode, referenced, held) {
        (_, Some(path), _) => written.uri = Some(percent_encode(&path.to_string().replace('\\', "/")).into()),
        (_, _, None) => return None,
        (Mode::Beside, _, Some((bytes, (_, extension)))) => {
            let is_kept = kind(image.bytes()?).is_some() || kept(image).is_some();
            let converted = (!is_kept).then(|| format!(".{extension}"));
            let link = crate::images::link(image, id, &bytes, converted.as_deref(), "", out.cx);
            written.uri = Some(percent_encode(&link.to_string().replace('\\', "/")).into());
        }
        (_, _, Some((bytes, (mime, _)))) if out.container == Container::Json => {
            out.cx.limits.charge(bytes.len() as u64 / 3 * 4).ok()?;
            written.uri = Some(data_uri(mime, &bytes).into());
        }
        (_, _, Some((bytes, (mime, _)))) => {
            out.cx.limits.charge(bytes.len() as u64).ok()?;
            written.mime_type = Some(mime.to_owned());
            written.buffer_view = Some(out.buffers.add(bytes, None, None));
        }
    }
    // Whoever takes the image out again names it so.
    if written.uri.as_ref().is_none_or(|uri| uri.starts_with("data:")) && written.name.is_none() && path.is_some() {
        written.name = Some(stem(image)).filter(|name| !name.is_empty());
    }
    if let Some(path) = path {
        carry.set("path", encode(&scene::Value::Text(path.clone())));
    }
    written.extras = out.extras(carry, &image.extras);
    out.root.images.push(written);
    Some(out.root.images.len() - 1)
}

/// The name of an image without folder and extension.
pub(super) fn stem(image: &Image) -> String {
    let named = match &image.source {
        ImageSource::File { path, .. } => path.to_string(),
        ImageSource::Embedded { .. } => image.name.to_string(),
    };
    stem_of(&named).to_owned()
}

/// A path as a URI: everything but letters, digits and what separates folders is escaped.
pub(in crate::gltf::bridge) fn percent_encode(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/');
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn lower_texture(out: &mut Output<'_, '_, '_>, texture: &Texture, source: Option<usize>) -> usize {
    let mut carry = Carry::default();
    let name = carry.name(&texture.name);
    let beyond = |filter: Option<Filter>| filter == Some(Filter::Cubic);
    let unheard_of = [
        (texture.wrap.contains(&Wrap::Clip), "what is beside the image"),
        (filters(texture).into_iter().any(beyond), "cubic filter"),
        (texture.projection != TextureProjection::Flat, "projection"),
    ];
    let place = texture.subject(out.root.textures.len());
    for (_, what) in unheard_of.iter().filter(|(there, _)| *there) {
        out.cx.lose(&LOSS_041, &place, 1, *what, "glTF has no field for it");
    }
    if unheard_of.iter().any(|(there, _)| *there) {
        carry.set("sampling", Json::Object(sampling(texture)));
    }
    let (extensions, source) = images_of(out.scene, texture, source);
    extensions.iter().for_each(|(name, json)| out.uses_all(name, json));
    let written = schema::Texture {
        name,
        sampler: lower_sampler(out, texture),
        source,
        extensions,
        extras: out.extras(carry, &without(&texture.extras, INSIDE)),
        other: Map::new(),
    };
    out.root.textures.push(written);
    out.root.textures.len() - 1
}

/// The extensions of a texture, and its source, of which one names the image: which it is depends on its kind.
fn images_of(scene: &Scene, texture: &Texture, source: Option<usize>) -> (Map<String, Json>, Option<usize>) {
    let mut extensions = extensions(&texture.extras);
    let image = texture.image.and_then(|id| scene.images.get(id));
    if let Some((image, (name, number))) = image.zip(numbers::image_of(&extensions))
        && image.extras.get(NUMBER).and_then(Value::as_int) == i64::try_from(number).ok()
    {
        if kept(image).is_some() {
            return (extensions, None);
        }
        extensions.shift_remove(&name);
    }
    (extensions, source)
}

/// How it is enlarged, reduced, and mixed between mip levels.
fn filters(texture: &Texture) -> [Option<Filter>; 3] {
    [texture.magnify, texture.reduce.map(|(filter, _)| filter), texture.reduce.and_then(|(_, mip)| mip)]
}

/// Says of a texture that glTF does not have how it is sampled, and what travels with it.
pub(super) fn describe(out: &mut Output<'_, '_, '_>, texture: &Texture, kept: &mut Map<String, Json>) {
    kept.append(&mut sampling(texture));
    if let Some(extras) = out.extras(Carry::default(), &without(&texture.extras, INSIDE)) {
        kept.insert("extras".into(), extras);
    }
}

/// Everything about the sampling of a texture that is not the default, in words, where glTF has no numbers.
pub(super) fn sampling(texture: &Texture) -> Map<String, Json> {
    let mut all = Map::new();
    if texture.wrap != [Wrap::Repeat; 2] {
        all.insert("wrap".into(), json!(texture.wrap.map(wrap_word)));
    }
    if filters(texture) != [None; 3] {
        all.insert("filters".into(), json!(filters(texture).map(|filter| filter.map(filter_word))));
    }
    if texture.projection != TextureProjection::Flat {
        all.insert("projection".into(), json!(projection_word(texture.projection)));
    }
    all
}

fn wrap_word(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
        Wrap::Clip => "clip",
    }
}

fn filter_word(filter: Filter) -> &'static str {
    match filter {
        Filter::Nearest => "nearest",
        Filter::Linear => "linear",
        Filter::Cubic => "cubic",
    }
}

fn projection_word(projection: TextureProjection) -> &'static str {
    match projection {
        TextureProjection::Flat => "flat",
        TextureProjection::Box => "box",
        TextureProjection::Sphere => "sphere",
        TextureProjection::Cube => "cube",
        TextureProjection::Cylinder => "cylinder",
    }
}

/// What the sampler of the file said beside how it samples.
fn said_beside(texture: &Texture) -> schema::Sampler {
    let said = inside::at(&texture.extras, SAMPLER).and_then(|said| serde_json::from_value(plain(said)).ok());
    let schema::Sampler { name, extensions, extras, other, .. } = said.unwrap_or_default();
    schema::Sampler { name, extensions, extras, other, ..schema::Sampler::default() }
}

fn lower_sampler(out: &mut Output<'_, '_, '_>, texture: &Texture) -> Option<usize> {
    let nearest = |filter| filter == Filter::Nearest;
    let wrap = |wrap| match wrap {
        Wrap::Repeat => None,
        Wrap::Mirror => Some(gl::MIRRORED_REPEAT),
        Wrap::Clamp | Wrap::Clip => Some(gl::CLAMP_TO_EDGE),
    };
    let sampler = schema::Sampler {
        mag_filter: texture.magnify.map(|filter| if nearest(filter) { gl::NEAREST } else { gl::LINEAR }),
        min_filter: texture.reduce.map(|(filter, mip)| match (nearest(filter), mip.map(nearest)) {
            (true, None) => gl::NEAREST,
            (false, None) => gl::LINEAR,
            (true, Some(true)) => gl::NEAREST_MIPMAP_NEAREST,
            (false, Some(true)) => gl::LINEAR_MIPMAP_NEAREST,
            (true, Some(false)) => gl::NEAREST_MIPMAP_LINEAR,
            (false, Some(false)) => gl::LINEAR_MIPMAP_LINEAR,
        }),
        wrap_s: wrap(texture.wrap[0]),
        wrap_t: wrap(texture.wrap[1]),
        ..said_beside(texture)
    };
    if sampler == schema::Sampler::default() {
        return None;
    }
    out.used.extend(sampler.extensions.keys().cloned());
    let samplers = &mut out.root.samplers;
    Some(samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
        samplers.push(sampler);
        samplers.len() - 1
    }))
}
