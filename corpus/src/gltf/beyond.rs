//! What only extensions say: images of other kinds, coatings, materials to choose from, what moves by a pointer, and
//! texture coordinates that only a transform makes sense of.

use super::*;
use crate::png::png;

/// Views: 0 positions, 1 normals, 2 texture coordinates as whole numbers of 0 to 4095, 3 times, 4 colours; then images:
/// 5 PNG, 6 WebP, 7 KTX2. Texture 0 is the WebP alone, 1 the PNG with a KTX2 beside it, 2 the PNG.
const BEYOND: &str = concat!(
    r#"{"asset":{"version":"2.0"},"extensionsUsed":["EXT_texture_webp","KHR_animation_pointer","#,
    r#""KHR_materials_clearcoat","KHR_materials_iridescence","KHR_materials_variants","KHR_mesh_quantization","#,
    r#""KHR_texture_basisu","KHR_texture_transform","KHR_xmp_json_ld"],"#,
    r#""extensionsRequired":["EXT_texture_webp","KHR_mesh_quantization"],"#,
    r#""extensions":{"KHR_materials_variants":{"variants":[{"name":"day"},{"name":"night"}]},"#,
    r#""KHR_xmp_json_ld":{"packets":[{"@context":{"dc":"http://purl.org/dc/elements/1.1/"},"dc:title":"a tile"}]}},"#,
    r#""scene":0,"scenes":[{"nodes":[0],"extensions":{"KHR_xmp_json_ld":{"packet":0}}}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"name":"tile","primitives":[{"attributes":{"NORMAL":1,"POSITION":0,"TEXCOORD_0":2},"material":0,"#,
    r#""extensions":{"KHR_materials_variants":{"mappings":[{"material":1,"variants":[1]},"#,
    r#"{"material":0,"variants":[0]}]}}}]}],"#,
    r#""materials":[{"name":"glaze","pbrMetallicRoughness":{"baseColorTexture":{"index":0,"#,
    r#""extensions":{"KHR_texture_transform":{"scale":[0.000244140625,0.000244140625]}}},"metallicFactor":0},"#,
    r#""extensions":{"KHR_materials_clearcoat":{"clearcoatFactor":1,"clearcoatTexture":{"index":2,"#,
    r#""extensions":{"KHR_texture_transform":{"scale":[0.000244140625,0.000244140625]}}}},"#,
    r#""KHR_materials_iridescence":{"iridescenceFactor":0.5}}},"#,
    r#"{"name":"clay","pbrMetallicRoughness":{"baseColorTexture":{"index":1,"#,
    r#""extensions":{"KHR_texture_transform":{"scale":[0.000244140625,0.000244140625]}}},"metallicFactor":0},"#,
    r#""extensions":{"KHR_materials_iridescence":{"iridescenceFactor":0.25}}}],"#,
    r#""textures":[{"extensions":{"EXT_texture_webp":{"source":1}}},"#,
    r#"{"source":0,"extensions":{"KHR_texture_basisu":{"source":2}}},{"source":0}],"#,
    r#""images":[{"name":"clay","mimeType":"image/png","bufferView":5},"#,
    r#"{"name":"glaze","mimeType":"image/webp","bufferView":6},"#,
    r#"{"name":"clay, smaller","mimeType":"image/ktx2","bufferView":7}],"#,
    r#""animations":[{"name":"dusk","channels":[{"sampler":0,"target":{"path":"pointer","extensions":"#,
    r#"{"KHR_animation_pointer":{"pointer":"/materials/1/pbrMetallicRoughness/baseColorFactor"}}}}],"#,
    r#""samplers":[{"input":3,"output":4}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"},"#,
    r#"{"bufferView":2,"componentType":5123,"count":3,"type":"VEC2"},"#,
    r#"{"bufferView":3,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},"#,
    r#"{"bufferView":4,"componentType":5126,"count":2,"type":"VEC4"}],"bufferViews":["#,
    r#"{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":36},"#,
    r#"{"buffer":0,"byteOffset":72,"byteLength":12},{"buffer":0,"byteOffset":84,"byteLength":8},"#,
    r#"{"buffer":0,"byteOffset":92,"byteLength":32},{"buffer":0,"byteOffset":124,"byteLength":PNG},"#,
    r#"{"buffer":0,"byteOffset":AFTER_PNG,"byteLength":34},{"buffer":0,"byteOffset":AFTER_WEBP,"byteLength":80}],"#,
    r#""buffers":[{"byteLength":BUFFER}]}"#,
);

/// One white pixel, without loss: the size less one and the alpha in 32 bits, then codes of one symbol each.
const WEBP: [u8; 34] = [
    b'R', b'I', b'F', b'F', 26, 0, 0, 0, b'W', b'E', b'B', b'P', b'V', b'P', b'8', b'L', 13, 0, 0, 0, 0x2F, 0, 0, 0,
    0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0,
];

/// The first bytes of a KTX2 file and a header of zeros.
fn ktx2() -> Vec<u8> {
    Bytes::default().raw(b"\xABKTX 20\xBB\r\n\x1A\n").raw(&[0; 68]).done()
}

pub(super) fn beyond() -> Vec<u8> {
    let clay = png(2, &[[200, 90, 40], [180, 80, 30]]);
    let mut bin = Bytes::default();
    bin.le_all(&CORNERS).le_all(&[0_f32, 0., 1., 0., 0., 1., 0., 0., 1.]);
    bin.le_all(&[0_u16, 0, 4096, 0, 0, 4096]).le_all(&[0_f32, 1.]);
    bin.le_all(&[1_f32, 1., 1., 1., 0.25, 0.25, 0.5, 1.]);
    bin.raw(&clay).raw(&WEBP).raw(&ktx2());
    let bin = bin.done();
    let sizes = [
        ("AFTER_PNG", 124 + clay.len()),
        ("AFTER_WEBP", 124 + clay.len() + WEBP.len()),
        ("PNG", clay.len()),
        ("BUFFER", bin.len()),
    ];
    let json = sizes.iter().fold(BEYOND.to_owned(), |json, (word, size)| json.replace(word, &size.to_string()));
    glb(&json, &bin)
}
