//! The JSON half of a glTF file: its objects, with the names of the specification.
//!
//! Every object keeps its `extensions` and `extras` as they are, and unknown properties in `other`.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub use serde_json::{Map, Value as Json};
use wire::Blob;

/// A number as JSON has it.
///
/// Made of a 32-bit float it is the double with that float's fewest digits: 0.1 and not 0.10000000149011612. Narrowed
/// again it is the same float.
#[derive(Clone, Copy, Debug, Default)]
pub struct Real(pub f64);

impl From<f32> for Real {
    fn from(value: f32) -> Real {
        let wide = f64::from(value);
        if Real(wide).is_whole() { Real(wide) } else { Real(value.to_string().parse().unwrap_or(wide)) }
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}
impl Eq for Real {}

impl Real {
    /// The largest whole number that is written without a decimal point; far below where floats have gaps.
    const WHOLE: f64 = 1e6;

    fn is_whole(self) -> bool {
        self.0.fract() == 0. && self.0.abs() <= Real::WHOLE && !(self.0 == 0. && self.0.is_sign_negative())
    }

    /// The same number inside free JSON.
    pub(crate) fn json(self) -> Json {
        if self.is_whole() { Json::from(self.0 as i64) } else { Json::from(self.0) }
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_whole() { to.serialize_i64(self.0 as i64) } else { to.serialize_f64(self.0) }
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Real, D::Error> {
        f64::deserialize(from).map(Real)
    }
}

/// A link. The bytes that one holds itself are decoded once, for all who have a copy of it.
#[derive(Clone, Debug, Default)]
pub struct Uri {
    text: Words,
    data: Arc<OnceLock<Option<Blob>>>,
}

#[derive(Clone, Debug)]
enum Words {
    Own(Arc<String>),
    /// As they stand in the file, which has them already.
    Shared(Blob),
}

impl Default for Words {
    fn default() -> Words {
        Words::Own(Arc::default())
    }
}

/// Shorter links may be in memory twice.
const LONG: usize = 1 << 20;

/// Links that are spelled otherwise in the file, with escapes, are not sought for ever.
const MOST_UNFOUND: usize = 4;

/// Lets long links be what stands in the text that they were read from, in their order there.
pub(super) fn share<'u>(uris: impl Iterator<Item = &'u mut Uri>, text: &Blob) {
    let (mut from, mut unfound) = (0, 0);
    for uri in uris {
        let Words::Own(own) = &uri.text else { continue };
        let Some((start, _)) = own.as_bytes().split_first_chunk::<64>().filter(|_| own.len() >= LONG) else { continue };
        let starts = memchr::memmem::find_iter(&text[from..], start);
        let mut places = starts.map(|at| from + at..from + at + own.len());
        match places.find(|place| text[..].get(place.clone()) == Some(own.as_bytes())) {
            Some(place) => {
                from = place.end;
                uri.text = Words::Shared(text.slice(place));
            }
            None => unfound += 1,
        }
        if unfound == MOST_UNFOUND {
            break;
        }
    }
}

impl Uri {
    /// What its content is, by whoever can tell.
    pub(super) fn data(&self, decode: impl FnOnce(&str) -> Option<Vec<u8>>) -> Option<Blob> {
        self.data.get_or_init(|| decode(self).map(Blob::memory)).clone()
    }
}

impl From<String> for Uri {
    fn from(text: String) -> Uri {
        Uri { text: Words::Own(Arc::new(text)), data: Arc::default() }
    }
}

impl Deref for Uri {
    type Target = str;
    fn deref(&self) -> &str {
        match &self.text {
            Words::Own(text) => text,
            // It was UTF-8 when it was found.
            Words::Shared(text) => std::str::from_utf8(text).unwrap_or_default(),
        }
    }
}

impl PartialEq for Uri {
    fn eq(&self, other: &Uri) -> bool {
        **self == **other
    }
}
impl Eq for Uri {}

impl Serialize for Uri {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Uri {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Uri, D::Error> {
        String::deserialize(from).map(Uri::from)
    }
}

/// Whether a property is left out of the JSON.
trait Absent {
    fn is_absent(&self) -> bool {
        false
    }
}
impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
impl<T> Absent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}
impl Absent for Map<String, Json> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}
// Required properties: always there.
impl Absent for usize {}
impl Absent for u32 {}
impl Absent for Real {}
impl Absent for String {}
impl Absent for BTreeMap<String, usize> {}
impl Absent for Asset {}
impl Absent for ChannelTarget {}

/// Declares an object: its own properties, then the three that every object has.
macro_rules! object {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $Name:ident { $($(#[$meta:meta])* $field:ident: $T:ty,)* }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(missing_docs)]
        pub struct $Name {
            $($(#[$meta])* #[serde(skip_serializing_if = "Absent::is_absent")] pub $field: $T,)*
            #[serde(default, skip_serializing_if = "Absent::is_absent")]
            pub extensions: Map<String, Json>,
            #[serde(skip_serializing_if = "Absent::is_absent")]
            pub extras: Option<Json>,
            /// Unknown properties.
            #[serde(flatten)]
            pub other: Map<String, Json>,
        }
    )*};
}

object! {
    /// The whole JSON.
    pub struct Root {
        asset: Asset,
        #[serde(default)]
        extensions_used: Vec<String>,
        #[serde(default)]
        extensions_required: Vec<String>,
        scene: Option<usize>,
        #[serde(default)]
        scenes: Vec<Scene>,
        #[serde(default)]
        nodes: Vec<Node>,
        #[serde(default)]
        cameras: Vec<Camera>,
        #[serde(default)]
        meshes: Vec<Mesh>,
        #[serde(default)]
        skins: Vec<Skin>,
        #[serde(default)]
        animations: Vec<Animation>,
        #[serde(default)]
        materials: Vec<Material>,
        #[serde(default)]
        textures: Vec<Texture>,
        #[serde(default)]
        images: Vec<Image>,
        #[serde(default)]
        samplers: Vec<Sampler>,
        #[serde(default)]
        accessors: Vec<Accessor>,
        #[serde(default)]
        buffer_views: Vec<BufferView>,
        #[serde(default)]
        buffers: Vec<Buffer>,
    }

    /// About the file.
    pub struct Asset {
        version: String,
        min_version: Option<String>,
        generator: Option<String>,
        copyright: Option<String>,
    }

    /// Nodes that are shown together.
    pub struct Scene {
        name: Option<String>,
        #[serde(default)]
        nodes: Vec<usize>,
    }

    /// A place, and what stands there.
    pub struct Node {
        name: Option<String>,
        #[serde(default)]
        children: Vec<usize>,
        mesh: Option<usize>,
        skin: Option<usize>,
        camera: Option<usize>,
        matrix: Option<[Real; 16]>,
        translation: Option<[Real; 3]>,
        rotation: Option<[Real; 4]>,
        scale: Option<[Real; 3]>,
        #[serde(default)]
        weights: Vec<Real>,
    }

    /// A mesh.
    pub struct Mesh {
        name: Option<String>,
        #[serde(default)]
        primitives: Vec<Primitive>,
        #[serde(default)]
        weights: Vec<Real>,
    }

    /// Vertices of one material.
    pub struct Primitive {
        mode: Option<u32>,
        attributes: BTreeMap<String, usize>,
        indices: Option<usize>,
        material: Option<usize>,
        #[serde(default)]
        targets: Vec<BTreeMap<String, usize>>,
    }

    /// A material.
    pub struct Material {
        name: Option<String>,
        pbr_metallic_roughness: Option<PbrMetallicRoughness>,
        normal_texture: Option<TextureInfo>,
        occlusion_texture: Option<TextureInfo>,
        emissive_texture: Option<TextureInfo>,
        emissive_factor: Option<[Real; 3]>,
        alpha_mode: Option<String>,
        alpha_cutoff: Option<Real>,
        double_sided: Option<bool>,
    }

    /// Factors and textures of the metallic-roughness model.
    pub struct PbrMetallicRoughness {
        base_color_factor: Option<[Real; 4]>,
        base_color_texture: Option<TextureInfo>,
        metallic_factor: Option<Real>,
        roughness_factor: Option<Real>,
        metallic_roughness_texture: Option<TextureInfo>,
    }

    /// A texture in a role; `scale` for normals, `strength` for occlusion.
    pub struct TextureInfo {
        index: usize,
        tex_coord: Option<usize>,
        scale: Option<Real>,
        strength: Option<Real>,
    }

    /// An image and how it is sampled.
    pub struct Texture {
        name: Option<String>,
        sampler: Option<usize>,
        source: Option<usize>,
    }

    /// An image.
    pub struct Image {
        name: Option<String>,
        uri: Option<Uri>,
        mime_type: Option<String>,
        buffer_view: Option<usize>,
    }

    /// How an image is sampled.
    pub struct Sampler {
        name: Option<String>,
        mag_filter: Option<u32>,
        min_filter: Option<u32>,
        wrap_s: Option<u32>,
        wrap_t: Option<u32>,
    }

    /// Typed numbers in a buffer view; zeros without one.
    pub struct Accessor {
        name: Option<String>,
        buffer_view: Option<usize>,
        byte_offset: Option<usize>,
        component_type: u32,
        normalized: Option<bool>,
        count: usize,
        #[serde(rename = "type")]
        kind: String,
        min: Option<Vec<Real>>,
        max: Option<Vec<Real>>,
        sparse: Option<Json>,
    }

    /// A run of bytes in a buffer.
    pub struct BufferView {
        name: Option<String>,
        buffer: usize,
        byte_offset: Option<usize>,
        byte_length: usize,
        byte_stride: Option<usize>,
        target: Option<u32>,
    }

    /// Bytes: a file, a data URI or, without `uri`, the binary chunk.
    pub struct Buffer {
        name: Option<String>,
        uri: Option<Uri>,
        byte_length: usize,
    }

    /// Joints that move vertices.
    pub struct Skin {
        name: Option<String>,
        inverse_bind_matrices: Option<usize>,
        skeleton: Option<usize>,
        #[serde(default)]
        joints: Vec<usize>,
    }

    /// An animation.
    pub struct Animation {
        name: Option<String>,
        #[serde(default)]
        channels: Vec<AnimationChannel>,
        #[serde(default)]
        samplers: Vec<AnimationSampler>,
    }

    /// What a sampler moves.
    pub struct AnimationChannel {
        sampler: usize,
        target: ChannelTarget,
    }

    /// A property of a node.
    pub struct ChannelTarget {
        node: Option<usize>,
        path: String,
    }

    /// Times and values.
    pub struct AnimationSampler {
        input: usize,
        interpolation: Option<String>,
        output: usize,
    }

    /// A camera.
    pub struct Camera {
        name: Option<String>,
        #[serde(rename = "type")]
        kind: String,
        perspective: Option<Perspective>,
        orthographic: Option<Orthographic>,
    }

    /// Far things are small.
    pub struct Perspective {
        aspect_ratio: Option<Real>,
        yfov: Real,
        zfar: Option<Real>,
        znear: Real,
    }

    /// Far things are as large as near ones.
    pub struct Orthographic {
        xmag: Real,
        ymag: Real,
        zfar: Real,
        znear: Real,
    }
}

/// Numbers that the specification gives names.
#[allow(missing_docs)]
pub mod gl {
    pub const BYTE: u32 = 5120;
    pub const UNSIGNED_BYTE: u32 = 5121;
    pub const SHORT: u32 = 5122;
    pub const UNSIGNED_SHORT: u32 = 5123;
    pub const UNSIGNED_INT: u32 = 5125;
    pub const FLOAT: u32 = 5126;

    pub const ARRAY_BUFFER: u32 = 34962;
    pub const ELEMENT_ARRAY_BUFFER: u32 = 34963;

    pub const NEAREST: u32 = 9728;
    pub const LINEAR: u32 = 9729;
    pub const NEAREST_MIPMAP_NEAREST: u32 = 9984;
    pub const LINEAR_MIPMAP_NEAREST: u32 = 9985;
    pub const NEAREST_MIPMAP_LINEAR: u32 = 9986;
    pub const LINEAR_MIPMAP_LINEAR: u32 = 9987;

    pub const REPEAT: u32 = 10497;
    pub const CLAMP_TO_EDGE: u32 = 33071;
    pub const MIRRORED_REPEAT: u32 = 33648;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_fewest_digits_and_come_back() {
        let text = |v: Real| serde_json::to_string(&v).unwrap();
        assert_eq!(text(0.1_f32.into()), "0.1");
        assert_eq!(text(Real(0.1)), "0.1");
        assert_eq!(text(1_f32.into()), "1");
        assert_eq!(text(Real(-0.0)), "-0.0");
        for value in [0.3_f32, -0.0, 1e30, f32::MIN_POSITIVE, 16777217.0, 1e-7] {
            let back: Real = serde_json::from_str(&text(value.into())).unwrap();
            assert_eq!((back.0 as f32).to_bits(), value.to_bits());
            let back = serde_json::to_string(&Real::from(value).json()).unwrap().parse::<f64>().unwrap();
            assert_eq!((back as f32).to_bits(), value.to_bits());
        }
    }

    #[test]
    fn unknown_properties_survive() {
        let text =
            r#"{"asset":{"version":"2.0","flavour":"salt"},"nodes":[{"name":"a","extras":7,"odd":[1,2.5]}],"more":{}}"#;
        let root: Root = serde_json::from_str(text).unwrap();
        assert_eq!(root.nodes[0].other["odd"], serde_json::json!([1, 2.5]));
        let back: Json = serde_json::to_value(&root).unwrap();
        assert_eq!(back, serde_json::from_str::<Json>(text).unwrap());
    }

    #[test]
    fn missing_required_property_is_named() {
        let error = serde_json::from_str::<Root>(r#"{"asset":{}}"#).unwrap_err();
        assert!(error.to_string().contains("version"), "{error}");
    }

    #[test]
    fn long_links_are_what_stands_in_the_file() {
        let link = |letter: &str| format!("data:application/octet-stream;base64,{}", letter.repeat(LONG));
        let [first, second, escaped] = ["A", "B", "C"].map(link);
        let text = format!(r#"["{first}","short","{second}","{}"]"#, escaped.replace("base64", "base\\u00364"));
        let mut uris: Vec<Uri> = serde_json::from_str(&text).unwrap();
        let read: Vec<String> = uris.iter().map(|uri| uri.to_string()).collect();
        share(uris.iter_mut(), &Blob::file(text.into_bytes()));
        let shared: Vec<bool> = uris.iter().map(|uri| matches!(uri.text, Words::Shared(_))).collect();
        assert_eq!(shared, [true, false, true, false]);
        assert!(uris.iter().zip(&read).all(|(uri, read)| **uri == **read));
        assert!(uris[0] == Uri::from(first) && uris[0] != uris[2]);
    }
}
