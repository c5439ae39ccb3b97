//! The samples: what glTF can hold, what is worth telling about, and what cannot be read.

use super::*;
use crate::bytes::patch;
use crate::jpeg::jpeg;
use crate::png::png;
use crate::{Kind, Sample, alone, never_complete};

/// Samples in JSON, the default one first.
pub const GLTF_SAMPLES: &[Sample] = &[
    Sample {
        about: "A textured triangle with its buffer and its image beside it.",
        beside: || vec![("corner stone.bin", stone_bin()), ("stone.png", image())],
        complete_cuts: without_line_end,
        ..good("gltf", "model", || text(&[STONE]))
    },
    Sample {
        about: "A photo in a JPEG whose name has a comma and brackets, and a specular colour above 1.",
        beside: || vec![("corner stone.bin", stone_bin()), ("a [photo], one.jpg", jpeg())],
        complete_cuts: without_line_end,
        ..good("gltf", "photo", photo)
    },
    Sample {
        about: "One triangle in a data URI, as short as it can be written.",
        ..odd("gltf", "one-triangle", || text(&[TRIANGLE]))
    },
    Sample {
        about: "A buffer that is not there, references to nothing, and words without meaning.",
        ..odd("gltf", "broken", || text(&[BROKEN]))
    },
    Sample {
        about: "What pentad carries for the way back, none of which fits the file any more.",
        ..odd("gltf", "stale", || text(&[STALE]))
    },
    Sample { about: "A comma too many.", ..bad("gltf", "comma", || text(&[r#"{"asset":{"version":"2.0"},}"#])) },
    Sample { about: "The first version of glTF.", ..bad("gltf", "old", || text(&[r#"{"asset":{"version":"1.0"}}"#])) },
];

/// Samples in one file, the default one first.
pub const GLB_SAMPLES: &[Sample] = &[
    Sample {
        about: "Nodes, a camera, a light, a material, an image, several sets of attributes, a morph target, words.",
        ..good("glb", "model", model)
    },
    Sample { about: "One triangle.", ..good("glb", "one-triangle", || glb(BINARY_TRIANGLE, &floats(&CORNERS))) },
    Sample {
        about: "Interleaved and sparse numbers, zeros without bytes, and primitives of every mode.",
        ..good("glb", "accessors", || glb(ACCESSORS, &accessors_bin()))
    },
    Sample {
        about: "A skin, animations, instances of a mesh and a coarser version of one.",
        ..good("glb", "moving", || glb(MOVING, &moving_bin()))
    },
    Sample {
        about: "Skeletons inside each other, shared joints, meshes below joints, and skeletons that only look alike.",
        ..good("glb", "rigs", super::rigs::rigs)
    },
    Sample {
        about: "Extensions that only glTF has: WebP and KTX2, a coating, variants, a pointer; UVs of 0 to 4096.",
        ..odd("glb", "beyond", super::beyond::beyond)
    },
    Sample {
        about: "Positions as 16-bit numbers, an unknown extension and bytes behind the end.",
        complete_cuts: |file| vec![file.len() - 3],
        ..odd("glb", "quantised", || [glb(QUANTISED, &quantised_bin()), b"end".to_vec()].concat())
    },
    Sample { about: "The wrong first byte.", ..bad("glb", "magic", || patch(glb(TRIANGLE, &[]), 0, b"G")) },
    Sample {
        about: "The container of the first version.",
        ..bad("glb", "version", || patch(glb(TRIANGLE, &[]), 4, &[1]))
    },
    Sample {
        about: "A file that was cut short.",
        ..bad("glb", "cut", || glb(BINARY_TRIANGLE, &floats(&CORNERS))[..100].to_vec())
    },
];

const fn good(format: &'static str, name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    let complete_cuts = never_complete;
    Sample { format, name, kind: Kind::Good, about: "", bytes, beside: alone, dialect: Some("standard"), complete_cuts }
}

const fn odd(format: &'static str, name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(format, name, bytes) }
}

const fn bad(format: &'static str, name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, dialect: None, ..good(format, name, bytes) }
}

/// The last line end says nothing.
fn without_line_end(file: &[u8]) -> Vec<usize> {
    vec![file.len() - 1]
}

/// Two pixels.
fn image() -> Vec<u8> {
    png(2, &[[255, 0, 0], [0, 0, 255]])
}

/// The triangle of the table with its positions in the binary chunk.
pub(super) const BINARY_TRIANGLE: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}"#,
);

/// The stone with a photo on it, and brighter than white where it shines, as the extension allows.
fn photo() -> Vec<u8> {
    let dull = r#""metallicFactor": 0}}"#;
    let shines =
        r#""metallicFactor": 0}, "extensions": {"KHR_materials_specular": {"specularColorFactor": [2, 1, 0.5]}}}"#;
    let used = "\"extensionsUsed\": [\n    \"KHR_materials_specular\"\n  ],\n  \"scene\": 0";
    let stone = STONE.replace("stone.png", "a%20%5Bphoto%5D%2C%20one.jpg");
    assert!(stone.contains(dull) && stone.contains(r#""scene": 0"#), "the stone is another");
    text(&[&stone.replace(dull, shines).replace(r#""scene": 0"#, used)])
}

/// Positions, then texture coordinates.
fn stone_bin() -> Vec<u8> {
    [floats(&CORNERS), floats(&[0., 0., 1., 0., 0., 1.])].concat()
}

const STONE: &str = r#"{
  "asset": {
    "version": "2.0",
    "generator": "a hand",
    "copyright": "nobody"
  },
  "scene": 0,
  "scenes": [
    {"name": "all", "nodes": [0]}
  ],
  "nodes": [
    {"name": "stone", "mesh": 0, "extras": {"weight": 2.5}}
  ],
  "meshes": [
    {"name": "stone", "primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}
  ],
  "materials": [
    {"name": "stone", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0}}
  ],
  "textures": [
    {"sampler": 0, "source": 0}
  ],
  "images": [
    {"uri": "stone.png"}
  ],
  "samplers": [
    {"magFilter": 9728, "minFilter": 9985, "wrapS": 33071, "wrapT": 33648}
  ],
  "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
    {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"}
  ],
  "bufferViews": [
    {"buffer": 0, "byteLength": 36, "target": 34962},
    {"buffer": 0, "byteOffset": 36, "byteLength": 24, "target": 34962}
  ],
  "buffers": [
    {"uri": "corner%20stone.bin", "byteLength": 60}
  ]
}
"#;

/// Accessors: 0 indices, 1 positions, 2 normals, 3 and 4 texture coordinates, 5 colours, 6 numbers, 7 deltas. The image
/// stands behind them.
const MODEL: &str = concat!(
    r#"{"asset":{"version":"2.0","generator":"a hand","extras":{"note":[1,true,null]}},"#,
    r#""extensionsUsed":["EXT_nobody_knows","KHR_lights_punctual","KHR_materials_emissive_strength","#,
    r#""KHR_materials_specular","KHR_materials_unlit","KHR_node_visibility","KHR_texture_transform"],"#,
    r#""scene":1,"scenes":[{"name":"empty"},{"name":"main","nodes":[0,3],"extras":"words"}],"#,
    r#""nodes":[{"name":"parent","children":[1,2],"translation":[1,2,3],"rotation":[0,0.6,0,0.8],"scale":[1,1,2]},"#,
    r#"{"name":"model","mesh":0,"weights":[0.25],"extensions":{"EXT_nobody_knows":{"node":1}},"extras":{"a":{"b":1}}},"#,
    r#"{"name":"eye","camera":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,4,5,6,1]},"#,
    r#"{"camera":1,"extensions":{"KHR_lights_punctual":{"light":0},"KHR_node_visibility":{"visible":false}}}],"#,
    r#""cameras":[{"name":"wide","type":"perspective","perspective":{"aspectRatio":1.5,"yfov":0.75,"zfar":100,"znear":0.5}},"#,
    r#"{"type":"orthographic","orthographic":{"xmag":2,"ymag":1,"zfar":10,"znear":0.25}}],"#,
    r#""meshes":[{"name":"model","primitives":[{"attributes":{"COLOR_0":5,"NORMAL":2,"POSITION":1,"TEXCOORD_0":3,"#,
    r#""TEXCOORD_1":4,"_NUMBER":6},"indices":0,"material":0,"targets":[{"POSITION":7}]},"#,
    r#"{"mode":0,"attributes":{"POSITION":1},"material":1,"targets":[{"POSITION":7}]}],"weights":[0.5],"#,
    r#""extras":{"targetNames":["high"]}}],"#,
    r#""materials":[{"name":"shiny","pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.25,1],"#,
    r#""baseColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"offset":[0.5,0],"scale":[2,2]}}},"#,
    r#""metallicFactor":0.5,"roughnessFactor":0.25,"metallicRoughnessTexture":{"index":0}},"#,
    r#""normalTexture":{"index":0,"scale":0.5},"occlusionTexture":{"index":0,"strength":0.75},"#,
    r#""emissiveTexture":{"index":0},"emissiveFactor":[1,1,0.5],"alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,"#,
    r#""extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4},"#,
    r#""KHR_materials_specular":{"specularFactor":0.5,"specularColorFactor":[1,0.5,0.5],"specularTexture":{"index":0}}}},"#,
    r#"{"pbrMetallicRoughness":{"baseColorFactor":[0,0,0,0.5],"metallicFactor":0},"alphaMode":"BLEND","#,
    r#""extensions":{"KHR_materials_unlit":{}}}],"#,
    r#""textures":[{"name":"texture","sampler":0,"source":0,"extras":{"c":1}}],"#,
    r#""images":[{"name":"picture","mimeType":"image/png","bufferView":8}],"#,
    r#""samplers":[{"name":"crisp","minFilter":9728}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5123,"count":3,"type":"SCALAR"},"#,
    r#"{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":2,"componentType":5126,"count":3,"type":"VEC3"},"#,
    r#"{"bufferView":3,"componentType":5126,"count":3,"type":"VEC2"},"#,
    r#"{"bufferView":4,"componentType":5123,"normalized":true,"count":3,"type":"VEC2"},"#,
    r#"{"bufferView":5,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":6,"componentType":5121,"count":3,"type":"SCALAR"},"#,
    r#"{"bufferView":7,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,2]}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":6,"target":34963},{"buffer":0,"byteOffset":8,"byteLength":36},"#,
    r#"{"buffer":0,"byteOffset":44,"byteLength":36},{"buffer":0,"byteOffset":80,"byteLength":24},"#,
    r#"{"buffer":0,"byteOffset":104,"byteLength":12},{"buffer":0,"byteOffset":116,"byteLength":12},"#,
    r#"{"buffer":0,"byteOffset":128,"byteLength":12,"byteStride":4},{"buffer":0,"byteOffset":140,"byteLength":36},"#,
    r#"{"buffer":0,"byteOffset":176,"byteLength":IMAGE}],"buffers":[{"byteLength":BUFFER}],"#,
    r#""extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","name":"lamp","color":[1,0.5,0],"intensity":20,"#,
    r#""range":10,"spot":{"innerConeAngle":0.25,"outerConeAngle":0.5}}]}}}"#,
);

fn model() -> Vec<u8> {
    let bin = model_bin();
    let sizes = [("IMAGE", image().len()), ("BUFFER", bin.len())];
    let json = sizes.iter().fold(MODEL.to_owned(), |json, (word, size)| json.replace(word, &size.to_string()));
    glb(&json, &bin)
}

fn model_bin() -> Vec<u8> {
    let mut bin = Bytes::default();
    bin.le_all(&[0_u16, 1, 2, 0]).le_all(&CORNERS);
    bin.le_all(&[0_f32, 0., 1., 0., 0., 1., 0., 0., 1.]).le_all(&[0_f32, 0., 1., 0., 0., 1.]);
    bin.le_all(&[0_u16, 0, 65535, 0, 0, 65535]);
    bin.raw(&[255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128]);
    bin.raw(&[7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]);
    bin.le_all(&[0_f32, 0., 0., 0., 0., 2., 0., 0., 0.]).raw(&image());
    bin.done()
}

/// Views: 0 positions and texture coordinates, row by row; 1 indices and 2 values of the sparse accessor; 3 order.
/// Accessors: 0 positions, 1 texture coordinates, 2 sparse positions, 3 sparse zeros, 4 zeros, 5 order.
const ACCESSORS: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":["#,
    r#"{"attributes":{"POSITION":0,"TEXCOORD_0":1}},{"mode":1,"attributes":{"POSITION":2},"indices":5},"#,
    r#"{"mode":2,"attributes":{"POSITION":3}},{"mode":3,"attributes":{"POSITION":0,"_ZERO":4}},"#,
    r#"{"mode":5,"attributes":{"POSITION":0}},{"mode":6,"attributes":{"POSITION":0}}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":0,"byteOffset":12,"componentType":5126,"count":3,"type":"VEC2"},"#,
    r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,5],"sparse":"#,
    r#"{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}},"#,
    r#"{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,5],"sparse":"#,
    r#"{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}},"#,
    r#"{"componentType":5126,"count":3,"type":"VEC2"},{"bufferView":3,"componentType":5121,"count":2,"type":"SCALAR"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":60,"byteStride":20},{"buffer":0,"byteOffset":60,"byteLength":1},"#,
    r#"{"buffer":0,"byteOffset":64,"byteLength":12},{"buffer":0,"byteOffset":76,"byteLength":2}],"#,
    r#""buffers":[{"byteLength":78}]}"#,
);

fn accessors_bin() -> Vec<u8> {
    let mut bin = Bytes::default();
    bin.le_all(&[0_f32, 0., 0., 0., 0.]).le_all(&[1_f32, 0., 0., 1., 0.]).le_all(&[0_f32, 1., 0., 0., 1.]);
    bin.raw(&[2, 0, 0, 0]).le_all(&[1_f32, 1., 5.]).raw(&[2, 1]);
    bin.done()
}

/// Views: 0 positions, 1 joints, 2 weights, 3 matrices, 4 times, 5 rotations, 6 tangents and translations.
pub(super) const MOVING: &str = concat!(
    r#"{"asset":{"version":"2.0"},"extensionsUsed":["EXT_mesh_gpu_instancing","MSFT_lod"],"#,
    r#""scene":0,"scenes":[{"nodes":[0,1,3]}],"#,
    r#""nodes":[{"mesh":0,"skin":0},{"name":"hip","children":[2]},{"name":"knee","translation":[0,1,0]},"#,
    r#"{"mesh":1,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}},"MSFT_lod":{"ids":[4]}},"#,
    r#""extras":{"MSFT_screencoverage":[0.5,0.125]}},{"mesh":2}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"JOINTS_0":1,"POSITION":0,"WEIGHTS_0":2}}]},"#,
    r#"{"primitives":[{"attributes":{"POSITION":0}}]},{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}],"#,
    r#""skins":[{"name":"legs","inverseBindMatrices":3,"skeleton":1,"joints":[1,2]}],"#,
    r#""animations":[{"name":"walk","channels":[{"sampler":0,"target":{"node":2,"path":"rotation"}},"#,
    r#"{"sampler":1,"target":{"node":1,"path":"translation"}},{"sampler":2,"target":{"node":2,"path":"scale"}}],"#,
    r#""samplers":[{"input":4,"output":5},{"input":4,"interpolation":"CUBICSPLINE","output":6},"#,
    r#"{"input":4,"interpolation":"STEP","output":7}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},"#,
    r#"{"bufferView":3,"componentType":5126,"count":2,"type":"MAT4"},"#,
    r#"{"bufferView":4,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},"#,
    r#"{"bufferView":5,"componentType":5122,"normalized":true,"count":2,"type":"VEC4"},"#,
    r#"{"bufferView":6,"componentType":5126,"count":6,"type":"VEC3"},"#,
    r#"{"bufferView":6,"byteOffset":12,"componentType":5126,"count":2,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},"#,
    r#"{"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":128},"#,
    r#"{"buffer":0,"byteOffset":224,"byteLength":8},{"buffer":0,"byteOffset":232,"byteLength":16},"#,
    r#"{"buffer":0,"byteOffset":248,"byteLength":72}],"buffers":[{"byteLength":320}]}"#,
);

pub(super) fn moving_bin() -> Vec<u8> {
    let mut bin = Bytes::default();
    bin.le_all(&CORNERS).raw(&[0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    bin.le_all(&[0.5_f32, 0.5, 0., 0., 0.25, 0.75, 0., 0., 1., 0., 0., 0.]);
    for height in [0_f32, -1.] {
        bin.le_all(&[1_f32, 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., height, 0., 1.]);
    }
    bin.le_all(&[0_f32, 1.]).le_all(&[0_i16, 0, 0, 32767, 0, 0, 32767, 0]);
    // In-tangent, value and out-tangent of either key.
    bin.le_all(&[0_f32, 0., 0., 1., 2., 3., 0.5, 0., 0.]).le_all(&[0.25_f32, 0., 0., 4., 5., 6., 0., 0., 0.]);
    bin.done()
}

const QUANTISED: &str = concat!(
    r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_mesh_quantization","EXT_other"],"#,
    r#""extensionsRequired":["KHR_mesh_quantization","EXT_other"],"scenes":[{"nodes":[0]}],"#,
    r#""nodes":[{"mesh":0,"scale":[2,2,2]}],"meshes":[{"primitives":[{"attributes":{"NORMAL":1,"POSITION":0}}],"#,
    r#""extensions":{"EXT_other":[1,{"x":-2.5}]}}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3","#,
    r#""min":[0,0,0],"max":[32767,32767,0]},{"bufferView":1,"componentType":5120,"normalized":true,"count":3,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":24,"byteStride":8},{"buffer":0,"byteOffset":24,"byteLength":12,"byteStride":4}],"#,
    r#""buffers":[{"byteLength":36}]}"#,
);

fn quantised_bin() -> Vec<u8> {
    let mut bin = Bytes::default();
    bin.le_all(&[0_i16, 0, 0, 0, 32767, 0, 0, 0, 0, 32767, 0, 0]).raw(&[0, 0, 127, 0].repeat(3));
    bin.done()
}

const BROKEN: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":4,"scenes":[{"nodes":[0,9]}],"#,
    r#""nodes":[{"children":[1,7],"mesh":3,"camera":1,"skin":0},{"children":[0]}],"#,
    r#""cameras":[{"type":"pinhole"}],"meshes":[{"primitives":[{"mode":9,"attributes":{},"indices":5}]}],"#,
    r#""skins":[{"joints":[8]}],"animations":[{"channels":[{"sampler":1,"target":{"path":"size"}}],"samplers":[]}],"#,
    r#""materials":[{"alphaMode":"ADD"}],"textures":[{"sampler":1,"source":2}],"buffers":[{"uri":"gone.bin","byteLength":1}]}"#,
);

/// The triangle with words that pentad may have written about another file.
const STALE: &str = concat!(
    r#"{"asset":{"version":"2.0","generator":"pentad 0.1.0","extras":{"pentad":{"carry":1,"origin":5,"space":{"up":"up"}}}},"#,
    r#""scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"a","mesh":1,"extras":{"pentad":{"name_bytes":"ff","#,
    r#""matrix":[1,2],"role":"king","socket":1,"light":{"kind":"moon"},"danmodel":{"colored":{"f32":true}}}}}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"extras":{"pentad":{"original":{"#,
    r#""topology":"quads","attributes":{"POSITION":{"bufferView":0,"component":"f64","count":3,"elements":3,"order":"big"}}},"#,
    r#""invented":["POSITION"],"attributes":7}}}]},"#,
    r#"{"primitives":[{"attributes":{"POSITION":0},"indices":0}],"extras":{"pentad":{"copy_of":0}}}],"#,
    r#""materials":[{"doubleSided":true,"extras":{"pentad":{"default":true,"phong":{},"factors":{"metallic":[{"f32":2}]},"#,
    r#""slots":[{"role":"hat"}],"alpha_mode":"additive"}}}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36}],"#,
    r#""buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}]}"#,
);
