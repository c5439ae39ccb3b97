//! glTF: accessors without a buffer view are zeros and take no bytes, and any number of objects may share one.

use super::{Bomb, bomb, listed, noise, refused};
use crate::bytes::Bytes;
use crate::gltf::glb;

pub(super) const BOMBS: &[Bomb] = &[
    refused("instances.gltf", "10 million instances of a triangle whose places are zeros: 600 bytes.", instances),
    refused("product.gltf", "10 million vertices at 10 million places, all zeros: 500 bytes.", product),
    bomb("primitives.gltf", "3 000 primitives that share a million vertices of zeros.", primitives),
    bomb("stored-primitives.glb", "3 000 primitives that share 300 000 vertices.", stored_primitives),
    refused("shared-instances.glb", "5 000 nodes that share the places of 10 000 instances.", shared_instances),
    bomb("copies.glb", "100 000 vertices at 100 000 places.", stored_instances),
    bomb("nodes.glb", "20 000 nodes that show 20 000 vertices, each turned.", nodes),
    refused("sparse.gltf", "3 000 million vertices of which two are no zeros.", sparse),
    bomb("missing.gltf", "10 000 textures that are not there.", missing),
];

const TRIANGLE: &str = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}"#;
const BUFFER: &str = concat!(
    r#""bufferViews":[{"buffer":0,"byteLength":36}],"#,
    r#""buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}]"#,
);

fn model(nodes: &str, primitives: &str, accessors: &str, rest: &str) -> String {
    let used = if nodes.contains("EXT_mesh") { r#","extensionsUsed":["EXT_mesh_gpu_instancing"]"# } else { "" };
    let count = nodes.matches("\"mesh\"").count();
    let roots = listed(count, |i| i.to_string());
    format!(
        r#"{{"asset":{{"version":"2.0"}}{used},"scene":0,"scenes":[{{"nodes":[{roots}]}}],"nodes":[{nodes}],"meshes":[{{"primitives":[{primitives}]}}],"accessors":[{accessors}]{rest}}}"#
    )
}

const PRIMITIVE: &str = r#"{"attributes":{"POSITION":0}}"#;

/// A node with instances whose places an accessor has.
fn placed(accessor: usize) -> String {
    format!(r#"{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{accessor}}}}}}}}}"#)
}

fn zeros(count: usize) -> String {
    format!(r#"{{"componentType":5126,"count":{count},"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}"#)
}

fn stored(view: usize, count: usize) -> String {
    format!(r#"{{"bufferView":{view},"componentType":5126,"count":{count},"type":"VEC3","min":[0,0,0],"max":[1,1,1]}}"#)
}

/// Positions and places one behind the other in the binary chunk.
fn views(sizes: &[usize]) -> String {
    let mut at = 0;
    let mut views = Vec::new();
    for size in sizes {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{at},"byteLength":{size}}}"#));
        at += size;
    }
    format!(r#","bufferViews":[{}],"buffers":[{{"byteLength":{at}}}]"#, views.join(","))
}

fn floats(count: usize) -> Vec<u8> {
    Bytes::default().le_all(&noise(count)).done()
}

fn instances() -> Vec<u8> {
    let accessors = format!("{TRIANGLE},{}", zeros(10_000_000));
    model(&placed(1), PRIMITIVE, &accessors, &format!(",{BUFFER}")).into_bytes()
}

fn product() -> Vec<u8> {
    model(&placed(0), PRIMITIVE, &zeros(10_000_000), "").into_bytes()
}

fn primitives() -> Vec<u8> {
    model(r#"{"mesh":0}"#, &listed(3000, |_| PRIMITIVE.to_owned()), &zeros(1_000_000), "").into_bytes()
}

fn stored_primitives() -> Vec<u8> {
    let json =
        model(r#"{"mesh":0}"#, &listed(3000, |_| PRIMITIVE.to_owned()), &stored(0, 300_000), &views(&[300_000 * 12]));
    glb(&json, &floats(900_000))
}

fn shared_instances() -> Vec<u8> {
    let nodes = listed(5000, |_| placed(1));
    let accessors = format!("{},{}", stored(0, 3), stored(1, 10_000));
    glb(&model(&nodes, PRIMITIVE, &accessors, &views(&[36, 120_000])), &floats(30_009))
}

fn stored_instances() -> Vec<u8> {
    let accessors = format!("{},{}", stored(0, 100_000), stored(1, 100_000));
    glb(&model(&placed(1), PRIMITIVE, &accessors, &views(&[1_200_000; 2])), &floats(600_000))
}

fn nodes() -> Vec<u8> {
    let turned = |i: usize| {
        let (sin, cos) = (i as f64).sin_cos();
        format!(r#"{{"mesh":0,"rotation":[0,{sin},0,{cos}],"translation":[{i},0,0]}}"#)
    };
    let json = model(&listed(20_000, turned), PRIMITIVE, &stored(0, 20_000), &views(&[240_000]));
    glb(&json, &floats(60_000))
}

fn sparse() -> Vec<u8> {
    let accessor = concat!(
        r#"{"componentType":5126,"count":3000000000,"type":"VEC3","min":[0,0,0],"max":[1,1,1],"#,
        r#""sparse":{"count":2,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}"#,
    );
    model(r#"{"mesh":0}"#, PRIMITIVE, accessor, &format!(",{BUFFER}")).into_bytes()
}

fn missing() -> Vec<u8> {
    let count = 10_000;
    let images = listed(count, |i| format!(r#"{{"uri":"folder/image {i}.png"}}"#));
    let textures = listed(count, |i| format!(r#"{{"source":{i}}}"#));
    let material = |i: usize| format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{i}}}}}}}"#);
    let materials = listed(count, material);
    let primitives = listed(count, |i| format!(r#"{{"attributes":{{"POSITION":0}},"material":{i}}}"#));
    let rest = format!(r#","images":[{images}],"textures":[{textures}],"materials":[{materials}],{BUFFER}"#);
    model(r#"{"mesh":0}"#, &primitives, TRIANGLE, &rest).into_bytes()
}

/// A model whose vertices, so many, stand in a data URI of 16 characters for each.
pub fn data_uri(vertices: usize) -> Vec<u8> {
    let size = vertices * 12;
    let view =
        format!(r#","bufferViews":[{{"buffer":0,"byteLength":{size}}}],"buffers":[{{"byteLength":{size},"uri":""#);
    let mut file = model(r#"{"mesh":0}"#, PRIMITIVE, &stored(0, vertices), &view).into_bytes();
    // The brace that closes the root comes last.
    file.pop();
    file.extend(b"data:application/octet-stream;base64,");
    // 12 bytes: 1, 0 and 1 as floats.
    (0..vertices).for_each(|_| file.extend(b"AACAPwAAAAAAAIA/"));
    file.extend(br#""}]}"#);
    file
}
