//! A file that breaks each rule, and its repair. A place is where a piece of the recipe's own text stands.

use super::samples::{BINARY_TRIANGLE, MOVING, moving_bin};
use super::*;
use crate::bytes::patch;
use crate::{RuleCase, SideFiles, alone};

/// A case: one piece of the triangle, or of the triangle with more accessors, replaced. The place is that of a value,
/// told by what stands before it.
macro_rules! case {
    ($rule:literal, $path:literal, $old:literal => $new:literal, at $before:literal $value:literal) => {
        case!(@ TRIANGLE, $rule, $path, $old => $new, $before $value)
    };
    ($rule:literal, $path:literal, $old:literal => $new:literal, more, at $before:literal $value:literal) => {
        case!(@ MORE, $rule, $path, $old => $new, $before $value)
    };
    (@ $base:ident, $rule:literal, $path:literal, $old:literal => $new:literal, $before:literal $value:literal) => {
        RuleCase {
            rule: $rule,
            fail: || replace($base, $old, $new),
            at: Some(($path, place($base, $old, $new, concat!($before, $value)) + $before.len() as u64, $value.len() as u64)),
            at_file: None,
            pass: || text(&[$base]),
            beside: targa,
        }
    };
}
/// Every case, by rule. GLTF-006 and GLTF-007 are about writing: their recipes are scenes, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    binary("GLTF-001", ("header.magic", 0, 4), || patch(binary_triangle(), 0, b"G")),
    binary("GLTF-001", ("header.version", 4, 4), || patch(binary_triangle(), 4, &[3])),
    binary("GLTF-001", ("header.length", 8, 4), || patch(binary_triangle(), 9, &[0xFF])),
    binary("GLTF-002", ("json_chunk.kind", 16, 4), || patch(binary_triangle(), 16, b"BLOB")),
    case!("GLTF-003", "json", r#""asset""# => r#",asset""#, at "{" ""),
    case!("GLTF-003", "json", r#""componentType":5126,"# => "", at r#""min":[0,0,0],"max":[1,1,0]"# ""),
    RuleCase { at: Some(("asset.version", 20, 5)), ..case!("GLTF-004", "json", r#""2.0""# => r#""1.0""#, at "" "") },
    binary("GLTF-005", ("tail", BINARY_SIZE, 3), || [binary_triangle(), b"end".to_vec()].concat()),
    case!("GLTF-010", "extensionsRequired[0]",
        r#""scene":0"# => r#""extensionsUsed":["EXT_x"],"extensionsRequired":["EXT_x"],"scene":0"#,
        at r#""extensionsRequired":["# r#""EXT_x""#),
    case!("GLTF-011", "extensionsUsed[0]",
        r#""scene":0"# => r#""extensionsUsed":["EXT_x"],"scene":0"#, at r#""extensionsUsed":["# r#""EXT_x""#),
    case!("GLTF-011", "extensionsRequired[0]",
        r#""scene":0"# => r#""extensionsUsed":["KHR_texture_basisu"],"extensionsRequired":["KHR_texture_basisu"],"scene":0"#,
        at r#""extensionsRequired":["# r#""KHR_texture_basisu""#),
    case!("GLTF-012", "nodes[0].extensions.EXT_x",
        r#"{"mesh":0}"# => r#"{"mesh":0,"extensions":{"EXT_x":{}}}"#, at r#""EXT_x":"# "{}"),
    case!("GLTF-012", "extensionsRequired[0]",
        r#""scene":0"# => r#""extensionsRequired":["EXT_x"],"scene":0"#, at "[" r#""EXT_x""#),
    case!("GLTF-013", "extensionsUsed[0]",
        r#""scene":0"# => r#""extensionsUsed":["KHR_lights_punctual"],"scene":0"#, at "[" r#""KHR_lights_punctual""#),
    case!("GLTF-014", "nodes[0].mesh", r#""mesh":0"# => r#""mesh":7"#, at r#""mesh":"# "7"),
    case!("GLTF-014", "scenes[0].nodes[0]", r#""nodes":[0]"# => r#""nodes":[1]"#, at r#""nodes":["# "1"),
    case!("GLTF-014", "scene", r#""scene":0"# => r#""scene":3"#, at r#""scene":"# "3"),
    case!("GLTF-014", "accessors[0].bufferView",
        r#""bufferView":0"# => r#""bufferView":1"#, at r#""bufferView":"# "1"),
    case!("GLTF-014", "bufferViews[0].buffer", r#"{"buffer":0"# => r#"{"buffer":2"#, at r#"{"buffer":"# "2"),
    case!("GLTF-015", "nodes[0].children[0]",
        r#"{"mesh":0}"# => r#"{"children":[0],"mesh":0}"#, at r#"{"children":["# "0"),
    case!("GLTF-015", "nodes[1].children[0]",
        r#"{"mesh":0}"# => r#"{"children":[2],"mesh":0},{"children":[2]},{}"#, at r#"},{"children":["# "2"),
    case!("GLTF-015", "scenes[0].nodes[0]", r#"{"mesh":0}"# => r#"{"mesh":0},{"children":[0]}"#, at r#""nodes":["# "0"),
    case!("GLTF-016", "buffers[0].uri", r#""data:"# => r#""gone.bin","name":"data:"#, at "" r#""gone.bin""#),
    case!("GLTF-016", "buffers[0]", r#""uri":"data:"# => r#""name":"data:"#, at r#""buffers":["#
        r#"{"name":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}"#),
    case!("GLTF-017", "buffers[0].byteLength",
        r#"AAAA","byteLength":36"# => r#"AAAA","byteLength":40"#, at r#"AAAA","byteLength":"# "40"),
    case!("GLTF-018", "buffers[0].uri",
        r#""data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA""# => r#""https://example.org/x""#,
        at "" r#""https://example.org/x""#),
    case!("GLTF-018", "images[0].uri",
        r#""buffers":["# => r#""images":[{"uri":"data:no"}],"buffers":["#, at r#""uri":"# r#""data:no""#),
    case!("GLTF-019", "bufferViews[0].byteLength",
        r#""byteLength":36}],"# => r#""byteLength":37}],"#, at r#"{"buffer":0,"byteLength":"# "37"),
    case!("GLTF-020", "accessors[0].count", r#""count":3"# => r#""count":4"#, at r#""count":"# "4"),
    case!("GLTF-020", "bufferViews[0].byteStride", r#""byteLength":36}],"# => r#""byteLength":36,"byteStride":8}],"#,
        at r#""byteStride":"# "8"),
    case!("GLTF-021", "accessors[0].type", r#""VEC3""# => r#""VEC5""#, at r#""type":"# r#""VEC5""#),
    case!("GLTF-021", "meshes[0].primitives[0].mode",
        r#"{"attributes""# => r#"{"mode":9,"attributes""#, at r#"{"mode":"# "9"),
    case!("GLTF-021", "materials[0].alphaMode",
        r#""buffers":["# => r#""materials":[{"alphaMode":"ADD"}],"buffers":["#, at r#""alphaMode":"# r#""ADD""#),
    case!("GLTF-021", "samplers[0].wrapS",
        r#""buffers":["# => r#""textures":[{"sampler":0}],"samplers":[{"wrapS":1}],"buffers":["#, at r#""wrapS":"# "1"),
    case!("GLTF-022", "meshes[0].primitives[0].attributes.NORMAL",
        r#"{"POSITION":0}"# => r#"{"NORMAL":1,"POSITION":0}"#, more, at r#""NORMAL":"# "1"),
    case!("GLTF-022", "meshes[0].weights",
        r#"{"primitives":["# => r#"{"weights":[1],"primitives":["#, at r#""weights":"# "[1]"),
    case!("GLTF-023", "images[0].uri",
        r#""buffers":["# => r#""images":[{"uri":"no.png"}],"buffers":["#, at r#""uri":"# r#""no.png""#),
    case!("GLTF-024", "images[0].uri",
        r#""buffers":["# => r#""images":[{"uri":"a.tga"}],"buffers":["#, at r#""uri":"# r#""a.tga""#),
    case!("GLTF-027", "meshes[0].primitives[0].attributes",
        r#"{"POSITION":0}"# => r#"{"_POSITION":0}"#, at r#""attributes":"# r#"{"_POSITION":0}"#),
    case!("GLTF-026", "accessors[0].max", r#""max":[1,1,0]"# => r#""max":[1,2,0]"#, at r#""max":"# "[1,2,0]"),
    case!("GLTF-026", "accessors[0]", r#","min":[0,0,0],"max":[1,1,0]"# => "", at r#""accessors":["#
        r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#),
    // The second vertex stands 12 bytes behind the first.
    binary("GLTF-028", ("accessors[0][1]", BIN + 12, 12), || float(BINARY_TRIANGLE, 16, f32::NAN)),
    RuleCase {
        pass: || glb(INDEXED, &indexed(2)),
        ..binary("GLTF-025", ("accessors[1][2]", bin_start(INDEXED) + 38, 1), || glb(INDEXED, &indexed(3)))
    },
    moving("GLTF-029", ("accessors[1][2]", bin_start(MOVING) + 44, 4), || glb(MOVING, &patch(moving_bin(), 44, &[2]))),
    moving("GLTF-030", ("accessors[2][1]", bin_start(MOVING) + 64, 16), || glb(MOVING, &put(moving_bin(), 64, 0.5))),
    moving("GLTF-030", ("accessors[2][2]", bin_start(MOVING) + 80, 16), || {
        glb(MOVING, &put(put(moving_bin(), 80, 1.5), 84, -0.5))
    }),
    moving("GLTF-031", ("accessors[4][1]", bin_start(MOVING) + 228, 4), || glb(MOVING, &put(moving_bin(), 228, 0.))),
    moving("GLTF-031", ("accessors[4][0]", bin_start(MOVING) + 224, 4), || glb(MOVING, &put(moving_bin(), 224, -1.))),
    // Three elements for two keys; the JSON of a GLB file starts at 20.
    moving("GLTF-032", ("animations[0].samplers[0].output", 20 + find(MOVING, SAMPLER) + 20, 1), || {
        glb(&MOVING.replacen(SAMPLER, r#"{"input":4,"output":2"#, 1), &moving_bin())
    }),
    case!("GLTF-033", "materials[0].pbrMetallicRoughness.metallicFactor",
        r#""buffers":["# => r#""materials":[{"pbrMetallicRoughness":{"metallicFactor":1.5}}],"buffers":["#,
        at r#""metallicFactor":"# "1.5"),
    case!("GLTF-033", "materials[0].emissiveFactor",
        r#""buffers":["# => r#""materials":[{"emissiveFactor":[0,-1,0]}],"buffers":["#,
        at r#""emissiveFactor":"# "[0,-1,0]"),
    RuleCase {
        pass: || glb(NORMALS, &floats(&[CORNERS, [0., 0., 1., 0., 0., 1., 0., 0., 1.]].concat())),
        ..binary("GLTF-034", ("accessors[1][1]", bin_start(NORMALS) + 48, 12), || {
            glb(NORMALS, &floats(&[CORNERS, [0., 0., 1., 0., 0., 1.5, 0., 0., 1.]].concat()))
        })
    },
    case!("GLTF-035", "nodes[0].rotation",
        r#"{"mesh":0}"# => r#"{"mesh":0,"rotation":[0,0,0,2]}"#, at r#""rotation":"# "[0,0,0,2]"),
    case!("GLTF-036", "nodes[0].extras.pentad",
        r#"{"mesh":0}"# => r#"{"mesh":0,"extras":{"pentad":{"role":"king"}}}"#, at r#""pentad":"# r#"{"role":"king"}"#),
    case!("GLTF-036", "meshes[0].primitives[0].extras.pentad",
        r#"{"POSITION":0}}"# => r#"{"POSITION":0},"extras":{"pentad":{"phong":1}}}"#,
        at r#""pentad":"# r#"{"phong":1}"#),
    case!("GLTF-037", "bufferViews[0].extensions.EXT_meshopt_compression",
        r#""byteLength":36}],"# => r#""byteLength":36,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":36,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}}}],"#,
        at r#""EXT_meshopt_compression":"# r#"{"buffer":0,"byteLength":36,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}"#),
    case!("GLTF-039", "extensions.KHR_lights_punctual.lights[0]",
        r#""scene":0"# => r#""extensions":{"KHR_lights_punctual":{"lights":[{"type":"moon"}]}},"scene":0"#,
        at r#""lights":["# r#"{"type":"moon"}"#),
    case!("GLTF-039", "nodes[0].extensions.KHR_node_visibility",
        r#"{"mesh":0}"# => r#"{"mesh":0,"extensions":{"KHR_node_visibility":{"visible":1}}}"#,
        at r#""KHR_node_visibility":"# r#"{"visible":1}"#),
    case!("GLTF-040", "extras.pentad.source",
        r#""scene":0"# => r#""extras":{"pentad":{"source":{"format":"dgl2"}}},"scene":0"#,
        at r#""source":"# r#"{"format":"dgl2"}"#),
    case!("GLTF-040", "extras.pentad.source",
        r#""scene":0"# => r#""extras":{"pentad":{"source":{"format":"glb","dialect":"standard","bufferView":0,"size":36,"sha256":"00","fingerprints":{"file":"00000000000000000000000000000000","nodes":[],"meshes":[],"materials":[],"animations":[]}}}},"scene":0"#,
        at r#""source":"# r#"{"format":"glb","dialect":"standard","bufferView":0,"size":36,"sha256":"00","fingerprints":{"file":"00000000000000000000000000000000","nodes":[],"meshes":[],"materials":[],"animations":[]}}"#),
    moving("GLTF-041", ("skins[0].joints[1]", 20 + find(MOVING, "[1,2]}],\"anim") + 3, 1), || {
        glb(&MOVING.replacen(r#""joints":[1,2]"#, r#""joints":[1,1]"#, 1), &moving_bin())
    }),
    moving("GLTF-041", ("accessors[1][0]", bin_start(MOVING) + 36, 4), || glb(MOVING, &patch(moving_bin(), 37, &[0]))),
    case!("GLTF-050", "scenes[0].extras.pentad",
        r#"[{"nodes":[0]}]"# => r#"[{"nodes":[0],"extras":{"pentad":{"file":{"holds":{"lights":2}}}}}]"#,
        at r#""extras":{"pentad":"# r#"{"file":{"holds":{"lights":2}}}"#),
];

/// A case in the binary chunk, whose repair is the triangle.
const fn binary(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, pass: binary_triangle, beside: alone }
}

/// A case in the binary chunk of the sample that moves.
const fn moving(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || glb(MOVING, &moving_bin()), ..binary(rule, at, fail) }
}

fn replace(base: &str, old: &str, new: &str) -> Vec<u8> {
    assert!(base.contains(old), "{old}");
    base.replacen(old, new, 1).into_bytes()
}

/// Where a piece stands once another one was replaced.
const fn place(base: &str, old: &str, new: &str, piece: &str) -> u64 {
    let replaced = find(base, old) as usize;
    let (base, new, piece) = (base.as_bytes(), new.as_bytes(), piece.as_bytes());
    let size = base.len() - old.len() + new.len();
    let mut at = 0;
    while at + piece.len() <= size {
        let mut same = 0;
        while same < piece.len() {
            let i = at + same;
            let byte = if i < replaced {
                base[i]
            } else if i < replaced + new.len() {
                new[i - replaced]
            } else {
                base[i - new.len() + old.len()]
            };
            if byte != piece[same] {
                break;
            }
            same += 1;
        }
        if same == piece.len() {
            return at as u64;
        }
        at += 1;
    }
    panic!("the text has no such piece")
}

/// An image of a kind that glTF does not hold.
fn targa() -> SideFiles {
    vec![("a.tga", vec![0, 0, 2, 0])]
}

/// The first sampler of the sample that moves; the number of its output stands 20 bytes behind its start.
const SAMPLER: &str = r#"{"input":4,"output":5"#;

fn binary_triangle() -> Vec<u8> {
    glb(BINARY_TRIANGLE, &floats(&CORNERS))
}

const BIN: u64 = bin_start(BINARY_TRIANGLE);
const BINARY_SIZE: u64 = BIN + 36;

fn float(json: &str, offset: usize, value: f32) -> Vec<u8> {
    glb(json, &put(floats(&CORNERS), offset, value))
}

fn put(bin: Vec<u8>, offset: usize, value: f32) -> Vec<u8> {
    patch(bin, offset, &value.to_le_bytes())
}

/// The triangle with a second accessor: its first two corners.
const MORE: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36}],"#,
    r#""buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}]}"#,
);

/// The triangle with an order.
const INDEXED: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],"#,
    r#""buffers":[{"byteLength":39}]}"#,
);

fn indexed(last: u8) -> Vec<u8> {
    [floats(&CORNERS), vec![0, 1, last]].concat()
}

/// The triangle with normals.
const NORMALS: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"NORMAL":1,"POSITION":0}}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":72}],"buffers":[{"byteLength":72}]}"#,
);
