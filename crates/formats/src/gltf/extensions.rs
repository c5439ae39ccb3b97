//! Every extension that is known here, said once: the checks, both directions of the bridge and the table in
//! `docs/formats/gltf.md` come from it.

pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";
pub(super) const LIGHTS: &str = "KHR_lights_punctual";
pub(super) const LEVELS: &str = "MSFT_lod";
pub(super) const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
pub(super) const MESHOPT: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";
pub(super) const SPECULAR: &str = "KHR_materials_specular";
pub(super) const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
pub(super) const UNLIT: &str = "KHR_materials_unlit";
pub(super) const VISIBILITY: &str = "KHR_node_visibility";
pub(super) const POINTER: &str = "KHR_animation_pointer";
pub(super) const DRACO: &str = "KHR_draco_mesh_compression";

/// An extension that is known here.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// Its name in `extensionsUsed`.
    pub name: &'static str,
    /// What becomes of it.
    pub use_: Use,
    /// Where it names objects of the file, by paths below it in which `*` is any index or key. Objects with `index`
    /// below a key that ends in `texture` are textures wherever they are, and not listed.
    pub names: &'static [(&'static str, Object)],
    /// What it is about, for people.
    pub about: &'static str,
    /// What other formats get of it.
    pub elsewhere: Elsewhere,
}

/// What becomes of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The scene has fields for all of it: it is read, and written where a scene needs it.
    Scene,
    /// It says how bytes are stored: it is read, and not needed in what is written.
    Read,
    /// It says how bytes are stored, and is written where a scene has such numbers.
    Stored,
    /// It names an image of this kind beside, or instead of, a PNG or JPEG; both are kept byte for byte.
    Image(&'static ImageKind),
    /// The scene has no field for it: it stays as it is between glTF files, and its numbers follow what they name.
    Kept,
    /// As [`Use::Kept`], but it names buffer views, accessors or more by numbers that are not followed.
    Loose,
    /// It hides the geometry: a file that requires it can be checked and repacked, not converted.
    Refused,
}

/// What other formats get of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// All of it, wherever there is something to apply it to.
    All(&'static str),
    /// What formats with this capability hold, by its name in `pentad formats`.
    Where(&'static str),
    /// All of it in these formats, by their ids; it is lost in others.
    In(&'static [&'static str]),
    /// Nothing; it is one line in the list of losses.
    Lost,
    /// The conversion is refused.
    Refused,
}

/// A kind of image that only an extension makes valid.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageKind {
    /// Its MIME type.
    pub mime: &'static str,
    /// The extension of its files.
    pub suffix: &'static str,
    /// Bytes that its files have, and where.
    magic: (usize, &'static [u8]),
}

/// Objects of a file that have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A texture.
    Texture,
    /// An image.
    Image,
    /// A material.
    Material,
    /// A node.
    Node,
    /// A mesh.
    Mesh,
    /// A camera.
    Camera,
    /// A light.
    Light,
}

static WEBP: ImageKind = ImageKind { mime: "image/webp", suffix: "webp", magic: (8, b"WEBP") };
static KTX2: ImageKind = ImageKind { mime: "image/ktx2", suffix: "ktx2", magic: (0, b"\xABKTX 20\xBB\r\n\x1A\n") };
static AVIF: ImageKind = ImageKind { mime: "image/avif", suffix: "avif", magic: (4, b"ftypavif") };
static DDS: ImageKind = ImageKind { mime: "image/vnd-ms.dds", suffix: "dds", magic: (0, b"DDS ") };

const SOURCE: &[(&str, Object)] = &[("source", Object::Image)];

/// Images that programs of other formats read, too.
const AS_IT_IS: Elsewhere = Elsewhere::All("as it is");

/// An extension of materials, which names nothing but textures.
const fn material(name: &'static str, about: &'static str) -> Extension {
    Extension { name, use_: Use::Kept, names: &[], about, elsewhere: Elsewhere::Lost }
}

const fn other(name: &'static str, use_: Use, about: &'static str, elsewhere: Elsewhere) -> Extension {
    Extension { name, use_, names: &[], about, elsewhere }
}

const fn image(name: &'static str, kind: &'static ImageKind, elsewhere: Elsewhere) -> Extension {
    Extension { name, use_: Use::Image(kind), names: SOURCE, about: kind.mime, elsewhere }
}

const fn naming(name: &'static str, names: &'static [(&'static str, Object)], about: &'static str) -> Extension {
    Extension { name, use_: Use::Kept, names, about, elsewhere: Elsewhere::Lost }
}

/// Every one of them: those of Khronos first, then those of several vendors, then those of one.
pub static EXTENSIONS: &[Extension] = &[
    other(POINTER, Use::Kept, "animation of any property", Elsewhere::Lost),
    other(DRACO, Use::Refused, "geometry compressed by Draco", Elsewhere::Refused),
    other("KHR_gaussian_splatting", Use::Kept, "points that are drawn as splats", Elsewhere::Lost),
    other("KHR_interactivity", Use::Loose, "behaviour graphs", Elsewhere::Lost),
    other(LIGHTS, Use::Scene, "lights", Elsewhere::Where("lights")),
    material("KHR_materials_anisotropy", "directional reflections"),
    material("KHR_materials_clearcoat", "a clear coating"),
    material("KHR_materials_diffuse_transmission", "light through thin walls"),
    material("KHR_materials_dispersion", "colours of refracted light"),
    other(
        EMISSIVE_STRENGTH,
        Use::Scene,
        "strength of emitted light",
        Elsewhere::In(&["das2", "dgl2", "dragon", "obj"]),
    ),
    material("KHR_materials_ior", "index of refraction"),
    material("KHR_materials_iridescence", "thin films"),
    material("KHR_materials_pbrSpecularGlossiness", "the older specular-glossiness materials"),
    material("KHR_materials_sheen", "cloth"),
    other(SPECULAR, Use::Scene, "strength and colour of reflections", Elsewhere::In(&["dgl2", "dgl3", "dragon"])),
    material("KHR_materials_transmission", "light through the material"),
    other(UNLIT, Use::Scene, "materials without lighting", Elsewhere::In(&["dgl2", "dgl3", "dragon"])),
    naming("KHR_materials_variants", &[("mappings/*/material", Object::Material)], "materials to choose from"),
    material("KHR_materials_volume", "refraction and absorption"),
    material("KHR_materials_volume_scatter", "light scattered inside"),
    other(QUANTIZATION, Use::Stored, "short numbers in vertices", Elsewhere::All("as the numbers they mean")),
    other(MESHOPT[0], Use::Read, "compressed buffer views", Elsewhere::All("decompressed")),
    material("KHR_node_hoverability", "nodes that a pointer can touch"),
    material("KHR_node_selectability", "nodes that can be selected"),
    other(VISIBILITY, Use::Scene, "hidden nodes", Elsewhere::Where("visibility")),
    image("KHR_texture_basisu", &KTX2, Elsewhere::Lost),
    other(
        TEXTURE_TRANSFORM,
        Use::Scene,
        "shift, turn and stretch of textures",
        Elsewhere::All("baked into the texture coordinates"),
    ),
    material("KHR_xmp_json_ld", "metadata"),
    other("KHR_audio_emitter", Use::Loose, "sounds", Elsewhere::Lost),
    other("KHR_implicit_shapes", Use::Kept, "solids for collisions", Elsewhere::Lost),
    other("KHR_physics_rigid_bodies", Use::Loose, "physics", Elsewhere::Lost),
    other("EXT_instance_features", Use::Loose, "ids of instances", Elsewhere::Lost),
    other("EXT_lights_ies", Use::Loose, "light profiles", Elsewhere::Lost),
    naming("EXT_lights_image_based", &[("lights/*/specularImages/*/*", Object::Image)], "light of the surroundings"),
    material("EXT_mesh_features", "ids of features"),
    other(INSTANCING, Use::Scene, "instances of meshes", Elsewhere::Where("instances")),
    other("EXT_mesh_manifold", Use::Loose, "how triangles join to solids", Elsewhere::Lost),
    other(MESHOPT[1], Use::Read, "compressed buffer views", Elsewhere::All("decompressed")),
    other("EXT_structural_metadata", Use::Loose, "tables of properties", Elsewhere::Lost),
    image("EXT_texture_avif", &AVIF, Elsewhere::Lost),
    image("EXT_texture_webp", &WEBP, Elsewhere::All("decoded to PNG")),
    material("ADOBE_materials_clearcoat_specular", "reflections of a clear coating"),
    material("ADOBE_materials_clearcoat_tint", "colour of a clear coating"),
    material("ADOBE_materials_thin_transparency", "thin transparent walls"),
    other("AGI_articulations", Use::Kept, "parts that can be moved", Elsewhere::Lost),
    other("AGI_stk_metadata", Use::Kept, "metadata", Elsewhere::Lost),
    other("CESIUM_primitive_outline", Use::Loose, "outlines", Elsewhere::Lost),
    other("FB_geometry_metadata", Use::Kept, "counts and bounds of scenes", Elsewhere::Lost),
    other("GODOT_single_root", Use::Kept, "that the first node is the root", Elsewhere::Lost),
    other(LEVELS, Use::Scene, "levels of detail", Elsewhere::Where("lods")),
    material("MSFT_packing_normalRoughnessMetallic", "textures in another packing"),
    material("MSFT_packing_occlusionRoughnessMetallic", "textures in another packing"),
    image("MSFT_texture_dds", &DDS, AS_IT_IS),
    material("NV_materials_mdl", "materials of MDL"),
];

/// The extension of a name.
pub(super) fn known(name: &str) -> Option<&'static Extension> {
    EXTENSIONS.iter().find(|extension| extension.name == name)
}

/// Whether an extension is understood: the scene has all of it, or reading takes it away.
pub(super) fn is_understood(name: &str) -> bool {
    known(name).is_some_and(|extension| matches!(extension.use_, Use::Scene | Use::Read | Use::Stored))
}

/// Whether the numbers by which an extension calls objects are followed, or it has none.
pub(super) fn is_followed(name: &str) -> bool {
    known(name).is_some_and(|extension| !matches!(extension.use_, Use::Loose | Use::Refused))
}

/// Whether nothing can be seen of a model without this extension, which is not understood.
pub(super) fn is_opaque(name: &str) -> bool {
    known(name).is_some_and(|extension| extension.use_ == Use::Refused)
}

/// Whether an extension says how the numbers of a file are stored, not what they mean.
pub(super) fn is_stored(name: &str) -> bool {
    known(name).is_some_and(|extension| matches!(extension.use_, Use::Read | Use::Stored))
}

/// The kind of an image that only an extension makes valid, and that extension.
pub(super) fn image_kind(bytes: &[u8]) -> Option<(&'static Extension, &'static ImageKind)> {
    EXTENSIONS.iter().find_map(|extension| match extension.use_ {
        Use::Image(kind) => {
            let (at, magic) = kind.magic;
            bytes.get(at..)?.starts_with(magic).then_some((extension, kind))
        }
        _ => None,
    })
}

/// The kind of an image that only an extension of glTF makes valid, and that other formats do not hold as it is.
pub(crate) fn image_beyond(image: &scene::Image) -> Option<&'static ImageKind> {
    let bytes = match &image.source {
        scene::ImageSource::File { bytes, .. } => bytes.as_ref()?,
        scene::ImageSource::Embedded { bytes, .. } => bytes,
    };
    image_kind(bytes).filter(|(extension, _)| extension.elsewhere != AS_IT_IS).map(|(_, kind)| kind)
}
