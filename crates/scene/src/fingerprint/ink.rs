//! What is said of the parts that objects are made of.

use sha2::{Digest, Sha256};

use super::Fingerprint;
use crate::{
    Attribute, Camera, Component, Ease, Easing, Extras, Filter, Id, Image, ImageSource, Interpolation, Light,
    LightKind, Name, Primitive, Projection, Properties, Scene, Stream, Texture, TextureProjection, Transform, Value,
    Wrap,
};

/// What is being hashed. Everything has its length before it, so that no two ways to say something run together.
pub(super) struct Ink(Sha256);

impl Ink {
    pub(super) fn new(kind: &str) -> Ink {
        let mut ink = Ink(Sha256::new());
        ink.word(kind);
        ink
    }
    pub(super) fn dry(self) -> Fingerprint {
        let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = <[u8; 32]>::from(self.0.finalize());
        Fingerprint(first)
    }
    pub(super) fn print(&mut self, print: Fingerprint) {
        self.0.update(print.0);
    }
    pub(super) fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }
    pub(super) fn word(&mut self, word: &str) {
        self.bytes(word.as_bytes());
    }
    pub(super) fn name(&mut self, name: &Name) {
        self.bytes(name.bytes());
    }
    pub(super) fn flag(&mut self, flag: bool) {
        self.number(flag.into());
    }
    pub(super) fn floats(&mut self, floats: &[f32]) {
        self.number(floats.len() as u64);
        floats.iter().for_each(|float| self.0.update(float.to_bits().to_le_bytes()));
    }
    pub(super) fn doubles(&mut self, doubles: &[f64]) {
        self.number(doubles.len() as u64);
        doubles.iter().for_each(|double| self.0.update(double.to_bits().to_le_bytes()));
    }
    pub(super) fn whole(&mut self, numbers: &[u32]) {
        self.number(numbers.len() as u64);
        numbers.iter().for_each(|number| self.0.update(number.to_le_bytes()));
    }
    pub(super) fn maybe<T>(&mut self, value: Option<T>, say: impl FnOnce(&mut Ink, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            say(self, value);
        }
    }
    pub(super) fn list<T>(&mut self, list: impl ExactSizeIterator<Item = T>, mut say: impl FnMut(&mut Ink, T)) {
        self.number(list.len() as u64);
        list.for_each(|item| say(self, item));
    }
    /// One of so many objects, by what it is.
    pub(super) fn named<T>(&mut self, id: Option<Id<T>>, prints: &[Fingerprint]) {
        self.maybe(id.and_then(|id| prints.get(id.index())), |ink, print| ink.print(*print));
    }

    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word("null"),
            Value::Bool(flag) => {
                self.word("bool");
                self.flag(*flag);
            }
            // A reader of JSON cannot tell the two.
            Value::Int(number) => {
                self.word("whole");
                self.bytes(&i128::from(*number).to_le_bytes());
            }
            Value::Uint(number) => {
                self.word("whole");
                self.bytes(&i128::from(*number).to_le_bytes());
            }
            Value::F32(number) => {
                self.word("f32");
                self.floats(&[*number]);
            }
            Value::F64(number) => {
                self.word("f64");
                self.doubles(&[*number]);
            }
            Value::Text(text) => {
                self.word("text");
                self.name(text);
            }
            Value::Bytes(bytes) => {
                self.word("bytes");
                self.bytes(bytes);
            }
            Value::List(list) => {
                self.word("list");
                self.list(list.iter(), Ink::value);
            }
            Value::Map(map) => {
                self.word("map");
                self.pairs(map);
            }
        }
    }

    /// Named values; programs that rewrite JSON may sort them.
    pub(super) fn pairs(&mut self, pairs: &[(String, Value)]) {
        let mut sorted: Vec<_> = pairs.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        self.list(sorted.into_iter(), |ink, (key, value)| {
            ink.word(key);
            ink.value(value);
        });
    }

    pub(super) fn extras(&mut self, extras: &Extras) {
        self.pairs(&extras.own);
        self.maybe(extras.foreign.as_ref(), Ink::value);
        self.pairs(&extras.extensions);
    }

    pub(super) fn properties(&mut self, properties: &Properties) {
        self.list(properties.iter(), |ink, (name, value)| {
            ink.name(name);
            ink.value(value);
        });
    }

    pub(super) fn transform(&mut self, transform: &Transform) {
        match transform {
            Transform::Trs { translation, rotation, scale } => {
                self.word("trs");
                self.floats(translation);
                self.floats(rotation);
                self.floats(scale);
            }
            Transform::Matrix(columns) => {
                self.word("matrix");
                self.floats(columns);
            }
        }
    }

    pub(super) fn stream(&mut self, stream: &Stream) {
        let encoding = stream.encoding();
        self.word(encoding.component.name());
        self.number(encoding.count.into());
        self.flag(encoding.normalised);
        match encoding.component {
            Component::F32 => self.floats(&stream.to_f32()),
            _ => self.doubles(&stream.to_f64()),
        }
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        self.list(attributes.iter(), |ink, attribute| {
            ink.word(&attribute.semantic.to_string());
            ink.stream(&attribute.stream);
        });
    }

    pub(super) fn primitive(&mut self, primitive: &Primitive, materials: &[Fingerprint]) {
        self.word(primitive.topology.name());
        self.attributes(&primitive.attributes);
        self.maybe(primitive.indices.as_ref(), |ink, indices| ink.whole(&indices.to_vec()));
        self.whole(&primitive.corners);
        self.named(primitive.material, materials);
        self.list(primitive.targets.iter(), |ink, target| ink.attributes(&target.attributes));
        self.extras(&primitive.extras);
    }

    pub(super) fn texture(&mut self, scene: &Scene, texture: &Texture) {
        let filter = |filter: Filter| match filter {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
            Filter::Cubic => "cubic",
        };
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
            Wrap::Clamp => "clamp",
            Wrap::Clip => "clip",
        };
        self.name(&texture.name);
        self.maybe(texture.image.and_then(|image| scene.images.get(image)), Ink::image);
        self.maybe(texture.magnify, |ink, magnify| ink.word(filter(magnify)));
        self.maybe(texture.reduce, |ink, (reduce, between)| {
            ink.word(filter(reduce));
            ink.maybe(between, |ink, between| ink.word(filter(between)));
        });
        texture.wrap.iter().for_each(|along| self.word(wrap(*along)));
        self.word(match texture.projection {
            TextureProjection::Flat => "flat",
            TextureProjection::Box => "box",
            TextureProjection::Sphere => "sphere",
            TextureProjection::Cube => "cube",
            TextureProjection::Cylinder => "cylinder",
        });
        self.extras(&texture.extras);
    }

    /// A picture in a file is that file, wherever it lies and whether it is there.
    pub(super) fn image(&mut self, image: &Image) {
        self.name(&image.name);
        match &image.source {
            ImageSource::File { path, .. } => {
                self.word("file");
                self.name(path);
            }
            ImageSource::Embedded { mime, bytes } => {
                self.word("embedded");
                self.word(mime);
                self.bytes(bytes);
            }
        }
        self.extras(&image.extras);
    }

    pub(super) fn light(&mut self, light: &Light) {
        self.name(&light.name);
        match light.kind {
            LightKind::Point => self.word("point"),
            LightKind::Directional => self.word("directional"),
            LightKind::Spot { inner, outer } => {
                self.word("spot");
                self.floats(&[inner, outer]);
            }
            LightKind::Ambient => self.word("ambient"),
            LightKind::Area => self.word("area"),
        }
        self.floats(&light.color);
        self.floats(&[light.intensity]);
        self.maybe(light.range, |ink, range| ink.floats(&[range]));
        self.extras(&light.extras);
    }

    pub(super) fn camera(&mut self, camera: &Camera) {
        self.name(&camera.name);
        match camera.projection {
            Projection::Perspective { fov_y, aspect } => {
                self.word("perspective");
                self.floats(&[fov_y]);
                self.maybe(aspect, |ink, aspect| ink.floats(&[aspect]));
            }
            Projection::Orthographic { x, y } => {
                self.word("orthographic");
                self.floats(&[x, y]);
            }
        }
        self.floats(&[camera.near]);
        self.maybe(camera.far, |ink, far| ink.floats(&[far]));
        self.extras(&camera.extras);
    }

    pub(super) fn interpolation(&mut self, interpolation: Interpolation) {
        match interpolation {
            Interpolation::Step => self.word("step"),
            Interpolation::Linear => self.word("linear"),
            Interpolation::Cubic => self.word("cubic"),
            Interpolation::Bezier { first, second } => {
                self.word("bezier");
                self.floats(&[first, second].concat());
            }
            Interpolation::Eased(easing, ease) => {
                self.word(match easing {
                    Easing::Sine => "sine",
                    Easing::Quadratic => "quadratic",
                    Easing::Cubic => "eased cubic",
                    Easing::Quartic => "quartic",
                    Easing::Quintic => "quintic",
                });
                self.word(match ease {
                    Ease::In => "in",
                    Ease::Out => "out",
                    Ease::InOut => "in-out",
                });
            }
        }
    }
}
