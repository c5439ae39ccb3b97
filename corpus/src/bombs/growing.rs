//! Files in which many things name many things: what is done for each pair takes too long.

use super::{Bomb, bomb, listed};

pub(super) const BOMBS: &[Bomb] = &[
    bomb("channels.gltf", "4 000 channels of one animation, on as many nodes.", channels),
    bomb("animations.gltf", "500 animations of one node.", animations),
    bomb("equal-names.gltf", "20 000 materials of one name.", equal_names),
    bomb("materials.gltf", "20 000 nodes, each in a material of its own.", materials),
    bomb("skins.gltf", "2 000 nodes with one skin of 100 joints.", skins),
];

/// A triangle, and behind it the times 0 and 1 with the places that belong to them.
const DATA: &str = concat!(
    r#""accessors":["#,
    r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},"#,
    r#"{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":24,"byteLength":8}],"#,
    r#""buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}]}"#,
);

fn model(nodes: &str, roots: usize, meshes: &str, rest: &str) -> Vec<u8> {
    let roots = listed(roots, |i| i.to_string());
    let start = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":["#;
    format!(r#"{start}{roots}]}}],"nodes":[{nodes}],"meshes":[{meshes}],{rest}{DATA}"#).into_bytes()
}

const MESH: &str = r#"{"primitives":[{"attributes":{"POSITION":0}}]}"#;

fn animation(channels: usize) -> String {
    let channel = |i: usize| format!(r#"{{"sampler":0,"target":{{"node":{i},"path":"translation"}}}}"#);
    let channels = listed(channels, channel);
    format!(r#"{{"samplers":[{{"input":1,"output":2}}],"channels":[{channels}]}}"#)
}

fn channels() -> Vec<u8> {
    let nodes = listed(4000, |i| format!(r#"{{"name":"node {i}","mesh":0}}"#));
    model(&nodes, 4000, MESH, &format!(r#""animations":[{}],"#, animation(4000)))
}

fn animations() -> Vec<u8> {
    let animations = listed(500, |_| animation(1));
    model(r#"{"mesh":0}"#, 1, MESH, &format!(r#""animations":[{animations}],"#))
}

fn equal_names() -> Vec<u8> {
    let materials = listed(20_000, |_| r#"{"name":"stone"}"#.to_owned());
    let primitives = listed(20_000, |i| format!(r#"{{"attributes":{{"POSITION":0}},"material":{i}}}"#));
    model(r#"{"mesh":0}"#, 1, &format!(r#"{{"primitives":[{primitives}]}}"#), &format!(r#""materials":[{materials}],"#))
}

fn materials() -> Vec<u8> {
    let materials = listed(20_000, |i| format!(r#"{{"name":"m{i}"}}"#));
    let meshes = listed(20_000, |i| format!(r#"{{"primitives":[{{"attributes":{{"POSITION":0}},"material":{i}}}]}}"#));
    let nodes = listed(20_000, |i| format!(r#"{{"mesh":{i},"translation":[{i},0,0]}}"#));
    model(&nodes, 20_000, &meshes, &format!(r#""materials":[{materials}],"#))
}

fn skins() -> Vec<u8> {
    let (skinned, joints) = (2000, 100);
    let nodes =
        listed(skinned + joints, |i| if i < skinned { r#"{"mesh":0,"skin":0}"#.to_owned() } else { "{}".to_owned() });
    let joints = listed(joints, |i| (skinned + i).to_string());
    model(&nodes, skinned + 100, MESH, &format!(r#""skins":[{{"joints":[{joints}]}}],"#))
}
