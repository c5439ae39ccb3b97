//! Images, samplers and textures.

use findings::{Loaded, Place, Result};
use ops::images::{kind, stem};
use scene::{Filter, Id, Image, ImageSource, Name, Texture, TextureProjection, Value, Wrap};
use wire::Blob;

use super::super::inside::add_words;
use super::super::{SAMPLER, numbers};
use super::Input;
use super::carried::text;
use crate::gltf::carry::value;
use crate::gltf::data::uri;
use crate::gltf::rules::{GLTF_018, GLTF_021, GLTF_023};
use crate::gltf::schema::{self, Json, Map, gl};

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    for (index, image) in input.root.images.iter().enumerate() {
        let lifted = lift_image(input, image, &format!("images[{index}]"))?;
        input.scene.images.add(lifted);
    }
    for (index, texture) in input.root.textures.iter().enumerate() {
        let lifted = lift_texture(input, texture, &format!("textures[{index}]"));
        input.scene.textures.add(lifted);
    }
    Ok(())
}

fn lift_image(input: &mut Input<'_, '_, '_>, image: &schema::Image, path: &str) -> Result<Image> {
    let mut carried = input.carried(image.extras.as_ref());
    let mut name = carried.name(image.name.as_deref());
    let embedded = |bytes: Blob, said: Option<&str>| {
        let mime = said
            .filter(|mime| !mime.is_empty())
            .or_else(|| kind(&bytes).map(|(mime, _)| mime))
            .unwrap_or_default()
            .to_owned();
        ImageSource::Embedded { mime, bytes }
    };
    let mut source = match (&image.uri, image.buffer_view) {
        (Some(uri), _) => match uri::resolve(uri) {
            uri::Target::Data(mime, bytes) => embedded(bytes, Some(&mime)),
            uri::Target::Path(file) => find(input, &file, uri, path),
            uri::Target::Nowhere(why) => {
                input.find(&GLTF_018, Place::path(format!("{path}.uri")), why);
                ImageSource::File { path: (**uri).into(), bytes: None }
            }
        },
        (None, Some(view)) => {
            let found = input.data.view(view);
            let bytes = input.settle(found)?.map(|view| view.bytes).unwrap_or_default();
            embedded(bytes, image.mime_type.as_deref())
        }
        (None, None) => embedded(Blob::default(), image.mime_type.as_deref()),
    };
    let path_of_source = carried.taken("path", text);
    // Whoever takes an image out again names it by its path.
    if path_of_source.as_ref().is_some_and(|path| *stem(&path.to_string()) == name.to_string()) {
        name = Name::default();
    }
    if let Some(path) = path_of_source {
        let bytes = match source {
            ImageSource::File { bytes, .. } => bytes,
            ImageSource::Embedded { bytes, .. } => Some(bytes),
        };
        source = ImageSource::File { path, bytes };
    }
    let extras = carried.finish(input, path, &image.extensions, &[]);
    Ok(Image { name, source, extras })
}

/// The file of an image, if it is there.
fn find(input: &mut Input<'_, '_, '_>, file: &str, uri: &str, path: &str) -> ImageSource {
    let bytes = match input.data.find_file(file, uri) {
        Loaded::Found { bytes, .. } => Some(bytes),
        Loaded::Missing => {
            input.find(&GLTF_023, Place::path(format!("{path}.uri")), format!("\"{file}\" is not there"));
            None
        }
        Loaded::Refused(why) => {
            input.find(&GLTF_023, Place::path(format!("{path}.uri")), why);
            None
        }
    };
    ImageSource::File { path: file.into(), bytes }
}

fn lift_texture(input: &mut Input<'_, '_, '_>, texture: &schema::Texture, path: &str) -> Texture {
    let mut carried = input.carried(texture.extras.as_ref());
    let (images, samplers) = (input.root.images.len(), input.root.samplers.len());
    let mut lifted = Texture::new(Id::new(0));
    lifted.name = carried.name(texture.name.as_deref());
    let image = texture.source.and_then(|source| input.number(source, images, &format!("{path}.source")));
    // An image of another kind stands in for none, and beside one that everybody reads.
    let other = numbers::image_of(&texture.extensions)
        .and_then(|(name, source)| input.number(source, images, &format!("{path}.extensions.{name}.source")));
    lifted.image = image.or(other).map(Id::new);
    let root = input.root;
    let sampler = texture.sampler.and_then(|sampler| input.number(sampler, samplers, &format!("{path}.sampler")));
    let mut said = None;
    if let Some(number) = sampler {
        let sampler = &root.samplers[number];
        lift_sampler(input, sampler, &mut lifted, &format!("samplers[{number}]"));
        said = said_beside(sampler);
    }
    if let Some(words) = carried.taken("sampling", |json| Sampling::new(json).filter(|words| words.fits(&lifted))) {
        words.apply(&mut lifted);
    }
    lifted.extras = carried.finish(input, path, &texture.extensions, &[]);
    if let Some(said) = said {
        add_words(&mut lifted.extras, vec![(SAMPLER.to_owned(), said)]);
    }
    lifted
}

/// What a sampler says beside how it samples.
fn said_beside(sampler: &schema::Sampler) -> Option<Value> {
    let schema::Sampler { name, extensions, extras, other, .. } = sampler.clone();
    let rest = schema::Sampler { name, extensions, extras, other, ..schema::Sampler::default() };
    let json = serde_json::to_value(&rest).ok()?;
    (rest != schema::Sampler::default()).then(|| value(&json))
}

fn lift_sampler(input: &mut Input<'_, '_, '_>, sampler: &schema::Sampler, texture: &mut Texture, path: &str) {
    let mut unknown = |field: &str, number: u32| {
        input.find(&GLTF_021, Place::path(format!("{path}.{field}")), format!("{field} {number} is unknown"));
    };
    match sampler.mag_filter {
        None => {}
        Some(number) => match number {
            gl::NEAREST => texture.magnify = Some(Filter::Nearest),
            gl::LINEAR => texture.magnify = Some(Filter::Linear),
            _ => unknown("magFilter", number),
        },
    }
    use Filter::{Linear, Nearest};
    match sampler.min_filter {
        None => {}
        Some(number) => match number {
            gl::NEAREST => texture.reduce = Some((Nearest, None)),
            gl::LINEAR => texture.reduce = Some((Linear, None)),
            gl::NEAREST_MIPMAP_NEAREST => texture.reduce = Some((Nearest, Some(Nearest))),
            gl::LINEAR_MIPMAP_NEAREST => texture.reduce = Some((Linear, Some(Nearest))),
            gl::NEAREST_MIPMAP_LINEAR => texture.reduce = Some((Nearest, Some(Linear))),
            gl::LINEAR_MIPMAP_LINEAR => texture.reduce = Some((Linear, Some(Linear))),
            _ => unknown("minFilter", number),
        },
    }
    for (axis, (field, number)) in [("wrapS", sampler.wrap_s), ("wrapT", sampler.wrap_t)].into_iter().enumerate() {
        match number {
            None | Some(gl::REPEAT) => {}
            Some(gl::MIRRORED_REPEAT) => texture.wrap[axis] = Wrap::Mirror,
            Some(gl::CLAMP_TO_EDGE) => texture.wrap[axis] = Wrap::Clamp,
            Some(number) => unknown(field, number),
        }
    }
}

/// Carried sampling, in words.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    wrap: [Wrap; 2],
    filters: [Option<Filter>; 3],
    projection: TextureProjection,
}

impl Sampling {
    pub(super) fn new(json: &Json) -> Option<Sampling> {
        let wrap = match json.get("wrap") {
            None => [Wrap::Repeat; 2],
            Some(json) => [wrap(json.get(0)?)?, wrap(json.get(1)?)?],
        };
        let filters = match json.get("filters") {
            None => [None; 3],
            Some(json) => [filter(json.get(0)?)?, filter(json.get(1)?)?, filter(json.get(2)?)?],
        };
        let projection = match json.get("projection").map(Json::as_str) {
            None => TextureProjection::Flat,
            Some(word) => match word? {
                "flat" => TextureProjection::Flat,
                "box" => TextureProjection::Box,
                "sphere" => TextureProjection::Sphere,
                "cube" => TextureProjection::Cube,
                "cylinder" => TextureProjection::Cylinder,
                _ => return None,
            },
        };
        Some(Sampling { wrap, filters, projection })
    }

    pub(super) fn of(texture: &Texture) -> Sampling {
        let filters = [texture.magnify, texture.reduce.map(|r| r.0), texture.reduce.and_then(|r| r.1)];
        Sampling { wrap: texture.wrap, filters, projection: texture.projection }
    }

    /// Whether a texture's sampling is what glTF makes of this one.
    pub(super) fn fits(&self, texture: &Texture) -> bool {
        let shown = |wrap| if wrap == Wrap::Clip { Wrap::Clamp } else { wrap };
        let linear = |filter| if filter == Some(Filter::Cubic) { Some(Filter::Linear) } else { filter };
        let other = Sampling::of(texture);
        self.wrap.map(shown) == other.wrap && self.filters.map(linear) == other.filters
    }

    pub(super) fn apply(&self, texture: &mut Texture) {
        texture.wrap = self.wrap;
        texture.magnify = self.filters[0];
        texture.reduce = self.filters[1].map(|filter| (filter, self.filters[2]));
        texture.projection = self.projection;
    }
}

fn wrap(json: &Json) -> Option<Wrap> {
    Some(match json.as_str()? {
        "repeat" => Wrap::Repeat,
        "mirror" => Wrap::Mirror,
        "clamp" => Wrap::Clamp,
        "clip" => Wrap::Clip,
        _ => return None,
    })
}

fn filter(json: &Json) -> Option<Option<Filter>> {
    Some(Some(match json {
        Json::Null => return Some(None),
        json => match json.as_str()? {
            "nearest" => Filter::Nearest,
            "linear" => Filter::Linear,
            "cubic" => Filter::Cubic,
            _ => return None,
        },
    }))
}

/// A texture whose image the file does not name: the one of that path and sampling, if there is one already.
pub(super) fn missing(
    input: &mut Input<'_, '_, '_>,
    path: Option<Name>,
    sampling: &Sampling,
    extras: Option<&Json>,
) -> Id<Texture> {
    let key = format!("{:?}", path.as_ref().map(Name::bytes));
    added(input, &key, sampling, extras, |input| {
        let path = path?;
        let bytes = match input.images.unpacked.get(&path) {
            Some(unpacked) => Some(unpacked.bytes.clone()),
            None => path.as_str().and_then(|name| input.data.find_file(name, name).bytes()),
        };
        Some(Image { name: Name::default(), source: ImageSource::File { path, bytes }, extras: Default::default() })
    })
}

/// The texture of an image by that key, which is made if there is none yet.
pub(super) fn added<'d, 'c, 'o>(
    input: &mut Input<'d, 'c, 'o>,
    key: &str,
    sampling: &Sampling,
    extras: Option<&Json>,
    image: impl FnOnce(&mut Input<'d, 'c, 'o>) -> Option<Image>,
) -> Id<Texture> {
    let mut texture = Texture::new(Id::new(0));
    sampling.apply(&mut texture);
    texture.image = None;
    texture.extras = input.carried(extras).finish(input, "materials", &Map::new(), &[]);
    let key = format!("{key} {texture:?}");
    if let Some(&known) = input.images.missing.get(&key) {
        return known;
    }
    texture.image = image(input).map(|image| input.scene.images.add(image));
    let id = input.scene.textures.add(texture);
    input.images.missing.insert(key, id);
    id
}
