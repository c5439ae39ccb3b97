//! The extensions that are understood here.

pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";
pub(super) const LIGHTS: &str = "KHR_lights_punctual";
pub(super) const LEVELS: &str = "MSFT_lod";
pub(super) const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
pub(super) const MESHOPT: &str = "EXT_meshopt_compression";
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";
pub(super) const SPECULAR: &str = "KHR_materials_specular";
pub(super) const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
pub(super) const UNLIT: &str = "KHR_materials_unlit";
pub(super) const VISIBILITY: &str = "KHR_node_visibility";

const KNOWN: [&str; 10] = [
    INSTANCING,
    MESHOPT,
    LIGHTS,
    EMISSIVE_STRENGTH,
    SPECULAR,
    UNLIT,
    QUANTIZATION,
    VISIBILITY,
    TEXTURE_TRANSFORM,
    LEVELS,
];

/// Extensions that keep the geometry where only they find it.
const OPAQUE: [&str; 1] = ["KHR_draco_mesh_compression"];

/// Whether an extension is understood.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Whether nothing can be seen of a model without this extension, which is not understood.
pub(super) fn is_opaque(name: &str) -> bool {
    OPAQUE.contains(&name)
}
