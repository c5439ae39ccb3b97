//! Extras and unknown extensions of objects inside others, and pointers to nodes: through a scene and back they are
//! where they were.

use formats::gltf::{Document, Glb, Gltf};
use formats::{Format, LowerCx, NoSource, Options, ReadCx};
use scene::{Role, Scene, Value};
use serde_json::{Value as Json, json};
use wire::Blob;

use crate::support::{Parsed, lift_document, package, package_in, uri};

/// A file whose objects say something wherever they can, in the order and with the numbers that pentad writes.
fn talkative() -> Json {
    let floats = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 1., 0., 1.];
    let bytes: Vec<u8> = floats.iter().flat_map(|v| v.to_le_bytes()).collect();
    json!({
        "asset": { "version": "2.0", "minVersion": "2.0", "extensions": { "X_packet": "p" }, "extras": { "asset": 1 } },
        "extensionsUsed": ["EXT_mesh_gpu_instancing", "KHR_lights_punctual", "KHR_materials_emissive_strength",
            "KHR_materials_specular", "KHR_materials_unlit", "KHR_node_visibility", "KHR_texture_transform",
            "X_filter", "X_info", "X_packet", "X_path", "X_view"],
        "extensionsRequired": ["X_filter", "KHR_texture_transform"],
        "extensions": { "KHR_lights_punctual": { "extras": "lights", "lights": [
            { "type": "spot", "spot": { "innerConeAngle": 0.125, "outerConeAngle": 0.5, "extras": "cone" },
                "extras": { "light": 1 } },
        ] } },
        "extras": { "root": 1 },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1], "extras": { "scene": 1 } }],
        "nodes": [
            { "mesh": 0, "extras": { "node": 1 }, "extensions": {
                "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 0 }, "extras": "copies" } } },
            { "camera": 0, "extensions": {
                "KHR_lights_punctual": { "light": 0, "extras": "link" },
                "KHR_node_visibility": { "visible": false, "extensions": { "X_view": { "far": true } } } } },
        ],
        "cameras": [{ "type": "perspective", "extras": { "camera": 1 },
            "perspective": { "yfov": 1, "znear": 0.5, "extras": [1, 2], "extensions": { "X_view": {} } } }],
        "meshes": [{ "primitives": [
            { "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "material": 0, "extras": { "part": 1 } },
        ] }],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorTexture": { "index": 0, "extras": "base",
                        "extensions": { "X_info": { "a/b~": 1 },
                            "KHR_texture_transform": { "offset": [0.5, 0], "extras": "moved" } } },
                    "extras": { "pbr": 0.25 }, "extensions": { "X_info": 0.5 } },
                "normalTexture": { "index": 0, "extras": "normal" },
                "extensions": {
                    "KHR_materials_emissive_strength": { "emissiveStrength": 2, "extras": "strength" },
                    "KHR_materials_specular": { "specularFactor": 0.5, "extras": "specular",
                        "specularTexture": { "index": 0, "extras": "shine" } } },
            },
            {
                "pbrMetallicRoughness": { "metallicFactor": 0.5, "roughnessFactor": 0.25 },
                "extensions": { "KHR_materials_unlit": { "extras": "flat" },
                    "KHR_materials_specular": { "specularFactor": 0.5, "specularColorFactor": [1, 0.5, 0] } },
            },
        ],
        "textures": [{ "source": 0, "sampler": 0, "extras": { "texture": 1 } }, { "source": 0, "sampler": 1 }],
        "samplers": [
            { "name": "soft", "extras": { "sampler": 1 } },
            { "magFilter": 9728, "extensions": { "X_filter": { "taps": 4 } } },
        ],
        "images": [{ "uri": "wood.png", "extras": { "image": 1 } }],
        "animations": [{
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "translation", "extras": "target" } },
                { "sampler": 0, "target": { "node": 1, "path": "scale", "extensions": { "X_path": { "way": 1 } } },
                    "extras": "channel" },
            ],
            "samplers": [{ "input": 2, "output": 3 }], "extras": { "animation": 1 } }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2" },
            { "bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 24 },
            { "buffer": 0, "byteOffset": 60, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 0, "byteLength": 24 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": uri(&bytes) }],
    })
}

fn lifted(root: &Json) -> Scene {
    let doc: Document = Gltf::read(Blob::file(root.to_string()), &mut ReadCx::default()).expect("readable");
    lift_document(&doc, &NoSource).0
}

/// What becomes of a scene, with pictures where they were.
fn written(scene: &Scene) -> (Document, Json) {
    let (package, file, _) = package_in::<Glb>(
        scene,
        LowerCx { textures: formats::Textures::Reference, ..LowerCx::new(&NoSource, "standard") },
    );
    (package.document, Parsed::new(&file).json)
}

fn lowered(scene: &Scene) -> Json {
    written(scene).1
}

/// What programs, and people, say: all but where numbers lie and who wrote the file.
fn words(mut root: Json) -> Json {
    let all = root.as_object_mut().expect("an object");
    ["accessors", "bufferViews", "buffers"].iter().for_each(|key| drop(all.remove(*key)));
    all["asset"].as_object_mut().expect("an object").remove("generator");
    all["asset"]["extras"].as_object_mut().expect("an object").remove("pentad");
    all["images"][0]["extras"].as_object_mut().expect("an object").remove("pentad");
    for sampler in all["animations"][0]["samplers"].as_array_mut().expect("a list") {
        *sampler = json!({});
    }
    all["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = json!({});
    all["meshes"][0]["primitives"][0]["attributes"] = json!({});
    root
}

#[test]
fn what_is_said_inside_of_objects_stays_there() {
    let (document, root) = written(&lifted(&talkative()));
    assert_eq!(words(root), words(talkative()));
    let again = lift_document(&document, &NoSource).0;
    assert_eq!(words(lowered(&again)), words(talkative()), "and again");
}

#[test]
fn an_object_that_is_gone_leaves_its_words_behind() {
    let mut scene = lifted(&talkative());
    let material = scene.materials.ids().next().expect("a material");
    scene.materials[material].slots.retain(|slot| slot.role != Role::Normal);
    let material = &lowered(&scene)["materials"][0];
    assert_eq!(material.get("normalTexture"), None);
    assert_eq!(material["extras"]["pentad"]["gltf"]["inside"], json!({ "map": [["/normalTexture/extras", "normal"]] }));
}

/// Whoever forges what travels can add extras, and what nobody reads; nothing that a reader would follow.
#[test]
fn only_words_go_back() {
    let forged = ["/mesh", "/children", "/extensions/KHR_lights_punctual", "/name/extras", "/extras/deep", "x", ""];
    let mut scene = lifted(&talkative());
    let node = scene.nodes.ids().nth(1).expect("a node");
    let pairs = forged.iter().map(|pointer| ((*pointer).to_owned(), Value::Int(7)));
    scene.nodes[node].extras.set("gltf.inside", Value::Map(pairs.collect()));
    let node = &lowered(&scene)["nodes"][1];
    let mut keys: Vec<&String> = node.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["camera", "extensions", "extras"]);
    assert_eq!(node["extensions"]["KHR_lights_punctual"], json!({ "light": 0 }));
    let left = node["extras"]["pentad"]["gltf"]["inside"]["map"].as_array().map(Vec::len);
    assert_eq!(left, Some(forged.len()), "{}", node["extras"]);
}

/// A node behind a coarser version, which stands behind it once it is written again.
#[test]
fn pointers_follow_their_node() {
    let bytes = [0_f32.to_le_bytes(), 1_f32.to_le_bytes(), [1, 0, 0, 0], 0.5_f32.to_le_bytes(), 2_f32.to_le_bytes()];
    let bytes = [&[0; 36][..], &bytes.concat()].concat();
    let pointer = |pointer: &str, sampler: usize| {
        json!({ "sampler": sampler, "target": { "path": "pointer", "extensions": {
            "KHR_animation_pointer": { "pointer": pointer, "extras": "kept" } } } })
    };
    let root = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["MSFT_lod", "KHR_node_visibility", "KHR_animation_pointer"],
        "scene": 0,
        "scenes": [{ "nodes": [0, 2] }],
        "nodes": [
            { "mesh": 0, "extensions": { "MSFT_lod": { "ids": [1] } } },
            { "mesh": 1 },
            { "name": "blinks", "extensions": { "KHR_node_visibility": { "visible": true } } },
        ],
        "meshes": [
            { "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] },
            { "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] },
        ],
        "materials": [{}],
        "animations": [{ "samplers": [
                { "input": 1, "output": 2, "interpolation": "STEP" },
                { "input": 1, "output": 3 },
            ],
            "channels": [
                pointer("/nodes/2/extensions/KHR_node_visibility/visible", 0),
                pointer("/nodes/2/extensions/X_glow/size", 1),
                pointer("/nodes/0/extensions/X_glow/count", 0),
                pointer("/materials/0/pbrMetallicRoughness/roughnessFactor", 1),
            ] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 2, "componentType": 5121, "count": 2, "type": "SCALAR" },
            { "bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 44, "byteLength": 2 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 8 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": uri(&bytes) }],
    });
    let (package, file, losses) = package::<Glb>(&lifted(&root), &Options::default());
    // Whole numbers of an extension that nobody knows have no type in a scene.
    assert_eq!(losses, ["LOSS-054 animation 0: pointer track"]);
    let parsed = Parsed::new(&file);
    let node = parsed.json["nodes"].as_array().and_then(|nodes| nodes.iter().position(|node| node["name"] == "blinks"));
    assert_eq!(node, Some(1));
    assert_eq!(parsed.json["nodes"][1]["extensions"], json!({ "KHR_node_visibility": { "visible": true } }));
    let animation = &parsed.json["animations"][0];
    let sampler = |number: usize| {
        let channel = &animation["channels"][number];
        assert_eq!(channel["target"]["extensions"]["KHR_animation_pointer"]["extras"], "kept");
        let pointer = channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"].clone();
        (pointer, &animation["samplers"][channel["sampler"].as_u64().expect("a number") as usize])
    };
    let (pointer, visible) = sampler(0);
    assert_eq!(pointer, "/nodes/1/extensions/KHR_node_visibility/visible");
    let (accessor, bytes) = parsed.accessor(&visible["output"]);
    assert_eq!((&accessor["componentType"], &accessor["type"], bytes), (&json!(5121), &json!("SCALAR"), &[1, 0][..]));
    let (pointer, size) = sampler(1);
    assert_eq!(pointer, "/nodes/1/extensions/X_glow/size");
    assert_eq!(parsed.floats(&size["output"]), [0.5, 2.]);
    let again = lift_document(&package.document, &NoSource).0;
    assert_eq!(lowered(&again)["animations"][0], *animation);
}
